"""An answer ends after what answers, where a judge reads it, and is the ranking where none does or it is down."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from flows.helpers import says, texts
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.recall.confidence import ENDS, JUDGES
from memoranda.errors import RerankerError
from memoranda.flows.recall.judging import READ
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

QUESTION = "Which ferry goes to Bergen?"
SAID = [
    "The ferry to Bergen is the Stella.",
    "The ferry to Bergen is loud.",
    "Momo hates tuna.",
    "I prefer short emails.",
]


class Judge:
    """A reranker that was calibrated as a judge, and is sure of what holds a word."""

    name = next(iter(JUDGES))

    def __init__(self, word: str = "Stella") -> None:
        self.word = word
        self.read: list[Sequence[str]] = []

    async def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        self.read.append(texts)
        return [0.9999 if self.word in text else 0.0001 for text in texts if query]

    async def close(self) -> None:
        pass


class Failing(Judge):
    """One that fails."""

    async def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        raise RerankerError(f"no memory left for {query} and {len(texts)}")


class Slow(Judge):
    """One that never answers."""

    async def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        await asyncio.Event().wait()
        return await super().rerank(query, texts)


class Other(Judge):
    """One of which nobody knows what its scores mean."""

    name = "onnx/other@1"


async def opened(store: Store, clock: FrozenClock, judge: Any, **options: Any) -> AsyncScoped:
    given: dict[str, Any] = {"embedder": "none", "clock": clock, "ids": SequentialIds(), "reranker": judge, **options}
    memory = await AsyncMemory.open(store, **given)
    return memory.scope(tenant="acme", user="alice")


@pytest.fixture
async def plain(store: Store, clock: FrozenClock) -> AsyncScoped:
    alice = await opened(store, clock, None)
    await alice.add(says(*SAID), conversation="c")
    clock.advance(days=1)
    return alice


async def test_the_list_ends_after_what_answers(plain: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    alice = await opened(store, clock, Judge())
    found = await alice.recall(QUESTION, kinds=["turn"])
    assert texts(found) == SAID[:1]
    assert found.items[0].confidence >= ENDS["judged"].surest
    assert found.items[0].why.endswith("; judged 1.00")
    left = {text: reason for item, reason in found.trace.left_out.items() for text in [await told(plain, item)]}
    assert "is below" in left[SAID[1]]


async def told(scope: AsyncScoped, event: str) -> str:
    return next(one.event.content for one in await scope.events(limit=100) if one.event.id == event)


@pytest.mark.usefixtures("plain")
async def test_nothing_is_said_where_nothing_answers(store: Store, clock: FrozenClock) -> None:
    alice = await opened(store, clock, Judge("nothing holds this"))
    found = await alice.recall(QUESTION)
    assert not found.items
    assert str(found.reason).startswith("nothing relevant: the nearest memory is not, as its confidence 0.0")
    why = await alice.why(QUESTION)
    assert not why.recalled.items
    assert why.cut
    nothing = await alice.recall(QUESTION, kinds=["goal"])
    assert str(nothing.reason).startswith("nothing has been recorded here")


async def test_the_ranking_is_to_be_had(plain: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    judge = Judge()
    alice = await opened(store, clock, judge)
    ranking = await alice.recall(QUESTION, cut=False)
    assert not judge.read
    assert ranking.items == (await plain.recall(QUESTION)).items
    whole = await alice.recall(QUESTION, min_confidence=0, kinds=["turn"])
    assert {*texts(whole)} == {*SAID}, "what a judge reads need not look as if it answered"
    by_text = {item.text: item.confidence for item in whole}
    assert by_text[SAID[0]] > 0.5 > ENDS["judged"].each > by_text[SAID[2]]
    assert [item.text for item in await alice.recall(QUESTION, min_confidence=1.0)] == []


@pytest.mark.usefixtures("plain")
async def test_an_answer_keeps_its_limits(store: Store, clock: FrozenClock) -> None:
    alice = await opened(store, clock, Judge("ferry"))
    assert len((await alice.recall(QUESTION, kinds=["turn"])).items) == 2
    one = await alice.recall(QUESTION, kinds=["turn"], limit=1)
    assert [len(one.items), [*one.trace.left_out.values()].count("beyond the limit")] == [1, 1]
    short = await alice.recall(QUESTION, tokens=1)
    assert short.reason == "the token budget is too small for any of the memories found"


async def test_at_most_so_many_are_read(store: Store, clock: FrozenClock) -> None:
    judge = Judge("ferry")
    alice = await opened(store, clock, judge)
    await alice.add(says(*(f"The ferry number {number} goes to Bergen." for number in range(30))), conversation="c")
    found = await alice.recall(QUESTION, limit=100)
    assert [len(texts) for texts in judge.read] == [READ]
    assert len(found.items) == READ


@pytest.mark.parametrize(
    ("judge", "problem"),
    [(Failing(), "judge: The reranker local/relevance@"), (Slow(), "judge: not done within 0.05 s")],
)
@pytest.mark.usefixtures("plain")
async def test_a_judge_that_is_down_costs_no_answer(
    store: Store, clock: FrozenClock, judge: Judge, problem: str
) -> None:
    alice = await opened(store, clock, judge)
    found = await alice.recall(QUESTION, deadline=0.05)
    assert texts(found)[:1] == SAID[:1]
    assert found.degraded[0].startswith(problem)


async def test_a_reranker_that_was_not_calibrated_ends_nothing(
    plain: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    judge = Other()
    alice = await opened(store, clock, judge)
    assert (await alice.recall(QUESTION)).items == (await plain.recall(QUESTION)).items
    weak = await alice.recall(QUESTION, cut=True)
    assert not judge.read
    assert all(item.confidence >= ENDS["words"].each for item in weak)


@pytest.mark.usefixtures("plain")
async def test_what_was_said_on_a_day_is_not_judged(store: Store, clock: FrozenClock) -> None:
    judge = Judge()
    alice = await opened(store, clock, judge)
    found = await alice.recall("What happened yesterday?")
    assert found.trace.only_time
    assert found.items
    assert not judge.read


@pytest.mark.usefixtures("plain")
async def test_reranking_and_judging_read_once(store: Store, clock: FrozenClock) -> None:
    judge = Judge()
    alice = await opened(store, clock, judge)
    found = await alice.recall(QUESTION, techniques=["rerank"])
    assert texts(found)[:1] == SAID[:1]
    assert sum(map(len, judge.read)) == len({text for texts in judge.read for text in texts})
