import math

import numpy as np
import pytest
from evals.baselines import BM25, by_cosine, fused
from evals.metrics import budgeted, means, percentile, precision_recall_f1, ranked, spearman
from hypothesis import given
from hypothesis import strategies as st


def test_recall_counts_the_evidence_found_and_hit_whether_there_was_any():
    figures = ranked(["x", "a", "y", "z", "w", "b"], frozenset("ab"))
    assert (figures["R@1"], figures["R@5"], figures["R@10"]) == (0.0, 0.5, 1.0)
    assert (figures["Hit@1"], figures["Hit@5"]) == (0.0, 1.0)
    assert figures["MRR"] == 0.5


def test_ndcg_discounts_by_rank_against_the_best_order():
    found = 1 / math.log2(3) + 1 / math.log2(7)
    assert ranked(["x", "a", "y", "z", "w", "b"], frozenset("ab"))["NDCG@10"] == pytest.approx(
        found / (1 + 1 / math.log2(3))
    )


def test_evidence_that_is_not_ranked_scores_nothing():
    assert set(ranked(["x"], frozenset("a")).values()) == {0.0}


def test_a_budget_ends_before_the_item_that_exceeds_it():
    figures = budgeted(["a", "b", "c"], [400, 100, 600], frozenset("abc"))
    assert figures == {
        "R<=500t": pytest.approx(2 / 3),
        "R<=1000t": pytest.approx(2 / 3),
        "R<=2000t": 1.0,
        "R<=4000t": 1.0,
    }


def test_means_are_taken_figure_by_figure():
    assert means([{"a": 1.0, "b": 0.0}, {"a": 0.0, "b": 0.0}]) == {"a": 0.5, "b": 0.0}
    assert means([]) == {}


def test_a_percentile_of_nothing_is_no_number():
    assert math.isnan(percentile([], 50))
    assert percentile([1.0, 2.0, 3.0], 50) == 2.0


def test_f1_is_the_harmonic_mean():
    guessed, true = np.array([True, True, False, False]), np.array([True, False, True, True])
    assert precision_recall_f1(guessed, true) == {
        "precision": 0.5,
        "recall": pytest.approx(1 / 3),
        "F1": pytest.approx(0.4),
    }
    assert precision_recall_f1(np.zeros(4, np.bool_), true)["F1"] == 0.0


def test_spearman_shares_ranks_among_equals():
    assert spearman(np.array([1.0, 2.0, 2.0, 9.0]), np.array([5.0, 6.0, 6.0, 7.0])) == pytest.approx(1.0)
    assert spearman(np.array([1.0, 2.0, 3.0]), np.array([3.0, 2.0, 1.0])) == pytest.approx(-1.0)
    assert spearman(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 1.0, 2.0, 2.0])) == pytest.approx(2 / math.sqrt(5))


@given(st.lists(st.sampled_from("abcdefgh"), unique=True), st.frozensets(st.sampled_from("abcdefgh"), min_size=1))
def test_every_figure_of_a_ranking_is_a_share_and_recall_grows_with_the_cut(ranking: list[str], gold: frozenset[str]):
    figures = ranked(ranking, gold)
    assert all(0.0 <= value <= 1.0 + 1e-12 for value in figures.values())
    assert figures["R@1"] <= figures["R@5"] <= figures["R@10"] <= figures["R@20"]
    assert figures["R@20"] == len(gold.intersection(ranking)) / len(gold)


def test_bm25_prefers_rare_terms_and_short_documents_and_leaves_out_the_rest():
    bm25 = BM25([["tea", "milk"], ["tea"], ["tea", "cup", "big", "blue"], ["sun"]])
    assert bm25.ranking(["tea"]) == [1, 0, 2]
    assert bm25.ranking(["tea", "cup"])[0] == 2
    assert bm25.ranking(["moon"]) == []


def test_cosine_ranks_the_nearest_first_and_equals_in_order():
    vectors = np.array([[0, 1], [1, 0], [1, 0]], np.float32)
    assert by_cosine(vectors, np.array([1, 0], np.float32)) == [1, 2, 0]


def test_fusion_adds_what_each_rank_is_worth() -> None:
    assert fused([3, 1, 2], [1, 3]) == [1, 3, 2]
    assert fused([5], [7, 5]) == [5, 7]
    assert fused() == []
