"""What of an export goes into a memory that may hold rows already: what is missing there and was not forgotten there.

What is there stays as it is, and what either side has forgotten stays forgotten. Two histories of one belief are not
mixed: where the export is ahead of what is there, it is refused as a whole.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memoranda.core.base.checks import brief
from memoranda.core.rows import (
    Entity,
    Event,
    Passage,
    Receipt,
    Record,
    Relation,
    Row,
    Tombstone,
    ToolUse,
    key_of,
    rests_on,
    texts_of,
)
from memoranda.core.strata.procedures import TOOL_CALL, use_id
from memoranda.core.text.forgotten import Forgotten, said_together
from memoranda.errors import InputError

_Key = tuple[type[Row], tuple[Any, ...]]
_APART = "Restore it into a memory that holds nothing of this user, or a newer one here. Nothing was restored."
_TOLD = frozenset({"str", "strings", "json"})


@dataclass(frozen=True, slots=True)
class Merged:
    """The rows that are to be written, and how many of the others are there already, or were forgotten there."""

    new: Sequence[Row]
    known: int
    forgotten: int


class Erased:
    """What was forgotten on one side and the other does not know of.

    Args:
        known: the rows of the side that forgot it.
        other: the rows of the other side.
    """

    def __init__(self, known: Iterable[Row], other: Iterable[Row]) -> None:
        told = {_keyed(row): row for row in other if isinstance(row, Receipt | Tombstone)}
        receipts = [row for row in known if isinstance(row, Receipt) and _keyed(row) not in told]
        marks = [row for row in known if isinstance(row, Tombstone) and not _tells(told.get(_keyed(row)), row)]
        self._receipts = [(row, _hashes(row)) for row in receipts]
        self._barred = Forgotten()
        self._barred.absorb(marks)

    def __bool__(self) -> bool:
        return bool(self._receipts or self._barred.since)

    def lists(self, row: Row) -> bool:
        """Whether a row was removed."""
        name, key = row.__table__, key_of(row)
        return any(receipt.mark(name, *key) in items.get(name, ()) for receipt, items in self._receipts)

    def takes(self, row: Row, events: Mapping[str, Event]) -> bool:
        """Whether a row was removed, or says what is barred; `events` tell when the user said it."""
        if self.lists(row) or self._barred.bars(map(str, key_of(row)[:1])):
            return True
        if row.__traits__.falls is None or not self._barred.since:
            return False
        if isinstance(row, Event):
            return self._barred.screened(row)[1] > 0
        said = said_together(events[one] for one in _rests(row) if one in events)
        told = (getattr(row, name) for name, column in row.__columns__.items() if column.type in _TOLD)
        agent = getattr(row, "agent", None)
        return any(self._barred.repeats(text, agent, said) for value in told for text in texts_of(_listed(value)))

    def left(self, rows: Sequence[Row], of: Iterable[Row]) -> list[Row]:
        """Return the rows without those that it takes and what rests on them; `of`: all rows of the export."""
        events = {row.id: row for row in of if isinstance(row, Event)}
        gone: set[str] = set()
        stay, before = [row for row in rows if not self.takes(row, events)], list(rows)
        while len(stay) < len(before):
            kept = {id(row) for row in stay}
            gone |= {name for row in before if id(row) not in kept for name in _names(row)}
            before, stay = stay, [row for row in stay if gone.isdisjoint(_rests(row))]
        return _named(stay) if len(stay) < len(rows) else stay


def merged(rows: Sequence[Row], here: Sequence[Row]) -> Merged:
    """Return what of `rows`, which an export has of an owner, goes to `here`, which are all rows of the owner.

    Raises:
        InputError: the export is ahead: it has versions that are not here of what is here, or knows as forgotten what
            is still here.
    """
    held, brought = {_keyed(row): row for row in here}, {_keyed(row) for row in rows}
    since, before = Erased(here, rows), Erased(rows, here)
    if known := sum(before.lists(row) for row in here if _keyed(row) not in brought):
        raise InputError(f"The export knows {known:,} rows as forgotten that are still here. {_APART}")
    missing = [row for row in rows if _keyed(row) not in held]
    left = since.left(missing, rows) if since else missing
    _check_ahead(rows, left, held, erased=bool(since))
    return Merged(left, len(rows) - len(missing), len(missing) - len(left))


def _check_ahead(rows: Iterable[Row], new: Iterable[Row], held: Mapping[_Key, Row], *, erased: bool) -> None:
    """Refuse what is further on than what is here; what was `erased` since may have opened again what had ended."""
    there = {row.id for row in held.values() if isinstance(row, Record)}
    ahead = {row.id for row in new if isinstance(row, Record) and row.id in there}
    ahead |= {str(key_of(row)[0]) for row in rows if not erased and _ended(row, held.get(_keyed(row)))}
    if ahead:
        raise InputError(
            f"The export is ahead of what is here in {len(ahead):,} beliefs, such as {brief(min(ahead))}. {_APART}"
        )


def _ended(row: Row, held: Row | None) -> bool:
    """Whether a row has ended that holds here, or says something else."""
    if isinstance(row, Record) and isinstance(held, Record):
        return row.hash != held.hash or bool(row.superseded_at and not held.superseded_at)
    return isinstance(row, Relation) and isinstance(held, Relation) and bool(row.ended_by and not held.ended_by)


def _hashes(receipt: Receipt) -> Mapping[str, frozenset[str]]:
    """The hashes of what a receipt lists, by kind."""
    return {kind: frozenset(map(str, ids)) for kind, ids in receipt.items.items() if isinstance(ids, list)}


def _tells(told: Row | None, mark: Tombstone) -> bool:
    return isinstance(told, Tombstone) and told.created_at >= mark.created_at


def _keyed(row: Row) -> _Key:
    return type(row), key_of(row)


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _rests(row: Row) -> Collection[str]:
    """The names of what a row cannot be without."""
    return {row.id} if isinstance(row, ToolUse) else {*getattr(row, "sources", ()), *rests_on(row)}


def _names(row: Row) -> Iterable[str]:
    """The names by which others rest on a row; statistics of tools on every call that they count."""
    if isinstance(row, Event | Record):
        yield row.id
    if isinstance(row, Event) and row.kind == TOOL_CALL:
        yield use_id(row)


def _named(rows: Iterable[Row]) -> list[Row]:
    """The rows without entities that none of them names."""
    rows = list(rows)
    named = {name for row in rows if isinstance(row, Passage) for name in row.entities}
    named |= {name for row in rows if isinstance(row, Relation) for name in (row.head, row.tail)}
    return [row for row in rows if not isinstance(row, Entity) or row.id in named]
