"""Pools: JSON objects that agents share; each write is an event in the shared log and a new version."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Annotated, Any

from memoranda.core.base.checks import brief
from memoranda.core.base.constraints import Between, Id, OneOf, Texts
from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import SHARED, Scope, check_identifier
from memoranda.core.image.image import Partition
from memoranda.core.rows import Event, Pool, Record
from memoranda.core.rows.changes import Add, Change, Patch
from memoranda.core.rows.declare import Json
from memoranda.core.strata.json_documents import at, changed, replayed
from memoranda.errors import InputError, NotFoundError, VersionError
from memoranda.flows.capture.events import json_of, notes_of, object_of
from memoranda.flows.runtime.commits import Made, check_place, settled
from memoranda.flows.runtime.reading import shared, undisturbed
from memoranda.flows.runtime.runtime import Runtime
from memoranda.flows.sharing import objects
from memoranda.flows.sharing.objects import asked
from memoranda.ports import Where

#: The number of a version.
Version = Annotated[int, Between()]
KINDS = ("shared", "agent_private", "team_shared", "task_scoped", "blackboard", "tool_cache")

#: What a scope has to name for a kind or reach of pool.
_NEEDS = {"agent_private": "agent", "team_shared": "team", "task_scoped": "task", "team": "team", "task": "task"}
_REACH = {"team_shared": "team", "task_scoped": "task", "blackboard": "workflow"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """One write to a pool.

    Attributes:
        version: the one that it made.
        by: the user, with the agent if one acted for them: `alice/planner`.
        at: when.
        path: where; None for the whole.
        value: what was written, or merged in.
        merge: whether it was merged in.
    """

    version: int
    by: str
    at: datetime
    path: str | None
    value: Json
    merge: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolStatistics:
    """How large a pool is and how much it is used.

    Attributes:
        size: characters of its JSON.
        entries: names at its top level.
        reads, writes: how many, by anyone; a rebuild without what was forgotten counts as a write.
        last_read, last_write: when.
    """

    size: int
    entries: int
    reads: int
    writes: int
    last_read: datetime | None
    last_write: datetime


async def create(
    runtime: Runtime,
    scope: Scope,
    name: Id,
    *,
    kind: Annotated[str, OneOf(KINDS)] = "shared",
    reach: Annotated[str, OneOf(objects.REACHES)] | None = None,
    data: Mapping[str, Any] | None = None,
    sources: Texts = (),
    expires: datetime | None = None,
) -> Pool:
    """Create a pool. It belongs to the user or, if the scope names one, to the agent; others need a grant.

    Args:
        name: what to call it; several may have one name.
        kind: shared, agent_private (for nobody else, and never granted), team_shared, task_scoped, blackboard or
            tool_cache.
        reach: for whom it is meant: "global" or "account" (everyone in the tenant may read it), "team" (the scope's
            team may write it), "task" (the user's other agents hold it too while their scope names the task), "agent"
            or "workflow" (nobody else, without a grant); by default that of the kind, or "agent". What it gives to
            other users is put into effect by a grant, which can be revoked.
        data: what it holds at first.
        sources: ids of pools and collections that it is derived from. It can be read only by those who may read all of
            them.
        expires: when it ceases to exist.

    Raises:
        NotFoundError: a source cannot be read here.
        InputError: the kind or reach needs an agent, a team or a task that the scope does not name; or a pool that is
            private to an agent is meant for others.
    """
    held = notes_of(data, "data")
    pool = await _made(runtime, scope, name, kind, reach, held, sources, expires)

    async def plan(_: Partition) -> Made[Pool]:
        await objects.checked_sources(runtime, scope, sources)
        return _begun(runtime, scope, pool)

    check_place(scope)
    made, _ = await settled(runtime, objects.shared_owner(scope), plan)
    return made.answer


async def blackboard(runtime: Runtime, scope: Scope, run: Id) -> Pool:
    """The pool of a workflow run, created when it is first asked for; all agents of the user share it.

    Args:
        run: the id of the run.

    Raises:
        NotFoundError: it has expired.
    """
    check_place(scope)
    here = replace(scope, agent=None, task=run)
    wanted = derived_id(scope.owner, "blackboard", scope.channel, run)
    pool = await _made(runtime, here, run, "blackboard", "workflow", {}, (), None)

    async def plan(_: Partition) -> Made[Pool]:
        known = wanted in (await objects.look(runtime, scope, (wanted,))).objects
        return (
            Made(await _opening(runtime, scope, wanted, "read")())
            if known
            else _begun(runtime, scope, replace(pool, id=wanted))
        )

    made, _ = await settled(runtime, objects.shared_owner(scope), plan)
    return made.answer


async def get(runtime: Runtime, scope: Scope, pool: Id) -> Pool:
    """A pool by its id.

    Args:
        pool: its id.

    Raises:
        NotFoundError: this scope may read no such pool.
    """
    return await _opening(runtime, scope, pool, "read")()


async def find(
    runtime: Runtime, scope: Scope, *, kind: Annotated[str, OneOf(KINDS)] | None = None, task: Id | None = None
) -> tuple[Pool, ...]:
    """The pools that this scope may read, oldest first.

    Args:
        kind: only of this kind: shared, agent_private, team_shared, task_scoped, blackboard or tool_cache.
        task: only of this task, or of the run with this id.
    """
    found = await objects.mine(runtime, scope, Pool)
    return tuple(pool for pool in found if kind in (None, pool.kind) and task in (None, pool.task))


async def read(
    runtime: Runtime, scope: Scope, pool: Id, path: str | None = None, *, version: Version | None = None
) -> Json:
    """The content of a pool.

    Args:
        pool: its id.
        path: names joined by dots; the whole by default.
        version: as of this version; the current one by default.

    Raises:
        NotFoundError: this scope may read no such pool, there is nothing at the path, or there is no such version.
    """
    check_path(path)
    answer: Json = at(await _document(runtime, scope, pool, version), path)
    runtime.journal.note(objects.access(runtime, scope, pool, "read"))
    return answer


@undisturbed(shared)
async def _document(runtime: Runtime, scope: Scope, pool: str, version: int | None) -> Json:
    """The whole content of a pool as of a version."""
    found = await _opening(runtime, scope, pool, "read")()
    document: Any = found.data
    if version is not None and version != found.version:
        known = [event for event in await _events(runtime, scope, pool) if event.metadata["version"] <= version]
        if not known or known[-1].metadata["version"] != version:
            raise NotFoundError(f"There is no version {version} of this pool; it has {found.version}.")
        document = replayed(event.metadata for event in known)
    whole: Json = document
    return whole


async def write(
    runtime: Runtime, scope: Scope, pool: Id, path: str | None, value: Json, *, expect: Version | None = None
) -> Pool:
    """Write a value into a pool; objects on the path to it are created.

    Args:
        pool: its id.
        path: names joined by dots; None to write the whole.
        value: JSON; for the whole, an object.
        expect: the version that must be current; any by default.

    Raises:
        VersionError: the pool has another version.
        NotFoundError: this scope may read no such pool.
        AccessError: it may read it, and not write.
    """
    check_path(path)
    given = (json_of if path else object_of)("value", value)
    return await change(runtime, scope, pool, {"path": path or None, "value": given}, expect)


async def merge(
    runtime: Runtime, scope: Scope, pool: Id, data: Mapping[str, Any], *, expect: Version | None = None
) -> Pool:
    """Merge an object into a pool name by name: objects are merged, None removes, all else replaces (RFC 7386).

    Args:
        pool: its id.
        data: what to merge in.
        expect: the version that must be current; any by default.

    Raises:
        VersionError: the pool has another version.
        NotFoundError: this scope may read no such pool.
        AccessError: it may read it, and not write.
    """
    return await change(runtime, scope, pool, {"patch": object_of("data", data)}, expect)


async def history(runtime: Runtime, scope: Scope, pool: Id) -> tuple[Write, ...]:
    """Every write to a pool, in order.

    Args:
        pool: its id.

    Raises:
        NotFoundError: this scope may read no such pool.
    """
    writes = await _writes(runtime, scope, pool)
    runtime.journal.note(objects.access(runtime, scope, pool, "read"))
    return writes


@undisturbed(shared)
async def _writes(runtime: Runtime, scope: Scope, pool: str) -> tuple[Write, ...]:
    await _opening(runtime, scope, pool, "read")()
    return tuple(map(_write, await _events(runtime, scope, pool)))


async def statistics(runtime: Runtime, scope: Scope, pool: Id) -> PoolStatistics:
    """How large a pool is and how much it is used.

    Args:
        pool: its id.

    Raises:
        NotFoundError: this scope may read no such pool.
    """
    await runtime.journal.settle()
    found = await get(runtime, scope, pool)
    return PoolStatistics(
        size=_size(found.data), entries=len(found.data), reads=found.reads, writes=found.version,
        last_read=found.last_read, last_write=found.changed_at,
    )  # fmt: skip


async def expire(runtime: Runtime, scope: Scope, pool: Id, *, at: datetime | None = None) -> Pool:
    """Set the time at which a pool ceases to exist; now by default.

    Args:
        pool: its id.
        at: when; now by default.

    Raises:
        NotFoundError: this scope may read no such pool.
        AccessError: it may not administer it.
    """
    end = objects.ending("at", at, runtime.clock())

    def plan(found: Pool, _: Partition) -> Made[Pool]:
        moment = end or runtime.clock()
        return Made(replace(found, expires_at=moment), [Patch(Pool, (pool,), {"expires_at": moment})])

    return await objects.changed(runtime, scope, pool, _opening(runtime, scope, pool, "admin"), plan, "expire")


# ------------------------------------------------------------------------------------------------------


async def _made(
    runtime: Runtime,
    scope: Scope,
    name: str,
    kind: str,
    reach: str | None,
    data: Mapping[str, Any],
    sources: Sequence[str],
    expires: datetime | None,
) -> Pool:
    meant = reach or _REACH.get(kind, "agent")
    for one in (kind, meant):
        if one in _NEEDS and getattr(scope, _NEEDS[one]) is None:
            raise InputError(f"A pool of {one} needs a scope that names its {_NEEDS[one]}.")
    if kind == "agent_private" and meant != "agent":
        raise InputError(f"A pool that is private to its agent cannot be meant for others; leave reach={meant!r} out.")
    _check_size(runtime, data)
    now = runtime.clock()
    return Pool(
        tenant=scope.tenant, user=SHARED, id=runtime.ids(), name=name, kind=kind, reach=meant, holder=scope.user,
        agent=scope.agent, channel=scope.channel, task=scope.task,
        sources=await objects.checked_sources(runtime, scope, sources), data=data, created_at=now, changed_at=now,
        expires_at=objects.ending("expires", expires, now),
    )  # fmt: skip


def _begun(runtime: Runtime, scope: Scope, pool: Pool) -> Made[Pool]:
    """A new pool, with its event and the grants of its reach."""
    event = objects.shared_event(runtime, scope, pool.id, "pool", pool.name, path=None, value=pool.data, version=1)
    changes: list[Change] = [Add(replace(event, id=pool.id)), Add(pool)]
    changes += objects.first_grants(runtime, scope, pool.id, pool.reach)
    return Made(pool, [*changes, Add(objects.access(runtime, scope, pool.id, "create"))])


def _opening(runtime: Runtime, scope: Scope, pool: str, level: str) -> Callable[[], Awaitable[Pool]]:
    return partial(objects.opened, runtime, scope, pool, Pool, level=level, name="pool")


async def change(
    runtime: Runtime, scope: Scope, pool: str, change: Mapping[str, Any], expect: int | None, of: Record | None = None
) -> Pool:
    """Write a new version of a pool; if what is written is a copy, `of` is its original."""

    def plan(found: Pool, _: Partition) -> Made[Pool]:
        if expect not in (None, found.version):
            raise VersionError(
                f"This pool has version {found.version}, not {expect}: read it again and decide.", expect, found.version
            )
        data = changed(found.data, change)
        _check_size(runtime, data)
        now = runtime.clock()
        values: dict[str, Any] = {"data": data, "version": found.version + 1, "changed_at": now}
        event = objects.shared_event(
            runtime, scope, pool, "pool", change.get("path") or "", version=values["version"], of=of, **change
        )
        return Made(replace(found, **values), [Add(event), Patch(Pool, (pool,), values)])

    return await objects.changed(runtime, scope, pool, _opening(runtime, scope, pool, "write"), plan, "write")


async def _events(runtime: Runtime, scope: Scope, pool: str) -> list[Event]:
    """The writes to a pool, in order."""
    query = asked(Event, scope, Where("channel", "=", pool), Where("kind", "=", "pool"))
    events = (await runtime.store.find(objects.shared_owner(scope).owner, query)).rows[0]
    return sorted(events, key=lambda event: event.metadata["version"])


def _write(event: Event) -> Write:
    held = event.metadata
    return Write(
        version=held["version"], by=objects.author(event), at=event.event_time, path=held.get("path"),
        value=held.get("patch", held.get("value")), merge="patch" in held,
    )  # fmt: skip


def check_path(path: str | None) -> None:
    """Refuse what is no path of names."""
    if path is not None:
        check_identifier("path", path)
        if not all(path.split(".")):
            raise InputError(f"path is {brief(path)}; give names with one point between them, or None for the whole.")


def _check_size(runtime: Runtime, data: Any) -> None:
    most = runtime.settings.max_characters
    if _size(data) > most:
        raise InputError(f"A pool of {_size(data):,} characters is too large; at most {most:,} are kept. Divide it.")


def _size(data: Any) -> int:
    return len(json.dumps(data, ensure_ascii=False))
