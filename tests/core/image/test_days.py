"""Which times lie in a window, and for how many zones what was read is kept."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memoranda.core.image.days import DAY, ZONES, Days, Named, named
from memoranda.core.rows.statements import TimeRef
from memoranda.core.temporal import days_named

NOW = datetime(2026, 6, 18, 12, tzinfo=UTC)
FIFTH = datetime(2026, 7, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day", "month"),
    [
        ("The flight is on 5 July", True, True),
        ("The flight is on 5 July at 9:15", True, True),
        ("We are away from 3 to 8 July", True, True),
        ("The jury duty is from 5 July", True, True),
        ("The form is due by 5 July", True, True),
        ("July will be calm", False, True),
        ("The flight is on 6 July", False, True),
        ("2026 is a good year", False, False),
    ],
)
def test_what_is_given_in_longer_units_is_about_none_of_its_days(text: str, day: bool, month: bool) -> None:
    times = named(days_named(text, NOW))
    assert any(one.within((FIFTH, FIFTH + DAY)) for one in times) == day
    assert any(one.within((FIFTH.replace(day=1), FIFTH.replace(month=8, day=1))) for one in times) == month


def test_in_an_open_window_it_must_begin() -> None:
    [time] = named(days_named("The flight is on 5 July", NOW))
    assert time.within((FIFTH, None))
    assert not time.within((FIFTH + DAY, None))
    assert time.within((None, FIFTH + DAY))
    assert not time.within((None, FIFTH))


def test_what_denotes_no_day_or_none_of_the_calendar_names_none() -> None:
    assert named(days_named("It takes two hours now", NOW)) == ()
    first = datetime.min.replace(tzinfo=UTC)
    ref = TimeRef(text="then", start=0, end=4, begin=None, until=first, grain="day", relation="past")
    assert named([ref, replace(ref, until=None)]) == ()


def test_the_zones_asked_for_last_are_kept() -> None:
    days = Days()
    for number in range(ZONES + 1):
        days.in_zone(f"z{number}")["p"] = (Named(NOW, NOW + timedelta(hours=1), DAY),)
        days.in_zone("z0")
    assert len(days) == ZONES
    assert days.in_zone("z1") == {}
    assert days.in_zone("z0").keys() == {"p"}
    days.drop(["p", "q"])
    assert len(days) == 0
