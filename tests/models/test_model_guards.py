"""What language models and rerankers of the host's own may answer."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from memoranda.errors import (
    LanguageModelDeniedError,
    LanguageModelError,
    LanguageModelUnavailableError,
    RerankerError,
    RerankerUnavailableError,
    SetupError,
)
from memoranda.models import guard_embedder, guard_language_model, guard_reranker, open_language_model, open_reranker
from memoranda.models.guard import GuardedLanguageModel, GuardedReranker
from memoranda.models.hashed import HashedEmbedder
from memoranda.ports import Completion

pytestmark = pytest.mark.anyio


def stand_in(**verbs: Callable[..., Any]) -> Any:
    def later(verb: Callable[..., Any]) -> Callable[..., Any]:
        async def run(*args: Any, **options: Any) -> Any:
            return verb(*args, **options)

        return run

    return SimpleNamespace(name="test/one", **{name: later(verb) for name, verb in verbs.items()})


def fail(*_: Any, **__: Any) -> None:
    raise OSError("the cable is out")


async def test_a_good_completion_passes() -> None:
    asked: list[Any] = []
    done = Completion(text="yes", tokens_in=1)
    guard = GuardedLanguageModel(
        stand_in(complete=lambda *args, **options: asked.append((args, options)) or done, close=lambda: asked.append(0))
    )
    assert await guard.complete("go", system="s", schema={}, max_tokens=3, temperature=0.5) == done
    assert asked == [(("go",), {"system": "s", "schema": {}, "max_tokens": 3, "temperature": 0.5})]
    assert guard.name == "test/one"
    await guard.close()
    assert asked[-1] == 0


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (fail, "The language model test/one failed: the cable is out"),
        (lambda *_, **__: "yes", "answered str; it should be a ports.Completion"),
        (lambda *_, **__: Completion(text=None), "answered Completion; it should be"),  # type: ignore[arg-type]
        (lambda *_, **__: Completion(text=" \n"), "answered nothing"),
    ],
)
async def test_no_other_completion_passes(answer: Callable[..., Any], message: str) -> None:
    with pytest.raises(LanguageModelError, match=message):
        await GuardedLanguageModel(stand_in(complete=answer)).complete("go")


async def test_what_an_error_tells_besides_is_kept() -> None:
    def busy(*_: Any, **__: Any) -> None:
        raise LanguageModelUnavailableError("try later", tokens_in=7, tokens_out=1, after=3)

    with pytest.raises(LanguageModelUnavailableError, match="test/one failed: try later") as error:
        await GuardedLanguageModel(stand_in(complete=busy)).complete("go")
    assert (error.value.tokens_in, error.value.tokens_out, error.value.after) == (7, 1, 3)


async def test_that_the_account_is_at_fault_is_kept() -> None:
    def denied(*_: Any, **__: Any) -> None:
        raise LanguageModelDeniedError("no such key", tokens_in=7)

    with pytest.raises(LanguageModelDeniedError, match="test/one failed: no such key") as error:
        await GuardedLanguageModel(stand_in(complete=denied)).complete("go")
    assert error.value.tokens_in == 7


@pytest.mark.parametrize("wrong", [None, "7", 7.0, -7, 10**30, True])
async def test_what_is_no_number_of_tokens_is_none(wrong: Any) -> None:
    told: dict[str, Any] = {"tokens_in": wrong, "tokens_out": 3}

    def busy(*_: Any, **__: Any) -> None:
        raise LanguageModelError("no", **told)

    found = await GuardedLanguageModel(stand_in(complete=lambda *_: Completion(text="yes", **told))).complete("go")
    with pytest.raises(LanguageModelError) as error:
        await GuardedLanguageModel(stand_in(complete=busy)).complete("go")
    for one in (found, error.value):
        assert (one.tokens_in, one.tokens_out) == (0, 3)


async def test_models_share_a_provider_by_their_name_or_as_they_say() -> None:
    assert GuardedLanguageModel(stand_in(complete=fail)).provider == "test"
    model = stand_in(complete=fail)
    model.provider = "http://127.0.0.1"
    assert GuardedLanguageModel(model).provider == "http://127.0.0.1"


async def test_what_is_guarded_is_not_guarded_twice() -> None:
    model = guard_language_model(stand_in(complete=fail, close=fail))
    judge = guard_reranker(stand_in(rerank=fail, close=fail))
    embedder = guard_embedder(HashedEmbedder(8))
    assert guard_language_model(model) is model
    assert guard_reranker(judge) is judge
    assert guard_embedder(embedder) is embedder


@pytest.mark.parametrize("kind", [RerankerUnavailableError, RerankerError])
async def test_that_a_reranker_is_only_busy_is_kept(kind: type[RerankerError]) -> None:
    def busy(*_: Any) -> None:
        raise kind("try later", after=3)

    with pytest.raises(RerankerError, match="test/one failed: try later") as error:
        await GuardedReranker(stand_in(rerank=busy)).rerank("q", ["a"])
    assert (type(error.value), error.value.after) == (kind, 3)


async def test_an_error_of_another_kind_of_model_is_this_ones_own() -> None:
    def busy(*_: Any) -> None:
        raise LanguageModelUnavailableError("try later")

    with pytest.raises(RerankerError) as error:
        await GuardedReranker(stand_in(rerank=busy)).rerank("q", ["a"])
    assert type(error.value) is RerankerError


async def test_good_scores_pass() -> None:
    closed: list[bool] = []
    guard = GuardedReranker(stand_in(rerank=lambda *_: np.array([0, 1], np.float32), close=lambda: closed.append(True)))
    assert await guard.rerank("q", ["a", "b"]) == [0.0, 1.0]
    assert await guard.rerank("q", []) == []
    assert guard.name == "test/one"
    await guard.close()
    assert closed


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (fail, "The reranker test/one failed: the cable is out"),
        (lambda *_: ["x"], "failed: could not convert"),
        (lambda *_: [0.5], "something else than 2 numbers from 0 to 1"),
        (lambda *_: [0.5, 1.5], "something else than 2 numbers from 0 to 1"),
        (lambda *_: [0.5, float("nan")], "something else than 2 numbers from 0 to 1"),
        (lambda *_: [-0.1, 0.5], "something else than 2 numbers from 0 to 1"),
    ],
)
async def test_no_other_scores_pass(answer: Callable[..., Any], message: str) -> None:
    with pytest.raises(RerankerError, match=message):
        await GuardedReranker(stand_in(rerank=answer)).rerank("q", ["a", "b"])


@pytest.mark.parametrize("spec", ["openai", "openai:", "local", "onnx:x", ""])
def test_an_unknown_language_model_is_told_the_known_ones(spec: str) -> None:
    with pytest.raises(
        SetupError, match=r"There is no language model '.*'. Choose one of: anthropic:MODEL, openai:MODEL, none\."
    ):
        open_language_model(spec)


def test_an_unknown_reranker_is_told_the_known_ones() -> None:
    with pytest.raises(SetupError, match=r"There is no reranker 'best'. Choose one of: local, onnx:FOLDER, none\."):
        open_reranker("best")
    assert open_reranker("none") is None
    assert open_language_model("none") is None
