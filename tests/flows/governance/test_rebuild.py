"""What is derived from the log again: the same by the same rules, and nothing that was forgotten."""

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conformance.postgres_server import PostgresServer
from flows.helpers import OWNER, Contested, Ticking, everything, rows, says, seeds
from memoranda import AsyncMemory, AsyncScoped, Settings
from memoranda.core.base.plain import plain
from memoranda.core.erasure.reopened import COMPOSED
from memoranda.core.rows import Event, Passage, Record, Relation, ToolUse, Vector
from memoranda.core.rows.changes import Applied, Batch, Drop
from memoranda.errors import InputError, NotFoundError, StoreError
from memoranda.flows.governance import rebuild as rebuilding
from memoranda.ports import Completion, Store
from memoranda.stores.dict_ import DictStore
from memoranda.stores.postgres.store import PostgresStore
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

WHOSE = {"tenant": "acme", "user": "alice"}
SAID = (
    "I live in Oslo.", "I live in Bergen.", "I moved to Rome.", "I prefer short mails.", "I prefer short emails.",
    "I don't like tea.", "I like tea.", "I work at Acme.", "I work at Globex.", "I used to work at Acme.",
    "My exam is on Tuesday.", "No, I meant Friday.", "No, Wednesday.", "International Business Machines (IBM) is big.",
    "Until Friday I live in Paris.", "Actually, I work at Bolt.", "My dog is called Rex.", "My dog Rex died.",
    "I joined Acme in 2015.", "I no longer work at Acme.", "It rains.", "I eat meat.", "I don't eat meat any more.",
)  # fmt: skip
CLAIMS = ("User lives in Oslo.", "User works at Acme.", "User likes tea.", "User takes care of the dog Rex.")
JOBS = ("decay", "rot", "prune", "deduplicate", "weekly_review", "patterns", "promote_global", "retention", "trends")
CATEGORIES = ("fact", "preference", "correction", "project_details", "entity")


class Writer:
    """A language model that claims something by chance, and now and then talks nonsense."""

    name = "test/writer"

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    async def complete(self, _: str, **__: Any) -> Completion:
        chance = self._chance
        if chance.random() < 0.1:
            return Completion(text="nonsense")
        answer = {
            "facts": [
                {"claim": chance.choice(CLAIMS), "certainty": chance.choice(["explicit", "inferred"]), "events": [one]}
                for one in range(1, chance.randint(1, 4))
            ],
            "updated_working_memory": "User lives in Oslo. User likes tea.",
            "updated_scaffold": {"work": {"employer": chance.choice(["Acme", "Globex"])}},
            "entities": [{"name": "Acme", "type": "organisation", "events": [1]}],
            "relations": [{"source": "Rex", "target": "Acme", "type": "KNOWS", "events": [1]}],
        }
        return Completion(text=json.dumps(answer))

    async def close(self) -> None:
        """Nothing to release."""


class Life:
    """What may happen to a memory, by chance."""

    def __init__(self, memory: AsyncMemory, store: Store, clock: FrozenClock, chance: random.Random) -> None:
        self.memory, self.store, self.clock, self.chance = memory, store, clock, chance

    async def go(self, steps: int, **weights: float) -> None:
        for name in self.chance.choices(list(weights), list(weights.values()), k=steps):
            self.clock.advance(minutes=self.chance.choice([1, 60, 3000]))
            channel, agent = self.chance.choice(["_global", "_global", "work"]), self.chance.choice([None, None, "bot"])
            try:
                await getattr(self, name)(self.memory.scope(**WHOSE, channel=channel, agent=agent))
            except (InputError, NotFoundError):
                continue

    async def say(self, here: AsyncScoped) -> None:
        said = says(*self.chance.choices(SAID, k=self.chance.randint(1, 3)))
        await here.add(said, conversation=self.chance.choice([None, "c1", "c2"]))

    async def recollect(self, here: AsyncScoped) -> None:
        day = f"2025-12-{self.chance.randint(1, 30):02}T10:00:00+00:00"
        await here.add(says(self.chance.choice(SAID), timestamp=day), conversation="c1")

    async def observe(self, here: AsyncScoped) -> None:
        source = self.chance.choice(["user_provided", "agent"])
        await here.observe(self.chance.choice(SAID), category=self.chance.choice(CATEGORIES), source=source)

    async def consolidate(self, _: AsyncScoped) -> None:
        await self.memory.consolidate(**WHOSE)

    async def do(self, here: AsyncScoped) -> None:
        await here.tools.record("search", {"q": "ferry"}, latency=0.4, success=self.chance.random() < 0.5)
        await here.strategies.learn("Ask the harbour", "a trip", ["search"], success=self.chance.random() < 0.5)
        await here.goals.add(self.chance.choice(["Learn Spanish", "Ship it"]))
        await here.entries.log("Asked the harbour")

    async def describe(self, here: AsyncScoped) -> None:
        await here.graph.upsert("Acme", type=self.chance.choice(["organisation", "thing"]), description="It sells.")
        await here.graph.relate("Bob", self.chance.choice(["Acme", "Globex"]), "WORKS_FOR", replaces=True)
        await here.router.write("harbour", self.chance.choice(["Oslo", 1, "I live in Oslo."]), "long_term")

    async def work(self, here: AsyncScoped) -> None:
        await here.working("c3").add(says(self.chance.choice(SAID)))
        self.clock.advance(minutes=1)
        await here.working("c3").flush()

    async def ask(self, here: AsyncScoped) -> None:
        await here.recall("Where do I live?")

    async def promote(self, _: AsyncScoped) -> None:
        record = await self._one()
        await self._where(record).channels.promote(record.id)

    async def review(self, _: AsyncScoped) -> None:
        record = await self._one()
        here = self._where(record).review
        await (here.accept if record.status == "disputed" and self.chance.random() < 0.5 else here.reject)(record.id)

    async def forget(self, _: AsyncScoped) -> None:
        whole = self.memory.scope(**WHOSE, whole=True)
        if self.chance.random() < 0.5:
            await whole.forget(record=(await self._one()).id)
        else:
            found = await rows(self.store, Event)
            await whole.forget(source=self.chance.choice(found).id if found else "nothing")

    async def tidy(self, _: AsyncScoped) -> None:
        self.clock.advance(days=self.chance.choice([1, 200, 400]))
        await self.memory.run_job(self.chance.choice(JOBS), **WHOSE)

    async def set_back(self, _: AsyncScoped) -> None:
        self.clock.advance(minutes=-self.chance.choice([1, 70, 4000]))

    async def turn_out(self, _: AsyncScoped) -> None:
        record = await self._one()
        await self._where(record).outcomes.record(record.id, "It went well.", success=self.chance.random() < 0.8)

    async def _one(self) -> Record:
        found = [record for record in await rows(self.store, Record) if record.superseded_at is None]
        if not found:
            raise NotFoundError("nothing is known yet")
        return self.chance.choice(found)

    def _where(self, record: Record) -> AsyncScoped:
        return self.memory.scope(**WHOSE, channel=record.channel, agent=record.agent)


USUAL = {
    "say": 10, "recollect": 1, "observe": 3, "consolidate": 2, "do": 1, "describe": 1, "work": 0.5, "ask": 1,
    "promote": 1, "tidy": 1, "turn_out": 1,
}  # fmt: skip


async def lived(store: Store, clock: FrozenClock, seed: int, policy: Any = "prefer_new", **more: float) -> AsyncMemory:
    """A memory to which something happened by chance."""
    chance = random.Random(seed)
    memory = await AsyncMemory.open(
        store, embedder="hashed", clock=clock, ids=SequentialIds(), language_model=Writer(chance),
        settings=Settings(conflict_policy=policy),
    )  # fmt: skip
    await Life(memory, store, clock, chance).go(25, **{**USUAL, **more})
    return memory


@pytest.fixture
def clock() -> FrozenClock:
    return Ticking()


async def told(store: Store) -> list[str]:
    """Every row but for its number, in no order, without what is noted of the asking itself."""
    return sorted(
        json.dumps(plain(replace(row, seq=0)), sort_keys=True)
        for name, some in (await everything(store)).items()
        for row in some
        if name not in {"audit", "ledger", "spending"}
    )


@pytest.mark.parametrize("policy", ["prefer_new", "flag_review", "prefer_old"])
@pytest.mark.parametrize("seed", seeds(0, 12, 6))
async def test_the_same_rules_derive_the_same_to_the_letter(seed: int, policy: str, clock: FrozenClock) -> None:
    store = DictStore()
    memory = await lived(store, clock, seed, policy, review=2)
    before = await told(store)
    done = await memory.rebuild(**WHOSE)
    assert done.same, done.difference
    assert (done.difference.appeared, done.difference.changed, done.difference.vanished) == ((), (), ())
    assert done == await memory.rebuild(**WHOSE)
    assert before == await told(store)


@pytest.mark.parametrize(("seed", "policy"), [*((seed, "prefer_new") for seed in range(200, 210)), (839, "prefer_old")])
@pytest.mark.parametrize("back", [4, 8])
async def test_the_order_of_the_log_is_that_of_writing_though_clocks_are_set_back(
    seed: int, policy: str, back: int, clock: FrozenClock
) -> None:
    memory = await lived(DictStore(), clock, seed, policy, review=2, set_back=back)
    done = await memory.rebuild(**WHOSE)
    assert done.same, done.difference


@pytest.mark.parametrize("seed", [210, 221, 264, 298])
async def test_a_narrative_made_of_a_value_that_was_rejected_is_archived_again(seed: int, clock: FrozenClock) -> None:
    memory = await lived(DictStore(), clock, seed, review=2)
    assert (await memory.rebuild(**WHOSE)).same


async def test_a_value_that_was_refused_is_no_observation_when_the_log_is_read_again(
    memory: AsyncMemory, clock: FrozenClock, store: Store
) -> None:
    bot = memory.scope(**WHOSE, agent="bot")
    await bot.router.write("harbour", "Oslo", "long_term")
    [kept] = [row for row in await rows(store, Record) if row.superseded_at is None]
    await bot.review.reject(kept.id)
    clock.advance(days=1)
    with pytest.raises(InputError, match="rejected, and only the user"):
        await bot.router.write("harbour", "Oslo", "long_term")
    assert len(await rows(store, Event)) == 3
    assert (await memory.rebuild(**WHOSE)).same


async def test_a_correction_stands_after_a_switch_though_the_clock_was_set_back(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock
) -> None:
    await alice.add(says("I live in Oslo."))
    clock.advance(seconds=-50)
    await alice.add(says("I moved to Rome."))
    clock.advance(minutes=1)
    assert (await memory.rebuild(**WHOSE, switch=True)).same
    assert (await alice.profile()).plain() == {"location": {"city": "Rome"}}


async def test_what_waited_was_said_when_it_was_said(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock
) -> None:
    await alice.working("c1").add(says("I live in Oslo."))
    clock.advance(seconds=30)
    await alice.add(says("I moved to Rome."))
    clock.advance(seconds=10)
    await alice.working("c1").flush()
    assert (await alice.profile()).plain() == {"location": {"city": "Rome"}}
    assert (await memory.rebuild(**WHOSE)).same


@pytest.mark.parametrize("seed", seeds(100, 130, 10))
async def test_what_was_forgotten_is_not_derived_again(seed: int, clock: FrozenClock) -> None:
    memory = await lived(DictStore(), clock, seed, forget=3)
    done = await memory.rebuild(**WHOSE)
    assert done.same, done.difference


async def test_all_stores_derive_alike(
    store: Store, clock: FrozenClock, postgres: PostgresServer, tmp_path: Path
) -> None:
    memory = await lived(store, clock, 3, review=2)
    here = await memory.rebuild(**WHOSE)
    server = await PostgresStore.open(postgres.url, schema=postgres.emptied())
    for other in (DictStore(), await SqliteStore.open(tmp_path / "other.db"), server):
        assert (await memory.rebuild(**WHOSE, to=other)).written
        again = await AsyncMemory.open(other, embedder="hashed", clock=clock)
        done = await again.rebuild(**WHOSE)
        assert done.same
        assert (done.after, done.events) == (here.after, here.events)
        assert await told(other) == await told(store)
        await other.close()


async def test_what_was_lost_is_put_in_its_place_again(store: Store, clock: FrozenClock) -> None:
    memory = await lived(store, clock, 5, review=2, describe=0)
    before = await memory.rebuild(**WHOSE)
    lost = [Drop(Passage, (row.ref,)) for row in await rows(store, Passage) if row.of == "event" and row.kind == "turn"]
    lost += [Drop(Record, (row.id, row.version)) for row in await rows(store, Record) if row.editor not in COMPOSED]
    lost += [Drop(ToolUse, (row.id,)) for row in await rows(store, ToolUse)]
    lost += [Drop(Vector, (row.space, row.ref)) for row in await rows(store, Vector)]
    await store.apply(Batch(owner=OWNER, changes=tuple(lost)))
    looked = await memory.rebuild(**WHOSE)
    assert (looked.same, looked.switched, looked.after) == (False, False, before.after)
    done = await memory.rebuild(**WHOSE, switch=True)
    assert (done.switched, done.after) == (True, before.after)
    assert (await memory.rebuild(**WHOSE)).same
    assert len(await rows(store, Vector)) > 0


async def test_what_is_counted_stays_through_a_switch(memory: AsyncMemory, alice: AsyncScoped, store: Store) -> None:
    await alice.add(says("I live in Oslo."))
    await alice.recall("Where do I live?")
    await memory.rebuild(**WHOSE, extractor="none", switch=True)
    assert await rows(store, Record) == []
    await memory.rebuild(**WHOSE, switch=True)
    await alice.recall("Where do I live?")
    await memory.rebuild(**WHOSE, switch=True)
    [record] = await rows(store, Record)
    assert (record.text, record.access_count) == ("User lives in Oslo.", 1)


async def test_without_rules_only_what_consolidation_found_counts(store: Store, clock: FrozenClock) -> None:
    memory = await lived(store, clock, 9, consolidate=9, do=4, tidy=0)
    done = await memory.rebuild(**WHOSE, extractor="none", switch=True)
    left = [record for record in await rows(store, Record) if record.superseded_at is None]
    assert done.extractor == "none"
    assert done.difference.vanished
    assert not [record for record in left if record.editor.startswith("en:")]
    assert {"consolidation", "goals"} <= {record.editor for record in left}
    await memory.rebuild(**WHOSE, switch=True)
    assert (await memory.rebuild(**WHOSE)).same


class Broken:
    """A store that dies at a write, before or after it was done."""

    def __init__(self, store: Store, *, late: bool) -> None:
        self._store, self._late = store, late

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def apply(self, batch: Batch) -> Applied:
        if self._late:
            await self._store.apply(batch)
        raise StoreError("killed")


@pytest.mark.parametrize("late", [False, True])
async def test_a_switch_that_is_killed_leaves_the_old_state_or_the_new_one(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock, late: bool
) -> None:
    await alice.add(says("I live in Oslo.", "I like tea."))
    before = await told(store)
    dying = await AsyncMemory.open(Broken(store, late=late), embedder="hashed", clock=clock)
    with pytest.raises(StoreError, match="killed"):
        await dying.rebuild(**WHOSE, extractor="none", switch=True)
    assert (await told(store) == before) is not late
    assert (await memory.rebuild(**WHOSE)).same is not late


async def test_what_is_written_meanwhile_is_read_too(store: Store, clock: FrozenClock) -> None:
    memory = await lived(store, clock, 7)
    contested = await AsyncMemory.open(Contested(store, 2), embedder="hashed", clock=clock)
    done = await contested.rebuild(**WHOSE, extractor="none", switch=True)
    assert done.switched
    assert (await memory.rebuild(**WHOSE, extractor="none")).same


async def test_what_is_written_meanwhile_is_in_the_file_and_in_place(clock: FrozenClock, tmp_path: Path) -> None:
    store, path = DictStore(), tmp_path / "again.db"
    await lived(store, clock, 7)
    contested = await AsyncMemory.open(Contested(store, 2), embedder="hashed", clock=clock)
    done = await contested.rebuild(**WHOSE, extractor="none", to=path, switch=True)
    assert (done.written, done.switched) == (True, True)
    async with await AsyncMemory.open(path, embedder="hashed", clock=clock) as other:
        assert (await other.rebuild(**WHOSE, extractor="none")).before == done.after


async def test_a_file_that_holds_the_memory_already_is_refused(
    memory: AsyncMemory, alice: AsyncScoped, tmp_path: Path
) -> None:
    await alice.add(says("I live in Oslo."))
    path, steps = tmp_path / "again.db", list[int]()
    done = await memory.rebuild(**WHOSE, to=path, progress=steps.append)
    assert (done.written, done.events, done.read, steps) == (True, 1, 1, [1])
    with pytest.raises(InputError, match="name a new file"):
        await memory.rebuild(**WHOSE, to=path, switch=True)


async def test_nothing_comes_of_nothing(memory: AsyncMemory) -> None:
    done = await memory.rebuild(**WHOSE, switch=True)
    assert (done.events, done.read, done.same) == (0, 0, True)


async def test_what_was_forgotten_stays_so_when_other_rules_read_the_log(
    memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await alice.add(says("My home is the town of Bergen."), conversation="c1")
    clock.advance(days=1)
    said = await alice.add(says("I live in Bergen."), conversation="c2")
    await alice.forget(record=said.records[0])
    read = rebuilding.read

    def better(runtime: Any, event: Event) -> Any:
        draft = read(runtime, event)
        also = read(runtime, replace(event, content="I live in Bergen.")).analysis.statements
        return replace(draft, analysis=replace(draft.analysis, statements=also))

    monkeypatch.setattr(rebuilding, "read", better)
    assert (await memory.rebuild(**WHOSE)).difference.appeared == ()


async def test_a_verdict_finds_its_belief_when_the_first_to_say_it_was_forgotten(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    first = await alice.add(says("I live in Oslo."))
    clock.advance(days=1)
    await alice.add(says("I no longer live in Oslo."))
    clock.advance(days=1)
    last = await alice.add(says("I live in Oslo."))
    assert first.records != last.records
    await alice.forget(source=first.events[0])
    clock.advance(days=1)
    await alice.review.reject(last.records[0])
    done = await memory.rebuild(**WHOSE, switch=True)
    assert done.same
    assert (await memory.rebuild(**WHOSE)).same
    assert [row.status for row in await rows(store, Record) if row.id == last.records[0]][-1] == "rejected"


async def test_an_end_of_a_relation_is_kept(
    memory: AsyncMemory, alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    await alice.graph.relate("Ann", "Acme", "WORKS_FOR")
    clock.advance(days=1)
    await alice.graph.unrelate("Ann", "Acme", "WORKS_FOR")
    await memory.rebuild(**WHOSE, switch=True)
    [edge] = [row for row in await rows(store, Relation) if row.type == "WORKS_FOR"]
    assert edge.ended_by is not None


async def test_what_rests_on_a_belief_that_is_not_derived_is_not_derived_either(
    memory: AsyncMemory, alice: AsyncScoped, store: Store
) -> None:
    work = memory.scope(**WHOSE, channel="work")
    said = await work.add(says("I live in Oslo."))
    await work.channels.promote(said.records[0])
    said = await alice.add(says("I like tea."))
    await alice.review.reject(said.records[0])
    await memory.rebuild(**WHOSE, extractor="none", switch=True)
    assert await rows(store, Record) == []
    done = await memory.rebuild(**WHOSE)
    assert sorted(one.status for one in done.difference.appeared) == ["candidate", "candidate", "rejected"]


async def test_what_a_model_named_is_named_again(clock: FrozenClock) -> None:
    class Namer(Writer):
        async def complete(self, _: str, **__: Any) -> Completion:
            return Completion(text=json.dumps({"entities": [{"name": "greenhouse", "type": "place", "events": [1]}]}))

    store = DictStore()
    memory = await AsyncMemory.open(
        store, embedder="hashed", clock=clock, ids=SequentialIds(), language_model=Namer(random.Random(0))
    )
    await memory.scope(**WHOSE).add(says("These days the greenhouse in Bergen is on me."))
    clock.advance(minutes=1)
    await memory.consolidate(**WHOSE)
    clock.advance(minutes=1)
    await memory.scope(**WHOSE).add(says("I like tea."))
    assert (await memory.rebuild(**WHOSE)).same
