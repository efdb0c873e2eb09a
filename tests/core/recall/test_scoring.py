from collections.abc import Mapping

import numpy as np
import pytest

from core.searching import candidates, index_of, search
from memoranda.core.image.index import Index
from memoranda.core.recall.ranking_models import Linear
from memoranda.core.recall.scoring import coverage
from memoranda.core.recall.search import Question
from memoranda.core.recall.signals import CONTEXT, SIGNALS, WEIGHTS


def test_the_union_is_judged_by_the_model_given() -> None:
    index = index_of("crab", "crab boat pier", "tide")
    sought = search(index, Question(terms=("crab",)))
    longest = candidates(sought, Linear({"length": 1.0}))
    assert longest.numbers.tolist() == [0, 1, 2]
    assert longest.similarity.argmax() == 1
    assert candidates(sought, Linear({"length": -1.0})).similarity.argmin() == 1
    assert longest.values[-1].tolist() == [0.0]  # what matches nothing
    assert (longest.closeness >= longest.similarity).all()
    assert longest.similarity.max() == 1.0


def test_what_names_the_same_is_told() -> None:
    index = index_of("crab", "crab", entities=[("ada",), ()])
    found = candidates(search(index, Question(terms=("crab",), entities=frozenset({"ada"}))))
    assert found.named.tolist() == [1.0, 0.0]


def test_what_gives_the_attribute_asked_for_covers_the_question() -> None:
    found = candidates(search(index_of("crab", "tide"), Question(terms=("crab", "boat"), attributed=frozenset({"p1"}))))
    assert found.attributed.tolist() == [0.0, 1.0]
    assert found.coverage[1] == 1.0 > found.coverage[0]


@pytest.mark.parametrize("weights", [WEIGHTS, dict.fromkeys((*SIGNALS, *CONTEXT), 1.0)])
def test_an_empty_index_has_no_candidates(weights: Mapping[str, float]) -> None:
    question = Question(terms=("crab",), vector=np.array([1, 0], np.float32), months=(672,))
    found = candidates(search(Index(2), question), Linear(weights))
    assert found.numbers.tolist() == found.similarity.tolist() == found.cosine.tolist() == []


def test_a_time_alone_is_judged_by_who_spoke_and_how_long() -> None:
    index = index_of("crab", "crab boat pier", "tide", role=["assistant", "user", "user"])
    found = candidates(search(index, Question(only_time=True)), Linear({"image": 1.0}))
    assert found.similarity.argsort().tolist() == [0, 2, 1]


def test_coverage_counts_rare_words_more_and_unknown_ones_most() -> None:
    index = index_of("crab boat", "crab", "crab", "crab", "crab")
    numbers = np.arange(5, dtype=np.int32)
    found = coverage(index, ("crab", "boat"), numbers)
    assert found[0] == found[1] == pytest.approx(1.0)  # the turn beside it holds the other word
    assert found[3] < 0.2
    assert coverage(index, ("boat", "whale"), numbers)[0] < 0.5
    assert coverage(index, (), numbers).tolist() == [0.0] * 5
