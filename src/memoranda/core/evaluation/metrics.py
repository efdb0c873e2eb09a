"""Ranking metrics and confidence intervals: pure functions of labelled evidence.

A question has labels: things that must be found. A ranking is given by the labels that each of its items satisfies,
best first: a set, empty for an item that answers nothing. Several items may satisfy one label (a turn, and the record
read from it), and one item several labels.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

Hits = Sequence[frozenset[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A mean, and the bounds between which 95 % of its resamples lie."""

    mean: float
    low: float
    high: float


def precision(hits: Hits, places: int) -> float:
    """Return the share of the first `places` (at least 1) that satisfy a label; missing items satisfy none."""
    return sum(map(bool, hits[:places])) / places


def recall(hits: Hits, labels: int, places: int | None = None) -> float:
    """Return the share of the labels (at least 1) satisfied by the items in the first `places`, or by all items."""
    return len(frozenset().union(*hits[:places])) / labels


def reciprocal_rank(hits: Hits) -> float:
    """Return 1 over the rank of the first item that satisfies a label; 0 if none does."""
    return next((1 / place for place, hit in enumerate(hits, 1) if hit), 0.0)


def ndcg(hits: Hits, labels: int, places: int) -> float:
    """Return the normalised discounted cumulative gain of the first places.

    An item's gain is the number of its labels that no item above it satisfies, so that duplicates gain nothing,
    discounted by log2(rank + 1). The ideal is the best order of these gains, with an item of its own for each
    unsatisfied label.
    """
    gains: list[int] = []
    met: frozenset[Any] = frozenset()
    for hit in hits:
        gains.append(len(hit - met))
        met |= hit
    best = sorted([*gains, *[1] * (labels - len(met))], reverse=True)
    return _discounted(gains[:places]) / _discounted(best[:places])


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(place + 2) for place, gain in enumerate(gains))


def means(rows: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of each figure over the rows that have it, in the order in which figures appear."""
    found: dict[str, list[float]] = {}
    for row in rows:
        for name, value in row.items():
            found.setdefault(name, []).append(value)
    return {name: fmean(values) for name, values in found.items()}


def bootstrap(values: Sequence[float], samples: NDArray[np.integer[Any]]) -> Interval:
    """Return the mean of some values (at least one) with its bootstrap interval.

    Args:
        values: one per question. The differences of two systems on the same questions make the interval a paired one.
        samples: one row per resample: as many positions in `values` as it has, drawn with replacement.
    """
    numbers = np.asarray(values, np.float64)
    low, high = np.percentile(numbers[samples].mean(axis=1), (2.5, 97.5))
    return Interval(mean=float(numbers.mean()), low=float(low), high=float(high))
