"""How a memory does in use."""

from datetime import timedelta

import pytest

from flows.helpers import MORNING, says
from memoranda import AsyncScoped
from memoranda.core.evaluation.usage import Growth, Metrics, Month
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio


async def test_of_nothing_there_is_nothing_to_measure(alice: AsyncScoped) -> None:
    assert await alice.metrics() == Metrics()


async def test_a_context_is_used_where_the_next_answer_has_its_words(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.add(says("I live in Oslo."), conversation="c1")
    clock.advance(days=1)
    await alice.context("Where do I live?", conversation="c2")
    assert (await alice.metrics()).context_utilisation is None, "nobody has answered"
    await alice.add(says("You live in Oslo.", role="assistant"), conversation="c2")
    found = await alice.metrics()
    assert found.context_utilisation == 1.0
    assert found.injected >= 1
    clock.advance(days=1)
    await alice.context("Which place is home?", conversation="c3")
    await alice.context("Where is it?")  # of no conversation: nobody can say what answered it
    await alice.add(says("I cannot say.", role="assistant"), conversation="c3")
    less = await alice.metrics()
    assert less.context_utilisation is not None
    assert less.context_utilisation < 1.0
    await alice.context("Oslo, where the user does live", conversation="c4")
    await alice.add(says("Yes.", role="assistant"), conversation="c4")
    assert (await alice.metrics()).injected == less.injected, "what a memory says stands in the question"
    [event] = [one.event.id for one in await alice.events(conversation="c1")]
    await alice.forget(source=event)
    assert (await alice.metrics()).injected == 0


async def test_questions_whose_answer_is_known_are_counted(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.add(says("Where do you live?", role="assistant"))
    assert ((await alice.metrics()).repeat_question_rate, (await alice.metrics()).asked) == (0.0, 1)
    clock.advance(minutes=1)
    await alice.add(says("I live in Oslo."))
    clock.advance(minutes=1)
    await alice.add(says("Fine! In which town do you work? And where do you live?", role="assistant"))
    found = await alice.metrics()
    assert (found.asked, found.repeat_question_rate) == (3, 1 / 3)
    await alice.add(says("You?", role="assistant"))
    assert (await alice.metrics()).repeat_question_rate == 1 / 4


async def test_corrections_are_counted_by_month(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.add(says("I live in Oslo.", "My dentist is on Tuesday."), conversation="c1")
    await alice.add(says("No, I meant Thursday."), conversation="c1")
    clock.advance(days=40)
    await alice.add(says("Actually, I live in Bergen.", "Fine."), conversation="c2")
    await alice.observe("The boat is red", category="correction")
    found = await alice.metrics()
    assert found.corrections[1] == Month(month="2026-02", turns=2, corrections=2)
    assert found.corrections[1].rate == 1.0
    assert found.correction_rate == sum(month.corrections for month in found.corrections) / 5
    assert (found.observation_rate, found.conversations) == (0.5, 2)
    assert Month(month="2026-01", turns=0, corrections=1).rate == 0.0


async def test_growth_tells_a_logarithm_from_a_line(alice: AsyncScoped, clock: FrozenClock) -> None:
    said = ("I live in Oslo.", "I work at Globex.", "My name is Ann.", "I'm allergic to nuts.", "I speak Norwegian.")
    for text in said:
        await alice.add(says(text))
    assert (await alice.metrics()).scaffold_growth == Growth(at=(MORNING,), keys=(5,))
    assert (await alice.metrics()).cold_start == 5
    for _ in range(6):
        clock.advance(weeks=1)
        await alice.add(says("Fine."))
    steady = (await alice.metrics()).scaffold_growth
    assert (steady.keys, steady.logarithm, steady.line) == ((5,) * 6, 1.0, 1.0)
    await alice.add(says("My favourite colour is blue."))
    clock.advance(weeks=8)
    await alice.add(says("I have a dog."))
    later = (await alice.metrics()).scaffold_growth
    assert later.keys[0] == 5
    assert later.keys[-1] >= 6
    assert later.logarithm is not None
    assert later.line is not None


async def test_the_week_that_runs_is_counted_until_now(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.add(says("My name is Ann.", "I live in Oslo until 16 January."))
    clock.advance(days=9)
    await alice.add(says("Fine."))
    clock.advance(hours=3)
    growth = (await alice.metrics()).scaffold_growth
    assert growth.at == (MORNING + timedelta(weeks=1), MORNING + timedelta(days=9, hours=3))
    assert growth.keys[-1] == growth.keys[0], "Oslo holds until Friday"


async def test_a_scaffold_of_four_keys_is_no_use_yet(alice: AsyncScoped) -> None:
    await alice.add(says("I live in Oslo."))
    assert (await alice.metrics()).cold_start is None
