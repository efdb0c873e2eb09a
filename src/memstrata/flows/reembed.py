"""Embed passages that lack a vector: after an embedder was down, or when a memory is opened with another one."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from operator import attrgetter

from memstrata.core.changes import Batch, Put
from memstrata.core.checks import check_function
from memstrata.core.rows import Event, Passage, Record
from memstrata.core.scope import Owner, check_owner, place_of
from memstrata.errors import CapabilityError, EmbedderError
from memstrata.flows.audit import Act, acting, entered
from memstrata.flows.commits import reread
from memstrata.flows.planned import vector_row
from memstrata.flows.runtime import Runtime, embed, owners
from memstrata.ports import Query, Where

CHUNK = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Reembedded:
    """How many passages were embedded, in which space."""

    space: str
    embedded: int


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
    check_owner(tenant, user)
    check_function("progress", progress)
    done = 0
    for owner in await owners(runtime, tenant, user):
        partition = await runtime.partitions.current(owner)
        index = partition.index
        missing = [
            passage
            for passage, has in zip(index.passages, index.vectors.embedded, strict=True)
            if passage.ref and not has
        ]
        for start in range(0, len(missing), CHUNK):
            chunk = missing[start : start + CHUNK]
            with acting(runtime, Act("reembed")):
                done += await reread(partial(_embed, runtime, owner, chunk))
            if progress:
                progress(len(chunk))
    return Reembedded(space=runtime.space, embedded=done)


_version = attrgetter("version")  # of several versions, the last one's text is embedded


async def _embed(runtime: Runtime, owner: Owner, passages: list[Passage]) -> int:
    """Embed those of `passages` that still exist when written: what was forgotten meanwhile must not come back."""
    refs = Where("id", "in", tuple(passage.ref for passage in passages))
    events = Query(kind=Event, tenant=owner.tenant, user=owner.user, where=(refs,))
    records = Query(kind=Record, tenant=owner.tenant, user=owner.user, where=(refs,))
    page = await runtime.store.find(owner, events, records)
    texts = {event.id: event.content for event in page.rows[0]}
    texts |= {row.id: row.text for row in sorted(page.rows[1], key=_version)}
    scope = place_of(owner)
    embedded = await embed(runtime, scope, list(texts.values()), texts)
    if embedded.problem:
        raise EmbedderError(embedded.problem)
    vectors = zip(texts, () if embedded.vectors is None else embedded.vectors, strict=True)
    rows = [Put(vector_row(*owner, runtime.space, ref, vector)) for ref, vector in vectors]
    noted = entered(runtime, scope, rows, page.state.seq)
    await runtime.store.apply(Batch(owner=owner, changes=(*rows, *noted), expect=page.state.seq))
    return len(rows)
