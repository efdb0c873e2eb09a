"""The router: read or write a key in whichever stratum holds it, and search all strata in one ranking.

Nothing is stored here: each stratum is read and written by its own flow, in the same scope and with the same errors.
"""

import json
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated

import numpy as np

from memoranda.core.base.checks import brief, require
from memoranda.core.base.constraints import Id, Lasting, OneOf, Words
from memoranda.core.base.scope import Commons, Scope, check_identifier
from memoranda.core.image.image import Partition, of_kind
from memoranda.core.recall.results import Item, Recalled
from memoranda.core.rows import Collection, Json, Pool, Record
from memoranda.core.rows.lifecycle import OPEN
from memoranda.core.strata.json_documents import at
from memoranda.core.strata.keys import (
    KEPT,
    KEY,
    LONG_TERM,
    SHARED,
    SHORT_TERM,
    STRATA,
    WORKING,
    one_ranking,
    path_of,
    value_of,
)
from memoranda.core.strata.procedures import NEAR, text_of
from memoranda.core.strata.working import KEY as CELL
from memoranda.core.strata.working import YEAR
from memoranda.errors import InputError, NotFoundError
from memoranda.flows.capture.capture import observed
from memoranda.flows.capture.events import json_of
from memoranda.flows.recall.choosing import bearing
from memoranda.flows.recall.looking import Ask
from memoranda.flows.recall.nearness import Asked, asked_by
from memoranda.flows.recall.recall import recall
from memoranda.flows.runtime.reading import at_one_moment, own, shared, undisturbed
from memoranda.flows.runtime.runtime import Runtime, embed
from memoranda.flows.sharing import collections, objects, pools
from memoranda.flows.sharing.commons import handed_out
from memoranda.flows.strata import entries, working
from memoranda.flows.strata.flush import place_of, sum_up

ENTRIES = 100  # the newest short-term entries that a search looks at: each is embedded for it
_SAID = 1_000  # characters of an entry that are compared


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The value under a key.

    Attributes:
        stratum: working, short_term, long_term or shared.
        id: of the entry or the record; None for a value in working memory or in a pool.
        conversation: the one within which it is kept, if any.
        pool: the id of the pool that holds it.
        degraded: parts that were down and may have had something nearer.
    """

    key: str
    stratum: str
    value: Json
    id: str | None = None
    conversation: str | None = None
    pool: str | None = None
    degraded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """Something that was found, and where.

    Attributes:
        stratum: short_term, long_term or shared.
        id: of the record, event or entry; `kind`: as in recall, or the type of an entry.
        score: of the common ranking, 0 to 1: its nearness to the question, or that of a nearer match which its stratum
            ranks after it.
        key: of an entry.
        collection, called: the id and the name of the collection that holds it.
    """

    stratum: str
    id: str
    kind: str
    text: str
    score: float
    at: datetime
    why: str
    key: str | None = None
    conversation: str | None = None
    collection: str | None = None
    called: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """The answer of a search.

    Attributes:
        matches: best first.
        reason: why there are none, or None.
        degraded: parts that were down, each with what happened.
    """

    matches: tuple[Match, ...] = ()
    reason: str | None = None
    degraded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated:
    """What consolidating a conversation did.

    Attributes:
        turns: how many waiting turns are in the log now.
        summaries: how many new records summarise it.
        entries: how many short-term entries were promoted.
        records: ids of the records that are new or were told again, summaries among them.
        degraded: parts that were down, each with what happened.
    """

    turns: int
    summaries: int
    entries: int
    records: tuple[str, ...]
    degraded: tuple[str, ...] = ()


# -------------------------------------------------------------------------------------------------- keys


@undisturbed(own, shared)
async def read(
    runtime: Runtime,
    scope: Scope,
    key: Id,
    *,
    conversation: Id | None = None,
    stratum: Annotated[str, OneOf(STRATA)] | None = None,
    pool: Id | None = None,
) -> Kept:
    """The value under a key in the nearest stratum that has it: working, short-term, long-term memory, then shared.

    Args:
        key: its name; in a pool, names joined by dots. Long-term memory holds values that were written there under this
            key, or promoted from the short-term entry of this name.
        conversation: what is kept within it comes first, then what is kept in none; by default the scope's. If none is
            named, working memory is not read, and of short-term and long-term memory the newest of any conversation
            counts.
        stratum: only this one: working, short_term, long_term or shared.
        pool: of shared data, only the pool with this id.

    Raises:
        NotFoundError: there is no such value, or this scope may not see it.
        InputError: several pools have it: of one's own, or, if none of these has, of others'.
        ScopeError: only working memory is asked, and no conversation and no task is named.
    """
    here = _check(scope, conversation, stratum, pool)
    looked = [stratum] if stratum else [name for name in STRATA if name != WORKING or _has_desk(here)]
    down: tuple[str, ...] = ()
    for name in looked:
        found, problem = await _look(runtime, here, name, key, pool)
        down += problem
        if found is not None:
            return replace(found, degraded=down)
    trouble = f" ({'; '.join(down)})" if down else ""
    raise NotFoundError(f"Nothing lies under {brief(key)} here, in {' or '.join(looked)} memory{trouble}.")


async def write(
    runtime: Runtime,
    scope: Scope,
    key: Id,
    value: Json,
    stratum: Annotated[str, OneOf(STRATA)],
    *,
    conversation: Id | None = None,
    pool: Id | None = None,
    ttl_seconds: Annotated[float, Lasting()] | None = None,
) -> Kept:
    """Keep a value under a key, in place of the value that the key had there; return what is kept now.

    Args:
        key: its name; in a pool, names joined by dots.
        value: any JSON but None; to remove a value, each stratum has its own method.
        stratum: working, short_term, long_term (with a history, and found by its text) or shared.
        conversation: the one within which it is kept; by default the scope's. Working memory needs one, or a task.
        pool: the id of the pool, for shared data.
        ttl_seconds: seconds until it expires; one hour by default. Only in working and short-term memory.

    Raises:
        InputError: this very value was forgotten on request, or was rejected and an agent says it again.
        ScopeError: a conversation, or the id of a pool, is needed.
        NotFoundError: this scope may read no such pool.
        AccessError: it may read it, and not write.
    """
    here = _check(scope, conversation, stratum, pool)
    given = json_of("value", value)
    require(given is not None, "value", value, "any other JSON; to remove it is a verb of each stratum")
    ends = stratum in {WORKING, SHORT_TERM}
    require(ttl_seconds is None or ends, "ttl_seconds", ttl_seconds, f"none: what is {stratum} has no such end")
    if stratum == WORKING:
        require(ttl_seconds is None or ttl_seconds <= YEAR, "ttl_seconds", ttl_seconds, "at most a year")
        done = await working.set_(runtime, here, key, given, ttl=ttl_seconds)
        return Kept(key=key, stratum=stratum, value=given, conversation=here.conversation, degraded=done.degraded)
    if stratum == SHORT_TERM:
        lasts = entries.TTL if ttl_seconds is None else ttl_seconds
        row = await entries.put(runtime, here, key, given, ttl_seconds=lasts)
        return Kept(key=key, stratum=stratum, value=row.value, id=row.id, conversation=row.conversation)
    if stratum == SHARED:
        made = await pools.write(runtime, here, check_identifier("pool", pool), key, given)
        return Kept(key=key, stratum=stratum, value=at(made.data, key), pool=made.id)
    text = f"{key}: {given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)}"
    source = "agent" if here.agent else "user_provided"
    told = await observed(runtime, here, text, category=KEPT, source=source, keeps=(key, given))
    stands = await _long_term(runtime, here, key)
    if told.forgotten or not told.records or stands is None:
        why = "forgotten on request" if told.forgotten else "rejected, and only the user can say it again"
        raise InputError(f"This was {why}: it is not kept again.")
    return replace(stands, degraded=told.degraded)


async def _look(
    runtime: Runtime, scope: Scope, stratum: str, key: str, pool: str | None
) -> tuple[Kept | None, tuple[str, ...]]:
    """The value of a key in one stratum, and what is down there."""
    if stratum == WORKING:
        desk, problem = await runtime.desks.visit(place_of(scope))
        value = desk.get(f"{CELL}{key}")
        kept = Kept(key=key, stratum=stratum, value=value, conversation=scope.conversation)
        return None if value is None else kept, problem
    if stratum == SHORT_TERM:
        row = await entries.get(runtime, scope, key)
        if row is None:
            return None, ()
        return Kept(key=key, stratum=stratum, value=row.value, id=row.id, conversation=row.conversation), ()
    return await (_long_term(runtime, scope, key) if stratum == LONG_TERM else _shared(runtime, scope, key, pool)), ()


async def _long_term(runtime: Runtime, scope: Scope, key: str) -> Kept | None:
    """The record kept under a key; among several, the choice is made as for short-term entries."""
    partition = await runtime.partitions.current(scope.owner)
    named, anywhere = scope.conversation, path_of(key, None)
    inside = anywhere if named is None else path_of(key, named)

    def meant(record: Record) -> bool:
        path = record.attribute or ""
        return path in {anywhere, inside} or (named is None and path.startswith(f"{anywhere}."))

    def nearness(record: Record) -> tuple[bool, bool, bool, float, datetime, str]:
        own = named is not None and record.attribute == inside
        where = record.agent == scope.agent, record.channel == scope.channel
        told = max((when for when, _ in partition.sayings(record)), default=record.valid_from)
        return own, *where, record.trust, told, record.id

    said = (record for record in of_kind(partition, "observation", scope) if record.subject == KEY)
    found = [record for record in said if meant(record) and record.valid_to is None and record.status in OPEN]
    best = max(found, key=nearness, default=None)
    if best is None:
        return None
    within = None if best.attribute == anywhere else best.conversation
    return Kept(key=key, stratum=LONG_TERM, value=value_of(best), id=best.id, conversation=within)


async def _shared(runtime: Runtime, scope: Scope, key: str, pool: str | None) -> Kept | None:
    """The value of a key in the only pool that has it: one of the user's own, or else one shared by others."""
    if pool is None:
        found = [one for one in await objects.mine(runtime, scope, Pool) if _has(one, key)]
        having = [one.id for one in found if one.holder == scope.user] or [one.id for one in found]
        if not having:
            return None
        if len(having) > 1:
            raise InputError(f"{brief(key)} lies in several pools: say in which, pool=…, of {', '.join(having)}.")
        [pool] = having
    return Kept(key=key, stratum=SHARED, value=await pools.read(runtime, scope, pool, key), pool=pool)


def _has(pool: Pool, path: str) -> bool:
    with suppress(NotFoundError):
        at(pool.data, path)
        return True
    return False


def _check(scope: Scope, conversation: str | None, stratum: str | None, pool: str | None) -> Scope:
    """Check the arguments; return the scope with the conversation that is meant."""
    if pool is not None:
        check_identifier("pool", pool)
        require(stratum == SHARED, "pool", pool, "none, or stratum='shared' with it")
    return scope if conversation is None else scope.narrow(conversation=conversation)


def _has_desk(scope: Scope) -> bool:
    return not scope.whole and (scope.conversation or scope.task) is not None


# ------------------------------------------------------------------------------------------------ search


async def semantic_search(runtime: Runtime, scope: Scope, query: Words, *, limit: int = 10) -> Searched:
    """Search records, events, short-term entries and readable collections for a question, in one ranking.

    Each stratum ranks its own matches; between strata, the one nearer to the question in words and meaning comes first.

    Args:
        query: the question, in words.
        limit: at most so many, 1 to 1,000.
    """
    found, answer = await _searched(runtime, scope, Ask(query=query, limit=limit))
    used = {match.id for match in found.matches}
    runtime.reinforce(scope.owner, [item for item in answer if item.id in used], None)
    handed_out(runtime, scope, {match.id: match.collection for match in found.matches if match.collection})
    return found


@undisturbed(own, shared)
@at_one_moment
async def _searched(runtime: Runtime, scope: Scope, ask: Ask) -> tuple[Searched, Recalled]:
    """What is found, and what recall answered for it."""
    answer = await recall(runtime, scope, ask)
    asked = await asked_by(runtime, scope, answer)
    mine = _ranked(answer, await runtime.partitions.current(scope.owner), asked)
    entered, problem = await _entries(runtime, scope, asked)
    ranked = one_ranking([mine, entered, await in_collections(runtime, scope, asked, ask.limit)])
    most = 2 if asked.embedded else 1  # the highest possible nearness
    best = [replace(match, score=round(max(score, 0.0) / most, 4)) for score, match in ranked[: ask.limit]]
    problems = dict.fromkeys((*answer.degraded, *problem))
    return Searched(matches=tuple(best), reason=None if best else answer.reason, degraded=tuple(problems)), answer


async def in_collections(runtime: Runtime, scope: Scope, asked: Asked, limit: int) -> list[tuple[float, Match]]:
    """The entries of readable collections that are nearest to a question, if any is relevant to it.

    They are ranked by nearness alone: one look at all of them, however many collections there are.
    """
    mine = {one.id: one for one in await collections.find(runtime, scope)}
    if not mine:
        return []
    image = await runtime.partitions.current(objects.shared_owner(scope).owner)
    index, columns = image.index, image.index.columns
    among = image.mask(Commons(tenant=scope.tenant, whole=True), now=runtime.clock()) & columns["of_record"]
    among &= np.isin(columns["channel"], [index.codes["channel"].look(name) for name in mine])
    numbers = np.flatnonzero(among).astype(np.int32)
    near = asked.nearness(index, numbers)
    best = np.lexsort((columns["tie"][numbers], -near))[:limit]
    if near.max(initial=0.0) < bearing(len(numbers), embedded=asked.embedded):
        return []
    found = zip(near[best].tolist(), (image.records[name] for name in index.named(numbers[best])), strict=True)
    return [(value, _entry(record, mine[record.channel], value)) for value, record in found if value >= NEAR]


def _entry(record: Record, collection: Collection, near: float) -> Match:
    return Match(
        stratum=SHARED, id=record.id, kind=record.kind, text=record.text, score=0.0, at=record.valid_from,
        why=f"nearness to the question {near:.2f}; by {record.editor}", collection=collection.id,
        called=collection.name,
    )  # fmt: skip


def _ranked(answer: Recalled, partition: Partition, asked: Asked) -> list[tuple[float, Match]]:
    """What was recalled, in its order, each with its nearness; what was forgotten meanwhile is left out."""
    index = partition.index
    items = [item for item in answer if item.id in index.numbers]
    near = asked.near(index, [index.numbers[item.id] for item in items])
    return [(nearness, _match(item)) for nearness, item in zip(near, items, strict=True)]


def _match(item: Item) -> Match:
    return Match(
        stratum=LONG_TERM, id=item.id, kind=item.kind, text=item.text, score=0.0, at=item.at, why=item.why,
        conversation=item.conversation,
    )  # fmt: skip


async def _entries(runtime: Runtime, scope: Scope, asked: Asked) -> tuple[list[tuple[float, Match]], tuple[str, ...]]:
    """The newest short-term entries that are relevant to a question, and what was down.

    Promoted entries are left out: they are found as the records that they became.
    """
    held = await entries.find(runtime, scope.narrow(conversation=None))
    rows = [row for row in held if not row.promoted][-ENTRIES:]
    texts = [f"{row.key}: {text_of(row)[:_SAID]}" for row in rows]
    embedded = await embed(runtime, scope, texts if asked.embedded else [])
    found = []
    for number, (row, text) in enumerate(zip(rows, texts, strict=True)):
        near = asked.near_to(frozenset(runtime.analyzer.terms(text)), embedded.of(number))
        if near >= NEAR:
            match = Match(
                stratum=SHORT_TERM, id=row.id, kind=row.type, text=text_of(row), score=0.0, at=row.created_at,
                why=f"nearness to the question {near:.2f}", key=row.key, conversation=row.conversation,
            )  # fmt: skip
            found.append((near, match))
    best = sorted(found, key=lambda pair: (-pair[0], pair[1].id))
    return best, (embedded.problem,) if embedded.problem else ()


# ----------------------------------------------------------------------------------------- consolidation


async def consolidate(runtime: Runtime, scope: Scope, conversation: Id | None = None) -> Consolidated:
    """Write a conversation to the log, with its summary, and promote its entries that are used or important.

    The conversation may go on: its working memory stays. Idempotent.

    Args:
        conversation: by default the scope's.

    Raises:
        ScopeError: no conversation is named.
        StoreError: what was done until then stays done.
    """
    here = scope if conversation is None else scope.narrow(conversation=conversation)
    check_identifier("conversation", here.conversation)
    flushed = await sum_up(runtime, here, place_of(here))
    promoted = await entries.promote(runtime, here)
    return Consolidated(
        turns=len(flushed.events), summaries=len(flushed.summaries), entries=promoted.entries,
        records=(*flushed.summaries, *promoted.records), degraded=flushed.degraded,
    )  # fmt: skip
