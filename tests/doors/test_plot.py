"""What is drawn."""

import pytest

from memstrata.doors.plot import COLOURS, shares


def test_colours_suffice_and_nothing_is_left_out() -> None:
    given = [{f"signal {n}": n / 100 for n in range(COLOURS + 3)}, {"signal 1": -1.0}]
    drawn = shares(given)
    assert next(iter(drawn)) == "signal 1"
    assert list(drawn)[COLOURS:] == ["3 others"]
    assert [sum(column) for column in zip(*drawn.values(), strict=True)] == pytest.approx([0.66, -1.0])


def test_few_signals_are_drawn_one_by_one() -> None:
    assert shares([{"recency": 0.2, "importance": 0.1}]) == {"recency": [0.2], "importance": [0.1]}
    assert shares([]) == {}
