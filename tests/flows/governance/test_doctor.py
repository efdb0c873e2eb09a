"""What is damaged or missing is found, named and repaired, and what does not need it goes on."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from flows.damaging import File
from flows.helpers import MORNING, OWNER, rows, says, texts
from memoranda import AsyncMemory
from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.erasure.soundness import flaws
from memoranda.core.rows import TABLES, Entity, Event, Passage, Record, Relation, Tombstone, ToolUse, Vector
from memoranda.core.rows.changes import Applied, Batch, Change, Drop, Patch, Put
from memoranda.errors import CapabilityError, InputError, StoreCorruptError, StoreError
from memoranda.ports import Probe, Store
from memoranda.stores.dict_ import DictStore
from memoranda.stores.sqlite.schema import migrations
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

HOME = {"tenant": "acme", "user": "alice"}
NO_TEXT = "CAST(x'ff41' AS TEXT)"
LATE = "9223372036854775807"


@pytest.fixture
async def file(tmp_path: Path, clock: FrozenClock) -> File:
    file = File(tmp_path / "memory.db", clock)
    await lived(await file.open())
    return file


async def lived(memory: AsyncMemory) -> None:
    """Rows of every kind that the doctor looks at, and some that it only reads."""
    alice = memory.scope(**HOME)
    await alice.add(says("I live in Oslo.", "My dog is called Rex.", "International Business Machines (IBM) is big."))
    await alice.add(says("It rains in Bergen."))
    await alice.observe("The default project is PROJ", category="project_details")
    await alice.tools.record("search", {"q": "ferry"}, success=True)
    await alice.tools.record("map", {"q": "ferry"}, success=True)
    await alice.goals.add("Learn Spanish")
    await alice.graph.relate("Bob", "Acme", "WORKS_FOR")
    shared = await alice.collections.create("base")
    await alice.collections.add(shared.id, "The crab is blue")
    await alice.forget(source=(await alice.add(says("My cat is called Tom."))).events[0])
    await memory.consolidate(**HOME)
    await alice.context("Where do I live?")
    await memory.close()


async def told(memory: AsyncMemory, **options: Any) -> str:
    health = await memory.doctor(**options)
    return "\n".join(one for one in health.problems if ".backup" not in one)


#: One damage of each kind for each row kind that an image or an answer reads, and what is said of it.
DAMAGES = {
    "events.metadata": ("UPDATE events SET metadata = '{' WHERE content LIKE '%Oslo%'", "Expecting property name"),
    "events.content": (f"UPDATE events SET content = {NO_TEXT} WHERE content LIKE '%Oslo%'", "can't decode byte 0xff"),
    "events.event_time": (f"UPDATE events SET event_time = {LATE} WHERE content LIKE '%Oslo%'", "no time of the years"),
    "events.trust": ("UPDATE events SET trust = 'high' WHERE content LIKE '%Oslo%'", "trust (no float)"),
    "events.position": ("UPDATE events SET position = NULL WHERE content LIKE '%Oslo%'", "position (no int)"),
    "events.extraction": ("UPDATE events SET extraction = 'odd' WHERE content LIKE '%Oslo%'", "unknown value"),
    "passages.terms": (f"UPDATE passages SET terms = {NO_TEXT} WHERE terms LIKE '%oslo%'", "can't decode"),
    "passages.entities": ("UPDATE passages SET entities = '[1]' WHERE terms LIKE '%oslo%'", "entities (no strings)"),
    "passages.traits": ("UPDATE passages SET traits = '[' WHERE terms LIKE '%oslo%'", "traits (Expecting value"),
    "passages.recorded_at": (f"UPDATE passages SET recorded_at = -{LATE} WHERE terms LIKE '%oslo%'", "no time"),
    "passages.channel": ("UPDATE passages SET channel = x'01' WHERE terms LIKE '%oslo%'", "channel (no str)"),
    "vectors.data": ("UPDATE vectors SET data = x'01' WHERE ref IN (SELECT min(ref) FROM vectors)", "vectors kept"),
    "vectors.text": ("UPDATE vectors SET data = 'text' WHERE ref IN (SELECT min(ref) FROM vectors)", "no bytes"),
    "records.sources": ("UPDATE records SET sources = 'x' WHERE text LIKE '%Oslo%'", "sources (Expecting value"),
    "records.valid_from": (f"UPDATE records SET valid_from = {LATE} WHERE text LIKE '%Oslo%'", "valid_from (no time"),
    "records.status": ("UPDATE records SET status = 'nonsense' WHERE text LIKE '%Oslo%'", "unknown value"),
    "records.polarity": ("UPDATE records SET polarity = 'no' WHERE text LIKE '%Oslo%'", "polarity (no int)"),
    "entities.name": (f"UPDATE entities SET name = {NO_TEXT} WHERE name = 'oslo'", "can't decode"),
    "relations.valid_from": (f"UPDATE relations SET valid_from = {LATE}", "valid_from (no time"),
    "tool_uses.latencies": ("UPDATE tool_uses SET latencies = '[]'", "no JSON object"),
    "tombstones.receipt": ("UPDATE tombstones SET receipt = x'00'", "receipt (no str)"),
    "collections.sources": ("UPDATE collections SET sources = '{}x'", "sources (Extra data"),
    "context_log.sections": ("UPDATE context_log SET sections = ''", "sections (Expecting value"),
    "audit.id": ("UPDATE audit SET id = x'00' WHERE rowid = 1", "damaged id (no str)"),
}  # fmt: skip


@pytest.mark.parametrize("where", DAMAGES)
async def test_a_damaged_row_is_left_out_by_name_and_repaired(file: File, where: str) -> None:
    statement, said = DAMAGES[where]
    file.damage(statement)
    memory = await file.open()
    alice = memory.scope(**HOME)
    found = await alice.recall("Where does it rain?")
    assert "It rains in Bergen." in texts(found)
    assert (await alice.context("Where does it rain?")).text
    await alice.add(says("A whale sings."))
    await alice.profile()
    assert said in await told(memory)
    health = await memory.doctor(repair=True)
    assert health.repaired[0].endswith(f"memory.db.v{migrations()[-1].version}-1.backup")
    await memory.reembed(tenant="acme")
    assert await told(memory) == ""
    found = await alice.recall("Where do I live?")
    assert found.degraded == ()
    assert any("Oslo" in text or "\ufffdA" in text for text in texts(found))
    await memory.close()


async def test_what_is_left_out_is_named_in_the_answer(file: File) -> None:
    file.damage(
        "UPDATE events SET metadata = '{' WHERE content LIKE '%rains%'",
        "UPDATE records SET sources = '' WHERE text LIKE '%Rex%'",
        f"UPDATE passages SET at = {LATE} WHERE terms LIKE '%ibm%'",
    )
    memory = await file.open()
    alice = memory.scope(**HOME)
    found = await alice.recall("Where does it rain?")
    assert "It rains in Bergen." not in texts(found)
    left_out, event = found.degraded
    assert left_out.startswith("store: 1 of the passages, 1 of the records cannot be read and are left out")
    assert event.startswith("events ")
    assert "damaged metadata" in event
    why = await alice.why("Where does it rain?")
    assert why.recalled.degraded == found.degraded
    with pytest.raises(StoreCorruptError, match=r"memory\.db: events .* damaged metadata .*memoranda doctor --repair"):
        await alice.events()
    await memory.close()


async def test_forgotten_words_stay_forgotten_though_their_mark_is_damaged(file: File) -> None:
    file.damage("UPDATE tombstones SET created_at = 'never'")
    memory = await file.open()
    image = await memory._runtime.partitions.current(OWNER)
    assert len(image.tombstones.since) == len(image.damaged) > 0
    await memory.doctor(repair=True)
    assert (await memory._runtime.partitions.current(OWNER)).damaged == ()
    now = await memory._runtime.partitions.current(OWNER)
    assert now.tombstones.since.keys() == image.tombstones.since.keys()
    await memory.close()


async def test_a_memory_open_elsewhere_notices_the_repair(file: File) -> None:
    file.damage(f"UPDATE passages SET at = {LATE} WHERE terms LIKE '%oslo%'")
    one, other = await file.open(), await file.open()
    assert (await one.scope(**HOME).recall("Oslo")).degraded
    await other.doctor(repair=True)
    assert (await one.scope(**HOME).recall("Oslo")).degraded == ()
    await one.close()
    await other.close()


async def test_an_event_whose_meaning_was_in_its_metadata_means_nothing_any_more(file: File) -> None:
    file.damage("UPDATE events SET metadata = '{' WHERE kind = 'consolidation' OR kind = 'tool_call'")
    memory = await file.open()
    await memory.doctor(repair=True)
    store = memory._runtime.store
    assert [event.kind for event in await rows(store, Event) if event.kind == "damaged"] == ["damaged"] * 3
    assert await told(memory) == ""
    assert (await memory.rebuild(**HOME)).events == len(await rows(store, Event))
    await memory.close()


async def test_the_name_of_an_event_that_cannot_be_read_is_found_again_by_its_passage(file: File) -> None:
    before = file.rows()
    file.damage(f"UPDATE events SET id = {NO_TEXT} WHERE content LIKE '%Oslo%'")
    memory = await file.open()
    assert "damaged id" in await told(memory)
    health = await memory.doctor(repair=True)
    assert any("rows without a legible name were named" in one for one in health.repaired)
    assert await told(memory) == ""
    await memory.close()
    assert file.rows() == before


@pytest.mark.parametrize("also", ["DELETE FROM passages WHERE terms LIKE '%rex%'", "SELECT 1"])
async def test_a_row_whose_name_is_lost_gets_another_and_stays_legible(file: File, also: str) -> None:
    file.damage(
        f"UPDATE events SET id = {NO_TEXT} WHERE content LIKE '%Rex%'",
        "UPDATE records SET id = x'00' WHERE kind = 'goal'",
        "UPDATE passages SET ref = x'00' WHERE kind = 'goal'",
        also,
    )
    memory = await file.open()
    await memory.doctor(repair=True)
    await memory.reembed(tenant="acme")
    assert await told(memory) == ""
    found = await rows(memory._runtime.store, Record)
    assert {row.text for row in found} >= {"Learn Spanish", "User's dog is called Rex."}
    assert [row.kind for row in found if row.id.startswith("damaged-")] == ["goal"]
    await memory.close()


async def test_a_value_that_was_set_is_not_taken_for_one_that_was_not(file: File) -> None:
    """What is private to an agent, or has ended, does not become everybody's or current by a repair."""
    file.damage(
        "UPDATE events SET agent = x'00' WHERE content LIKE '%rains%'",
        f"UPDATE collections SET expires_at = {LATE}",
    )
    memory = await file.open()
    await memory.doctor(repair=True)
    store = memory._runtime.store
    [event] = [event for event in await rows(store, Event) if "rains" in event.content]
    [shared] = await rows(store, TABLES["collections"], Owner("acme", SHARED))
    assert event.agent == ""
    assert shared.expires_at == shared.created_at  # type: ignore[attr-defined]
    await memory.close()


#: What is missing, and the flaw that shows it.
LOST = {
    "a passage of an event": ("DELETE FROM passages WHERE terms LIKE '%rain%'", "no passage of it"),
    "a passage of a goal": ("DELETE FROM passages WHERE kind = 'goal'", "no passage of it"),
    "every passage": ("DELETE FROM passages", "no passage of it"),
    "the table of passages": ("DROP TABLE passages", "passages is missing"),
    "a record": ("DELETE FROM records WHERE text LIKE '%Oslo%'", "passage of nothing"),
    "the table of records": ("DROP TABLE records", "records is missing"),
    "an entity": ("DELETE FROM entities WHERE name = 'oslo'", "entity missing"),
    "statistics of tools": ("DELETE FROM tool_uses", "no statistics of tools"),
    "statistics of a tool": ("DELETE FROM tool_uses WHERE tool = 'map'", "no statistics of tools"),
    "the name of a statistic": ("UPDATE tool_uses SET id = CAST(x'ff41' AS TEXT) WHERE tool = 'map'", "damaged id"),
    "an event": ("DELETE FROM events WHERE content LIKE '%rains%'", "passage of nothing"),
    "the table of owners": ("DROP TABLE owners", "owners is missing"),
    "a counter": ("UPDATE owners SET seq = 1", "is missing, or behind the rows"),
    "an index": ("DROP INDEX events_by_seq", "events_by_seq is missing"),
    "the version": ("PRAGMA user_version = 999", "its head says schema 999"),
    "words in the index": ("DELETE FROM passages_index_docsize", "index of words is out of step"),
}  # fmt: skip


@pytest.mark.parametrize("what", LOST)
async def test_what_is_missing_is_found_and_derived_again(file: File, what: str) -> None:
    statement, said = LOST[what]
    memory = await file.open()
    await memory._runtime.store.probe(_words("oslo"))  # brings the index of words up to date
    before = {kind: {row.id for row in await rows(memory._runtime.store, kind)} for kind in (Record, Entity, ToolUse)}
    await memory.close()
    file.damage(statement)
    memory = await file.open()
    assert said in await told(memory)
    await memory.doctor(repair=True)
    await memory.reembed(tenant="acme")
    after = {kind: {row.id for row in await rows(memory._runtime.store, kind)} for kind in (Record, Entity, ToolUse)}
    if what in {"the table of records", "an event"}:  # what nobody said cannot be derived: a goal, the narrative
        assert "nothing here tells more of it: restore a backup" in await told(memory)
    else:
        assert await told(memory) == ""
        assert after == before
    if what != "an event":
        assert "It rains in Bergen." in texts(await memory.scope(**HOME).recall("Where does it rain?"))
    assert await memory._runtime.store.probe(_words("oslo"))
    await memory.close()


def _words(*terms: str) -> Probe:
    return Probe(owner=OWNER, limit=9, terms=terms)


async def test_a_sound_memory_has_no_flaw(clock: FrozenClock) -> None:
    store = DictStore()
    await lived(await AsyncMemory.open(Kept(store), embedder="hashed", clock=clock, ids=SequentialIds()))
    memory = await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds("later"))
    for owner in (OWNER, Owner("acme", SHARED)):
        assert list(flaws({kind: await rows(store, kind, owner) for kind in TABLES.values()})) == []
    health = await memory.doctor(repair=True)
    assert (health.repaired, health.owners) == ((), ("acme/_shared", "acme/alice"))


class Kept:
    """A store that closing does not empty."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def close(self) -> None:
        pass


async def test_what_rests_on_nothing_is_dropped(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds())
    alice = memory.scope(**HOME)
    said = await alice.add(says("I live in Oslo.", "It rains."))
    goal = await alice.goals.add("Learn Spanish")
    await alice.graph.relate("Bob", "Acme", "WORKS_FOR")
    [edge] = await rows(store, Relation)
    [aim] = [row for row in await rows(store, Record) if row.id == goal.id]
    await _write(
        store, memory, *map(_forgotten, (said.events[0], edge.sources[0], "gone")),
        Drop(Event, (said.events[0],)), Drop(Event, (edge.sources[0],)),
        Patch(Record, (aim.id, aim.version), {"sources": (*aim.sources, "gone")}),
        Put(Vector(tenant="acme", user="alice", space="s", ref="void", data=b"00")),
        Put(Passage(tenant="acme", user="alice", ref="gone", of="thing", at=clock(), recorded_at=clock())),
    )  # fmt: skip
    health = await memory.doctor(**HOME)
    assert any("1 x vector of nothing (s/void): memoranda doctor --repair" in one for one in health.problems)
    repaired = await memory.doctor(**HOME, repair=True)
    assert any(one.endswith("relation whose event is missing: dropped") for one in repaired.repaired)
    assert [row.kind for row in await rows(store, Record)] == ["goal"]
    assert [row.sources for row in await rows(store, Record)] == [aim.sources]
    assert await rows(store, Relation) == []
    assert {row.ref for row in await rows(store, Passage)} >= {said.events[1], goal.id}
    assert {row.ref for row in await rows(store, Passage)}.isdisjoint({said.events[0], "gone"})


def _forgotten(name: str) -> Change:
    return Put(Tombstone(tenant="acme", user="alice", id=name, receipt="r", created_at=MORNING))


async def test_an_entity_is_made_again_by_what_names_it(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds())
    await memory.scope(**HOME).graph.relate("Bob", "Acme", "WORKS_FOR")
    [edge] = await rows(store, Relation)
    [known] = [row for row in await rows(store, Entity) if row.id == edge.head]
    other = replace(edge, id="other", tail="nobody")
    await _write(store, memory, Drop(Entity, (edge.head,)), Put(other))
    health = await memory.doctor(**HOME, repair=True)
    assert [row.name for row in await rows(store, Entity) if row.id == known.id] == ["bob"]
    assert any("entity missing (nobody): nothing here tells more of it" in one for one in health.problems)
    assert {row.id: row.tail for row in await rows(store, Relation)} == {edge.id: edge.tail, "other": "nobody"}


async def test_many_flaws_of_one_kind_are_counted(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds())
    said = await memory.scope(**HOME).add(says(*(f"Crab {number} is blue." for number in range(7))))
    await _write(store, memory, *(Drop(Passage, (one,)) for one in said.events))
    [problem] = [one for one in (await memory.doctor(**HOME)).problems if "no passage" in one]
    assert "acme/alice: 7 x no passage of it (" in problem
    assert problem.count("test") <= 5
    assert ", …)" in problem


async def _write(store: Store, memory: AsyncMemory, *changes: Change) -> None:
    await store.apply(Batch(owner=OWNER, changes=changes))
    memory._runtime.partitions.forget(OWNER)


async def test_a_repair_that_does_not_help_ends(clock: FrozenClock) -> None:
    class Stuck(DictStore):
        stuck = False

        async def apply(self, batch: Batch) -> Applied:
            return Applied(seq=batch.expect or 0) if self.stuck else await super().apply(batch)

    store = Stuck()
    memory = await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds())
    said = await memory.scope(**HOME).add(says("It rains."))
    await _write(store, memory, Drop(Passage, (said.events[0],)))
    store.stuck = True
    health = await memory.doctor(repair=True)
    assert len(health.repaired) == 1
    assert any("1 x no passage of it" in one for one in health.problems)


async def test_everybody_in_the_file_is_examined_or_those_named(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds())
    for tenant, user in (("app", "ann"), ("app", "bob"), ("web", "cid")):
        await memory.scope(tenant=tenant, user=user).add(says("I live in Oslo."))
    whole = await memory.doctor()
    assert (whole.owners, whole.counts["events"]) == (("app/ann", "app/bob", "web/cid"), 3)
    assert (whole.embedded, whole.spaces) == (1.0, {"hashed/trigrams-256@1": 1.0})
    assert (await memory.doctor(tenant="app")).owners == ("app/ann", "app/bob")
    assert (await memory.doctor(tenant="app", user="ann")).counts["events"] == 1
    with pytest.raises(InputError):
        await memory.doctor(user="ann")


async def test_a_store_that_keeps_tenants_apart_needs_a_name(clock: FrozenClock) -> None:
    class Apart(DictStore):
        async def describe(self) -> Any:
            return {name: value for name, value in (await super().describe()).items() if name != "owners"}

    memory = await AsyncMemory.open(Apart(), embedder="none", clock=clock)
    with pytest.raises(CapabilityError, match="name the tenant"):
        await memory.doctor()
    assert (await memory.doctor(tenant="acme")).owners == ()


async def test_a_store_that_fails_is_a_problem_and_no_error(clock: FrozenClock) -> None:
    class Broken(DictStore):
        async def describe(self) -> Any:
            raise StoreCorruptError("page 7 is damaged")

        async def find(self, *_: Any) -> Any:
            raise StoreError("page 8 is damaged")

    memory = await AsyncMemory.open(Broken(), embedder="none", clock=clock)
    assert (await memory.doctor()).problems[:1] == ("page 7 is damaged",)
    assert (await memory.doctor(**HOME)).problems[:2] == ("page 7 is damaged", "page 8 is damaged")
