from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import numpy as np
import pytest

from memoranda.errors import EmbedderError, EmbedderUnavailableError
from memoranda.models.guard import GuardedEmbedder
from memoranda.ports import Space

pytestmark = pytest.mark.anyio


class Scripted:
    """Answers what `answer` makes of the number of texts."""

    space = Space(name="test/scripted@1", dimension=3)

    def __init__(self, answer: Callable[[int], Any | Awaitable[Any]]) -> None:
        self.answer = answer
        self.sizes: list[int] = []
        self.closed = False

    async def embed(self, texts: Sequence[str]) -> Any:
        self.sizes.append(len(texts))
        answer = self.answer(len(texts))
        return await answer if isinstance(answer, Awaitable) else answer

    async def close(self) -> None:
        self.closed = True


def axis(count: int) -> np.ndarray:
    return np.eye(1, 3).repeat(count, axis=0)


def failing(error: Exception) -> Callable[[int], Any]:
    def answer(_: int) -> Any:
        raise error

    return answer


async def test_a_good_answer_passes() -> None:
    embedder = Scripted(axis)
    guard = GuardedEmbedder(embedder)
    vectors = await guard.embed(["text"] * 3)
    np.testing.assert_array_equal(vectors, axis(3))
    assert vectors.dtype == np.float32
    assert guard.space == embedder.space
    assert (await guard.embed([])).shape == (0, 3)
    assert embedder.sizes == [3]
    await guard.close()
    assert embedder.closed


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda n: axis(n + 1), r"answered the shape \(3, 3\) instead of \(2, 3\)"),
        (lambda n: axis(n)[:, :2], r"answered the shape \(2, 2\)"),
        (lambda n: axis(n)[0], r"answered the shape \(3,\)"),
        (lambda _: None, r"answered the shape \(\)"),
        (lambda n: axis(n) * 2, "not of unit length"),
        (lambda n: axis(n) * 0, "not of unit length"),
        (lambda n: axis(n) * np.nan, "not of unit length"),
        (lambda _: [[np.inf, 0, 0], [1, 0, 0]], "not of unit length"),
        (lambda _: [[1, 0, 0], [1, 0]], "failed: "),
        (lambda _: "nonsense", "failed: "),
        (failing(ConnectionResetError("gone")), "failed: gone"),
        (failing(ValueError("what")), "failed: what"),
        (failing(RuntimeError("CUDA out of memory")), "failed: CUDA"),
        (failing(KeyError("model")), "failed: .model"),
        (failing(EmbedderError("as it was")), "as it was"),
    ],
)
async def test_a_bad_answer_is_named(answer: Callable[[int], Any], message: str) -> None:
    with pytest.raises(EmbedderError, match=message) as caught:
        await GuardedEmbedder(Scripted(answer)).embed(["a", "b"])
    assert "test/scripted@1" in str(caught.value) or message == "as it was"


async def test_that_it_is_only_busy_is_kept() -> None:
    busy = failing(EmbedderUnavailableError("try later", after=3))
    with pytest.raises(EmbedderUnavailableError, match="test/scripted@1 failed: try later") as caught:
        await GuardedEmbedder(Scripted(busy)).embed(["a"])
    assert caught.value.after == 3
