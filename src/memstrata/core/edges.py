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
        found = self._led(entity, scope)
        waiting = list(found)
        while waiting:
            one = waiting.pop()
            heads = {edge.head for edge in _seen(self._names, one, scope)} - found
            found |= heads
            waiting += heads
        return frozenset(found)

    def root(self, entity: str, scope: Scope) -> str:
        """The entity that a name stands for in the end; the name itself where that is not one alone.

        Of names that are each said to be another name of the others, it is the first.
        """
        if entity not in self._names:  # as most are: thousands are asked for on a long way
            return entity
        led = {one: self._led(one, scope) for one in self._led(entity, scope)}
        ends = {min(others) for others in led.values() if all(led[other] == others for other in others)}
        return ends.pop() if len(ends) == 1 else entity

    def _led(self, entity: str, scope: Scope) -> set[str]:
        """An entity, what its name stands for, what that stands for, and so on."""
        found, waiting = {entity}, [entity]
        while waiting:
            more = self.stands_for(waiting.pop(), scope) - found
            found |= more
            waiting += more
        return found


def _seen(held: Mapping[str, Mapping[Any, Relation]], entity: str, scope: Scope) -> list[Relation]:
    return [edge for edge in held.get(entity, {}).values() if visible(edge, scope)]
