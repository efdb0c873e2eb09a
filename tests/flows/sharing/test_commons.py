"""One search finds what the user has and what is shared with the user, and nothing that is shared with others."""

from datetime import timedelta
from typing import Any

import pytest

from flows.helpers import MORNING, Broken, fails, rows, says, texts
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.rows import AccessLog
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio


@pytest.fixture
def bob(memory: AsyncMemory) -> AsyncScoped:
    return memory.scope(tenant="acme", user="bob")


@pytest.fixture
async def business(alice: AsyncScoped, bob: AsyncScoped) -> str:
    """A collection that all of the tenant read, with what Alice entered; Bob knows of something near."""
    made = await alice.collections.create("handbook", reach="account")
    await alice.collections.add(made.id, "The harbour office opens at seven.")
    await alice.collections.add(made.id, "The printer is called Skarven.")
    await bob.add(says("The harbour smells of tar.", "I like tea."))
    return made.id


async def test_what_is_shared_with_all_is_found_by_each(bob: AsyncScoped, business: str) -> None:
    question = "When does the harbour office open?"
    assert texts(await bob.recall(question)) == ["The harbour smells of tar."]
    found = await bob.recall(question, shared=True)
    entry, *rest = found.items
    assert (entry.text, entry.stratum, entry.collection) == ("The harbour office opens at seven.", "shared", business)
    assert (entry.by, entry.cross_channel) == ("alice", False)
    assert "The harbour smells of tar." in texts(rest)
    assert [item.score for item in found] == sorted((item.score for item in found), reverse=True)
    assert set(found.by_stratum) == {"shared", "episodic"}
    assert "shared keyword" in found.trace.arms
    assert found.trace.searched > (await bob.recall(question)).trace.searched
    assert len(await bob.recall(question, shared=True, limit=1)) == 1
    assert texts(await bob.recall(question, shared=True, tokens=9)) == ["The harbour office opens at seven."]


async def test_who_wrote_it_is_told_of_others_only(alice: AsyncScoped, business: str) -> None:
    entry = (await alice.recall("What is the printer called?", shared=True)).items[0]
    assert (entry.text, entry.by, entry.collection) == ("The printer is called Skarven.", "", business)


async def test_what_is_not_shared_is_not_found(
    memory: AsyncMemory, alice: AsyncScoped, bob: AsyncScoped, business: str
) -> None:
    secret = await alice.collections.create("secrets")
    await alice.collections.add(secret.id, "The harbour office has a hidden door.")
    pool = await alice.pools.create("plans", data={"door": "The harbour office has a hidden door."})
    assert all("hidden" not in text for text in texts(await bob.recall("the hidden harbour office door", shared=True)))
    await alice.collections.grant(secret.id, user="bob")
    await alice.pools.grant(pool.id, user="bob")
    assert any("hidden" in text for text in texts(await bob.recall("the hidden harbour office door", shared=True)))
    stranger = memory.scope(tenant="other", user="bob")
    assert not await stranger.recall("the harbour office", shared=True)
    await alice.collections.archive(business)
    found = await bob.recall("When does the harbour office open?", shared=True)
    assert "The harbour office opens at seven." not in texts(found)


async def test_values_of_pools_are_documents(alice: AsyncScoped, bob: AsyncScoped, clock: FrozenClock) -> None:
    pool = await alice.pools.create(
        "trip", data={"budget": {"ferry": 400, "hotel": 900}, "notes": "The ferry to Bergen leaves at noon."}
    )
    await alice.pools.grant(pool.id, user="bob")
    found = await bob.recall("When does the ferry to Bergen leave?", shared=True)
    item = found.items[0]
    assert item.text == "trip: notes: The ferry to Bergen leaves at noon."
    assert (item.kind, item.of, item.collection, item.by) == ("pool", "pool", pool.id, "alice")
    assert (item.metadata, item.at) == ({"pool": pool.id, "key": "notes"}, clock.now)
    assert not await bob.recall("What is the capital of Erewhon?", shared=True)
    for given in ({"kinds": ["fact"]}, {"surface": "chat"}, {"since": MORNING + timedelta(days=1)}, {"until": MORNING}):
        assert not await bob.recall("When does the ferry to Bergen leave?", shared=True, **given)  # type: ignore[arg-type]


async def test_reading_what_is_shared_is_logged_and_counts(
    store: Store, bob: AsyncScoped, business: str, memory: AsyncMemory
) -> None:
    found = await bob.recall("When does the harbour office open?", shared=True)
    [entry] = [one for one in found if one.collection == business and "office" in one.text]
    await memory._runtime.journal.settle()
    logged = await rows(store, AccessLog, Owner("acme", SHARED))
    assert [(row.action, row.actor) for row in logged if row.object == business and row.actor == "bob"] == [
        ("search", "bob")
    ]
    assert entry.access_count == 0


async def test_a_day_keeps_its_order(bob: AsyncScoped, alice: AsyncScoped, business: str) -> None:
    await bob.add(says("My flight to Oslo is on 7 January at nine."))
    await alice.collections.add(business, "The harbour office is closed on 7 January.")
    found = await bob.recall("What is there on 7 January?", shared=True)
    assert "flight to Oslo" in found.items[0].text
    assert texts(found)[-1] == "The harbour office is closed on 7 January."


@pytest.mark.parametrize("embedder", ["none", Broken(fails)])
async def test_words_alone_find_it(store: Store, clock: FrozenClock, embedder: Any) -> None:
    async with await AsyncMemory.open(store, embedder=embedder, clock=clock, ids=SequentialIds()) as memory:
        alice, bob = (memory.scope(tenant="acme", user=name) for name in ("alice", "bob"))
        pool = await alice.pools.create("trip", data={"notes": "The ferry leaves at noon."})
        await alice.pools.grant(pool.id, user="bob")
        found = await bob.recall("When does the ferry leave?", shared=True)
        assert [(item.text, item.score) for item in found] == [("trip: notes: The ferry leaves at noon.", 1.0)]
        assert bool(found.degraded) == (embedder != "none")
        assert not await bob.recall("When does the ferry leave?", shared=True, min_confidence=0.1)
