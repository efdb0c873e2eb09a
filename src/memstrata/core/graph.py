"""The graph of who and what is named: entities under their names, the relations between them, and how to walk it.

Everything is seen through a scope: a relation or a mention that it does not see is not there, and is not counted. What
one name stands for is one node, whatever names it was related under.
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import cos, pi, sin
from typing import Any

import numpy as np

from memstrata.core.checks import brief
from memstrata.core.columns import Ints, Mask
from memstrata.core.decay import salience
from memstrata.core.merge import united
from memstrata.core.partition import Partition
from memstrata.core.rows import ALIAS_OF, Relation
from memstrata.core.scope import Scope
from memstrata.core.statements import ENTITY
from memstrata.core.text import standing
from memstrata.errors import InputError

TYPE, DESCRIPTION, PROPERTY = "entity.type", "entity.description", "entity.property."

#: The types of relations that have a meaning of their own; others may be made up.
RELATIONS = ("RELATED_TO", "PART_OF", "LOCATED_IN", "WORKS_FOR", "KNOWS", "CREATED_BY", "REFERENCES")

DEEPEST = 3  # steps from the centre of a neighbourhood
FAN = 100  # relations of one entity that are followed, the surest first
VISITED = 10_000  # entities that are looked at on the way to another
_VALUE = 0.5  # of an entity that was mentioned once, a moment ago

_TYPED = re.compile(r"[A-Z][A-Z0-9_]{0,63}")
_SIGN = re.compile(r"[^\w ]|_")


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """An entity, as the scope knows it.

    Attributes:
        name: as it was written when it was described, or mentioned first; in lower case where that wrote it otherwise.
        aliases: other names it has, in lower case.
        type: person, place, organisation, product, handle, thing, or what was stated.
        mentions: how many events and records name it.
        salience: how present it is: more with each mention, 5 % less for each day without one.
        depth: how many steps it is from the centre of a neighbourhood, or from the beginning of a path.
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
    """What relates one entity to another; said several times it is one, as sure as where it was said surest.

    Attributes:
        source, target: ids of the entities.
        since: from when it holds; `until`: until when, None where it still does.
        events: ids of those that say so, at most 64.
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
        """What makes two relations one."""
        return self.source, self.type, self.target

    def beyond(self, entity: str) -> str:
        """Its other end."""
        return self.target if entity == self.source else self.source


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity(Node):
    """An entity with what is said of it.

    Attributes:
        description, properties: as they were stated last.
        relations: those that hold, the surest first; `cut`: how many more there are.
    """

    description: str | None = None
    properties: Mapping[str, Any] = field(default_factory=dict)
    relations: tuple[Edge, ...] = ()
    cut: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbourhood:
    """Entities around one, and how they are related.

    Attributes:
        nodes: the centre first, then those that are nearer.
        edges: the relations among them.
        cut: what a limit left out, in words; empty where nothing was.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    cut: tuple[str, ...] = ()

    @property
    def mermaid(self) -> str:
        """It as a Mermaid flowchart. Whatever a name holds, it is text in a box."""
        numbers = {node.id: f"n{number}" for number, node in enumerate(self.nodes)}
        lines = [f'    {numbers[node.id]}["{_escaped(node.name)}"]' for node in self.nodes]
        lines += [f"    {numbers[edge.source]} -->|{edge.type}| {numbers[edge.target]}" for edge in self.edges]
        return "\n".join(("flowchart LR", *lines))

    @property
    def places(self) -> dict[str, tuple[float, float]]:
        """Where to draw each entity: the centre at 0, the others on circles, as far out as they are steps away.

        Each has, around the centre, a share of its own for what was found through it, so that lines seldom cross.
        """
        above = self._above
        below: dict[str, list[str]] = {}
        for name, other in above.items():
            below.setdefault(other, []).append(name)
        width: dict[str, float] = {}
        for node in reversed(self.nodes):  # those that are nearer come before the others
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
        """Through which entity each was found: the first, nearer to the centre, that it is related to."""
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
    """A shortest way from one entity to another.

    Attributes:
        nodes: from the one to the other; empty where there is none.
        edges: the relation of each with the next.
        reason: why there is none.
    """

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
    reason: str | None = None


def check_type(name: str, value: object) -> str:
    """`value`, if relations can have it as their type.

    Raises:
        InputError: it is not written in capitals, or says that names are one's.
    """
    if not isinstance(value, str) or not _TYPED.fullmatch(value):
        known = ", ".join(RELATIONS)
        raise InputError(f"{name} is {brief(value)}; give {known}, or a word of your own in capitals, as MARRIED_TO.")
    if value == ALIAS_OF:
        raise InputError(f"{name} is {value}: graph.merge says that two names are one's.")
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """An owner's graph as a scope sees it.

    Attributes:
        now: of the mentions and records that count.
        at: when relations must hold; None for those that hold at any time.
    """

    partition: Partition
    scope: Scope
    now: datetime
    at: datetime | None
    mask: Mask

    def names(self, entity: str) -> list[str]:
        """The entities that are this one under other names, itself included; `entity` is a root."""
        edges = self.partition.edges
        return sorted(one for one in edges.named(entity, self.scope) if edges.root(one, self.scope) == entity)

    def root(self, entity: str) -> str:
        """The entity that a name stands for."""
        return self.partition.edges.root(entity, self.scope)

    def mentions(self, names: Iterable[str]) -> Ints:
        """Numbers of the passages that name one of some entities, in the order in which they came."""
        index = self.partition.index
        found = [index.mentions.of(name)[0] for name in names if name in index.mentions]
        numbers = np.unique(np.concatenate(found)) if found else np.zeros(0, np.int32)
        return np.asarray(numbers[self.mask[numbers]], np.int32)

    def statements(self, numbers: Ints, names: Sequence[str]) -> dict[str, Any]:
        """By attribute, what some passages stated last of an entity, of which `names` are the names, its own last.

        What was stated of it under its own name comes before what was under others, and what is trusted more before
        what is trusted less.
        """
        index, records = self.partition.index, self.partition.records
        found = (records.get(index.refs[number]) for number in numbers)
        said = [record for record in found if record and record.kind == ENTITY and record.subject in names]
        said.sort(key=lambda record: (names.index(record.subject or ""), record.trust, record.valid_from, record.hash))
        return {record.attribute or "": record.value for record in said}

    def edges(self, entity: str, types: frozenset[str] | None = None) -> list[Edge]:
        """The relations of a root with other entities, the surest first, then the latest."""
        said: dict[tuple[str, str, str], list[Relation]] = {}
        for name in self.names(entity):
            for edge in self.partition.relations(name, self.scope):
                if holds(edge, self.at) and (types is None or edge.type in types):
                    said.setdefault((self.root(edge.head), edge.type, self.root(edge.tail)), []).append(edge)
        found = [_edge(key, rows) for key, rows in said.items() if key[0] != key[2]]
        return sorted(found, key=lambda edge: (-edge.confidence, -edge.since.timestamp(), edge.key))


def as_written(name: str, text: str) -> str:
    """How `text` writes a canonical name; the name itself where it does not stand there word for word."""
    found = standing(name).search(text)
    return " ".join(found[0].split()) if found else name


def holds(edge: Relation, at: datetime | None) -> bool:
    """Whether a relation holds at a time; at any, where none is given."""
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
    """How present an entity is at `now` that was mentioned so often, the last time at `last`."""
    return 0.0 if last is None else salience(_VALUE, last, now, mentions)


Related = Callable[[str], list[Edge]]


@dataclass(frozen=True, slots=True)
class Walk:
    """What a walk around an entity came to.

    Attributes:
        depths: of the entities, in the order in which they were found.
        edges: the relations among them.
        over: of how many relations of an entity it followed none, for there were too many.
        left: how many entities it found beyond the limit.
    """

    depths: dict[str, int]
    edges: list[Edge]
    over: dict[str, int]
    left: int


def around(centre: str, related: Related, depth: int, limit: int) -> Walk:
    """Entities up to so many steps from one, breadth first, at most so many."""
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
    """The relations on a shortest way of at most so many steps, or why there is none."""
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
    """A name as Mermaid shows it as it is: what could be anything but a letter or a digit by its number."""
    return _SIGN.sub(lambda sign: f"#{ord(sign[0])};", " ".join(name.split()))
