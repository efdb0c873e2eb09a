"""A bare correction puts right what the same speaker said a moment before, there and nowhere else."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.helpers import everything, outcomes, rows, says, texts
from memoranda import AsyncMemory, AsyncScoped, Memory
from memoranda.core.base.scope import Owner
from memoranda.core.rows import Event, Record, Vector
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio

TALK = {"conversation": "c1"}


async def held(store: Store) -> list[str]:
    """The texts of what is believed now."""
    return [row.text for row in await rows(store, Record) if row.superseded_at is None and row.valid_to is None]


@pytest.mark.parametrize("calls", [1, 2])
async def test_what_was_meant_takes_the_place_of_what_was_said(alice: AsyncScoped, store: Store, calls: int) -> None:
    said = ["I live in Porto.", "Actually it's Lisbon, not Porto."]
    if calls == 1:
        captured = await alice.add(says(*said), **TALK)
    else:
        await alice.add(says(said[0]), **TALK)
        captured = await alice.add(says(said[1]), **TALK)
    assert captured.decisions[-1].outcome == "superseded"
    assert captured.unextracted == 0
    assert await held(store) == ["User lives in Lisbon."]
    new = captured.decisions[-1].record
    versions = await alice.history(new)
    assert [version.text for version in versions] == [
        "User lives in Porto.",
        "User lives in Porto.",
        "User lives in Lisbon.",
    ]
    old, withdrawn, record = versions
    assert withdrawn.valid_from == withdrawn.valid_to
    assert (record.supersedes, record.status, record.editor) == (old.id, "verified", "amendment")
    first, second = await rows(store, Event)
    assert record.sources == (first.id, second.id)
    assert (first.extraction, second.extraction) == ("extracted", "extracted")
    assert record.valid_from == old.valid_from
    vectors = {row.ref: row.data for row in await rows(store, Vector)}
    assert vectors[record.id] == vectors[old.id]
    assert [item.text for item in await alice.recall("Where do I live?") if item.of == "record"] == [record.text]


@pytest.mark.parametrize(
    ("said", "correction", "meant"),
    [
        ("我养了3只猫。", "不对，是4只。", "用户有4只猫。"),
        ("我在Google工作。", "不是Google，是Apple。", "用户在Apple工作。"),
        ("我住在北京。", "不对，我是说上海。", "用户住在上海。"),
    ],
)
async def test_numbers_and_names_are_put_right_where_no_blanks_are(
    alice: AsyncScoped, store: Store, said: str, correction: str, meant: str
) -> None:
    await alice.add(says(said, correction), **TALK)
    assert await held(store) == [meant]


async def test_the_place_that_was_not_meant_is_no_longer_named(alice: AsyncScoped, store: Store) -> None:
    await alice.add(says("I visited Porto with Greta Lindqvist.", "Lisbon, not Porto."), **TALK)
    names = {row.id: row.name for row in (await everything(store))["entities"]}  # type: ignore[attr-defined]
    record = next(row for row in await rows(store, Record) if row.editor == "amendment")
    assert {names[entity] for entity in record.entities} == {"lisbon", "greta lindqvist"}
    await alice.add(says("I visited Greta Lindqvist.", "Not Greta Lindqvist, Lena Lindqvist."), conversation="c2")
    newest = next(row for row in await rows(store, Record) if row.supersedes and row.conversation == "c2")
    assert newest.text == "User visited Lena Lindqvist."
    assert "greta lindqvist" not in {names.get(entity) for entity in newest.entities}


async def test_a_plan_keeps_its_end_in_step_with_its_time(alice: AsyncScoped, store: Store) -> None:
    await alice.add(says("My exam is on Wednesday.", "Sorry, I meant Thursday."), **TALK)
    plan = next(row for row in await rows(store, Record) if row.editor == "amendment")
    assert plan.text == "User's exam is on Thursday."
    assert plan.valid_to is not None
    assert plan.valid_to.day == 9  # the frozen clock starts on Monday the 5th


async def test_what_has_begun_begins_when_it_was_meant_to(alice: AsyncScoped, store: Store) -> None:
    await alice.add(says("I moved to Oslo in 2019.", "I meant 2020."), **TALK)
    record = next(row for row in await rows(store, Record) if row.editor == "amendment")
    assert (record.text, record.valid_from.year) == ("User moved to Oslo in 2020.", 2020)


@pytest.mark.parametrize(
    ("asked", "speaker", "amended"),
    [
        ("Is your meeting at 4 then?", None, False),
        ("Does Bob live in Paris?", None, False),
        ("How is the weather?", "Ada", True),
        ("You have 3 cats, right?", None, True),
        ("It is 20 degrees outside.", None, True),
    ],
)
@pytest.mark.parametrize("calls", [1, 3])
async def test_an_answer_to_a_question_about_something_else_puts_nothing_right(
    alice: AsyncScoped, store: Store, asked: str, speaker: str | None, amended: bool, calls: int
) -> None:
    turns = [*says("I have 3 cats."), *says(asked, role="assistant", name=speaker), *says("No, it's 5.")]
    for call in [turns] if calls == 1 else [[turn] for turn in turns]:
        await alice.add(call, **TALK)
    assert await held(store) == ["User has 5 cats." if amended else "User has 3 cats."]


async def test_a_turn_that_puts_right_itself_is_no_answer(alice: AsyncScoped, store: Store) -> None:
    await alice.add([*says("Is your meeting at 4?", role="assistant"), *says("I have 3 cats. Sorry, it's 5.")], **TALK)
    assert await held(store) == ["User has 5 cats."]


async def test_where_nothing_fits_the_turn_stays_a_turn(alice: AsyncScoped, store: Store) -> None:
    captured = await alice.add(says("I live in Porto.", "No, I meant Thursday."), **TALK)
    assert captured.unextracted == 1
    assert await held(store) == ["User lives in Porto."]
    assert "No, I meant Thursday." in texts(await alice.recall("What was meant?"))


async def test_it_looks_back_a_few_turns_and_no_further(alice: AsyncScoped, store: Store) -> None:
    await alice.add(says("I live in Porto.", *["Well."] * 10, "Lisbon, not Porto."), **TALK)
    assert await held(store) == ["User lives in Porto."]
    await alice.add(says("I work in Porto.", *["Well."] * 9, "Lisbon, not Porto."), conversation="c2")
    assert "User works in Porto." not in await held(store)


async def test_a_turn_can_put_right_what_it_said_itself(alice: AsyncScoped, store: Store) -> None:
    captured = await alice.add(says("I live in Porto. Sorry, I meant Lisbon."), **TALK)
    assert [decision.outcome for decision in captured.decisions] == ["added", "superseded"]
    assert await held(store) == ["User lives in Lisbon."]
    assert captured.unextracted == 0


async def test_what_a_turn_goes_on_to_say_is_not_what_it_puts_right(alice: AsyncScoped, store: Store) -> None:
    await alice.add(says("I live in Porto.", "Sorry, I meant Lisbon. I work in Rome."), **TALK)
    assert "User lives in Lisbon." in await held(store)
    await alice.add(says("Sorry, I meant Lisbon. I live in Bergen."), conversation="c2")
    assert "User lives in Bergen." in await held(store)


async def test_nobody_puts_right_what_another_said(alice: AsyncScoped, store: Store) -> None:
    await alice.add([*says("I live in Porto.", name="Ada"), *says("Lisbon, not Porto.", name="Bo")], **TALK)
    assert await held(store) == ["Ada lives in Porto."]
    await alice.add(says("Lisbon, not Porto.", role="assistant"), **TALK)
    assert await held(store) == ["Ada lives in Porto."]


async def test_what_was_also_said_elsewhere_or_outside_of_a_conversation_stays(
    alice: AsyncScoped, store: Store
) -> None:
    await alice.add(says("I live in Porto."), conversation="c0")
    await alice.add(says("I live in Porto.", "Lisbon, not Porto."), **TALK)
    await alice.add(says("I like tea.", "Coffee, not tea."))
    assert sorted(await held(store)) == ["User lives in Porto.", "User likes tea."][::-1]


async def test_a_statement_beside_the_correction_is_read_as_one(alice: AsyncScoped, store: Store) -> None:
    assert await outcomes(alice, "I live in Porto.", "Actually, I live in Lisbon.", **TALK) == ["added", "superseded"]
    assert [row.editor for row in await rows(store, Record) if row.value == "Lisbon"] == ["en:lives"]


async def test_a_correction_of_a_correction(alice: AsyncScoped, store: Store) -> None:
    await alice.add(says("I have 3 cats.", "Sorry, not 3, 4.", "No, I meant 5."), **TALK)
    assert await held(store) == ["User has 5 cats."]


async def test_what_is_known_already_is_said_once_more(alice: AsyncScoped, store: Store) -> None:
    await alice.add(says("I love coffee."), conversation="c0")
    captured = await alice.add(says("I love tea.", "Coffee, not tea."), **TALK)
    assert [decision.outcome for decision in captured.decisions] == ["added", "reinforced"]
    assert await held(store) == ["User loves coffee."]


async def test_without_an_embedder_there_is_no_vector_to_pass_on(store: Store) -> None:
    memory = await AsyncMemory.open(store, embedder="none")
    alice = memory.scope(tenant="acme", user="alice")
    captured = await alice.add(says("I live in Porto.", "Lisbon, not Porto."), **TALK)
    assert [decision.outcome for decision in captured.decisions] == ["added", "superseded"]


async def test_what_was_forgotten_does_not_come_back_as_an_amendment(alice: AsyncScoped, store: Store) -> None:
    captured = await alice.add(says("I live in Lisbon."), conversation="c0")
    await alice.forget(record=captured.records[0])
    captured = await alice.add(says("I live in Porto.", "Lisbon, not Porto."), **TALK, surface="import")
    assert captured.unextracted == 1
    assert await held(store) == ["User lives in Porto."]


async def test_an_amendment_falls_with_what_it_puts_right(alice: AsyncScoped, store: Store) -> None:
    captured = await alice.add(says("I live in Porto.", "Lisbon, not Porto."), **TALK)
    await alice.forget(source=captured.events[0])
    assert await rows(store, Record) == []


@pytest.mark.parametrize(
    ("forgotten", "left"),
    [
        ([0], ["User lives in Bergen."]),
        ([1], ["User lives in Bergen."]),
        ([0, 1], ["User lives in Bergen."]),
        ([2], ["User lives in Bergen."]),
        ([2, 0], []),
        ([2, 1], ["User lives in Oslo."]),
    ],
)
async def test_what_was_amended_and_said_rests_on_either(
    alice: AsyncScoped, store: Store, clock: FrozenClock, forgotten: list[int], left: list[str]
) -> None:
    said = []
    for text, where in (("I live in Oslo.", "c1"), ("No, I meant Bergen.", "c1"), ("I live in Bergen.", "c2")):
        said += (await alice.add(says(text), conversation=where)).events
        clock.advance(days=1)
    for number in forgotten:
        await alice.forget(source=said[number])
    assert await held(store) == left


async def test_without_the_correction_what_was_said_holds_again(alice: AsyncScoped, store: Store) -> None:
    captured = await alice.add(says("I live in Porto.", "Lisbon, not Porto."), **TALK)
    await alice.forget(source=captured.events[1])
    assert await held(store) == ["User lives in Porto."]
    assert not [row for row in await rows(store, Record) if row.editor == "amendment"]


async def test_what_is_said_without_an_amendment_too_stays_when_that_falls(
    alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    captured = await alice.add(says("I live in Porto.", "Lisbon, not Porto."), **TALK)
    clock.advance(days=1)
    again = await alice.add(says("I live in Lisbon."), **TALK)
    assert [decision.outcome for decision in again.decisions] == ["reinforced"]
    await alice.forget(source=captured.events[1])
    [record] = [row for row in await rows(store, Record) if row.superseded_at is None and row.valid_to is None]
    assert (record.text, record.sources, record.editor) == ("User lives in Lisbon.", again.events, "rules")
    assert record.valid_from == clock()
    [*_, before, after] = await alice.history(record.id)
    assert (before.text, before.valid_to, before.contradicted_by) == ("User lives in Porto.", clock(), *again.events)
    assert after == record


async def test_an_amendment_stays_when_only_those_fall_that_said_the_same_again(
    alice: AsyncScoped, store: Store
) -> None:
    first = await alice.add(says("I live in Porto.", "Lisbon, not Porto."), **TALK)
    again = await alice.add(says("I live in Lisbon."), **TALK)
    await alice.forget(source=again.events[0])
    assert await held(store) == ["User lives in Lisbon."]
    [record] = [row for row in await rows(store, Record) if row.editor == "amendment"]
    assert record.sources == first.events


PLACES: list[dict[str, Any]] = [
    {},
    {"conversation": "c2"},
    {"channel": "tidepool"},
    {"agent": "clerk"},
    {"connection": "jira"},
]
TURNS = ["I live in Porto.", "Lisbon, not Porto.", "No, I meant Porto.", "Well."]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(PLACES), st.sampled_from(TURNS)), max_size=12))
def test_no_amendment_reaches_into_another_place(turns: list[tuple[dict[str, Any], str]]) -> None:
    with Memory.open(":memory:", embedder="hashed") as memory:
        for place, turn in turns:
            names = {name: place[name] for name in ("channel", "agent") if name in place}
            scoped = memory.scope(tenant="acme", user="alice", connections=("jira",), **names)
            scoped.add(says(turn), conversation=place.get("conversation", "c1"), connection=place.get("connection"))
        lines = [
            line
            for channel in ("_global", "tidepool")
            for line in memory.scope(tenant="acme", user="alice", channel=channel, connections=("jira",)).export()
        ]
    events = {line["row"]["id"]: line["row"] for line in lines if line.get("kind") == "events"}
    records = [line["row"] for line in lines if line.get("kind") == "records"]
    by_id = {row["id"]: row for row in records}
    for row in records:
        if row["editor"] == "amendment":
            assert (
                {where(events[source]) for source in row["sources"]}
                == {where(row)}
                == {where(by_id[row["supersedes"]])}
            )
        if row["contradicted_by"] and row["valid_from"] == row["valid_to"]:  # withdrawn, not replaced
            assert where(events[row["contradicted_by"]]) == where(row)


def where(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("conversation", "channel", "agent", "connection"))


async def test_owners_are_apart(alice: AsyncScoped, memory: AsyncMemory, store: Store) -> None:
    await alice.add(says("I live in Porto."), **TALK)
    bob = memory.scope(tenant="acme", user="bob")
    captured = await bob.add(says("Lisbon, not Porto."), **TALK)
    assert captured.decisions == ()
    assert await rows(store, Record, Owner("acme", "bob")) == []


async def test_each_of_several_corrections_in_one_call_means_what_was_said_before_it(
    alice: AsyncScoped, store: Store
) -> None:
    await alice.add(says("I like tea."), conversation="c0")
    said = ["I live in Porto.", "Actually it's Lisbon, not Porto.", "I work at Acme.", "Sorry, at Bolt, not Acme."]
    await alice.add(says(*said), **TALK)
    assert sorted(await held(store)) == ["User likes tea.", "User lives in Lisbon.", "User works at Bolt."]
