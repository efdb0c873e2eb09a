"""From proposals to scored candidates, and the weights of the composite score.

One model scores the union of what the arms propose, on the same signals: learned trees, or without them a weighted
sum of the plainest signals. `similarity` is the model's score scaled to [0, 1] and raised to a power, which
stretches the distances at the top. 0 is the lowest score among the candidates and an empty row that matches nothing,
1 the highest. `core.recall.ranking` weighs similarity against recency, importance, use and entities.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from memoranda.core.image.bm25 import idf
from memoranda.core.image.index import Index
from memoranda.core.recall.ranking_models import Linear, Model, Verdict
from memoranda.core.recall.search import Search
from memoranda.core.recall.signals import CONTEXT, WEIGHTS, Pool
from memoranda.core.rows.columns import Floats, Ints

SHARPNESS = 2
FEW = 20  # passages below which, without vectors, the rarity of a term says too little
JUDGED = 2  # the model judges at most this many times `Search.want` proposals, those with the best guesses

#: The model used without a learned one.
PLAIN: Model = Linear(WEIGHTS)
#: The model for a question that names nothing but a time; it prefers what the user told then.
PLAIN_TIME: Model = Linear({"role_match": 0.5, "length_relative": 0.5, "is_question": -0.3})

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
class Candidates:
    """Passages worth ranking.

    Attributes:
        numbers: passage numbers in the index, ascending.
        pool: the same passages, with every signal computed of them so far.
        signals: names of the signals they were judged by; `values`: one row per candidate, and a last row that matches
            nothing.
        verdict: the model's verdict on these rows.
        closeness: its scores scaled to [0, 1]; `similarity`: the same with the distances at the top stretched.
        arms: per arm, the numbers it proposed, best first.
        coverage: share of the question's informative terms that each candidate's window holds; 1 where `attributed`.
        cosine: plain cosine of each candidate with the question, 0 without vectors.
        named: whether the candidate names an entity that the question names.
        attributed: whether it gives an attribute for which the question asks.
    """

    numbers: Ints
    pool: Pool
    signals: tuple[str, ...]
    values: Floats
    verdict: Verdict
    closeness: Floats
    similarity: Floats
    arms: Mapping[str, Ints]
    coverage: Floats
    cosine: Floats
    named: Floats
    attributed: Floats


def judged(search: Search, arms: Mapping[str, Ints], model: Model) -> Candidates:
    """Score the union of what the arms proposed."""
    index, question = search.index, search.question
    numbers = np.unique(np.concatenate([np.zeros(0, np.int32), *arms.values()])).astype(np.int32)
    pool = Pool(search, numbers)
    sure = arms.get("attribute", np.zeros(0, np.int32))
    if not question.only_time:
        pool = pool.narrowed(JUDGED * search.want, np.union1d(sure, numbers[search.naming[numbers]]).astype(np.int32))
    numbers = pool.numbers
    chosen = PLAIN_TIME if question.only_time else model
    values = signal_values(pool, chosen.signals)
    verdict = chosen.judge(values)
    scores = verdict.scores
    low, high = float(scores.min()), float(scores.max())
    closeness = np.asarray((scores[:-1] - np.float32(low)) / np.float32(max(high - low, 1e-6)), np.float32)
    named, attributed = pool.zeros, np.isin(numbers, sure).astype(np.float32)
    for entity in question.entities:
        at = pool.places(index.mentions.of(entity)[0])
        named[at[at >= 0]] = 1.0
    return Candidates(
        numbers=numbers,
        pool=pool,
        signals=chosen.signals,
        values=values,
        verdict=verdict,
        closeness=closeness,
        similarity=closeness**SHARPNESS,
        arms=arms,
        coverage=np.maximum(_covered(search, numbers), attributed),
        cosine=pool.zeros if search.dense is None else search.dense[numbers],
        named=named,
        attributed=attributed,
    )


def _covered(search: Search, numbers: Ints) -> Floats:
    """Return the `coverage` of the question; a passage without a vector is held to what words alone can tell."""
    terms, index = search.question.content or search.question.terms, search.index
    if search.dense is None:
        return coverage(index, terms, numbers, FEW)
    found, lacking = coverage(index, terms, numbers), ~index.vectors.embedded[numbers]
    if lacking.any():
        found[lacking] = coverage(index, terms, numbers[lacking], FEW)
    return found


def signal_values(pool: Pool, names: Sequence[str]) -> Floats:
    """Return signals by name, one column each: one row per candidate, and a last row that matches nothing."""
    values = np.zeros((len(pool) + 1, len(names)), np.float32, "F")
    for column, name in enumerate(names):
        if name in CONTEXT:
            values[:, column] = CONTEXT[name](pool)
        else:
            values[:-1, column] = pool.signal(name)
    return values


def coverage(index: Index, terms: tuple[str, ...], numbers: Ints, least: int = 0) -> Floats:
    """Return the share of the question's terms, weighted by rarity, found in each passage or the turns beside it.

    A term that no passage holds counts as the rarest: a question about it is not answered by its other words. A memory
    of fewer than `least` passages counts as having `least`: among few passages every term is common, more so if
    repeated.
    """
    covered = np.zeros(len(numbers), np.float32)
    whole = 0.0
    around = index.chains.around(numbers, 1, 1)
    size = len(index)
    for term in dict.fromkeys(terms):
        holders, _ = index.postings.of(term)
        weight = idf(len(holders), max(index.count, least))
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
