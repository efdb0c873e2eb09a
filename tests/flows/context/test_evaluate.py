"""What a memory is worth is measured on labels, compared fairly, and nothing is written."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from flows.helpers import Broken, everything, fails, says
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.evaluation.labels import Question, Wanted
from memoranda.errors import NotFoundError, ScopeError
from memoranda.flows.context.evaluate import FIGURES, Configuration
from memoranda.models.hashed import HashedEmbedder
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

CITY: dict[str, Any] = {"query": "Where do I live?", "answers": ["I live in Oslo"], "category": "fact"}
CRAB: dict[str, Any] = {"query": "What colour is the crab?", "answers": ["crab is blue"], "category": "turn"}
BOAT: dict[str, Any] = {"query": "What is my submarine called?", "answers": [], "category": "unknown"}


@pytest.fixture
async def told(alice: AsyncScoped) -> AsyncScoped:
    await alice.add(says("I live in Oslo.", "The crab is blue.", "It rains again."), conversation="c")
    return alice


async def test_every_figure_is_given_in_all_and_by_category(told: AsyncScoped) -> None:
    found = await told.evaluate([CITY, CRAB, BOAT])
    (run,) = found.runs
    assert tuple(run.figures) == FIGURES
    assert {name: run.figures[name] for name in ("R@5", "MRR", "R in budget", "context recall", "silent")} == {
        "R@5": 1.0, "MRR": 1.0, "R in budget": 1.0, "context recall": 1.0, "silent": 1.0,
    }  # fmt: skip
    assert list(run.categories) == ["fact", "turn", "unknown"]
    assert run.categories["fact"]["P@5"] == 0.4  # the turn, and the record read from it
    assert run.categories["turn"]["P@5"] == 0.2
    assert run.categories["unknown"] == {"silent": 1.0}
    assert [question.category for question in found.questions] == ["fact", "turn", "unknown"]
    assert len(run.questions) == 3
    assert run.milliseconds > 0
    assert (run.difference, found.skipped, found.degraded) == ({}, (), ())


async def test_no_configuration_pays_for_the_embedding_of_the_questions(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = [0.0]

    class Slow(HashedEmbedder):
        async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            seconds[0] += 9.0
            return await super().embed(texts)

    monkeypatch.setattr("memoranda.flows.recall.looking.perf_counter", lambda: seconds[0])
    async with await AsyncMemory.open(store, embedder=Slow(64)) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        await alice.add(says("I live in Oslo."))
        found = await alice.evaluate([CITY], configurations=[Configuration(), Configuration()])
    assert seconds[0] == 18.0  # the turn and its record, then the question once
    assert [run.milliseconds for run in found.runs] == [0.0, 0.0]


async def test_a_context_that_cites_nothing_is_worth_nothing(told: AsyncScoped) -> None:
    figures = (await told.evaluate([CITY], budget=1)).runs[0].figures
    assert (figures["context precision"], figures["context recall"], figures["R in budget"]) == (0.0, 0.0, 0.0)
    assert figures["R@5"] == 1.0


async def test_a_question_can_be_asked_elsewhere_and_then(memory: AsyncMemory, told: AsyncScoped) -> None:
    kitchen = memory.scope(tenant="acme", user="alice", channel="kitchen")
    await kitchen.add(says("The lobster is red."))
    asked = {"query": "What colour is the lobster?", "answers": ["lobster"], "scope": {"channel": "kitchen"}}
    assert (await told.evaluate([asked, CITY])).runs[0].figures["R@5"] == 1.0
    with pytest.raises(NotFoundError, match=r"questions.*answer 1: no memory in this scope has the text 'lobster'"):
        await told.evaluate([{**asked, "scope": {}}])
    whole = memory.scope(tenant="acme", user="alice", whole=True)
    with pytest.raises(ScopeError, match=r"questions, \$\[0\]: whole=True"):
        await whole.evaluate([asked])
    question = Question(query="What colour?", answers=((Wanted(by="text", words="lobster"),),))
    assert (await whole.evaluate([question])).questions == (question,)


async def test_labels_without_memories_are_told_a_few_at_a_time(told: AsyncScoped) -> None:
    wrong = [{**CITY, "answers": [f"city {number}"]} for number in range(5)]
    with pytest.raises(NotFoundError, match=r"\$\[0\].*\$\[1\].*\$\[2\].* And 2 more\. Correct the labels") as error:
        await told.evaluate([CITY, *wrong][1:])
    assert "city 3" not in str(error.value)
    with pytest.raises(NotFoundError, match=r"'city 0'\. Correct the labels"):
        await told.evaluate([CITY, wrong[0]])


async def test_configurations_are_compared_question_by_question(told: AsyncScoped) -> None:
    ways = [Configuration(), Configuration(name="records", ask={"kinds": ["fact"]})]
    found = await told.evaluate([CITY, CRAB, BOAT], configurations=ways)
    first, records = found.runs
    assert (records.name, records.figures["R@5"]) == ("records", 0.5)
    assert "context recall" not in records.figures  # a context is asked for in one way only
    lost = records.difference["R@5"]
    assert (lost.mean, lost.low, lost.high) == (-0.5, -1.0, 0.0)
    assert records.difference["silent"].mean == 0.0
    assert "context recall" not in records.difference
    again = await told.evaluate([CITY, CRAB, BOAT], configurations=ways)
    assert again.runs[1].difference == records.difference
    assert (again.runs[0].figures, again.runs[1].questions) == (first.figures, records.questions)


async def test_what_is_asked_as_by_default_counts_as_the_default() -> None:
    assert Configuration(ask={"profile": "balanced", "kinds": None}) == Configuration()
    assert Configuration(ask={"profile": "relevance", "kinds": ["turn"]}).ask == {
        "profile": "relevance",
        "kinds": frozenset({"turn"}),
    }


async def test_parts_are_taken_away_one_at_a_time(told: AsyncScoped) -> None:
    steps: list[int] = []
    found = await told.evaluate([CITY, BOAT], ablate=True, progress=steps.append)
    whole, nothing, turns, records, blind, *arms = found.runs
    assert [run.name for run in found.runs[:5]] == [
        "as it is", "no memory", "turns only", "records only", "without embedder",
    ]  # fmt: skip
    assert {"without keyword", "without vector", "without records"} <= {run.name for run in arms}
    assert set(nothing.figures) == set(FIGURES)
    assert {name: value for name, value in nothing.figures.items() if value} == {"silent": 1.0}
    assert nothing.milliseconds == 0.0
    assert nothing.difference["context recall"].mean == -whole.figures["context recall"]
    assert (turns.figures["P@5"], records.figures["P@5"]) == (0.2, 0.2)
    assert blind.figures["R@5"] == 1.0
    assert sum(steps) == 2 * len(found.runs)
    assert found.skipped == ()


async def test_arms_are_ablated_where_a_question_is_asked_in_parts(told: AsyncScoped) -> None:
    both = {"query": "It rains again. Where do I live? What colour is the crab?", "answers": ["I live in Oslo"]}
    names = {run.name for run in (await told.evaluate([both], ablate=True)).runs}
    assert names >= {"without keyword", "without vector"}
    assert names <= {run.name for run in (await told.evaluate([CITY, CRAB, BOAT], ablate=True)).runs}


async def test_what_cannot_be_taken_away_is_told(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("I live in Oslo."))
    found = await alice.evaluate([CITY], ablate=True)
    assert "without embedder" not in [run.name for run in found.runs]
    assert found.skipped[0] == "without embedder: there is none"


async def test_an_embedder_that_fails_is_told(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(store, embedder=Broken(fails), clock=clock, ids=SequentialIds())
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("I live in Oslo."))
    found = await alice.evaluate([CITY])
    (told,) = found.degraded
    assert "the model file is damaged" in told
    assert found.runs[0].figures["R@5"] == 1.0


async def test_measuring_changes_nothing(told: AsyncScoped, store: Store) -> None:
    before = await everything(store)
    await told.evaluate([CITY, CRAB, BOAT], ablate=True)
    assert await everything(store) == before
