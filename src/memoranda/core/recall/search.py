"""One question to one owner's passages: what the arms and the signals read."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memoranda.core.image.bm25 import idf
from memoranda.core.image.index import Index
from memoranda.core.image.keywords import keyword
from memoranda.core.recall.currency import Endings
from memoranda.core.rows import Record
from memoranda.core.rows.columns import Floats, Ints, Mask

MOST_TERMS = 32  # only this many of a question's terms count, the rarest
HOPS, FRONT, HOLDERS, DECAY = 3, 12, 200, 0.4  # limits of the walk over entities, and its decay per hop


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The parsed question.

    Attributes:
        terms: its stemmed terms; `content`: those that tell what it is about, without words for time and for saying.
        vector: its embedding, if there is one.
        speakers: codes of the speakers it names.
        months: the months it names, counted from January 1970.
        span: begin and end, in seconds since 1970, of a time it names that `months` cannot express, open or long.
        wants_time, wants_number: it asks when, how long, how many.
        wants_many: it asks for a list, an order or a summary, which takes more than one passage to answer.
        entities: ids of the entities it names.
        only_time: it names nothing but a time, so everything from that time answers it.
        said: begin and end, in seconds since 1970, of the time in which the answer was said.
        asks_assistant: it asks what the assistant said, so the assistant's turns come first instead of the user's.
        asks_back: it asks what was said or done before; `asks_help`: it asks for advice or work, or is no question.
        conversation: the current conversation.
        attributed: ids of the records that give an attribute for which it asks.
    """

    terms: tuple[str, ...] = ()
    content: tuple[str, ...] = ()
    vector: NDArray[np.float32] | None = None
    speakers: tuple[int, ...] = ()
    months: tuple[int, ...] = ()
    span: tuple[float, float] | None = None
    wants_time: bool = False
    wants_number: bool = False
    wants_many: bool = False
    entities: frozenset[str] = field(default_factory=frozenset)
    only_time: bool = False
    said: tuple[float, float] | None = None
    asks_assistant: bool = False
    asks_back: bool = False
    asks_help: bool = True
    conversation: str | None = None
    attributed: frozenset[str] = field(default_factory=frozenset)

    def dates(self, at: NDArray[np.float64]) -> Mask:
        """Return which moments lie in a time that it names."""
        if self.span is not None:
            return np.asarray((self.span[0] <= at) & (at < self.span[1]), np.bool_)
        return np.isin(months(at), self.months) if self.months else np.zeros(len(at), np.bool_)


@dataclass(frozen=True, kw_only=True)
class Search:
    """A question, the passages it is asked of, and what is computed for all of them at most once.

    Attributes:
        mask: the passages that may be returned.
        about: the passages that are about a time that the question names, if any.
        keys: the passages of records of any kind that may lead to passages in `mask`.
        records: the current records, by id; `records_by_source`: by event id, the ids of those derived from it.
        endings: which passages hold no more.
        want: how many passages each arm proposes.
        sought: ids of the entities whose passages are wanted however far they are from the question.
    """

    index: Index
    question: Question
    mask: Mask
    keys: Mask
    records: Mapping[str, Record]
    records_by_source: Mapping[str, Collection[str]]
    endings: Endings
    want: int
    about: Mask | None = None
    sought: frozenset[str] = frozenset()

    @cached_property
    def dated(self) -> Mask:
        """The passages said at, or about, a time that the question names."""
        said = self.question.dates(np.asarray(self.index.columns["at"]))
        return said if self.about is None else np.asarray(said | self.about, np.bool_)

    @cached_property
    def informative(self) -> list[str]:
        """The question's rarest terms."""
        return self.index.postings.rarest(self.question.terms, MOST_TERMS)

    @cached_property
    def keyword(self) -> Floats:
        """BM25 of every passage."""
        return keyword(self.index, self.informative)

    @cached_property
    def dense(self) -> Floats | None:
        """Cosine of every passage with the question; None without a vector."""
        vector = self.question.vector
        return None if vector is None else self.index.vectors.cosine(vector)

    @cached_property
    def both(self) -> Floats:
        """Keyword scores over their maximum, plus cosine."""
        words = over_best(self.keyword)
        return words if self.dense is None else words + self.dense

    @cached_property
    def naming(self) -> Mask:
        """The passages that name an entity that is sought."""
        found = np.zeros(len(self.index), np.bool_)
        for entity in self.sought:
            found[self.index.mentions.of(entity)[0]] = True
        return found

    @cached_property
    def walked(self) -> Floats:
        """How strongly the question's entities lead to each passage, directly and through shared entities."""
        return walk(self.index, self.question.entities)

    @cached_property
    def led(self) -> list[tuple[int, int]]:
        """The best records and their sources, as pairs of passage numbers, best record first."""
        known = self.index.numbers
        pairs = []
        for key in top(self.both, self.keys, self.want).tolist():
            record = self.records.get(self.index.refs[key])
            pairs += [(key, known[source]) for source in (record.sources if record else ()) if source in known]
        return pairs

    def holds(self, record: str) -> bool:
        """Whether a record may lead to its sources."""
        number = self.index.numbers.get(record)
        return number is not None and bool(self.keys[number])


def walk(index: Index, entities: Iterable[str]) -> Floats:
    """Walk from entities to the passages that name them, to the other entities these name, and on, each hop worth less.

    An entity weighs more the fewer passages name it. Each hop starts from the `FRONT` strongest entities, reads the
    last `HOLDERS` passages of each, and goes on with the entities of the `FRONT` strongest passages.
    """
    reached = np.zeros(len(index), np.float32)
    weights = {entity: rarity(index, entity) for entity in entities}
    seen = set(weights)
    for hop in range(HOPS):
        if not weights:
            break
        scores = np.zeros(len(index), np.float32)
        for entity in sorted(weights, key=lambda name: (-weights[name], name))[:FRONT]:
            scores[index.mentions.of(entity)[0][-HOLDERS:]] += np.float32(weights[entity])
        reached += np.float32(DECAY**hop) * scores
        best = float(scores.max(initial=0.0))
        weights = {}
        for number in top(scores, np.ones(len(index), np.bool_), FRONT).tolist():
            for entity in set(index.passages[number].entities) - seen:
                weight = rarity(index, entity) * float(scores[number]) / best
                weights[entity] = max(weights.get(entity, 0.0), weight)
        seen.update(weights)
    return reached


def top(scores: Floats, mask: Mask, want: int, floor: float = 0.0) -> Ints:
    """Return the numbers of the `want` best scores above `floor` within `mask`, best first; ties by number."""
    numbers = np.flatnonzero(mask & (scores > np.float32(floor)))
    found = scores[numbers]
    if want < len(found):
        line = np.partition(found, len(found) - want)[len(found) - want]
        inside = found >= line
        numbers, found = numbers[inside], found[inside]
    order = np.lexsort((numbers, -found))
    return numbers[order][:want].astype(np.int32)


def over_best(scores: Floats) -> Floats:
    """Divide scores by their maximum."""
    best = float(scores.max(initial=0.0))
    return np.asarray(scores / np.float32(best), np.float32) if best > 0 else np.zeros_like(scores)


def months(at: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the month of each time, counted from January 1970."""
    return at.astype("datetime64[s]").astype("datetime64[M]").astype(np.int64)


def rarity(index: Index, entity: str) -> float:
    """Return how informative it is that a passage names an entity, in [0, 1]; near 0 if nearly all passages name it."""
    return idf(index.mentions.holders(entity), index.count) / idf(0, index.count)
