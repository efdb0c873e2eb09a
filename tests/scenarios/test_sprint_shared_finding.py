"""A sprint of several agents: what one finds out it shares, and takes back, with all that was made of it."""

from datetime import timedelta

import pytest

from flows.helpers import texts
from memoranda import AsyncMemory, AsyncScoped
from memoranda.errors import AccessError, InputError, NotFoundError, VersionError
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio


def agents(memory: AsyncMemory, *names: str) -> list[AsyncScoped]:
    return [memory.scope(tenant="acme", user="alice", agent=name) for name in names]


async def unreadable(scope: AsyncScoped, *pools: str) -> bool:
    """Whether none of some pools is there for a scope, by whatever verb it asks."""
    for pool in pools:
        for ask in (scope.pools.read(pool), scope.pools.get(pool), scope.pools.history(pool)):
            with pytest.raises(NotFoundError):
                await ask
    return not {one.id for one in await scope.pools.find()} & {*pools}


async def test_a_finding_is_shared_built_upon_and_taken_back_with_what_was_built(memory: AsyncMemory) -> None:
    scout, writer, tester = agents(memory, "scout", "writer", "tester")
    found = (await scout.observe("The login times out after 30 seconds behind the proxy")).records[0]
    assert not await writer.recall("Why does the login time out?"), "what an agent found out is its own"

    sprint = await scout.pools.create("sprint 12", data={"goal": "a login that works"})
    assert await unreadable(writer, sprint.id), "nobody else may read it"
    given = await scout.pools.grant(sprint.id, "read", agent="writer")
    await scout.pools.share(sprint.id, "findings.login", found)
    finding = await writer.pools.read(sprint.id, "findings.login")
    assert finding["text"] == "The login times out after 30 seconds behind the proxy"
    with pytest.raises(AccessError):
        await writer.pools.write(sprint.id, "goal", "something else")

    draft = await writer.pools.create("fix", data={"plan": "raise the timeout of the proxy"}, sources=[sprint.id])
    checklist = await writer.pools.create("checklist", data={"steps": 3}, sources=[draft.id])
    await writer.pools.grant(checklist.id, "read", agent="tester")
    assert await unreadable(tester, checklist.id), "it was made of what the tester may not read"
    for pool in (sprint, draft):
        owner = scout if pool is sprint else writer
        await owner.pools.grant(pool.id, "read", agent="tester")
    assert await tester.pools.read(checklist.id, "steps") == 3

    await scout.pools.revoke(given.id)
    assert await unreadable(writer, sprint.id, draft.id, checklist.id), "not even what it made of it itself"
    assert await tester.pools.read(checklist.id, "steps") == 3, "who may read all of it still may"
    actions = [(line.agent, line.action) for line in await scout.pools.log(sprint.id)]
    assert ("writer", "read") in actions
    assert actions[0] == ("scout", "revoke read")

    again = await scout.pools.grant(sprint.id, "read", agent="writer")
    assert await writer.pools.read(draft.id, "plan") == "raise the timeout of the proxy"
    await scout.pools.revoke(again.id)
    await scout.pools.unshare(found)
    assert "findings" not in await tester.pools.read(sprint.id) or "login" not in await tester.pools.read(
        sprint.id, "findings"
    )


async def test_two_agents_who_write_at_once_notice(memory: AsyncMemory) -> None:
    scout, writer = agents(memory, "scout", "writer")
    pool = await scout.pools.create("sprint", data={"open": 3, "risks": {"proxy": "high"}})
    await scout.pools.grant(pool.id, "write", agent="writer")
    await writer.pools.merge(pool.id, {"risks": {"disk": "low"}}, expect=1)
    with pytest.raises(VersionError):
        await scout.pools.write(pool.id, "open", 2, expect=1)
    assert await scout.pools.read(pool.id) == {"open": 3, "risks": {"proxy": "high", "disk": "low"}}
    assert await scout.pools.read(pool.id, version=1) == {"open": 3, "risks": {"proxy": "high"}}
    counted = await scout.pools.statistics(pool.id)
    assert (counted.writes, counted.entries) == (2, 2)


async def test_the_nodes_of_a_run_share_a_blackboard_that_ends(memory: AsyncMemory, clock: FrozenClock) -> None:
    scout, writer = agents(memory, "scout", "writer")
    board = await scout.pools.blackboard("run-7")
    await scout.pools.write(board.id, "crawled", ["a.html", "b.html"])
    assert (await writer.pools.blackboard("run-7")).id == board.id
    assert await writer.pools.read(board.id, "crawled") == ["a.html", "b.html"]
    assert await unreadable(memory.scope(tenant="acme", user="bob"), board.id)
    assert await unreadable(memory.scope(tenant="globex", user="alice", agent="scout"), board.id)
    await scout.pools.expire(board.id, at=clock() + timedelta(minutes=1))
    clock.advance(minutes=1)
    assert await unreadable(writer, board.id)


async def test_a_knowledge_base_is_edited_by_name_set_back_and_put_away(memory: AsyncMemory) -> None:
    alice, bob = memory.scope(tenant="acme", user="alice"), memory.scope(tenant="acme", user="bob")
    base = await alice.collections.create("runbook", kind="knowledge_base")
    await alice.collections.grant(base.id, "write", user="bob")
    entry = await alice.collections.add(base.id, "Restart the proxy on Mondays", kind="decision", importance=0.5)
    before = await alice.collections.snapshot(base.id, "before the review")
    edited = await bob.collections.edit(base.id, entry.id, "Restart the proxy on Tuesdays", expect=entry.version)
    assert (edited.version, edited.editor) == (entry.version + 1, "bob")
    boosted = await bob.collections.boost(base.id, entry.id)
    reduced = await bob.collections.reduce(base.id, entry.id, by=0.3)
    assert boosted.importance == pytest.approx(0.6)
    assert reduced.importance == pytest.approx(0.3)
    assert reduced.relevance < boosted.relevance
    assert texts(await alice.collections.search(base.id, "When is the proxy restarted?")) == [
        "Restart the proxy on Tuesdays"
    ]
    [back] = await alice.collections.restore(base.id, before.id)
    assert (back.text, back.importance) == ("Restart the proxy on Mondays", 0.5)
    assert [one.text for one in await bob.collections.history(base.id, entry.id)][-1] == "Restart the proxy on Mondays"
    await alice.collections.archive(base.id)
    assert await bob.collections.find() == ()
    await alice.collections.unarchive(base.id)
    assert [one.name for one in await bob.collections.find()] == ["runbook"]


async def test_what_is_used_stays_and_what_is_not_goes(memory: AsyncMemory, clock: FrozenClock) -> None:
    [scout] = agents(memory, "scout")
    await scout.entries.set("vpn", "The staging server needs the VPN", type="observation")
    await scout.entries.set("lunch", "Lunch is at noon today", type="observation")
    for _ in range(5):
        assert await scout.entries.get("vpn")
    assert await scout.entries.get("lunch")
    clock.advance(hours=1, seconds=1)
    assert await scout.entries.get("vpn") is None, "an hour is what an entry lasts"
    await scout.entries.clean()
    promoted = await scout.entries.promote()
    assert len(promoted.records) == 1
    assert texts(await scout.recall("What does the staging server need?")) == ["The staging server needs the VPN"]
    assert "noon" not in repr([line async for line in scout.export()])


async def test_a_desk_holds_what_a_task_works_with_and_hands_a_key_over(
    memory: AsyncMemory, clock: FrozenClock
) -> None:
    scout, writer = agents(memory, "scout", "writer")
    desk = scout.working("s1")
    await desk.set("token", "abc", ttl=300)
    await desk.set("page", 4)
    await desk.note("task", {"step": "crawl"})
    await desk.note("results", {"pages": 12}, name="crawl")
    await desk.note("tools", {"cursor": 40}, name="search")
    await desk.push("scratch", "the proxy is odd")
    await desk.push("scratch", "ask Bob")
    assert (await desk.get("token"), await desk.exists("token"), await desk.keys()) == ("abc", True, ("page", "token"))
    await desk.share_with("writer", "page")
    assert await writer.working("s2").shared_by("scout", "page") == 4
    assert await writer.working("s1").keys() == ()
    clock.advance(minutes=5)
    assert (await desk.exists("token"), await desk.keys()) == (False, ("page",))
    await desk.persist()
    await desk.clear()
    assert (await desk.view()).task is None
    view = await desk.load()
    assert (view.task, view.keys, view.scratch) == ({"step": "crawl"}, {"page": 4}, "the proxy is odd\nask Bob")
    assert (view.results, view.tools) == ({"crawl": {"pages": 12}}, {"search": {"cursor": 40}})
    await scout.working(run="run-7").set("shared by nodes", 1)
    assert await scout.working(run="run-7").keys() == ("shared by nodes",)


async def test_who_may_read_is_who_was_named_until_then(memory: AsyncMemory, clock: FrozenClock) -> None:
    [scout] = agents(memory, "scout")
    bob, crew, eve = (
        memory.scope(tenant=tenant, user=user, team=team)
        for tenant, user, team in (("acme", "bob", None), ("acme", "carla", "crew"), ("globex", "bob", "crew"))
    )
    pool = await scout.pools.create("sprint", data={"goal": "ship"})
    public = await scout.pools.create("news", reach="account", data={"today": "demo"})
    private = await scout.pools.create("diary", kind="agent_private", data={"mood": "fine"})
    assert {one.id for one in await bob.pools.find()} == {public.id}, "without a grant only what is everyone's"
    await scout.pools.grant(pool.id, "read", user="bob", until=clock() + timedelta(hours=1))
    await scout.pools.grant(pool.id, "read", team="crew")
    for scope in (bob, crew):
        assert await scope.pools.read(pool.id, "goal") == "ship"
        assert await unreadable(scope, private.id)
        with pytest.raises(AccessError):
            await scope.pools.grant(pool.id, "read", user="dave")
    with pytest.raises(InputError, match="private"):
        await scout.pools.grant(private.id, "read", user="bob")
    clock.advance(hours=1)
    assert await unreadable(bob, pool.id)
    assert await crew.pools.read(pool.id, "goal") == "ship"
    assert await unreadable(eve, pool.id, public.id, private.id)


async def test_a_container_holds_entries_of_every_kind(memory: AsyncMemory) -> None:
    [scout] = agents(memory, "scout")
    for kind in ("agent_memory", "knowledge_base", "shared_context", "tool_cache", "project_context"):
        base = await scout.collections.create(f"a {kind}", kind=kind)
        assert [one.id for one in await scout.collections.find(kind=kind)] == [base.id]
    kinds = ["fact", "observation", "reflection", "decision", "plan", "tool_output", "summary"]
    for kind in kinds:
        await scout.collections.add(base.id, f"This is one {kind} of the sprint", kind=kind)
    assert sorted(one.kind for one in await scout.collections.entries(base.id)) == sorted(kinds)
    assert [one.kind for one in await scout.collections.entries(base.id, kinds=["plan"])] == ["plan"]
    for type_ in ("task_context", "conversation", "tool_result", "reflection", "observation"):
        assert (await scout.entries.set(type_, {"of": type_}, type=type_)).ttl_seconds == 3_600
        assert [one.key for one in await scout.entries.find(type=type_)] == [type_]
