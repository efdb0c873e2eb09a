"""Finds what is wrong with a database file as a whole, and makes anew what can be without its rows."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import cache
from itertools import count
from pathlib import Path

from memoranda.core.erasure.replay import DERIVED, REPEATED
from memoranda.core.erasure.soundness import UNNAMED
from memoranda.core.rows import TABLES
from memoranda.stores.sqlite.schema import applied, connect, migrate, migrations, queries

_SQL = queries()
_HIGHEST = " UNION ALL ".join(
    f"SELECT tenant, user, max(seq) AS seq FROM {name} WHERE seq BETWEEN 0 AND 4294967295 GROUP BY 1, 2"  # noqa: S608
    for name in TABLES  # names come from declarations
)
#: The owners whose counter is missing, or behind the highest `seq` of their rows; with that `seq`.
_BEHIND = f"WITH highest AS ({_HIGHEST}) {_SQL['behind']}"
_OBJECTS = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'passages_index_%'"
_REPAIR, _RESTORE = "memoranda doctor --repair, or restore a backup.", "restore a backup."
_EMPTY = "restore a backup; memoranda doctor --repair makes it anew, empty."


def _unread(*names: str) -> str:
    return " OR ".join(
        f"typeof({name}) <> 'text' OR NOT legible(CAST({name} AS BLOB)) OR {name} = ''" for name in names
    )


_OWNERLESS = _unread("tenant", "user")
#: When a row that is of no kind in `TABLES` says nothing any more.
_SENSELESS = {name: f"{_OWNERLESS} OR {_SQL[f'{name}_damaged']}" for name in ("owners", "cells")}


def faults(connection: sqlite3.Connection, check: str = "quick_check") -> Iterator[str]:
    """Yield what is wrong, as far as SQLite and the schema tell, each with what helps."""
    found = [one for [one] in connection.execute(f"PRAGMA {check}(100)")]
    damaged = [f"{one}: {_REPAIR}" for one in found if one != "ok" and " value in " not in f"{one}"]  # see `_strays`
    yield from damaged
    gone = lacking(connection)
    for name, sql in gone:
        again = name not in TABLES or TABLES[name] in DERIVED
        yield f"{name} is missing: {_RESTORE if sql is None else _REPAIR if again else _EMPTY}"
    [version] = connection.execute("PRAGMA user_version").fetchone()
    if version != applied(connection):
        yield f"its head says schema {version}, its migrations say {applied(connection)}: {_REPAIR}"
    if not (damaged or gone):
        yield from _strays(connection)
        if not _indexed(connection):
            yield f"the index of words is out of step with the passages: {_REPAIR}"


def _strays(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield what is said of rows that belong to no owner who could be examined."""
    for name, where in _SENSELESS.items():
        if number := connection.execute(f"SELECT count(*) FROM {name} WHERE {where}").fetchone()[0]:  # noqa: S608
            yield f"{number:,} {name} cannot be read: {_REPAIR}"
    for name, kind in TABLES.items():
        owners = f"(SELECT DISTINCT tenant, user FROM {name})"  # noqa: S608
        if connection.execute(f"SELECT 1 FROM {owners} WHERE {_OWNERLESS}").fetchone():  # noqa: S608
            helps = _REPAIR if kind in REPEATED else _RESTORE
            yield f"{name} has rows of an owner whose name cannot be read: {helps}"
    if connection.execute(_BEHIND).fetchone():
        yield f"the counter of an owner is missing, or behind the rows: {_REPAIR}"


def _indexed(connection: sqlite3.Connection) -> bool:
    """Whether the index of words can be searched, and has the passages that it should have."""
    try:
        connection.execute(_SQL["search"]).fetchall()
    except sqlite3.DatabaseError:
        return False
    return all(connection.execute(_SQL["words_counted"]).fetchone())


def lacking(connection: sqlite3.Connection) -> Sequence[tuple[str, str | None]]:
    """Return what of the schema is missing: its name, and the statement that makes it; None for a missing column."""
    there = {name for name, _ in connection.execute(f"{_OBJECTS} UNION ALL {_SQL['columns']}")}
    objects, columns = ([one for one in wanted if one[0] not in there] for wanted in _schema())
    whole = {name for name, _ in objects}
    return objects + [one for one in columns if one[0].partition(".")[0] not in whole]


@cache
def _schema() -> tuple[Sequence[tuple[str, str | None]], ...]:
    """Return the objects that the migrations make, in order, and the columns: as in `lacking`."""
    with closing(connect(":memory:")) as fresh:
        migrate(fresh, ":memory:", migrations())
        return tuple(fresh.execute(sql).fetchall() for sql in (f"{_OBJECTS} ORDER BY rowid", _SQL["columns"]))


def mend(connection: sqlite3.Connection, path: str, *, rows: bool) -> Iterator[str]:
    """Copy the file, then make anew its missing tables, its indexes, its counters and the version in its head.

    A row of an owner that is none is given back to the one who has what belongs to it. A row whose key cannot be read
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
    connection.executescript(_SQL["drop_index"])
    connection.executescript(_SQL["names"])
    before = connection.total_changes
    _name(connection)
    if number := connection.total_changes - before:
        yield f"{path}: {number:,} rows without a legible name were named, given back to their owner, or dropped"
    for _, sql in lacking(connection):
        connection.execute(sql or "")
    connection.execute("REINDEX")
    connection.execute("UPDATE owners SET words = 0")
    yield f"{path}: the indexes were made anew"
    connection.executemany(_SQL["catch_up"], connection.execute(_BEHIND).fetchall())


def _name(connection: sqlite3.Connection) -> None:
    """Give rows the names that they lost, see `mend`."""
    for name, where in _SENSELESS.items():
        connection.execute(f"DELETE FROM {name} WHERE {where}")  # noqa: S608
    for pair in ("events id", "records id", "passages ref", "vectors ref", "relations head"):
        connection.execute(_SQL["give_back"].format(*pair.split()))
    for name, kind in TABLES.items():
        keys = [key for key in kind.__key__ if kind.__columns__[key].type == "str"]
        if kind in REPEATED:  # made again by what it repeats
            connection.execute(f"DELETE FROM {name} WHERE {_unread('tenant', 'user', *keys)}")  # noqa: S608
        for key in () if kind in REPEATED else keys:
            connection.execute(f"UPDATE {name} SET {key} = '{UNNAMED}' || rowid WHERE {_unread(key)}")  # noqa: S608
    connection.executescript(_SQL["name_again"])
