"""Opens a database file and brings its schema up to date with numbered migrations, forward only."""

import hashlib
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib import resources

from memoranda.errors import StoreCorruptError, StoreVersionError

APPLICATION = 0x6D736D31  # "msm1", the application id in the file's header: this database is memoranda's
BUSY_SECONDS = 30.0
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
    """Return the migrations that this version of memoranda knows, in order."""
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
        connection.create_function("legible", 1, legible, deterministic=True)
        for name, value in pragmas.items():
            connection.execute(f"PRAGMA {name} = {value}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def legible(value: object) -> bool:
    """Whether a value, given as bytes, is a text; SQL asks it of a name that it could not return."""
    try:
        return isinstance(value, bytes) and value.decode() is not None
    except UnicodeDecodeError:
        return False


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
        if left and applied(connection) and path != ":memory:":
            backup = f"{path}.v{applied(connection)}.backup"
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
    version = applied(connection)
    if version > steps[-1].version:
        raise StoreVersionError(
            f"{path} was written by a newer memoranda (schema {version}; this one knows {steps[-1].version}): "
            "upgrade memoranda, or open a copy made before."
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
            f"{path} was made by another build of memoranda: its schema is not what {', '.join(changed)} makes here. "
            "Nothing was changed. Open it with the build that made it, or choose another path."
        )
    return [step for step in steps if step.version > version]


def applied(connection: sqlite3.Connection) -> int:
    """Return the last migration that was applied; 0 for none. `user_version` says the same, unless it is damaged."""
    if not connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").fetchone():
        return 0
    version: int
    [version] = connection.execute("SELECT coalesce(max(version), 0) FROM migrations").fetchone()
    return version


def _statements(sql: str) -> Iterator[str]:
    """Split a script into statements. SQLite decides where each ends, because triggers contain semicolons."""
    statement = ""
    for line in sql.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
