import numpy as np

from core.making import NOW, passage
from core.searching import index_of, proposed, search, with_record
from memoranda.core.image.index import Index
from memoranda.core.recall.search import FRONT, HOLDERS, Question, walk

MAST = Question(vector=np.array([1, 0], np.float32))


def test_every_arm_proposes_its_own() -> None:
    index = index_of("crab", "boat", "pier", "tide", "rope", "mast", dimension=2)
    index.embed(["p5"], np.array([[1, 0]], np.float32))
    question = Question(terms=("crab",), vector=np.array([1, 0], np.float32), only_time=True)
    found = proposed(search(index, question, 4))
    assert found == {
        "keyword": [0], "vector": [5], "entities": [], "time": [5, 4, 3, 2], "attribute": [], "records": [],
        "recent": [], "successors": [], "neighbours": [0, 1, 2, 3, 4, 5],
    }  # fmt: skip


def test_without_a_vector_and_names_there_is_nothing_to_propose() -> None:
    assert set(map(tuple, proposed(search(index_of("crab", "boat"), Question())).values())) == {()}
    assert set(map(tuple, proposed(search(Index(2), MAST)).values())) == {()}


def test_what_gives_the_attribute_asked_for_is_proposed_the_latest_first() -> None:
    question = Question(attributed=frozenset({"p0", "p2", "p3", "gone"}))
    mask = np.array([True, True, True, False])
    assert proposed(search(index_of("crab", "boat", "pier", "tide"), question, mask=mask))["attribute"] == [2, 0]


def test_nothing_outside_the_mask_is_proposed() -> None:
    index = index_of("crab", "crab", "crab", entities=("ada",))
    records = with_record(index, "crab", "p0", "p1")
    question = Question(terms=("crab",), only_time=True, entities=frozenset({"ada"}), conversation="talk")
    mask = np.array([True, False, True, False])
    found = proposed(search(index, question, mask=mask, records=records))
    assert {number for numbers in found.values() for number in numbers} == {0, 2}
    assert found["records"] == [0]


def test_the_best_are_taken_and_equals_go_by_number() -> None:
    assert proposed(search(index_of(*(["crab"] * 9)), Question(terms=("crab",)), 4))["keyword"] == [0, 1, 2, 3]


def test_the_months_named_propose_their_best() -> None:
    index = index_of("crab", "boat", "crab", "boat")
    found = proposed(search(index, Question(terms=("boat",), months=(673, 674)), 2))
    assert found["time"] == [1]
    assert proposed(search(index, Question(terms=("boat",), months=(673, 674)), 4))["time"] == [1, 2]


def test_records_lead_to_what_they_rest_on() -> None:
    index = index_of("crab", "boat", "pier")
    records = with_record(index, "whale", "p2", "p1", "gone")
    assert proposed(search(index, Question(terms=("whale",)), records=records))["records"] == [2, 1]
    assert proposed(search(index, Question(terms=("whale",))))["records"] == []


def test_the_conversation_going_on_proposes_its_last() -> None:
    index = index_of(*(["crab"] * 12), conversation=[*["old"] * 2, *["new"] * 8, *["old"] * 2])
    found = proposed(search(index, Question(conversation="new"), 24))
    assert found["recent"] == [9, 8, 7]
    assert proposed(search(index, Question(conversation="never")))["recent"] == []


def test_entities_lead_on_to_what_else_is_named_with_them() -> None:
    shared = [("ada", "rex"), ("rex", "bella"), ("bella", "bergen"), ("bergen", "oslo"), ("eve",)]
    index = index_of(*("crab boat pier tide rope".split()), entities=shared)
    question = Question(entities=frozenset({"ada"}))
    assert proposed(search(index, question))["entities"] == [0, 1, 2]  # three hops, and no more
    reached = walk(index, question.entities)
    assert reached[0] > reached[1] > reached[2] > reached[3] == reached[4] == 0


def test_the_walk_is_bounded() -> None:
    index = Index()
    index.extend([passage(f"p{number}", "crab", entities=("ada", f"e{number}"), at=NOW) for number in range(300)])
    reached = walk(index, {"ada"})
    assert np.count_nonzero(reached) == HOLDERS
    assert np.count_nonzero(reached > reached[-1]) == FRONT
    assert walk(Index(), {"ada"}).tolist() == []
