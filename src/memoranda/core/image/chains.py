"""Conversations as chains of passage numbers, and the windows around each passage.

`around(numbers)` reads a table that is updated as passages arrive, so that reading a window is a gather and not a
walk. Passages usually arrive in order; one that does not is inserted at its position.

Versions share the table (see `core.base.versions`). What is appended to a conversation only fills empty places of the
rows before it, with numbers that an older version does not know and takes for empty. An insertion copies the table.
"""

from bisect import bisect_right
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from memoranda.core.base.versions import twin
from memoranda.core.rows.columns import Ints, room_for

REACH = 4  # neighbours kept on each side

Times = NDArray[np.float64]
Place = tuple[int, float, int]


class Chains:
    """The neighbours of each passage in its conversation."""

    def __init__(self) -> None:
        self._around: Ints = np.full((64, 2 * REACH + 1), -1, np.int32)
        self._chains: dict[int, list[Place]] = {}  # only the newest version reads them
        self._end = 0
        self._newest = [0]  # the end of the newest version, which all share
        self._own = True  # no older version reads the table

    def fork(self) -> "Chains":
        """Return the next version."""
        new = twin(self)
        new._own = False
        return new

    @property
    def nbytes(self) -> int:
        """Bytes held by the table."""
        return self._around.nbytes

    def around(self, numbers: Ints, before: int = REACH, after: int = REACH) -> Ints:
        """Return the passages around each, itself included, -1 where there is none; shape (n, before+1+after)."""
        found = self._around[numbers, REACH - before : REACH + after + 1]
        return found if self._end == self._newest[0] else np.where(found < self._end, found, np.int32(-1))

    def link(self, first: int, conversations: Ints, turns: NDArray[np.bool_], positions: Ints, at: Times) -> None:
        """Put passages numbered from `first` into the chains of their conversations.

        Args:
            first: the number of the first passage.
            conversations: the conversation of each; -1 for none.
            turns: which are turns; others stand alone.
            positions: the position of each in its conversation.
            at: when each was said; orders those of equal position.
        """
        end = first + len(conversations)
        self._end = self._newest[0] = end
        table = room_for(self._around, end, fill=-1)
        self._own |= table is not self._around
        self._around = table
        self._around[first:end, REACH] = np.arange(first, end)
        chained = np.flatnonzero((conversations >= 0) & turns)
        if first:
            rows = ((positions[one], at[one], first + one) for one in chained.tolist())
            self._insert(sorted(zip(conversations[chained].tolist(), rows, strict=True)))
            return
        order = chained[np.lexsort((chained, at[chained], positions[chained], conversations[chained]))]
        talks, numbers = conversations[order], order + first
        places = list(zip(positions[order].tolist(), at[order].tolist(), numbers.tolist(), strict=True))
        found, starts = np.unique(talks, return_index=True)
        ends = [*starts[1:].tolist(), len(places)]
        self._chains = {talk: places[a:b] for talk, a, b in zip(found.tolist(), starts.tolist(), ends, strict=False)}
        for step in range(1, REACH + 1):
            same = talks[step:] == talks[:-step]
            before, after = numbers[:-step][same], numbers[step:][same]
            self._around[before, REACH + step] = after
            self._around[after, REACH - step] = before

    def _insert(self, placed: list[tuple[int, Place]]) -> None:
        changed: dict[int, int] = {}
        for conversation, place in placed:
            chain = self._chains.setdefault(conversation, [])
            where = len(chain) if not chain or chain[-1] < place else bisect_right(chain, place)
            if where < len(chain) and not self._own:
                self._around, self._own = self._around.copy(), True
            chain.insert(where, place)
            changed[conversation] = min(where, changed.get(conversation, where))
        for conversation, where in changed.items():
            chain = self._chains[conversation]
            self._renew(chain, max(where - REACH, 0), len(chain))

    def drop(self, numbers: Mapping[int, int]) -> None:
        """Take passages out of their conversations, given the conversation of each by its number."""
        self._around, self._own = self._around.copy(), True
        self._chains = dict(self._chains)
        for conversation in {*numbers.values()} & self._chains.keys():
            whole = self._chains[conversation]
            gone = [place for place, one in enumerate(whole) if one[2] in numbers]
            chain = self._chains[conversation] = [one for one in whole if one[2] not in numbers]
            for passed, place in enumerate(gone):
                self._renew(chain, max(place - passed - REACH, 0), place - passed + REACH)
        self._around[[*numbers]] = -1

    def _renew(self, chain: list[Place], start: int, end: int) -> None:
        """Rewrite the windows of a chain's passages from `start` to before `end`."""
        low = start - REACH
        numbers = [place[2] for place in chain[max(low, 0) : end + REACH]]
        padded = [*[-1] * max(-low, 0), *numbers, *[-1] * REACH]
        middles = [place[2] for place in chain[start:end]]
        if middles:
            self._around[middles] = [padded[place : place + 2 * REACH + 1] for place in range(len(middles))]
