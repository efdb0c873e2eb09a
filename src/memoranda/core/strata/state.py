"""The state of a user at one moment: goals, horizons, decisions without an outcome, and who the user is.

It is read by what governs an agent: how cautious it is to be, what it puts first, what it still has to find out.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memoranda.core.beliefs.outcomes import OUTCOME
from memoranda.core.beliefs.profile import Leaf, Profile, held
from memoranda.core.rows import Record
from memoranda.core.strata.goals import OPEN, Goal, importance, overdue, pressing
from memoranda.core.text.voices import STRANGER, voice_of

#: The horizons, each up to so many days from now; then what has a later time, and what has none.
HORIZONS = (("day", 1), ("week", 7), ("month", 30), ("quarter", 91), ("year", 366))
LATER, UNDATED = "later", "undated"
DECISIONS = 50  # the newest decisions without an outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Horizon:
    """What lies within one reach of time, and within none that is shorter.

    Attributes:
        name: day, week, month, quarter, year, later or undated.
        until: its end; None of the last two.
        goals: ids of the open goals that are due in it; those that are overdue are due in the first.
        plans: what is known to be so from a day in it on.
        share: the part of all open goals that these are, from 0 to 1, each weighing .9 (priority 1) to .5 (5).
    """

    name: str
    until: datetime | None
    goals: tuple[str, ...] = ()
    plans: tuple[Leaf, ...] = ()
    share: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDecision:
    """A decision of which no outcome is recorded.

    Attributes:
        id: of the record, for `outcomes.record`; `text`: what was decided; `since`: when.
        by: who says so, if not the user.
    """

    id: str
    text: str
    since: datetime
    conversation: str | None = None
    by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateView:
    """The state of a user at one moment.

    Attributes:
        at: that moment.
        active, blocked: the goals in this state, the most pressing first; `overdue`: those of either that should have
            been reached.
        horizons: the open goals and plans by the reach of time, the nearest first; empty ones too.
        decisions: the newest 50 without an outcome, the newest first.
        profile: who the user is and what the user is at: scaffold, narrative, learned info.
    """

    at: datetime
    active: tuple[Goal, ...]
    blocked: tuple[Goal, ...]
    overdue: tuple[Goal, ...]
    horizons: tuple[Horizon, ...]
    decisions: tuple[OpenDecision, ...]
    profile: Profile


def state_of(goals: Iterable[Goal], records: Iterable[Record], profile: Profile, now: datetime) -> StateView:
    """Return the state at `now` of the user of these goals, records and profile, all as the asker sees them."""
    open_ = sorted((goal for goal in goals if goal.state in OPEN), key=pressing)
    return StateView(
        at=now,
        active=tuple(goal for goal in open_ if goal.state == "active"),
        blocked=tuple(goal for goal in open_ if goal.state == "blocked"),
        overdue=tuple(goal for goal in open_ if overdue(goal, now)),
        horizons=tuple(_horizons(open_, _ahead(profile, now), now)),
        decisions=tuple(_undecided(records, now)),
        profile=profile,
    )


def _horizons(goals: Sequence[Goal], plans: Sequence[Leaf], now: datetime) -> Iterator[Horizon]:
    total = sum(importance(goal.priority) for goal in goals)
    last = datetime.max.replace(tzinfo=now.tzinfo)
    ends = [(name, min(now, last - (reach := timedelta(days=days))) + reach) for name, days in HORIZONS]

    def horizon(at: datetime | None) -> str:
        return UNDATED if at is None else next((name for name, end in ends if at < end), LATER)

    for name, until in (*ends, (LATER, None), (UNDATED, None)):
        due = [goal for goal in goals if horizon(goal.deadline) == name]
        yield Horizon(
            name=name,
            until=until,
            goals=tuple(goal.id for goal in due),
            plans=tuple(leaf for leaf in plans if horizon(leaf.since) == name),
            share=round(sum(importance(goal.priority) for goal in due) / total, 4) if due else 0.0,
        )


def _ahead(profile: Profile, now: datetime) -> list[Leaf]:
    """What the profile says will be so from a day to come on, the nearest first."""
    plans = profile.scaffold.get("plans", [])
    leaves = plans if isinstance(plans, list) else [plans]
    return sorted((leaf for leaf in leaves if isinstance(leaf, Leaf) and leaf.since > now), key=lambda leaf: leaf.since)


def _undecided(records: Iterable[Record], now: datetime) -> list[OpenDecision]:
    """The newest decisions that hold, of which neither they nor what states them has an outcome."""
    known = list(records)
    outcomes = (record.value for record in known if record.kind == OUTCOME)
    told = {value["decision"] for value in outcomes if isinstance(value, Mapping)}
    made = (record for record in held(known, now) if record.kind == "decision" and record.trust > STRANGER)
    found = [record for record in made if told.isdisjoint((record.id, *record.sources))]
    found.sort(key=lambda record: (record.valid_from, record.id), reverse=True)
    return [
        OpenDecision(
            id=record.id, text=record.text, since=record.valid_from, conversation=record.conversation,
            by=voice_of(record),
        )
        for record in found[:DECISIONS]
    ]  # fmt: skip
