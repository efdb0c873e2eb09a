"""Channels: what is in each, what is so in all of them and falls with what it came from, what was found across."""

from datetime import timedelta
from typing import Any

import pytest

from flows.helpers import MORNING, Contested, everything, rows, says, texts
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.rows import Event, Record
from memoranda.errors import InputError, NotFoundError, ScopeError
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

HOME: dict[str, Any] = {"tenant": "acme", "user": "alice", "channel": "tidepool"}


@pytest.fixture
def home(memory: AsyncMemory) -> AsyncScoped:
    return memory.scope(**HOME)


async def told(scoped: AsyncScoped, text: str = "I prefer short emails.", **options: Any) -> str:
    captured = await scoped.add(says(text), **options)
    [record] = captured.records
    return record


async def test_what_was_promoted_is_seen_from_every_channel(
    alice: AsyncScoped, home: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    record = await told(home, conversation="one")
    await told(home, conversation="two")
    clock.advance(days=1)
    copy = await home.channels.promote(record, reason="Everywhere the same", thresholds={"confidence": 0.85})
    assert (copy.channel, copy.promoted_from, copy.text) == ("_global", record, "User prefers short emails.")
    assert (copy.valid_from, copy.recorded_at, copy.trust, copy.confidence) == (MORNING, clock(), 1.0, 0.95)
    assert await home.channels.promote(record) == copy
    [event] = [row for row in await rows(store, Event) if row.kind == "promotion"]
    assert (event.content, event.channel) == ("Promoted to _global: Everywhere the same", "tidepool")
    assert event.metadata == {
        "record": record, "reason": "Everywhere the same", "thresholds": {"confidence": 0.85}, "confidence": 0.95,
        "access_count": 0, "conversations": 2,
    }  # fmt: skip
    assert copy.sources[-1] == event.id
    original = (await home.history(record))[0]
    assert copy.sources[:-1] == original.sources
    assert {row.id for row in await home.history(copy.id)} == {row.id for row in await home.history(record)}
    assert {row.id for row in await home.history(record)} == {record, copy.id}
    assert [row.id for row in await alice.history(copy.id)] == [copy.id]
    assert "User prefers short emails." in texts(await alice.recall("short emails"))


async def test_only_what_holds_in_a_channel_is_promoted(
    memory: AsyncMemory, alice: AsyncScoped, home: AsyncScoped, clock: FrozenClock
) -> None:
    everywhere = await told(alice)
    with pytest.raises(InputError, match="is in _global already"):
        await home.channels.promote(everywhere)
    record = await told(home, "I live in Oslo.")
    clock.advance(days=1)
    await home.add(says("I live in Bergen."))
    with pytest.raises(InputError, match="no longer holds; history tells"):
        await home.channels.promote(record)
    goal = await home.goals.add("Ship version two")
    with pytest.raises(InputError, match="A goal belongs to its channel"):
        await home.channels.promote(goal.id)
    mine = await told(memory.scope(**HOME, agent="clerk"), "I like tea.")
    kitchen = {**HOME, "channel": "kitchen"}
    for place in ({**HOME, "agent": "cook"}, kitchen, {**HOME, "user": "bob"}, {**HOME, "tenant": "globex"}):
        with pytest.raises(NotFoundError, match="recall gives the ids"):
            await memory.scope(**place).channels.promote(mine)
    with pytest.raises(ScopeError, match="Nothing is written through whole=True"):
        await memory.scope(tenant="acme", user="alice", whole=True).channels.promote(mine)
    copy = await home.channels.promote(mine)
    assert copy.agent == "clerk"
    assert "User likes tea." not in texts(await memory.scope(**kitchen, agent="cook").recall("tea"))


async def test_a_copy_meets_what_is_said_in_global(alice: AsyncScoped, home: AsyncScoped, store: Store) -> None:
    there, here = await told(alice), await told(home)
    assert (await home.channels.promote(here)).id == there
    kept = await rows(store, Record)
    assert (await home.channels.promote(here)).id == there
    assert await rows(store, Record) == kept
    [event] = await alice.history(there)
    await home.forget(source=(await home.history(here))[0].sources[0])
    assert "User prefers short emails." in texts(await alice.recall("short emails"))
    assert [row.kind for row in await rows(store, Event)] == ["turn"]
    assert event.promoted_from is None


async def test_a_copy_falls_with_what_it_came_from(alice: AsyncScoped, home: AsyncScoped, store: Store) -> None:
    old = await told(alice, "I live in Rome.")
    captured = await home.observe("I live in Zyxwvut.", category="note")
    [record] = captured.records
    copy = await home.channels.promote(record, reason="zyxwvut is home")
    assert [row.valid_to is None for row in await alice.history(old)] != [True]
    await home.forget(source=captured.events[0])
    left = await everything(store)
    assert "zyxwvut" not in repr(left).lower()
    assert copy.id not in [row.id for row in await rows(store, Record)]
    assert "User lives in Rome." in texts(await alice.recall("Where do I live?"))
    [kept] = await alice.history(old)
    assert (kept.valid_to, kept.superseded_at) == (None, None)


async def test_what_is_corrected_in_its_channel_ends_everywhere(
    memory: AsyncMemory, alice: AsyncScoped, home: AsyncScoped, clock: FrozenClock
) -> None:
    copy = await home.channels.promote(await told(home, "I live in Oslo."))
    clock.advance(days=1)
    corrected = await home.add(says("I live in Rome."))
    for scoped in (alice, home, memory.scope(tenant="acme", user="alice", channel="elsewhere")):
        assert "User lives in Oslo." not in texts(await scoped.recall("Where do I live?"))
    assert [row.valid_to for row in await alice.history(copy.id)] == [None, clock()]
    await home.forget(source=corrected.events[0])
    assert "User lives in Oslo." in texts(await alice.recall("Where do I live?"))


async def test_what_ended_in_global_is_not_promoted_again(
    alice: AsyncScoped, home: AsyncScoped, clock: FrozenClock
) -> None:
    record = await told(home, "I live in Oslo.")
    copy = await home.channels.promote(record)
    clock.advance(days=1)
    await alice.add(says("I live in Rome."))
    with pytest.raises(InputError, match=f"copy '{copy.id}' in _global no longer holds"):
        await home.channels.promote(record)


async def test_what_was_said_in_global_too_does_not_end_with_the_channel(
    alice: AsyncScoped, home: AsyncScoped, clock: FrozenClock
) -> None:
    await home.channels.promote(await told(home, "I live in Oslo."))
    await alice.add(says("I live in Oslo."))
    clock.advance(days=1)
    await home.add(says("I live in Rome."))
    assert "User lives in Oslo." in texts(await alice.recall("Where do I live?"))


async def test_a_copy_falls_with_its_promotion(home: AsyncScoped, store: Store) -> None:
    record = await told(home)
    copy = await home.channels.promote(record)
    assert (await home.forget(source=copy.sources[-1])).removed["records"] == 1
    assert {row.id for row in await rows(store, Record)} == {record}
    with pytest.raises(InputError, match="forgotten on request"):
        await home.channels.promote(record)


@pytest.mark.parametrize("what", ["the original", "the promotion"])
async def test_a_copy_that_was_said_in_global_too_stays(
    alice: AsyncScoped, home: AsyncScoped, store: Store, clock: FrozenClock, what: str
) -> None:
    copy = await home.channels.promote(await told(home))
    clock.advance(days=1)
    assert await told(alice) == copy.id
    await home.forget(source=copy.sources[0 if what == "the original" else 1])
    [left] = [row for row in await rows(store, Record) if row.channel == "_global"]
    assert (left.id, left.promoted_from, left.valid_from, len(left.sources)) == (copy.id, None, clock(), 1)
    assert "promotion" not in {row.kind for row in await rows(store, Event)}


async def test_a_copy_that_is_forgotten_takes_what_says_so(home: AsyncScoped, store: Store) -> None:
    copy = await home.channels.promote(await told(home))
    await home.forget(record=copy.id)
    assert await rows(store, Record) == await rows(store, Event) == []


async def test_promoted_by_two_at_once_it_is_one(store: Store, clock: FrozenClock) -> None:
    async with await AsyncMemory.open(Contested(store, 0), embedder="none", clock=clock, ids=SequentialIds()) as memory:
        home = memory.scope(**HOME)
        record = await told(home)
        store_of: Contested = home._runtime.store  # type: ignore[assignment]
        store_of.left = 2
        copy = await home.channels.promote(record)
        assert store_of.left == 0
        assert await home.channels.promote(record) == copy


# ------------------------------------------------------------------------------------------ looking


async def test_channels_are_counted(
    memory: AsyncMemory, alice: AsyncScoped, home: AsyncScoped, clock: FrozenClock
) -> None:
    assert await alice.channels.list() == ()
    await told(alice)
    clock.advance(days=1)
    await told(home, "I like tea.")
    await home.observe("The crab is blue", connection="jira")
    await memory.scope(**HOME, agent="cook").observe("The soup is hot")
    found = [(place.name, place.events, place.records, place.last_activity) for place in await home.channels.list()]
    assert found == [("_global", 1, 1, MORNING), ("tidepool", 2, 2, clock())]
    clerk = await memory.scope(**HOME, agent="clerk").channels.list()
    assert [(place.events, place.records) for place in clerk] == [(1, 1), (1, 1)]
    whole = await memory.scope(tenant="acme", user="alice", whole=True).channels.list()
    assert [(place.name, place.events) for place in whole] == [("_global", 1), ("tidepool", 3)]
    assert [place.name for place in await alice.channels.list()] == ["_global"]
    assert await memory.scope(tenant="acme", user="bob").channels.list() == ()


async def test_what_was_found_across_channels_is_logged(
    memory: AsyncMemory, alice: AsyncScoped, home: AsyncScoped, clock: FrozenClock
) -> None:
    everywhere, here = await told(alice, "I like tea."), await told(home)
    await memory.scope(**HOME, agent="clerk").context("Tea?")
    await home.context("Which tea, and which emails?")
    clock.advance(seconds=timedelta(hours=1).total_seconds())
    await home.context("What tea do I like?")
    await alice.context("What tea do I like?")
    assert len(await memory.scope(**HOME, agent="cook").channels.hits()) == 2
    later, first, _ = await home.channels.hits()
    assert (later.query, later.at, later.channel) == ("What tea do I like?", clock(), "tidepool")
    assert everywhere in later.found
    assert here not in first.found
    assert await home.channels.hits(limit=1) == (later,)
    assert await alice.channels.hits() == ()
    assert await memory.scope(**{**HOME, "channel": "kitchen"}).channels.hits() == ()
    await alice.forget(record=everywhere)
    assert await home.channels.hits() == ()
