"""Operations: verbs that may take minutes, as every process knows them.

A row says what was begun and how it ended. Meanwhile the process that carries it out says every few seconds, in a cell
of the cache, that it is there and how far it is: a row would move the owner's `seq`, and what is written on condition
that nobody else wrote, such as a rebuild, would never come to its end. One of which its process says nothing any more
has failed, for whoever looks first.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.rows import Operation
from memoranda.core.rows.changes import Batch, Change, Patch, Put
from memoranda.errors import InputError
from memoranda.flows.runtime.commits import reread
from memoranda.flows.runtime.repeats import CALLS
from memoranda.flows.runtime.runtime import Runtime
from memoranda.ports import Query, Where

LEASE = timedelta(seconds=30)  # without a word of its process, after which an operation has failed
LISTED = 1_000  # operations that a list has at most
_TOUCHED = timedelta(
    hours=1
)  # after which the row of a long one is written again: the job that drops old rows spares it
_UNSAID = 2 * _TOUCHED  # without a word, if the cache lost what was said, or does not answer
_WORKER, _STOP = "worker", "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What is said of an operation that is carried out.

    Attributes:
        at: when its process last said something; None: nothing is known of it.
        version, progress: as they were then.
    """

    at: datetime | None = None
    version: int = 1
    progress: int | None = None


async def begin(runtime: Runtime, row: Operation, problem: Mapping[str, Any]) -> tuple[Operation, bool]:
    """Write the row of a new operation, unless there is one of its name that goes on, or is done.

    Args:
        runtime: the runtime.
        row: the row.
        problem: what one whose process is gone has failed of, as a problem document.

    Returns:
        The operation, and whether it was begun before.

    Raises:
        InputError: another request had this name.
    """
    owner = Owner(row.tenant, row.user)

    async def attempt() -> tuple[Operation, bool]:
        named = _asked(owner, Where("name", "=", row.name or ""), Where("at", ">", runtime.clock() - CALLS))
        page = await runtime.store.find(owner, replace(named, order=("-begun_at", "-id"), limit=1))
        for known in page.rows[0]:
            found = await settled(runtime, known, problem)
            if found is not None and found.state in {"running", "done"}:
                if found.request != row.request:
                    raise InputError("Another request had this name: give each request a name of its own.")
                return found, True
        await _write(runtime, owner, Put(row), page.state.seq if row.name else None)
        return row, False

    await say(runtime, row)  # first: who finds the row finds that its process is there
    found, again = await reread(attempt)
    if again:
        await runtime.leases.hush(*_place(row))
    return found, again


async def get(runtime: Runtime, tenant: str, name: str, problem: Mapping[str, Any]) -> Operation | None:
    """Return an operation as it is now; None if there is none, or it ended more than a day ago.

    Args:
        runtime: the runtime.
        tenant: the tenant.
        name: its id.
        problem: see `begin`.
    """
    for row in await _all(runtime, tenant, Where("id", "=", name)):
        return await settled(runtime, row, problem)
    return None


async def find(runtime: Runtime, tenant: str, problem: Mapping[str, Any], *where: Where) -> list[Operation]:
    """Return the operations of a tenant as they are now, the latest first, at most `LISTED`; see `get`."""
    rows = await _all(runtime, tenant, *where)
    found = [await settled(runtime, row, problem) for row in rows]
    return [one for one in found if one is not None]


async def settled(runtime: Runtime, row: Operation, problem: Mapping[str, Any]) -> Operation | None:
    """Return an operation as it is now: as its process says, or failed, if that is gone; None if its row is gone."""
    if row.state != "running":
        return row
    heard, now = await hear(runtime, row), runtime.clock()
    if heard.at is not None and now - heard.at <= LEASE:
        return replace(row, version=heard.version, progress=heard.progress)
    if heard.at is None and now - row.at <= _UNSAID:
        return row
    return await end(
        runtime, row, state="failed", version=heard.version + 1, progress=heard.progress, problem=dict(problem)
    )


async def say(runtime: Runtime, row: Operation) -> bool:
    """Say that the process that carries out an operation is there, and how far it is; return whether it may go on."""
    told = {"at": runtime.clock().isoformat(), "version": row.version, "progress": row.progress}
    others = await runtime.leases.told(*_place(row), _WORKER, json.dumps(told), CALLS.total_seconds())
    return not others


async def stop(runtime: Runtime, row: Operation) -> None:
    """Have an operation break off, whichever process carries it out."""
    await runtime.leases.told(*_place(row), _STOP, "true", CALLS.total_seconds())


async def hear(runtime: Runtime, row: Operation) -> Heard:
    """Return what is said of an operation."""
    said = await runtime.leases.heard(*_place(row))
    told = json.loads(said.get(_WORKER, "{}"))
    at = datetime.fromisoformat(told["at"]) if told else None
    return Heard(at=at, version=told.get("version", row.version), progress=told.get("progress"))


async def goes_on(runtime: Runtime, row: Operation) -> bool:
    """Whether an operation is still to be carried out: its row is there, and nobody ended it."""
    [known] = await runtime.store.get(Operation, Owner(row.tenant, row.user), [(row.id,)])
    if known is None or known.state != "running":
        return False
    if runtime.clock() - known.at >= _TOUCHED:
        await _changed(runtime, row, at=runtime.clock())
    return True


async def end(runtime: Runtime, row: Operation, **values: Any) -> Operation | None:
    """Write how an operation ended, unless it has ended; return it as it is then, None if its row is gone."""
    now = runtime.clock()
    ended = await _changed(runtime, row, **values, ended_at=now, at=now)
    await runtime.leases.hush(*_place(row))
    return ended


async def _changed(runtime: Runtime, row: Operation, **values: Any) -> Operation | None:
    """Change the row of an operation, if it has not ended; return it as it is then."""
    owner = Owner(row.tenant, row.user)

    async def attempt() -> Operation | None:
        page = await runtime.store.find(owner, _asked(owner, Where("id", "=", row.id)))
        known: Operation | None = next(iter(page.rows[0]), None)
        if known is None or known.state != "running":
            return known
        await _write(runtime, owner, Patch(Operation, (row.id,), values), page.state.seq)
        return replace(known, **values)

    return await reread(attempt)


async def _write(runtime: Runtime, owner: Owner, change: Change, expect: int | None) -> None:
    batch = Batch(owner=owner, changes=(change,), expect=expect)
    runtime.partitions.follow(batch, await runtime.store.apply(batch))


async def _all(runtime: Runtime, tenant: str, *where: Where) -> Sequence[Operation]:
    """The rows of a tenant that are known, the latest first."""
    query = Query(
        kind=Operation, tenant=tenant, user=None, order=("-begun_at", "-id"), limit=LISTED,
        where=(*where, Where("at", ">", runtime.clock() - CALLS)),
    )  # fmt: skip
    return (await runtime.store.find(Owner(tenant, SHARED), query)).rows[0]


def _asked(owner: Owner, *where: Where) -> Query[Operation]:
    return Query(kind=Operation, tenant=owner.tenant, user=owner.user, where=where)


def _place(row: Operation) -> tuple[Owner, str]:
    return Owner(row.tenant, row.user), f"operation {row.id}"
