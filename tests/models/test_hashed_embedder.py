import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.models.hashed import HashedEmbedder

pytestmark = pytest.mark.anyio


async def embed(*texts: str, dimension: int = 64) -> np.ndarray:
    return await HashedEmbedder.open(dimension=dimension).embed(texts)


@given(texts=st.lists(st.text(alphabet=st.characters(), max_size=40), max_size=5))
async def test_any_text_has_one_unit_vector(texts: list[str]) -> None:
    vectors = await embed(*texts)
    assert vectors.shape == (len(texts), 64)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    alone = [await embed(text) for text in texts]
    np.testing.assert_array_equal(vectors, np.concatenate([np.empty((0, 64)), *alone]))


async def test_the_same_numbers_in_every_process() -> None:
    """Python's own `hash` would differ from run to run."""
    for text in ("ab", "AB"):
        vector = (await embed(text, dimension=8))[0]
        np.testing.assert_allclose(5 * vector**2, [0, 0, 1, 0, 0, 0, 4, 0], atol=1e-5)


async def test_spelling_decides() -> None:
    a, b, c = await embed("She prefers short emails", "She prefers short e-mails", "Bananas grow there", dimension=256)
    assert a @ b > 0.7
    assert abs(a @ c) < 0.3


async def test_a_text_without_a_word_is_the_first_axis() -> None:
    np.testing.assert_array_equal((await embed("?!"))[0], np.eye(1, 64)[0])
    await HashedEmbedder.open().close()
