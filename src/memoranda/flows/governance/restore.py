"""Restoring an export: the whole file is checked first, then each owner's rows are written in one transaction.

The checksum tells a damaged file from a whole one, not a true one from a forged one. So only who runs the process
restores: an export brings back receipts, entries of the audit and grants, which nobody else may write.
"""

from asyncio import sleep
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

from memoranda.core.base.checks import require
from memoranda.core.base.constraints import Progress
from memoranda.core.base.scope import GLOBAL, SHARED, Owner, Scope, place_of
from memoranda.core.erasure.merging import Erased, Merged, merged
from memoranda.core.formats.exported import Export, Reading
from memoranda.core.rows import Collection, Event, Passage, Pool, Receipt, Row, Tombstone, kinds_with
from memoranda.core.rows.changes import Add, Batch
from memoranda.errors import FormatError, NotFoundError
from memoranda.flows.runtime.audit import entered
from memoranda.flows.runtime.commits import reread, unbroken
from memoranda.flows.runtime.reading import shared as shared_by
from memoranda.flows.runtime.runtime import Runtime
from memoranda.ports import Query, Where

STEP = 1_000  # lines read between two looks at what else is to be done


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What a restore did.

    Attributes:
        rows: how many the export has; `new`: how many of them were written.
        known: how many were here already; they stay as they are here.
        forgotten: how many were left out because they, or what they say, were forgotten here.
        left_to_others: how many were left out because they belong to what others hold and shared; their exports have
            them. Of an export that is not of a whole user, also what the user holds and shared.
        cells: how many values were put back into working memory.
        degraded: parts that were down.
    """

    rows: int = 0
    new: int = 0
    known: int = 0
    forgotten: int = 0
    left_to_others: int = 0
    cells: int = 0
    degraded: tuple[str, ...] = ()


async def restore(
    runtime: Runtime,
    scope: Scope,
    source: str | PathLike[str] | Iterable[Any],
    *,
    progress: Progress | None = None,
) -> Restored:
    """Bring back what `export` wrote: rows with their ids, versions, times, tombstones and grants. Twice adds nothing.

    The export is checked to its end before anything is written. What is here already stays as it is, and what was
    forgotten here stays forgotten. What is shared comes back with the export of the user who holds it.

    Args:
        source: a file, or the lines as `export` gives them.
        progress: called with the number of lines read.

    Raises:
        FormatError: it is damaged, cut off, of a newer version, or no export.
        ScopeError: it is of another tenant or user.
        AccessError: the scope is that of an agent.
        InputError: it is ahead of what is here: one belief would have two histories.
        NotFoundError: there is no such file.
    """
    export = await _read(source, progress)
    export.check(scope)
    await runtime.journal.settle()
    common = shared_by(scope)
    own = [row for row in export.rows if row.user != SHARED]
    others = [row for row in export.rows if row.user == SHARED]
    held = [row for rows in _objects(others, scope.user).values() for row in rows] if export.whole else []
    # Forgetting takes both turns in this order, too.
    async with runtime.partitions.turn(scope.owner), runtime.partitions.turn(common):
        await runtime.partitions.uses.settle(scope.owner)
        mine = await reread(partial(_restored, runtime, scope.owner, own))
        theirs = await reread(partial(_shared, runtime, scope, own, held))
        cells, degraded = await _laid_out(runtime, export)
    return Restored(
        rows=len(export.rows), new=len(mine.new) + len(theirs.new), known=mine.known + theirs.known,
        forgotten=mine.forgotten + theirs.forgotten, left_to_others=len(others) - len(held), cells=cells,
        degraded=degraded,
    )  # fmt: skip


async def _read(source: object, progress: Progress | None) -> Export:
    reading, told = Reading(), 0
    for line in _lines(source):
        reading.take(line)
        if reading.number % STEP == 0:
            await sleep(0)
            if progress:
                progress(STEP)
            told = reading.number
    if progress:
        progress(reading.number - told)
    return reading.end()


def _lines(source: Any) -> Iterator[Any]:
    if isinstance(source, str | PathLike):
        try:
            with Path(source).open("rb") as file:
                yield from file
        except (OSError, ValueError) as error:
            raise NotFoundError(f"There is no export {source} to be read ({error}): name the file.") from error
        return
    given = False
    with suppress(TypeError):
        iter(source)
        given = not isinstance(source, bytes | Mapping)
    require(given, "source", source, "a file, or the lines of an export", FormatError)
    yield from source


async def _restored(runtime: Runtime, owner: Owner, rows: Sequence[Row]) -> Merged:
    """One attempt to restore rows of a user."""
    queries = [Query(kind=kind, tenant=owner.tenant, user=owner.user) for kind in kinds_with(exported=True)]
    page = await runtime.store.find(owner, *queries)
    plan = merged(rows, [row for some in page.rows for row in some])
    await _write(runtime, owner, plan.new, page.state.seq)
    return plan


async def _shared(runtime: Runtime, scope: Scope, own: Sequence[Row], rows: Sequence[Row]) -> Merged:
    """One attempt to restore what the user holds and shared: each object as a whole, if there is none of it here.

    An object of which anything was forgotten here is left out.
    """
    there, objects = shared_by(scope), _objects(rows, scope.user)
    told = [Query(kind=kind, tenant=there.tenant, user=scope.user) for kind in (Receipt, Tombstone)]
    named = Where("id", "in", tuple(objects))
    page = await runtime.store.find(
        there, *told, Query(kind=Tombstone, tenant=there.tenant, user=SHARED),
        *(Query(kind=kind, tenant=there.tenant, user=SHARED, where=(named,)) for kind in (Pool, Collection)),
    )  # fmt: skip
    *marks, pools, collections = page.rows
    erased = Erased([row for some in marks for row in some], own)
    here = {row.id for row in (*pools, *collections)}
    fresh = {name: some for name, some in objects.items() if name not in here}
    whole = [some for some in fresh.values() if not erased or len(erased.left(some, some)) == len(some)]
    new = sorted((_placed(row) for some in whole for row in some), key=lambda row: row.seq)
    await _write(runtime, there, new, page.state.seq)
    missing = sum(map(len, fresh.values()))
    return Merged(new, len(rows) - missing, missing - len(new))


def _objects(rows: Iterable[Row], holder: str) -> dict[str, list[Row]]:
    """The rows of each shared object that a user holds, by its id."""
    found: dict[str, list[Row]] = {
        row.id: [] for row in rows if isinstance(row, Pool | Collection) and row.holder == holder
    }
    lies = {row.ref: row.channel for row in rows if isinstance(row, Passage)}
    for row in rows:
        name = row.id if isinstance(row, Pool | Collection) else getattr(row, "object", getattr(row, "channel", None))
        some = found.get(name or lies.get(getattr(row, "ref", ""), ""))
        if some is not None:
            some.append(row)
    return found


def _placed(row: Row) -> Row:
    """A row as others find it again: an export does not tell where they were when they wrote."""
    if isinstance(row, Event) and "channel" not in row.metadata:
        return replace(row, metadata={"channel": GLOBAL, **row.metadata})
    return row


async def _write(runtime: Runtime, owner: Owner, rows: Sequence[Row], seq: int) -> None:
    if rows:
        changes = [Add(row) for row in rows]
        noted = entered(runtime, place_of(owner), changes, seq)
        await unbroken(_applied(runtime, Batch(owner=owner, changes=(*changes, *noted), expect=seq)))


async def _applied(runtime: Runtime, batch: Batch) -> None:
    await runtime.store.apply(batch)
    runtime.partitions.forget(batch.owner)


async def _laid_out(runtime: Runtime, export: Export) -> tuple[int, tuple[str, ...]]:
    """Put back what lay in working memory, beside what lies there; return how many cells, and what is down."""
    count, down = 0, dict[str, None]()
    for place, content in export.cells.items():
        added, problem = await runtime.desks.restore(place, content)
        count += added
        down |= dict.fromkeys(problem)
    return count, tuple(down)
