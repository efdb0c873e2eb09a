"""Decay and reinforcement as functions of time and counters: computed on read, never stored.

A frozen clock therefore replays any moment, and no nightly job rewrites millions of rows.
"""

import math
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from memoranda.core.rows import Record
from memoranda.core.rows.statements import FADING

DAILY = 0.95  # salience kept per day without access: a half-life of about 14 days
GRACE = timedelta(hours=24)
REINFORCEMENT = 0.05
HOURLY = 0.1  # decay rate of short-term entries, per hour
FADED = 0.3  # retention below which a short-term entry is removed
UNSURE = 0.35  # confidence below which a statement is archived: half of what an inferred one begins with
STALE = 0.9  # staleness from which a statement is archived
#: Time constants of staleness, in days: for events and plans, for lasting attributes, for anything else.
PASSING, LASTING, LIFE = 45.0, 360.0, 120.0
WEEKLY = 0.01  # importance lost per week without access, from the second on
TRIVIAL, UNTOUCHED = 0.1, timedelta(days=30)  # importance below which, and time after which, a statement is dropped
OFTEN, IMPORTANT = 3, 0.7  # accesses or importance from which an entry is kept until it is promoted

Numbers = TypeVar("Numbers", float, NDArray[Any])  # of one record, or of many


def elapsed_days(since: datetime, now: datetime) -> float:
    """Return the days from `since` to `now`; 0 if `since` is in the future."""
    return max((now - since).total_seconds(), 0.0) / 86_400.0


def salience(value: float, since: datetime, now: datetime, accesses: int = 0) -> float:
    """`value · 0.95^days` after a day of grace, raised logarithmically by accesses; at most 1 (SPEC 7)."""
    days = elapsed_days(since, now - GRACE)
    boost = 1.0 + math.log1p(accesses) / 10.0
    return min(value * float(DAILY**days) * boost, 1.0)


def confidence(record: Record, now: datetime) -> float:
    """Return the current confidence: inferred statements lose 5 % a week without access, others nothing (SPEC 7)."""
    if record.certainty not in FADING:
        return record.confidence
    return float(dimmed(record.confidence, elapsed_days(last_touched(record), now)))


def dimmed(confidence: Numbers, days: Numbers) -> Numbers:
    """Return what is left of the confidence of an inferred statement after `days` without access."""
    return confidence * DAILY ** (days / 7.0)  # type: ignore[no-any-return] # the power of a float may be anything


def strength(record: Record, now: datetime) -> float:
    """Return how present the record is: the salience of its importance since the last access."""
    return salience(record.importance, record.last_accessed or record.recorded_at, now, record.access_count)


def reinforced(importance: float) -> float:
    """Return the importance after one more mention; at most 1."""
    return min(importance + REINFORCEMENT, 1.0)


def effective_relevance(record: Record, now: datetime) -> float:
    """Return the intrinsic relevance of a collection entry: `0.4 importance + 0.3 confidence + 0.3 recency`, at most 1.

    Confidence is the current one; recency is `1 - days / 365` since the version was written, at least 0 (SPEC 7).
    """
    recency = max(1.0 - elapsed_days(record.recorded_at, now) / 365.0, 0.0)
    return 0.4 * record.importance + 0.3 * confidence(record, now) + 0.3 * recency


def retention(importance: float, accesses: int, since: datetime, now: datetime) -> float:
    """Return how much of a short-term entry is left, 0 to 1; `since` is when it was last set or accessed.

    `exp(-0.1 · hours)` (SPEC 7; Ebbinghaus' curve, which halves in 7 hours) times `1 + importance` times
    `1 + ln(1 + accesses) / 10`, the boost that salience has. Below `FADED` after 16 hours at importance 0.5.
    """
    hours = elapsed_days(since, now) * 24.0
    boost = (1.0 + importance) * (1.0 + math.log1p(accesses) / 10.0)
    return min(math.exp(-HOURLY * hours) * boost, 1.0)


def lasting(importance: float, accesses: int) -> bool:
    """Whether a short-term entry belongs in long-term memory: it is accessed repeatedly, or important (SPEC 6)."""
    return accesses >= OFTEN or importance >= IMPORTANT


def last_touched(record: Record, said: datetime | None = None) -> datetime:
    """Return when a record was last written, accessed or, if known, said: decay starts from then."""
    return max(filter(None, (record.recorded_at, record.last_accessed, said)))


def faded(record: Record, since: datetime, now: datetime) -> bool:
    """Whether a record was inferred and its confidence is now below `UNSURE`: 14 weeks after 0.70, 7 after 0.50."""
    return confidence(replace(record, last_accessed=since), now) < UNSURE and record.certainty in FADING


def life_of(record: Record) -> float:
    """Return the time constant of a record's staleness, in days: short for plans and events, long for what lasts.

    A plan without a date and an event matter while they are news. What somebody is, does, prefers or decided holds
    until they say otherwise, however rarely it is asked for; what they bought or own comes and goes.
    """
    about = (record.attribute or "").partition(".")[0]
    if record.kind == "plan" or about == "event":
        return PASSING
    outright = record.certainty not in FADING and record.attribute is not None
    return LASTING if outright and about != "possession" else LIFE


def staleness(record: Record, since: datetime, now: datetime) -> float:
    """Return how stale a record is, from 0 (just touched) towards 1; it is archived from `STALE` on.

    `1 - exp(-days / life)`, where life is `life_of` times the odds of the importance, times `1 + ln(1 + accesses)`.
    Months until 0.9 is reached without any access (five accesses nearly triple the time):

        importance        0.3   0.5   0.6   0.7   0.8
        plans, events     1.5   3.4   5.1   7.9    14
        anything else       4     9    14    21    36
        what lasts         12    27    41    64   109
    """
    if record.importance >= 1.0:
        return 0.0
    odds = record.importance / (1.0 - record.importance)
    life = life_of(record) * odds * (1.0 + math.log1p(record.access_count))
    return 1.0 - math.exp(-elapsed_days(since, now) / max(life, 1.0))


def importance(record: Record, since: datetime, now: datetime) -> float:
    """Return the current importance of an untouched record: after 7 days it loses 0.01 a week, down to 0 (SPEC 7)."""
    return float(worn(record.importance, elapsed_days(since, now)))


def worn(importance: Numbers, days: Numbers) -> Numbers:
    """Return what is left of the importance of a record after `days` without access."""
    weeks = np.maximum(days / 7.0 - 1.0, 0.0)
    return np.maximum(importance - WEEKLY * weeks, 0.0)  # type: ignore[no-any-return] # what numpy makes of either


def trivial(record: Record, since: datetime, now: datetime) -> bool:
    """Whether nobody would miss the record: untouched for 30 days, and of importance below 0.1.

    A more important record has to be archived first and fades from then on: from 0.5 that takes another 9 months.
    """
    low = record.importance < TRIVIAL or (record.status == "archived" and importance(record, since, now) < TRIVIAL)
    return low and now - since >= UNTOUCHED
