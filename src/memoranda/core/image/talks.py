"""Where each conversation stands: the position of its next turn, and whether play goes on behind the last."""

from collections.abc import Sequence

from memoranda.core.base.scope import GLOBAL
from memoranda.core.language.force.played import PLAYED
from memoranda.core.rows import Passage
from memoranda.core.rows.rowset import column

_PLACED = ("of", "conversation", "channel", "position", "traits")


class Talks:
    """The conversations of an owner, by id and channel.

    All versions of an image share it: a plan made of an old version is refused.
    """

    def __init__(self) -> None:
        self._next: dict[tuple[str, str], int] = {}
        self._played: set[tuple[str, str]] = set()

    def take(self, passages: Sequence[Passage]) -> None:
        """Take in new passages."""
        for of, conversation, channel, position, traits in zip(
            *(column(passages, name) for name in _PLACED), strict=True
        ):
            key = conversation, channel
            if conversation is not None and of == "event" and self._next.get(key, 0) <= position:
                self._next[key] = position + 1
                (self._played.add if PLAYED in traits else self._played.discard)(key)

    def next_position(self, conversation: str, channel: str = GLOBAL) -> int:
        """Return the position of a conversation's next turn."""
        return self._next.get((conversation, channel), 0)

    def played(self, conversation: str, channel: str = GLOBAL) -> bool:
        """Whether play goes on behind a conversation's last turn (`core.language.force.played`)."""
        return (conversation, channel) in self._played
