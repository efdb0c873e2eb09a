"""What a ranking weighs, as of the moment that is asked about."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest

from core.making import NOW, passage
from core.searching import candidates, index_of, search
from memoranda.core.image.index import Index
from memoranda.core.recall.scoring import (
    PARTS,
    PROFILES,
    STRATA,
    WEIGHED,
    Candidates,
    check_profile,
    recency,
    stratum_of,
    weighed,
    weights_of,
)
from memoranda.core.recall.search import Question
from memoranda.core.rows.statements import KINDS
from memoranda.errors import InputError

CRAB = Question(terms=("crab",))


def days(number: float) -> datetime:
    return NOW + timedelta(days=number)


def found_in(index: Index) -> Candidates:
    return candidates(search(index, CRAB, mask=np.ones(len(index), np.bool_)))


def noted(**values: Any) -> Index:
    """A turn, and a record that was written now."""
    index = index_of("crab", "crab", of=["event", "record"], kind=["turn", "fact"], at=NOW)
    index.weigh("p1", **{"begins": NOW.timestamp(), "ends": np.inf, "written": NOW.timestamp(), **values})
    return index


def parts(index: Index, now: datetime) -> Mapping[str, list[float]]:
    """Each part of the turn and of the record."""
    told, _ = weighed(found_in(index), dict.fromkeys(PARTS, 1.0), now)
    return {name: [round(one, 3) for one in values.tolist()] for name, values in told.items()}


def test_every_profile_sums_to_one_and_weighs_what_there_is() -> None:
    assert all(sum(weights.values()) == pytest.approx(1.0) for weights in PROFILES.values())
    assert {name for weights in PROFILES.values() for name in weights} <= {*WEIGHED}


def test_recency_is_a_year_long() -> None:
    at = np.array([days(-number).timestamp() for number in (0, 73, 999, -5)])
    assert recency(at, NOW.timestamp()).tolist() == pytest.approx([1.0, 0.8, 0.0, 1.0])


@pytest.mark.parametrize(("after", "left"), [(0, 0.8), (7, 0.8), (14, 0.79), (367, 0.286), (999, 0.0)])
def test_the_importance_of_a_record_fades_and_that_of_a_turn_stays(after: float, left: float) -> None:
    assert parts(noted(importance=0.8), days(after))["importance"] == [0.5, pytest.approx(left, abs=1e-3)]


@pytest.mark.parametrize(("fades", "after", "left"), [(True, 0, 0.7), (True, 60, 0.451), (False, 60, 0.7)])
def test_only_the_confidence_of_what_was_inferred_fades(fades: bool, after: float, left: float) -> None:
    assert parts(noted(confidence=0.7, fades=fades), days(after))["confidence"] == [1.0, left]


def test_a_use_begins_it_anew_but_not_before_it_happened() -> None:
    index = noted(importance=0.8, confidence=0.7, fades=True, accesses=5, accessed=days(60).timestamp())
    index.use("p0", 40, days(60).timestamp())
    used, before = (parts(index, days(number)) for number in (60, 59))
    assert used["importance"] == [0.5, 0.8]
    assert used["confidence"] == [1.0, 0.7]
    assert used["last_use"] == [1.0, 1.0]
    assert used["recency"] == [round(1 - 60 / 365, 3)] * 2
    assert used["access_frequency"] == [1.0, 0.25]
    assert before["last_use"] == [round(1 - 59 / 365, 3)] * 2
    assert before["importance"] == [0.5, round(0.8 - 0.01 * 52 / 7, 3)]


def test_reciprocal_ranks_are_added_up_over_the_best() -> None:
    found = found_in(index_of("crab", "crab crab", "tide", kind="turn"))
    orders = [found.arms[name].tolist() for name in ("keyword",)]
    wanted = [sum(1 / (61 + order.index(number)) for order in orders if number in order) for number in range(3)]
    told, worth = weighed(found, PROFILES["rrf"], NOW)
    assert told["fusion"].tolist() == pytest.approx([one / max(wanted) for one in wanted])
    assert not worth.any()


def test_a_stratum_says_how_much_similarity_weighs() -> None:
    kinds = ["turn", "fact", "entity", "strategy"]
    index = Index()
    for number, kind in enumerate(kinds):
        index.extend([passage(f"p{number}", "crab", kind=kind)])
    told, worth = weighed(found_in(index), PROFILES["strata"], NOW)
    assert worth.tolist() == pytest.approx([0.30, 0.25, 0.20, 0.15])
    assert {*told} == {"recency"}
    _, both = weighed(found_in(index), {"similarity": 0.5, "facts": 0.25}, NOW)
    assert both.tolist() == [0.5, 0.75, 0.5, 0.5]
    assert [stratum_of(kind) for kind in kinds] == ["episodic", "facts", "entities", "procedural"] == [*STRATA]
    assert {stratum_of(kind) for kind in KINDS} == {*STRATA}


def test_weights_are_scaled_to_one() -> None:
    assert weights_of({"similarity": 0.3, "confidence": 0.1}) == pytest.approx({"similarity": 0.75, "confidence": 0.25})
    assert weights_of("relevance") == {"similarity": 1.0}
    assert check_profile("profile", "rrf") == "rrf"


@pytest.mark.parametrize("wrong", ["best", None, 5, [], {}, {"similarity": 1, "beauty": 1}, {5: 1}])
def test_what_there_is_is_told_when_something_else_is_asked_for(wrong: Any) -> None:
    with pytest.raises(
        InputError, match=r"profile is .*balanced, reinforced, relevance, strata, rrf, or weights .*similarity, rec"
    ):
        check_profile("profile", wrong)


@pytest.mark.parametrize("weight", [-1, "1", None, True, float("nan"), float("inf"), 0, 1.1])
def test_a_weight_is_a_number_up_to_1(weight: Any) -> None:
    with pytest.raises(InputError, match="more than 0"):
        check_profile("profile", {"similarity": weight})
