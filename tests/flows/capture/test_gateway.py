"""What becomes of a statement, given what is known."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest

from flows.helpers import MORNING, Scripted, outcomes, rows, says, texts
from memoranda import AsyncMemory, AsyncScoped, Record, Settings
from memoranda.core.beliefs.admission import Admission
from memoranda.core.beliefs.conflicts import Policy
from memoranda.core.beliefs.overlay import Overlay
from memoranda.core.image.image import Partition
from memoranda.core.rows.changes import Batch
from memoranda.core.text.terms import Analyzer
from memoranda.flows.capture.events import TRUST
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


async def test_what_is_over_does_not_reinforce_what_was(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    await alice.add(says("I'm diabetic."))
    clock.advance(days=1)
    (decision,) = (await alice.add(says("I'm not diabetic any more."))).decisions
    assert decision.outcome == "superseded"
    assert await held(store) == {"User is not diabetic"}


@pytest.mark.parametrize(
    "said", ["I moved to Bergen this week.", "I joined Globex today.", "We decided to use Helix this month."]
)
async def test_what_happened_this_week_outlasts_it(alice: AsyncScoped, store: Store, said: str) -> None:
    await alice.add(says(said))
    assert len(await held(store)) == 1


async def test_what_is_so_for_a_time_leaves_the_rest_as_it_is(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.add(says("I live in Oslo."))
    clock.advance(days=1)
    start = clock.now
    for said in ("I live in Lisbon until Friday.", "I live in Rome until Friday."):
        await alice.add(says(said, timestamp=clock.now))
        clock.advance(hours=1)
    meanwhile = (await alice.profile()).plain()
    assert meanwhile["location"]["city"] == ["Oslo", "Rome"]
    clock.advance(days=14)
    assert (await alice.profile()).plain()["location"]["city"] == "Oslo"
    again = await alice.add(says("I live in Rome until Friday."))
    assert again.decisions[0].outcome == "added"
    assert (await alice.profile(now=start)).plain() != meanwhile


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
async def test_what_is_so_for_a_time_and_for_good_are_two(
    alice: AsyncScoped, clock: FrozenClock, order: tuple[int, int]
) -> None:
    for number in order:
        await alice.add(says(("Ich wohne in Rom.", "Ich wohne bis Freitag in Rom.")[number]))
        clock.advance(hours=1)
    clock.advance(days=14)
    assert (await alice.profile()).plain()["location"]["city"] == "Rom"


async def test_a_date_that_is_stated_is_not_since_when_it_holds(
    alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    await alice.add(says("The deadline is 3 March."))
    clock.advance(days=1)
    await alice.add(says("The deadline moved to 10 March."))
    (later,) = [record for record in (await current(store)).values() if record.valid_to is None]
    assert (later.value, later.valid_from) == ("10 March", clock.now)


async def test_the_same_words_reinforce(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    first = await alice.add(says("I live in Oslo."))
    first_importance = (await rows(store, Record))[0].importance
    clock.advance(days=1)
    second = await alice.add(says("i live in OSLO"))
    (before,) = first.decisions
    (after,) = second.decisions
    assert (after.outcome, after.record, after.other) == ("reinforced", before.record, before.record)
    (record,) = await rows(store, Record)
    assert record.sources == (*first.events, *second.events)
    assert record.importance == pytest.approx(first_importance + 0.05)
    assert (record.version, record.valid_from) == (1, MORNING)


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


COFFEE = ["The coffee goes to Ann", "The filter coffee goes to Ann"]


@pytest.mark.parametrize("order", list(permutations(COFFEE)))
@pytest.mark.parametrize("mine", COFFEE)
async def test_the_words_of_who_is_trusted_more_stay(
    store: Store, clock: FrozenClock, mine: str, order: tuple[str, str]
) -> None:
    alice = await open_with(store, clock, embedder=Scripted(coffee=[1.0]))
    for said in order:
        told = await alice.observe(said, source="user_provided" if said == mine else "workflow")
        clock.advance(hours=1)
    found = [one for one in await rows(store, Record) if one.superseded_at is None]
    assert [(one.text, one.trust, one.source) for one in found] == [(mine, 1.0, "user_provided")]
    wording = "new" if order[1] == mine else "earlier"
    assert told.decisions[0].reason == f"said before; the {wording} wording is more trusted"


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


async def test_what_differs_in_one_word_is_an_alternative_however_near(store: Store, clock: FrozenClock) -> None:
    alice = await open_with(store, clock, embedder=Scripted(pot=[1.0]))
    said = ["The key lies under the left pot", "The key lies under the right pot", "A key lies under that left pot"]
    decisions = [(await alice.observe(text)).decisions[0].outcome for text in said]
    assert decisions == ["added", "added", "merged"]
    assert len(await held(store)) == 2


async def test_other_words_for_one_value_do_not_end_one_another(store: Store, clock: FrozenClock) -> None:
    alice = await open_with(store, clock, embedder=Scripted(york=[1.0]))
    said = ["I live in New York.", "I live in New York City.", "I live in New York."]
    assert [await outcomes(alice, text) for text in said] == [["added"], ["merged"], ["merged"]]
    assert await held(store) == {"User lives in New York City"}


async def test_of_two_wordings_the_one_that_arrives_late_is_fitted_too(store: Store, clock: FrozenClock) -> None:
    alice = await open_with(store, clock, embedder=Scripted(coffee=[1.0]))
    for month, text in ((5, "I like coffee."), (3, "I no longer like filter coffee."), (1, "I like filter coffee.")):
        await alice.add(says(text, timestamp=datetime(2021, month, 1, tzinfo=UTC)))
    spans = {text: (record.valid_from.month, record.valid_to and record.valid_to.month)
             for text, record in (await current(store)).items()}  # fmt: skip
    assert spans == {
        "User likes coffee": (5, None), "User no longer likes filter coffee": (3, None),
        "User likes filter coffee": (1, 3),
    }  # fmt: skip


async def test_without_vectors_shared_terms_tell_the_same(store: Store, clock: FrozenClock) -> None:
    alice = await open_with(store, clock)
    first = await alice.observe("The red crab of Tidepool sleeps below the big grey rock")
    second = await alice.observe("The red crab of Tidepool sleeps below the grey rock")
    third = await alice.observe("The red crab of Tidepool eats")
    assert [item.decisions[0].outcome for item in (first, second, third)] == ["added", "merged", "added"]


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        ("The door of room 12 is green as grass", "The door of room 14 is green as grass", "added"),
        ("The harbour gate is open on every sunday", "The harbour gate is closed on every sunday", "added"),
        ("The old lighthouse stands in Serbia near Europe", "The old lighthouse stands in Serbia near Asia", "added"),
        ("The harbour gate is locked on every sunday", "The harbour gate is not locked on every sunday", "superseded"),
        ("The harbour gate is not locked on every sunday", "The harbour gate is locked on every sunday", "superseded"),
    ],
)
async def test_what_differs_in_a_number_or_a_name_or_denies_is_not_the_same(
    store: Store, clock: FrozenClock, first: str, second: str, outcome: str
) -> None:
    alice = await open_with(store, clock, embedder=Scripted(the=[1.0]))
    await alice.observe(first)
    captured = await alice.observe(second)
    assert [decision.outcome for decision in captured.decisions] == [outcome]
    assert await held(store) == ({first, second} if outcome == "added" else {second})


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


async def test_a_denial_ends_what_it_denies(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    first = await alice.add(says("I work at Globex."))
    left = clock.advance(days=10)
    second = await alice.add(says("I no longer work at Globex."))
    assert [(d.outcome, d.other) for d in second.decisions] == [("superseded", first.records[0])]
    ended = (await current(store))["User works at Globex"]
    assert (ended.valid_to, ended.status) == (left, "expired")
    assert "work" not in (await alice.profile()).plain()


async def test_what_used_to_be_so_ends_what_was_held(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    first = await alice.add(says("I live in Oslo."))
    left = clock.advance(days=10)
    second = await alice.add(says("I used to live in Oslo."))
    assert [(d.outcome, d.other) for d in second.decisions] == [("ended", first.records[0])]
    ended = (await current(store))["User lives in Oslo"]
    assert (ended.valid_to, ended.status) == (left, "expired")
    assert await outcomes(alice, "I used to live in Rome.") == ["added"]
    assert await held(store) == set()


async def test_what_is_past_does_not_end_what_is_current(alice: AsyncScoped, store: Store) -> None:
    assert await outcomes(alice, "I live in Oslo.", "I used to live in Rome.") == ["added", "added"]
    assert await held(store) == {"User lives in Oslo"}


async def test_what_is_older_is_filed(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    await alice.add(says("I live in Oslo."))
    captured = await alice.add(says("I live in Rome.", timestamp=clock.now - timedelta(days=900)))
    assert [(d.outcome, d.reason) for d in captured.decisions] == [("filed", "older than what is known")]
    filed = (await current(store))["User lives in Rome"]
    assert (filed.valid_from, filed.valid_to) == (MORNING - timedelta(days=900), MORNING)
    assert await held(store) == {"User lives in Oslo"}


async def test_what_began_earlier_is_not_what_was_said_earlier(alice: AsyncScoped, clock: FrozenClock) -> None:
    assert await outcomes(alice, "I live in Paris.") == ["added"]
    clock.advance(days=1)
    assert await outcomes(alice, "I have lived in Berlin since 2015.") == ["superseded"]
    assert (await alice.profile()).plain() == {"location": {"city": "Berlin"}}


JOBS = [("I work at Acme.", 2021), ("I work at Globex.", 2022), ("Actually, I work at Initech.", 2023)]


@pytest.mark.parametrize("order", list(permutations(JOBS)))
async def test_the_order_of_arrival_does_not_matter(alice: AsyncScoped, order: tuple[tuple[str, int], ...]) -> None:
    for said, year in order:
        await alice.add(says(said, timestamp=datetime(year, 1, 1, tzinfo=UTC)))
    assert (await alice.profile()).plain() == {"work": {"employer": "Initech"}}
    for year, employer in ((2021, "Acme"), (2022, "Globex"), (2023, "Initech"), (2025, "Initech")):
        found = await alice.recall("where do I work?", kinds=["fact"], as_of=datetime(year, 7, 1, tzinfo=UTC))
        assert texts(found) == [f"User works at {employer}."]


async def test_what_was_said_before_it_was_known_holds_from_then(alice: AsyncScoped, store: Store) -> None:
    early, middle, late = (datetime(year, 1, 1, tzinfo=UTC) for year in (2021, 2022, 2023))
    for said, at in (("I like tea.", late), ("I like tea.", early), ("I like tea.", middle)):
        await alice.add(says(said, timestamp=at))
    [record] = (await current(store)).values()
    assert (record.valid_from, record.valid_to, len(record.sources)) == (early, None, 3)
    for said, at in (("I live in Oslo.", late), ("I live in Rome.", middle), ("I live in Oslo.", early)):
        await alice.add(says(said, timestamp=at))
    spans = [(r.valid_from, r.valid_to) for r in await rows(store, Record)
             if r.text.startswith("User lives in Oslo") and r.superseded_at is None]  # fmt: skip
    assert spans == [(late, None), (early, middle)]
    assert await outcomes(alice, "I live in Oslo.", conversation="again") == ["reinforced"]
    captured = await alice.add(says("I live in Oslo.", timestamp=early + timedelta(days=9)))
    assert [decision.outcome for decision in captured.decisions] == ["reinforced"]


async def test_an_old_past_does_not_end_what_was_said_since(
    alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    await alice.add(says("I live in Oslo."))
    await alice.add(says("I used to live in Oslo.", timestamp=clock.now - timedelta(days=900)))
    assert await held(store) == {"User lives in Oslo"}


async def test_prefer_old_files_the_new_and_a_correction_wins_all_the_same(store: Store, clock: FrozenClock) -> None:
    alice = await open_with(store, clock, "prefer_old")
    assert await outcomes(alice, "I live in Oslo.") == ["added"]
    clock.advance(days=1)
    assert await outcomes(alice, "I live in Bergen.") == ["filed"]
    assert await held(store) == {"User lives in Oslo"}
    captured = await alice.add(says("Actually, I live in Trondheim."))
    assert [(d.outcome, d.reason) for d in captured.decisions] == [("superseded", "corrected by the user")]
    assert await held(store) == {"User lives in Trondheim"}
    assert (await current(store))["User lives in Trondheim"].status == "verified"


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
    assert "(disputed)" in (await alice.context("where do I live?")).text


async def test_two_rivals_are_both_closed(store: Store, clock: FrozenClock) -> None:
    review = await open_with(store, clock, "flag_review")
    await review.add(says("I live in Oslo.", "I live in Bergen."))
    alice = await open_with(store, clock)
    clock.advance(days=1)
    assert await outcomes(alice, "I live in Rome.") == ["superseded"]
    assert await held(store) == {"User lives in Rome"}


async def test_places_do_not_contradict_one_another(memory: AsyncMemory, store: Store) -> None:
    for place in ({}, {"agent": "a"}, {"channel": "c"}):
        scoped = memory.scope(tenant="acme", user="alice", **place)
        assert await outcomes(scoped, f"I live in {place.get('agent', 'Oslo').title()}{len(place)}.") == ["added"]
    assert len(await held(store)) == 3


async def test_what_ended_and_is_said_again_holds_again(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    for before in ("added", "superseded", "superseded"):
        assert await outcomes(alice, "I live in Oslo.") == [before]
        clock.advance(days=1)
        assert await outcomes(alice, "I no longer live in Oslo.") == ["superseded"]
        assert (await alice.profile()).plain() == {}
        clock.advance(days=1)
    assert await outcomes(alice, "I live in Oslo.", "I live in Oslo.") == ["superseded", "reinforced"]
    assert (await alice.profile()).plain() == {"location": {"city": "Oslo"}}
    spans = [(r.valid_from, r.valid_to) for r in await rows(store, Record)
             if r.text.startswith("User lives in Oslo") and r.superseded_at is None]  # fmt: skip
    assert len(spans) == 4


async def test_what_was_superseded_by_a_wording_that_ended_can_be_said_again(store: Store, clock: FrozenClock) -> None:
    alice = await open_with(store, clock, embedder=Scripted(coffee=[1.0]))
    assert await outcomes(alice, "I like coffee.", "I like filter coffee.") == ["added", "merged"]
    clock.advance(days=1)
    assert await outcomes(alice, "I no longer like filter coffee.") == ["superseded"]
    clock.advance(days=1)
    captured = await alice.add(says("I like coffee."))
    (record,) = captured.records
    assert record in {item.id for item in (await current(store)).values()}
    assert "User likes coffee" in await held(store)


async def test_what_was_past_and_is_said_again_is_reinforced(alice: AsyncScoped, clock: FrozenClock) -> None:
    assert await outcomes(alice, "I used to live in Rome.") == ["added"]
    clock.advance(days=1)
    assert await outcomes(alice, "I used to live in Rome.") == ["reinforced"]


async def test_what_was_forgotten_is_not_taken_in(alice: AsyncScoped, store: Store) -> None:
    captured = await alice.add(says("I live in Oslo."))
    await alice.forget(record=captured.records[0])
    again = await alice.add(says("My home is in Oslo."), surface="import")
    assert [(d.outcome, d.record) for d in again.decisions] == [("forgotten", None)]
    assert again.records == ()
    assert await rows(store, Record) == []


@pytest.mark.parametrize(
    ("policy", "hours", "status", "outcomes"),
    [
        ("prefer_new", 1, "expired", ["added", "ended"]),
        ("prefer_new", -1, "candidate", ["added"]),
        ("prefer_old", 1, "candidate", ["added"]),
        ("flag_review", 1, "disputed", ["added", "disputed"]),
    ],
)
async def test_what_is_named_is_overruled(
    alice: AsyncScoped, store: Store, policy: Policy, hours: int, status: str, outcomes: list[str]
) -> None:
    await alice.observe("The ferry goes from the old pier")
    (known,) = await rows(store, Record)
    partition = Partition(alice.scope.owner, "", 0)
    partition.absorb(records=[known])
    admission = Admission(Overlay(partition, Analyzer(str), "", MORNING), policy)
    said = known.valid_from + timedelta(hours=hours)
    new = replace(known, id="new", text="The pier is gone", hash="h", sources=("e2",), valid_from=said, seq=0)
    admission.admit(new, said=said)
    admission.overrule(new, [known.id, "new", "unknown"], (said, "e2"))
    assert [one.outcome for one in admission.decisions] == outcomes
    assert [one.status for one in admission.overlay.records() if one.id == known.id] == [status]
    admission.overrule(new, [known.id], (said, "e2"))
    assert [one.status for one in admission.overlay.records() if one.id == known.id] == [status]


async def test_a_less_trusted_source_is_disputed_and_disputes_nothing(alice: AsyncScoped, store: Store) -> None:
    """The rules read only the user, so a rival of lower trust is planned here by hand."""
    await alice.add(says("I live in Oslo."))
    (known,) = await rows(store, Record)
    partition = Partition(alice.scope.owner, "", 0)
    partition.absorb(records=[known])
    admission = Admission(Overlay(partition, Analyzer(str), "", MORNING), "prefer_new")
    rumour = replace(known, id="r", text="User lives in Rome", value="Rome", trust=0.4, source="tool_indexed", hash="h")
    assert admission.admit(rumour).outcome == "disputed"
    await store.apply(Batch(owner=alice.scope.owner, changes=tuple(admission.overlay.changes)))
    found = {record.value: record.status for record in (await current(store)).values()}
    assert found == {"Oslo": "candidate", "Rome": "disputed"}
