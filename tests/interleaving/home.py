"""A memory with something in every room, prepared once; each run begins with a copy of it, as of the same moment."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from flows.helpers import rows, says
from interleaving.scheduler import Ports, actor, point
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.rows import Entity
from memoranda.errors import LanguageModelError
from memoranda.models.hashed import HashedEmbedder
from memoranda.ports import Completion
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock

WHOSE = {"tenant": "acme", "user": "alice"}
HOME: dict[str, Any] = {
    **WHOSE,
    "agent": "clerk",
    "channel": "tidepool",
    "connections": ("jira",),
    "conversation": "talk",
}
STORE = ("apply", "get", "find", "count", "probe", "describe")
CACHE = ("read", "write", "idle")


class Ids:
    """Identifiers that say whose they are, so that they do not depend on who came first."""

    def __init__(self) -> None:
        self._last: dict[str, int] = {}

    def __call__(self) -> str:
        name = actor() or "id"
        self._last[name] = self._last.get(name, 0) + 1
        return f"{name}-{self._last[name]:06d}"


class Model:
    """A language model that answers every prompt with a question, and a reranker that likes short texts."""

    name = "test/model"

    async def complete(self, prompt: str, *, schema: Any = None, **_: Any) -> Completion:  # noqa: ARG002
        await point("model.complete")
        text = '{"queries": ["Which town is home?", "Who sails from the harbour?"]}' if schema else "Home is in Oslo."
        return Completion(text=text)

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:  # noqa: ARG002
        await point("reranker.rerank")
        return [1 / (1 + len(text)) for text in texts]

    async def close(self) -> None:
        """Nothing to release."""


class Broken(Model):
    async def complete(self, prompt: str, **_: Any) -> Completion:  # noqa: ARG002
        raise LanguageModelError("it is down")


@dataclass(frozen=True)
class Moment:
    """What store and cache hold; rows and contents are values, so a copy of the dicts is a copy of all."""

    partitions: Mapping[Any, Any]
    places: Mapping[Any, Any]

    @classmethod
    def of(cls, store: DictStore) -> "Moment":
        return cls(dict(store._partitions), dict(store.cache()._places))

    def store(self) -> DictStore:
        store = DictStore()
        self.lay_out(store)
        return store

    def lay_out(self, store: DictStore) -> None:
        store._partitions.update(self.partitions)
        store.cache()._places.update(self.places)


class _Kept(Ports):
    """A store that outlives the memory it was lent to."""

    async def close(self) -> None:
        """It is read afterwards."""


@asynccontextmanager
async def opened(store: DictStore, at: FrozenClock, **options: Any) -> AsyncIterator[AsyncMemory]:
    """A memory of which every call of a port is a point."""
    embedder = Ports("embedder", HashedEmbedder(64), ("embed",))
    memory = await AsyncMemory.open(
        _Kept("store", store, STORE), embedder=embedder, cache=_Kept("cache", store.cache(), CACHE), clock=at,  # type: ignore[arg-type]
        **{"ids": Ids(), "language_model": {"default": Model(), "extraction": None}, "reranker": Model(), **options},
    )  # fmt: skip
    async with memory:
        yield memory


async def prepared() -> tuple[Moment, SimpleNamespace, FrozenClock]:
    """The memory, the ids of what is in it, and the clock ten minutes later."""
    store, clock, ids = DictStore(), FrozenClock(), Ids()
    async with opened(store, clock, ids=ids, language_model=Broken()) as memory:
        other = memory.scope(**WHOSE, agent="clerk", channel="tidepool")
        failed = (await other.add(says("Odd Nilsen mends the sails."), conversation="old")).events[0]
        await memory.consolidate(**WHOSE)
    clock.advance(days=40)
    async with opened(store, clock, ids=ids) as memory:
        s = memory.scope(**HOME)
        at = SimpleNamespace(failed=failed)
        await _told(memory, s, at)
        await _kept(s, at, clock)
        await _shared(s, at)
        await _at_hand(memory, s, at)
        await s.context("Where do I live, and who sails?", conversation="other")
        at.context = (await s.contexts())[0].id
        at.exported = [line async for line in memory.scope(**WHOSE, whole=True).export()]
    named = {entity.name: entity.id for entity in await rows(store, Entity)}
    at.entity, at.person, at.town = named["zyxwvut"], named["greta lindqvist"], named["oslo"]
    clock.advance(minutes=10)
    return Moment.of(store), at, clock


async def _told(memory: AsyncMemory, s: AsyncScoped, at: SimpleNamespace) -> None:
    """Turns of two conversations and two channels, beliefs of which some gave way, and something forgotten."""
    first = await s.add(says("I live in Bergen.", "I prefer tea.", id=None), conversation="other")
    moved = await s.add(says("I moved to Oslo.", "We decided to sell the boat."), conversation="talk")
    await s.add(says("Good, the boat will be sold.", role="assistant"), conversation="talk")
    at.event, at.first, at.moved = moved.events[0], first.events[0], moved.records[0]
    at.decision = moved.records[-1]
    gone = await s.add(says("The password of the shed is crab."), conversation="gone")
    await s.forget(source=gone.events[0])
    for day, weight in enumerate((70, 71, 72, 73)):
        await s.observe(f"The boat weighs {weight} tons on day {day}.", category="project_details", key=f"w{day}")
    await s.add(says("International Business Machines (IBM) hired Greta Lindqvist."), connection="jira")
    await s.add(says("The lighthouse blinks."), conversation="put away")
    await s.conversations.archive("put away")
    user = memory.scope(**WHOSE)
    await user.add(says("I am allergic to nuts.", "I work at Zyxwvut with Greta Lindqvist."), conversation="all")
    doubts: list[str] = []
    for thing in ("hull", "mast"):
        await s.observe(f"The {thing} of the boat leaks")
        doubts += (await s.observe(f"The {thing} of the boat does not leak", source="workflow")).records
    at.doubted, at.doubtful = doubts


async def _kept(s: AsyncScoped, at: SimpleNamespace, clock: FrozenClock) -> None:
    """Goals, tools, strategies, entries, the graph, the connection, outcomes."""
    goals = [
        await s.goals.add(f"Sell Fjordwick {text}", recall_when=["boats"], deadline=clock() + timedelta(days=9))
        for text in ("now", "soon", "late")
    ]
    await s.goals.block(goals[1].id, by=["rain"])
    at.goal, at.blocked, at.third_goal = (goal.id for goal in goals)
    for number in range(3):
        await s.tools.record(
            "search", {"harbour": number}, "Lindqvist", latency=0.2, task_type="find", connection="jira"
        )
    await s.tools.record("book", {"berth": 1}, success=False, error="full", task_type="book")
    at.strategy = (await s.strategies.learn("Ask at the harbour", "search the harbour", ["search"])).id
    at.conduct = (await s.strategies.learn("Book a berth early", "book a berth", ["book"], success=False)).id
    await s.entries.set("draft", "The harbour opens at nine", importance=0.9, connection="jira")
    await s.entries.set("brief", {"berth": 7}, ttl_seconds=60)
    await s.entries.set("near", [1, 2], ttl_seconds=3_000)
    await s.entries.log("Sailed to Fjordwick")
    await s.graph.relate("Greta Lindqvist", "Zyxwvut", "WORKS_FOR", connection="jira")
    await s.graph.relate("Zyxwvut", "Oslo", "LOCATED_IN")
    await s.graph.upsert("Zyxwvut", type="organization", aliases=["Zyx"], description="A yard that builds boats")
    await s.graph.upsert("Zed", type="person", connection="jira")
    await s.connections.remember("jira", "schema", {"zyxwvut": 1})
    await s.connections.remember("jira", "board", [1], ttl=60)
    await s.connections.learn("jira", "The space is Zyxwvut")
    await s.outcomes.record(at.decision, "It fetched a good price")
    await s.router.write("berth", 7, "long_term")


async def _shared(s: AsyncScoped, at: SimpleNamespace) -> None:
    """Pools and collections, with grants, a snapshot and shared records."""
    pool = await s.pools.create("harbour", reach="agent", data={"berth": 1, "town": "Oslo"})
    at.board = (await s.pools.blackboard("run-1")).id
    await s.pools.share(pool.id, "who", at.moved)
    at.pool, at.grant = pool.id, (await s.pools.grant(pool.id, user="dora")).id
    base = await s.collections.create("harbours", reach="account")
    entries = [
        await s.collections.add(base.id, text)
        for text in ("Lindqvist sails from the harbour", "The harbour is deep", "Oslo has a harbour")
    ]
    at.snapshot = (await s.collections.snapshot(base.id, "first")).id
    await s.collections.edit(base.id, entries[1].id, "The harbour is shallow")
    await s.collections.share(base.id, at.moved)
    at.collection, at.entry, at.second = base.id, entries[0].id, entries[1].id
    at.entry_grant = (await s.collections.grant(base.id, user="dora")).id
    old = await s.collections.create("old")
    at.archived = (await s.collections.archive(old.id)).id


async def _at_hand(memory: AsyncMemory, s: AsyncScoped, at: SimpleNamespace) -> None:
    """Working memory of the conversation, of a run, and a copy of it."""
    desk = s.working("talk")
    await desk.set("draft", {"town": "Oslo"})
    await desk.set("near", "short", ttl=3_000)
    await desk.persist()
    await desk.add(says("I bought a kayak.", "The harbour is closed today."), connection="jira")
    await desk.note("goal", "Sell the boat")
    await desk.push("thoughts", "Ask the pilot")
    at.question = await desk.ask("Sell it now?")
    await s.working(run="run-1").set("step", 1)
    await desk.share_with("cook", "draft")
    await memory.scope(**{**HOME, "agent": "cook"}).working("talk").set("salt", 1)
    await memory.scope(**{**HOME, "agent": "cook"}).working("talk").share_with("clerk", "salt")
    await desk.exists("draft")
