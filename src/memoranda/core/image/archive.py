"""Which turns lie in the archive: those of conversations that were archived, until something is said in them again."""

from collections.abc import Iterable
from datetime import datetime

import numpy as np

from memoranda.core.base.versions import Versioned
from memoranda.core.image.index import Index
from memoranda.core.rows import ConversationMark
from memoranda.core.rows.columns import Mask

_SLIP = 5e-7  # half a microsecond: times in seconds are rounded
Group = tuple[str, str, str | None]  # a conversation, its channel, and the agent that the turns belong to


class Archive:
    """The marks of an owner's conversations, by id, and what they archive."""

    def __init__(self) -> None:
        self.marks: Versioned[str, ConversationMark] = Versioned()
        self._mask: Mask | None = None

    def fork(self) -> "Archive":
        """Return the next version."""
        new = Archive()
        new.marks = self.marks.fork()
        return new

    def take(self, marks: Iterable[ConversationMark]) -> None:
        """Take in new and changed marks."""
        for mark in marks:
            self.marks.put(mark.id, mark)

    def mask(self, index: Index) -> Mask:
        """Return `archived` for the index of this version, found when it is first asked for."""
        if self._mask is None:
            self._mask = archived(index, self.marks.values())
        return self._mask


def archived(index: Index, marks: Iterable[ConversationMark]) -> Mask:
    """Return the passages of events that are archived.

    A mark without an agent archives all of a conversation, that of an agent the agent's own turns. It holds as long as
    nothing is said after it that belongs to the same agent, or to none.
    """
    since = {(one.conversation, one.channel, one.agent): one.archived_at for one in marks if one.archived_at}
    if not since:
        return np.zeros(len(index), np.bool_)
    talks, events = index.columns["conversation"], ~np.asarray(index.columns["of_record"], np.bool_)
    inside = np.flatnonzero(events & (talks >= 0))
    last = np.full(len(index.conversations), -np.inf)
    np.maximum.at(last, talks[inside], index.columns["at"][inside])
    groups = [(talk, channel, agent) for talk, channel, agent, _ in index.conversations.names]
    ends = dict[Group, float]()
    for group, at in zip(groups, last.tolist(), strict=True):
        ends[group] = max(ends.get(group, at), at)

    def lies(talk: str, channel: str, agent: str | None) -> bool:
        ended = max(ends[talk, channel, agent], ends.get((talk, channel, None), -np.inf))
        return any(_holds(since.get((talk, channel, one)), ended) for one in {None, agent})

    gone = [code for code, group in enumerate(groups) if lies(*group)]
    return np.asarray(events & np.isin(talks, gone), np.bool_)


def _holds(since: datetime | None, ended: float) -> bool:
    return since is not None and ended <= since.timestamp() + _SLIP
