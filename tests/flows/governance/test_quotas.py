"""How much of a user's memory there is."""

import pytest

from flows.helpers import says
from memoranda import AsyncMemory, AsyncScoped
from memoranda.flows.governance.quotas import held

pytestmark = pytest.mark.anyio


async def test_what_is_kept_is_counted(memory: AsyncMemory, alice: AsyncScoped) -> None:
    runtime = memory._runtime
    empty = await held(runtime, alice.scope)
    assert (empty.items, empty.in_conversation) == (0, 0)
    await alice.add(says("Good morning.", "The weather is fine."), conversation="c1")
    await memory.scope(tenant="acme", user="alice", agent="clerk").add(says("Hello there."), conversation="c1")
    await alice.add(says("How are you?"), conversation="c2")
    for conversation, number in (("c1", 3), ("c2", 1), ("c3", 0), (None, 0)):
        found = await held(runtime, alice.scope.narrow(conversation=conversation))
        assert (found.items, found.in_conversation) == (4, number)
        assert found.bytes > empty.bytes
    await alice.forget(conversation="c1")
    found = await held(runtime, alice.scope.narrow(conversation="c1"))
    assert (found.items, found.in_conversation) == (1, 0)
