"""Which passages hold which term, and how often.

A large batch, such as a whole memory when it is first read, is sorted once into flat arrays; later passages are
appended to a growing array per term. Callers see both as one posting. Versions share all of it (see
`core.base.versions`): each knows the passages that are numbered below its end, and cuts off those that came later.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from memoranda.core.base.versions import twin
from memoranda.core.rows.columns import Codes, Floats, Ints

_LARGE = 2_000  # words from which sorting is faster than appending one by one


class Postings:
    """Terms and the passages that hold them, numbered in ascending order."""

    def __init__(self) -> None:
        self._sorted: Codes[str] = Codes()
        self._bounds: list[int] = []
        self._numbers: Ints = np.zeros(0, np.int32)
        self._counts: Floats = np.zeros(0, np.float32)
        self._grown: dict[str, array[int]] = {}  # number, count, number, count, …
        self._asked: dict[str, tuple[Ints, Floats]] = {}  # a cache of whole postings, out of date if a term has grown
        self._moved: frozenset[str] = frozenset()  # terms whose sorted part was moved to the growing one
        self._appended = 0
        self._end = 0

    def fork(self) -> "Postings":
        """Return the next version."""
        return twin(self)

    @property
    def nbytes(self) -> int:
        """The approximate number of bytes held."""
        terms = 160 * len(self._grown) + 200 * len(self._sorted)
        return terms + 16 * self._appended + self._numbers.nbytes + self._counts.nbytes

    def __contains__(self, term: str) -> bool:
        return self.holders(term) > 0

    def holders(self, term: str) -> int:
        """How many passages hold `term`."""
        (start, end), grown = self._kept(term), self._grown.get(term)
        if grown is None:
            return end - start
        return end - start + len(grown) // 2 if grown[-2] < self._end else len(self.of(term)[0])

    def of(self, term: str) -> tuple[Ints, Floats]:
        """Return the passages that hold `term`, and how often each does; read-only."""
        (start, end), grown = self._kept(term), self._grown.get(term)
        kept = self._numbers[start:end], self._counts[start:end]
        if grown is None:
            return kept
        found = self._asked.get(term)
        if found is None or len(found[0]) != end - start + len(grown) // 2:
            both = np.array(grown, np.int32).reshape(-1, 2).T
            found = np.concatenate([kept[0], both[0]]), np.concatenate([kept[1], both[1].astype(np.float32)])
            self._asked[term] = found
        if grown[-2] < self._end:
            return found
        cut = np.searchsorted(found[0], self._end)
        return found[0][:cut], found[1][:cut]

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
        code = -1 if term in self._moved else self._sorted.look(term)
        return (self._bounds[code], self._bounds[code + 1]) if code >= 0 else (0, 0)

    def extend(self, first: int, passages: Sequence[str]) -> list[int]:
        """Take in the space-separated terms of passages numbered from `first`, which is higher than all numbers so far.

        Returns:
            How many terms each passage has.
        """
        self._end = first + len(passages)
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
                if posting is None:
                    self._grown[term] = array("i", (number, count))
                else:
                    posting.extend((number, count))
            self._appended += len(counted)
        return lengths

    def drop(self, passages: Mapping[int, str]) -> None:
        """Take passages out, given the space-separated terms of each by its number."""
        terms = {term for said in passages.values() for term in said.split(" ")} - {""}
        held = {term: self.of(term) for term in terms}
        self._grown, self._asked = dict(self._grown), {}
        self._moved |= terms
        for term, (numbers, counts) in held.items():
            stay = ~np.isin(numbers, [*passages])
            pairs = np.stack([numbers[stay], counts[stay].astype(np.int32)], axis=1)
            self._grown.pop(term, None)
            if len(pairs):
                self._grown[term] = array("i", pairs.tobytes())

    def _sort(self, first: int, passages: Sequence[str], lengths: Sequence[int]) -> None:
        words = " ".join(filter(None, passages)).split(" ")  # one list: thousands would burden the garbage collector
        self._sorted = Codes()  # not those of the version before, which has none
        self._moved = frozenset()
        terms = np.array(self._sorted.learn(words), np.int64)
        places = terms * len(passages) + np.repeat(np.arange(len(passages)), lengths)
        found, counts = np.unique(places, return_counts=True)
        self._bounds = np.searchsorted(found, np.arange(len(self._sorted) + 1) * len(passages)).tolist()
        self._numbers = (found % len(passages) + first).astype(np.int32)
        self._counts = counts.astype(np.float32)
