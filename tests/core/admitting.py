"""One owner's memory for the tests of admission: an image that follows what is admitted to it, and no store."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from core.making import NOW, event
from memoranda.core.base.scope import Owner
from memoranda.core.beliefs.admission import Admission, Decision
from memoranda.core.beliefs.conflicts import Policy
from memoranda.core.beliefs.overlay import Overlay
from memoranda.core.beliefs.profile import project
from memoranda.core.image.following import follow
from memoranda.core.image.image import Partition
from memoranda.core.language.extraction import analyse, record_of
from memoranda.core.rows import Event, Passage, Record, key_of
from memoranda.core.rows.changes import Add, Applied, Batch, Change, Patch
from memoranda.core.rows.columns import Floats
from memoranda.core.rows.statements import Statement
from memoranda.core.text.forgotten import said_at
from memoranda.core.text.terms import Analyzer
from memoranda.models.stemmer import stem

OWNER = Owner("acme", "alice")
ANALYZER = Analyzer(stem)
SPACE = "test/axes@1"
DIMENSION = 64


class Kept:
    """What is kept of what somebody says, in one process and in order.

    Attributes:
        now: the time; tests move it.
        image: the memory as it is read.
        rows: every version of every record that was written.

    Args:
        policy: for conflicts.
        alike: words; texts with the same one have the same vector, all others one of their own. No vectors without it.
    """

    def __init__(self, policy: Policy = "prefer_new", alike: Sequence[str] = ()) -> None:
        self.policy = policy
        self.now = NOW
        self.image = Partition(OWNER, SPACE if alike else "", DIMENSION if alike else 0)
        self.rows: dict[tuple[Any, ...], Record] = {}
        self._alike = tuple(alike)
        self._others: list[str] = []
        self._events = 0

    def pass_time(self, **step: float) -> datetime:
        """Let time pass, and return the new time."""
        self.now += timedelta(**step)
        return self.now

    # ------------------------------------------------------------------------------------------ writing

    def says(self, *texts: str, at: datetime | None = None, **values: Any) -> list[Decision]:
        """What is decided about each statement of some turns said in one call."""
        turns = [self._event(text, at=at, **values) for text in texts]
        return self._take([(turn, analyse(turn, "en").statements) for turn in turns])

    def notes(self, text: str, **values: Any) -> Decision:
        """What is decided about a text that is noted as one statement, whatever it says."""
        statement = Statement(kind="fact", category="personal", text=text, importance=0.7)
        [decision] = self._take([(self._event(text, **values), [statement])])
        return decision

    def admission(self) -> Admission:
        """The admission of further candidates, planned against what is kept."""
        return Admission(Overlay(self.image, ANALYZER, self.image.space, self.now), self.policy)

    def write(self, changes: Sequence[Change]) -> None:
        """Write what was planned."""
        for change in changes:
            if isinstance(change, Add) and isinstance(change.row, Record):
                self.rows[key_of(change.row)] = change.row
            elif isinstance(change, Patch):
                self.rows[change.key] = replace(self.rows[change.key], **change.values)
        batch = Batch(owner=OWNER, changes=tuple(changes), expect=self.image.seq)
        follow(self.image, batch, Applied(seq=self.image.seq + 1))
        assert not self.image.stale

    def mark(self, record: str, **values: Any) -> Record:
        """Write a new version of a record, as a verdict or a job does."""
        admission = self.admission()
        admission.overlay.change(replace(self.image.records[record], **values))
        self.write(admission.overlay.changes)
        return self.image.records[record]

    def vector(self, text: str) -> Floats | None:
        """The vector of a text."""
        if not self._alike:
            return None
        if text not in self._others:
            self._others.append(text)
        own = len(self._alike) + self._others.index(text)
        axis = next((number for number, word in enumerate(self._alike) if word in text.lower()), own)
        found: Floats = np.eye(1, DIMENSION, axis, dtype=np.float32)[0]
        return found

    def _event(self, text: str, at: datetime | None = None, **values: Any) -> Event:
        self._events += 1
        return event(text, id=f"e{self._events}", event_time=at or self.now, recorded_at=self.now, **values)

    def _take(self, turns: Sequence[tuple[Event, Sequence[Statement]]]) -> list[Decision]:
        admission = self.admission()
        for turn, statements in turns:
            for statement in statements:
                admission.admit(
                    record_of(statement, turn, (), admission.overlay.now), self.vector(statement.text),
                    corrects=statement.correction, said=turn.event_time, own=said_at(turn),
                )  # fmt: skip
        self.write([*(Add(_passage(turn)) for turn, _ in turns), *admission.overlay.changes])
        return admission.decisions

    # ------------------------------------------------------------------------------------------ reading

    def current(self) -> dict[str, Record]:
        """The current version of every record, by text without its full stop."""
        return {record.text.rstrip("."): record for record in self.image.records.values()}

    def held(self) -> set[str]:
        """The texts of the records that have no end."""
        return {text for text, record in self.current().items() if record.valid_to is None}

    def spans(self, text: str) -> list[tuple[datetime, datetime | None]]:
        """When each record with this text held, in the order in which they were written."""
        found = (record for record in self.rows.values() if record.superseded_at is None)
        return [(one.valid_from, one.valid_to) for one in found if one.text.rstrip(".") == text]

    def profile(self, now: datetime | None = None) -> dict[str, Any]:
        """The profile with bare values."""
        return project(self.image.records.values(), now or self.now).plain()


def outcomes(decisions: Sequence[Decision]) -> list[str]:
    """What became of each candidate."""
    return [decision.outcome for decision in decisions]


def _passage(turn: Event) -> Passage:
    return Passage(
        tenant=turn.tenant, user=turn.user, ref=turn.id, kind=turn.kind, agent=turn.agent, channel=turn.channel,
        terms=" ".join(ANALYZER.terms(turn.content)), length=len(turn.content), at=turn.event_time,
        recorded_at=turn.recorded_at,
    )  # fmt: skip
