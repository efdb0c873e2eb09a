"""What is remembered, statement by statement: filters, pages, and what each rests on."""

from datetime import timedelta

import pytest

from flows.helpers import says
from memoranda import AsyncMemory, AsyncScoped
from memoranda.errors import InputError, NotFoundError
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio


@pytest.fixture
async def told(alice: AsyncScoped, clock: FrozenClock) -> AsyncScoped:
    """Somebody who lives in Rome, then works at Acme, then has a dog, each a day apart."""
    for text in ("I live in Rome.", "By the way, I work at Acme.", "I have a dog called Rex."):
        await alice.add(says(text), conversation="c1")
        clock.advance(days=1)
    return alice


async def said(scoped: AsyncScoped, **asked: object) -> list[str]:
    return [one.text for one in await scoped.records(**asked)]  # type: ignore[arg-type]


async def test_statements_are_listed_newest_first_with_what_they_rest_on(told: AsyncScoped) -> None:
    assert await said(told) == ["User has a dog called Rex.", "User works at Acme.", "User lives in Rome."]
    assert await said(told, order="oldest") == [*reversed(await said(told))]
    [found] = await told.records(attributes=["work"])
    assert (found.attribute, found.value, found.status, found.source) == (
        "work.employer", "Acme", "candidate", "user_provided"
    )  # fmt: skip
    assert (found.evidence, found.said_at, found.confidence) == ("By the way, I work at Acme.", found.valid_from, 0.95)
    assert (found.entities, len(found.sources), found.valid_to) == (("acme",), 1, None)
    assert await told.record(found.id) == found


async def test_all_filters_narrow_the_list(told: AsyncScoped) -> None:
    await told.observe("The boat leaks", source="agent", category="yard", metadata={"page": 3})
    day = (await told.record((await told.records(text="ROME"))[0].id)).valid_from
    rome, acme, rex, boat = "User lives in Rome.", "User works at Acme.", "User has a dog called Rex.", "The boat leaks"
    assert await said(told, text="dog  called") == [rex]
    assert await said(told, kinds=["observation"]) == await said(told, categories=["yard"]) == [boat]
    assert await said(told, sources=["agent"]) == await said(told, metadata={"page": 3}) == [boat]
    assert await said(told, surface="tool") == [boat]
    assert await said(told, entities=["Acme"]) == [acme]
    assert await said(told, entities=["Nobody"]) == await said(told, connection="jira") == []
    assert await said(told, attributes=["location", "pet"]) == [rex, rome]
    assert await said(told, since=day + timedelta(hours=1), until=day + timedelta(days=2)) == [acme]
    assert await said(told, statuses=["candidate"], limit=1) == [boat]
    with pytest.raises(InputError, match="nothing lies between them"):
        await told.records(since=day, until=day - timedelta(days=1))
    with pytest.raises(InputError, match="a status is 'old'"):
        await told.records(statuses=["old"])


async def test_what_is_over_is_listed_as_that(told: AsyncScoped, clock: FrozenClock) -> None:
    await told.add(says("I live in Oslo."))
    await told.review.reject((await told.records(text="acme")).items[0].id)
    await told.end((await told.records(text="Rex")).items[0].id, at=clock() + timedelta(days=1))
    assert await said(told, statuses=["expired"]) == ["User lives in Rome."]
    assert await said(told, statuses=["rejected"]) == ["User works at Acme."]
    clock.advance(days=2)
    assert {*await said(told, statuses=["expired"])} == {"User has a dog called Rex.", "User lives in Rome."}


async def test_pages_go_on_behind_the_last_statement(told: AsyncScoped) -> None:
    for order in ("newest", "oldest"):
        first = await told.records(limit=2, order=order)  # type: ignore[arg-type] # one of the two
        assert (len(first), first.total) == (2, 3)
        last = await told.records(limit=2, order=order, cursor=first.cursor)  # type: ignore[arg-type] # the same
        assert (len(last), last.total, last.cursor) == (1, 3, None)
        assert len({one.id for one in (*first, *last)}) == 3
    for other in ({"order": "newest"}, {"order": "oldest", "text": "dog"}):
        with pytest.raises(NotFoundError, match="of another question or scope"):
            await told.records(cursor=first.cursor, **other)  # type: ignore[arg-type] # as they are given
    with pytest.raises(InputError, match="one that was returned before"):
        await told.records(cursor="2")


async def test_a_scope_lists_only_what_it_sees(memory: AsyncMemory, told: AsyncScoped) -> None:
    [hers, *_] = await told.records()
    writer = memory.scope(tenant="acme", user="alice", agent="writer", channel="inbox")
    await writer.add(says("I prefer tea."))
    assert [one.agent for one in await writer.records(kinds=["preference"])] == ["writer"]
    assert await said(memory.scope(tenant="acme", user="alice", agent="other"), kinds=["preference"]) == []
    bob = memory.scope(tenant="acme", user="bob")
    assert await said(bob) == []
    with pytest.raises(NotFoundError, match="There is no record"):
        await bob.record(hers.id)
