"""Small relevance models given as data: a weighted sum, boosted trees, and experts for two kinds of memory.

Each reports the contribution of every signal.

The trees are evaluated without a walk (after QuickScorer: Lucchese et al., SIGIR 2015): a tree's leaves are bits, a
node whose test fails clears the leaves on its left, and the lowest bit left is the leaf reached. What all nodes on
one signal clear together depends only on which thresholds the value lies between, so it is looked up for all trees
at once: one gather per signal.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from memoranda.core.rows.columns import Floats
from memoranda.errors import SetupError

LEAVES = 16  # at most, of one tree: the bits of a word
Bits = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A model's result for rows of signal values.

    Attributes:
        scores: one per row, any range.
        parts: the contribution of each signal to some rows, given by their positions; those of a row sum to its score
            up to a constant.
    """

    scores: Floats
    parts: Callable[[Sequence[int]], Floats]


class Model(Protocol):
    """A model that judges candidates by their signals."""

    signals: tuple[str, ...]

    def judge(self, values: Floats) -> Verdict:
        """Judge rows of values, one column per signal."""
        ...


class Linear:
    """A weighted sum; its parts are the summands."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        self.signals = tuple(weights)
        self._weights = np.array(list(weights.values()), np.float32)

    def judge(self, values: Floats) -> Verdict:
        """Return the weighted sums."""
        return Verdict(values @ self._weights, lambda rows: values[rows] * self._weights)


class Trees:
    """Boosted regression trees.

    Args:
        data: "signals", their names; "trees", each of [signals of its nodes, thresholds, left, right, values of its
            leaves], where a child below 0 is leaf -1 - child, and a row goes left if its value is at most the
            threshold; "weights", optional, of signals by name, for a weighted sum that is part of the score.

    Raises:
        SetupError: `data` is not such a model.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        try:
            self.signals: tuple[str, ...] = tuple(data["signals"])
            trees = [_Tree(len(self.signals), *tree) for tree in data["trees"]]
            self._weights = np.zeros(len(self.signals), np.float32)
            for name, weight in data.get("weights", {}).items():
                self._weights[self.signals.index(name)] = weight
        except (KeyError, TypeError, AttributeError, IndexError, ValueError, RecursionError) as error:
            raise SetupError(f"This is no ranking model: {error!r}. Make one with `python -m evals learn`.") from error
        self._first = np.arange(len(trees)) * LEAVES
        self._values = np.array([tree.values for tree in trees], np.float32).reshape(-1)
        self._parts = np.array([tree.parts for tree in trees], np.float32).reshape(-1, len(self.signals))
        self._tables = [_table(trees, signal) for signal in range(len(self.signals))]
        bits = np.arange(1 << LEAVES)
        self._lowest = np.log2(np.maximum(bits & -bits, 1)).astype(np.uint8)

    def judge(self, values: Floats) -> Verdict:
        """Return the sums of the leaves reached and of the weighted signals.

        A signal's part is the sum, over the nodes that test it, of the change in the mean of the leaves below.
        """
        leaves = self._reached(values)

        def parts(rows: Sequence[int]) -> Floats:
            trees = np.einsum("rts->rs", self._parts[leaves[rows]])
            return np.asarray(trees + values[rows] * self._weights, np.float32)

        return Verdict(np.asarray(self._values[leaves].sum(axis=1) + values @ self._weights, np.float32), parts)

    def _reached(self, values: Floats) -> NDArray[np.intp]:
        """Return the leaf that each row reaches in each tree, numbered across all trees; shape (rows, trees)."""
        left: Bits = np.full((len(values), len(self._first)), (1 << LEAVES) - 1, np.uint16)
        rest = np.empty_like(left)
        for column, (thresholds, table) in zip(values.T, self._tables, strict=True):
            if len(thresholds):
                left &= table.take(thresholds.searchsorted(column), axis=0, out=rest, mode="clip")  # clip: unbuffered
        return np.asarray(self._lowest[left] + self._first, np.intp)


class Experts:
    """Two models on the same signals, mixed by a signal: 0 for the first only, 1 for the second only.

    Args:
        data: "signals"; "experts", two of what `Trees` takes, without the signals; "share", the name of the mixing
            signal, which is the same for all rows.

    Raises:
        SetupError: `data` is not such a model.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        try:
            first, second = (Trees({**expert, "signals": data["signals"]}) for expert in data["experts"])
            self._share = data["signals"].index(data["share"])
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise SetupError(f"This is no ranking model: {error!r}. Make one with `python -m evals learn`.") from error
        self.signals = first.signals
        self._experts = first, second

    def judge(self, values: Floats) -> Verdict:
        """Return the weighted verdicts of both; one of weight 0 is not computed."""
        share = float(values[0, self._share]) if len(values) else 0.0
        found = [
            (weight, expert.judge(values))
            for weight, expert in zip((1 - share, share), self._experts, strict=True)
            if weight
        ]

        def parts(rows: Sequence[int]) -> Floats:
            return np.asarray(sum(weight * verdict.parts(rows) for weight, verdict in found), np.float32)

        return Verdict(np.asarray(sum(weight * verdict.scores for weight, verdict in found), np.float32), parts)


class _Tree:
    """One tree: the leaves from left to right, and the leaves that each failed test clears.

    Attributes:
        strikes: per node, its signal, its threshold and the leaves that remain if the value is above it.
        values: of the leaves.
        parts: the contribution of each signal on the path to each leaf.
    """

    def __init__(
        self,
        signals: int,
        split: Sequence[int],
        thresholds: Sequence[float],
        left: Sequence[int],
        right: Sequence[int],
        leaves: Sequence[float],
    ) -> None:
        if not len(split) == len(thresholds) == len(left) == len(right) == len(leaves) - 1 < LEAVES:
            raise ValueError("a tree has one leaf more than nodes, and no more than 16")
        self._children = split, left, right
        self._leaves = leaves
        self.strikes: list[tuple[int, np.float32, int]] = []
        self.values = np.zeros(LEAVES)
        self.parts = np.zeros((LEAVES, signals))
        self._thresholds = thresholds
        self._count = 0
        self._descend(0 if split else -1, np.zeros(signals))

    def _mean(self, node: int) -> float:
        if node < 0:
            return float(self._leaves[-1 - node])
        _, left, right = self._children
        return (self._mean(left[node]) + self._mean(right[node])) / 2

    def _descend(self, node: int, given: NDArray[np.float64]) -> None:
        if node < 0:
            self.values[self._count] = self._mean(node)
            self.parts[self._count] = given
            self._count += 1
            return
        split, left, right = self._children
        here, first = self._mean(node), self._count
        for child in (left[node], right[node]):
            step = given.copy()
            step[split[node]] += self._mean(child) - here
            self._descend(child, step)
            if child == left[node]:
                struck = (1 << self._count) - (1 << first)
                self.strikes.append((split[node], np.float32(self._thresholds[node]), (1 << LEAVES) - 1 - struck))


def _table(trees: Sequence[_Tree], signal: int) -> tuple[Floats, Bits]:
    """Return the thresholds on a signal, and for each interval between them the remaining leaves of every tree."""
    strikes = [
        (limit, number, rest) for number, tree in enumerate(trees) for on, limit, rest in tree.strikes if on == signal
    ]
    thresholds = np.unique(np.array([limit for limit, _, _ in strikes], np.float32))
    table: Bits = np.full((len(thresholds) + 1, len(trees)), (1 << LEAVES) - 1, np.uint16)
    for limit, number, rest in strikes:
        table[int(np.searchsorted(thresholds, limit)) + 1 :, number] &= np.uint16(rest)
    return thresholds, table
