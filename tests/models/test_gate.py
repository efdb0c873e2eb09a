"""The gate of a provider: turns, further attempts, the circuit, and what is noted; time is the test's."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import pytest

from memoranda.core.base.retry_policy import Gating
from memoranda.errors import (
    EmbedderUnavailableError,
    LanguageModelError,
    LanguageModelUnavailableError,
    RerankerUnavailableError,
    SetupError,
)
from memoranda.models import embedder_of, language_models_of, reranker_of
from memoranda.models.gate import Gates
from memoranda.ports import Call, Completion, LanguageModel, Pace, Space, Task
from memoranda.testing.model_server import ModelServer
from models.chatting import OPEN, PROVIDERS, opened

pytestmark = pytest.mark.anyio

TOLD = Gating(attempts=3, failures=3, first=1, longest=8, pause=60)


class Waiting:
    """A clock that only sleep moves."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.slept: list[float] = []
        self.pace = Pace(now=lambda: self.seconds, sleep=self.sleep, chance=lambda: 0.5)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds


class Own:
    """A model of the host's own, which answers when it is let, and is busy so many times before."""

    def __init__(self, name: str = "own/model") -> None:
        self.name = name
        self.let = asyncio.Event()
        self.running = self.most = self.busy = self.closed = 0

    async def complete(self, prompt: str, **_: Any) -> Completion:
        if self.busy:
            self.busy -= 1
            raise LanguageModelUnavailableError("try later")
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            await self.let.wait()
        finally:
            self.running -= 1
        return Completion(text=prompt)

    async def close(self) -> None:
        self.closed += 1


async def settled() -> None:
    """Whatever was begun waits."""
    for _ in range(10):
        await asyncio.sleep(0)


def gated(
    given: Any, waiting: Waiting, told: Gating = TOLD, calls: list[Call] | None = None
) -> Mapping[Task, LanguageModel]:
    found = language_models_of(given, gates(waiting, told, calls))
    return {task: first for task, (first, *_) in found.items()}


def gates(waiting: Waiting, told: Gating = TOLD, calls: list[Call] | None = None) -> Gates:
    return Gates(told, waiting.pace, ([] if calls is None else calls).append, len)


@asynccontextmanager
async def asking(
    server: ModelServer, provider: str, waiting: Waiting, calls: list[Call] | None = None
) -> AsyncIterator[LanguageModel]:
    model = gated(opened(server, provider), waiting, calls=calls)["default"]
    yield model
    await model.close()


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_what_passes_is_asked_again_and_every_request_is_noted(server: ModelServer, provider: str) -> None:
    waiting, calls = Waiting(), list[Call]()
    server.script = [server.fails(429, after=5), server.says("half of it", fault="cut"), server.says("yes")]
    async with asking(server, provider, waiting, calls) as model:
        assert (await model.complete("go")).text == "yes"
    assert (server.count, waiting.slept) == (3, [6.0, 2.0])
    assert [call.outcome for call in calls] == ["unavailable", "unavailable", "answered"]
    assert calls[-1] == Call(task="default", model=f"{provider}/some-model", tokens_in=7, tokens_out=5)


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_what_lasts_is_asked_once(server: ModelServer, provider: str) -> None:
    waiting, calls = Waiting(), list[Call]()
    cut = server.says('{"a": 1', finish="length")
    server.script = [server.fails(400), server.fails(401), server.says(" "), server.says("x", fault="garbled"), cut]
    async with asking(server, provider, waiting, calls) as model:
        for _ in range(4):
            with pytest.raises(LanguageModelError):
                await model.complete("go")
        assert (await model.complete("go", schema=OPEN)).truncated
    assert (server.count, waiting.slept) == (5, [])
    assert [call.outcome for call in calls] == [*["failed"] * 4, "truncated"]
    assert (calls[2].tokens_in, calls[2].tokens_out) == (7, 5)  # nothing was answered, and it is paid for


async def test_who_asks_to_be_left_alone_for_long_is_not_asked_again(server: ModelServer) -> None:
    waiting = Waiting()
    server.script = [server.fails(429, after=3_600)]
    async with asking(server, "openai", waiting) as model:
        with pytest.raises(LanguageModelUnavailableError) as error:
            await model.complete("go")
    assert (server.count, waiting.slept, error.value.after) == (1, [], 3_600)


async def test_the_circuit_opens_for_all_and_one_request_closes_it(server: ModelServer) -> None:
    waiting = Waiting()
    server.script = [server.fails(500)] * 4
    async with asking(server, "openai", waiting) as model:
        with pytest.raises(LanguageModelUnavailableError, match="told to fail"):
            await model.complete("go")
        with pytest.raises(LanguageModelUnavailableError, match=r"failed 3 times in a row; .* in 60 s") as error:
            await model.complete("go")
        assert (server.count, error.value.after) == (3, 60)
        waiting.seconds += 60
        with pytest.raises(LanguageModelUnavailableError, match="told to fail"):  # the probe: one attempt
            await model.complete("go")
        assert server.count == 4
        waiting.seconds += 60
        assert (await model.complete("go")).text == "go"
        server.script = [server.fails(500)]
        assert (await model.complete("go")).text == "go"  # closed again: one failure is one


async def test_one_attempt_may_take_only_so_long() -> None:
    own, calls = Own(), list[Call]()
    model = gated(own, Waiting(), Gating(attempts=2, seconds=0.001), calls)["default"]
    with pytest.raises(LanguageModelUnavailableError, match=r"own did not answer within 0\.001 s"):
        await model.complete("go")
    assert [call.outcome for call in calls] == ["unavailable"] * 2
    assert own.running == 0


async def test_a_half_open_circuit_lets_one_through_and_another_if_nobody_waits_for_it() -> None:
    waiting, own, calls = Waiting(), Own(), list[Call]()
    own.busy = 1
    model = gated(own, waiting, Gating(attempts=1, failures=1, pause=60), calls)["default"]
    with pytest.raises(LanguageModelUnavailableError, match="try later"):
        await model.complete("go")
    waiting.seconds += 60
    probe = asyncio.create_task(model.complete("go"))
    await settled()
    assert own.running == 1
    with pytest.raises(LanguageModelUnavailableError, match="in a row") as error:
        await model.complete("go")
    assert error.value.after == 0
    probe.cancel()
    await asyncio.gather(probe, return_exceptions=True)
    own.let.set()
    assert (await model.complete("go")).text == "go"
    assert [call.outcome for call in calls] == ["unavailable", "cancelled", "answered"]


async def test_a_request_from_before_that_is_cancelled_lets_no_second_probe_through() -> None:
    waiting, own = Waiting(), Own()
    model = gated(own, waiting, Gating(attempts=1, failures=1, pause=60, seconds=5))["default"]
    old = asyncio.create_task(model.complete("go"))
    await settled()
    own.busy = 1
    with pytest.raises(LanguageModelUnavailableError, match="try later"):
        await model.complete("go")
    waiting.seconds += 60
    probe = asyncio.create_task(model.complete("go"))
    await settled()
    old.cancel()
    await asyncio.gather(old, return_exceptions=True)
    with pytest.raises(LanguageModelUnavailableError, match="in a row"):
        await model.complete("go")
    own.let.set()
    assert (await probe).text == "go"


async def test_no_more_than_so_many_prompts_are_under_way_at_one_provider() -> None:
    first, second, other = Own("own/a"), Own("own/b"), Own("other/c")
    models = gated({"extraction": first, "narrative": second, "review": other}, Waiting(), Gating(calls=2))
    asked = [asyncio.create_task(model.complete("go")) for model in models.values() for _ in range(3)]
    await settled()
    assert (first.running + second.running, other.running) == (2, 2)
    for own in (first, second, other):
        own.let.set()
    assert [answer.text for answer in await asyncio.gather(*asked)] == ["go"] * 9
    assert max(first.most, second.most, other.most) == 2


async def test_a_model_for_each_task() -> None:
    calls: list[Call] = []
    own, small = Own(), Own("own/small")
    own.let.set()
    small.let.set()
    models = gated({"default": own, "narrative": own, "extraction": small, "review": None}, Waiting(), calls=calls)
    assert {task: model.name for task, model in models.items()} == {
        "default": "own/model", "narrative": "own/model", "extraction": "own/small",
    }  # fmt: skip
    assert models.get("review") is None
    for task in ("extraction", "narrative"):
        await models[task].complete("go")
    assert [(call.task, call.model) for call in calls] == [("extraction", "own/small"), ("narrative", "own/model")]
    for model in models.values():
        await model.close()
    assert (own.closed, small.closed) == (1, 1)


async def test_one_model_serves_all_tasks() -> None:
    assert set(gated(Own(), Waiting())) == {"default", "extraction", "narrative", "review"}
    assert gated(None, Waiting()) == gated("none", Waiting()) == gated({}, Waiting()) == {}
    assert set(gated({"review": Own(), "default": "none"}, Waiting())) == {"review"}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"extract": None}, r"There is no task 'extract' .* Choose of: default, extraction, narrative, review\."),
        ({"review": 7}, "7 is no language model: give anthropic:MODEL"),
        ({"review": "best"}, "There is no language model 'best'"),
        (7, "7 is no language model"),
    ],
)
async def test_what_is_no_model_of_a_task_is_refused(given: Any, message: str) -> None:
    with pytest.raises(SetupError, match=message):
        gated(given, Waiting())


class Remote:
    """An embedder and reranker of the host's own, which is busy so many times, and then answers when it is let."""

    def __init__(self, name: str = "own/model") -> None:
        self.name = name
        self.space = Space(name=name, dimension=3)
        self.let = asyncio.Event()
        self.busy = self.running = self.asked = 0

    async def embed(self, texts: Sequence[str]) -> Any:
        await self.answer(EmbedderUnavailableError("try later", after=5))
        return np.eye(1, 3).repeat(len(texts), axis=0)

    async def rerank(self, _: str, texts: Sequence[str]) -> list[float]:
        await self.answer(RerankerUnavailableError("try later", after=5))
        return [0.5] * len(texts)

    async def answer(self, error: Exception) -> None:
        self.asked += 1
        if self.busy:
            self.busy -= 1
            raise error
        self.running += 1
        await self.let.wait()
        self.running -= 1

    async def close(self) -> None:
        pass


def embedding(remote: Remote, gates: Gates) -> Callable[[str], Awaitable[Any]]:
    embedder = embedder_of(remote, gates)
    assert embedder is not None
    return lambda text: embedder.embed([text])


def reranking(remote: Remote, gates: Gates) -> Callable[[str], Awaitable[Any]]:
    reranker = reranker_of(remote, gates)
    assert reranker is not None
    return lambda text: reranker.rerank(text, ["a", "bc"])


OTHERS = [
    pytest.param(embedding, EmbedderUnavailableError, Call(what="embedding", model="own/model", tokens_in=3), id="e"),
    pytest.param(reranking, RerankerUnavailableError, Call(what="rerank", model="own/model", tokens_in=9), id="r"),
]


@pytest.mark.parametrize(("opening", "error", "paid"), OTHERS)
async def test_embedders_and_rerankers_pass_it_too(opening: Any, error: type[Exception], paid: Call) -> None:
    waiting, calls, remote = Waiting(), list[Call](), Remote()
    ask = opening(remote, gates(waiting, calls=calls))
    remote.let.set()
    remote.busy = 2
    await ask("one")
    assert waiting.slept == [6.0, 7.0]
    assert [call.outcome for call in calls] == ["unavailable", "unavailable", "answered"]
    assert calls[-1] == paid
    remote.busy = 3
    with pytest.raises(error, match="try later"):
        await ask("two")
    with pytest.raises(error, match="own failed 3 times in a row; it is asked again in 60 s"):
        await ask("six")
    assert (remote.asked, len(calls)) == (6, 6)


@pytest.mark.parametrize(
    ("opening", "error"), [(embedding, EmbedderUnavailableError), (reranking, RerankerUnavailableError)]
)
async def test_each_kind_of_model_waits_for_its_own_kind_alone(opening: Any, error: type[Exception]) -> None:
    """A question waits for a vector: prompts of minutes at the same provider must not keep it."""
    shared = gates(Waiting(), Gating(calls=1, attempts=1, failures=1))
    writer, first, second = Own("own/writer"), Remote(), Remote("own/other")
    model = language_models_of(writer, shared)["default"][0]
    asked = [asyncio.create_task(opening(remote, shared)(text)) for remote in (first, second) for text in ("a", "b")]
    asked.append(asyncio.create_task(model.complete("go")))
    await settled()
    assert (first.running + second.running, writer.running) == (1, 1)
    for one in (first, second, writer):
        one.let.set()
    await asyncio.gather(*asked)
    assert (first.asked, second.asked) == (2, 2)
    first.busy = 1
    with pytest.raises(error, match="try later"):
        await opening(first, shared)("d")
    with pytest.raises(error, match="in a row"):
        await opening(second, shared)("d")
    assert (await model.complete("go")).text == "go"


async def test_nothing_to_rerank_asks_nobody() -> None:
    calls, remote = list[Call](), Remote()
    reranker = reranker_of(remote, gates(Waiting(), calls=calls))
    assert reranker is not None
    assert await reranker.rerank("q", []) == []
    assert (remote.asked, calls) == (0, [])
