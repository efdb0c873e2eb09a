"""One memory, three stores: the same turns and questions give the same answers."""

import random
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from conformance.postgres_server import PostgresServer
from memoranda import AsyncMemory, AsyncScoped
from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore
from memoranda.stores.postgres.store import PostgresStore
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

WHO = ("Ada", "Greta", "Torben", "my neighbour", "the harbour master")
DID = ("painted", "sold", "repaired", "lost", "found", "drew")
WHAT = ("the red boat", "a rope ladder", "the tide table", "an old compass", "the blue crab pot", "a kettle")
WHERE = ("at pier 7", "in Bergen", "behind the mill", "near Oslo", "on the ferry", "under the bridge")
FACTS = (
    "I live in Oslo.",
    "I moved to Bergen.",
    "I prefer short emails.",
    "I no longer work at Acme.",
    "I work at Acme.",
)
QUESTIONS = [f"Who {did} {what}?" for did in DID for what in WHAT] + [
    "Where do I live?", "Where do I work?", "What happened last month?", "What did Ada say in January?",
]  # fmt: skip


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def stores(postgres: PostgresServer) -> AsyncIterator[list[Store]]:
    with postgres.schema() as schema:
        opened: list[Store] = [
            DictStore(), await SqliteStore.open(":memory:"), await PostgresStore.open(postgres.url, schema=schema),
        ]  # fmt: skip
        yield opened
        for store in opened:
            await store.close()


async def told(store: Store) -> tuple[AsyncScoped, list[tuple[str, ...]]]:
    """A memory with three months of turns in it, and what became of each statement."""
    chance, clock = random.Random(11), FrozenClock()
    memory = await AsyncMemory.open(store, embedder="hashed", clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    became = []
    for number in range(60):
        clock.advance(hours=36)
        turns = [
            f"{chance.choice(WHO)} {chance.choice(DID)} {chance.choice(WHAT)} {chance.choice(WHERE)}." for _ in "abc"
        ]
        turns += [chance.choice(FACTS)] * (number % 4 == 0)
        captured = await alice.add([{"role": "user", "content": turn} for turn in turns], conversation=f"c{number}")
        became.append(tuple(decision.outcome for decision in captured.decisions))
        if number % 20 == 19:
            await alice.forget(conversation=f"c{number - 5}")
    clock.now += timedelta(days=1)
    return alice, became


async def test_three_stores_rank_alike(stores: list[Store]) -> None:
    memories = [await told(store) for store in stores]
    assert memories[0][1] == memories[1][1] == memories[2][1]
    overlap, answered = [], 0
    for question in QUESTIONS:
        first, *others = [[item.id for item in await alice.recall(question)] for alice, _ in memories]
        answered += bool(first)
        longest = max(1, *map(len, (first, *others)))
        overlap += [1 - len(set(first) ^ set(other)) / longest for other in others]
    assert answered >= len(WHAT) * len(DID)
    assert min(overlap) >= 0.95
    profiles = [(await alice.profile()).plain() for alice, _ in memories]
    assert profiles[0] == profiles[1] == profiles[2]
    contexts = [(await alice.context("Where is the red boat?")).text for alice, _ in memories]
    assert contexts[0] == contexts[1] == contexts[2]
