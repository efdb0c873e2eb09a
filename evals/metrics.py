"""Metrics. Every figure is a mean over questions, each computed from labelled evidence alone.

R@k      share of the question's evidence among the first k items (recall in the strict sense)
Hit@k    1 if any of its evidence is among the first k (what most published "R@5" figures mean)
MRR      1 / rank of the first evidence in the ranking, 0 if there is none
NDCG@10  binary gains, discounted by log2(rank + 1), divided by those of the best possible order
R<=Bt    share of the evidence in the ranking, cut before its items exceed B tokens

The ranking metrics are those of `memoranda.core.evaluation.metrics`, which `memoranda eval` reports too.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memoranda.core.evaluation.metrics import means, ndcg, recall, reciprocal_rank

CUTS = (1, 5, 10, 20)
BUDGETS = (500, 1000, 2000, 4000)
GAINED = 10


def ranked(ranking: Sequence[str], gold: frozenset[str]) -> dict[str, float]:
    """Return R@k, Hit@k, MRR and NDCG@10 of one ranking without duplicates."""
    hits = [gold & {item} for item in ranking]
    figures: dict[str, float] = {}
    for cut in CUTS:
        figures[f"R@{cut}"] = recall(hits, len(gold), cut)
        figures[f"Hit@{cut}"] = float(any(hits[:cut]))
    return figures | {"MRR": reciprocal_rank(hits), f"NDCG@{GAINED}": ndcg(hits, len(gold), GAINED)}


def budgeted(ranking: Sequence[str], tokens: Sequence[int], gold: frozenset[str]) -> dict[str, float]:
    """Return R<=Bt of one ranking; `tokens` are the lengths of its items."""
    hits = [gold & {item} for item in ranking]
    ends = np.cumsum(np.asarray(tokens, np.int64))
    return {
        f"R<={budget}t": recall(hits, len(gold), int(np.searchsorted(ends, budget, side="right"))) for budget in BUDGETS
    }


def percentile(values: Sequence[float], share: float) -> float:
    """Return the `share`-th percentile of `values`; NaN if there are none."""
    return float(np.percentile(values, share)) if len(values) else math.nan


def precision_recall_f1(guessed: NDArray[np.bool_], true: NDArray[np.bool_]) -> dict[str, float]:
    """Return precision, recall and their harmonic mean, F1."""
    hits = int((guessed & true).sum())
    precision = hits / int(guessed.sum()) if guessed.any() else 0.0
    recalled = hits / int(true.sum()) if true.any() else 0.0
    both = precision + recalled
    return {"precision": precision, "recall": recalled, "F1": 2 * precision * recalled / both if both else 0.0}


def spearman(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Return Spearman's rank correlation; equal values get their mean rank."""
    return float(np.corrcoef(_ranks(a), _ranks(b))[0, 1])


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    _, group, sizes = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(sizes)
    return np.asarray((ends - (sizes - 1) / 2)[group], np.float64)


__all__ = ["BUDGETS", "CUTS", "budgeted", "means", "percentile", "precision_recall_f1", "ranked", "spearman"]
