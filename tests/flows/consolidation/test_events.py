"""The log, read in either order, and event by event."""

from datetime import timedelta
from typing import Any

import pytest

from flows.helpers import MORNING, says
from memoranda import AsyncMemory, AsyncScoped
from memoranda.errors import NotFoundError
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio


async def test_events_are_read_in_either_order_and_on_behind_one(alice: AsyncScoped, clock: FrozenClock) -> None:
    told: list[str] = []
    for text in ("I live in Oslo.", "My cat is called Rex.", "I prefer tea."):
        told += (await alice.add(says(text))).events
        clock.advance(hours=1)

    async def ids(**options: Any) -> list[str]:
        return [one.event.id for one in await alice.events(**options)]

    assert await ids() == told[::-1]
    assert await ids(oldest_first=True) == told
    assert await ids(oldest_first=True, limit=2) == told[:2]
    assert await ids(oldest_first=True, after=told[1]) == told[2:]
    assert await ids(after=told[1]) == told[:1]
    hour = MORNING + timedelta(hours=1)
    assert await ids(since=hour) == told[:0:-1]
    assert await ids(until=hour) == told[:1]
    with pytest.raises(NotFoundError, match="begin without after"):
        await ids(after="nobody")


async def test_events_of_one_moment_are_all_read(alice: AsyncScoped) -> None:
    told = (await alice.add(says(*(f"Line {number}" for number in range(7))))).events
    read: list[str] = []
    while found := await alice.events(oldest_first=True, limit=2, after=read[-1] if read else None):
        read += [one.event.id for one in found]
    assert read == [*told]


async def test_an_event_tells_its_message_and_its_attachments(alice: AsyncScoped, memory: AsyncMemory) -> None:
    notes = {"filename": "lease.pdf", "attachments": ["file plan.png", "file lease.pdf"], "page": 3}
    told = await alice.add(says("Here is the lease.", id="m1"), metadata=notes)
    found = await alice.event(told.events[0])
    assert (found.message_id, found.attachments) == ("m1", ("lease.pdf", "plan.png"))
    assert found.event.metadata["page"] == 3
    assert (await alice.event((await alice.add(says("Hello."))).events[0])).attachments == ()
    with pytest.raises(NotFoundError, match="events gives the ids of events"):
        await memory.scope(tenant="acme", user="bob").event(told.events[0])
