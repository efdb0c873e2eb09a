"""The server, spoken to by a real client in both eras of the protocol."""

import json
import re
from typing import Any

import jsonschema
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, ElicitResult, TextContent, TextResourceContents

from doors.mcp.conftest import MODES, Talk
from memoranda import AsyncMemory
from memoranda.core.text.terms import estimate_tokens
from memoranda.doors.mcp.profiles import PROFILES, offers
from memoranda.doors.mcp.server import instructions
from memoranda.doors.wire.calls import verbs
from memoranda.verbs.registry import Stream

pytestmark = pytest.mark.anyio
modes = pytest.mark.parametrize("mode", MODES)
YES = ElicitResult(action="accept", content={"confirm": True})
UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


def words(answer: CallToolResult) -> str:
    [content] = answer.content
    assert isinstance(content, TextContent)
    return content.text


async def told(client: Client, name: str, /, **arguments: Any) -> Any:
    answer = await client.call_tool(name, arguments)
    assert not answer.is_error, words(answer)
    return answer.structured_content


async def refused(client: Client, name: str, /, **arguments: Any) -> str:
    answer = await client.call_tool(name, arguments)
    assert answer.is_error
    return words(answer)


@modes
async def test_what_is_recorded_is_found_again(talk: Talk, mode: str) -> None:
    async with talk.client(mode) as client:
        captured = await told(client, "record_observation", content="User's sister Ann lives in Oslo.")
        assert captured["decisions"][0]["outcome"] == "added"
        [item] = (await told(client, "search_memory", query="Where does Ann live?", limit=1))["items"]
        assert item.keys() == {"id", "of", "kind", "text", "at", "by"}
        assert (item["text"], item["by"]) == ("User's sister Ann lives in Oslo.", "agent (unconfirmed)")
        assert UTC.fullmatch(item["at"])
        context = await client.call_tool("get_context", {"query": "Where does Ann live?"})
        assert "User's sister Ann lives in Oslo." in words(context)
        why = await told(client, "explain_memory", query="Where does Ann live?", item=item["id"])
        assert why["place"] == 1


@modes
async def test_every_answer_is_what_its_schema_says(talk: Talk, mode: str) -> None:
    async with talk.client(mode, unasked=True) as client:
        schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
        for name, arguments in {
            "record_observation": {"content": "User prefers short mails.", "category": "preference"},
            "search_memory": {"query": "mails", "since": "2020-01-01T00:00:00Z"},
            "get_context": {"query": "mails", "budget": 500},
            "explain_memory": {"query": "mails"},
            "forget_memory": {"value": "short mails"},
        }.items():
            answer = await client.call_tool(name, arguments)
            schema = schemas.pop(name)
            assert schema is not None
            jsonschema.validate(answer.structured_content, schema)
        assert not schemas


async def test_a_listing_is_small(talk: Talk) -> None:
    async with talk.client("auto") as client:
        listing = (await client.list_tools()).model_dump_json(by_alias=True, exclude_none=True, exclude={"meta"})
        assert client.instructions is not None
        assert len(client.instructions.split()) <= 100
    assert len(listing) / 4 <= 1_500
    assert estimate_tokens(listing) <= 1_500


def test_an_agent_that_works_on_its_own_is_offered_more() -> None:
    assert offers("autonomous").keys() - offers("default").keys() == {"update_user_context"}
    assert offers("autonomous")["update_user_context"].effect == "writes"


def test_the_instructions_name_only_what_is_offered() -> None:
    assert "record_observation" not in instructions(offers("read"))
    assert "get_context" in instructions(offers("read"))


async def test_every_tool_says_what_it_does(talk: Talk) -> None:
    async with talk.client(place={"connections": ["jira"]}) as client:
        tools = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
    hints = {
        name: (one.read_only_hint, one.destructive_hint, one.idempotent_hint, one.open_world_hint)
        for name, one in tools.items()
        if one
    }
    assert hints == {
        "search_memory": (True, False, True, False),
        "get_context": (True, False, True, False),
        "record_observation": (False, False, False, False),
        "update_connection_context": (False, False, False, False),
        "forget_memory": (False, True, True, False),
        "explain_memory": (True, False, True, False),
    }


async def test_the_profile_that_reads_only_reads(talk: Talk) -> None:
    async with talk.client(tools="read") as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == [
            "search_memory", "get_context", "explain_memory",
        ]  # fmt: skip
        with pytest.raises(MCPError, match="no tool 'record_observation'"):
            await client.call_tool("record_observation", {"content": "x"})


def test_all_tools_are_all_verbs_of_a_user() -> None:
    found = offers("all")
    own = (verb for verb in verbs() if verb.scoped and not isinstance(verb, Stream))
    assert found.keys() == {verb.name.replace(".", "_") for verb in own}
    assert all(re.fullmatch(r"[a-z_]{1,64}", name) for name in found)
    for one in found.values():
        jsonschema.Draft202012Validator.check_schema(one.schema)
        jsonschema.Draft202012Validator.check_schema(one.answer or {})
        assert one.schema["type"] == (one.answer or {}).get("type", "object") == "object" or "$ref" in (
            one.answer or {}
        )


def test_no_argument_says_whose_memory_it_is() -> None:
    for profile in PROFILES:
        for one in offers(profile).values():
            granted = {"user"} if one.name.endswith("_grant") else set()
            assert not {"tenant", "user"} & one.schema["properties"].keys() - granted, one.name
    assert "source" not in offers("all")["observe"].schema["properties"]
    assert "source" in offers("all")["graph_relate"].schema["properties"], "there it is an entity"
    assert "deadline" in offers("all")["goals_add"].schema["properties"], "there it is a time"


async def test_a_scope_that_an_argument_names_is_refused(talk: Talk) -> None:
    async with talk.client() as client:
        assert "/user is unknown; give query" in await refused(client, "search_memory", query="x", user="bob")
        assert "/source is unknown" in await refused(client, "record_observation", content="x", source="user_provided")


async def test_scopes_are_apart(talk: Talk) -> None:
    async with talk.client(agent="cook") as client:
        await told(client, "record_observation", content="User is allergic to nuts.")
    for other in ({"user": "bob"}, {"tenant": "other"}, {"agent": "guard"}):
        async with talk.client(**other) as client:
            assert not (await told(client, "search_memory", query="allergic to nuts")).get("items")
    async with talk.client(agent="cook") as client:
        assert (await told(client, "search_memory", query="allergic to nuts"))["items"]


async def test_a_model_can_be_trusted_to_record_what_the_user_said(talk: Talk) -> None:
    async with talk.client(source="user_provided") as client:
        await told(client, "record_observation", content="User is allergic to nuts.")
        [item, *_] = (await told(client, "search_memory", query="allergic to nuts"))["items"]
        assert "by" not in item


async def test_connections_are_learnt_about_while_they_are_active(talk: Talk) -> None:
    async with talk.client(place={"connections": ["jira"]}) as client:
        await told(client, "update_connection_context", connection="jira", values={"default_project": "PROJ"})
        assert (await told(client, "search_memory", query="Which default project?"))["items"]
    async with talk.client() as client:
        assert "update_connection_context" not in [tool.name for tool in (await client.list_tools()).tools]
        assert not (await told(client, "search_memory", query="Which default project?")).get("items")


async def test_a_caller_sees_what_its_key_allows(talk: Talk) -> None:
    async with talk.client(rights=frozenset({"write"})) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["record_observation"]


@modes
async def test_what_is_wrong_is_told_to_the_model(talk: Talk, mode: str) -> None:
    async with talk.client(mode) as client:
        assert await refused(client, "search_memory", query=3) == "/query is 3; give a text."
        assert "/query is missing" in await refused(client, "search_memory")
        assert "no argument" not in await refused(client, "explain_memory", query="x", item="nowhere")
        with pytest.raises(MCPError, match="no tool"):
            await client.call_tool("nothing", {})


@modes
async def test_what_goes_wrong_inside_is_only_logged(
    talk: Talk, mode: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: Any) -> None:
        raise RuntimeError("the password is hunter2")

    async with talk.client(mode) as client:
        monkeypatch.setattr("memoranda.doors.mcp.offers.Seat.answer", broken)
        with pytest.raises(MCPError) as caught:
            await client.call_tool("search_memory", {"query": "x"})
    assert "hunter2" not in str(caught.value)
    assert "tools/call failed" in caplog.text


# ------------------------------------------------------------------------------------------- forgetting


async def recorded(client: Client) -> str:
    captured = await told(client, "record_observation", content="User's sister Ann lives in Oslo.")
    record: str = captured["decisions"][0]["record"]
    return record


@modes
async def test_the_user_is_asked_before_something_is_forgotten(talk: Talk, mode: str) -> None:
    async with talk.client(mode, says=YES) as client:
        record = await recorded(client)
        receipt = await told(client, "forget_memory", record=record)
        assert receipt["removed"]["records"] == 2
        assert not (await told(client, "search_memory", query="Where does Ann live?")).get("items")
    [question] = talk.asked
    assert record in question
    assert "“User's sister is called Ann.”" in question


@modes
@pytest.mark.parametrize(
    "says",
    [
        ElicitResult(action="decline"),
        ElicitResult(action="cancel"),
        ElicitResult(action="accept", content={"confirm": False}),
        ElicitResult(action="accept", content={}),
    ],
)
async def test_nothing_is_forgotten_unless_the_user_wants_it(talk: Talk, mode: str, says: ElicitResult) -> None:
    async with talk.client(mode, says=says) as client:
        record = await recorded(client)
        assert "the user does not want it" in await refused(client, "forget_memory", record=record)
        assert (await told(client, "search_memory", query="Where does Ann live?"))["items"]


@modes
async def test_a_client_that_cannot_ask_is_told_what_to_do(talk: Talk, mode: str) -> None:
    async with talk.client(mode) as client:
        record = await recorded(client)
        assert "memoranda forget" in await refused(client, "forget_memory", record=record)
        assert (await told(client, "search_memory", query="Where does Ann live?"))["items"]


@modes
async def test_a_client_may_be_trusted_to_ask(talk: Talk, mode: str) -> None:
    async with talk.client(mode, unasked=True) as client:
        assert (await told(client, "forget_memory", record=await recorded(client)))["removed"]


async def test_an_answer_is_good_for_the_call_that_was_asked_about(talk: Talk) -> None:
    async with talk.client(says=YES) as client:
        record = await recorded(client)
        first = await client.session.call_tool("forget_memory", {"value": "Rome"}, allow_input_required=True)
        second = await client.session.call_tool(
            "forget_memory", {"record": record}, allow_input_required=True,
            input_responses={"confirm": YES}, request_state=first.request_state,  # type: ignore[union-attr]
        )  # fmt: skip
        assert second.result_type == "input_required", "it asks again"
        assert (await told(client, "search_memory", query="Where does Ann live?"))["items"]


# --------------------------------------------------------------------------------- resources and prompts


@modes
async def test_records_profile_and_contexts_are_resources(talk: Talk, mode: str) -> None:
    async with talk.client(mode) as client:
        record = await recorded(client)
        listed = [str(one.uri) for one in (await client.list_resources()).resources]
        templates = [one.uri_template for one in (await client.list_resource_templates()).resource_templates]
        assert listed == ["memoranda://profile"]
        assert templates == ["memoranda://records/{id}", "memoranda://context/{task}"]

        async def read(address: str) -> str:
            [content] = (await client.read_resource(address)).contents
            assert isinstance(content, TextResourceContents)
            return content.text

        [version] = json.loads(await read(f"memoranda://records/{record}"))["result"]
        assert version["text"] == "User's sister is called Ann."
        assert UTC.fullmatch(version["recorded_at"])
        assert json.loads(await read("memoranda://profile")).keys() >= {"scaffold", "narrative", "learned"}
        assert "lives in Oslo" in await read("memoranda://context/Where%20does%20Ann%20live%3F")
        for address in ("memoranda://records/nowhere", "memoranda://context/", "memoranda://profile/x", "https://a.b"):
            with pytest.raises(MCPError):
                await client.read_resource(address)


@modes
async def test_a_prompt_brings_what_bears_on_a_task(talk: Talk, mode: str) -> None:
    async with talk.client(mode) as client:
        await recorded(client)
        [prompt] = (await client.list_prompts()).prompts
        assert prompt.name == "recall"
        [message] = (await client.get_prompt("recall", {"task": "Book a flight to Ann in Oslo"})).messages
        assert isinstance(message.content, TextContent)
        assert "User's sister Ann lives in Oslo." in message.content.text
        assert message.content.text.endswith("\n\nBook a flight to Ann in Oslo")
        for name, arguments in (("recall", {}), ("other", {"task": "x"})):
            with pytest.raises(MCPError, match="one prompt"):
                await client.get_prompt(name, arguments)


# ------------------------------------------------------------------------------------------------ all verbs


async def test_any_verb_can_be_called(talk: Talk) -> None:
    async with talk.client(tools="all", unasked=True) as client:
        goal = await told(client, "goals_add", text="Ship 1.0", deadline="2030-01-01T00:00:00+02:00")
        assert goal["deadline"] == "2029-12-31T22:00:00Z"
        found = await told(client, "goals_find")
        assert [one["text"] for one in found["result"]] == ["Ship 1.0"]
        await told(client, "working_set", conversation="c1", key="draft", value="none yet")
        assert await told(client, "working_get", conversation="c1", key="draft") == {"result": "none yet"}
        assert "conversation is missing" in await refused(client, "working_get", key="draft")


async def test_what_is_the_tenants_is_not_for_a_model(talk: Talk) -> None:
    async with talk.client(tools="all") as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
    assert "goals_add" in names
    assert not {"keys_create", "stats", "run_job", "export"} & names


async def test_the_audit_names_the_key(talk: Talk, memory: AsyncMemory) -> None:
    async with talk.client(key="k1") as client:
        await recorded(client)
    [entry] = await memory.scope(tenant="acme", user="alice").audit(operation="observe")
    assert "k1" in repr(entry)


async def test_no_more_is_kept_than_may_be(talk: Talk) -> None:
    async with talk.client(limits={"user_items": 1}) as client:
        for answer in ("User lives in Oslo.", "User has a dog."):
            told = await client.call_tool("record_observation", {"content": answer})
        assert told.is_error
        assert "items of this user are kept, 1 may be" in told.content[0].text
        assert (await client.call_tool("search_memory", {"query": "dog?"})).is_error is not True
