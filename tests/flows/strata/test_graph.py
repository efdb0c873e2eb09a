"""The graph: what is stated of entities, how they are related, who sees it, and what is left when it is forgotten."""

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.helpers import MORNING, everything, rows, says, texts
from flows.test_leaks import HOME, STRANGERS
from memoranda import AsyncMemory, AsyncScoped, Memory
from memoranda.core.rows import Entity, Event, Record, Relation
from memoranda.core.text.fence import fenced
from memoranda.errors import InputError, MessageError, NotFoundError, ScopeError
from memoranda.flows.strata import entities
from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

DAY = timedelta(days=1)


def names(found: object) -> list[str]:
    return [node.name for node in found]  # type: ignore[attr-defined]


async def test_what_is_left_out_stays_as_it_was_stated(alice: AsyncScoped, clock: FrozenClock) -> None:
    first = await alice.graph.upsert(
        "Apollo", type="project", description="A rocket", properties={"crew": 3, "fuel": "kerosene"}
    )
    assert (first.name, first.type, first.description, first.mentions) == ("Apollo", "project", "A rocket", 5)
    clock.advance(days=3)
    second = await alice.graph.upsert(" Apollo", description="A rocket to the moon", properties={"crew": None})
    assert (second.id, second.type, second.name) == (first.id, "project", "Apollo")
    assert (second.description, second.properties) == ("A rocket to the moon", {"fuel": "kerosene"})
    assert second.last_mentioned == clock()
    assert await alice.graph.entity(first.id) == second
    assert "Apollo: A rocket to the moon" in texts(await alice.recall("rocket to the moon"))
    before = await alice.recall("rocket", kinds=["entity"], as_of=MORNING + DAY)
    assert "Apollo: A rocket" in texts(before)
    assert "Apollo: A rocket" not in texts(await alice.recall("rocket", kinds=["entity"]))


async def test_observations_are_added_and_each_is_forgotten_alone(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.graph.upsert("Apollo", observations=["It smokes"])
    for words in ("It leaks", "It leaks.", "IT LEAKS", "It smokes"):
        clock.advance(minutes=1)
        found = await alice.graph.upsert("Apollo", observations=[words])
    assert [*found.observations] == ["It smokes", "IT LEAKS"], "what reads alike is one, as last said"
    assert "Apollo: It smokes" in texts(await alice.recall("What smokes?"))
    await alice.forget(record=found.observations["IT LEAKS"])
    left = await alice.graph.entity("Apollo")
    assert [*left.observations] == ["It smokes"]
    assert left.records == tuple(one for one in found.records if one in left.records)


async def test_what_is_described_is_listed_and_what_is_mentioned_is_not(alice: AsyncScoped, clock: FrozenClock) -> None:
    assert await alice.graph.list() == ()
    await alice.add(says("Bob Smith met Carla in Lisbon."))
    for name in ("Rex", "Ann", "Crab"):
        clock.advance(days=1)
        await alice.graph.upsert(name, type="thing", aliases=["Rexie"] if name == "Rex" else [])
    await alice.graph.relate("Rex", "Dory", "KNOWS")
    listed = await alice.graph.list()
    assert names(listed) == ["Rex", "Ann", "Crab"]
    assert listed[0] == await alice.graph.entity("Rexie")
    await alice.graph.merge("Crab", into="Ann")
    assert names(await alice.graph.list()) == ["Rex", "Ann"]
    for record in listed[0].records:
        await alice.forget(record=record)
    assert names(await alice.graph.list()) == ["Ann"]


async def test_a_type_of_relations_may_be_of_any_script(alice: AsyncScoped) -> None:
    for type_ in ("ARBEITET_FÜR", "工作于", "MARRIED_TO"):
        assert (await alice.graph.relate("Ann", "Globex", type_)).type == type_
        assert (await alice.graph.unrelate("Ann", "Globex", type_)).until is not None
    for type_ in ("arbeitet_für", "ARBEITET FÜR", "_KNOWS", "1ST", "A-B", "K" * 65):
        with pytest.raises(InputError, match="in capitals"):
            await alice.graph.relate("Ann", "Globex", type_)


async def test_who_relates_says_so(alice: AsyncScoped, store: Store) -> None:
    await alice.graph.relate("Ann", "Globex", "KNOWS", by="agent")
    [event] = await rows(store, Event)
    assert event.source == "agent"
    assert event.trust < 1


async def test_what_is_stated_last_stands_however_alike(alice: AsyncScoped, store: Store) -> None:
    for words in ("The big red boat of Ann", "The red boat of Ann", "The blue boat of Ann"):
        assert (await alice.graph.upsert("Crab", description=words)).description == words
    assert (await alice.graph.upsert("Crab")).type == "thing"
    assert (await alice.graph.upsert("Crab", type="boat")).type == "boat"
    held = [row.text for row in await rows(store, Record) if row.superseded_at is None and row.valid_to is None]
    assert sorted(held) == ["Crab is a boat", "Crab: The blue boat of Ann"]


@pytest.mark.parametrize(("one", "other"), [("ABC", "abc"), ("a  b", "a b"), ("yes!", "yes.")])
async def test_values_that_read_alike_are_not_one(
    alice: AsyncScoped, store: Store, clock: FrozenClock, one: str, other: str
) -> None:
    for value in (one, other, one):
        clock.advance(seconds=1)
        assert (await alice.graph.upsert("Crab", properties={"code": value})).properties == {"code": value}
    held = [row.value for row in await rows(store, Record) if row.superseded_at is None and row.valid_to is None]
    assert {"is": one} in held
    assert {"is": other} not in held
    assert (await alice.graph.upsert("CRAB", type="boat")).name == "CRAB"
    assert (await alice.graph.upsert("Crab", type="boat")).name == "Crab"


async def test_what_a_connection_says_is_answered_though_it_is_not_active(
    memory: AsyncMemory, alice: AsyncScoped
) -> None:
    for _ in range(2):
        assert (await alice.graph.relate("Ann", "Rex", "KNOWS", connection="jira")).type == "KNOWS"
    assert (await alice.graph.upsert("Max", description="A dog", connection="jira")).description == "A dog"
    assert (await alice.graph.merge("Max", "Rex", connection="jira")).aliases == ("max",)
    assert (await alice.graph.unrelate("Ann", "Max", "KNOWS", connection="jira")).until is not None
    active = memory.scope(tenant="acme", user="alice", connections=["jira"])
    with pytest.raises(InputError, match="are one entity"):
        await alice.graph.relate("Max", "Rex", connection="jira")
    assert names(await active.graph.find("rex")) == ["Rex"]
    assert await alice.graph.find("rex") == ()
    with pytest.raises(ScopeError, match="connection is needed"):
        await alice.graph.upsert("Max", connection="")


async def test_what_is_trusted_less_unseats_nothing(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.graph.upsert("Crab", description="A boat")
    clock.advance(days=1)
    for words in ("A ship", "A raft"):
        assert (
            await alice.graph.upsert("Crab", description=words, source="tool_extracted_content")
        ).description == "A boat"
    assert (await alice.graph.upsert("Crab", description="A dinghy")).description == "A dinghy"


async def test_what_memory_itself_said_is_not_taken_in(alice: AsyncScoped) -> None:
    quoted = fenced("the cake is a lie")
    await alice.graph.upsert("Crab", properties={"cargo": f"{quoted} fish"})
    assert "lie" not in repr(texts(await alice.recall("cake lie cargo fish crab")))
    with pytest.raises(MessageError, match="never captured again"):
        await alice.graph.upsert(quoted)


async def test_other_names_lead_to_one_entity(alice: AsyncScoped) -> None:
    robert = await alice.graph.upsert("Robert", type="person", aliases=["Bob", "robert"])
    assert robert.aliases == ("bob",)
    assert (await alice.graph.entity("Bob")).id == robert.id
    assert (await alice.graph.upsert("Bob", description="A sailor")).id == robert.id
    await alice.graph.relate("Bob", "Ann", "KNOWS")
    assert [edge.source for edge in (await alice.graph.entity("Ann")).relations] == [robert.id]
    with pytest.raises(InputError, match="are one entity"):
        await alice.graph.relate("Bob", robert.id)


async def test_another_name_may_have_other_names_itself(memory: AsyncMemory, alice: AsyncScoped) -> None:
    await alice.graph.upsert("Ann", aliases=["Annie"])
    await alice.graph.upsert("Bob", aliases=["Ann"])
    for name in ("Annie", "Ann", "Bob"):
        entity = await alice.graph.entity(name)
        assert (entity.name, entity.aliases) == ("Bob", ("ann", "annie"))
    said = {"cook": ("Xan", "Yan"), "clerk": ("Yan", "Zan"), "crew": ("Zan", "Xan")}
    for agent, (name, other) in said.items():
        await memory.scope(tenant="acme", user="alice", agent=agent).graph.upsert(name, aliases=[other])
    assert len({(await alice.graph.entity(name)).id for name in ("Xan", "Yan", "Zan")}) == 1


async def test_a_relation_ends_for_who_sees_what_says_so(memory: AsyncMemory, alice: AsyncScoped) -> None:
    cook, clerk = (memory.scope(tenant="acme", user="alice", agent=name) for name in ("cook", "clerk"))
    await alice.graph.relate("Ann", "Oslo", "LOCATED_IN")
    await cook.graph.unrelate("Ann", "Oslo", "LOCATED_IN")
    assert (await cook.graph.entity("Ann")).relations == (await alice.graph.entity("Ann")).relations == ()
    assert len((await clerk.graph.entity("Ann")).relations) == 1
    await clerk.graph.relate("Ann", "Rome", "LOCATED_IN", replaces=True)
    [edge] = (await clerk.graph.entity("Ann")).relations
    assert edge.target == (await alice.graph.entity("Rome")).id


async def test_merged_entities_are_one_and_are_parted_again(alice: AsyncScoped, store: Store) -> None:
    await alice.graph.upsert("Annie", type="sailor", aliases=["Captain Ann"])
    await alice.graph.relate("Annie", "Bob", "KNOWS")
    ann = await alice.graph.upsert("Ann Lee", type="person", description="From Oslo")
    before = await rows(store, Relation)
    merged = await alice.graph.merge("annie", "Ann Lee")
    assert (merged.id, merged.type, merged.description) == (ann.id, "person", "From Oslo")
    assert (merged.name, merged.aliases) == ("Ann Lee", ("annie", "captain ann"))
    assert [edge.type for edge in merged.relations] == ["KNOWS"]
    assert (await alice.graph.entity("Captain Ann")).id == ann.id
    assert await alice.graph.merge("Captain Ann", "Annie") == merged
    assert [row for row in await rows(store, Relation) if row in before] == before
    told = next(row for row in await rows(store, Event) if row.content.endswith(" are ann lee"))
    await alice.forget(source=told.id)
    assert (await alice.graph.entity("Ann Lee")).aliases == ()
    assert (await alice.graph.entity("Annie")).aliases == ("captain ann",)


async def test_relations_hold_for_their_time(alice: AsyncScoped, clock: FrozenClock) -> None:
    until = clock() + 9 * DAY
    said = await alice.graph.relate("Ann", "Acme", "WORKS_FOR", valid_until=until, confidence=0.5)
    assert (said.since, said.until, said.confidence) == (clock(), until, 0.5)
    again = await alice.graph.relate("Ann", "Acme", "WORKS_FOR", valid_from=clock() - DAY, valid_until=until - DAY)
    assert (again.since, again.until, again.confidence) == (clock() - DAY, until, 0.95)
    assert len(again.events) == 2
    clock.advance(days=2)
    ended = await alice.graph.unrelate("Ann", "Acme", "WORKS_FOR")
    assert (ended.since, ended.until) == (again.since, clock())
    assert (await alice.graph.entity("Ann")).relations == ()
    around = await alice.graph.neighbourhood("Ann", as_of=clock() - DAY)
    assert names(around.nodes) == ["Ann", "Acme"]
    assert around.edges == (ended,)
    with pytest.raises(NotFoundError, match="no WORKS_FOR to 'Acme' that holds"):
        await alice.graph.unrelate("Ann", "Acme", "WORKS_FOR")
    assert (await alice.graph.relate("Ann", "Acme", "WORKS_FOR")).until is None


async def test_a_relation_ends_another_only_on_request(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.graph.relate("Ann", "Acme", "WORKS_FOR")
    clock.advance(days=1)
    await alice.graph.relate("Ann", "Globex", "WORKS_FOR")
    ann = await alice.graph.entity("Ann")
    assert len(ann.relations) == 2
    clock.advance(days=1)
    await alice.graph.relate("Ann", "Globex", "WORKS_FOR", replaces=True)
    await alice.graph.relate("Ann", "Oslo", "LOCATED_IN", replaces=True)
    held = (await alice.graph.entity("Ann")).relations
    assert sorted((edge.type, len(edge.events)) for edge in held) == [("LOCATED_IN", 1), ("WORKS_FOR", 2)]
    early = await alice.graph.neighbourhood("Ann", types=["WORKS_FOR"], as_of=MORNING + DAY)
    assert names(early.nodes) == ["Ann", "Globex", "Acme"]


async def test_forgetting_what_ended_a_relation_leaves_it_as_it_was(alice: AsyncScoped, store: Store) -> None:
    until = MORNING + 90 * DAY
    said = await alice.graph.relate("Ann", "Acme", "WORKS_FOR", valid_until=until)
    await alice.graph.unrelate("Ann", "Acme", "WORKS_FOR", at=MORNING + DAY)
    told = next(row for row in await rows(store, Event) if "no longer works for" in row.content)
    await alice.forget(source=told.id)
    assert (await alice.graph.entity("Ann")).relations == (said,)
    assert said.until == until


async def test_mentions_come_from_talk_too_the_latest_first(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.add(says("I met Greta Lindqvist at the office."), conversation="talk")
    clock.advance(days=1)
    await alice.graph.upsert("Greta Lindqvist", type="person", description="A painter")
    found = await alice.graph.mentions("Greta Lindqvist")
    assert [one.of for one in found][-1] == "event"
    assert (found[-1].conversation, found[-1].kind, found[-1].at) == ("talk", "turn", MORNING)
    assert "Greta Lindqvist: A painter" in [one.text for one in found if one.of == "record"]
    assert await alice.graph.mentions("Greta Lindqvist", limit=1) == found[:1]


async def test_entities_are_found_by_how_a_name_begins(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.graph.upsert("Annabel Lee", type="person")
    clock.advance(days=30)
    await alice.graph.upsert("Ann", type="person")
    await alice.graph.upsert("Annapolis", type="place", aliases=["Crabtown"])
    assert names(await alice.graph.find("ann")) == ["Ann", "Annapolis", "Annabel Lee"]
    assert names(await alice.graph.find("LEE")) == ["Annabel Lee"]
    assert names(await alice.graph.find("crab")) == ["Annapolis"]
    assert names(await alice.graph.find("ann", limit=1)) == ["Ann"]
    assert await alice.graph.find("nn") == ()


async def test_what_lies_around_and_what_leads_there(alice: AsyncScoped) -> None:
    for one, other in ("ab", "bc", "cd", "de", "ae"):
        await alice.graph.relate(f"Node {one}", f"Node {other}", "KNOWS")
    await alice.graph.relate("Node a", "Node x", "PART_OF")
    near = await alice.graph.neighbourhood("Node a", depth=2, types=["KNOWS"])
    assert {(node.name, node.depth) for node in near.nodes} == {
        ("Node a", 0), ("Node b", 1), ("Node e", 1), ("Node c", 2), ("Node d", 2),
    }  # fmt: skip
    assert [node.depth for node in near.nodes] == [0, 1, 1, 2, 2]
    assert len(near.edges) == 5
    assert near.cut == ()
    small = await alice.graph.neighbourhood("Node a", depth=3, limit=2)
    assert (len(small.nodes), small.cut) == (2, ("3 entities are beyond the limit of 2",))
    led = await alice.graph.path("Node d", "Node x")
    assert (names(led.nodes), [edge.type for edge in led.edges]) == (
        ["Node d", "Node e", "Node a", "Node x"], ["KNOWS", "KNOWS", "PART_OF"],
    )  # fmt: skip
    assert [node.depth for node in led.nodes] == [0, 1, 2, 3]
    none = await alice.graph.path("Node d", "Node x", max_hops=2)
    assert (none.nodes, none.reason) == ((), "no relations lead from the one to the other in 2 steps")
    assert (await alice.graph.path("Node d", "Node x", types=["KNOWS"])).reason
    assert names((await alice.graph.path("Node d", "Node d")).nodes) == ["Node d"]


async def test_a_hub_says_what_was_not_followed(alice: AsyncScoped, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memoranda.core.strata.graph.FAN", 2)
    for number in range(3):
        await alice.graph.relate("Hub", f"Leaf {number}")
    assert (await alice.graph.neighbourhood("Hub")).cut == ("Hub: 1 relations were not followed",)


# ---------------------------------------------------------------------------------------- who sees it


async def test_both_are_known_by_the_name_they_are_merged_into(alice: AsyncScoped) -> None:
    await alice.graph.relate("Greta", "Oslo")  # nothing is stated of Oslo itself
    await alice.graph.upsert("Christiania", type="place")
    merged = await alice.graph.merge("Christiania", "Oslo")
    assert (merged.name, merged.type, merged.aliases) == ("Oslo", "place", ("christiania",))


@pytest.fixture
async def home(memory: AsyncMemory) -> AsyncScoped:
    scoped = memory.scope(**HOME)
    await scoped.graph.upsert("Zyxwvut", type="zyxtype", aliases=["Zed"], description="zyxtold", connection="jira")
    await scoped.graph.relate("Zyxwvut", "Ann", "KNOWS", connection="jira")
    await scoped.graph.relate("Bob", "Zyxwvut", "KNOWS", connection="jira")
    await scoped.graph.relate("Zyxold", "Ann", connection="jira")
    await scoped.graph.merge("Zyxold", "Zyxwvut", connection="jira")
    return scoped


@pytest.mark.parametrize("stranger", STRANGERS)
async def test_what_a_scope_does_not_see_is_not_there(memory: AsyncMemory, home: AsyncScoped, stranger: str) -> None:
    known = await home.graph.entity("Zyxwvut")
    scoped = memory.scope(**STRANGERS[stranger])
    for name in ("Zyxwvut", "Zed", "Zyxold", "Ann", known.id):
        for verb in (scoped.graph.entity, scoped.graph.mentions, scoped.graph.neighbourhood):
            with pytest.raises(NotFoundError, match=r"graph\.find gives those there are"):
                await verb(name)
        with pytest.raises(NotFoundError):
            await scoped.graph.path(name, name)
    assert await scoped.graph.find("z") == await scoped.graph.find("ann") == ()
    if scoped.scope.whole:
        with pytest.raises(ScopeError, match="Nothing is written through whole=True"):
            await scoped.graph.upsert("Ann")
        return
    for name in ("Zyxwvut", known.id):
        with pytest.raises(NotFoundError):
            await scoped.graph.merge(name, "Ann")
        with pytest.raises(NotFoundError):
            await scoped.graph.unrelate(name, "Ann", "KNOWS")
    # What they state themselves, they see; and nothing beside it.
    await scoped.graph.relate("Ann", "Bob")
    ann = await scoped.graph.entity("Ann")
    assert (ann.mentions, ann.type, len(ann.relations)) == (1, "thing", 1)
    assert names((await scoped.graph.neighbourhood("Ann", depth=3)).nodes) == ["Ann", "Bob"]
    mine = await scoped.graph.upsert("Zyxwvut")
    assert (mine.mentions, mine.type, mine.aliases, mine.description, mine.relations) == (2, "thing", (), None, ())
    assert await home.graph.entity("Zed")
    assert "zyxtold" not in repr([row async for row in scoped.export()])


async def test_home_and_the_whole_see_it(memory: AsyncMemory, home: AsyncScoped) -> None:
    for scoped in (home, memory.scope(tenant="acme", user="alice", whole=True)):
        entity = await scoped.graph.entity("Zed")
        assert (entity.name, entity.type, entity.aliases) == ("Zyxwvut", "zyxtype", ("zed", "zyxold"))
        assert sorted(edge.type for edge in entity.relations) == ["KNOWS", "KNOWS", "RELATED_TO"]


# ---------------------------------------------------------------------------------- what is forgotten


async def test_what_was_forgotten_leaves_no_trace(memory: AsyncMemory, alice: AsyncScoped, store: Store) -> None:
    await alice.graph.relate("Ann", "Bob", "KNOWS")
    before = await everything(store)
    scoped = memory.scope(tenant="acme", user="alice", conversation="talk")
    await scoped.graph.upsert(
        "Zyxwvut",
        type="zyxwvut",
        aliases=["Zyxwvut the Third"],
        description="zyxwvut",
        properties={"zyxwvut": "zyxwvut"},
    )
    await scoped.graph.upsert("Ann", type="zyxwvut", description="A friend of zyxwvut")
    await scoped.graph.relate("Ann", "Zyxwvut", "ZYXWVUT")
    await scoped.graph.merge("Zyxwvut", "Bob")
    await scoped.graph.unrelate("Ann", "Bob", "KNOWS")
    await alice.forget(conversation="talk")
    left = await everything(store)
    assert "zyxwvut" not in repr(left).lower()
    assert (left["entities"], left["passages"]) == (before["entities"], before["passages"])
    assert [(edge.type, edge.until) for edge in (await alice.graph.entity("Ann")).relations] == [("KNOWS", None)]
    await alice.forget(everything=True)
    left = await everything(store)
    assert [name for name, kept in left.items() if kept] == ["tombstones", "receipts"]


async def test_forgetting_what_was_stated_last_brings_back_what_was_before(
    alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    await alice.graph.upsert("Apollo", description="A rocket", properties={"crew": 3})
    clock.advance(days=1)
    await alice.graph.upsert("Apollo", description="A secret rocket that flies to the moon", properties={"crew": 4})
    [told] = [row for row in await rows(store, Event) if "secret" in row.content]
    await alice.forget(source=told.id)
    apollo = await alice.graph.entity("Apollo")
    assert (apollo.description, apollo.properties) == ("A rocket", {"crew": 3})
    with pytest.raises(InputError, match="forgotten on request"):
        await alice.graph.upsert("Apollo", description="A secret rocket that flies to the moon", properties={"crew": 4})
    assert (await alice.graph.upsert("Apollo", description="A train")).description == "A train"


async def test_a_record_of_an_entity_is_forgotten_like_any_other(alice: AsyncScoped, store: Store) -> None:
    await alice.graph.upsert("Apollo", type="project", description="A rocket")
    [record] = [row for row in await rows(store, Record) if row.attribute == "entity.description"]
    await alice.forget(record=record.id)
    assert await rows(store, Entity) == await rows(store, Record) == []


async def test_what_cannot_be_is_refused(alice: AsyncScoped) -> None:
    with pytest.raises(InputError, match="a name without dots"):
        await alice.graph.upsert("Ann", properties={"a.b": 1})
    with pytest.raises(InputError, match="a time after valid_from"):
        await alice.graph.relate("Ann", "Bob", valid_until=MORNING)


MINE: dict[str, Any] = {
    "tenant": "acme",
    "user": "alice",
    "agent": "clerk",
    "channel": "tidepool",
    "connections": ("jira",),
}
#: Who writes, and through which connection; of all but the first the first sees nothing.
WRITERS: list[tuple[dict[str, Any], str | None]] = [
    (MINE, None), (MINE, "jira"), (MINE | {"agent": "cook"}, None), (MINE | {"channel": "kitchen"}, None),
    (MINE | {"connections": ("slack",)}, "slack"), (MINE | {"user": "bob"}, None),
]  # fmt: skip
NAMES = st.sampled_from(["Ann", "Bob", "Cy", "Di"])
WHAT = st.sampled_from(["relate", "upsert", "alias", "merge", "unrelate"])
STATED = st.lists(st.tuples(st.sampled_from(WRITERS), WHAT, NAMES, NAMES))


def state(memory: Memory, writer: tuple[dict[str, Any], str | None], verb: str, one: str, other: str) -> None:
    place, connection = writer
    graph = memory.scope(**place).graph
    with suppress(InputError):  # the same entity twice, or one that is not known
        if verb == "relate":
            graph.relate(one, other, "KNOWS", connection=connection)
        elif verb == "upsert":
            graph.upsert(one, type="person", description=f"A friend of {other}", connection=connection)
        elif verb == "alias":
            graph.upsert(one, aliases=[f"{one} the Great"], connection=connection)
        elif verb == "merge":
            graph.merge(one, other, connection=connection)
        elif place["agent"] == "clerk" and place["channel"] == "tidepool" and "slack" not in place["connections"]:
            graph.unrelate(one, other, "KNOWS", connection=connection)


def seen(memory: Memory) -> list[Any]:
    graph = memory.scope(**MINE).graph
    found: list[Any] = [graph.find(name) for name in ("ann", "bob", "cy", "di", "great")]
    for name in ("Ann", "Bob", "Cy", "Di", "Ann the Great"):
        with suppress(NotFoundError):
            entity, around = graph.entity(name), graph.neighbourhood(name, depth=3)
            told = [(one.text, one.of) for one in graph.mentions(name)]
            edges = [replace(edge, events=()) for edge in (*entity.relations, *around.edges)]
            found.append((replace(entity, relations=()), around.nodes, around.cut, around.mermaid, edges, told))
        with suppress(NotFoundError):
            found.append(graph.path("Ann", name).nodes)
    return found


@settings(max_examples=60, deadline=None)
@given(STATED)
def test_it_is_as_if_nobody_else_had_stated_anything(stated: list[Any]) -> None:
    told: list[Any] = []
    for writers in (WRITERS, WRITERS[:2]):
        with Memory.open(DictStore(), embedder="none", clock=FrozenClock(), ids=SequentialIds()) as memory:
            for writer, *what in stated:
                if writer in writers:
                    state(memory, writer, *what)
            told.append(seen(memory))
    assert told[0] == told[1]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(WHAT, NAMES, NAMES)), st.lists(st.tuples(WHAT, NAMES, NAMES), min_size=1))
def test_what_is_forgotten_was_never_stated(before: list[Any], talk: list[Any]) -> None:
    clock = FrozenClock()
    with Memory.open(DictStore(), embedder="none", clock=clock, ids=SequentialIds()) as memory:
        for what in before:
            clock.advance(seconds=1)
            state(memory, WRITERS[0], *what)
        known = seen(memory)
        for what in talk:
            state(memory, (MINE | {"conversation": "talk"}, None), *what)
        with suppress(NotFoundError):
            memory.scope(**MINE).forget(conversation="talk")
        assert seen(memory) == known


async def test_a_relation_that_somebody_forgets_at_once_is_not_told(
    alice: AsyncScoped, monkeypatch: pytest.MonkeyPatch
) -> None:
    say = entities._say

    async def overtaken(*args: Any, **names: Any) -> None:
        await say(*args, **names)
        await alice.forget(everything=True)

    monkeypatch.setattr(entities, "_say", overtaken)
    with pytest.raises(NotFoundError, match="forgotten as soon as it was written"):
        await alice.graph.relate("Ann", "Acme", "WORKS_FOR")


@pytest.mark.parametrize("type_", ["KNOWS", "WORKS_FOR"])
async def test_a_forgotten_relation_is_refused_however_few_its_words(alice: AsyncScoped, type_: str) -> None:
    for by in ("agent", "user_provided"):
        edge = await alice.graph.relate(by.title(), "Bob", type_, by=by)
        await alice.forget(source=edge.events[0])
        with pytest.raises(InputError, match="forgotten on request"):
            await alice.graph.relate(by.title(), "Bob", type_, by=by)
        assert not [one for one in await alice.graph.list() if one.relations]
        assert await alice.graph.relate(by.title(), "Bob", "HELPS")
    await alice.observe("Agent knows Bob and works for Bob.")
    assert await alice.recall("Who knows Bob?")
