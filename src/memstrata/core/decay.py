"""Fading and reinforcement as functions of time and counters: computed when read, never stored.

A frozen clock therefore replays any moment, and a store of millions is not rewritten every night.
"""

import math
from dataclasses import replace
from datetime import datetime, timedelta

from memstrata.core.rows import Record

DAILY = 0.95  # salience kept per day without access: a half-life of about 14 days
GRACE = timedelta(hours=24)
REINFORCEMENT = 0.05
HOURLY = 0.1  # of the curve that short-term entries fade by
FADED = 0.3  # retention below which an entry goes
FADING = frozenset({"inferred", "uncertain"})  # certainties; what was said outright does not fade by itself
UNSURE = 0.35  # half of what an inferred statement begins with; below it is archived
STALE = 0.9  # staleness from which a statement is archived
#: Days by which statements grow stale: of what happened or is to be done, of how somebody is, of anything else.
PASSING, LASTING, LIFE = 45.0, 360.0, 120.0
WEEK, WEEKLY = timedelta(days=7), 0.01  # grace, and importance lost a week after it
TRIVIAL, UNTOUCHED = 0.1, timedelta(days=30)  # importance below which, and time after which, a statement is dropped
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
    if record.certainty not in FADING:
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


def last_touched(record: Record, said: datetime | None = None) -> datetime:
    """When a record was last written, accessed or, where that is known, said: from then on it fades."""
    return max(filter(None, (record.recorded_at, record.last_accessed, said)))


def faded(record: Record, since: datetime, now: datetime) -> bool:
    """Whether it was only inferred, and is by now less sure than `UNSURE`: 14 weeks after 0.70, 7 after 0.50."""
    return confidence(replace(record, last_accessed=since), now) < UNSURE and record.certainty in FADING


def life_of(record: Record) -> float:
    """By how many days a record grows stale: what passes soonest, what was said outright of how somebody is latest.

    A plan without a day and what happened are of use while they are news. What somebody is, does, prefers or decided is
    so until they say otherwise, however seldom it is asked for; what they bought or have comes and goes.
    """
    about = (record.attribute or "").partition(".")[0]
    if record.kind == "plan" or about == "event":
        return PASSING
    outright = record.certainty not in FADING and record.attribute is not None
    return LASTING if outright and about != "possession" else LIFE


def staleness(record: Record, since: datetime, now: datetime) -> float:
    """How stale a record has grown, from 0 (just touched) towards 1; it is archived from `STALE` on.

    `1 - exp(-days / life)`, where the life is `life_of` it times the odds of its importance, times
    `1 + ln(1 + accesses)`. Without any access, 0.9 is reached after so many months; what was accessed five times takes
    nearly three times as long:

        importance        0.3   0.5   0.6   0.7   0.8
        what passes       1.5   3.4   5.1   7.9    14
        anything else       4     9    14    21    36
        what lasts         12    27    41    64   109
    """
    if record.importance >= 1.0:
        return 0.0
    odds = record.importance / (1.0 - record.importance)
    life = life_of(record) * odds * (1.0 + math.log1p(record.access_count))
    return 1.0 - math.exp(-elapsed_days(since, now) / max(life, 1.0))


def importance(record: Record, since: datetime, now: datetime) -> float:
    """How much an untouched record matters now: after 7 days of grace it loses 0.01 a week, down to 0 (SPEC 7)."""
    weeks = elapsed_days(since + WEEK, now) / 7.0
    return max(record.importance - WEEKLY * weeks, 0.0)


def trivial(record: Record, since: datetime, now: datetime) -> bool:
    """Whether nobody would miss it: untouched for 30 days, and of importance below 0.1.

    What matters more has to be archived first, and fades from then on: an importance of 0.5 takes another 9 months.
    """
    low = record.importance < TRIVIAL or (record.status == "archived" and importance(record, since, now) < TRIVIAL)
    return low and now - since >= UNTOUCHED
