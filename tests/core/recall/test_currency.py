"""A passage has ended when nothing that it states holds any more, and stands below what took its place."""

from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from core.making import NOW, passage, record
from memoranda.core.base.scope import Scope
from memoranda.core.image.image import resting
from memoranda.core.image.index import Index
from memoranda.core.recall.currency import Ended, Endings
from memoranda.core.recall.ranking import after_successors, lifted
from memoranda.core.rows import Record

LATER = NOW + timedelta(days=90)
ASKED = NOW + timedelta(days=180)


def endings(*records: Record, at: Any = ASKED, agent: str | None = None, other: str | None = None) -> Endings:
    """Those of a memory with turns e1 and e2, the second said by the agent `other`, in the scope of `agent`."""
    index = Index(0)
    index.extend([passage("e1"), passage("e2", at=LATER, agent=other)])
    scope = Scope(tenant="acme", user="alice", agent=agent)
    return Endings(index, {one.id: one for one in records}, resting(records), scope, at)


def stated(name: str, event: str = "e1", **values: Any) -> Record:
    return record(id=name, **{"sources": (event,), "attribute": "location.home", **values})


def ended(name: str, event: str = "e1", **values: Any) -> Record:
    """A statement of an event that e2 ended."""
    return stated(name, event, **{"status": "expired", "valid_to": LATER, "contradicted_by": "e2", **values})


def test_a_turn_ends_with_the_last_of_what_it_states() -> None:
    assert endings(ended("r1")).of("e1") == endings(ended("r1")).of("r1") == Ended(LATER, "e2")
    assert endings(ended("r1"), ended("r2", valid_to=LATER + timedelta(days=1))).of("e1") == Ended(
        LATER + timedelta(days=1), "e2"
    )


@pytest.mark.parametrize(
    "beside",
    [
        pytest.param([], id="nothing was read in it"),
        pytest.param([ended("r1"), stated("r2")], id="another statement holds"),
        pytest.param([ended("r1"), stated("r2", temporal="past", valid_to=NOW)], id="another is of the past"),
        pytest.param([ended("r1"), stated("r2", status="disputed", contradicted_by="e2")], id="another is disputed"),
        pytest.param([ended("r1", kind="summary")], id="a summary of it ended"),
        pytest.param([stated("r1", status="archived")], id="it faded"),
    ],
)
def test_a_turn_holds_otherwise(beside: list[Record]) -> None:
    assert endings(*beside).of("e1") is None


def test_what_ends_later_than_asked_about_holds() -> None:
    assert endings(ended("r1"), at=LATER - timedelta(days=1)).of("e1") is None


def test_what_was_rejected_ended_when_that_was_recorded() -> None:
    assert endings(stated("r1", status="rejected", recorded_at=LATER)).of("e1") == Ended(LATER, None)


def test_a_turn_does_not_state_what_a_correction_of_it_says() -> None:
    amended = stated("r2", sources=("e1", "e2"), editor="amendment", supersedes="r1")
    found = endings(ended("r1"), amended)
    assert found.of("e1") == Ended(LATER, "e2")
    assert found.of("e2") is None
    assert [*found.successors("e1")] == ["e2", "r2"]


def test_successors_are_the_turn_that_ended_it_and_what_that_says_of_the_same() -> None:
    found = endings(ended("r1"), stated("r2", "e2"), stated("r3", "e2", attribute="work.employer"))
    assert [*found.successors("e1")] == [*found.successors("r1")] == ["e2", "r2"]
    assert [*found.successors("e2")] == []


def test_what_time_ended_has_no_successor() -> None:
    found = endings(stated("r1", temporal="future", status="expired", valid_to=LATER))
    assert found.of("e1") == Ended(LATER, None)
    assert [*found.successors("e1")] == []


def test_an_event_or_a_statement_out_of_sight_is_not_named() -> None:
    assert endings(ended("r1"), agent="a", other="b").of("e1") == Ended(LATER, None)
    assert endings(ended("r1"), stated("r2", agent="b"), agent="a").of("e1") == Ended(LATER, "e2")


def with_later(*vectors: str) -> Endings:
    """A turn e1 of two statements, r1 and r2, with a later word e2; vectors of some: those of r2 and e2 are near."""
    index = Index(2)
    index.extend([passage("e1"), passage("e2", at=LATER), *(passage(one, of="record") for one in ("r1", "r2"))])
    known = {"r1": (1.0, 0.0), "r2": (0.0, 1.0), "e2": (0.6, 0.8)}
    index.embed(vectors, np.array([known[one] for one in vectors], np.float32).reshape(-1, 2))
    records = [stated("r1"), stated("r2", attribute=None)]
    found = {one.id: one for one in records}
    return Endings(index, found, resting(records), Scope(tenant="acme", user="alice"), ASKED, {"e1": (("e2", 0.99),)})


def test_a_later_word_is_on_the_nearest_of_the_statements_of_a_turn() -> None:
    found = with_later("r1", "r2", "e2")
    assert {one: found.later(one) for one in ("e1", "r1", "r2", "e2")} == {
        "e1": ["e2"], "r1": [], "r2": ["e2"], "e2": [],
    }  # fmt: skip
    assert [*found.successors("r2")] == ["e2"]


def test_a_later_word_is_on_a_statement_and_on_its_copy_in_another_place() -> None:
    index = Index(2)
    index.extend([passage("e1"), passage("e2", at=LATER), *(passage(one, of="record") for one in ("r1", "r2"))])
    index.embed(("r1", "r2", "e2"), np.array([(0.6, 0.8)] * 3, np.float32))
    both = {one: stated(one) for one in ("r1", "r2")}
    scope = Scope(tenant="acme", user="alice")
    found = Endings(index, both, resting(both.values()), scope, ASKED, {"e1": (("e2", 0.99),)})
    assert [found.later(one) for one in both] == [["e2"], ["e2"]]


@pytest.mark.parametrize("vectors", [(), ("r1",), ("e2",)])
def test_without_vectors_a_later_word_is_on_all_statements_of_a_turn(vectors: tuple[str, ...]) -> None:
    found = with_later(*vectors)
    assert [found.later(one) for one in ("e1", "r1", "r2")] == [["e2"]] * 3


def test_a_later_word_is_none_on_what_was_said_again_after_it() -> None:
    index = Index(0)
    index.extend([passage("e1"), passage("e2", at=LATER), passage("e3", at=LATER + timedelta(days=1))])
    again = {"r1": stated("r1", "e3"), "r2": record(id="r2", sources=("e3", "e1")), "r3": record(id="r3", sources=())}
    scope = Scope(tenant="acme", user="alice")
    found = Endings(index, again, resting(again.values()), scope, ASKED, {"e1": (("e2", 0.99),)})
    assert [found.later(one) for one in ("e1", *again)] == [["e2"], [], [], []]
    before = Endings(index, again, resting(again.values()), scope, LATER, {"e1": (("e2", 0.99),)})
    assert before.later("r2") == ["e2"], "asked of the time before"


def test_each_stands_directly_below_what_took_its_place() -> None:
    later = {0: [3], 3: [4], 1: []}
    assert [*after_successors([0, 1, 2, 3, 4], lambda place: later.get(place, []))] == [4, 3, 0, 1, 2]
    assert [*after_successors([3, 0, 1], lambda place: later.get(place, [])[:1] if place == 0 else [])] == [3, 0, 1]


def test_a_circle_of_successors_ends() -> None:
    assert [*after_successors([0, 1, 2], lambda place: [1 - place] if place < 2 else [])] == [1, 0, 2]


def test_a_long_chain_of_successors_is_followed_to_its_end() -> None:
    assert [*after_successors(range(5000), lambda place: [place + 1] if place < 4999 else [])] == [*range(5000)][::-1]


def test_nothing_is_asked_of_what_comes_after_the_last_that_is_taken() -> None:
    asked: list[int] = []
    found = after_successors([0, 1, 2], lambda place: asked.append(place) or [])
    assert (next(found), asked) == (0, [0])


def test_no_score_is_below_one_that_stands_lower() -> None:
    assert lifted([0.2, 0.5, 0.4, 0.45]) == [0.5, 0.5, 0.45, 0.45]
    assert lifted([]) == []
