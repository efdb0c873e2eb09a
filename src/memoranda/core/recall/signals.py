"""The signals: named functions over the candidates of a search. A new signal is a new entry in a table.

Scores are scaled to [0, 1] within the question, divided by the best or spread between lowest and highest, so that they
mean the same in every memory. Some signals use the `guess`, a weighted sum of the plainest ones: how good are the
neighbouring turns, how similar is the best guess. `CONTEXT` describes the kind of question and of memory, with the
same value for all candidates.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memoranda.core.image.bm25 import idf
from memoranda.core.image.chains import REACH
from memoranda.core.image.index import WINDOWS
from memoranda.core.image.keywords import keyword_conversations, keyword_windows
from memoranda.core.recall.search import HOLDERS, Search, over_best, rarity
from memoranda.core.rows import Record
from memoranda.core.rows.columns import Floats, Ints, Mask

SAME = 1e-6  # scores that differ by less count as equal
SHORT = 32  # mean terms per turn up to which turns count as short; from twice as many they count as long
BEST = 5  # the number of best guesses whose vectors and entities are compared with those of other candidates

#: Weights of the guess, which also ranks by itself where there is no model. Found by coordinate search on
#: conversations of two kinds together (people chatting, and a user with an assistant), and rounded.
WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "vector": 1.2,
        "vector_previous": 1.0,
        "vector_window": 1.3,
        "keyword": 1.5,
        "keyword_window": 1.2,
        "keyword_wide": 1.0,
        "keyword_conversation": 0.3,
        "speaker": 0.8,
        "date": 1.0,
        "answers_when": 0.5,
        "role_match": 2.0,
        "is_question": -0.6,
        "image": -0.2,
    }
)


def _over_their_sum(weights: Mapping[str, float]) -> Mapping[str, float]:
    whole = sum(weight for weight in weights.values() if weight > 0)
    return {name: weight / whole for name, weight in weights.items()}


_PLAIN = _over_their_sum(WEIGHTS)
_WORDS_ALONE = _over_their_sum({name: weight for name, weight in WEIGHTS.items() if not name.startswith("vector")})


class Pool:
    """The candidates of a search, in ascending order, and values that several signals share, computed at most once."""

    def __init__(self, search: Search, numbers: Ints) -> None:
        self.search = search
        self.numbers = numbers
        self.index = search.index
        self.question = search.question
        self._kept: dict[str, Floats] = {}

    def __len__(self) -> int:
        return len(self.numbers)

    def signal(self, name: str) -> Floats:
        """Return the values of a signal."""
        if name not in self._kept:
            self._kept[name] = np.asarray(SIGNALS[name](self), np.float32)
        return self._kept[name]

    def narrowed(self, most: int, sure: Ints) -> "Pool":
        """Return a pool of at most `most` candidates, the `sure` ones first, then the best guesses.

        Values already computed are kept.
        """
        if len(self) <= most:
            return self
        best = np.sort(np.lexsort((self.numbers, -self.guess, ~np.isin(self.numbers, sure)))[:most])
        pool = Pool(self.search, self.numbers[best])
        pool._kept.update((name, values[best]) for name, values in self._kept.items())
        pool.windows, pool.meant = self.windows[:, best], self.meant[:, best]
        return pool

    def column(self, name: str) -> NDArray[Any]:
        """Return a column of the index for the candidates."""
        return self.index.columns[name][self.numbers]

    def among(self, values: NDArray[Any], wanted: Sequence[int]) -> Floats:
        """Return 1 where a value is one of `wanted`, else 0."""
        found = self.zeros
        for each in wanted:
            found[values == each] = 1
        return found

    @property
    def zeros(self) -> Floats:
        """A zero for each candidate."""
        return np.zeros(len(self), np.float32)

    @property
    def guess(self) -> Floats:
        """The weighted sum of the plainest signals, in [0, 1]."""
        return self.signal("guess")

    @cached_property
    def best(self) -> NDArray[np.intp]:
        """Positions of the best guesses."""
        return np.lexsort((self.numbers, -self.guess))[:BEST]

    @cached_property
    def vectors(self) -> Floats:
        """The vectors of the candidates."""
        return self.index.vectors.of(self.numbers)

    @cached_property
    def around(self) -> NDArray[np.intp]:
        """Positions of the turns around each candidate, itself in the middle; -1 where a turn is no candidate."""
        return self.places(self.index.chains.around(self.numbers))

    def places(self, numbers: Ints) -> NDArray[np.intp]:
        """Return the positions of passages among the candidates; -1 for those that are none."""
        if not len(self):
            return np.full(numbers.shape, -1, np.intp)
        at = np.minimum(np.searchsorted(self.numbers, numbers), len(self) - 1)
        return np.where(self.numbers[at] == numbers, at, -1)

    def beside(self, values: Floats, offset: int) -> Floats:
        """Return the values of the turns `offset` after each candidate; 0 where these are no candidates."""
        at = self.around[:, REACH + offset]
        return np.where(at >= 0, values[at], np.float32(0)).astype(np.float32)

    @cached_property
    def follows_question(self) -> Mask:
        """Whether the previous turn asks something."""
        before = self.index.chains.around(self.numbers, 1, 0)[:, 0]
        return np.asarray((before >= 0) & self.index.columns["question"][before], np.bool_)

    @cached_property
    def windows(self) -> Floats:
        """BM25 of the windows around each candidate."""
        return keyword_windows(self.index, self.search.informative, self.numbers)

    @cached_property
    def meant(self) -> Floats:
        """Cosine of the windows around each candidate; zeros without a vector."""
        dense = self.search.dense
        if dense is None:
            return np.zeros((len(WINDOWS), len(self)), np.float32)
        return self.index.dense_windows(self.numbers, dense)

    @cached_property
    def held(self) -> tuple[Floats, Floats]:
        """Which of the question's words each candidate holds, shape (words, candidates); and their weights, sum 1."""
        words = self.search.informative
        weights = np.array([idf(self.index.postings.holders(word), self.index.count) for word in words], np.float32)
        rows = [self.index.postings.counts(word, self.numbers) > 0 for word in words]
        held = np.array(rows, np.float32).reshape(len(words), len(self))
        return held, weights / np.float32(max(float(weights.sum()), 1e-9))

    @cached_property
    def led(self) -> tuple[Ints, NDArray[np.intp]]:
        """The best records and the positions of the candidates that are their sources: pairs, in two arrays."""
        records, sources = np.array(self.search.led, np.int32).reshape(-1, 2).T
        at = self.places(sources)
        return records[at >= 0], at[at >= 0]

    @cached_property
    def wishes(self) -> list[tuple[int, Record]]:
        """The preferences in force, each with the position of the candidate that is one or is a source of one."""
        records, told = self.search.records, self.search.records_by_source
        refs = list(enumerate(self.index.named(self.numbers)))
        named = [(place, ref, name) for place, ref in refs for name in told.get(ref, ())]
        named += [(place, ref, ref) for place, ref in refs if ref in records]
        known = [(place, ref, records[name]) for place, ref, name in named if name in records]
        wanted = [(place, ref, one) for place, ref, one in known if one.kind == "preference"]
        return [
            (place, one) for place, ref, one in wanted if ref in (one.id, *one.sources) and self.search.holds(one.id)
        ]

    def talk_best(self, values: Floats) -> Floats:
        """Return the best value within the conversation of each candidate."""
        talks = self.column("conversation")
        best = np.full(int(talks.max(initial=-1)) + 2, -np.inf, np.float32)  # the last cell stands for no conversation
        np.maximum.at(best, talks, values)
        return np.asarray(best[talks], np.float32)


def _guess(pool: Pool) -> Floats:
    """Return the weighted sum of the plainest signals, divided by the sum of the weights."""
    weights = _PLAIN if pool.search.dense is not None else _WORDS_ALONE
    total = np.array(list(weights.values()), np.float32) @ np.array([pool.signal(name) for name in weights])
    return np.asarray(np.clip(total, 0.0, 1.0), np.float32)


def _shared(pool: Pool) -> Floats:
    """Return how many entities a candidate shares with the best guesses, weighted, without those the question names.

    Such entities are bridges to another hop.
    """
    passages, weights = pool.index.passages, dict[str, float]()
    for place in pool.best.tolist():
        beyond = set(passages[pool.numbers[place]].entities) - pool.question.entities
        for entity in sorted(beyond):  # a fixed order of summation, the same in every process
            weight = float(pool.guess[place]) * rarity(pool.index, entity)
            weights[entity] = max(weights.get(entity, 0.0), weight)
    scores = pool.zeros
    for entity, weight in weights.items():
        at = pool.places(pool.index.mentions.of(entity)[0][-HOLDERS:])
        scores[at[at >= 0]] += np.float32(weight)
    return scores


def _led(pool: Pool, scores: Floats) -> Floats:
    """Return the best score of the records that have each candidate as a source."""
    found = pool.zeros
    records, places = pool.led
    np.maximum.at(found, places, scores[records])
    return found


def _wished(pool: Pool, attribute: str = "") -> Floats:
    """Return which candidates state a preference in force, of an attribute that starts with `attribute`."""
    found = pool.zeros
    found[[place for place, record in pool.wishes if (record.attribute or "").startswith(attribute)]] = 1
    return found


def _assistant(pool: Pool) -> Mask:
    return np.asarray(pool.column("role") == pool.index.codes["role"].look("assistant"), np.bool_)


def spread(scores: Floats) -> Floats:
    """Stretch scores over [0, 1] between the lowest and the highest; equal positive scores all become 1."""
    low, high = float(scores.min(initial=np.inf)), float(scores.max(initial=-np.inf))
    if high - low < SAME:
        return np.asarray(scores > 0, np.float32)
    return np.asarray((scores - np.float32(low)) / np.float32(high - low), np.float32)


def _keyword(before: int, after: int) -> Callable[[Pool], Floats]:
    row = WINDOWS.index((before, after))
    return lambda pool: over_best(pool.windows[row])


def _vector(before: int, after: int) -> Callable[[Pool], Floats]:
    row = WINDOWS.index((before, after))
    return lambda pool: spread(pool.meant[row])


def _flag(trait: str) -> Callable[[Pool], Floats]:
    return lambda pool: np.asarray(pool.column(trait), np.float32)


def _beside(offset: int) -> Callable[[Pool], Floats]:
    return lambda pool: pool.beside(pool.guess, offset)


def _like_best(pool: Pool) -> Floats:
    if pool.question.vector is None or not len(pool):
        return pool.zeros
    alike = pool.vectors @ pool.vectors[pool.best].T
    alike[pool.best, np.arange(len(pool.best))] = 0
    return np.asarray(alike.max(axis=1), np.float32)


def _answers_when(pool: Pool) -> Floats:
    asked = pool.question.wants_time or pool.question.wants_number
    return np.asarray((pool.column("time") | pool.column("number")) & asked, np.float32)


SIGNALS: Mapping[str, Callable[[Pool], Floats]] = MappingProxyType(
    {
        # words: of the turn, of the turn and those around it, of the whole conversation
        "keyword": _keyword(0, 0),
        "keyword_window": _keyword(2, 2),
        "keyword_wide": _keyword(4, 4),
        "keyword_conversation": lambda pool: over_best(
            keyword_conversations(pool.index, pool.search.informative, pool.numbers)
        ),
        "cover": lambda pool: pool.held[1] @ pool.held[0],
        "hits": lambda pool: pool.held[0].mean(axis=0) if len(pool.held[0]) else pool.zeros,
        # meaning
        "vector": _vector(0, 0),
        "vector_previous": _vector(1, 0),
        "vector_window": _vector(2, 2),
        "like_best": _like_best,
        # names
        "entities": lambda pool: over_best(pool.search.walked[pool.numbers]),
        "bridge": lambda pool: over_best(_shared(pool)),
        "speaker": lambda pool: pool.among(pool.column("speaker"), pool.question.speakers),
        # records derived from it
        "fact_keyword": lambda pool: over_best(_led(pool, pool.search.keyword)),
        "fact_vector": lambda pool: pool.zeros if pool.search.dense is None else _led(pool, pool.search.dense),
        # to be followed: preferences when help or work is asked for, instructions unless the past is asked for
        "preference": lambda pool: _wished(pool) if pool.question.asks_help else pool.zeros,
        "instruction": lambda pool: pool.zeros if pool.question.asks_back else _wished(pool, "instruction."),
        # time
        "date": lambda pool: pool.search.dated[pool.numbers].astype(np.float32),
        "time": _flag("time"),
        "answers_when": _answers_when,
        # the kind of turn
        "role_match": lambda pool: (_assistant(pool) == pool.question.asks_assistant).astype(np.float32),
        "assistant": lambda pool: _assistant(pool).astype(np.float32),
        "is_question": _flag("question"),
        "image": _flag("image"),
        "length": lambda pool: np.log2(1 + np.asarray(pool.column("terms"), np.float32)),
        "length_relative": lambda pool: over_best(np.log2(1 + np.asarray(pool.column("terms"), np.float32))),
        # its neighbours and its standing among the candidates
        "answers_match": lambda pool: pool.follows_question * pool.beside(pool.guess, -1),
        "guess": _guess,
        "guess_gap": lambda pool: pool.guess - pool.guess.max(initial=0.0),
        "guess_talk": lambda pool: pool.talk_best(pool.guess),
        "guess_before": _beside(-1),
        "guess_after": _beside(1),
        "guess_before_2": _beside(-2),
    }
)


def _long_turns(pool: Pool) -> float:
    """Return how long the turns of a memory are: 0 in chats, 1 in long talks with an assistant."""
    return min(1.0, max(0.0, math.log2(max(pool.index.lengths.turn, 1.0) / SHORT)))


#: The same for all candidates: the kind of memory and of question.
CONTEXT: Mapping[str, Callable[[Pool], float]] = MappingProxyType(
    {
        "long_turns": _long_turns,
        "question_length": lambda pool: float(len(pool.question.content)),
        "wants_many": lambda pool: float(pool.question.wants_many),
        "names_speaker": lambda pool: float(bool(pool.question.speakers)),
    }
)
