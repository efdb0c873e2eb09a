from datetime import UTC, datetime, timedelta

import pytest

from memoranda.core.base.schedules import JOBS, Schedule, check_job, due, lag, next_run
from memoranda.core.rows.jobs import KEPT, Did, Worked, slot_of, together
from memoranda.errors import InputError

MONDAY = datetime(2026, 1, 5, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("job", "last", "following"),
    [
        ("session_flush", MONDAY, MONDAY + timedelta(minutes=5)),
        ("prune", MONDAY, MONDAY + timedelta(hours=6)),
        ("decay", MONDAY, datetime(2026, 1, 6, 4, tzinfo=UTC)),
        ("decay", datetime(2026, 1, 6, 3, 59, tzinfo=UTC), datetime(2026, 1, 6, 4, tzinfo=UTC)),
        ("decay", datetime(2026, 1, 6, 4, tzinfo=UTC), datetime(2026, 1, 7, 4, tzinfo=UTC)),
        ("weekly_review", MONDAY, datetime(2026, 1, 12, 4, tzinfo=UTC)),
        ("weekly_review", datetime(2026, 1, 5, 3, tzinfo=UTC), datetime(2026, 1, 5, 4, tzinfo=UTC)),
    ],
)
def test_when_a_job_is_due_again(job: str, last: datetime, following: datetime) -> None:
    assert next_run(JOBS[job].schedule, last) == following


def test_what_failed_is_tried_again_soon() -> None:
    assert next_run(JOBS["decay"].schedule, MONDAY, failed=True) == MONDAY + timedelta(minutes=15)
    assert next_run(JOBS["session_flush"].schedule, MONDAY, failed=True) == MONDAY + timedelta(minutes=5)


def test_what_never_ran_is_due_and_not_late() -> None:
    hourly = JOBS["patterns"].schedule
    assert due(hourly, None, MONDAY)
    assert lag(None, MONDAY) == 0.0
    assert due(hourly, MONDAY, MONDAY)
    assert not due(hourly, MONDAY + timedelta(seconds=1), MONDAY)
    assert lag(MONDAY + timedelta(seconds=1), MONDAY) == 0.0
    assert lag(MONDAY - timedelta(minutes=2), MONDAY) == 120.0


@pytest.mark.parametrize("job", JOBS)
def test_what_is_due_later_than_it_could_be_is_due(job: str) -> None:
    schedule = JOBS[job].schedule
    assert not due(schedule, next_run(schedule, MONDAY), MONDAY)
    assert not due(schedule, next_run(schedule, MONDAY + schedule.every / 2), MONDAY)  # of a host whose clock is ahead
    assert due(schedule, next_run(schedule, MONDAY + 3 * schedule.every), MONDAY)


def test_schedules_in_words() -> None:
    told = [str(JOBS[name].schedule) for name in ("session_flush", "prune", "rot", "weekly_review")]
    assert told == ["every 5 min", "every 6 h", "daily at 04:00", "weekly, Monday at 04:00"]
    assert str(Schedule(every=timedelta(minutes=90))) == "every 90 min"


def test_a_job_there_is_not_is_refused() -> None:
    check_job("decay")
    with pytest.raises(InputError, match="job is 'dream'; give one of session_flush"):
        check_job("dream")


def test_parts_make_one() -> None:
    whole = together(
        [Did(counts={"a": 0, "b": 1}, looked=2, reason="none"), Did(counts={"b": 2}, degraded=("x", "x"), reason="no")]
    )
    assert whole == Did(counts={"a": 0, "b": 3}, looked=2, reason="none", degraded=("x",))
    assert together([]) == Did(counts={})
    assert Worked(done=1) + Worked(done=1, failed=2, empty=3) == Worked(done=2, failed=2, empty=3)


def test_so_many_runs_are_kept_and_none_lies_where_the_last_one_does() -> None:
    slots = [slot_of(number) for number in range(1, 3 * KEPT)]
    assert {*slots} == {*range(1, KEPT + 1)}
    assert all({*slots[start : start + KEPT]} == {*slots} for start in range(KEPT))
