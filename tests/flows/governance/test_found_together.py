"""What consolidation found in several events is left as far as the others say it when one of them is forgotten."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from flows.helpers import everything, rows, says
from memoranda import AsyncMemory, AsyncScoped, Event, Record
from memoranda.core.rows import Entity, Passage, Relation
from memoranda.ports import Completion, Store
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

WHOSE = {"tenant": "acme", "user": "alice"}
GREENHOUSE = "These days a greenhouse in Zyxholm is on me."
ORCHIDS = "So many orchids to keep there, in the greenhouse."


class Writer:
    """A language model that answers what it was told to."""

    name = "test/writer"

    def __init__(self) -> None:
        self.answer: Any = {}

    async def complete(self, _: str, **__: Any) -> Completion:
        return Completion(text=json.dumps(self.answer))

    async def close(self) -> None:
        pass


@pytest.fixture
def writer() -> Writer:
    return Writer()


@pytest.fixture
async def told(store: Store, clock: FrozenClock, writer: Writer) -> AsyncIterator[AsyncMemory]:
    async with await AsyncMemory.open(
        store, embedder="none", clock=clock, ids=SequentialIds(), language_model=writer
    ) as memory:
        yield memory


@pytest.fixture
def alice(told: AsyncMemory) -> AsyncScoped:
    return told.scope(**WHOSE)


async def kept(store: Store, word: str) -> set[str]:
    """The tables that hold a word."""
    return {name for name, some in (await everything(store)).items() if any(word in repr(row).lower() for row in some)}


async def items(store: Store) -> list[Any]:
    """What consolidations still say."""
    told = [event for event in await rows(store, Event) if event.kind == "consolidation"]
    return [item for event in told for item in event.metadata["items"]]


async def test_a_word_goes_with_the_only_event_that_has_it(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store
) -> None:
    first, _ = (await alice.add(says(GREENHOUSE, ORCHIDS))).events
    writer.answer = {
        "facts": [{"claim": "User keeps orchids in a greenhouse in Zyxholm.", "certainty": "explicit",
                   "events": [1, 2]}],
        "updated_scaffold": {"garden": {"place": "Zyxholm"}},
        "entities": [{"name": "Zyxholm", "type": "place", "events": [1, 2]}],
        "relations": [{"head": "user", "type": "LOCATED_IN", "tail": "Zyxholm", "events": [1, 2]}],
    }  # fmt: skip
    done = await told.consolidate(**WHOSE)
    assert (done.items, done.refused) == (4, ())
    await alice.forget(source=first)
    assert await kept(store, "zyxholm") == set()
    assert await rows(store, Relation) == []
    assert [event.content for event in await rows(store, Event)] == [ORCHIDS]


async def test_what_another_event_says_as_well_stays(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store
) -> None:
    first, second = (await alice.add(says("The lighthouse in Voss is on me.", "On me, the lighthouse in Voss!"))).events
    writer.answer = {
        "facts": [{"claim": "The lighthouse in Voss is on the user.", "certainty": "explicit", "events": [1, 2]}],
        "entities": [{"name": "Voss", "type": "place", "events": [1, 2]}],
    }
    await told.consolidate(**WHOSE)
    await alice.forget(source=first)
    assert [(item["of"], item["events"]) for item in await items(store)] == [("claim", [second]), ("entity", [second])]
    [record] = await rows(store, Record)
    assert record.sources == (second,)
    assert [row.name for row in await rows(store, Entity)] == ["voss"]
    assert (await told.rebuild(**WHOSE)).same


async def test_a_more_precise_wording_goes_with_what_it_was_found_in(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store, clock: FrozenClock
) -> None:
    claim = "User takes care of the lighthouse"
    said = ("These days the lighthouse is on me, I take care of it.", "Again I took care of the lighthouse in Zyxholm.")
    events = []
    for text, where in zip(said, (".", " in Zyxholm."), strict=True):
        events += (await alice.add(says(text))).events
        writer.answer = {"facts": [{"claim": claim + where, "certainty": "explicit", "events": [1]}]}
        done = await told.consolidate(**WHOSE)
        clock.advance(days=1)
    assert [one.outcome for one in done.decisions] == ["merged"]
    await alice.forget(source=events[1])
    assert await kept(store, "zyxholm") == set()
    assert [(row.text, row.superseded_at) for row in await rows(store, Record)] == [(f"{claim}.", None)]


async def test_what_the_rules_read_in_a_forgotten_turn_stays_where_a_model_found_it_in_another(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store
) -> None:
    first, second = (await alice.add(says("I live in Oslo.", "Oslo it still is where I live and sleep."))).events
    writer.answer = {"facts": [{"claim": "User lives in Oslo.", "certainty": "explicit", "events": [2]}]}
    told_before = [row.sources for row in await rows(store, Record)]
    await told.consolidate(**WHOSE)
    await alice.forget(source=first)
    assert told_before == [(first,)]
    assert [(row.text, row.sources) for row in await rows(store, Record)] == [("User lives in Oslo.", (second,))]


async def test_a_name_lies_with_the_events_that_have_it(
    told: AsyncMemory, alice: AsyncScoped, writer: Writer, store: Store
) -> None:
    first, second = (await alice.add(says("The ferry was built by Nordyard.", "It is called the Rex."))).events
    halves = (await alice.add(says("Greta came by.", "Lindqvist is a nice name."))).events
    writer.answer = {
        "entities": [
            {"name": "Nordyard", "type": "organisation", "events": [1, 2]},
            {"name": "Greta Lindqvist", "type": "person", "events": [3, 4]},
        ]
    }
    done = await told.consolidate(**WHOSE)
    assert [refused.what for refused in done.refused] == ["'Greta Lindqvist'"]
    names = {row.id: row.name for row in await rows(store, Entity)}
    found = {row.ref: {names[one] for one in row.entities} for row in await rows(store, Passage)}
    assert ("nordyard" in found[first], "nordyard" in found[second]) == (True, False)
    assert not any("greta lindqvist" in found[event] for event in halves)
