"""Verbs as the tools of a model: how they are described, and what comes of calling them."""

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from memoranda import AsyncMemory, Memory, Scoped
from memoranda.errors import InputError, StoreUnavailableError
from memoranda.verbs.parts import narrowed, shown, tree
from memoranda.verbs.registry import VERBS
from memoranda.verbs.toolbox import TOOLS, tool_of

FACT = "User's sister Ann lives in Oslo."


@pytest.fixture
def alice() -> Iterator[Scoped]:
    with Memory.open(":memory:", embedder="none") as memory:
        yield memory.scope(tenant="acme", user="alice")


@pytest.mark.parametrize("kind", ["openai", "anthropic", "json-schema"])
def test_each_maker_has_its_own_form(alice: Scoped, kind: Any) -> None:
    tools = alice.tools_for(kind)
    for one, tool in zip(tools.definitions, tools.tools.values(), strict=True):
        about = {"name": tool.name, "description": tool.description}
        assert one == {
            "openai": {"type": "function", "function": {**about, "parameters": tool.schema}},
            "anthropic": {**about, "input_schema": tool.schema},
            "json-schema": {**about, "parameters": tool.schema},
        }[kind]  # fmt: skip
        jsonschema.Draft202012Validator.check_schema(tool.schema)


def test_a_definition_reads_well(alice: Scoped) -> None:
    [one] = [one for one in alice.tools_for("anthropic").definitions if one["name"] == "record_observation"]
    assert one == {
        "name": "record_observation",
        "description": "Remember a fact, preference, decision or correction that will matter in later conversations.",
        "input_schema": {
            "type": "object",
            "properties": {
                "content": {"type": "string", "description": "what was observed, as a self-contained statement."},
                "category": {
                    "type": "string",
                    "description": "fact, preference, project_details, correction, or your own.",
                    "default": "fact",
                },
            },
            "required": ["content"],
            "additionalProperties": False,
        },
    }


def test_a_conversation_with_a_model(alice: Scoped) -> None:
    tools = alice.tools_for("openai")
    assert '"outcome":"added"' in tools.call("record_observation", json.dumps({"content": FACT, "category": None}))
    item, *_ = json.loads(tools.call("search_memory", {"query": "Where does Ann live?"}))["items"]
    assert (item["text"], item["by"]) == (FACT, "agent (unconfirmed)")
    assert FACT in tools.call("get_context", {"query": "Where does Ann live?"})
    assert tools.destructive == {"forget_memory"}
    assert '"records":2' in tools.call("forget_memory", {"record": item["id"]})
    assert tools.call("search_memory", {"query": "Where does Ann live?"}).startswith("nothing has been recorded here")


@pytest.mark.anyio
async def test_the_same_is_awaited() -> None:
    async with await AsyncMemory.open(":memory:", embedder="none") as memory:
        tools = memory.scope(tenant="acme", user="alice").tools_for("anthropic", source="user_provided")
        await tools.call("record_observation", {"content": FACT})
        [item, *_] = json.loads(await tools.call("search_memory", {"query": "Where does Ann live?"}))["items"]
        assert "by" not in item


@pytest.mark.parametrize(
    ("name", "said", "told"),
    [
        ("search_memory", {}, "/query is missing"),
        ("search_memory", "", "/query is missing"),
        ("search_memory", {"query": "x", "limit": "many"}, "/limit is 'many'"),
        ("search_memory", {"query": "x", "tenant": "other"}, "/tenant is unknown; give query or limit"),
        ("search_memory", {"query": "x", "techniques": ["hyde"]}, "/techniques is unknown"),
        ("search_memory", '{"query": ', "not JSON"),
        ("search_memory", "[" * 100_000, "not JSON"),
        ("search_memory", ["x"], "no object"),
        ("record_observation", {"content": "x", "source": "user_provided"}, "/source is unknown"),
        ("forget_memory", {}, "exactly one of"),
        ("forget_memory", {"record": "nowhere"}, "nowhere"),
        ("explain_memory", {"query": "x", "item": "nowhere"}, "nowhere"),
        ("fly", {}, "There is no tool 'fly'; there are search_memory"),
    ],
)
def test_a_wrong_call_is_told(alice: Scoped, name: str, said: Any, told: str) -> None:
    answer = alice.tools_for("json-schema").call(name, said)
    assert answer.startswith("Error: ")
    assert told in answer


def test_what_is_no_fault_of_the_models_is_raised() -> None:
    with Memory.open(":memory:", embedder="none") as memory:
        tools = memory.scope(tenant="acme", user="alice").tools_for("openai")
    with pytest.raises(StoreUnavailableError):
        tools.call("search_memory", {"query": "x"})


def test_secrets_are_withheld(alice: Scoped) -> None:
    tools = alice.tools_for("openai")
    tools.call("record_observation", {"content": "My password is hunter2X9."})
    assert "hunter2X9" not in tools.call("search_memory", {"query": "What is my password?"})


def test_connections_are_offered_while_they_are_active(alice: Scoped) -> None:
    assert "update_connection_context" not in alice.tools_for("openai").tools
    with Memory.open(":memory:", embedder="none") as memory:
        tools = memory.scope(tenant="acme", user="alice", connections=["jira"]).tools_for("openai")
        tools.call("update_connection_context", {"connection": "jira", "values": {"default_project": "PROJ"}})
        assert "default project: PROJ" in tools.call("search_memory", {"query": "Which default project?"})
        assert "Error" in tools.call("update_connection_context", {"connection": "mail", "values": {"x": 1}})


@pytest.mark.parametrize(
    ("given", "told"), [({"kind": "gpt"}, "openai"), ({"kind": "openai", "source": "me"}, "agent")]
)
def test_what_there_is_not_is_refused(alice: Scoped, given: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        alice.tools_for(**given)


def test_a_long_turn_is_cut_to_what_answers(alice: Scoped) -> None:
    story = " ".join(f"In year {n} the ferry to island {n} sank." for n in range(2_000))
    alice.add([{"role": "user", "content": f"{story} My sister Ann lives in Oslo. {story}"}])
    answer = alice.tools_for("openai").call("search_memory", {"query": "Where does Ann live?"})
    assert "Oslo" in answer
    assert len(answer) < 16_000


def test_every_default_tool_is_a_verb() -> None:
    for name, tool in TOOLS.items():
        assert tool.of in VERBS
        assert set(tool.takes) <= tool.verb.signature.parameters.keys(), name
        jsonschema.Draft202012Validator.check_schema(tool.answer)


def test_what_a_program_would_say_is_hidden_from_a_model() -> None:
    takes = {*tool_of(VERBS["recall"]).takes}
    assert takes >= {"query", "limit", "kinds", "since", "until"}
    assert not takes & {"tokens", "profile", "arms", "now", "techniques", "deadline", "as_of", "known_at"}
    assert "deadline" in tool_of(VERBS["goals.add"]).takes
    assert "source" in tool_of(VERBS["graph.relate"]).takes
    assert "source" in tool_of(VERBS["forget"]).takes


# ------------------------------------------------------------------------------------------------- parts

SCHEMA: dict[str, Any] = {
    "$ref": "#/$defs/Answer",
    "$defs": {
        "Answer": {
            "type": "object",
            "properties": {
                "items": {"type": "array", "items": {"$ref": "#/$defs/Item"}},
                "span": {"type": "array", "prefixItems": [{"type": "string", "format": "date-time"}, {"type": "null"}]},
                "by": {"type": "object", "additionalProperties": {"type": "string", "format": "date-time"}},
            },
        },
        "Item": {
            "type": "object",
            "properties": {
                "at": {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]},
                "text": {"type": "string"},
                "n": {"type": "integer"},
            },
        },
    },
}
TIME = "2026-01-31T12:00:00+02:00"


def test_parts_are_named_by_their_paths() -> None:
    value = {"items": [{"at": TIME, "text": TIME, "n": 1}, {"at": None, "text": "", "n": 0}], "span": [], "by": {}}
    parts = tree(["items.at", "items.text", "by"])
    assert shown(value, SCHEMA, parts) == {"items": [{"at": "2026-01-31T10:00:00Z", "text": TIME}, {}]}
    item = {"at": {"type": "string", "format": "date-time"}, "text": {"type": "string"}}
    assert narrowed(SCHEMA, parts) == {
        "type": "object",
        "properties": {
            "items": {"type": "array", "items": {"type": "object", "properties": item}},
            "by": {"type": "object", "additionalProperties": {"type": "string", "format": "date-time"}},
        },
    }


def test_a_whole_answer_keeps_what_is_empty() -> None:
    value = {"items": [{"at": None, "text": "", "n": 0}], "span": [TIME, None], "by": {"x": TIME, "y": "never"}}
    utc = "2026-01-31T10:00:00Z"
    assert narrowed(SCHEMA, tree([])) == SCHEMA
    assert shown(value, SCHEMA, tree([])) == {
        "items": [{"at": None, "text": "", "n": 0}], "span": [utc, None], "by": {"x": utc, "y": "never"},
    }  # fmt: skip
