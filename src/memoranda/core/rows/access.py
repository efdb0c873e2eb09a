"""Access control for what a tenant shares.

A scope acts as several principals: its user; its agent, which is an agent of this user only; its team; and everyone in
the tenant. A user without an agent acts for all of their agents, and an agent acts for its user, as in
`core.base.scope.visible`. The holder of an object has every right to it wherever it is visible to them, and what is
meant for a task is held by all agents of its holder that work on it; grants neither give nor remove that. Others have
what grants give them, in any channel, until the grant, or the one it was given under, expires or is revoked: nobody can
pass on a right for longer than they have it.

Whatever the right, a derived object can be read only by those who can read everything it was derived from. This is
checked on each access, down to the last source, so that a revocation takes effect without any row being written.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple, Protocol

from memoranda.core.base.scope import Placed, Scope, visible
from memoranda.core.rows.shared import Grant

#: The levels of a grant; each includes those before it.
LEVELS = ("read", "write", "admin")


class Held(Placed, Protocol):
    """A shared object with a place in its holder's memory."""

    @property
    def holder(self) -> str:
        """The user who holds it."""

    @property
    def reach(self) -> str:
        """Whom it is meant for."""

    @property
    def task(self) -> str | None:
        """The task it is for, if there is one."""

    @property
    def sources(self) -> tuple[str, ...]:
        """Ids of what it was derived from."""

    @property
    def expires_at(self) -> datetime | None:
        """The time from which it is treated as absent."""


class Site(NamedTuple):
    """Where a row lies in its owner's memory; "" for no agent and no connection."""

    agent: str
    channel: str
    connection: str


def site_of(row: Placed) -> Site:
    """Return where a row lies."""
    return Site(row.agent or "", row.channel, row.connection or "")


def acts_as(scope: Scope, user: str, agent: str | None) -> bool:
    """Whether the asker in `scope` is this user, or this agent of the user."""
    return scope.user == user and (scope.agent is None or agent is None or scope.agent == agent)


def means(grant: Grant, scope: Scope) -> bool:
    """Whether a grant is to the asker in `scope`."""
    if grant.team is not None:
        return grant.team == scope.team
    return grant.grantee is None or acts_as(scope, grant.grantee, grant.agent)


def holds(grant: Grant, now: datetime) -> bool:
    """Whether a grant is neither expired nor revoked."""
    return grant.revoked_at is None and not over(grant.expires_at, now)


def valid_grants(grants: Iterable[Grant], now: datetime) -> list[Grant]:
    """Return the valid grants of one object: given by its holder, or under a grant that is itself valid."""
    known = {one.id: one for one in grants if holds(one, now)}
    while fallen := [one.id for one in known.values() if one.under is not None and one.under not in known]:
        for name in fallen:
            del known[name]
    return list(known.values())


def over(end: datetime | None, now: datetime) -> bool:
    """Whether an end, if there is one, has passed."""
    return end is not None and end <= now


def owns(scope: Scope, item: Held) -> bool:
    """Whether the scope's user holds an object that is visible to the scope, or meant for the scope's task."""
    return item.holder == scope.user and (visible(item, scope) or _of_task(scope, item))


def _of_task(scope: Scope, item: Held) -> bool:
    """Whether an object is for the task that any agent of its holder works on."""
    meant = item.reach == "task" and item.task is not None and item.task == scope.task
    return meant and visible(item, replace(scope, agent=None))


def permitted(scope: Scope, item: Held, grants: Iterable[Grant], now: datetime) -> int:
    """Return how many of the levels a scope has by itself, as the holder or by grants: 0 to 3."""
    if owns(scope, item):
        return len(LEVELS)
    return max((LEVELS.index(one.level) + 1 for one in valid_grants(grants, now) if means(one, scope)), default=0)


def mandate(scope: Scope, item: Held, grants: Iterable[Grant], now: datetime) -> Grant | None:
    """Return the grant under which a scope administers an object, the longest-lasting one; None for the holder."""
    if owns(scope, item):
        return None
    given = (one for one in valid_grants(grants, now) if one.level == LEVELS[-1] and means(one, scope))
    return max(given, key=lambda one: (one.expires_at is None, one.expires_at or now, one.id), default=None)


def accessible(
    scope: Scope,
    name: str,
    objects: Mapping[str, Held],
    grants: Mapping[str, Iterable[Grant]],
    now: datetime,
    level: str = "read",
) -> bool:
    """Whether `scope` has `level` on an object, and may read everything that the object was derived from.

    Args:
        scope: who asks.
        name: the object's id.
        objects: by id. A missing object is gone and cannot be read; an expired one still counts as a source.
        grants: of each object.
        now: the time of asking.
        level: read, write or admin.
    """
    needed = LEVELS.index(level) + 1
    seen = {name}
    waiting = [name]
    while waiting:
        one = waiting.pop()
        if one not in objects or permitted(scope, objects[one], grants.get(one, ()), now) < needed:
            return False
        needed = 1  # of the sources, read access is enough
        waiting += [source for source in objects[one].sources if source not in seen]
        seen.update(waiting)
    return True
