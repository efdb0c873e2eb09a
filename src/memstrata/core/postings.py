"""Which passages hold which term, and how often.

A large batch, such as a whole memory when it is first read, is sorted once into flat arrays; later passages are
appended to a growing array per term. Callers see both as one posting.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from memstrata.core.columns import Codes, Floats, Ints

_LARGE = 2_000  # words from which sorting is faster than appending one by one


class Postings:
    """Terms and the passages that hold them, numbered in ascending order."""

    def __init__(self) -> None:
        self._sorted: Codes[str] = Codes()
        self._bounds: list[int] = []
        self._numbers: Ints = np.zeros(0, np.int32)
        self._counts: Floats = np.zeros(0, np.float32)
        self._grown: dict[str, array[int]] = {}  # number, count, number, count, …
        self._asked: dict[str, tuple[Ints, Floats]] = {}  # a cache of postings, dropped when a term grows
        self._appended = 0

    @property
    def nbytes(self) -> int:
        """The approximate number of bytes held."""
        terms = 160 * len(self._grown) + 200 * len(self._sorted)
        return terms + 16 * self._appended + self._numbers.nbytes + self._counts.nbytes

    def __contains__(self, term: str) -> bool:
        return term in self._grown or self._sorted.look(term) >= 0

    def holders(self, term: str) -> int:
        """How many passages hold `term`."""
        (start, end), grown = self._kept(term), self._grown.get(term)
        return end - start + (len(grown) // 2 if grown else 0)

    def of(self, term: str) -> tuple[Ints, Floats]:
        """Return the passages that hold `term`, and how often each does; read-only."""
        found = self._asked.get(term)
        if found is None:
            start, end = self._kept(term)
            found = self._numbers[start:end], self._counts[start:end]
            grown = self._grown.get(term)
            if grown is not None:
                both = np.array(grown, np.int32).reshape(-1, 2).T
                found = np.concatenate([found[0], both[0]]), np.concatenate([found[1], both[1].astype(np.float32)])
                self._asked[term] = found
        return found

    def counts(self, term: str, numbers: Ints) -> Floats:
        """Return how often each of `numbers` holds a known term."""
        holders, counts = self.of(term)
        at = np.minimum(np.searchsorted(holders, numbers), len(holders) - 1)
        return np.asarray(np.where(holders[at] == numbers, counts[at], 0), np.float32)

    def rarest(self, terms: Iterable[str], most: int) -> list[str]:
        """Return the known terms that the fewest passages hold, rarest first, at most `most`."""
        known = [term for term in set(terms) if term in self]
        return sorted(known, key=lambda term: (self.holders(term), term))[:most]

    def _kept(self, term: str) -> tuple[int, int]:
        """Return the bounds of the sorted passages that hold `term`."""
        code = self._sorted.look(term)
        return (self._bounds[code], self._bounds[code + 1]) if code >= 0 else (0, 0)

    def extend(self, first: int, passages: Sequence[str]) -> list[int]:
        """Take in the space-separated terms of passages numbered from `first`, which is higher than all numbers so far.

        Returns:
            How many terms each passage has.
        """
        lengths = [terms.count(" ") + 1 if terms else 0 for terms in passages]
        if not self._sorted and not self._grown and sum(lengths) >= _LARGE:
            self._sort(first, passages, lengths)
            return lengths
        for number, terms in enumerate(passages, first):
            if not terms:
                continue
            counted = Counter(terms.split(" "))
            for term, count in counted.items():
                posting = self._grown.get(term)
                self._asked.pop(term, None)
                if posting is None:
                    self._grown[term] = array("i", (number, count))
                else:
                    posting.extend((number, count))
            self._appended += len(counted)
        return lengths

    def _sort(self, first: int, passages: Sequence[str], lengths: Sequence[int]) -> None:
        words = " ".join(filter(None, passages)).split(" ")  # one list: thousands would burden the garbage collector
        terms = np.array(self._sorted.learn(words), np.int64)
        places = terms * len(passages) + np.repeat(np.arange(len(passages)), lengths)
        found, counts = np.unique(places, return_counts=True)
        self._bounds = np.searchsorted(found, np.arange(len(self._sorted) + 1) * len(passages)).tolist()
        self._numbers = (found % len(passages) + first).astype(np.int32)
        self._counts = counts.astype(np.float32)
