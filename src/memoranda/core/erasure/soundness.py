"""What is wrong with an owner's rows though each of them can be read: parts that are missing, or of nothing there.

What was forgotten is not missing: a tombstone names it, or a receipt lists it. Whatever else is not there was lost.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from memoranda.core.beliefs.profile import NARRATIVE
from memoranda.core.erasure.replay import Key
from memoranda.core.language.finished import searched
from memoranda.core.rows import Entity, Event, Passage, Record, Relation, Row, ToolUse, Vector, key_of
from memoranda.core.rows.erasure import Receipt, Tombstone
from memoranda.core.strata.procedures import TOOL_CALL, use_id
from memoranda.core.text.fence import stripped

#: The kinds of events that always have a passage, unless nothing is left of their text, the system said it, or what
#: they state is searched instead.
SAID = frozenset({"turn", "observation", "tool_call", "log"})
#: How the names begin that take the place of names that cannot be read.
UNNAMED = "damaged-"
#: The values that a column may have, first the one that takes the place of any other.
_VALUES: Mapping[type[Row], Mapping[str, Sequence[str]]] = {
    Event: {"extraction": "skipped extracted unextracted".split()},
    Record: {
        "status": "quarantined candidate verified disputed rejected expired archived".split(),
        "temporal": "current past temporary expiring future".split(),
        "certainty": "uncertain explicit implied inferred".split(),
    },
    Passage: {"of": ["event", "record"]},
}  # fmt: skip
#: The columns by which two derived rows say the same.
_SAYING: Mapping[type[Row], Sequence[str]] = {
    Record: "kind hash agent channel connection valid_from recorded_at".split(),
    Relation: "head type tail agent channel connection valid_from".split(),
    Passage: "of kind terms agent channel connection conversation position at recorded_at".split(),
}


def known(row: Row) -> Row:
    """Return a row without values that its columns may not have."""
    values = _VALUES.get(type(row), {})
    found: dict[str, Any] = {name: some[0] for name, some in values.items() if getattr(row, name) not in some}
    return replace(row, **found) if found else row


def saying(row: Row) -> tuple[Any, ...]:
    """Return what a derived row says, apart from its name and its sources; of another kind, its key."""
    return type(row), *(getattr(row, name) for name in _SAYING.get(type(row), ("tenant", "user", *row.__key__)))


def took(rows: Mapping[type[Row], Sequence[Any]], name: str) -> bool:
    """Whether the event or record with this id was forgotten."""
    listed = (one.lists(kind, name) for one in rows[Receipt] for kind in ("events", "passages"))
    return any(row.id == name for row in rows[Tombstone]) or any(listed)


def flaws(rows: Mapping[type[Row], Sequence[Any]]) -> Iterator[tuple[str, Key]]:
    """Yield each flaw, in words, with the key of the row that is wrong or missing."""
    yield from _unfound(rows)
    yield from _unnamed(rows)
    events = {row.id for row in rows[Event]}
    for row in (*rows[Record], *rows[Relation]):
        if not events.issuperset(row.sources):
            yield f"{row.__table__[:-1]} whose event is missing", (type(row), key_of(row))
    for kind in _VALUES:
        for row in rows[kind]:
            if known(row) is not row:
                yield "unknown value", (kind, key_of(row))
    marked, receipts = {row.receipt for row in rows[Tombstone]}, {row.id for row in rows[Receipt]}
    bare = [one for one in rows[Receipt] if one.items.get("events") and one.id not in marked and marked <= receipts]
    yield from (("no tombstone of it is left", (Receipt, (one.id,))) for one in bare)


def _unfound(rows: Mapping[type[Row], Sequence[Any]]) -> Iterator[tuple[str, Key]]:
    """Yield what has no passage, passages and vectors of nothing, and vectors of another length than most."""
    refs, there = {row.ref for row in rows[Passage]}, {row.id for row in (*rows[Event], *rows[Record])}
    said = [row for row in rows[Event] if row.kind in SAID and row.role != "system" and stripped(row.content)]
    said = [row for row in said if searched(row)]
    told = [row for row in rows[Record] if row.superseded_at is None and row.kind != NARRATIVE]
    yield from (("no passage of it", (Passage, (row.id,))) for row in (*said, *told) if row.id not in refs)
    yield from (("passage of nothing", (Passage, (ref,))) for ref in sorted(refs - there))
    yield from (("vector of nothing", (Vector, key_of(row))) for row in rows[Vector] if row.ref not in refs)
    lengths = Counter((row.space, len(row.data)) for row in rows[Vector])
    usual = {space: length for (space, length), _ in reversed(lengths.most_common())}
    odd = (row for row in rows[Vector] if row.ref in refs and len(row.data) != usual[row.space])
    yield from (("vector of another length", (Vector, key_of(row))) for row in odd)


def _unnamed(rows: Mapping[type[Row], Sequence[Any]]) -> Iterator[tuple[str, Key]]:
    """Yield entities that something names and that are missing, and the missing statistics of tools."""
    named = {name for row in rows[Passage] for name in row.entities}
    named |= {name for row in rows[Relation] for name in (row.head, row.tail)}
    yield from (("entity missing", (Entity, (name,))) for name in sorted(named - {row.id for row in rows[Entity]}))
    uses = {use_id(row) for row in rows[Event] if row.kind == TOOL_CALL} - {row.id for row in rows[ToolUse]}
    yield from (("no statistics of tools", (ToolUse, (name,))) for name in sorted(uses))
