"""Conversations as chains of passage numbers, and the windows around each passage.

`around(numbers)` is a table kept up to date as passages arrive, so that a window over a conversation is a gather and
not a walk. Passages usually arrive in order; one that does not is put where its position says.
"""

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memstrata.core.columns import room_for

REACH = 4  # neighbours kept on each side

Ints = NDArray[np.int32]
Times = NDArray[np.float64]
Place = tuple[int, float, int]


@dataclass(frozen=True, slots=True)
class _Places:
    """Where passages stand, in that order: by conversation, position, time and number."""

    conversations: Ints
    positions: Ints
    at: Times
    numbers: Ints

    def of(self, conversation: int) -> list[Place]:
        """The places of one conversation."""
        start, end = np.searchsorted(self.conversations, (conversation, conversation + 1)).tolist()
        return self.within(start, end)

    def within(self, start: int, end: int | None) -> list[Place]:
        """Some of them."""
        columns = self.positions, self.at, self.numbers
        return list(zip(*(column[start:end].tolist() for column in columns), strict=True))


_NOBODY = _Places(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0), np.zeros(0, np.int32))


class Chains:
    """Who stands beside whom."""

    def __init__(self) -> None:
        self._around: Ints = np.full((64, 2 * REACH + 1), -1, np.int32)
        self._first = _NOBODY
        self._chains: dict[int, list[Place]] = {}  # where passages were put in after the first

    @property
    def nbytes(self) -> int:
        """Bytes held by the table."""
        return self._around.nbytes

    def around(self, numbers: Ints, before: int = REACH, after: int = REACH) -> Ints:
        """Numbers of the passages about each, itself included, -1 where there is none; shape (n, before+1+after)."""
        return self._around[numbers, REACH - before : REACH + after + 1]

    def link(self, first: int, conversations: Ints, turns: NDArray[np.bool_], positions: Ints, at: Times) -> None:
        """Put passages numbered from `first` into the chains of their conversations.

        Args:
            first: the number of the first of them.
            conversations: of each; -1 is none.
            turns: which are turns; others stand alone.
            positions: of each in its conversation.
            at: when each was said, which decides between those of one position.
        """
        end = first + len(conversations)
        self._around = room_for(self._around, end, fill=-1)
        self._around[first:end, REACH] = np.arange(first, end)
        chained = np.flatnonzero((conversations >= 0) & turns)
        order = chained[np.lexsort((chained, at[chained], positions[chained], conversations[chained]))]
        places = _Places(conversations[order], positions[order], at[order], (order + first).astype(np.int32))
        if first:
            self._insert(places)
        else:
            self._begin(places)

    def _begin(self, places: "_Places") -> None:
        """Write the windows of the first passages."""
        self._first = places
        conversations, numbers = places.conversations, places.numbers
        for step in range(1, REACH + 1):
            same = conversations[step:] == conversations[:-step]
            before, after = numbers[:-step][same], numbers[step:][same]
            self._around[before, REACH + step] = after
            self._around[after, REACH - step] = before

    def _insert(self, places: "_Places") -> None:
        """Put passages into chains."""
        changed: dict[int, int] = {}
        for conversation, place in zip(places.conversations.tolist(), places.within(0, None), strict=True):
            if conversation not in self._chains:
                self._chains[conversation] = self._first.of(conversation)
            chain = self._chains[conversation]
            where = len(chain) if not chain or chain[-1] < place else bisect_right(chain, place)
            chain.insert(where, place)
            changed[conversation] = min(where, changed.get(conversation, where))
        for conversation, where in changed.items():
            self._renew(self._chains[conversation], max(where - REACH, 0))

    def _renew(self, chain: list[Place], start: int) -> None:
        """Write the windows of a chain's passages from `start` on."""
        low = start - REACH
        numbers = [place[2] for place in chain[max(low, 0) :]]
        padded = [*[-1] * max(-low, 0), *numbers, *[-1] * REACH]
        middles = numbers[start - max(low, 0) :]
        self._around[middles] = [padded[place : place + 2 * REACH + 1] for place in range(len(middles))]
