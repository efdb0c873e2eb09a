"""What narrows a search: kinds, strata, and what is noted about an event beside its words.

An event is let through by what is noted about it; a record by what it says of itself, together with what is noted about
one event that it rests on and that may be seen. All of it narrows what is searched, not what was found.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from types import MappingProxyType
from typing import Annotated, Any, Self

import numpy as np

from memoranda.core.base.constraints import Each
from memoranda.core.image.image import Partition
from memoranda.core.image.notes import Note, comparable
from memoranda.core.rows import Record
from memoranda.core.rows.columns import Mask
from memoranda.core.rows.statements import KINDS, TRUST
from memoranda.core.strata.goals import GOAL
from memoranda.core.strata.procedures import STRATEGY, TOOL_CALL

EPISODIC, SEMANTIC, PROCEDURAL = "episodic", "semantic", "procedural"
#: Strata, which can be asked for as kinds are; a stratum of shared memory is asked for by `shared`.
STRATA = (EPISODIC, SEMANTIC, PROCEDURAL)
#: Categories that are asked for as kinds are: records have them, whatever their kind.
_CATEGORIES = frozenset({"decision", "workflow", "learning"})
#: What `kinds` may name.
ASKED_KINDS = (*KINDS, *STRATA, *sorted(_CATEGORIES - {*KINDS}))
_DONE = (GOAL, STRATEGY, TOOL_CALL)

#: A list of what `kinds` may name.
Kinds = Annotated[Iterable[str], Each(ASKED_KINDS, "a kind", ", or categories=[…] for a category of your own")]
#: A list of sources.
Sources = Annotated[Iterable[str], Each(TRUST, "a source")]

#: Names under which hosts note the same thing.
ALIKE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        name: names
        for names in (
            ("message_id", "message"),
            ("attachment_id", "attachment"),
            ("filename", "file_name"),
        )
        for name in names
    }
)


def stratum_of(of: str, kind: str) -> str:
    """Return the stratum of a memory: events are episodic, records semantic; goals, strategies and calls procedural."""
    return PROCEDURAL if kind in _DONE else EPISODIC if of == "event" else SEMANTIC


def noted(metadata: Mapping[str, Any], name: str) -> list[Any]:
    """Return what a host noted under a name, or under one that means the same; of a list, each element.

    The files that came with an imported message are noted as "file report.pdf"; hosts note theirs as they please.
    """
    given = [metadata[one] for one in ALIKE.get(name, (name,)) if one in metadata]
    found = [*chain.from_iterable(one if isinstance(one, list | tuple) else (one,) for one in given)]
    if "filename" in ALIKE.get(name, ()) and isinstance(files := metadata.get("attachments"), list | tuple):
        found += filter(None, (one.partition(" ")[2] for one in files if isinstance(one, str)))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrow:
    """What is let through; what is None or empty lets all through.

    Attributes:
        categories, sources: one of these.
        surface: this one.
        metadata: these values under these names, each one of several if it is a list.
    """

    categories: frozenset[str] | None = None
    sources: frozenset[str] | None = None
    surface: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, **given: Any) -> Self | None:
        """Return what is let through; None for all."""
        some = {name: value for name, value in given.items() if value is not None}
        return cls(**some) if some else None

    def lets(self, *notes: Note) -> bool:
        """Whether something is let through of which all this is noted: of a record also what is of its event."""
        return (
            (self.categories is None or any(note.category in self.categories for note in notes))
            and (self.sources is None or any(note.source in self.sources for note in notes))
            and (self.surface is None or any(note.surface == self.surface for note in notes))
            and all(any(_has(note.metadata, *one) for note in notes) for one in self.metadata.items())
        )


def _has(metadata: Mapping[str, Any], name: str, value: Any) -> bool:
    wanted = [*map(comparable, value if isinstance(value, list | tuple) else [value])]
    return any(_same(one, other) for one in noted(metadata, name) for other in wanted)


def _same(one: Any, other: Any) -> bool:
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)  # 1 is not true in JSON


def of_kinds(image: Partition, kinds: frozenset[str]) -> Mask:
    """Return which passages are of some of `ASKED_KINDS`."""
    columns, code = image.index.columns, image.index.codes["kind"].look
    found = np.isin(columns["kind"], [code(kind) for kind in kinds])
    if not kinds.isdisjoint(STRATA):
        done = np.isin(columns["kind"], [code(kind) for kind in _DONE])
        strata = {EPISODIC: ~done & ~columns["of_record"], SEMANTIC: ~done & columns["of_record"], PROCEDURAL: done}
        for name in kinds & strata.keys():
            found |= strata[name]
    if categories := kinds & _CATEGORIES:
        found[[*_categorised(image, categories)]] = True
    return np.asarray(found, np.bool_)


def _categorised(image: Partition, categories: frozenset[str]) -> Iterator[int]:
    """The passages of records of some categories."""
    numbers = image.index.numbers
    return (numbers[one.id] for one in image.records.values() if one.category in categories and one.id in numbers)


def let_through(
    image: Partition, records: Mapping[str, Record], mask: Mask, notes: Mapping[str, Note], narrow: Narrow
) -> Mask:
    """Return the passages of `mask` that are let through; `notes` are those of its events, by id."""
    index = image.index
    of_record = np.asarray(index.columns["of_record"], np.bool_)
    passed = np.zeros(len(index), np.bool_)
    seen = {ref: notes[ref] for ref in index.named(np.flatnonzero(mask & ~of_record).astype(np.int32)) if ref in notes}
    for ref, note in seen.items():
        passed[index.numbers[ref]] = narrow.lets(note)
    for number in np.flatnonzero(mask & of_record).tolist():
        record = records[index.refs[number]]
        own = Note.of(record)
        rests = (seen[source] for source in record.sources if source in seen)
        passed[number] = narrow.lets(own) or any(narrow.lets(own, note) for note in rests)
    return passed
