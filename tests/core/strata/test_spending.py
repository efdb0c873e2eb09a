"""What is left, by budgets and by what was spent."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from memoranda.core.base.prices import Price
from memoranda.core.base.scope import Owner
from memoranda.core.rows import Budget, LedgerEntry, Spending
from memoranda.core.strata.spending import UNIT, Limit, charges, counted, current, exhausted, limits, runs_here

NOW = datetime(2026, 1, 31, 23, 59, tzinfo=UTC)
ALICE = Owner("acme", "alice")


def entry(cost: float | None, at: datetime = NOW) -> LedgerEntry:
    return LedgerEntry(tenant="acme", user="alice", id="e", what="completion", model="m", cost=cost, at=at)


def budget(period: str, amount: float | None) -> Budget:
    return Budget(tenant="acme", user="alice", period=period, amount=amount, set_at=NOW)


def spending(period: str, spent: float) -> Spending:
    return Spending(tenant="acme", user="alice", period=period, spent=round(spent * UNIT))


def test_periods_are_those_of_the_time() -> None:
    assert current(NOW) == {"balance": "balance", "day": "2026-01-31", "month": "2026-01"}
    assert current(NOW + timedelta(minutes=1)) == {"balance": "balance", "day": "2026-02-01", "month": "2026-02"}


def test_a_day_is_one_of_utc_whatever_the_clock_says() -> None:
    there = NOW.astimezone(timezone(timedelta(hours=2)))
    assert there.day == 1
    assert current(there) == current(NOW)


def test_what_waits_counts_in_its_own_period() -> None:
    yesterday = NOW - timedelta(days=1)
    found = limits(
        [budget("day", 1.0), budget("month", None)],
        [spending("2026-01-31", 0.25), spending("2026-01", 3)],
        [entry(0.5), entry(None), entry(4, yesterday)],
        NOW,
    )
    assert found == {
        "balance": Limit(spent=4.5), "day": Limit(amount=1.0, spent=0.75), "month": Limit(spent=7.5),
    }  # fmt: skip
    assert [one.left for one in found.values()] == [None, 0.25, None]


@pytest.mark.parametrize(("amount", "spent", "gone"), [(1, 0.9, None), (1, 1, "day"), (0, 0, "day"), (1, 2, "day")])
def test_a_budget_is_gone_when_nothing_is_left(amount: float, spent: float, gone: str | None) -> None:
    assert exhausted({"balance": Limit(), "day": Limit(amount=amount, spent=spent)}) == gone


def test_only_what_has_a_price_charges() -> None:
    prices = {"a": Price(read=0, written=1), "b": Price(read=0, written=0)}
    assert [charges(prices, name) for name in "abc"] == [True, False, False]
    assert [runs_here(name) for name in ("local/MiniLM", "hashed/trigrams", "openai/small", "own")] == [
        True, True, False, False,
    ]  # fmt: skip


def test_entries_are_counted_by_period_and_those_that_cost_nothing_are_not() -> None:
    later = NOW + timedelta(minutes=1)
    changes = counted(ALICE, [entry(0.5), entry(0.25), entry(1, later), entry(None)])
    touched = {change.key[0]: change.add["spent"] for change in changes[1::2]}  # type: ignore[union-attr]
    assert touched == {
        "balance": 1_750_000_000, "2026-01-31": 750_000_000, "2026-01": 750_000_000,
        "2026-02-01": 1_000_000_000, "2026-02": 1_000_000_000,
    }  # fmt: skip
    assert counted(ALICE, [entry(None), entry(0)]) == []
