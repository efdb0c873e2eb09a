"""Collections: entries with versions and weights, found by search, brought back from snapshots, kept in the archive."""

from datetime import timedelta
from typing import Any

import pytest

from flows.helpers import Scripted, rows, texts
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.rows import Record
from memoranda.errors import AccessError, InputError, NotFoundError, ScopeError, VersionError
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

COMMONS = Owner("acme", SHARED)


@pytest.fixture
def bob(memory: AsyncMemory) -> AsyncScoped:
    return memory.scope(tenant="acme", user="bob")


@pytest.fixture
async def base(alice: AsyncScoped) -> str:
    return (await alice.collections.create("what we know", kind="knowledge_base")).id


async def test_what_was_added_is_found_by_search(alice: AsyncScoped, base: str) -> None:
    other = await alice.collections.create("other")
    await alice.collections.add(other.id, "The crab prefers the northern pier")
    added = [
        await alice.collections.add(base, f"The {what} of the lighthouse is {how}", kind=kind, importance=0.2 * number)
        for number, (kind, what, how) in enumerate(
            [("fact", "lamp", "red"), ("observation", "door", "open"), ("tool_output", "height", "forty metres")]
        )
    ]
    assert [one.kind for one in added] == ["fact", "observation", "tool_output"]
    found = await alice.collections.search(base, "Which colour has the lamp of the lighthouse?")
    assert found.items[0].id == added[0].id
    assert "crab" not in repr(found)
    assert [one.id for one in await alice.collections.entries(base)] == [one.id for one in reversed(added)]
    assert [one.id for one in await alice.collections.entries(base, kinds=["fact"])] == [added[0].id]
    assert [one.id for one in await alice.collections.entries(base, limit=1)] == [added[2].id]
    again = await alice.collections.add(base, "The lamp of the lighthouse is red")
    assert (again.id, again.importance) == (added[0].id, 0.05)
    assert not await alice.recall("the lamp of the lighthouse")


async def test_an_edit_is_a_version_with_its_editor(alice: AsyncScoped, memory: AsyncMemory, base: str) -> None:
    entry = await alice.collections.add(base, "The lamp of the lighthouse is red", importance=0.7)
    await alice.collections.grant(base, "write", user="bob", agent="writer")
    writer = memory.scope(tenant="acme", user="bob", agent="writer")
    edited = await writer.collections.edit(base, entry.id, "The beacon is painted green", expect=1)
    assert (edited.id, edited.version, edited.editor, edited.importance) == (entry.id, 2, "bob/writer", 0.7)
    assert [(one.version, one.text, one.editor) for one in await alice.collections.history(base, entry.id)] == [
        (1, "The lamp of the lighthouse is red", "alice"),
        (2, "The beacon is painted green", "bob/writer"),
    ]
    assert texts(await alice.collections.search(base, "Which colour is the beacon painted?")) == [edited.text]
    with pytest.raises(VersionError, match="has version 2, not 1") as caught:
        await alice.collections.edit(base, entry.id, "x", expect=1)
    assert (caught.value.expected, caught.value.found) == (1, 2)


async def test_entries_weigh_more_or_less(alice: AsyncScoped, base: str, clock: FrozenClock) -> None:
    entry = await alice.collections.add(base, "The lamp is red", importance=0.5)
    assert entry.relevance == pytest.approx(0.4 * 0.5 + 0.3 * 0.95 + 0.3)
    assert (await alice.collections.boost(base, entry.id)).importance == pytest.approx(0.6)
    assert (await alice.collections.boost(base, entry.id, by=1)).importance == 1.0
    assert (await alice.collections.reduce(base, entry.id, by=0.3)).importance == pytest.approx(0.7)
    assert (await alice.collections.reduce(base, entry.id, by=1)).importance == 0.0
    clock.advance(days=73)
    [left] = await alice.collections.entries(base)
    assert (left.version, left.relevance) == (1, pytest.approx(0.3 * 0.95 + 0.3 * 0.8))
    clock.advance(days=4_000)
    assert (await alice.collections.entries(base))[0].relevance == pytest.approx(0.3 * 0.95)


async def test_a_snapshot_brings_back_what_was(alice: AsyncScoped, base: str, clock: FrozenClock, store: Store) -> None:
    lamp = await alice.collections.add(base, "The lamp of the lighthouse is red")
    door = await alice.collections.add(base, "Nobody may open the door at night")
    before = await alice.collections.snapshot(base, "before the storm")
    assert before.entries == {lamp.id: 1, door.id: 1}
    clock.advance(days=1)
    await alice.collections.edit(base, lamp.id, "The beacon is painted green")
    wind = await alice.collections.add(base, "Wind comes from the north")
    assert [one.name for one in await alice.collections.snapshots(base)] == ["before the storm"]
    touched = await alice.collections.restore(base, before.id)
    assert {one.id: one.version for one in touched} == {lamp.id: 3, wind.id: 2}
    assert {one.text for one in await alice.collections.entries(base)} == {
        "The lamp of the lighthouse is red", "Nobody may open the door at night",
    }  # fmt: skip
    found = await alice.collections.search(base, "Which colour is the lamp of the lighthouse?")
    assert texts(found)[0] == "The lamp of the lighthouse is red"
    assert await alice.collections.restore(base, before.id) == ()
    empty = await alice.collections.create("empty")
    with pytest.raises(NotFoundError, match="no snapshot"):
        await alice.collections.restore(empty.id, before.id)
    clock.advance(days=1)
    later = await alice.collections.snapshot(base, "after")
    await alice.collections.add(base, "Wind comes from the south-west now")
    assert len(await alice.collections.restore(base, later.id)) == 1
    assert len(await rows(store, Record, COMMONS)) == 8


async def test_what_was_removed_is_found_no_more(alice: AsyncScoped, base: str) -> None:
    lamp = await alice.collections.add(base, "The lamp of the lighthouse is red")
    door = await alice.collections.add(base, "Nobody may open the door at night")
    note = await alice.collections.snapshot(base, "both")
    assert (await alice.collections.remove(base, lamp.id)).version == 2
    assert [one.id for one in await alice.collections.entries(base)] == [door.id]
    assert lamp.id not in [item.id for item in await alice.collections.search(base, "the lamp of the lighthouse")]
    with pytest.raises(NotFoundError, match="no entry"):
        await alice.collections.remove(base, lamp.id)
    assert len(await alice.collections.history(base, lamp.id)) == 2
    [again] = await alice.collections.restore(base, note.id)
    assert (again.id, again.version) == (lamp.id, 3)
    assert len(await alice.collections.entries(base)) == 2


async def held(scope: AsyncScoped, base: str) -> list[str]:
    return sorted(one.text for one in await scope.collections.entries(base))


async def test_what_was_edited_removed_or_ended_can_be_said_again(alice: AsyncScoped, base: str) -> None:
    red, green = "The lamp of the lighthouse is red", "The beacon is painted green"
    entry = await alice.collections.add(base, red)
    await alice.collections.edit(base, entry.id, green)
    again = await alice.collections.add(base, red)
    assert (again.text, await held(alice, base)) == (red, [green, red])
    assert (await alice.collections.add(base, red)).importance == pytest.approx(0.55)
    for one in (entry, again):
        await alice.collections.remove(base, one.id)
    assert await held(alice, base) == []
    note = await alice.collections.snapshot(base, "empty")
    for _ in range(2):
        assert (await alice.collections.add(base, red)).text == red
        assert await held(alice, base) == [red]
        assert texts(await alice.collections.search(base, "the lamp of the lighthouse")) == [red]
        await alice.collections.restore(base, note.id)
        assert await held(alice, base) == []


async def test_a_snapshot_brings_back_what_others_had_replaced(
    alice: AsyncScoped, base: str, clock: FrozenClock, store: Store
) -> None:
    pier = "The lamp of the old lighthouse on the northern pier is red"
    before = [pier, "The harbour office is open"]
    for text in before:
        await alice.collections.add(base, text)
    note = await alice.collections.snapshot(base, "before")
    clock.advance(days=1)
    await alice.collections.add(base, "The lamp of the old lighthouse on the northern pier in town is red")
    await alice.collections.add(base, "The harbour office is not open")
    assert not {*before} & {*await held(alice, base)}
    clock.advance(days=1)
    assert len(await alice.collections.restore(base, note.id)) == 4
    assert await held(alice, base) == sorted(before)
    assert texts(await alice.collections.search(base, "Is the harbour office open?"))[0] == "The harbour office is open"
    assert await alice.collections.restore(base, note.id) == ()
    assert {one.status for one in await rows(store, Record, COMMONS) if not one.superseded_at and not one.valid_to} == {
        "candidate"
    }


@pytest.mark.parametrize("read", [False, True])
async def test_what_is_added_meets_what_was_edited_just_before(alice: AsyncScoped, base: str, read: bool) -> None:
    gate = await alice.collections.add(base, "Ships call at Oslo")
    await alice.collections.edit(base, gate.id, "The old gate is open")
    if read:
        await alice.collections.entries(base)
    await alice.collections.add(base, "The old gate is not open")
    assert [one.text for one in await alice.collections.entries(base)] == ["The old gate is not open"]


async def test_the_archive_is_read_and_not_searched(alice: AsyncScoped, base: str) -> None:
    entry = await alice.collections.add(base, "The lamp of the lighthouse is red")
    assert (await alice.collections.archive(base)).archived_at
    assert await alice.collections.find() == ()
    assert [one.id for one in await alice.collections.find(archived=True)] == [base]
    found = await alice.collections.search(base, "the lamp")
    assert (len(found), str(found.reason)[:30]) == (0, "This collection is archived: e")
    assert [one.id for one in await alice.collections.entries(base)] == [entry.id]
    for verb in (
        alice.collections.add(base, "x y z"), alice.collections.edit(base, entry.id, "x"),
        alice.collections.boost(base, entry.id), alice.collections.snapshot(base, "now"),
    ):  # fmt: skip
        with pytest.raises(InputError, match="is archived"):
            await verb
    await alice.collections.unarchive(base)
    assert len(await alice.collections.search(base, "the lamp")) == 1
    assert [one.id for one in await alice.collections.find(kind="knowledge_base")] == [base]
    assert await alice.collections.find(kind="tool_cache") == ()


async def test_without_an_embedder_it_goes_by_words(store: Store, clock: FrozenClock) -> None:
    async with await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds()) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        base = (await alice.collections.create("words")).id
        entry = await alice.collections.add(base, "The lamp of the lighthouse is red")
        await alice.collections.edit(base, entry.id, "The beacon is painted green")
        assert len(await alice.collections.search(base, "Is the beacon painted?")) == 1
        assert len(await alice.collections.search(base, "the lamp of the lighthouse")) == 0


async def test_an_edited_entry_is_embedded_as_it_reads(clock: FrozenClock) -> None:
    model = Scripted(lamp=[1.0], beacon=[0.0, 1.0])
    async with await AsyncMemory.open(embedder=model, clock=clock, ids=SequentialIds()) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        base = (await alice.collections.create("words")).id
        entry = await alice.collections.add(base, "The lamp is red")
        await alice.collections.edit(base, entry.id, "The beacon is green")
        [found] = await alice.collections.search(base, "Tell me of the beacon")
        assert found.text == "The beacon is green"


HIDDEN: list[tuple[str, dict[str, Any]]] = [
    ("get", {}), ("archive", {}), ("unarchive", {}), ("add", {"text": "The crab is blue"}),
    ("edit", {"entry": "e", "text": "x"}),
    ("remove", {"entry": "e"}),
    ("boost", {"entry": "e"}), ("reduce", {"entry": "e"}), ("entries", {}), ("search", {"query": "treasure"}),
    ("history", {"entry": "e"}), ("snapshot", {"name": "s"}), ("snapshots", {}), ("restore", {"snapshot": "s"}),
    ("grant", {"everyone": True}), ("grants", {}), ("log", {}),
]  # fmt: skip


@pytest.mark.parametrize(("verb", "options"), HIDDEN)
async def test_what_may_not_be_read_does_not_exist(memory: AsyncMemory, verb: str, options: dict[str, Any]) -> None:
    planner = memory.scope(tenant="acme", user="alice", agent="planner", channel="boat")
    secret = (await planner.collections.create("treasure")).id
    entry = await planner.collections.add(secret, "The treasure lies under the lighthouse")
    note = await planner.collections.snapshot(secret, "s")
    options = {**options, **({"entry": entry.id} if "entry" in options else {})}
    options |= {"snapshot": note.id} if "snapshot" in options else {}
    others = [
        memory.scope(tenant="acme", user="alice", agent="planner"),
        memory.scope(tenant="acme", user="bob"),
        memory.scope(tenant="acme", user="bob", agent="planner"),
        memory.scope(tenant="acme", user="alice", agent="writer"),
        memory.scope(tenant="other", user="alice", agent="planner"),
    ]
    for other in others:
        said = []
        for collection in (secret, "c-none"):
            with pytest.raises(NotFoundError) as caught:
                await getattr(other.collections, verb)(collection, **options)
            said.append(str(caught.value).replace(collection, "…"))
        assert said[0] == said[1]
        assert await other.collections.find() == ()
    assert len(await planner.collections.entries(secret)) == 1


async def test_who_may_read_may_not_write(alice: AsyncScoped, bob: AsyncScoped, memory: AsyncMemory, base: str) -> None:
    entry = await alice.collections.add(base, "The lamp of the lighthouse is red")
    note = await alice.collections.snapshot(base, "now")
    given = await alice.collections.grant(base, user="bob")
    assert texts(await bob.collections.search(base, "the lamp")) == [entry.text]
    for verb in (
        bob.collections.add(base, "x y z"), bob.collections.edit(base, entry.id, "x"), bob.collections.archive(base),
        bob.collections.boost(base, entry.id), bob.collections.snapshot(base, "s"), bob.collections.log(base),
        bob.collections.restore(base, note.id), bob.collections.remove(base, entry.id),
    ):  # fmt: skip
        with pytest.raises(AccessError, match="can be read here, and nothing more"):
            await verb
    assert {one.action for one in await alice.collections.log(base)} >= {"create", "add", "snapshot", "search"}
    await alice.collections.revoke(given.id)
    with pytest.raises(NotFoundError, match="no collection"):
        await bob.collections.search(base, "the lamp")
    pool = await alice.pools.create("sprint")
    with pytest.raises(NotFoundError, match="no collection"):
        await alice.collections.get(pool.id)
    for verb in (alice.collections.history(base, "e-none"), alice.collections.boost(base, "e-none")):
        with pytest.raises(NotFoundError, match="no entry 'e-none'"):
            await verb
    whole = memory.scope(tenant="acme", user="alice", whole=True)
    with pytest.raises(ScopeError, match="whole=True"):
        await whole.collections.create("x")
    with pytest.raises(InputError, match="names its team"):
        await alice.collections.create("x", reach="team")


async def test_entries_are_reached_through_their_collection_alone(
    alice: AsyncScoped, bob: AsyncScoped, base: str
) -> None:
    secret = await alice.collections.add(base, "The treasure lies under the lighthouse")
    other = await bob.collections.create("other")
    for verb, options in HIDDEN:
        if "entry" in options:
            with pytest.raises(NotFoundError, match="no entry") as caught:
                await getattr(bob.collections, verb)(other.id, **{**options, "entry": secret.id})
            assert "treasure" not in str(caught.value)
    assert [one.version for one in await alice.collections.history(base, secret.id)] == [1]
    await alice.collections.grant(base, "write", user="bob")
    with pytest.raises(AccessError, match="admin has to be granted"):
        await bob.collections.archive(base)


async def test_a_collection_of_a_team_is_the_teams(memory: AsyncMemory, clock: FrozenClock) -> None:
    red = memory.scope(tenant="acme", user="alice", team="red")
    mate, other = (memory.scope(tenant="acme", user="bob", team=team) for team in ("red", "blue"))
    end = clock() + timedelta(days=1)
    base = await red.collections.create("ours", reach="team", expires=end)
    assert (await mate.collections.add(base.id, "The lamp is red")).editor == "bob"
    assert await other.collections.find() == ()
    clock.advance(days=1)
    assert await mate.collections.find() == ()
