"""The result of every reader: conversations of messages."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from memoranda.core.base.checks import require
from memoranda.errors import MessageError

#: The interval put between messages where a file gives one time for several, so that their order is kept.
STEP = timedelta(seconds=5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One turn.

    Attributes:
        role: user, assistant, system or tool.
        content: the text, never empty; what is not text is in brackets ("[image]").
        speaker: the name of the speaker, if the file gives one.
        at: when it was said, in UTC; None if the file does not say.
        id: the message's own id in the file.
        metadata: attachments, tool calls, and notes on what was assumed or repaired.

    Raises:
        MessageError: an attribute is of the wrong type.
    """

    role: str
    content: str
    speaker: str | None = None
    at: datetime | None = None
    id: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("role", "content"):
            value = getattr(self, name)
            require(isinstance(value, str), name, value, "a string", MessageError)
        for name in ("speaker", "id"):
            value = getattr(self, name)
            require(value is None or isinstance(value, str), name, value, "a string, or leave it out", MessageError)
        require(isinstance(self.metadata, Mapping), "metadata", self.metadata, "names with values", MessageError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A session of turns in the order they were shown.

    Attributes:
        id: the id in the file, or one made of the file's name and the position in it.
        title: as in the file.
        messages: the messages with content; empty and hidden ones are left out.
        metadata: what else the file says of it.
        gaps: the places in it of messages that could not be read.

    Raises:
        MessageError: the id or a message is invalid.
    """

    id: str
    title: str | None = None
    messages: tuple[Message, ...]
    metadata: Mapping[str, Any] = field(default_factory=dict)
    gaps: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        require(isinstance(self.id, str), "id", self.id, "a string", MessageError)
        fits = isinstance(self.messages, Sequence) and all(isinstance(item, Message) for item in self.messages)
        require(fits, "messages", self.messages, "a tuple of Message", MessageError)


def in_time(messages: Iterable[Message | None], start: datetime | None = None) -> tuple[Message, ...]:
    """Return the messages that are not None; one without a time gets that of the previous plus `STEP`, or `start`."""
    timed: list[Message] = []
    following = start
    for message in filter(None, messages):
        known = message if message.at or not following else replace(message, at=following)
        timed.append(known)
        following = known.at + STEP if known.at else None
    return tuple(timed)
