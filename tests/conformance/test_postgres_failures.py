"""PostgreSQL goes away, is full, is too new, is broken; and many write at once."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import psycopg
import pytest
from psycopg import errors, sql
from psycopg_pool import PoolTimeout

from conformance.postgres_server import PostgresServer
from memoranda.core.base.scope import Owner
from memoranda.core.rows import Event, Passage, Vector
from memoranda.core.rows.changes import Add, Batch, Patch, Put
from memoranda.errors import (
    CapabilityError,
    ConflictError,
    InputError,
    IsolationError,
    MemorandaError,
    SpaceError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnavailableError,
    StoreVersionError,
)
from memoranda.ports import Probe, Query, State
from memoranda.stores import open_store
from memoranda.stores.postgres import connections, migrate, probes
from memoranda.stores.postgres.connections import READ
from memoranda.stores.postgres.faults import meaning
from memoranda.stores.postgres.store import PostgresStore
from memoranda.testing.samples import key, sample

pytestmark = pytest.mark.anyio

ALICE = Owner("acme", "alice")
EVENTS = Query(kind=Event, tenant="acme", user="alice")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def schema(postgres: PostgresServer) -> Iterator[str]:
    postgres.start()
    with postgres.schema() as schema:
        yield schema


@pytest.fixture
async def store(postgres: PostgresServer, schema: str) -> AsyncIterator[PostgresStore]:
    store = await PostgresStore.open(postgres.url, schema=schema, pool_size=4, pool_timeout=60)
    yield store
    await store.close()


def add(number: int) -> Batch:
    return Batch(owner=ALICE, changes=(Add(sample(Event, ALICE, number)),))


# ------------------------------------------------------------------------------------------ going away


def hang_up(postgres: PostgresServer, state: str) -> int:
    """End the store's connections that are in this state; how many there were."""
    ended = postgres.run(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
        f"WHERE application_name = 'memoranda' AND (wait_event_type = 'Lock') = {state == 'waiting'}"
    )
    return len(ended)


async def test_connections_that_ended_while_idle_are_not_noticed(
    postgres: PostgresServer, store: PostgresStore
) -> None:
    await asyncio.gather(*(store.apply(add(number)) for number in range(8)))
    assert hang_up(postgres, "idle") > 1
    assert (await store.apply(add(8))).seq == 9
    found = await asyncio.gather(*(store.count(EVENTS) for _ in range(4)))
    assert found == [{None: 9}] * 4


async def test_a_write_that_is_cut_off_leaves_nothing(
    postgres: PostgresServer, store: PostgresStore, schema: str
) -> None:
    await store.apply(add(0))
    with psycopg.connect(postgres.url) as other:
        other.execute(f"SELECT * FROM {schema}.owners FOR UPDATE")
        write = asyncio.create_task(store.apply(add(1)))
        while not await asyncio.to_thread(hang_up, postgres, "waiting"):
            assert not write.done()
        with pytest.raises(StoreUnavailableError):
            await write
    assert (await store.find(ALICE, EVENTS)).state == State(seq=1)
    assert (await store.apply(add(1))).seq == 2


async def test_while_the_server_is_down_calls_fail_and_then_work_again(postgres: PostgresServer, schema: str) -> None:
    store = await PostgresStore.open(postgres.url, schema=schema, pool_timeout=1)
    await store.apply(add(0))
    postgres.stop()
    async with asyncio.timeout(120):  # none of them waits for the server, however long that takes
        for call in (store.apply(add(1)), store.find(ALICE, EVENTS), PostgresStore.open(postgres.url)):
            with pytest.raises(StoreUnavailableError):
                await call
    postgres.start()
    assert (await store.find(ALICE, EVENTS)).state == State(seq=1)
    assert (await store.apply(add(1))).seq == 2
    await store.close()


async def test_a_server_that_is_not_there(postgres: PostgresServer) -> None:
    for url in (
        "postgresql://postgres@127.0.0.1:1/postgres",
        postgres.login(database="nowhere"),
        postgres.login("who"),
    ):
        with pytest.raises(StoreUnavailableError, match="cannot be reached"):
            await PostgresStore.open(url, pool_timeout=2)


async def test_what_is_open_makes_no_connection_behind_its_callers_back(postgres: PostgresServer, schema: str) -> None:
    opened = await connections.Connections.open(postgres.url, schema, 4, 3)
    assert opened.pool.get_stats()["pool_available"] == 1
    await opened.close()


async def test_a_pool_with_nothing_left_says_so(postgres: PostgresServer, schema: str) -> None:
    store = await PostgresStore.open(postgres.url, schema=schema, pool_size=1)
    store._connections.pool.timeout = 0.01  # not for opening it, which takes as long as the machine is busy
    async with store._connections.pool.connection():
        with pytest.raises(StoreUnavailableError, match="pool_size"):
            await store.find(ALICE)
    assert (await store.find(ALICE)).state == State()
    await store.close()


async def test_a_call_that_is_given_up_leaves_nothing(
    postgres: PostgresServer, store: PostgresStore, schema: str
) -> None:
    await store.apply(add(0))
    with psycopg.connect(postgres.url) as other:
        other.execute(f"SELECT * FROM {schema}.owners FOR UPDATE")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(store.apply(add(1)), 0.1)
    assert (await store.apply(add(2))).seq == 2
    assert await store.get(Event, ALICE, [key(Event, 1)]) == [None]


async def test_a_call_that_is_given_up_before_it_begins_gives_its_connection_back(
    postgres: PostgresServer, schema: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await PostgresStore.open(postgres.url, schema=schema, pool_size=1, pool_timeout=60)
    with monkeypatch.context() as patch:
        patch.setattr(connections, "_is_alive", lambda _: asyncio.Event().wait())
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(store.find(ALICE), 0.05)
    assert (await store.find(ALICE)).state == State()
    await store.close()


# -------------------------------------------------------------------------------------------- versions


async def test_a_newer_schema_is_refused(postgres: PostgresServer, store: PostgresStore, schema: str) -> None:
    await store.apply(add(0))
    postgres.run(f"INSERT INTO {schema}.migrations VALUES (99, '0099_future.sql')")
    with pytest.raises(StoreVersionError, match="install a newer"):
        await PostgresStore.open(postgres.url, schema=schema)


async def test_an_older_schema_is_brought_up_to_date(
    postgres: PostgresServer, store: PostgresStore, schema: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that was not run before runs, once, and rows stay."""
    await store.apply(add(0))
    last = max(migrate.migrations())
    name = migrate.migrations()[8].name
    future = {**migrate.migrations(), last + 1: migrate.migrations()[8]}
    monkeypatch.setattr(migrate, "migrations", lambda: future)
    postgres.run(f"ALTER TABLE {schema}.entities ADD COLUMN salience real")
    newer = await PostgresStore.open(postgres.url, schema=schema)
    assert (await newer.describe())["version"] == last + 1
    assert (await newer.find(ALICE, EVENTS)).state == State(seq=1)
    await newer.close()
    assert postgres.run(f"SELECT name FROM {schema}.migrations WHERE version > {last}") == [(name,)]
    column = f"attrelid = '{schema}.entities'::regclass AND attname = 'salience'"
    assert postgres.run(f"SELECT attname FROM pg_attribute WHERE {column}") == []


async def test_many_processes_may_open_a_new_store_at_once(postgres: PostgresServer, schema: str) -> None:
    stores = await asyncio.gather(*(PostgresStore.open(postgres.url, schema=schema, pool_size=1) for _ in range(5)))
    assert len({store._connections.version for store in stores}) == 1
    await asyncio.gather(*(store.close() for store in stores))


@pytest.mark.parametrize(
    ("extensions", "says"),
    [
        ({"nonsuch": "1.0"}, "no extension nonsuch"),
        ({"vector": "0.99"}, r"at 0\.8\.\d, 0\.99 is needed: run ALTER EXTENSION vector UPDATE"),
    ],
)
async def test_a_server_without_the_extensions_is_refused_by_name(
    postgres: PostgresServer, schema: str, extensions: Any, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrate, "_EXTENSIONS", extensions)
    with pytest.raises(CapabilityError, match=says):
        await PostgresStore.open(postgres.url, schema=schema)


async def test_an_older_server_is_refused(postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "_LEAST_SERVER", 99)
    with pytest.raises(CapabilityError, match=r"The server is PostgreSQL \d\d; 99 or later is needed"):
        await PostgresStore.open(postgres.url)


@pytest.mark.parametrize("url", ["postgresql://[bad", "postgresql://me:secret@host/d?secret=1"])
async def test_what_is_no_address_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(InputError, match="no address of a PostgreSQL database") as caught:
        await open_store(url)
    assert "secret" not in str(caught.value)


async def test_durability_is_set_in_the_database(postgres: PostgresServer) -> None:
    with pytest.raises(InputError, match="synchronous_commit"):
        await open_store(postgres.url, durability="relaxed")


@pytest.mark.usefixtures("store")  # which makes the roles, so that the extension is what is missing
async def test_an_extension_that_the_login_may_not_make_is_named(postgres: PostgresServer) -> None:
    postgres.run("CREATE ROLE visitor LOGIN")
    postgres.run("CREATE DATABASE bare")
    try:
        with pytest.raises(CapabilityError, match="CREATE EXTENSION vector"):
            await PostgresStore.open(postgres.login("visitor", "bare"))
    finally:
        postgres.run("DROP DATABASE bare")
        postgres.run("DROP ROLE visitor")


# ---------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("error", "means"),
    [
        (errors.DiskFull(), StoreFullError),
        (errors.ReadOnlySqlTransaction(), StoreReadOnlyError),
        (errors.SerializationFailure(), ConflictError),
        (errors.DeadlockDetected(), ConflictError),
        (errors.LockNotAvailable(), ConflictError),
        (errors.InsufficientPrivilege(), IsolationError),
        (errors.UndefinedTable(), StoreCorruptError),
        (errors.DataCorrupted(), StoreCorruptError),
        (errors.IndexCorrupted(), StoreCorruptError),
        (errors.AdminShutdown(), StoreUnavailableError),
        (errors.CannotConnectNow(), StoreUnavailableError),
        (errors.TooManyConnections(), StoreUnavailableError),
        (errors.QueryCanceled(), StoreUnavailableError),
        (PoolTimeout(), StoreUnavailableError),
        (psycopg.InterfaceError(), StoreUnavailableError),
        (errors.NumericValueOutOfRange(), StoreError),
        (errors.DataException("different halfvec dimensions 2 and 3"), SpaceError),
        (errors.SyntaxError(), StoreError),
    ],
)
def test_every_error_has_a_meaning(error: psycopg.Error, means: type[MemorandaError]) -> None:
    assert type(meaning(error)) is means


async def test_a_database_that_only_reads(postgres: PostgresServer, store: PostgresStore, schema: str) -> None:
    await store.apply(add(0))
    standby = f"{postgres.login()}&options=-c%20default_transaction_read_only%3Don"
    reader = await PostgresStore.open(standby, schema=schema)
    with pytest.raises(StoreReadOnlyError, match="primary"):
        await reader.apply(add(1))
    assert await reader.count(EVENTS) == {None: 1}
    await reader.close()


async def test_a_table_that_is_gone(postgres: PostgresServer, store: PostgresStore, schema: str) -> None:
    postgres.run(f"DROP TABLE {schema}.events")
    with pytest.raises(StoreCorruptError, match="backup"):
        await store.apply(add(0))


@pytest.mark.parametrize("content", ["a\x00b", "half \ud800 pair"])
async def test_text_that_no_database_stores_is_refused_whole(store: PostgresStore, content: str) -> None:
    bad = replace(sample(Event, ALICE, 1), content=content)
    with pytest.raises(StoreError, match="nothing of the call"):
        await store.apply(Batch(owner=ALICE, changes=(Add(sample(Event, ALICE, 0)), Add(bad))))
    assert (await store.find(ALICE, EVENTS)).rows == ((),)


async def test_names_too_long_for_an_index_are_no_outage(store: PostgresStore) -> None:
    """Hence not to be tried again. Names that repeat themselves would be compressed and fit."""
    tenant, user = ("".join(map(chr, range(start, start + 512))) for start in (0x4E00, 0x6E00))
    with pytest.raises(StoreError, match="too long") as caught:
        await store.apply(Batch(owner=Owner(tenant, user), changes=()))
    assert type(caught.value) is StoreError


# ------------------------------------------------------------------------------------------- many at once


async def test_two_stores_write_to_one_owner_and_a_third_misses_nothing(
    postgres: PostgresServer, store: PostgresStore, schema: str
) -> None:
    """The third keeps an image by asking for what came after; in the end it has every row."""
    writers = [await PostgresStore.open(postgres.url, schema=schema, pool_size=2) for _ in range(2)]
    total = 120
    image: list[int] = []
    given: list[int] = []

    async def write(numbers: range, writer: PostgresStore) -> None:
        given.extend([(await writer.apply(add(number))).seq for number in numbers])

    async def follow() -> None:
        while len(image) < total:
            seen = image[-1] if image else 0
            page = await store.find(ALICE, replace(EVENTS, after=seen))
            image.extend(row.seq for row in page.rows[0])
            assert page.state.seq == (image[-1] if image else 0)

    await asyncio.gather(
        *(write(range(part, total, 4), writers[part % 2]) for part in range(4)), asyncio.wait_for(follow(), 60)
    )
    assert image == sorted(given) == list(range(1, total + 1))
    for writer in writers:
        await writer.close()


async def test_writers_queue_whatever_the_isolation_by_default(postgres: PostgresServer, schema: str) -> None:
    strict = f"{postgres.login()}&options=-c%20default_transaction_isolation%3Dserializable"
    store = await PostgresStore.open(strict, schema=schema)
    applied = await asyncio.gather(*(store.apply(add(number)) for number in range(16)))
    assert sorted(answer.seq for answer in applied) == list(range(1, 17))
    await store.close()


async def test_plans_against_the_same_past_retry_until_all_are_in(store: PostgresStore) -> None:
    async def write(number: int) -> int:
        for attempt in range(100):
            seq = (await store.find(ALICE)).state.seq
            try:
                await store.apply(replace(add(number), expect=seq))
            except ConflictError:
                continue
            return attempt
        raise AssertionError(number)

    await asyncio.gather(*map(write, range(6)))
    assert (await store.find(ALICE)).state == State(seq=6)


# ------------------------------------------------------------------------------------------------ values


async def test_every_float16_comes_back_as_it_was(store: PostgresStore) -> None:
    numbers = np.arange(2**16, dtype="<u2").view("<f2")
    finite = numbers[np.isfinite(numbers)].reshape(-1, 512)
    rows = [
        Vector(tenant="acme", user="alice", space="s", ref=f"{place:03d}", data=part.tobytes())
        for place, part in enumerate(finite)
    ]
    await store.apply(Batch(owner=ALICE, changes=tuple(map(Put, rows))))
    found = await store.get(Vector, ALICE, [("s", row.ref) for row in rows])
    assert [row and row.data for row in found] == [row.data for row in rows]


@pytest.mark.parametrize("data", [b"", b"odd", np.array([np.nan], "<f2").tobytes()])
async def test_what_is_no_vector_is_refused(store: PostgresStore, data: bytes) -> None:
    row = Vector(tenant="acme", user="alice", space="s", ref="r", data=data)
    with pytest.raises(MemorandaError):
        await store.apply(Batch(owner=ALICE, changes=(Put(row),)))


async def test_a_term_longer_than_an_index_entry_is_found_all_the_same(store: PostgresStore) -> None:
    rng = np.random.default_rng(5)
    long = "".join(rng.choice(list("abcdefghijklmnopqrstuvwxyz0123456789/"), 9_000))
    rows = [replace(sample(Passage, ALICE, number), ref=f"{number}", terms=f"a {long} z") for number in range(2)]
    await store.apply(Batch(owner=ALICE, changes=(Put(rows[0]), Put(replace(rows[1], terms="a z")))))
    assert [hit.ref for hit in await store.probe(Probe(owner=ALICE, limit=9, terms=(long,)))] == ["0"]
    await store.apply(Batch(owner=ALICE, changes=(Patch(Passage, ("1",), {"terms": long}),)))
    assert len(await store.probe(Probe(owner=ALICE, limit=9, terms=(long,)))) == 2


# ----------------------------------------------------------------------------------------------- indexes


def clustered(number: int, seed: int) -> Any:
    """Unit vectors around forty centres."""
    rng = np.random.default_rng(seed)
    centres = np.random.default_rng(0).normal(size=(40, 48))
    found = centres[rng.integers(0, 40, number)] + rng.normal(scale=0.7, size=(number, 48))
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


async def fill(store: PostgresStore, owner: Owner, number: int) -> None:
    data = clustered(number, 1).astype("<f2")
    passages = [replace(sample(Passage, owner, place), ref=f"{place:05d}") for place in range(number)]
    vectors = [
        Vector(tenant=owner.tenant, user=owner.user, space="it's", ref=f"{place:05d}", data=one.tobytes())
        for place, one in enumerate(data)
    ]
    await store.apply(Batch(owner=owner, changes=(*map(Put, passages), *map(Put, vectors))))


def nearest(vector: Any, owner: Owner = ALICE) -> Probe:
    return Probe(owner=owner, limit=20, vector=vector, space="it's")


async def test_a_space_gets_an_index_when_an_owner_outgrows_comparing(
    postgres: PostgresServer, schema: str, store: PostgresStore
) -> None:
    indexes = f"SELECT indexname FROM pg_indexes WHERE schemaname = '{schema}' AND indexdef LIKE '%USING hnsw%'"
    bob = Owner("acme", "bob")
    await fill(store, ALICE, 1200)
    await fill(store, bob, 30)
    questions = clustered(20, 2)
    exact = [await store.probe(nearest(vector)) for vector in questions]
    assert postgres.run(indexes) == []
    keen = await PostgresStore.open(postgres.url, schema=schema, exact=500)
    assert await keen.probe(nearest(questions[0], bob))
    assert keen._probes.builds == {}
    assert await keen.probe(nearest(questions[0])) == exact[0]
    await asyncio.gather(*keen._probes.builds.values())
    assert (await keen.describe())["problems"] == []
    assert postgres.run(indexes) == [(name,) for name in keen._probes.builds]
    close = [await keen.probe(nearest(vector)) for vector in questions]
    shared = [len({hit.ref for hit in a} & {hit.ref for hit in b}) for a, b in zip(exact, close, strict=True)]
    assert sum(shared) / (20 * len(questions)) >= 0.95
    with pytest.raises(SpaceError):
        await keen.probe(nearest(questions[0][:10]))
    await keen.close()


async def test_the_question_fits_the_index(store: PostgresStore) -> None:
    """A partial index over an expression is used only by a question that has both, to the letter."""
    store._probes.exact = 0
    await fill(store, ALICE, 300)
    vector = clustered(1, 2)[0]
    await store.probe(nearest(vector))
    await asyncio.gather(*store._probes.builds.values())
    names = {"size": sql.Literal(vector.size), "space": sql.Literal("it's"), "is_passage": probes._IS_PASSAGE}
    values = {"tenant": "acme", "user": "alice", "limit": 5, "channels": [], "vector": str(vector.tolist())}
    async with store._connections.transaction(READ, "acme") as conn:
        await conn.execute(probes._SETTINGS, values)
        steps = await conn.execute(sql.SQL("EXPLAIN ") + probes._NEAREST.format(**names), values)
        assert "Index Scan using vectors_hnsw_" in str(await steps.fetchall())


async def test_an_index_that_cannot_be_built_is_a_problem_told_and_tried_again(
    postgres: PostgresServer, schema: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await PostgresStore.open(postgres.url, schema=schema, exact=0)
    await fill(store, ALICE, 1)
    store._connections.options["dbname"] = "nowhere"
    question = nearest(clustered(1, 3)[0])
    for _ in range(2):
        assert len(await store.probe(question)) == 1
        await asyncio.gather(*store._probes.builds.values())
    [problem] = (await store.describe())["problems"]
    assert "Space it's is searched without an index" in problem
    del store._connections.options["dbname"]
    await store.probe(question)
    assert (await store.describe())["problems"] == [problem]
    monkeypatch.setattr(probes, "RETRY", 0)
    await store.probe(question)
    await asyncio.gather(*store._probes.builds.values())
    assert (await store.describe())["problems"] == []
    await store.close()


async def test_closing_stops_building(postgres: PostgresServer, schema: str) -> None:
    store = await PostgresStore.open(postgres.url, schema=schema, exact=0)
    await fill(store, ALICE, 50)
    await store.probe(nearest(clustered(1, 3)[0]))
    [build] = store._probes.builds.values()
    await store.close()
    assert build.done()
