"""The in-process index of one owner's passages, which every arm of recall reads.

A partition is small (one user), so an exact scan of a hot matrix and of hot postings beats any general index, gives
the same answer whatever database holds the truth, and allows what databases cannot do: scoring a turn together
with its neighbours. The index is rebuilt from passages and vectors and holds no truth.

Layout: passages are numbered from 0 in order of arrival. Everything about them is a column (a growing numpy array) or
a posting (passage numbers and term frequencies, see `core.image.postings`). `core.image.chains` holds the numbers of
each passage's neighbours in its conversation, so that reading a window is a gather and not a walk.

An index that somebody may read is never changed: `fork` gives the next version, which shares what does not change
(see `core.base.versions`), and takes in what is new.

A window needs no embedding of its own: its dense score is the cosine with the normalised sum of its turns' vectors,
neighbours at half weight. Keyword scores are in `core.image.keywords`.
"""

from binascii import crc32
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoranda.core.base.versions import Numbers, twin
from memoranda.core.image.bm25 import Lengths, measured
from memoranda.core.image.chains import REACH, Chains
from memoranda.core.image.postings import Postings
from memoranda.core.image.vectors import Vectors
from memoranda.core.rows import Passage
from memoranda.core.rows.columns import Codes, Columns, Floats, Ints
from memoranda.core.rows.rowset import EPOCH, RowSet, Shelf, column, seconds

#: The windows in which a passage is scored: turns before, turns after.
WINDOWS = ((0, 0), (1, 0), (2, 2), (4, 4))
#: The same as a matrix: a row of neighbours times the matrix gives the sums over the windows.
SPANS = np.array(
    [[-before <= place <= after for before, after in WINDOWS] for place in range(-REACH, REACH + 1)], np.float32
)
#: The weight of each turn in the dense score of each window, a row per window: neighbours count half.
_MEANT = np.where(np.arange(-REACH, REACH + 1) == 0, SPANS.T, SPANS.T / 2).astype(np.float32)
#: The parts that come in versions of their own, beside the codes.
_PARTS = ("passages", "numbers", "conversations", "columns", "chains", "postings", "mentions", "vectors")
_TRAITS = ("question", "number", "time", "image", "withheld")
_NAMED = ("role", "speaker", "channel", "agent", "connection", "kind")
#: The values for a record without a known current version: it is never valid, and no turn is less important with time.
_UNWEIGHED = {
    "begins": np.inf, "ends": -np.inf, "tense": 1.0, "importance": 0.5, "confidence": 1.0, "fades": False,
    "written": np.inf, "expires": np.inf,
}  # fmt: skip

#: What is left of a passage that was dropped, and of its columns: no scope sees it, and it is no turn.
_EMPTY: Mapping[str, Any] = {
    "ref": "", "of": "record", "kind": "", "channel": "", "conversation": None, "speaker": None, "terms": "",
    "entities": (), "traits": (),
}  # fmt: skip
_NOTHING = {
    **dict.fromkeys(_NAMED, -1),
    "conversation": -1,
    "of_record": True,
    "terms": 0,
    "accesses": 0,
    "accessed": 0.0,
    **_UNWEIGHED,
}

#: A conversation within one place, so that no turn lends its words to the window of a turn that others may read.
Talk = tuple[str, str, str | None, str | None]


class Index:
    """Passages of one owner, ready to be scored against a question."""

    def __init__(self, dimension: int = 0) -> None:
        self.refs: list[str] = []  # also those of later versions
        self.passages: Shelf[Passage] = Shelf()
        self.numbers = Numbers()
        self.dimension = dimension
        self.codes: Mapping[str, Codes[str]] = {name: Codes() for name in _NAMED}
        self.conversations: Codes[Talk] = Codes()
        self.columns = Columns(
            **dict.fromkeys(_NAMED, np.int32), conversation=np.int32,
            **dict.fromkeys(_TRAITS, np.bool_), of_record=np.bool_,
            terms=np.float32, tie=np.uint32, at=np.float64, recorded=np.float64,
            begins=np.float64, ends=np.float64, tense=np.float32, importance=np.float32, confidence=np.float32,
            fades=np.bool_, written=np.float64, expires=np.float64, accesses=np.int32, accessed=np.float64,
        )  # fmt: skip
        self.chains = Chains()
        self.postings = Postings()  # the passages that hold each term
        self.mentions = Postings()  # the passages that name each entity
        self.vectors = Vectors(dimension, len(WINDOWS))
        self.gone = 0  # passages that were dropped; their numbers stay empty
        self._lengths = (0, 0), measured(self.columns, 0)

    def fork(self) -> "Index":
        """Return the next version."""
        new = twin(self)
        for name in _PARTS:
            setattr(new, name, getattr(self, name).fork())
        new.codes = {name: codes.fork() for name, codes in self.codes.items()}
        return new

    def __len__(self) -> int:
        """One more than the highest number of a passage."""
        return len(self.numbers)

    @property
    def nbytes(self) -> int:
        """The approximate number of bytes held: arrays exactly, postings and passages by count."""
        arrays = self.columns.nbytes + self.chains.nbytes + self.vectors.nbytes
        return arrays + self.postings.nbytes + 700 * len(self)

    # ---------------------------------------------------------------------------------------- filling

    def extend(self, passages: Sequence[Passage]) -> bool:
        """Take in passages. Return False if one is known: start a fresh index then, in which it comes last."""
        if not len(self) and isinstance(passages, RowSet):  # a store's answer names each passage once
            self._append(passages)
            return True
        fresh = {passage.ref: passage for passage in passages if passage.ref not in self.numbers}
        known = any(passage.ref in self.numbers for passage in passages)
        if fresh:
            self._append(list(fresh.values()))
        return not known

    def date(self, ref: str, at: datetime) -> None:
        """Move a passage to another time, where it is not there yet."""
        number = self.numbers.get(ref)
        if number is not None and self.columns["at"][number] != at.timestamp():
            self.passages[number] = replace(self.passages[number], at=at)
            self.columns.write("at", number, at.timestamp())

    def embed(self, refs: Sequence[str], vectors: NDArray[np.floating]) -> None:
        """Set the vectors of passages; refs of unknown passages are skipped."""
        numbers = [self.numbers.get(ref, -1) for ref in refs]
        if -1 in numbers:
            vectors = vectors[np.array(numbers) >= 0]
            numbers = [number for number in numbers if number >= 0]
        if numbers:
            self.vectors.put(numbers, vectors)
            self.vectors.unsettle(self.chains.around(np.array(numbers, np.int32)))

    def weigh(self, ref: str, **values: float) -> None:
        """Write a record's ranking values beside its passage, if that is here; without values, the defaults."""
        self._write(ref, {**_UNWEIGHED, "accesses": 0, "accessed": 0.0, **values})

    def use(self, ref: str, uses: int, last: float) -> None:
        """Write how often a passage was used, and when last, in seconds since 1970; its row says what was read."""
        self._write(ref, {"accesses": uses, "accessed": last})

    def uses(self, number: int) -> tuple[int, datetime | None]:
        """Return how often a passage was used, and when last."""
        last = float(self.columns["accessed"][number])
        return int(self.columns["accesses"][number]), EPOCH + timedelta(seconds=last) if last else None

    def _write(self, ref: str, values: Mapping[str, float]) -> None:
        number = self.numbers.get(ref)
        if number is not None:
            for name, value in values.items():
                self.columns.write(name, number, value)

    def drop(self, refs: Iterable[str]) -> None:
        """Take passages out; those that stay keep their numbers. Then all is as if the others had never been there."""
        known = {ref: self.numbers[ref] for ref in refs if ref in self.numbers}
        if not known:
            return
        rows = {number: self.passages[number] for number in known.values()}
        numbers = [*rows]
        talks = {number: int(self.columns["conversation"][number]) for number in numbers}
        self.blind(numbers)
        self.postings.drop({number: row.terms for number, row in rows.items()})
        self.mentions.drop({number: " ".join(row.entities) for number, row in rows.items()})
        self.chains.drop(talks)
        for number, row in rows.items():
            self.passages[number] = replace(row, **_EMPTY)
            for name, value in _NOTHING.items():
                self.columns.write(name, number, value)
        self.numbers.drop(known.keys())
        self.gone += len(known)

    def blind(self, numbers: Sequence[int]) -> None:
        """Take the vectors of passages away."""
        if numbers:
            self.vectors.drop([*numbers])
            self.vectors.unsettle(self.chains.around(np.array(numbers, np.int32)))

    def _append(self, passages: Sequence[Passage]) -> None:
        first, refs, terms = len(self), column(passages, "ref"), column(passages, "terms")
        self.refs += refs
        self.numbers.learn(refs)
        self.passages.extend(passages)
        traits = Codes[tuple[str, ...]]()
        marked = np.array(traits.learn(column(passages, "traits")), np.intp)
        named = {name: column(passages, name) for name in (*_NAMED, "conversation")}
        talks = zip(*(named[name] for name in ("conversation", "channel", "agent", "connection")), strict=True)
        self.columns.extend(
            len(passages),
            **{name: codes.learn(named[name]) for name, codes in self.codes.items()},
            conversation=self.conversations.learn(None if talk[0] is None else talk for talk in talks),
            of_record=[of == "record" for of in column(passages, "of")],
            **{name: np.array([name in marks for marks in traits.names], np.bool_)[marked] for name in _TRAITS},
            terms=self.postings.extend(first, terms),
            tie=list(map(crc32, map(str.encode, terms))),
            at=seconds(passages, "at"),
            recorded=seconds(passages, "recorded_at"),
            accesses=column(passages, "access_count"),
            accessed=np.nan_to_num(seconds(passages, "last_accessed")),
            **_UNWEIGHED,
        )
        self.mentions.extend(first, [" ".join(entities) for entities in column(passages, "entities")])
        conversations, of_record, at = (self.columns[name][first:] for name in ("conversation", "of_record", "at"))
        positions = np.array(column(passages, "position"), np.int32)
        self.chains.link(first, conversations, ~of_record, positions, at)
        self.vectors.resize(len(self))
        if self.dimension:
            self.vectors.unsettle(self.chains.around(np.arange(first, len(self), dtype=np.int32)))

    # ---------------------------------------------------------------------------------------- reading

    def named(self, numbers: Ints) -> list[str]:
        """Return the refs of passages."""
        return [self.refs[number] for number in numbers.tolist()]

    def near(self, numbers: Sequence[int], terms: frozenset[str], vector: Floats | None) -> list[float]:
        """Return how near passages are to a text: the share of its terms they hold, plus the cosine with its vector."""
        found = self.nearness(np.array(numbers, np.int32), terms, vector)
        return [round(value, 4) for value in found.tolist()]

    def nearness(self, numbers: Ints, terms: frozenset[str], vector: Floats | None) -> Floats:
        """`near`, as an array and unrounded."""
        words = np.zeros(len(self), np.float32)
        for term in terms:
            words[self.postings.of(term)[0]] += 1
        found: Floats = words[numbers] / np.float32(max(len(terms), 1))
        return found if vector is None else found + self.vectors.of(numbers) @ vector

    def dense_windows(self, numbers: Ints, scores: Floats) -> Floats:
        """Return the cosine of the query with each of `WINDOWS`, given its cosine with every passage."""
        unsettled = self.vectors.unsettled()
        if len(unsettled):
            self.vectors.measure(unsettled, self.chains.around(unsettled), _MEANT)
        return self.vectors.windows(numbers, self.chains.around(numbers), _MEANT, scores)

    @property
    def lengths(self) -> Lengths:
        """The lengths that BM25 needs; cached until passages arrive."""
        now = len(self), self.gone
        if self._lengths[0] != now:
            self._lengths = now, measured(self.columns, len(self.conversations))
        return self._lengths[1]

    @property
    def count(self) -> int:
        """How many passages there are; `len` is one more than the highest number."""
        return len(self) - self.gone

    def names(self, column: str) -> list[str]:
        """Return the names that a passage has in this column, in order of arrival."""
        names = list(self.codes[column].names)
        if not self.gone:
            return names
        given = {*self.columns[column].tolist()}
        return [name for code, name in enumerate(names) if code in given]
