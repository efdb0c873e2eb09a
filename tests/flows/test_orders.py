"""What is believed does not depend on the order in which it was told, nor on what was told and forgotten since."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import permutations
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.helpers import everything, rows, says, texts
from memoranda import AsyncMemory, AsyncScoped, Event, Record, Settings
from memoranda.core.rows import Passage
from memoranda.core.rows.lifecycle import LIVE
from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

OSLO, BERGEN, ROME = "I live in Oslo.", "I live in Bergen.", "I live in Rome."
SINCE = "I have lived in Rome since January 2020."
LEFT, WAS = "I no longer live in Oslo.", "I used to live in Oslo."
MOVED = "I moved to Rome in 2015."
UNTIL = "I live in Bergen until May 2021."
ROM, FOR_NOW = "Ich wohne in Rom.", "Ich wohne bis Mai 2021 in Rom."  # in the same words, but for the time
TWO = "I no longer live in Oslo. I live in Bergen."

Said = tuple[datetime, str]


def month(number: float) -> datetime:
    """A moment so many months after the first."""
    return datetime(2021, 1, 1, tzinfo=UTC) + timedelta(days=30 * number)


def dated(contents: Sequence[str]) -> list[Said]:
    """Messages a month apart."""
    return [(month(number), content) for number, content in enumerate(contents, 1)]


class Told:
    """A memory that was told some messages, one call each or all in one."""

    def __init__(self) -> None:
        self.store: Store = DictStore()
        self.clock = FrozenClock()
        self.events: dict[Said, str] = {}

    async def tell(self, messages: Sequence[Said], *, at_once: bool = False) -> "Told":
        memory = await AsyncMemory.open(self.store, embedder="none", clock=self.clock, ids=SequentialIds())
        self.alice = memory.scope(tenant="acme", user="alice")
        for call in [messages] if at_once else [[message] for message in messages]:
            self.clock.advance(hours=1)
            captured = await self.alice.add([*(says(content, timestamp=at)[0] for at, content in call)])
            self.events.update(zip(call, captured.events, strict=True))
        return self

    async def beliefs(self) -> list[list[str]]:
        """What holds in the middle of each half month, by the current versions."""
        records = [row for row in await rows(self.store, Record) if row.superseded_at is None and row.status in LIVE]
        moments = [month(number / 2 + 0.25) for number in range(16)]
        return [
            sorted(item.text for item in records if item.valid_from <= at < (item.valid_to or month(1_000)))
            for at in moments
        ]


@pytest.mark.parametrize(
    ("contents", "spans"),
    [
        ((OSLO, BERGEN, OSLO, ROME), ("Oslo", "Bergen", "Oslo", "Rome")),
        ((OSLO, BERGEN, OSLO, BERGEN), ("Oslo", "Bergen", "Oslo", "Bergen")),
        ((OSLO, OSLO, BERGEN, OSLO), ("Oslo", "Oslo", "Bergen", "Oslo")),
        ((OSLO, WAS, OSLO, WAS), ("Oslo", "", "Oslo", "")),
        ((OSLO, LEFT, OSLO, BERGEN), ("Oslo", "", "Oslo", "Bergen")),
        ((OSLO, BERGEN, WAS, OSLO), ("Oslo", "Bergen", "Bergen", "Oslo")),
        ((ROME, OSLO, OSLO, UNTIL), ("Rome", "Oslo", "Oslo", "Bergen until May 2021. User lives in Oslo")),
        (
            (OSLO, OSLO, SINCE, OSLO),
            ("Rome since January 2020", "Rome since January 2020", "Rome since January 2020", "Oslo"),
        ),
    ],
)
async def test_every_order_of_arrival_gives_the_same_beliefs(contents: tuple[str, ...], spans: tuple[str, ...]) -> None:
    for order in permutations(dated(contents)):
        told = await Told().tell(order)
        beliefs = await told.beliefs()
        held = [[text for text in beliefs[2 * number] if "longer" not in text] for number in range(1, len(spans) + 1)]
        assert [*map(" ".join, held)] == [span and f"User lives in {span}." for span in spans], order
        assert ("city" in repr((await told.alice.profile()).plain())) == bool(spans[-1])


async def test_every_order_of_arrival_gives_the_same_answers() -> None:
    for order in permutations(dated((OSLO, BERGEN, OSLO, ROME))):
        told = await Told().tell(order)
        for number, city in enumerate(("Oslo", "Bergen", "Oslo", "Rome"), 1):
            for ask in ({"as_of": month(number + 0.5)}, {"now": month(number + 0.5)}):
                found = await told.alice.recall("where do I live?", kinds=["fact"], **ask)
                assert texts(found) == [f"User lives in {city}."]


@st.composite
def stories(draw: st.DrawFn) -> tuple[list[Said], list[Said]]:
    """Up to five messages, in order of time and in some order of arrival."""
    said = st.lists(
        st.sampled_from([OSLO, BERGEN, ROME, SINCE, MOVED, LEFT, WAS, TWO, UNTIL, ROM, FOR_NOW]), min_size=2, max_size=5
    )
    messages = dated(draw(said))
    return messages, draw(st.permutations(messages))


@cache
def believed(messages: tuple[Said, ...]) -> list[list[str]]:
    """What is believed after messages that were told in this order."""

    async def run() -> list[list[str]]:
        return await (await Told().tell(messages)).beliefs()

    return anyio.run(run)


@given(stories(), st.booleans())
@settings(max_examples=60, deadline=None)
def test_any_order_of_arrival_gives_the_beliefs_of_the_order_of_time(
    story: tuple[list[Said], list[Said]], at_once: bool
) -> None:
    messages, order = story

    async def run() -> list[list[str]]:
        return await (await Told().tell(order, at_once=at_once)).beliefs()

    assert anyio.run(run) == believed(tuple(messages))


@given(stories(), st.booleans(), st.data())
@settings(max_examples=60, deadline=None)
def test_what_was_forgotten_might_as_well_never_have_been_said(
    story: tuple[list[Said], list[Said]], at_once: bool, data: st.DataObject
) -> None:
    messages, order = story
    gone = data.draw(st.lists(st.sampled_from(messages), min_size=1, max_size=2, unique=True))

    async def run() -> list[list[str]]:
        told = await Told().tell(order, at_once=at_once)
        for message in gone:
            await told.alice.forget(source=told.events[message])
        await sound(told.store, [told.events[message] for message in gone])
        return await told.beliefs()

    assert anyio.run(run) == believed(tuple(message for message in messages if message not in gone))


async def sound(store: Store, gone: Sequence[str]) -> None:
    """Nothing names what is gone, and versions follow one another."""
    kept = await everything(store)
    left = repr({name: found for name, found in kept.items() if name not in {"tombstones", "receipts"}})
    assert not [event for event in gone if event in left]
    records = await rows(store, Record)
    names = {record.id for record in records}
    assert {record.supersedes for record in records if record.supersedes} <= names
    begins = {record.id: record.valid_from for record in records if record.superseded_at is None}
    assert all(row.at == begins.get(row.ref, row.at) for row in await rows(store, Passage))
    for name in names:
        *older, last = sorted((item for item in records if item.id == name), key=lambda item: item.version)
        ends = [item.superseded_at for item in older]
        assert ends == [item.recorded_at for item in [*older, last][1:]] or last.superseded_at == last.recorded_at


async def test_the_correction_is_forgotten_and_what_it_ended_holds_again(alice: AsyncScoped, store: Store) -> None:
    await alice.add(says("I work at Acme.", timestamp=month(1)))
    second = await alice.add(says("I no longer work at Acme. I work at Globex.", timestamp=month(2)))
    ended = [record for record in await rows(store, Record) if record.value == "Acme" and record.version > 1]
    assert [(item.valid_to, item.contradicted_by) for item in ended] == [(month(2), second.events[0])]
    await alice.forget(source=second.events[0])
    (acme,) = await rows(store, Record)
    assert (acme.value, acme.valid_to, acme.status, acme.superseded_at) == ("Acme", None, "candidate", None)
    assert (await alice.profile()).plain() == {"work": {"employer": "Acme"}}
    await sound(store, second.events)


async def test_what_a_third_ends_too_ends_there(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    captured = []
    for content in ("I work at Acme.", "I work at Globex.", "I work at Initech."):
        captured.append(await alice.add(says(content)))
        clock.advance(days=10)
    first, second, third = captured
    await alice.forget(source=second.events[0])
    found = sorted(await rows(store, Record), key=lambda record: (record.valid_from, record.version))
    begun = found[-1].valid_from
    assert [(r.value, r.version, r.valid_to, r.superseded_at, r.contradicted_by, r.supersedes) for r in found] == [
        ("Acme", 1, None, begun, None, None),
        ("Acme", 3, begun, None, third.events[0], None),
        ("Initech", 1, None, None, None, first.records[0]),
    ]
    story = await alice.history(first.records[0])
    assert [(row.value, row.version) for row in story] == [("Acme", 1), ("Acme", 3), ("Initech", 1)]
    await sound(store, second.events)


async def test_what_was_said_on_both_sides_of_the_forgotten_is_one_again(alice: AsyncScoped, store: Store) -> None:
    captured = [await alice.add(says(text, timestamp=at)) for at, text in dated((OSLO, BERGEN, OSLO, ROME))]
    await alice.forget(source=captured[1].events[0])
    found = [record for record in await rows(store, Record) if record.superseded_at is None]
    assert [(r.value, r.valid_from, r.valid_to, r.sources) for r in found] == [
        ("Rome", month(4), None, captured[3].events),
        ("Oslo", month(1), month(4), (*captured[0].events, *captured[2].events)),
    ]
    rome = await alice.history(captured[3].records[0])
    assert rome[-1].supersedes == captured[2].records[0]


async def test_what_another_still_keeps_apart_stays_apart(alice: AsyncScoped, store: Store) -> None:
    captured = [await alice.add(says(text, timestamp=at)) for at, text in dated((OSLO, BERGEN, ROME, OSLO))]
    await alice.forget(source=captured[1].events[0])
    found = [record for record in await rows(store, Record) if record.superseded_at is None]
    assert sorted((r.valid_from, r.valid_to, r.value, r.contradicted_by) for r in found) == [
        (month(1), month(3), "Oslo", captured[2].events[0]),
        (month(3), month(4), "Rome", captured[3].events[0]),
        (month(4), None, "Oslo", None),
    ]


async def test_what_two_forgotten_turns_kept_apart_is_one_again(alice: AsyncScoped, store: Store) -> None:
    for number, content in enumerate((OSLO, BERGEN, OSLO, BERGEN, OSLO), 1):
        await alice.add(says(content, timestamp=month(number)), conversation=content)
    await alice.forget(conversation=BERGEN)
    found = [record for record in await rows(store, Record) if record.superseded_at is None]
    assert [(r.value, r.valid_from, r.valid_to, len(r.sources)) for r in found] == [("Oslo", month(1), None, 3)]


@pytest.mark.parametrize("which", [0, 2])
async def test_of_what_was_said_twice_the_one_is_forgotten_and_the_other_stands(
    alice: AsyncScoped, store: Store, which: int
) -> None:
    captured = [await alice.add(says(text, timestamp=at)) for at, text in dated((OSLO, BERGEN, OSLO))]
    await alice.forget(source=captured[which].events[0])
    again = await alice.add(says(f"By the way, {OSLO}"))
    assert [decision.outcome for decision in again.decisions] == ["superseded" if which else "merged"]
    await alice.forget(record=again.records[0])
    assert "Oslo" not in repr([await rows(store, kind) for kind in (Event, Record)])
    assert (await alice.add(says(OSLO), surface="import")).forgotten == 1


async def test_versions_follow_one_another_where_one_in_between_is_forgotten(
    alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    events = []
    for number, content in ((1, OSLO), (4, ROME), (3, BERGEN), (2, "I live in Pisa.")):
        clock.advance(hours=1)
        captured = await alice.add(says(content, timestamp=month(number)))
        events += captured.events
    await alice.forget(source=events[2])
    oslo = sorted((r for r in await rows(store, Record) if r.value == "Oslo"), key=lambda record: record.version)
    assert [(r.version, r.valid_to, r.contradicted_by) for r in oslo] == [
        (1, None, None), (2, month(4), events[1]), (4, month(2), events[3]),
    ]  # fmt: skip
    await sound(store, events[2:3])


async def test_what_arrives_late_splits_what_was_said_around_it(alice: AsyncScoped, store: Store) -> None:
    first = await alice.add(says(OSLO, timestamp=month(1)))
    third = await alice.add(says(OSLO, timestamp=month(3)))
    second = await alice.add(says(BERGEN, timestamp=month(2)))
    assert [(item.outcome, item.reason) for item in second.decisions] == [("filed", "older than what is known")]
    found = [record for record in await rows(store, Record) if record.superseded_at is None]
    found.sort(key=lambda record: record.valid_from)
    assert [(r.valid_from, r.valid_to, r.value, r.sources, r.contradicted_by) for r in found] == [
        (month(1), month(2), "Oslo", first.events, second.events[0]),
        (month(2), month(3), "Bergen", second.events, third.events[0]),
        (month(3), None, "Oslo", third.events, None),
    ]
    passages = {row.ref: row.at for row in await rows(store, Passage)}
    assert passages[found[2].id] == month(3)


async def test_a_plan_said_again_when_its_time_is_over_is_another() -> None:
    said = [(datetime(2026, 1, day, tzinfo=UTC), "I'm visiting my mother next week.") for day in (6, 7, 27)]
    for order in permutations(said):
        told = Told()
        told.clock.advance(days=60)
        await told.tell(order)
        found = sorted(await rows(told.store, Record), key=lambda row: row.valid_from)
        assert [(row.valid_from.day, len(row.sources)) for row in found if not row.superseded_at] == [(6, 2), (27, 1)]
        await told.alice.forget(source=told.events[said[0]])
        found = sorted(await rows(told.store, Record), key=lambda row: row.valid_from)
        assert [(row.valid_from.day, row.sources) for row in found if not row.superseded_at] == [
            (at.day, (told.events[at, text],)) for at, text in said[1:]
        ]
        await sound(told.store, [told.events[said[0]]])


async def test_an_earlier_beginning_ends_only_what_held_then(store: Store, clock: FrozenClock) -> None:
    for policy, held in (("prefer_new", [2, 4, None]), ("flag_review", [None, None, None])):
        memory = await AsyncMemory.open(
            store, embedder="none", clock=clock, ids=SequentialIds(policy), settings=Settings(conflict_policy=policy)
        )
        alice = memory.scope(tenant="acme", user=policy)
        for number, content in ((1, OSLO), (2, BERGEN), (5, ROME), (4, ROME)):
            await alice.add(says(content, timestamp=month(number)))
        found = [row for row in await rows(store, Record, alice.scope.owner) if row.superseded_at is None]
        found.sort(key=lambda row: row.valid_from)
        assert [(row.valid_from, row.valid_to) for row in found] == [
            (month(begin), end and month(end)) for begin, end in zip((1, 2, 4), held, strict=True)
        ]


async def test_recall_finds_what_began_earlier_than_was_known(memory: AsyncMemory, alice: AsyncScoped) -> None:
    asked: dict[str, Any] = {"kinds": ["preference"], "since": month(1), "until": month(2)}
    await alice.add(says("I like tea.", timestamp=month(3)))
    assert not await alice.recall("tea", **asked)
    await alice.add(says("I like tea.", timestamp=month(1)))
    assert texts(await alice.recall("tea", **asked)) == ["User likes tea."]
    await memory.close()


@pytest.mark.parametrize("order", [*permutations(range(3))])
async def test_what_has_no_attribute_is_denied_in_any_order(order: tuple[int, ...]) -> None:
    store, clock = DictStore(), FrozenClock()
    alice = (await AsyncMemory.open(store, embedder="none", clock=clock)).scope(tenant="acme", user="alice")
    said = ["The harbour gate is locked", "The harbour gate is not locked", "The harbour gate is locked"]
    for number in order:
        clock.advance(hours=1)
        await alice.observe(said[number], at=month(number + 1))
    held = [row for row in await rows(store, Record) if row.superseded_at is None]
    for number, text in enumerate(said, 1):
        at = month(number + 0.5)
        assert [row.text for row in held if row.valid_from <= at and (row.valid_to is None or at < row.valid_to)] == [
            text
        ]


async def test_what_was_cut_short_ends_by_itself_when_what_cut_it_is_forgotten() -> None:
    earlier, later = dated((UNTIL, "I live in Rome until June 2021."))
    told = await Told().tell([later, earlier])
    await told.alice.forget(source=told.events[later])
    (record,) = [row for row in await rows(told.store, Record) if row.superseded_at is None]
    assert (record.temporal, record.valid_to) == ("temporary", datetime(2021, 6, 1, tzinfo=UTC))
