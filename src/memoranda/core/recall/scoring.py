"""From proposals to scored candidates, and what a ranking weighs.

One model scores the union of what the arms propose, on the same signals: learned trees, or without them a weighted
sum of the plainest signals. `similarity` is the model's score scaled to [0, 1] and raised to a power, which
stretches the distances at the top. 0 is the lowest score among the candidates and an empty row that matches nothing,
1 the highest. `core.recall.ranking` weighs similarity against the other `PARTS`, each a number in [0, 1] as of the
moment that is asked about: what fades with time is computed here, never stored (SPEC 7).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from memoranda.core.base.checks import require
from memoranda.core.base.constraints import Kind
from memoranda.core.beliefs.decay import dimmed, worn
from memoranda.core.image.bm25 import idf
from memoranda.core.image.index import Index
from memoranda.core.recall.ranking_models import Linear, Model, Verdict
from memoranda.core.recall.search import Search, over_best
from memoranda.core.recall.signals import CONTEXT, WEIGHTS, Pool
from memoranda.core.rows.columns import Floats, Ints
from memoranda.core.rows.statements import ENTITY

SHARPNESS = 2
FEW = 20  # passages below which, without vectors, the rarity of a term says too little
JUDGED = 2  # the model judges at most this many times `Search.want` proposals, those with the best guesses

DAY, YEAR = 86_400.0, 365.0  # seconds, days
OFTEN = 20  # uses from which a memory counts as used as often as any
SMOOTH = 60  # what reciprocal rank fusion adds to each rank (Cormack and others, SIGIR 2009)
ORDERED = ("keyword", "vector", "entities", "time", "attribute", "records")  # the arms whose proposals are a ranking

Weights = Mapping[str, float]

#: The model used without a learned one.
PLAIN: Model = Linear(WEIGHTS)
#: The model for a question that names nothing but a time; it prefers what the user told then.
PLAIN_TIME: Model = Linear({"role_match": 0.5, "length_relative": 0.5, "is_question": -0.3})


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


def recency(at: NDArray[Any], now: float) -> NDArray[Any]:
    """1 - days/365, clamped to [0, 1] (SPEC 7); times are in seconds since 1970."""
    return np.clip(1.0 - (now - at) / DAY / YEAR, 0.0, 1.0)


def _since(found: Candidates, name: str, now: float) -> NDArray[Any]:
    """The time in a column, or that of the last use if this was later, and not after now."""
    used = found.pool.column("accessed")
    return np.asarray(np.maximum(found.pool.column(name), np.where(used <= now, used, 0.0)))


def _idle(found: Candidates, now: float) -> NDArray[Any]:
    """The days for which each record was neither written nor used; 0 for turns, which do not fade."""
    return np.maximum(now - _since(found, "written", now), 0.0) / DAY


def _confidence(found: Candidates, now: float) -> NDArray[Any]:
    known = found.pool.column("confidence")
    return np.where(found.pool.column("fades"), dimmed(known, _idle(found, now)), known)


def _fusion(found: Candidates, _: float) -> Floats:
    """Reciprocal rank fusion of what the arms proposed, over the best."""
    scores = found.pool.zeros
    for name in ORDERED:
        at = found.pool.places(found.arms.get(name, found.numbers[:0]))
        ranks = np.arange(1, len(at) + 1, dtype=np.float32)
        scores[at[at >= 0]] += 1 / (SMOOTH + ranks[at >= 0])
    return over_best(scores)


#: What may be weighed beside the similarity, given the candidates and the moment in seconds since 1970.
PARTS: Mapping[str, Callable[[Candidates, float], NDArray[Any]]] = MappingProxyType(
    {
        "recency": lambda found, now: recency(found.pool.column("at"), now),
        "last_use": lambda found, now: recency(_since(found, "at", now), now),
        "importance": lambda found, now: worn(found.pool.column("importance"), _idle(found, now)),
        "confidence": _confidence,
        "access_frequency": lambda found, _: np.minimum(found.pool.column("accesses") / OFTEN, 1.0),
        "entity_match": lambda found, _: found.named,
        "fusion": _fusion,
    }
)

#: The kinds of each stratum; facts have all others.
STRATA: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "episodic": frozenset({"turn", "observation", "log", "summary"}),
        "facts": frozenset(),
        "entities": frozenset({ENTITY}),
        "procedural": frozenset({"strategy", "tool_call", "outcome"}),
    }
)
WEIGHED = ("similarity", *PARTS, *STRATA)

#: Named weights, each of sum 1 (SPEC 8). Scores of different profiles do not compare.
PROFILES: Mapping[str, Weights] = MappingProxyType(
    {
        "balanced": MappingProxyType(
            {"similarity": 0.40, "recency": 0.25, "importance": 0.20, "access_frequency": 0.10, "entity_match": 0.05}
        ),
        "reinforced": MappingProxyType(
            {"similarity": 0.40, "last_use": 0.25, "importance": 0.20, "access_frequency": 0.10, "entity_match": 0.05}
        ),
        "relevance": MappingProxyType({"similarity": 1.0}),
        "strata": MappingProxyType(
            {"episodic": 0.30, "facts": 0.25, "entities": 0.20, "procedural": 0.15, "recency": 0.10}
        ),
        "rrf": MappingProxyType({"fusion": 1.0}),
    }
)


def check_profile(name: str, value: Any) -> str | Weights:
    """Return the name of a profile, or weights by name.

    Raises:
        InputError: it is neither.
    """
    wanted = f"one of {', '.join(PROFILES)}, or weights by name, of {', '.join(WEIGHED)}"
    if isinstance(value, str):
        require(value in PROFILES, name, value, wanted)
        return next(one for one in PROFILES if one == value)
    require(isinstance(value, Mapping) and value and all(one in WEIGHED for one in value), name, value, wanted)
    fits = all(isinstance(one, int | float) and not isinstance(one, bool) and 0 < one <= 1 for one in value.values())
    require(fits, name, value, "weights of more than 0, at most 1; leave out what weighs nothing")
    return dict(value)


_OWN: Mapping[str, Any] = {
    "type": "object",
    "properties": {name: {"type": "number", "exclusiveMinimum": 0, "maximum": 1} for name in WEIGHED},
    "required": [],
    "additionalProperties": False,
    "minProperties": 1,
}
#: How a ranking weighs: the name of a profile, or weights by name.
Weighing = Annotated[
    str | Weights, Kind(check_profile, (("anyOf", [{"type": "string", "enum": [*PROFILES]}, dict(_OWN)]),))
]


def weights_of(profile: str | Weights) -> Weights:
    """Return the weights of a profile, or weights given by name, scaled to the sum 1."""
    weights = PROFILES[profile] if isinstance(profile, str) else profile
    whole = sum(weights.values())
    return {name: weight / whole for name, weight in weights.items()}


def weighed(found: Candidates, weights: Weights, now: datetime) -> tuple[dict[str, Floats], Floats]:
    """Return the parts of the composite by name, and how much the similarity of each candidate weighs."""
    at = now.timestamp()
    parts = {
        name: np.asarray(weights[name] * part(found, at), np.float32) for name, part in PARTS.items() if name in weights
    }
    return parts, _of_similarity(found, weights)


def _of_similarity(found: Candidates, weights: Weights) -> Floats:
    kinds = found.pool.index.codes["kind"].names
    by_kind = [weights.get("similarity", 0.0) + weights.get(stratum_of(kind), 0.0) for kind in kinds]
    return np.asarray(np.array([*by_kind, 0.0], np.float32)[found.pool.column("kind")], np.float32)


def stratum_of(kind: str) -> str:
    """Return the stratum of what is of a kind."""
    return next((name for name, kinds in STRATA.items() if kind in kinds), "facts")
