"""Conformance of `find`, `count`, `describe` and `close`, and of the isolation of owners."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import eq, ge, gt, le, lt, ne
from typing import Any, get_args

import anyio
import pytest
from anyio.lowlevel import checkpoint

from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.rows import SCALARS, Event, Record, Row, columns_of
from memoranda.core.rows.changes import Add, Drop, Patch, Put, Touch
from memoranda.errors import InputError, StoreError
from memoranda.ports import Operator, Probe, Query, State, Store, Where
from memoranda.testing._suite import Suite, apply, every_kind, everything, fill, state_of
from memoranda.testing.samples import STRINGS, key, sample

_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


class Reads(Suite):
    """Every read except `probe`."""

    @every_kind
    async def test_every_operator_on_every_column(self, store: Store, owner: Owner, kind: type[Row]) -> None:
        rows = await fill(store, owner, kind, 7)
        for item in columns_of(kind):
            found = {getattr(row, item.name) for row in rows} if item.type in SCALARS else set()
            values = found - {None}
            wheres = [Where(item.name, op, value) for op in get_args(Operator)[:6] for value in values]
            wheres += [Where(item.name, "in", tuple(values)[:2]), Where(item.name, "in", ())] if values else []
            wheres += [Where(item.name, "is", None), Where(item.name, "is", "set")]
            page = await store.find(owner, *(_query(kind, owner, where=(where,)) for where in wheres))
            for where, answer in zip(wheres, page.rows, strict=True):
                assert answer == tuple(row for row in rows if _holds(row, where)), where
            if item.type in {"json", "strings"}:
                await _check_holds(store, owner, rows, item.name)

    @every_kind
    async def test_every_column_orders(self, store: Store, owner: Owner, kind: type[Row]) -> None:
        rows = await fill(store, owner, kind, 7)
        names = [item.name for item in columns_of(kind) if item.type in SCALARS]
        page = await store.find(
            owner, *(_query(kind, owner, order=(sign + name,)) for name in names for sign in ("", "-"))
        )
        for name, up, down in zip(names, page.rows[::2], page.rows[1::2], strict=True):
            rank = {row.seq: _rank(getattr(row, name)) for row in rows}
            assert [row.seq for row in up] == sorted(rank, key=rank.__getitem__), name
            assert [row.seq for row in down] == sorted(rank, key=rank.__getitem__, reverse=True), name

    async def test_a_condition_on_an_absent_value_never_holds(self, store: Store, owner: Owner) -> None:
        await fill(store, owner, Event, 1, conversation=None)
        wheres = [Where("conversation", op, "") for op in get_args(Operator)[:6]] + [
            Where("conversation", "=", None),
            Where("conversation", "!=", None),
            Where("conversation", "in", ("a",)),
            Where("conversation", "in", (None,)),
            Where("content", "!=", None),
        ]
        page = await store.find(owner, *(_query(Event, owner, where=(where,)) for where in wheres))
        assert page.rows == ((),) * len(wheres)

    async def test_all_conditions_must_hold(self, store: Store, owner: Owner) -> None:
        rows = await fill(store, owner, Event, 6)
        query = _query(Event, owner, where=(Where("seq", ">", 1), Where("seq", "<=", 4), Where("seq", "!=", 3)))
        assert (await store.find(owner, query)).rows == ((rows[1], rows[3]),)

    async def test_several_orders_then_seq(self, store: Store, owner: Owner) -> None:
        rows = [sample(Event, owner, n, role="ab"[n % 2], position=n // 4, seq=n + 1) for n in range(8)]
        await apply(store, owner, *map(Put, rows))
        page = await store.find(owner, _query(Event, owner, order=("-role", "position")))
        assert [row.seq for row in page.rows[0]] == [2, 4, 6, 8, 1, 3, 5, 7]

    async def test_texts_order_by_code_point(self, store: Store, owner: Owner) -> None:
        texts = ["Z", "a", "B", "é", "e", "\uffff", "🦀", "_", "10", "9", ""]
        await apply(store, owner, *(Put(sample(Event, owner, n, content=text)) for n, text in enumerate(texts)))
        ordered, above = (
            _query(Event, owner, order=("content",)),
            _query(Event, owner, where=(Where("content", ">", "Z"),)),
        )
        page = await store.find(owner, ordered, above)
        assert [row.content for row in page.rows[0]] == sorted(texts)
        assert {row.content for row in page.rows[1]} == {text for text in texts if text > "Z"}

    async def test_limit_cuts_after_ordering(self, store: Store, owner: Owner) -> None:
        rows = await fill(store, owner, Event, 5)
        queries = [_query(Event, owner, order=("-seq",), limit=limit) for limit in (0, 2, 5, 9, None)]
        found = (await store.find(owner, *queries)).rows
        assert found == tuple(tuple(rows[::-1][:limit]) for limit in (0, 2, 5, 9, None))

    async def test_after_answers_what_was_written_since(self, store: Store, owner: Owner) -> None:
        rows = await fill(store, owner, Event, 4)
        await apply(store, owner, Touch(Event, key(Event, 2), add={"position": 0}))
        await apply(store, owner, Patch(Event, key(Event, 0), {"content": "new"}))
        page = await store.find(owner, _query(Event, owner, after=3), _query(Event, owner, after=5))
        assert [row.seq for row in page.rows[0]] == [4, 5]
        assert page.rows[0][0] == rows[3]
        assert page.rows[0][1].content == "new"
        assert page.rows[1] == ()

    async def test_a_page_has_all_answers_and_the_state(self, store: Store, owner: Owner) -> None:
        events, records = await fill(store, owner, Event, 2), sample(Record, owner, 0, seq=3)
        await apply(store, owner, Put(records))
        await apply(store, owner, Drop(Event, key(Event, 1)))
        page = await store.find(owner, _query(Record, owner), _query(Event, owner), _query(Event, owner, limit=0))
        assert page.rows == ((records,), (events[0],), ())
        assert page.state == State(seq=4, dropped=4)

    async def test_a_page_is_one_snapshot(self, store: Store, owner: Owner) -> None:
        """Every batch writes one event and one record; a page never contains one without the other."""

        async def write() -> None:
            for number in range(40):
                await apply(store, owner, Add(sample(Event, owner, number)), Add(sample(Record, owner, number)))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(write)
            seen = -1
            while seen < 80:
                await checkpoint()
                page = await store.find(owner, _query(Event, owner), _query(Record, owner))
                assert page.state.seq == 2 * len(page.rows[0]) == 2 * len(page.rows[1])
                assert page.state.seq >= seen
                seen = page.state.seq

    async def test_writers_at_once_share_one_count(self, store: Store, owner: Owner) -> None:
        async def write(part: int) -> None:
            for number in range(10):
                answer = await apply(store, owner, Add(sample(Event, owner, 10 * part + number)))
                applied.append(answer.seq)

        applied: list[int] = []
        async with anyio.create_task_group() as tasks:
            for part in range(4):
                tasks.start_soon(write, part)
        assert sorted(applied) == list(range(1, 41))
        rows = (await store.find(owner, _query(Event, owner))).rows[0]
        assert [row.seq for row in rows] == list(range(1, 41))

    async def test_only_one_of_several_plans_wins(self, store: Store, owner: Owner) -> None:
        async def write(number: int) -> None:
            try:
                await apply(store, owner, Add(sample(Event, owner, number)), expect=0)
            except StoreError:
                return
            winners.append(number)

        winners: list[int] = []
        async with anyio.create_task_group() as tasks:
            for number in range(6):
                tasks.start_soon(write, number)
        rows = (await store.find(owner, _query(Event, owner))).rows[0]
        assert [row.id for row in rows] == [key(Event, number)[0] for number in winners]
        assert len(winners) == 1

    @every_kind
    async def test_owners_never_meet(self, store: Store, owner: Owner, kind: type[Row]) -> None:
        others = [Owner(owner.tenant, "bob"), Owner(owner.tenant + "!", owner.user), Owner(owner.tenant, "Alice")]
        mine = await fill(store, owner, kind, 2)
        assert await everything(store, others[0]) == {}
        for other in others:
            await apply(store, other, *(Put(sample(kind, other, number)) for number in (1, 2, 1)))
            await apply(store, other, Drop(kind, key(kind, 1)), Drop(kind, key(kind, 0)))
            assert await store.get(kind, other, [key(kind, 0), key(kind, 1)]) == [None, None]
            assert await state_of(store, other) == State(seq=4, dropped=4 if kind.__traits__.image else 0)
        assert await everything(store, owner) == {kind.__table__: tuple(mine)}
        assert await state_of(store, owner) == State(seq=2)
        assert await store.count(_query(kind, owner)) == {None: 2}

    async def test_without_a_user_the_tenant_is_read(self, store: Store, owner: Owner) -> None:
        bob, stranger = Owner(owner.tenant, "bob"), Owner(owner.tenant + "!", "alice")
        for who in (bob, stranger, owner):
            await apply(store, who, *(Add(sample(Event, who, number)) for number in range(2)))
        query = Query(kind=Event, tenant=owner.tenant, user=None)
        page = await store.find(owner, query)
        assert [(row.user, row.seq) for row in page.rows[0]] == [("alice", 1), ("bob", 1), ("alice", 2), ("bob", 2)]
        assert page.state == State(seq=2)
        assert await store.count(query, by="user") == {"alice": 2, "bob": 2}

    @every_kind
    async def test_count_by_every_column(self, store: Store, owner: Owner, kind: type[Row]) -> None:
        assert await store.count(_query(kind, owner)) == {None: 0}
        assert await store.count(_query(kind, owner), by="user") == {}
        rows = await fill(store, owner, kind, 8)
        some = _query(kind, owner, after=1, where=(Where("seq", "!=", 5),))
        assert await store.count(some) == {None: 6}
        assert await store.count(_query(kind, owner, limit=3, order=("-seq",))) == {None: 3}
        for item in columns_of(kind):
            if item.type in SCALARS:
                wanted = Counter(getattr(row, item.name) for row in rows if row.seq not in {1, 5})
                assert await store.count(some, by=item.name) == wanted, item.name

    async def test_count_by_what_cannot_be_compared_is_refused(self, store: Store, owner: Owner) -> None:
        for name in ("metadata", "nonsense", "id; DROP TABLE events"):
            with pytest.raises(InputError):
                await store.count(_query(Event, owner), by=name)

    @pytest.mark.parametrize("text", STRINGS[:1] + STRINGS[2:])
    async def test_odd_names_of_owners(self, store: Store, owner: Owner, text: str) -> None:
        odd = Owner(owner.tenant + text, text)
        [row] = await fill(store, odd, Event, 1)
        assert (await store.find(odd, _query(Event, odd))).rows == ((row,),)
        assert await everything(store, Owner(odd.tenant, text + " ")) == {}

    async def test_describe(self, store: Store, owner: Owner) -> None:
        before = await store.describe()
        for user in (owner.user, "bob", SHARED):
            await fill(store, Owner(owner.tenant, user), Event, 1)
        after = await store.describe()
        assert {"kind", "version", "bytes", "problems", "tenants", "users"} <= after.keys()
        assert all(isinstance(problem, str) for problem in after["problems"])
        assert (after["tenants"], after["users"]) == (before["tenants"] + 1, before["users"] + 2)

    async def test_a_closed_store_answers_nothing(self, store: Store, owner: Owner) -> None:
        await store.close()
        await store.close()
        probe = Probe(owner=owner, limit=1, terms=("a",))
        for call in (
            lambda: apply(store, owner),
            lambda: store.get(Event, owner, [("a",)]),
            lambda: store.find(owner),
            lambda: store.count(_query(Event, owner)),
            lambda: store.probe(probe),
            store.describe,
        ):
            with pytest.raises(StoreError):
                await call()

    async def test_it_is_a_store(self, store: Store) -> None:
        assert isinstance(store, Store)


def _query(kind: type[Row], owner: Owner, **options: Any) -> Query[Any]:
    return Query(kind=kind, tenant=owner.tenant, user=owner.user, **options)


async def _check_holds(store: Store, owner: Owner, rows: Sequence[Row], column: str) -> None:
    """Whatever holds a string, at any depth or as a key, is found by it."""
    held = {row.seq: {*strings_in(getattr(row, column))} for row in rows}
    wanted = [*((one,) for one in sorted(set().union(*held.values()))), STRINGS, ("nowhere",), ()]
    kind = type(rows[0])
    page = await store.find(owner, *(_query(kind, owner, where=(Where(column, "holds", one),)) for one in wanted))
    for strings, answer in zip(wanted, page.rows, strict=True):
        sure = {seq for seq, some in held.items() if not some.isdisjoint(strings)}
        assert sure <= {row.seq for row in answer}, (column, strings)
    assert page.rows[-1] == page.rows[-2] == ()


def _holds(row: Row, where: Where) -> bool:
    value = getattr(row, where.column)
    if where.op == "is":
        return (value is None) == (where.value is None)
    if value is None:
        return False
    if where.op == "holds":
        return not {*strings_in(value)}.isdisjoint(where.value)
    return value in where.value if where.op == "in" else _COMPARE[where.op](value, where.value)


def strings_in(value: Any) -> Iterator[str]:
    """Yield the strings in a value, at any depth, also as keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for one in (*value, *(value.values() if isinstance(value, Mapping) else ())):
            yield from strings_in(one)


def _rank(value: Any) -> tuple[bool, Any]:
    return (False, 0) if value is None else (True, value)
