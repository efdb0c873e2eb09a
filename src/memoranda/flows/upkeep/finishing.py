"""The second part of forgetting: what lies beside a user's own rows goes once their tombstones stand.

Shared memory belongs to another owner, working memory lies in a cache: no batch holds all three. So the first part
drops the user's rows and leaves tombstones for all that is to go, and a receipt that says `PENDING` until the rest is
gone, too. If that breaks off, the next act of forgetting or the job promote_short_term takes what the tombstones name.
"""

from dataclasses import dataclass, replace

from memoranda.core.base.scope import SHARED, Owner, Scope
from memoranda.core.rows import Collection, Event, Operation, Pool, Receipt, Row, Tombstone, WorkingCopy, key_of
from memoranda.core.rows.cells import Place
from memoranda.core.rows.changes import Batch, Change, Drop, Put
from memoranda.core.text.forgotten import GOOD, Forgotten
from memoranda.flows.runtime.commits import unbroken
from memoranda.flows.runtime.runtime import Runtime
from memoranda.flows.sharing import withdraw
from memoranda.flows.strata.flush import Wiping, wipe
from memoranda.ports import Query, Where

PENDING = "Shared and working memory: what is to go there may be there until the next forgetting, or run of the worker."


@dataclass(frozen=True, slots=True)
class Beside:
    """What goes besides the user's own rows.

    Attributes:
        scope: where the user looks.
        aim: what goes from shared memory.
        wiping: what goes from working memory.
    """

    scope: Scope
    aim: withdraw.Aim
    wiping: Wiping

    async def found(self, runtime: Runtime) -> tuple[set[str], list[Row], dict[str, int]]:
        """What is there to go: the ids that tombstones have of it, rows, and numbers of cells and names. It stays."""
        rows, names = await withdraw.found(runtime, self.scope, self.aim)
        places = set[Place]()
        cells = await wipe(runtime, self.scope, self.wiping, places, dry=True)
        shared = {row.id for row in rows if isinstance(row, Event | Pool | Collection)}
        return shared | {place.mark for place in places}, rows, {"cells": cells, "names": names}


async def finish(runtime: Runtime, owner: Owner) -> list[tuple[Receipt, bool]]:
    """Take what acts of forgetting that broke off have left; their receipts, and whether each is for good."""
    done = []
    tenant, user = owner
    scope = Scope(tenant=tenant, user=user, whole=True)
    query = Query(kind=Receipt, tenant=tenant, user=user, where=(Where("remains", "holds", (PENDING,)),))
    for receipt in (await runtime.store.find(owner, query)).rows[0]:
        of_it = Query(kind=Tombstone, tenant=tenant, user=user, where=(Where("receipt", "=", receipt.id),))
        marks = {row.id for row in (await runtime.store.find(owner, of_it)).rows[0]}

        def named(event: Event, marks: set[str] = marks) -> bool:
            return event.id in marks or withdraw.copied(event, scope) in marks

        words = Forgotten(marks)
        aim = withdraw.Aim(named, words if receipt.target.startswith("value ") else Forgotten())
        beside = Beside(scope, aim, Wiping(marks, words, None, whole=False))
        done.append((await finished(runtime, receipt, beside), any(mark.startswith(GOOD) for mark in marks)))
    return done


async def finished(runtime: Runtime, receipt: Receipt, beside: Beside) -> Receipt:
    """The receipt when all of it has gone, and the store has said where bytes may still be read."""
    owner = Owner(receipt.tenant, receipt.user)
    went = await withdraw.taken(runtime, beside.scope, beside.aim)
    await wipe(runtime, beside.scope, beside.wiping, set())
    await _unanswered(runtime, Owner(receipt.tenant, SHARED))
    if PENDING in receipt.remains:  # a store scrubs erased bytes when a row is dropped; no copy has this id
        await written(runtime, owner, Drop(WorkingCopy, (receipt.id,)))
    names = (one for one in receipt.remains if one != PENDING)
    more = (row for row in went if not receipt.lists(row.__table__, *key_of(row)))  # made since it was planned
    whole = replace(receipt.listing(more, cells=0, names=0), remains=(*names, *await runtime.store.remains()))
    if whole != receipt:
        whole = replace(whole, digest=whole.computed())
        await written(runtime, owner, Put(whole))
    return whole


async def _unanswered(runtime: Runtime, tenant: Owner) -> None:
    """Drop the operations on a whole tenant that have ended: their answers may repeat what any of its users said."""
    over = Query(kind=Operation, tenant=tenant.tenant, user=tenant.user, where=(Where("ended_at", "is", "set"),))
    if rows := (await runtime.store.find(tenant, over)).rows[0]:
        await written(runtime, tenant, *(Drop(Operation, key_of(row)) for row in rows))


async def written(runtime: Runtime, owner: Owner, *changes: Change, expect: int | None = None) -> None:
    """Write changes, and clear the caches that may hold what went."""

    async def write() -> None:
        batch = Batch(owner=owner, changes=changes, expect=expect)
        runtime.partitions.follow(batch, await runtime.store.apply(batch))
        runtime.desks.forget(owner)
        runtime.forget_vectors()

    await unbroken(write())
