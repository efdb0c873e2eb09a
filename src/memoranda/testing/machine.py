"""A Hypothesis state machine that runs the same operations on two stores and expects the same results.

    class MyStoreMachine(StoreMachine):
        async def open_store(self) -> Store:
            return await MyStore.open(":memory:")

        def open_reference(self) -> Store:
            return DictStore()

    TestMyStoreMachine = MyStoreMachine.TestCase

The reference is `memoranda.stores.dict_.DictStore`.
"""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeVar, get_args

from anyio.from_thread import start_blocking_portal
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from memoranda.core.base.scope import Owner
from memoranda.core.rows import SCALARS, TABLES, Column, ColumnType, Row, columns_of
from memoranda.core.rows.changes import Add, Batch, Change, Drop, Patch, Put, Touch
from memoranda.errors import ConflictError
from memoranda.ports import Operator, Probe, Query, Store, Where
from memoranda.testing.samples import BLOBS, FLOATS, INTS, JSONS, STRINGS, TIMES

_T = TypeVar("_T")

OWNERS = (Owner("acme", "alice"), Owner("acme", "bob"), Owner("acme!", "alice"))
_WORDS = ("red", "crab", "blue", "sky", "a*", '"', "or")

_texts = st.one_of(
    st.sampled_from(STRINGS), st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=8)
)
_numbers = st.integers(-(2**63), 2**63 - 1)
_floats = st.floats(allow_nan=False, allow_infinity=False)
_values: Mapping[ColumnType, st.SearchStrategy[Any]] = {
    "str": _texts,
    "int": st.one_of(st.sampled_from(INTS), _numbers),
    "float": st.one_of(st.sampled_from(FLOATS), _floats),
    "bool": st.booleans(),
    "datetime": st.one_of(
        st.sampled_from(TIMES),
        st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)).map(lambda at: at.replace(tzinfo=UTC)),  # noqa: DTZ001 - Hypothesis wants the bounds without a zone
    ),
    "bytes": st.sampled_from(BLOBS),
    "strings": st.lists(_texts, max_size=3).map(tuple),
    "json": st.one_of(
        st.sampled_from(JSONS),
        st.dictionaries(_texts, st.one_of(_texts, st.integers(-9, 9), st.booleans()), max_size=3),
    ),
}
_kinds = st.sampled_from(list(TABLES.values()))


def _value(column: Column) -> st.SearchStrategy[Any]:
    if column.name == "terms":
        return st.lists(st.sampled_from(_WORDS), max_size=4).map(" ".join)
    drawn = _values[column.type]
    if column.bounds:
        least, most = column.bounds
        drawn = drawn.filter(lambda value: least <= value <= most)
    return st.none() | drawn if column.nullable else drawn


def _key(kind: type[Row]) -> st.SearchStrategy[tuple[Any, ...]]:
    """Draw from a few keys, so that changes hit the same rows."""
    types = {item.name: item.type for item in columns_of(kind)}
    few = {name: st.integers(0, 1) if types[name] == "int" else st.sampled_from("ab") for name in kind.__key__}
    return st.tuples(*few.values())


def _free(kind: type[Row], *types: ColumnType) -> list[Column]:
    """Return the columns that can change, optionally only those of some types."""
    fixed = {"tenant", "user", "seq", *kind.__key__}
    return [item for item in columns_of(kind) if item.name not in fixed and (not types or item.type in types)]


@st.composite
def rows(draw: st.DrawFn, owner: Owner) -> Row:
    """Draw a row of any kind."""
    kind: Any = draw(_kinds)
    values = {item.name: draw(_value(item)) for item in _free(kind)}
    key = dict(zip(kind.__key__, draw(_key(kind)), strict=True))
    row: Row = kind(tenant=owner.tenant, user=owner.user, **values, **key)
    return row


@st.composite
def changes(draw: st.DrawFn, owner: Owner) -> Change:
    """Draw a change to the rows of `owner`; touches add 0, so that no counter overflows."""
    what = draw(st.sampled_from([Add, Add, Put, Patch, Touch, Drop]))
    if what in {Add, Put}:
        return Add(draw(rows(owner))) if what is Add else Put(draw(rows(owner)))
    kind = draw(_kinds)
    key = draw(_key(kind))
    if what is Drop:
        return Drop(kind, key)
    if what is Touch:
        clocks = {item.name: draw(_value(item)) for item in _free(kind, "datetime") if not item.nullable}
        return Touch(kind, key, add={item.name: 0 for item in _free(kind, "int")}, at=clocks)
    some = draw(st.lists(st.sampled_from(_free(kind)), max_size=3, unique=True))
    return Patch(kind, key, {item.name: draw(_value(item)) for item in some})


@st.composite
def queries(draw: st.DrawFn) -> Query[Any]:
    """Draw a query."""
    kind, owner = draw(_kinds), draw(st.sampled_from(OWNERS))
    scalars = [item for item in columns_of(kind) if item.type in SCALARS]
    order = draw(st.lists(st.tuples(st.sampled_from(["", "-"]), st.sampled_from(scalars)), max_size=2))
    return Query(
        kind=kind,
        tenant=owner.tenant,
        user=draw(st.sampled_from([owner.user, None])),
        after=draw(st.integers(0, 4)),
        where=tuple(draw(st.lists(wheres(scalars), max_size=2))),
        order=tuple(sign + item.name for sign, item in order),
        limit=draw(st.none() | st.integers(0, 3)),
    )


@st.composite
def wheres(draw: st.DrawFn, items: list[Column]) -> Where:
    """Draw a condition on one of these columns."""
    item, operator = draw(st.sampled_from(items)), draw(st.sampled_from(sorted({*get_args(Operator)} - {"holds"})))
    if operator == "is":
        return Where(item.name, operator, draw(st.sampled_from([None, "set"])))
    if operator == "in":
        return Where(item.name, operator, tuple(draw(st.lists(_value(item), max_size=3))))
    return Where(item.name, operator, draw(_value(item)))


class StoreMachine(RuleBasedStateMachine):
    """Applies random batches and reads to a store and to a reference, and compares the results."""

    async def open_store(self) -> Store:
        """Open the store under test, empty."""
        raise NotImplementedError

    def open_reference(self) -> Store:
        """Open the reference store, empty."""
        raise NotImplementedError

    @initialize()
    def start(self) -> None:
        self._exits = ExitStack()
        self._portal = self._exits.enter_context(start_blocking_portal())
        self._reference = self.open_reference()
        self._store = self._portal.call(self.open_store)
        self._exits.callback(self._portal.call, self._store.close)

    def teardown(self) -> None:
        if hasattr(self, "_exits"):
            self._exits.close()

    @rule(data=st.data(), owner=st.sampled_from(OWNERS), expect=st.none() | st.integers(0, 4))
    def apply(self, data: st.DataObject, owner: Owner, expect: int | None) -> None:
        batch = Batch(owner=owner, changes=tuple(data.draw(st.lists(changes(owner), max_size=4))), expect=expect)
        self._same(lambda store: _answered(store, batch))

    @rule(asked=st.lists(queries(), min_size=1, max_size=3), owner=st.sampled_from(OWNERS))
    def find(self, asked: list[Query[Any]], owner: Owner) -> None:
        mine = [replace(query, tenant=owner.tenant) for query in asked]
        self._same(lambda store: store.find(owner, *mine))

    @rule(data=st.data(), query=queries())
    def count(self, data: st.DataObject, query: Query[Any]) -> None:
        names = [item.name for item in columns_of(query.kind) if item.type in SCALARS]
        by = data.draw(st.none() | st.sampled_from(names))
        self._same(lambda store: store.count(query, by))

    @rule(data=st.data(), kind=_kinds, owner=st.sampled_from(OWNERS))
    def get(self, data: st.DataObject, kind: type[Row], owner: Owner) -> None:
        keys = data.draw(st.lists(_key(kind), max_size=3))
        self._same(lambda store: store.get(kind, owner, keys))

    @rule(owner=st.sampled_from(OWNERS), terms=st.sets(st.sampled_from(_WORDS), max_size=3))
    def probe(self, owner: Owner, terms: set[str]) -> None:
        probe = Probe(owner=owner, limit=99, terms=tuple(sorted(terms)))

        async def refs(store: Store) -> set[str]:
            return {hit.ref for hit in await store.probe(probe)}

        self._same(refs)

    @invariant()
    def same_rows(self) -> None:
        if hasattr(self, "_store"):
            for owner in OWNERS:
                asked = [Query(kind=kind, tenant=owner.tenant, user=owner.user) for kind in TABLES.values()]
                self._same(lambda store: store.find(owner, *asked))  # noqa: B023 - called at once

    def _same(self, question: Callable[[Store], Awaitable[_T]]) -> None:
        wanted, found = (self._portal.call(question, store) for store in (self._reference, self._store))
        assert found == wanted


async def _answered(store: Store, batch: Batch) -> Any:
    try:
        return await store.apply(batch)
    except ConflictError:
        return "conflict"


__all__ = ["StoreMachine"]
