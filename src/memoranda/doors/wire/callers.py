"""Who calls through a door, and what that allows.

All of it comes from the key, or from the command line that started the door. What a request names besides may only
narrow it: a user or an agent that the key does not fix, a channel, a conversation, connections.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memoranda.core.base.checks import brief
from memoranda.core.base.constraints import NAME
from memoranda.core.base.scope import GLOBAL
from memoranda.errors import AccessError, ArgumentError
from memoranda.flows.governance.access_keys import RIGHTS, Key
from memoranda.verbs.registry import Verb
from memoranda.verbs.schema import unknown

#: What JSON Schema says of a place beside its parts.
ALL_OR_PART: Mapping[str, Any] = {
    "if": {"required": ["whole"], "properties": {"whole": {"const": True}}},
    "then": {"properties": {"agent": False, "channel": {"const": GLOBAL}, "connections": {"maxItems": 0}}},
}
#: What a request may say of its place, beside the user.
PLACE: Mapping[str, Any] = {
    "agent": NAME | {"description": "The acting agent; what it writes is private to it and the user."},
    "channel": NAME | {"description": f"The active channel; reads also see `{GLOBAL}`.", "default": GLOBAL},
    "connections": {"type": "array", "items": NAME, "description": "The active tool connections."},
    "conversation": NAME | {"description": "The conversation for calls that name none."},
    "task": NAME | {"description": "The current task."},
    "whole": {
        "type": "boolean",
        "default": False,
        "description": "All of the user's memory, in place of one agent, channel and set of connections; to read.",
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Whoever calls through a door.

    Attributes:
        tenant: whose memory it is.
        user, agent: the only ones for whom it may be used; None: any.
        team: the team for which the caller acts.
        rights: what the caller may do, see `flows.governance.access_keys.RIGHTS`.
        key: the id of the caller's key, which the audit names; None without a key.
        root: the id of the first of the keys whose place it took: names of calls, and limits, outlive a rotation.
    """

    tenant: str
    user: str | None = None
    agent: str | None = None
    team: str | None = None
    rights: frozenset[str] = frozenset(RIGHTS)
    key: str | None = None
    root: str = ""

    @classmethod
    def with_key(cls, key: Key) -> "Caller":
        """Return whoever holds a key."""
        return cls(
            tenant=key.tenant, user=key.user, agent=key.agent, team=key.team, rights=frozenset(key.rights), key=key.id,
            root=key.root,
        )  # fmt: skip

    def check(self, verb: Verb[..., Any]) -> None:
        """Refuse a verb that the key does not allow.

        Raises:
            AccessError: it lacks the right.
        """
        if verb.right not in self.rights:
            raise AccessError(f"{verb.name} needs a key with the right {verb.right!r}; this one is for {self._told}.")

    @property
    def _told(self) -> str:
        return ", ".join(one for one in RIGHTS if one in self.rights) or "nothing"

    def scope(self, user: str, place: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of `Memory.scope` for a request.

        Args:
            user: whose memory the request is about.
            place: what it says of its place, by the names in `PLACE`.

        Raises:
            AccessError: the key is for another user or agent.
            ArgumentError: the request names something that is no part of a place.
        """
        for name, value in place.items():
            if name not in PLACE:
                raise unknown("/scope", name, PLACE)
            if value is None or value == "" or isinstance(value, Mapping):
                raise ArgumentError(f"/scope/{name} is {brief(value)}; name one, or leave it out.", f"/scope/{name}")
        agent = place.get("agent")
        for what, own, asked in (("user", self.user, user), ("agent", self.agent, agent)):
            if None not in (own, asked) and own != asked:
                raise AccessError(f"This key is for the {what} {brief(own)} alone.")
        return {
            **place,
            "tenant": self.tenant,
            "user": user,
            "agent": self.agent if agent is None else agent,
            "team": self.team,
        }
