"""Short-term entries: what they are for a while, what becomes of them, and the log of a day."""

import json
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from flows.helpers import OWNER, everything, rows, says, texts
from flows.test_leaks import HOME, STRANGERS
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.base.scope import Owner
from memoranda.core.rows import Event, Record, ShortTerm
from memoranda.errors import InputError, MessageError, NotFoundError, ScopeError
from memoranda.ports import Page, Query, Store
from memoranda.testing.fakes import FrozenClock

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

pytestmark = pytest.mark.anyio


async def test_a_value_is_kept_for_a_while(alice: AsyncScoped, clock: FrozenClock) -> None:
    entry = await alice.entries.set("plan", {"steps": [1, None, "é"]}, ttl_seconds=60)
    assert (entry.type, entry.importance, entry.expires_at) == ("task_context", 0.5, clock() + timedelta(seconds=60))
    found = await alice.entries.get("plan")
    assert found is not None
    assert (found.value, found.access_count, found.last_accessed) == ({"steps": [1, None, "é"]}, 1, clock())
    clock.advance(seconds=59)
    assert (await alice.entries.touch("plan")).access_count == 2  # type: ignore[union-attr]
    assert [row.access_count for row in await alice.entries.find()] == [2]
    clock.advance(seconds=1)
    assert await alice.entries.get("plan") is await alice.entries.touch("plan") is None
    assert await alice.entries.refresh("plan") is None
    assert await alice.entries.find() == ()
    assert await alice.entries.delete("plan") is False


async def test_a_time_begins_anew(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.entries.set("plan", 1, ttl_seconds=60)
    clock.advance(seconds=30)
    moved = await alice.entries.refresh("plan")
    assert moved is not None
    assert moved.expires_at == clock() + timedelta(seconds=60)
    longer = await alice.entries.refresh("plan", ttl_seconds=600)
    assert longer is not None
    assert (longer.ttl_seconds, longer.expires_at) == (600, clock() + timedelta(seconds=600))
    clock.advance(seconds=599)
    assert (await alice.entries.get("plan")).value == 1  # type: ignore[union-attr]


async def test_a_key_is_set_again(memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    await alice.entries.set("plan", 1)
    await alice.entries.get("plan")
    clock.advance(minutes=1)
    await alice.entries.set("plan", 2, type="reflection")
    [row] = await rows(store, ShortTerm)
    assert (row.value, row.type, row.access_count, row.created_at) == (2, "reflection", 1, clock())
    image = memory._runtime.partitions.at_hand(OWNER)
    assert image is not None
    assert image.seq == (await store.find(OWNER)).state.seq, "the next write plans against an image that is up to date"
    assert await alice.entries.delete("plan") is True
    assert await alice.entries.get("plan") is None
    assert [(row.value, row.promoted) for row in await rows(store, ShortTerm)] == [(None, "")]
    assert (await alice.entries.clean()).expired == 1
    assert await rows(store, ShortTerm) == []


async def test_a_key_means_what_is_nearest(memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock) -> None:
    async def told(scoped: AsyncScoped, conversation: str | None = None) -> Any:
        found = await scoped.entries.get("plan", conversation=conversation)
        return found and found.value

    await alice.entries.set("plan", "of none")
    clock.advance(seconds=1)
    await alice.entries.set("plan", "of a", conversation="a")
    assert [await told(alice, one) for one in ("a", "b", None)] == ["of a", "of none", "of a"]
    clerk = memory.scope(tenant="acme", user="alice", agent="clerk", conversation="a")
    assert await told(clerk) == "of a"
    await clerk.entries.set("plan", "of the clerk")
    assert (await told(clerk), await told(clerk, "b")) == ("of the clerk", "of none")
    assert [row.value for row in await clerk.entries.find()] == ["of a", "of the clerk"]


async def test_entries_are_found_by_time_type_and_conversation(alice: AsyncScoped, clock: FrozenClock) -> None:
    begin = clock()
    for name, options in (("a", {"type": "reflection"}), ("b", {"conversation": "c"}), ("d", {})):
        await alice.entries.set(name, name, **options)  # type: ignore[arg-type]
        clock.advance(minutes=1)

    async def keys(**options: Any) -> list[str]:
        return [row.key for row in await alice.entries.find(**options)]

    assert await keys() == ["a", "b", "d"]
    assert await keys(type="reflection") == ["a"]
    assert await keys(conversation="c") == ["b"]
    assert await keys(since=begin + timedelta(minutes=1)) == ["b", "d"]
    assert await keys(until=begin + timedelta(minutes=1)) == ["a"]


async def test_what_is_over_or_faded_goes(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    month = 30 * 86_400.0
    await alice.entries.set("over", 1, ttl_seconds=60)
    await alice.entries.set("faded", 1, ttl_seconds=month)
    await alice.entries.set("used", 1, ttl_seconds=60)
    await alice.entries.set("important", 1, ttl_seconds=month, importance=0.9)
    for _ in range(3):
        await alice.entries.get("used")
    assert (await alice.entries.clean()).left == 4
    clock.advance(hours=30)
    await alice.entries.set("new", 1)
    done = await alice.entries.clean()
    assert (done.expired, done.faded, done.kept, done.left) == (1, 1, 2, 3)
    assert {row.key for row in await rows(store, ShortTerm)} == {"used", "important", "new"}
    assert await alice.entries.get("used") is None, "kept to be promoted, not to be answered"
    assert (await alice.entries.promote()).entries == 2
    done = await alice.entries.clean()
    assert (done.expired, done.faded, done.kept, done.left) == (1, 1, 0, 1)


async def test_what_is_used_or_matters_becomes_a_record(alice: AsyncScoped, store: Store) -> None:
    await alice.entries.set("wish", "The user wants a boat with a red sail", importance=0.8, conversation="c")
    await alice.entries.set("crew", ["Ann", "Bob"], type="tool_result")
    await alice.entries.set("noise", "nothing of any use")
    for _ in range(3):
        await alice.entries.get("crew")
    first = await alice.entries.promote(conversation="c")
    assert (first.entries, len(first.records)) == (1, 1)
    second = await alice.entries.promote()
    assert (second.entries, (await alice.entries.promote()).entries) == (1, 0)
    found = {row.text: row for row in await rows(store, Record)}
    assert set(found) == {"The user wants a boat with a red sail", 'crew: ["Ann", "Bob"]'}
    wish, crew = found.values()
    assert (wish.id, wish.kind, wish.category, wish.conversation) == (
        *first.records,
        "observation",
        "task_context",
        "c",
    )
    assert (wish.trust, crew.trust) == (0.7, 0.4)
    assert {event.id for event in await rows(store, Event)} == {*wish.sources, *crew.sources}
    assert {row.key: row.promoted for row in await rows(store, ShortTerm)} == {
        "wish": wish.id, "crew": crew.id, "noise": None,
    }  # fmt: skip
    assert "a boat with a red sail" in str(texts(await alice.recall("What boat does the user want?")))


async def test_entries_go_with_the_record_that_they_name(alice: AsyncScoped, store: Store) -> None:
    said = await alice.add(says("I live in Oslo."))
    [record] = said.records
    await alice.entries.set("boat", "a red sail", sources=[record])
    await alice.entries.set("other", "a blue sail", sources=["r-other"])
    await alice.forget(record=record)
    assert [row.key for row in await rows(store, ShortTerm)] == ["other"]


async def test_entries_go_with_what_they_were_made_of(alice: AsyncScoped, store: Store) -> None:
    said = await alice.add(says("My boat is called Zyxwvut."), conversation="talk")
    await alice.entries.set("boat", {"name": "Zyxwvut"}, sources=said.events, importance=1.0)
    await alice.entries.set("words", "My boat is called Zyxwvut.")
    await alice.entries.set("other", "a red sail", sources=["e-other"])
    await alice.entries.promote()
    await alice.forget(source=said.events[0])
    assert [row.key for row in await rows(store, ShortTerm)] == ["other"]
    assert "zyxwvut" not in str(await everything(store)).lower()
    with pytest.raises(InputError, match="forgotten on request"):
        await alice.entries.set("words", "my boat is called Zyxwvut")
    with pytest.raises(InputError, match="forgotten on request"):
        await alice.entries.set("boat", "red", sources=said.events)
    await alice.entries.set("zyxwvut", 1, conversation="talk")
    await alice.entries.set("zyx", 1)
    await alice.forget(conversation="talk")
    assert [row.key for row in await rows(store, ShortTerm)] == ["other", "zyx"]
    assert (await alice.forget(everything=True)).removed["short_term"] == 2
    assert await rows(store, ShortTerm) == []


async def test_what_was_forgotten_is_not_promoted(alice: AsyncScoped, store: Store) -> None:
    await alice.entries.set("boat", "The boat lies in Zyxwvut", importance=0.9)
    other = await alice.observe("The boat lies in Zyxwvut now", source="agent")
    clerk = await alice.observe("The boat lies in Zyxwvut", source="agent")
    [row] = await rows(store, ShortTerm)
    await alice.forget(source=clerk.events[0])
    assert await rows(store, ShortTerm) == [], f"it says what was said: {row.value}, {other.events}"


async def test_two_who_promote_at_once_promote_once(store: Store, clock: FrozenClock) -> None:
    raced = Raced(store)
    async with (
        await AsyncMemory.open(raced, embedder="none", clock=clock) as memory,
        await AsyncMemory.open(store, embedder="none", clock=clock) as elsewhere,
    ):
        here, there = (each.scope(tenant="acme", user="alice") for each in (memory, elsewhere))
        await here.entries.set("ferry", "The ferry leaves at six", importance=0.9)
        others: list[Any] = []

        async def also() -> None:
            others.append(await there.entries.promote())

        raced.meanwhile = also
        done = await here.entries.promote()
        assert sorted((done.entries, others[0].entries)) == [0, 1]
        [record] = {*done.records, *others[0].records}
        assert [row.promoted for row in await rows(store, ShortTerm)] == [record]
        [found] = (await here.router.semantic_search("When does the ferry leave?")).matches
        assert (found.stratum, found.id) == ("long_term", record)


async def test_a_day_in_order(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.entries.log("Watered the plants on the terrace")
    clock.advance(hours=1)
    await alice.add(says("I like figs."))
    await alice.observe("The crab is blue")
    clock.advance(hours=1)
    await alice.tools.record("search", "figs", "none left")
    clock.advance(days=1)
    await alice.entries.log("Nothing happened", conversation="c")
    assert [(one.kind, one.text) for one in await alice.entries.day(date(2026, 1, 5))] == [
        ("log", "Watered the plants on the terrace"),
        ("observation", "The crab is blue"),
        ("tool_call", "tool search (untrusted): figs → none left"),
    ]
    [one] = await alice.entries.day(date(2026, 1, 6))
    assert (one.text, one.at) == ("Nothing happened", datetime(2026, 1, 6, 11, 30, tzinfo=UTC))
    assert await alice.entries.day(date(2026, 1, 7)) == ()


@pytest.mark.parametrize("day", [date.min, date.max])
async def test_the_first_and_the_last_day_are_days(alice: AsyncScoped, day: date) -> None:
    assert await alice.entries.day(day) == ()


async def test_a_log_is_in_the_context_where_it_bears_on_it(alice: AsyncScoped) -> None:
    line = await alice.entries.log("Watered the plants on the terrace")
    made = await alice.context("Did anybody water the plants on the terrace?")
    logs = next(one for one in made.sections if one.name == "logs")
    assert set(logs.included) == set(line.events)
    assert "## Daily logs" in made.text
    notes = {one.name: one.note for one in (await alice.context("What is a monad?")).sections}
    assert notes["logs"] == "no daily log bears on it"


async def test_what_cannot_be_kept_is_refused(alice: AsyncScoped, store: Store) -> None:
    with pytest.raises(MessageError, match="JSON has no NaN"):
        await alice.entries.set("wind", {"speed": float("nan")})
    with pytest.raises(InputError, match="at most 3,162,240,000"):
        await alice.entries.set("plan", 1, ttl_seconds=1e12)
    with pytest.raises(MessageError, match="JSON value is needed"):
        await alice.entries.set("plan", {1, 2})
    assert await rows(store, ShortTerm) == []


@pytest.mark.parametrize("stranger", STRANGERS)
async def test_a_stranger_finds_no_entry(memory: AsyncMemory, store: Store, stranger: str) -> None:
    home = memory.scope(**HOME)
    await home.entries.set("zyx", "Zyxwvut 7391", importance=0.9, connection="jira")
    before = await everything(store)
    scoped = memory.scope(**STRANGERS[stranger])
    assert await scoped.entries.get("zyx") is await scoped.entries.refresh("zyx") is None
    assert await scoped.entries.delete("zyx") is False
    assert await scoped.entries.find() == ()
    assert (await scoped.entries.promote()).entries == 0
    if not scoped.scope.whole:
        assert (await scoped.entries.clean()).left == 0
    assert "zyx" not in json.dumps([line async for line in scoped.export()], default=str).lower()
    with pytest.raises(NotFoundError):
        await scoped.forget(everything=True)
    assert await everything(store) == before


async def test_home_finds_its_entries(memory: AsyncMemory) -> None:
    home = memory.scope(**HOME)
    await home.entries.set("zyx", "Zyxwvut lies in the north", importance=0.9, connection="jira")
    await home.entries.log("Sailed to Zyxwvut")
    whole = memory.scope(tenant="acme", user="alice", whole=True)
    for scoped in (home, whole):
        assert [row.key for row in await scoped.entries.find()] == ["zyx"]
        assert len(await scoped.entries.day(date(2026, 1, 5))) == 1
        assert "short_term" in [line.get("kind") async for line in scoped.export()]
    for call in (whole.entries.set("x", 1), whole.entries.clean(), whole.entries.promote(), whole.entries.log("x")):
        with pytest.raises(ScopeError, match="whole=True"):
            await call
    assert (await home.entries.promote()).entries == 1
    [record] = [item async for item in home.export() if item.get("kind") == "records"]
    assert (record["row"]["agent"], record["row"]["channel"], record["row"]["connection"]) == (
        "clerk", "tidepool", "jira",
    )  # fmt: skip


async def test_a_key_that_is_set_again_has_not_faded(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.entries.set("draft", "as it was", ttl_seconds=7 * 86_400)
    await alice.entries.get("draft")
    clock.advance(hours=20)
    await alice.entries.set("draft", "as it is", ttl_seconds=7 * 86_400)
    assert (await alice.entries.clean()).left == 1


class Raced:
    """A store in which something else happens after the first read of short-term entries."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.meanwhile: Callable[[], Awaitable[object]] | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def find(self, owner: Owner, *queries: Query[Any]) -> Page:
        page = await self._store.find(owner, *queries)
        if self.meanwhile and queries[0].kind is ShortTerm:
            happens, self.meanwhile = self.meanwhile, None
            await happens()
        return page


async def test_what_happens_in_between_is_not_undone(store: Store, clock: FrozenClock) -> None:
    raced = Raced(store)
    async with (
        await AsyncMemory.open(raced, embedder="none", clock=clock) as memory,
        await AsyncMemory.open(store, embedder="none", clock=clock) as elsewhere,
    ):
        here, there = (each.scope(tenant="acme", user="alice").entries for each in (memory, elsewhere))
        await here.set("wish", "a boat with a red sail", importance=0.9, ttl_seconds=60)
        await here.set("draft", "as it was", ttl_seconds=60)
        clock.advance(hours=1)
        raced.meanwhile = partial(there.set, "draft", "as it is")
        assert (await here.clean()).left == 2
        assert [row.value for row in await here.find()] == ["as it is"], "dropped though it was set again"
        raced.meanwhile = partial(there.delete, "draft")
        assert await here.refresh("draft") is None, "brought back though it was deleted"
        assert await here.get("draft") is None
        raced.meanwhile = partial(there.set, "wish", "a boat with a blue sail", importance=0.9)
        assert (await here.promote()).entries == 1
        clock.advance(minutes=1)
        assert (await here.promote()).entries == 1, "the new wish was taken for promoted"
