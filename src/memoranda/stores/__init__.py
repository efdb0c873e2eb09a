"""Adapters to databases. They store rows and find candidates, but decide nothing. Only this file loads them."""

import importlib
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from memoranda.core.base.checks import brief, check_choice, require
from memoranda.errors import CapabilityError, InputError, MissingExtraError, how_to_install
from memoranda.ports import Cache, Queue, Store
from memoranda.stores.dict_cache import DictCache

_POSTGRES = ("postgresql://", "postgres://")
_REDIS = ("redis://", "rediss://", "unix://", "redis+cluster://")


async def open_store(url: str | Path | Store, *, durability: str = "full") -> Store:
    """Open the store at `url`: "postgresql://…", ":memory:", or the path of a file, which is created if missing.

    An open store is returned as it is.

    Raises:
        InputError: `url` is neither a path nor the address of a store, or the store does not support this durability.
        MissingExtraError: the driver is not installed.
        StoreError: the store cannot be opened; the message says what to do.
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
        server: Store = await _load("memoranda.stores.postgres.store", "PostgresStore", path)
        return server
    if not path.strip() or not _nameable(path) or "://" in path or path.startswith("file:"):
        shown = path.partition("://")[0]  # the rest may contain a password
        raise InputError(f"There is no store at {brief(shown)}: give a path, ':memory:' or 'postgresql://…'.")
    file: Store = await _load("memoranda.stores.sqlite.store", "SqliteStore", url, durability=durability)
    return file


def _nameable(path: str) -> bool:
    """Whether a file can have this name."""
    try:
        return b"\x00" not in os.fsencode(path)
    except UnicodeEncodeError:
        return False


@asynccontextmanager
async def lent(url: str | Path | Store | None) -> AsyncIterator[Store | None]:
    """Yield the store at `url` and close it afterwards, unless it was passed in open. Yield None for None."""
    store = None if url is None else await open_store(url)
    try:
        yield store
    finally:
        if store is not None and store is not url:
            await store.close()


async def open_store_and_cache(
    url: str | Path | Store, cache: str | Cache | None, *, durability: str = "full"
) -> tuple[Store, Cache]:
    """Open a store and a cache, both or neither; see `open_store` and `open_cache`."""
    check_cache(cache)
    async with AsyncExitStack() as undo:
        store = await open_store(url, durability=durability)
        undo.push_async_callback(store.close)
        opened = await open_cache(cache, store)
        undo.pop_all()
    return store, opened


async def open_cache(cache: str | Cache | None, store: Store) -> Cache:
    """Open the cache at an address ("redis://…", "rediss://…", "unix://…", "redis+cluster://…").

    A `Cache` object is returned as it is. None means the store's own cache, or one in this process's memory if the
    store has none.

    Raises:
        MissingExtraError: the driver is not installed.
        StoreError: the cache cannot be opened; the message says what to do.
    """
    if isinstance(cache, str):
        opened: Cache = await _load("memoranda.stores.redis.cache", "RedisCache", cache)
        return opened
    if cache is None:
        own: Cache = getattr(store, "cache", DictCache)()
        return own
    return cache


async def open_queue(store: Store) -> Queue:
    """Open the job queue beside a store, creating it if missing.

    Raises:
        CapabilityError: the store has no queue, or the login may not set one up.
        MissingExtraError: a package it needs is not installed.
        StoreError: the queue cannot be opened; the message says what to do.
    """
    place: tuple[str, str] | None = getattr(store, "place", None)
    if place is None:
        raise CapabilityError(
            "A queue of jobs lies in PostgreSQL, and this memory does not: open it at postgresql://…, or let workers "
            "work without one, in any number of processes."
        )
    queue: Queue = await _load("memoranda.stores.postgres.queue", "PostgresQueue", *place)
    return queue


def check_cache(cache: object) -> None:
    """Raise `InputError` unless `cache` is a cache, the address of one, or None."""
    if isinstance(cache, str):
        if not cache.startswith(_REDIS):
            shown = brief(cache.partition("://")[0])
            raise InputError(f"There is no cache at {shown}: give one of {', '.join(_REDIS)}…")
        return
    fits = cache is None or (isinstance(cache, Cache) and not isinstance(cache, type))
    require(fits, "cache", cache, "'redis://…', or a cache")


async def _load(module: str, name: str, *arguments: Any, **options: Any) -> Any:
    try:
        adapter = getattr(importlib.import_module(module), name)
    except ImportError as error:
        raise MissingExtraError(
            f"{name} cannot be loaded ({error}). PostgreSQL takes {how_to_install('postgres')}; its queue of jobs the "
            "extra jobs, Redis the extra redis, SQLite a Python with it."
        ) from error
    return await adapter.open(*arguments, **options)
