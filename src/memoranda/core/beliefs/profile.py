"""The profile as a view of the current records: nothing is stored, so nothing can be overwritten or lost.

A record with an attribute becomes a leaf of the scaffold at that path. One without becomes an entry of a list named
for its kind, and so does what lies ahead: where somebody will move is not where they live, until the day comes.
What others than the user say stands apart, and in no sentence of the narrative.
The narrative is the text consolidation last wrote (also a record), followed by what was stated since. Without one it
is composed from the same records, the strongest first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Annotated, Any

from memoranda.core.base.constraints import Kind
from memoranda.core.beliefs.decay import confidence, strength
from memoranda.core.language.attributes import is_single_valued
from memoranda.core.rows import Record
from memoranda.core.rows.lifecycle import OPEN
from memoranda.core.text.voices import STRANGER, own, voice_of

#: Kind and editor of the record that holds consolidation's narrative of a place. It is no statement, and not recalled.
NARRATIVE = "narrative"
NARRATIVE_WORDS = 500
_TOPICS = {
    "preference": "preferences",
    "decision": "decisions",
    "plan": "plans",
    "fact": "facts",
    "pattern": "patterns",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaf:
    """One value of a profile: how sure, from which events, since when, and who says so if not the user."""

    value: Any
    confidence: float
    sources: tuple[str, ...]
    since: datetime
    record: str
    by: str = ""


def _grown(_: str, value: Any) -> Any:
    """A scaffold, or a part of it, whose leaves may have been written as JSON."""
    if isinstance(value, list):
        return [_grown("", one) for one in value]
    if not isinstance(value, Mapping):
        return value
    if value.keys() == {one.name for one in fields(Leaf)} and isinstance(value["record"], str):
        told = {"sources": tuple(value["sources"]), "since": datetime.fromisoformat(value["since"])}
        return Leaf(**{**value, **told})
    return {name: _grown("", one) for name, one in value.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What is known of a user, as a view of the current records.

    Attributes:
        scaffold: schema-free and nested; every leaf is a `Leaf` or a list of them.
        narrative: working-memory text, about 500 words at most.
        learned: persistent learned info, of the user under `""` and per connection.
        reported: what others than the user say of the user; each names who says so.
    """

    scaffold: Annotated[Mapping[str, Any], Kind(_grown)]
    narrative: str
    learned: Mapping[str, tuple[Leaf, ...]]
    reported: tuple[Leaf, ...] = ()

    def plain(self) -> dict[str, Any]:
        """The scaffold with bare values."""
        return {key: _plain(value) for key, value in self.scaffold.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Leaf):
        return value.value
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return {key: _plain(inner) for key, inner in value.items()}


def held(records: Iterable[Record], now: datetime) -> list[Record]:
    """Return the records that hold at `now` and say something about the user."""
    return [
        record
        for record in records
        if record.status in OPEN
        and not _denies(record)
        and record.valid_from <= now
        and (record.valid_to is None or record.valid_to > now)
        and record.kind in _TOPICS
    ]


def _ahead(record: Record, now: datetime) -> bool:
    """Whether a record, known by now, says what will be so, or no longer so, from a day to come on."""
    ends = record.valid_to is not None and record.valid_to <= record.valid_from
    coming = record.recorded_at <= now < record.valid_from and not ends
    return coming and record.status in OPEN and record.kind in _TOPICS


def _denies(record: Record) -> bool:
    """Whether a record only says what is not so: "no longer works at Acme" names no employer."""
    return record.polarity < 0 and record.attribute is not None and is_single_valued(record.attribute)


def _apart(record: Record) -> bool:
    """Whether somebody else than the user says it; a pattern is seen, not said, unless in strangers' words."""
    return not own(record) and not (record.kind == "pattern" and record.trust > STRANGER)


def _planned(record: Record) -> bool:
    """Whether a record states the future value of a single-valued attribute."""
    return record.temporal == "future" and record.attribute is not None and is_single_valued(record.attribute)


def project(records: Iterable[Record], now: datetime) -> Profile:
    """Return the profile at `now`, from the current versions of records that the asker may see."""
    records = list(records)
    current = held(records, now)
    written = [one for one in records if one.kind == NARRATIVE and one.status in OPEN and one.valid_from <= now]
    strongest = sorted(
        current, key=lambda item: (-strength(item, now), -item.valid_from.timestamp(), item.hash, item.id)
    )
    scaffold: dict[str, Any] = {}
    learned: dict[str, list[Leaf]] = {}
    reported: list[Leaf] = []
    coming = [one for one in records if _ahead(one, now)]
    for record in sorted((*current, *coming), key=lambda item: (item.valid_from, item.hash, item.id)):
        leaf = leaf_of(record, now)
        if record.connection is not None or record.category == "learning":
            learned.setdefault(record.connection or "", []).append(leaf)
        elif _apart(record):
            reported.append(leaf)
        elif record.subject == "user":
            _put_leaf(scaffold, path_of(record, now), leaf)
        else:
            _put_leaf(scaffold, ("people", record.subject or "", *path_of(record, now)), leaf)
    return Profile(
        scaffold=scaffold,
        narrative=narrate([one for one in strongest if not _apart(one)], written),
        learned={name: tuple(leaves) for name, leaves in sorted(learned.items())},
        reported=tuple(reported),
    )


def narrative_of(records: Iterable[Record], agent: str | None, channel: str, connection: str | None) -> Record | None:
    """Return the current narrative of a place; one derived from a wrong record is archived."""
    here = (agent, channel, connection)
    found = (record for record in records if record.kind == NARRATIVE)
    return next((record for record in found if (record.agent, record.channel, record.connection) == here), None)


def leaf_of(record: Record, now: datetime) -> Leaf:
    """Return a record as a value of the profile."""
    ahead = _ahead(record, now)
    bare = record.attribute is None or record.value is None or record.polarity < 0 or _planned(record) or ahead
    value = record.text if bare or not own(record) else record.value
    if ahead and record.phrase and record.phrase not in record.text:
        value = f"{record.phrase}: {record.text}"
    return Leaf(
        value=value,
        confidence=round(confidence(record, now), 4),
        sources=record.sources,
        since=record.valid_from,
        record=record.id,
        by=voice_of(record),
    )


def path_of(record: Record, now: datetime) -> tuple[str, ...]:
    """Return the path of a record in the scaffold at `now`."""
    if _planned(record) or _ahead(record, now):
        return (_TOPICS["plan"],)
    return tuple(record.attribute.split(".")) if record.attribute else (_TOPICS[record.kind],)


def _put_leaf(tree: dict[str, Any], path: tuple[str, ...], leaf: Leaf) -> None:
    """Put a leaf at `path`; a second leaf there makes a list, and one where a branch begins is named `is`."""
    for part in path[:-1]:
        inner = tree.get(part)
        if not isinstance(inner, dict):
            tree[part] = inner = {} if inner is None else {"is": inner}
        tree = inner
    last = path[-1]
    there = tree.get(last)
    if isinstance(there, dict):
        _put_leaf(there, ("is",), leaf)
    elif isinstance(there, list):
        there.append(leaf)
    else:
        tree[last] = leaf if there is None else [there, leaf]


def narrate(records: Iterable[Record], written: Sequence[Record] = (), words: int = NARRATIVE_WORDS) -> str:
    """Return the narratives of each place, the latest first, then what the strongest later records state."""
    since = max((record.recorded_at for record in written), default=None)
    told = sorted(written, key=lambda record: (-record.recorded_at.timestamp(), record.id))
    told += [record for record in records if since is None or record.recorded_at > since]
    sentences: list[str] = []
    for record in told:
        length = len(record.text.split())
        if length > words:
            break
        words -= length
        sentences.append(record.text if record.text.endswith((".", "!", "?", "。")) else f"{record.text}.")
    return " ".join(sentences)
