"""What a file can suffer, and what the store says about it."""

import asyncio
import re
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from memoranda.core.base.scope import Owner
from memoranda.core.rows import TABLES, Entity, Event, Passage, Receipt, Record, Vector, columns_of
from memoranda.core.rows.cells import Cell, Place
from memoranda.core.rows.changes import Add, Batch, Drop, Put
from memoranda.errors import (
    InputError,
    StoreCorruptError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
    StoreUnavailableError,
    StoreVersionError,
)
from memoranda.ports import Probe, Query, State, Where
from memoranda.stores import open_store
from memoranda.stores.sqlite.cache import SqliteCache
from memoranda.stores.sqlite.schema import Migration, connect, migrate, migrations
from memoranda.stores.sqlite.store import Durability, SqliteStore
from memoranda.testing.fakes import FrozenClock
from memoranda.testing.samples import key, sample

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("sqlite_as_it_is")]
OWNER = Owner("acme", "alice")
PLACE = Place("acme", "alice", "", "_global", "conversation", "c1")
HELD = "still holds what was forgotten since it was made: delete it."
EVENTS = Query(kind=Event, tenant="acme", user="alice")


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    store = await SqliteStore.open(path)
    yield store
    await store.close()


def _damage(path: Path, start: int, content: bytes | None) -> None:
    """Overwrite the file from `start` on with `content`, or end it there."""
    old = path.read_bytes()
    path.write_bytes(old[:start] if content is None else old[:start] + content + old[start + len(content) :])


def _lose(path: Path, what: str) -> None:
    """Take a file from under an open store."""
    if what == "file replaced":
        shutil.copy(path, f"{path}.copy")
        Path(f"{path}.copy").replace(path)
    elif what == "folder gone":
        path.parent.rename(path.parent.with_name("moved"))
    else:
        Path(f"{path}-wal" if what == "log deleted" else path).unlink()


def _files(folder: Path) -> list[str]:
    return [item.name for item in folder.iterdir()]


def _holds(folder: Path, content: bytes) -> list[str]:
    """The files with `content` in them."""
    return [item.name for item in folder.iterdir() if content in item.read_bytes()]


async def _add(store: SqliteStore, *numbers: int, content: str = "x") -> int:
    changes = tuple(Add(sample(Event, OWNER, number, content=content)) for number in numbers)
    return (await store.apply(Batch(owner=OWNER, changes=changes))).seq


async def _ids(store: SqliteStore) -> list[str]:
    return [row.id for row in (await store.find(OWNER, EVENTS)).rows[0]]


@pytest.mark.parametrize("kind", TABLES.values(), ids=TABLES.keys())
async def test_each_table_has_the_columns_of_its_kind(path: Path, store: SqliteStore, kind: type):
    with closing(sqlite3.connect(path)) as raw:
        found = raw.execute(f"PRAGMA table_info({kind.__table__})").fetchall()
        index = raw.execute(f"PRAGMA index_info({kind.__table__}_by_seq)").fetchall()
    assert {row[1]: not row[3] for row in found} == {item.name: item.nullable for item in columns_of(kind)}
    primary = sorted((row[5], row[1]) for row in found if row[5])
    assert [name for _, name in primary] == ["tenant", "user", *kind.__key__]
    assert [row[2] for row in index] == ["tenant", "user", "seq"]
    assert (await store.find(OWNER, Query(kind=kind, tenant="acme", user="alice"))).rows == ((),)


async def test_a_key_of_another_type_is_no_key(store: SqliteStore) -> None:
    record = sample(Record, OWNER, 1, id="7", version=1)
    await store.apply(Batch(owner=OWNER, changes=[Put(record)]))
    [found, *others] = await store.get(Record, OWNER, [("7", 1), ("7", "1"), (7, 1)])
    assert found is not None
    assert others == [None, None]


async def test_of_any_number_of_values_those_are_found_that_are_there(store: SqliteStore) -> None:
    await _add(store, 1, 2, 3)
    first, _, third = await _ids(store)
    many = Where("id", "in", (first, third, 'o"dd', *(f"none-{number}" for number in range(300_000))))
    assert [row.id for row in (await store.find(OWNER, replace(EVENTS, where=(many,)))).rows[0]] == [first, third]


async def test_what_was_written_is_there_after_reopening(path: Path):
    for number in range(3):
        store = await SqliteStore.open(str(path))
        await _add(store, number)
        await store.close()
        assert _files(path.parent) == [path.name]
    store = await SqliteStore.open(path)
    assert len(await _ids(store)) == 3
    assert (await store.find(OWNER)).state == State(seq=3)
    await store.close()


@pytest.mark.parametrize(("durability", "level"), [("full", 2), ("relaxed", 1)])
async def test_durability_is_what_sqlite_is_told(path: Path, durability: Durability, level: int):
    store = await SqliteStore.open(path, durability=durability)
    assert store._writer.execute("PRAGMA synchronous").fetchone() == (level,)
    assert store._writer.execute("PRAGMA secure_delete").fetchone() == (1,)
    await store.close()


async def test_a_newer_file_is_refused_and_left_alone(path: Path):
    await (await SqliteStore.open(path)).close()
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("PRAGMA user_version = 999")
        raw.execute("INSERT INTO migrations VALUES (999, 'later', '')")
    before = content(path)
    with pytest.raises(StoreVersionError, match=r"schema 999.*upgrade memoranda"):
        await SqliteStore.open(path)
    assert content(path) == before


@pytest.mark.parametrize("version", [-7, 0, 1, 999])
async def test_a_damaged_version_in_the_head_is_told_and_put_right(path: Path, version: int):
    await (await SqliteStore.open(path)).close()
    with closing(sqlite3.connect(path)) as raw:
        raw.execute(f"PRAGMA user_version = {version}")
    store = await SqliteStore.open(path)
    assert await _add(store, 1) == 1
    known = migrations()[-1].version
    assert f"its head says schema {version}, its migrations say {known}" in (await store.describe())["problems"][0]
    copied, *_ = await store.mend(rows=False)
    assert copied == f"{path} was copied to {path}.v{known}-1.backup"
    assert (await store.describe())["problems"] == []
    assert await store.mend(rows=False) == []
    await store.mend(rows=True)  # a copy never replaces another
    assert {f"{path.name}.v{known}-1.backup", f"{path.name}.v{known}-2.backup"} < set(_files(path.parent))
    await store.close()


async def test_a_file_without_its_table_of_migrations_is_refused(path: Path):
    await (await SqliteStore.open(path)).close()
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("DROP TABLE migrations")
    with pytest.raises(StoreCorruptError, match="table of migrations is gone"):
        await SqliteStore.open(path)


@pytest.mark.parametrize("what", ["file deleted", "file replaced", "log deleted", "folder gone"])
async def test_what_is_no_longer_the_file_is_not_written(path: Path, store: SqliteStore, what: str):
    await _add(store, 1)
    cache = SqliteCache.open(path)
    _lose(path, what)
    with pytest.raises(StoreUnavailableError, match="deleted or replaced while it was open; nothing of this call"):
        await _add(store, 2)
    with pytest.raises(StoreUnavailableError, match="deleted or replaced"):
        await cache.write(PLACE, {"key": Cell("1", "v", None)}, FrozenClock()())
    with pytest.raises(StoreUnavailableError, match="deleted or replaced"):
        await _ids(store)  # would open another file, or make an empty one
    await cache.close()


async def test_a_file_that_was_moved_and_put_back_is_the_file(path: Path, store: SqliteStore):
    for name, other in (("memory.db", "moved"), ("moved", "memory.db")):
        shutil.move(path.with_name(name), path.with_name(other))
    assert await _add(store, 1) == 1


async def test_missing_parts_of_the_schema_are_told_and_made_anew(path: Path, store: SqliteStore):
    await _add(store, 1, 2)
    await store.close()
    with closing(sqlite3.connect(path)) as raw, raw:
        for name in ("TABLE passages", "TABLE passages_index", "TABLE owners", "INDEX events_by_seq"):
            raw.execute(f"DROP {name}")
        raw.execute("ALTER TABLE budgets DROP COLUMN amount")
    store = await SqliteStore.open(path)
    with pytest.raises(StoreCorruptError, match="a part of its schema is gone"):
        await _ids(store)
    told = "\n".join((await store.describe())["problems"])
    assert all(f"{name} is missing" in told for name in ("passages", "owners", "events_by_seq", "budgets.amount"))
    done = "\n".join(await store.mend(rows=False))
    assert "passages was missing and was made anew, empty" in done
    assert (await store.find(OWNER)).state == State(seq=2, dropped=2)
    assert (await store.describe())["problems"] == [f"{path}: budgets.amount is missing: restore a backup."]
    await store.close()


async def test_rows_of_an_owner_that_cannot_be_named_are_told(path: Path, store: SqliteStore):
    await _add(store, 1, 2)
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("UPDATE events SET user = CAST(x'ff' AS TEXT) WHERE seq = 1")
    facts = await store.describe()
    fault = "events has rows of an owner whose name cannot be read: restore a backup."
    assert facts["problems"] == [f"{path}: {fault}"]
    assert facts["owners"] == [("acme", "alice")]


async def test_damaged_rows_are_listed_where_that_is_asked_for(path: Path, store: SqliteStore):
    await _add(store, 1, 2, 3)
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("UPDATE events SET metadata = '[]', content = CAST(x'ff41' AS TEXT) WHERE seq = 2")
    page = await store.find(OWNER, replace(EVENTS, lenient=True))
    assert [row.seq for row in page.rows[0]] == [1, 3]
    [damaged] = page.damaged
    assert (damaged.row.content, damaged.row.metadata, damaged.lost) == ("\ufffdA", {}, False)
    assert sorted(damaged.columns) == ["content", "metadata"]
    named = re.escape(f"{path}: events {key(Event, 2)[0]}: damaged ")
    with pytest.raises(StoreCorruptError, match=f"{named}.*memoranda doctor --repair"):
        await store.find(OWNER, EVENTS)
    with pytest.raises(StoreCorruptError, match=named):
        await store.get(Event, OWNER, [key(Event, number) for number in (1, 2)])
    assert None not in await store.get(Event, OWNER, [key(Event, number) for number in (1, 3)])


def content(path: Path) -> bytes:
    """What is in a file; nothing where there is none."""
    return path.read_bytes() if path.exists() else b""


async def test_a_file_of_another_program_is_refused(path: Path):
    with closing(sqlite3.connect(path)) as raw:
        raw.execute("CREATE TABLE music (id)")
    before = content(path)
    with pytest.raises(StoreCorruptError, match="another program"):
        await SqliteStore.open(path)
    assert content(path) == before
    with closing(sqlite3.connect(path)) as raw:
        assert raw.execute("SELECT name FROM sqlite_schema").fetchall() == [("music",)]


@pytest.mark.parametrize("url", ["", " ", "a\x00b", "file::memory:", "sqlite:///memory.db", "mysql://me:secret@host"])
async def test_what_names_no_store_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="There is no store at") as caught:
        await open_store(url)
    assert "secret" not in str(caught.value)


async def test_an_unknown_durability_is_refused(path: Path) -> None:
    with pytest.raises(InputError, match="durability is 'fast'; give one of full, relaxed"):
        await open_store(path, durability="fast")
    assert content(path) == b""


async def test_a_changed_migration_is_noticed(path: Path):
    await (await SqliteStore.open(path)).close()
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE migrations SET checksum = 'other'")
    with pytest.raises(StoreVersionError, match="another build of memoranda: its schema is not what first"):
        await SqliteStore.open(path)


@pytest.mark.parametrize("version", range(len(migrations()) + 1))
async def test_every_earlier_version_is_brought_up_to_date(path: Path, version: int):
    """Version 0 is a database without tables; the next is what the first migration made, with rows in it; and so on."""
    with closing(connect(str(path))) as raw:
        if version:
            migrate(raw, str(path), migrations()[:version])
            raw.execute("INSERT INTO owners (tenant, user, seq) VALUES ('acme', 'alice', 7)")
    store = await SqliteStore.open(path)
    assert (await store.find(OWNER)).state == State(seq=7 if version else 0)
    assert await _add(store, 1) == (8 if version else 1)
    await store.close()


async def test_names_of_an_older_file_stay_without_those_that_no_event_is_known_to_have_given(path: Path):
    with closing(connect(str(path))) as raw:
        migrate(raw, str(path), migrations()[:1])
        raw.execute("INSERT INTO owners (tenant, user, seq) VALUES ('acme', 'alice', 7)")
        raw.execute(
            "INSERT INTO entities VALUES"
            """ ('acme', 'alice', 7, 'i', 'ibm', 'thing', '["Big Blue"]', '', 1, 0.5, NULL, '_global', NULL, 0, 0)"""
        )
    store = await SqliteStore.open(path)
    [entity] = await store.get(Entity, OWNER, [("i",)])
    assert (entity.name, entity.type) == ("ibm", "thing")
    await store.close()
    assert b"Big Blue" not in content(path)


@pytest.mark.parametrize("copied", [True, False])
async def test_a_copy_beside_the_file_is_told_of(path: Path, copied: bool):
    with closing(connect(str(path))) as raw:
        if copied:
            migrate(raw, str(path), migrations()[:1])
        migrate(raw, str(path), migrations())
    store = await SqliteStore.open(path)
    told = [f"{path}.v1.backup still holds what was forgotten since it was made: delete it."]
    assert await store.remains() == told[:copied]  # whatever is forgotten now is in the copy
    assert (await store.describe())["problems"] == []  # but nothing was
    await store.apply(Batch(owner=OWNER, changes=(Add(sample(Receipt, OWNER)),)))
    assert (await store.describe())["problems"] == told[:copied]
    await store.mend(rows=True)  # this copy has the receipt
    assert (await store.describe())["problems"] == told[:copied]
    await store.close()


async def test_an_older_file_is_copied_before_it_is_migrated(path: Path):
    store = await SqliteStore.open(path)
    await _add(store, 1)
    await store.close()
    last = migrations()[-1].version
    step = Migration(
        version=last + 1, name="more", sql="CREATE TABLE more (id); -- a comment\nINSERT INTO more VALUES (1);\n"
    )
    with closing(connect(str(path))) as raw:
        migrate(raw, str(path), [*migrations(), step])
        migrate(raw, str(path), [*migrations(), step])
        assert raw.execute("SELECT * FROM more").fetchall() == [(1,)]
        assert raw.execute("PRAGMA user_version").fetchone() == (last + 1,)
    with pytest.raises(StoreVersionError):
        await SqliteStore.open(path)
    store = await SqliteStore.open(f"{path}.v{last}.backup")
    assert len(await _ids(store)) == 1
    await store.close()


async def test_what_another_process_migrates_meanwhile_is_neither_copied_nor_taken_for_another_programs(path: Path):
    with closing(connect(str(path))) as raw, closing(connect(str(path))) as other:

        def meanwhile(statement: str) -> None:
            if "sqlite_schema" in statement:
                raw.set_trace_callback(None)
                migrate(other, str(path), migrations())

        raw.set_trace_callback(meanwhile)
        migrate(raw, str(path), migrations())
        assert raw.execute("SELECT count(*) FROM migrations").fetchone() == (len(migrations()),)
    assert _files(path.parent) == [path.name]


async def test_who_opens_a_file_that_another_process_is_just_making_waits(path: Path):
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        opening = asyncio.create_task(SqliteStore.open(path))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(opening), 0.2)
        other.execute("ROLLBACK")
        await (await opening).close()


async def test_a_file_locked_too_long_to_change_its_journal_is_told(path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("memoranda.stores.sqlite.schema.BUSY_SECONDS", 0.05)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailableError, match="locked; try again"):
            await SqliteStore.open(path)
    await (await SqliteStore.open(path)).close()


async def test_a_migration_that_fails_leaves_nothing_behind(path: Path):
    await (await SqliteStore.open(path)).close()
    last = migrations()[-1].version
    step = Migration(version=last + 1, name="bad", sql="CREATE TABLE more (id);\nINSERT INTO nowhere VALUES (1);\n")
    with closing(connect(str(path))) as raw, pytest.raises(sqlite3.OperationalError):
        migrate(raw, str(path), [*migrations(), step])
    await (await SqliteStore.open(path)).close()


async def test_a_file_that_cannot_be_written_can_be_read(store: SqliteStore):
    await _add(store, 1)
    store._writer.execute("PRAGMA query_only = ON")
    with pytest.raises(StoreReadOnlyError, match="check the rights"):
        await _add(store, 2)
    assert len(await _ids(store)) == 1


async def test_a_full_disk_writes_nothing_and_recovers(path: Path, store: SqliteStore):
    await _add(store, 1)
    pages = store._writer.execute("PRAGMA page_count").fetchone()[0]
    store._writer.execute(f"PRAGMA max_page_count = {pages + 5}")
    with pytest.raises(StoreFullError, match=re.escape(str(path))):
        await _add(store, 2, 3, content="x" * 100_000)
    assert (await store.find(OWNER)).state == State(seq=1)
    assert len(await _ids(store)) == 1
    store._writer.execute("PRAGMA max_page_count = 1000000")
    assert await _add(store, 2, 3, content="x" * 100_000) == 3


async def test_a_damaged_head_is_told(path: Path):
    store = await SqliteStore.open(path)
    await _add(store, 1)
    await store.close()
    _damage(path, 0, b"no database, certainly")
    with pytest.raises(StoreCorruptError, match="restore a backup"):
        await SqliteStore.open(path)


async def test_a_truncated_file_is_told(path: Path):
    store = await SqliteStore.open(path)
    await _add(store, *range(50), content="x" * 5000)
    await store.close()
    _damage(path, 40 * 4096, None)
    with pytest.raises(StoreCorruptError, match=re.escape(str(path))):  # noqa: PT012 - met at opening or at reading
        store = await SqliteStore.open(path)
        try:
            await _ids(store)
        finally:
            await store.close()


async def test_describe_names_damage(path: Path):
    store = await SqliteStore.open(path)
    await _add(store, *range(50), content="x" * 5000)
    assert (await store.describe())["problems"] == []
    [page] = store._writer.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'events_by_seq'").fetchone()
    await store.close()
    _damage(path, (page - 1) * 4096, bytes(4096))
    store = await SqliteStore.open(path)
    assert str(path) in (await store.describe())["problems"][0]
    with pytest.raises(StoreCorruptError, match="restore a backup"):
        await store.mend(rows=False)
    await store.close()


async def test_damage_that_cannot_be_read_past_is_told(path: Path):
    store = await SqliteStore.open(path)
    [page] = store._writer.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'records'").fetchone()
    await store.close()
    _damage(path, (page - 1) * 4096, bytes(4096))
    store = await SqliteStore.open(path)
    with pytest.raises(StoreCorruptError, match="restore a backup"):
        await store.describe()
    assert await _add(store, 1) == 1
    await store.close()


@pytest.mark.parametrize(
    "damage", ["UPDATE events SET metadata = '{'", "UPDATE events SET content = CAST(x'ff' AS TEXT)"]
)
async def test_values_that_cannot_be_read_are_told(path: Path, store: SqliteStore, damage: str):
    await _add(store, 1)
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute(damage)
    with pytest.raises(StoreError, match=re.escape(f"{path}: ")):
        await store.find(OWNER, EVENTS)


async def test_a_schema_that_cannot_be_read_is_told(path: Path):
    await (await SqliteStore.open(path)).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("PRAGMA journal_mode = DELETE")
        raw.execute("PRAGMA writable_schema = ON")
        raw.execute("UPDATE sqlite_schema SET sql = CAST(x'435245415445205461d7' AS TEXT) WHERE name = 'owners'")
    with pytest.raises(StoreCorruptError, match="restore a backup"):
        await SqliteStore.open(path)


async def test_a_folder_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(StoreUnavailableError, match=r"nowhere/memory\.db.*folder"):
        await SqliteStore.open(tmp_path / "nowhere" / "memory.db")
    with pytest.raises(StoreUnavailableError, match=re.escape(str(tmp_path))):
        await SqliteStore.open(tmp_path)


async def test_a_lock_held_too_long_is_told(path: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("memoranda.stores.sqlite.schema.BUSY_SECONDS", 0.01)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailableError, match="locked; try again"):
            await _add(store, 1)
        assert await _ids(store) == []
    assert await _add(store, 1) == 1


async def test_erased_bytes_are_gone_from_every_file(path: Path, store: SqliteStore):
    def passage(number: int, terms: str) -> Passage:
        return sample(Passage, OWNER, number, terms=terms, channel="c", seq=0)

    secret, vector = b"xylophonequux", b"\x0fVectorBytes\xf0" * 8
    for number in range(200):
        words = "xylophonequux among words" if number == 77 else f"other{number} words"
        rows = sample(Event, OWNER, number, content=words), passage(number, words)
        await store.apply(Batch(owner=OWNER, changes=tuple(map(Add, rows))))
    await store.apply(Batch(owner=OWNER, changes=(Put(sample(Vector, OWNER, 77, data=vector)),)))
    assert _holds(path.parent, secret)
    assert _holds(path.parent, vector)
    drops = Drop(Event, key(Event, 77)), Drop(Passage, key(Passage, 77)), Drop(Vector, key(Vector, 77))
    await store.apply(Batch(owner=OWNER, changes=drops))
    assert _holds(path.parent, secret[4:]) == []  # the word index keeps what follows a shared beginning
    assert _holds(path.parent, vector[:12]) == []
    hits = await store.probe(Probe(owner=OWNER, limit=300, terms=("words", "xylophonequux")))
    assert len(hits) == 199


async def test_erased_bytes_that_a_reader_keeps_in_the_log_are_told(
    path: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("memoranda.stores.sqlite.store._PATIENCE", 1)
    await _add(store, 1, 2, content="xylophonequux")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM events").fetchone()
        await store.apply(Batch(owner=OWNER, changes=(Drop(Event, key(Event, 1)),)))
        assert "still holds erased bytes" in (await store.describe())["problems"][0]
    await store.apply(Batch(owner=OWNER, changes=(Drop(Event, key(Event, 2)),)))
    assert (await store.describe())["problems"] == []
    assert _holds(path.parent, b"xylophonequux") == []


async def test_erased_bytes_that_cannot_be_moved_yet_are_told(store: SqliteStore):
    await _add(store, 1, 2)
    unfinished = store._writer.execute("SELECT * FROM events")
    await store.apply(Batch(owner=OWNER, changes=(Drop(Event, key(Event, 1)),)))
    assert "still holds erased bytes" in (await store.describe())["problems"][0]
    unfinished.close()
    await store.apply(Batch(owner=OWNER, changes=(Drop(Event, key(Event, 2)),)))
    assert (await store.describe())["problems"] == []


async def test_closing_while_somebody_reads_closes_the_readers_connection_after(path: Path, store: SqliteStore):
    used: list[sqlite3.Connection] = []

    def work(connection: sqlite3.Connection) -> None:
        used.append(connection)
        store._close()

    store._reading(work)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        used[0].execute("SELECT 1")
    assert _files(path.parent) == [path.name]


async def test_what_tests_open_is_what_everybody_opens(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = await contents(path)
    monkeypatch.undo()
    assert await contents(tmp_path / "copy.db") == whole
    assert await contents(Path(":memory:")) == {**whole, "journal_mode": "memory"}


async def contents(path: Path) -> dict[str, object]:
    store = await SqliteStore.open(path)
    told = {
        name: store._writer.execute(f"PRAGMA {name}").fetchone()[0]
        for name in (
            "user_version",
            "application_id",
            "page_size",
            "encoding",
            "auto_vacuum",
            "secure_delete",
            "journal_mode",
        )
    }
    dump = [*store._writer.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid")]
    dump += store._writer.execute("SELECT * FROM migrations").fetchall()
    await store.close()
    return {**told, "dump": dump}
