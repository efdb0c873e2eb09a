"""Where each conversation stands: the position of its next turn, and what the last ones say of it.

That is whether play goes on behind the last, and what the last of the user's asks not to be kept of what follows.
"""

from collections.abc import Sequence
from datetime import datetime

from memoranda.core.base.scope import GLOBAL
from memoranda.core.language.force.off_record import Wishes
from memoranda.core.language.force.played import PLAYED
from memoranda.core.rows import Passage
from memoranda.core.rows.rowset import column

_PLACED = ("of", "conversation", "channel", "position", "traits", "role", "speaker", "at")
_NOTHING = Wishes()


class Talks:
    """The conversations of an owner, by id and channel.

    All versions of an image share it: a plan made of an old version is refused.
    """

    def __init__(self) -> None:
        self._next: dict[tuple[str, str], int] = {}
        self._played: dict[tuple[str, str], datetime] = {}
        self._wishes: dict[tuple[str | None, str], Wishes] = {}

    def take(self, passages: Sequence[Passage]) -> None:
        """Take in new passages."""
        for of, conversation, channel, position, traits, role, speaker, at in zip(
            *(column(passages, name) for name in _PLACED), strict=True
        ):
            key = conversation, channel
            if of == "event" and role == "user" and self._next.get(key, 0) <= position:
                self._wishes[key] = self.wishes(*key).behind(speaker, traits)
            if conversation is not None and of == "event" and self._next.get(key, 0) <= position:
                self._next[key] = position + 1
                self._played.pop(key, None)
                if PLAYED in traits:
                    self._played[key] = at

    def next_position(self, conversation: str, channel: str = GLOBAL) -> int:
        """Return the position of a conversation's next turn."""
        return self._next.get((conversation, channel), 0)

    def played(self, conversation: str, channel: str = GLOBAL) -> datetime | None:
        """When the last turn of a conversation was said, if play goes on behind it (`core.language.force.played`)."""
        return self._played.get((conversation, channel))

    def wishes(self, conversation: str | None, channel: str = GLOBAL) -> Wishes:
        """What is asked not to be kept of what follows in a conversation, or in turns that belong to none."""
        return self._wishes.get((conversation, channel), _NOTHING)
