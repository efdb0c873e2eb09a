"""Writes to the graph: entities are described, named, merged and related.

What is stated is an observation like any other. The description of an entity becomes records about it, which have
versions and sources, and are found and forgotten like all others. A relation is an edge in the place of its event.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

from memoranda.core.base.checks import brief, check_choice, require
from memoranda.core.base.constraints import Id, OneOf, Share, Texts
from memoranda.core.base.scope import Scope, check_identifier
from memoranda.core.image.image import Partition, entity_id
from memoranda.core.language.entities import canonical
from memoranda.core.language.extraction import Analysis
from memoranda.core.rows import ALIAS_OF, Event, Relation
from memoranda.core.rows import Entity as Row
from memoranda.core.rows.changes import Add, Change, Put
from memoranda.core.rows.statements import ENTITY, TRUST, Statement, told_apart
from memoranda.core.strata import graph
from memoranda.core.strata.graph import DESCRIPTION, OBSERVED, PROPERTY, TYPE, Edge, Entity, View
from memoranda.core.text.terms import content_hash, traits
from memoranda.errors import InputError, MessageError, NotFoundError
from memoranda.flows.capture.capture import Draft, write
from memoranda.flows.capture.events import content_of, event_at, notes_of, own_words
from memoranda.flows.capture.passages import edge_of
from memoranda.flows.runtime.runtime import Runtime
from memoranda.flows.strata.graph import described, meant, seen, view_of

FORGOTTEN = "This was forgotten on request: say it in other words if it is to be known again."


async def upsert(
    runtime: Runtime,
    scope: Scope,
    name: Id,
    *,
    type: Id | None = None,  # noqa: A002 - the word everybody has for it
    aliases: Texts = (),
    description: str | None = None,
    properties: Mapping[str, Any] | None = None,
    observations: Texts = (),
    source: str = "user_provided",
    connection: Id | None = None,
) -> Entity:
    """Describe an entity; what is left out stays as stated before.

    Args:
        name: its name, or its id.
        type: person, place, organisation, product, thing, or your own; a thing by default.
        aliases: other names it has.
        description: what it is, in a sentence.
        properties: JSON values by name; None says that it no longer has one.
        observations: what else was observed of it, added to what was before. What one call states is forgotten
            together.
        source: as in `observe`; sets its trust.
        connection: the tool connection that says so; it is then seen only while that is active.

    Raises:
        InputError: this very description was forgotten on request.
    """
    scope = _heard(scope, connection)
    view = await view_of(runtime, scope)
    plain_name, written = await _name(runtime, view, "name", name)
    others = {canonical(one): _named(runtime, "an alias", one) for one in aliases}
    known = seen(view, plain_name)
    values: dict[str, Any] = {}
    if type is not None or known is None:
        values[TYPE] = {"is": type or "thing", "name": written}
    if description is not None:
        values[DESCRIPTION] = {"is": own_words(runtime, description)}
    values |= {f"{PROPERTY}{key}": {"is": value} for key, value in _properties(properties).items()}
    values |= {f"{OBSERVED}{content_hash(one)[:16]}": {"is": own_words(runtime, one)} for one in observations}
    label = written if plain_name in written.casefold() else plain_name
    told = [content_of(runtime, _fact_text(label, attribute, value["is"])) for attribute, value in values.items()]
    if others:
        told.append(f"{label} is also called {', '.join(others.values())}")
    statements = (
        told_apart(Statement(
            kind=ENTITY, category=ENTITY, text=text, subject=plain_name, attribute=attribute, value=value,
            correction=True, importance=0.6,
        ))
        for text, (attribute, value) in zip(told, values.items(), strict=False)
    )  # fmt: skip
    await _say(
        runtime, scope, ". ".join(told) or label, dict.fromkeys((plain_name, *others), "thing"),
        source=source, connection=connection, statements=tuple(statements),
        aliases=tuple((other, plain_name) for other in others if other != plain_name),
    )  # fmt: skip
    [found] = await described(runtime, await view_of(runtime, scope), entity_id(scope.owner, plain_name))
    return found


async def merge(runtime: Runtime, scope: Scope, entity: str, into: str, *, connection: Id | None = None) -> Entity:
    """State that two entities are one. Nothing is rewritten: forgetting the statement separates them again.

    Args:
        entity: its name, or its id.
        into: the entity by whose name both are known from then on.
        connection: the tool connection that says so; it is then seen only while that is active.

    Raises:
        NotFoundError: this scope knows no such entity.
    """
    scope = _heard(scope, connection)
    view = await view_of(runtime, scope)
    one, other = meant(view, "entity", entity), meant(view, "into", into)
    if one != other:
        rows = await runtime.store.get(Row, scope.owner, [(name,) for name in (*view.names(one), other)])
        named = {row.name: row.type for row in rows if row is not None}
        require(bool(named), "entity", entity, "a name that was not forgotten meanwhile", NotFoundError)

        def also(partition: Partition, event: Event) -> Iterable[Change]:
            names = replace(view, partition=partition).names(one)
            return [Add(edge_of(event, name, ALIAS_OF, other)) for name in names]

        *names, last = named
        text = f"{' and '.join(names)} {'are' if names[1:] else 'is'} {last}"
        await _say(runtime, scope, text, named, connection=connection, also=also)
    [found] = await described(runtime, await view_of(runtime, scope), other)
    return found


async def relate(
    runtime: Runtime,
    scope: Scope,
    source: str,
    target: str,
    type: str = "RELATED_TO",  # noqa: A002 - the word everybody has for it
    *,
    valid_from: datetime | None = None,
    valid_until: datetime | None = None,
    confidence: Share = 0.95,
    replaces: bool = False,
    by: Annotated[str, OneOf(TRUST, MessageError)] = "user_provided",
    connection: Id | None = None,
) -> Edge:
    """Relate one entity to another; an unknown one becomes a thing of that name.

    Args:
        source: its name, or its id.
        target: the name or the id of the other.
        type: RELATED_TO, PART_OF, LOCATED_IN, WORKS_FOR, KNOWS, CREATED_BY, REFERENCES, or your own in capitals.
        valid_from: from when it holds; now by default.
        valid_until: until when; open by default.
        confidence: how sure it is, 0 to 1.
        replaces: whether other relations of this type from the source end when this one begins.
        by: who says so, as the source of an `observe`; sets its trust.
        connection: the tool connection that says so; it is then seen only while that is active.

    Raises:
        InputError: both are one entity, or this very relation was forgotten on request.
    """
    graph.check_type("type", type)
    scope = _heard(scope, connection)
    view = await view_of(runtime, scope)
    (head, left), (tail, right) = (
        await _name(runtime, view, "source", source),
        await _name(runtime, view, "target", target),
    )
    ids = [entity_id(scope.owner, name) for name in (head, tail)]
    begins = runtime.clock() if valid_from is None else valid_from
    require(valid_until is None or valid_until > begins, "valid_until", valid_until, "a time after valid_from")
    if view.root(ids[0]) == view.root(ids[1]):
        raise InputError(f"{brief(source)} and {brief(target)} are one entity, which is not related to itself.")

    def also(partition: Partition, event: Event) -> Iterable[Change]:
        yield Add(edge_of(event, ids[0], type, ids[1], valid_from=begins, valid_to=valid_until, confidence=confidence))
        if replaces:
            for edge in _open(partition, scope, ids[0], type, begins):
                if partition.edges.root(edge.tail, scope) != partition.edges.root(ids[1], scope):
                    yield _ended(edge, begins, event)

    text = f"{left} {_words(type)} {right}"
    if view.partition.buried((), content_hash(text), scope.agent):
        raise InputError(FORGOTTEN)
    await _say(runtime, scope, text, {head: "thing", tail: "thing"}, source=by, connection=connection, also=also)
    return await _edge(runtime, scope, ids, type)


async def unrelate(
    runtime: Runtime,
    scope: Scope,
    source: str,
    target: str,
    type: str = "RELATED_TO",  # noqa: A002 - the word everybody has for it
    *,
    at: datetime | None = None,
    connection: Id | None = None,
) -> Edge:
    """End a relation. It is kept, and found with an earlier `as_of`.

    Args:
        source: the name or the id of the entity it leads from.
        target: that of the one it leads to.
        type: of the relation.
        at: since when; now by default.
        connection: the tool connection that says so.

    Raises:
        NotFoundError: this scope knows no such relation that still holds.
    """
    graph.check_type("type", type)
    scope = _heard(scope, connection)
    view = await view_of(runtime, scope)
    ids = [meant(view, "source", source), meant(view, "target", target)]
    end = runtime.clock() if at is None else at
    rows = await runtime.store.get(Row, scope.owner, [(one,) for one in ids])
    named = {row.name: row.type for row in rows if row is not None}

    def also(partition: Partition, event: Event) -> Iterable[Change]:
        found = _open(partition, scope, ids[0], type, end)
        ended = [edge for edge in found if partition.edges.root(edge.tail, scope) == ids[1]]
        if not ended or ids[0] == ids[1]:
            raise NotFoundError(
                f"{brief(source)} has no {type} to {brief(target)} that holds in this scope; graph.entity tells those."
            )
        return [_ended(edge, end, event) for edge in ended]

    text = f" no longer {_words(type)} ".join(named)
    await _say(runtime, scope, text, named, connection=connection, also=also)
    return await _edge(runtime, scope, ids, type)


# -----------------------------------------------------------------------------------------------


async def _name(runtime: Runtime, view: View, argument: str, given: str) -> tuple[str, str]:
    """The name of an entity that may be new, in canonical form and as written."""
    written = " ".join(_named(runtime, argument, given).split())
    known = seen(view, given)
    if known is None:
        return canonical(given), written
    [row] = await runtime.store.get(Row, view.partition.owner, [(known,)])
    name = row.name if row else canonical(given)
    return name, written if canonical(given) == name else name


def _named(runtime: Runtime, argument: str, given: str) -> str:
    name = content_of(runtime, check_identifier(argument, given))
    if not name:
        raise MessageError(f"{argument} is recalled memory, which is never captured again: give a name.")
    return name


async def _edge(runtime: Runtime, scope: Scope, ids: Sequence[str], type_: str) -> Edge:
    """A relation as it is now known, whether it still holds or not."""
    view = replace(await view_of(runtime, scope), at=None)
    source, target = map(view.root, ids)
    for edge in view.edges(source):
        if edge.key == (source, type_, target):
            return edge
    raise NotFoundError("This relation was forgotten as soon as it was written.")


async def _say(
    runtime: Runtime,
    scope: Scope,
    text: str,
    entities: Mapping[str, str],
    *,
    source: str = "user_provided",
    connection: str | None = None,
    statements: Sequence[Statement] = (),
    aliases: Sequence[tuple[str, str]] = (),
    also: Callable[[Partition, Event], Iterable[Change]] = lambda *_: (),
) -> None:
    """Record an observation that names entities, each with its type, together with the changes that `also` returns."""
    check_choice("source", source, TRUST, MessageError)
    text, now = content_of(runtime, text), runtime.clock()
    event = event_at(
        scope, connection, source, id=runtime.ids(), kind="observation", role="", content=text, category=ENTITY,
        surface="tool", event_time=now, recorded_at=now,
    )  # fmt: skip
    analysis = Analysis(
        text=text, language=runtime.settings.language, statements=tuple(statements), entities=dict(entities),
        aliases=tuple(aliases), traits=traits(text),
    )  # fmt: skip
    if (await write(runtime, scope, [Draft(event, analysis, indexed=True, whole=True)], also)).forgotten:
        raise InputError(FORGOTTEN)


def _heard(scope: Scope, connection: str | None) -> Scope:
    """The scope with the connection active that says something; otherwise the statement would not be seen."""
    if connection is None or connection in scope.connections:
        return scope
    return scope.narrow(connections=(*scope.connections, connection))


def _fact_text(label: str, attribute: str, value: Any) -> str:
    """A statement about an entity, as a sentence that stands alone."""
    if attribute == TYPE:
        return f"{label} is a {value}"
    if attribute == DESCRIPTION or attribute.startswith(OBSERVED):
        return f"{label}: {value}"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"{label}, {attribute.removeprefix(PROPERTY)}: {text}"


def _properties(given: Mapping[str, Any] | None) -> dict[str, Any]:
    found = notes_of(given, "properties")
    for name in found:
        require("." not in check_identifier("a property", name), "a property", name, "a name without dots")
    return found


def _words(type_: str) -> str:
    return type_.lower().replace("_", " ")


def _open(partition: Partition, scope: Scope, source: str, type_: str, at: datetime) -> list[Relation]:
    """The relations of a type from an entity that hold at a time."""
    root = partition.edges.root(source, scope)
    said = [edge for name in partition.edges.named(root, scope) for edge in partition.relations(name, scope)]
    mine = [edge for edge in said if edge.type == type_ and partition.edges.root(edge.head, scope) == root]
    return list({edge.id: edge for edge in mine if graph.holds(edge, at)}.values())


def _ended(edge: Relation, at: datetime, event: Event) -> Put:
    return Put(replace(edge, ended_at=at, ended_by=event.id))
