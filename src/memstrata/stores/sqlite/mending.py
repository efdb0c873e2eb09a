"""Finds what is wrong with a database file as a whole, and makes anew what can be without its rows."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path

from memstrata.core.rows import TABLES
from memstrata.stores.sqlite.schema import applied, connect, migrate, migrations, queries

_SQL = queries()
_HIGHEST = " UNION ALL ".join(
    f"SELECT tenant, user, max(seq) AS seq FROM {name} WHERE typeof(seq) = 'integer' GROUP BY 1, 2"  # noqa: S608
    for name in TABLES  # names come from declarations
)
#: The owners whose counter is missing, or behind the highest `seq` of their rows; with that `seq`.
_BEHIND = f"WITH highest AS ({_HIGHEST}) {_SQL['behind']}"
_OBJECTS = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'passages_index_%'"


def faults(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield what is wrong, as far as SQLite and the schema tell."""
    damaged = [f"{row[0]}" for row in connection.execute("PRAGMA quick_check(10)") if row[0] != "ok"]
    gone = [f"{name} is missing" for name, _ in lacking(connection)]
    yield from damaged + gone
    [version] = connection.execute("PRAGMA user_version").fetchone()
    if version != applied(connection):
        yield f"its head says schema {version}, its migrations say {applied(connection)}"
    if damaged or gone:
        return
    if connection.execute(f"SELECT count(*) FROM ({_BEHIND})").fetchone()[0]:  # noqa: S608
        yield "the counter of an owner is missing, or behind the rows"
    if not all(connection.execute(_SQL["words_counted"]).fetchone()):
        yield "the index of words is out of step with the passages"


def lacking(connection: sqlite3.Connection) -> Sequence[tuple[str, str | None]]:
    """Return what of the schema is missing: its name, and the statement that makes it; None for a missing column."""
    with closing(connect(":memory:")) as fresh:
        migrate(fresh, ":memory:", migrations())
        there = {name for name, _ in connection.execute(f"{_OBJECTS} UNION ALL {_SQL['columns']}")}
        found = [one for one in fresh.execute(f"{_OBJECTS} ORDER BY rowid") if one[0] not in there]
        whole = {name for name, _ in found}
        columns = [one for one in fresh.execute(_SQL["columns"]) if one[0] not in there]
        return found + [one for one in columns if one[0].partition(".")[0] not in whole]


def mend(connection: sqlite3.Connection, path: str) -> Iterator[str]:
    """Copy the file, then make anew its missing tables, its indexes, its counters and the version in its head.

    Yields:
        What was done, a sentence each.
    """
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
    connection.execute("REINDEX")
    connection.execute(_SQL["forget_words"])
    connection.execute("UPDATE owners SET words = 0")
    yield f"{path}: the indexes were made anew"
    connection.executemany(_SQL["catch_up"], connection.execute(_BEHIND).fetchall())
