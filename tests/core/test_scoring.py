from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.making import NOW, passage
from memstrata.core.index import Index
from memstrata.core.scoring import (
    PROFILES,
    SIGNALS,
    Question,
    access_frequency,
    combine,
    coverage,
    gather,
    recency,
)

UNIT = st.floats(0, 1, width=32)


def index_of(*terms: str, dimension: int = 0) -> Index:
    index = Index(dimension)
    for number, said in enumerate(terms):
        at = NOW + timedelta(days=31 * number)
        index.extend([passage(f"p{number}", said, conversation="talk", position=number, at=at)])
    return index


def everything(index: Index) -> np.ndarray:
    return np.ones(len(index), np.bool_)


def test_every_profile_sums_to_one() -> None:
    assert all(sum(weights.values()) == pytest.approx(1.0) for weights in PROFILES.values())


@given(st.dictionaries(st.sampled_from(sorted(SIGNALS)), st.tuples(UNIT, UNIT), min_size=1))
def test_the_similarity_is_a_share(values: dict[str, tuple[float, float]]) -> None:
    signals = {name: np.array(pair, np.float32) for name, pair in values.items()}
    combined = combine(signals, SIGNALS)
    assert combined.shape == (2,)
    assert ((combined >= 0) & (combined <= 1)).all()


def test_signals_that_are_absent_do_not_count() -> None:
    one = {"keyword": np.ones(1, np.float32)}
    assert combine(one, SIGNALS)[0] == 1.0
    assert combine({"is_question": np.ones(1, np.float32)}, SIGNALS)[0] == 0.0


def test_every_arm_proposes_its_own() -> None:
    index = index_of("crab", "boat", "pier", "tide", "rope", "mast", dimension=2)
    index.embed(["p5"], np.array([[1, 0]], np.float32))
    question = Question(terms=("crab",), vector=np.array([1, 0], np.float32), only_time=True)
    found = gather(index, question, everything(index), 2)
    assert found.arms["keyword"].tolist() == [0]
    assert found.arms["vector"].tolist() == [5]
    assert found.arms["time"].tolist() == [5, 4]
    assert found.numbers.tolist() == sorted(set(found.numbers.tolist()))
    assert set(found.arms["neighbours"].tolist()) >= {0, 1, 2, 5}
    assert found.cosine.max() == 1.0


def test_nothing_outside_the_mask_is_proposed() -> None:
    index = index_of("crab", "crab", "crab")
    mask = np.array([True, False, True])
    found = gather(index, Question(terms=("crab",), only_time=True), mask, 60)
    assert found.numbers.tolist() == [0, 2]


def test_an_empty_index_has_no_candidates() -> None:
    index = Index(2)
    question = Question(terms=("crab",), vector=np.array([1, 0], np.float32), months=(672,))
    found = gather(index, question, everything(index), 60)
    assert found.numbers.tolist() == []
    assert found.similarity.tolist() == []


def test_flags_follow_the_question() -> None:
    index = Index()
    index.extend([passage("when", "crab", speaker="Ada", traits=("time", "question"))])
    index.extend([passage("image", "crab", role="assistant", traits=("image",), at=NOW + timedelta(days=400))])
    asked = Question(terms=("crab",), wants_time=True, months=(672,),
                     speakers=(index.codes["speaker"].look("Ada"),))  # fmt: skip
    signals = gather(index, asked, everything(index), 60).signals
    for name in ("speaker", "date", "answers_when", "role_match", "is_question"):
        assert signals[name].tolist() == [1, 0], name
    assert signals["image"].tolist() == [0, 1]
    unasked = gather(index, Question(terms=("crab",)), everything(index), 60).signals
    assert unasked["answers_when"].tolist() == unasked["date"].tolist() == [0, 0]


@pytest.mark.parametrize(("months", "found"), [((), [0, 0, 0]), ((673,), [0, 1, 0]), ((671, 672, 674), [1, 0, 1])])
def test_dates_of_the_months_asked_for(months: tuple[int, ...], found: list[int]) -> None:
    index = index_of("crab", "crab", "crab")
    signals = gather(index, Question(terms=("crab",), months=months), everything(index), 60).signals
    assert signals["date"].tolist() == found


def test_coverage_counts_rare_words_more_and_unknown_ones_most() -> None:
    index = index_of("crab boat", "crab", "crab", "crab", "crab")
    numbers = np.arange(5, dtype=np.int32)
    found = coverage(index, ("crab", "boat"), numbers)
    assert found[0] == found[1] == pytest.approx(1.0)  # the turn beside it holds the other word
    assert found[3] < 0.2
    assert coverage(index, ("boat", "whale"), numbers)[0] < 0.5
    assert coverage(index, (), numbers).tolist() == [0.0] * 5


def test_recency_and_use() -> None:
    at = np.array([(NOW - timedelta(days=days)).timestamp() for days in (0, 73, 999, -5)])
    assert recency(at, NOW).tolist() == pytest.approx([1.0, 0.8, 0.0, 1.0])
    assert access_frequency(np.array([0, 10, 99], np.int32)).tolist() == pytest.approx([0.0, 0.5, 1.0])


def test_the_best_are_taken_and_equals_go_by_number() -> None:
    index = index_of(*(["crab"] * 9))
    found = gather(index, Question(terms=("crab",)), everything(index), 4)
    assert found.arms["keyword"].tolist() == [0, 1, 2, 3]
