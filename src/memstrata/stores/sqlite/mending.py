"""Finds what is wrong with a database file as a whole, and makes anew what can be without its rows."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path

from memstrata.core.replay import DERIVED
from memstrata.core.rows import TABLES, Event, Passage, Record, Relation, Row, Vector
from memstrata.core.soundness import UNNAMED
from memstrata.stores.sqlite.schema import applied, connect, migrate, migrations, queries

_SQL = queries()
_HIGHEST = " UNION ALL ".join(
    f"SELECT tenant, user, max(seq) AS seq FROM {name} WHERE seq BETWEEN 0 AND 4294967295 GROUP BY 1, 2"  # noqa: S608
    for name in TABLES  # names come from declarations
)
#: The owners whose counter is missing, or behind the highest `seq` of their rows; with that `seq`.
_BEHIND = f"WITH highest AS ({_HIGHEST}) {_SQL['behind']}"
_OBJECTS = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'passages_index_%'"
_REPAIR, _RESTORE = "memstrata doctor --repair, or restore a backup.", "restore a backup."
#: What only repeats what others say; a row of them without a name that can be read is made anew by what it repeats.
_REPEATING = frozenset(DERIVED) - {Record, Relation}


def _unread(*names: str) -> str:
    return " OR ".join(f"typeof({name}) <> 'text' OR NOT legible(CAST({name} AS BLOB))" for name in names)


#: Rows of `owners` that say nothing: what the rows of the owner say takes their place.
_SENSELESS = f"FROM owners WHERE {_unread('tenant', 'user')} OR {_SQL['miscounted']}"


def _keys(kind: type[Row]) -> list[str]:
    return [name for name in kind.__key__ if kind.__columns__[name].type == "str"]


def faults(connection: sqlite3.Connection, check: str = "quick_check") -> Iterator[str]:
    """Yield what is wrong, as far as SQLite and the schema tell, each with what helps."""
    damaged = [f"{row[0]}" for row in connection.execute(f"PRAGMA {check}(10)") if row[0] != "ok"]
    yield from (f"{fault}: {_REPAIR}" for fault in damaged)
    gone = list(lacking(connection))
    for name, sql in gone:
        made = f"{_RESTORE[:-1]}; memstrata doctor --repair makes it anew, empty."
        log = sql is None or (name in TABLES and TABLES[name] not in DERIVED)
        yield f"{name} is missing: {_REPAIR if not log else made if sql else _RESTORE}"
    [version] = connection.execute("PRAGMA user_version").fetchone()
    if version != applied(connection):
        yield f"its head says schema {version}, its migrations say {applied(connection)}: {_REPAIR}"
    there = {name for name, _ in gone}
    if "owners" not in there:
        [number] = connection.execute(f"SELECT count(*) {_SENSELESS}").fetchone()
        if number:
            yield f"the names or counters of {number:,} owners cannot be read: {_REPAIR}"
    for name in TABLES.keys() - there:
        found = f"SELECT DISTINCT tenant, user FROM {name}"  # noqa: S608
        [number] = connection.execute(f"SELECT count(*) FROM ({found}) WHERE {_unread('tenant', 'user')}").fetchone()  # noqa: S608
        if number:
            yield f"{name} has rows of an owner whose name cannot be read: {_REPAIR}"
    if damaged or gone:
        return
    if connection.execute(f"SELECT count(*) FROM ({_BEHIND})").fetchone()[0]:  # noqa: S608
        yield f"the counter of an owner is missing, or behind the rows: {_REPAIR}"
    if not all(connection.execute(_SQL["words_counted"]).fetchone()):
        yield f"the index of words is out of step with the passages: {_REPAIR}"


def lacking(connection: sqlite3.Connection) -> Sequence[tuple[str, str | None]]:
    """Return what of the schema is missing: its name, and the statement that makes it; None for a missing column."""
    with closing(connect(":memory:")) as fresh:
        migrate(fresh, ":memory:", migrations())
        there = {name for name, _ in connection.execute(f"{_OBJECTS} UNION ALL {_SQL['columns']}")}
        found = [one for one in fresh.execute(f"{_OBJECTS} ORDER BY rowid") if one[0] not in there]
        whole = {name for name, _ in found}
        columns = [one for one in fresh.execute(_SQL["columns"]) if one[0] not in there]
        return found + [one for one in columns if one[0].partition(".")[0] not in whole]


def mend(connection: sqlite3.Connection, path: str, *, rows: bool) -> Iterator[str]:
    """Copy the file, then make anew its missing tables, its indexes, its counters and the version in its head.

    A row whose owner cannot be told is given back to the one who has what belongs to it. A row whose key cannot be read
    is given another; one that only repeats what others say is dropped.

    Args:
        connection: the database.
        path: where it lies.
        rows: whether rows will be mended; if not, and nothing else is wrong, nothing is done.

    Yields:
        What was done, a sentence each.
    """
    if not rows and not any(faults(connection, "integrity_check")):
        return
    version = applied(connection)
    if path != ":memory:":
        copy = next(name for name in (f"{path}.v{version}-{n}.backup" for n in count(1)) if not Path(name).exists())
        with closing(sqlite3.connect(copy)) as target:
            connection.backup(target)
        yield f"{path} was copied to {copy}"
    for name, sql in lacking(connection):
        if sql is not None:
            connection.execute(sql)
            yield f"{path}: {name} was missing and was made anew, empty"
    connection.execute(f"PRAGMA user_version = {version:d}")
    connection.execute("DROP TABLE passages_index")
    connection.execute(dict(lacking(connection))["passages_index"] or "")
    connection.execute(f"DELETE {_SENSELESS}")
    yield from (f"{path}: {told}" for told in _named(connection))
    connection.execute("REINDEX")
    connection.execute("UPDATE owners SET words = 0")
    yield f"{path}: the indexes were made anew"
    connection.executemany(_SQL["catch_up"], connection.execute(_BEHIND).fetchall())


def _named(connection: sqlite3.Connection) -> Iterator[str]:
    """Give rows the names that they lost, see `mend`."""
    connection.execute(_SQL["names"])
    for kind, key in ((Event, "id"), (Record, "id"), (Passage, "ref"), (Vector, "ref")):
        if number := connection.execute(_SQL["give_back"].format(table=kind.__table__, key=key)).rowcount:
            yield f"{number:,} {kind.__table__} were given back to their owner"
    connection.execute("DROP TABLE temp.names")
    for name, kind in TABLES.items():
        keys = _keys(kind)
        if kind in _REPEATING:
            done, statements = "dropped", [f"DELETE FROM {name} WHERE {_unread('tenant', 'user', *keys)}"]  # noqa: S608
        else:
            done, statements = (
                "given another name",
                [
                    f"UPDATE {name} SET {key} = '{UNNAMED}' || rowid WHERE {_unread(key)}"  # noqa: S608
                    for key in keys
                ],
            )
        if number := sum(connection.execute(statement).rowcount for statement in statements):
            yield f"{number:,} {name} whose name cannot be read were {done}"
