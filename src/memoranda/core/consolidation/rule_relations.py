"""Relations between the entities of a batch without a model, from the attributes of statements."""

from collections.abc import Iterable, Iterator, Sequence

from memoranda.core.consolidation.proposal import NamedRelation
from memoranda.core.rows import Event, Record
from memoranda.core.rows.lifecycle import OPEN
from memoranda.core.text.terms import form

_PROJECT = "project.name"
#: The first and last part of an attribute → the relation of its subject to its value.
_RELATED = {
    ("work", "employer"): "WORKS_FOR", ("location", "city"): "LOCATED_IN",
    ("family", "name"): "KNOWS", ("people", "name"): "KNOWS",
}  # fmt: skip


def related(records: Iterable[Record], events: Iterable[Event]) -> tuple[NamedRelation, ...]:
    """Return the relations between entities named in a batch, from the attributes of its statements.

    This is the part of a plan that rules make. The statements were extracted when the events arrived, so they are no
    items of it.

    Args:
        records: current versions of what is known in the place of the batch.
        events: the batch.
    """
    batch = {event.id for event in events}
    holding = [record for record in records if _tells(record)]
    projects = [str(record.value) for record in holding if record.attribute == _PROJECT]
    found: dict[NamedRelation, None] = {}
    for record in sorted(holding, key=lambda record: (record.valid_from, record.hash, record.id)):
        sources = tuple(source for source in record.sources if source in batch)
        for head, kind, tail in _relations(record, projects) if sources else ():
            if form(head) != form(tail):
                found[NamedRelation(head=head, type=kind, tail=tail, events=sources)] = None
    return tuple(found)


def _tells(record: Record) -> bool:
    told = record.attribute is not None and isinstance(record.value, str) and record.subject is not None
    return told and record.polarity > 0 and record.temporal == "current" and record.status in OPEN


def _relations(record: Record, projects: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the relations in a record: head, type and tail."""
    path = str(record.attribute).split(".")
    kind = _RELATED.get((path[0], path[-1]))
    if kind:
        yield str(record.subject), kind, str(record.value)
    if path[0] == "project" and len(path) == 3 and len(projects) == 1:
        yield path[1].replace("_", " "), "PART_OF", projects[0]
