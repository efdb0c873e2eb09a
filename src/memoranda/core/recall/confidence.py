"""Confidence: how likely a memory bears on a question, on one scale for all questions, so that an answer can end.

A ranking says which memory is nearer, not whether any is near. Confidence is a probability, calibrated by logistic
regressions (`python -m evals confidence`) on questions of which every memory that bears on them is known, some with
none. It comes in two steps. What the search measured gives a first, weak one; a model that read the question and the
memory together, where there is one, adds what it found (decision 66).
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from memoranda.core.recall.scoring import Candidates
from memoranda.core.rows.columns import Floats

OF_THE_TIME = 0.9  # the confidence of what was said in a time, where nothing else is asked for
_LEAST = 1e-4  # confidence is kept this far from 0 and 1

Weights = Mapping[str, float]

#: The weights of what was measured, by what there was to measure with, and of what a judge adds, for each reranker that
#: was calibrated as one. `base` stands alone.
BY_VECTORS: Weights = MappingProxyType(
    {
        "base": -5.292, "cosine": 2.11, "coverage": 0.022, "behind": -0.021, "similarity": 1.603, "attributed": 0.804,
        "role_match": 1.639, "question": -0.807,
    }
)  # fmt: skip
BY_WORDS: Weights = MappingProxyType(
    {
        "base": -4.628, "coverage": 0.187, "behind": 0.139, "similarity": 1.535, "attributed": 0.868,
        "role_match": 1.646, "question": -0.616,
    }
)  # fmt: skip
JUDGES: Mapping[str, Weights] = MappingProxyType(
    {"local/relevance@1": MappingProxyType({"base": -0.756, "judged": 0.706, "best": 0.51, "measured": 1.074})}
)


class End(NamedTuple):
    """Where an answer ends: the least confidence of a memory in it, and of its surest one, or there is none."""

    each: float
    surest: float


#: By what confidence rests on. Where these were fitted, at least 94 % of what bears on a question is as sure as `each`,
#: and at most one in twenty questions that something bears on has nothing as sure as `surest`.
ENDS: Mapping[str, End] = MappingProxyType(
    {"judged": End(0.04, 0.1), "vectors": End(0.03, 0.15), "words": End(0.03, 0.15)}
)


def signals(candidates: Candidates) -> dict[str, Floats]:
    """What tells, of each candidate, whether it bears on the question."""
    index, numbers = candidates.pool.index, candidates.numbers
    near = candidates.coverage + candidates.cosine
    return {
        "cosine": candidates.cosine,
        "coverage": candidates.coverage,
        "behind": near.max(initial=0.0) - near,
        "similarity": candidates.similarity,
        "attributed": candidates.attributed,
        "role_match": candidates.pool.signal("role_match"),
        "question": np.asarray(index.columns["question"][numbers], np.float32),
    }


def measured(candidates: Candidates, *, embedded: bool, only_time: bool) -> Floats:
    """The confidence of each candidate by what the search measured; if only a time is asked for, all of it answers."""
    if only_time:
        return np.full(len(candidates.numbers), OF_THE_TIME, np.float32)
    return _sure(_weighed(BY_VECTORS if embedded else BY_WORDS, signals(candidates)))


def judgements(scores: Sequence[float], before: Sequence[float]) -> dict[str, Floats]:
    """What tells, once a judge scored memories whose confidence was `before`."""
    judged, first = _logit(np.asarray(scores, np.float32)), _logit(np.asarray(before, np.float32))
    return {"judged": judged, "best": np.full_like(judged, judged.max(initial=-10.0)), "measured": first}


def judged(judge: str, scores: Sequence[float], before: Sequence[float]) -> list[float]:
    """The confidence of memories, in one answer, that a judge gave `scores` and whose confidence was `before`."""
    return [round(one, 4) for one in _sure(_weighed(JUDGES[judge], judgements(scores, before))).tolist()]


def _weighed(weights: Weights, values: Mapping[str, Floats]) -> Floats:
    parts = [np.float32(weight) * values[name] for name, weight in weights.items() if name != "base"]
    return np.asarray(sum(parts, np.float32(weights["base"])), np.float32)


def _sure(logits: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-logits)), np.float32).clip(_LEAST, 1 - _LEAST)


def _logit(sure: Floats) -> Floats:
    kept = sure.clip(_LEAST, 1 - _LEAST)
    return np.asarray(np.log(kept / (1 - kept)), np.float32)
