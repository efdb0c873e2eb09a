"""Working memory: what a conversation, or the run of a workflow, works with until it is flushed to the log."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Annotated, Any

from memoranda.core.base.checks import brief, require
from memoranda.core.base.constraints import Between, Id, Lasting, OneOf
from memoranda.core.base.scope import Scope, check_identifier
from memoranda.core.formats.conversation import Message
from memoranda.core.formats.document import Node
from memoranda.core.formats.values import plain
from memoranda.core.image.image import Partition
from memoranda.core.rows import Json, WorkingCopy
from memoranda.core.rows.cells import Place
from memoranda.core.rows.changes import Put
from memoranda.core.strata.working import (
    KEY,
    LISTS,
    NAMED,
    NOTES,
    PENDING,
    READ,
    SAID,
    SUMMARY,
    TURNS,
    YEAR,
    Desk,
    Item,
    Working,
    allowed,
    hosted,
    rests_on,
)
from memoranda.errors import InputError, NotFoundError, StoreError
from memoranda.flows.capture.capture import read_event
from memoranda.flows.capture.events import content_of, turns_of
from memoranda.flows.capture.on_record import asked_before, heard_behind, known_in_log
from memoranda.flows.runtime.commits import settled
from memoranda.flows.runtime.runtime import Runtime
from memoranda.flows.strata.flush import (
    INBOX,
    active,
    check_place,
    held,
    log,
    notice,
    packed,
    place_of,
    sum_up,
    summaries,
    turn_of,
    unpacked,
    unread,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a change of working memory did.

    Attributes:
        existed: whether something was there before.
        degraded: the cache, if it is down; this process keeps the change until the cache is back.
    """

    existed: bool = False
    degraded: tuple[str, ...] = ()


# ------------------------------------------------------------------------------------------------- turns


async def add(
    runtime: Runtime,
    scope: Scope,
    messages: Sequence[Message | Mapping[str, Any]],
    *,
    surface: Id = "chat",
    connection: Id | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Working:
    """Add turns to working memory. They reach the log when it is flushed, or when a hundred of them wait.

    While the cache is down they are written to the log at once; `degraded` names what is down.

    Args:
        messages: each {"role", "content"} with, optionally, "name", "timestamp" and "id"; a message whose id is known
            in this conversation is not added again.
        surface: chat, widget, inbox, recipe, heartbeat, tool or import.
        connection: the tool connection the turns belong to.
        metadata: kept with every turn.

    Raises:
        MessageError: a message cannot be read; nothing was added.
    """
    place = place_of(scope)
    barred = await runtime.desks.forgotten(scope.owner)
    given = turns_of(runtime, scope, messages, surface, connection, metadata)
    events = [left for event in given if (left := barred.screened(event)[0])]
    logged = await known_in_log(runtime, scope, events)
    stored = await asked_before(runtime, scope)

    def plan(desk: Desk) -> Working:
        said = desk.get(TURNS, ())
        kept = heard_behind(desk, events, stored, logged)
        turns = [turn_of(event) for event in kept if not said or event.id not in logged]
        desk.say(turns, {event.id: packed(event) for event in kept}, runtime.analyzer)
        return desk.view(active(scope))

    view, problem = await runtime.desks.change(place, plan)
    if problem or view.waiting >= runtime.desks.limits.waiting:
        try:
            await log(runtime, scope, place)
        except StoreError as error:  # the turns are in working memory all the same
            return replace(view, degraded=(*problem, f"log: {error}"))
        view, problem = await _look(runtime, scope)
    return replace(view, degraded=problem)


async def turns(runtime: Runtime, scope: Scope, limit: Annotated[int, Between()] | None = None) -> tuple[Item, ...]:
    """The turns in working memory, oldest first, each with `id`, `role`, `content` and `at`.

    Args:
        limit: the last so many; all by default.
    """
    desk, _ = await runtime.desks.visit(place_of(scope))
    return tuple(desk.turns(active(scope))[-limit if limit else None :])


async def view(runtime: Runtime, scope: Scope) -> Working:
    """All of working memory: turns, summary, decisions and action items, notes, results, thoughts, keys."""
    found, problem = await _look(runtime, scope)
    return replace(found, degraded=problem)


async def degraded(runtime: Runtime, scope: Scope) -> tuple[str, ...]:
    """What is down in working memory; for `get` and other methods that return a bare value and cannot say so.

    While something is down, they return what this process knows, and it keeps what it is given.
    """
    _, problem = await runtime.desks.visit(place_of(scope))
    return problem


async def _look(runtime: Runtime, scope: Scope) -> tuple[Working, tuple[str, ...]]:
    """The view, with what the rules find in turns that nobody has looked at yet."""
    place = place_of(scope)

    def plan(desk: Desk) -> Working:
        fresh = unread(desk)
        if fresh:
            notice(desk, [read_event(runtime, unpacked(desk.get(name))) for name in fresh])
            desk.put(READ, fresh[-1])
        return desk.view(active(scope))

    return await runtime.desks.change(place, plan)


async def resume(runtime: Runtime, scope: Scope) -> Working:
    """Continue a conversation with its working memory or, if that is gone, with its summary, not its history."""
    place = place_of(scope)
    desk, _ = await runtime.desks.read(place)
    if desk.waiting and not desk.get(TURNS):  # nobody has flushed it: summarise it now
        await sum_up(runtime, scope, place)
    async with runtime.partitions.turn(scope.owner):  # as in `load`
        found = summaries(await runtime.partitions.current(scope.owner), scope)

        def plan(desk: Desk) -> None:
            if found and not desk.get(TURNS) and not desk.get(SUMMARY):
                for name, items in held(found[-1]).items():
                    desk.put(name, items)

        await runtime.desks.change(place, plan)
    return await view(runtime, scope)


# -------------------------------------------------------------------------------------------------- keys


async def set_(
    runtime: Runtime, scope: Scope, key: Id, value: Json, *, ttl: Annotated[float, Lasting(YEAR)] | None = None
) -> Written:
    """Set a key to a JSON value.

    Above about fifty keys, results, thoughts and tool states some go early: of keys, those that would expire first.

    Args:
        key: its name.
        value: None removes it.
        ttl: seconds until it expires, at most a year of them; one hour by default.
    """
    name = _key(key)
    lasts = timedelta(seconds=runtime.desks.limits.key_seconds if ttl is None else ttl)
    return await _put(runtime, scope, name, _json(runtime, "value", value), lasts)


async def get(runtime: Runtime, scope: Scope, key: Id, default: Json = None) -> Json:
    """The value of a key, or the default if it is not set or has expired.

    Args:
        key: its name.
        default: returned if the key is not set or has expired.
    """
    name, other = _key(key), _json(runtime, "default", default)
    desk, _ = await runtime.desks.visit(place_of(scope))
    found: Json = desk.get(name, other)
    return found


async def delete(runtime: Runtime, scope: Scope, key: Id) -> Written:
    """Remove a key; `existed` says whether there was one.

    Args:
        key: its name.
    """
    return await _put(runtime, scope, _key(key), None)


async def exists(runtime: Runtime, scope: Scope, key: Id) -> bool:
    """Whether a key is set.

    Args:
        key: its name.
    """
    desk, _ = await runtime.desks.visit(place_of(scope))
    return _key(key) in desk.names


async def keys(runtime: Runtime, scope: Scope) -> tuple[str, ...]:
    """The keys that are set."""
    desk, _ = await runtime.desks.visit(place_of(scope))
    return tuple(sorted(name.removeprefix(KEY) for name in desk.names if name.startswith(KEY)))


async def clear(runtime: Runtime, scope: Scope) -> Written:
    """Remove all keys, notes, results, thoughts and questions. The turns stay: `flush` writes them to the log."""

    def plan(desk: Desk) -> bool:
        own = [*filter(hosted, desk.names)]
        desk.drop(*own)
        return bool(own)

    return await _write(runtime, scope, plan)


# ------------------------------------------------------------------------------------------------- notes


async def note(
    runtime: Runtime,
    scope: Scope,
    part: Annotated[str, OneOf((*NOTES, *NAMED))],
    value: Json,
    *,
    name: Id | None = None,
) -> Written:
    """Set a note; None removes it.

    Args:
        part: "task" (its state), "goal" (the active one), "preferences" (the active ones) or "scratch" (a pad); or, by
            name, "results" (intermediate ones) or "tools" (their states).
        value: the note, as JSON.
        name: of the step or the tool, for "results" and "tools".
    """
    given = _json(runtime, "value", value)
    if part in NOTES:
        require(name is None, "name", name, f"none: there is only one {part}")
        return await _put(runtime, scope, part, given)
    known = check_identifier("name", name)

    def plan(desk: Desk) -> bool:
        held = desk.get(part, [])
        left = [item for item in held if item["id"] != known]
        desk.put(part, left if given is None else [*left, {"id": known, "value": given}])
        desk.fit(part)
        return len(left) < len(held)

    return await _write(runtime, scope, plan)


async def push(
    runtime: Runtime, scope: Scope, part: Annotated[str, OneOf((*LISTS, "scratch"))], value: Json
) -> Written:
    """Append to a list or to the scratch pad.

    Args:
        part: "thoughts", "tool_results", or "scratch", to which a text is appended as a line.
        value: what is added, as JSON.
    """
    given = content_of(runtime, value) if part == "scratch" else _json(runtime, "value", value)
    item = {"id": runtime.ids(), "value": given}

    def plan(desk: Desk) -> bool:
        held = desk.get(part)
        if part == "scratch":
            desk.put(part, _json(runtime, part, f"{held}\n{given}" if held else given))
        else:
            desk.add(part, item)
            desk.fit(part)
        return held is not None

    return await _write(runtime, scope, plan)


async def ask(runtime: Runtime, scope: Scope, question: Json) -> str:
    """Keep a question that is to be confirmed; return the id that `resolve` takes. Above fifty, the oldest go.

    Args:
        question: what is to be confirmed: a text, or any JSON.
    """
    item = {"id": runtime.ids(), "value": _json(runtime, "question", question)}

    def plan(desk: Desk) -> None:
        desk.add(PENDING, item)
        desk.put(PENDING, desk.get(PENDING)[-desk.limits.items :])

    await _write(runtime, scope, plan)
    return str(item["id"])


async def resolve(runtime: Runtime, scope: Scope, question: Id) -> Json:
    """Remove a question that was to be confirmed, and return it.

    Args:
        question: its id.

    Raises:
        NotFoundError: nothing with this id is pending.
    """

    def plan(desk: Desk) -> Json:
        pending = desk.get(PENDING, [])
        left = [item for item in pending if item["id"] != question]
        if len(left) == len(pending):
            raise NotFoundError(f"Nothing is pending under {brief(question)}; view().pending has the ids.")
        desk.put(PENDING, left)
        found: Json = next(item["value"] for item in pending if item["id"] == question)
        return found

    asked, _ = await runtime.desks.change(place_of(scope), plan)
    return asked


# ------------------------------------------------------------------------------------------------- copies


@dataclass(frozen=True, slots=True)
class _Copy:
    changes: tuple[Put, ...]
    written: Written


async def persist(runtime: Runtime, scope: Scope) -> Written:
    """Save working memory in the store, where it survives a crash: waiting turns in the log, the rest as a copy.

    The copy replaces the last one. Turns of a connection are only in the log.
    """
    place = place_of(scope)
    await log(runtime, scope, place)

    async def copied(_: Partition) -> _Copy:  # called again if somebody has written or forgotten something meanwhile
        desk, problem = await runtime.desks.visit(place)
        shown = desk.shown(())
        cells = {name: [value, _iso(desk.expires(name))] for name, value in shown.items()}
        copy = WorkingCopy(
            tenant=scope.tenant, user=scope.user, id=place.mark, agent=scope.agent, channel=scope.channel,
            conversation=scope.conversation, task=None if scope.conversation else scope.task, cells=cells,
            turns=rests_on(shown), saved_at=runtime.clock(),
        )  # fmt: skip
        [before] = await runtime.store.get(WorkingCopy, scope.owner, [(copy.id,)])
        return _Copy((Put(copy),), Written(existed=before is not None, degraded=problem))

    return (await settled(runtime, scope, copied))[0].written


async def load(runtime: Runtime, scope: Scope) -> Working:
    """Replace working memory with the copy that `persist` saved, without keys that have expired.

    Raises:
        NotFoundError: nothing was saved.
    """
    place = place_of(scope)
    await log(runtime, scope, place)
    async with runtime.partitions.turn(scope.owner):  # or what is forgotten meanwhile could be put back
        [copy] = await runtime.store.get(WorkingCopy, scope.owner, [(place.mark,)])
        barred = await runtime.desks.forgotten(scope.owner)
        if copy is None or barred.bars((copy.id,), copy.saved_at):
            raise NotFoundError(f"Nothing was kept of {place.kind} {brief(place.name)}; persist() keeps it.")
        cells = {name: value for name, (value, _) in copy.cells.items()}
        left = allowed(cells, barred, scope.agent)  # an older backup may hold what was forgotten since
        copy = replace(copy, cells={name: [value, copy.cells[name][1]] for name, value in left.items()})
        await runtime.desks.change(place, partial(_lay_out, copy))
    return await view(runtime, scope)


def _lay_out(copy: WorkingCopy, desk: Desk) -> None:
    """Replace what is on a desk with a copy, except for waiting turns."""
    said = desk.get(SAID, 0)
    desk.drop(*desk.names - {*desk.waiting})
    for name, (value, end) in copy.cells.items():
        expires = None if end is None else datetime.fromisoformat(end)
        if expires is None or expires > desk.now:
            desk.put(name, value, expires)
    desk.put(SAID, max(said, desk.get(SAID, 0)))


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


# ---------------------------------------------------------------------------------------- between agents


async def share_with(runtime: Runtime, scope: Scope, agent: Id, key: Id) -> Written:
    """Share the value of a key with another agent of the user, who reads it with `shared_by` until the key expires.

    Args:
        agent: the name of the other.
        key: its name.

    Raises:
        NotFoundError: there is no such key.
    """
    name, to = _key(key), _inbox(scope, agent, scope.agent)
    async with runtime.partitions.turn(scope.owner):  # as in `load`
        desk, _ = await runtime.desks.visit(place_of(scope))
        value = desk.get(name)
        if value is None:
            raise NotFoundError(f"There is no key {brief(key)} to share; keys() names those that are set.")
        expires = desk.expires(name)

        def plan(inbox: Desk) -> bool:
            existed = name in inbox.names
            inbox.put(name, {"conversation": scope.conversation, "value": value}, expires)
            inbox.fit(name)
            return existed

        existed, problem = await runtime.desks.change(to, plan)
    return Written(existed=existed, degraded=problem)


async def shared_by(runtime: Runtime, scope: Scope, agent: Id | None, key: Id) -> Json:
    """The value that another agent, or the user (None), shared under a key; None if there is none or it has expired.

    Args:
        agent: the name of the other.
        key: its name.
    """
    check_place(scope)
    desk, _ = await runtime.desks.visit(_inbox(scope, scope.agent, agent))
    found: Json = desk.get(_key(key), {"value": None})["value"]
    return found


def _inbox(scope: Scope, to: str | None, by: str | None) -> Place:
    return Place(scope.tenant, scope.user, to or "", scope.channel, INBOX, by or "")


# ------------------------------------------------------------------------------------------------- cells


async def _put(runtime: Runtime, scope: Scope, name: str, value: Json, lasts: timedelta | None = None) -> Written:
    def plan(desk: Desk) -> bool:
        existed = name in desk.names
        if value is not None:
            desk.put(name, value, desk.now + lasts if lasts else None)
            desk.fit(name)
        elif existed:
            desk.drop(name)
        return existed

    return await _write(runtime, scope, plan)


async def _write(runtime: Runtime, scope: Scope, plan: Callable[[Desk], bool | None]) -> Written:
    existed, problem = await runtime.desks.change(place_of(scope), plan)
    return Written(existed=bool(existed), degraded=problem)


def _key(key: str) -> str:
    return KEY + check_identifier("key", key)


def _json(runtime: Runtime, name: str, value: object) -> Json:
    """`value` as JSON that every cache can hold."""
    given: Json = plain(Node(value, name))
    most = runtime.settings.max_characters
    if len(json.dumps(given, ensure_ascii=False)) > most:
        raise InputError(f"{name} has more than {most:,} characters of JSON; keep it elsewhere, and where it is here.")
    return given
