from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from memoranda.models.cache import OVERHEAD, CachedEmbedder
from memoranda.models.hashed import HashedEmbedder

pytestmark = pytest.mark.anyio

ENTRY = 4 * 16 + OVERHEAD


class Counting(HashedEmbedder):
    """Remembers what it was asked for."""

    def __init__(self) -> None:
        super().__init__(16)
        self.asked: list[list[str]] = []
        self.closed = 0

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked.append(list(texts))
        return await super().embed(texts)

    async def close(self) -> None:
        self.closed += 1


@given(calls=st.lists(st.lists(st.sampled_from("abcdefg"), max_size=6), max_size=10), room=st.integers(0, 5))
async def test_it_answers_what_the_embedder_answers(calls: list[list[str]], room: int) -> None:
    inner = Counting()
    cache = CachedEmbedder(inner, max_bytes=room * ENTRY)
    for texts in calls:
        np.testing.assert_array_equal(await cache.embed(texts), await HashedEmbedder(16).embed(texts))
    assert cache.hits + cache.misses == sum(map(len, calls))
    assert cache.misses == sum(map(len, inner.asked))
    assert all(len(asked) == len(set(asked)) for asked in inner.asked)


async def test_a_text_is_embedded_once() -> None:
    inner = Counting()
    cache = CachedEmbedder(inner)
    await cache.embed(["a", "b", "a", "half \ud800"])
    await cache.embed(["b", "c", "half \ud800"])
    assert inner.asked == [["a", "b", "half \ud800"], ["c"]]
    assert (cache.hits, cache.misses) == (3, 4)
    assert cache.space == inner.space


async def test_the_one_used_longest_ago_makes_room() -> None:
    inner = Counting()
    cache = CachedEmbedder(inner, max_bytes=2 * ENTRY + ENTRY // 2)
    for text in "abacab":
        await cache.embed([text])
    assert inner.asked == [["a"], ["b"], ["c"], ["b"]]


async def test_cleared_means_gone() -> None:
    inner = Counting()
    cache = CachedEmbedder(inner)
    await cache.embed(["a"])
    cache.clear()
    await cache.embed(["a"])
    assert inner.asked == [["a"], ["a"]]
    await cache.close()
    assert inner.closed == 1


async def test_what_is_under_way_when_it_is_cleared_is_not_kept() -> None:
    class Clearing(Counting):
        async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            cache.clear()
            return await super().embed(texts)

    inner = Clearing()
    cache = CachedEmbedder(inner)
    for _ in range(2):
        await cache.embed(["a"])
    assert inner.asked == [["a"], ["a"]]
