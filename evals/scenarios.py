"""Labelled consolidation scenarios: what is said, what an ideal model makes of it, and what must hold afterwards.

`data/consolidation.jsonl` has one scenario per line, most of them for development (`dev`). Those for reporting
(`heldout`), if any, were written by somebody who had not seen the implementation. A scenario has

    batches   turns (`at`, `text`, and `role` or `source` if it is not a user turn); the `answer` of a model that makes
              no mistake, in the format of `prompts/consolidate.md`; and `tempting`, claims it might wrongly make
    leaves    what the scaffold must hold: `path`, `value` (alternatives are separated by ` | `) and certainty
    says      what must have been stated: `words` that occur in one statement, or a path and a value; certainty; and
              `"true": false` if it turned out to be false, although it was right to record it
    ended     what must have ended, and words of the turn that says so (`by`), unless its own time was over by then
    stands    what must still hold; a past event holds as long as nothing denies it
    never     what must not be believed in the end
    now       when all this is checked; by default after the last batch

A path is an attribute, prefixed with `people.NAME.` if it does not belong to the user. It is normalised like a key that
a model writes, so that, for example, a terrier is a dog.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from memoranda.core.beliefs.profile import held, path_of
from memoranda.core.beliefs.profile_keys import USER, placed
from memoranda.core.language.speech import grammar_in
from memoranda.core.rows import Event, Record
from memoranda.core.rows.lifecycle import OPEN
from memoranda.core.text.detect import detect
from memoranda.core.text.terms import form

FILE = Path(__file__).parent / "data" / "consolidation.jsonl"
SPLITS = ("dev", "heldout")
#: First parts of the attributes that are properties, which a scaffold gets right or wrong; the rest are statements.
PROPERTIES = frozenset(
    "identity contact location work education family people pet health language favourite business project".split()
)
_DAY = timedelta(days=1)  # tolerance: what ended today is over, although the day is not
_STATED = frozenset({"fact", "preference", "decision", "plan"})

Label = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The contents of a memory after a scenario.

    Attributes:
        records: the current versions of all statements, including ended ones.
        events: all events, by id.
        now: when the memory is checked.
        items: how many proposed items were accepted; `refused`: the others, each with the reason.
    """

    records: tuple[Record, ...]
    events: Mapping[str, Event]
    now: datetime
    items: int = 0
    refused: tuple[str, ...] = ()

    @property
    def standing(self) -> list[Record]:
        """The records that hold, as the profile shows them."""
        return [record for record in held(self.records, self.now) if record.polarity > 0 or record.attribute is None]

    @property
    def believed(self) -> list[Record]:
        """The records that hold and are not disputed."""
        return [record for record in self.standing if record.status != "disputed"]


def scenarios(splits: Iterable[str] = SPLITS) -> list[dict[str, Any]]:
    """Return the scenarios of some splits, in file order."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return [one for one in map(json.loads, lines) if one["split"] in splits]


def statements(records: Iterable[Record]) -> tuple[Record, ...]:
    """Return the records whose kind is a statement: fact, preference, decision or plan."""
    return tuple(record for record in records if record.kind in _STATED)


def path(record: Record) -> str:
    """Return the attribute of a record as a label's path; empty if it has none."""
    if record.attribute is None:
        return ""
    whole = path_of(record, record.valid_from)
    return ".".join(whole if record.subject == USER else ("people", record.subject or "", *whole))


def _meant(where: str) -> str:
    """Normalise a label's path to the names that attributes have."""
    subject, attribute = placed(tuple(where.split(".")))
    return attribute if subject == USER else f"people.{subject}.{attribute}"


def meets(record: Record, label: Label) -> bool:
    """Whether a record matches a label."""
    if "path" in label:
        values = {form(value) for value in label["value"].split(" | ")}
        return path(record) == _meant(label["path"]) and record.polarity > 0 and form(str(record.value)) in values
    text = record.text.casefold()
    return all(word.casefold() in text for word in label["words"])


@dataclass(slots=True)
class Counts:
    """Counts of right answers and of cases by measure, and a description of each miss."""

    right: dict[str, int]
    of: dict[str, int]
    misses: list[str]

    @classmethod
    def none(cls) -> "Counts":
        """Return empty counts."""
        return cls({}, {}, [])

    def count(self, what: str, found: bool, miss: str = "") -> None:
        """Count one case; `miss` describes it if `found` is false."""
        self.right[what] = self.right.get(what, 0) + found
        self.of[what] = self.of.get(what, 0) + 1
        if not found and miss:
            self.misses.append(f"{what}: {miss}")

    def share(self, what: str) -> float:
        """Return the share of right answers, in per cent; 100 without cases."""
        return 100 * self.right[what] / self.of[what] if self.of.get(what) else 100.0


def compare(counts: Counts, name: str, expect: Mapping[str, Sequence[Label]], found: Found) -> None:
    """Compare a memory with its labels and count the results."""
    standing = found.standing
    for label in expect["leaves"]:
        counts.count("leaves right", any(meets(one, label) for one in standing), f"{name}: {_told(label)}")
    known = [*expect["leaves"], *(label for label in expect["says"] if label.get("true", True))]
    shown = {(path(one), form(str(one.value))): one for one in standing if path(one).split(".")[0] in PROPERTIES}
    for (where, value), record in shown.items():
        counts.count("leaves expected", any(meets(record, label) for label in known), f"{name}: {where} = {value}")
    for label in expect["says"]:
        if label.get("true", True):
            counts.count("statements", any(meets(one, label) for one in found.records), f"{name}: {_told(label)}")
    asked = [(label, f"by {label['by']}", _ended(label, found)) for label in expect["ended"]]
    asked += [(label, "stands", _stands(label, found)) for label in expect["stands"]]
    for label, what, right in asked:
        counts.count("supersession", right, f"{name}: {_told(label)} {what}")
        if any(meets(one, label) for one in found.records):
            counts.count("supersession, if held", right)
    for label in expect["never"]:
        wrong = [record.text for record in found.believed if meets(record, label)]
        counts.count("falsehoods kept out", not wrong, f"{name}: {_told(label)} in {wrong}")
    for label in (*expect["leaves"], *expect["says"]):
        said = [one for one in found.records if meets(one, label)]
        if said:
            surest = max(said, key=lambda one: (one.status in OPEN, one.confidence))
            miss = f"{name}: {_told(label)} is {label['certainty']}, not {surest.certainty}"
            counts.count("certainty", surest.certainty == label["certainty"], miss)


def truth(record: Record, scenario: Mapping[str, Any]) -> bool | None:
    """Whether what a record says is or was true; None if no label covers it."""
    expect = scenario["expect"]
    if any(meets(record, label) for label in expect["leaves"]):
        return True
    if any(meets(record, label) and not label.get("true", True) for label in expect["says"]):
        return False
    if any(meets(record, label) for label in (*expect["ended"], *expect["says"])):
        return True
    if any(meets(record, label) for label in expect["never"]):
        return False
    claims = [claim for batch in scenario["batches"] for claim in batch["answer"].get("facts", ())]
    return True if any(_same(record, claim) for claim in claims) else None


def _same(record: Record, claim: Mapping[str, Any]) -> bool:
    words = form(record.text).rstrip(".。") == form(claim["claim"]).rstrip(".。")
    named = record.attribute is not None and record.attribute == claim.get("attribute") and record.polarity > 0
    return words or (named and form(str(record.value)) == form(str(claim["value"])))


def _stands(label: Label, found: Found) -> bool:
    """Whether a record with the label holds (a dislike, too), or is a past event that nothing has contradicted.

    Records that match by words but deny the label do not count: those that say it is no longer so, and those whose
    source ended it and that deny anything. Nor does a property that is only said to have been so in the past.
    """
    said = [one for one in found.records if meets(one, label)]
    ends = {one.contradicted_by for one in said}
    said = [one for one in said if not _denies(one, label, ended=not ends.isdisjoint(one.sources))]
    past = [one for one in said if one.temporal == "past" and one.status in OPEN and ends.isdisjoint(one.sources)]
    return bool(held(said, found.now)) or any(path(one).split(".")[0] not in PROPERTIES for one in past)


def _ended(label: Label, found: Found) -> bool:
    """Whether the label was recorded, no longer holds, and was ended by the turn `by` or was over when that turn came.

    Records that rest on that turn alone and deny the label match by words, but do not count.
    """
    told = [one for one in found.events.values() if label["by"].casefold() in one.content.casefold()]
    by = {one.id for one in told}
    said = [record for record in found.records if meets(record, label)]
    old = [one for one in said if not (by.issuperset(one.sources) and _denies(one, label))]
    if not old or held(old, found.now):
        return False
    over = [one for one in old if one.contradicted_by is None and one.valid_to is not None]
    passed = any(one.valid_to <= event.event_time + _DAY for one in over for event in told if one.valid_to)
    return passed or any(one.contradicted_by in by for one in old)


def _denies(record: Record, label: Label, *, ended: bool = True) -> bool:
    """Whether a record that matches a label's words denies something that those words do not deny.

    Always False for labels with a value. Unless it `ended` something, the record must say that it is no longer so.
    """
    grammar = grammar_in(detect(record.text))
    denying = (grammar.denying if ended else grammar.no_longer).search
    told = "words" in label and denying(record.text.lower()) is not None
    return told and denying(" ".join(label["words"]).lower()) is None


def _told(label: Label) -> str:
    return f"{label['path']} = {label['value']}" if "path" in label else " … ".join(label["words"])
