import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.core.evaluation.metrics import bootstrap, means, ndcg, precision, recall, reciprocal_rank

NOTHING, A, B, BOTH = frozenset[int](), frozenset({0}), frozenset({1}), frozenset({0, 1})
HITS = st.lists(st.frozensets(st.integers(0, 3)), max_size=8)


def test_precision_counts_places_and_an_empty_place_holds_nothing() -> None:
    assert precision([A, A, NOTHING, B, B, B], 5) == 0.8
    assert precision([A], 5) == 0.2
    assert precision([], 5) == 0.0


def test_recall_counts_labels_once() -> None:
    hits = [NOTHING, A, A, B]
    assert [recall(hits, 4, places) for places in (1, 2, 3, 4, None)] == [0.0, 0.25, 0.25, 0.5, 0.5]
    assert recall([], 2) == 0.0


def test_the_reciprocal_rank_is_of_the_first_that_answers() -> None:
    assert reciprocal_rank([NOTHING, B, A]) == 0.5
    assert reciprocal_rank([NOTHING]) == reciprocal_rank([]) == 0.0


def test_ndcg_is_discounted_and_gains_nothing_from_repetition() -> None:
    second, third = 1 / math.log2(3), 1 / math.log2(4)
    assert ndcg([A, B], 2, 5) == ndcg([BOTH], 2, 5) == 1.0
    assert ndcg([A, A, B], 2, 5) == pytest.approx((1 + third) / (1 + second))
    assert ndcg([A], 2, 5) == pytest.approx(1 / (1 + second))
    assert ndcg([A, NOTHING], 2, 1) == 1.0
    assert ndcg([NOTHING, A], 1, 1) == ndcg([], 1, 5) == 0.0


@given(HITS, st.integers(4, 6), st.integers(1, 9))
def test_every_measure_is_a_share(hits: list[frozenset[int]], labels: int, places: int) -> None:
    measured = [
        precision(hits, places),
        recall(hits, labels, places),
        reciprocal_rank(hits),
        ndcg(hits, labels, places),
    ]
    assert all(0.0 <= value <= 1.0 + 1e-12 for value in measured)


@given(HITS, st.integers(4, 6), st.integers(1, 9))
def test_what_answers_nothing_put_last_never_harms(hits: list[frozenset[int]], labels: int, places: int) -> None:
    assert ndcg([*hits, NOTHING], labels, places) == pytest.approx(ndcg(hits, labels, places))
    assert ndcg([NOTHING, *hits], labels, places) <= ndcg(hits, labels, places) + 1e-12


def test_a_mean_is_over_the_rows_that_have_the_figure() -> None:
    assert means([{"a": 1.0}, {"a": 0.0, "b": 0.5}]) == {"a": 0.5, "b": 0.5}
    assert means([]) == {}


def test_the_interval_holds_95_percent_of_the_resamples() -> None:
    samples = np.random.default_rng(1).integers(400, size=(2_000, 400))
    values = np.random.default_rng(2).normal(0.3, 1.0, 400).tolist()
    found = bootstrap(values, samples)
    assert found.mean == pytest.approx(float(np.mean(values)))
    error = float(np.std(values)) / math.sqrt(400)
    assert (found.mean - found.low, found.high - found.mean) == (
        pytest.approx(1.96 * error, rel=0.1),
        pytest.approx(1.96 * error, rel=0.1),
    )


def test_what_never_differs_has_no_width() -> None:
    found = bootstrap([0.25] * 3, np.array([[0, 1, 1], [2, 2, 0]]))
    assert (found.low, found.mean, found.high) == (0.25, 0.25, 0.25)
