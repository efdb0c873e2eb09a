"""Finds what is wrong with a database file as a whole, and makes anew what can be without its rows."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
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
_EMPTY = "restore a backup; memstrata doctor --repair makes it anew, empty."
#: What only repeats what others say; a row of it whose name cannot be read is dropped, and made again by those.
_REPEATING = frozenset(DERIVED) - {Record, Relation}
#: How a row's passage is told by something else than its name.
_SAME: Mapping[str, str] = {
    "events": "of = 'event' AND at = event_time AND passages.position = one.position"
    " AND passages.conversation IS one.conversation",
    "records": "of = 'record' AND at = valid_from AND length = length(text)",
}


def _unread(*names: str, empty: str = "= ''") -> str:
    no = "typeof({0}) <> 'text' OR NOT legible(CAST({0} AS BLOB)) OR {0} {1}"
    return " OR ".join(no.format(name, empty) for name in names)


_OWNERLESS = _unread("tenant", "user")
#: What can be wrong with rows that no owner's examination meets, by table: where, and what is said of them.
_SENSELESS: Mapping[str, tuple[str, str]] = {
    "owners": (f"{_OWNERLESS} OR {_SQL['miscounted']}", "names or counters of owners"),
    "cells": (
        f"{_OWNERLESS} OR {_unread('name', 'text', 'version', empty='IS NULL')} OR {_SQL['damaged']}",
        "cells of working memory",
    ),
}


def faults(connection: sqlite3.Connection, check: str = "quick_check") -> Iterator[str]:
    """Yield what is wrong, as far as SQLite and the schema tell, each with what helps."""
    found = [f"{row[0]}" for row in connection.execute(f"PRAGMA {check}(100)")]
    damaged = [
        f"{one}: {_REPAIR}" for one in found if one != "ok" and " value in " not in one
    ]  # rows are looked at below
    gone = lacking(connection)
    yield from damaged
    for name, sql in gone:
        again = name not in TABLES or TABLES[name] in DERIVED
        yield f"{name} is missing: {_RESTORE if sql is None else _REPAIR if again else _EMPTY}"
    [version] = connection.execute("PRAGMA user_version").fetchone()
    if version != applied(connection):
        yield f"its head says schema {version}, its migrations say {applied(connection)}: {_REPAIR}"
    if not damaged:
        yield from _unreadable(connection, {name for name, _ in gone})
    if damaged or gone:
        return
    if connection.execute(f"SELECT count(*) FROM ({_BEHIND})").fetchone()[0]:  # noqa: S608
        yield f"the counter of an owner is missing, or behind the rows: {_REPAIR}"
    if not _indexed(connection):
        yield f"the index of words is out of step with the passages: {_REPAIR}"


def _indexed(connection: sqlite3.Connection) -> bool:
    """Whether the index of words can be searched, and has the passages that it should have."""
    try:
        connection.execute(_SQL["search"]).fetchall()
    except sqlite3.DatabaseError:
        return False
    return all(connection.execute(_SQL["words_counted"]).fetchone())


def _unreadable(connection: sqlite3.Connection, gone: set[str]) -> Iterator[str]:
    for name, (where, what) in _SENSELESS.items():
        if name not in gone and (number := connection.execute(_counting(name, where)).fetchone()[0]):
            yield f"{number:,} {what} cannot be read: {_REPAIR}"
    for name, kind in TABLES.items():
        owners = f"(SELECT DISTINCT tenant, user FROM {name})"  # noqa: S608
        if name not in gone and connection.execute(_counting(owners, _OWNERLESS)).fetchone()[0]:
            helps = _REPAIR if kind in _REPEATING else _RESTORE
            yield f"{name} has rows of an owner whose name cannot be read: {helps}"


def _counting(name: str, where: str) -> str:
    return f"SELECT count(*) FROM {name} WHERE {where}"  # noqa: S608


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
    _drop_index(connection)
    connection.execute(
        "UPDATE passages SET seq = 1 << 32 WHERE seq < 1"
    )  # it was never indexed, and is read as damaged
    for name, (where, what) in _SENSELESS.items():
        if number := connection.execute(f"DELETE FROM {name} WHERE {where}").rowcount:  # noqa: S608
            yield f"{path}: {number:,} {what} could not be read and were dropped"
    connection.execute(_SQL["keep_places"])
    yield from (f"{path}: {told}" for told in _named(connection))
    for _, sql in lacking(connection):
        connection.execute(sql or "")
    connection.execute("REINDEX")
    connection.execute("UPDATE owners SET words = 0")
    yield f"{path}: the indexes were made anew"
    connection.executemany(_SQL["catch_up"], connection.execute(_BEHIND).fetchall())


def _drop_index(connection: sqlite3.Connection) -> None:
    """Drop the index of words, which cannot be asked to drop itself if it is damaged, and what keeps it up to date."""
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("DELETE FROM sqlite_schema WHERE name = 'passages_index'")
    connection.execute("PRAGMA writable_schema = RESET")
    for name in ("data", "idx", "docsize", "config"):
        connection.execute(f"DROP TABLE IF EXISTS passages_index_{name}")
    for name in ("deleted", "updated"):
        connection.execute(f"DROP TRIGGER passages_{name}")


def _named(connection: sqlite3.Connection) -> Iterator[str]:
    """Give rows the names that they lost, see `mend`."""
    connection.execute(_SQL["names"])
    for kind, key in ((Event, "id"), (Record, "id"), (Passage, "ref"), (Vector, "ref"), (Relation, "head")):
        if number := connection.execute(_SQL["give_back"].format(table=kind.__table__, key=key)).rowcount:
            yield f"{number:,} {kind.__table__} were given back to their owner"
    connection.execute("DROP TABLE temp.names")
    for name, kind in TABLES.items():
        texts = [key for key in kind.__key__ if kind.__columns__[key].type == "str"]
        done, statements = "dropped", [f"DELETE FROM {name} WHERE {_unread('tenant', 'user', *texts)}"]  # noqa: S608
        if kind not in _REPEATING:
            done, statements = "given another name", [*_naming(kind)]
        if number := sum(connection.execute(statement).rowcount for statement in statements):
            yield f"{number:,} {name} whose name could not be read were {done}"
    for name, same in _SAME.items():
        found = connection.execute(_SQL["called"].format(table=name, same=same)).fetchall()
        connection.executemany(f"UPDATE OR IGNORE {name} SET id = ? WHERE rowid = ?", found)  # noqa: S608
        yield from (f"the name of {name} {ref} was found again" for ref, _ in found)


def _naming(kind: type[Row]) -> Iterator[str]:
    """Yield the statements that name rows whose key cannot be read: a number is the least that is free."""
    name = kind.__table__
    for key in kind.__key__:
        if kind.__columns__[key].type == "str":
            yield f"UPDATE {name} SET {key} = '{UNNAMED}' || rowid WHERE {_unread(key)}"  # noqa: S608
        else:
            others = " AND ".join(f"other.{one} = one.{one}" for one in ("tenant", "user", *kind.__key__) if one != key)
            taken = f"SELECT {key} FROM {name} AS other WHERE typeof({key}) = 'integer' AND {others}"  # noqa: S608
            free = f"SELECT min({key}) + 1 FROM ({taken} UNION SELECT 0) WHERE {key} + 1 NOT IN ({taken})"  # noqa: S608
            yield f"UPDATE OR IGNORE {name} AS one SET {key} = ({free}) WHERE typeof({key}) <> 'integer'"  # noqa: S608
