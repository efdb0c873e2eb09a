"""What becomes of a statement, from the call to the rows; the policy by itself is in tests/core/beliefs."""

from datetime import UTC, datetime
from itertools import permutations

import pytest

from flows.helpers import MORNING, Scripted, outcomes, rows, says, texts
from memoranda import AsyncMemory, AsyncScoped, Record, Settings
from memoranda.core.beliefs.conflicts import Policy
from memoranda.core.rows.statements import TRUST
from memoranda.ports import Embedder, Store
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio


async def open_with(
    store: Store, clock: FrozenClock, policy: Policy = "prefer_new", embedder: str | Embedder = "none"
) -> AsyncScoped:
    memory = await AsyncMemory.open(
        store, embedder=embedder, clock=clock, ids=SequentialIds(policy), settings=Settings(conflict_policy=policy)
    )
    return memory.scope(tenant="acme", user="alice")


async def current(store: Store) -> dict[str, Record]:
    """The current version of every record, by text without its full stop."""
    return {record.text.rstrip("."): record for record in await rows(store, Record) if record.superseded_at is None}


async def held(store: Store) -> set[str]:
    """The texts of the records that have no end."""
    return {text for text, record in (await current(store)).items() if record.valid_to is None}


async def test_what_is_new_is_added(alice: AsyncScoped, store: Store) -> None:
    captured = await alice.add(says("I live in Oslo."))
    (decision,) = captured.decisions
    assert (decision.outcome, decision.other, decision.reason) == ("added", None, "")
    (record,) = await rows(store, Record)
    assert (record.id, record.version, record.status, record.valid_to) == (decision.record, 1, "candidate", None)


@pytest.mark.parametrize("first", ["workflow", "user_provided"])
async def test_a_tool_does_not_unseat_what_the_user_says_too(store: Store, clock: FrozenClock, first: str) -> None:
    alice = await open_with(store, clock)
    for source in (first, "user_provided"):
        told = await alice.observe("The harbour is in Oslo", source=source)
        clock.advance(hours=1)
    (record,) = await rows(store, Record)
    assert (record.trust, record.source) == (1.0, "user_provided")
    denied = await alice.observe("The harbour is not in Oslo", source="workflow")
    assert [decision.outcome for decision in denied.decisions] == ["disputed"]
    await alice.forget(source=denied.events[0])
    await alice.forget(source=told.events[0])
    (record,) = await rows(store, Record)
    assert (record.source, record.trust) == (first, TRUST[first])


async def test_statements_of_one_call_see_one_another(alice: AsyncScoped, store: Store) -> None:
    assert await outcomes(alice, "I live in Oslo.", "I live in Oslo.", "I moved to Bergen.") == [
        "added", "reinforced", "superseded",
    ]  # fmt: skip
    assert await held(store) == {"User moved to Bergen"}


async def test_other_words_for_the_same_merge_and_the_more_specific_stay(store: Store, clock: FrozenClock) -> None:
    alice = await open_with(store, clock, embedder=Scripted(coffee=[1.0]))
    assert await outcomes(alice, "I like coffee.") == ["added"]
    clock.advance(days=1)
    captured = await alice.add(says("I like filter coffee."))
    (decision,) = captured.decisions
    assert (decision.outcome, decision.reason) == ("merged", "said before; the new wording is more specific")
    wide, narrow = sorted(await rows(store, Record), key=lambda record: record.recorded_at)
    assert (wide.text.rstrip("."), wide.superseded_at) == ("User likes coffee", clock.now)
    assert (narrow.id, narrow.supersedes, narrow.status) == (decision.record, wide.id, "verified")
    assert narrow.sources == (*wide.sources, *captured.events)
    assert narrow.valid_from == MORNING
    assert narrow.importance == pytest.approx(wide.importance + 0.05)
    assert await outcomes(alice, "I love coffee.") == ["merged"]
    assert await held(store) == {"User likes filter coffee"}


async def test_what_differs_in_a_sign_is_not_the_same(alice: AsyncScoped, store: Store) -> None:
    found = [await outcomes(alice, f"I like {language}.") for language in ("C++", "C#", "C")]
    assert found == [["added"]] * 3
    assert {record.value for record in await rows(store, Record)} == {"C++", "C#", "C"}


async def test_a_newer_value_supersedes(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    first = await alice.add(says("I live in Oslo."))
    moved = clock.advance(days=10)
    second = await alice.add(says("I moved to Bergen."))
    (decision,) = second.decisions
    assert (decision.outcome, decision.other) == ("superseded", first.records[0])
    oslo = sorted((r for r in await rows(store, Record) if r.id == first.records[0]), key=lambda r: r.version)
    assert [(r.version, r.valid_to, r.superseded_at, r.status) for r in oslo] == [
        (1, None, moved, "candidate"), (2, moved, None, "expired"),
    ]  # fmt: skip
    assert (await current(store))["User moved to Bergen"].supersedes == first.records[0]


JOBS = [("I work at Acme.", 2021), ("I work at Globex.", 2022), ("Actually, I work at Initech.", 2023)]


@pytest.mark.parametrize("order", list(permutations(JOBS)))
async def test_the_order_of_arrival_does_not_matter(alice: AsyncScoped, order: tuple[tuple[str, int], ...]) -> None:
    for said, year in order:
        await alice.add(says(said, timestamp=datetime(year, 1, 1, tzinfo=UTC)))
    assert (await alice.profile()).plain() == {"work": {"employer": "Initech"}}
    for year, employer in ((2021, "Acme"), (2022, "Globex"), (2023, "Initech"), (2025, "Initech")):
        found = await alice.recall("where do I work?", kinds=["fact"], as_of=datetime(year, 7, 1, tzinfo=UTC))
        assert texts(found) == [f"User works at {employer}."]


async def test_an_observed_correction_corrects_whatever_the_rules_read(store: Store, clock: FrozenClock) -> None:
    alice = await open_with(store, clock, "prefer_old")
    await alice.add(says("I live in Oslo."))
    captured = await alice.observe("I live in Bergen.", category="correction")
    assert [(d.outcome, d.reason) for d in captured.decisions] == [("superseded", "corrected by the user")]


async def test_flag_review_disputes_both(store: Store, clock: FrozenClock) -> None:
    alice = await open_with(store, clock, "flag_review")
    assert await outcomes(alice, "I live in Oslo.", "I live in Bergen.") == ["added", "disputed"]
    found = await current(store)
    assert {text: record.status for text, record in found.items()} == {
        "User lives in Oslo": "disputed", "User lives in Bergen": "disputed",
    }  # fmt: skip
    assert ", disputed) " in (await alice.context("where do I live?")).text


async def test_what_was_forgotten_is_not_taken_in(alice: AsyncScoped, store: Store) -> None:
    captured = await alice.add(says("I live in Oslo."))
    await alice.forget(record=captured.records[0])
    again = await alice.add(says("My home is in Oslo."), surface="import")
    assert [(d.outcome, d.record) for d in again.decisions] == [("forgotten", None)]
    assert again.records == ()
    assert await rows(store, Record) == []
