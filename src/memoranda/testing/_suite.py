"""Shared parts of the conformance suite."""

import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from memoranda.core.base.scope import Owner
from memoranda.core.rows import TABLES, R, Row
from memoranda.core.rows.changes import Applied, Batch, Change, Put
from memoranda.ports import Query, State, Store
from memoranda.testing.samples import sample

every_kind = pytest.mark.parametrize("kind", TABLES.values(), ids=TABLES.keys())


@pytest.mark.anyio
class Suite:
    """Opens a store for each test, through anyio's pytest plugin."""

    async def open_store(self, path: Path) -> Store:
        """Open the store under test; `path` is an empty directory. Or override the fixture `store` instead."""
        raise NotImplementedError

    @pytest.fixture
    def anyio_backend(self) -> str:
        return "asyncio"

    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[Store]:
        store = await self.open_store(tmp_path)
        yield store
        await store.close()

    @pytest.fixture
    def owner(self) -> Owner:
        return Owner(f"tenant {uuid.uuid4()}", "alice")


async def apply(store: Store, owner: Owner, *changes: Change, expect: int | None = None) -> Applied:
    """Apply `changes` to the rows of `owner`."""
    return await store.apply(Batch(owner=owner, changes=changes, expect=expect))


async def fill(store: Store, owner: Owner, kind: type[R], number: int, **values: Any) -> list[R]:
    """Write `number` samples of `kind` and return them as the store should return them."""
    rows = [sample(kind, owner, place, seq=place + 1, **values) for place in range(number)]
    await apply(store, owner, *map(Put, rows))
    return rows


async def everything(store: Store, owner: Owner) -> dict[str, tuple[Row, ...]]:
    """Return all rows of `owner`, by table."""
    kinds = list(TABLES.items())
    page = await store.find(owner, *(Query(kind=kind, tenant=owner.tenant, user=owner.user) for _, kind in kinds))
    return {name: tuple(rows) for (name, _), rows in zip(kinds, page.rows, strict=True) if rows}


async def state_of(store: Store, owner: Owner) -> State:
    """Return the state of `owner`."""
    return (await store.find(owner)).state
