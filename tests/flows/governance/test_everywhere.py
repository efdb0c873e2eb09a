"""Words that are forgotten are gone from every place where a verb can put them, or nothing is forgotten at all."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from flows.helpers import everything, rows, says
from memoranda import AsyncMemory, AsyncScoped, Settings
from memoranda.core.base.scope import SHARED, Owner, visible
from memoranda.core.formats.conversation import Conversation, Message
from memoranda.core.rows import TABLES, AuditEntry, ContextLog, Event, JobRun, LedgerEntry, Passage, Record, Row
from memoranda.core.rows.changes import Add, Batch, Drop
from memoranda.core.rows.erasure import Receipt
from memoranda.errors import InputError, NotFoundError
from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore
from memoranda.stores.postgres.store import PostgresStore
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.fakes import FrozenClock, SequentialIds
from memoranda.testing.samples import sample

if TYPE_CHECKING:
    from conformance.postgres_server import PostgresServer

pytestmark = pytest.mark.anyio

V = "Zyxwvut Quux"
WORDS = ("zyxwvut", "quux")


@dataclass
class Home:
    """A memory, and all that is kept of it."""

    memory: AsyncMemory
    store: Store
    raw: Callable[[], str]

    @property
    def alice(self) -> AsyncScoped:
        return self.memory.scope(tenant="acme", user="alice", connections=("jira",))

    def at(self, **place: Any) -> AsyncScoped:
        return self.memory.scope(tenant="acme", user="alice", **place)

    async def columns(self) -> set[str]:
        """The columns of rows in which the words stand, and cells."""
        found = {
            f"{name}.{column}"
            for owner in (Owner("acme", "alice"), Owner("acme", SHARED))
            for name, some in (await everything(self.store, owner)).items()
            for row in some
            for column in row.__columns__
            if any(word in repr(getattr(row, column)).lower() for word in WORDS)
        }
        desks = self.memory._runtime.desks
        for place in await desks.places("acme"):
            held = repr((place, (await desks.read(place))[0].shown(None))).lower()
            found |= {"cells" for word in WORDS if word in held}
        return found


@pytest.fixture(params=["dict", "sqlite", "postgres", "redis"])
async def home(request: pytest.FixtureRequest, tmp_path: Path, clock: FrozenClock) -> AsyncIterator[Home]:
    cache, store, raw = None, None, str
    if request.param == "dict":
        store = DictStore()
    if request.param == "redis":
        redis = request.getfixturevalue("redis")
        with redis.client() as client:
            client.flushall()
        cache = f"unix://{redis.unix_socket_path}"

    def of_files() -> str:
        return repr([file.read_bytes() for file in tmp_path.iterdir()]).lower()

    def of_redis() -> str:
        with redis.client() as client:
            keys = [*client.scan_iter()]
            kinds = {b"hash": client.hgetall, b"string": client.get, b"set": client.smembers}
            read = {
                **kinds,
                b"zset": lambda key: client.zrange(key, 0, -1),
                b"list": lambda key: client.lrange(key, 0, -1),
            }
            return repr([(key, read[client.type(key)](key)) for key in keys]).lower() + of_files()

    def of_tables() -> str:
        tables = server.run(
            f"SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = '{schema}'::regnamespace"
        )
        return repr([server.run(f'SELECT t::text FROM {schema}."{name}" t') for (name,) in tables]).lower()

    if request.param == "postgres":
        server: PostgresServer = request.getfixturevalue("postgres")
        schema = server.emptied()
        store = await PostgresStore.open(server.url, schema=schema)
        async with await opened(store, clock, None) as memory:
            yield Home(memory, store, of_tables)
        await store.close()
        return
    if store is None:
        store, raw = await SqliteStore.open(tmp_path / "memory.db"), of_redis if cache else of_files
    async with await opened(store, clock, cache) as memory:
        yield Home(memory, store, raw)
    await store.close()


async def opened(store: Store, clock: FrozenClock, cache: str | None) -> AsyncMemory:
    settings = Settings(audit="verbose")
    return await AsyncMemory.open(
        store, embedder="hashed", clock=clock, ids=SequentialIds(), cache=cache, settings=settings
    )


async def pool_of(home: Home, **more: Any) -> str:
    return (await home.alice.pools.create("p", **more)).id


async def shelf_of(home: Home) -> str:
    return (await home.alice.collections.create("c")).id


async def decided(home: Home) -> str:
    made = await home.alice.add(says("We decided to use Postgres."))
    return str(made.decisions[0].record)


async def overwritten(home: Home) -> None:
    pool = await pool_of(home)
    await home.alice.pools.write(pool, "x", V)
    await home.alice.pools.write(pool, "x", 1)


async def snapped(home: Home) -> None:
    shelf = await shelf_of(home)
    await home.alice.collections.add(shelf, f"The boss is {V} now")
    await home.alice.collections.snapshot(shelf, V)


async def kept_copy(home: Home, *, conversation: str = "c1", key: str = "k", value: str = "v") -> None:
    desk = home.alice.working(conversation)
    await desk.set(key, value)
    await desk.set("other", "bread")
    await desk.persist()


async def shared(home: Home) -> None:
    await home.alice.working("c1").set(V, "v")
    await home.alice.working("c1").share_with("clerk", V)


async def forgotten_talk(home: Home) -> None:
    await home.alice.add(says("It rains."), conversation=V)
    await home.alice.forget(conversation=V)
    await home.alice.recall(f"who is {V}?")


async def superseded(home: Home) -> None:
    await home.alice.add(says(f"I work at {V}."), conversation="c1")
    await home.alice.add(says("I no longer work there. I work at Globex now."), conversation="c2")


async def understood(home: Home) -> None:
    await home.alice.add(says(f"I work at {V}. My sister is Agatha {V}."), conversation="c1")
    await home.memory.consolidate(tenant="acme", user="alice")


async def promoted(home: Home) -> None:
    await home.alice.entries.set("k", f"the boss is {V} now", importance=0.9)
    await home.alice.entries.promote()


async def reviewed(home: Home) -> None:
    made = await home.alice.add(says(f"I work at {V}."))
    await home.alice.review.reject(str(made.decisions[0].record))


async def summed(home: Home) -> None:
    desk = home.alice.working(V)
    await desk.add(says("I decided to move to Oslo."))
    await desk.flush()


async def turned_out(home: Home) -> None:
    await home.alice.outcomes.record(await decided(home), f"{V} was right")


async def kept_run(home: Home) -> None:
    await home.alice.working(run=V).set("k", "v")
    await home.alice.working(run=V).persist()


async def titled(home: Home) -> None:
    await home.alice.add(says("I live in Oslo."), conversation="c1")
    await home.alice.conversations.rename("c1", f"About {V}")


async def titled_by_name(home: Home) -> None:
    await home.alice.add(says("I live in Oslo."), conversation=V)
    await home.alice.conversations.rename(V, "The flat")


PUTS: dict[str, Callable[[Home], Awaitable[Any]]] = {
    "turn": lambda h: h.alice.add(says(f"My boss is {V}.")),
    "turn of an assistant": lambda h: h.alice.add(says(f"Your boss is {V}.", role="assistant")),
    "speaker": lambda h: h.alice.add(says("It rains.", name=V)),
    "conversation": lambda h: h.alice.add(says("I live in Oslo."), conversation=V),
    "title": titled,
    "conversation with a title": titled_by_name,
    "surface": lambda h: h.alice.add(says("It rains."), surface=V),
    "metadata": lambda h: h.alice.add(says("It rains."), metadata={"x": [{V: 1}]}),
    "category": lambda h: h.alice.observe("The crab is blue.", category=V),
    "tool": lambda h: h.alice.tools.record(V, 1, 2),
    "task type": lambda h: h.alice.tools.record("crm", 1, 2, task_type=V),
    "tool input": lambda h: h.alice.tools.record("crm", {V: 1}, 2),
    "tool error": lambda h: h.alice.tools.record("crm", 1, 2, error=V, success=False),
    "entry key": lambda h: h.alice.entries.set(V, 1),
    "entry value": lambda h: h.alice.entries.set("k", {"a": V}),
    "entry conversation": lambda h: h.alice.entries.set("k", 1, conversation=V),
    "log": lambda h: h.alice.entries.log(f"saw {V}"),
    "router key": lambda h: h.alice.router.write(V, 1, "long_term"),
    "router conversation": lambda h: h.alice.router.write("k", 1, "long_term", conversation=V),
    "working key": lambda h: h.alice.working("c1").set(V, 1),
    "working value": lambda h: h.alice.working("c1").set("k", V),
    "working conversation": lambda h: h.alice.working(V).set("k", 1),
    "working run": lambda h: h.alice.working(run=V).set("k", 1),
    "working result": lambda h: h.alice.working("c1").note("results", 1, name=V),
    "working question": lambda h: h.alice.working("c1").ask(f"who is {V}?"),
    "working summary": summed,
    "copy": lambda h: kept_copy(h, value=V),
    "copy key": lambda h: kept_copy(h, key=V),
    "copy conversation": lambda h: kept_copy(h, conversation=V),
    "shared key": shared,
    "pool name": lambda h: h.alice.pools.create(V),
    "pool task": lambda h: h.at(task=V).pools.create("p", kind="task_scoped"),
    "pool data": lambda h: pool_of(h, data={V: [V]}),
    "pool overwritten": overwritten,
    "collection name": lambda h: h.alice.collections.create(V),
    "collection entry": snapped,
    "goal": lambda h: h.alice.goals.add(f"meet {V} soon please"),
    "goal blocker": lambda h: h.alice.goals.add("meet the boss soon", blockers=[V], recall_when=[V]),
    "strategy": lambda h: h.alice.strategies.learn("ask first", V, [V]),
    "entity": lambda h: h.alice.graph.upsert(V),
    "entity alias": lambda h: h.alice.graph.upsert("Bob", aliases=[V]),
    "entity type": lambda h: h.alice.graph.upsert("Bob", type=V),
    "entity property": lambda h: h.alice.graph.upsert("Bob", properties={V: V}),
    "relation": lambda h: h.alice.graph.relate("Eve", V),
    "relation type": lambda h: h.alice.graph.relate("Bob", "Ann", "ZYXWVUT_QUUX"),
    "query": lambda h: h.alice.recall(f"who is {V}?"),
    "query for a context": lambda h: h.alice.context(f"who is {V}?", conversation="c1"),
    "context of a conversation": lambda h: h.alice.context("hello", conversation=V),
    "query why": lambda h: h.alice.why(f"who is {V}?"),
    "query of entities": lambda h: h.alice.graph.find(V),
    "query of the router": lambda h: h.alice.router.semantic_search(V),
    "cached conversation": lambda h: h.at(connections=("jira",), conversation=V).connections.remember("jira", "n", 1),
    "cached name": lambda h: h.alice.connections.remember("jira", V, 1),
    "cached value": lambda h: h.alice.connections.remember("jira", "n", {V: V}),
    "learned": lambda h: h.alice.connections.learn("jira", f"The board of {V} is red"),
    "outcome": turned_out,
    "superseded": superseded,
    "understood": understood,
    "promoted": promoted,
    "rejected": reviewed,
    "message id": lambda h: h.alice.add(says("It rains.", id=V)),
    "import": lambda h: h.alice.import_conversations(
        [Conversation(id=V, messages=(Message(role="user", content="It rains."),))]
    ),
    "entry sources": lambda h: h.alice.entries.set("k", 1, sources=[V]),
    "entity description": lambda h: h.alice.graph.upsert(V, description="It sells."),
    "copy of a run": kept_run,
    "brought": lambda h: h.alice.context("hello", layout="host", brings={"system": {V: V}}, conversation="c1"),
    "forgotten conversation": forgotten_talk,
}


#: Columns with the names of places and of who acts there: see below.
NAMES = (
    "tenant", "user", "agent", "team", "channel", "connection", "holder", "grantee", "granted_by", "revoked_by",
    "created_by", "actor",
)  # fmt: skip
#: Columns with ids, hashes and numbers that the memory made.
IDS = (
    "id", "ref", "earlier", "hash", "entities", "head", "tail", "ids", "about", "object", "under", "event", "receipt",
    "turns", "included", "cross_channel", "promoted", "promoted_from", "supersedes", "contradicted_by", "ended_by",
    "digest", "items", "salt", "epoch", "space", "counts", "removed", "latencies", "thresholds",
)  # fmt: skip
#: Columns with words of its own, or of the tenant's settings.
OWN = (
    "kind", "role", "extraction", "source", "of", "traits", "certainty", "status", "editor", "temporal", "operation",
    "stratum", "period", "level", "reach", "action", "job", "outcome", "what", "model",
)  # fmt: skip


#: Columns of those names that no verb of a user fills with such words.
ELSEWHERE = {
    *("audit.error", "short_term.type", "ledger.task"),  # words of its own
    *("collections.sources", "pools.sources", "records.sources", "relations.sources", "snapshots.entries"),  # ids
    *("attempts.error", "context_log.degraded", "job_runs.degraded", "job_runs.reason"),  # what went wrong, see below
    *("receipts.remains", "receipts.target"),  # of the store, and hashes
    *("entities.type", "records.phrase", "records.subject"),  # of the rules, and canonical names and ids
    "ledger.conversation",  # see below
    *(f"api_keys.{one}" for one in ("name", "only_user", "only_agent", "rights", "root")),  # the tenant's
    *(f"operations.{one}" for one in ("verb", "state", "name", "request", "answer", "problem")),  # of doors, see there
    *("audit.key", *(f"answered_calls.{one}" for one in ("request", "answer"))),  # of doors, see there
}


def texts() -> set[str]:
    """All columns that can hold words."""
    return {
        f"{name}.{one}"
        for name, kind in TABLES.items()
        for one, column in kind.__columns__.items()
        if column.type in {"str", "json", "strings"}
    }


async def control(home: Home) -> None:
    """What must stay, though parts of it are the same."""
    await home.alice.add(says("I live in Bern.", "Zyx said quuux."), conversation="c0")
    await home.alice.observe("My project details are secret.", category="project_details")
    await home.alice.working("c0").set("note", "bread")


async def stays(home: Home) -> bool:
    events = {found.event.content for found in await home.alice.events(limit=100)}
    wanted = {"I live in Bern.", "Zyx said quuux.", "My project details are secret."}
    return wanted <= events and await home.alice.working("c0").get("note") == "bread"


@pytest.mark.parametrize("home", ["dict", "sqlite"], indirect=True)
@pytest.mark.parametrize("name", PUTS)
async def test_words_go_from_wherever_a_verb_put_them(home: Home, name: str) -> None:
    await control(home)
    await PUTS[name](home)
    await home.memory._runtime.journal.settle()
    assert await home.columns()
    receipt = await home.alice.forget(value=V.lower())
    assert receipt.verify()
    assert receipt.removed
    assert await home.columns() == set()
    assert [word for word in WORDS if word in home.raw()] == []
    assert await stays(home)
    with pytest.raises(NotFoundError):
        await home.alice.forget(value=V)


#: What a host files something under is a name of its own, by which it is found.
UNDER = {
    "conversation", "surface", "entry conversation", "router conversation", "working conversation", "working run",
    "working summary", "copy conversation", "pool task", "context of a conversation", "cached conversation", "import",
    "copy of a run", "conversation with a title",
}  # fmt: skip


@pytest.mark.parametrize("home", ["dict"], indirect=True)
@pytest.mark.parametrize("name", sorted(PUTS.keys() - UNDER))
async def test_no_verb_puts_words_that_are_forgotten_for_good(home: Home, name: str) -> None:
    await home.alice.add(says(f"My boss is {V}."))
    await home.alice.forget(value=V, for_good=True)
    with suppress(InputError, IndexError):  # it is refused, or there is nothing to go on with
        await PUTS[name](home)
    await home.memory._runtime.journal.settle()
    assert await home.columns() == set()


async def test_all_of_it_goes_at_once(home: Home) -> None:
    await control(home)
    seen = set[str]()
    for put in PUTS.values():
        await put(home)
        await home.memory._runtime.journal.settle()
        seen |= await home.columns()
    await home.alice.forget(value=V)
    assert await home.columns() == set()
    assert [word for word in WORDS if word in home.raw()] == []
    assert await stays(home)
    assert all(receipt.verify() for receipt in await rows(home.store, Receipt))
    assert {one for one in texts() - seen if one.partition(".")[2] not in {*NAMES, *IDS, *OWN}} == ELSEWHERE


@pytest.mark.parametrize("name", ["dict", "sqlite"])
async def test_all_goes_though_nothing_is_known_of_what_it_was_of(
    name: str, tmp_path: Path, clock: FrozenClock
) -> None:
    owner, fall = Owner("acme", "alice"), {kind for kind in TABLES.values() if kind.__traits__.falls}
    placed = [kind for kind in fall if kind.__traits__.seen in {"site", "ends"}]

    def made(kind: type[Row], number: int, **values: Any) -> Row:
        given = {"agent": None, "connection": "jira", "sections": {}, "sources": (), "turns": (), **values}
        return sample(kind, owner, number, **{name: one for name, one in given.items() if name in kind.__columns__})

    lying = [made(kind, number, channel=("home", "work")[number]) for number in (0, 1) for kind in placed]
    store: Store = DictStore() if name == "dict" else await SqliteStore.open(tmp_path / "memory.db")
    written = [*lying, *(made(kind, 2) for kind in TABLES.values())]
    await store.apply(Batch(owner=owner, changes=tuple(map(Add, written)), expect=0))
    async with await opened(store, clock, None) as memory:
        home = memory.scope(tenant="acme", user="alice", channel="home", connections=("jira",))
        await home.forget(everything=True)
        for kind in placed:
            assert [row for row in await rows(store, kind) if visible(row, home.scope)] == [], kind  # type: ignore[arg-type]
        await memory.scope(tenant="acme", user="alice", whole=True).forget(everything=True)
        assert {kind for kind in TABLES.values() if await rows(store, kind)} == {*TABLES.values()} - fall
    await store.close()


async def test_a_value_goes_from_what_is_left_of_lost_events(store: Store, clock: FrozenClock) -> None:
    async with await opened(store, clock, None) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        await alice.add(says(f"I saw the {V} bay.", "I saw the harbour."))
        await alice.tools.record(f"{V} map", {"q": 1}, {"r": 2})
        lost = [Drop(Event, (row.id,)) for row in await rows(store, Event)]
        lost += [Drop(Record, (row.id, row.version)) for row in await rows(store, Record)]
        await store.apply(Batch(owner=Owner("acme", "alice"), changes=tuple(lost)))
        receipt = await alice.forget(value=V)
        left = await rows(store, Passage)
        assert [row.terms for row in left if "harbour" in row.terms or "zyx" in row.terms] == ["saw harbour"]
        assert receipt.verify()
        kept = await everything(store)
        assert [name for name, some in kept.items() if any(word in repr(some).casefold() for word in WORDS)] == []


async def test_what_went_wrong_and_what_was_paid_say_it_no_more(home: Home) -> None:
    now = home.memory._runtime.clock()
    whose: dict[str, Any] = {"tenant": "acme", "user": "alice"}
    run = {"job": "x", "ordinal": 1, "started_at": now, "ended_at": now, "outcome": "failed", "next_at": now}
    context = {"query": "", "epoch": "", "budget": 1, "used": 1, "created_at": now}
    told: list[Row] = [
        LedgerEntry(**whose, id="a", what="completion", model="m", conversation=V, at=now),
        LedgerEntry(**whose, id="b", what="completion", model="m", task="c", at=now),
        JobRun(**whose, **run, slot=0, reason=f"no {V}"),
        JobRun(**whose, **run, slot=1, degraded=(f"{V} is down",)),
        ContextLog(**whose, **context, id="a", degraded=(f"{V} is down",)),
        AuditEntry(**whose, id="a", operation="add", stratum="all", channel=V, at=now),
    ]
    await home.store.apply(Batch(owner=Owner("acme", "alice"), changes=tuple(map(Add, told))))
    receipt = await home.at(whole=True).forget(value=V)
    assert receipt.removed == {"audit": 1, "context_log": 1, "job_runs": 2, "ledger": 1}
    assert await home.columns() == set()


async def test_what_went_wrong_says_no_more_what_a_forgotten_source_said(home: Home) -> None:
    said = f"The boss of all is {V}."
    source = (await home.alice.add(says(said))).events[0]
    kept, gone = (
        sample(JobRun, Owner("acme", "alice"), number, reason=reason, degraded=())
        for number, reason in enumerate(("it rained", f"the model refused: {said}"))
    )
    await home.store.apply(Batch(owner=Owner("acme", "alice"), changes=(Add(kept), Add(gone))))
    assert (await home.alice.forget(source=source)).removed["job_runs"] == 1
    assert [row.reason for row in await rows(home.store, JobRun)] == ["it rained"]


async def there(home: Home, **place: Any) -> None:
    await home.at(**place).add(says("The crab is blue."), conversation="c")


PLACES: dict[str, Callable[[Home], Awaitable[Any]]] = {
    "channel": lambda h: there(h, channel=V),
    "agent": lambda h: there(h, agent=V),
    "team": lambda h: there(h, team=V),
    "connection": lambda h: h.at(connections=(V,)).connections.learn(V, "The crab is red."),
    "channel of an entry": lambda h: h.at(channel=V).entries.set("k", 1),
    "agent of a desk": lambda h: h.at(agent=V).working("c").set("k", 1),
    "channel of a copy": lambda h: h.at(channel=V).working("c").persist(),
}


@pytest.mark.parametrize("home", ["dict"], indirect=True)
@pytest.mark.parametrize("name", PLACES)
async def test_the_receipt_says_that_the_name_of_a_place_stays(home: Home, name: str) -> None:
    await control(home)
    await home.alice.add(says(f"My boss is {V}."))
    await PLACES[name](home)
    what = name.partition(" ")[0]
    receipt = await home.at(whole=True).forget(value=V)
    assert receipt.remains[0].startswith(f"Names under which other memories stay, as they were given: {what}.")
    assert receipt.verify()
    assert V not in repr(receipt)
    assert {one.rpartition(".")[2] for one in await home.columns()} <= {*NAMES, "cells"}
    if name in {"channel", "agent", "team"}:
        await home.at(whole=True).forget(conversation="c")
        assert await home.columns() == set()
        assert await stays(home)


@pytest.mark.parametrize("home", ["dict"], indirect=True)
async def test_the_name_of_the_user_keeps_nobody_from_forgetting_it(home: Home) -> None:
    for whose in ({"tenant": "acme", "user": V}, {"tenant": V, "user": "alice"}):
        scope = home.memory.scope(**whose)
        await scope.add(says(f"I am {V}.", "I live in Oslo."))
        receipt = await scope.forget(value=V)
        assert receipt.removed["events"] == 1
        assert "Names under which other memories stay" in receipt.remains[0]
        assert len(await scope.events()) == 1
        with pytest.raises(NotFoundError):
            await scope.forget(value=V)


@pytest.mark.parametrize("home", ["dict"], indirect=True)
@pytest.mark.parametrize("value", ["preference", "personal", "project details", "chat", "tool", "value", "global"])
async def test_the_memorys_own_words_are_nobodys(home: Home, value: str) -> None:
    await home.alice.observe("I prefer tea.", category="preference")
    await home.alice.observe("The crab is blue.", category="project_details")
    await home.alice.add(says("I live in Oslo."))
    await home.alice.router.write("k", 1, "long_term")
    await home.alice.working("c").note("scratch", "bread")
    with pytest.raises(NotFoundError):
        await home.alice.forget(value=value)


async def life(home: Home) -> None:
    """Something in every place in which the memory files it under names of its own, or words it its own way."""
    await home.alice.add(says("I like tea.", id="m1"))
    await home.alice.add(says("I work at Globex.", id="m2", name="Ann"))
    await home.alice.tools.record("crm", {"page": 1}, {"rows": [2]}, latency=0.5)
    await home.alice.tools.record("crm", {"page": 2}, None, success=False, error="no such page")
    goal = await home.alice.goals.add("Sail to Rome", blockers=["the weather"])
    await home.alice.goals.update(goal.id, priority=1)
    await home.alice.strategies.learn("ask first", "a page is missing", ["crm"])
    await home.alice.graph.upsert("Bob", properties={"size": 7})
    await home.alice.router.write("k", {"a": 1}, "long_term")
    await home.alice.outcomes.record(await decided(home), "It was quick")
    await home.alice.working("c1").note("results", "bread", name="shopping")
    pool = await pool_of(home, data={"a": 1})
    await home.alice.pools.write(pool, "b", 2)
    shelf = await shelf_of(home)
    await home.alice.collections.add(shelf, "Bread is white.")
    await home.alice.working("c9").add(says("I decided to move to Oslo."))
    await home.alice.working("c9").flush()
    await home.memory.consolidate(tenant="acme", user="alice")


#: What the memory itself calls things, and words with which it states what it was told.
ITS_WORDS = (
    *("message", "input", "output", "success", "error", "latency", "task type", "priority", "state", "active"),
    *("version", "channel", "path", "decision", "raised", "because", "json", "evidence", "blockers", "alice"),
    *("user", "User", "likes", "User likes", "user's", "user works", "relation", "WORKS FOR", "extractor", "head"),
    *("terms", "turn", "who", "last used", "successes", "id", "changed"),
)


@pytest.mark.parametrize("home", ["dict"], indirect=True)
async def test_its_names_and_phrases_are_nobodys_words(home: Home) -> None:
    await life(home)
    taken = []
    for value in sorted({*ITS_WORDS}):
        try:
            taken.append((value, (await home.alice.forget(value=value)).removed))
        except NotFoundError:
            continue
    assert taken == []


@pytest.mark.parametrize("home", ["dict"], indirect=True)
@pytest.mark.parametrize(
    "value", ["tea", "like", "likes tea", "Ann works at Globex", "Ann", "page", "rows", "no such page", "Rome", "m1",
              "the weather", "shopping", "missing", "quick", "size", "Bob"]
)  # fmt: skip
async def test_what_a_host_called_things_is_a_word_of_a_host(home: Home, value: str) -> None:
    await life(home)
    assert (await home.alice.forget(value=value)).removed
    with pytest.raises(NotFoundError):
        await home.alice.forget(value=value)


@pytest.mark.parametrize("home", ["dict"], indirect=True)
async def test_names_of_the_memory_are_barred_in_nothing_that_it_keeps(home: Home) -> None:
    for value in ("message", "input", "value", "version", "events", "success", "priority"):
        await home.alice.add(says(f"The word {value} is here.", "I live in Bern."))
        await home.alice.forget(value=value, for_good=True)
    await life(home)
    calls = await home.alice.tools.calls()
    assert [(call.input, call.success) for call in calls] == [({"page": 2}, False), ({"page": 1}, True)]
    assert (await home.alice.working("c1").view()).results == {"shopping": "bread"}
