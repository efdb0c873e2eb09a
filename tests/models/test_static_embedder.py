"""The real WordLlama table, read without its package."""

import logging
import sys
from pathlib import Path

import numpy as np
import pytest

from memoranda.errors import MissingExtraError, SetupError
from memoranda.models import static
from memoranda.models.static import StaticEmbedder

pytestmark = pytest.mark.anyio

TEXTS = [
    "I like short mails",
    "I love brief emails",
    "Bananas grow in Ecuador",
    "我喜欢简短的邮件",
    "🙂",
    "word " * 2_000,
]


@pytest.fixture(scope="module")
def embedder() -> StaticEmbedder:
    return StaticEmbedder.open()


async def test_it_answers_what_the_package_answers(embedder: StaticEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging, "basicConfig", lambda **_: None)  # importing wordllama sets up the root logger
    import wordllama

    theirs = wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
    np.testing.assert_allclose(await embedder.embed(TEXTS), theirs.embed(TEXTS, norm=True), atol=1e-3)


async def test_what_means_the_same_is_nearer_than_what_does_not(embedder: StaticEmbedder) -> None:
    a, b, c, *_ = await embedder.embed(TEXTS)
    assert a @ b > a @ c + 0.1


async def test_any_text_has_a_unit_vector(embedder: StaticEmbedder) -> None:
    vectors = await embedder.embed(["", "half \ud800 a pair", "x" * 100_000, "a\x00b"])
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    np.testing.assert_array_equal(vectors[0], np.eye(1, 256)[0])
    assert (await embedder.embed([])).shape == (0, 256)


async def test_company_does_not_change_a_vector(embedder: StaticEmbedder) -> None:
    many = TEXTS * 100
    together = await embedder.embed(many)
    np.testing.assert_array_equal(together[-len(TEXTS) :], await embedder.embed(TEXTS))
    await embedder.close()


def test_it_runs_without_the_package_code() -> None:
    assert "import wordllama" not in Path(static.__file__).read_text("utf-8")


def test_a_missing_wheel_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wordllama", None)
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[light\]' in a checkout"):
        StaticEmbedder.open()


def test_other_weights_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static, "WEIGHTS_SHA256", "0" * 64)
    with pytest.raises(SetupError, match="is not the file it should be"):
        StaticEmbedder.open()
