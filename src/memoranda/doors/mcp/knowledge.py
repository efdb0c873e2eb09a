"""The knowledge graph of the reference server "memory": its nine tools, so that this server can take its place.

Its entities are those that were described (`graph.list`), not every name that somebody mentioned. Each observation and
each relation is a statement with an event of its own, so that one is forgotten without the others. What is forgotten is
gone, and no model brings it back. The graph is that of one user, in the place of the seat, and what a model adds to it
is the model's own word. Names are compared as everywhere in the graph: Ann and ann are one. Types of relations are
answered as `works_for`, however they were written.
"""

import json
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import jsonschema

from memoranda.core.language.entities import canonical
from memoranda.doors.mcp.offers import Offer, Seat, Shown
from memoranda.errors import ArgumentError, NotFoundError
from memoranda.verbs.registry import VERBS, Effect
from memoranda.verbs.schema import Schema

Json = dict[str, Any]
_CAMEL = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])|\W+")  # where a word of `worksFor` or `works for` ends
_ROUNDS = 20  # where what is forgotten had replaced something, that holds again, and is forgotten in turn
_TEXT: Schema = {"type": "string"}


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def _object(**properties: Schema) -> Schema:
    names = {name.rstrip("_"): one for name, one in properties.items()}
    return {"type": "object", "properties": names, "required": [*names], "additionalProperties": False}


_TEXTS = _list(_TEXT)
_ENTITIES = _list(_object(name=_TEXT, entityType=_TEXT, observations=_TEXTS))
_RELATIONS = _list(_object(from_=_TEXT, to=_TEXT, relationType=_TEXT))
_GRAPH = _object(entities=_ENTITIES, relations=_RELATIONS)
_DONE = _object(success={"type": "boolean"}, message=_TEXT)


class _Graph:
    """The graph as it is: the entities by each of their names, and the relations between them.

    Attributes:
        names: the entities by each of their names; `edges`: relations by the ids of their ends and their type.
    """

    def __init__(self, entities: Iterable[Json]) -> None:
        self.entities = {one["id"]: one for one in entities}
        self.names = {name: one for one in self.entities.values() for name in (canonical(one["name"]), *one["aliases"])}
        self.edges = {
            (edge["source"], edge["type"], edge["target"]): edge["events"]
            for one in self.entities.values()
            for edge in one["relations"]
            if {edge["source"], edge["target"]} <= self.entities.keys()
        }

    @classmethod
    async def of(cls, seat: Seat) -> "_Graph":
        """Return the graph of a seat."""
        return cls(await seat.answer(VERBS["graph.list"], {}))

    def get(self, name: str) -> Json | None:
        """Return the entity of a name."""
        return self.names.get(canonical(name))

    def meant(self, name: str) -> Json:
        """Return the entity of a name.

        Raises:
            NotFoundError: there is none.
        """
        found = self.get(name)
        if found is None:
            raise NotFoundError(f"There is no entity {name!r}; create_entities makes one.")
        return found

    def key(self, relation: Json) -> tuple[Any, str, Any]:
        """Return what identifies a relation."""
        ends = (self.get(relation[end]) for end in ("from", "to"))
        source, target = (end and end["id"] for end in ends)
        return source, _type(relation), target

    def shown(self, wanted: Callable[[Json], bool] = lambda _: True) -> Json:
        """Return some of the entities, and the relations in which any of them is."""
        ids = {id_ for id_, one in self.entities.items() if wanted(one)}
        return {
            "entities": [_entity(one) for id_, one in self.entities.items() if id_ in ids],
            "relations": [
                {"from": self.entities[a]["name"], "to": self.entities[b]["name"], "relationType": type_.lower()}
                for a, type_, b in self.edges
                if a in ids or b in ids
            ],
        }


async def _create_entities(seat: Seat, entities: list[Json]) -> Json:
    made: list[Json] = []
    graph = await _Graph.of(seat)
    for one in entities:
        if graph.names.setdefault(canonical(one["name"]), one) is one:
            said = {"name": one["name"], "source": seat.source}
            await seat.answer(VERBS["graph.upsert"], {**said, "type": one["entityType"]})
            for text in dict.fromkeys(one["observations"]):
                await seat.answer(VERBS["graph.upsert"], {**said, "observations": [text]})
            made.append(one)
    return {"entities": made}


async def _create_relations(seat: Seat, relations: list[Json]) -> Json:
    graph = await _Graph.of(seat)
    new = {graph.key(one): one for one in reversed(relations) if graph.meant(one["from"]) and graph.meant(one["to"])}
    made = [one for key, one in reversed(new.items()) if key not in graph.edges]
    for one in made:
        said = {"source": one["from"], "type": _type(one), "target": one["to"], "by": seat.source}
        await seat.answer(VERBS["graph.relate"], said)
    return {"relations": made}


async def _add_observations(seat: Seat, observations: list[Json]) -> Json:
    graph, results = await _Graph.of(seat), []
    for entity, one in [(graph.meant(one["entityName"]), one) for one in observations]:
        new = [text for text in dict.fromkeys(one["contents"]) if text not in entity["observations"]]
        for text in new:
            said = {"name": entity["name"], "observations": [text], "source": seat.source}
            entity["observations"] = (await seat.answer(VERBS["graph.upsert"], said))["observations"]
        results.append({"entityName": one["entityName"], "addedObservations": new})
    return {"results": results}


async def _delete_entities(seat: Seat, entityNames: list[str]) -> Json:  # noqa: N803 - as the reference calls it
    graph = await _Graph.of(seat)
    had = {one["id"] for one in map(graph.get, entityNames) if one is not None}
    for _ in range(_ROUNDS):
        here = had & graph.entities.keys()
        if not here:
            break
        near = [event for key, events in graph.edges.items() if here & {key[0], key[2]} for event in events]
        await _forget(seat, "source", near)
        await _forget(seat, "record", (record for one in here for record in graph.entities[one]["records"]))
        graph = await _Graph.of(seat)
    return _done(len(had - graph.entities.keys()), len({*map(canonical, entityNames)}), "entities")


async def _delete_observations(seat: Seat, deletions: list[Json]) -> Json:
    graph = await _Graph.of(seat)
    wanted = [((graph.get(one["entityName"]) or {}).get("observations", {}), one["observations"]) for one in deletions]
    found = {had[text] for had, texts in wanted for text in texts if text in had}
    await _forget(seat, "record", found)
    return _done(len(found), sum(len({*texts}) for _, texts in wanted), "observations")


async def _delete_relations(seat: Seat, relations: list[Json]) -> Json:
    graph = await _Graph.of(seat)
    wanted = {graph.key(one) for one in relations}
    found = wanted & graph.edges.keys()
    await _forget(seat, "source", (event for key in found for event in graph.edges[key]))
    return _done(len(found), len(wanted), "relations")


async def _read_graph(seat: Seat) -> Json:
    return (await _Graph.of(seat)).shown()


async def _search_nodes(seat: Seat, query: str) -> Json:
    words = query.casefold()

    def says(one: Json) -> bool:
        return any(words in text.casefold() for text in (one["name"], one["type"], *one["observations"]))

    return (await _Graph.of(seat)).shown(says)


async def _open_nodes(seat: Seat, names: list[str]) -> Json:
    graph = await _Graph.of(seat)
    ids = {one["id"] for one in map(graph.get, names) if one is not None}
    return graph.shown(lambda one: one["id"] in ids)


async def _called(run: Callable[..., Awaitable[Json]], schema: Schema, seat: Seat, said: dict[str, Any]) -> Shown:
    """Carry out a tool, if its arguments are those of its schema."""
    try:
        jsonschema.validate(said, schema)
    except jsonschema.ValidationError as error:
        pointer = "".join(f"/{part}" for part in error.absolute_path)
        raise ArgumentError(f"{pointer or 'The arguments'}: {error.message[:200]}.", pointer) from error
    part = await run(seat, **said)
    shown = part if len(part) > 1 else next(iter(part.values()))
    return part, str(part.get("message") or json.dumps(shown, ensure_ascii=False))


def _offer(run: Callable[..., Awaitable[Json]], about: str, effect: Effect, answer: Schema, **takes: Schema) -> Offer:
    schema, right = _object(**takes), {"reads": "read", "writes": "write", "destroys": "forget"}[effect]
    return Offer(
        name=run.__name__.lstrip("_"), description=about, schema=schema, answer=answer, effect=effect, repeats=False,
        right=right, call=partial(_called, run, schema),
    )  # fmt: skip


_FOUND = _list(_object(entityName=_TEXT, contents=_TEXTS))
_ADDED = _object(results=_list(_object(entityName=_TEXT, addedObservations=_TEXTS)))
_GONE = _list(_object(entityName=_TEXT, observations=_TEXTS))
_NODES = "the nodes of the knowledge graph"
#: The tools, in the order in which the reference server lists them.
KNOWLEDGE: tuple[Offer, ...] = (
    _offer(
        _create_entities, "Add entities to the knowledge graph, with observations; known ones are left as they are.",
        "writes", _object(entities=_ENTITIES), entities=_ENTITIES,
    ),
    _offer(
        _create_relations, "Relate entities of the knowledge graph. Types are in the active voice, as works_for.",
        "writes", _object(relations=_RELATIONS), relations=_RELATIONS,
    ),
    _offer(
        _add_observations, "Add observations to entities of the knowledge graph, one fact in each.",
        "writes", _ADDED, observations=_FOUND,
    ),
    _offer(
        _delete_entities, "Remove entities from the knowledge graph, with their observations and relations.",
        "destroys", _DONE, entityNames=_TEXTS,
    ),
    _offer(
        _delete_observations, "Remove observations from entities of the knowledge graph.",
        "destroys", _DONE, deletions=_GONE,
    ),
    _offer(
        _delete_relations, "Remove relations from the knowledge graph.", "destroys", _DONE, relations=_RELATIONS,
    ),
    _offer(_read_graph, "Read the whole knowledge graph.", "reads", _GRAPH),
    _offer(
        _search_nodes, f"Search {_NODES} for words in a name, a type or an observation.", "reads", _GRAPH, query=_TEXT,
    ),
    _offer(_open_nodes, f"Open {_NODES} that have these names.", "reads", _GRAPH, names=_TEXTS),
)  # fmt: skip


# -----------------------------------------------------------------------------------------------


def _entity(one: Mapping[str, Any]) -> Json:
    return {"name": one["name"], "entityType": one["type"], "observations": [*one["observations"]]}


def _type(relation: Json) -> str:
    """The type of a relation as the graph writes it: WORKS_FOR."""
    return _CAMEL.sub("_", relation["relationType"].strip()).upper()


async def _forget(seat: Seat, target: str, ids: Iterable[str]) -> None:
    for one in [*ids]:
        with suppress(NotFoundError):  # it fell with another
            await seat.answer(VERBS["forget"], {target: one})


def _done(gone: int, wanted: int, what: str) -> Json:
    rest = "" if gone == wanted else f" of {wanted}; the others are not in the graph"
    return {"success": True, "message": f"Deleted {gone} {what}{rest}."}
