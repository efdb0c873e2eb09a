"""A memory that a server holds, used as one that is opened here."""

import pytest

from memoranda import AsyncMemory
from memoranda.client import AsyncRemoteMemory
from memoranda.core.recall.results import Recalled

pytestmark = pytest.mark.anyio
SAID = [{"role": "user", "content": "I work at Globex in Oslo."}]


async def test_the_quick_start(remote: AsyncRemoteMemory, memory: AsyncMemory) -> None:
    alice, here = remote.scope(user="alice"), memory.scope(tenant="acme", user="alice")
    captured = await alice.add(SAID, conversation="c1")
    assert captured.decisions[0].outcome == "added"
    found = await alice.recall("Where do I work?")
    assert isinstance(found, Recalled)
    assert [one.text for one in found] == [one.text for one in await here.recall("Where do I work?")]
    goal = await alice.goals.add("Ship 1.0", deadline=None)
    assert goal == await here.goals.get(goal.id)
    assert (await alice.working("c1").set("draft", {"to": "Bob"})).existed is False
    assert await alice.working("c1").get("draft") == {"to": "Bob"}
    assert await alice.working(run="r").get("draft") is None
    assert [row async for row in alice.export()][-1].keys() == [row async for row in here.export()][-1].keys()
    assert await remote.stats(tenant="acme") == await memory.stats(tenant="acme")
