"""JSON becomes the arguments of a verb: all that its schema allows, and nothing else."""

import json
import string
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from memoranda import AsyncScoped
from memoranda.core.base.plain import plain
from memoranda.core.context.layouts import Layout, Slot
from memoranda.core.evaluation.labels import Question
from memoranda.core.formats.conversation import Conversation, Message
from memoranda.errors import ArgumentError
from memoranda.flows.context.evaluate import Configuration
from memoranda.verbs.registry import VERBS
from memoranda.verbs.schema import Types, arguments, decode

pytestmark = pytest.mark.anyio

#: What a class checks that its fields do not say.
CHECKED = {
    "Slot": {"budget": {"minimum": 0}, "floor": {"minimum": 0}, "most": {"minimum": 0}, "short": {"minimum": 0}},
    "Layout": {"total": {"minimum": 1}, "reserve": {"minimum": 0}},
    "Configuration": {"ask": {"maxProperties": 0}},
}
TEXTS = st.text(string.ascii_letters + "~/ü日", min_size=1, max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)
MOMENTS = st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)).map(datetime.isoformat)  # noqa: DTZ001


def numbers(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    least = schema.get("minimum", schema.get("exclusiveMinimum", -5))
    most = schema.get("maximum", least + 9)
    if schema["type"] == "integer":
        return st.integers(least, most)
    return st.floats(least, most, exclude_min="exclusiveMinimum" in schema)


def objects(schema: dict[str, Any], known: dict[str, Any]) -> st.SearchStrategy[Any]:
    if "properties" not in schema:
        most = schema.get("maxProperties", 2)
        return st.dictionaries(TEXTS, valid(schema["additionalProperties"], known), max_size=most)
    members = {name: valid(one, known) for name, one in schema["properties"].items()}
    needed = {name: members.pop(name) for name in schema["required"]}
    made = st.fixed_dictionaries(needed, optional=members)
    return made.filter(lambda one: len(one) >= schema.get("minProperties", 0))


def valid(schema: dict[str, Any], known: dict[str, Any]) -> st.SearchStrategy[Any]:
    """JSON that a schema allows."""
    if "$ref" in schema:
        return st.deferred(lambda: valid(known[schema["$ref"].rpartition("/")[2]], known))
    if one_of := schema.get("anyOf", [{"enum": schema["enum"]}] if "enum" in schema else []):
        return st.one_of([st.sampled_from(one["enum"]) if "enum" in one else valid(one, known) for one in one_of])
    if schema.get("type") in {"integer", "number"}:
        return numbers(schema)
    if schema.get("type") == "object":
        return objects(schema, known)
    if schema.get("type") == "array":
        return st.lists(valid(schema["items"], known), max_size=2)
    return plain_values(schema)


def plain_values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    if schema.get("pattern", r"\S") != r"\S":  # all of `TEXTS` have a letter
        return st.from_regex(schema["pattern"].replace("$", r"\Z"), alphabet=st.characters(codec="ascii"))
    texts = {"date-time": MOMENTS, "date": st.dates().map(date.isoformat)}.get(schema.get("format", ""), TEXTS)
    return {"boolean": st.booleans(), "null": st.none(), "string": texts}.get(schema.get("type", ""), JSON)


def of(name: str) -> st.SearchStrategy[Any]:
    """JSON that the schema of a verb allows, and its classes as well."""
    schema = arguments(VERBS[name])
    for kind, fields in CHECKED.items():
        for field, more in fields.items():
            if kind in schema.get("$defs", {}):
                schema["$defs"][kind]["properties"][field] |= more
    return valid(schema, schema.get("$defs", {}))


@pytest.mark.parametrize("name", VERBS)
@settings(max_examples=5)
@given(data=st.data())
def test_what_the_schema_allows_is_read_and_written_as_it_was(name: str, data: st.DataObject) -> None:
    told = data.draw(of(name))
    Draft202012Validator(arguments(VERBS[name])).validate(told)
    read = decode(VERBS[name], told)
    assert read.keys() == told.keys()
    assert VERBS[name].signature.bind_partial(**read)
    again = json.loads(json.dumps(plain(read)))
    assert plain(decode(VERBS[name], again)) == plain(read)


def places(value: Any, at: str = "") -> list[tuple[str, Any, Any]]:
    """All places in JSON: the pointer, what holds it, and its name or number there."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found: list[tuple[str, Any, Any]] = []
    for name, one in inner:
        where = f"{at}/{str(name).replace('~', '~0').replace('/', '~1')}"
        found += [(where, value, name), *places(one, where)]
    return found


@pytest.mark.parametrize("name", VERBS)
@settings(max_examples=5)
@given(data=st.data())
def test_what_the_schema_does_not_allow_is_refused_where_it_is(name: str, data: st.DataObject) -> None:
    told = data.draw(of(name))
    where = data.draw(st.sampled_from([("", None, None), *places(told)]))
    if where[1] is not None and data.draw(st.booleans()):
        where[1][where[2]] = data.draw(JSON)
    else:
        told[data.draw(TEXTS)] = data.draw(JSON)
    if Draft202012Validator(arguments(VERBS[name])).is_valid(told):
        return
    with pytest.raises(ArgumentError) as error:
        decode(VERBS[name], told)
    there = {pointer for pointer, *_ in places(told)} | {""}
    missing = str(error.value).startswith(f"{error.value.pointer} is missing")
    assert (error.value.pointer.rpartition("/")[0] if missing else error.value.pointer) in there
    assert str(error.value).startswith(error.value.pointer)


@pytest.mark.parametrize(
    ("name", "told", "pointer", "words"),
    [
        ("goals.add", [], "", "The whole is []; give an object."),
        ("goals.add", {}, "/text", "/text is missing; give a text."),
        ("goals.add", {"text": "Ship", "priorty": 1}, "/priorty", "/priorty is unknown; give priority."),
        ("stats", {"tenant": "t", "x/y": 1}, "/x~1y", "/x~1y is unknown; give tenant or user."),
        ("goals.add", {"text": "Ship", "priority": "1"}, "/priority", "/priority is '1'; give a whole number."),
        ("goals.add", {"text": "Ship", "priority": 6}, "/priority", "at least 1 and at most 5."),
        ("goals.add", {"text": "Ship", "priority": True}, "/priority", "/priority is True; give a whole number."),
        ("goals.add", {"text": "Ship", "deadline": "soon"}, "/deadline", "a time, as 2026-01-31T12:00:00Z or null."),
        ("goals.add", {"text": "Ship", "deadline": "2026-01-31T12:00"}, "/deadline", "a time, as 2026-01-31T12:00:00Z"),
        ("goals.add", {"text": "Ship", "blockers": "rain"}, "/blockers", "/blockers is 'rain'; give an array."),
        ("goals.add", {"text": "Ship", "blockers": ["a", ""]}, "/blockers/1", "/blockers/1 is needed"),
        ("entries.day", {"on": "2026-02-30"}, "/on", "/on is '2026-02-30'; give a day, as 2026-01-31."),
        ("recall", {"query": "x", "kinds": ["turn", "x"]}, "/kinds/1", "a kind is 'x'; give one of turn, fact"),
        ("recall", {"query": "x", "deadline": "soon"}, "/deadline", "/deadline is 'soon'; give a number or null."),
        ("recall", {"query": "x", "limit": float("inf")}, "/limit", "/limit is inf; give a whole number."),
        ("tools.record", {"tool": "x", "success": 1}, "/success", "/success is 1; give true or false."),
        ("context", {"query": "x", "layout": 5}, "/layout", "/layout is 5; give a text or an object."),
        ("context", {"query": "x", "layout": {"total": 5}}, "/layout/slots", "slots is missing; give an object."),
        (
            "context", {"query": "x", "layout": {"total": 5, "slots": {"a": {"heading": "b", "budget": -1}}}},
            "/layout/slots/a/budget", "/layout/slots/a/budget is -1; give a whole number of at least 0.",
        ),
        ("import_conversations", {"conversations": [{"id": "c", "messages": [{"role": "user"}]}]},
            "/conversations/0/messages/0/content", "is missing; give a text."),
        ("reembed", {"tenant": "t", "progress": None}, "/progress", "/progress is unknown; give tenant or user."),
        ("pools.write", {"pool": "p", "path": "k"}, "/value", "/value is missing; give any JSON."),
        ("goals.add", {"text": 5, "AKIAIOSFODNN7EXAMPLE": 1}, "/[withheld: api key]", "/[withheld: "),
        ("goals.add", {"text": "Ship", "sk-proj-Zq8LmT4vXc2RbN7yKd9W": {}}, "/[withheld: api key]", "is unknown"),
        (
            "context", {"query": "x", "layout": {"total": 5, "slots": {"AKIAQ3ZT7MXW5LNB2RVK": 5}}},
            "/layout/slots/[withheld: api key]", "/layout/slots/[withheld: api key] is 5; give",
        ),
        (
            "context",
            {"query": "x", "layout": {"total": 5, "slots": {"AKIAQ3ZT7MXW5LNB2RVK": {"heading": "b", "budget": -1}}}},
            "/layout/slots/[withheld: api key]/budget", "/layout/slots/[withheld: api key]/budget is -1; give",
        ),
        ("goals.add", {"text": "Ship", "x" * 3_000_000: 1}, f"/{'x' * 511}…", f"/{'x' * 511}… is unknown; give text"),
    ],
)  # fmt: skip
def test_the_error_says_where_and_what(name: str, told: Any, pointer: str, words: str) -> None:
    with pytest.raises(ArgumentError) as error:
        decode(VERBS[name], told)
    assert error.value.pointer == pointer
    assert words in str(error.value)
    assert error.value.wanted in str(error.value)


def test_values_are_of_the_types_that_a_verb_takes() -> None:
    at = "2026-01-31T12:00:00+02:00"
    then = datetime(2026, 1, 31, 10, tzinfo=UTC)
    assert decode(VERBS["goals.add"], {"text": "x", "deadline": at})["deadline"] == then
    assert decode(VERBS["entries.day"], {"on": "2026-01-31"}) == {"on": date(2026, 1, 31)}
    assert decode(VERBS["recall"], {"query": "x", "limit": 5.0, "deadline": 2}) == {
        "query": "x",
        "limit": 5,
        "deadline": 2.0,
    }
    turn = {"role": "user", "content": "x"}
    told = {"messages": [{**turn, "at": at}, {**turn, "timestamp": at}, {"role": "user"}]}
    assert decode(VERBS["add"], told)["messages"] == [Message(role="user", content="x", at=then), *told["messages"][1:]]
    told = {"conversations": [{"id": "c", "messages": [turn], "gaps": [2]}]}
    (conversation,) = decode(VERBS["import_conversations"], told)["conversations"]
    assert conversation == Conversation(id="c", messages=(Message(**turn),), gaps=frozenset({2}))
    label = {"query": "x", "answers": [[{"by": "id", "words": "e1"}]]}
    told = {"questions": [label, {"query": "y"}], "configurations": [{"name": "a", "ask": {"profile": "relevance"}}]}
    read = decode(VERBS["evaluate"], told)
    assert isinstance(read["questions"][0], Question)
    assert read["questions"][1] == {"query": "y"}
    assert read["configurations"] == [Configuration(name="a", ask={"profile": "relevance"})]
    layout = {"total": 9, "slots": {"a": {"heading": "b", "budget": 5}}}
    assert isinstance(made := decode(VERBS["context"], {"query": "x", "layout": layout})["layout"], Layout)
    assert made.slots == {"a": Slot(heading="b", budget=5)}
    for kept in (1.0, 1, "1", None, [1.5], {"a": {}}):
        value = decode(VERBS["pools.write"], {"pool": "p", "path": "k", "value": kept})["value"]
        assert (value, type(value)) == (kept, type(kept))


def test_what_no_verb_takes_yet_is_read_too() -> None:
    pair, raw = Types().shape(tuple[int, str]), Types().shape(bytes)
    assert pair is not None
    assert raw is not None
    assert pair.read([1, "a"], "/x") == (1, "a")
    assert raw.read("01ff", "/x") == b"\x01\xff"
    for shape, told in ((pair, [1]), (pair, [1, 2]), (raw, "xy")):
        with pytest.raises(ArgumentError, match="/x"):
            shape.read(told, "/x")


async def test_a_verb_takes_what_was_read(alice: AsyncScoped) -> None:
    told = {"text": "Ship", "priority": 1, "deadline": "2030-03-01T00:00:00Z", "recall_when": ["release"]}
    goal = await alice.goals.add(**decode(VERBS["goals.add"], told))
    assert (goal.priority, goal.deadline, goal.recall_when) == (1, datetime(2030, 3, 1, tzinfo=UTC), ("release",))


def test_a_number_with_a_fraction_is_no_whole_number() -> None:
    recall = next(verb for verb in VERBS.values() if verb.name == "recall")
    with pytest.raises(ArgumentError, match="a whole number"):
        decode(recall, {"query": "Where?", "limit": 1.5})


def test_an_object_of_which_a_part_cannot_be_written_has_no_schema() -> None:
    @dataclass
    class Held:
        made: int
        live: object

    assert Types().shape(Held) is None
