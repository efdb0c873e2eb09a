"""The relations of one owner's entities, held by their ends. Whoever asks is told of those only that the scope sees."""

from collections.abc import Mapping
from typing import Any

from memstrata.core.rows import ALIAS_OF, Relation
from memstrata.core.scope import Scope, visible

_Held = dict[str, dict[Any, Relation]]


class Edges:
    """What is said of how entities are related, and which names are one's."""

    def __init__(self) -> None:
        self._names: _Held = {}
        self._typed: _Held = {}

    def __len__(self) -> int:
        return len(self._names) + len(self._typed)

    def take(self, edge: Relation) -> None:
        """Take in a relation that is new or has changed."""
        names = edge.type == ALIAS_OF  # of many that say the same in one place, one is enough
        key = (edge.head, edge.tail, edge.agent, edge.channel, edge.connection) if names else edge.id
        held = self._names if names else self._typed
        for end in (edge.head, edge.tail):
            held.setdefault(end, {})[key] = edge

    def of(self, entity: str, scope: Scope) -> list[Relation]:
        """The relations of an entity, but for names."""
        return _seen(self._typed, entity, scope)

    def stands_for(self, entity: str, scope: Scope) -> set[str]:
        """The entities that a name is another name of."""
        return {edge.tail for edge in _seen(self._names, entity, scope) if edge.head == entity}

    def named(self, entity: str, scope: Scope) -> frozenset[str]:
        """An entity, what its name stands for, and other names of that."""
        own = self.stands_for(entity, scope) or {entity}
        others = {edge.head for one in own for edge in _seen(self._names, one, scope) if edge.tail == one}
        return frozenset({entity, *own, *others})

    def root(self, entity: str, scope: Scope) -> str:
        """The entity that a name stands for in the end; the name itself where that is not one alone."""
        if entity not in self._names:  # as most are: thousands are asked for on a long way
            return entity
        own = self.stands_for(entity, scope)
        last = {one for one in own if not self.stands_for(one, scope) - {one}}
        if own and not last:  # each is said to be another name of the other
            return min(entity, *own)
        return last.pop() if len(last) == 1 else entity


def _seen(held: Mapping[str, Mapping[Any, Relation]], entity: str, scope: Scope) -> list[Relation]:
    return [edge for edge in held.get(entity, {}).values() if visible(edge, scope)]
