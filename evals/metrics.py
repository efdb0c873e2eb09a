"""What is measured. Every figure is a mean over questions, each computed from labelled evidence alone.

R@k      share of the question's evidence among the first k items (the strict reading)
Hit@k    1 if any of its evidence is among the first k (what most published "R@5" mean)
MRR      1 / rank of the first evidence within the ranking, 0 if it is not there
NDCG@10  binary gains, discounted by log2(rank + 1), over the best possible order
R<=Bt    share of the evidence in the ranking cut where its items first exceed B tokens
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

CUTS = (1, 5, 10, 20)
BUDGETS = (500, 1000, 2000, 4000)
GAINED = 10


def ranked(ranking: Sequence[str], gold: frozenset[str]) -> dict[str, float]:
    """R@k, Hit@k, MRR and NDCG@10 of one ranking without repetitions."""
    places = [place for place, item in enumerate(ranking) if item in gold]
    figures: dict[str, float] = {}
    for cut in CUTS:
        inside = sum(place < cut for place in places)
        figures[f"R@{cut}"] = inside / len(gold)
        figures[f"Hit@{cut}"] = float(inside > 0)
    figures["MRR"] = 1 / (places[0] + 1) if places else 0.0
    best = sum(_gain(place) for place in range(min(GAINED, len(gold))))
    figures[f"NDCG@{GAINED}"] = sum(_gain(place) for place in places if place < GAINED) / best
    return figures


def _gain(place: int) -> float:
    return 1 / math.log2(place + 2)


def budgeted(ranking: Sequence[str], tokens: Sequence[int], gold: frozenset[str]) -> dict[str, float]:
    """R<=Bt of one ranking whose items have these lengths."""
    ends = np.cumsum(np.asarray(tokens, np.int64))
    figures = {}
    for budget in BUDGETS:
        fitting = ranking[: int(np.searchsorted(ends, budget, side="right"))]
        figures[f"R<={budget}t"] = len(gold.intersection(fitting)) / len(gold)
    return figures


def means(rows: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each figure; every row has the same ones."""
    found = list(rows)
    return {name: fmean(row[name] for row in found) for name in found[0]} if found else {}


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` percent of `values` lie; not a number without any."""
    return float(np.percentile(values, share)) if len(values) else math.nan


def precision_recall_f1(guessed: NDArray[np.bool_], true: NDArray[np.bool_]) -> dict[str, float]:
    """Of what was guessed, the share that is true; of what is true, the share that was guessed; their harmonic mean."""
    hits = int((guessed & true).sum())
    precision = hits / int(guessed.sum()) if guessed.any() else 0.0
    recall = hits / int(true.sum()) if true.any() else 0.0
    both = precision + recall
    return {"precision": precision, "recall": recall, "F1": 2 * precision * recall / both if both else 0.0}


def spearman(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Rank correlation, equal values sharing their mean rank."""
    return float(np.corrcoef(_ranks(a), _ranks(b))[0, 1])


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    _, group, sizes = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(sizes)
    return np.asarray((ends - (sizes - 1) / 2)[group], np.float64)
