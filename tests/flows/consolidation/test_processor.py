"""From events to what they mean, by a model or by rules, a batch at a time."""

import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from flows.helpers import OWNER, Contested, Scripted, rows, says, texts
from memoranda import AsyncMemory, AsyncScoped, Event, Record, Settings
from memoranda.core.base.retry_policy import Gating
from memoranda.core.consolidation.prompt import Room
from memoranda.core.rows import Attempt, Entity, Relation
from memoranda.errors import (
    LanguageModelDeniedError,
    LanguageModelError,
    LanguageModelUnavailableError,
    NotFoundError,
    StoreUnavailableError,
)
from memoranda.flows.consolidation import processor
from memoranda.ports import Completion, Query, Store
from memoranda.stores.dict_cache import DictCache
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

WHOSE = {"tenant": "acme", "user": "alice"}
ONCE = Settings(gating=Gating(attempts=1))
Answer = str | dict[str, Any] | Exception


class Writer:
    """A language model that answers what it was given, one after the other, and keeps what it was asked."""

    name = "test/writer"

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []
        self.meanwhile: Callable[[], Any] | None = None
        self.truncated = False

    async def complete(self, prompt: str, **_: Any) -> Completion:
        self.asked.append(prompt)
        if self.meanwhile is not None:
            await self.meanwhile()
        answer = self.answers.pop(0) if self.answers else {}
        if isinstance(answer, Exception):
            raise answer
        text = answer if isinstance(answer, str) else json.dumps(answer)
        return Completion(text=text, model="writer-1", tokens_in=100, tokens_out=10, truncated=self.truncated)

    async def close(self) -> None:
        """Nothing to release."""


@pytest.fixture
def writer() -> Writer:
    return Writer()


@pytest.fixture
async def told(store: Store, clock: FrozenClock, writer: Writer) -> AsyncIterator[AsyncMemory]:
    """A memory with a language model."""
    async with await AsyncMemory.open(
        store, embedder="hashed", clock=clock, ids=SequentialIds(), language_model=writer, settings=ONCE
    ) as memory:
        yield memory


@pytest.fixture
def alice(told: AsyncMemory) -> AsyncScoped:
    return told.scope(**WHOSE)


CLAIM = {"claim": "User takes care of the greenhouse in Bergen.", "certainty": "explicit", "events": [1]}
SAID = "These days the greenhouse in Bergen is on me, so I take care of it."


async def test_a_model_turns_events_into_records_once(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store
) -> None:
    await alice.add(says(SAID, "Fine."), conversation="c1")
    writer.answers = [{"facts": [CLAIM], "updated_working_memory": "User takes care of the greenhouse in Bergen."}]
    done = await told.consolidate(**WHOSE)
    assert (done.batches, done.events, done.items, done.calls, done.refused) == (1, 2, 2, 1, ())
    assert (done.tokens_in, done.tokens_out, done.reason, done.degraded) == (100, 10, None, ())
    assert [decision.outcome for decision in done.decisions] == ["added"]
    assert [(one.outcome, one.text, one.before) for one in done.understood] == [
        ("added", CLAIM["claim"], None), ("narrated", CLAIM["claim"], None),
    ]  # fmt: skip
    events = await rows(store, Event)
    assert all(event.processed_at is not None for event in events)
    [record] = [one for one in await rows(store, Record) if one.editor == "consolidation"]
    said = next(event for event in events if event.content == SAID)
    assert (record.sources, record.source, record.trust, record.certainty) == (
        (said.id,), "system_learned", 1.0, "explicit",
    )  # fmt: skip
    assert record.text in texts(await alice.recall("Who takes care of the greenhouse?"))
    again = await told.consolidate(**WHOSE)
    assert (again.batches, again.calls, again.reason) == (0, 0, "nothing waits")
    assert len(writer.asked) == 1


GONE = "Sadly the greenhouse in Bergen is gone now, torn down by the owner."
OVER = {
    "claim": "The greenhouse in Bergen was torn down.", "certainty": "explicit", "events": [1],
    "ends": [CLAIM["claim"]],
}  # fmt: skip


async def told_of_the_greenhouse(told: AsyncMemory, scoped: AsyncScoped, writer: Writer, clock: FrozenClock) -> None:
    await scoped.add(says(SAID))
    writer.answers = [{"facts": [CLAIM]}]
    assert (await told.consolidate(**WHOSE)).items == 1
    clock.advance(days=9)


async def standing(store: Store, text: str) -> list[tuple[str, bool]]:
    """The current versions of what says it, with whether each has ended."""
    found = [one for one in await rows(store, Record) if one.superseded_at is None and one.text == text]
    return [(one.status, one.valid_to is not None) for one in found]


async def test_a_claim_ends_what_it_says_is_over(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store, clock: FrozenClock
) -> None:
    await told_of_the_greenhouse(told, alice, writer, clock)
    [off] = (await alice.add(says(GONE))).events
    writer.answers = [{"facts": [OVER]}]
    done = await told.consolidate(**WHOSE)
    assert [(one.outcome, one.text, one.before) for one in done.understood] == [
        ("added", OVER["claim"], None), ("ended", OVER["claim"], CLAIM["claim"]),
    ]  # fmt: skip
    assert await standing(store, str(CLAIM["claim"])) == [("expired", True)]
    [ended] = [one for one in await rows(store, Record) if one.valid_to is not None]
    assert ended.contradicted_by == off
    assert str(CLAIM["claim"]) not in repr([one.metadata for one in await rows(store, Event)][-1])
    assert (await told.rebuild(**WHOSE)).same
    assert [row.text for row in await alice.history(ended.id)] == [CLAIM["claim"], CLAIM["claim"], OVER["claim"]]
    await alice.forget(source=off)
    assert await standing(store, str(CLAIM["claim"])) == [("candidate", False)]
    assert (await told.rebuild(**WHOSE)).same


async def test_a_name_that_was_lent_goes_with_the_event_that_had_it(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store, clock: FrozenClock
) -> None:
    [first] = (await alice.add(says("My sister Greta lives in Voss."))).events
    await told.consolidate(**WHOSE)
    clock.advance(days=1)
    await alice.add(says("My sister keeps three hives on the roof."))
    sure = {"certainty": "explicit", "events": [1]}
    claim = {"claim": "Greta keeps three hives on the roof.", "subject": "Greta", **sure}
    other = {"claim": "User's sister keeps three hives on the roof.", **sure}
    writer.answers = [{"facts": [claim, other]}]
    assert (await told.consolidate(**WHOSE)).items == 2
    assert await standing(store, str(claim["claim"])) == [("candidate", False)]
    assert (await told.rebuild(**WHOSE)).same
    await alice.forget(source=first)
    assert "greta" not in repr([await rows(store, kind) for kind in (Event, Record, Entity, Relation)]).lower()
    assert await standing(store, str(other["claim"])) == [("candidate", False)]
    assert (await told.rebuild(**WHOSE)).same


@pytest.mark.parametrize(
    ("source", "certainty"), [("tool_extracted_content", "explicit"), ("user_provided", "inferred")]
)
async def test_what_is_less_sure_or_less_trusted_ends_nothing(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store, clock: FrozenClock, source: str, certainty: str
) -> None:
    await told_of_the_greenhouse(told, alice, writer, clock)
    await alice.observe(GONE, source=source)
    claim = {**OVER, "certainty": certainty}
    more = {**claim, "claim": "The owner tore the greenhouse in Bergen down."}
    writer.answers = [{"facts": [claim, more]}]
    done = await told.consolidate(**WHOSE)
    assert [one.outcome for one in done.decisions] == ["added", "disputed", "added", "disputed"]
    for text in (claim, more):
        assert await standing(store, str(text["claim"])) == [("disputed", False)]
    known = "disputed" if source == "user_provided" else "candidate"  # others dispute nothing that the user said
    assert await standing(store, str(CLAIM["claim"])) == [(known, False)]


async def test_what_was_said_since_is_not_ended(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store, clock: FrozenClock
) -> None:
    await alice.add(says(GONE))
    clock.advance(days=1)
    await alice.add(says(SAID))
    writer.answers = [{"facts": [{**CLAIM, "events": [2]}]}, {}]
    await told.consolidate(**WHOSE)
    assert await standing(store, str(CLAIM["claim"])) == [("candidate", False)]


async def test_what_passed_is_an_event_itself(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store
) -> None:
    await alice.add(says(SAID))
    writer.answers = [{"facts": [CLAIM, {"claim": "User owns a yacht in Monaco.", "events": [1]}]}]
    done = await told.consolidate(**WHOSE)
    assert [refused.what for refused in done.refused] == ["'User owns a yacht in Monaco.'"]
    [event] = [one for one in await rows(store, Event) if one.kind == "consolidation"]
    assert event.content == ""
    assert event.metadata["extractor"] == "writer-1 consolidate@2"
    assert [item["text"] for item in event.metadata["items"]] == [CLAIM["claim"]]


async def test_the_narrative_is_what_was_written_and_what_came_since(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, clock: FrozenClock, store: Store
) -> None:
    await alice.add(says(SAID))
    writer.answers = [{"updated_working_memory": "User takes care of the greenhouse in Bergen."}]
    await told.consolidate(**WHOSE)
    assert (await alice.profile()).narrative == "User takes care of the greenhouse in Bergen."
    clock.advance(days=1)
    second = (await alice.add(says("I prefer tea."))).events[0]
    assert (await alice.profile()).narrative == "User takes care of the greenhouse in Bergen. User prefers tea."
    writer.answers = [{"updated_working_memory": "User cares for the greenhouse in Bergen and prefers tea."}]
    await told.consolidate(**WHOSE)
    assert "User takes care of the greenhouse in Bergen." in writer.asked[1]
    written = "User cares for the greenhouse in Bergen and prefers tea."
    assert (await alice.profile()).narrative == written
    assert written not in texts(await alice.recall("Who prefers tea?", limit=50))
    await alice.forget(source=second)
    assert (await alice.profile()).narrative == "User takes care of the greenhouse in Bergen."
    assert "tea." not in repr(await rows(store, Event)) + repr(await rows(store, Record))


UNTRUSTED = "The wiki says that the harbour crane carries the number 4711."
GATE = {"claim": "The harbour crane carries the number 4711.", "certainty": "explicit"}


class Away(DictCache):
    """A cache that is out of reach."""

    async def read(self, *_: Any) -> Any:
        raise StoreUnavailableError("it is away")


async def trusted(store: Store, editor: str) -> list[float]:
    """How far the current records of an editor are trusted."""
    return [one.trust for one in await rows(store, Record) if one.editor == editor and one.superseded_at is None]


async def test_what_is_derived_is_trusted_as_the_least_of_what_it_rests_on(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, clock: FrozenClock, store: Store
) -> None:
    await alice.add(says("The harbour crane opens with a number, I tried it."))
    clock.advance(minutes=1)
    await alice.observe(UNTRUSTED, source="tool_extracted_content")
    writer.answers = [{"facts": [{**GATE, "events": [1, 2]}], "updated_working_memory": GATE["claim"]}]
    await told.consolidate(**WHOSE)
    assert (await trusted(store, "consolidation"), await trusted(store, "narrative")) == ([0.4], [0.4])
    clock.advance(days=1)
    await alice.add(says(SAID))
    writer.answers = [{"updated_working_memory": f"{GATE['claim']} {CLAIM['claim']}"}]
    await told.consolidate(**WHOSE)
    assert await trusted(store, "narrative") == [0.4]
    assert (await told.rebuild(**WHOSE)).same


async def test_a_narrative_is_trusted_as_the_least_of_what_its_writer_was_told(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, clock: FrozenClock, store: Store
) -> None:
    await alice.observe(UNTRUSTED, source="tool_extracted_content")
    writer.answers = [{"facts": [{**GATE, "events": [1]}]}]
    await told.consolidate(**WHOSE)
    clock.advance(days=1)
    await alice.add(says(SAID))
    writer.answers = [{"updated_working_memory": f"{GATE['claim']} {CLAIM['claim']}"}]
    await told.consolidate(**WHOSE)
    assert "4711" in (await alice.profile()).narrative
    assert await trusted(store, "narrative") == [0.4]
    assert (await told.rebuild(**WHOSE)).same


async def test_a_narrative_is_trusted_no_more_than_the_one_before(
    told: AsyncMemory,
    alice: AsyncScoped,
    writer: Writer,
    clock: FrozenClock,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(processor, "Room", lambda: Room(scaffold=0))  # the writer is told of no record
    await alice.observe(UNTRUSTED, source="tool_extracted_content")
    for text in (str(GATE["claim"]), f"{GATE['claim']} {CLAIM['claim']}"):
        writer.answers = [{"updated_working_memory": text}]
        await told.consolidate(**WHOSE)
        assert await trusted(store, "narrative") == [0.4]
        clock.advance(days=1)
        await alice.add(says(f"{SAID} The harbour crane carries the number 4711, too."))
    assert (await alice.profile()).narrative.startswith(f"{GATE['claim']} {CLAIM['claim']}")
    assert (await told.rebuild(**WHOSE)).same


async def test_a_narrative_is_trusted_whatever_one_that_fell_was(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, clock: FrozenClock, store: Store
) -> None:
    [gate] = (await alice.observe(UNTRUSTED, source="tool_extracted_content")).records
    writer.answers = [{"updated_working_memory": GATE["claim"]}]
    await told.consolidate(**WHOSE)
    await alice.review.reject(gate)
    clock.advance(days=1)
    await alice.add(says(SAID))
    writer.answers = [{"updated_working_memory": CLAIM["claim"]}]
    await told.consolidate(**WHOSE)
    assert ((await alice.profile()).narrative, await trusted(store, "narrative")) == (CLAIM["claim"], [0.7])
    assert (await told.rebuild(**WHOSE)).same


async def test_a_narrative_of_what_the_user_said_is_trusted_as_what_was_learned(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, clock: FrozenClock, store: Store
) -> None:
    for text in (SAID, "I prefer tea."):
        await alice.add(says(text))
        writer.answers = [{"updated_working_memory": text}]
        await told.consolidate(**WHOSE)
        assert await trusted(store, "narrative") == [0.7]
        clock.advance(days=1)


async def test_a_narrative_goes_with_a_belief_that_is_rejected(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, clock: FrozenClock, store: Store
) -> None:
    boats = told.scope(**WHOSE, channel="boats")
    await boats.add(says("The boats are in the bay."))
    writer.answers = [{"updated_working_memory": "The boats are in the bay."}]
    await told.consolidate(**WHOSE)
    await alice.add(says(SAID))
    writer.answers = [{"facts": [CLAIM], "updated_working_memory": CLAIM["claim"]}]
    done = await told.consolidate(**WHOSE)
    clock.advance(days=1)
    await alice.review.reject(done.decisions[0].record or "")
    assert (await alice.profile()).narrative == ""
    assert (await boats.profile()).narrative == "The boats are in the bay."
    assert (await told.rebuild(**WHOSE)).same
    await alice.add(says("So much for today."))
    writer.answers = [{"updated_working_memory": "So much for today."}]
    await told.consolidate(**WHOSE)
    assert "greenhouse" not in writer.asked[2]
    assert (await alice.profile()).narrative == "So much for today."
    [verdict] = [one for one in await rows(store, Event) if one.kind == "review"]
    await alice.forget(source=verdict.id)
    assert CLAIM["claim"] in (await alice.profile()).narrative


async def test_a_narrative_goes_with_a_belief_that_another_is_accepted_against(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, clock: FrozenClock
) -> None:
    await alice.add(says("I live in Oslo."))
    clock.advance(days=1)
    await alice.add(says("The office in Bergen is nice, it is where you find me."))
    writer.answers = [{
        "facts": [{"claim": "User lives in Bergen.", "certainty": "inferred", "events": [2]}],
        "updated_working_memory": "User is in Bergen.",
    }]  # fmt: skip
    await told.consolidate(**WHOSE)
    assert "Bergen" in (await alice.profile()).narrative
    [right] = [one.record for one in await alice.review.find() if "Oslo" in one.record.text]
    assert [one.status for one in (await alice.review.accept(right.id)).ended] == ["rejected"]
    assert "Bergen" not in (await alice.profile()).narrative


async def test_forgetting_an_event_takes_what_was_made_of_it(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store
) -> None:
    first, second = (await alice.add(says(SAID, "The old mill in Voss is my workplace since May."))).events
    writer.answers = [{
        "facts": [CLAIM, {"claim": "User's workplace is the old mill in Voss.", "events": [2]}],
        "updated_working_memory": "User takes care of the greenhouse in Bergen and has the mill in Voss as workplace.",
        "entities": [{"name": "Voss", "type": "place", "events": [2]}],
    }]  # fmt: skip
    await told.consolidate(**WHOSE)
    await alice.forget(source=second)
    kept = repr([await rows(store, kind) for kind in (Event, Record, Entity, Relation)])
    assert "Voss" not in kept
    assert "voss" not in kept
    [event] = [one for one in await rows(store, Event) if one.kind == "consolidation"]
    assert [item["of"] for item in event.metadata["items"]] == ["claim"]
    await alice.forget(source=first)
    assert [one for one in await rows(store, Event) if one.kind == "consolidation"] == []
    assert await rows(store, Record) == []


async def test_names_and_relations_are_found_in_the_graph(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer
) -> None:
    await alice.add(says("Our ferry, the Rex, was built by Nordyard, or NY for short."))
    writer.answers = [{
        "entities": [{"name": "Nordyard", "type": "company", "aliases": ["NY", "the Nordyard"], "events": [1]}],
        "relations": [{"head": "Rex", "type": "created by", "tail": "Nordyard", "events": [1]}],
    }]  # fmt: skip
    await told.consolidate(**WHOSE)
    around = await alice.graph.neighbourhood("Rex")
    assert [(edge.type, edge.source != edge.target) for edge in around.edges] == [("CREATED_BY", True)]
    assert (await alice.graph.entity("NY")).name == "Nordyard"
    assert len(await alice.graph.mentions("NY")) == 1


async def test_what_an_agent_has_to_itself_is_told_nobody_else(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store
) -> None:
    planner = told.scope(**WHOSE, agent="planner")
    await planner.add(says("I live in Fjordwick."))
    await alice.add(says(SAID))
    await told.consolidate(**WHOSE)
    assert len(writer.asked) == 2
    assert ["Fjordwick" in prompt for prompt in writer.asked] == [True, False]
    assert all(event.processed_at for event in await rows(store, Event))


@pytest.mark.parametrize("answer", [LanguageModelError("it is down"), "I would rather not.", "", "[1, 2]", "{"])
async def test_what_fails_is_tried_again_and_then_waits_for_somebody(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, clock: FrozenClock, store: Store, answer: Answer
) -> None:
    await alice.add(says(SAID))
    writer.answers = [answer] * 5
    for count in range(1, 6):
        done = await told.consolidate(**WHOSE)
        assert (done.batches, done.failed, done.dead, done.reason) == (0, 1, count == 5, "the language model failed")
        assert done.degraded[0].startswith("language model: ")
        [attempt] = await rows(store, Attempt)
        assert attempt.count == count
        waits = await told.consolidate(**WHOSE)
        assert (waits.calls, waits.reason) == (0, "what waits failed before, and its time has not come")
        clock.advance(minutes=2 ** (count - 1))
    assert attempt.retry_at is None
    assert SAID not in attempt.error
    assert (await told.consolidate(**WHOSE)).waiting == 1
    [dead] = await alice.events(dead=True)
    assert (dead.dead, dead.event.content, dead.attempt) == (True, SAID, attempt)
    assert await alice.retry(events=[]) == ()
    with pytest.raises(NotFoundError, match="'nope' is no event that failed and waits"):
        await alice.retry(events=[dead.event.id, "nope"])
    assert await alice.retry() == (dead.event.id,)
    writer.answers = [{"facts": [CLAIM]}]
    assert (await told.consolidate(**WHOSE)).items == 1
    assert await alice.events(dead=True) == await alice.events(waiting=True) == ()
    assert {one.attempt for one in await alice.events()} == {None}


@pytest.mark.parametrize(
    "error", [LanguageModelUnavailableError("it is busy"), LanguageModelDeniedError("no such key")]
)
async def test_an_outage_is_not_held_against_an_event(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store, error: Exception
) -> None:
    await alice.add(says(SAID))
    writer.answers = [error] * 2
    for _ in range(2):
        done = await told.consolidate(**WHOSE)
        assert (done.batches, done.postponed, done.failed) == (0, 1, 0)
        assert done.reason == "the language model is out of reach"
    assert await rows(store, Attempt) == []
    writer.answers = [{"facts": [CLAIM]}]
    assert (await told.consolidate(**WHOSE)).items == 1


async def test_what_a_clock_that_was_ahead_put_off_is_tried_now(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, clock: FrozenClock
) -> None:
    await alice.add(says(SAID))
    clock.advance(days=400)
    writer.answers = ["nonsense", {"facts": [CLAIM]}]
    assert (await told.consolidate(**WHOSE)).failed == 1
    clock.advance(days=-400)
    assert (await told.consolidate(**WHOSE)).items == 1


async def test_what_was_put_off_is_passed_over_however_much_it_is(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processor, "_GATHERED", 2)
    await alice.add(says(*(f"The lamp number {number} is mine." for number in range(6))))
    writer.answers = ["nonsense"]
    assert (await told.consolidate(**WHOSE)).failed == 2
    done = await told.consolidate(**WHOSE)
    assert (done.events, done.failed) == (4, 0)
    assert (await told.consolidate(**WHOSE)).waiting == 2


async def test_what_failed_is_told_in_smaller_parts(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, clock: FrozenClock
) -> None:
    await alice.add(says(*(f"The lamp number {number} is mine." for number in range(30))))
    writer.truncated = True
    assert (await told.consolidate(**WHOSE)).failed == 30
    writer.truncated = False
    clock.advance(hours=1)
    done = await told.consolidate(**WHOSE)
    assert (done.batches, done.events, done.calls) == (2, 30, 2)
    assert [prompt.count("The lamp number") for prompt in writer.asked] == [30, 20, 10]


async def test_what_arrives_during_the_call_waits_for_the_next(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer
) -> None:
    await alice.add(says(SAID))

    async def more() -> None:
        writer.meanwhile = None
        await alice.add(says("I live in Oslo."))

    writer.meanwhile = more
    writer.answers = [{"facts": [CLAIM]}]
    done = await told.consolidate(**WHOSE)
    assert (done.batches, done.events, done.calls, done.items) == (2, 2, 2, 1)
    assert [prompt.count("I live in Oslo") for prompt in writer.asked] == [0, 1]


async def test_what_is_forgotten_during_the_call_makes_nothing(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store
) -> None:
    [event] = (await alice.add(says(SAID))).events

    async def less() -> None:
        await alice.forget(source=event)

    writer.meanwhile = less
    writer.answers = [{"facts": [CLAIM]}]
    done = await told.consolidate(**WHOSE)
    assert (done.batches, done.items) == (0, 0)
    assert await rows(store, Record) == []


async def test_a_narrative_does_not_bring_back_what_is_forgotten_during_the_call(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store
) -> None:
    [event] = (await alice.add(says("I like sailing."))).events
    await told.consolidate(**WHOSE)
    await alice.add(says("I like tea."))

    async def less() -> None:
        await alice.forget(source=event)

    writer.meanwhile = less
    writer.answers = [{"updated_working_memory": "User likes tea. User likes to sail."}]
    done = await told.consolidate(**WHOSE)
    assert (done.batches, [one.what for one in done.refused]) == (1, ["narrative"])
    assert "sail" not in repr(await rows(store, Event)) + repr(await rows(store, Record))


async def test_a_narrative_does_not_repeat_one_that_is_forgotten_during_the_call(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store
) -> None:
    [event] = (await alice.add(says(SAID))).events
    writer.answers = [{"updated_working_memory": "User takes care of the greenhouse."}]
    await told.consolidate(**WHOSE)
    await alice.add(says("I like tea."))

    async def less() -> None:
        await alice.forget(source=event)

    writer.meanwhile = less
    writer.answers = [{"updated_working_memory": "User likes tea in the greenhouse."}]
    done = await told.consolidate(**WHOSE)
    assert (done.batches, [one.what for one in done.refused]) == (1, ["narrative"])
    assert "greenhouse" not in repr(await rows(store, Event)) + repr(await rows(store, Record))


async def test_two_at_once_take_an_event_in_once(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store, clock: FrozenClock
) -> None:
    await alice.add(says(SAID))
    other = Writer({"facts": [CLAIM]})
    second = await AsyncMemory.open(
        store, embedder="hashed", clock=clock, ids=SequentialIds("other"), language_model=other
    )

    async def overtake() -> None:
        writer.meanwhile = None
        clock.advance(minutes=30)  # longer than a lease
        assert (await second.consolidate(**WHOSE)).items == 1

    writer.meanwhile = overtake
    writer.answers = [{"facts": [CLAIM]}]
    assert (await told.consolidate(**WHOSE)).batches == 0
    assert len([one for one in await rows(store, Event) if one.kind == "consolidation"]) == 1
    assert len(await rows(store, Record)) == 1


async def test_a_plan_that_came_too_late_is_made_anew(clock: FrozenClock, store: Store) -> None:
    writer = Writer({"facts": [CLAIM]})
    contested = Contested(store, 0)
    memory = await AsyncMemory.open(contested, embedder="none", clock=clock, ids=SequentialIds(), language_model=writer)
    await memory.scope(**WHOSE).add(says(SAID))
    contested.left = 2
    assert (await memory.consolidate(**WHOSE)).items == 1
    assert len(writer.asked) == 1


async def test_a_dry_run_tells_and_writes_nothing(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store
) -> None:
    await alice.add(says(SAID))
    before = [await rows(store, kind) for kind in (Event, Record, Attempt)]
    writer.answers = [{"facts": [CLAIM]}, LanguageModelError("it is down")]
    done = await told.consolidate(**WHOSE, dry_run=True)
    assert (done.batches, done.events, done.items) == (1, 1, 1)
    assert [decision.outcome for decision in done.decisions] == ["added"]
    assert (await told.consolidate(**WHOSE, dry_run=True)).reason == "the language model failed"
    assert [await rows(store, kind) for kind in (Event, Record, Attempt)] == before


@pytest.mark.parametrize("dry_run", [True, False])
async def test_a_dry_run_tells_what_a_run_would_do(clock: FrozenClock, store: Store, dry_run: bool) -> None:
    claims = ["Weekly mails about invoices go to Ann.", "Weekly mails about invoices always go to Ann before noon."]
    writer = Writer(*({"facts": [{"claim": claim, "certainty": "explicit", "events": [1]}]} for claim in claims))
    alike = Scripted(invoices=(1.0,))
    memory = await AsyncMemory.open(store, embedder=alike, clock=clock, ids=SequentialIds(), language_model=writer)
    await memory.scope(**WHOSE).add(says("Well, the weekly mails about invoices go to Ann, as you know."))
    await memory.consolidate(**WHOSE)
    clock.advance(days=1)
    await memory.scope(**WHOSE).add(
        says("Well, the weekly mails about invoices always go to Ann before noon, as you know.")
    )
    done = await memory.consolidate(**WHOSE, dry_run=dry_run)
    assert [one.outcome for one in done.decisions] == ["merged"], "by their vectors"


async def in_two_channels(told: AsyncMemory, boats: int) -> None:
    """So many events in one channel, and one in another."""
    await told.scope(**WHOSE, channel="boats").add(says(*(f"The boat number {n} is mine." for n in range(boats))))
    await told.scope(**WHOSE, channel="kites").add(says("The kite is fine."))


async def test_what_is_postponed_is_asked_for_once_in_a_run(told: AsyncMemory, writer: Writer) -> None:
    await in_two_channels(told, 60)
    writer.answers = [{}, LanguageModelUnavailableError("it is busy", tokens_in=7, tokens_out=3)]
    done = await told.consolidate(**WHOSE)
    assert (done.batches, done.events, done.calls, done.postponed) == (2, 60, 3, 1)
    assert (done.tokens_in, done.tokens_out) == (207, 23)
    assert [prompt.count("The kite") for prompt in writer.asked] == [0, 1, 0]
    again = await told.consolidate(**WHOSE)
    assert (again.events, again.calls, again.postponed) == (1, 1, 0)


async def test_what_fails_is_not_tried_again_in_the_same_run_however_long_it_takes(
    told: AsyncMemory, writer: Writer, clock: FrozenClock
) -> None:
    await in_two_channels(told, 60)

    async def long() -> None:
        clock.advance(minutes=20)

    writer.meanwhile = long
    writer.answers = [{}, "nonsense"]
    done = await told.consolidate(**WHOSE)
    assert (done.batches, done.events, done.calls, done.failed, done.waiting) == (2, 60, 3, 1, 0)
    assert (done.tokens_in, done.tokens_out) == (300, 30), "an answer that nobody can read is paid for"
    again = await told.consolidate(**WHOSE)
    assert (again.events, again.failed, again.waiting) == (1, 0, 0)


@pytest.mark.parametrize("by_hand", [False, True])
async def test_no_other_worker_asks_for_the_batches_of_a_long_run(
    store: Store, clock: FrozenClock, writer: Writer, by_hand: bool
) -> None:
    cache, second = DictCache(), Writer()
    one, two = [
        await AsyncMemory.open(
            store, embedder="none", clock=clock, ids=SequentialIds(name), language_model=model, cache=cache
        )
        for name, model in (("one", writer), ("two", second))
    ]
    for number in range(6):
        await one.scope(**WHOSE, channel=f"ch{number}").add(says("The boat is fine."))

    async def slow() -> None:
        clock.advance(minutes=3)
        assert (await two.run_job("consolidate", **WHOSE)).outcome == "busy"
        assert (await two.consolidate(**WHOSE)).reason == "another worker is at it"

    writer.meanwhile = slow
    if by_hand:
        done = await one.consolidate(**WHOSE)
        assert (done.events, done.calls, done.reason) == (6, 6, None)
    else:
        ran = await one.run_job("consolidate", **WHOSE)
        assert (ran.counts["events"], ran.counts["calls"], ran.counts["looked"]) == (6, 6, 6)
    assert (len(writer.asked), second.asked) == (6, [])
    assert (await two.consolidate(**WHOSE)).reason == "nothing waits"


@pytest.mark.parametrize("by_hand", [False, True])
async def test_who_lost_the_lease_leaves_the_rest_to_whoever_has_it(
    told: AsyncMemory, writer: Writer, clock: FrozenClock, by_hand: bool
) -> None:
    for number in range(4):
        await told.scope(**WHOSE, channel=f"ch{number}").add(says("The boat is fine."))

    async def slow() -> None:
        writer.meanwhile = None
        clock.advance(minutes=30)
        assert await told._runtime.leases.take(OWNER, "consolidate") is not None

    writer.meanwhile = slow
    if by_hand:
        assert (await told.consolidate(**WHOSE)).reason == "another worker is at it"
    else:
        assert (await told.run_job("consolidate", **WHOSE)).counts["events"] == 1
    assert len(writer.asked) == 1


async def test_what_keeps_the_leases_is_told_when_it_is_away(store: Store, clock: FrozenClock, writer: Writer) -> None:
    memory = await AsyncMemory.open(store, embedder="none", clock=clock, language_model=writer, cache=Away())
    await memory.scope(**WHOSE).add(says("The boat is fine."))
    done = await memory.consolidate(**WHOSE)
    assert (done.events, done.degraded) == (1, ("leases: it is away",))


async def test_a_job_that_took_something_in_is_done_whatever_was_down(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer
) -> None:
    await alice.add(says(SAID))
    await told.scope(**WHOSE, channel="work").add(says(SAID))
    writer.answers = [{}, LanguageModelUnavailableError("it is down")]
    ran = await told.run_job("consolidate", **WHOSE)
    assert (ran.outcome, ran.counts["events"], len(ran.degraded)) == ("done", 1, 1)


async def test_of_several_users_the_one_that_is_busy_is_told(told: AsyncMemory) -> None:
    for user in ("alice", "bob"):
        await told.scope(tenant="acme", user=user).add(says("The boat is fine."))
    assert await told._runtime.leases.take(OWNER, "consolidate") is not None
    done = await told.consolidate(tenant="acme")
    assert (done.events, done.reason) == (1, "another worker is at it")


async def test_a_run_that_outlasts_its_lease_goes_on(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, clock: FrozenClock
) -> None:
    await alice.add(says(SAID))

    async def slow() -> None:
        clock.advance(minutes=30)
        assert await told._runtime.leases.take(OWNER, "consolidate") is not None

    writer.meanwhile = slow
    assert (await told.consolidate(**WHOSE)).events == 1


async def test_what_says_nothing_is_taken_in_without_a_call(told: AsyncMemory, alice: AsyncScoped) -> None:
    await alice.goals.add("Sail to Oslo")
    await alice.add([{"role": "system", "content": "You are an assistant."}])
    done = await told.consolidate(**WHOSE)
    assert (done.batches, done.events, done.calls) == (1, 2, 0)


async def test_what_is_longer_than_a_prompt_is_told_in_part_and_that_is_told(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer
) -> None:
    await alice.add(says("The meeting went on and on. " * 100 + "The key is with Ingrid."))
    assert (await told.consolidate(**WHOSE)).degraded == ()
    assert "The key is with Ingrid." in writer.asked[-1]
    await alice.add(says("The meeting went on and on. " * 1_000 + "The key is with Ingrid."))
    done = await told.consolidate(**WHOSE)
    assert (done.events, done.degraded) == (
        1, ("language model: an event of 28,023 characters is longer than a prompt: told in part",)
    )  # fmt: skip


@pytest.mark.parametrize("answer", [LanguageModelUnavailableError("it is down"), '{"detail": "Internal Server Error"}'])
async def test_a_job_that_took_nothing_in_for_want_of_a_model_failed(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, answer: Answer
) -> None:
    await alice.add(says(SAID))
    writer.answers = [answer]
    ran = await told.run_job("consolidate", **WHOSE)
    assert (ran.outcome, ran.counts["events"]) == ("failed", 0)
    assert ran.reason.startswith("LanguageModelError: language model: ")
    [standing] = [one for one in await told.jobs(**WHOSE) if one.job == "consolidate"]
    assert standing.failures == 1


async def test_an_empty_answer_is_no_failure(told: AsyncMemory, alice: AsyncScoped) -> None:
    await alice.add(says(SAID))
    done = await told.consolidate(**WHOSE)
    assert (done.batches, done.events, done.items, done.failed) == (1, 1, 0, 0)


async def test_the_log_tells_what_is_asked_of_it(memory: AsyncMemory, clock: FrozenClock) -> None:
    scoped = memory.scope(**WHOSE)
    await scoped.add(says("I live in Oslo."), conversation="c1")
    clock.advance(days=1)
    await scoped.observe("The boat leaks")
    assert [one.event.kind for one in await scoped.events()] == ["observation", "turn"]
    assert [one.event.kind for one in await scoped.events(limit=1)] == ["observation"]
    assert [one.event.kind for one in await scoped.events(kind="turn")] == ["turn"]
    assert [one.event.kind for one in await scoped.events(conversation="c1", waiting=True)] == ["turn"]
    assert await memory.scope(**WHOSE, agent="planner").events() == await scoped.events()
    assert await memory.scope(tenant="acme", user="bob").events() == ()


async def test_a_long_log_is_not_read_whole(clock: FrozenClock, store: Store) -> None:
    read: list[int] = []

    class Counting:
        def __getattr__(self, name: str) -> Any:
            return getattr(store, name)

        async def find(self, owner: Any, *queries: Query[Any]) -> Any:
            page = await store.find(owner, *queries)
            read.append(sum(len(some) for some, query in zip(page.rows, queries, strict=True) if query.kind is Event))
            return page

    memory = await AsyncMemory.open(Counting(), embedder="none", clock=clock, ids=SequentialIds())
    planner, other = memory.scope(**WHOSE, agent="planner"), memory.scope(**WHOSE, agent="other")
    await planner.add(says(*(f"The lamp number {number} is mine." for number in range(40))))
    clock.advance(days=1)
    await memory.scope(**WHOSE).add(says(*(f"The boat number {number} is mine." for number in range(40))))
    read.clear()
    found = await planner.events(limit=2)
    assert (len(found), max(read)) == (2, 2)
    found = await other.events(limit=2)
    assert (len(found), max(read)) == (2, 2)
    found = await other.events(limit=60)
    assert {one.event.content for one in found} == {f"The boat number {number} is mine." for number in range(40)}


async def test_a_plan_reads_like_a_diff(told: AsyncMemory, alice: AsyncScoped, writer: Writer) -> None:
    await alice.add(says("I live in Oslo.", "By the way, since May my home has been in Bergen, not there."))
    [oslo] = (await alice.recall("Where do I live?", kinds=["fact"])).items
    writer.answers = [
        {"facts": [{"claim": "User lives in Bergen.", "certainty": "explicit", "events": [2]}],
         "relations": [{"head": "user", "type": "located in", "tail": "Bergen", "events": [2]}]}
    ]  # fmt: skip
    done = await told.consolidate(**WHOSE, dry_run=True)
    assert [(one.outcome, one.text, one.before) for one in done.understood] == [
        ("superseded", "User lives in Bergen.", oslo.text), ("related", "'user' LOCATED_IN 'Bergen'", None),
    ]  # fmt: skip


async def test_rules_relate_what_is_named(memory: AsyncMemory, store: Store) -> None:
    scoped = memory.scope(**WHOSE)
    await scoped.add(says("I work at Globex."))
    done = await memory.consolidate(**WHOSE)
    assert (done.batches, done.events, done.calls, done.items) == (1, 1, 0, 1)
    [edge] = [row for row in await rows(store, Relation) if row.type == "WORKS_FOR"]
    [event] = [one for one in await rows(store, Event) if one.kind == "consolidation"]
    assert event.metadata["extractor"] == "rules@1"
    assert edge.sources == tuple(event.metadata["items"][0]["events"])
    assert (await memory.consolidate(tenant="acme")).reason == "nothing waits"


async def test_of_many_users_one_is_meant_or_all(memory: AsyncMemory, store: Store) -> None:
    for user in ("alice", "bob"):
        await memory.scope(tenant="acme", user=user).add(says("I work at Globex."))
    await memory.scope(tenant="acme", user="alice").pools.create("sprint")
    assert (await memory.consolidate(**WHOSE)).events == 1
    assert (await memory.consolidate(tenant="acme")).events == 1
    assert all(event.processed_at for event in await rows(store, Event, OWNER))


async def test_what_the_rules_misread_never_held(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store, clock: FrozenClock
) -> None:
    [said] = (await alice.add(says("I'm from Porto, Ghent came later."))).events
    clock.advance(hours=1)
    misread = "User is from Porto, Ghent."
    assert await standing(store, misread) == [("candidate", False)]
    claim = {
        "claim": "User is from Porto; Ghent came later.", "certainty": "explicit", "events": [1],
        "attribute": "location.origin", "value": "Porto", "ends": ["location.origin: Porto, Ghent"],
    }  # fmt: skip
    writer.answers = [{"facts": [claim]}]
    done = await told.consolidate(**WHOSE)
    assert ("ended", "it was read otherwise") in [(one.outcome, one.reason) for one in done.decisions]
    [wrong] = [one for one in await rows(store, Record) if one.text == misread and one.superseded_at is None]
    assert (wrong.valid_to, wrong.contradicted_by) == (wrong.valid_from, said)
    assert await standing(store, str(claim["claim"])) == [("candidate", False)]
    assert (await alice.profile()).plain()["location"] == {"origin": "Porto"}
    assert (await told.rebuild(**WHOSE)).same
    await alice.forget(source=said)
    assert "Porto" not in repr([await rows(store, kind) for kind in (Event, Record, Entity, Relation)])


async def test_a_claim_does_not_end_what_it_merges_into(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store, clock: FrozenClock
) -> None:
    await alice.add(says("I have a dog called Rex."))
    clock.advance(hours=1)
    claim = {"claim": "A dog called Rex has User.", "certainty": "explicit", "events": [1]}
    writer.answers = [{"facts": [{**claim, "ends": ["User has a dog called Rex."]}]}]
    done = await told.consolidate(**WHOSE)
    assert [one.outcome for one in done.decisions] == ["merged"]
    assert await standing(store, "User has a dog called Rex.") == [("candidate", False)]
    assert (await told.rebuild(**WHOSE)).same


async def test_what_a_claim_ended_stands_again_when_the_claim_falls(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store, clock: FrozenClock
) -> None:
    [sister] = (await alice.add(says("My sister Ana lives in Oslo."))).events
    clock.advance(days=1)
    await alice.add(says(SAID))
    clock.advance(hours=1)
    writer.answers = [{"facts": [{**CLAIM, "events": [2]}]}]
    await told.consolidate(**WHOSE)
    clock.advance(days=1)
    await alice.add(says("My sister took over the greenhouse from me, I no longer take care of it."))
    clock.advance(hours=1)
    claim = {
        "claim": "User's sister Ana took over the greenhouse.", "certainty": "explicit", "events": [1],
        "ends": [CLAIM["claim"]],
    }  # fmt: skip
    writer.answers = [{"facts": [claim]}]
    await told.consolidate(**WHOSE)
    assert await standing(store, str(CLAIM["claim"])) == [("expired", True)]
    await alice.forget(source=sister)
    assert await standing(store, str(claim["claim"])) == []
    assert await standing(store, str(CLAIM["claim"])) == [("candidate", False)]
    assert (await told.rebuild(**WHOSE)).same


async def test_a_claim_that_loses_one_of_its_events_ends_nothing(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store, clock: FrozenClock
) -> None:
    await told_of_the_greenhouse(told, alice, writer, clock)
    [first] = (await alice.add(says(GONE))).events
    clock.advance(hours=1)
    await alice.add(says("The greenhouse in Bergen was torn down, I saw it."))
    clock.advance(hours=1)
    writer.answers = [{"facts": [{**OVER, "events": [1, 2]}]}]
    await told.consolidate(**WHOSE)
    assert await standing(store, str(CLAIM["claim"])) == [("expired", True)]
    assert (await told.rebuild(**WHOSE)).same
    await alice.forget(source=first)
    assert await standing(store, str(OVER["claim"])) == [("candidate", False)]
    assert await standing(store, str(CLAIM["claim"])) == [("candidate", False)]
    assert (await told.rebuild(**WHOSE)).same


async def test_what_a_rejected_claim_ended_holds_again(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store, clock: FrozenClock
) -> None:
    await told_of_the_greenhouse(told, alice, writer, clock)
    await alice.add(says(GONE))
    clock.advance(hours=1)
    writer.answers = [{"facts": [OVER]}]
    await told.consolidate(**WHOSE)
    assert await standing(store, str(CLAIM["claim"])) == [("expired", True)]
    [wrong] = [one for one in await rows(store, Record) if one.text == OVER["claim"]]
    clock.advance(hours=1)
    done = await alice.review.reject(wrong.id)
    assert [one.text for one in done.restored] == [CLAIM["claim"]]
    assert await standing(store, str(CLAIM["claim"])) == [("candidate", False)]
    assert (await told.rebuild(**WHOSE)).same


@pytest.mark.parametrize("accepted", [True, False])
async def test_what_a_claim_disputed_is_settled_with_it(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store, clock: FrozenClock, accepted: bool
) -> None:
    await told_of_the_greenhouse(told, alice, writer, clock)
    await alice.add(says(GONE))
    clock.advance(hours=1)
    writer.answers = [{"facts": [{**OVER, "certainty": "inferred"}]}]
    await told.consolidate(**WHOSE)
    found = {one.record.text: one for one in await alice.review.find()}
    assert {text: [row.text for row in one.against] for text, one in found.items()} == {
        CLAIM["claim"]: [OVER["claim"]], OVER["claim"]: [CLAIM["claim"]],
    }  # fmt: skip
    clock.advance(hours=1)
    verdict = alice.review.accept if accepted else alice.review.reject
    await verdict(found[str(OVER["claim"])].record.id)
    assert await alice.review.find() == ()
    left = ("expired", True) if accepted else ("candidate", False)
    assert await standing(store, str(CLAIM["claim"])) == [left]
    assert (await told.rebuild(**WHOSE)).same


async def test_a_leaf_of_somebody_goes_with_the_event_that_named_them(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store, clock: FrozenClock
) -> None:
    [sister] = (await alice.add(says("My sister Ana works at Corvex."))).events
    clock.advance(hours=1)
    await told.consolidate(**WHOSE)
    await alice.add(says("She is a nurse now, by the way."))
    clock.advance(hours=1)
    writer.answers = [
        {"updated_scaffold": {"people": {"ana": {"work": {"role": {"value": "nurse", "events": [1]}}}}}}
    ]  # fmt: skip
    assert (await told.consolidate(**WHOSE)).items == 1
    assert (await told.rebuild(**WHOSE)).same
    await alice.forget(source=sister)
    assert "Ana" not in repr([await rows(store, kind) for kind in (Event, Record, Entity, Relation)])
    assert (await told.rebuild(**WHOSE)).same


async def test_a_rejected_claim_ends_nothing_when_it_is_said_again_by_a_model(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store, clock: FrozenClock
) -> None:
    await told_of_the_greenhouse(told, alice, writer, clock)
    await alice.add(says(GONE))
    writer.answers = [{"facts": [OVER]}]
    await told.consolidate(**WHOSE)
    [wrong] = [one for one in await rows(store, Record) if one.text == OVER["claim"]]
    clock.advance(days=1)
    await alice.review.reject(wrong.id)
    assert await standing(store, str(CLAIM["claim"])) == [("candidate", False)]
    clock.advance(days=1)
    await alice.add(says(GONE.replace("Sadly", "As I told you")))
    writer.answers = [{"facts": [OVER]}]
    done = await told.consolidate(**WHOSE)
    assert [one.outcome for one in done.decisions] == ["rejected"]
    assert await standing(store, str(CLAIM["claim"])) == [("candidate", False)]
    assert (await told.rebuild(**WHOSE)).same


async def test_a_model_is_shown_what_the_observations_bear_on(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, clock: FrozenClock
) -> None:
    await alice.observe("The harbour trip goes to Lima.", category="fact")
    await alice.add(says(*(f"My favourite w{number} is x{number}." for number in range(300))))
    writer.answers = []
    while (await told.consolidate(**WHOSE)).events:
        clock.advance(hours=1)
    await alice.add(says("The Lima trip is off."))
    await told.consolidate(**WHOSE)
    scaffold = writer.asked[-1].partition("Working memory so far")[0]
    assert "The harbour trip goes to Lima" in scaffold
    assert scaffold.count("favourite") + scaffold.count("x1") < 300
