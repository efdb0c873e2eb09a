"""What changed since a cursor: each change at least once, in order, and only to whom it is visible."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from flows.helpers import OWNER, says
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.rows import Record, Row
from memoranda.core.rows.changes import Add, Batch, Patch
from memoranda.core.rows.rowset import Damaged
from memoranda.errors import InputError, NotFoundError
from memoranda.flows.governance.changes import Change
from memoranda.ports import Completion, Query, Store
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio


async def news(scoped: AsyncScoped, cursor: str | None = None, limit: int = 100) -> tuple[list[Change], str]:
    """All changes since a cursor, and the next one."""
    found: list[Change] = []
    while True:
        answer = await scoped.changes(cursor=cursor, limit=limit)
        assert len(answer.items) <= limit
        found += answer.items
        cursor = answer.cursor
        if not answer.more:
            return found, cursor


def told(changes: list[Change]) -> list[tuple[str, str | None]]:
    """What each change was, and the text it is about."""
    return [
        (one.what, one.event.content if one.event else one.record.text if one.record else one.id) for one in changes
    ]


async def copied(scoped: AsyncScoped, limit: int = 100) -> "Copy":
    copy = Copy()
    await copy.follow(scoped, limit)
    return copy


class Copy:
    """What a host keeps that follows the changes as it is told to: by id, whether it ended, and the row."""

    def __init__(self) -> None:
        self.rows: dict[str | None, tuple[bool, Row | None]] = {}
        self.cursor: str | None = None

    async def follow(self, scoped: AsyncScoped, limit: int = 100) -> None:
        changes, self.cursor = await news(scoped, self.cursor, limit)
        for one in changes:
            if one.what == "rebuilt":
                self.rows, self.cursor = {}, None
                await self.follow(scoped, limit)
                return
            if one.what == "erased":
                self.rows.pop(one.id, None)
            else:
                self.rows[one.id] = (one.what == "ended", one.event or one.record)

    @property
    def plain(self) -> dict[str | None, str]:
        return {name: repr(row) for name, row in self.rows.items()}


async def test_what_comes_in_is_told_once_and_in_order(alice: AsyncScoped) -> None:
    await alice.add(says("I live in Berlin."), conversation="c1")
    first, cursor = await news(alice)
    assert told(first) == [("added", "I live in Berlin."), ("added", "User lives in Berlin.")]
    assert [one.of for one in first] == ["event", "record"]
    assert first[0].event is not None
    assert first[0].id == first[0].event.id
    assert await news(alice, cursor) == ([], cursor)
    await alice.add(says("Good morning."))
    assert told((await news(alice, cursor))[0]) == [("added", "Good morning.")]


async def test_what_takes_the_place_of_another_is_told_with_the_end_of_that(
    alice: AsyncScoped, clock: FrozenClock
) -> None:
    await alice.add(says("I live in Berlin."))
    _, cursor = await news(alice)
    clock.advance(days=1)
    await alice.add(says("I moved to Paris."))
    found, _ = await news(alice, cursor)
    assert told(found) == [
        ("added", "I moved to Paris."), ("ended", "User lives in Berlin."), ("corrected", "User moved to Paris."),
    ]  # fmt: skip
    assert found[1].record is not None
    assert found[2].record is not None
    assert found[1].record.valid_to is not None
    assert found[2].record.supersedes == found[1].id
    assert [(one.what, one.id) for one in (await news(alice))[0][-2:]] == [(one.what, one.id) for one in found[1:]]


@pytest.mark.parametrize(
    ("status", "what"),
    [
        ("verified", "changed"),
        ("disputed", "changed"),
        ("archived", "ended"),
        ("expired", "ended"),
        ("rejected", "ended"),
    ],
)
async def test_another_version_is_a_change_or_an_end(alice: AsyncScoped, store: Store, status: str, what: str) -> None:
    await alice.add(says("I prefer short mails."))
    found, cursor = await news(alice)
    first = found[-1].record
    assert first is not None
    second = replace(first, version=2, status=status, recorded_at=first.recorded_at + timedelta(days=1))
    over = Patch(Record, (first.id, 1), {"superseded_at": second.recorded_at})
    await store.apply(Batch(owner=OWNER, changes=(over, Add(second))))
    for limit in (1, 9):
        [told], _ = await news(alice, cursor, limit)
        assert (told.what, told.id, told.at) == (what, first.id, second.recorded_at)
        assert told.record is not None
        assert told.record.version == 2


async def test_what_will_end_by_itself_has_not_ended_yet(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    await alice.add(says("I prefer short mails."))
    found, cursor = await news(alice)
    values = {"valid_to": clock.advance(days=1)}
    await store.apply(Batch(owner=OWNER, changes=(Patch(Record, (found[-1].id, 1), values),)))
    clock.advance(hours=-1)
    assert [one.what for one in (await news(alice, cursor))[0]] == ["added"]
    clock.advance(hours=1)
    assert [one.what for one in (await news(alice, cursor))[0]] == ["ended"]


async def test_a_version_that_nothing_followed_has_ended(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    await alice.add(says("I prefer short mails."))
    found, cursor = await news(alice)
    values = {"superseded_at": clock.advance(days=1)}
    await store.apply(Batch(owner=OWNER, changes=(Patch(Record, (found[-1].id, 1), values),)))
    [ended], _ = await news(alice, cursor)
    assert (ended.what, ended.id, ended.at) == ("ended", found[-1].id, clock())


async def test_what_was_forgotten_is_told_to_the_user_by_its_ids(alice: AsyncScoped) -> None:
    await alice.add(says("I live in Berlin."))
    await alice.add(says("I prefer short mails."))
    before, cursor = await news(alice)
    await alice.forget(value="Berlin")
    found, _ = await news(alice, cursor)
    assert {one.what for one in found} == {"erased"}
    gone = {one.id for one, (_, text) in zip(before, told(before), strict=True) if "Berlin" in str(text)}
    assert len(gone) == 2
    assert {one.id for one in found} >= gone
    assert all(one.event is None and one.record is None and one.of is None for one in found)
    assert not any(":" in (one.id or "") or len(one.id or "") == 64 for one in found)  # no mark of words
    again, _ = await news(alice)
    assert not any("Berlin" in str(one) or one.what == "erased" for one in again)


async def test_an_agent_learns_that_something_was_forgotten_and_not_what(
    memory: AsyncMemory, alice: AsyncScoped
) -> None:
    clerk = memory.scope(tenant="acme", user="alice", agent="clerk")
    await alice.add(says("I live in Berlin."))
    _, cursor = await news(clerk)
    await memory.scope(tenant="acme", user="alice", agent="other").add(says("I prefer short mails."))
    assert (await news(clerk, cursor))[0] == []
    await alice.forget(value="Berlin")
    [erased], _ = await news(clerk, cursor)
    assert (erased.what, erased.of, erased.id) == ("erased", None, None)


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
async def test_everything_is_told_whatever_the_limit(memory: AsyncMemory, limit: int) -> None:
    places: list[dict[str, Any]] = [{}, {"agent": "clerk"}, {"channel": "boats"}, {"connections": ("jira",)}]
    for number, place in enumerate(places):
        scoped = memory.scope(tenant="acme", user="alice", **place)
        more = {"connection": "jira"} if "connections" in place else {}
        await scoped.add(says(f"I live in town {number}.", f"I prefer tea number {number}."), **more)
    await memory.scope(tenant="acme", user="bob").add(says("I live in Rome."))
    for place in (*places, {"agent": "other"}, {"whole": True}):
        scoped = memory.scope(tenant="acme", user="alice", **place)
        found, _ = await news(scoped, limit=limit)
        seen = {logged.event.id for logged in await scoped.events(limit=1_000)}
        assert {one.id for one in found if one.of == "event"} == seen
        assert len({one.id for one in found}) == len(found)
        assert not any("Rome" in str(one) for one in found)


async def test_a_copy_that_follows_is_the_same_as_one_that_begins_anew(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock
) -> None:
    whole = memory.scope(tenant="acme", user="alice", whole=True)
    copy = Copy()
    steps: list[Any] = [
        lambda: alice.add(says("I live in Berlin. My favourite colour is blue.")),
        lambda: alice.add(says("I moved to Paris.", "I prefer short mails.")),
        lambda: alice.add(says("My favourite colour is red."), conversation="c9"),
        lambda: alice.forget(value="Paris"),  # Berlin holds again
        lambda: memory.rebuild(tenant="acme", user="alice", switch=True),
        lambda: memory.consolidate(tenant="acme", user="alice"),
        lambda: alice.forget(conversation="c9"),
        lambda: alice.add(says("We decided to use Postgres.", "The deploy fails every Friday."), conversation="c5"),
        lambda: memory.consolidate(tenant="acme", user="alice"),
        lambda: alice.goals.add("Ship the release"),
        lambda: alice.forget(conversation="c5"),
        lambda: alice.observe("The project is PROJ.", category="project_details"),
        lambda: memory.rebuild(tenant="acme", user="alice", switch=True, extractor="none"),
    ]
    for number, step in enumerate(steps):
        await step()
        clock.advance(hours=1)
        await copy.follow(whole, limit=1 + number % 3)
        assert copy.plain == (await copied(whole)).plain, number


async def test_a_memory_that_was_rebuilt_is_read_again(memory: AsyncMemory, alice: AsyncScoped) -> None:
    await alice.add(says("I live in Berlin."))
    _, cursor = await news(alice)
    await memory.rebuild(tenant="acme", user="alice")
    assert (await news(alice, cursor))[0] == []
    await memory.rebuild(tenant="acme", user="alice", switch=True)
    found, _ = await news(alice, cursor)
    assert [(one.what, one.id) for one in found if one.what == "rebuilt"] == [("rebuilt", None)]
    assert not any(one.what == "rebuilt" for one in (await news(alice))[0])


@pytest.mark.parametrize(
    "place", [{"agent": "clerk"}, {"channel": "boats"}, {"connections": ("jira",)}, {"whole": True}, {"user": "bob"}]
)
async def test_a_cursor_is_of_one_scope(memory: AsyncMemory, alice: AsyncScoped, place: dict[str, Any]) -> None:
    _, cursor = await news(alice)
    other = memory.scope(**{"tenant": "acme", "user": "alice", **place})
    with pytest.raises(NotFoundError, match="of another scope"):
        await other.changes(cursor=cursor)


@pytest.mark.parametrize(
    "wrong",
    ["", "7", "7-00000000", "x.1-00000000", "-1.1-00000000", "7.7-0000", "99999999999.1-00000000", "٣.1-00000000"],
)
async def test_what_is_no_cursor_is_refused(alice: AsyncScoped, wrong: str) -> None:
    with pytest.raises(InputError, match="cursor is"):
        await alice.changes(cursor=wrong)


async def test_a_cursor_of_a_later_state_is_refused(alice: AsyncScoped) -> None:
    cursor = (await alice.changes()).cursor
    with pytest.raises(NotFoundError, match="restored"):
        await alice.changes(cursor=cursor.replace("0.", "9.", 1))


async def test_what_cannot_be_read_is_left_out_and_told(
    alice: AsyncScoped, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await alice.add(says("Good morning."))
    [change], _ = await news(alice)
    find = type(store).find

    async def damaged(self: Any, owner: Any, *queries: Query[Any]) -> Any:
        return replace(await find(self, owner, *queries), damaged=(Damaged(change.event, {}),) if change.event else ())

    monkeypatch.setattr(type(store), "find", damaged)
    assert "1 of the events cannot be read" in (await alice.changes()).degraded[0]


class Writer:
    """A language model that makes one fact of the first event it is shown."""

    name = "test/writer"

    async def complete(self, *_: Any, **__: Any) -> Completion:
        fact = {"claim": "User takes care of the greenhouse in Bergen.", "certainty": "explicit", "events": [1]}
        return Completion(text=json.dumps({"facts": [fact], "updated_working_memory": fact["claim"]}), model="writer")

    async def close(self) -> None:
        """Nothing to release."""


@pytest.mark.parametrize("by", ["record", "source", "conversation", "value", "everything"])
async def test_whatever_was_told_and_is_gone_is_told_to_be_erased(store: Store, clock: FrozenClock, by: str) -> None:
    async with await AsyncMemory.open(
        store, embedder="hashed", clock=clock, ids=SequentialIds(), language_model=Writer()
    ) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        said = await alice.add(says("These days the greenhouse in Bergen is on me."), conversation="c1")
        await memory.consolidate(tenant="acme", user="alice")
        before, cursor = await news(alice)
        assert {one.event.kind for one in before if one.event} == {"turn", "consolidation"}
        record = next(one.id for one in before if one.record and "takes care" in one.record.text)
        target = {"record": record, "source": said.events[0], "conversation": "c1", "value": "greenhouse"}
        await alice.forget(**{by: target.get(by, True)})  # type: ignore[arg-type]
        erased = {one.id for one in (await news(alice, cursor))[0] if one.what == "erased"}
        left = {one.id for one in (await news(alice))[0]}
        assert {one.id for one in before} - left == {one.id for one in before} & erased
