"""Beliefs in doubt, and what a person's verdict makes of them and of what comes later."""

from dataclasses import replace
from datetime import timedelta

import pytest

from flows.helpers import Scripted, everything, rows, says, texts
from memoranda import AsyncMemory, AsyncScoped, Event, Record, Settings
from memoranda.core.beliefs.conflicts import judge
from memoranda.core.beliefs.overlay import Overlay
from memoranda.errors import InputError, NotFoundError
from memoranda.flows.strata.review import said_again
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio


@pytest.fixture
async def doubtful(store: Store, clock: FrozenClock) -> AsyncScoped:
    """A memory that decides nothing by itself."""
    memory = await AsyncMemory.open(
        store, embedder="none", clock=clock, ids=SequentialIds(), settings=Settings(conflict_policy="flag_review")
    )
    return memory.scope(tenant="acme", user="alice")


async def live(scoped: AsyncScoped, *towns: str) -> list[str]:
    """The records that say one lives in each of these, a day apart."""
    found = []
    for town in towns:
        found += (await scoped.add(says(f"I live in {town}."))).records
        scoped._runtime.clock.advance(days=1)  # type: ignore[attr-defined] # it is frozen
    return found


async def held(scoped: AsyncScoped) -> dict[str, str]:
    """What is believed, by the last word of it: its status."""
    partition = await scoped._runtime.partitions.current(scoped.scope.owner)
    return {record.text.split()[-1].rstrip("."): record.status for record in partition.records.values()}


async def test_what_is_in_doubt_is_listed_with_what_contradicts_it(doubtful: AsyncScoped) -> None:
    assert await doubtful.review.find() == ()
    oslo, bergen = await live(doubtful, "Oslo", "Bergen")
    found = await doubtful.review.find()
    assert {one.record.id: [other.id for other in one.against] for one in found} == {oslo: [bergen], bergen: [oslo]}


async def test_what_is_accepted_ends_what_was_said_before(doubtful: AsyncScoped, store: Store) -> None:
    oslo, bergen = await live(doubtful, "Oslo", "Bergen")
    done = await doubtful.review.accept(bergen)
    assert (done.record.status, [one.id for one in done.ended], done.restored) == ("verified", [oslo], ())
    assert done.ended[0].valid_to == done.record.valid_from
    assert await held(doubtful) == {"Oslo": "expired", "Bergen": "verified"}
    assert await doubtful.review.find() == ()
    [event] = [one for one in await rows(store, Event) if one.kind == "review"]
    assert (event.content, event.metadata) == ("", {"record": bergen, "verdict": "accepted"})
    with pytest.raises(InputError, match="is verified, not in doubt"):
        await doubtful.review.accept(bergen)


async def test_what_is_accepted_makes_what_was_said_later_wrong(doubtful: AsyncScoped) -> None:
    oslo, bergen = await live(doubtful, "Oslo", "Bergen")
    done = await doubtful.review.accept(oslo)
    assert [(one.id, one.status) for one in done.ended] == [(bergen, "rejected")]
    assert await held(doubtful) == {"Oslo": "verified", "Bergen": "rejected"}


async def test_what_is_rejected_frees_what_it_stood_against(doubtful: AsyncScoped) -> None:
    oslo, bergen = await live(doubtful, "Oslo", "Bergen")
    done = await doubtful.review.reject(bergen)
    assert (done.record.status, [one.id for one in done.restored]) == ("rejected", [oslo])
    assert await held(doubtful) == {"Oslo": "candidate", "Bergen": "rejected"}
    assert "User lives in Bergen." not in texts(await doubtful.recall("Where do I live?", kinds=["fact"]))
    assert len(await doubtful.history(bergen)) > 1
    with pytest.raises(InputError, match="is rejected already"):
        await doubtful.review.reject(bergen)


async def test_of_three_in_doubt_two_are_left(doubtful: AsyncScoped) -> None:
    await live(doubtful, "Oslo", "Bergen")
    [rome] = await live(doubtful, "Rome")
    assert (await doubtful.review.reject(rome)).restored == ()
    assert await held(doubtful) == {"Oslo": "disputed", "Bergen": "disputed", "Rome": "rejected"}


async def test_what_a_wrong_belief_had_ended_holds_again(alice: AsyncScoped) -> None:
    oslo, bergen = await live(alice, "Oslo", "Bergen")
    done = await alice.review.reject(bergen)
    assert [(one.id, one.valid_to, one.status) for one in done.restored] == [(oslo, None, "candidate")]
    assert await held(alice) == {"Oslo": "candidate", "Bergen": "rejected"}


async def test_nobody_but_the_user_brings_back_what_was_rejected(alice: AsyncScoped) -> None:
    [record] = (await alice.observe("The boat leaks", source="agent")).records
    await alice.review.reject(record)
    again = await alice.observe("The boat leaks", source="agent")
    assert [(one.outcome, one.record, one.other) for one in again.decisions] == [("rejected", None, record)]
    reworded = await alice.observe("The boat leaks.", source="workflow")
    assert [one.outcome for one in reworded.decisions] == ["rejected"]
    said = await alice.observe("The boat leaks")
    assert [(one.outcome, one.record) for one in said.decisions] == [("reinforced", record)]
    assert "The boat leaks" in texts(await alice.recall("Does the boat leak?", kinds=["fact"]))


async def test_what_was_said_again_after_it_was_rejected_and_is_forgotten_is_rejected(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock
) -> None:
    [rome] = (await alice.add(says("I live in Rome."))).records
    await alice.review.reject(rome)
    clock.advance(days=1)
    again = await alice.add(says("Yes, I live in Rome!"))
    assert await held(alice) == {"Rome": "verified"}
    await alice.forget(source=again.events[0])
    assert await held(alice) == {"Rome": "rejected"}
    assert (await memory.rebuild(tenant="acme", user="alice")).same


@pytest.mark.parametrize(
    "said", ["I used to live in Rome.", "I'm moving to Rome next month.", "I'm living in Rome until Friday."]
)
async def test_what_was_rejected_as_it_is_may_have_been_or_come(
    alice: AsyncScoped, clock: FrozenClock, said: str
) -> None:
    [rome] = (await alice.add(says("I live in Rome."))).records
    await alice.review.reject(rome)
    clock.advance(days=1)
    await alice.add(says("I live in Oslo."))
    clock.advance(days=1)
    assert [one.outcome for one in (await alice.add(says(said))).decisions] == ["added"]
    assert (await held(alice))["Oslo"] == "candidate"


async def test_a_rejected_value_said_in_other_words_is_the_same_belief(alice: AsyncScoped) -> None:
    [bergen] = await live(alice, "Bergen")
    await alice.review.reject(bergen)
    [decision] = (await alice.add(says("I moved to Bergen."))).decisions
    assert (decision.outcome, decision.record) == ("reinforced", bergen)
    assert await held(alice) == {"Bergen": "verified"}


async def test_what_is_said_again_ends_what_was_believed_instead(alice: AsyncScoped) -> None:
    _, bergen = await live(alice, "Oslo", "Bergen")
    await alice.review.reject(bergen)
    [decision] = (await alice.add(says("I live in Bergen."))).decisions
    assert (decision.outcome, decision.record) == ("reinforced", bergen)
    assert await held(alice) == {"Oslo": "expired", "Bergen": "verified"}


async def test_what_is_rejected_ends_nothing(alice: AsyncScoped) -> None:
    [oslo] = await live(alice, "Oslo")
    await alice.review.reject(oslo)
    assert [one.outcome for one in (await alice.add(says("I live in Rome."))).decisions] == ["added"]
    assert await held(alice) == {"Oslo": "rejected", "Rome": "candidate"}


@pytest.mark.parametrize(
    ("sayings", "left"),
    [
        ((["I live in Rome."], ["I live in Oslo."]), {"Oslo": "verified", "Rome": "expired"}),
        ((["I live in Oslo.", "I live in Rome."],), {"Oslo": "expired", "Rome": "candidate"}),
        ((["I live in Rome.", "I live in Oslo."],), {"Oslo": "verified", "Rome": "expired"}),
    ],
)
async def test_what_was_rejected_is_said_again_among_others(
    alice: AsyncScoped, memory: AsyncMemory, clock: FrozenClock, sayings: tuple[list[str], ...], left: dict[str, str]
) -> None:
    [oslo] = await live(alice, "Oslo")
    await alice.review.reject(oslo)
    for said in sayings:
        clock.advance(days=1)
        told = await alice.add(says(*said))
    assert len(told.events) == len(said)
    assert await held(alice) == left
    assert (await memory.rebuild(tenant="acme", user="alice")).same


async def test_what_was_rejected_is_told_late(alice: AsyncScoped, clock: FrozenClock) -> None:
    [oslo] = await live(alice, "Oslo")
    await alice.review.reject(oslo)
    clock.advance(days=1)
    between = clock.now
    clock.advance(days=1)
    await alice.add(says("I live in Rome."))
    told = await alice.add(says("I live in Oslo.", timestamp=between))
    assert [(one.outcome, one.record) for one in told.decisions] == [("reinforced", oslo)]
    assert await held(alice) == {"Oslo": "expired", "Rome": "candidate"}


async def test_a_denial_of_what_was_rejected_disputes_it(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(
        store, clock=clock, ids=SequentialIds(), settings=Settings(conflict_policy="flag_review")
    )
    alice = memory.scope(tenant="acme", user="alice")
    [oslo] = await live(alice, "Oslo")
    await alice.review.reject(oslo)
    await alice.add(says("I live in Rome."))
    await alice.add(says("I live in Oslo."))
    assert await held(alice) == {"Oslo": "disputed", "Rome": "disputed"}


async def test_a_verdict_falls_with_what_it_is_on(doubtful: AsyncScoped, store: Store) -> None:
    _, bergen = await live(doubtful, "Oslo", "Bergen")
    await doubtful.review.accept(bergen)
    await doubtful.forget(record=bergen)
    assert await held(doubtful) == {"Oslo": "candidate"}
    assert [one.valid_to for one in await rows(store, Record) if one.superseded_at is None] == [None]


async def test_what_is_done_is_not_reviewed(alice: AsyncScoped) -> None:
    goal = await alice.goals.add("Sail to Oslo")
    with pytest.raises(InputError, match="has verbs of its own"):
        await alice.review.reject(goal.id)
    with pytest.raises(NotFoundError, match="gives the ids of those there are"):
        await alice.review.accept("nothing")


async def test_a_conclusion_does_not_unseat_a_statement(alice: AsyncScoped, store: Store) -> None:
    await live(alice, "Oslo")
    [said] = await rows(store, Record)
    new = replace(said, source="system_learned", certainty="inferred")
    assert judge(new, said, "prefer_new").outcome == "dispute"
    assert judge(replace(new, certainty="explicit"), said, "prefer_new").outcome == "close_old"
    assert judge(replace(new, source="user_provided"), said, "prefer_new").outcome == "close_old"


async def test_a_verdict_on_what_is_not_so_any_more_changes_nothing(alice: AsyncScoped, store: Store) -> None:
    [oslo] = await live(alice, "Oslo")
    await alice.review.reject(oslo)
    [event] = [one for one in await rows(store, Event) if one.kind == "review"]
    runtime = alice._runtime
    partition = await runtime.partitions.current(alice.scope.owner)
    known = partition.records[oslo]
    for verdict in ("accepted", "rejected"):
        here = Overlay(partition, runtime.analyzer, runtime.space, event.recorded_at)
        assert said_again(here, known, replace(event, metadata={**event.metadata, "verdict": verdict})) == []


async def test_what_holds_again_does_so_until_something_else_was_said(alice: AsyncScoped) -> None:
    oslo, bergen, rome = await live(alice, "Oslo", "Bergen", "Rome")
    done = await alice.review.reject(bergen)
    partition = await alice._runtime.partitions.current(alice.scope.owner)
    assert [(one.id, one.status) for one in done.restored] == [(oslo, "expired")]
    assert done.restored[0].valid_to == partition.records[rome].valid_from
    assert await held(alice) == {"Oslo": "expired", "Bergen": "rejected", "Rome": "candidate"}


async def test_what_was_so_for_a_time_is_so_for_that_time_again(alice: AsyncScoped, clock: FrozenClock) -> None:
    [paris] = (await alice.add(says("Until Friday I live in Paris."))).records
    partition = await alice._runtime.partitions.current(alice.scope.owner)
    friday = partition.records[paris].valid_to
    clock.advance(hours=1)
    [wrong] = (await alice.add(says("I no longer live in Paris."))).records
    done = await alice.review.reject(wrong)
    assert friday is not None
    assert [(one.id, one.valid_to) for one in done.restored] == [(paris, friday)]


async def test_no_older_word_of_the_user_brings_back_what_was_rejected(
    alice: AsyncScoped, memory: AsyncMemory, clock: FrozenClock
) -> None:
    project = memory.scope(tenant="acme", user="alice", channel="boats")
    for talk in ("c1", "c2"):
        await project.add(says("I live in Oslo."), conversation=talk)
        clock.advance(hours=1)
    [oslo] = await live(alice, "Oslo")
    await alice.review.reject(oslo)
    for _ in range(6):
        clock.advance(minutes=5)
        await project.recall("Where do I live?", kinds=["fact"])
    assert (await memory.run_job("promote_global", tenant="acme", user="alice")).outcome == "empty"
    old = await alice.add(says("I live in Oslo.", timestamp="2025-12-24T10:00:00+00:00"), conversation="c9")
    assert [one.outcome for one in old.decisions] == ["rejected"]
    assert (await held(alice)) == {"Oslo": "rejected"}
    again = await alice.add(says("I live in Oslo."))
    assert [one.outcome for one in again.decisions] == ["reinforced"]


async def test_a_more_precise_wording_decides_no_dispute(store: Store, clock: FrozenClock) -> None:
    same = Scripted(harbour=[1.0])
    memory = await AsyncMemory.open(store, embedder=same, clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    said = "The harbour is not open for ships"
    await alice.observe("The harbour is open for ships")
    await alice.observe(said, source="workflow")
    more = await alice.observe(f"{said} and barges from the far north", source="workflow")
    assert [one.outcome for one in more.decisions] == ["merged"]
    assert [one.record.text for one in await alice.review.find()] == [
        "The harbour is not open for ships and barges from the far north"
    ]


# ------------------------------------------------------------------------------------------------ mending


async def turn(scoped: AsyncScoped, question: str, text: str) -> tuple[str, str | None]:
    """The status of a turn in an answer, and the id of what ended it."""
    return next((one.status, one.superseded_by) for one in await scoped.recall(question) if one.text == text)


async def test_what_is_corrected_never_held_and_what_is_right_takes_its_place(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock
) -> None:
    [rome] = await live(alice, "Rome")
    clock.advance(days=1)
    done = await alice.correct(rome, "I live in Oslo.")
    assert (done.record.text, done.record.status, done.record.supersedes) == ("User lives in Oslo.", "verified", rome)
    assert [(one.id, one.status) for one in done.ended] == [(rome, "rejected")]
    assert done.record.valid_from == done.ended[0].valid_from
    assert await turn(alice, "Where do I live?", "I live in Rome.") == ("expired", done.record.sources[0])
    assert [one.status for one in await alice.history(rome)] == ["candidate", "rejected", "verified"]
    assert (await memory.rebuild(tenant="acme", user="alice")).same
    with pytest.raises(InputError, match="is rejected already"):
        await alice.correct(rome, "I live in Bergen.")


async def test_what_a_corrected_belief_had_ended_holds_again_unless_the_right_one_ends_it(alice: AsyncScoped) -> None:
    oslo, bergen = await live(alice, "Oslo", "Bergen")
    [rome] = (await alice.correct(bergen, "I live in Rome.")).record.sources
    assert await held(alice) == {"Oslo": "expired", "Bergen": "rejected", "Rome": "verified"}
    await alice.forget(source=rome)
    assert await held(alice) == {"Oslo": "expired", "Bergen": "candidate"}
    done = await alice.correct(bergen, "I visited Bergen in May 2025.")
    assert [one.id for one in done.restored] == [oslo]


async def test_a_correction_of_a_sentence_leaves_its_other_half(alice: AsyncScoped) -> None:
    await alice.add(says("I live in Rome and I work at Acme."))
    [rome] = await alice.records(text="Rome")
    await alice.correct(rome.id, "I live in Oslo and I like tea.")
    found = {one.text: one.supersedes for one in await alice.records(statuses=["candidate", "verified"])}
    assert found == {"User works at Acme.": None, "User lives in Oslo.": rome.id, "User likes tea.": None}
    assert (await turn(alice, "Where do I live?", "I live in Rome and I work at Acme."))[0] == ""


async def test_a_correction_in_which_nothing_is_read_is_of_the_kind_of_what_it_corrects(alice: AsyncScoped) -> None:
    [taste] = (await alice.observe("Mails in blue", category="preference")).records
    done = await alice.correct(taste, "Mails in green")
    assert (done.record.text, done.record.kind, done.record.supersedes) == ("Mails in green", "preference", taste)


async def test_what_corrects_nothing_says_so(memory: AsyncMemory, alice: AsyncScoped) -> None:
    [record] = (await alice.observe("The boat leaks")).records
    with pytest.raises(InputError, match="says just that"):
        await alice.correct(record, "the boat leaks")
    with pytest.raises(NotFoundError, match="There is no record"):
        await memory.scope(tenant="acme", user="bob").correct(record, "The car leaks")
    await alice.observe("The secret boat is called Ida")
    await alice.forget(value="Ida", for_good=True)
    with pytest.raises(InputError, match="forgotten for good"):
        await alice.correct(record, "The boat Ida leaks")
    assert (await alice.record(record)).status == "candidate"


async def test_only_the_user_corrects_by_naming_a_record(memory: AsyncMemory, alice: AsyncScoped) -> None:
    [record] = (await alice.observe("The boat leaks")).records
    writer = memory.scope(tenant="acme", user="alice", agent="writer", channel="inbox")
    notes = {"corrects": record}
    await alice.observe("The car rusts", source="agent", category="correction", metadata=notes)
    await alice.observe("The tent is torn", metadata=notes)
    await writer.observe("The roof is new", category="correction", metadata=notes)
    await alice.observe("The boat leaks!", category="correction", metadata=notes)
    await alice.observe("The bell rings", category="correction", metadata={"corrects": "nothing"})
    assert (await alice.record(record)).status == "verified"
    await alice.observe("The kettle whistles", category="correction", metadata=notes)
    assert (await alice.record(record)).status == "rejected"


async def test_what_ended_was_true_before(memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock) -> None:
    [rome] = await live(alice, "Rome")
    done = await alice.end(rome, because="We moved.")
    assert (done.record.status, done.record.valid_to) == ("expired", clock())
    assert (await turn(alice, "Where do I live?", "I live in Rome."))[0] == "expired"
    assert (await memory.rebuild(tenant="acme", user="alice")).same
    [event] = await alice.events(kind="review")
    assert (event.event.content, event.event.metadata["record"]) == ("We moved.", rome)
    with pytest.raises(InputError, match="holds no more since"):
        await alice.end(rome)
    await alice.forget(source=event.event.id)
    assert await held(alice) == {"Rome": "candidate"}


async def test_what_will_end_holds_until_then(memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock) -> None:
    [rome] = await live(alice, "Rome")
    done = await alice.end(rome, at=clock() + timedelta(days=3))
    assert (done.record.status, done.record.valid_to) == ("candidate", clock() + timedelta(days=3))
    assert (await turn(alice, "Where do I live?", "I live in Rome."))[0] == ""
    assert (await alice.end(rome)).record.status == "expired"
    assert (await memory.rebuild(tenant="acme", user="alice")).same


async def test_the_turn_of_a_wrong_word_of_the_past_is_marked(alice: AsyncScoped) -> None:
    [rome] = (await alice.add(says("I used to live in Rome."))).records
    await alice.review.reject(rome)
    assert (await turn(alice, "Where did I live?", "I used to live in Rome."))[0] == "expired"


async def since(memory: AsyncMemory, alice: AsyncScoped) -> dict[str, int]:
    """The hour at which each statement begins to hold, which the log gives, too."""
    assert (await memory.rebuild(tenant="acme", user="alice")).same
    return {one.text.split()[-1]: one.valid_from.hour for one in await alice.records()}


async def test_what_is_right_holds_since_what_was_wrong_as_far_as_that_is_left(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock
) -> None:
    first = (await alice.add(says("I live in Rome."))).events[0]
    nine = clock().hour
    clock.advance(hours=1)
    [second], [rome] = (again := await alice.add(says("I live in Rome."))).events, again.records
    clock.advance(hours=1)
    oslo = (await alice.correct(rome, "I live in Oslo.")).record.id
    clock.advance(hours=1)
    [repeated] = (await alice.add(says("I live in Oslo."))).events
    clock.advance(hours=1)
    await alice.correct(oslo, "I live in Bergen.")
    assert await since(memory, alice) == {"Rome.": nine, "Oslo.": nine, "Bergen.": nine}
    await alice.forget(source=repeated)
    assert await since(memory, alice) == {"Rome.": nine, "Oslo.": nine, "Bergen.": nine}
    await alice.forget(source=first)
    assert await since(memory, alice) == {"Rome.": nine + 1, "Oslo.": nine + 1, "Bergen.": nine + 1}
    await alice.forget(source=second)
    assert await since(memory, alice) == {"Oslo.": nine + 2, "Bergen.": nine + 2}
    await alice.forget(record=oslo)
    assert await since(memory, alice) == {"Bergen.": nine + 4}


async def test_why_something_ended_is_forgotten_with_it(memory: AsyncMemory, alice: AsyncScoped, store: Store) -> None:
    [rome, bergen] = await live(alice, "Rome", "Bergen")
    await alice.end(bergen, because="The landlord Zyxwvut threw me out.")
    assert (await alice.forget(record=rome)).removed["events"] == 1
    assert len(await alice.events(kind="review")) == 1
    assert (await alice.forget(record=bergen)).removed["events"] == 2
    assert "Zyxwvut" not in repr(await everything(store))
    assert (await memory.rebuild(tenant="acme", user="alice")).same
