"""What was forgotten is gone, with all that rested on it, and does not come back by any verb."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from flows.helpers import OWNER, Contested, Scripted, Slow, cancelled, everything, rows, says, texts
from memoranda import AsyncMemory, AsyncScoped, Event, Memory, Record, Settings
from memoranda.core.formats.conversation import Conversation, Message
from memoranda.core.rows import Entity, Passage, Receipt, Relation, Tombstone, Vector
from memoranda.core.rows.changes import Applied, Batch, Put
from memoranda.core.text.forgotten import WITHHELD
from memoranda.errors import ConflictError, InputError, NotFoundError
from memoranda.flows.governance import forget as forgetting
from memoranda.models import guard_embedder
from memoranda.models.hashed import HashedEmbedder
from memoranda.ports import Embedder, Store
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio


class Counting(HashedEmbedder):
    """Counts the texts that no cache answered for."""

    asked = 0

    async def embed(self, texts: Sequence[str]) -> Any:
        self.asked += len(texts)
        return await super().embed(texts)


EMPLOYER = "I work at Zyxwvut Limited."


async def left(store: Store, word: str) -> list[str]:
    """The tables that still hold a word."""
    found = await everything(store)
    return [name for name, kept in found.items() if any(word.lower() in repr(row).lower() for row in kept)]


async def test_a_source_takes_what_it_alone_states(alice: AsyncScoped, store: Store) -> None:
    captured = await alice.add(says(EMPLOYER, "The crab is blue."), conversation="c")
    assert set(await left(store, "zyxwvut")) == {"events", "records", "passages", "entities"}
    receipt = await alice.forget(source=captured.events[0])
    assert await left(store, "zyxwvut") == []
    assert [event.content for event in await rows(store, Event)] == ["The crab is blue."]
    assert receipt.removed == {"events": 1, "records": 1, "passages": 2, "vectors": 2, "entities": 1}
    assert (receipt.target, receipt.id) == (f"source {captured.events[0]}", (await rows(store, Receipt))[0].id)
    assert {row.receipt for row in await rows(store, Tombstone)} == {receipt.id}


async def test_a_record_takes_the_events_that_state_it(alice: AsyncScoped, store: Store) -> None:
    captured = await alice.add(says(EMPLOYER, EMPLOYER, "The crab is blue."), conversation="c")
    (record,) = captured.records
    receipt = await alice.forget(record=record)
    assert receipt.removed["events"] == 2
    assert await left(store, "zyxwvut") == []
    assert texts(await alice.recall("crab")) == ["The crab is blue."]


async def test_a_record_with_another_source_stays_with_what_is_left(alice: AsyncScoped, store: Store) -> None:
    first = await alice.add(says("I live in Oslo."), conversation="c1")
    second = await alice.add(says("I live in Oslo!"), conversation="c2")
    await alice.forget(conversation="c1")
    (record,) = await rows(store, Record)
    assert record.sources == second.events
    assert first.events[0] not in repr(await rows(store, Passage))


async def test_of_several_versions_those_go_that_have_no_source_left(
    alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    first = await alice.add(says("I used to live in Rome."), conversation="c1")
    clock.advance(days=1)
    await alice.add(says("I live in Oslo."), conversation="c2")
    clock.advance(days=1)
    await alice.add(says("I moved to Bergen."), conversation="c3")  # the second version of Oslo has an end
    clock.advance(days=1)
    await alice.add(says("I used to live in Rome."), conversation="c4")
    await alice.forget(conversation="c1")
    (rome,) = [record for record in await rows(store, Record) if record.value == "Rome"]
    assert first.events[0] not in rome.sources
    assert len([record for record in await rows(store, Record) if record.value == "Oslo"]) == 2


async def test_a_later_version_stays_where_it_has_a_source_of_its_own(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(
        store, embedder="none", clock=clock, ids=SequentialIds(), settings=Settings(conflict_policy="flag_review")
    )
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("I live in Oslo."), conversation="c1")
    await alice.add(says("I live in Bergen."), conversation="c2")  # disputes Oslo, whose second version begins
    again = await alice.add(says("I live in Oslo."), conversation="c3")
    await alice.forget(conversation="c1")
    oslo = [record for record in await rows(store, Record) if record.value == "Oslo"]
    assert [(record.version, record.sources) for record in oslo] == [(2, again.events)]
    assert oslo[0].hash not in {row.id for row in await rows(store, Tombstone)}
    assert "Oslo" in str((await alice.profile()).plain())


async def test_a_wording_goes_and_the_one_it_replaced_holds_again(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(store, embedder=Scripted(coffee=[1.0]), clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    captured = [await alice.add(says(f"I {words} coffee.")) for words in ("like", "like filter", "love")]
    (first, second, third) = (item.events[0] for item in captured)
    assert [item.decisions[0].outcome for item in captured] == ["added", "merged", "merged"]
    known = {(row.id, row.version, row.seq) for row in await rows(store, Record)}
    other = await alice.add(says("The crab is blue."))
    await alice.forget(source=other.events[0])
    assert {(row.id, row.version, row.seq) for row in await rows(store, Record)} == known
    await alice.forget(source=second)
    assert await left(store, "filter") == []
    (record,) = await rows(store, Record)
    assert (record.text, record.sources, record.superseded_at) == ("User likes coffee.", (first, third), None)


async def test_what_is_left_holds_since_it_was_said(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    first = await alice.add(says("I live in Rome."))
    later = clock.advance(days=1)
    await alice.add(says("I live in Rome.", "Actually, I live in Rome."))
    await alice.forget(source=first.events[0])
    (record,) = await rows(store, Record)
    assert (record.valid_from, record.status) == (later, "verified")
    (passage,) = [row for row in await rows(store, Passage) if row.of == "record"]
    assert passage.at == later


async def test_a_conversation_goes_and_others_stay(alice: AsyncScoped, store: Store) -> None:
    await alice.add(says(EMPLOYER, "It rains."), conversation="c1")
    await alice.add(says("The crab is blue."), conversation="c2")
    await alice.forget(conversation="c1")
    assert [event.conversation for event in await rows(store, Event)] == ["c2"]
    with pytest.raises(NotFoundError, match="'conversation c1' is not in this scope, or was forgotten before"):
        await alice.forget(conversation="c1")


async def test_everything_goes_and_the_neighbour_stays(alice: AsyncScoped, memory: AsyncMemory, store: Store) -> None:
    bob = memory.scope(tenant="acme", user="bob")
    for scoped in (alice, bob):
        await scoped.add(says(EMPLOYER, "The crab is blue."), conversation="c")
    receipt = await alice.forget(everything=True)
    assert receipt.target == "everything in the scope"
    kept = await everything(store)
    assert {name for name, found in kept.items() if found} == {"tombstones", "receipts"}
    assert not await alice.recall("crab")
    assert "The crab is blue." in texts(await bob.recall("crab"))


async def test_exactly_one_target_is_named(alice: AsyncScoped) -> None:
    for names in ({}, {"record": "r", "source": "s"}, {"conversation": "c", "everything": True}, {"everything": False}):
        with pytest.raises(InputError, match="exactly one"):
            await alice.forget(**names)  # type: ignore[arg-type]
    for name in ("record", "source", "conversation"):
        with pytest.raises(InputError):
            await alice.forget(**{name: ""})  # type: ignore[arg-type]
        with pytest.raises(NotFoundError):
            await alice.forget(**{name: "nobody"})  # type: ignore[arg-type]


async def test_what_was_forgotten_does_not_come_back(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    message = says(EMPLOYER, id="m1")
    captured = await alice.add(message, conversation="c1")
    await alice.forget(record=captured.records[0])
    clock.advance(days=1)
    again = await alice.add(message, conversation="c1")
    assert (again.forgotten, again.decisions) == (1, ())
    reworded = await alice.add(says(f"  {EMPLOYER.upper()}", role="assistant"), conversation="c2")
    assert reworded.forgotten == 1
    told = f"By the way, {EMPLOYER[0].lower()}{EMPLOYER[1:]}"
    assert (await alice.add(says(told, role="assistant"), conversation="c3")).forgotten == 1
    assert (await alice.observe(EMPLOYER, source="tool_extracted_content")).forgotten == 1
    whole = Conversation(id="c1", messages=(Message(role="user", content=EMPLOYER, id="m1"),))
    other = Conversation(id="c4", messages=(Message(role="user", content=told),))
    imported = await alice.import_conversations([whole, other])
    assert (imported.records, imported.forgotten) == ((), 2)
    assert await rows(store, Record) == await rows(store, Event) == []


WRITERS = (None, "clerk", "cook", "Clerk")
#: Who forgot, whose it was, and whose writes that stops: None is the user, without an agent.
REACHES = [
    (None, None, set(WRITERS)),
    (None, "clerk", set(WRITERS)),
    ("clerk", None, {None, "clerk"}),
    ("clerk", "clerk", {"clerk"}),
]


@pytest.mark.parametrize(("by", "whose", "bound"), REACHES)
@pytest.mark.parametrize("target", ["everything", "source", "record"])
async def test_a_forgetting_binds_who_is_in_its_reach(
    memory: AsyncMemory, store: Store, by: str | None, whose: str | None, bound: set[str | None], target: str
) -> None:
    captured = await memory.scope(tenant="acme", user="alice", agent=whose).add(says(EMPLOYER))
    targets = {"everything": True, "source": captured.events[0], "record": captured.records[0]}
    await memory.scope(tenant="acme", user="alice", agent=by).forget(**{target: targets[target]})  # type: ignore[arg-type]
    for writer in WRITERS:
        scoped = memory.scope(tenant="acme", user="alice", agent=writer)
        told = await scoped.observe(EMPLOYER, source="agent")
        assert (told.forgotten, len(told.events)) == ((1, 0) if writer in bound else (0, 1))
        reworded = await scoped.observe(f"{EMPLOYER} The crab is blue.", source="agent")
        kept = f"{WITHHELD} The crab is blue." if writer in bound else f"{EMPLOYER} The crab is blue."
        assert reworded.forgotten == int(writer in bound)
        assert kept in {event.content for event in await rows(store, Event)}


async def test_an_agents_forgetting_tells_nothing_of_what_the_others_know(memory: AsyncMemory) -> None:
    clerk, cook = (memory.scope(tenant="acme", user="alice", agent=name) for name in ("clerk", "cook"))
    for scoped in (clerk, cook):
        await scoped.add(says(EMPLOYER))
    await clerk.forget(everything=True)
    assert EMPLOYER in texts(await cook.recall("Where do I work?"))
    assert not await clerk.recall("Where do I work?")


async def test_what_is_forgotten_in_chinese_does_not_come_back(alice: AsyncScoped, store: Store) -> None:
    captured = await alice.add(says("我在奥斯陆的一家造船厂工作"), conversation="c1")
    await alice.forget(source=captured.events[0])
    again = await alice.add(says("我在奥斯陆的一家造船厂，工作", role="assistant"), conversation="c2")
    assert again.forgotten == 1
    assert await rows(store, Event) == []


async def test_short_words_stay_sayable(alice: AsyncScoped, store: Store) -> None:
    captured = await alice.add(says("yes", "好的"), conversation="c1")
    await alice.forget(conversation="c1")
    again = await alice.add(says("yes", "好的"), conversation="c2")
    assert again.forgotten == 0
    assert len(await rows(store, Event)) == 2
    assert captured.events != again.events


async def test_the_receipt_tells_what_went_without_telling_what_it_was(clock: FrozenClock) -> None:
    digests = []
    for name in ("one", "two"):
        memory = await AsyncMemory.open(DictStore(), embedder="none", clock=clock, ids=SequentialIds())
        alice = memory.scope(tenant="acme", user="alice")
        await alice.add(says(EMPLOYER), conversation="c1")
        await alice.add(says("It rains."), conversation=f"c {name}")
        receipt = await alice.forget(conversation="c1")
        assert (receipt.created_at, len(receipt.digest)) == (clock.now, 64)
        assert "zyxwvut" not in repr(receipt).lower()
        digests.append(receipt.digest)
    assert digests[0] == digests[1]


@pytest.mark.parametrize("names", [{"agent": "cook"}, {"channel": "kitchen"}])
async def test_a_narrow_scope_forgets_only_what_it_sees(
    memory: AsyncMemory, store: Store, names: dict[str, str]
) -> None:
    other = dict.fromkeys(names, "other")
    owner = memory.scope(tenant="acme", user="alice", **other)  # type: ignore[arg-type]
    narrow = memory.scope(tenant="acme", user="alice", **names)  # type: ignore[arg-type]
    captured = await owner.add(says(EMPLOYER), conversation="c")
    await narrow.add(says("The kitchen crab is blue."), conversation="k")
    for target in ({"source": captured.events[0]}, {"record": captured.records[0]}, {"conversation": "c"}):
        with pytest.raises(NotFoundError):
            await narrow.forget(**target)  # type: ignore[arg-type]
    await narrow.forget(everything=True)
    assert [event.id for event in await rows(store, Event)] == list(captured.events)
    assert len(await rows(store, Record)) == 1


async def test_a_value_takes_no_name_from_where_the_scope_does_not_look(memory: AsyncMemory, store: Store) -> None:
    work, home = (memory.scope(tenant="acme", user="alice", channel=name) for name in ("work", "home"))
    await work.add(says("My boss Kari Lund lives in Bergen."))
    await work.graph.relate("Kari Lund", "Globex")
    before = await rows(store, Entity), await rows(store, Relation), await rows(store, Passage)
    with pytest.raises(NotFoundError):
        await home.forget(value="Kari Lund")
    await home.add(says("Kari Lund called."))
    await home.graph.relate("Ann", "Bergen")
    assert "entities" not in (await home.forget(value="Kari Lund")).removed
    after = await rows(store, Entity), await rows(store, Relation), await rows(store, Passage)
    assert all(row in now for then, now in zip(before, after, strict=True) for row in then)
    assert (await memory.rebuild(tenant="acme", user="alice")).same
    await work.forget(value="Kari Lund")
    assert await left(store, "kari") == []


async def test_a_shared_entity_stays_with_who_still_names_it(alice: AsyncScoped, store: Store) -> None:
    captured = await alice.add(says("I met Greta Lindqvist.", "Greta Lindqvist called."), conversation="c")
    await alice.forget(source=captured.events[0])
    assert [entity.name for entity in await rows(store, Entity)] == ["greta lindqvist"]
    await alice.forget(source=captured.events[1])
    assert await rows(store, Entity) == []


IBM = "International Business Machines (IBM) hired me."


async def test_another_name_goes_with_the_event_that_alone_gave_it(alice: AsyncScoped, store: Store) -> None:
    given = await alice.add(says(IBM))
    plain = await alice.add(says("International Business Machines pays well.", "IBM pays well."))
    await alice.forget(source=given.events[0])
    assert await rows(store, Relation) == []
    assert {entity.name for entity in await rows(store, Entity)} == {"ibm", "international business machines"}
    named = {passage.ref: passage.entities for passage in await rows(store, Passage)}
    assert set(named[plain.events[0]]).isdisjoint(named[plain.events[1]])
    await alice.forget(source=plain.events[1])
    assert await left(store, "ibm") == []


async def test_another_name_stays_with_another_event_that_gave_it(alice: AsyncScoped, store: Store) -> None:
    given = await alice.add(says(IBM, f"{IBM} In June."))
    receipt = await alice.forget(source=given.events[0])
    assert receipt.removed["relations"] == 1
    assert [edge.sources for edge in await rows(store, Relation)] == [given.events[1:]]


@pytest.mark.parametrize("wrapped", [lambda plain: plain, guard_embedder], ids=["plain", "guarded already"])
async def test_cached_vectors_are_let_go(
    wrapped: Callable[[Embedder], Embedder], store: Store, clock: FrozenClock
) -> None:
    counting = Counting(64)
    memory = await AsyncMemory.open(store, embedder=wrapped(counting), clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    captured = await alice.add(says("The crab is blue."))
    await alice.recall("The crab is blue.")
    before = counting.asked
    await alice.forget(source=captured.events[0])
    await alice.recall("The crab is blue.")
    assert counting.asked == before + 1
    assert await rows(store, Vector) == []


async def test_forgetting_that_is_overtaken_is_planned_again(store: Store, clock: FrozenClock) -> None:
    contested = Contested(store, 0)
    memory = await AsyncMemory.open(contested, embedder="none", clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    captured = await alice.add(says("The crab is blue."))
    contested.left = 1
    await alice.forget(source=captured.events[0])
    assert await rows(store, Event) == []
    await alice.add(says("The whale is blue."))
    contested.left = 1_000
    with pytest.raises(ConflictError, match="100 attempts"):
        await alice.forget(everything=True)
    assert len(await rows(store, Event)) == 1


async def test_a_record_that_was_said_very_often_takes_every_event_that_states_it(
    alice: AsyncScoped, store: Store
) -> None:
    said = [f"{EMPLOYER} This is message number {number}." for number in range(70)]
    captured = await alice.add(says(*said, "The crab is blue."))
    await alice.forget(record=captured.records[0])
    assert await left(store, "zyxwvut") == []
    assert len(await rows(store, Event)) == 1


async def test_a_record_that_was_said_very_often_stays_while_any_event_states_it(
    alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    """It names 64 of the 80 events. That of the other conversation is none of them."""
    for number in range(80):
        clock.advance(minutes=1)
        await alice.add(says(EMPLOYER), conversation="kept" if number == 1 else "gone")
    await alice.forget(conversation="gone")
    [event] = await rows(store, Event)
    [record] = await rows(store, Record)
    assert (record.sources, record.valid_from) == ((event.id,), event.event_time)


class Forgetful:
    """A store whose owner forgets everything, through another memory, right before the second write to it."""

    def __init__(self, store: Store, forgetting: Callable[[], Awaitable[object]]) -> None:
        self._store, self._forgetting = store, forgetting
        self.writes = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def apply(self, batch: Batch) -> Applied:
        self.writes += 1
        if self.writes == 1:
            raise ConflictError("somebody else wrote first")
        if self.writes == 2:
            await self._forgetting()
        return await self._store.apply(batch)


async def test_a_write_under_way_does_not_bring_back_what_is_forgotten_meanwhile(
    alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    await alice.add(says("The crab is a deep blue."), conversation="c")

    async def forgetting() -> None:
        clock.advance(seconds=1)
        await alice.forget(everything=True)

    forgetful = Forgetful(store, forgetting)
    other = await AsyncMemory.open(forgetful, embedder="none", clock=clock, ids=SequentialIds("other"))
    captured = await other.scope(tenant="acme", user="alice").add(says("The crab is a deep blue."), conversation="d")
    assert captured.forgotten == 1
    assert await rows(store, Event) == []


async def test_tasks_of_one_process_do_not_spoil_one_anothers_plans(alice: AsyncScoped, store: Store) -> None:
    await alice.add(says("I like coffee."))  # there is something to forget, whoever comes first
    async with anyio.create_task_group() as tasks:
        for number in range(30):
            tasks.start_soon(alice.add, says(f"I like tea number {number} a lot."))
        tasks.start_soon(partial(alice.forget, everything=True))
    assert len(await rows(store, Receipt)) == 1
    assert 0 <= len(await rows(store, Event)) <= 30


async def test_another_reader_of_the_store_learns_of_it(memory: AsyncMemory, store: Store, clock: FrozenClock) -> None:
    other = await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds("other"))
    theirs = other.scope(tenant="acme", user="alice")
    mine = memory.scope(tenant="acme", user="alice")
    captured = await mine.add(says("The crab is blue."))
    assert len(await theirs.recall("crab")) == 1
    await mine.forget(source=captured.events[0])
    assert len(await theirs.recall("crab")) == 0


def test_the_bytes_are_gone_from_the_file(tmp_path: Path, clock: FrozenClock) -> None:
    def held() -> bytes:
        return b"".join(file.read_bytes() for file in tmp_path.iterdir()).lower()

    with Memory.open(tmp_path / "memory.db", embedder="hashed", clock=clock) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        alice.add(says(*(f"The crab number {number} is blue." for number in range(50))), conversation="c")
        captured = alice.add(says(EMPLOYER, name="Qwertzu"), conversation="c")
        alice.context("crab", conversation="d")
        assert b"yxwvut" in held()
        assert b"qwertzu" in held()
        alice.forget(source=captured.events[0])
        assert b"qwertzu" not in held()
    assert b"the crab number 7" in held()
    for word in (b"zyxwvut", b"qwertzu"):
        assert word not in held()


async def test_an_edge_goes_with_its_sources_and_its_ends(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    captured = await alice.add(says("Greta Lindqvist works at Acme.", "Kari Nordmann works at Acme."))
    found = {entity.name: entity.id for entity in await rows(store, Entity)}
    edge = {"tenant": "acme", "user": "alice", "type": "works_at", "tail": found["acme"], "valid_from": clock.now}
    greta = Relation(id="greta", head=found["greta lindqvist"], sources=captured.events[:1], **edge)
    kari = Relation(id="kari", head=found["kari nordmann"], sources=captured.events[1:], **edge)
    told = Relation(id="told", head=found["acme"], **edge)
    await store.apply(Batch(owner=OWNER, changes=(Put(greta), Put(kari), Put(told))))
    kinds = [line.get("kind") async for line in alice.export()]
    assert kinds.count("relations") == 3
    await alice.forget(source=captured.events[0])
    assert {edge.id for edge in await rows(store, Relation)} == {"kari", "told"}


async def test_what_was_forgotten_leaves_the_process_though_the_call_is_cancelled(clock: FrozenClock) -> None:
    slow, counting = Slow(DictStore()), Counting(64)
    memory = await AsyncMemory.open(slow, embedder=counting, clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    captured = await alice.add(says("The crab is blue."))
    await cancelled(slow, alice.forget(source=captured.events[0]))
    assert await left(slow, "crab") == []
    image = memory._runtime.partitions.at_hand(OWNER)
    assert image is not None
    assert "crab" not in repr([*image.records.values(), *image.index.passages])
    before = counting.asked
    await alice.recall("The crab is blue.")
    assert counting.asked == before + 1


async def test_a_dry_run_says_what_would_go_and_changes_nothing(alice: AsyncScoped, store: Store) -> None:
    captured = await alice.add(says(EMPLOYER, "The crab is blue."), conversation="c")
    (record,) = captured.records
    before = await everything(store)
    for target in ({"record": record}, {"value": "Zyxwvut"}, {"conversation": "c"}, {"everything": True}):
        told = await alice.forget(**target, dry_run=True)  # type: ignore[arg-type] # one of its targets
        assert await everything(store) == before
        assert captured.events[0] in told.items["events"]
        assert told.items["records"] == [f"{record}/1"]
        assert (told.id, told.salt, told.digest, told.verify()) == ("", "", "", False)
        assert "nothing was forgotten" in told.remains[0]
        assert "zyxwvut" not in repr(told).lower()
    told = await alice.forget(record=record, dry_run=True)
    receipt = await alice.forget(record=record)
    assert receipt.removed == told.removed
    assert all(receipt.lists("events", one) for one in told.items["events"])
    for missing in ({"record": record}, {"value": "Zyxwvut"}):
        with pytest.raises(NotFoundError, match="nothing to forget"):
            await alice.forget(**missing, dry_run=True)


async def test_a_dry_run_is_begun_anew_if_something_is_written_meanwhile(
    alice: AsyncScoped, monkeypatch: pytest.MonkeyPatch
) -> None:
    (record,) = (await alice.add(says(EMPLOYER))).records
    falling, seen = forgetting._falling, list[int]()

    async def overtaken(*given: Any) -> Any:
        fall, seq, names = await falling(*given)
        seen.append(seq)
        return fall, seq - (len(seen) == 1), names

    monkeypatch.setattr(forgetting, "_falling", overtaken)
    assert (await alice.forget(record=record, dry_run=True)).removed["records"] == 1
    assert len(seen) == 2
