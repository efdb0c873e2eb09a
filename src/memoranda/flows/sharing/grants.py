"""Grants on shared objects: who may read, write or administer them, and the log of who did."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Annotated, Any

from memoranda.core.base.checks import brief
from memoranda.core.base.constraints import Between, Id, OneOf
from memoranda.core.base.scope import Scope
from memoranda.core.image.image import Partition
from memoranda.core.rows import AccessLog, Collection, Grant, Pool
from memoranda.core.rows.access import LEVELS, holds, mandate
from memoranda.core.rows.changes import Add, Patch
from memoranda.errors import InputError, NotFoundError
from memoranda.flows.runtime.commits import Made
from memoranda.flows.runtime.reading import shared, undisturbed
from memoranda.flows.runtime.runtime import Runtime
from memoranda.flows.sharing import objects
from memoranda.flows.sharing.objects import Object, asked
from memoranda.ports import Where

MOST = 10_000  # the most lines of the log that are returned


async def grant(
    runtime: Runtime,
    scope: Scope,
    what: Id,
    level: Annotated[str, OneOf(LEVELS)] = "read",
    *,
    user: Id | None = None,
    agent: Id | None = None,
    team: Id | None = None,
    everyone: bool = False,
    until: datetime | None = None,
) -> Grant:
    """Let somebody read, write or administer a pool or a collection. Each level includes the one before.

    A grant made by somebody who administers the object only by a grant ends with that grant, however it ends.

    Args:
        what: its id.
        level: read, write or admin, which includes the right to grant.
        user: a user, and all of the user's agents.
        agent: one agent: of `user`, or of one's own user.
        team: a team.
        everyone: whoever is in the tenant.
        until: when it ends; by default never. It never outlasts the right of whoever grants it.

    Raises:
        InputError: nobody was named, or several were; or the pool is private to an agent.
        NotFoundError: this scope may read no such object.
        AccessError: it may not administer it.
    """
    if sum((user is not None or agent is not None, team is not None, everyone)) != 1:
        raise InputError("Say to whom: user=, agent= (of one's own user, or with user=), team= or everyone=True.")
    end = objects.ending("until", until, runtime.clock())
    grantee = user if agent is None else user or scope.user

    async def both() -> tuple[Object, Grant | None]:
        item = await _opening(runtime, scope, what)()
        known = (await objects.look(runtime, scope, (what,))).grants.get(what, ())
        return item, mandate(scope, item, known, runtime.clock())

    def plan(found: tuple[Object, Grant | None], _: Partition) -> Made[Grant]:
        item, right = found
        if item.kind == "agent_private":
            raise InputError("This pool is private to its agent; share what it holds through another one.")
        ends = [one for one in (end, right.expires_at if right else None) if one is not None]
        row = objects.granted(
            runtime, scope, what, level=level, grantee=grantee, agent=agent, team=team,
            under=right.id if right else None, expires_at=min(ends, default=None),
        )  # fmt: skip
        return Made(row, [Add(row)])

    return await objects.changed(runtime, scope, what, both, plan, f"grant {level}")


async def revoke(runtime: Runtime, scope: Scope, grant: Id) -> Grant:
    """Revoke a grant, and with it the right to read whatever was derived from its object.

    Grants that were made under it end with it.

    Args:
        grant: its id.

    Raises:
        NotFoundError: this scope sees no such grant, or it is over.
        AccessError: it may not administer the object of the grant.
    """
    owner = objects.shared_owner(scope).owner
    missing = f"There is no grant {brief(grant)} here; grants gives the ids of those there are."
    [known] = await runtime.store.get(Grant, owner, [(grant,)])
    what, level = (known.object, known.level) if known else (grant, "")  # the same reads, whether there is one or not

    async def both() -> Grant:
        await _opening(runtime, scope, what)()
        [found] = await runtime.store.get(Grant, owner, [(grant,)])
        if found is None or not holds(found, runtime.clock()):
            raise NotFoundError(missing)
        return found

    def plan(found: Grant, _: Partition) -> Made[Grant]:
        values: dict[str, Any] = {"revoked_at": runtime.clock(), "revoked_by": objects.actor(scope)}
        return Made(replace(found, **values), [Patch(Grant, (grant,), values)])

    try:
        return await objects.changed(runtime, scope, what, both, plan, f"revoke {level}")
    except NotFoundError as error:
        raise NotFoundError(missing) from error


@undisturbed(shared)
async def grants(runtime: Runtime, scope: Scope, what: Id) -> tuple[Grant, ...]:
    """Every grant on a pool or a collection, including those that expired or were revoked.

    Args:
        what: its id.

    Raises:
        NotFoundError: this scope may read no such object.
        AccessError: it may not administer it.
    """
    await _opening(runtime, scope, what)()
    query = asked(Grant, scope, Where("object", "=", what))
    return tuple((await runtime.store.find(objects.shared_owner(scope).owner, query)).rows[0])


async def log(
    runtime: Runtime, scope: Scope, what: Id, *, limit: Annotated[int, Between(1, MOST)] = 100
) -> tuple[AccessLog, ...]:
    """The access log of a pool or a collection: reads, changes and grants, the latest first.

    Args:
        what: its id.
        limit: at most so many.

    Raises:
        NotFoundError: this scope may read no such object.
        AccessError: it may not administer it.
    """
    await runtime.journal.settle()
    return await _log(runtime, scope, what, limit)


@undisturbed(shared)
async def _log(runtime: Runtime, scope: Scope, what: str, limit: int) -> tuple[AccessLog, ...]:
    await _opening(runtime, scope, what)()
    query = asked(AccessLog, scope, Where("object", "=", what), order=("-at", "-id"), limit=limit)
    return tuple((await runtime.store.find(objects.shared_owner(scope).owner, query)).rows[0])


def _opening(runtime: Runtime, scope: Scope, what: str) -> Callable[[], Awaitable[Object]]:
    return partial(objects.opened, runtime, scope, what, Pool, Collection, level="admin")
