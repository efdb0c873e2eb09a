import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.making import record
from memoranda.core.beliefs.decay import (
    FADED,
    STALE,
    confidence,
    elapsed_days,
    faded,
    last_touched,
    lasting,
    reinforced,
    retention,
    salience,
    staleness,
    strength,
    trivial,
)

NOW = datetime(2026, 1, 5, tzinfo=UTC)
SHARE = st.floats(0, 1)
DAYS = st.floats(0, 3_000)


def test_a_day_of_grace_and_then_five_percent() -> None:
    assert salience(0.8, NOW, NOW + timedelta(hours=24)) == pytest.approx(0.8)
    assert salience(0.8, NOW, NOW + timedelta(days=2)) == pytest.approx(0.8 * 0.95)
    assert salience(0.8, NOW, NOW + timedelta(days=15)) == pytest.approx(0.4, abs=0.01)
    assert salience(0.8, NOW, NOW, accesses=9) == pytest.approx(0.8 * 1.2303, abs=1e-3)


@given(SHARE, DAYS, DAYS, st.integers(0, 100))
def test_what_fades_never_rises_and_stays_a_share(value: float, early: float, more: float, uses: int) -> None:
    first = salience(value, NOW, NOW + timedelta(days=early), uses)
    later = salience(value, NOW, NOW + timedelta(days=early + more), uses)
    assert 0 <= later <= first <= 1


def test_only_what_was_inferred_becomes_less_sure() -> None:
    week = NOW + timedelta(days=7)
    assert confidence(record(certainty="explicit", confidence=0.9, recorded_at=NOW), week) == 0.9
    assert confidence(record(certainty="inferred", confidence=0.7, recorded_at=NOW), week) == pytest.approx(0.665)
    used = record(certainty="uncertain", confidence=0.5, recorded_at=NOW, last_accessed=week)
    assert confidence(used, week) == 0.5


def test_strength() -> None:
    one = record(importance=0.6, recorded_at=NOW)
    assert strength(one, NOW) == pytest.approx(0.6)
    assert elapsed_days(NOW, NOW - timedelta(days=1)) == 0.0


def test_reinforcement_ends_at_one() -> None:
    assert reinforced(0.5) == 0.55
    assert reinforced(0.99) == 1.0


def test_short_term_entries_fade_by_the_hour() -> None:
    assert retention(0.5, 0, NOW, NOW) == 1.0
    assert retention(0.0, 0, NOW, NOW + timedelta(hours=10)) == pytest.approx(math.exp(-1))
    assert retention(0.5, 0, NOW, NOW + timedelta(hours=16)) > FADED > retention(0.5, 0, NOW, NOW + timedelta(hours=17))
    assert retention(1.0, 9, NOW, NOW + timedelta(hours=24)) == pytest.approx(math.exp(-2.4) * 2 * 1.2303, abs=1e-3)


@given(SHARE, st.integers(0, 100), st.floats(0, 1_000), st.floats(0, 1_000), st.integers(0, 9), SHARE)
def test_what_is_used_or_matters_fades_slower(
    importance: float, uses: int, hours: float, more: float, again: int, rise: float
) -> None:
    early, late = NOW + timedelta(hours=hours), NOW + timedelta(hours=hours + more)
    left = retention(importance, uses, NOW, late)
    assert 0 <= left <= retention(importance, uses, NOW, early) <= 1
    assert left <= retention(importance, uses + again, NOW, late)
    assert left <= retention(importance + rise, uses, NOW, late)


@pytest.mark.parametrize(
    ("importance", "uses", "stays"), [(0.5, 2, False), (0.5, 3, True), (0.69, 0, False), (0.7, 0, True)]
)
def test_what_is_used_again_and_again_or_matters_lasts(importance: float, uses: int, stays: bool) -> None:
    assert lasting(importance, uses) is stays


def test_only_what_was_inferred_fades_below_the_floor() -> None:
    now = NOW + timedelta(weeks=14)
    inferred = record(certainty="inferred", confidence=0.7, recorded_at=NOW)
    assert faded(inferred, NOW, now)
    assert not faded(inferred, NOW, now - timedelta(weeks=1))
    assert not faded(inferred, NOW + timedelta(weeks=1), now)
    assert not faded(replace(inferred, certainty="explicit", confidence=0.1), NOW, now)


@pytest.mark.parametrize(("importance", "days"), [(0.3, 119), (0.5, 277), (0.7, 645), (0.9, 2487)])
def test_what_matters_grows_stale_slowly(importance: float, days: int) -> None:
    made = record(importance=importance)
    assert staleness(made, NOW, NOW + timedelta(days=days)) >= STALE
    assert staleness(made, NOW, NOW + timedelta(days=days - 2)) < STALE
    assert staleness(replace(made, access_count=5), NOW, NOW + timedelta(days=2 * days)) < STALE


@pytest.mark.parametrize(
    ("told", "days"),
    [
        ({"kind": "plan", "attribute": "task"}, 104), ({"attribute": "event.visit"}, 104),
        ({"attribute": "possession"}, 277), ({"attribute": None}, 277),
        ({"attribute": "hobby", "certainty": "inferred"}, 277), ({"attribute": "hobby"}, 829),
        ({"kind": "preference", "attribute": "preference.email"}, 829),
    ],
)  # fmt: skip
def test_what_happened_grows_stale_soon_and_what_somebody_is_hardly(told: dict[str, Any], days: int) -> None:
    made = replace(record(importance=0.5), **told)
    assert staleness(made, NOW, NOW + timedelta(days=days)) >= STALE
    assert staleness(made, NOW, NOW + timedelta(days=days - 2)) < STALE


def test_staleness_at_the_ends() -> None:
    year = NOW + timedelta(days=365)
    assert staleness(record(importance=1.0), NOW, year) == 0.0
    assert staleness(record(importance=0.0), NOW, year) == 1.0
    assert staleness(record(importance=0.5), year, NOW) == 0.0


def test_what_nobody_would_miss() -> None:
    low, middle = (record(importance=value) for value in (0.05, 0.5))
    month = NOW + timedelta(days=30)
    assert trivial(low, NOW, month)
    assert not trivial(low, NOW, month - timedelta(seconds=1))
    assert not trivial(middle, NOW, NOW + timedelta(days=3_650))
    archived = replace(middle, status="archived")
    assert not trivial(archived, NOW, NOW + timedelta(days=280))
    assert trivial(archived, NOW, NOW + timedelta(days=300))


def test_when_it_was_touched_last() -> None:
    made = record(recorded_at=NOW)
    later = NOW + timedelta(days=1)
    assert last_touched(made) == NOW
    assert last_touched(made, later) == last_touched(replace(made, last_accessed=later)) == later
