"""Pools: written, merged and read again as they were; granted, taken back, and hidden from whoever may not."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from flows.helpers import rows
from memoranda import AsyncMemory, AsyncScoped, Settings
from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.rows import AccessLog, Event, Pool
from memoranda.errors import AccessError, InputError, NotFoundError, ScopeError, VersionError
from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

COMMONS = Owner("acme", SHARED)


class Kept:
    """A store that is another's to close."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def close(self) -> None:
        pass


def counted(call: Any, counts: list[int]) -> Any:
    """A call that adds to the last of some counts, unless another task makes it, such as the writer of the journal."""
    mine = asyncio.current_task()

    async def counting(*given: Any) -> Any:
        counts[-1] += asyncio.current_task() is mine
        return await call(*given)

    return counting


@pytest.fixture
def bob(memory: AsyncMemory) -> AsyncScoped:
    return memory.scope(tenant="acme", user="bob")


async def test_what_is_written_is_read_at_every_version(alice: AsyncScoped, clock: FrozenClock) -> None:
    pool = await alice.pools.create("sprint", data={"goal": "ship"})
    assert (pool.version, pool.holder, pool.kind, pool.reach) == (1, "alice", "shared", "agent")
    clock.advance(days=1)
    second = await alice.pools.write(pool.id, "findings.db", {"slow": True}, expect=1)
    assert (second.version, second.changed_at) == (2, clock())
    third = await alice.pools.merge(pool.id, {"goal": None, "findings": {"db": {"cause": "no index"}}}, expect=2)
    assert third.data == {"findings": {"db": {"slow": True, "cause": "no index"}}}
    assert await alice.pools.read(pool.id) == third.data
    assert await alice.pools.read(pool.id, "findings.db.cause") == "no index"
    assert await alice.pools.read(pool.id, version=2) == {"goal": "ship", "findings": {"db": {"slow": True}}}
    assert await alice.pools.read(pool.id, "goal", version=1) == "ship"
    assert (await alice.pools.get(pool.id)).version == 3
    assert [(one.version, one.by, one.path, one.merge) for one in await alice.pools.history(pool.id)] == [
        (1, "alice", None, False),
        (2, "alice", "findings.db", False),
        (3, "alice", None, True),
    ]
    for version in (4, 9):
        with pytest.raises(NotFoundError, match=f"no version {version} of this pool; it has 3"):
            await alice.pools.read(pool.id, version=version)
    with pytest.raises(NotFoundError, match="nothing at 'goal'"):
        await alice.pools.read(pool.id, "goal")


async def test_who_expects_another_version_is_told_both(alice: AsyncScoped, store: Store) -> None:
    pool = await alice.pools.create("sprint")
    await alice.pools.write(pool.id, None, {"a": 1})
    for change in (alice.pools.write(pool.id, "b", 2, expect=1), alice.pools.merge(pool.id, {"b": 2}, expect=1)):
        with pytest.raises(VersionError, match="has version 2, not 1") as caught:
            await change
        assert (caught.value.expected, caught.value.found) == (1, 2)
    [kept] = await rows(store, Pool, COMMONS)
    assert (kept.version, kept.data) == (2, {"a": 1})
    assert len(await rows(store, Event, COMMONS)) == 2


async def test_of_many_who_expect_one_version_one_writes(alice: AsyncScoped, store: Store, clock: FrozenClock) -> None:
    pool = await alice.pools.create("sprint")
    async with await AsyncMemory.open(Kept(store), embedder="none", clock=clock, ids=SequentialIds("b")) as other:
        bob = other.scope(tenant="acme", user="alice")
        both = [alice, bob] * 5
        tried = [one.pools.write(pool.id, f"a{number}", 1, expect=1) for number, one in enumerate(both)]
        done = await asyncio.gather(*tried, return_exceptions=True)
        assert sum(isinstance(one, Pool) for one in done) == 1
        assert sum(isinstance(one, VersionError) for one in done) == 9
        await asyncio.gather(*(one.pools.merge(pool.id, {f"b{number}": 1}) for number, one in enumerate(both)))
        found = await bob.pools.get(pool.id)
        assert (found.version, len(found.data)) == (12, 11)
        assert [one.version for one in await alice.pools.history(pool.id)] == list(range(1, 13))


async def test_a_write_sees_what_others_wrote_while_it_looked(clock: FrozenClock) -> None:
    """A store in which, just after a write has read the pool, another process writes it and a reader learns of that."""

    class Meanwhile(DictStore):
        between: Any = None

        async def find(self, owner: Owner, *queries: Any) -> Any:
            page = await super().find(owner, *queries)
            if any(query.kind is Pool for query in queries) and (between := self.between):
                self.between = None
                await between()
            return page

    store = Meanwhile()
    async with await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds()) as memory:
        other = await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds("other"))
        here, there = (one.scope(tenant="acme", user="alice") for one in (memory, other))
        pool, base = await here.pools.create("sprint"), await here.collections.create("base")

        async def between() -> None:
            await there.pools.write(pool.id, "theirs", 1)
            await here.collections.entries(base.id)

        store.between = between
        assert (await here.pools.write(pool.id, "mine", 2)).version == 3
        assert await here.pools.read(pool.id) == {"theirs": 1, "mine": 2}
        assert [one.path for one in await here.pools.history(pool.id)] == [None, "theirs", "mine"]


async def test_statistics_tell_size_and_use(alice: AsyncScoped, clock: FrozenClock, store: Store) -> None:
    pool = await alice.pools.create("sprint", data={"a": 1, "b": [2]})
    made = clock()
    clock.advance(hours=1)
    for _ in range(3):
        await alice.pools.read(pool.id)
    told = await alice.pools.statistics(pool.id)
    assert (told.size, told.entries, told.reads, told.writes) == (len('{"a": 1, "b": [2]}'), 2, 3, 1)
    assert (told.last_read, told.last_write) == (clock(), made)
    assert [(one.action, one.actor) for one in await alice.pools.log(pool.id)][-1] == ("create", "alice")
    assert [one.action for one in await alice.pools.log(pool.id, limit=3)] == ["read"] * 3
    assert len(await rows(store, AccessLog, COMMONS)) == 4


async def test_a_pool_that_is_over_is_not_there(alice: AsyncScoped, clock: FrozenClock) -> None:
    pool = await alice.pools.create("sprint", expires=clock() + timedelta(days=1))
    other = await alice.pools.create("retro")
    clock.advance(days=1)
    with pytest.raises(NotFoundError, match="no pool"):
        await alice.pools.read(pool.id)
    assert [one.id for one in await alice.pools.find()] == [other.id]
    later = clock() + timedelta(hours=1)
    assert (await alice.pools.expire(other.id, at=later)).expires_at == later
    assert (await alice.pools.expire(other.id)).expires_at == clock()
    assert await alice.pools.find() == ()
    with pytest.raises(InputError, match=r"expires is .* which is over"):
        await alice.pools.create("sprint", expires=clock())


async def test_a_grant_lets_in_and_its_revocation_shuts_out(alice: AsyncScoped, bob: AsyncScoped) -> None:
    pool = await alice.pools.create("sprint", data={"a": 1})
    other = await bob.pools.create("own")
    given = await alice.pools.grant(pool.id, user="bob")
    assert await bob.pools.read(pool.id) == {"a": 1}
    assert [one.id for one in await bob.pools.find()] == [pool.id, other.id]
    for verb in (bob.pools.write(pool.id, "a", 2), bob.pools.merge(pool.id, {}), bob.pools.expire(pool.id)):
        with pytest.raises(AccessError, match="can be read here, and nothing more"):
            await verb
    for verb in (bob.pools.grants(pool.id), bob.pools.log(pool.id), bob.pools.grant(pool.id, user="eve")):
        with pytest.raises(AccessError, match="admin has to be granted"):
            await verb
    with pytest.raises(AccessError, match="admin has to be granted"):
        await bob.pools.revoke(given.id)
    written = await alice.pools.grant(pool.id, "write", user="bob", agent="writer")
    assert (await bob.pools.write(pool.id, "a", 2)).version == 2
    for verb in (bob.pools.expire(pool.id), bob.pools.log(pool.id), bob.pools.grant(pool.id, user="eve")):
        with pytest.raises(AccessError, match="admin has to be granted"):
            await verb
    assert (await alice.pools.revoke(given.id)).revoked_by == "alice"
    await alice.pools.revoke(written.id)
    with pytest.raises(NotFoundError, match="no pool"):
        await bob.pools.read(pool.id)
    assert [one.id for one in await bob.pools.find()] == [other.id]
    assert [(one.level, one.revoked_at is None) for one in await alice.pools.grants(pool.id)] == [
        ("read", False),
        ("write", False),
    ]
    with pytest.raises(NotFoundError, match="no grant"):
        await alice.pools.revoke(given.id)
    assert [one.action for one in await alice.pools.log(pool.id)][:2] == ["revoke write", "revoke read"]


async def test_nobody_makes_a_right_outlast_the_one_it_was_given_by(
    memory: AsyncMemory, alice: AsyncScoped, bob: AsyncScoped, clock: FrozenClock
) -> None:
    carol, dave = (memory.scope(tenant="acme", user=user) for user in ("carol", "dave"))
    pool = (await alice.pools.create("sprint")).id
    end = clock() + timedelta(days=1)
    first = await alice.pools.grant(pool, "admin", user="bob", until=end)
    assert (first.under, first.expires_at) == (None, end)
    again = await bob.pools.grant(pool, "admin", user="bob")
    assert (again.under, again.expires_at) == (first.id, end)
    assert (await bob.pools.grant(pool, user="carol", until=end - timedelta(hours=1))).expires_at < end
    lasting = await alice.pools.grant(pool, "admin", user="carol")
    given = await carol.pools.grant(pool, user="dave")
    assert (given.under, given.expires_at) == (lasting.id, None)
    await alice.pools.revoke(first.id)
    for found, scope in ((0, bob), (1, carol), (1, dave)):
        assert len(await scope.pools.find()) == found
    with pytest.raises(NotFoundError, match="no pool"):
        await bob.pools.read(pool)
    with pytest.raises(NotFoundError, match="no grant"):
        await bob.pools.revoke(again.id)
    await alice.pools.revoke(lasting.id)
    assert await dave.pools.find() == ()
    await alice.pools.grant(pool, "admin", user="bob", until=end)
    await bob.pools.grant(pool, everyone=True)
    assert len(await dave.pools.find()) == 1
    clock.advance(days=1)
    assert await dave.pools.find() == ()


async def test_of_two_who_revoke_one_does(alice: AsyncScoped) -> None:
    pool = await alice.pools.create("sprint")
    given = await alice.pools.grant(pool.id, user="bob")
    both = await asyncio.gather(*(alice.pools.revoke(given.id) for _ in range(2)), return_exceptions=True)
    assert sorted(type(one).__name__ for one in both) == ["Grant", "NotFoundError"]
    assert [one.action for one in await alice.pools.log(pool.id)].count("revoke read") == 1


async def test_a_grant_of_what_one_may_not_read_does_not_exist(
    alice: AsyncScoped, bob: AsyncScoped, store: Store
) -> None:
    pool = await alice.pools.create("sprint")
    given = await alice.pools.grant(pool.id, user="eve")
    said = []
    reads: list[int] = []
    for read in ("find", "get"):
        setattr(store, read, counted(getattr(store, read), reads))
    for grant in (given.id, "g-none"):
        reads.append(0)
        with pytest.raises(NotFoundError) as caught:
            await bob.pools.revoke(grant)
        said.append(str(caught.value).replace(grant, "…"))
    assert said[0] == said[1]
    assert reads[0] == reads[1]
    assert [one.revoked_at for one in await alice.pools.grants(pool.id)] == [None]


async def test_only_the_reads_of_the_call_itself_are_counted(
    memory: AsyncMemory, alice: AsyncScoped, store: Store
) -> None:
    await alice.pools.create("sprint")
    asked = [0]
    store.find = counted(store.find, asked)  # type: ignore[method-assign]
    await memory._runtime.journal.settle()  # the audit of what was written to the commons
    assert asked == [0]


async def test_the_oldest_of_the_access_log_goes() -> None:
    async with await AsyncMemory.open(embedder="none", settings=Settings(context_log_rows=3)) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        pool = await alice.pools.create("sprint")
        for _ in range(9):
            await alice.pools.read(pool.id)
            told = await alice.pools.statistics(pool.id)
        assert [one.action for one in await alice.pools.log(pool.id)] == ["read"] * 3
        assert told.reads == 9


async def test_grants_end_and_are_to_agents_teams_and_everyone(memory: AsyncMemory, clock: FrozenClock) -> None:
    mine = memory.scope(tenant="acme", user="alice", agent="planner")
    pool = await mine.pools.create("sprint")

    async def readers() -> list[str]:
        found = []
        for user, agent, team in (
            ("alice", "writer", None),
            ("bob", None, None),
            ("bob", "writer", None),
            ("eve", None, "red"),
        ):
            scope = memory.scope(tenant="acme", user=user, agent=agent, team=team)
            found += [f"{user}/{agent}"] * len(await scope.pools.find())
        return found

    assert await readers() == []
    await mine.pools.grant(pool.id, agent="writer", until=clock() + timedelta(days=1))
    assert await readers() == ["alice/writer"]
    clock.advance(days=1)
    assert await readers() == []
    await mine.pools.grant(pool.id, user="bob", agent="writer")
    assert await readers() == ["bob/None", "bob/writer"]
    await mine.pools.grant(pool.id, team="red")
    assert await readers() == ["bob/None", "bob/writer", "eve/None"]
    await mine.pools.grant(pool.id, everyone=True)
    assert await readers() == ["alice/writer", "bob/None", "bob/writer", "eve/None"]
    assert await memory.scope(tenant="other", user="alice", agent="planner").pools.find() == ()


async def test_for_whom_a_pool_is_meant_is_granted(memory: AsyncMemory, bob: AsyncScoped) -> None:
    alice = memory.scope(tenant="acme", user="alice", agent="planner", team="red", task="t1")
    mate = memory.scope(tenant="acme", user="eve", team="red")
    account = await alice.pools.create("all", reach="account")
    team = await alice.pools.create("ours", kind="team_shared")
    task = await alice.pools.create("now", kind="task_scoped")
    private = await alice.pools.create("mine", kind="agent_private")
    assert (team.reach, task.reach, task.task, private.reach) == ("team", "task", "t1", "agent")
    assert [pool.id for pool in await bob.pools.find()] == [account.id]
    assert [pool.id for pool in await mate.pools.find()] == [account.id, team.id]
    assert (await mate.pools.write(team.id, "a", 1)).version == 2
    assert [pool.id for pool in await alice.pools.find(kind="agent_private")] == [private.id]
    assert [pool.id for pool in await alice.pools.find(task="t1")] == [one.id for one in (account, team, task, private)]
    with pytest.raises(InputError, match="private to its agent"):
        await alice.pools.grant(private.id, user="bob")
    for reach in ("account", "global", "team", "task", "workflow"):
        with pytest.raises(InputError, match=f"cannot be meant for others; leave reach='{reach}' out"):
            await alice.pools.create("x", kind="agent_private", reach=reach)
    for kind, needed in (("agent_private", "agent"), ("team_shared", "team"), ("task_scoped", "task")):
        with pytest.raises(InputError, match=f"needs a scope that names its {needed}"):
            await bob.pools.create("x", kind=kind)


async def test_what_is_for_a_task_is_held_by_the_agents_that_work_on_it(memory: AsyncMemory) -> None:
    def agent(name: str, task: str | None = "t1", user: str = "alice", channel: str = "_global") -> AsyncScoped:
        return memory.scope(tenant="acme", user=user, agent=name, task=task, channel=channel)

    pool = await agent("planner").pools.create("case", kind="task_scoped", data={"a": 1})
    assert (await agent("writer").pools.merge(pool.id, {"b": 2})).data == {"a": 1, "b": 2}
    for other in (agent("writer", None), agent("writer", "t2"), agent("writer", user="bob")):
        assert await other.pools.find() == ()
        with pytest.raises(NotFoundError):
            await other.pools.read(pool.id)
    own = await agent("planner", channel="side").pools.create("case", kind="task_scoped")
    assert [one.id for one in await agent("writer").pools.find()] == [pool.id]
    assert own.id in [one.id for one in await agent("writer", channel="side").pools.find()]
    plain = await agent("planner").pools.create("of an agent", reach="agent")
    assert plain.id not in [one.id for one in await agent("writer").pools.find()]


async def test_what_was_derived_goes_with_what_it_was_derived_from(alice: AsyncScoped, bob: AsyncScoped) -> None:
    source, second = await alice.pools.create("source"), await alice.pools.create("second")
    given = [await alice.pools.grant(one.id, user="bob") for one in (source, second)]
    derived = await bob.pools.create("derived", sources=[source.id, second.id, source.id], data={"sum": 1})
    deeper = await bob.pools.create("deeper", sources=[derived.id])
    assert derived.sources == (source.id, second.id)
    await bob.pools.grant(deeper.id, everyone=True)
    with pytest.raises(NotFoundError, match="no pool"):
        await alice.pools.read(deeper.id)  # she may not read what it was derived from
    await bob.pools.grant(derived.id, user="alice")
    assert await alice.pools.read(deeper.id) == {}
    await alice.pools.revoke(given[1].id)
    for one in (derived, deeper, second):
        with pytest.raises(NotFoundError, match="no pool"):
            await bob.pools.read(one.id)
    assert [pool.id for pool in await bob.pools.find()] == [source.id]
    with pytest.raises(NotFoundError, match="no pool or collection"):
        await bob.pools.create("again", sources=[second.id])


async def test_what_was_derived_outlives_its_source(alice: AsyncScoped) -> None:
    source = await alice.pools.create("source")
    derived = await alice.pools.create("derived", sources=[source.id], data={"a": 1})
    await alice.pools.expire(source.id)
    assert await alice.pools.read(derived.id, "a") == 1


async def test_a_run_has_one_blackboard(memory: AsyncMemory, bob: AsyncScoped) -> None:
    planner = memory.scope(tenant="acme", user="alice", agent="planner")
    writer = memory.scope(tenant="acme", user="alice", agent="writer")
    board = await planner.pools.blackboard("run-7")
    assert (board.kind, board.reach, board.task, board.agent) == ("blackboard", "workflow", "run-7", None)
    await planner.pools.write(board.id, "step", 1)
    assert (await writer.pools.blackboard("run-7")).data == {"step": 1}
    assert (await bob.pools.blackboard("run-7")).id != board.id
    assert (await planner.pools.blackboard("run-8")).id != board.id
    elsewhere = memory.scope(tenant="acme", user="alice", channel="boat")
    assert (await elsewhere.pools.blackboard("run-7")).id != board.id
    await planner.pools.expire(board.id)
    with pytest.raises(NotFoundError, match="no pool"):
        await planner.pools.blackboard("run-7")


HIDDEN: list[tuple[str, dict[str, Any]]] = [
    ("get", {}), ("read", {}), ("write", {"path": "a", "value": 1}), ("merge", {"data": {}}), ("history", {}),
    ("statistics", {}), ("expire", {}), ("grant", {"everyone": True}), ("grants", {}), ("log", {}),
]  # fmt: skip


@pytest.mark.parametrize(("verb", "options"), HIDDEN)
async def test_what_may_not_be_read_does_not_exist(memory: AsyncMemory, verb: str, options: dict[str, Any]) -> None:
    planner = memory.scope(tenant="acme", user="alice", agent="planner", channel="boat")
    secret = (await planner.pools.create("treasure", data={"where": "lighthouse"})).id
    others = [
        memory.scope(tenant="acme", user="alice", agent="planner"),
        memory.scope(tenant="acme", user="bob"),
        memory.scope(tenant="acme", user="bob", agent="planner"),
        memory.scope(tenant="acme", user="alice", agent="writer"),
        memory.scope(tenant="other", user="alice", agent="planner"),
    ]
    for other in others:
        said = []
        for pool in (secret, "p-none"):
            with pytest.raises(NotFoundError) as caught:
                await getattr(other.pools, verb)(pool, **options)
            said.append(str(caught.value).replace(pool, "…"))
        assert said[0] == said[1]
    assert await planner.pools.read(secret) == {"where": "lighthouse"}


async def test_hidden_and_absent_take_the_same_reads(memory: AsyncMemory, alice: AsyncScoped, store: Store) -> None:
    deep = await alice.pools.create("source")
    pool = await alice.pools.create("derived", sources=[deep.id])
    asked: list[int] = []
    bob = memory.scope(tenant="acme", user="bob")
    store.find = counted(store.find, asked)  # type: ignore[method-assign]
    for name in (pool.id, "p-none"):
        asked.append(0)
        with pytest.raises(NotFoundError):
            await bob.pools.read(name)
    assert asked[0] == asked[1]


async def test_what_is_too_large_or_no_object_is_refused() -> None:
    async with await AsyncMemory.open(embedder="none", settings=Settings(max_characters=50)) as small:
        alice = small.scope(tenant="acme", user="alice")
        pool = await alice.pools.create("sprint")
        with pytest.raises(InputError, match=r"at most 50 are (kept|taken at once)"):
            await alice.pools.write(pool.id, "a", "x" * 60)
        with pytest.raises(InputError, match="at most 50 are kept"):
            await alice.pools.write(pool.id, "a", ["x" * 30, "y" * 30])
        with pytest.raises(InputError, match="leads through 1"):
            await alice.pools.write((await alice.pools.write(pool.id, "a", 1)).id, "a.b", 2)
        with pytest.raises(InputError, match=r"path is 'a\.\.b'"):
            await alice.pools.write(pool.id, "a..b", 1)
        with pytest.raises(InputError, match="Say to whom"):
            await alice.pools.grant(pool.id)


async def test_through_the_whole_of_a_user_pools_are_read_only(memory: AsyncMemory, alice: AsyncScoped) -> None:
    pool = await alice.pools.create("sprint", data={"a": 1})
    whole = memory.scope(tenant="acme", user="alice", whole=True)
    assert (await whole.pools.read(pool.id, "a")) == 1
    for verb in (whole.pools.create("x"), whole.pools.blackboard("r"), whole.pools.write(pool.id, "a", 2)):
        with pytest.raises(ScopeError, match="whole=True"):
            await verb
