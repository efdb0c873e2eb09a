"""The router: one key in four strata, one ranking over them, a conversation consolidated, everything counted."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from flows.helpers import MORNING, Broken, everything, fails, rows, says
from flows.test_leaks import HOME, STRANGERS
from memoranda import AsyncMemory, AsyncScoped, Settings
from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.rows import Event, Record, key_of
from memoranda.core.rows.cells import Content, Place
from memoranda.errors import AccessError, InputError, NotFoundError, ScopeError, StoreError, StoreUnavailableError
from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore
from memoranda.stores.dict_cache import DictCache
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

STRATA = ("working", "short_term", "long_term", "shared")
LASTING = ("short_term", "long_term")


class Failing(DictCache):
    """A cache that can be down."""

    down = False

    def _check_open(self) -> None:
        super()._check_open()
        if self.down:
            raise StoreUnavailableError("Redis cannot be reached")


@pytest.fixture
def here(memory: AsyncMemory) -> AsyncScoped:
    return memory.scope(tenant="acme", user="alice", conversation="c")


async def told(scoped: AsyncScoped, key: str, **options: Any) -> Any:
    """What lies under a key; "nothing" if nothing does."""
    try:
        return (await scoped.router.read(key, **options)).value
    except NotFoundError:
        return "nothing"


# -------------------------------------------------------------------------------------------------- keys


async def test_a_read_takes_the_nearest_stratum(here: AsyncScoped) -> None:
    pool = (await here.pools.create("sprint")).id
    for stratum in STRATA:
        which = pool if stratum == "shared" else None
        made = await here.router.write("harbour", {"in": stratum}, stratum, pool=which)
        assert (made.key, made.stratum, made.value, made.pool) == ("harbour", stratum, {"in": stratum}, which)
        assert await here.router.read("harbour", stratum=stratum) == made
    for stratum in STRATA:
        found = await here.router.read("harbour")
        assert (found.stratum, found.value) == (stratum, {"in": stratum})
        if stratum == "working":
            await here.working().delete("harbour")
        elif stratum == "short_term":
            await here.entries.delete("harbour")
        elif found.id:
            await here.forget(record=found.id)
    await here.pools.write(pool, None, {})
    with pytest.raises(NotFoundError, match="'harbour' here, in working or short_term or long_term or shared memory"):
        await here.router.read("harbour")
    for stratum in STRATA:
        with pytest.raises(NotFoundError, match=f"'harbour' here, in {stratum} memory"):
            await here.router.read("harbour", stratum=stratum)


@pytest.mark.parametrize("stratum", STRATA)
async def test_a_new_value_takes_the_place_of_the_old(here: AsyncScoped, stratum: str, clock: FrozenClock) -> None:
    pool = (await here.pools.create("sprint")).id if stratum == "shared" else None
    for value in (5, "five", [5, None], {"five": 5}, "five", True):
        clock.advance(seconds=1)
        assert (await here.router.write("limit", value, stratum, pool=pool)).value == value
        assert await told(here, "limit") == value


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Oslo", "OSLO"), ("a  b", "a b"), ("yes!", "yes."), ("3", 3), (1, True), (0, False), (1, 1.0), ("[]", []),
        ({"deep": [[{}]]}, {"deep": [[]]}), ({"a": [1]}, {"a": [True]}),
    ],
)  # fmt: skip
async def test_values_that_read_alike_are_not_one(
    alice: AsyncScoped, clock: FrozenClock, one: Any, other: Any, store: Store
) -> None:
    for value in (one, other, one, other):
        clock.advance(seconds=1)
        for made in (await alice.router.write("k", value, "long_term"), await alice.router.read("k")):
            assert (repr(made.value), type(made.value)) == (repr(value), type(value))
    held = [row for row in await rows(store, Record) if row.superseded_at is None]
    assert sum(row.valid_to is None for row in held) == 1


@pytest.mark.parametrize("stratum", STRATA)
async def test_what_no_database_can_keep_is_refused(here: AsyncScoped, stratum: str) -> None:
    pool = (await here.pools.create("sprint")).id if stratum == "shared" else None
    for value in (float("nan"), 10**5_000, [10**5_000], {1: 2}, (1,), b"1", object(), None):
        with pytest.raises(InputError, match="value"):
            await here.router.write("k", value, stratum, pool=pool)  # type: ignore[arg-type] # none of it is JSON
    assert await told(here, "k") == "nothing"


@pytest.mark.parametrize("stratum", LASTING)
async def test_a_key_means_what_is_nearest(memory: AsyncMemory, alice: AsyncScoped, stratum: str) -> None:
    clerk = memory.scope(tenant="acme", user="alice", agent="clerk")
    channel = memory.scope(tenant="acme", user="alice", agent="clerk", channel="tidepool")
    for place, (scoped, conversation) in enumerate(
        [(alice, None), (clerk, None), (channel, None), (alice, "a"), (clerk, "a"), (clerk, "b")]
    ):
        assert (await scoped.router.write("plan", place, stratum, conversation=conversation)).value == place
    asked = [(alice, "z"), (clerk, "z"), (channel, "z"), (alice, "a"), (clerk, "a"), (channel, "b"), (clerk, "b")]
    found = [await clerk.router.read("plan", conversation="b", stratum=stratum)]
    assert [(one.conversation, one.value) for one in found] == [("b", 5)]
    assert [await told(one, "plan", conversation=name) for one, name in asked] == [0, 1, 2, 3, 4, 5, 5]
    assert (await alice.router.read("plan", conversation="z")).conversation is None


@pytest.mark.parametrize("stratum", LASTING)
async def test_where_no_conversation_is_named_the_newest_counts(
    alice: AsyncScoped, clock: FrozenClock, stratum: str
) -> None:
    for name in ("a", "b.c", "a"):
        clock.advance(seconds=1)
        await alice.router.write("plan", f"of {name}", stratum, conversation=name)
        assert await told(alice, "plan") == f"of {name}"
    await alice.router.write("plan.b", "another", stratum)
    assert (await told(alice, "plan"), await told(alice, "plan", conversation="b")) == ("of a", "nothing")


async def test_what_is_kept_for_good_has_a_history(alice: AsyncScoped, clock: FrozenClock, store: Store) -> None:
    old = await alice.router.write("harbour", "Oslo", "long_term")
    clock.advance(days=1)
    new = await alice.router.write("harbour", "Bergen", "long_term")
    assert new.id
    told_of = [(row.text, row.valid_to is None) for row in await alice.history(new.id)]
    assert told_of[-1] == ("harbour: Bergen", True)
    assert ("harbour: Oslo", False) in told_of
    assert "harbour: Bergen" in [item.text for item in await alice.recall("Which harbour?", kinds=["observation"])]
    assert "harbour" not in str((await alice.profile()).plain())
    await alice.forget(record=new.id)
    found = await alice.router.read("harbour")
    assert (found.value, found.id) == ("Oslo", old.id)
    assert "bergen" not in str(await everything(store)).lower()
    with pytest.raises(InputError, match="forgotten on request"):
        await alice.router.write("harbour", "Bergen", "long_term")


async def test_forgetting_makes_no_one_value_of_two_that_read_alike(alice: AsyncScoped, clock: FrozenClock) -> None:
    kept = []
    for value in ("Oslo", "OSLO", "Bergen"):
        clock.advance(hours=1)
        kept.append((await alice.router.write("harbour", value, "long_term")).id)
    await alice.forget(record=kept[-1] or "")
    assert (await alice.router.read("harbour")).value == "OSLO"
    told = [row for row in await alice.history(kept[1] or "") if row.superseded_at is None]
    since = [MORNING + timedelta(hours=hours) for hours in (1, 2)]
    assert [(row.id, row.valid_from) for row in told] == [*zip(kept[:2], since, strict=True)]


async def test_the_same_words_under_other_keys_are_other_values(alice: AsyncScoped) -> None:
    await alice.observe("state: done")
    for conversation in (None, "a", "b"):
        await alice.router.write("state", "done", "long_term", conversation=conversation)
    assert [await told(alice, "state", conversation=name) for name in ("a", "b", "z")] == ["done"] * 3
    await alice.router.write("state", "open", "long_term", conversation="a")
    assert [await told(alice, "state", conversation=name) for name in ("a", "b", "z")] == ["open", "done", "done"]


async def test_rules_read_nothing_in_a_value(alice: AsyncScoped, store: Store) -> None:
    await alice.add(says("The boat leaves on Monday."), conversation="c")
    await alice.router.write("note", "I prefer short emails", "long_term")
    await alice.router.write("reply", "No, I meant Tuesday.", "long_term", conversation="c")
    kept = [row for row in await rows(store, Record) if row.editor == "capture"]
    assert {(row.kind, row.text) for row in kept} == {
        ("observation", "note: I prefer short emails"), ("observation", "reply: No, I meant Tuesday."),
    }  # fmt: skip
    assert len(kept) == len(await rows(store, Record))


async def test_by_policy_the_old_value_stands(store: Store, clock: FrozenClock) -> None:
    settings = Settings(conflict_policy="prefer_old")
    async with await AsyncMemory.open(
        store, embedder="none", clock=clock, ids=SequentialIds(), settings=settings
    ) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        await alice.router.write("harbour", "Oslo", "long_term")
        clock.advance(days=1)
        assert (await alice.router.write("harbour", "Bergen", "long_term")).value == "Oslo"


async def test_a_promoted_entry_is_read_by_its_key(alice: AsyncScoped, clock: FrozenClock) -> None:
    await alice.entries.set("crew", ["Ann", "Bob"], type="tool_result", conversation="a")
    await alice.entries.set("state", "done", importance=0.9, conversation="a")
    await alice.entries.set("state", "done", importance=0.9, conversation="b")
    for _ in range(3):
        assert (await alice.router.read("crew")).stratum == "short_term"
    assert (await alice.router.consolidate("a")).entries == 2
    assert (await alice.router.consolidate("b")).entries == 1
    clock.advance(days=1)
    assert (await alice.entries.clean()).left == 0
    crew = await alice.router.read("crew", conversation="a")
    assert (crew.stratum, crew.value, crew.conversation) == ("long_term", ["Ann", "Bob"], "a")
    assert [await told(alice, "state", conversation=name) for name in ("a", "b", "z")] == ["done", "done", "nothing"]


async def test_a_pool_is_named_where_several_have_the_key(memory: AsyncMemory, alice: AsyncScoped) -> None:
    bob = memory.scope(tenant="acme", user="bob")
    one, other = [(await alice.pools.create("sprint", data={"plan": {"a": n}})).id for n in (1, 2)]
    hidden = (await bob.pools.create("secret", data={"plan": 7391})).id
    with pytest.raises(InputError, match=f"several pools: say in which, pool=…, of {one}, {other}"):
        await alice.router.read("plan.a")
    found = await alice.router.read("plan.a", stratum="shared", pool=other)
    assert (found.value, found.stratum, found.pool) == (2, "shared", other)
    await alice.pools.merge(one, {"plan": None})
    assert (await alice.router.read("plan.a")).pool == other
    assert await told(alice, "plan.b") == "nothing"
    assert await told(alice, "plan.a", stratum="shared", pool=one) == "nothing"
    with pytest.raises(NotFoundError, match="find gives the ids"):
        await alice.router.read("plan", stratum="shared", pool=hidden)
    await alice.pools.grant(other, "read", user="bob")
    assert (await bob.router.read("plan.a")).value == 2
    own = await bob.pools.create("own", data={"plan": {"a": 3}})  # what alice shares does not stand in its way
    assert (await bob.router.read("plan.a")).pool == own.id
    with pytest.raises(AccessError, match="write has to be granted"):
        await bob.router.write("plan.a", 3, "shared", pool=other)
    [*_, last] = [line.actor for line in await alice.pools.log(other) if line.action == "read"]
    assert {last} | {line.actor for line in await alice.pools.log(other)} == {"alice", "bob"}


async def test_working_memory_is_of_a_conversation_or_a_run(memory: AsyncMemory, alice: AsyncScoped) -> None:
    for call in (alice.router.read("k", stratum="working"), alice.router.write("k", 1, "working")):
        with pytest.raises(ScopeError, match="name it, as working"):
            await call
    await alice.router.write("k", 1, "working", conversation="c")
    assert (await told(alice, "k"), await told(alice, "k", conversation="c")) == ("nothing", 1)
    run = memory.scope(tenant="acme", user="alice", task="run-7")
    await run.router.write("k", 2, "working")
    assert await told(run, "k") == await run.working().get("k") == 2
    whole = memory.scope(tenant="acme", user="alice", whole=True)
    assert await told(whole, "k", conversation="c") == "nothing"
    for stratum in LASTING:
        with pytest.raises(ScopeError, match="whole=True"):
            await whole.router.write("k", 1, stratum)


async def test_values_end_when_they_are_told_to(here: AsyncScoped, clock: FrozenClock) -> None:
    for stratum in ("working", "short_term"):
        await here.router.write("k", stratum, stratum, ttl_seconds=60)
        await here.router.write("hour", stratum, stratum)
    assert (await told(here, "k"), await told(here, "k", stratum="short_term")) == ("working", "short_term")
    clock.advance(seconds=60)
    assert (await told(here, "k"), await told(here, "hour")) == ("nothing", "working")
    clock.advance(hours=1)
    assert await told(here, "hour") == "nothing"
    for stratum in ("long_term", "shared"):
        with pytest.raises(InputError, match=f"ttl_seconds is 5; give none: what is {stratum} has no such end"):
            await here.router.write("k", 1, stratum, ttl_seconds=5)


# ------------------------------------------------------------------------------------------------ search


async def test_what_is_alone_is_ranked_as_by_recall(alice: AsyncScoped) -> None:
    for text in ("The ferry to Oslo leaves at six", "Oslo is far", "The boat is red", "I prefer the ferry to the boat"):
        await alice.add(says(text), conversation="c")
    found = await alice.router.semantic_search("Which ferry goes to Oslo?", limit=4)
    assert [one.id for one in found.matches] == [
        item.id for item in await alice.recall("Which ferry goes to Oslo?", limit=4)
    ]
    assert {one.stratum for one in found.matches} == {"long_term"}
    scores = [one.score for one in found.matches]
    assert scores == sorted(scores, reverse=True)
    assert len((await alice.router.semantic_search("Which ferry goes to Oslo?", limit=1)).matches) == 1


async def test_all_strata_are_one_ranking(memory: AsyncMemory, alice: AsyncScoped) -> None:
    bob = memory.scope(tenant="acme", user="bob")
    handbook, secret = [(await bob.collections.create(name)).id for name in ("handbook", "secret")]
    grant = await bob.collections.grant(handbook, "read", user="alice")
    entry = await bob.collections.add(handbook, "The ferry to Oslo leaves the northern pier at six")
    await bob.collections.add(secret, "The ferry to Oslo leaves 7391")
    said = await alice.add(says("The ferry to Bergen is slow"), conversation="a")
    held = await alice.entries.set("ferry", {"to": "Oslo", "berth": 4}, conversation="b")
    away = await alice.entries.set("soup", "Leek and potato")
    goal = await alice.goals.add("Take the ferry to Oslo")
    way = await alice.strategies.learn("Ask the harbour for the ferry to Oslo")
    found = (await alice.router.semantic_search("When does the ferry to Oslo leave?")).matches
    where = {one.id: (one.stratum, one.kind, one.key, one.collection, one.called) for one in found}
    assert where[entry.id] == ("shared", "fact", None, handbook, "handbook")
    assert where[held.id] == ("short_term", "task_context", "ferry", None, None)
    assert where[said.events[0]] == ("long_term", "turn", None, None, None)
    assert {where[goal.id][1], where[way.id][1]} == {"goal", "strategy"}
    assert away.id not in where
    assert "7391" not in str(found)
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)
    order = [one.id for one in found]
    assert order.index(held.id) < order.index(said.events[0])
    assert order.index(entry.id) < order.index(said.events[0])
    await bob.collections.revoke(grant.id)
    assert entry.id not in str(await alice.router.semantic_search("When does the ferry to Oslo leave?"))


async def test_what_is_shared_is_found_where_it_bears_on_it(alice: AsyncScoped, clock: FrozenClock) -> None:
    base, archived = [(await alice.collections.create(name)).id for name in ("handbook", "old")]
    entry = await alice.collections.add(base, "The ferry leaves at six")
    await alice.collections.add(archived, "The ferry leaves at five")
    await alice.collections.archive(archived)
    gone = await alice.collections.add(base, "A ferry was here")
    await alice.collections.remove(base, gone.id)
    clock.advance(hours=1)
    [found] = (await alice.router.semantic_search("When does the ferry leave?")).matches
    assert (found.collection, found.id) == (base, entry.id)
    assert (await alice.router.semantic_search("What is a monad?")).matches == ()
    assert [line.action for line in await alice.collections.log(base)].count("search") == 1
    image = await alice._runtime.partitions.current(Owner("acme", SHARED))
    assert image.records[entry.id].access_count == 1


async def test_what_is_found_is_not_counted_where_nothing_is(store: Store, clock: FrozenClock) -> None:
    settings = Settings(reinforce=False)
    async with await AsyncMemory.open(
        store, embedder="hashed", clock=clock, ids=SequentialIds(), settings=settings
    ) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        base = (await alice.collections.create("handbook")).id
        entry = await alice.collections.add(base, "The ferry leaves at six")
        assert (await alice.router.semantic_search("When does the ferry leave?")).matches
        image = await memory._runtime.partitions.current(Owner("acme", SHARED))
        assert image.records[entry.id].access_count == 0


async def test_what_was_promoted_is_found_once(alice: AsyncScoped) -> None:
    await alice.entries.set("ferry", "The ferry to Oslo leaves at six", importance=0.9)
    await alice.router.consolidate("c")
    assert (await alice.entries.promote()).entries == 1
    found = (await alice.router.semantic_search("When does the ferry to Oslo leave?")).matches
    assert {one.stratum for one in found} == {"long_term"}


async def test_a_search_that_finds_nothing_says_why(alice: AsyncScoped) -> None:
    found = await alice.router.semantic_search("ferry")
    assert (found.matches, found.reason) == (
        (),
        "nothing has been recorded here that this scope and these filters let through",
    )
    await alice.entries.set("ferry", "to Oslo")
    found = await alice.router.semantic_search("ferry")
    assert (len(found.matches), found.reason) == (1, None)


async def test_without_an_embedder_words_find_it(store: Store, clock: FrozenClock) -> None:
    broken = Broken(fails)
    async with await AsyncMemory.open(store, embedder=broken, clock=clock, ids=SequentialIds()) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        await alice.entries.set("ferry", "The ferry to Oslo leaves at six")
        await alice.add(says("The ferry to Oslo is slow"))
        found = await alice.router.semantic_search("ferry to Oslo")
        assert {one.stratum for one in found.matches} == {"short_term", "long_term"}
        assert found.degraded == ("embedder: The embedder test/broken@1 failed: the model file is damaged",)
        calls: list[int] = []
        broken.answer = lambda count: calls.append(count) or fails(count)  # type: ignore[func-returns-value] # wanted
        await alice.router.semantic_search("ferry to Oslo")
        assert calls == [1]  # it may take its time to fail
        broken.answer = None
        await alice.router.semantic_search("ferry to Oslo")
        broken.answer = fails
        await alice.entries.set("other", "Another ferry")
        assert (await alice.router.semantic_search("ferry to Oslo")).degraded == (
            "vectors: 1 of 1 passages have none in test/broken@1: memoranda reembed, or a worker, adds them",
            "embedder: The embedder test/broken@1 failed: the model file is damaged",
        )


# ----------------------------------------------------------------------------------- consolidation, counts


async def test_a_conversation_is_consolidated_once(alice: AsyncScoped, store: Store) -> None:
    desk = alice.working("c")
    await desk.add(says("We decided to use PostgreSQL for billing.", "The ferry leaves at six."))
    await alice.entries.set("plan", "Sail north", importance=0.9, conversation="c")
    await alice.entries.set("other", "Sail south", importance=0.9, conversation="d")
    first, second = await asyncio.gather(*(alice.router.consolidate("c") for _ in range(2)))
    third = await alice.router.consolidate("c")
    assert max(first.turns, second.turns) == 2
    assert max(first.entries, second.entries) == 1
    assert (third.turns, third.summaries, third.entries, third.records) == (0, 0, 0, ())
    kept = await rows(store, Record)
    assert {*first.records, *second.records} <= {row.id for row in kept}
    assert sorted(row.kind for row in kept) == ["decision", "observation", "summary"]
    assert len(await rows(store, Event)) == 3
    assert len((await desk.view()).turns) == 2


async def test_a_conversation_has_to_be_named(memory: AsyncMemory, alice: AsyncScoped, here: AsyncScoped) -> None:
    with pytest.raises(ScopeError, match="conversation is needed"):
        await alice.router.consolidate()
    assert (await here.router.consolidate()).turns == 0
    with pytest.raises(ScopeError, match="whole=True"):
        await memory.scope(tenant="acme", user="alice", whole=True).router.consolidate("c")


async def test_every_stratum_is_counted(memory: AsyncMemory, alice: AsyncScoped, clock: FrozenClock) -> None:
    empty = await alice.router.stats()
    assert [getattr(empty, name).items for name in STRATA] == [0, 0, 0, 0]
    assert (empty.long_term.oldest, empty.degraded) == (None, ())
    desk = alice.working("c")
    await desk.add(says("Hello there.", "The ferry leaves."))
    await desk.set("k", [1, 2], ttl=100_000)
    await desk.note("goal", "Oslo")
    await desk.note("results", 5, name="step")
    await alice.add(says("I live in Oslo."), conversation="d")
    clock.advance(hours=23)
    await alice.observe("The crab is blue")
    await alice.entries.set("plan", "north", type="reflection")
    await alice.pools.create("sprint", data={"a": 1})
    base = await alice.collections.create("handbook")
    await alice.collections.add(base.id, "The ferry leaves at six")
    there = await memory.scope(tenant="acme", user="alice", conversation="other").router.stats()
    whole = await memory.scope(tenant="acme", user="alice", whole=True).router.stats()
    assert there == whole
    assert there.working.by == {"key": 1, "note": 2, "turn": 2}
    assert (there.working.items, there.working.oldest) == (5, MORNING)
    assert there.short_term.by == {"reflection": 1}
    assert there.short_term.characters == len('"north"')
    assert there.long_term.by == {"fact": 2, "observation": 1, "turn": 1}
    assert (there.long_term.oldest, there.long_term.newest) == (MORNING, MORNING + timedelta(hours=23))
    assert there.shared.by == {"collection": 1, "entry": 1, "pool": 1}
    assert there.shared.characters == len('{"a": 1}') + len("The ferry leaves at six")


# ------------------------------------------------------------------------------------ what is down, leaks


async def test_a_cache_that_is_down_is_named(clock: FrozenClock) -> None:
    cache = Failing()
    async with await AsyncMemory.open(
        DictStore(), cache=cache, embedder="none", clock=clock, ids=SequentialIds()
    ) as memory:
        here = memory.scope(tenant="acme", user="alice", conversation="c")
        await here.router.write("k", "entry", "short_term")
        cache.down = True
        down = ("working memory: Redis cannot be reached",)
        found = await here.router.read("k")
        assert (found.value, found.degraded) == ("entry", down)
        with pytest.raises(NotFoundError, match=r"memory \(working memory: Redis cannot be reached\)"):
            await here.router.read("none")
        assert (await here.router.stats()).degraded == down
        assert (await here.router.write("k", "here", "working")).degraded == down
        assert (await here.router.read("k")).value == "here"
        clock.advance(seconds=3)
        assert (await here.router.consolidate()).degraded == down
        cache.down = False
        clock.advance(seconds=3)
        assert (await here.router.stats()).degraded == ()


async def test_a_context_does_without_a_desk_that_cannot_be_read(clock: FrozenClock) -> None:
    class Damaged(DictCache):
        async def read(self, place: Place) -> Content:
            raise StoreError(f"{place.name} is no hash")

    async with await AsyncMemory.open(DictStore(), cache=Damaged(), embedder="none", clock=clock) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        await alice.observe("I prefer the ferry")
        made = await alice.context("How do I travel?", conversation="c")
        assert "prefers the ferry" in made.text
        assert made.degraded == ("working memory: c is no hash",)


async def test_places_that_go_down_while_they_are_counted_are_named(clock: FrozenClock) -> None:
    cache = Failing()
    async with await AsyncMemory.open(DictStore(), cache=cache, embedder="none", clock=clock) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        await alice.working("c").set("k", 1)
        idle = cache.idle

        async def then_down(*args: Any, **options: Any) -> Any:
            found = await idle(*args, **options)
            cache.down = True
            return found

        cache.idle = then_down  # type: ignore[method-assign]
        stats = await alice.router.stats()
        assert (stats.working.by, stats.degraded) == ({"key": 1}, ("working memory: Redis cannot be reached",))
        cache.down = False


async def ids(store: Store) -> list[set[str]]:
    """The ids of all there is, but for the log of who read what."""
    found = [await everything(store, Owner("acme", user)) for user in ("alice", SHARED)]
    return [{str(key_of(row)) for name, kept in one.items() if name != "access_log" for row in kept} for one in found]


@pytest.mark.parametrize("stranger", [name for name in STRANGERS if "connection" not in name])
async def test_a_stranger_finds_nothing_under_a_key(memory: AsyncMemory, store: Store, stranger: str) -> None:
    home = memory.scope(**HOME, conversation="talk")
    pool = (await home.pools.create("Zyxwvut", data={"zyx": "Zyxwvut 7391"})).id
    for stratum in STRATA[:3]:
        await home.router.write("zyx", f"Zyxwvut 7391 {stratum}", stratum)
    await home.entries.set("zyx", "Zyxwvut 7391", connection="jira", importance=0.9)
    base = (await home.collections.create("Zyxwvut")).id
    await home.collections.add(base, "Zyxwvut 7391 lies in the north")
    assert {one.stratum for one in (await home.router.semantic_search("Zyxwvut 7391")).matches} == {*STRATA[1:]}
    await memory._runtime.journal.settle()
    before = await ids(store)
    scoped = memory.scope(**STRANGERS[stranger])
    asked: list[dict[str, Any]] = [{"conversation": "talk"}, *({"stratum": stratum} for stratum in STRATA[1:])]
    for options in (*asked, {}, {"stratum": "shared", "pool": pool}):
        with pytest.raises(NotFoundError) as refused:
            await scoped.router.read("zyx", **options)
        assert "7391" not in str(refused.value)
    found = await scoped.router.semantic_search("Zyxwvut 7391")
    assert (found.matches, await told(scoped, "zyx")) == ((), "nothing")
    stats = await scoped.router.stats()
    assert [getattr(stats, name).items for name in STRATA] == [0, 0, 0, 0]
    if not scoped.scope.whole:
        done = await scoped.router.consolidate("talk")
        assert (done.turns, done.entries, done.records) == (0, 0, ())
        with pytest.raises(NotFoundError):
            await scoped.router.write("zyx", 1, "shared", pool=pool)
    assert await ids(store) == before


async def test_what_was_kept_under_a_key_is_forgotten(memory: AsyncMemory, store: Store) -> None:
    home = memory.scope(**HOME, conversation="talk")
    for stratum in STRATA[:3]:
        await home.router.write("zyx", {"Zyxwvut": 7391}, stratum)
    await home.router.write("zyx", {"Zyxwvut": 7392}, "long_term")
    await home.forget(conversation="talk")
    assert await told(home, "zyx") == "nothing"
    kept = {name: found for name, found in (await everything(store)).items() if name not in {"tombstones", "receipts"}}
    assert not [found for found in kept.values() if found]


async def test_the_router_of_the_sprint(memory: AsyncMemory, clock: FrozenClock) -> None:
    """A session's context is read and its result written; what is used lasts; a pool tells the other agent."""
    planner = memory.scope(tenant="acme", user="alice", agent="planner", conversation="sess-123")
    writer = memory.scope(tenant="acme", user="alice", agent="writer", conversation="sess-124")
    await planner.router.write("session_context", {"sprint": 12}, "working")
    assert (await planner.router.read("session_context")).stratum == "working"
    await planner.router.write("task_result", {"output": "The build takes 4 minutes"}, "short_term")
    sprint = (await planner.pools.create("sprint")).id
    await planner.router.write("findings.build", "4 minutes", "shared", pool=sprint)
    assert (await told(writer, "task_result"), await told(writer, "findings.build")) == ("nothing", "nothing")
    grant = await planner.pools.grant(sprint, "read", user="alice", agent="writer")
    assert (await writer.router.read("findings.build")).pool == sprint
    for _ in range(3):
        await planner.router.read("task_result")
    found = await planner.router.semantic_search("How long does the build take?")
    assert [(one.stratum, one.key) for one in found.matches] == [("short_term", "task_result")]
    assert (await planner.router.consolidate()).entries == 1
    clock.advance(days=1)
    await planner.entries.clean()
    assert (await planner.router.read("task_result")).stratum == "long_term"
    stats = await planner.router.stats()
    assert [getattr(stats, name).items for name in STRATA] == [0, 0, 2, 1]
    await planner.pools.revoke(grant.id)
    assert await told(writer, "findings.build") == "nothing"
