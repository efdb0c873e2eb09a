"""Who may do what with what is shared.

A scope acts as several principals: its user; its agent, which is an agent of this user and of nobody else; its team;
and everyone in the tenant. A user without an agent acts for all agents of theirs, and an agent for its user, as in
`core.scope.visible`. Whose an object is has every right to it where it is visible to them, as all that is theirs; no
grant gives that and none takes it away. Others have what grants give them, in any channel, until these expire or are
revoked, or one does by which they were given: nobody can make a right last longer than it was given to them.

Whatever the right, one may read what was derived only while one may read all that it was derived from. That is asked
anew each time, down to the last source, so that a revocation reaches what was derived without any row being written.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Protocol

from memstrata.core.scope import Placed, Scope, visible
from memstrata.core.shared import Grant

#: What a grant gives; each includes those before it.
LEVELS = ("read", "write", "admin")


class Held(Placed, Protocol):
    """Something shared that lies somewhere in somebody's memory."""

    @property
    def holder(self) -> str:
        """The user whose it is."""

    @property
    def sources(self) -> tuple[str, ...]:
        """Ids of what it was derived from."""

    @property
    def expires_at(self) -> datetime | None:
        """From when on it is not there."""


def acts_as(scope: Scope, user: str, agent: str | None) -> bool:
    """Whether whoever asks in `scope` is this user, or this agent of the user."""
    return scope.user == user and (scope.agent is None or agent is None or scope.agent == agent)


def means(grant: Grant, scope: Scope) -> bool:
    """Whether a grant is to whoever asks in `scope`."""
    if grant.team is not None:
        return grant.team == scope.team
    return grant.grantee is None or acts_as(scope, grant.grantee, grant.agent)


def holds(grant: Grant, now: datetime) -> bool:
    """Whether a grant is neither over nor revoked."""
    return grant.revoked_at is None and not over(grant.expires_at, now)


def standing(grants: Iterable[Grant], now: datetime) -> list[Grant]:
    """The grants of one object that hold, and were given by whose it is or by a grant that stands."""
    known = {one.id: one for one in grants if holds(one, now)}
    while fallen := [one.id for one in known.values() if one.under is not None and one.under not in known]:
        for name in fallen:
            del known[name]
    return list(known.values())


def over(end: datetime | None, now: datetime) -> bool:
    """Whether an end, if there is one, has come."""
    return end is not None and end <= now


def owns(scope: Scope, item: Held) -> bool:
    """Whether an object is the scope's own, where it is visible."""
    return item.holder == scope.user and visible(item, scope)


def permitted(scope: Scope, item: Held, grants: Iterable[Grant], now: datetime) -> int:
    """How many of the levels a scope has of its own, by whose the object is and by grants of it: 0 to 3."""
    if owns(scope, item):
        return len(LEVELS)
    return max((LEVELS.index(one.level) + 1 for one in standing(grants, now) if means(one, scope)), default=0)


def mandate(scope: Scope, item: Held, grants: Iterable[Grant], now: datetime) -> Grant | None:
    """The grant by which a scope administers an object, of several the one that lasts longest; None if it is theirs."""
    if owns(scope, item):
        return None
    given = (one for one in standing(grants, now) if one.level == LEVELS[-1] and means(one, scope))
    return max(given, key=lambda one: (one.expires_at is None, one.expires_at or now, one.id), default=None)


def accessible(
    scope: Scope,
    name: str,
    objects: Mapping[str, Held],
    grants: Mapping[str, Iterable[Grant]],
    now: datetime,
    level: str = "read",
) -> bool:
    """Whether `scope` may do something with an object: by its own right, and by that to read all it was derived from.

    Args:
        scope: who asks.
        name: the object's id.
        objects: by id. What is not among them is gone, and nobody may read it; what is over may still be rested on.
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
        needed = 1  # of what it was derived from, reading is enough
        waiting += [source for source in objects[one].sources if source not in seen]
        seen.update(waiting)
    return True
