"""What a model's answer proposes, and the events that each item rests on."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.making import event
from memoranda.core.consolidation.proposal import (
    SCHEMA,
    Claim,
    Item,
    LeafChange,
    NamedEntity,
    NamedRelation,
    Narrative,
    Proposal,
    label,
    read_proposal,
)
from memoranda.core.text.terms import Analyzer
from memoranda.models.stemmer import stem

TERMS = Analyzer(stem).terms
OBSERVED = {
    1: event("I moved to Oslo last week.", id="a"),
    2: event("My employer is Acme, and I love tea.", id="b"),
    3: event("Anna brought the tea to Oslo.", id="c"),
}


def proposed(answer: Any) -> Proposal:
    return read_proposal(answer if isinstance(answer, str) else json.dumps(answer), OBSERVED, TERMS)


def of(answer: Any) -> list[Item]:
    found = proposed(answer)
    assert found.refused == ()
    return list(found.items)


@pytest.mark.parametrize(
    ("given", "item"),
    [
        ({"updated_scaffold": {"City": "Oslo"}}, LeafChange(path="location.city", value="Oslo", events=("a",))),
        (
            {"updated_scaffold": {"City": {"value": " Oslo ", "events": [3, 9], "certainty": "explicit"}}},
            LeafChange(path="location.city", value="Oslo", events=("c",)),
        ),
        ({"updated_scaffold": {"pets": [{"count": 0}]}}, LeafChange(path="pet.count", value=0)),
        (
            {"updated_scaffold": {"people": {"Anna": {"City": "Oslo"}}}},
            LeafChange(path="location.city", value="Oslo", subject="anna", events=("a",)),
        ),
        ({"updated_scaffold": {"facts": ["User loves tea"]}}, Claim(text="User loves tea", events=("b",))),
        ({"facts_to_embed": "User  loves\ntea"}, Claim(text="User loves tea", events=("b",))),
        ({"facts_to_embed": [["User loves tea"]]}, Claim(text="User loves tea", events=("b",))),
        ({"facts_to_embed": [{"text": "User loves tea", "events": "#3"}]}, Claim(text="User loves tea", events=("c",))),
        ({"facts_to_embed": [{"claim": "tea", "events": [True, None]}]}, Claim(text="tea", events=("b",))),
        (
            {"facts": [{"claim": "Anna drinks tea in Oslo at Acme", "subject": "Anna", "certainty": "sure",
                        "temporal": 1, "attribute": "Company", "value": " tea "}]},
            Claim(text="Anna drinks tea in Oslo at Acme", certainty="uncertain", subject="anna", events=("b", "c"),
                  attribute="work.employer", value="tea"),
        ),
        (
            {"facts": [{"claim": "tea", "certainty": "explicit", "temporal": "past", "subject": 1, "value": 2}]},
            Claim(text="tea", certainty="explicit", temporal="past", value=2, events=("b",)),
        ),
        (
            {"facts": [{"claim": "tea", "attribute": "!", "value": {"a": 1}}]}, Claim(text="tea", events=("b",)),
        ),
        ({"entities": ["Anna"]}, NamedEntity(name="Anna", events=("c",))),
        (
            {"entities": [{"name": "Acme", "type": "Organisation", "aliases": ["ACME Inc", "Acme", " ", 1]}]},
            NamedEntity(name="Acme", type="organisation", aliases=("ACME Inc",), events=("b",)),
        ),
        ({"entities": [{"name": "Acme", "type": 1}]}, NamedEntity(name="Acme", events=("b",))),
        (
            {"relations": [{"head": "user", "type": "WORKS_FOR", "tail": "Acme"}]},
            NamedRelation(head="user", type="WORKS_FOR", tail="Acme", events=("b",)),
        ),
        ({"updated_working_memory": "User likes  tea."}, Narrative(text="User likes tea.", events=("a", "b", "c"))),
        ({"answer": {"result": {"entities": ["Anna"]}}}, NamedEntity(name="Anna", events=("c",))),
        ({"entities": json.dumps(["Anna"])}, NamedEntity(name="Anna", events=("c",))),
    ],
)  # fmt: skip
def test_an_item_is_read_with_its_events(given: Any, item: Item):
    assert of(given) == [item]


@pytest.mark.parametrize(
    "answer", [{}, {"facts": []}, {"updated_scaffold": {}, "updated_working_memory": "", "facts": None}]
)
def test_nothing_to_remember_is_empty(answer: Any):
    assert proposed(answer) == Proposal()


@pytest.mark.parametrize(
    ("answer", "unreadable"),
    [
        ("{", True),
        ('{"facts": [', True),
        ('{"facts": [{"claim": "User li', True),
        ({"error": {"message": "rate limited", "code": 429}}, True),
        ({"detail": "Internal Server Error"}, True),
        ("Sorry {no} I cannot", True),
        ({"facts": [{"statement_text": "User plays chess"}]}, True),
        ({"facts": [{"fact_text": "User plays chess"}], "updated_scaffold": "User plays chess"}, True),
        ({"facts": None, "error": "overloaded"}, True),
        ({"facts": [], "note": "nothing new"}, False),
        ({"facts": None}, False),
        ("{}", False),
        ({"updated_scaffold": {"City": None}}, False),
        ({"facts": ["User plays chess"]}, False),
        ('{"facts": ["User moved to Oslo", {"claim": "User li', False),
    ],
)
def test_an_answer_with_nothing_in_it_must_say_so(answer: Any, unreadable: bool):
    assert proposed(answer).unreadable is unreadable


@pytest.mark.parametrize(
    ("answer", "what", "why"),
    [
        ("", "answer", "the answer is empty"),
        ({"updated_scaffold": ["Oslo"]}, "updated_scaffold", "it is an object"),
        ({"updated_scaffold": {"City": None}}, "location.city", "an answer removes nothing"),
        ({"updated_scaffold": {"City": ""}}, "location.city", "an answer removes nothing"),
        ({"updated_scaffold": {"value": None}}, "updated_scaffold", "an answer removes nothing"),
        ({"updated_scaffold": {"?": "Oslo"}}, "'?'", "no key says"),
        ({"updated_working_memory": ["Oslo"]}, "updated_working_memory", "it is a text"),
        ({"facts": [5]}, "5", "each is a text"),
        ({"facts": [{"claim": " "}]}, "{'claim': ' '}", "each is a text"),
        ({"entities": [{"type": "thing"}]}, "{'type': 'thing'}", "each has a name"),
        ({"relations": ["Acme", {"head": "user", "type": " ", "tail": "Acme"}]}, "'Acme'", "each has a head"),
        ({"facts": ["User plays chess"]}, "'User plays chess'", "it shares no word"),
        ({"entities": ["Globex"]}, "'Globex'", "it shares no word"),
        ({"relations": [{"head": "x", "type": "y", "tail": "z"}]}, "'x' y 'z'", "it shares no word"),
        ({"thoughts": "none"}, "'thoughts'", "an answer has no such key"),
        ({"a": {"b": {"c": {"d": {}}}}}, "'d'", "an answer has no such key"),
    ],
)
def test_what_has_no_form_or_event_is_refused(answer: Any, what: str, why: str):
    found = proposed(answer)
    assert found.items == ()
    assert found.refused[0].what == what
    assert why in found.refused[0].why
    assert found.refused


def test_what_is_proposed_twice_is_one():
    answer = {
        "facts_to_embed": ["User loves tea.", {"claim": "user loves tea", "events": [3]}],
        "facts": [{"claim": "User loves tea", "certainty": "explicit"}],
        "entities": ["Anna", {"name": "anna", "events": [1]}],
        "relations": [{"head": "Anna", "type": "KNOWS", "tail": "user"}] * 2,
        "updated_scaffold": {"City": "Oslo", "location": {"city": "oslo"}},
    }
    assert of(answer) == [
        Claim(text="User loves tea", certainty="explicit", events=("b", "c")),
        LeafChange(path="location.city", value="Oslo", events=("a",)),
        NamedEntity(name="Anna", events=("c", "a")),
        NamedRelation(head="Anna", type="KNOWS", tail="user", events=("c",)),
    ]


def test_without_events_nothing_rests_on_anything():
    found = read_proposal('{"facts": ["User loves tea"], "updated_working_memory": "Tea."}', {}, TERMS)
    assert found.items == ()
    assert len(found.refused) == 2


def test_an_item_rests_on_a_few_events():
    words = "apple boat candle door engine flower garden house island jacket".split()
    many = {number: event(f"A {word}.", id=word) for number, word in enumerate(words)}
    (item,) = read_proposal(json.dumps({"facts": [" ".join(words)]}), many, TERMS).items
    assert item.events == tuple(words[:8])


def test_an_event_that_was_told_in_parts_is_named_once():
    parts = {1: event("I moved to Oslo. I love tea.", id="a")}
    parts[2] = parts[1]
    claim = {"claim": "User loves tea.", "events": [1, 2]}
    found = read_proposal(json.dumps({"updated_working_memory": "User loves tea.", "facts": [claim]}), parts, TERMS)
    assert [item.events for item in found.items] == [("a",), ("a",)]


def test_an_item_is_told_briefly():
    assert label(LeafChange(path="work.role", value="clerk")) == "work.role: 'clerk'"
    assert len(label(Claim(text="x" * 5_000))) < 120


def test_the_schema_requires_nothing():
    assert "required" not in SCHEMA
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA


KEYS = st.sampled_from(
    [*SCHEMA["properties"], "claim", "events", "name", "head", "type", "tail", "value", "aliases", "City"]
)
WORDS = st.sampled_from(["Oslo", "tea", "User loves tea", "", "{}", '{"claim": "tea"}', "1", "delete everything"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


@settings(deadline=None)
@given(st.dictionaries(KEYS, JSON).map(json.dumps) | st.text())
def test_whatever_is_answered_each_item_rests_on_the_batch(answer: str):
    found = read_proposal(answer, OBSERVED, TERMS)
    for item in found.items:
        assert {*item.events} <= {"a", "b", "c"}
        assert item.events or isinstance(item, LeafChange)
    assert all(one.what and one.why for one in found.refused)


def test_a_statement_may_name_what_it_ends():
    one = {"claim": "User moved to Oslo", "events": [1], "ends": ["User lives in  Bergen.", 5, ""]}
    two = {"claim": "User moved to Oslo.", "events": [1], "replaces": "location.city: Bergen"}
    (item,) = read_proposal(json.dumps({"facts": [one, two]}), {1: event("I moved to Oslo.")}, str.split).items
    assert isinstance(item, Claim)
    assert item.ends == ("User lives in Bergen.", "location.city: Bergen")
    many = {**one, "ends": [f"thing {number}" for number in range(20)]}
    (item,) = read_proposal(json.dumps({"facts": [many]}), {1: event("I moved to Oslo.")}, str.split).items
    assert isinstance(item, Claim)
    assert len(item.ends) == 8
