"""A long message is answered by what it asks, whatever stands around it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from numpy.typing import NDArray

from flows.helpers import MORNING, says, texts
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.recall.results import Item
from memoranda.flows.recall.merging import fused
from memoranda.models.hashed import HashedEmbedder
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio

TALK = (
    "Long day at work, the printer died again and nobody knew why. My feet hurt from the new shoes all afternoon. "
    "Dinner was soup from the freezer, and the neighbours had music on until eleven. "
)
HARBOUR, LADDER, SOUP = "The harbour key lies under the blue pot.", "I lent the ladder to Torben.", "The soup was hot."


async def told(alice: AsyncScoped) -> None:
    for number, text in enumerate((HARBOUR, LADDER, SOUP)):
        await alice.add(says(text), conversation=f"c{number}")


@pytest.mark.parametrize("question", ["Where does the harbour key lie?", "Tell me where the harbour key lies."])
@pytest.mark.parametrize("after", ["", " Thanks a lot!"])
async def test_a_question_in_talk_is_answered_as_it_is_by_itself(alice: AsyncScoped, question: str, after: str) -> None:
    await told(alice)
    bare, wrapped = await alice.recall(question), await alice.recall(f"{TALK}{question}{after}")
    assert texts(bare)[0] == HARBOUR
    assert [item.id for item in wrapped] == [item.id for item in bare]
    assert (bare.trace.asked, wrapped.trace.asked) == ((question,), (question,))


async def test_each_question_of_several_is_answered(alice: AsyncScoped) -> None:
    await told(alice)
    found = await alice.recall(f"{TALK}Where does the harbour key lie? And to whom did I lend the ladder?")
    assert set(texts(found)) >= {HARBOUR, LADDER}
    assert len(found.trace.asked) == 2
    assert [item.score for item in found] == sorted((item.score for item in found), reverse=True)
    assert all(sum(item.shares.values()) == pytest.approx(item.score, abs=0.01) for item in found)
    assert {name.partition(": ")[2] for name in found.trace.arms} == {*found.trace.asked}
    [only] = await alice.recall(f"{TALK}Where does the harbour key lie? And to whom did I lend the ladder?", limit=1)
    assert only.text in {HARBOUR, LADDER}
    kept = found.trace.left_out.keys() & {item.id for item in found}
    assert not kept


async def test_what_nothing_answers_stays_unanswered_in_talk(alice: AsyncScoped) -> None:
    await told(alice)
    question = "Which violin did Marguerite play at the concert?"
    for asked in (question, f"{TALK}{question}"):
        found = await alice.recall(asked)
        assert (texts(found), found.reason is not None) == ([], True)


async def test_what_is_told_brings_up_what_is_known_of_it(alice: AsyncScoped) -> None:
    await told(alice)
    found = await alice.recall(f"{TALK}I will need the ladder for the gutter on Sunday.")
    assert LADDER in texts(found)


async def test_a_title_ends_no_sentence(alice: AsyncScoped) -> None:
    found = await alice.recall("When does Dr. Lindqvist open?")
    assert found.trace.asked == ("When does Dr. Lindqvist open?",)


async def test_a_goal_is_brought_up_by_all_of_a_request(alice: AsyncScoped) -> None:
    await told(alice)
    await alice.goals.add("Book the ferry to Oslo", recall_when=["Oslo"])
    found = await alice.recall("We leave for Oslo next week with all the children. Where does the harbour key lie?")
    assert [goal.text for goal in found.goals] == ["Book the ferry to Oslo"]


async def test_a_day_in_the_talk_does_not_narrow_the_question(alice: AsyncScoped, clock: FrozenClock) -> None:
    await told(alice)
    clock.now += timedelta(days=30)
    asked = "Where does the harbour key lie?"
    found = await alice.recall(f"Yesterday was a long day at work, the printer died again. {asked}")
    assert (found.trace.window, texts(found)[0]) == (None, HARBOUR)


async def test_the_limits_hold_for_the_whole_answer(alice: AsyncScoped) -> None:
    await told(alice)
    asked = "Where does the harbour key lie? And to whom did I lend the ladder?"
    found = await alice.recall(asked, tokens=12)
    assert len(found) == 1
    assert "over the token budget" in found.trace.left_out.values()
    assert (await alice.recall(asked, tokens=1)).reason == "the token budget is too small for any of the memories found"


async def test_context_and_why_read_a_formalike(alice: AsyncScoped) -> None:
    await told(alice)
    asked = f"{TALK}Where does the harbour key lie?"
    assert "under the blue pot" in (await alice.context(asked, conversation="new")).text
    why = await alice.why(asked)
    assert why.recalled.trace.asked == ("Where does the harbour key lie?",)


@pytest.mark.parametrize(
    "form",
    [f"{{}} {'And then some more was said. ' * 2_000}", f"{'And then some more was said. ' * 2_000}{{}}"],
    ids=["first", "last"],
)
async def test_of_a_formthat_is_too_long_the_beginning_and_the_end_are_read(alice: AsyncScoped, form: str) -> None:
    await told(alice)
    text = form.format("Where does the harbour key lie?")
    found = await alice.recall(text)
    assert texts(found)[0] == HARBOUR
    assert found.degraded == (
        f"query: of its {len(text.strip()):,} characters the first and the last 10,000 were read",
    )


async def test_space_around_a_formis_not_read(alice: AsyncScoped) -> None:
    await told(alice)
    found = await alice.recall(f"{' ' * 30_000}Where does the harbour key lie?\n")
    assert (texts(found)[0], found.degraded) == (HARBOUR, ())
    assert found.trace.asked == ("Where does the harbour key lie?",)


TWO = "Where does the harbour key lie? And to whom did I lend the ladder?"


async def test_a_formis_embedded_in_one_call_whatever_it_asks(store: Store, clock: FrozenClock) -> None:
    asked: list[list[str]] = []

    class Counting(HashedEmbedder):
        async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            asked.append([*texts])
            return await super().embed(texts)

    async with await AsyncMemory.open(store, embedder=Counting(64), clock=clock) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        await told(alice)
        asked.clear()
        found = await alice.recall(f"{TALK}{TWO}")
        assert asked == [[*found.trace.asked]]
        assert len(asked[0]) == 2


async def test_the_time_is_that_of_the_first_part_that_names_one(alice: AsyncScoped, clock: FrozenClock) -> None:
    await told(alice)
    clock.advance(days=1)
    found = await alice.recall("What did I say about the ladder yesterday? Where does the harbour key lie?")
    assert found.trace.asked[0] == "Where does the harbour key lie?"
    assert found.trace.window == (clock.now - timedelta(hours=33, minutes=30), clock.now - timedelta(hours=9.5))


async def test_the_strategies_are_those_that_fit_any_part_best(alice: AsyncScoped) -> None:
    for number in range(3):
        await alice.strategies.learn(f"Way {number} to ferry", f"the ferry and much else, {number} ways")
    best = await alice.strategies.learn("Clean brushes", "paint the hull")
    found = await alice.recall("Who could paint the hull? Which way goes the ferry?")
    assert len(found.trace.asked) == 2
    assert found.strategies[0].strategy.id == best.id
    assert [fit.order for fit in found.strategies] == sorted(fit.order for fit in found.strategies)


async def test_calls_of_tools_take_a_fifth_of_the_whole_answer(alice: AsyncScoped) -> None:
    await told(alice)
    for number in range(6):
        await alice.tools.record("search", "where the harbour key lies", f"{number} pages")
        await alice.tools.record("search", "to whom I lent the ladder", f"{number} pages")
    found = await alice.recall(TWO)
    assert [item.kind for item in found].count("tool_call") == 2
    assert any("enough calls of tools" in why for why in found.trace.left_out.values())


async def test_parts_that_begin_alike_are_told_apart_in_the_trace(alice: AsyncScoped) -> None:
    await told(alice)
    same = "Where in all of the long and narrow harbour between the two old and crooked lighthouses"
    found = await alice.recall(f"{same} does the key lie? {same} did I lend the ladder?")
    assert len({name for name in found.trace.arms if name.startswith("keyword: ")}) == 2
    assert found.trace.proposed()["keyword"] == {
        one for name, ids in found.trace.arms.items() if name.startswith("keyword: ") for one in ids
    }


def test_among_equals_a_ranking_keeps_its_order() -> None:
    older, newer = (
        Item(
            id=name, of="event", kind="turn", text=name, score=0.3, similarity=0.3, shares={}, why="", at=MORNING,
            channel="chat",
        )
        for name in ("older", "newer")
    )  # fmt: skip
    raised = [replace(one, score=0.6) for one in (newer, older)]  # of near-equals the newer stands first
    assert [item.id for item in fused([[older], raised])] == ["newer", "older"]
