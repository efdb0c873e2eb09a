"""The result of a job run, and the row that records it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memoranda.core.rows.declare import Row, RowTraits, table

UPKEEP = "upkeep"

KEPT = 20  # runs of a job kept per owner, besides the last one


@table("job_runs", "job", "slot", traits=RowTraits(image=None, derived=None, seen=None, named=True, falls="words"))
@dataclass(frozen=True, slots=True, kw_only=True)
class JobRun(Row):
    """One run of a job for one user or tenant. Holds numbers and reasons, never memory content.

    Rows are never removed: the last run has slot 0, and earlier runs take the other slots in rotation.

    Attributes:
        ordinal: the number of the run, from 1.
        outcome: done, empty (there was nothing to do) or failed.
        counts: how often each thing was done.
        reason: why there was nothing to do, or what went wrong.
        degraded: parts that were down, each with what happened.
        lag: seconds from when it was due to when it began.
        next_at: when it is due again.
    """

    job: str
    slot: int
    ordinal: int
    started_at: datetime
    ended_at: datetime
    outcome: str
    counts: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    degraded: tuple[str, ...] = ()
    lag: float = 0.0
    next_at: datetime

    @property
    def words(self) -> tuple[str, ...]:
        """What went wrong, in one: it may name what it was about."""
        return (" ".join((self.reason, *self.degraded)),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Did:
    """What a job, or a part of it, did.

    Attributes:
        counts: how often each thing was done; all 0 if there was nothing to do.
        looked: how many items were examined.
        reason: why there was nothing to do.
        degraded: parts that were down, each with what happened.
    """

    counts: Mapping[str, int]
    looked: int = 0
    reason: str = ""
    degraded: tuple[str, ...] = ()


def together(parts: Iterable[Did]) -> Did:
    """Merge several parts into one; the first reason is kept for all."""
    counts: Counter[str] = Counter()
    found = list(parts)
    for part in found:
        counts.update(part.counts)
    return Did(
        counts={name: counts[name] for part in found for name in part.counts},
        looked=sum(part.looked for part in found),
        reason=next((part.reason for part in found if part.reason), ""),
        degraded=tuple(dict.fromkeys(problem for part in found for problem in part.degraded)),
    )


def slot_of(number: int) -> int:
    """Return the slot of a run that is no longer the last one."""
    return 1 + number % KEPT


@dataclass(frozen=True, slots=True, kw_only=True)
class Worked:
    """The outcomes of a worker's runs: how many did something, had nothing to do, or failed."""

    done: int = 0
    empty: int = 0
    failed: int = 0

    def __add__(self, other: "Worked") -> "Worked":
        return Worked(done=self.done + other.done, empty=self.empty + other.empty, failed=self.failed + other.failed)
