"""What the tests of the flows share: messages, rows, and parts that fail on purpose."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import anyio
import numpy as np
import pytest

from memoranda import AsyncScoped
from memoranda.core.base.scope import Owner
from memoranda.core.rows import TABLES, R, Row
from memoranda.core.rows.changes import Applied, Batch
from memoranda.errors import ConflictError, EmbedderError
from memoranda.ports import Query, Space, Store
from memoranda.testing.fakes import FrozenClock

OWNER = Owner("acme", "alice")
MORNING = datetime(2026, 1, 5, 9, 30, tzinfo=UTC)  # when the frozen clock starts, a Monday


def seeds(first: int, end: int, quick: int) -> list[Any]:
    """What a history by chance is made from; all but the first `quick` make a test slow."""
    return [
        *range(first, first + quick),
        *(pytest.param(one, marks=pytest.mark.slow) for one in range(first + quick, end)),
    ]


def says(*texts: str, role: str = "user", **more: Any) -> list[dict[str, Any]]:
    """Messages of one role."""
    return [{"role": role, "content": text, **more} for text in texts]


async def outcomes(scoped: AsyncScoped, *texts: str, **options: Any) -> list[str]:
    """What the gateway decided about each statement of some turns said in one call."""
    captured = await scoped.add(says(*texts), **options)
    return [decision.outcome for decision in captured.decisions]


async def rows(store: Store, kind: type[R], owner: Owner = OWNER) -> list[R]:
    """All rows of a kind that an owner has."""
    page = await store.find(owner, Query(kind=kind, tenant=owner.tenant, user=owner.user))
    return list(page.rows[0])


async def everything(store: Store, owner: Owner = OWNER) -> Mapping[str, list[Row]]:
    """All rows of an owner, by table."""
    return {name: await rows(store, kind, owner) for name, kind in TABLES.items()}


def texts(found: Any) -> list[str]:
    """The texts of what was recalled."""
    return [item.text for item in found]


class Ticking(FrozenClock):
    """A clock that goes on whenever somebody looks."""

    def __call__(self) -> datetime:
        return self.advance(microseconds=1)


class Contested:
    """A store in which somebody else writes first, `times` times."""

    def __init__(self, store: Store, times: int) -> None:
        self._store = store
        self.left = times

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def apply(self, batch: Batch) -> Applied:
        if self.left:
            self.left -= 1
            raise ConflictError("somebody else wrote first")
        return await self._store.apply(batch)


class Slow:
    """A store that answers a write, when it has done it, no sooner than `gate` is open."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.gate = anyio.Event()
        self.gate.set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def apply(self, batch: Batch) -> Applied:
        applied = await self._store.apply(batch)
        await self.gate.wait()
        return applied


async def cancelled(store: Slow, work: Coroutine[Any, Any, Any]) -> None:
    """Have `work` cancelled when its write was done, and before it knows."""
    store.gate = anyio.Event()
    task = asyncio.create_task(work)
    await anyio.wait_all_tasks_blocked()
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
    store.gate.set()
    await anyio.wait_all_tasks_blocked()


class Scripted:
    """An embedder that looks vectors up by words; every other text gets an axis of its own."""

    space = Space(name="test/scripted@1", dimension=64)

    def __init__(self, **axes: Sequence[float]) -> None:
        self._axes = axes
        self._seen: dict[str, int] = {}

    async def embed(self, texts: Sequence[str]) -> Any:
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> Any:
        vector = np.zeros(64, np.float32)
        for word, axis in self._axes.items():
            if word in text.lower():
                vector[: len(axis)] = axis
                return vector / np.linalg.norm(vector)
        vector[8 + self._seen.setdefault(text, len(self._seen)) % 56] = 1.0
        return vector

    async def close(self) -> None:
        pass


class Broken:
    """An embedder that does something else than embed, until it is mended."""

    space = Space(name="test/broken@1", dimension=3)

    def __init__(self, answer: Callable[[int], Any]) -> None:
        self.answer: Callable[[int], Any] | None = answer

    async def embed(self, texts: Sequence[str]) -> Any:
        if self.answer is None:
            return np.eye(1, 3, dtype=np.float32).repeat(len(texts), axis=0)
        answer = self.answer(len(texts))
        return await answer if hasattr(answer, "__await__") else answer

    async def close(self) -> None:
        pass


def fails(_: int) -> Any:
    raise EmbedderError("the model file is damaged")


async def hangs(_: int) -> Any:
    await anyio.Event().wait()


def misshapes(count: int) -> Any:
    return np.zeros((count + 1, 3), np.float32)
