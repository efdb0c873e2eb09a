"""How much each stratum holds of what a scope sees."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np

from memoranda.core.base.scope import Scope
from memoranda.core.rows import Collection, Pool
from memoranda.core.strata.working import KEY, READ, SAID, TURNS, WAITING
from memoranda.errors import StoreError
from memoranda.flows.runtime.reading import own, shared, undisturbed
from memoranda.flows.runtime.runtime import Runtime
from memoranda.flows.sharing import collections, objects
from memoranda.flows.strata import entries
from memoranda.flows.strata.flush import active, places_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Volume:
    """How much a stratum holds.

    Attributes:
        items: how many things; `by`: how many of each kind.
        characters: of their texts, or of their values as JSON.
        oldest, newest: the times of the first and the last of them, if known.
    """

    items: int = 0
    by: Mapping[str, int] = field(default_factory=dict)
    characters: int = 0
    oldest: datetime | None = None
    newest: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Strata:
    """How much each stratum holds of what a scope sees.

    Attributes:
        working: turns, keys and notes of all conversations and runs.
        short_term: entries, by type.
        long_term: what can be found in the log and among records, by kind.
        shared: pools, collections, and their entries.
        degraded: parts that were down, whose items are not counted.
    """

    working: Volume
    short_term: Volume
    long_term: Volume
    shared: Volume
    degraded: tuple[str, ...] = ()


@undisturbed(own, shared)
async def stats(runtime: Runtime, scope: Scope) -> Strata:
    """How much each stratum holds of what this scope sees: counts by kind, characters, the oldest and the newest."""
    everywhere = scope.narrow(conversation=None, task=None)
    rows = await entries.find(runtime, everywhere)
    short = _volume((row.type, _size(row.value), row.created_at) for row in rows)
    try:
        working, down = await _working(runtime, everywhere)
    except StoreError as error:
        working, down = Volume(), (f"working memory: {error}",)
    return Strata(
        working=working, short_term=short, long_term=await _long_term(runtime, scope),
        shared=await _shared(runtime, scope), degraded=down,
    )  # fmt: skip


async def _working(runtime: Runtime, scope: Scope) -> tuple[Volume, tuple[str, ...]]:
    """The working memory of all places."""
    found: list[tuple[str, int, datetime | None]] = []
    down: dict[str, None] = {}
    for place in await places_in(runtime, scope):
        desk, problem = await runtime.desks.read(place)
        down |= dict.fromkeys(problem)
        for name, value in desk.shown(active(scope)).items():
            if name == TURNS:
                found += (("turn", len(turn["content"]), datetime.fromisoformat(turn["at"])) for turn in value)
            elif name.startswith(KEY):
                found.append(("key", _size(value), None))
            elif not name.startswith(WAITING) and name not in {SAID, READ}:
                found += (("note", _size(one), None) for one in (value if isinstance(value, list) else [value]))
    return _volume(found), tuple(down)


async def _long_term(runtime: Runtime, scope: Scope) -> Volume:
    """What can be found of the owner's own."""
    partition = await runtime.partitions.current(scope.owner)
    numbers = np.flatnonzero(partition.mask(scope, now=runtime.clock()))
    passages = (partition.index.passages[number] for number in numbers.tolist())
    return _volume((one.kind, one.length, one.at) for one in passages)


async def _shared(runtime: Runtime, scope: Scope) -> Volume:
    """The pools and collections that may be read, the user's own among them."""
    pools = await objects.mine(runtime, scope, Pool)
    found = [("pool", _size(one.data), one.changed_at) for one in pools]
    image = await runtime.partitions.current(objects.shared_owner(scope).owner)
    for one in await objects.mine(runtime, scope, Collection):
        found.append(("collection", 0, one.created_at))
        found += (("entry", len(entry.text), entry.recorded_at) for entry in collections.held(image, one.id))
    return _volume(found)


def _volume(found: Iterable[tuple[str, int, datetime | None]]) -> Volume:
    """A volume of things, each given by its kind, size and time."""
    rows = list(found)
    times = [at for *_, at in rows if at is not None]
    return Volume(
        items=len(rows), by=dict(sorted(Counter(kind for kind, *_ in rows).items())),
        characters=sum(size for _, size, _ in rows),
        oldest=min(times, default=None), newest=max(times, default=None),
    )  # fmt: skip


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False))
