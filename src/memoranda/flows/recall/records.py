"""What is remembered, statement by statement, whatever became of it: listed, or one by its id.

All of it is in the image. A cursor says behind which record to go on, and holds a hash of the scope and of what was
asked, so that it is used for nothing else. Records that are written meanwhile come first in the order, and are missed
by who reads on; none is told twice.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from memoranda.core.base.checks import brief, require
from memoranda.core.base.constraints import Between, Each, Id, Ids, Kind, OneOf, Words
from memoranda.core.base.scope import Scope, visible
from memoranda.core.beliefs import decay
from memoranda.core.formats.document import Node
from memoranda.core.formats.values import plain
from memoranda.core.image.image import Partition
from memoranda.core.recall.currency import Endings
from memoranda.core.rows import Json, Record
from memoranda.core.rows.lifecycle import OPEN, TRANSITIONS
from memoranda.core.strata.filters import Kinds, Narrow, Sources, let_through, of_kinds
from memoranda.core.text.terms import normalise
from memoranda.errors import InputError, NotFoundError
from memoranda.flows.recall.days import read_notes
from memoranda.flows.recall.grounds import latest, told
from memoranda.flows.recall.looking import narrowed
from memoranda.flows.runtime.reading import at_one_moment, events_of, mark_of
from memoranda.flows.runtime.runtime import Runtime

MOST = 1_000
ORDERS = ("newest", "oldest")
_FORM = re.compile(r"^\S{1,600}~[0-9a-f]{8}$")


def _cursor(name: str, value: object) -> object:
    fits = isinstance(value, str) and _FORM.fullmatch(value) is not None
    require(fits, name, value, "one that was returned before, or none for the first page")
    return value


#: Behind which record to go on, and of which question.
Cursor = Annotated[str, Kind(_cursor, (("pattern", _FORM.pattern),))]
Statuses = Annotated[Iterable[str], Each((*TRANSITIONS,), "a status")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """A statement as it is remembered now.

    Attributes:
        id: of the record, which `correct`, `end`, `history` and `forget` take.
        text: the statement; `subject`, `attribute`, `value`: of whom or what it says which property, if it gives one.
        status: candidate, verified, disputed, rejected, expired, archived or quarantined (`core.rows.lifecycle`);
            expired also if it has ended by itself.
        valid_from, valid_to: since when it holds, and until when; None: it holds.
        recorded_at: when this version of it was recorded; `version`: its number.
        confidence, importance: as of now, 0 to 1: is it true, and does it matter.
        source: the channel it came through; `sources`: ids of the events it rests on, oldest first.
        evidence: the sentence of the last of these that the scope sees; `said_at`: when that was said.
        superseded_by: the id of the event that ended, disputed or corrected it.
        supersedes: the id of the record that it replaced.
        entities: names of what it mentions.
        access_count, last_accessed: how often it was of use in an answer, and when last.
    """

    id: str
    kind: str
    category: str
    text: str
    subject: str | None = None
    attribute: str | None = None
    value: Json = None
    status: str
    valid_from: datetime
    valid_to: datetime | None = None
    recorded_at: datetime
    version: int = 1
    confidence: float
    importance: float
    source: str
    sources: tuple[str, ...] = ()
    evidence: str = ""
    said_at: datetime | None = None
    superseded_by: str | None = None
    supersedes: str | None = None
    entities: tuple[str, ...] = ()
    agent: str | None = None
    channel: str
    connection: str | None = None
    conversation: str | None = None
    access_count: int = 0
    last_accessed: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """A page of what is remembered.

    Attributes:
        items: in the order that was asked for.
        cursor: where to go on; None if there is no more.
        total: how many there are on all pages.
    """

    items: tuple[Remembered, ...]
    cursor: str | None
    total: int

    def __iter__(self) -> Iterator[Remembered]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, place: int) -> Remembered:
        return self.items[place]


@at_one_moment
async def records(
    runtime: Runtime,
    scope: Scope,
    *,
    text: Words | None = None,
    kinds: Kinds | None = None,
    categories: Ids | None = None,
    statuses: Statuses | None = None,
    attributes: Ids | None = None,
    entities: Ids | None = None,
    sources: Sources | None = None,
    surface: Id | None = None,
    connection: Id | None = None,
    metadata: Mapping[str, Any] | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    order: Annotated[Literal["newest", "oldest"], OneOf(ORDERS)] = "newest",
    cursor: Cursor | None = None,
    limit: Annotated[int, Between(1, MOST)] = 50,
) -> Records:
    """List what is remembered, statement by statement, with what it rests on; also what has ended or was rejected.

    What was recorded or changed last comes first. All filters must let a statement through.

    Args:
        text: only statements with these words, in this order, whatever their case.
        kinds: only these kinds, as in `recall`.
        categories, sources: only what is of one of these, as in `recall`.
        statuses: only what has one of these: candidate, verified, disputed, rejected, expired, archived, quarantined.
        attributes: only what gives one of these, or one below it: `work` also means `work.employer`.
        entities: only what mentions one of these, by name or id.
        surface, connection: only what was captured there.
        metadata: only what the host noted so, as in `recall`.
        since: only what holds since this time or later.
        until: only what holds since before this time.
        order: newest or oldest first.
        cursor: of the page before, to the same question; by default from the beginning.
        limit: the most statements, up to 1,000.

    Raises:
        NotFoundError: the cursor is of another question, or of another scope.
        InputError: `until` is before `since`.
    """
    if since is not None and until is not None and until < since:
        raise InputError(f"until ({until}) is before since ({since}): nothing lies between them.")
    words = None if text is None else _words(text)
    narrow = narrowed(categories=categories, sources=sources, surface=surface, metadata=metadata)
    plain(Node(metadata, "metadata"))  # refused here if it is no JSON, for the cursor names it
    sets = tuple(None if one is None else sorted(one) for one in (kinds, categories, statuses, attributes, entities))
    mark = mark_of(scope, text, *sets, str(narrow), connection, since, until, order)
    if cursor is not None and not cursor.endswith(f"~{mark}"):
        raise NotFoundError(f"cursor is {brief(cursor)}, of another question or scope: begin without one.")
    image, now = await runtime.partitions.current(scope.owner), runtime.clock()
    endings = Endings.now(image, scope, now)
    meant = None if entities is None else frozenset().union(*(image.meant_by(name, scope) for name in entities))

    def wanted(row: Record) -> bool:
        return (
            (words is None or words in normalise(row.text))
            and (statuses is None or _status(row, now) in statuses)
            and (attributes is None or any(f"{row.attribute}.".startswith(f"{one}.") for one in attributes))
            and (meant is None or not meant.isdisjoint(row.entities))
            and (connection is None or row.connection == connection)
            and (since is None or row.valid_from >= since)
            and (until is None or row.valid_from < until)
        )

    notes = await read_notes(runtime, image) if narrow else {}
    found = [row for row in map(endings.seen, _records(image, scope, kinds, notes, narrow)) if wanted(row)]
    found.sort(key=_place, reverse=order == "newest")
    left = [row for row in found if cursor is None or _behind(row, cursor, order)]
    page = left[:limit]
    return Records(
        items=await _told(runtime, image, scope, page, now),
        cursor=f"{'~'.join(_place(page[-1]))}~{mark}" if len(left) > limit else None,
        total=len(found),
    )


@at_one_moment
async def record(runtime: Runtime, scope: Scope, record: Id) -> Remembered:
    """Return one statement as it is remembered now, with what it rests on.

    Args:
        record: its id.

    Raises:
        NotFoundError: no such record is visible in this scope.
    """
    image, now = await runtime.partitions.current(scope.owner), runtime.clock()
    row = image.records.get(record)
    if row is None or not visible(row, scope):
        raise NotFoundError(
            f"There is no record {brief(record)} in this scope; records gives the ids of those there are."
        )
    [found] = await _told(runtime, image, scope, [Endings.now(image, scope, now).seen(row)], now)
    return found


def _words(text: str) -> str:
    """Words as they are looked for; without any, all would be found."""
    words = normalise(text) if isinstance(text, str) else ""
    require(bool(words), "text", text, "words, or leave it out")
    return words


def _records(
    image: Partition, scope: Scope, kinds: Iterable[str] | None, notes: Mapping[str, Any], narrow: Narrow | None
) -> Iterator[Record]:
    """The records that a scope sees, of some kinds, that are let through by what is noted about them."""
    mask = image.seen_by(scope)
    if narrow is not None:
        mask = let_through(image, image.records, mask, notes, narrow)
    if kinds is not None:
        mask &= of_kinds(image, frozenset(kinds))
    return iter(image.records_in(mask))


def _place(row: Record) -> tuple[str, str]:
    """Where a record stands in the order: by a time of always as many digits, then by its id."""
    return f"{row.recorded_at.timestamp():020.6f}", row.id


def _behind(row: Record, cursor: str, order: str) -> bool:
    place, last = _place(row), tuple(cursor.rsplit("~", 1)[0].split("~", 1))
    return place < last if order == "newest" else place > last


def _status(row: Record, now: datetime) -> str:
    """The status of a record; of one that has ended by itself, expired."""
    over = row.valid_to is not None and row.valid_to <= now
    return "expired" if over and row.status in OPEN else row.status


async def _told(
    runtime: Runtime, image: Partition, scope: Scope, rows: Sequence[Record], now: datetime
) -> tuple[Remembered, ...]:
    """Records with what they rest on, as far as the scope sees it."""
    index = image.index
    passages = [index.passages[index.numbers[row.id]] for row in rows]
    rests = latest(image, scope, passages, {row.id: row for row in rows})
    events = {one.id: one for one in (await events_of(runtime, image, [*{*rests.values()}]))[0] if one is not None}
    names = {row.id: image.named_in(passage) for row, passage in zip(rows, passages, strict=True)}

    def one(row: Record) -> Remembered:
        more = told(row, events.get(rests.get(row.id, "")), runtime.analyzer.terms)
        return Remembered(
            id=row.id, kind=row.kind, category=row.category, text=row.text, subject=row.subject,
            attribute=row.attribute, value=row.value, status=_status(row, now), valid_from=row.valid_from,
            valid_to=row.valid_to, recorded_at=row.recorded_at, version=row.version,
            confidence=round(decay.confidence(row, now), 4),
            importance=round(decay.importance(row, decay.last_touched(row), now), 4),
            source=row.source, sources=row.sources, evidence=more.get("evidence", ""), said_at=more.get("said_at"),
            superseded_by=row.contradicted_by, supersedes=row.supersedes, entities=names[row.id], agent=row.agent,
            channel=row.channel, connection=row.connection, conversation=row.conversation,
            access_count=row.access_count, last_accessed=row.last_accessed,
        )  # fmt: skip

    return tuple(map(one, rows))
