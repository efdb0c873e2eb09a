"""How tests open SQLite files: without waiting for the disk, and new ones as copies of one that was migrated once.

No test cuts the power, which is all that waiting for the disk protects from, and making the schema takes longer than
most tests. Processes that tests start, and `test_sqlite_file`, open files as everybody does.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from uuid import uuid4

import pytest

from memoranda.stores.sqlite import cache, store
from memoranda.stores.sqlite.schema import connect, migrate, migrations


def _lay_copy(made: bytes, path: Path) -> None:
    """Put a new file at `path`, whole at once: others may open it meanwhile. If that is impossible, SQLite says why."""
    copy = Path(f"{path}.{uuid4().hex}")
    with suppress(OSError):
        if path.exists():
            return
        copy.write_bytes(made)
        path.hardlink_to(copy)
        copy.unlink()


@pytest.fixture(scope="session", autouse=True)
def sqlite_files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Opens files so."""
    path = tmp_path_factory.mktemp("schema") / "empty.db"
    with closing(connect(str(path), synchronous="OFF")) as raw:
        migrate(raw, str(path), migrations())
    made = path.read_bytes()

    def quickly(name: str, **pragmas: str) -> sqlite3.Connection:
        if "synchronous" not in pragmas:  # it only reads
            return connect(name, **pragmas)
        if name != ":memory:":
            _lay_copy(made, Path(name))
        connection = connect(name, **{**pragmas, "synchronous": "OFF"})
        if name == ":memory:":
            with closing(connect(str(path))) as raw:
                raw.backup(connection)
        return connection

    with pytest.MonkeyPatch.context() as patch:
        for module in (store, cache):
            patch.setattr(module, "connect", quickly)
        yield


@pytest.fixture
def sqlite_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opens files as everybody does."""
    for module in (store, cache):
        monkeypatch.setattr(module, "connect", connect)
