"""Of what is said to several agents and in several channels, whoever sees it all is shown the latest."""

import pytest

from flows.helpers import says
from memoranda import AsyncMemory, AsyncScoped
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio


def place(memory: AsyncMemory, **names: str) -> AsyncScoped:
    return memory.scope(tenant="acme", user="alice", **names)


async def shown(scoped: AsyncScoped) -> object:
    """The profile, and whether a context agrees."""
    plain = (await scoped.profile()).plain()
    context = await scoped.context("Book a table")
    return plain, [word for word in ("Oslo", "Rome", "Acme", "Globex") if word in context.stable_prefix]


async def test_the_user_sees_what_was_told_to_any_agent_last(memory: AsyncMemory, clock: FrozenClock) -> None:
    await place(memory, agent="chat").add(says("I work at Acme."))
    clock.advance(days=1)
    await place(memory, agent="inbox").add(says("I left Acme, I work at Globex now."))
    assert await shown(place(memory)) == ({"work": {"employer": "Globex"}}, ["Globex"])
    assert await shown(place(memory, agent="chat")) == ({"work": {"employer": "Acme"}}, ["Acme"])
    found = await place(memory).recall("Where do I work?")
    assert "Globex" in found.items[0].text
    ended = {item.text: item.status for item in found if item.valid_to and item.superseded_by}
    assert ended == {"I work at Acme.": "expired", "User works at Acme.": "expired"}
    assert all(item.valid_to is None for item in await place(memory, agent="chat").recall("Where do I work?"))


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        ("I moved to Rome.", ({"location": {"city": "Rome"}}, ["Rome"])),
        ("I don't live in Oslo any more.", ({}, [])),
    ],
)
async def test_a_channel_shows_what_was_said_in_it_since(
    memory: AsyncMemory, clock: FrozenClock, later: str, expected: object
) -> None:
    await place(memory).add(says("I live in Oslo."))
    clock.advance(days=1)
    await place(memory, channel="proj").add(says(later))
    assert await shown(place(memory, channel="proj")) == expected
    assert await shown(place(memory)) == ({"location": {"city": "Oslo"}}, ["Oslo"])
    everything = await memory.scope(tenant="acme", user="alice", whole=True).profile()
    assert "Oslo" in str(everything.plain())


async def test_an_agents_word_hides_nothing_that_the_user_said(memory: AsyncMemory, clock: FrozenClock) -> None:
    await place(memory).add(says("I live in Oslo."))
    clock.advance(days=1)
    await place(memory, agent="chat").observe("User lives in Rome", source="agent")
    plain, _ = await shown(place(memory))  # type: ignore[misc]
    assert plain == {"location": {"city": "Oslo"}}
