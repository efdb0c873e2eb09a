"""Conversations as they stand in an image: which turns each has, its title, and whether it is archived."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import GLOBAL, Scope, visible
from memoranda.core.image.image import Partition
from memoranda.core.rows import ConversationMark, Passage
from memoranda.core.rows.columns import Ints

TITLE = 60  # characters of a title that is made of a turn
_TURN = frozenset({"turn"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """A conversation in one channel, as far as a scope sees it.

    Attributes:
        turns: the numbers of its turns.
        started_at, last_activity: when its first turn was said, and its last.
        archived: whether all of these turns are archived.
    """

    id: str
    channel: str
    turns: Ints
    started_at: datetime
    last_activity: datetime
    archived: bool


def talks_in(image: Partition, scope: Scope, now: datetime) -> Iterator[Talk]:
    """Return the conversations of which a scope sees a turn, in no order."""
    index = image.index
    codes, at = index.columns["conversation"], index.columns["at"]
    mask = image.mask(scope, now=now, kinds=_TURN) & ~index.columns["of_record"] & (codes >= 0)
    numbers = np.flatnonzero(mask).astype(np.int32)
    names = [*index.conversations.names]
    found: dict[tuple[str, str], list[int]] = {}
    for number, code in zip(numbers.tolist(), codes[numbers].tolist(), strict=True):
        found.setdefault(names[code][:2], []).append(number)
    for (name, channel), turns in found.items():
        own = np.array(turns, np.int32)
        first, last = (index.passages[int(own[which(at[own])])].at for which in (np.argmin, np.argmax))
        yield Talk(
            id=name, channel=channel, turns=own, started_at=first, last_activity=last,
            archived=bool(image.archive.mask(index)[own].all()),
        )  # fmt: skip


def talk_in(image: Partition, scope: Scope, name: str, now: datetime) -> Talk | None:
    """Return the conversation with an id, that of the scope's own channel first, then that of all channels."""
    found = [one for one in talks_in(image, scope, now) if one.id == name]
    order = (scope.channel, GLOBAL)
    return min(found, key=lambda one: (*(one.channel != channel for channel in order), one.channel), default=None)


def opening(image: Partition, talk: Talk) -> Passage:
    """Return the turn that a conversation begins with: the first of its user, or else of anybody."""
    turns = [image.index.passages[number] for number in talk.turns.tolist()]
    return min(turns, key=lambda one: (one.role != "user", one.position, one.at, one.ref))


def title_of(text: str) -> str:
    """Return a title made of a turn: on one line, cut to `TITLE` characters, where it can be between words."""
    line = " ".join(text.split())
    if len(line) <= TITLE:
        return line
    words = line[:TITLE].rpartition(" ")[0]
    return (words if len(words) > TITLE // 2 else line[: TITLE - 1]).rstrip(" ,;:.-") + "…"


def marks_of(image: Partition, scope: Scope, talk: Talk) -> list[ConversationMark]:
    """Return what a scope sees of the marks of a conversation: its own first, then the user's, then agents'."""
    place = talk.id, talk.channel
    found = [
        one for one in image.archive.marks.values() if (one.conversation, one.channel) == place and visible(one, scope)
    ]
    return sorted(found, key=lambda one: (one.agent != scope.agent, one.agent or ""))


def mark_of(image: Partition, scope: Scope, name: str, channel: str) -> ConversationMark:
    """Return the scope's own mark of a conversation, a new one if there is none."""
    id_ = derived_id(scope.owner, "conversation", scope.agent or "", channel, name)
    return image.archive.marks.get(id_) or ConversationMark(
        tenant=scope.tenant, user=scope.user, id=id_, conversation=name, agent=scope.agent, channel=channel
    )
