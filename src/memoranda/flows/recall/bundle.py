"""What comes with the memories that answer: goals, and what the profile says to it. All of it is in the image."""

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from memoranda.core.base.scope import Scope
from memoranda.core.image.image import of_kind
from memoranda.core.recall.question import asks
from memoranda.core.recall.results import ProfileLine
from memoranda.core.recall.search import top
from memoranda.core.rows import Record
from memoranda.core.strata.goals import GOAL, OPEN, Goal, brought_up, overdue, pressing, set_goals, urgent
from memoranda.core.text.terms import Analyzer
from memoranda.core.text.voices import STRANGER
from memoranda.flows.recall.choosing import bearing
from memoranda.flows.recall.looking import Found

LINES = 5  # of the profile that come with an answer
_LOOKED_AT = 4 * LINES  # statements near to the question among which these are looked for
_ASKED = 20  # goals, where these are asked for


def goals_for(
    found: Sequence[Found], scope: Scope, text: str, analyzer: Analyzer, now: datetime
) -> tuple[tuple[Goal, ...], tuple[Goal, ...]]:
    """The open goals that a request brings up or asks for, and those that press whatever it asks.

    It brings up goals by all words of a `recall_when`, and those due in a time that it asks for. If it asks for goals,
    as "which goals are overdue?", all open ones answer, or those that are as it says.
    """
    known = set_goals(of_kind(found[0].partition, GOAL, scope))
    if not known:
        return (), ()
    due = {ref for one in found if one.search.question.only_time for ref in one.days}
    brought = brought_up(known, text, analyzer.terms)
    more = [one for one in known if one.id in due and one.state in OPEN]
    if asks("goals", text):
        late, stuck = asks("overdue", text), asks("blocked", text)
        fits = (one for one in known if one.state in OPEN and (one.state == "blocked" or not stuck))
        more += [one for one in fits if not late or overdue(one, now)][:_ASKED]
    told = {one.id: one for one in (*brought, *sorted(more, key=pressing))}
    return tuple(told.values()), tuple(urgent(known, now))


def profile_lines(found: Sequence[Found]) -> tuple[ProfileLine, ...]:
    """The lasting statements about the user that bear on what is asked, the nearest first."""
    lines = (line for one in found for line in _lines(one))
    best = {line.id: line for line in sorted(lines, key=lambda line: line.near)}  # of a line, where it is nearest
    return tuple(sorted(best.values(), key=lambda line: (-line.near, line.id))[:LINES])


def _lines(found: Found) -> list[ProfileLine]:
    search, index, question = found.search, found.search.index, found.search.question
    kinds, code = index.columns["kind"], index.codes["kind"].look
    numbers = np.flatnonzero(search.keys & ((kinds == code("fact")) | (kinds == code("preference")))).astype(np.int32)
    near = index.nearness(numbers, frozenset(question.content), None)
    near = near if search.dense is None else near + search.dense[numbers]
    least = bearing(len(numbers), embedded=search.dense is not None)
    lines = []
    for place in top(near, near >= least, _LOOKED_AT).tolist():
        record = search.records.get(index.refs[numbers[place]])
        if record is not None and _lasts(record) and not search.endings.of(record.id):
            lines.append(
                ProfileLine(
                    id=record.id, text=record.text, attribute=record.attribute, value=record.value,
                    since=record.valid_from, near=round(float(near[place]), 4),
                )
            )  # fmt: skip
    return lines


def _lasts(record: Record) -> bool:
    """Whether a record says what the user is or wants; one-time events are no part of a profile."""
    told = record.kind == "preference" or (record.attribute or "event").partition(".")[0] != "event"
    return record.subject == "user" and record.trust > STRANGER and told
