"""The context log, read."""

from datetime import timedelta

import pytest

from flows.helpers import MORNING, rows, says
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.rows import ContextLog
from memoranda.errors import NotFoundError
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio

WHOSE = {"tenant": "acme", "user": "alice"}


@pytest.fixture
async def asked(alice: AsyncScoped, clock: FrozenClock) -> AsyncScoped:
    """Three contexts, an hour apart, the first with nothing in it."""
    for number, text in enumerate(("The weather is fine.", "I live in Oslo.", "My cat is called Rex.")):
        await alice.context(f"What is it, {number}?", conversation=f"c{number}")
        await alice.add(says(text), conversation="told")
        clock.advance(hours=1)
    return alice


async def test_they_are_read_latest_first(asked: AsyncScoped) -> None:
    found = await asked.contexts()
    assert [one.query for one in found] == ["What is it, 2?", "What is it, 1?", "What is it, 0?"]
    assert await asked.contexts(limit=1) == found[:1]
    assert await asked.contexts(after=found[0].id) == found[1:]
    assert await asked.contexts(conversation="c1") == found[1:2]
    hour = MORNING + timedelta(hours=1)
    assert await asked.contexts(since=hour, until=hour + timedelta(hours=1)) == found[1:2]
    with pytest.raises(NotFoundError, match="begin without after"):
        await asked.contexts(after="nobody")


async def test_one_says_what_was_in_it_then(asked: AsyncScoped) -> None:
    await asked.context("Where do I live?")
    [made, *_] = await asked.contexts()
    await asked.add(says("I moved to Bergen."))
    found = await asked.context_of(made.id)
    assert found.context == made
    assert made.used > 0
    texts = {part.of: part.text for part in found.parts if "Oslo" in (part.text or "")}
    assert texts == {"event": "I live in Oslo."} or texts["record"] == "User lives in Oslo."
    assert [part.id for part in found.parts] == [*made.included]
    assert all(part.at for part in found.parts)


async def test_what_was_forgotten_is_gone_with_the_contexts_that_named_it(asked: AsyncScoped) -> None:
    await asked.context("What is my cat called?")
    [made, *_] = await asked.contexts()
    assert any("Rex" in (part.text or "") for part in (await asked.context_of(made.id)).parts)
    await asked.forget(value="Rex")
    assert made.id not in [one.id for one in await asked.contexts()]
    with pytest.raises(NotFoundError, match="contexts gives the ids"):
        await asked.context_of(made.id)


async def test_an_agent_reads_its_own(asked: AsyncScoped, memory: AsyncMemory, store: Store) -> None:
    writer, cook = (memory.scope(**WHOSE, agent=agent) for agent in ("writer", "cook"))
    await writer.context("Where do I live?")
    [made] = [row for row in await rows(store, ContextLog) if row.agent] or await writer.contexts(limit=1)
    assert (await writer.context_of(made.id)).context.agent == "writer"
    with pytest.raises(NotFoundError):
        await cook.context_of(made.id)
    assert made.id in [one.id for one in await asked.contexts()]
    assert made.id not in [one.id for one in await cook.contexts()]
