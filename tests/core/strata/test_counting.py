"""Percentiles without the calls, success rates of few tries, and which strategy or tool comes first."""

import math
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.making import record
from memoranda.core.rows import Event, ToolUse
from memoranda.core.strata.procedures import (
    GROWTH,
    Call,
    Strategy,
    bucket,
    counted,
    fitting,
    percentile,
    promoted_from,
    rate,
    recounted,
    stats_of,
    suggested,
    use_id,
)

NOW = datetime(2026, 1, 5, tzinfo=UTC)
SECONDS = st.floats(1e-6, 1e6)
ERROR = (GROWTH - 1) / (GROWTH + 1)


def call(tool: str = "search", **values: Any) -> Event:
    place = {name: values.pop(name) for name in ("agent", "channel", "id", "event_time") if name in values}
    told = Call(id="", tool=tool, at=NOW, channel="_global", **values)
    given: dict[str, Any] = {"id": "c", "event_time": NOW, **place}
    return Event(
        tenant="acme", user="alice", kind="tool_call", role="tool", speaker=tool, metadata=told.metadata,
        recorded_at=NOW, **given,
    )  # fmt: skip


def strategy(name: str, successes: int, failures: int, *tools: str) -> Strategy:
    return Strategy(
        id=name, description=name, tools=tools, successes=successes, failures=failures, since=NOW, last_used=NOW
    )


@given(st.lists(SECONDS, min_size=1, max_size=200), st.sampled_from([0.5, 0.95, 0.99, 1.0]))
def test_a_percentile_is_as_near_as_is_said(latencies: list[float], share: float) -> None:
    counts: dict[str, int] = {}
    for one in latencies:
        counts[bucket(one)] = counts.get(bucket(one), 0) + 1
    exact = sorted(latencies)[math.ceil(share * len(latencies)) - 1]
    assert percentile(counts, share) == pytest.approx(exact, rel=ERROR + 1e-9)


def test_what_takes_no_time_is_counted() -> None:
    assert bucket(0.0) == bucket(1e-6)
    assert percentile({bucket(0.0): 3}, 0.5) == pytest.approx(1e-6, rel=0.05)
    assert percentile({}, 0.5) is None


@given(st.integers(0, 1_000), st.integers(0, 1_000))
def test_a_rate_of_few_tries_is_cautious(successes: int, failures: int) -> None:
    tries = successes + failures
    assert 0 < rate(successes, tries) < 1
    assert rate(0, 2) < rate(0, 1) < rate(0, 0) == 0.5 < rate(1, 1) < rate(2, 2)
    if tries:
        between = sorted([successes / tries, 0.5])
        assert between[0] <= rate(successes, tries) <= between[1]


def test_calls_are_counted_where_they_belong() -> None:
    first = call(latency=1.0, task_type="travel", success=True)
    second = call(id="d", event_time=NOW + timedelta(hours=1), task_type="travel", success=False, error="timeout")
    use = counted(counted(None, first), second)
    assert (use.tool, use.task_type, use.uses, use.successes) == ("search", "travel", 2, 1)
    assert (use.last_error, use.failed_at, use.last_used) == ("timeout", second.event_time, second.event_time)
    assert dict(use.latencies) == {bucket(1.0): 1}
    assert counted(use, call(id="e", task_type="travel")).last_error == "timeout"
    others = [call(agent="clerk"), call(channel="tidepool"), call("book"), call(task_type="fun"), call()]
    assert len({use_id(event) for event in (first, *others)}) == 6


def test_rows_are_made_again_of_what_is_left() -> None:
    turn = Event(tenant="acme", user="alice", id="t", event_time=NOW, recorded_at=NOW)
    events = [call(id=f"c{n}", success=n % 2 == 0, event_time=NOW + timedelta(hours=n)) for n in range(4)]
    assert recounted([turn]) == {}
    [use] = recounted([*events[::-1], turn]).values()
    assert (use.uses, use.successes, use.failed_at) == (4, 2, events[3].event_time)


def test_statistics_put_the_rows_of_a_tool_together() -> None:
    uses = [
        counted(None, call(latency=0.1, success=False, error="old")),
        counted(None, call(latency=9.0, agent="clerk", success=False, error="new", event_time=NOW + timedelta(1))),
        counted(None, call("book")),
    ]
    search, book = stats_of(uses).values()
    assert (search.tool, search.calls, search.success_rate, search.last_error) == ("search", 2, 0.0, "new")
    assert search.p50 == pytest.approx(0.1, rel=0.05)
    assert search.p99 == pytest.approx(9.0, rel=0.05)
    assert (book.calls, book.success_rate, book.p95, book.last_error, book.failed_at) == (1, 1.0, None, None, None)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({}, "→ done"),
        ({"input": {"to": "Oslo"}, "output": "two flights"}, '{"to": "Oslo"} → two flights'),
        ({"input": "é", "success": False}, "é → failed"),
        ({"success": False, "error": "timeout", "task_type": "travel"}, "(travel) → failed: timeout"),
        ({"input": "x" * 1_001}, f"{'x' * 1_000}… → done"),
    ],
)
def test_a_call_says_what_was_done(values: dict[str, Any], text: str) -> None:
    assert Call(id="c", tool="search", at=NOW, channel="_global", **values).text == text


def test_a_strategy_is_what_its_record_holds() -> None:
    one = strategy("Call Ann", 1, 0, "phone").tried(False, NOW + timedelta(1), ("mail",))
    assert (one.successes, one.failures, one.tools) == (1, 1, ("phone",))
    better = one.tried(True, NOW + timedelta(2), ("mail",))
    assert (better.tools, better.tried(True, NOW).tools) == (("mail",), ("mail",))
    kept = record(id="Call Ann", kind="strategy", text="Call Ann", value=better.value, valid_from=NOW)
    assert Strategy.of(kept) == better
    bare = Strategy.of(record(id="s", kind="strategy", text="Call Bob", value=None, valid_from=NOW))
    assert (bare.description, bare.tools, bare.success_rate, bare.last_used) == ("Call Bob", (), 0.5, NOW)


def test_what_failed_twice_comes_after_what_worked_once() -> None:
    failed, worked, tried = strategy("failed", 0, 2), strategy("worked", 1, 0), strategy("often", 5, 1)
    found = fitting([(failed, 1.9), (worked, 0.3), (tried, 0.3), (strategy("far", 9, 0), 0.1)])
    assert [fit.strategy.id for fit in found] == ["often", "worked", "failed"]
    assert found[-1].why == "failed 2 of 2 times; nearness to the task 1.90"


def test_a_tool_is_suggested_for_each_reason() -> None:
    fits = fitting(
        [(strategy("Book early", 2, 0, "search", "book", "book"), 0.5), (strategy("Phone", 0, 2, "phone"), 0.9)]
    )
    uses = [counted(None, call("search")), counted(None, call("map")), counted(None, call("phone"))]
    calls = {"search": [0.9, 0.1, 0.4], "map": [0.1], "gone": [0.9]}
    search, book, phone = suggested(fits, calls, stats_of(uses))
    assert (search.tool, book.tool, phone.tool) == ("search", "book", "phone")
    assert search.why == (
        "2 call(s) like this; in all it succeeded 1 of 1 times; strategy 'Book early' succeeded 2 of 2 times"
    )
    assert (search.success_rate, search.score) == (pytest.approx(2 / 3), 0.6)
    assert (book.success_rate, book.why) == (0.75, "strategy 'Book early' succeeded 2 of 2 times")
    assert (phone.success_rate, phone.why) == (0.25, "strategy 'Phone' failed 2 of 2 times")


@pytest.mark.parametrize("told", [None, "e", 5, {"e": 1}])
def test_what_a_host_notes_names_no_origin(told: Any) -> None:
    event = Event(
        tenant="acme", user="alice", id="t", event_time=NOW, recorded_at=NOW, metadata={"promoted_from": told}
    )
    assert promoted_from(event) == frozenset()


def test_a_use_belongs_to_somebody() -> None:
    use = ToolUse(tenant="acme", user="alice", id="u", tool="search", last_used=NOW)
    assert (use.uses, use.successes, use.channel) == (0, 0, "_global")
