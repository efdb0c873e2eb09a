"""Goals: the fields of a record of kind "goal" besides its text, its states, and what brings it up.

A goal is a record, so it has versions, sources and an end, is found by meaning, and is forgotten like all others. Its
own fields are in the record's `value`. A goal that is over ends as a belief does: it no longer holds.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Literal, Self

from memoranda.core.beliefs.conflicts import opposed
from memoranda.core.rows import Record
from memoranda.errors import InputError

GOAL = "goal"

State = Literal["active", "blocked", "completed", "failed", "abandoned"]

#: The transitions between states. Completed is final; a failed or abandoned goal can be taken up again.
TRANSITIONS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "active": frozenset({"blocked", "completed", "failed", "abandoned"}),
        "blocked": frozenset({"active", "completed", "failed", "abandoned"}),
        "completed": frozenset(),
        "failed": frozenset({"active"}),
        "abandoned": frozenset({"active"}),
    }
)

#: The states of open goals.
OPEN = frozenset({"active", "blocked"})

#: Cosine from which two goals are one. For "Move to Rome" and "Relocate to Rome" it is 0.94, for Rome and Paris 0.53.
REWORDED = 0.85

SOON = timedelta(days=7)  # a goal due within it presses
HIGH = 2  # so does one of at least this priority
MOST = 5  # of these that come with an answer
#: In the value of a record, the id of the record that holds the goal in other words now.
REWORDED_AS = "reworded_as"

Terms = Callable[[str], Iterable[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """Something that somebody wants to achieve.

    Attributes:
        id: of the record; `text`: what is to be achieved.
        state: active, blocked, completed, failed or abandoned.
        priority: 1 (first) to 5.
        deadline: by when.
        parent: the id of the goal it is part of; `within`: that goal itself, as `goals.get` tells it if it is seen.
        blockers: ids of goals, or words, that stand in its way.
        recall_when: phrases; a request that holds all words of one brings the goal up.
        reason: why it is blocked or was abandoned; `result`: what came of it; `evidence`: ids of events that show it.
        inferred: it was concluded, not stated.
        since: when it was set; `changed`: when it entered this state.
    """

    id: str
    text: str
    state: str = "active"
    priority: int = 3
    deadline: datetime | None = None
    parent: str | None = None
    within: "Goal | None" = None
    blockers: tuple[str, ...] = ()
    recall_when: tuple[str, ...] = ()
    reason: str | None = None
    result: str | None = None
    evidence: tuple[str, ...] = ()
    inferred: bool = False
    since: datetime
    changed: datetime

    @classmethod
    def of(cls, record: Record) -> Self:
        """Return the goal that a record of this kind holds."""
        held = dict(record.value) if isinstance(record.value, Mapping) else {}
        known = {name: held[name] for name in _OWN if name in held}
        known |= {name: datetime.fromisoformat(known[name]) for name in _TIMES if known.get(name)}
        known |= {name: tuple(known[name]) for name in _LISTS if name in known}
        begun = record.valid_from
        return cls(id=record.id, text=record.text, since=begun, **{"changed": begun, **known})

    @property
    def value(self) -> dict[str, Any]:
        """What the record holds besides the text."""
        own = {name: value for name, value in asdict(self).items() if name in _OWN}
        return own | {name: own[name].isoformat() for name in _TIMES if own[name]} | {n: list(own[n]) for n in _LISTS}

    def moved(self, state: State, at: datetime, **values: Any) -> Self:
        """Return the goal in another state.

        Raises:
            InputError: the table does not allow it.
        """
        if state not in TRANSITIONS[self.state]:
            allowed = ", ".join(sorted(TRANSITIONS[self.state])) or "nothing: set a new goal"
            raise InputError(f"A goal that is {self.state} cannot become {state}; it can become {allowed}.")
        return replace(self, state=state, changed=at, **values)


_OWN = frozenset(item.name for item in fields(Goal)) - {"id", "text", "since", "within"}
_TIMES, _LISTS = ("deadline", "changed"), ("blockers", "recall_when", "evidence")


def set_goals(records: Iterable[Record]) -> list[Goal]:
    """Return the goals that records hold, without rejected ones and former wordings."""
    return [Goal.of(one) for one in records if one.status != "rejected" and reworded_as(one) is None]


def reworded_as(record: Record) -> str | None:
    """Return the id of the record that holds a goal in other words now; None if this one does."""
    held = record.value if isinstance(record.value, Mapping) else {}
    return held.get(REWORDED_AS)


def repointed(goal: Goal, before: str, now: str) -> Goal:
    """Return a goal that names another by a new id, as its parent or in its way."""
    blockers = tuple(now if one == before else one for one in goal.blockers)
    return replace(goal, parent=now if goal.parent == before else goal.parent, blockers=blockers)


def parts_of(goals: Iterable[Goal], goal: str) -> list[Goal]:
    """Return the open goals that are part of one."""
    return [one for one in goals if one.parent == goal and one.state in OPEN]


def waits(goals: Iterable[Goal], goal: str, on: Iterable[str]) -> bool:
    """Whether a goal would wait for itself if `on` stood in its way: an open goal waits for its blockers and parts."""
    known = {one.id: one for one in goals if one.state in OPEN}
    seen, left = set[str](), [*on]
    while left:
        name = left.pop()
        if name == goal:
            return True
        if name in known and name not in seen:
            seen.add(name)
            left += [*known[name].blockers, *(one.id for one in parts_of(known.values(), name))]
    return False


def brought_up(goals: Iterable[Goal], request: str, terms: Terms) -> list[Goal]:
    """Return the open goals with a `recall_when` phrase all of whose terms a request holds, the most pressing first."""
    waiting = [goal for goal in goals if goal.state in OPEN and goal.recall_when]
    said = frozenset(terms(request)) if waiting else frozenset()
    phrases = ((goal, map(frozenset, map(terms, goal.recall_when))) for goal in waiting)
    return sorted((goal for goal, given in phrases if any(one and one <= said for one in given)), key=pressing)


def urgent(goals: Iterable[Goal], now: datetime) -> list[Goal]:
    """Return the `MOST` open goals that press most, whatever is asked: overdue, due within `SOON`, or `HIGH`."""
    open_ = (goal for goal in goals if goal.state in OPEN)
    found = [goal for goal in open_ if goal.priority <= HIGH or (goal.deadline and goal.deadline < now + SOON)]
    return sorted(found, key=lambda goal: (not overdue(goal, now), *pressing(goal)))[:MOST]


def overdue(goal: Goal, now: datetime) -> bool:
    """Whether a goal should have been reached by now."""
    return goal.state in OPEN and goal.deadline is not None and goal.deadline < now


def reworded(goal: str, other: str, terms: Terms, cosine: float) -> bool:
    """Whether `other` sets `goal` in other words: near in meaning, or with all its terms, if these are several.

    A negation, an opposite or another number makes it another goal.
    """
    mine, theirs = frozenset(terms(goal)), frozenset(terms(other))
    numbers = [{term for term in one if any(map(str.isdigit, term))} for one in (mine, theirs)]
    if opposed(goal, other) or numbers[0] != numbers[1]:
        return False
    return cosine >= REWORDED or mine == theirs or (len(mine) > 1 and mine < theirs)


def importance(priority: int) -> float:
    """Return the importance of a goal, from 0.9 for priority 1 to 0.5 for 5."""
    return round(1.0 - 0.1 * priority, 4)


def pressing(goal: Goal) -> tuple[int, bool, datetime, str]:
    """Return the sort key of goals: priority, deadline, age."""
    return goal.priority, goal.deadline is None, goal.deadline or goal.since, goal.id
