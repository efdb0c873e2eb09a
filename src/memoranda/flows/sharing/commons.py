"""What is shared with a scope, as recall finds it: entries of collections, and each value of a pool as a document.

Entries are ranked as memories are. Between what the user has and what is shared, what is nearer to the question comes
first; each keeps the order of its own ranking.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from memoranda.core.base.scope import Commons, Scope
from memoranda.core.recall.results import Item, Recalled
from memoranda.core.rows import Pool
from memoranda.core.strata.keys import SHARED, one_ranking
from memoranda.flows.recall.choosing import bearing
from memoranda.flows.recall.looking import Ask
from memoranda.flows.recall.merging import limited
from memoranda.flows.recall.nearness import Asked, asked_by
from memoranda.flows.recall.recall import within
from memoranda.flows.recall.techniques import recall_with
from memoranda.flows.runtime.reading import shared, undisturbed
from memoranda.flows.runtime.runtime import Runtime, embed
from memoranda.flows.sharing import collections, objects, pools

POOL = "pool"  # the kind of an item that is a value in a pool
DOCUMENTS = 200  # the most values of pools that are looked at, those of the pools changed last first
_SAID = 1_000  # characters of a value that are compared and returned


@dataclass(frozen=True, slots=True)
class Common:
    """What is shared and bears on a question: the answer of recall, and values in pools with their nearness."""

    entries: Recalled
    near: Sequence[float]
    values: Sequence[tuple[float, Item]]
    problems: tuple[str, ...] = ()


async def with_shared(runtime: Runtime, scope: Scope, ask: Ask, mine: Recalled, deadline: float | None) -> Recalled:
    """What recall answered from the user's own memory, and what is shared with the scope, in one ranking."""
    asked = await asked_by(runtime, scope, mine)
    common = await _common(runtime, scope, ask, asked, deadline)
    index = (await runtime.partitions.current(scope.owner)).index
    own = [item for item in mine if item.id in index.numbers]  # the rest was forgotten meanwhile
    near = asked.near(index, [index.numbers[item.id] for item in own])
    there = [*zip(common.near, common.entries, strict=True)]
    ranked = [item for _, item in one_ranking([[*zip(near, own, strict=True)], there, common.values])]
    kept, over = limited(ranked if not mine.trace.only_time else [*own, *common.entries], ask)
    items, cut = within(runtime, _even(kept), ask.tokens, asked.terms)
    trace = mine.trace
    return replace(
        mine, items=items, reason=None if items else mine.reason,
        degraded=tuple(dict.fromkeys((*mine.degraded, *common.entries.degraded, *common.problems))),
        trace=replace(
            trace,
            arms={**trace.arms, **{f"shared {name}": ids for name, ids in common.entries.trace.arms.items()}},
            left_out={**common.entries.trace.left_out, **trace.left_out, **over, **cut},
            searched=trace.searched + common.entries.trace.searched,
        ),
    )  # fmt: skip


@undisturbed(shared)
async def _common(runtime: Runtime, scope: Scope, ask: Ask, asked: Asked, deadline: float | None) -> Common:
    held = {one.id: one for one in await collections.find(runtime, scope)}
    commons = Commons(tenant=scope.tenant, whole=True)
    image = await runtime.partitions.current(commons.owner)
    entries = Recalled()
    if held:
        there = replace(ask, channels=frozenset(held), entities=())
        entries = await recall_with(runtime, commons, there, (), deadline)
    items = [
        replace(
            item, stratum=SHARED, collection=item.channel, cross_channel=False, conversation=None,
            by=item.by or _author(scope, image.records[item.id].editor),
        )
        for item in entries
        if item.channel in held and item.id in image.records
    ]  # fmt: skip
    near = asked.near(image.index, [image.index.numbers[item.id] for item in items])
    values, problem = await _values(runtime, scope, ask, asked)
    return Common(replace(entries, items=tuple(items)), near, values, tuple(filter(None, [problem])))


def _author(scope: Scope, editor: str) -> str:
    """Who wrote an entry; empty if the user did."""
    return "" if editor.partition("/")[0] == scope.user else editor


async def _values(
    runtime: Runtime, scope: Scope, ask: Ask, asked: Asked
) -> tuple[list[tuple[float, Item]], str | None]:
    """The values in readable pools that bear on a question, the nearest first; and what was down.

    Of a pool nothing is known by which these filters could let it through, but when it was changed.
    """
    if ask.narrow or ask.connection or ask.kinds is not None or ask.as_of or ask.known_at or ask.min_confidence:
        return [], None
    found = sorted(await pools.find(runtime, scope), key=lambda pool: (pool.changed_at, pool.id), reverse=True)
    documents = [
        item for pool in found for item in _documents(scope, pool)
        if (ask.since is None or ask.since <= item.at) and (ask.until is None or item.at < ask.until)
    ][:DOCUMENTS]  # fmt: skip
    if not documents:
        return [], None
    embedded = await embed(runtime, scope, [item.text for item in documents] if asked.embedded else [])
    least = bearing(len(documents), embedded=asked.embedded)
    near = [
        asked.near_to(frozenset(runtime.analyzer.terms(item.text)), embedded.of(place))
        for place, item in enumerate(documents)
    ]
    most = 2 if asked.embedded else 1  # the highest possible nearness
    best = [
        (value, replace(item, score=round(value / most, 4), similarity=round(value / most, 4)))
        for value, item in zip(near, documents, strict=True)
        if value >= least
    ]
    return sorted(best, key=lambda pair: (-pair[0], pair[1].id)), embedded.problem


def _documents(scope: Scope, pool: Pool) -> Iterator[Item]:
    """The values of a pool, each as "POOL: KEY: VALUE"."""
    by = _author(scope, pool.holder)
    for key, value in pool.data.items():
        told = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        yield Item(
            id=f"{pool.id}#{key}", of=POOL, kind=POOL, text=f"{pool.name}: {key}: {told[:_SAID]}", score=0.0,
            similarity=0.0, shares={}, why=f"a value in the pool {pool.name}", at=pool.changed_at, channel=pool.channel,
            recorded_at=pool.changed_at, expires=pool.expires_at, by=by, stratum=SHARED, collection=pool.id,
            metadata={"pool": pool.id, "key": key},
        )  # fmt: skip


def _even(items: Sequence[Item]) -> list[Item]:
    """Items with the scores of one ranking: none is less than that of one below it."""
    scores = [*accumulate((item.score for item in reversed(items)), max)][::-1]
    return [
        item if item.score == score else replace(
            item, score=score, shares={**item.shares, "nearness": round(score - item.score, 4)}
        )
        for item, score in zip(items, scores, strict=True)
    ]  # fmt: skip


def handed_out(runtime: Runtime, scope: Scope, read: Mapping[str, str]) -> None:
    """Note that entries of collections were read, and count their uses as `collections.search` does.

    Args:
        read: the collection, or the pool, of each entry by its id.
    """
    for place in dict.fromkeys(read.values()):
        runtime.journal.note(objects.access(runtime, scope, place, "search"))
    if runtime.settings.reinforce:
        runtime.partitions.used(objects.shared_owner(scope).owner, [*read], runtime.clock())
