"""Derive from consolidation items: records through the gateway, names and relations, the narrative.

A replay gives the same result: only the items, their events, and what is known are used.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import Owner
from memoranda.core.beliefs.admission import Admission
from memoranda.core.beliefs.duplicates import united
from memoranda.core.beliefs.overlay import Overlay
from memoranda.core.beliefs.profile import NARRATIVE, narrative_of
from memoranda.core.consolidation.claim_statements import EDITOR, statements
from memoranda.core.consolidation.evidence import naming
from memoranda.core.consolidation.judge import as_json, words_of
from memoranda.core.consolidation.proposal import Claim, Item, LeafChange, NamedEntity, NamedRelation, Narrative
from memoranda.core.image.image import Partition, entity_id
from memoranda.core.language.entities import canonical, find_mentions
from memoranda.core.language.extraction import record_of
from memoranda.core.rows import ALIAS_OF, Entity, Event, Record
from memoranda.core.rows.changes import Add, Change, Put
from memoranda.core.rows.columns import Floats
from memoranda.core.rows.lifecycle import OPEN
from memoranda.core.rows.statements import CERTAINTY, Statement
from memoranda.core.text.detect import detect
from memoranda.core.text.forgotten import said_at, said_together
from memoranda.core.text.terms import content_hash
from memoranda.flows.capture.passages import edge_of

#: Events by id.
Events = Mapping[str, Event]

#: The vector of a text, if there is one.
Vectors = Callable[[str], Floats | None]


def stated(items: Iterable[Item], events: Events, language: str) -> Iterator[tuple[Statement, list[Event]]]:
    """The statements of items, each with the events it rests on, oldest first."""
    for item in items:
        if isinstance(item, LeafChange | Claim):
            rests = _rests(item, events)
            yield from ((statement, rests) for statement in statements(item, rests[-1], language))


def allowed(items: Iterable[Item], events: Events, partition: Partition, agent: str | None) -> tuple[Item, ...]:
    """The items without those that say what was forgotten, unless they rest on what the user has said since."""

    def barred(item: Item) -> bool:
        told = [events[one] for one in item.events if one in events]
        said = (
            max(filter(None, map(said_at, told)), default=None) if isinstance(item, Narrative) else said_together(told)
        )
        return partition.tombstones.cleaned([*map(words_of, as_json([item]))], agent, said)[1] > 0

    return tuple(item for item in items if not (partition.tombstones.since and barred(item)))


def derive(
    admission: Admission, items: Sequence[Item], told: Event, events: Events, vectors: Vectors, language: str
) -> list[Change]:
    """Admit what items state, and plan what else follows from them.

    Args:
        admission: plans against what is known.
        items: those of one consolidation.
        told: the event of that consolidation.
        events: those that the items rest on, by id.
        vectors: of the texts of their statements.
        language: assumed for texts that do not show their own.

    Returns:
        What is to be written besides the gateway's changes.
    """
    overlay, named = admission.overlay, dict[str, Entity]()
    for item in items:
        over = item.ends if isinstance(item, Claim) else ()
        for statement, rests in stated((item,), events, language):
            mentions = _mentioned(overlay.partition.owner, statement.text, language)
            named |= mentions
            last = rests[-1]
            base = replace(last, source="system_learned", trust=min(event.trust for event in rests))
            record = record_of(statement, base, tuple(mentions), overlay.now)
            sources = united((), tuple(event.id for event in rests))
            record = replace(record, sources=sources, editor=EDITOR, confidence=CERTAINTY[record.certainty])
            taken = admission.admit(record, vectors(statement.text), said=last.event_time, own=said_together(rests))
            if taken.record is not None:  # a refused statement ends nothing
                others = [one for one in over if one != taken.record]  # it may have merged into what it names
                admission.overrule(record, others, (last.event_time, last.id))
                over = ()
    graph = _Graph(overlay.partition, named)
    for item in items:
        graph.take(item, events)
    written = [item for item in items if isinstance(item, Narrative)]
    return [*graph.changes(), *(change for item in written for change in _written(overlay, item, told, events))]


def _rests(item: Item, events: Events) -> list[Event]:
    return sorted((events[name] for name in item.events), key=lambda event: (event.event_time, event.id))


def _mentioned(owner: Owner, text: str, language: str) -> dict[str, Entity]:
    """The entities that a text mentions, by id."""
    found = (one for one in find_mentions(text, detect(text, language)) if one.type != "quantity")
    return {row.id: row for row in (_entity(owner, one.name, one.type) for one in found)}


def _entity(owner: Owner, name: str, kind: str) -> Entity:
    called = canonical(name)
    return Entity(tenant=owner.tenant, user=owner.user, id=entity_id(owner, called), name=called, type=kind)


class _Graph:
    """Names and relations from some items; an event that mentions a name is found by it."""

    def __init__(self, partition: Partition, named: Mapping[str, Entity]) -> None:
        self._partition = partition
        self._named = dict(named)
        self._edges: dict[str, Change] = {}
        self._mentions: dict[str, dict[str, None]] = {}

    def take(self, item: Item, events: Events) -> None:
        """Plan the names and relations of an item; other kinds of items have none."""
        match item:
            case NamedEntity():
                rests = _rests(item, events)
                entity = self._name(item.name, item.type, rests)
                for alias in item.aliases:
                    self._relate(self._name(alias, item.type, rests), ALIAS_OF, entity, rests)
            case NamedRelation():
                rests = _rests(item, events)
                head, tail = (self._name(name, "thing", rests) for name in (item.head, item.tail))
                self._relate(head, item.type, tail, rests)

    def changes(self) -> list[Change]:
        """New entities, edges, and the updated passages of the events that mention them."""
        fresh = [Add(row) for row in self._named.values() if row.id not in self._partition.entities]
        index = self._partition.index
        passages: list[Change] = []
        for event, names in self._mentions.items():
            passage = index.passages[index.numbers[event]]
            entities = tuple(dict.fromkeys((*passage.entities, *names)))
            if entities != passage.entities:
                passages.append(Put(replace(passage, entities=entities)))
        return [*fresh, *self._edges.values(), *passages]

    def _name(self, name: str, kind: str, rests: Sequence[Event]) -> str:
        """Attach a name to the events that contain it, so that it goes with them; to all if none does ("user")."""
        row = _entity(self._partition.owner, name, kind)
        self._named.setdefault(row.id, row)
        named = [event.id for event in rests if naming(name, event)] or [event.id for event in rests]
        for event in filter(self._partition.index.numbers.__contains__, named):
            self._mentions.setdefault(event, {})[row.id] = None
        return row.id

    def _relate(self, head: str, kind: str, tail: str, rests: Sequence[Event]) -> None:
        edge = replace(edge_of(rests[-1], head, kind, tail), sources=tuple(event.id for event in rests))
        if head != tail:
            self._edges.setdefault(edge.id, Add(edge))


def _written(overlay: Overlay, item: Narrative, told: Event, events: Events) -> list[Change]:
    """The next version of a place's narrative; it rests on what it was made from, see `core.erasure.reopened`.

    Its trust is the lowest of its events and, if that is still open, of the previous version, which it was made from
    too.
    """
    place = (told.agent, told.channel, told.connection)
    known = narrative_of(overlay.partition.records.values(), *place)
    owner = overlay.partition.owner
    trust = min(told.trust, *(events[one].trust for one in item.events if one in events))
    name = derived_id(owner, "record", *(part or "" for part in place), NARRATIVE)
    new = Record(
        tenant=owner.tenant, user=owner.user, id=name, kind=NARRATIVE, category=NARRATIVE, text=item.text,
        certainty="inferred", confidence=CERTAINTY["inferred"], agent=told.agent, channel=told.channel,
        connection=told.connection, source=told.source, trust=trust, valid_from=told.event_time,
        recorded_at=overlay.now, sources=item.events, editor=NARRATIVE, hash=content_hash(item.text),
    )  # fmt: skip
    if known is None:
        return [Add(new)]
    planned = Overlay(overlay.partition, overlay.analyzer, overlay.space, overlay.now)
    before = known.trust if known.status in OPEN else trust  # a closed one was not part of the prompt
    planned.change(replace(new, version=known.version, trust=min(before, trust)))
    return planned.changes
