"""What an export holds comes back as it was, or not at all."""

import hashlib
import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from flows.helpers import OWNER, everything, rows, says
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.base.plain import plain
from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.erasure.replay import Difference
from memoranda.core.formats import read
from memoranda.core.formats.exported import canonical
from memoranda.core.rows import AuditEntry, Event, Grant, Pool, Record, Row, kinds_with
from memoranda.core.rows.changes import Add, Batch
from memoranda.errors import AccessError, FormatError, InputError, NotFoundError, ScopeError
from memoranda.flows.governance.restore import STEP
from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore
from memoranda.stores.postgres.store import PostgresStore
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.fakes import FrozenClock, SequentialIds
from memoranda.testing.samples import sample

if TYPE_CHECKING:
    from conformance.postgres_server import PostgresServer

pytestmark = pytest.mark.anyio

COUNTED = {"seq", "access_count", "last_accessed", "reads", "last_read", "uses", "epoch"}
DEMO = Path(__file__).parents[3] / "examples" / "demo" / "conversations.json"
COMMON = Owner("acme", SHARED)
Lines = list[dict[str, Any]]


async def opened(store: Store, clock: FrozenClock, ids: str = "id") -> AsyncMemory:
    return await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds(ids))


def whole(memory: AsyncMemory, user: str = "alice") -> AsyncScoped:
    return memory.scope(tenant="acme", user=user, whole=True)


async def exported(memory: AsyncMemory, user: str = "alice") -> Lines:
    """The lines of an export, through JSON."""
    return [json.loads(json.dumps(line)) async for line in whole(memory, user).export()]


def sealed(lines: Lines, version: int = 2) -> Lines:
    """Lines with a checksum that fits, as a forger or an older version would write them."""
    head, *held = lines[:-1]
    head = {**head, "format": f"memstrata-export/{version}"}
    digest = hashlib.sha256(b"".join(map(canonical, ([head] if version > 1 else []) + held)))
    return [head, *held, {"rows": len(held), "sha256": digest.hexdigest()}]


async def kept(store: Store, owner: Owner = OWNER) -> list[Row]:
    """All rows of an owner in the order of writing, without counters, and without what says who restored."""
    found = [row for some in (await everything(store, owner)).values() for row in some]
    told = [row for row in found if not (isinstance(row, AuditEntry) and row.operation in {"restore", "export"})]
    return [replace(row, seq=0) for row in sorted(told, key=lambda row: (row.__table__, row.seq))]


@pytest.fixture(params=["dict", "sqlite", "postgres"])
async def other(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    """An empty store to restore into."""
    if request.param == "postgres":
        server: PostgresServer = request.getfixturevalue("postgres")
        store: Store = await PostgresStore.open(server.url, schema=server.emptied())
    else:
        store = DictStore() if request.param == "dict" else await SqliteStore.open(tmp_path / "other.db")
    yield store
    await store.close()


async def life(memory: AsyncMemory, clock: FrozenClock) -> None:
    """Something in every stratum, in several places, forgotten things included."""
    alice = memory.scope(tenant="acme", user="alice")
    cook = memory.scope(tenant="acme", user="alice", agent="cook", channel="kitchen", connections=("jira",))
    await alice.add(says("I live in Oslo.", "My sister is called Agatha.", "I work at Globex."), conversation="c1")
    clock.advance(days=1)
    await alice.add(says("I moved to Bergen.", "My boat is called Sula."), conversation="c2")
    await cook.add(says("I like mussels with garlic."), conversation="c1")
    await cook.connections.remember("jira", "schema", {"a": 1})
    await alice.tools.record("crm", {"page": 1}, {"rows": [2]}, latency=0.5)
    await alice.goals.add("Paint the boat")
    await alice.strategies.learn("ask first", "a page is missing", ["crm"])
    await alice.graph.upsert("Bob", properties={"size": 7})
    await alice.entries.set("berth", 14)
    await alice.working("c3").set("draft", {"a": 1}, ttl=600)
    await alice.working("c3").add(says("I like tea."))
    await alice.working("c3").persist()
    pool = await alice.pools.create("harbour", data={"berths": 40})
    await alice.pools.grant(pool.id, "write", user="bob")
    await memory.scope(tenant="acme", user="bob").pools.write(pool.id, "crane", 2)
    shelf = await cook.collections.create("shelf")
    await cook.collections.add(shelf.id, "Bread is white.")
    await cook.collections.snapshot(shelf.id, "first")
    await memory.consolidate(tenant="acme", user="alice")
    await memory.budget(tenant="acme", user="alice", month=5)
    await memory.run_job("decay", tenant="acme", user="alice")
    await alice.context("Where do I live?")
    await alice.forget(value="Sula", for_good=True)


async def asked(memory: AsyncMemory) -> list[Any]:
    """What a memory answers."""
    alice = memory.scope(tenant="acme", user="alice")
    bob = memory.scope(tenant="acme", user="bob")
    [pool] = await bob.pools.find()
    found = await alice.recall("Where do I live?")
    return [
        uncounted(plain(answer)) for answer in (
            [(item.id, item.text, item.score) for item in found], (await alice.context("Where do I live?")).text,
            await alice.profile(), await alice.history(found.items[0].id), await alice.goals.find(), pool.data,
            await alice.entries.get("berth"), await alice.events(),
            await alice.working("c3").get("draft"), await alice.working("c3").turns(),
            await memory.cost(tenant="acme", user="alice"),
        )
    ]  # fmt: skip


def uncounted(value: Any) -> Any:
    """JSON without what counts writes and uses."""
    if isinstance(value, dict):
        return {name: uncounted(one) for name, one in value.items() if name not in COUNTED}
    return [uncounted(one) for one in value] if isinstance(value, list) else value


async def test_a_life_comes_back(store: Store, other: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock)
    await life(memory, clock)
    lines = await exported(memory)
    before, common = await kept(store), [row for row in await kept(store, COMMON) if not isinstance(row, AuditEntry)]
    answers = await asked(memory)
    again = await opened(other, clock, "other")
    done = await whole(again).restore(lines)
    assert (done.rows, done.new, done.known, done.forgotten, done.left_to_others) == (
        len(lines) - 3,
        done.rows,
        0,
        0,
        0,
    )
    assert done.cells > 2
    assert plain(await kept(other)) == plain(before)
    there = [replace(row, metadata={**row.metadata, "channel": "_global"}, conversation=None, task=None, team=None)
             if isinstance(row, Event) and row.speaker == "bob" else row for row in common]  # fmt: skip
    assert plain(await kept(other, COMMON)) == plain(there)
    here, done_again = [await one.rebuild(tenant="acme", user="alice") for one in (memory, again)]
    assert done_again == here
    assert here.difference == Difference(appeared=(), changed=(), vanished=())
    seq = (await other.find(OWNER)).state.seq
    twice = await whole(again).restore(lines)
    assert (twice.new, twice.known, twice.cells) == (0, done.new, 0)
    assert (await other.find(OWNER)).state.seq - seq <= 1  # who did it, in the audit
    assert await asked(again) == answers


async def test_the_demo_comes_back(store: Store, other: Store, clock: FrozenClock) -> None:
    memory = await opened(store, clock)
    clock.advance(days=200)
    await memory.scope(tenant="acme", user="alice").import_conversations(read(DEMO.read_bytes(), "demo"))
    again = await opened(other, clock, "other")
    await whole(again).restore(await exported(memory))
    assert plain(await kept(other)) == plain(await kept(store))
    done = await again.rebuild(tenant="acme", user="alice")
    assert done.same, done.difference
    for question in ("Where do I live?", "How should mails look?"):
        found = [await one.scope(tenant="acme", user="alice").recall(question) for one in (memory, again)]
        assert found[0].items
        assert [(item.id, item.score) for item in found[0]] == [(item.id, item.score) for item in found[1]]


async def test_every_kind_that_is_exported_comes_back(other: Store, clock: FrozenClock) -> None:
    """Also one that is declared tomorrow."""
    store = DictStore()
    made = [sample(kind, OWNER, number) for kind in kinds_with(exported=True) for number in range(4)]
    await store.apply(Batch(owner=OWNER, changes=tuple(map(Add, made))))
    lines = await exported(await opened(store, clock))
    assert {line["kind"] for line in lines[1:-1]} == {kind.__table__ for kind in kinds_with(exported=True)}
    await whole(await opened(other, clock, "other")).restore(lines)
    assert await kept(other) == await kept(store)
    assert [row for kind in kinds_with(exported=False) for row in await rows(other, kind)] == []


async def test_a_file_of_the_first_version_comes_back(clock: FrozenClock, tmp_path: Path) -> None:
    memory = await opened(DictStore(), clock)
    await life(memory, clock)
    lines = sealed(await exported(memory), 1)
    for line in lines:
        line.pop("whole", None)
        if line.get("kind") == "cells":
            del line["row"]["at"], line["row"]["expires"]
    path = tmp_path / "old.jsonl"
    path.write_text("\n".join(map(json.dumps, sealed(lines, 1))))
    again = await opened(store := DictStore(), clock)
    told: list[int] = []
    done = await whole(again).restore(path, progress=told.append)
    assert sum(told) == len(lines)
    assert done.new + done.left_to_others == done.rows
    assert await kept(store, COMMON) == []  # it does not say whether it is of all of a user
    assert await again.scope(tenant="acme", user="alice").working("c3").get("draft") == {"a": 1}


async def test_long_files_and_lines_are_read(clock: FrozenClock) -> None:
    store = DictStore()
    made = [sample(Event, OWNER, number, content="long " * 900_000 * (number == 7)) for number in range(STEP + 5)]
    await store.apply(Batch(owner=OWNER, changes=tuple(map(Add, made))))
    lines = [json.dumps(line) async for line in whole(await opened(store, clock)).export()]
    assert max(map(len, lines)) > 4_000_000
    told: list[int] = []
    again = await opened(other := DictStore(), clock)
    await whole(again).restore((line.encode() for line in lines), progress=told.append)
    assert told == [STEP, len(lines) - STEP]
    assert await kept(other) == await kept(store)


# ---------------------------------------------------------------------------------------------- damage


def flipped(lines: Sequence[str]) -> list[str]:
    place = next(number for number, line in enumerate(lines) if "Oslo" in line)
    return [*lines[:place], lines[place].replace("Oslo", "Osln"), *lines[place + 1 :]]


def swapped(lines: Sequence[str]) -> list[str]:
    return [lines[0], lines[2], lines[1], *lines[3:]]


DAMAGE: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "nothing": (lambda _: [], "it is empty"),
    "blank": (lambda _: ["", " "], "it is empty"),
    "cut after a line": (lambda x: x[:-1], "was cut off"),
    "cut in a line": (lambda x: [*x[:-2], x[-2][:40]], "no JSON .*Export it again"),
    "a letter": (flipped, "checksum"),
    "the header": (lambda x: [x[0].replace('"whole": true', '"whole": 1'), *x[1:]], "checksum"),
    "a line twice": (lambda x: [*x[:3], x[2], *x[3:]], "the row is there twice"),
    "a line lost": (lambda x: [*x[:2], *x[3:]], "checksum"),
    "another order": (swapped, "checksum"),
    "no header": (lambda x: x[1:], "begins with a line that says its format"),
    "two in one": (lambda x: [*x, *x], "more after the last line"),
    "another format": (lambda x: [x[0].replace("memstrata", "memo"), *x[1:]], "says its format"),
    "a newer version": (lambda x: [x[0].replace("/2", "/3"), *x[1:]], "has version 3.*update"),
    "no user": (lambda x: [x[0].replace('"alice"', '""'), *x[1:]], "user is needed"),
    "a list": (lambda x: [x[0], "[1]", *x[1:]], "an object is needed"),
    "a stranger": (lambda x: [x[0], '{"a": 1}', *x[1:]], "no line of an export: it has 'a'"),
    "an empty object": (lambda x: [x[0], "{}", *x[1:]], "it has nothing"),
    "no row": (lambda x: [x[0], '{"kind": "events", "row": 5}', *x[1:]], "a row is needed"),
}


@pytest.mark.parametrize("name", DAMAGE)
async def test_a_damaged_file_is_refused_and_nothing_written(name: str, clock: FrozenClock, tmp_path: Path) -> None:
    memory = await opened(DictStore(), clock)
    await memory.scope(tenant="acme", user="alice").add(says("I live in Oslo."))
    harm, message = DAMAGE[name]
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(harm([json.dumps(line) async for line in whole(memory).export()])))
    again = await opened(store := DictStore(), clock)
    with pytest.raises(FormatError, match=message):
        await whole(again).restore(path)
    assert await kept(store) == []


VALUES: dict[str, tuple[str, Any, str]] = {
    "kind": ("kind", "wishes", "no rows of the kind 'wishes'.*update"),
    "kept by doors": ("kind", "operations", "no rows of the kind 'operations'"),
    "column": ("colour", "blue", "'colour', which only a newer memoranda knows"),
    "tenant": ("tenant", "globex", "somebody else"),
    "user": ("user", "bob", "somebody else"),
    "text": ("content", 5, "content is 5"),
    "NUL": ("content", "a\x00b", "NUL"),
    "half a pair": ("content", "\ud800", "NUL or half"),
    "JSON": ("metadata", {"a": ["\x00"]}, "NUL or half"),
    "no object": ("metadata", [1], "metadata is"),
    "number": ("position", 2**40, "beyond"),
    "truth for a number": ("trust", True, "trust is True"),
    "no number": ("trust", float("nan"), "beyond"),
    "time": ("event_time", "yesterday", "events cannot be read"),
    "time without offset": ("event_time", "2026-01-05T09:30:00", "without its offset"),
    "null": ("content", None, "content is None"),
}


@pytest.mark.parametrize("name", VALUES)
async def test_a_row_that_no_store_could_hold_is_refused(name: str, clock: FrozenClock) -> None:
    memory = await opened(DictStore(), clock)
    await memory.scope(tenant="acme", user="alice").add(says("I live in Oslo."))
    what, value, message = VALUES[name]
    lines = await exported(memory)
    line = next(line for line in lines if line.get("kind") == "events")
    (line if what == "kind" else line["row"])[what] = value
    again = await opened(store := DictStore(), clock)
    with pytest.raises(FormatError, match=message):
        await whole(again).restore(lines)
    assert await kept(store) == []


def event(lines: Lines) -> dict[str, Any]:
    """The first event."""
    return next(line["row"] for line in lines if line.get("kind") == "events")


async def test_a_row_without_what_is_needed_is_refused(clock: FrozenClock) -> None:
    memory = await opened(DictStore(), clock)
    await memory.scope(tenant="acme", user="alice").add(says("I live in Oslo."))
    await memory.scope(tenant="acme", user="alice").working("c").set("k", 1)
    lines = await exported(memory)
    del event(lines)["event_time"]
    with pytest.raises(FormatError, match="it lacks event_time"):
        await whole(memory).restore(lines)
    lines = await exported(memory)
    event(lines)["entities"] = [1]
    with pytest.raises(FormatError, match="'entities', which only"):
        await whole(memory).restore(lines)
    lines = await exported(memory)
    passage = next(line["row"] for line in lines if line.get("kind") == "passages")
    passage["entities"] = [1]
    with pytest.raises(FormatError, match="entities is"):
        await whole(memory).restore(lines)
    lines = await exported(memory)
    del lines[-2]["row"]["name"]
    with pytest.raises(FormatError, match="cells cannot be read: 'name'"):
        await whole(memory).restore(lines)


async def test_what_is_no_export_is_refused(alice: AsyncScoped, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="name the file"):
        await alice.restore(tmp_path / "nowhere.jsonl")
    with pytest.raises(NotFoundError, match="name the file"):
        await alice.restore(tmp_path)


# ------------------------------------------------------------------------------------------- whose it is


async def test_it_comes_back_to_its_owner_alone(memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.add(says("I live in Oslo."))
    lines = await exported(memory)
    again = await opened(store := DictStore(), clock)
    for tenant, user in (("acme", "bob"), ("globex", "alice")):
        with pytest.raises(ScopeError, match="tenant 'acme', user 'alice', and is restored under these names alone"):
            await again.scope(tenant=tenant, user=user).restore(lines)
    with pytest.raises(AccessError, match="no agent"):
        await again.scope(tenant="acme", user="alice", agent="cook").restore(lines)
    assert await kept(store) == []


async def test_what_others_hold_comes_back_with_their_exports(store: Store, clock: FrozenClock) -> None:
    """And no grant is needed to see what the holder of an export may not see."""
    memory = await opened(store, clock)
    await life(memory, clock)
    theirs = await exported(memory, "bob")
    again = await opened(other := DictStore(), clock, "other")
    done = await whole(again, "bob").restore(theirs)
    assert done.left_to_others > 1
    assert await kept(other, COMMON) == []
    await whole(again).restore(await exported(memory))
    bob = again.scope(tenant="acme", user="bob")
    [pool] = await bob.pools.find()
    assert pool.data == {"berths": 40, "crane": 2}
    assert [line["row"]["speaker"] async for line in bob.export() if line.get("kind") == "events"] == ["alice", "bob"]
    assert not await again.scope(tenant="acme", user="eve").pools.find()


async def test_an_export_of_one_channel_brings_back_what_it_saw(memory: AsyncMemory, clock: FrozenClock) -> None:
    await life(memory, clock)
    kitchen = memory.scope(tenant="acme", user="alice", channel="kitchen")
    lines = [json.loads(json.dumps(line)) async for line in kitchen.export()]
    again = await opened(store := DictStore(), clock)
    done = await again.scope(tenant="acme", user="alice").restore(lines)
    assert done.new
    assert done.left_to_others  # held by the user, but seen from one channel
    assert await kept(store, COMMON) == []


# ----------------------------------------------------------------------------- into what is there already


async def test_a_grant_that_was_revoked_stays_revoked(memory: AsyncMemory, store: Store, clock: FrozenClock) -> None:
    await life(memory, clock)
    lines = await exported(memory)
    alice, bob = (memory.scope(tenant="acme", user=user) for user in ("alice", "bob"))
    [grant] = [row for row in await rows(store, Grant, COMMON) if row.grantee == "bob"]
    await alice.pools.revoke(grant.id)
    done = await whole(memory).restore(lines)
    assert done.new == 0
    assert not await bob.pools.find()


async def test_what_was_forgotten_stays_forgotten(memory: AsyncMemory, store: Store, clock: FrozenClock) -> None:
    await life(memory, clock)
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("Greta Lindqvist was born in Visby."), conversation="c9")
    lines = await exported(memory)
    assert "indqvist" in json.dumps(lines)
    await alice.forget(value="Lindqvist")
    tools = [event.id for event in await rows(store, Event) if event.kind == "tool_call"]
    await alice.forget(source=tools[0])
    [pool] = await rows(store, Pool, COMMON)
    created = [event.id for event in await rows(store, Event, COMMON) if event.id == pool.id]
    assert created
    await whole(memory).forget(value="harbour")
    await alice.forget(conversation="c3")
    before, common = await kept(store), await kept(store, COMMON)
    done = await whole(memory).restore(lines)
    assert done.forgotten > 5
    assert await kept(store) == before
    assert await kept(store, COMMON) == common
    assert "indqvist" not in json.dumps(await exported(memory)).lower()
    assert not await alice.working("c3").turns()


async def test_what_says_what_was_forgotten_stays_away_with_all_that_rests_on_it(clock: FrozenClock) -> None:
    """Though it has no row here that could have been listed."""
    memory = await opened(DictStore(), clock)
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("Greta Lindqvist was born in Visby.", "I live in Oslo."), conversation="c9")
    await alice.tools.record("crm", {"name": "Greta Lindqvist"}, {"rows": [2]})
    await alice.entries.set("friend", "Greta Lindqvist")
    await alice.pools.create("friends", data={"one": "Greta Lindqvist"})
    await alice.pools.create("towns", data={"one": "Visby"})
    lines = await exported(memory)
    again = await opened(DictStore(), clock, "other")
    there = again.scope(tenant="acme", user="alice")
    await there.add(says("Call Lindqvist."))
    await there.forget(value="Lindqvist", for_good=True)
    done = await whole(again).restore(lines)
    assert done.forgotten > 5
    told = json.dumps(await exported(again)).lower()
    assert "lindqvist" not in told
    assert "oslo" in told
    assert [one.name for one in await there.pools.find()] == ["towns"]
    assert not await there.tools.stats(tool="crm")


async def test_what_the_export_knows_as_forgotten_must_not_be_here(memory: AsyncMemory, clock: FrozenClock) -> None:
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("I live in Oslo.", "My boat is called Sula."), conversation="c")
    older = await exported(memory)
    await alice.forget(value="Sula")
    newer = await exported(memory)
    again = await opened(store := DictStore(), clock, "other")
    await whole(again).restore(older)
    before = await kept(store)
    with pytest.raises(InputError, match=r"as forgotten that are still here.*Nothing was restored"):
        await whole(again).restore(newer)
    assert await kept(store) == before


async def test_an_older_export_adds_nothing_to_a_belief_that_went_on(memory: AsyncMemory, store: Store) -> None:
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("I live in Oslo."), conversation="c")
    lines = await exported(memory)
    await alice.add(says("I moved to Bergen."), conversation="c")
    before = await kept(store)
    done = await whole(memory).restore(lines)
    assert (done.new, done.known) == (0, done.rows)
    assert await kept(store) == before


async def test_a_newer_export_is_not_mixed_with_an_older_memory(memory: AsyncMemory, clock: FrozenClock) -> None:
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("I live in Oslo."), conversation="c")
    older = await exported(memory)
    await alice.add(says("I moved to Bergen."), conversation="c")
    newer = await exported(memory)
    again = await opened(store := DictStore(), clock, "other")
    await whole(again).restore(older)
    before = await kept(store)
    with pytest.raises(InputError, match="ahead of what is here in 1 beliefs"):
        await whole(again).restore(newer)
    assert await kept(store) == before


async def test_a_relation_that_ended_is_not_mixed_either(memory: AsyncMemory, clock: FrozenClock) -> None:
    alice = memory.scope(tenant="acme", user="alice")
    await alice.graph.relate("Bob", "Acme", "WORKS_FOR")
    older = await exported(memory)
    await alice.graph.unrelate("Bob", "Acme", "WORKS_FOR")
    newer = await exported(memory)
    again = await opened(DictStore(), clock, "other")
    await whole(again).restore(older)
    with pytest.raises(InputError, match="ahead of what is here"):
        await whole(again).restore(newer)


async def test_two_memories_become_one(memory: AsyncMemory, clock: FrozenClock) -> None:
    await memory.scope(tenant="acme", user="alice").add(says("I live in Oslo."), conversation="c")
    again = await opened(store := DictStore(), clock, "other")
    there = again.scope(tenant="acme", user="alice")
    await there.add(says("My sister is called Agatha."), conversation="d")
    done = await there.restore(await exported(memory))
    assert done.new
    assert {row.text for row in await rows(store, Record)} >= {"User lives in Oslo."}
    assert (await there.recall("Where do I live?")).items[0].text == "User lives in Oslo."
    assert (await there.recall("What is my sister called?")).items


# -------------------------------------------------------------------------------------- working memory


async def test_working_memory_lasts_no_longer_for_it(memory: AsyncMemory, clock: FrozenClock) -> None:
    desk = memory.scope(tenant="acme", user="alice").working("c")
    await desk.set("short", 1, ttl=60)
    await desk.set("long", 2, ttl=6_000_000)
    lines = await exported(memory)
    clock.advance(seconds=61)
    again = await opened(DictStore(), clock)
    there = again.scope(tenant="acme", user="alice").working("c")
    await there.set("long", 3)
    done = await whole(again).restore(lines)
    assert done.cells == 0
    assert (await there.get("short"), await there.get("long")) == (None, 3)


async def test_what_is_down_is_named(memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock) -> None:
    from flows.strata.test_working import Failing

    await alice.working("c").set("k", 1)
    lines = await exported(memory)
    cache = Failing()
    again = await AsyncMemory.open(DictStore(), embedder="none", clock=clock, ids=SequentialIds(), cache=cache)
    cache.down = True
    done = await whole(again).restore(lines)
    assert (done.cells, len(done.degraded)) == (1, 1)
    cache.down = False
    clock.advance(seconds=5)
    assert await again.scope(tenant="acme", user="alice").working("c").get("k") == 1
