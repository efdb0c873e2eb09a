"""From a question to candidates: what each arm proposes, and the named signals by which all of it is scored.

`closeness` is a weighted sum of signals, each normalised to [0, 1] within the question, divided by the sum of the
positive weights; `similarity` is that with the distances at the top made larger. `core.ranking` weighs it against
recency, importance, use and entities. Both sets of weights are tables here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from memstrata.core.index import Floats, Index, Ints, Mask, idf

NEIGHBOURS = 2  # how far from a good match an answer is looked for
SHARPNESS = 2
LONG = 20  # terms from which on a longer text tells no more
MOST_TERMS = 32  # of a long question the rarest terms count

#: Weights of the similarity signals. `_window` is ±2 turns, `_wide` ±4, `_previous` the turn before and the turn.
#: Found by coordinate search on development conversations of two kinds together (people chatting, and a user with an
#: assistant), checked on the halves not searched, and rounded.
SIGNALS: Mapping[str, float] = MappingProxyType(
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

#: Weights where a question names nothing but a time: what the user told then, not what was asked or answered.
TIME_SIGNALS: Mapping[str, float] = MappingProxyType({"role_match": 0.5, "length": 0.5, "is_question": -0.3})

#: Profiles of the composite score (SPEC 8).
PROFILES: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "balanced": MappingProxyType(
            {"similarity": 0.40, "recency": 0.25, "importance": 0.20, "access_frequency": 0.10, "entity_match": 0.05}
        ),
        "relevance": MappingProxyType({"similarity": 1.0}),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked, taken apart.

    Attributes:
        terms: its stemmed terms; `content` those of them that are about something: not when, not that it was said.
        vector: its embedding, where there is one.
        speakers: codes of the speakers it names.
        months: the months it names, counted from January 1970.
        wants_time, wants_number: it asks when, how long, how many.
        entities: ids of the entities it names.
        asks_assistant: it asks what the assistant said, so the assistant's turns come first instead of the user's.
        only_time: apart from a time it names nothing: everything of that time answers it.
    """

    terms: tuple[str, ...] = ()
    content: tuple[str, ...] = ()
    vector: NDArray[np.float32] | None = None
    speakers: tuple[int, ...] = ()
    months: tuple[int, ...] = ()
    wants_time: bool = False
    wants_number: bool = False
    entities: frozenset[str] = field(default_factory=frozenset)
    only_time: bool = False
    asks_assistant: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """Passages worth ranking, with the normalised value of every signal.

    Attributes:
        numbers: passage numbers in the index, ascending.
        signals: per signal, one value per candidate in [0, 1].
        weights: what each signal counts for this question.
        closeness: their weighted sum, in [0, 1]; `similarity`: the same stretched, see `sharpened`.
        arms: per arm, the numbers it proposed, best first.
        coverage: share of the question's informative terms that each candidate's window holds.
        cosine: plain cosine of each candidate with the question, 0 without vectors.
    """

    numbers: Ints
    signals: Mapping[str, Floats]
    weights: Mapping[str, float]
    closeness: Floats
    similarity: Floats
    arms: Mapping[str, Ints]
    coverage: Floats
    cosine: Floats


def gather(index: Index, question: Question, mask: Mask, want: int) -> Candidates:
    """Candidates among the passages in `mask`, from each arm at least `want`, all scored on all signals."""
    informative = index.rarest(question.terms, MOST_TERMS)
    arms = {"keyword": _top(index.keyword(informative), mask, want)}
    dense = index.vectors.cosine(question.vector) if question.vector is not None else None
    if dense is not None:
        arms["vector"] = _top(dense, mask & index.vectors.embedded, want, floor=-1.0)
    if question.only_time:
        arms["time"] = _top(np.asarray(index.columns["at"], np.float32), mask, want, floor=-np.inf)
    arms["neighbours"] = _neighbours(index, mask, arms, want // 2)
    numbers = np.unique(np.concatenate(list(arms.values()))).astype(np.int32)
    signals = _signals(index, question, informative, numbers, dense)
    cosine = dense[numbers] if dense is not None else np.zeros(len(numbers), np.float32)
    weights = TIME_SIGNALS if question.only_time else SIGNALS
    closeness = combine(signals, weights)
    return Candidates(
        numbers=numbers,
        signals=signals,
        weights=weights,
        closeness=closeness,
        similarity=sharpened(closeness),
        arms=arms,
        coverage=coverage(index, question.content or question.terms, numbers),
        cosine=cosine,
    )


def _neighbours(index: Index, mask: Mask, arms: Mapping[str, Ints], best: int) -> Ints:
    """What stands beside the best of each arm: an answer often shares no word with the question it follows."""
    around = index.chains.around(np.concatenate([n[:best] for n in arms.values()]), NEIGHBOURS, NEIGHBOURS)
    beside = np.unique(around[around >= 0])
    return np.asarray(beside[mask[beside]], np.int32)


def _signals(
    index: Index, question: Question, informative: Sequence[str], numbers: Ints, dense: Floats | None
) -> dict[str, Floats]:
    names = ("keyword", "keyword_window", "keyword_wide")
    windows = index.keyword_windows(informative, numbers)
    values = {name: _unit(scores) for name, scores in zip(names, windows, strict=True)}
    values["keyword_conversation"] = _unit(index.keyword_by_conversation(informative)[numbers])
    if dense is not None:
        values["vector"] = _spread(dense[numbers])
        values["vector_previous"] = _spread(index.dense_windows(numbers, dense, 1, 0))
        values["vector_window"] = _spread(index.dense_windows(numbers, dense, 2, 2))
    columns = index.columns
    timed = columns["time"][numbers] | columns["number"][numbers]
    asked = question.wants_time or question.wants_number
    role, assistant = columns["role"][numbers], index.codes["role"].look("assistant")
    flags = {
        "speaker": np.isin(columns["speaker"][numbers], question.speakers),
        "date": np.isin(_months(columns["at"][numbers]), question.months),
        "answers_when": timed if asked else np.zeros(len(numbers), np.bool_),
        "role_match": (role == assistant) == question.asks_assistant,
        "is_question": columns["question"][numbers],
        "image": columns["image"][numbers],
        "length": _unit(np.minimum(np.asarray(columns["terms"][numbers], np.float32), LONG)),
    }
    values.update({name: np.asarray(flag, np.float32) for name, flag in flags.items()})
    return values


def combine(signals: Mapping[str, Floats], weights: Mapping[str, float]) -> Floats:
    """Weighted sum of the signals at hand over the sum of their positive weights, clipped to [0, 1]."""
    present = [name for name in weights if name in signals]
    whole = sum(weights[name] for name in present if weights[name] > 0) or 1.0
    total = sum((np.float32(weights[name]) * signals[name] for name in present), np.float32(0))
    return np.asarray(np.clip(total / np.float32(whole), 0.0, 1.0), np.float32)


def sharpened(similarity: Floats) -> Floats:
    """The same order stretched over [0, 1], the best candidate at 1, with the distances at the top made larger.

    A sum of many signals puts the right passage and the tenth one close together; without this, age and importance
    would outweigh what the question asks for.
    """
    low, high = float(similarity.min(initial=1.0)), float(similarity.max(initial=0.0))
    if high <= low:
        return np.full_like(similarity, float(high > 0))
    return np.asarray(((similarity - np.float32(low)) / np.float32(high - low)) ** SHARPNESS, np.float32)


def coverage(index: Index, terms: tuple[str, ...], numbers: Ints) -> Floats:
    """Share of the question's terms, weighted by rarity, found in each passage or the turns beside it.

    A term nobody ever used counts as the rarest: a question about it is not answered by its other words.
    """
    covered = np.zeros(len(numbers), np.float32)
    whole = 0.0
    around = index.chains.around(numbers, 1, 1)
    size = len(index)
    for term in dict.fromkeys(terms):
        holders, _ = index.posting(term)
        weight = idf(len(holders), size)
        whole += weight
        if len(holders):
            inside = np.zeros(size + 1, np.bool_)
            inside[holders] = True
            covered += np.float32(weight) * inside[around].any(axis=1)
    return covered / np.float32(max(whole, 1e-9))


def recency(at: NDArray[np.float64], now: datetime) -> Floats:
    """1 − days/365, clamped to [0, 1] (SPEC 7)."""
    return np.clip(1.0 - (now.timestamp() - at) / 86_400.0 / 365.0, 0.0, 1.0).astype(np.float32)


def access_frequency(counts: NDArray[np.int32]) -> Floats:
    """min(count / 20, 1) (SPEC 8)."""
    return np.minimum(counts / 20.0, 1.0).astype(np.float32)


def _top(scores: Floats, mask: Mask, want: int, floor: float = 0.0) -> Ints:
    """Numbers of the `want` best scores above `floor` within `mask`, best first; equal scores by number."""
    numbers = np.flatnonzero(mask & (scores > np.float32(floor)))
    found = scores[numbers]
    if want < len(found):
        line = np.partition(found, len(found) - want)[len(found) - want]
        inside = found >= line
        numbers, found = numbers[inside], found[inside]
    order = np.lexsort((numbers, -found))
    return numbers[order][:want].astype(np.int32)


def _unit(scores: Floats) -> Floats:
    """Scores over their maximum."""
    best = float(scores.max(initial=0.0))
    return np.asarray(scores / np.float32(best), np.float32) if best > 0 else scores


def _spread(scores: Floats) -> Floats:
    """Scores stretched over [0, 1] between the lowest and the highest candidate."""
    if not len(scores):
        return scores
    low, high = float(scores.min()), float(scores.max())
    return np.asarray((scores - np.float32(low)) / np.float32(max(high - low, 1e-6)), np.float32)


def _months(at: NDArray[np.float64]) -> NDArray[np.int64]:
    return at.astype("datetime64[s]").astype("datetime64[M]").astype(np.int64)
