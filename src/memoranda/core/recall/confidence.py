"""Confidence: how likely a memory bears on a question, on one scale for all questions, so that an answer can end.

A ranking says which memory is nearer, not whether any is near. Confidence is a probability, calibrated by logistic
regressions (`python -m evals confidence`) on questions of which every memory that bears on them is known, some with
none. It comes in two steps. What the search measured gives a first, weak one; a model that read the question and the
memory together, where there is one, adds what it found (decision 66).
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from memoranda.core.recall.scoring import Candidates
from memoranda.core.rows.columns import Floats

#: Divides a text from what was said before it, where the local reranker is given both.
SAID_BEFORE = "\x1e"
SHORT = 120  # bytes of UTF-8: about twenty words in any script
OF_THE_TIME = 0.9  # the confidence of what was said in a time, where nothing else is asked for
_LEAST = 1e-4  # confidence is kept this far from 0 and 1

Weights = Mapping[str, float]

#: The weights of what was measured, by what there was to measure with, and of what a judge adds, for each reranker that
#: was calibrated as one. `base` stands alone.
BY_VECTORS: Weights = MappingProxyType(
    {
        "base": -3.491,
        "cosine": 1.67,
        "coverage": -0.321,
        "behind": 0.25,
        "similarity": 1.752,
        "attributed": 0.851,
        "assistant": -1.741,
        "question": -0.741,
    }
)
BY_WORDS: Weights = MappingProxyType(
    {
        "base": -3.0,
        "coverage": 2.0,
        "behind": 0.0,
        "similarity": 0.0,
        "attributed": 0.0,
        "assistant": 0.0,
        "question": 0.0,
    }
)
JUDGES: Mapping[str, Weights] = MappingProxyType(
    {"local/relevance@1": MappingProxyType({"base": -0.82, "judged": 0.65, "best": 0.59, "measured": 1.0})}
)
#: The confidence at which an answer ends: judged, by vectors and words, and by words alone.
ENDS: Mapping[str, float] = MappingProxyType({"judged": 0.04, "vectors": 0.05, "words": 0.05})


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
        "assistant": candidates.pool.signal("assistant"),
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


def says_little(text: str, before: str) -> bool:
    """Whether a turn is understood only after the one before it: it is short, or that one asks something."""
    return bool(before) and (len(text.encode()) <= SHORT or before.rstrip().endswith(("?", "？")))
