"""Who may read, write or administer what is shared: given, taken back, told, and logged."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from memstrata.core.access import LEVELS, holds, mandate
from memstrata.core.changes import Add, Patch
from memstrata.core.checks import brief, check_choice, check_number, require
from memstrata.core.partition import Partition
from memstrata.core.rows import AccessLog, Collection, Grant, Pool
from memstrata.core.scope import Scope, check_identifier
from memstrata.errors import InputError, NotFoundError
from memstrata.flows import commons
from memstrata.flows.commons import Made, Object, asked
from memstrata.flows.runtime import Runtime
from memstrata.ports import Where

MOST = 10_000  # lines of the log that are answered


async def grant(
    runtime: Runtime,
    scope: Scope,
    what: str,
    level: str = "read",
    *,
    user: str | None = None,
    agent: str | None = None,
    team: str | None = None,
    everyone: bool = False,
    until: datetime | None = None,
) -> Grant:
    """Let somebody read, write or administer a pool or a collection. Each level includes the one before.

    What is given by whoever administers it by a grant ends with that grant, however it ends.

    Args:
        what: its id.
        level: read, write or admin, who may grant in turn.
        user: a user, and all of the user's agents.
        agent: one agent: of `user`, or of one's own user.
        team: a team.
        everyone: whoever is in the tenant.
        until: when it ends; by default never, or when one's own right does, which it never outlasts.

    Raises:
        InputError: nobody was named, or several were; or the pool is private to an agent.
        NotFoundError: this scope may read no such thing.
        AccessError: it has not the right to administer it.
    """
    check_choice("level", level, LEVELS)
    require(isinstance(everyone, bool), "everyone", everyone, "True or False")
    for name, value in (("user", user), ("agent", agent), ("team", team)):
        if value is not None:
            check_identifier(name, value)
    if sum((user is not None or agent is not None, team is not None, everyone)) != 1:
        raise InputError("Say to whom: user=, agent= (of one's own user, or with user=), team= or everyone=True.")
    end = commons.ending("until", until, runtime.clock())
    grantee = user if agent is None else user or scope.user

    async def both() -> tuple[Object, Grant | None]:
        item = await _opening(runtime, scope, what)()
        known = (await commons.look(runtime, scope, (what,))).grants.get(what, ())
        return item, mandate(scope, item, known, runtime.clock())

    def plan(found: tuple[Object, Grant | None], _: Partition) -> Made[Grant]:
        item, right = found
        if item.kind == "agent_private":
            raise InputError("This pool is private to its agent; share what it holds through another one.")
        ends = [one for one in (end, right.expires_at if right else None) if one is not None]
        row = commons.granted(
            runtime, scope, what, level=level, grantee=grantee, agent=agent, team=team,
            under=right.id if right else None, expires_at=min(ends, default=None),
        )  # fmt: skip
        return Made(row, [Add(row)])

    return await commons.changed(runtime, scope, what, both, plan, f"grant {level}")


async def revoke(runtime: Runtime, scope: Scope, grant: str) -> Grant:
    """Take a grant back, and with it the right to read whatever was derived from what it was a grant of.

    What was granted on the strength of it is over with it.

    Args:
        grant: its id.

    Raises:
        NotFoundError: this scope sees no such grant, or it is over.
        AccessError: it has not the right to administer what it is a grant of.
    """
    check_identifier("grant", grant)
    owner = commons.place(scope).owner
    missing = f"There is no grant {brief(grant)} here; grants gives the ids of those there are."
    [known] = await runtime.store.get(Grant, owner, [(grant,)])
    what, level = (known.object, known.level) if known else (grant, "")  # the same reads, were there one or not

    async def both() -> Grant:
        await _opening(runtime, scope, what)()
        [found] = await runtime.store.get(Grant, owner, [(grant,)])
        if found is None or not holds(found, runtime.clock()):
            raise NotFoundError(missing)
        return found

    def plan(found: Grant, _: Partition) -> Made[Grant]:
        values: dict[str, Any] = {"revoked_at": runtime.clock(), "revoked_by": commons.actor(scope)}
        return Made(replace(found, **values), [Patch(Grant, (grant,), values)])

    try:
        return await commons.changed(runtime, scope, what, both, plan, f"revoke {level}")
    except NotFoundError as error:
        raise NotFoundError(missing) from error


async def grants(runtime: Runtime, scope: Scope, what: str) -> tuple[Grant, ...]:
    """Every grant of a pool or a collection, those that are over and those that were revoked too.

    Args:
        what: its id.

    Raises:
        NotFoundError: this scope may read no such thing.
        AccessError: it has not the right to administer it.
    """
    await _opening(runtime, scope, what)()
    query = asked(Grant, scope, Where("object", "=", what))
    return tuple((await runtime.store.find(commons.place(scope).owner, query)).rows[0])


async def log(runtime: Runtime, scope: Scope, what: str, *, limit: int = 100) -> tuple[AccessLog, ...]:
    """Who read or changed a pool or a collection, or who may, the latest first.

    Args:
        what: its id.
        limit: at most so many.

    Raises:
        NotFoundError: this scope may read no such thing.
        AccessError: it has not the right to administer it.
    """
    check_number("limit", limit, most=MOST)
    await _opening(runtime, scope, what)()
    await runtime.journal.settle()
    query = asked(AccessLog, scope, Where("object", "=", what), order=("-at", "-id"), limit=limit)
    return tuple((await runtime.store.find(commons.place(scope).owner, query)).rows[0])


def _opening(runtime: Runtime, scope: Scope, what: str) -> Callable[[], Awaitable[Object]]:
    return partial(commons.opened, runtime, scope, what, Pool, Collection, level="admin")
