"""Reads of the graph: what an entity is, who mentions it, its neighbourhood, and paths between entities."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Annotated, Any

import numpy as np

from memoranda.core.base.checks import brief, strings
from memoranda.core.base.constraints import Between, Id
from memoranda.core.base.moments import moment
from memoranda.core.base.scope import Scope, check_identifier, visible
from memoranda.core.image.image import entity_id
from memoranda.core.language.entities import canonical
from memoranda.core.rows import Entity as Row
from memoranda.core.rows import Event, Record
from memoranda.core.rows.rowset import EPOCH, column
from memoranda.core.strata import graph
from memoranda.core.strata.graph import (
    DESCRIPTION,
    FAN,
    OBSERVED,
    PROPERTY,
    TYPE,
    Entity,
    Neighbourhood,
    Node,
    Path,
    View,
)
from memoranda.errors import NotFoundError
from memoranda.flows.runtime.reading import own, undisturbed
from memoranda.flows.runtime.runtime import Runtime
from memoranda.ports import Query

MOST = 500  # the most entities of a neighbourhood, and the most items of any list
HOPS = 10  # the longest path


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentioned:
    """An event or a record that mentions an entity; `of` says which of the two it is."""

    id: str
    of: str
    kind: str
    text: str
    at: datetime
    channel: str
    conversation: str | None = None


@undisturbed(own)
async def entity(runtime: Runtime, scope: Scope, entity: str) -> Entity:
    """An entity with what is stated about it.

    Args:
        entity: its name, another name of it, or its id.

    Raises:
        NotFoundError: this scope knows no such entity.
    """
    view = await view_of(runtime, scope)
    [found] = await described(runtime, view, meant(view, "entity", entity))
    return found


@undisturbed(own)
async def known(runtime: Runtime, scope: Scope) -> tuple[Entity, ...]:
    """All entities that were described, each with what is stated about it, the oldest first.

    Those that are only mentioned are not among them; `graph.find` finds these, too.
    """
    view = await view_of(runtime, scope)
    typed = [row for row in view.partition.records.values() if row.attribute == TYPE]
    typed.sort(key=lambda row: (row.valid_from, row.id))
    roots = dict.fromkeys(view.root(entity_id(scope.owner, row.subject or "")) for row in typed)
    found = await described(runtime, view, *roots)
    return tuple(one for one in found if one.records)


@undisturbed(own)
async def mentions(
    runtime: Runtime, scope: Scope, entity: str, *, limit: Annotated[int, Between(1, MOST)] = 20
) -> tuple[Mentioned, ...]:
    """The events and records that mention an entity, the latest first.

    Args:
        entity: its name, or its id.
        limit: at most so many, up to 500.

    Raises:
        NotFoundError: this scope knows no such entity.
    """
    view = await view_of(runtime, scope)
    index = view.partition.index
    numbers = view.mentions(view.names(meant(view, "entity", entity)))
    latest = numbers[np.lexsort((-numbers, -index.columns["at"][numbers]))][:limit]
    refs = index.named(latest)
    events = await runtime.store.get(Event, scope.owner, [(ref,) for ref in refs])
    found = (view.partition.records.get(ref) or event for ref, event in zip(refs, events, strict=True))
    return tuple(_mentioned(row) for row in found if row is not None and visible(row, scope))


@undisturbed(own)
async def find(
    runtime: Runtime, scope: Scope, query: Id, *, limit: Annotated[int, Between(1, MOST)] = 10
) -> tuple[Node, ...]:
    """Find entities by the beginning of a name or of a word in it: exact matches first, then the most salient.

    Args:
        query: the beginning of a name or of another name.
        limit: at most so many, up to 500.
    """
    begin = canonical(query)
    view = await view_of(runtime, scope)
    page = await runtime.store.find(scope.owner, Query(kind=Row, tenant=scope.tenant, user=scope.user))
    names = dict(zip(column(page.rows[0], "id"), column(page.rows[0], "name"), strict=True))
    alike = [one for one, name in names.items() if name.startswith(begin) or f" {begin}" in name]
    roots = {view.root(one): None for one in alike if len(view.mentions((one,)))}
    nodes = await _nodes(runtime, view, dict.fromkeys(roots, 0))
    exact = {view.root(one) for one in alike if names[one] == begin}
    return tuple(sorted(nodes, key=lambda node: (node.id not in exact, -node.salience, node.name))[:limit])


@undisturbed(own)
async def neighbourhood(
    runtime: Runtime,
    scope: Scope,
    entity: str,
    *,
    depth: Annotated[int, Between(1, graph.DEEPEST)] = 1,
    limit: Annotated[int, Between(1, MOST)] = 50,
    types: Sequence[str] | None = None,
    as_of: datetime | None = None,
) -> Neighbourhood:
    """The entities around one, breadth first, and their relations; `mermaid` of the result draws it.

    Args:
        entity: its name, or its id.
        depth: how many steps, 1 to 3.
        limit: at most so many entities, itself included, up to 500. At most 100 relations of one entity are followed.
            `cut` says what is left out.
        types: only relations of these types.
        as_of: relations that held at that time; now by default.

    Raises:
        NotFoundError: this scope knows no such entity.
    """
    view = await view_of(runtime, scope, as_of)
    only = _types(types)
    walk = graph.around(meant(view, "entity", entity), lambda one: view.edges(one, only), depth, limit)
    nodes = await _nodes(runtime, view, walk.depths)
    cut = [f"{node.name}: {walk.over[node.id]:,} relations were not followed" for node in nodes if node.id in walk.over]
    if walk.left:
        cut.append(f"{walk.left:,} entities are beyond the limit of {limit:,}")
    return Neighbourhood(nodes=tuple(nodes), edges=tuple(walk.edges), cut=tuple(cut))


@undisturbed(own)
async def path(
    runtime: Runtime,
    scope: Scope,
    source: str,
    target: str,
    *,
    max_hops: Annotated[int, Between(1, HOPS)] = 6,
    types: Sequence[str] | None = None,
    as_of: datetime | None = None,
) -> Path:
    """A shortest path from one entity to another, whichever way the relations point.

    Args:
        source: the name or the id of the one.
        target: the name or the id of the other.
        max_hops: at most so many steps, up to 10.
        types: only relations of these types.
        as_of: relations that held at that time; now by default.

    Raises:
        NotFoundError: this scope knows no such entity.
    """
    view = await view_of(runtime, scope, as_of)
    only, begin = _types(types), meant(view, "source", source)
    found = graph.way(begin, meant(view, "target", target), lambda one: view.edges(one, only), max_hops)
    if isinstance(found, str):
        return Path(reason=found)
    depths = {begin: 0}
    for edge in found:
        depths[edge.beyond([*depths][-1])] = len(depths)
    return Path(nodes=tuple(await _nodes(runtime, view, depths)), edges=tuple(found))


# ------------------------------------------------------------------------------------------------ reading


async def view_of(runtime: Runtime, scope: Scope, as_of: datetime | None = None) -> View:
    """The graph as a scope sees it, with the relations that hold at a time, by default now."""
    now = runtime.clock()
    partition = await runtime.partitions.current(scope.owner)
    at = now if as_of is None else moment("as_of", as_of)
    return View(partition=partition, scope=scope, now=now, at=at, mask=partition.mask(scope, now=now))


def seen(view: View, given: str) -> str | None:
    """The entity that a name or an id stands for, if the scope knows it."""
    for one in (given, entity_id(view.partition.owner, canonical(given))):
        if one in view.partition.entities and len(view.mentions(view.names(view.root(one)))):
            return view.root(one)
    return None


def meant(view: View, argument: str, given: str) -> str:
    """The entity that a name or an id stands for.

    Raises:
        NotFoundError: the scope knows none.
    """
    known = seen(view, check_identifier(argument, given))
    if known is None:
        raise NotFoundError(f"There is no entity {brief(given)} in this scope; graph.find gives those there are.")
    return known


async def _groups(runtime: Runtime, view: View, roots: Iterable[str]) -> dict[str, dict[str, Row]]:
    """The rows of some entities by root: first those of its other names, then its own."""
    names = {root: [*(name for name in view.names(root) if name != root), root] for root in roots}
    ids = [(name,) for group in names.values() for name in group]
    rows = {row.id: row for row in await runtime.store.get(Row, view.partition.owner, ids) if row is not None}
    return {root: {one: rows[one] for one in group if one in rows} for root, group in names.items() if root in rows}


async def _nodes(runtime: Runtime, view: View, depths: Mapping[str, int]) -> list[Node]:
    groups = await _groups(runtime, view, depths)
    texts = await _texts(runtime, view, groups)
    return [_node(view, group, texts[root], depths[root])[0] for root, group in groups.items()]


async def _texts(runtime: Runtime, view: View, roots: Iterable[str]) -> dict[str, str]:
    """For each entity, the text of the first event or record that mentions it by its own name."""
    index, records = view.partition.index, view.partition.records
    found = {root: view.mentions([root]) for root in roots}
    first = {root: index.refs[ours[index.columns["at"][ours].argmin()]] for root, ours in found.items() if len(ours)}
    events = await runtime.store.get(Event, view.partition.owner, [(ref,) for ref in first.values()])
    said = {event.id: event.content for event in events if event is not None}
    told = {root: records[ref].text if ref in records else said.get(ref, "") for root, ref in first.items()}
    return {root: told.get(root, "") for root in found}


def _node(view: View, group: Mapping[str, Row], text: str, depth: int = 0) -> tuple[Node, list[Record]]:
    """An entity as a node, spelled as in `text`, and what was stated about it."""
    numbers, index = view.mentions(group), view.partition.index
    *others, own = group.values()
    said = view.statements(numbers, [row.name for row in group.values()])
    stated: Any = {record.attribute: record.value for record in said}.get(TYPE, {})
    written = stated.get("name", "")
    name = written if canonical(written) == own.name else graph.as_written(own.name, text)
    last = index.passages[numbers[index.columns["at"][numbers].argmax()]].at if len(numbers) else None
    uses, used = int(index.columns["accesses"][numbers].sum()), index.columns["accessed"][numbers].max(initial=0.0)
    touched = last and max(last, EPOCH + timedelta(seconds=float(used)))
    node = Node(
        id=own.id, name=name, type=stated.get("is", own.type), depth=depth,
        aliases=tuple(sorted(row.name for row in others)), mentions=len(numbers), last_mentioned=last,
        salience=round(graph.presence(len(numbers) + uses, touched, view.now), 4),
    )  # fmt: skip
    return node, said


async def described(runtime: Runtime, view: View, *roots: str) -> list[Entity]:
    """Entities with what is stated about each; what is no entity any more is left out."""
    groups = await _groups(runtime, view, roots)
    texts = await _texts(runtime, view, groups)
    return [_entity(view, root, *_node(view, group, texts[root])) for root, group in groups.items()]


def _entity(view: View, root: str, node: Node, said: Sequence[Record]) -> Entity:
    last = {record.attribute or "": record for record in said}
    values: dict[str, Any] = {name: record.value for name, record in last.items()}
    stated = {name: value["is"] for name, value in values.items()}
    properties = {name.removeprefix(PROPERTY): value for name, value in stated.items() if name.startswith(PROPERTY)}
    edges = view.edges(root)
    return Entity(
        **{item.name: getattr(node, item.name) for item in fields(node)},
        description=stated.get(DESCRIPTION),
        properties={name: value for name, value in sorted(properties.items()) if value is not None},
        observations={stated[name]: record.id for name, record in last.items() if name.startswith(OBSERVED)},
        records=tuple(record.id for record in said),
        relations=tuple(edges[:FAN]), cut=max(len(edges) - FAN, 0),
    )  # fmt: skip


def _types(types: Sequence[str] | None) -> frozenset[str] | None:
    return None if types is None else frozenset(graph.check_type("types", one) for one in strings("types", types))


def _mentioned(row: Event | Record) -> Mentioned:
    place: dict[str, Any] = {"id": row.id, "kind": row.kind, "channel": row.channel, "conversation": row.conversation}
    if isinstance(row, Record):
        return Mentioned(**place, of="record", text=row.text, at=row.valid_from)
    return Mentioned(**place, of="event", text=row.content, at=row.event_time)
