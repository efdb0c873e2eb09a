"""An embedder on a server: its gate limits, retries and meters it, and words answer while its circuit is open."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import anyio
import pytest

from flows.helpers import OWNER, rows, says
from memoranda import AsyncMemory, Settings
from memoranda.core.base.prices import Price
from memoranda.core.base.retry_policy import Gating
from memoranda.core.rows import LedgerEntry
from memoranda.models import open_embedder
from memoranda.ports import Call
from memoranda.testing.fakes import FrozenClock, SequentialIds
from memoranda.testing.model_server import ModelServer

pytestmark = pytest.mark.anyio

SPACE = "openai/some-model@8"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
async def opened(server: ModelServer) -> AsyncIterator[Callable[..., Any]]:
    memories: list[AsyncMemory] = []

    async def opening(**settings: Any) -> AsyncMemory:
        embedder = open_embedder("openai:some-model", api_key="secret", base_url=server.url, dimension=8)
        assert embedder is not None
        given = Settings(counter=len, **settings)
        memories.append(
            await AsyncMemory.open(embedder=embedder, clock=FrozenClock(), ids=SequentialIds(), settings=given)
        )
        return memories[-1]

    yield opening
    for memory in memories:
        await memory.close()


async def test_words_answer_while_the_circuit_is_open_and_the_server_is_left_alone(
    server: ModelServer, opened: Callable[..., Any]
) -> None:
    memory = await opened(gating=Gating(attempts=1, failures=2, pause=3_600))
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("The ferry leaves at six."))
    server.script = [server.fails(500)] * 9
    found = [await alice.recall(f"When does the ferry leave? {number}") for number in range(4)]
    assert server.count == 3
    assert ["told to fail" in one.degraded[0] for one in found] == [True, True, False, False]
    assert found[-1].degraded[0].startswith(f"embedder: {server.url}/ failed 2 times in a row; it is asked again in ")
    assert [[item.text for item in one.items] for one in found] == [["The ferry leaves at six."]] * 4
    told = await alice.add(says("The crab is blue."))
    assert "in a row" in told.degraded[0]
    assert server.count == 3


async def test_an_embedding_is_tried_as_often_as_the_policy_says(
    server: ModelServer, opened: Callable[..., Any]
) -> None:
    memory = await opened(gating=Gating(attempts=4, failures=9, first=0.001))
    server.script = [server.fails(500), server.fails(429), server.hang_up, server.honest]
    told = await memory.scope(tenant="acme", user="alice").add(says("The ferry leaves at six."))
    assert (told.degraded, server.count) == ((), 4)
    server.script = [server.fails(400), server.honest]
    told = await memory.scope(tenant="acme", user="alice").add(says("The crab is blue."))
    assert "told to fail" in told.degraded[0]
    assert server.count == 5


async def test_no_more_embeddings_are_under_way_than_the_policy_allows(
    server: ModelServer, opened: Callable[..., Any]
) -> None:
    server.script = [server.hang] * 8
    memory = await opened(gating=Gating(calls=2))
    alice = memory.scope(tenant="acme", user="alice")
    asked = [asyncio.create_task(alice.recall(f"ferry {number}?")) for number in range(8)]
    await anyio.to_thread.run_sync(server.arrived.wait)
    await anyio.wait_all_tasks_blocked()
    assert server.count <= 2
    server.release.set()
    assert [found.degraded for found in await asyncio.gather(*asked)] == [()] * 8
    assert server.count == 8


async def test_every_request_is_metered_and_what_was_answered_is_paid_for(
    server: ModelServer, opened: Callable[..., Any]
) -> None:
    calls = list[Call]()
    memory = await opened(
        gating=Gating(attempts=2, first=0.001), meter=calls.append, prices={SPACE: Price(read=1_000, written=0)}
    )
    server.script = [server.fails(500), server.honest, server.fails(400)]
    alice = memory.scope(tenant="acme", user="alice")
    told = await alice.add(says("Ferry"))
    await alice.recall("crab?")
    await alice.recall("Ferry")  # its vector is known
    assert [(call.what, call.task, call.model, call.tokens_in, call.outcome) for call in calls] == [
        ("embedding", None, SPACE, 0, "unavailable"),
        ("embedding", None, SPACE, 5, "answered"),
        ("embedding", None, SPACE, 0, "failed"),
    ]
    await memory._runtime.journal.settle()
    [entry] = await rows(memory._runtime.store, LedgerEntry, OWNER)
    assert (entry.what, entry.model, entry.about, entry.tokens_in) == ("embedding", SPACE, told.events, 5)
    assert entry.cost == pytest.approx(0.005)
