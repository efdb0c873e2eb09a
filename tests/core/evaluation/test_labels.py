import json
from datetime import UTC, datetime
from typing import Any

import pytest

from memoranda.core.evaluation.labels import Known, Question, read
from memoranda.core.text.terms import normalise
from memoranda.errors import FormatError, InputError, NotFoundError

ASKED: dict[str, Any] = {"query": "Which coffee?", "answers": ["cortado"]}


def known(id: str, text: str, *events: str) -> Known:  # noqa: A002
    return Known(id=id, text=text, form=normalise(text), rests_on=frozenset(events or {id}))


MEMORIES = [
    known("e1", "I drink  Cortado\nnow."),
    known("e2", "41,212 rows"),
    known("r1", "User drinks cortado now.", "e1", "e3"),
]


def one(**fields: Any) -> Question:
    (question,) = read(json.dumps({**ASKED, **fields}).encode(), "labels.jsonl")
    return question


def test_a_file_is_lines_or_an_array() -> None:
    lines = "\n".join(json.dumps({**ASKED, "category": kind}) for kind in ("a", "b"))
    found = read(lines.encode(), "labels.jsonl")
    assert [(it.query, it.category, it.where) for it in found] == [
        ("Which coffee?", "a", "labels.jsonl, line 1"),
        ("Which coffee?", "b", "labels.jsonl, line 2"),
    ]
    assert len(read(json.dumps([ASKED] * 3).encode(), "labels.json")) == 3


def test_what_is_left_out_has_a_default() -> None:
    question = one()
    assert (question.category, question.now, question.scope) == ("", None, {})
    full = one(now="2026-04-10T19:00:00+02:00", scope={"channel": "kitchen", "connections": ["jira"]})
    assert full.now == datetime(2026, 4, 10, 17, tzinfo=UTC)
    assert full.scope == {"channel": "kitchen", "connections": ("jira",)}


@pytest.mark.parametrize("name", ["tenant", "user", "whole", "planet"])
def test_a_question_never_leaves_the_memory_it_is_asked_in(name: str) -> None:
    with pytest.raises(InputError, match=f"a name in a question's scope is {name!r}; give one of agent"):
        Question(query="Which coffee?", answers=(), scope={name: "bob"})


@pytest.mark.parametrize(
    ("answer", "events"),
    [
        ("drink cortado NOW", {"e1"}),
        ({"text": "cortado"}, {"e1", "e3"}),
        ({"regex": r"^41[,.]?\d+ ROWS$"}, {"e2"}),
        ({"id": "r1"}, {"e1", "e3"}),
        ({"id": "e1"}, {"e1"}),
        (["no such thing", {"regex": "rows"}], {"e2"}),
        (["rows", "drink cortado"], {"e1", "e2"}),
    ],
)
def test_an_answer_is_the_events_its_memories_rest_on(answer: Any, events: set[str]) -> None:
    assert one(answers=[answer]).labels(MEMORIES) == (frozenset(events),)


def test_each_answer_is_a_label_of_its_own_and_there_may_be_none() -> None:
    assert one(answers=["rows", {"id": "e1"}]).labels(iter(MEMORIES)) == (frozenset({"e2"}), frozenset({"e1"}))
    assert one(answers=[]).labels(MEMORIES) == ()


def test_an_answer_that_no_memory_holds_is_told_with_its_place() -> None:
    with pytest.raises(NotFoundError, match=r"^labels\.jsonl, answer 2: no memory .* the text 'tea' or id 'e9'\.$"):
        one(answers=["rows", ["tea", {"id": "e9"}]]).labels(MEMORIES)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"querry": "x"}, "there is no field 'querry'; a question has query, answers, category, now, scope"),
        ({"query": None}, 'there is no "query"'),
        ({"query": " … "}, r"\$\.query: there are no words"),
        ({"answers": None}, 'there is no "answers"; give an empty array'),
        ({"answers": "cortado"}, r"\$\.answers: an array is needed"),
        ({"answers": [5]}, r"\$\.answers\[0\]: an object is needed here, found 5"),
        ({"answers": [[]]}, "there is nothing to look for"),
        ({"answers": ["?!"]}, "there are no words in '\\?!'"),
        ({"answers": [{}]}, "found an empty object. Give words"),
        ({"answers": [{"id": "a", "text": "b"}]}, "an object with one of id, text, regex"),
        ({"answers": [{"words": "a"}]}, "an object with one of id, text, regex"),
        ({"answers": [{"regex": "("}]}, "is no regular expression: missing \\)"),
        ({"answers": [{"regex": " "}]}, "there are no words"),
        ({"now": "yesterday"}, r"\$\.now: 'yesterday' is no time"),
        ({"scope": {"user": "bob"}}, "'user' does not narrow a scope; agent, .* Evaluate users one by one"),
        ({"scope": {"connections": "jira"}}, r"connections: an array is needed"),
    ],
)
def test_what_cannot_be_read_is_told_with_what_to_do(fields: dict[str, Any], told: str) -> None:
    with pytest.raises(FormatError, match=told):
        one(**fields)


@pytest.mark.parametrize("data", [b"", b"query,answers", b"42 43"])
def test_a_file_of_something_else_is_told_what_to_give(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"^labels\.jsonl.* Give labelled questions \(JSON or JSONL\)"):
        read(data, "labels.jsonl")


def test_a_line_that_is_no_json_is_told() -> None:
    with pytest.raises(FormatError, match=r"labels\.jsonl, line 2: not JSON"):
        read(f"{json.dumps(ASKED)}\n{{\n{json.dumps(ASKED)}".encode(), "labels.jsonl")
