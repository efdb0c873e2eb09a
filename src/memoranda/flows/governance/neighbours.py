"""The rows that forgetting has to look at: what names what goes, and what that rests on, however much else there is.

A row is *followed* if it goes: whatever names it is read. Of what is read, what it rests on is read too, so that it is
judged as it stands; but that is not followed. Current records and passages are found by the image, which names them by
their sources and entities; what is past, and what lies in the log, by the store.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from memoranda.core.base.scope import Owner, Scope, visible
from memoranda.core.beliefs.duplicates import MAX_SOURCES
from memoranda.core.beliefs.leaving.verdicts import meant_by
from memoranda.core.beliefs.outcomes import OUTCOME
from memoranda.core.beliefs.promotion import PROMOTION
from memoranda.core.beliefs.supersession import rivals
from memoranda.core.consolidation.judge import KIND as CONSOLIDATION
from memoranda.core.consolidation.judge import NARRATIVE as NARRATIVE_ITEM
from memoranda.core.consolidation.judge import of_json
from memoranda.core.consolidation.proposal import Item, Narrative
from memoranda.core.image.image import Partition, attribute_of
from memoranda.core.rows import Entity, Event, Passage, R, Record, Relation, Row, ToolUse, Vector, key_of, kinds_with
from memoranda.core.strata.procedures import TOOL_CALL, use_id
from memoranda.errors import ConflictError
from memoranda.ports import Query, Store, Where

MOST = 1_000  # ids that are followed; for more, all is read


#: The parts of events and records.
PARTS = kinds_with(falls="parts")
#: What tells of other rows in free words. There is no way to ask for what repeats some words but to read it.
LOGS = kinds_with(falls="words")
#: The row kinds that can fall.
_KINDS = (*kinds_with(falls="rule"), *PARTS, *LOGS)
_CONSOLIDATED, _PAST = Where("kind", "=", CONSOLIDATION), Where("superseded_at", "is", "set")


class Held:
    """Rows of an owner, by kind."""

    def __init__(self, rows: Mapping[type[Row], Sequence[Any]]) -> None:
        self._rows = rows

    def of(self, *kinds: type[R]) -> Sequence[R]:
        """The rows of some kinds."""
        return [row for kind in kinds for row in self._rows[kind]]

    def seen(self, scope: Scope) -> Iterator[Any]:
        """The rows that a scope sees: what lies where it looks; all, if it is the whole of a user's memory."""
        found: Iterator[Any] = chain.from_iterable(self._rows.values())
        return (
            one for one in found if scope.whole or (one.__traits__.seen in {"site", "ends"} and visible(one, scope))
        )


class _Rows:
    """Rows of an owner, as far as they were read, each as it was at one `seq`."""

    def __init__(self, store: Store, owner: Owner, seq: int) -> None:
        self.owner, self.seq = owner, seq
        self._store = store
        self._rows: dict[type[Row], dict[tuple[Any, ...], Any]] = {kind: {} for kind in _KINDS}
        self._asked: dict[tuple[object, ...], set[str]] = {}

    def of(self, kind: type[R]) -> list[R]:
        return [*self._rows[kind].values()]

    def new(self, kind: type[Row], column: str, values: Iterable[str], *where: Where) -> tuple[Any, ...] | None:
        """Return a query for rows in whose column one of some values is; None if all of these were asked for before."""
        asked = self._asked.setdefault((kind, column, where), set())
        new = tuple({*values} - asked)
        asked.update(new)
        holds = kind.__columns__[column].type in {"json", "strings"}
        return (kind, Where(column, "holds" if holds else "in", new), *where) if new else None

    async def find(self, *wanted: tuple[Any, ...]) -> list[Any]:
        """Read rows, each query given as its kind and conditions, and return those of the last one.

        Raises:
            ConflictError: something was written meanwhile.
        """
        tenant, user = self.owner
        queries = [Query(kind=kind, tenant=tenant, user=user, where=tuple(where)) for kind, *where in wanted]
        page = await self._store.find(self.owner, *queries)
        if page.state.seq != self.seq:
            raise ConflictError("The memory was written to meanwhile.")
        for query, rows in zip(queries, page.rows, strict=True):
            self._rows[query.kind].update({key_of(row): row for row in rows})
        return [*page.rows[-1]]

    async def spaces(self) -> Where:
        """Return the condition that a vector is of some space, by which its key begins."""
        tenant, user = self.owner
        spaces = await self._store.count(Query(kind=Vector, tenant=tenant, user=user), by="space")
        return Where("space", "in", tuple(spaces))


class Neighbours:
    """The rows of an owner that lie around what goes.

    Args:
        store: where they are read from.
        image: the owner's current image.

    Attributes:
        seq: the owner's `seq` when the rows were read.
        followed: ids of events and records; whatever names one of them was read.
        whole: whether everything was read.
    """

    def __init__(self, store: Store, image: Partition) -> None:
        self.seq, self.followed, self.whole = image.seq, set[str](), False
        self._image = image
        self._rows = _Rows(store, image.owner, image.seq)
        self._items: dict[str, list[tuple[Item, frozenset[str]]]] = {}
        self._spaces = Where("space", "in", ())

    def held(self) -> Held:
        """The rows that were read, in the order in which they were written."""
        return Held({kind: sorted(self._rows.of(kind), key=lambda row: row.seq) for kind in _KINDS})

    async def read_all(self) -> None:
        """Read everything."""
        self.whole = True
        await self._rows.find(*((kind,) for kind in _KINDS))

    async def read_logs(self) -> None:
        """Read what tells of other rows in free words."""
        self._spaces = await self._rows.spaces()
        await self._rows.find(*((kind,) for kind in LOGS))

    async def talk(self, conversation: str) -> set[str]:
        """Return the ids of the events of a conversation."""
        return {row.id for row in await self._rows.find((Event, Where("conversation", "=", conversation)))}

    async def alike(self, record: str) -> set[str]:
        """Return the ids of a record and of those in the same words, and of the events that they rest on."""
        hashes = {row.hash for row in await self._rows.find((Record, Where("id", "in", (record,))))}
        known = {record, *(one for words in hashes for one in self._image.named.get(words, ()))}
        current = (Record, Where("id", "in", tuple(known)))
        await self._rows.find(current, (Record, Where("hash", "in", tuple(hashes)), _PAST))
        rows = [row for row in self._rows.of(Record) if row.hash in hashes]
        return {row.id for row in rows}.union(*(row.sources for row in rows))

    async def follow(self, ids: Iterable[str]) -> None:
        """Read whatever names these events and records, and what that rests on."""
        self.followed.update(ids)
        while not self.whole:
            crowded = any(len(row.sources) >= MAX_SOURCES for row in self._touched())  # it does not name all of them
            if len(self.followed) > MOST or self._image.damaged or crowded:
                await self.read_all()
            elif wanted := [one for one in (*self._wanted(), *self._beside()) if one]:
                await self._rows.find(*wanted)
            else:
                return

    def _wanted(self) -> Iterator[tuple[Any, ...] | None]:
        """Yield queries for the events and records that are called for, without what was asked before."""
        image, new, near, touched = self._image, self._rows.new, self._near(), self._touched()
        names, words = {row.id for row in touched}, {row.hash for row in touched}
        sources = near.union(*(row.sources for row in touched))
        ended = near.union(*(row.sources for row in touched if row.supersedes))  # by what takes the place of another
        ids = {one for name in near for one in image.records_by_source.get(name, ())}
        ids |= {one for name in near | names | words | ended for one in image.named.get(name, ())}
        ids |= {one for row in touched for one in _rivals(image, row)}
        right = (event.id for event in self._rows.of(Event) if meant_by(event) in names)
        ids |= {one for name in right for one in image.records_by_source.get(name, ())}
        ids |= {row.supersedes for row in touched if row.supersedes}
        yield new(Event, "id", self.followed | self._rests(sources) | self._decided())
        yield new(Event, "metadata", sources)
        yield self._narrated()
        yield new(Record, "id", self.followed | names | ids | self._origins() | self._decided())
        yield new(Record, "sources", near, _PAST)
        yield new(Record, "contradicted_by", ended, _PAST)
        yield new(Record, "supersedes", names | near, _PAST)
        yield new(Record, "promoted_from", names | near, _PAST)
        yield new(Record, "hash", words, _PAST)

    def _beside(self) -> Iterator[tuple[Any, ...] | None]:
        """Yield queries for what lies beside events and records."""
        new = self._rows.new
        gone = [row for row in self._rows.of(Passage) if row.ref in self.followed]
        keepers = {entity: _keeper(self._image, entity, self.followed) for row in gone for entity in row.entities}
        lost = {entity for entity, ref in keepers.items() if ref is None}
        calls = [row for row in self._rows.of(Event) if row.id in self.followed and row.kind == TOOL_CALL]
        refs = self.followed | {row.id for row in self._rows.of(Record)} | {ref for ref in keepers.values() if ref}
        yield new(Passage, "ref", refs)
        yield new(Entity, "id", keepers.keys())
        yield from (new(Relation, end, lost) for end in ("head", "tail"))
        yield from (new(Relation, name, self.followed) for name in ("sources", "ended_by"))
        for kind in PARTS:
            yield new(kind, str(kind.__traits__.rests), self.followed, *((self._spaces,) if kind is Vector else ()))
        yield new(Event, "speaker", {row.speaker or "" for row in calls}, Where("kind", "=", TOOL_CALL))
        yield new(ToolUse, "id", set(map(use_id, calls)))

    def _near(self) -> set[str]:
        """The ids that are followed, and those that an item of a consolidation names with one of them."""
        return self.followed.union(*(names for _, _, names in self._found(self.followed)))

    def _touched(self) -> list[Record]:
        """The versions that may change: they name what is near, or what is followed took their place."""
        near, rows = self._near(), self._rows.of(Record)
        before = {row.supersedes for row in rows if row.id in self.followed}
        return [
            row
            for row in rows
            if row.id in before
            or not near.isdisjoint((row.id, *row.sources, row.contradicted_by, row.supersedes, row.promoted_from))
        ]

    def _rests(self, named: set[str]) -> set[str]:
        """The ids of the events on which records rest, and the items of consolidations that name one of some."""
        found = {one for row in self._rows.of(Record) for one in (*row.sources, row.contradicted_by) if one}
        return found.union(*(names for _, _, names in self._found(named)))

    def _origins(self) -> set[str]:
        """The ids of the records on which what was read rests, or that an outcome that goes has raised."""
        events = self._rows.of(Event)
        found = {row.promoted_from for row in self._rows.of(Record) if row.promoted_from}
        found |= {str(row.metadata["record"]) for row in events if row.kind == PROMOTION}
        outcomes = (row for row in events if row.kind == OUTCOME and row.id in self.followed)
        return found.union(*(row.metadata["raised"] for row in outcomes))

    def _decided(self) -> set[str]:
        """The ids of the decisions of which an outcome tells: records or events."""
        return {row.metadata["decision"] for row in self._rows.of(Event) if row.kind == OUTCOME}

    def _found(self, named: set[str]) -> Iterator[tuple[Event, Item, frozenset[str]]]:
        """Yield what consolidations found that names one of some events: where, the item, and the events it names."""
        for row in self._rows.of(Event):
            if row.kind == CONSOLIDATION:
                if row.id not in self._items:
                    items = of_json(row.metadata["items"])
                    names = (frozenset((*item.events, *getattr(item, "recalls", ()))) for item in items)
                    self._items[row.id] = [*zip(items, names, strict=True)]
                yield from ((row, item, names) for item, names in self._items[row.id] if not names.isdisjoint(named))

    def _narrated(self) -> tuple[Any, ...] | None:
        """Return a query for what was narrated since a narrative told of what is followed: it was made of that."""
        told = [row.recorded_at for row, item, _ in self._found(self.followed) if isinstance(item, Narrative)]
        since = (Where("recorded_at", ">=", min(told)),) if told else ()
        return self._rows.new(Event, "metadata", {NARRATIVE_ITEM} if told else (), _CONSOLIDATED, *since)


def _rivals(image: Partition, row: Record) -> list[str]:
    """The ids of the current records with which a version would have to be settled again."""
    if row.attribute is not None:
        return [one.id for one in image.about(row)]
    if row.contradicted_by is None and row.superseded_at is None:
        return []
    here = attribute_of(row)
    others = (one for one in image.records.values() if one.attribute is None and attribute_of(one) == here)
    return [one.id for one in others if rivals(one, row)]


def _keeper(image: Partition, entity: str, followed: set[str]) -> str | None:
    """A passage that names an entity and is not of what is followed."""
    numbers, _ = image.index.mentions.of(entity)
    return next((ref for ref in map(image.index.refs.__getitem__, numbers) if ref not in followed), None)
