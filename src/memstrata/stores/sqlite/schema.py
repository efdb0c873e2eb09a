"""Opens a database file and brings its schema up to date with numbered migrations, forward only."""

import hashlib
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from importlib import resources
from itertools import count
from pathlib import Path
from typing import Any

from memstrata.core.rows import TABLES
from memstrata.errors import StoreCorruptError, StoreVersionError

APPLICATION = 0x6D736D31  # "msm1", the application id in the file's header: this database is memstrata's
BUSY_SECONDS = 30.0
_ALL = " UNION ALL ".join(
    f"SELECT tenant, user, max(seq) AS seq FROM {name} WHERE typeof(seq) = 'integer' GROUP BY 1, 2"  # noqa: S608
    for name in TABLES  # names come from declarations
)
#: The owners of rows, with the highest `seq` of these, and those of them whose counter is lower or missing.
_WHOSE = f"""SELECT tenant, user, max(seq) AS at FROM ({_ALL})
    WHERE typeof(tenant) || typeof(user) = 'texttext' GROUP BY 1, 2"""  # noqa: S608
_COUNTED = f"""SELECT tenant, user, at FROM ({_WHOSE}) AS found WHERE at > coalesce((
    SELECT seq FROM owners WHERE owners.tenant = found.tenant AND owners.user = found.user
), 0)"""  # noqa: S608
_HERE = resources.files(__package__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """One migration: `version` and `name` from its file name, and its SQL."""

    version: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """The hash of the SQL; it is recorded, so that a migration that was changed afterwards is noticed."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


def migrations() -> list[Migration]:
    """Return the migrations that this version of memstrata knows, in order."""
    files = sorted(_HERE.joinpath("migrations").iterdir(), key=lambda item: item.name)
    parts = [(item.name.removesuffix(".sql").split("_", 1), item) for item in files if item.name.endswith(".sql")]
    return [Migration(version=int(number), name=name, sql=item.read_text("utf-8")) for (number, name), item in parts]


def queries() -> Mapping[str, str]:
    """Return the statements of `queries.sql` by the name above each."""
    sections = _HERE.joinpath("queries.sql").read_text("utf-8").split("-- name: ")[1:]
    return {name: sql.strip() for name, sql in (section.split("\n", 1) for section in sections)}


def connect(path: str, **pragmas: str) -> sqlite3.Connection:
    """Open a connection in autocommit mode, to be used by one thread at a time."""
    connection = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=512
    )
    try:
        for name, value in pragmas.items():
            connection.execute(f"PRAGMA {name} = {value}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def insist(connection: sqlite3.Connection, statement: str, nap: float = 0.0) -> None:
    """Execute a statement, retrying every `nap` seconds for up to `BUSY_SECONDS` while the database is busy."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute(statement)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(nap)
        else:
            return


def migrate(connection: sqlite3.Connection, path: str, steps: Sequence[Migration]) -> None:
    """Migrate the database to the last of `steps`. An older schema is first backed up to a file beside it.

    Raises:
        StoreVersionError: the database is newer than `steps`, or was built with different ones.
        StoreCorruptError: the database belongs to another program.
    """
    if not missing(connection, path, steps):
        return
    with connection:
        connection.execute("BEGIN IMMEDIATE")  # keeps out other migrations, while the file can still be read
        left = missing(connection, path, steps)  # checked again: another process may have migrated first
        if left and _version(connection) and path != ":memory:":
            backup = f"{path}.v{_version(connection)}.backup"
            with closing(connect(path)) as reader, closing(sqlite3.connect(backup)) as copy:
                reader.backup(copy)
        for step in left:
            for statement in _statements(step.sql):
                connection.execute(statement)
            connection.execute("INSERT INTO migrations VALUES (?, ?, ?)", (step.version, step.name, step.checksum))
            connection.execute(f"PRAGMA user_version = {step.version:d}")


def missing(connection: sqlite3.Connection, path: str, steps: Sequence[Migration]) -> Sequence[Migration]:
    """Return the steps that have not been applied to the database. Reads only.

    Raises:
        StoreVersionError: the database is newer than `steps`, or was built with different ones.
        StoreCorruptError: the database belongs to another program.
    """
    [tables] = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    version = _version(connection)
    if version > steps[-1].version:
        raise StoreVersionError(
            f"{path} was written by a newer memstrata (schema {version}; this one knows {steps[-1].version}): "
            "upgrade memstrata, or open a copy made before."
        )
    [application] = connection.execute("PRAGMA application_id").fetchone()  # read last: both may be written meanwhile
    if tables and application != APPLICATION:
        raise StoreCorruptError(f"{path} is a database of another program: choose another path.")
    if tables and not version:
        raise StoreCorruptError(f"{path}: its table of migrations is gone; restore a backup.")
    had = dict(connection.execute("SELECT version, checksum FROM migrations")) if version else {}
    changed = [step.name for step in steps if had.get(step.version, step.checksum) != step.checksum]
    if changed:
        raise StoreVersionError(
            f"{path} was made by another build of memstrata: its schema is not what {', '.join(changed)} makes here. "
            "Nothing was changed. Open it with the build that made it, or choose another path."
        )
    return [step for step in steps if step.version > version]


def _version(connection: sqlite3.Connection) -> int:
    """Return the last migration that was applied; 0 for none. `user_version` says the same, unless it is damaged."""
    version: int
    if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").fetchone():
        return 0
    [version] = connection.execute("SELECT coalesce(max(version), 0) FROM migrations").fetchone()
    return version


def lacking(connection: sqlite3.Connection) -> Sequence[tuple[str, str | None]]:
    """Return what of the schema is missing: its name, and the statement that makes it; None for a missing column."""
    with closing(connect(":memory:")) as fresh:
        migrate(fresh, ":memory:", migrations())
        objects = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'passages_index_%'"
        columns = """SELECT tables.name || '.' || columns.name, NULL FROM sqlite_schema AS tables
            JOIN pragma_table_info(tables.name) AS columns
            WHERE tables.type = 'table' AND tables.name NOT LIKE 'passages_index%'"""
        there = {name for name, _ in connection.execute(f"{objects} UNION ALL {columns}")}
        found = [(name, sql) for name, sql in fresh.execute(f"{objects} ORDER BY rowid") if name not in there]
        gone = tuple(f"{name}." for name, _ in found)
        found += [one for one in fresh.execute(columns) if one[0] not in there and not one[0].startswith(gone)]
        return found


def inconsistencies(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield what is wrong in a database in which nothing is missing."""
    [version] = connection.execute("PRAGMA user_version").fetchone()
    if version != _version(connection):
        yield f"its head says schema {version}, its migrations say {_version(connection)}"
    if not all(connection.execute(queries()["words_counted"]).fetchone()):
        yield "the index of words is out of step with the passages"
    if named_owners(connection, _COUNTED):
        yield "an owner's counter is behind the rows"
    if len(named_owners(connection, _WHOSE)) < connection.execute(f"SELECT count(*) FROM ({_WHOSE})").fetchone()[0]:
        yield "there are rows of an owner whose name cannot be read"


def named_owners(connection: sqlite3.Connection, statement: str) -> Sequence[tuple[Any, ...]]:
    """Return the answers of a statement without those that begin with an owner whose name cannot be read."""
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")
    try:
        return [row for row in connection.execute(statement) if "\ufffd" not in row[0] + row[1]]
    finally:
        connection.text_factory = str


def mend(connection: sqlite3.Connection, path: str) -> Iterator[str]:
    """Copy the file, then make anew what can be without its rows: missing tables, the indexes, the version in its head.

    Yields:
        What was done, a sentence each.
    """
    version = _version(connection)
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
    connection.executemany(queries()["counted"], named_owners(connection, _COUNTED))
    connection.execute("INSERT INTO passages_index (passages_index) VALUES ('delete-all')")
    connection.execute("UPDATE owners SET words = 0")
    yield f"{path}: the indexes were made anew"


def _statements(sql: str) -> Iterator[str]:
    """Split a script into statements. SQLite decides where each ends, because triggers contain semicolons."""
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
