"""Conformance of `apply` and `get`: what is written, how `seq` advances, and what is refused."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from memoranda.core.base.scope import Owner
from memoranda.core.rows import TABLES, Event, Record, Row, columns_of, key_of
from memoranda.core.rows.changes import Add, Applied, Drop, Patch, Put, Touch
from memoranda.errors import ConflictError, StoreError
from memoranda.ports import State, Store
from memoranda.testing._suite import Suite, apply, every_kind, everything, fill, state_of
from memoranda.testing.samples import STRINGS, TIMES, key, other, sample


class Writes(Suite):
    """Every change, for every kind of row."""

    @every_kind
    async def test_rows_come_back_as_they_were_written(self, store: Store, owner: Owner, kind: type[Row]) -> None:
        rows = await fill(store, owner, kind, 2 * len(STRINGS))
        assert await store.get(kind, owner, [key_of(row) for row in rows]) == rows

    @every_kind
    async def test_values_come_back_in_their_types(self, store: Store, owner: Owner, kind: type[Row]) -> None:
        [row] = await fill(store, owner, kind, 1)
        [found] = await store.get(kind, owner, [key_of(row)])
        for item in columns_of(kind):
            wanted, value = getattr(row, item.name), getattr(found, item.name)
            assert type(value) is type(wanted), item.name
            assert item.type != "datetime" or value is None or value.utcoffset() == timedelta(0), item.name

    @every_kind
    async def test_get_answers_in_the_order_asked(self, store: Store, owner: Owner, kind: type[Row]) -> None:
        rows = await fill(store, owner, kind, 3)
        keys = [key(kind, 2), key(kind, 77), key(kind, 0), key(kind, 2)]
        assert await store.get(kind, owner, keys) == [rows[2], None, rows[0], rows[2]]
        assert await store.get(kind, owner, []) == []

    @every_kind
    async def test_add_leaves_a_taken_row_and_names_it(self, store: Store, owner: Owner, kind: type[Row]) -> None:
        [row] = await fill(store, owner, kind, 1)
        again, fresh = sample(kind, owner, 0, **_changed(row)), sample(kind, owner, 1)
        applied = await apply(store, owner, Add(again), Add(fresh))
        assert applied == Applied(seq=2, taken=frozenset({(kind.__table__, key_of(row))}))
        assert await store.get(kind, owner, [key(kind, 0), key(kind, 1)]) == [row, _at(fresh, 2)]

    @every_kind
    async def test_add_of_only_taken_rows_changes_nothing(self, store: Store, owner: Owner, kind: type[Row]) -> None:
        [row] = await fill(store, owner, kind, 1)
        assert (await apply(store, owner, Add(row), Add(row))).seq == 1
        assert await state_of(store, owner) == State(seq=1)

    @every_kind
    async def test_put_replaces_every_column(self, store: Store, owner: Owner, kind: type[Row]) -> None:
        [row] = await fill(store, owner, kind, 1)
        new = sample(kind, owner, 0, **_changed(row))
        applied = await apply(store, owner, Put(new))
        assert applied == Applied(seq=2)
        assert await store.get(kind, owner, [key_of(row)]) == [_at(new, 2)]

    @every_kind
    async def test_patch_sets_the_named_columns(self, store: Store, owner: Owner, kind: type[Row]) -> None:
        rows = await fill(store, owner, kind, 2)
        for seq, (name, value) in enumerate(_changed(rows[0]).items(), start=3):
            applied = await apply(store, owner, Patch(kind, key_of(rows[0]), {name: value}))
            assert applied.seq == seq
            rows[0] = _with(rows[0], **{name: value, "seq": seq})
            assert await store.get(kind, owner, [key_of(row) for row in rows]) == rows

    @every_kind
    async def test_patch_can_take_a_value_away(self, store: Store, owner: Owner, kind: type[Row]) -> None:
        [row] = await fill(store, owner, kind, 1)
        empty = {item.name: None for item in columns_of(kind) if item.nullable}
        await apply(store, owner, Patch(kind, key_of(row), empty))
        assert await store.get(kind, owner, [key_of(row)]) == [_with(row, **empty, seq=2)]

    @every_kind
    async def test_a_missing_row_stays_missing(self, store: Store, owner: Owner, kind: type[Row]) -> None:
        [row] = await fill(store, owner, kind, 1)
        absent = key(kind, 9)
        changes = Patch(kind, absent, _changed(row)), Touch(kind, absent), Drop(kind, absent)
        assert (await apply(store, owner, *changes)).seq == 1
        assert await everything(store, owner) == {kind.__table__: (row,)}
        assert await state_of(store, owner) == State(seq=1)

    @every_kind
    async def test_touch_counts_without_advancing(self, store: Store, owner: Owner, kind: type[Row]) -> None:
        fixed = {"seq", *kind.__key__}
        numbers = {item.name: 2 for item in columns_of(kind) if item.type == "int" and item.name not in fixed}
        clocks = {item.name: TIMES[4] for item in columns_of(kind) if item.type == "datetime"}
        rows = await fill(store, owner, kind, 2, **dict.fromkeys(numbers, 40))
        touch = Touch(kind, key_of(rows[0]), add=numbers, at=clocks)
        assert (await apply(store, owner, touch, touch)).seq == 2
        rows[0] = _with(rows[0], **dict.fromkeys(numbers, 44), **clocks)
        assert await everything(store, owner) == {kind.__table__: tuple(rows)}
        assert await state_of(store, owner) == State(seq=2)

    @every_kind
    async def test_drop_removes_and_is_remembered_if_images_know_the_kind(
        self, store: Store, owner: Owner, kind: type[Row]
    ) -> None:
        rows, gone = await fill(store, owner, kind, 3), 4 if kind.__traits__.image else 0
        assert (await apply(store, owner, Drop(kind, key_of(rows[1])))).seq == 4
        assert await everything(store, owner) == {kind.__table__: (rows[0], rows[2])}
        assert await state_of(store, owner) == State(seq=4, dropped=gone)
        await apply(store, owner, Add(rows[1]))
        assert await store.get(kind, owner, [key_of(rows[1])]) == [_at(rows[1], 5)]
        assert await state_of(store, owner) == State(seq=5, dropped=gone)

    @every_kind
    async def test_a_later_drop_takes_back_no_earlier_one(self, store: Store, owner: Owner, kind: type[Row]) -> None:
        await apply(store, owner, Add(sample(Event, owner, 0)), Add(sample(kind, owner, 1)), Drop(Event, key(Event, 0)))
        await apply(store, owner, Drop(kind, key(kind, 1)))
        assert await state_of(store, owner) == State(seq=4, dropped=4 if kind.__traits__.image else 3)

    async def test_every_written_row_gets_the_next_number(self, store: Store, owner: Owner) -> None:
        rows = [sample(kind, owner, number) for number in (0, 1) for kind in TABLES.values()]
        await apply(store, owner, *map(Add, rows))
        wanted = [_at(row, seq) for seq, row in enumerate(rows, start=1)]
        assert [(await store.get(type(row), owner, [key_of(row)]))[0] for row in rows] == wanted
        assert await state_of(store, owner) == State(seq=len(rows))

    async def test_changes_of_one_batch_see_each_other(self, store: Store, owner: Owner) -> None:
        row, name = sample(Event, owner, 0), key(Event, 0)
        applied = await apply(
            store, owner, Add(row), Add(row), Patch(Event, name, {"content": "a"}), Drop(Event, name), Put(row)
        )
        assert applied == Applied(seq=4, taken=frozenset({("events", name)}))
        assert await everything(store, owner) == {"events": (_at(row, 4),)}
        assert await state_of(store, owner) == State(seq=4, dropped=3)

    async def test_an_empty_batch_answers_where_the_owner_stands(self, store: Store, owner: Owner) -> None:
        assert (await apply(store, owner)).seq == 0
        await fill(store, owner, Event, 2)
        assert (await apply(store, owner)).seq == 2

    async def test_expect_refuses_what_was_planned_against_the_past(self, store: Store, owner: Owner) -> None:
        await apply(store, owner, Add(sample(Event, owner, 0)), expect=0)
        await apply(store, owner, Touch(Event, key(Event, 0), add={"position": 1}), expect=1)
        await apply(store, owner, Add(sample(Event, owner, 1)), expect=1)
        before = await everything(store, owner)
        for stale in (0, 1, 3):
            with pytest.raises(ConflictError):
                await apply(store, owner, Add(sample(Event, owner, 2)), Drop(Event, key(Event, 0)), expect=stale)
        assert await everything(store, owner) == before
        assert await state_of(store, owner) == State(seq=2)

    async def test_nothing_is_written_when_a_change_fails(self, store: Store, owner: Owner) -> None:
        await fill(store, owner, Record, 2)
        before = await everything(store, owner)
        wrong: Any
        for wrong in ({"content": object()}, {"content": "\ud800"}, {"position": 2**63}, {"position": 10**400}):
            unwritable = sample(Event, owner, 1, **wrong)
            changes = Add(sample(Event, owner, 0)), Drop(Record, key(Record, 0)), Add(unwritable)
            with pytest.raises(StoreError):
                await apply(store, owner, *changes)
        assert await everything(store, owner) == before
        assert await state_of(store, owner) == State(seq=2)


def _changed(row: Row) -> dict[str, Any]:
    """Return a different value for each column of `row` that can change."""
    fixed = {"tenant", "user", "seq", *row.__key__}
    items = [item for item in columns_of(type(row)) if item.name not in fixed]
    return {item.name: other(item, getattr(row, item.name)) for item in items}


def _with(row: Row, **values: Any) -> Row:
    changed: Row = replace(row, **values)
    return changed


def _at(row: Row, seq: int) -> Row:
    return _with(row, seq=seq)
