"""What is measured of a ranking, and how sure a mean is: pure functions of labelled evidence.

A question has labels: things that must be found. A ranking is given by what each of its items satisfies, best first:
a set of labels, empty for an item that answers nothing. Several items may satisfy one label (a turn, and the record
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
    """Share of so many places, at least one, that hold an item which satisfies a label; an empty place holds none."""
    return sum(map(bool, hits[:places])) / places


def recall(hits: Hits, labels: int, places: int | None = None) -> float:
    """Share of the labels, at least one, that the items in the first places (or in all) satisfy."""
    return len(frozenset().union(*hits[:places])) / labels


def reciprocal_rank(hits: Hits) -> float:
    """1 over the rank of the first item that satisfies a label; 0 if none does."""
    return next((1 / place for place, hit in enumerate(hits, 1) if hit), 0.0)


def ndcg(hits: Hits, labels: int, places: int) -> float:
    """Normalised discounted cumulative gain of the first places.

    An item gains the labels that nothing above it satisfies, so that saying the same twice gains nothing, discounted by
    log2(rank + 1). The norm is the best order of these gains, with an item of its own for each label not satisfied.
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
    """The mean of each figure over the rows that have it, in the order in which figures appear."""
    found: dict[str, list[float]] = {}
    for row in rows:
        for name, value in row.items():
            found.setdefault(name, []).append(value)
    return {name: fmean(values) for name, values in found.items()}


def bootstrap(values: Sequence[float], samples: NDArray[np.integer[Any]]) -> Interval:
    """The mean of some values, at least one, and how far it may be off.

    Args:
        values: one per question. The differences of two systems on the same questions make the interval a paired one.
        samples: a row per resample: as many places of `values` as it has, drawn with replacement.
    """
    numbers = np.asarray(values, np.float64)
    low, high = np.percentile(numbers[samples].mean(axis=1), (2.5, 97.5))
    return Interval(mean=float(numbers.mean()), low=float(low), high=float(high))
