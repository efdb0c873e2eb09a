"""Giving passages the vectors they lack: after an embedder was down, or when a memory is opened with another one."""

from collections.abc import Callable
from dataclasses import dataclass

from memstrata.core.changes import Batch, Put
from memstrata.core.rows import Event, Passage, Record
from memstrata.core.scope import Owner, check_identifier
from memstrata.errors import CapabilityError, EmbedderError
from memstrata.flows.gateway import vector_row
from memstrata.flows.runtime import Runtime, embed
from memstrata.ports import Query

CHUNK = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Reembedded:
    """How many passages were embedded, in which space; `left` could not be."""

    space: str
    embedded: int
    left: int = 0


async def reembed(
    runtime: Runtime, tenant: str, user: str | None = None, *, progress: Callable[[int], None] | None = None
) -> Reembedded:
    """Embed what has no vector in the current space. See `memstrata.memory.AsyncMemory.reembed`.

    Raises:
        CapabilityError: the memory was opened without an embedder.
        EmbedderError: the embedder failed; what was embedded until then stays.
    """
    if runtime.embedder is None:
        raise CapabilityError("This memory is open without an embedder; open it with embedder='local' or another.")
    check_identifier("tenant", tenant)
    users = [user]
    if user is None:
        found = await runtime.store.count(Query(kind=Passage, tenant=tenant, user=None), by="user")
        users = sorted(found)
    done = 0
    for name in users:
        owner = Owner(tenant, str(name))
        partition = await runtime.partitions.current(owner)
        index = partition.index
        missing = [passage for passage, has in zip(index.passages, index.embedded, strict=True) if not has]
        for start in range(0, len(missing), CHUNK):
            chunk = missing[start : start + CHUNK]
            done += await _embed(runtime, owner, chunk)
            if progress:
                progress(len(chunk))
    return Reembedded(space=runtime.space, embedded=done)


async def _embed(runtime: Runtime, owner: Owner, passages: list[Passage]) -> int:
    events = await runtime.store.get(Event, owner, [(p.ref,) for p in passages if p.of == "event"])
    texts = {event.id: event.content for event in events if event is not None}
    records: dict[str, Record] = (await runtime.partitions.current(owner)).records
    texts |= {p.ref: records[p.ref].text for p in passages if p.of == "record" and p.ref in records}
    vectors = await embed(runtime, list(texts.values()))
    if vectors.vectors is None:
        raise EmbedderError(vectors.problem or "the embedder answered nothing")
    rows = [
        Put(vector_row(*owner, runtime.space, ref, vector)) for ref, vector in zip(texts, vectors.vectors, strict=True)
    ]
    await runtime.store.apply(Batch(owner=owner, changes=tuple(rows)))
    return len(rows)
