"""Each signal against what it means, in memories small enough to see it."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from core.making import NOW, passage, record
from core.searching import index_of, pool, search, with_record
from memoranda.core.image.index import Index
from memoranda.core.recall.search import Question
from memoranda.core.recall.signals import CONTEXT, SIGNALS, WEIGHTS, spread

CRAB = Question(terms=("crab",))
EAST = np.array([1, 0], np.float32)


def signal(name: str, index: Index, question: Question = CRAB) -> list[float]:
    return [round(value, 4) for value in pool(search(index, question)).signal(name).tolist()]


def context(name: str, index: Index, question: Question = CRAB) -> float:
    return CONTEXT[name](pool(search(index, question)))


def embedded(*vectors: tuple[float, float], **values: object) -> Index:
    index = index_of(*(["crab"] * len(vectors)), dimension=2, **values)
    index.embed(index.refs, np.array(vectors, np.float32))
    return index


def test_the_guess_is_made_of_signals() -> None:
    assert WEIGHTS.keys() < SIGNALS.keys()
    assert not SIGNALS.keys() & CONTEXT.keys()


@pytest.mark.parametrize("vector", [None, EAST])
def test_all_signals_are_finite_in_every_memory(vector: np.ndarray | None) -> None:
    question = Question(terms=("crab", "boat"), vector=vector, entities=frozenset({"ada"}), months=(672,))
    alone = index_of("crab", dimension=2, conversation=None)
    for index in (Index(2), alone, index_of("", "crab boat", dimension=2), embedded((1, 0), (0, 1), (0, 0))):
        here = pool(search(index, question))
        for name in SIGNALS:
            values = here.signal(name)
            assert values.shape == (len(here),)
            assert np.isfinite(values).all(), name
        assert all(np.isfinite(read(here)) for read in CONTEXT.values())


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("keyword", [0, 1, 0, 0]),
        ("keyword_window", [1, 1, 1, 1]),
        ("cover", [0, 1, 0, 0]),
        ("hits", [0, 1, 0, 0]),
        ("guess_before", [0, 0, 1, 0]),
        ("guess_after", [1, 0, 0, 0]),
        ("guess_before_2", [0, 0, 0, 1]),
    ],
)
def test_words_count_where_they_stand(name: str, values: list[int]) -> None:
    found = np.array(signal(name, index_of("boat", "crab", "boat", "boat")))
    if name.startswith("guess"):
        assert (found >= found.max() - 1e-6).tolist() == [bool(value) for value in values] or not any(values)
    else:
        assert (found > 0.4).tolist() == [bool(value) for value in values]


def test_flags_follow_the_question() -> None:
    index = index_of("crab", "crab boat", speaker=["Ada", None], role=["user", "assistant"],
                     traits=[("time", "question"), ("image",)])  # fmt: skip
    asked = Question(terms=("crab",), wants_time=True, months=(672,), speakers=(index.codes["speaker"].look("Ada"),))
    for name in ("speaker", "date", "answers_when", "time", "role_match", "is_question"):
        assert signal(name, index, asked) == [1, 0], name
    for name in ("image", "assistant"):
        assert signal(name, index, asked) == [0, 1], name
    assert signal("length", index) == [1.0, pytest.approx(np.log2(3), abs=1e-4)]
    assert signal("answers_when", index) == signal("date", index) == [0, 0]
    told = pool(search(index, asked))
    assert told.signal("answers_match").tolist() == [0, pytest.approx(told.guess[0])]


def test_of_many_the_best_guesses_are_kept_with_what_was_computed() -> None:
    whole = pool(search(index_of("boat", "crab boat", "tide", "crab"), CRAB))
    none = np.zeros(0, np.int32)
    assert whole.narrowed(4, none) is whole
    some = whole.narrowed(2, none)
    assert some.numbers.tolist() == [1, 3]
    assert some.guess.tolist() == whole.guess[[1, 3]].tolist()
    assert whole.narrowed(2, np.array([2], np.int32)).numbers.tolist() == [2, 3]


@pytest.mark.parametrize(("months", "found"), [((), [0, 0, 0]), ((673,), [0, 1, 0]), ((671, 672, 674), [1, 0, 1])])
def test_dates_of_the_months_asked_for(months: tuple[int, ...], found: list[int]) -> None:
    assert signal("date", index_of("crab", "crab", "crab"), Question(months=months)) == found


def test_vectors_like_the_best() -> None:
    index = embedded((1, 0), (0.8, 0.6), (0, 1), conversation=["a", "a", "b"])
    question = Question(vector=EAST)
    assert signal("vector", index, question) == [1.0, 0.8, 0.0]
    assert signal("like_best", index, question) == [0.8, 0.8, 0.6]
    assert signal("vector", index) == signal("like_best", index) == [0, 0, 0]


def test_entities_and_bridges() -> None:
    index = index_of(*["crab"] * 5, *["boat"] * 4, conversation=None,
                     entities=[("ada", "rex"), (), (), (), (), ("rex",), ("ada",), ("eve",), ()])  # fmt: skip
    asked = Question(terms=("crab",), entities=frozenset({"ada"}))
    bridge, entities = signal("bridge", index, asked), signal("entities", index, asked)
    assert bridge[0] == bridge[5] == 1.0
    assert bridge[6] == bridge[7] == 0.0
    assert entities[0] > entities[5] > entities[7] == 0.0
    assert entities[6] > entities[5]


def test_a_record_is_a_key_to_what_it_rests_on() -> None:
    index = index_of("crab", "boat", "pier", dimension=2)
    records = with_record(index, "whale", "p2", "gone")
    index.embed(["r1"], np.array([[1, 0]], np.float32))
    found = pool(search(index, Question(terms=("whale",), vector=EAST), records=records))
    assert found.signal("fact_keyword").tolist() == found.signal("fact_vector").tolist() == [0, 0, 1]


def test_what_tells_a_preference_that_holds() -> None:
    index = index_of("crab", "boat", "pier")
    records = with_record(index, "whale", "p1")
    index.extend([passage(ref, "", of="record", kind="preference", role="") for ref in ("r2", "r3", "r4")])
    records |= {
        "r2": record(id="r2", kind="preference", sources=("p0", "gone")),
        "r3": record(id="r3", kind="preference", attribute="instruction.rule", sources=("p2",)),
        "r5": record(id="r5", kind="preference", sources=("p1",)),
    }
    found = pool(search(index, CRAB, records=records, mask=np.ones(7, np.bool_)))
    assert found.signal("preference").tolist() == [1, 0, 1, 0, 1, 1, 0]
    assert found.signal("instruction").tolist() == [0, 0, 1, 0, 0, 1, 0]
    told = {"p1": {"r2", "r9"}}
    assert pool(search(index, CRAB, records=records, records_by_source=told)).signal("preference").sum() == 0
    fact = replace(CRAB, asks_help=False)
    assert pool(search(index, fact, records=records)).signal("preference").sum() == 0
    assert pool(search(index, fact, records=records)).signal("instruction").sum() == 1
    past = replace(fact, asks_back=True)
    assert pool(search(index, past, records=records)).signal("instruction").sum() == 0
    over = pool(search(index, CRAB, records=records, keys=np.zeros(7, np.bool_)))
    assert over.signal("preference").sum() == 0


def test_the_best_of_the_conversation_and_how_far_from_the_best() -> None:
    index = index_of("crab", "boat", "boat", conversation=["a", "a", "b"])
    talk, gap = signal("guess_talk", index), signal("guess_gap", index)
    assert talk[0] == talk[1] > talk[2]
    assert gap[0] == 0 > gap[1]


@pytest.mark.parametrize(("terms", "share"), [(0, 0), (1, 0), (32, 0), (48, 0.585), (64, 1), (900, 1)])
def test_how_far_turns_are_long(terms: int, share: float) -> None:
    index = index_of(" ".join(["crab"] * terms))
    index.extend([passage("r1", " ".join(["boat"] * 99), of="record", at=NOW + timedelta(days=1))])
    assert context("long_turns", index) == pytest.approx(share, abs=1e-3)
    assert context("long_turns", Index()) == 0


def test_the_kind_of_question() -> None:
    short = index_of("crab")
    asked = Question(content=("crab", "boat"), vector=EAST, wants_many=True, speakers=(0,), wants_time=True)
    told = {"question_length": 2, "wants_many": 1, "names_speaker": 1}
    assert {name: context(name, index_of("crab", dimension=2), asked) for name in told} == told
    assert {name: context(name, short) for name in told} == dict.fromkeys(told, 0)


@pytest.mark.parametrize(
    ("scores", "spread_over"),
    [([], []), ([0.3], [1.0]), ([0.0, 0.0], [0.0, 0.0]), ([0.4, 0.4], [1.0, 1.0]), ([0.2, 0.6, 0.4], [0.0, 1.0, 0.5])],
)
def test_what_has_no_rival_is_the_highest(scores: list[float], spread_over: list[float]) -> None:
    assert spread(np.array(scores, np.float32)) == pytest.approx(spread_over)
