"""Snapshots of collections: which entries there were, in which versions, and how to restore them."""

from dataclasses import replace

from memoranda.core.base.checks import brief
from memoranda.core.base.constraints import Id
from memoranda.core.base.scope import SHARED, Scope
from memoranda.core.image.image import Partition
from memoranda.core.rows import Collection, Record, Snapshot
from memoranda.core.rows.changes import Add, Change
from memoranda.errors import NotFoundError
from memoranda.flows.runtime.commits import Made
from memoranda.flows.runtime.reading import shared, undisturbed
from memoranda.flows.runtime.runtime import Runtime, embed
from memoranda.flows.sharing import collections, objects
from memoranda.flows.sharing.objects import asked
from memoranda.ports import Where


async def snapshot(runtime: Runtime, scope: Scope, collection: Id, name: Id) -> Snapshot:
    """Record which entries a collection has, in which versions.

    Args:
        collection: its id.
        name: what to call it.

    Raises:
        NotFoundError: this scope may read no such collection.
        AccessError: it may read it, and not write.
    """

    def plan(_: Collection, partition: Partition) -> Made[Snapshot]:
        event = objects.shared_event(runtime, scope, collection, "snapshot", name)
        row = Snapshot(
            tenant=scope.tenant, user=SHARED, id=event.id, object=collection, name=name,
            entries={one.id: one.version for one in collections.held(partition, collection)},
            created_by=objects.actor(scope), created_at=event.event_time,
        )  # fmt: skip
        return Made(row, [Add(event), Add(row)])

    opening = collections.opening_of(runtime, scope, collection, "write")
    return await objects.changed(runtime, scope, collection, opening, plan, "snapshot")


@undisturbed(shared)
async def snapshots(runtime: Runtime, scope: Scope, collection: Id) -> tuple[Snapshot, ...]:
    """The snapshots of a collection, oldest first.

    Args:
        collection: its id.

    Raises:
        NotFoundError: this scope may read no such collection.
    """
    await collections.opening_of(runtime, scope, collection)()
    query = asked(Snapshot, scope, Where("object", "=", collection), order=("created_at", "id"))
    return tuple((await runtime.store.find(objects.shared_owner(scope).owner, query)).rows[0])


async def restore(runtime: Runtime, scope: Scope, collection: Id, snapshot: Id) -> tuple[collections.Entry, ...]:
    """Restore a collection to a snapshot: edited entries get a new version as of then, entries added since end.

    What was forgotten since does not come back.

    Args:
        collection: its id.
        snapshot: the snapshot's id.

    Returns:
        The entries that were written or ended.

    Raises:
        NotFoundError: this scope may read no such collection, or it has no such snapshot.
        AccessError: it may read it, and not write.
    """
    opening = collections.opening_of(runtime, scope, collection, "write")

    async def both() -> tuple[Snapshot, dict[tuple[str, int], Record]]:
        await opening()
        [row] = await runtime.store.get(Snapshot, objects.shared_owner(scope).owner, [(snapshot,)])
        if row is None or row.object != collection:
            raise NotFoundError(
                f"There is no snapshot {brief(snapshot)} of this collection; snapshots gives their ids."
            )
        return row, {(one.id, one.version): one for one in await collections.versions_of(runtime, scope, collection)}

    row, known = await both()
    texts = list({one.text for key, one in known.items() if row.entries.get(key[0]) == key[1]})
    embedded = await embed(runtime, scope, texts)

    def plan(
        found: tuple[Snapshot, dict[tuple[str, int], Record]], partition: Partition
    ) -> Made[tuple[collections.Entry, ...]]:
        row, versions = found
        event = objects.shared_event(runtime, scope, collection, "restore", snapshot=row.id)
        last = {name: one for (name, _), one in sorted(versions.items())}
        changes: list[Change] = []
        touched: list[Record] = []
        for name, current in last.items():
            then = versions.get((name, int(row.entries.get(name, 0))))
            if then is None and (name in row.entries or current.superseded_at or current.valid_to):
                continue
            ended = replace(current, valid_to=runtime.clock(), contradicted_by=event.id)
            wanted = ended if then is None else replace(then, valid_to=None)
            if _alike(current, wanted):
                continue
            vector = embedded.of(texts.index(wanted.text)) if wanted.text in texts else None
            new, more = collections.renewed(runtime, scope, partition, current, wanted, event, vector)
            touched.append(new)
            changes += more
        answer = tuple(collections.Entry.of(one, runtime.clock()) for one in touched)
        return Made(answer, [Add(event), *changes] if changes else [])

    return await objects.changed(runtime, scope, collection, both, plan, "restore")


def _alike(current: Record, wanted: Record) -> bool:
    return current.superseded_at is None and (current.text, current.importance, current.valid_to) == (
        wanted.text, wanted.importance, wanted.valid_to,
    )  # fmt: skip
