"""Fading and reinforcement as functions of time and counters: computed when read, never stored.

A frozen clock therefore replays any moment, and a store of millions is not rewritten every night.
"""

import math
from datetime import datetime, timedelta

from memstrata.core.rows import Record

DAILY = 0.95  # salience kept per day without access: a half-life of about 14 days
GRACE = timedelta(hours=24)
REINFORCEMENT = 0.05
HOURLY = 0.1  # of the curve that short-term entries fade by
FADED = 0.3  # retention below which an entry goes
OFTEN, IMPORTANT = 3, 0.7  # accesses or importance from which on an entry stays until it is promoted


def elapsed_days(since: datetime, now: datetime) -> float:
    """Days from `since` to `now`, 0 if that lies ahead."""
    return max((now - since).total_seconds(), 0.0) / 86_400.0


def salience(value: float, since: datetime, now: datetime, accesses: int = 0) -> float:
    """`value · 0.95^days` after a day of grace, raised logarithmically by accesses; at most 1 (SPEC 7)."""
    days = elapsed_days(since + GRACE, now)
    boost = 1.0 + math.log1p(accesses) / 10.0
    return min(value * float(DAILY**days) * boost, 1.0)


def confidence(record: Record, now: datetime) -> float:
    """How sure the record is now: inferred statements fade 5 % a week without access, others do not (SPEC 7)."""
    if record.certainty not in {"inferred", "uncertain"}:
        return record.confidence
    weeks = elapsed_days(record.last_accessed or record.recorded_at, now) / 7.0
    return record.confidence * float(DAILY**weeks)


def strength(record: Record, now: datetime) -> float:
    """How present the record is: its importance under the salience curve, from its last access."""
    return salience(record.importance, record.last_accessed or record.recorded_at, now, record.access_count)


def reinforced(importance: float) -> float:
    """Importance after one more mention; at most 1."""
    return min(importance + REINFORCEMENT, 1.0)


def effective_relevance(record: Record, now: datetime) -> float:
    """How much an entry of a collection bears in itself: `0.4 importance + 0.3 confidence + 0.3 recency`, at most 1.

    Confidence is that of now; recency is `1 - days / 365` since the version was written, at least 0 (SPEC 7).
    """
    recency = max(1.0 - elapsed_days(record.recorded_at, now) / 365.0, 0.0)
    return 0.4 * record.importance + 0.3 * confidence(record, now) + 0.3 * recency


def retention(importance: float, accesses: int, since: datetime, now: datetime) -> float:
    """How much of a short-term entry is left, 0 to 1, since it was last set or accessed.

    `exp(-0.1 · hours)` (SPEC 7; Ebbinghaus' curve, which halves in 7 hours) times `1 + importance`, times
    `1 + ln(1 + accesses) / 10`, the boost that salience has. Below `FADED` after 16 hours at importance 0.5.
    """
    hours = elapsed_days(since, now) * 24.0
    boost = (1.0 + importance) * (1.0 + math.log1p(accesses) / 10.0)
    return min(math.exp(-HOURLY * hours) * boost, 1.0)


def lasting(importance: float, accesses: int) -> bool:
    """Whether a short-term entry belongs into long-term memory: it is accessed again and again, or matters (SPEC 6)."""
    return accesses >= OFTEN or importance >= IMPORTANT
