"""What forgetting takes of shared memory: copies of what is forgotten, and what the user wrote there otherwise.

Only events of the shared log that the user made are looked at. What rests on such an event falls with it: a pool is
rebuilt from the remaining writes, an entry goes back to its previous version, and a pool or collection that the event
created falls as a whole, with everything in it. If only words are to go, one in which others wrote stays without them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import Any

from memoranda.core.base.scope import Scope, visible
from memoranda.core.beliefs.duplicates import MAX_SOURCES, united
from memoranda.core.beliefs.overlay import again, passage_of, vector_row
from memoranda.core.erasure.reopened import cut_back
from memoranda.core.erasure.targets import says
from memoranda.core.rows import (
    AccessLog,
    AnsweredCall,
    Collection,
    Event,
    Grant,
    Passage,
    Pool,
    Record,
    Row,
    Snapshot,
    Vector,
    key_of,
)
from memoranda.core.rows.changes import Add, Batch, Change, Drop, Patch, Put
from memoranda.core.strata.json_documents import replayed
from memoranda.core.text.forgotten import Forgotten
from memoranda.core.text.terms import content_hash
from memoranda.flows.runtime.commits import reread, unbroken
from memoranda.flows.runtime.runtime import Runtime, embed
from memoranda.flows.sharing.objects import asked, author, entry_id, origin_of, own, shared_owner
from memoranda.ports import Where


@dataclass(frozen=True, slots=True)
class Aim:
    """What is to go of what the user wrote in shared memory.

    Attributes:
        named: whether an event is.
        words: what nothing of the user may say there, where the scope looks.
        everything: all that the scope sees is.
    """

    named: Callable[[Event], bool]
    words: Forgotten = field(default_factory=Forgotten)
    everything: bool = False


@dataclass(frozen=True, slots=True)
class _Aimed:
    """The ids of events and of whole objects that are to go, of the objects touched and reworded, and the `seq`."""

    gone: set[str]
    whole: set[str]
    reworded: set[str]
    touched: tuple[str, ...]
    seq: int


async def copies(runtime: Runtime, scope: Scope, gone: Iterable[str]) -> list[Row]:
    """Withdraw every copy that the user made of these records. Returns the rows that went."""
    records = frozenset(gone)
    return await taken(runtime, scope, Aim(lambda event: copied(event, scope) in records))


async def taken(runtime: Runtime, scope: Scope, aim: Aim) -> list[Row]:
    """Withdraw what rests on the user's events that are aimed at. Returns the rows that went.

    Raises:
        ConflictError: shared memory is being written without a pause; nothing was withdrawn.
    """
    async with runtime.partitions.turn(shared_owner(scope).owner):
        return await reread(partial(_taken, runtime, scope, aim))


async def found(runtime: Runtime, scope: Scope, aim: Aim) -> tuple[list[Row], int]:
    """The rows that `taken` would withdraw, and how many pools and collections would stay without the words."""
    aimed = await _aimed(runtime, scope, aim)
    return (await _fall(runtime, scope, aim, aimed)).rows if aimed.touched else [], len(aimed.reworded)


async def _aimed(runtime: Runtime, scope: Scope, aim: Aim) -> _Aimed:
    owner, holder = shared_owner(scope).owner, Where("holder", "=", scope.user)
    by_user = asked(Event, scope, Where("speaker", "=", scope.user))
    page = await runtime.store.find(owner, by_user, asked(Pool, scope, holder), asked(Collection, scope, holder))
    events, *objects = page.rows
    gone = {event.id for event in events if aim.named(event) or (aim.everything and own(event, scope))}
    saying = {one.id for one in events if aim.words.since and says(one, aim.words) and own(one, scope)} - gone
    begun = tuple(one.id for some in objects for one in some if one.id in saying)
    [there] = (await runtime.store.find(owner, asked(Event, scope, Where("channel", "in", begun)))).rows
    reworded = {event.channel for event in there if event.speaker != scope.user}
    gone |= saying - reworded
    whole = {one.id for some in objects for one in some if one.id in gone or (aim.everything and visible(one, scope))}
    touched = whole.union(reworded, (event.channel for event in events if event.id in gone))
    return _Aimed(gone, whole, reworded - whole, tuple(touched), page.state.seq)


async def _taken(runtime: Runtime, scope: Scope, aim: Aim) -> list[Row]:
    aimed = await _aimed(runtime, scope, aim)
    if not aimed.touched:
        return []
    fall = await _fall(runtime, scope, aim, aimed)
    changes = [*(Drop(type(row), key_of(row)) for row in fall.rows), *fall.mended]
    changes += await _found(runtime, scope, fall.reworded)
    await unbroken(_commit(runtime, Batch(owner=shared_owner(scope).owner, changes=tuple(changes), expect=aimed.seq)))
    return fall.rows


async def _commit(runtime: Runtime, batch: Batch) -> None:
    runtime.partitions.follow(batch, await runtime.store.apply(batch))
    runtime.forget_vectors()


def copied(event: Event, scope: Scope) -> str | None:
    """The id of the user's record that an event is a copy of."""
    origin = event.metadata.get("origin", {})
    return origin.get("record") if origin.get("user") == scope.user else None


def shared(event: Event, scope: Scope) -> str | None:
    """As `copied`, for what was shared from where `scope` looks."""
    return copied(event, scope) if own(event, scope) else None


@dataclass(frozen=True, slots=True)
class _Fall:
    """The rows that fall, the changes to the rest, and the entries whose text changes."""

    rows: list[Row]
    mended: list[Change]
    reworded: list[Record]


async def _fall(runtime: Runtime, scope: Scope, aim: Aim, aimed: _Aimed) -> _Fall:
    """What falls with what is aimed at, and what becomes of the rest of the objects touched."""
    owner, gone, whole, touched = shared_owner(scope).owner, aimed.gone, aimed.whole, aimed.touched
    there = Where("channel", "in", touched)
    about = Where("object", "in", touched)
    page = await runtime.store.find(
        owner, *(asked(kind, scope, there) for kind in (Event, Record, Passage)),
        *(asked(kind, scope, Where("id", "in", touched)) for kind in (Pool, Collection)),
        *(asked(kind, scope, about) for kind in (Snapshot, Grant, AccessLog)),
    )  # fmt: skip
    events, records, passages, pools, collections, snapshots, *others = page.rows
    refs = Where("ref", "in", tuple(passage.ref for passage in passages))
    written = asked(AnsweredCall, scope, Where("about", "holds", touched))
    vectors, answered = (await runtime.store.find(owner, asked(Vector, scope, refs), written)).rows
    falls: list[Row] = [event for event in events if event.id in gone or event.channel in whole]
    lost = {event.id for event in falls if isinstance(event, Event)}
    clean = {one.id: replace(one, **_without(one, aim.words)) for one in events if one.id in aimed.reworded}
    left = [clean.get(event.id, event) for event in events if event.id not in lost]
    said = [record for record in records if record.channel not in whole]
    versions = list(_left(said, events, lost, runtime.clock()))
    kept = {key_of(record) for record in versions}
    fallen = [record for record in records if key_of(record) not in kept]
    resting = {source for record in versions for source in record.sources}
    told = {source for record in fallen for source in record.sources} - resting - lost
    versions = _entered(records, versions, fallen, [one for one in left if one.id in told], lost, runtime.clock())
    stand = {(record.channel, record.hash) for record in versions if record.superseded_at is None}
    texts = {record.id: record.text for record in versions if record.superseded_at is None}
    before = {record.id: record.text for record in records if record.superseded_at is None}
    reworded = {name for name, text in texts.items() if before.get(name) != text}
    names = {record.id for record in versions}
    falls += [*fallen, *(one for one in left if one.id in told and _words(one) not in stand)]  # made of what fell
    falls += [passage for passage in passages if passage.ref not in names]
    falls += [vector for vector in vectors if vector.ref not in names or vector.ref in reworded]
    falls += [one for some in (pools, collections) for one in some if one.id in whole]
    falls += [one for one in snapshots if one.id in lost or one.object in whole]
    falls += [one for some in others for one in some if one.object in whole]
    falls += answered  # which show all of an object, whoever wrote to it
    mended = [*_mended(records, versions), *_rewritten(runtime, [one for one in pools if one.id not in whole], left)]
    called = (one for one in chain(events, pools, collections) if one.id in clean)
    mended += [Patch(type(one), (one.id,), _without(one, aim.words)) for one in called]
    return _Fall(falls, mended, [one for one in versions if one.id in reworded and one.superseded_at is None])


def _without(row: Event | Pool | Collection, words: Forgotten) -> dict[str, Any]:
    """What a pool or collection, or the event that began it, is called and filed under, without some words."""
    told = {name: one for name in ("content", "name", "conversation", "task") if (one := getattr(row, name, None))}
    noted = {"metadata": words.noted(row)[0]} if isinstance(row, Event) else {}
    return {name: words.withheld(one)[0] for name, one in told.items()} | noted


async def _found(runtime: Runtime, scope: Scope, reworded: Sequence[Record]) -> list[Change]:
    """The new passages and vectors of entries whose text changes."""
    embedded = await embed(runtime, scope, [record.text for record in reworded])
    changes: list[Change] = [Put(passage_of(record, runtime.analyzer)) for record in reworded]
    for number, record in enumerate(reworded):
        if (vector := embedded.of(number)) is not None:
            changes.append(Put(vector_row(record.tenant, record.user, runtime.space, record.id, vector)))
    return changes


def _left(records: Sequence[Record], events: Sequence[Event], lost: set[str], now: datetime) -> Iterator[Record]:
    """The versions that are left.

    A version that an entry goes back to is written as a new one, because no version number is given twice. If another
    entry says the same by now, the version does not come back: that entry takes over its sources.
    """
    numbers: dict[str, int] = {}
    for record in records:
        numbers[record.id] = max(record.version, numbers.get(record.id, 0))
    ended = {key_of(record): record.superseded_at for record in records}
    left = list(cut_back(_trimmed(records, events, lost), lost))
    back = {key_of(one) for one in left if one.superseded_at != ended[key_of(one)]}
    standing: dict[tuple[object, ...], Record] = {}
    for record in sorted((one for one in left if one.superseded_at is None), key=lambda one: key_of(one) in back):
        first = standing.setdefault(_claim(record), record)
        if key_of(record) in back:
            standing[_claim(record)] = replace(first, sources=united(first.sources, record.sources))
    rests = {key_of(one): one for one in standing.values()}
    for record in left:
        stands = rests.get(key_of(record), record)
        if key_of(record) not in back:
            yield stands
        elif key_of(record) not in rests:
            yield replace(record, superseded_at=ended[key_of(record)])
        elif record.version < numbers[record.id]:
            yield replace(record, superseded_at=now)
            yield replace(stands, version=numbers[record.id] + 1, recorded_at=now, seq=0)
        else:
            yield stands


def _claim(record: Record) -> tuple[object, ...]:
    return record.channel, record.kind, record.hash, record.valid_to


def _trimmed(records: Iterable[Record], events: Sequence[Event], lost: set[str]) -> Iterator[Record]:
    """The versions with all of their sources; a version whose words somebody else said too keeps only those sources.

    The same holds for the end of an entry if others ended it in the same words later. A version with the maximum of
    sources does not name everyone who said it. One that somebody edited, removed or brought back rests on that event,
    too.
    """
    told = {event.id: event for event in events}
    entered = [event for event in events if event.kind == "entry"]
    ends = [event for event in entered if event.id not in lost and _adds(event)]
    said = {(event.metadata.get("entry"), *_words(event)): event.id for event in entered if event.id in lost}
    for record in records:
        unnamed = [said.get((entry, record.channel, record.hash), "") for entry in (None, record.id)]
        sources = dict.fromkeys((*record.sources, *(unnamed if len(record.sources) == MAX_SOURCES else ())))
        known = [told[one] for one in sources if one in told]
        gone = [one for one in known if one.id in lost]
        others = [one for one in known if one.id not in lost and content_hash(one.content) == record.hash]
        if record.contradicted_by in lost:
            words, last = _words(told[record.contradicted_by]), max(one.seq for one in known)
            by = (event.id for event in ends if event.seq > last and _words(event) == words)
            record = replace(record, contradicted_by=next(by, record.contradicted_by))  # noqa: PLW2901
        if not gone:
            yield record
        elif others and all(map(_adds, gone)):
            left = tuple(one for one in record.sources if one not in lost)
            begun = _said_by(record, others[0]) if record.sources[0] in lost else record
            editor = author(others[0]) if record.editor in map(author, gone) else record.editor
            yield replace(begun, sources=left, editor=editor)
        else:
            yield replace(record, sources=tuple(sources))


def _adds(event: Event) -> bool:
    """Whether an event adds an entry, as opposed to editing, ending or bringing one back."""
    return event.kind == "entry" and "entry" not in event.metadata


def _said_by(record: Record, event: Event) -> Record:
    """An entry as `event` states it: with its source and trust, and a copy only if the event is one."""
    return replace(record, source=event.source, trust=event.trust, value=origin_of(event))


def _words(event: Event) -> tuple[str, str]:
    return event.channel, content_hash(event.content)


def _entered(
    records: Iterable[Record],
    left: Sequence[Record],
    fallen: Iterable[Record],
    told: Iterable[Event],
    lost: set[str],
    now: datetime,
) -> list[Record]:
    """Add entries that others made in other words and that had been merged into an entry that falls.

    If a remaining entry says the same, it takes over their sources instead.
    """
    known = {record.id for record in records}
    last = {source: record for record in sorted(fallen, key=_version) for source in record.sources}
    rows = {key_of(one): one for one in left}
    stand = {_claim(one): key_of(one) for one in left if one.superseded_at is None}
    for event in told:
        was = last[event.id]
        ended = was.valid_to is not None and was.contradicted_by not in lost
        if ended or not _adds(event):
            continue
        own = replace(
            _said_by(was, event), id=entry_id(event, was.kind), version=1, text=event.content,
            hash=content_hash(event.content), sources=(event.id,), editor=author(event), valid_from=event.event_time,
            recorded_at=now, valid_to=None, status="candidate", supersedes=None, superseded_at=None,
            contradicted_by=None, access_count=0, last_accessed=None, seq=0,
        )  # fmt: skip
        if (name := stand.get(_claim(own))) is not None:
            rows[name] = replace(rows[name], sources=united(rows[name].sources, own.sources))
            continue
        while own.id in known:
            own = again(own)
        stand[_claim(own)] = key_of(own)
        rows[key_of(own)] = own
    return list(rows.values())


_version = attrgetter("version")


def _mended(before: Iterable[Record], after: Iterable[Record]) -> Iterator[Change]:
    known = {key_of(record): record for record in before}
    for record in after:
        was = known.get(key_of(record))
        if was is None:
            yield Add(record)
            continue
        values: dict[str, Any] = {
            name: getattr(record, name)
            for name in ("sources", "source", "trust", "value", "editor", "superseded_at", "contradicted_by")
            if getattr(record, name) != getattr(was, name)
        }
        if values:
            yield changed(record, values)


def changed(record: Record, values: Mapping[str, Any]) -> Change:
    """The change that gives a version the `values` that it has here; no image knows one that is to hold again."""
    again = values.get("superseded_at", ()) is None
    return Put(record) if again else Patch(Record, key_of(record), values)


def _rewritten(runtime: Runtime, pools: Iterable[Pool], left: Sequence[Event]) -> Iterator[Change]:
    """Rebuild pools from the writes that are left, as new versions."""
    for pool in pools:
        writes = sorted((one for one in left if one.channel == pool.id), key=lambda one: int(one.metadata["version"]))
        data = replayed(event.metadata for event in writes)
        yield Patch(Pool, (pool.id,), {"data": data, "version": pool.version + 1, "changed_at": runtime.clock()})
