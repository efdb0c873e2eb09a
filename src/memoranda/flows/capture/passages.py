"""What goes with an event into index and graph: its passage, the entities that it names, and their relations."""

from collections.abc import Iterator, Mapping
from typing import Any

from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import Owner
from memoranda.core.language.extraction import Analysis
from memoranda.core.rows import ALIAS_OF, Entity, Event, Passage, Relation
from memoranda.core.text.terms import Analyzer


def passage_of(event: Event, analysis: Analysis, entities: tuple[str, ...], analyzer: Analyzer) -> Passage:
    """The passage of an event that names some entities."""
    said = f"{event.speaker}: {analysis.text}" if event.speaker else analysis.text
    return Passage(
        tenant=event.tenant, user=event.user, ref=event.id, kind=event.kind, role=event.role, speaker=event.speaker,
        agent=event.agent, channel=event.channel, connection=event.connection, conversation=event.conversation,
        position=event.position, terms=" ".join(analyzer.terms(said)), entities=entities,
        traits=analysis.traits, length=len(analysis.text), at=event.event_time, recorded_at=event.recorded_at,
    )  # fmt: skip


def names_in(event: Event, analysis: Analysis, ids: Mapping[str, str]) -> Iterator[Entity | Relation]:
    """The entities that an event mentions, and the alias relations that it states, which a question resolves."""
    for name, kind in analysis.entities.items():
        yield Entity(tenant=event.tenant, user=event.user, id=ids[name], name=name, type=kind)
    for alias, name in analysis.aliases:
        yield edge_of(event, ids[alias], ALIAS_OF, ids[name])


def edge_of(event: Event, head: str, type_: str, tail: str, **values: Any) -> Relation:
    """The relation that an event states between two entities; by default valid from the event time."""
    return Relation(
        tenant=event.tenant, user=event.user, agent=event.agent, channel=event.channel, connection=event.connection,
        id=derived_id(Owner(event.tenant, event.user), "relation", event.id, type_, head, tail),
        head=head, type=type_, tail=tail, sources=(event.id,), **{"valid_from": event.event_time, **values},
    )  # fmt: skip
