"""Random histories of what is shared, in two processes, against an oracle that reads the raw rows."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from itertools import cycle, product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from core.rows.test_access import oracle
from flows.helpers import rows
from memoranda import AsyncMemory, AsyncScoped
from memoranda.core.base.scope import SHARED, Owner, Scope
from memoranda.core.rows import Collection, Grant, Pool
from memoranda.core.rows.access import over
from memoranda.errors import AccessError, InputError, NotFoundError
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds
from memoranda.verbs.registry import Async

COMMONS = Owner("acme", SHARED)
SCOPES = [
    Scope(tenant="acme", user=user, agent=agent, team=team, channel=channel)
    for user, agent, team, channel in product(("alice", "bob"), (None, "p"), (None, "red"), ("_global", "boat"))
]
TO: list[dict[str, Any]] = [
    {"user": "alice"}, {"user": "bob"}, {"user": "bob", "agent": "p"}, {"team": "red"}, {"everyone": True},
]  # fmt: skip
acting = st.tuples(st.sampled_from(SCOPES), st.booleans())
which = st.integers(0, 50)  # of those there are
steps = st.one_of(
    st.tuples(st.just("create"), acting, st.sampled_from(["agent", "account", "team"]), st.lists(which, max_size=2)),
    st.tuples(
        st.just("grant"), acting, which, st.sampled_from(["read", "write", "admin", "admin"]), st.sampled_from(TO),
        st.one_of(st.none(), st.integers(1, 3)),
    ),
    st.tuples(st.just("revoke"), acting, which),
    st.tuples(st.just("expire"), acting, which),
    st.tuples(st.just("wait")),
    st.tuples(st.just("forget"), acting),
)  # fmt: skip


async def shared(store: DictStore) -> dict[str, Any]:
    found = [*await rows(store, Pool, COMMONS), *await rows(store, Collection, COMMONS)]
    return {one.id: one for one in sorted(found, key=lambda one: one.id)}


def face(scope: AsyncScoped, item: Any) -> Any:
    return scope.pools if isinstance(item, Pool) else scope.collections


async def play(store: DictStore, clock: FrozenClock, scope: AsyncScoped, step: Any) -> None:
    """One step, which may be refused."""
    objects = list((await shared(store)).values())
    match step:
        case ("create", _, reach, sources):
            names = [objects[one % len(objects)].id for one in sources if objects]
            kind: Any = scope.pools if len(objects) % 2 else scope.collections
            await kind.create("x", reach=reach, sources=names)
        case ("grant", _, one, level, to, hours) if objects:
            end = None if hours is None else clock() + timedelta(hours=hours)
            await scope.pools.grant(objects[one % len(objects)].id, level, until=end, **to)
        case ("revoke", _, one) if given := await rows(store, Grant, COMMONS):
            await scope.pools.revoke(given[one % len(given)].id)
        case ("expire", _, one) if objects:
            await scope.pools.expire(objects[one % len(objects)].id, at=clock() + timedelta(hours=1))
        case ("forget", _):
            await scope.forget(everything=True)


async def check(store: DictStore, clock: FrozenClock, memories: Iterator[AsyncMemory]) -> None:
    """Every scope finds, gets, exports and administers what the oracle says, and nothing else is there for it."""
    objects, given = await shared(store), await rows(store, Grant, COMMONS)
    for scope in SCOPES:
        here = AsyncScoped(Async(), next(memories)._runtime, scope)
        there = {name for name, one in objects.items() if not over(one.expires_at, clock())}
        read = oracle(scope, objects, given, "read", clock()) & there
        admin = oracle(scope, objects, given, "admin", clock()) & there
        assert {one.id for one in (*await here.pools.find(), *await here.collections.find())} == read
        for name, one in objects.items():
            try:
                await face(here, one).grants(name)
            except AccessError:
                assert name in read - admin
            except NotFoundError:
                assert name not in read
            else:
                assert name in admin
        lines = [line async for line in here.export() if line.get("row", {}).get("user") == SHARED]
        kept = {line["row"]["id"] for line in lines if line["kind"] in ("pools", "collections")}
        assert kept == read
        about = {line["row"].get("object", line["row"].get("channel")) for line in lines}
        assert about & {*objects} <= read
        assert {line["row"]["object"] for line in lines if line["kind"] == "grants"} <= admin


@settings(max_examples=25, deadline=None)
@given(st.lists(steps, min_size=5, max_size=30))
def test_in_any_history_one_sees_what_one_may(history: list[Any]) -> None:
    async def run() -> None:
        store, clock = DictStore(), FrozenClock()
        both = [
            await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds(name)) for name in ("a", "b")
        ]
        for step in history:
            if step == ("wait",):
                clock.advance(hours=1)
                continue
            scope, second = step[1]
            try:
                await play(store, clock, AsyncScoped(Async(), both[second]._runtime, scope), step)
            except InputError:
                continue
        await check(store, clock, cycle(both))

    asyncio.run(run())
