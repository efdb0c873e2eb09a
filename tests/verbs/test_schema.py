"""What the schema of a verb says of its arguments, and the example that makes doors of it."""

import json
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from memoranda import Memory
from memoranda.verbs.registry import VERBS
from memoranda.verbs.schema import Types, answer, arguments

EXAMPLE = Path(__file__).parents[2] / "examples" / "doors.py"


@pytest.mark.parametrize(
    ("given", "fits"),
    [
        ({"text": "Ship"}, True),
        ({"text": "Ship", "priority": 5, "deadline": "2030-03-01T00:00:00Z", "blockers": ["rain"]}, True),
        ({}, False),
        ({"text": "Ship", "priority": 6}, False),
        ({"text": "Ship", "priority": "1"}, False),
        ({"text": "Ship", "blockers": "rain"}, False),
        ({"text": "Ship", "blockers": [""]}, False),
        ({"text": "Ship", "parent": None}, True),
        ({"text": "Ship", "parent": ""}, False),
        ({"text": "Ship", "inferred": 1}, False),
        ({"text": "Ship", "why": "because"}, False),
    ],
)
def test_constraints_are_in_the_schema(given: dict[str, Any], fits: bool) -> None:
    found = [*Draft202012Validator(arguments(VERBS["goals.add"])).iter_errors(given)]
    assert (not found) is fits


def test_choices_and_spans_are_in_the_schema() -> None:
    properties = arguments(VERBS["recall"])["properties"]
    named, own = properties["profile"]["anyOf"]
    assert named["enum"] == ["balanced", "reinforced", "relevance", "strata", "rrf"]
    assert own["properties"]["similarity"] == {"type": "number", "exclusiveMinimum": 0, "maximum": 1}
    assert (properties["limit"]["minimum"], properties["limit"]["maximum"]) == (1, 1000)
    assert properties["limit"]["default"] == 10
    assert properties["query"]["description"] == "the question, in words."
    assert arguments(VERBS["connections.remember"])["properties"]["ttl"]["exclusiveMinimum"] == 0


def test_an_object_in_an_answer_has_all_of_its_fields() -> None:
    schema = answer(VERBS["goals.get"])
    with pytest.raises(ValidationError, match="'state' is a required property"):
        Draft202012Validator(schema).validate({"id": "g", "text": "Ship"})


def test_what_cannot_be_written_has_no_schema() -> None:
    assert Types().shape(object) is None
    assert Types().shape(list[object]) is None
    assert Types().shape(object | None) is None


@pytest.mark.parametrize("kind", ["openapi", "mcp"])
def test_the_example_makes_a_door_of_every_verb(
    kind: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["doors.py", kind])
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    document = json.loads(capsys.readouterr().out)
    made = document["paths"] if kind == "openapi" else {tool["name"] for tool in document}
    assert len(made) == len(VERBS)
    assert len(EXAMPLE.read_text().splitlines()) < 70


def test_the_example_answers_a_request() -> None:
    call = runpy.run_path(str(EXAMPLE))["call"]
    with Memory.open(embedder="none") as memory:
        me = memory.scope(tenant="acme", user="alice")
        made = json.loads(call(me.goals, VERBS["goals.add"], b'{"text": "Ship", "deadline": "2030-03-01T00:00:00Z"}'))
        assert (made["text"], made["deadline"]) == ("Ship", "2030-03-01T00:00:00+00:00")
        assert json.loads(call(memory, VERBS["stats"], b'{"tenant": "acme"}'))["events"] == 1
