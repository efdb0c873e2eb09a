"""What was forgotten leaves working memory and its copies, and nobody but the user brings it back, on every store."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from flows.helpers import OWNER, everything, rows, says
from memoranda import AsyncMemory, AsyncScoped, Event, Record
from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.formats.conversation import Conversation, Message
from memoranda.core.rows import Entity, Tombstone, WorkingCopy
from memoranda.core.rows.cells import Place
from memoranda.core.rows.changes import Batch, Put
from memoranda.core.rows.erasure import Receipt
from memoranda.core.text.forgotten import WITHHELD
from memoranda.errors import InputError, NotFoundError, StoreUnavailableError
from memoranda.ports import Completion, Store
from memoranda.stores.dict_ import DictStore
from memoranda.stores.dict_cache import DictCache
from memoranda.stores.postgres.store import PostgresStore
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

if TYPE_CHECKING:
    from conformance.postgres_server import PostgresServer

pytestmark = pytest.mark.anyio

SECRET = "I work at Zyxwvut Limited in Oslo."  # noqa: S105 - no password
WORD = "zyxwvut"


@pytest.fixture(params=["dict", "sqlite", "postgres", "redis"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def store(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    if kind == "postgres":
        server: PostgresServer = request.getfixturevalue("postgres")
        held: Store = await PostgresStore.open(server.url, schema=server.emptied())
    else:
        held = DictStore() if kind == "dict" else await SqliteStore.open(tmp_path / "memory.db")
    yield held
    await held.close()


@pytest.fixture
def options(kind: str, clock: FrozenClock, request: pytest.FixtureRequest) -> dict[str, Any]:
    cache = None
    if kind == "redis":
        server = request.getfixturevalue("redis")
        with server.client() as client:
            client.flushall()
        cache = f"unix://{server.unix_socket_path}"
    return {"embedder": "none", "clock": clock, "ids": SequentialIds(), "cache": cache}


@pytest.fixture
async def memory(store: Store, options: dict[str, Any]) -> AsyncIterator[AsyncMemory]:
    async with await AsyncMemory.open(store, **options) as memory:
        yield memory


async def held(memory: AsyncMemory, store: Store) -> str:
    """All that is kept anywhere, in small letters."""
    desks = memory._runtime.desks
    cells = [(await desks.read(place))[0].shown(None) for place in await desks.places("acme")]
    shared = await everything(store, Owner("acme", SHARED))
    return f"{await everything(store)} {shared} {cells}".lower()


async def told(memory: AsyncMemory, clock: FrozenClock, **target: Any) -> AsyncScoped:
    """A scope in which the secret was said and forgotten a day ago."""
    alice = memory.scope(tenant="acme", user="alice")
    [event] = (await alice.add(says(SECRET), conversation="c")).events
    clock.advance(hours=1)
    await alice.forget(**({"source": event} | target if "value" not in target else target))
    clock.advance(days=1)
    return alice


# ------------------------------------------------------------------------------------ working memory


async def worked(alice: AsyncScoped) -> str:
    """Put the secret into every part of working memory, persist it, and return the id of its turn."""
    desk, run = alice.working("c"), alice.working(run="r")
    await desk.add(says(SECRET, "The crab is blue."))
    for one in (desk, run):
        await one.set("employer", SECRET)
        await one.set("mixed", {"said": [SECRET, "Bring bread."], SECRET: 1})
        await one.set("other", "Bring bread.", ttl=90_000)
        await one.note("task", f"Note: {SECRET}")
        await one.note("goal", {"is": SECRET})
        await one.note("preferences", [SECRET, "short answers"])
        await one.note("results", SECRET, name="step")
        await one.note("results", "3 found", name="search")
        await one.note("tools", SECRET, name="crm")
        await one.push("scratch", f"Bring bread.\n{SECRET}")
        await one.push("thoughts", SECRET)
        await one.push("tool_results", {"row": SECRET})
        await one.ask(f"Is it so? {SECRET}")
        await one.share_with("clerk", "employer")
        await one.persist()
    return str((await desk.turns())[0]["id"])


async def test_a_source_leaves_every_part_of_working_memory_and_its_copies(memory: AsyncMemory, store: Store) -> None:
    alice = memory.scope(tenant="acme", user="alice")
    secret = await worked(alice)
    assert WORD in await held(memory, store)
    receipt = await alice.forget(source=secret)
    assert receipt.removed["cells"] > 10
    assert WORD not in await held(memory, store)
    for desk in (alice.working("c"), alice.working(run="r")):
        try:
            view = await desk.load()
        except NotFoundError:  # the copy held the turn itself
            view = await desk.view()
        assert WORD not in repr(view).lower()
        assert view.keys["other"] == "Bring bread."
        assert (view.results, view.scratch) == ({"search": "3 found"}, f"Bring bread.\n{WITHHELD}")
    assert WORD not in repr(await alice.working("c").resume()).lower()
    assert WORD not in await held(memory, store)


async def test_a_conversation_goes_with_all_of_its_desk_and_what_was_handed_on(
    memory: AsyncMemory, store: Store
) -> None:
    alice = memory.scope(tenant="acme", user="alice")
    clerk = memory.scope(tenant="acme", user="alice", agent="clerk")
    await worked(clerk)
    await clerk.working("c").set("city", "Bergen")
    await clerk.working("c").share_with("cook", "city")
    await clerk.working("c").persist()
    await clerk.working("d").set("city", "Rome")
    await clerk.forget(conversation="c")
    assert WORD not in await held(memory, store)
    assert "bergen" not in await held(memory, store)
    with pytest.raises(NotFoundError):
        await clerk.working("c").load()
    assert await clerk.working("c").keys() == ()
    assert await clerk.working("d").get("city") == "Rome"
    assert await memory.scope(tenant="acme", user="alice", agent="cook").working("c").shared_by("clerk", "city") is None
    await clerk.working("c").set("city", "Bern")  # it may begin again
    await clerk.working("c").persist()
    assert (await clerk.working("c").load()).keys == {"city": "Bern"}
    assert await alice.working("c").keys() == ()


async def test_what_nobody_could_reach_is_not_laid_out(memory: AsyncMemory, store: Store, clock: FrozenClock) -> None:
    """An older backup of the store has the copies of before, and another process its own."""
    alice = memory.scope(tenant="acme", user="alice")
    secret = await worked(alice)
    copies = await rows(store, WorkingCopy)
    clock.advance(hours=1)
    await alice.forget(source=secret)
    await store.apply(Batch(owner=OWNER, changes=tuple(map(Put, copies))))
    for desk in (alice.working("c"), alice.working(run="r")):
        view = await desk.load()
        assert WORD not in repr(view).lower()
        assert view.keys["other"] == "Bring bread."
    await alice.forget(conversation="c")
    await store.apply(Batch(owner=OWNER, changes=tuple(map(Put, copies))))
    with pytest.raises(NotFoundError):
        await alice.working("c").load()


async def test_another_process_does_not_write_it_into_working_memory_again(
    memory: AsyncMemory, store: Store, options: dict[str, Any], clock: FrozenClock
) -> None:
    shared = options | {"ids": SequentialIds("other"), "cache": memory._runtime.desks._cache}
    other = (await AsyncMemory.open(store, **shared)).scope(tenant="acme", user="alice")
    await other.working("c").add(says("Hello there."))
    alice = await told(memory, clock)
    await other.working("c").set("employer", SECRET)
    await other.working("c").push("thoughts", [f"So {SECRET.lower()}", "Bring bread."])
    assert await alice.working("c").get("employer") == WITHHELD
    assert (await alice.working("c").view()).thoughts == ([WITHHELD, "Bring bread."],)
    await other.working("c").add(says(SECRET, role="assistant"))
    assert WORD not in await held(memory, store)


class Failing(DictCache):
    """A cache that one process cannot reach for a while."""

    down = False

    async def read(self, place: Place) -> Any:
        if self.down:
            raise StoreUnavailableError("out of reach")
        return await super().read(place)


async def test_what_a_process_kept_while_the_cache_was_down_does_not_come_back(clock: FrozenClock) -> None:
    store, near = DictStore(), DictCache()
    far = Failing()
    far._places = near._places  # type: ignore[attr-defined] # the same cells, over another line
    options: dict[str, Any] = {"embedder": "none", "clock": clock}
    memory = await AsyncMemory.open(store, cache=near, ids=SequentialIds(), **options)
    other = await AsyncMemory.open(store, cache=far, ids=SequentialIds("other"), **options)
    alice, there = (one.scope(tenant="acme", user="alice") for one in (memory, other))
    for name in ("c", "d"):
        await there.working(name).set("city", "Bergen", ttl=1_000_000)
    [event] = (await alice.add(says(SECRET), conversation="c")).events
    far.down = True
    for name in ("c", "d"):
        await there.working(name).set("employer", SECRET, ttl=1_000_000)
    assert await there.working("c").get("employer") == SECRET
    clock.advance(seconds=10)
    await alice.forget(conversation="c")
    clock.advance(seconds=10)
    assert await there.working("c").keys() == ()
    assert await there.working("d").get("employer") == WITHHELD
    assert await there.working("d").get("city") == "Bergen"
    far.down = False
    clock.advance(seconds=10)
    assert await there.working("c").keys() == ()
    assert await alice.working("d").get("employer") == WITHHELD
    assert event not in repr(await there.working("c").view())


async def test_tombstones_of_the_owners_used_last_are_at_hand(
    memory: AsyncMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memoranda.flows.runtime.working_cells._COPIES", 2)
    desks = memory._runtime.desks
    for user in ("alice", "bob", "carol"):
        await desks.forgotten(Owner("acme", user))
    assert [owner.user for owner in desks._barred] == ["bob", "carol"]


# ------------------------------------------------------------------------------------ every writer

VARIANTS = [
    SECRET,
    SECRET.upper(),
    SECRET.rstrip("."),
    f"Note: {SECRET}",
    "As you know, i work at zyxwvut limited in oslo",
    f"{SECRET[:-1]}, since May.",
    "I work, at Zyxwvut Limited, in Oslo!",
    "I  work\n at Zyxwvut\u00a0Limited in Oslo",
    "I work at Zyx\u200bwvut Lim\u00adited in Oslo.",
    "I\ufeff work at \u2060Zyxwvut Limited in Oslo",
    "Ｉ ｗｏｒｋ ａｔ Ｚｙｘｗｖｕｔ Ｌｉｍｉｔｅｄ ｉｎ Ｏｓｌｏ．",
    f"«{SECRET}»",
    "- **I work at** _Zyxwvut Limited_ in Oslo",
]


def writers(alice: AsyncScoped, text: str, pool: str, shelf: str, goal: str) -> dict[str, Callable[[], Awaitable[Any]]]:
    """Every verb that writes a text."""
    desk = alice.working("w")

    def imported() -> Awaitable[Any]:
        return alice.import_conversations([Conversation(id="i", messages=(Message(role="user", content=text),))])

    return {
        "assistant's turn": lambda: alice.add(says(text, role="assistant")),
        "tool's turn": lambda: alice.add(says(text, role="tool")),
        "turn of an import": lambda: alice.add(says(text), surface="import"),
        "import": imported,
        "observe": lambda: alice.observe(text, source="agent"),
        "observe of a workflow": lambda: alice.observe(text, source="workflow", category="mine"),
        "metadata": lambda: alice.observe("It rains.", source="agent", metadata={"page": [text]}),
        "tools.record": lambda: alice.tools.record("crm", {"q": text}, [text], error=text, success=False),
        "strategies.learn": lambda: alice.strategies.learn(text),
        "strategies.learn, when": lambda: alice.strategies.learn("Ask the crm", text),
        "router to working": lambda: alice.router.write("k", text, "working", conversation="w"),
        "router to short_term": lambda: alice.router.write("k", {"v": text}, "short_term"),
        "router to long_term": lambda: alice.router.write("k", text, "long_term"),
        "router to shared": lambda: alice.router.write("k", text, "shared", pool=pool),
        "graph.upsert": lambda: alice.graph.upsert("Ann", description=text),
        "graph.upsert, property": lambda: alice.graph.upsert("Ann", properties={"says": text}),
        "collections.create": lambda: alice.collections.create(text),
        "collections.add": lambda: alice.collections.add(shelf, text),
        "collections.snapshot": lambda: alice.collections.snapshot(shelf, text),
        "pools.create": lambda: alice.pools.create("p", data={"a": [text]}),
        "pools.create, name": lambda: alice.pools.create(text),
        "pools.write": lambda: alice.pools.write(pool, "a.b", text),
        "pools.merge": lambda: alice.pools.merge(pool, {"a": {"c": text}}),
        "entries.set": lambda: alice.entries.set("e", text),
        "entries.log": lambda: alice.entries.log(text),
        "goals.add": lambda: alice.goals.add(text),
        "goals.block": lambda: alice.goals.block(goal, by=["rain"], reason=text),
        "goals.complete": lambda: alice.goals.complete(goal, result=text),
        "connections.learn": lambda: alice.connections.learn("crm", text),
        "connections.remember": lambda: alice.connections.remember("crm", "row", {"v": text}),
        "outcomes.record": lambda: alice.outcomes.record(goal, text, success=True),
        "working.set": lambda: desk.set("k", text),
        "working.note": lambda: desk.note("task", {"a": text}),
        "working.push": lambda: desk.push("scratch", text),
        "working.ask": lambda: desk.ask(text),
        "working.add": lambda: desk.add(says(text, role="assistant")),
    }


async def test_no_verb_takes_it(store: Store, memory: AsyncMemory, clock: FrozenClock) -> None:
    await refused(memory, store, clock, SECRET)


@pytest.mark.parametrize("text", VARIANTS)
async def test_no_verb_takes_it_however_it_is_written(clock: FrozenClock, text: str) -> None:
    store = DictStore()  # no store has a part in how texts are compared
    await refused(await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds()), store, clock, text)


async def refused(memory: AsyncMemory, store: Store, clock: FrozenClock, text: str) -> None:
    """No writer takes a text after the secret was forgotten, and nothing of it is kept."""
    alice = memory.scope(tenant="acme", user="alice", connections=("crm",))
    pool, shelf = await alice.pools.create("pool"), await alice.collections.create("shelf")
    goal = await alice.goals.add("Learn Spanish")
    await told(memory, clock)
    assert WORD not in await held(memory, store)
    for name, write in writers(alice, text, pool.id, shelf.id, goal.id).items():
        with suppress(InputError):
            await write()
        kept = await held(memory, store)
        assert [part for part in (WORD, "ｚｙｘ", "zyx\u200b") if part in kept] == [], name
    await alice.entries.promote()
    await memory.consolidate(tenant="acme", user="alice")
    await memory.rebuild(tenant="acme", user="alice", switch=True)
    assert WORD not in await held(memory, store)


@pytest.mark.parametrize(
    "text",
    ["I work in Oslo.", "Zyxwvut is a funny word.", "I work at Zyxwvuts Limited in Oslo.", "Work at Zyxwvut?", "Oslo."],
)
async def test_what_only_resembles_it_is_taken(memory: AsyncMemory, clock: FrozenClock, text: str) -> None:
    alice = await told(memory, clock)
    done = await alice.add(says(text, role="assistant"))
    assert (done.forgotten, len(done.events)) == (0, 1)
    await alice.working("w").set("k", {"v": text, "n": [1, 2.5, True, None]})
    assert await alice.working("w").get("k") == {"v": text, "n": [1, 2.5, True, None]}


async def test_the_rest_of_what_somebody_else_says_is_kept(
    memory: AsyncMemory, store: Store, clock: FrozenClock
) -> None:
    alice = await told(memory, clock)
    text = f"The crab is blue. You said: {SECRET} My sister lives in Rome."
    done = await alice.add(says(text, role="assistant"))
    assert (done.forgotten, len(done.events)) == (1, 1)
    call = await alice.tools.record("crm", {"q": "who? " + SECRET}, {"rows": ["Bring bread.", SECRET]})
    assert call.forgotten == 4  # in the text, and in the input and output that it shows
    contents = {event.content for event in await rows(store, Event)}
    assert f"The crab is blue. {WITHHELD} My sister lives in Rome." in contents
    assert next(item.text for item in await alice.recall("crab") if item.of == "event").startswith("The crab is blue.")
    assert WORD not in await held(memory, store)


async def test_only_the_users_own_later_words_are_new(memory: AsyncMemory, store: Store, clock: FrozenClock) -> None:
    alice = await told(memory, clock)
    before = (clock.now - timedelta(days=2)).isoformat()
    assert (await alice.add(says(SECRET, timestamp=before))).forgotten == 1
    assert (await alice.add(says(SECRET), surface="import")).forgotten == 1
    assert (await alice.add(says(f"Well. {SECRET}", timestamp=before))).forgotten == 1
    said = await alice.add(says(SECRET))
    assert (said.forgotten, [one.outcome for one in said.decisions]) == (0, ["added"])
    assert (await alice.observe(f"Yes: {SECRET}")).forgotten == 0
    await alice.working("w").add(says(f"Again: {SECRET}"))
    flushed = await alice.working("w").flush()
    assert len(flushed.events) == len(flushed.summaries) == 1
    assert "Zyxwvut" in str((await alice.profile()).plain())
    assert (await alice.add(says(SECRET, role="assistant"))).forgotten == 1  # nobody else may
    assert (await memory.rebuild(tenant="acme", user="alice")).same
    clock.advance(days=1)
    await alice.forget(value="Zyxwvut Limited", for_good=True)
    clock.advance(days=1)
    assert (await alice.add(says(SECRET))).forgotten == 1
    assert (await alice.observe("Zyxwvut Limited pays me.")).forgotten == 1
    assert WORD not in await held(memory, store)


async def test_an_event_of_before_a_second_erasure_is_refused(memory: AsyncMemory, clock: FrozenClock) -> None:
    alice = await told(memory, clock)
    between = clock.now.isoformat()
    [again] = (await alice.add(says(SECRET))).events
    clock.advance(days=1)
    await alice.forget(source=again)
    clock.advance(days=1)
    assert (await alice.add(says(SECRET, timestamp=between))).forgotten == 1
    assert (await alice.add(says(SECRET))).forgotten == 0


@pytest.mark.parametrize("said", ["yes", "Thanks a lot!", "好的", "Yes. Thank you."])
async def test_short_sentences_stay_sayable_by_anybody(memory: AsyncMemory, clock: FrozenClock, said: str) -> None:
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says(said, f"{SECRET} {said}"), conversation="c")
    clock.advance(hours=1)
    await alice.forget(conversation="c")
    assert (await alice.add(says("Thanks a lot!", "yes", "好的", role="assistant"))).forgotten == 0


async def test_what_assistants_always_say_stays_sayable(memory: AsyncMemory, clock: FrozenClock) -> None:
    alice = memory.scope(tenant="acme", user="alice")
    polite = "Let me know if you need anything else."
    await alice.add(
        [*says(SECRET), *says(f"Zyxwvut Limited in Oslo is noted. {polite}", role="assistant")], conversation="c"
    )
    clock.advance(hours=1)
    await alice.forget(conversation="c")
    assert (await alice.add(says(f"It rains. {polite}", role="assistant"))).forgotten == 0
    assert (await alice.add(says("So Zyxwvut Limited in Oslo is noted.", role="assistant"))).forgotten == 1


async def test_chinese_is_compared_by_its_characters(memory: AsyncMemory, store: Store, clock: FrozenClock) -> None:
    alice = memory.scope(tenant="acme", user="alice")
    [event, _] = (await alice.add(says("我在奥斯陆的一家造船厂工作。", "今天下雨。"))).events
    clock.advance(hours=1)
    await alice.forget(source=event)
    done = await alice.add(
        says("螃蟹是蓝色的。你说：我在奥斯陆，的一家造\u200b船厂工作！今天天气很好。", role="assistant")
    )
    assert done.forgotten == 1
    assert f"螃蟹是蓝色的。{WITHHELD}今天天气很好。" in {one.content for one in await rows(store, Event)}


# -------------------------------------------------------------------------------- other users and shared memory


async def test_what_one_user_forgot_does_not_bar_the_words_of_others(
    memory: AsyncMemory, store: Store, clock: FrozenClock
) -> None:
    alice, bob = (memory.scope(tenant="acme", user=name) for name in ("alice", "bob"))
    shelf, pool = await alice.collections.create("shelf"), await alice.pools.create("pool")
    for shared in (shelf.id, pool.id):
        await (alice.collections if shared == shelf.id else alice.pools).grant(shared, user="bob", level="write")
    captured = await alice.add(says(SECRET))
    await alice.collections.share(shelf.id, captured.records[0])
    clock.advance(hours=1)
    await alice.forget(record=captured.records[0])
    assert WORD not in await held(memory, store)
    assert (await bob.collections.add(shelf.id, SECRET)).text == SECRET
    assert (await bob.pools.write(pool.id, "who", SECRET)).data == {"who": SECRET}
    with pytest.raises(InputError, match="forgotten on request"):
        await alice.collections.add(shelf.id, f"Note: {SECRET}")
    said = await alice.add(says(SECRET))  # of a record that stands a copy may be shared
    assert (await alice.collections.share(shelf.id, said.records[0])).text
    assert [one.text for one in await bob.collections.entries(shelf.id)]


# ------------------------------------------------------------------------------------------ by value


async def test_a_value_is_erased_in_every_stratum(memory: AsyncMemory, store: Store, clock: FrozenClock) -> None:
    alice = memory.scope(tenant="acme", user="alice", connections=("crm",))
    other = await alice.add(says("My sister lives in Rome.", "I like tea."), conversation="c")
    await alice.add(says(SECRET, "Zyxwvut  LIMITED called."), conversation="c")
    await alice.observe("The office of Zyxwvut-Limited is red.", source="agent")
    await alice.tools.record("crm", {"q": "zyxwvut limited"}, {"n": 3})
    await alice.tools.record("crm", {"q": "rain"}, {"n": 1})
    await alice.goals.add("Leave Zyxwvut Limited")
    await alice.strategies.learn("Call Zyxwvut Limited")
    await alice.entries.set("boss", {"of": ["Zyxwvut Limited"]})
    await alice.entries.set("bread", "white", ttl_seconds=90_000)
    await alice.graph.upsert("Zyxwvut Limited", type="organisation", properties={"size": 7})
    await alice.router.write("employer", "Zyxwvut Limited", "long_term")
    await alice.connections.remember("crm", "row", {"v": "Zyxwvut Limited"})
    await alice.working("c").set("boss", "Zyxwvut Limited")
    await alice.working("c").set("bread", "white", ttl=90_000)
    await alice.working("c").persist()
    await alice.context("Where is Zyxwvut Limited?")
    pool = await alice.pools.create("pool", data={"who": "Zyxwvut Limited", "bread": "white"})
    await alice.pools.create("All of Zyxwvut Limited")
    written = await alice.pools.create("written")
    await alice.pools.write(written.id, "a", "Zyxwvut Limited")
    await alice.pools.write(written.id, "b", "white")
    shelf = await alice.collections.create("shelf")
    await alice.collections.add(shelf.id, "Zyxwvut Limited is an employer.")
    await alice.collections.add(shelf.id, "Bread is white.")
    await memory._runtime.journal.settle()
    clock.advance(hours=1)
    receipt = await alice.forget(value="zyxwvut limited")
    assert WORD not in await held(memory, store)
    assert WORD not in repr(receipt).lower()
    assert receipt.target.startswith("value ")
    assert {event.id for event in await rows(store, Event)} >= set(other.events)
    assert await alice.working("c").get("bread") == "white"
    assert (await alice.entries.get("bread")) is not None
    assert (await alice.pools.get(written.id)).data == {"b": "white"}
    assert [one.text for one in await alice.collections.entries(shelf.id)] == ["Bread is white."]
    assert [stats.calls for stats in await alice.tools.stats()] == [1]
    with pytest.raises(NotFoundError):
        await alice.pools.get(pool.id)
    with pytest.raises(NotFoundError):
        await alice.forget(value="zyxwvut limited")
    for text in ("zyxwvut LIMITED", "The head of Zyxwvut Limited is red."):
        assert (await alice.add(says(f"It rains. {text}", role="assistant"))).forgotten == 1
    assert (await alice.add(says("Zyxwvut Limited hired me."))).forgotten == 0


class Model:
    """Proposes what it was asked to."""

    name = "test/model"

    def __init__(self, **answer: Any) -> None:
        self.answer = answer

    async def complete(self, _: str, **__: Any) -> Completion:
        return Completion(text=json.dumps(self.answer))

    async def close(self) -> None:
        """Nothing to release."""


async def test_a_model_brings_nothing_back_but_what_the_user_said_since(
    store: Store, options: dict[str, Any], clock: FrozenClock
) -> None:
    claim = {"claim": "User works at Zyxwvut Limited.", "certainty": "explicit", "events": [1]}
    entity = {"name": "Zyxwvut Limited", "type": "organisation", "events": [1]}
    answer = {
        "facts": [claim],
        "updated_working_memory": "User works at Zyxwvut Limited in Oslo.",
        "entities": [entity],
    }
    async with await AsyncMemory.open(store, language_model=Model(**answer), **options) as memory:
        alice = await told(memory, clock, value="Zyxwvut")
        await alice.add(says("My work at you-know-whom is hard."), conversation="d")
        await memory.consolidate(tenant="acme", user="alice")
        assert WORD not in await held(memory, store)
        await alice.add(says(SECRET), conversation="e")
        await memory.consolidate(tenant="acme", user="alice")
        assert "Zyxwvut" in (await alice.profile()).narrative
        assert (await memory.rebuild(tenant="acme", user="alice")).same


@pytest.mark.parametrize("value", ["", " ", "x", "!?", "\u200b", 7, None])
async def test_a_value_has_letters(memory: AsyncMemory, value: Any) -> None:
    with pytest.raises(InputError):
        await memory.scope(tenant="acme", user="alice").forget(value=value)


async def test_a_record_that_says_a_value_in_none_of_its_events_takes_them(store: Store, memory: AsyncMemory) -> None:
    alice = memory.scope(tenant="acme", user="alice")
    [said, other] = (await alice.add(says("I like tea.", "The crab is blue."))).events
    [record] = await rows(store, Record)
    text = "User likes oolong."
    await store.apply(Batch(owner=OWNER, changes=(Put(replace(record, text=text, value="oolong", seq=0)),)))
    await alice.forget(value="oolong")
    assert [event.id for event in await rows(store, Event)] == [other]
    assert said not in repr(await everything(store)).replace(str(await rows(store, Tombstone)), "")


# ------------------------------------------------------------------------------------------ receipts


async def test_a_receipt_is_checked_offline(memory: AsyncMemory, store: Store, kind: str, clock: FrozenClock) -> None:
    alice = memory.scope(tenant="acme", user="alice")
    [event, other] = (await alice.add(says(SECRET, "The crab is blue."))).events
    receipt = await alice.forget(source=event)
    assert receipt.verify()
    assert (receipt.lists("events", event), receipt.lists("events", other), receipt.lists("pools", event)) == (
        True, False, False,
    )  # fmt: skip
    [kept] = await rows(store, Receipt)
    assert kept.verify()
    assert event not in json.dumps(receipt.items)
    document = json.loads(json.dumps(asdict(receipt), default=str))
    assert Receipt.of(document).verify()
    for change in ({"target": "nothing"}, {"removed": {"events": 2}}, {"items": {}}, {"salt": "x"}, {"remains": ["x"]}):
        assert not Receipt.of(document | change).verify()
    assert not replace(receipt, created_at=clock.advance(seconds=1)).verify()
    for broken in ([], {}, document | {"items": 3}, document | {"created_at": "then"}, document | {"removed": None}):
        with pytest.raises(InputError, match="receipt"):
            Receipt.of(broken)
    assert bool(receipt.remains) == (kind == "postgres")


async def test_postgres_says_what_its_log_still_holds(kind: str, store: Store) -> None:
    found = " ".join(await store.remains())
    if kind != "postgres":
        assert found == ""
        return
    assert "pg_wal" in found
    assert "checkpoint_timeout is 5min" in found
    assert "autovacuum" in found
    assert "backups" in found


async def test_old_receipts_are_not_verified(clock: FrozenClock) -> None:
    old = Receipt(tenant="acme", user="alice", id="r", target="t", removed={}, digest="d", created_at=clock())
    assert not old.verify()


async def test_what_others_wrote_stays_where_the_name_says_a_value(
    store: Store, options: dict[str, Any], clock: FrozenClock
) -> None:
    async with await AsyncMemory.open(store, **options) as memory:
        alice, bob = (memory.scope(tenant="acme", user=user) for user in ("alice", "bob"))
        pool = await alice.pools.create("Zyxwvut Limited", data={"who": "Zyxwvut Limited", "bread": "white"})
        shelf = await alice.collections.create("About Zyxwvut Limited")
        for holding, one in ((alice.pools, pool), (alice.collections, shelf)):
            await holding.grant(one.id, "write", user="bob")
        await bob.pools.write(pool.id, "note", "The crab is blue.")
        await alice.pools.write(pool.id, "boss", "Zyxwvut Limited")
        await bob.collections.add(shelf.id, "The crab is blue.")
        await alice.collections.add(shelf.id, "Zyxwvut Limited is an employer.")
        clock.advance(hours=1)
        receipt = await alice.forget(value="zyxwvut limited")
        assert WORD not in await held(memory, store)
        assert (receipt.removed["names"], receipt.verify()) == (2, True)
        left = await bob.pools.get(pool.id)
        assert (left.name, left.data) == (WITHHELD, {"who": WITHHELD, "bread": "white", "note": "The crab is blue."})
        assert [one.text for one in await bob.collections.entries(shelf.id)] == ["The crab is blue."]
        assert [one.name for one in await bob.collections.find()] == [WITHHELD]
        with pytest.raises(NotFoundError):
            await alice.forget(value="zyxwvut limited")
        await alice.forget(source=pool.id)  # all of it, by its own name
        with pytest.raises(NotFoundError):
            await bob.pools.get(pool.id)


async def test_names_that_were_forgotten_for_good_are_not_kept_again(store: Store, options: dict[str, Any]) -> None:
    async with await AsyncMemory.open(store, **options) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        await alice.add(says("I work at Zyxwvut Limited."))
        await alice.forget(value="Zyxwvut Limited", for_good=True)
        named = await alice.add([{"role": "user", "name": "Zyxwvut Limited", "content": "I live in Oslo."}])
        filed = await alice.observe("The crab is blue.", category="Zyxwvut Limited")
        called = await alice.tools.record("Zyxwvut Limited", {"q": 1}, {"n": 2})
        assert (named.forgotten, filed.forgotten, called.forgotten) == (1, 1, 1)
        assert WORD not in await held(memory, store)
        assert [(event.speaker, event.category) for event in await rows(store, Event) if event.kind != "tool_call"] == [
            (WITHHELD, None), (None, WITHHELD),
        ]  # fmt: skip
        assert [one.name for one in await rows(store, Entity)] == ["oslo"]
        assert "Oslo" not in str([one.text for one in await rows(store, Record)])  # nobody's


@pytest.mark.parametrize(
    ("turns", "value"),
    [
        (("ok", "42"), {"booking": "Bristol, 3 nights", "phone": "0301421337"}),
        (("I paid 15 euros for a piano lesson, no more.",), {"adults": 5, "answer": "no"}),
        (("The ferry is at four.",), {"who": "Jerry"}),
    ],
)
async def test_an_entry_goes_for_no_letters_that_it_has_by_chance(
    store: Store, options: dict[str, Any], turns: tuple[str, ...], value: dict[str, Any]
) -> None:
    async with await AsyncMemory.open(store, **options) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        for name, one in value.items():
            await alice.entries.set(name, one)
        await alice.add(says(*turns), conversation="c")
        await alice.forget(conversation="c")
        assert {name: (await alice.entries.get(name)).value for name in value} == value  # type: ignore[union-attr]


@pytest.mark.parametrize("for_good", [False, True])
async def test_what_was_said_beside_a_value_is_not_barred(
    store: Store, options: dict[str, Any], for_good: bool
) -> None:
    async with await AsyncMemory.open(store, **options) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        await alice.add(says("I live in Oslo. My employer is Zyxwvut Limited."))
        await alice.goals.add("Book the ferry", recall_when=["Zyxwvut Limited"])
        await alice.forget(value="Zyxwvut Limited", for_good=for_good)
        told = await memory.scope(tenant="acme", user="alice", agent="a").observe("User lives in Oslo.", source="agent")
        assert (told.forgotten, [one.outcome for one in told.decisions]) == (0, ["added"])
        again = await alice.add(says("I live in Oslo."))
        assert [one.outcome for one in again.decisions] == ["added"]
        assert (await alice.goals.add("Book the ferry")).state == "active"
        barred = await alice.add(says("I live in Oslo. My employer is Zyxwvut Limited."))
        assert bool(barred.forgotten) == for_good
        assert (WORD in await held(memory, store)) != for_good


async def test_what_is_filed_under_a_value_and_used_by_others_stays_without_it(
    store: Store, options: dict[str, Any]
) -> None:
    async with await AsyncMemory.open(store, **options) as memory:
        bob = memory.scope(tenant="acme", user="bob")
        places = [{"conversation": "Zyxwvut talk"}, {"task": "Zyxwvut task"}]
        for alice in (memory.scope(tenant="acme", user="alice", **place) for place in places):
            pool = await alice.pools.create("p", kind="task_scoped" if alice.scope.task else "shared")
            shelf = await alice.collections.create("c")
            for holding, one in ((alice.pools, pool), (alice.collections, shelf)):
                await holding.grant(one.id, "write", user="bob")
            await bob.pools.write(pool.id, "note", "The crab is blue.")
            await bob.collections.add(shelf.id, "The crab is blue.")
        run = await memory.scope(tenant="acme", user="alice").pools.blackboard("Zyxwvut run")
        await memory.scope(tenant="acme", user="alice").pools.grant(run.id, "write", user="bob")
        await bob.pools.write(run.id, "note", "The crab is blue.")
        alice = memory.scope(tenant="acme", user="alice")
        receipt = await alice.forget(value="Zyxwvut")
        assert (receipt.removed["names"], receipt.verify()) == (5, True)
        assert WORD not in await held(memory, store)
        assert sorted((one.name, one.data["note"]) for one in await bob.pools.find()) == [
            (WITHHELD, "The crab is blue."), ("p", "The crab is blue."), ("p", "The crab is blue."),
        ]  # fmt: skip
        with pytest.raises(NotFoundError):
            await alice.forget(value="Zyxwvut")


async def test_the_name_of_a_snapshot_is_not_kept_by_who_restores_it(store: Store, options: dict[str, Any]) -> None:
    async with await AsyncMemory.open(store, **options) as memory:
        alice, bob = (memory.scope(tenant="acme", user=user) for user in ("alice", "bob"))
        shelf = await alice.collections.create("c")
        await alice.collections.grant(shelf.id, "write", user="bob")
        await alice.collections.add(shelf.id, "The dog is old.")
        snapshot = await alice.collections.snapshot(shelf.id, "before Zyxwvut")
        await bob.collections.add(shelf.id, "The crab is blue.")
        assert len(await bob.collections.restore(shelf.id, snapshot.id)) == 1
        await alice.forget(value="Zyxwvut")
        assert WORD not in await held(memory, store)
        assert [one.text for one in await bob.collections.entries(shelf.id)] == ["The dog is old."]
