"""The trees against a walk from node to node."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.core.recall.ranking_models import LEAVES, Experts, Linear, Trees
from memoranda.errors import SetupError

SIGNALS = ["keyword", "vector", "length"]
LIMITS = st.sampled_from([0.0, 0.25, 0.5, 0.75])
VALUES = st.lists(st.lists(st.sampled_from([-1.0, 0.0, 0.2, 0.25, 0.5, 0.6, 0.9]), min_size=3, max_size=3), max_size=5)


@st.composite
def trees(draw: st.DrawFn) -> list[Any]:
    """A tree grown by splitting one leaf after another, as boosting grows them."""
    split: list[int] = []
    limits: list[float] = []
    left: list[int] = []
    right: list[int] = []
    leaves = 1
    where: dict[int, tuple[list[int], int] | None] = {0: None}
    for node in range(draw(st.integers(0, LEAVES - 1))):
        leaf = draw(st.integers(0, leaves - 1))
        split.append(draw(st.integers(0, 2)))
        limits.append(draw(LIMITS))
        parent = where[leaf]
        if parent:
            parent[0][parent[1]] = node
        left.append(-1 - leaf)
        right.append(-1 - leaves)
        where[leaf], where[leaves] = (left, node), (right, node)
        leaves += 1
    return [split, limits, left, right, draw(st.lists(st.integers(-8, 8), min_size=leaves, max_size=leaves))]


def walked(tree: list[Any], row: list[float]) -> float:
    split, limits, left, right, leaves = tree
    node = 0 if split else -1
    while node >= 0:
        node = left[node] if np.float32(row[split[node]]) <= np.float32(limits[node]) else right[node]
    return float(leaves[-1 - node])


@given(st.lists(trees(), max_size=4), VALUES)
def test_the_leaves_reached_are_those_of_a_walk(forest: list[Any], rows: list[list[float]]) -> None:
    model = Trees({"signals": SIGNALS, "trees": forest})
    values = np.array(rows, np.float32).reshape(-1, 3)
    assert model.judge(values).scores.tolist() == [sum(walked(tree, row) for tree in forest) for row in rows]


@given(st.lists(trees(), max_size=4), VALUES)
def test_the_parts_sum_to_the_score_but_for_a_constant(forest: list[Any], rows: list[list[float]]) -> None:
    model = Trees({"signals": SIGNALS, "trees": forest})
    values = np.array(rows, np.float32).reshape(-1, 3)
    verdict = model.judge(values)
    rest = verdict.scores - verdict.parts(range(len(rows))).sum(axis=1)
    assert np.allclose(rest, rest[:1], atol=1e-4)


def test_a_part_goes_to_the_signal_that_was_tested() -> None:
    tree = [[1, 0], [0.5, 0.5], [-1, -2], [1, -3], [0.0, 1.0, 3.0]]
    model = Trees({"signals": SIGNALS, "trees": [tree]})
    values = np.array([[0, 0, 0], [0, 1, 0], [1, 1, 0]], np.float32)
    assert model.judge(values).scores.tolist() == [0.0, 1.0, 3.0]
    assert model.judge(values).parts(range(len(values))).tolist() == [[0, -1, 0], [-1, 1, 0], [1, 1, 0]]


TOO_LARGE = [[0] * 16, [0.5] * 16, [-1] * 16, [-2] * 16, [0.0] * 17]


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"signals": SIGNALS},
        {"signals": 7, "trees": []},
        {"signals": SIGNALS, "trees": [[]]},
        {"signals": SIGNALS, "trees": [[[0], [0.5], [-1], [-2], [1.0]]]},
        {"signals": SIGNALS, "trees": [[[9], [0.5], [-1], [-2], [1.0, 2.0]]]},
        {"signals": SIGNALS, "trees": [[[0], ["high"], [-1], [-2], [1.0, 2.0]]]},
        {"signals": SIGNALS, "trees": [[[0], [0.5], [0], [-2], [1.0, 2.0]]]},
        {"signals": SIGNALS, "trees": [TOO_LARGE]},
        {"signals": SIGNALS, "trees": [], "weights": [1.0, 1.0, 1.0]},
    ],
)
def test_what_is_no_model_is_refused(data: Any) -> None:
    with pytest.raises(SetupError, match="This is no ranking model"):
        Trees(data)


SPLIT = [[0], [0.5], [-1], [-2], [1.0, 3.0]]


def test_weights_are_added_to_the_leaves() -> None:
    model = Trees({"signals": SIGNALS, "trees": [SPLIT], "weights": {"keyword": 0.5, "vector": 2.0}})
    values = np.array([[0, 1, 7], [1, 0, 7]], np.float32)
    assert model.judge(values).scores.tolist() == [3.0, 3.5]
    assert model.judge(values).parts(range(2)).tolist() == [[-1, 2, 0], [1.5, 0, 0]]


@pytest.mark.parametrize(("share", "scores"), [(0.0, [1.0, 3.0]), (0.25, [1.0, 2.5]), (1.0, [1.0, 1.0])])
def test_experts_count_by_the_share_that_a_signal_tells(share: float, scores: list[float]) -> None:
    experts = [{"trees": [SPLIT]}, {"trees": [], "weights": {"vector": 1.0}}]
    model = Experts({"signals": SIGNALS, "share": "length", "experts": experts})
    values = np.array([[0, 1, share], [1, 1, share]], np.float32)
    verdict = model.judge(values)
    assert verdict.scores.tolist() == scores
    assert np.ptp(verdict.scores - verdict.parts(range(2)).sum(axis=1)) == pytest.approx(0)
    assert model.judge(values[:0]).scores.tolist() == []


EXPERTS = {"signals": SIGNALS, "share": "length", "experts": [{"trees": []}, {"trees": []}]}


@pytest.mark.parametrize(
    "data",
    [
        {},
        [],
        {**EXPERTS, "share": "luck"},
        {**EXPERTS, "experts": [{"trees": []}]},
        {**EXPERTS, "experts": [{"trees": []}, 7]},
        {**EXPERTS, "experts": [{"trees": []}, {"trees": [], "weights": {"luck": 1.0}}]},
        {**EXPERTS, "signals": 7},
    ],
)
def test_what_are_no_experts_is_refused(data: Any) -> None:
    with pytest.raises(SetupError, match="This is no ranking model"):
        Experts(data)


def test_a_weighted_sum_and_its_summands() -> None:
    model = Linear({"keyword": 2.0, "vector": -1.0})
    values = np.array([[1, 0], [0.5, 1]], np.float32)
    assert model.signals == ("keyword", "vector")
    assert model.judge(values).scores.tolist() == [2.0, 0.0]
    assert model.judge(values).parts(range(len(values))).tolist() == [[2.0, 0.0], [1.0, -1.0]]
