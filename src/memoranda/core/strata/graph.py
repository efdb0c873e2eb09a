"""The graph of named entities: entities under their names, the relations between them, and traversal.

Everything is seen through a scope: relations and mentions outside it do not exist and are not counted. An entity is
one node, whichever of its names a relation was stated under.
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import cos, pi, sin
from typing import Any

import numpy as np

from memoranda.core.base.checks import brief
from memoranda.core.base.scope import Scope
from memoranda.core.beliefs.decay import salience
from memoranda.core.beliefs.duplicates import united
from memoranda.core.image.image import Partition
from memoranda.core.rows import ALIAS_OF, Record, Relation
from memoranda.core.rows.columns import Ints, Mask
from memoranda.core.rows.statements import ENTITY
from memoranda.core.text.terms import whole_words
from memoranda.errors import InputError

TYPE, DESCRIPTION, PROPERTY = "entity.type", "entity.description", "entity.property."
OBSERVED = "entity.observation."  # and a hash of what was observed: observations do not take one another's place

#: The predefined relation types; others may be made up.
RELATIONS = ("RELATED_TO", "PART_OF", "LOCATED_IN", "WORKS_FOR", "KNOWS", "CREATED_BY", "REFERENCES")

DEEPEST = 3  # steps from the centre of a neighbourhood
FAN = 100  # relations of one entity that are followed, the most confident first
VISITED = 10_000  # entities visited in the search for a path
_VALUE = 0.5  # the importance from which the salience of an entity is computed

_TYPED = re.compile(r"[^\W\d_]\w{0,63}")  # of any script; most have no capitals
_SIGN = re.compile(r"[^\w ]|_")


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """An entity, as the scope sees it.

    Attributes:
        name: as written where it was described, or else first mentioned; in lower case if that text wrote it otherwise.
        aliases: its other names, in lower case.
        type: person, place, organisation, product, handle, thing, or what was stated.
        mentions: how many events and records name it.
        salience: how present it is: more with each mention, and each use of one by recall; 5 % less for each day
            without either.
        depth: steps from the centre of a neighbourhood, or from the start of a path.
    """

    id: str
    name: str
    type: str
    aliases: tuple[str, ...] = ()
    mentions: int = 0
    last_mentioned: datetime | None = None
    salience: float = 0.0
    depth: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A relation between two entities. Said several times it is one edge, with the highest confidence.

    Attributes:
        source, target: ids of the entities.
        since: from when it holds; `until`: until when, None if it still does.
        events: ids of the events that state it, at most 64.
    """

    source: str
    type: str
    target: str
    confidence: float
    since: datetime
    until: datetime | None = None
    events: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str, str]:
        """What identifies the relation."""
        return self.source, self.type, self.target

    def beyond(self, entity: str) -> str:
        """Return its other end."""
        return self.target if entity == self.source else self.source


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity(Node):
    """An entity with what is said of it.

    Attributes:
        description, properties: as last stated.
        observations: what else was observed of it, each with the id of the record that says so; the latest last.
        records: ids of all the records that describe it.
        relations: those that hold, the most confident first; `cut`: how many more there are.
    """

    description: str | None = None
    properties: Mapping[str, Any] = field(default_factory=dict)
    observations: Mapping[str, str] = field(default_factory=dict)
    records: tuple[str, ...] = ()
    relations: tuple[Edge, ...] = ()
    cut: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbourhood:
    """The entities around one, and their relations.

    Attributes:
        nodes: the centre first, then by distance.
        edges: the relations among them.
        cut: what a limit left out, in words; empty if nothing.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    cut: tuple[str, ...] = ()

    @property
    def mermaid(self) -> str:
        """The neighbourhood as a Mermaid flowchart, names escaped."""
        numbers = {node.id: f"n{number}" for number, node in enumerate(self.nodes)}
        lines = [f'    {numbers[node.id]}["{_escaped(node.name)}"]' for node in self.nodes]
        lines += [f"    {numbers[edge.source]} -->|{edge.type}| {numbers[edge.target]}" for edge in self.edges]
        return "\n".join(("flowchart LR", *lines))

    @property
    def places(self) -> dict[str, tuple[float, float]]:
        """The coordinates of each entity for drawing: the centre at 0, the others on circles by distance in steps.

        Around the centre, each entity has a sector of its own for those found through it, so that lines seldom cross.
        """
        above = self._above
        below: dict[str, list[str]] = {}
        for name, other in above.items():
            below.setdefault(other, []).append(name)
        width: dict[str, float] = {}
        for node in reversed(self.nodes):  # nodes are ordered by distance
            width[node.id] = max(1 / max(node.depth, 1), sum(width[name] for name in below.get(node.id, ())))
        begin = {self.nodes[0].id: 0.0}
        found: dict[str, tuple[float, float]] = {}
        for node in self.nodes:
            turn = 2 * pi * (begin[node.id] + width[node.id] / 2) / width[self.nodes[0].id]
            found[node.id] = node.depth * cos(turn), node.depth * sin(turn)
            at = begin[node.id] + (width[node.id] - sum(width[name] for name in below.get(node.id, ()))) / 2
            for name in below.get(node.id, ()):
                begin[name] = at
                at += width[name]
        return found

    @property
    def _above(self) -> dict[str, str]:
        """The parent of each entity: the first related entity that is nearer to the centre."""
        centre, *others = (node.id for node in self.nodes)
        depths = {node.id: node.depth for node in self.nodes}
        order = {name: number for number, name in enumerate(depths)}
        found = dict.fromkeys(others, centre)
        for edge in sorted(self.edges, key=lambda edge: -min(order[edge.source], order[edge.target])):
            near, far = sorted((edge.source, edge.target), key=order.__getitem__)
            if depths[near] < depths[far]:
                found[far] = near
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """A shortest path from one entity to another.

    Attributes:
        nodes: from the first to the last; empty if there is no path.
        edges: the relation of each node with the next.
        reason: why there is no path.
    """

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    reason: str | None = None


def check_type(name: str, value: object) -> str:
    """Return `value` if it is a valid relation type.

    Raises:
        InputError: it is not written in capitals, or is the type of aliases.
    """
    if not isinstance(value, str) or not _TYPED.fullmatch(value) or value != value.upper():
        known = ", ".join(RELATIONS)
        raise InputError(f"{name} is {brief(value)}; give {known}, or a word of your own in capitals, as MARRIED_TO.")
    if value == ALIAS_OF:
        raise InputError(f"{name} is {value}: graph.merge says that two names are one's.")
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """An owner's graph as a scope sees it.

    Attributes:
        now: the time as of which mentions and records count.
        at: when relations must hold; None for any time.
    """

    partition: Partition
    scope: Scope
    now: datetime
    at: datetime | None
    mask: Mask

    def names(self, entity: str) -> list[str]:
        """Return the ids of an entity's names, its own included; `entity` is a root."""
        edges = self.partition.edges
        return sorted(one for one in edges.named(entity, self.scope) if edges.root(one, self.scope) == entity)

    def root(self, entity: str) -> str:
        """Return the entity that a name stands for."""
        return self.partition.edges.root(entity, self.scope)

    def mentions(self, names: Iterable[str]) -> Ints:
        """Return the numbers of the passages that name any of some entities, in order of arrival."""
        index = self.partition.index
        found = [index.mentions.of(name)[0] for name in names if name in index.mentions]
        numbers = np.unique(np.concatenate(found)) if found else np.zeros(0, np.int32)
        return np.asarray(numbers[self.mask[numbers]], np.int32)

    def statements(self, numbers: Ints, names: Sequence[str]) -> list[Record]:
        """Return what some passages stated of an entity; `names` are its names, its own last.

        Of one attribute the last holds: statements under its own name override those under other names, then more
        trusted ones less trusted ones.
        """
        index, records = self.partition.index, self.partition.records
        found = (records.get(index.refs[number]) for number in numbers)
        said = [record for record in found if record and record.kind == ENTITY and record.subject in names]
        said.sort(key=lambda record: (names.index(record.subject or ""), record.trust, record.valid_from, record.hash))
        return said

    def edges(self, entity: str, types: frozenset[str] | None = None) -> list[Edge]:
        """Return the relations of a root with other entities, the most confident first, then the latest."""
        said: dict[tuple[str, str, str], list[Relation]] = {}
        for name in self.names(entity):
            for edge in self.partition.relations(name, self.scope):
                if holds(edge, self.at) and (types is None or edge.type in types):
                    said.setdefault((self.root(edge.head), edge.type, self.root(edge.tail)), []).append(edge)
        found = [_edge(key, rows) for key, rows in said.items() if key[0] != key[2]]
        return sorted(found, key=lambda edge: (-edge.confidence, -edge.since.timestamp(), edge.key))


def as_written(name: str, text: str) -> str:
    """Return a canonical name as `text` writes it; the name itself if it does not occur word for word."""
    found = next(whole_words(name, text), None)
    return " ".join(text[slice(*found)].split()) if found else name


def holds(edge: Relation, at: datetime | None) -> bool:
    """Whether a relation holds at a time; True if none is given."""
    return at is None or (edge.valid_from <= at and (edge.until is None or at < edge.until))


def _edge(key: tuple[str, str, str], said: Sequence[Relation]) -> Edge:
    source, type_, target = key
    ends = [edge.until for edge in said]
    return Edge(
        source=source, type=type_, target=target, confidence=max(edge.confidence for edge in said),
        since=min(edge.valid_from for edge in said), until=None if None in ends else max(filter(None, ends)),
        events=united((), tuple(event for edge in said for event in edge.sources)),
    )  # fmt: skip


def presence(mentions: int, last: datetime | None, now: datetime) -> float:
    """Return the salience of an entity at `now`, given the number of its mentions and their uses, and the last one."""
    return 0.0 if last is None else salience(_VALUE, last, now, mentions)


Related = Callable[[str], list[Edge]]


@dataclass(frozen=True, slots=True)
class Walk:
    """The result of a walk around an entity.

    Attributes:
        depths: of the entities, in the order in which they were found.
        edges: the relations among them.
        over: by entity, how many of its relations were not followed because there were too many.
        left: how many entities were found beyond the limit.
    """

    depths: dict[str, int]
    edges: list[Edge]
    over: dict[str, int]
    left: int


def around(centre: str, related: Related, depth: int, limit: int) -> Walk:
    """Return entities up to `depth` steps from one, breadth first, at most `limit`."""
    depths, over = {centre: 0}, dict[str, int]()
    found: dict[tuple[str, str, str], Edge] = {}
    left: set[str] = set()
    queue = deque([centre])
    while queue:
        entity = queue.popleft()
        edges = related(entity)
        if len(edges) > FAN:
            over[entity] = len(edges) - FAN
        for edge in edges[:FAN]:
            found[edge.key] = edge
            other = edge.beyond(entity)
            if other in depths or depths[entity] == depth:
                continue
            if len(depths) == limit:
                left.add(other)
            else:
                depths[other] = depths[entity] + 1
                queue.append(other)
    inside = [edge for edge in found.values() if edge.source in depths and edge.target in depths]
    return Walk(depths, inside, over, len(left))


def way(begin: str, end: str, related: Related, most: int) -> list[Edge] | str:
    """Return the relations on a shortest path of at most `most` steps, or why there is none."""
    came: dict[str, tuple[Edge, str] | None] = {begin: None}
    level = [begin]
    for _ in range(most):
        if end in came:
            break
        following: list[str] = []
        for entity in level:
            for edge in related(entity):
                other = edge.beyond(entity)
                if other not in came:
                    came[other] = edge, entity
                    following.append(other)
            if len(came) > VISITED and end not in came:
                return f"more than {VISITED:,} entities lie nearer to the one than the other does"
        level = following
    steps: list[Edge] = []
    step = came.get(end)
    while step is not None:
        steps.append(step[0])
        step = came[step[1]]
    return steps[::-1] if end in came else f"no relations lead from the one to the other in {most} steps"


def _escaped(name: str) -> str:
    """Escape a name for Mermaid: characters other than letters, digits and spaces become numeric entities."""
    return _SIGN.sub(lambda sign: f"#{ord(sign[0])};", " ".join(name.split()))
