"""Who may read, write or administer what is shared: given, taken back, told, and logged."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from memstrata.core.access import LEVELS, holds
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

    Args:
        what: its id.
        level: read, write or admin, who may grant in turn.
        user: a user, and all of the user's agents.
        agent: one agent: of `user`, or of one's own user.
        team: a team.
        everyone: whoever is in the tenant.
        until: when it ends; never by default.

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

    def plan(item: Object, _: Partition) -> Made[Grant]:
        if item.kind == "agent_private":
            raise InputError("This pool is private to its agent; share what it holds through another one.")
        row = commons.granted(
            runtime, scope, what, level=level, grantee=grantee, agent=agent, team=team, expires_at=end
        )
        return Made(row, [Add(row)])

    return await commons.changed(runtime, scope, what, _opening(runtime, scope, what), plan, f"grant {level}")


async def revoke(runtime: Runtime, scope: Scope, grant: str) -> Grant:
    """Take a grant back, and with it the right to read whatever was derived from what it was a grant of.

    Raises:
        NotFoundError: this scope sees no such grant, or it is over.
        AccessError: it has not the right to administer what it is a grant of.
    """
    check_identifier("grant", grant)
    [found] = await runtime.store.get(Grant, commons.place(scope).owner, [(grant,)])
    missing = f"There is no grant {brief(grant)} here; grants gives the ids of those there are."
    if found is None or not holds(found, runtime.clock()):
        raise NotFoundError(missing)

    def plan(_: Object, __: Partition) -> Made[Grant]:
        values: dict[str, Any] = {"revoked_at": runtime.clock(), "revoked_by": commons.actor(scope)}
        return Made(replace(found, **values), [Patch(Grant, (grant,), values)])

    try:
        opening = _opening(runtime, scope, found.object)
        return await commons.changed(runtime, scope, found.object, opening, plan, f"revoke {found.level}")
    except NotFoundError as error:
        raise NotFoundError(missing) from error


async def grants(runtime: Runtime, scope: Scope, what: str) -> tuple[Grant, ...]:
    """Every grant of a pool or a collection, those that are over and those that were revoked too.

    Raises:
        NotFoundError: this scope may read no such thing.
        AccessError: it has not the right to administer it.
    """
    await _opening(runtime, scope, what)()
    query = asked(Grant, scope, Where("object", "=", what))
    return tuple((await runtime.store.find(commons.place(scope).owner, query)).rows[0])


async def log(runtime: Runtime, scope: Scope, what: str, *, limit: int = 100) -> tuple[AccessLog, ...]:
    """Who read or changed a pool or a collection, or who may, the latest first.

    Raises:
        NotFoundError: this scope may read no such thing.
        AccessError: it has not the right to administer it.
    """
    check_number("limit", limit)
    await _opening(runtime, scope, what)()
    await runtime.journal.settle()
    query = asked(AccessLog, scope, Where("object", "=", what), order=("-at", "-id"), limit=limit)
    return tuple((await runtime.store.find(commons.place(scope).owner, query)).rows[0])


def _opening(runtime: Runtime, scope: Scope, what: str) -> Callable[[], Awaitable[Object]]:
    return partial(commons.opened, runtime, scope, what, Pool, Collection, level="admin")
