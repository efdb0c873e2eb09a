"""Who is asking, and what they may see.

A scope is a frozen value that every call carries. Tenant and user together name an *owner*: one partition of
memory that is read, ranked and written independently. Within it:

* a row without an agent belongs to the user and is seen by all of the user's agents; a row with an agent is
  seen by that agent, and by the user when no agent is named;
* a row lies in one channel; a scope sees its own channel and `_global`;
* a row of a connection is seen only while the scope names that connection;
* the user, but no agent, can address everything at once: to read, export or forget, not to write.

`visible` implements the whole rule; stores never decide visibility.
"""

from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple, Protocol

from memoranda.core.base.checks import brief, strings
from memoranda.errors import ScopeError

GLOBAL = "_global"
#: The reserved user that owns what a tenant shares.
SHARED = "_shared"
MAX_IDENTIFIER = 512


class Owner(NamedTuple):
    """One partition of memory: a user of a tenant."""

    tenant: str
    user: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The place of a call: `tenant` and `user` always, the other fields where they narrow it.

    Attributes:
        tenant: the hard isolation boundary.
        user: the user whose memory it is.
        agent: the acting agent; what is written with it is private to that agent (and to the user).
        team: the agent's team.
        channel: the traceable scope inside the user's memory; reads also see `_global`.
        connections: the connected tools that are active; their rows become visible.
        conversation: the session of turns, if one is meant.
        task: the task at hand, if one is meant.
        whole: every channel, connection and agent of the user; to read, export or forget, not to write.

    Raises:
        ScopeError: an identifier is empty, longer than 512 characters, or holds NUL or half a surrogate pair; or a
            scope with `whole` is narrowed as well.
    """

    tenant: str
    user: str
    agent: str | None = None
    team: str | None = None
    channel: str = GLOBAL
    connections: tuple[str, ...] = ()
    conversation: str | None = None
    task: str | None = None
    whole: bool = False

    def __post_init__(self) -> None:
        for name in _NEEDED:
            check_identifier(name, getattr(self, name))
        if self.user == SHARED and not isinstance(self, Commons):
            raise ScopeError(
                f"user is {SHARED!r}, whose is what a tenant shares; name a user, and ask for .pools or .collections."
            )
        for name in _NARROWING:
            if (value := getattr(self, name)) is not None:
                check_identifier(name, value)
        if not isinstance(self.connections, tuple):
            raise ScopeError(f"connections is a list of names, not {brief(self.connections)}.")
        for connection in self.connections:
            check_identifier("connection", connection)
        if self.whole is not False:
            self._check_whole()

    @property
    def owner(self) -> Owner:
        """The partition this scope reads and writes."""
        return Owner(self.tenant, self.user)

    @property
    def channels(self) -> tuple[str, ...]:
        """The channels this scope sees."""
        return (GLOBAL,) if self.channel == GLOBAL else (self.channel, GLOBAL)

    def _check_whole(self) -> None:
        if not isinstance(self.whole, bool):
            raise ScopeError(f"whole is True or False, not {brief(self.whole)}.")
        if self.agent is not None or self.channel != GLOBAL or self.connections:
            raise ScopeError("whole=True is all of a user's memory: leave out agent, channel and connections.")

    def narrow(self, **names: Any) -> "Scope":
        """Return a copy of the scope with other values for these names."""
        if unknown := names.keys() - set(_NAMES):
            raise ScopeError(f"A scope has no {', '.join(sorted(unknown))}; it has {', '.join(_NAMES)}.")
        return replace(self, **names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Commons(Scope):
    """The place of what a tenant shares, for flows that have checked `core.rows.access`. Never handed to a caller."""

    user: str = SHARED


def place_of(owner: Owner) -> Scope:
    """Return the least narrow place of an owner: of a user, or of what a tenant shares."""
    return Commons(tenant=owner.tenant) if owner.user == SHARED else Scope(tenant=owner.tenant, user=owner.user)


_NAMES = tuple(item.name for item in fields(Scope))
_NEEDED = ("tenant", "user", "channel")
_NARROWING = ("agent", "team", "conversation", "task")


class Placed(Protocol):
    """A row with a place in an owner's memory."""

    @property
    def agent(self) -> str | None:
        """The agent it belongs to; None for all agents of the user."""

    @property
    def channel(self) -> str:
        """The channel it lies in."""

    @property
    def connection(self) -> str | None:
        """The connection it belongs to, if any."""


def visible(row: Placed, scope: Scope) -> bool:
    """Whether `scope` may see `row`, given that both have the same owner."""
    return scope.whole or (
        row.channel in scope.channels
        and (scope.agent is None or row.agent is None or row.agent == scope.agent)
        and (row.connection is None or row.connection in scope.connections)
    )


def check_identifier(name: str, value: object) -> str:
    """Return `value` if it is a valid identifier; else raise a `ScopeError` that says why not."""
    if not isinstance(value, str) or not value.strip():
        raise ScopeError(f"{name} is needed: give a non-empty string, not {brief(value)}.")
    if len(value) > MAX_IDENTIFIER:
        raise ScopeError(f"{name} has {len(value):,} characters; at most {MAX_IDENTIFIER} can be stored.")
    if "\x00" in value or not encodable(value):
        raise ScopeError(f"{name} holds NUL or half a surrogate pair, which no database can store: {brief(value)}.")
    return value


def check_identifiers(name: str, value: object) -> tuple[str, ...]:
    """Return the strings in `value` if each is a valid identifier; a single string is not accepted as a list."""
    return tuple(check_identifier(name, one) for one in strings(name, value))


def check_owner(tenant: object, user: object = None) -> None:
    """Refuse an invalid tenant name, or an invalid user name unless it is None, which means all users."""
    check_identifier("tenant", tenant)
    if user is not None:
        check_identifier("user", user)


def encodable(text: str) -> bool:
    """Whether `text` can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
