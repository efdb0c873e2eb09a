"""When each job runs: a table, and functions of it. All times are UTC.

A job that never ran is due at once. A failed job is tried again after a quarter of an hour, or when next due, if
sooner.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from types import MappingProxyType

from memoranda.core.base.checks import check_choice

PAUSE = 30.0  # seconds between two checks of a worker for due jobs
RETRY = timedelta(minutes=15)
_MONDAY = datetime(2001, 1, 1, tzinfo=UTC)
_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """How often something runs.

    Attributes:
        every: from one run to the next.
        at: the offset from the start of a day, or of a Monday if `every` is seven days; None: `every` after the last
            run.
    """

    every: timedelta
    at: timedelta | None = None

    def __str__(self) -> str:
        if self.at is None:
            minutes = int(self.every.total_seconds()) // 60
            return f"every {minutes // 60} h" if minutes % 60 == 0 else f"every {minutes} min"
        clock = f"{self.at // _HOUR:02d}:00"
        return f"daily at {clock}" if self.every == _DAY else f"weekly, Monday at {clock}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A recurring job.

    Attributes:
        schedule: when it runs.
        does: what it does, in one line.
        whole: it runs once for a tenant; otherwise once for each of its users.
    """

    schedule: Schedule
    does: str
    whole: bool = False


def _minutes(number: int) -> Schedule:
    return Schedule(every=timedelta(minutes=number))


_AT_FOUR = Schedule(every=_DAY, at=timedelta(hours=4))
_WEEKLY = Schedule(every=timedelta(days=7), at=timedelta(hours=4))

#: The jobs by name, in the order in which they run if several are due (SPEC 6).
JOBS: Mapping[str, Job] = MappingProxyType(
    {
        "session_flush": Job(
            schedule=_minutes(5), does="writes conversations that went idle from working memory to the log", whole=True
        ),
        "consolidate": Job(schedule=_minutes(15), does="takes in the events that wait: what they mean becomes records"),
        "reembed": Job(
            schedule=_minutes(15), does="embeds what has no vector of the embedder in use, or of the next", whole=True
        ),
        "promote_short_term": Job(
            schedule=_minutes(60), does="takes entries that are used or important into long-term memory, drops others"
        ),
        "patterns": Job(
            schedule=_minutes(60), does="makes one record of episodes with a common theme, strategies of what went well"
        ),
        "promote_global": Job(
            schedule=_minutes(60), does="copies what proved itself in a channel to _global, with the thresholds it met"
        ),
        "trends": Job(schedule=_minutes(360), does="notes which numbers rise or fall, which topics come up more often"),
        "prune": Job(
            schedule=_minutes(360), does="drops trivial statements that nobody used for a month, and what has expired"
        ),
        "decay": Job(schedule=_AT_FOUR, does="archives inferred statements whose confidence has faded below the floor"),
        "deduplicate": Job(schedule=_AT_FOUR, does="merges statements that say the same in other words"),
        "rot": Job(schedule=_AT_FOUR, does="archives statements that have grown stale: old, unused, not important"),
        "retention": Job(schedule=_AT_FOUR, does="drops saved working memory of quiet conversations; may archive them"),
        "audit_partitions": Job(
            schedule=_AT_FOUR, does="drops entries of the audit that grew old", whole=True
        ),
        "weekly_review": Job(
            schedule=_WEEKLY, does="flags important statements nobody confirmed for long, merges what is related"
        ),
    }
)  # fmt: skip


def check_job(name: object) -> None:
    """Refuse an unknown job.

    Raises:
        InputError: naming those there are.
    """
    check_choice("job", name, JOBS)


def next_run(schedule: Schedule, last: datetime, *, failed: bool = False) -> datetime:
    """Return when a job is next due whose last run began at `last`, sooner if that run `failed`."""
    if schedule.at is None:
        regular = last + schedule.every
    else:
        begun = (last - _MONDAY - schedule.at) // schedule.every
        regular = _MONDAY + schedule.at + (begun + 1) * schedule.every
    return min(regular, last + RETRY) if failed else regular


def due(schedule: Schedule, at: datetime | None, now: datetime) -> bool:
    """Whether a job due `at` is to run; None: it never ran.

    A job due later than two of its periods from now runs, too: its time was set by a clock that was ahead.
    """
    return at is None or at <= now or at - now > 2 * schedule.every


def lag(at: datetime | None, now: datetime) -> float:
    """Return for how many seconds a job has been due; 0 if it is not, or never ran."""
    return 0.0 if at is None else max((now - at).total_seconds(), 0.0)
