"""Rows by column are the rows they stand for, asked for in whichever way."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.making import NOW, passage, record
from memoranda.core.rows import Passage, Record, Row
from memoranda.core.rows.rowset import EPOCH, RowSet, Shelf, column, seconds

MOMENTS = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - bounds
PASSAGES = st.lists(
    st.builds(
        lambda ref, terms, at: passage(ref, terms, at=at, traits=("time",)),
        st.text(max_size=3),
        st.text(max_size=3),
        MOMENTS,
    ),
    max_size=6,
)


def stored(rows: Sequence[Row], kind: type[Row]) -> dict[str, list[Any]]:
    """The columns of some rows, times in microseconds."""

    def plain(value: Any) -> Any:
        return (value - EPOCH) // timedelta(microseconds=1) if isinstance(value, datetime) else value

    return {name: [plain(getattr(row, name)) for row in rows] for name in kind.__columns__}


@given(PASSAGES)
def test_rows_by_column_are_the_rows(rows: list[Passage]) -> None:
    held = RowSet(Passage, stored(rows, Passage))
    assert len(held) == len(rows)
    assert list(held) == [held[place] for place in range(len(held))] == rows
    assert held == tuple(rows)
    assert tuple(rows) == held
    assert hash(held) == hash(tuple(rows))
    assert list(held[1:3]) == rows[1:3]
    for name in Passage.__columns__:
        assert list(held.column(name)) == list(column(held, name)) == list(column(rows, name))
    assert seconds(held, "at").tolist() == seconds(rows, "at").tolist() == [row.at.timestamp() for row in rows]


def test_other_rows_are_not_equal() -> None:
    rows = [passage("a"), passage("b")]
    held = RowSet(Passage, stored(rows, Passage))
    assert held != rows[:1]
    assert held != (rows[1], rows[0])
    assert held != {"a": 1}


def test_a_time_that_is_not_known_is_none() -> None:
    rows = [record(id="a", valid_to=NOW), record(id="b")]
    held = RowSet(Record, stored(rows, Record))
    assert list(held) == [held[0], held[1]] == rows
    assert [row.valid_to for row in held] == [NOW, None]


@pytest.mark.parametrize("whole", [True, False])
def test_a_shelf_makes_rows_when_they_are_asked_for_and_keeps_them(whole: bool) -> None:
    rows = [passage("a"), passage("b"), passage("c")]
    shelf: Shelf[Passage] = Shelf()
    shelf.extend(RowSet(Passage, stored(rows, Passage)) if whole else rows)
    assert shelf[1] == rows[1]
    assert shelf[1] is shelf[1]
    later = RowSet(Passage, stored([passage("d")], Passage))
    shelf.extend(later)
    shelf[0] = passage("e")
    assert [row.ref for row in shelf] == ["e", "b", "c", "d"]
    assert [row.ref for row in reversed(shelf)] == ["d", "c", "b", "e"]
    assert len(shelf) == 4
