"""Who may not see something of a stratum finds nothing of it, by whatever verb. A verb without a row fails the test."""

from collections.abc import Awaitable, Callable
from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest

from flows.helpers import everything, rows
from flows.test_leaks import HOME, STRANGERS
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.rows import Entity, Record
from memoranda.errors import InputError, NotFoundError, ScopeError
from memoranda.ports import Store
from memoranda.verbs.registry import VERBS

pytestmark = pytest.mark.anyio

#: Words of what is kept at home; no call below says one.
SECRET = ("zyxwvut", "lindqvist", "fjordwick")
Call = Callable[[AsyncScoped, SimpleNamespace], Awaitable[Any]]


async def _fetch() -> Any:
    return {"town": "Oslo"}


#: What is asked by home tells a secret; a stranger gets nothing of it.
TELLING: dict[str, Call] = {
    "goals.get": lambda s, at: s.goals.get(at.goal),
    "goals.find": lambda s, _: s.goals.find(),
    "goals.due": lambda s, _: s.goals.due("Which boats are there?"),
    "goals.update": lambda s, at: s.goals.update(at.goal, priority=1),
    "goals.block": lambda s, at: s.goals.block(at.goal, by=["rain"]),
    "goals.resume": lambda s, at: s.goals.resume(at.goal),
    "goals.complete": lambda s, at: s.goals.complete(at.goal, result="done"),
    "goals.abandon": lambda s, at: s.goals.abandon(at.other_goal),
    "goals.reject": lambda s, at: s.goals.reject(at.third_goal),
    "tools.stats": lambda s, _: s.tools.stats(),
    "tools.calls": lambda s, _: s.tools.calls(),
    "tools.suggest": lambda s, _: s.tools.suggest("search the harbour"),
    "strategies.find": lambda s, _: s.strategies.find("search the harbour"),
    "strategies.get": lambda s, at: s.strategies.get(at.strategy),
    "strategies.reinforce": lambda s, at: s.strategies.reinforce(at.strategy, success=False),
    "entries.get": lambda s, _: s.entries.get("draft"),
    "entries.touch": lambda s, _: s.entries.touch("draft"),
    "entries.refresh": lambda s, _: s.entries.refresh("draft"),
    "entries.find": lambda s, _: s.entries.find(),
    "entries.day": lambda s, _: s.entries.day(date(2026, 1, 5)),
    "graph.entity": lambda s, at: s.graph.entity(at.entity),
    "graph.mentions": lambda s, at: s.graph.mentions(at.entity),
    "graph.find": lambda s, _: s.graph.find("z"),
    "graph.list": lambda s, _: s.graph.list(),
    "graph.neighbourhood": lambda s, at: s.graph.neighbourhood(at.entity),
    "graph.path": lambda s, at: s.graph.path(at.entity, at.person),
    "graph.merge": lambda s, at: s.graph.merge("Zed", at.entity),
    "channels.promote": lambda s, at: s.channels.promote(at.record, reason="asked for"),
    "connections.info": lambda s, _: s.connections.info("jira"),
    "connections.cached": lambda s, _: s.connections.cached("jira", "schema"),
    "pools.get": lambda s, at: s.pools.get(at.pool),
    "pools.find": lambda s, _: s.pools.find(),
    "pools.read": lambda s, at: s.pools.read(at.pool),
    "pools.write": lambda s, at: s.pools.write(at.pool, "town", "Oslo"),
    "pools.merge": lambda s, at: s.pools.merge(at.pool, {"month": "May"}),
    "pools.history": lambda s, at: s.pools.history(at.pool),
    "collections.get": lambda s, at: s.collections.get(at.collection),
    "collections.find": lambda s, _: s.collections.find(),
    "collections.entries": lambda s, at: s.collections.entries(at.collection),
    "collections.search": lambda s, at: s.collections.search(at.collection, "Who sails from the harbour?"),
    "collections.history": lambda s, at: s.collections.history(at.collection, at.entry),
    "collections.edit": lambda s, at: s.collections.edit(at.collection, at.entry, "She sails to Oslo with Lindqvist."),
    "collections.boost": lambda s, at: s.collections.boost(at.collection, at.entry),
    "collections.reduce": lambda s, at: s.collections.reduce(at.collection, at.entry),
    "collections.snapshot": lambda s, at: s.collections.snapshot(at.collection, "Lindqvist"),
    "collections.snapshots": lambda s, at: s.collections.snapshots(at.collection),
    "collections.restore": lambda s, at: s.collections.restore(at.collection, at.snapshot),
    "collections.remove": lambda s, at: s.collections.remove(at.collection, at.entry),
    "collections.archive": lambda s, at: s.collections.archive(at.collection),
    "collections.unarchive": lambda s, at: s.collections.unarchive(at.collection),
    "review.find": lambda s, _: s.review.find(),
    "review.reject": lambda s, at: s.review.reject(at.doubted),
    "review.accept": lambda s, at: s.review.accept(at.doubtful),
    "outcomes.find": lambda s, _: s.outcomes.find(),
    "router.read": lambda s, _: s.router.read("draft"),
    "router.semantic_search": lambda s, _: s.router.semantic_search("Who sails from the harbour?"),
}
#: What tells home no secret, or is a stranger's own: a stranger changes nothing of home's, and hears nothing.
QUIET: dict[str, Call] = {
    "goals.add": lambda s, _: s.goals.add("Sail to Oslo"),
    "tools.record": lambda s, _: s.tools.record("search", {"query": "harbour"}),
    "strategies.learn": lambda s, _: s.strategies.learn("Ask the pilot", "the harbour"),
    "entries.set": lambda s, _: s.entries.set("other", 1),
    "entries.delete": lambda s, _: s.entries.delete("draft"),
    "entries.clean": lambda s, _: s.entries.clean(),
    "entries.promote": lambda s, _: s.entries.promote(),
    "entries.log": lambda s, _: s.entries.log("Sailed to Oslo"),
    "graph.relate": lambda s, at: s.graph.relate(at.entity, "Oslo"),
    "graph.unrelate": lambda s, at: s.graph.unrelate(at.entity, "Oslo"),
    "graph.upsert": lambda s, _: s.graph.upsert("Oslo"),
    "channels.list": lambda s, _: s.channels.list(),
    "channels.hits": lambda s, _: s.channels.hits(),
    "connections.list": lambda s, _: s.connections.list(),
    "connections.learn": lambda s, _: s.connections.learn("jira", "The town is Oslo"),
    "connections.update": lambda s, _: s.connections.update("jira", {"town": "Oslo"}),
    "connections.remember": lambda s, _: s.connections.remember("jira", "schema", {"town": "Oslo"}),
    "connections.refresh": lambda s, _: s.connections.refresh("jira", "schema", _fetch),
    "pools.create": lambda s, _: s.pools.create("harbour"),
    "pools.blackboard": lambda s, _: s.pools.blackboard("run-9"),
    "pools.share": lambda s, at: s.pools.share(at.pool, "who", at.record),
    "pools.unshare": lambda s, at: s.pools.unshare(at.record),
    "pools.statistics": lambda s, at: s.pools.statistics(at.pool),
    "pools.grant": lambda s, at: s.pools.grant(at.pool, user="carol"),
    "pools.revoke": lambda s, at: s.pools.revoke(at.grant),
    "pools.grants": lambda s, at: s.pools.grants(at.pool),
    "pools.log": lambda s, at: s.pools.log(at.pool),
    "pools.expire": lambda s, at: s.pools.expire(at.pool),
    "collections.create": lambda s, _: s.collections.create("harbour"),
    "collections.add": lambda s, at: s.collections.add(at.collection, "The harbour is in Oslo"),
    "collections.share": lambda s, at: s.collections.share(at.collection, at.record),
    "collections.unshare": lambda s, at: s.collections.unshare(at.record),
    "collections.copy": lambda s, at: s.collections.copy("pilot", records=[at.record]),
    "collections.grant": lambda s, at: s.collections.grant(at.collection, user="carol"),
    "collections.revoke": lambda s, at: s.collections.revoke(at.entry_grant),
    "collections.grants": lambda s, at: s.collections.grants(at.collection),
    "collections.log": lambda s, at: s.collections.log(at.collection),
    "outcomes.record": lambda s, at: s.outcomes.record(at.record, "It was dry there", because=[at.doubtful]),
    "router.write": lambda s, _: s.router.write("town", "Oslo", "long_term"),
    "router.consolidate": lambda s, _: s.router.consolidate("talk"),
    "router.stats": lambda s, _: s.router.stats(),
}
#: What is of no connection is not hidden by one that is not active.
OF_CONNECTIONS = ("tools.calls", "tools.stats", "entries.get", "entries.find", "graph", "connections", "router.read")


def test_every_verb_has_a_row() -> None:
    verbs = {name for name, verb in VERBS.items() if verb.scoped and "." in name and not name.startswith("working.")}
    assert verbs == TELLING.keys() | QUIET.keys()
    assert not TELLING.keys() & QUIET.keys()


@pytest.fixture
async def kept(memory: AsyncMemory, store: Store) -> SimpleNamespace:
    """The ids of what is kept at home."""
    s = memory.scope(**HOME)
    goals = [await s.goals.add(f"Sell Fjordwick {text}", recall_when=["boats"]) for text in ("now", "soon", "late")]
    await s.tools.record("zyxwvut_search", {"harbour": 1}, "Lindqvist", connection="jira")
    strategy = await s.strategies.learn("Ask Fjordwick at the harbour", "search the harbour", ["zyxwvut_search"])
    await s.entries.set("draft", "Zyxwvut", connection="jira")
    await s.entries.log("Sailed to Fjordwick")
    await s.graph.relate("Greta Lindqvist", "Zyxwvut", "WORKS_FOR", connection="jira")
    await s.graph.upsert("Zed", observations=["Lies in Fjordwick"], connection="jira")
    await s.connections.remember("jira", "schema", {"zyxwvut": 1})
    await s.connections.learn("jira", "The space is Zyxwvut")
    await s.observe("I live in Fjordwick.")
    [lived] = [record for record in await rows(store, Record) if "live" in record.text]
    await s.outcomes.record(lived.id, "Lindqvist says it is dry there")
    doubts = []
    for thing in ("hull", "mast"):
        await s.observe(f"The {thing} of Lindqvist leaks")
        doubts += (await s.observe(f"The {thing} of Lindqvist does not leak", source="workflow")).records
    pool = await s.pools.create("Zyxwvut", reach="agent", data={"lindqvist": 1})
    grant = await s.pools.grant(pool.id, user="dora")
    collection = await s.collections.create("Zyxwvut")
    entry = await s.collections.add(collection.id, "Lindqvist sails from the harbour")
    other = await s.collections.grant(collection.id, user="dora")
    snapshot = await s.collections.snapshot(collection.id, "Lindqvist")
    named = {entity.name: entity.id for entity in await rows(store, Entity)}
    return SimpleNamespace(
        goal=goals[0].id, other_goal=goals[1].id, third_goal=goals[2].id, strategy=strategy.id, record=lived.id,
        entity=named["zyxwvut"], person=named["greta lindqvist"], pool=pool.id, grant=grant.id,
        collection=collection.id, entry=entry.id, entry_grant=other.id, snapshot=snapshot.id,
        doubted=doubts[0], doubtful=doubts[1],
    )  # fmt: skip


async def _at_home(store: Store) -> list[Any]:
    """All rows of home and all that is shared, but for the note that somebody asked."""
    places = [await everything(store, Owner("acme", user)) for user in ("alice", SHARED)]
    return [row for place in places for name, found in place.items() if name != "access_log" for row in found]


@pytest.mark.parametrize("stranger", STRANGERS)
async def test_a_stranger_finds_nothing(
    memory: AsyncMemory, kept: SimpleNamespace, store: Store, stranger: str
) -> None:
    before = await _at_home(store)
    scoped = memory.scope(**STRANGERS[stranger])
    same = {**STRANGERS[stranger], "connections": HOME["connections"]} == HOME
    for verb, call in {**TELLING, **QUIET}.items():
        if same and not verb.startswith(OF_CONNECTIONS):
            continue
        try:
            told = repr(await call(scoped, kept)).lower()
        except (InputError, NotFoundError, ScopeError) as error:
            told = str(error).lower()
        assert [word for word in SECRET if word in told] == [], verb
        after = await _at_home(store)
        assert [row for row in before if row not in after] == [], verb


async def test_home_hears_by_every_verb_that_tells(memory: AsyncMemory, kept: SimpleNamespace) -> None:
    """The table above would pass if nothing were ever found: this is its other side."""
    home = memory.scope(**HOME)
    for verb, call in TELLING.items():
        told = repr(await call(home, kept)).lower()
        assert [word for word in SECRET if word in told], verb
    for call in QUIET.values():
        await call(home, kept)
