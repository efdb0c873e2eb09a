"""What a memory is worth at the moment of asking: it fades while nobody uses it, and the asker says what counts."""

from typing import Any

import pytest

from flows.helpers import MORNING, OWNER, rows, says, texts
from memoranda import AsyncMemory, AsyncScoped, Settings
from memoranda.core.recall.scoring import PROFILES
from memoranda.core.rows import Passage, Record
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

TEA = "User likes green tea."


@pytest.fixture
async def quiet(store: Store, clock: FrozenClock) -> AsyncScoped:
    """A memory in which asking counts no use."""
    settings = Settings(reinforce=False)
    memory = await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds(), settings=settings)
    return memory.scope(tenant="acme", user="alice")


async def the_tea(alice: AsyncScoped, **options: Any) -> Any:
    [item] = await alice.recall("green tea", kinds=["preference"], **options)
    return item


async def test_what_was_not_used_matters_less_with_each_week(quiet: AsyncScoped, clock: FrozenClock) -> None:
    await quiet.add(says("I like green tea."))
    fresh = await the_tea(quiet)
    clock.advance(days=360)
    late = await the_tea(quiet)
    assert late.importance == pytest.approx(fresh.importance - 0.01 * (360 - 7) / 7, abs=1e-3)
    assert late.shares["importance"] == pytest.approx(0.2 * late.importance, abs=1e-3)
    assert (await the_tea(quiet, as_of=MORNING)).importance == fresh.importance


async def test_a_use_makes_it_matter_again(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.add(says("I like green tea."))
    fresh = (await the_tea(alice)).importance
    clock.advance(days=360)
    assert (await the_tea(alice)).importance < fresh / 2  # as it was before this question
    clock.advance(days=1)
    assert (await the_tea(alice)).importance == fresh


@pytest.mark.parametrize(
    ("said", "after", "left"),
    [("I think my landlord lives in Oslo.", 60, 0.95 ** (60 / 7)), ("I live in Oslo.", 60, 1.0)],
)
async def test_what_was_inferred_is_doubted_more_with_each_week(
    quiet: AsyncScoped, store: Store, clock: FrozenClock, said: str, after: int, left: float
) -> None:
    await quiet.add(says(said))
    known = {record.id: record.confidence for record in await rows(store, Record)}
    clock.advance(days=after)
    items = [
        item for item in await quiet.recall("Oslo", profile={"similarity": 0.3, "confidence": 0.1}) if item.id in known
    ]
    assert items
    for item in items:
        assert item.record_confidence == pytest.approx(known[item.id] * left, abs=1e-3)
        assert item.shares["confidence"] == pytest.approx(item.record_confidence / 4, abs=1e-3)


async def test_turns_count_how_often_they_were_used(
    alice: AsyncScoped, memory: AsyncMemory, store: Store, clock: FrozenClock
) -> None:
    await alice.add(says("The ferry to Bergen leaves at noon.", "The tomatoes have blight."))
    for _ in range(3):
        clock.advance(hours=1)
        [ferry] = await alice.recall("the ferry to Bergen", kinds=["turn"], limit=1)
    assert ferry.shares["access_frequency"] == pytest.approx(0.1 * 2 / 20)  # before this question
    await memory._runtime.partitions.uses.settle(OWNER)
    memory._runtime.partitions.forget(OWNER)
    [again] = await alice.recall("the ferry to Bergen", kinds=["turn"], limit=1)
    assert again.shares["access_frequency"] == pytest.approx(0.1 * 3 / 20)
    counted = {row.ref: (row.access_count, row.last_accessed) for row in await rows(store, Passage) if row.access_count}
    assert counted == {ferry.id: (3, clock())}
    assert (await memory.rebuild(tenant="acme", user="alice", switch=True)).same
    assert {row.ref: row.access_count for row in await rows(store, Passage) if row.access_count} == {ferry.id: 3}


async def test_a_use_is_recent_where_that_is_asked_for(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.add(says("The ferry to Bergen leaves at noon."))
    clock.advance(days=100)
    ferry, options = "the ferry to Bergen", {"kinds": ["turn"], "limit": 1}
    await alice.recall(ferry, **options)
    clock.advance(days=10)
    [plain], [used] = [
        (await alice.why(ferry, **options, profile=name)).recalled for name in ("balanced", "reinforced")
    ]
    assert plain.shares["recency"] == pytest.approx(0.25 * (1 - 110 / 365), abs=1e-3)
    assert used.shares["last_use"] == pytest.approx(0.25 * (1 - 10 / 365), abs=1e-3)


async def test_an_entity_is_more_present_when_what_mentions_it_is_used(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.add(says("My sister Ida lent me a ladder.", "My brother Tom eats tuna."))
    clock.advance(days=60)
    before = {name: await alice.graph.entity(name) for name in ("Ida", "Tom")}
    for _ in range(10):
        clock.advance(minutes=5)
        await alice.recall("Who lent me the ladder?", limit=1)
    after = {name: await alice.graph.entity(name) for name in before}
    assert after["Ida"].salience > 0.5 > 10 * before["Ida"].salience
    assert after["Ida"].last_mentioned == MORNING
    assert after["Ida"].mentions == before["Ida"].mentions
    assert after["Tom"].salience == pytest.approx(before["Tom"].salience, abs=1e-3)


async def test_who_asks_says_what_counts(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.add(says("The ferry to Bergen leaves at noon."))
    clock.advance(days=300)
    await alice.add(says("A ferry."))
    question, options = "When does the ferry to Bergen leave?", {"kinds": ["turn"]}
    near, new = [
        texts((await alice.why(question, **options, profile=profile)).recalled)
        for profile in ({"similarity": 1}, {"similarity": 0.1, "recency": 0.9})
    ]
    assert (near[0], new[0]) == ("The ferry to Bergen leaves at noon.", "A ferry.")
    for profile in PROFILES:
        found = (await alice.why(question, profile=profile)).recalled
        assert texts(found)
        for item in found:
            assert sum(item.shares.values()) == pytest.approx(item.score, abs=0.002)
            assert 0 <= item.score <= 1
