"""What forgetting reads is enough: all falls, and nothing else, as if it had read all there is."""

from collections.abc import Iterable
from typing import Any

import pytest

from flows.governance.test_rebuild import WHOSE, Ticking, lived
from flows.helpers import Contested, rows, says, seeds
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.beliefs.duplicates import MAX_SOURCES
from memoranda.core.erasure.targets import Target
from memoranda.core.rows import Event, Passage, Record, Row, Vector, key_of
from memoranda.flows.governance import forget, neighbours
from memoranda.flows.governance.neighbours import Neighbours
from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio


def listed(fall: forget.Fall) -> dict[str, Any]:
    """What falls, as something to compare."""
    return {
        "rows": sorted((type(row).__name__, *map(str, key_of(row))) for row in fall.rows),
        "gone": fall.gone, "barred": fall.barred, "named": {row.id for row in fall.named},
        "mended": sorted(map(repr, fall.mended)),
    }  # fmt: skip


async def compared(memory: AsyncMemory, where: dict[str, Any], target: Target) -> int:
    """Plan a forgetting with what it reads and with all there is. Returns how many events it read."""
    runtime, scope = memory._runtime, memory.scope(**where).scope
    near = await forget._falling(runtime, scope, target)
    every = Neighbours(runtime.store, await runtime.partitions.current(scope.owner))
    await every.read_all()
    full = forget._walk(runtime, every.held(), scope, target)
    assert listed(near[0]) == listed(full), target
    return len(every.held().of(Event))


def targets(found: Iterable[Row]) -> Iterable[Target]:
    """Whatever can be named of some rows."""
    seen: dict[Target, None] = {}
    for row in found:
        if isinstance(row, Event):
            seen[Target(source=row.id)] = None
            if row.conversation is not None:
                seen[Target(conversation=row.conversation)] = None
        elif isinstance(row, Record):
            seen[Target(record=row.id)] = None
    return seen


@pytest.mark.parametrize("seed", seeds(300, 312, 4))
async def test_what_is_read_is_enough_whatever_happened(seed: int) -> None:
    store = DictStore()
    memory = await lived(store, Ticking(), seed, "flag_review" if seed % 3 == 0 else "prefer_new", forget=1, review=2)
    held = [*await rows(store, Event), *await rows(store, Record)]
    for target in targets(held):
        for where in (WHOSE, {**WHOSE, "agent": "bot"}):
            await compared(memory, where, target)


async def test_every_store_gives_what_is_asked_for(store: Store) -> None:
    memory = await lived(store, Ticking(), 299, review=2)
    for target in targets([*await rows(store, Event), *await rows(store, Record)]):
        await compared(memory, WHOSE, target)


async def test_what_is_kept_is_not_read(alice: AsyncScoped, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    told = Neighbours.held

    def counted(near: Neighbours) -> neighbours.Held:
        held = told(near)
        read.append(sum(len(held.of(kind)) for kind in (Event, Record, Passage)))
        return held

    monkeypatch.setattr(Neighbours, "held", counted)
    for day in range(30):
        said = await alice.add(says(f"My friend Kari{day} lives in Harbour{day}."), conversation=f"c{day}")
    await alice.forget(source=said.events[0])
    assert max(read) < 10
    await alice.forget(conversation="c3")
    assert max(read) < 10


async def test_what_was_said_very_often_is_read_with_all_there_is(
    alice: AsyncScoped, memory: AsyncMemory, store: Store, clock: FrozenClock
) -> None:
    for _ in range(MAX_SOURCES + 2):
        said = await alice.add(says("I love sailing."))
        clock.advance(minutes=1)
    await alice.add(says("The crab is blue."))
    whose = {"tenant": "acme", "user": "alice"}
    assert await compared(memory, whose, Target(source=said.events[0])) == MAX_SOURCES + 3
    [record] = [row.id for row in await rows(store, Record) if row.superseded_at is None and "sail" in row.text]
    await compared(memory, whose, Target(record=record))


async def test_of_very_much_all_is_read(
    alice: AsyncScoped, memory: AsyncMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neighbours, "MOST", 3)
    await alice.add(says(*(f"The crab number {number} is blue." for number in range(6))), conversation="c")
    await compared(memory, {"tenant": "acme", "user": "alice"}, Target(conversation="c"))
    assert (await alice.forget(conversation="c")).removed["events"] == 6


class Overtaken(Contested):
    """A store in which somebody else writes between two reads, once."""

    def __init__(self, store: Store, other: AsyncScoped) -> None:
        super().__init__(store, 0)
        self.other = [other]

    async def count(self, query: Any, by: str | None = None) -> Any:
        if self.other and query.kind is Vector:
            await self.other.pop().add(says("I live in Oslo."))
        return await self._store.count(query, by)


async def test_what_somebody_else_writes_meanwhile_is_seen(
    alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    said = await alice.add(says("I work at Zyxwvut Limited."))
    memory = await AsyncMemory.open(Overtaken(store, alice), embedder="none", clock=clock, ids=SequentialIds("late-"))
    receipt = await memory.scope(tenant="acme", user="alice").forget(source=said.events[0])
    assert receipt.removed["events"] == 1
    assert [row.content for row in await rows(store, Event)] == ["I live in Oslo."]
