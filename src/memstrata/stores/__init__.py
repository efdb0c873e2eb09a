"""Adapters to databases. They store and find candidates; they decide nothing. This file alone loads them."""

import importlib
from pathlib import Path
from typing import Any

from memstrata.core.checks import brief, check_choice, require
from memstrata.errors import InputError, MissingExtraError
from memstrata.ports import Store

_POSTGRES = ("postgresql://", "postgres://")


async def open_store(url: str | Path | Store, *, durability: str = "full") -> Store:
    """The store at `url`: "postgresql://…", ":memory:", or the path of a file, which is made if it is not there.

    A store that is open already is handed back.

    Raises:
        InputError: `url` is no path and names no store, or the store does not know such a durability.
        MissingExtraError: the driver is not installed.
        StoreError: it cannot be opened; the message says what to do.
    """
    check_choice("durability", durability, ("full", "relaxed"))
    if not isinstance(url, str | Path):
        fits = isinstance(url, Store) and not isinstance(url, type)
        require(fits, "url", url, "a path, ':memory:', 'postgresql://…', or an open store")
        return url
    path = str(url)
    if path.startswith(_POSTGRES):
        if durability != "full":
            raise InputError("PostgreSQL's durability is set there (synchronous_commit): leave it at 'full' here.")
        return await _load("memstrata.stores.postgres.store", "PostgresStore", path)
    if not path.strip() or "\x00" in path or "://" in path or path.startswith("file:"):
        shown = path.partition("://")[0]  # what stands behind it may be a password
        raise InputError(f"There is no store at {brief(shown)}: give a path, ':memory:' or 'postgresql://…'.")
    return await _load("memstrata.stores.sqlite.store", "SqliteStore", url, durability=durability)


async def _load(module: str, name: str, *arguments: Any, **options: Any) -> Store:
    try:
        adapter = getattr(importlib.import_module(module), name)
    except ImportError as error:
        remedy = "PostgreSQL takes pip install 'memstrata[postgres]', SQLite a Python that was built with it."
        raise MissingExtraError(f"{name} cannot be loaded ({error}): {remedy}") from error
    store: Store = await adapter.open(*arguments, **options)
    return store
