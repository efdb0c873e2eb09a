"""The profile that takes the place of the reference server "memory", spoken to by a real client."""

import json
import re
from typing import Any

import jsonschema
import pytest
from mcp import Client
from mcp_types import ElicitResult, TextContent

from doors.mcp.conftest import MODES, Talk
from memoranda.doors.mcp.profiles import offers
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio
modes = pytest.mark.parametrize("mode", MODES)

ANN = {"name": "Ann_Lee", "entityType": "person", "observations": ["Speaks fluent Spanish", "Sails on Sundays"]}
REX = {"name": "Rex", "entityType": "boat", "observations": []}
OWNS = {"from": "Ann_Lee", "to": "Rex", "relationType": "owns"}
EMPTY: Any = {"entities": [], "relations": []}


async def told(client: Client, name: str, /, **arguments: Any) -> Any:
    answer = await client.call_tool(name, arguments)
    [content] = answer.content
    assert isinstance(content, TextContent)
    assert not answer.is_error, content.text
    assert answer.structured_content is not None
    schema = offers("graph")[name].answer
    assert schema is not None
    jsonschema.validate(answer.structured_content, schema)
    said = answer.structured_content
    if "message" not in said:
        assert json.loads(content.text) == (said if len(said) > 1 else next(iter(said.values())))
    else:
        assert content.text == said["message"]
    return said


async def refused(client: Client, name: str, /, **arguments: Any) -> str:
    answer = await client.call_tool(name, arguments)
    [content] = answer.content
    assert answer.is_error
    assert isinstance(content, TextContent)
    return content.text


async def drawn(client: Client) -> None:
    assert await told(client, "create_entities", entities=[ANN, REX]) == {"entities": [ANN, REX]}
    assert await told(client, "create_relations", relations=[OWNS]) == {"relations": [OWNS]}


def sets(graph: Any) -> Any:
    """A graph, in which the order of what was made at one moment does not count."""
    return {
        **graph,
        "entities": {one["name"]: (one["entityType"], {*one["observations"]}) for one in graph["entities"]},
    }


@modes
async def test_the_nine_tools_as_the_reference_server_answers_them(talk: Talk, mode: str) -> None:
    async with talk.client(mode, "graph", unasked=True) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == [
            "create_entities", "create_relations", "add_observations", "delete_entities", "delete_observations",
            "delete_relations", "read_graph", "search_nodes", "open_nodes",
        ]  # fmt: skip
        assert await told(client, "read_graph") == EMPTY
        await drawn(client)
        added = await told(
            client, "add_observations",
            observations=[{"entityName": "Rex", "contents": ["Lies in Lisbon", "Lies in Lisbon", "Is red"]}],
        )  # fmt: skip
        assert added == {"results": [{"entityName": "Rex", "addedObservations": ["Lies in Lisbon", "Is red"]}]}
        rex = {**REX, "observations": ["Lies in Lisbon", "Is red"]}
        whole = {"entities": [ANN, rex], "relations": [OWNS]}
        assert sets(await told(client, "read_graph")) == sets(whole)
        assert sets(await told(client, "search_nodes", query="LISBON")) == sets({**whole, "entities": [rex]})
        assert sets(await told(client, "search_nodes", query="person")) == sets({**whole, "entities": [ANN]})
        assert await told(client, "search_nodes", query="nothing such") == EMPTY
        assert sets(await told(client, "open_nodes", names=["Ann_Lee", "nobody"])) == sets({**whole, "entities": [ANN]})
        gone = [{"entityName": "Ann_Lee", "observations": ["Sails on Sundays", "never said"]}]
        assert (await told(client, "delete_observations", deletions=gone))["message"] == (
            "Deleted 1 observations of 2; the others are not in the graph."
        )
        [ann] = (await told(client, "open_nodes", names=["Ann_Lee"]))["entities"]
        assert ann["observations"] == ["Speaks fluent Spanish"]
        wrong = {**OWNS, "relationType": "sold"}
        done = await told(client, "delete_relations", relations=[OWNS, wrong, {**OWNS, "from": "nobody"}])
        assert done == {"success": True, "message": "Deleted 1 relations of 3; the others are not in the graph."}
        assert (await told(client, "read_graph"))["relations"] == []
        done = await told(client, "delete_entities", entityNames=["Ann_Lee", "nobody"])
        assert done["message"] == "Deleted 1 entities of 2; the others are not in the graph."
        assert sets(await told(client, "read_graph")) == sets({"entities": [rex], "relations": []})


async def test_what_is_there_is_not_created_again(talk: Talk) -> None:
    async with talk.client(tools="graph") as client:
        await drawn(client)
        twice = [{**ANN, "entityType": "robot"}, {**REX, "name": "Crab"}, {**REX, "name": "crab"}]
        assert await told(client, "create_entities", entities=twice) == {"entities": [{**REX, "name": "Crab"}]}
        back = {"from": "Rex", "to": "Ann_Lee", "relationType": "belongsTo"}
        assert await told(client, "create_relations", relations=[OWNS, back, back]) == {"relations": [back]}
        assert (await told(client, "open_nodes", names=["ann_lee"]))["entities"][0]["entityType"] == "person"
        relations = (await told(client, "read_graph"))["relations"]
        assert sorted(one["relationType"] for one in relations) == ["belongs_to", "owns"]
        done = await told(client, "add_observations", observations=[{"entityName": "Ann_Lee", "contents": []}])
        assert done["results"] == [{"entityName": "Ann_Lee", "addedObservations": []}]


@pytest.mark.parametrize(
    ("given", "read"),
    [("works at", "works_at"), ("works-at", "works_at"), ("worksAt", "works_at"), ("WORKS_AT", "works_at"),
     ("arbeitet_für", "arbeitet_für"), ("工作于", "工作于"), (" owns ", "owns")],
)  # fmt: skip
async def test_relations_may_be_written_in_any_way(talk: Talk, given: str, read: str) -> None:
    async with talk.client(tools="graph", unasked=True) as client:
        await told(client, "create_entities", entities=[ANN, REX])
        said = {**OWNS, "relationType": given}
        assert await told(client, "create_relations", relations=[said]) == {"relations": [said]}
        assert (await told(client, "read_graph"))["relations"] == [{**OWNS, "relationType": read}]
        assert (await told(client, "delete_relations", relations=[said]))["message"] == "Deleted 1 relations."


async def test_what_is_not_there_is_refused_before_anything_is_written(talk: Talk) -> None:
    async with talk.client(tools="graph") as client:
        await told(client, "create_entities", entities=[ANN, REX])
        nobody = {**OWNS, "to": "nobody"}
        assert "There is no entity 'nobody'" in await refused(client, "create_relations", relations=[OWNS, nobody])
        some = [{"entityName": name, "contents": ["Is new"]} for name in ("Rex", "nobody")]
        assert "There is no entity 'nobody'" in await refused(client, "add_observations", observations=some)
        assert sets(await told(client, "read_graph")) == sets({"entities": [ANN, REX], "relations": []})


async def test_wrong_arguments_say_what_is_wrong(talk: Talk) -> None:
    async with talk.client(tools="graph") as client:
        assert await refused(client, "create_entities", entities=[{"name": "x"}]) == (
            "/entities/0: 'entityType' is a required property."
        )
        assert await refused(client, "open_nodes", names="Ann") == "/names: 'Ann' is not of type 'array'."
        assert "user" in await refused(client, "read_graph", user="bob")
        odd = {**OWNS, "relationType": "42"}
        await drawn(client)
        assert "type is '42'" in await refused(client, "create_relations", relations=[odd])


async def test_what_the_graph_says_is_in_the_memory_as_the_models_word(talk: Talk) -> None:
    async with talk.client(tools="graph") as client:
        await drawn(client)
    alice = talk.memory.scope(tenant="acme", user="alice")
    found = await alice.recall("Who speaks Spanish?", kinds=["entity"])
    assert "Ann_Lee: Speaks fluent Spanish" in [item.text for item in found.items]
    assert {item.by for item in found.items} == {"agent (unconfirmed)"}
    assert {one.event.source for one in await alice.events(limit=50)} == {"agent"}
    entity = await alice.graph.entity("Ann_Lee")
    [edge] = entity.relations
    assert edge.type == "OWNS"
    assert edge.events


async def test_deleted_is_gone_and_not_brought_back_in_the_same_words(talk: Talk) -> None:
    async with talk.client(tools="graph", unasked=True) as client:
        await drawn(client)
        await told(client, "delete_entities", entityNames=["Ann_Lee"])
        assert await told(client, "read_graph") == {"entities": [REX], "relations": []}
        assert "forgotten on request" in await refused(client, "create_entities", entities=[ANN])
    alice = talk.memory.scope(tenant="acme", user="alice")
    rows = [json.dumps(row) async for row in alice.export()]
    assert not [row for row in rows if "Spanish" in row or "Sundays" in row or "owns" in row]
    async with talk.client(tools="graph", source="user_provided") as client:
        assert "forgotten on request" in await refused(client, "create_entities", entities=[ANN])
        sailor = {**ANN, "entityType": "sailor", "observations": ["Learns Portuguese"]}
        assert await told(client, "create_entities", entities=[sailor]) == {"entities": [sailor]}
        assert await told(client, "open_nodes", names=["Ann_Lee"]) == {"entities": [sailor], "relations": []}


async def test_an_entity_that_was_described_twice_goes_whole(talk: Talk, clock: FrozenClock) -> None:
    alice = talk.memory.scope(tenant="acme", user="alice")
    for type_ in ("person", "sailor", "captain"):
        clock.advance(days=1)
        await alice.graph.upsert("Ann_Lee", type=type_, description=f"Is a {type_}", properties={"age": 40})
    async with talk.client(tools="graph", unasked=True) as client:
        assert (await told(client, "delete_entities", entityNames=["Ann_Lee"]))["message"] == "Deleted 1 entities."
        assert await told(client, "read_graph") == EMPTY
    rows = [json.dumps(row) async for row in alice.export()]
    assert not [row for row in rows if re.search("ann_lee|person|sailor|captain", row, re.IGNORECASE)]


async def test_what_is_only_mentioned_is_no_node(talk: Talk) -> None:
    alice = talk.memory.scope(tenant="acme", user="alice")
    await alice.add([{"role": "user", "content": "I met Ann_Lee and Bob Smith in Oslo. Bob Smith works for Globex."}])
    async with talk.client(tools="graph", unasked=True) as client:
        assert await told(client, "read_graph") == EMPTY
        await drawn(client)
        await told(client, "delete_entities", entityNames=["Ann_Lee", "Rex"])
        assert await told(client, "read_graph") == EMPTY
    assert "I met Ann_Lee" in (await alice.recall("Oslo")).items[0].text


async def test_nobody_sees_the_graph_of_another(talk: Talk) -> None:
    async with talk.client(tools="graph") as client:
        await drawn(client)
    for other in ({"user": "bob"}, {"tenant": "initech"}):
        async with talk.client(tools="graph", unasked=True, **other) as client:
            assert await told(client, "read_graph") == EMPTY
            await told(client, "delete_entities", entityNames=["Ann_Lee", "Rex"])
    async with talk.client(tools="graph", place={"channel": "work"}) as client:
        assert len((await told(client, "read_graph"))["entities"]) == 2, "what is global"
        await told(client, "create_entities", entities=[{**REX, "name": "Crab"}])
    async with talk.client(tools="graph") as client:
        assert len((await told(client, "read_graph"))["entities"]) == 2


@modes
async def test_the_user_is_asked_before_something_is_removed(talk: Talk, mode: str) -> None:
    async with talk.client(mode, "graph", says=ElicitResult(action="decline")) as client:
        await drawn(client)
        assert "does not want it" in await refused(client, "delete_entities", entityNames=["Rex"])
        assert len((await told(client, "read_graph"))["entities"]) == 2
        assert "delete_entities (entityNames ['Rex'])" in talk.asked[0]


async def test_a_key_shows_only_the_tools_that_it_allows(talk: Talk) -> None:
    async with talk.client(tools="graph", rights=frozenset({"read"})) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["read_graph", "search_nodes", "open_nodes"]


async def test_the_listing_is_shorter_than_that_of_the_reference_server(talk: Talk) -> None:
    async with talk.client(tools="graph") as client:
        listing = (await client.list_tools()).model_dump_json(by_alias=True, exclude_none=True, exclude={"meta"})
    assert len(listing) <= 7_500
