"""A long message is answered by what it asks, whatever stands around it."""

from datetime import timedelta

import pytest

from flows.helpers import says, texts
from memoranda import AsyncScoped
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


async def test_context_and_why_read_a_request_alike(alice: AsyncScoped) -> None:
    await told(alice)
    asked = f"{TALK}Where does the harbour key lie?"
    assert "under the blue pot" in (await alice.context(asked, conversation="new")).text
    why = await alice.why(asked)
    assert why.recalled.trace.asked == ("Where does the harbour key lie?",)


async def test_of_a_request_that_is_too_long_the_beginning_is_read(alice: AsyncScoped) -> None:
    await told(alice)
    found = await alice.recall("Where does the harbour key lie? " + "And then some more was said. " * 2_000)
    assert texts(found)[0] == HARBOUR
    assert "query: its first 20,000 characters were read" in found.degraded
