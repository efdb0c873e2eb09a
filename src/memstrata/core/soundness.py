"""What is wrong with an owner's rows though each of them can be read: parts that are missing, or of nothing there."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from memstrata.core.fence import stripped
from memstrata.core.procedures import TOOL_CALL
from memstrata.core.profile import NARRATIVE
from memstrata.core.replay import Key
from memstrata.core.rows import Entity, Event, Passage, Record, Relation, Row, ToolUse, Vector, key_of

#: The kinds of events that always have a passage, unless nothing is left of their text or the system said it.
SAID = frozenset({"turn", "observation", "tool_call", "log"})
#: The values that a column may have, first the one that takes the place of any other.
_VALUES: Mapping[type[Row], Mapping[str, Sequence[str]]] = {
    Event: {"extraction": "skipped extracted unextracted".split()},
    Record: {
        "status": "quarantined candidate verified disputed rejected expired archived".split(),
        "temporal": "current past temporary future".split(), "certainty": "uncertain explicit implied inferred".split(),
    },
    Passage: {"of": ["event", "record"]},
}  # fmt: skip


def known(row: Row) -> Row:
    """Return a row without values that its columns may not have."""
    values = _VALUES.get(type(row), {})
    found: dict[str, Any] = {name: some[0] for name, some in values.items() if getattr(row, name) not in some}
    return replace(row, **found) if found else row


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


def _unfound(rows: Mapping[type[Row], Sequence[Any]]) -> Iterator[tuple[str, Key]]:
    """Yield what has no passage, and passages and vectors of nothing."""
    refs, there = {row.ref for row in rows[Passage]}, {row.id for row in (*rows[Event], *rows[Record])}
    said = [row for row in rows[Event] if row.kind in SAID and row.role != "system" and stripped(row.content)]
    told = [row for row in rows[Record] if row.superseded_at is None and row.kind != NARRATIVE]
    yield from (("no passage of it", (Passage, (row.id,))) for row in (*said, *told) if row.id not in refs)
    yield from (("passage of nothing", (Passage, (ref,))) for ref in refs - there)
    yield from (("vector of nothing", (Vector, key_of(row))) for row in rows[Vector] if row.ref not in refs)


def _unnamed(rows: Mapping[type[Row], Sequence[Any]]) -> Iterator[tuple[str, Key]]:
    """Yield entities that something names and that are missing, and the missing statistics of tools."""
    named = {name for row in rows[Passage] for name in row.entities}
    named |= {name for row in rows[Relation] for name in (row.head, row.tail)}
    yield from (("entity missing", (Entity, (name,))) for name in sorted(named - {row.id for row in rows[Entity]}))
    if not rows[ToolUse] and any(row.kind == TOOL_CALL for row in rows[Event]):
        yield "no statistics of tools", (ToolUse, ("",))
