"""SQLite and PostgreSQL, given the same rows, put the same candidates before recall."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from conformance.postgres_server import PostgresServer
from memoranda.core.base.scope import Owner
from memoranda.core.rows import TABLES, Passage, Vector
from memoranda.core.rows.changes import Add, Batch, Change, Drop, Patch, Put
from memoranda.ports import Probe, Query, Store
from memoranda.stores.postgres.store import PostgresStore
from memoranda.stores.sqlite.store import SqliteStore

pytestmark = pytest.mark.anyio

ALICE, BOB = Owner("acme", "alice"), Owner("acme", "bob")
NOW = datetime(2026, 1, 5, tzinfo=UTC)
WORDS = np.array([f"w{number}" for number in range(3_000)])
COMMON = 1 / np.arange(1, len(WORDS) + 1)  # as words are: few of them are most of a text
SIZE, PASSAGES = 64, 2_000


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def stores(
    postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[Store, ...]]:
    """Both stores with the same passages of two users, and with the same history of changes to them."""
    path = tmp_path_factory.mktemp("congruence") / "memory.db"
    with postgres.schema() as schema:
        both: tuple[Store, ...] = (
            await SqliteStore.open(path),
            await PostgresStore.open(postgres.url, schema=schema),
        )
        for store in both:
            for owner, seed in ((ALICE, 1), (BOB, 2)):
                for changes in history(owner, seed):
                    await store.apply(Batch(owner=owner, changes=changes))
        yield both
        for store in both:
            await store.close()


def history(owner: Owner, seed: int) -> list[tuple[Change, ...]]:
    """Passages and their vectors, then some replaced, some changed and some dropped."""
    rng = np.random.default_rng(seed)
    passages = [passage(owner, number, rng) for number in range(PASSAGES)]
    data = clustered(rng, PASSAGES).astype("<f2")
    vectors = [
        Vector(tenant=owner.tenant, user=owner.user, space="s", ref=item.ref, data=one.tobytes())
        for item, one in zip(passages, data, strict=True)
    ]
    return [
        (*map(Add, passages), *map(Add, vectors)),
        tuple(Put(replace(passage(owner, number, rng), channel="late")) for number in range(0, 300, 3)),
        tuple(Patch(Passage, (f"{number:05d}",), {"terms": "w1 w2 patched"}) for number in range(1, 300, 30)),
        tuple(Drop(Passage, (f"{number:05d}",)) for number in range(2, 300, 30)),
    ]


def passage(owner: Owner, number: int, rng: np.random.Generator) -> Passage:
    words = rng.choice(WORDS, size=int(rng.integers(3, 30)), p=COMMON / COMMON.sum())
    return Passage(
        tenant=owner.tenant, user=owner.user, ref=f"{number:05d}", terms=" ".join(words), position=number,
        channel=("_global", "work")[number % 5 == 0], at=NOW + timedelta(minutes=number), recorded_at=NOW,
    )  # fmt: skip


def clustered(rng: np.random.Generator, number: int) -> Any:
    """Unit vectors around fifty centres."""
    centres = np.random.default_rng(0).normal(size=(50, SIZE))
    found = centres[rng.integers(0, len(centres), number)] + rng.normal(scale=0.8, size=(number, SIZE))
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


async def refs(store: Store, probe: Probe) -> list[str]:
    return [hit.ref for hit in await store.probe(probe)]


@pytest.mark.parametrize("channels", [(), ("work",), ("late", "_global"), ("none",)], ids="-".join)
async def test_the_same_passages_have_the_words(stores: tuple[Store, ...], channels: tuple[str, ...]) -> None:
    rng = np.random.default_rng(7)
    for _ in range(25):
        terms = tuple(rng.choice(WORDS[:800], size=int(rng.integers(1, 7)), replace=False))
        probe = Probe(owner=ALICE, limit=10 * PASSAGES, terms=terms, channels=channels)
        ours, theirs = [set(await refs(store, probe)) for store in stores]
        assert ours == theirs


async def test_a_short_list_has_mostly_the_same_passages(stores: tuple[Store, ...]) -> None:
    """Each engine ranks in its own way; both put rare words and many words first."""
    rng, shared = np.random.default_rng(8), []
    for _ in range(40):
        terms = tuple(rng.choice(WORDS[20:800], size=4, replace=False))
        ours, theirs = [set(await refs(store, Probe(owner=ALICE, limit=60, terms=terms))) for store in stores]
        shared.append(len(ours & theirs) / max(1, len(ours | theirs)))
    assert np.mean(shared) >= 0.8


@pytest.mark.parametrize("channels", [(), ("work",), ("late",)], ids="-".join)
async def test_the_same_vectors_are_near(stores: tuple[Store, ...], channels: tuple[str, ...]) -> None:
    shared = []
    for vector in clustered(np.random.default_rng(9), 40):
        probe = Probe(owner=ALICE, limit=10, vector=vector, space="s", channels=channels)
        ours, theirs = [await store.probe(probe) for store in stores]
        shared.append(len({hit.ref for hit in ours} & {hit.ref for hit in theirs}) / 10)
        assert [hit.score for hit in ours] == pytest.approx([hit.score for hit in theirs], abs=2e-3)
    assert np.mean(shared) >= 0.95


async def test_the_same_rows_are_there(stores: tuple[Store, ...]) -> None:
    for owner in (ALICE, BOB):
        queries = [Query(kind=kind, tenant=owner.tenant, user=owner.user) for kind in TABLES.values()]
        ours, theirs = [await store.find(owner, *queries) for store in stores]
        assert ours == theirs
