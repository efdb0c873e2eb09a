"""The second part of forgetting: what lies beside a user's own rows goes once their tombstones stand.

Shared memory belongs to another owner, working memory lies in a cache: no batch holds all three. So the first part
drops the user's rows and leaves tombstones for all that is to go, and a receipt that says `PENDING` until the rest is
gone, too. If that breaks off, the next act of forgetting or the job promote_short_term takes what the tombstones name.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from memstrata.core.cells import Place
from memstrata.core.changes import Batch, Change, Drop, Put
from memstrata.core.forgotten import Forgotten
from memstrata.core.rows import Event, Receipt, Tombstone, WorkingCopy
from memstrata.core.scope import Owner, Scope
from memstrata.flows import withdraw
from memstrata.flows.commits import unbroken
from memstrata.flows.flush import Wiping, wipe
from memstrata.flows.runtime import Runtime
from memstrata.ports import Query, Where

PENDING = "Shared and working memory: what is to go there may be there until the next forgetting, or run of the worker."


@dataclass(frozen=True, slots=True)
class Beside:
    """What goes besides the user's own rows.

    Attributes:
        scope: where the user looks.
        aimed: which of the user's events in shared memory fall; `everything`: all that the scope sees.
        wiping: what goes from working memory.
    """

    scope: Scope
    aimed: Callable[[Event], bool]
    everything: bool
    wiping: Wiping

    async def found(self, runtime: Runtime) -> tuple[set[str], int]:
        """The ids of what is there to go, as tombstones have them, and how much it is. Nothing is changed."""
        shared = await withdraw.found(runtime, self.scope, self.aimed, everything=self.everything)
        places = set[Place]()
        cells = await wipe(runtime, self.scope, self.wiping, places, dry=True)
        return shared | {place.mark for place in places}, len(shared) + cells


async def finish(runtime: Runtime, owner: Owner) -> None:
    """Take what acts of forgetting that broke off have left."""
    tenant, user = owner
    scope = Scope(tenant=tenant, user=user, whole=True)
    query = Query(kind=Receipt, tenant=tenant, user=user, where=(Where("remains", "holds", (PENDING,)),))
    for receipt in (await runtime.store.find(owner, query)).rows[0]:
        of_it = Query(kind=Tombstone, tenant=tenant, user=user, where=(Where("receipt", "=", receipt.id),))
        marks = {row.id for row in (await runtime.store.find(owner, of_it)).rows[0]}

        def aimed(event: Event, marks: set[str] = marks) -> bool:
            return event.id in marks or withdraw.copied(event, scope) in marks

        wiping = Wiping(marks, Forgotten(marks), None, whole=False)
        await finished(runtime, receipt, Beside(scope, aimed, everything=False, wiping=wiping))


async def finished(runtime: Runtime, receipt: Receipt, beside: Beside) -> Receipt:
    """The receipt when all of it has gone, and the store has said where bytes may still be read."""
    owner = Owner(receipt.tenant, receipt.user)
    went = await withdraw.taken(runtime, beside.scope, beside.aimed, everything=beside.everything)
    cells = await wipe(runtime, beside.scope, beside.wiping, set())
    if cells:  # a store scrubs erased bytes when a row is dropped; no copy has this id
        await written(runtime, owner, Drop(WorkingCopy, (receipt.id,)))
    names = (one for one in receipt.remains if one != PENDING)
    whole = replace(receipt.listing(went, cells=cells), remains=(*names, *await runtime.store.remains()))
    if whole != receipt:
        whole = replace(whole, digest=whole.computed())
        await written(runtime, owner, Put(whole))
    return whole


async def written(runtime: Runtime, owner: Owner, *changes: Change, expect: int | None = None) -> None:
    """Write changes, and clear the caches that may hold what went."""

    async def write() -> None:
        batch = Batch(owner=owner, changes=changes, expect=expect)
        runtime.partitions.follow(batch, await runtime.store.apply(batch))
        runtime.desks.forget(owner)
        runtime.forget_vectors()

    await unbroken(write())
