"""What changed in a memory since it was last asked: for hosts that keep copies, such as a search index of their own.

Every row carries the owner's change counter of its last write, no two the same, and a lower one never becomes visible
after a higher one (`ports`). So the rows above a counter, in its order, are what changed since, and nothing is written
for it. What changed twice in between is told once, as it is now: whoever applies the answers in order has the state
of the memory, and may be told something again (at least once).

A cursor is that counter, what it was when reading began, and a hash of the scope. It is not signed: what a scope may
see is checked row by row, so a cursor that somebody makes up can only leave out or repeat changes of the memory that
its maker may read anyway. The hash keeps one scope's cursor from being used in another, where it would leave out what
the first did not see. What was erased or rebuilt before reading began is not told: nobody can have a copy.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from memoranda.core.base.checks import brief, require
from memoranda.core.base.constraints import Between, Kind
from memoranda.core.base.scope import Scope, visible
from memoranda.core.rows import AuditEntry, Event, Record, Row, Tombstone
from memoranda.core.text.forgotten import is_mark
from memoranda.errors import NotFoundError
from memoranda.flows.runtime.reading import mark_of
from memoranda.flows.runtime.runtime import Runtime, left_out
from memoranda.ports import Query, Where

MOST = 1_000
_OVER = frozenset({"archived", "expired", "rejected"})
_FORM = re.compile(r"^[0-9]{1,10}\.[0-9]{1,10}-[0-9a-f]{8}$")


def _cursor(name: str, value: object) -> object:
    fits = isinstance(value, str) and _FORM.fullmatch(value) is not None
    require(fits, name, value, "one that was returned before, or none for all")
    return value


#: How far somebody has read, and in which scope.
Cursor = Annotated[str, Kind(_cursor, (("pattern", _FORM.pattern),))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Something that changed. Of several with the same id the last holds.

    Attributes:
        what: added; corrected: it takes the place of the record that `supersedes` names; changed: it has another
            version, or other sources; ended: it holds no longer; erased: it was forgotten, remove all copies; rebuilt:
            records were derived anew, and some may be gone: read all again without a cursor.
        of: event or record; None if that is no longer known.
        id: its id; None if the memory was rebuilt, and for an agent what was erased: it is to check what it keeps.
        at: when it was recorded, ended or erased.
        event, record: as it is now.
    """

    what: Literal["added", "corrected", "changed", "ended", "erased", "rebuilt"]
    of: Literal["event", "record"] | None = None
    id: str | None = None
    at: datetime
    event: Event | None = None
    record: Record | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Changes in order.

    Attributes:
        items: those that the scope sees; there may be none though there are more.
        cursor: where to go on.
        more: whether there are more by now.
        degraded: what cannot be read, and is left out.
    """

    items: tuple[Change, ...]
    cursor: str
    more: bool
    degraded: tuple[str, ...] = ()


async def changes(
    runtime: Runtime, scope: Scope, *, cursor: Cursor | None = None, limit: Annotated[int, Between(1, MOST)] = 100
) -> Changes:
    """Return what was added, corrected, ended or erased since a cursor: each at least once, and in order.

    Without a cursor it begins with all there is, for an empty copy. A record may also end by itself, at the
    `valid_to` that it has from the beginning; that is no change.

    Args:
        cursor: of the answer before, in the same scope; by default from the beginning.
        limit: the most changes, up to 1,000.

    Raises:
        NotFoundError: the cursor is of another scope, or of a later state: the memory was restored from a backup.
    """
    after, begun = _read(cursor, scope)
    kinds = {Event: (), Record: (), Tombstone: (), AuditEntry: (Where("operation", "=", "rebuild"),)}
    page = await runtime.store.find(
        scope.owner,
        *(
            Query(
                kind=kind, tenant=scope.tenant, user=scope.user, after=after, where=where, limit=limit + 1, lenient=True
            )
            for kind, where in kinds.items()
        ),
    )
    if after > page.state.seq:
        raise NotFoundError("The cursor is ahead of this memory, which was restored: read all again without a cursor.")
    begun = page.state.seq if begun is None else begun
    rows: list[Row] = sorted((row for some in page.rows for row in some), key=lambda row: row.seq)
    more, rows = len(rows) > limit, rows[:limit]
    problem = left_out(page.damaged)
    return Changes(
        items=tuple(_told(rows, scope, await _current(runtime, scope, rows), begun, runtime.clock())),
        cursor=f"{rows[-1].seq if more else page.state.seq}.{begun}-{mark_of(scope)}",
        more=more,
        degraded=(problem,) if problem else (),
    )


async def _current(runtime: Runtime, scope: Scope, rows: Sequence[Row]) -> frozenset[str]:
    """The ids of records with a version that stands, of those of which another one is among `rows`."""
    over = tuple({row.id for row in rows if isinstance(row, Record) and row.superseded_at is not None})
    if not over:
        return frozenset()
    where = (Where("id", "in", over), Where("superseded_at", "is", None))
    query = Query(kind=Record, tenant=scope.tenant, user=scope.user, where=where, lenient=True)
    return frozenset(row.id for row in (await runtime.store.find(scope.owner, query)).rows[0])


def _told(rows: Sequence[Row], scope: Scope, current: frozenset[str], begun: int, now: datetime) -> Iterator[Change]:
    """What rows say to a scope; of several versions of a record, the one that stands says it."""
    receipts = set[str]()
    for row in rows:
        match row:
            case Event() if visible(row, scope):
                yield Change(what="added", of="event", id=row.id, at=row.recorded_at, event=row)
            case Record() if visible(row, scope) and not (row.superseded_at and row.id in current):
                at = row.superseded_at or row.recorded_at
                yield Change(what=_what(row, now), of="record", id=row.id, at=at, record=row)
            case Tombstone() | AuditEntry() if row.seq <= begun:
                pass
            case Tombstone() if scope.agent is None and not is_mark(row.id):
                yield Change(what="erased", id=row.id, at=row.created_at)
            case Tombstone() if scope.agent is not None and row.receipt not in receipts:
                receipts.add(row.receipt)  # which no agent sees, nor what it lists
                yield Change(what="erased", at=row.created_at)
            case AuditEntry():
                yield Change(what="rebuilt", at=row.at)


def _what(record: Record, now: datetime) -> Literal["added", "corrected", "changed", "ended"]:
    if record.superseded_at or record.status in _OVER or (record.valid_to is not None and record.valid_to <= now):
        return "ended"
    if record.version > 1:
        return "changed"
    return "corrected" if record.supersedes else "added"


def _read(cursor: str | None, scope: Scope) -> tuple[int, int | None]:
    """The counters in a cursor: how far it was read, and where reading began; None: it begins."""
    if cursor is None:
        return 0, None
    after, _, rest = cursor.partition(".")
    begun, _, mark = rest.partition("-")
    if mark != mark_of(scope):
        raise NotFoundError(f"cursor is {brief(cursor)}, of another scope: give one that was returned in this one.")
    return int(after), int(begun)
