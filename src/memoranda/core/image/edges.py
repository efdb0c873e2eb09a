"""The relations of one owner's entities, by both ends. Every query returns only what the scope sees."""

from collections.abc import Mapping
from typing import Any

from memoranda.core.base.scope import Scope, visible
from memoranda.core.base.versions import Versioned, twin
from memoranda.core.rows import ALIAS_OF, Relation

_Held = Versioned[str, Mapping[Any, Relation]]


class Edges:
    """The relations between entities, and the aliases of each."""

    def __init__(self) -> None:
        self._names: _Held = Versioned()
        self._typed: _Held = Versioned()
        self._ends: Versioned[str, frozenset[str]] = Versioned()  # of relations that are no alias, by id

    def fork(self) -> "Edges":
        """Return the next version (see `core.base.versions`)."""
        new = twin(self)
        new._names, new._typed, new._ends = self._names.fork(), self._typed.fork(), self._ends.fork()
        return new

    def __len__(self) -> int:
        return len(self._names) + len(self._typed)

    def take(self, edge: Relation) -> None:
        """Take in a relation that is new or has changed."""
        names = edge.type == ALIAS_OF  # of equal aliases in one place, one is enough
        key = (edge.head, edge.tail, edge.agent, edge.channel, edge.connection) if names else edge.id
        held = self._names if names else self._typed
        if not names:
            self._ends.put(edge.id, frozenset((edge.head, edge.tail)))
        for end in (edge.head, edge.tail):
            known = {**held.get(end, {})}
            known.pop(key, None)  # one that has changed comes last, as it does in the store
            held.put(end, {**known, key: edge})

    def drop(self, name: str) -> bool:
        """Take out the relation with this id. Return False if that cannot be done: start a fresh image then."""
        ends = self._ends.get(name)
        if ends is None:
            return False
        for end in ends:
            self._typed.put(end, {key: edge for key, edge in self._typed[end].items() if key != name})
        self._ends.remove(name)
        return True

    def of(self, entity: str, scope: Scope) -> list[Relation]:
        """Return the relations of an entity, without aliases."""
        return _seen(self._typed, entity, scope)

    def stands_for(self, entity: str, scope: Scope) -> set[str]:
        """Return the entities of which a name is an alias."""
        return {edge.tail for edge in _seen(self._names, entity, scope) if edge.head == entity}

    def named(self, entity: str, scope: Scope) -> frozenset[str]:
        """Return an entity, what its name is an alias of, and the other aliases of that."""
        found = self._led(entity, scope)
        waiting = list(found)
        while waiting:
            one = waiting.pop()
            heads = {edge.head for edge in _seen(self._names, one, scope)} - found
            found |= heads
            waiting += heads
        return frozenset(found)

    def root(self, entity: str, scope: Scope) -> str:
        """Return the entity that a name finally stands for; the name itself if there is not exactly one.

        Of names that are all aliases of each other, it is the first.
        """
        if entity not in self._names:  # the usual case; a long path asks for thousands
            return entity
        led = {one: self._led(one, scope) for one in self._led(entity, scope)}
        ends = {min(others) for others in led.values() if all(led[other] == others for other in others)}
        return ends.pop() if len(ends) == 1 else entity

    def _led(self, entity: str, scope: Scope) -> set[str]:
        """Return an entity, what its name is an alias of, what that is an alias of, and so on."""
        found, waiting = {entity}, [entity]
        while waiting:
            more = self.stands_for(waiting.pop(), scope) - found
            found |= more
            waiting += more
        return found


def _seen(held: Mapping[str, Mapping[Any, Relation]], entity: str, scope: Scope) -> list[Relation]:
    return [edge for edge in held.get(entity, {}).values() if visible(edge, scope)]
