"""What is brought in twice is there once; what is taken out is whole."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import fields
from datetime import datetime
from typing import Any

import pytest

from flows.helpers import MORNING, Broken, everything, fails, rows, says
from memoranda import AsyncMemory, AsyncScoped, Event, Settings
from memoranda.core.formats.conversation import Conversation, Message
from memoranda.core.rows import TABLES, Passage
from memoranda.errors import FormatError, MessageError
from memoranda.flows.governance.transfer import CHUNK
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock, SequentialIds

TURNS = CHUNK + 6

pytestmark = pytest.mark.anyio


def talks(count: int, turns: int) -> list[Conversation]:
    return [
        Conversation(
            id=f"talk {number}",
            messages=tuple(
                Message(role="user", content=f"Crab {number} of pier {turn} is blue.", at=MORNING)
                for turn in range(turns)
            ),
        )
        for number in range(count)
    ]


async def test_an_import_twice_adds_nothing(alice: AsyncScoped, store: Store) -> None:
    told: list[int] = []
    first = await alice.import_conversations(talks(2, TURNS), progress=told.append)
    assert (first.conversations, first.turns, first.known, first.degraded) == (2, 2 * TURNS, 0, ())
    assert told == [CHUNK, CHUNK, 2 * TURNS - 2 * CHUNK]
    before = await everything(store)
    second = await alice.import_conversations(iter(talks(2, TURNS)))
    assert (second.turns, second.known) == (2 * TURNS, 2 * TURNS)
    assert await everything(store) == before
    assert {event.surface for event in await rows(store, Event)} == {"import"}


async def test_what_is_known_is_not_embedded_again(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(store, embedder=Broken(fails), clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    first = await alice.import_conversations(talks(1, 2))
    again = await alice.import_conversations(talks(1, 2))
    more = await alice.import_conversations(talks(1, 3))
    assert [(done.known, bool(done.degraded)) for done in (first, again, more)] == [(0, True), (2, False), (2, True)]
    assert (again.unextracted, more.unextracted) == (0, 1)
    await memory.close()


async def test_an_import_that_was_broken_off_is_taken_up_again(alice: AsyncScoped, store: Store) -> None:
    class Enough(Exception):  # noqa: N818 - it is none
        pass

    def stop(_: int) -> None:
        raise Enough

    with pytest.raises(Enough):
        await alice.import_conversations(talks(2, TURNS), progress=stop)
    assert len(await rows(store, Event)) == CHUNK
    again = await alice.import_conversations(talks(2, TURNS))
    assert (again.turns, again.known) == (2 * TURNS, CHUNK)
    positions = [(event.conversation, event.position) for event in await rows(store, Event)]
    assert sorted(positions) == [(f"talk {number}", turn) for number in range(2) for turn in range(TURNS)]


@pytest.mark.parametrize("turns", [3, CHUNK])
async def test_what_stands_before_a_fault_is_kept(alice: AsyncScoped, store: Store, turns: int) -> None:
    def broken(turns: int) -> Iterator[Conversation]:
        yield from talks(1, turns) if turns else ()
        raise FormatError("line 7 is cut off")

    done = await alice.import_conversations(broken(turns))
    assert (done.conversations, done.turns, done.faults) == (1, turns, ("line 7 is cut off",))
    assert len(await rows(store, Event)) == turns
    with pytest.raises(FormatError, match="line 7"):
        await alice.import_conversations(broken(0))


async def test_of_what_a_host_hands_in_a_conversation_that_is_refused_stops_no_other(
    store: Store, clock: FrozenClock
) -> None:
    memory = await AsyncMemory.open(store, settings=Settings(max_characters=1_000), clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    long = Conversation(id="long", messages=(Message(role="user", content="x" * 1_001),) * (CHUNK + 1))
    odd = Conversation(id="odd", messages=(Message(role="wizard", content="Hello"),))
    nameless = Conversation(id="n" * 600, messages=(Message(role="user", content="Hello"),))
    good = [Conversation(id=f"c{number}", messages=talks(1, 3)[0].messages) for number in range(2)]
    done = await alice.import_conversations([good[0], long, odd, nameless, good[1]])
    assert (done.conversations, done.turns, len(await rows(store, Event))) == (2, 6, 6)
    assert [fault.partition(": ")[0] for fault in done.faults] == ["long", "odd", "n" * 60]
    with pytest.raises(MessageError, match="1,001 characters"):
        await alice.import_conversations([long, odd])


async def test_messages_keep_their_own_ids(alice: AsyncScoped, store: Store) -> None:
    messages = (Message(role="user", content="one", id="m1"), Message(role="user", content="one", id="m2"))
    await alice.import_conversations([Conversation(id="c", messages=messages)])
    assert [event.metadata["message"] for event in await rows(store, Event)] == ["m1", "m2"]


async def test_the_same_words_at_two_places_are_two_turns(alice: AsyncScoped, store: Store) -> None:
    messages = (Message(role="user", content="yes"), Message(role="user", content="yes"))
    await alice.import_conversations([Conversation(id="c", messages=messages)])
    assert len(await rows(store, Event)) == 2


async def test_an_import_names_what_was_down(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(store, embedder=Broken(fails), clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    done = await alice.import_conversations(
        [Conversation(id="c", messages=(Message(role="user", content="I like tea."),))]
    )
    assert len(done.degraded) == 1
    assert len(done.records) == 1


async def exported(scoped: AsyncScoped) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]:
    head, *lines, tail = [json.loads(json.dumps(line)) async for line in scoped.export()]
    return head, lines, tail


async def test_an_export_is_whole_and_has_a_checksum(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    await alice.add(says("I live in Oslo.", name="Ada"), conversation="c")
    clock.advance(days=1)
    gone = await alice.add(says("I moved to Bergen.", "The old crab is blue."), conversation="c")
    await alice.forget(source=gone.events[1])
    head, lines, tail = await exported(alice)
    assert (head["format"], head["tenant"], head["user"]) == ("memstrata-export/2", "acme", "alice")
    kept = await everything(store)
    assert [line["kind"] for line in lines] == [name for name, found in kept.items() for _ in found]
    assert tail["rows"] == len(lines) == sum(map(len, kept.values()))
    digest = hashlib.sha256()
    for line in (head, *lines):
        digest.update(json.dumps(line, sort_keys=True, ensure_ascii=False).encode())
    assert tail["sha256"] == digest.hexdigest()
    (first,) = [line["row"] for line in lines if line["kind"] == "events" and "Oslo" in line["row"]["content"]]
    assert first["event_time"] == MORNING.isoformat()
    vectors = [line["row"]["data"] for line in lines if line["kind"] == "vectors"]
    assert all(len(bytes.fromhex(data)) == 512 for data in vectors)
    assert set(kept) == set(TABLES)


async def test_an_export_brings_every_row_back(alice: AsyncScoped, store: Store) -> None:
    """Every field is there in a form from which the row can be made again."""
    await alice.add(says("I live in Oslo."), conversation="c")
    _, lines, _ = await exported(alice)
    (line,) = [line["row"] for line in lines if line["kind"] == "events"]
    (event,) = await rows(store, Event)
    times = {"event_time", "recorded_at"}
    made = {name: datetime.fromisoformat(value) if name in times else value for name, value in line.items()}
    assert Event(**made) == event
    assert set(line) == {item.name for item in fields(Event)}


async def test_a_narrow_export_holds_what_the_scope_sees(memory: AsyncMemory, store: Store) -> None:
    cook = memory.scope(tenant="acme", user="alice", agent="cook")
    await cook.add(says("Greta Lindqvist likes mussels."), conversation="c")
    clerk = memory.scope(tenant="acme", user="alice", agent="clerk")
    await clerk.add(says("Kari Nordmann likes stamps."), conversation="c")
    _, lines, tail = await exported(clerk)
    told = json.dumps(lines)
    assert "Nordmann" in told
    assert "nordmann" in told
    assert "indqvist" not in told
    assert tail["rows"] == len(lines)
    refs = {row.ref for row in await rows(store, Passage) if row.agent == "clerk"}
    assert {line["row"]["ref"] for line in lines if line["kind"] == "vectors"} == refs
