"""Embed passages that lack a vector: after an embedder was down, after a change of the embedder, or before one.

What an owner lacks is read from the store, not from an image, because no image holds the space of the next embedder.
"""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter

from memoranda.core.base.constraints import Id, Progress
from memoranda.core.base.scope import Owner, place_of
from memoranda.core.beliefs.overlay import vector_row
from memoranda.core.rows import Event, Passage, Record, Vector
from memoranda.core.rows.changes import Batch, Put
from memoranda.core.rows.jobs import Did
from memoranda.core.rows.rowset import column
from memoranda.errors import CapabilityError, EmbedderError
from memoranda.flows.runtime.audit import Act, acting, entered
from memoranda.flows.runtime.commits import reread
from memoranda.flows.runtime.runtime import Runtime, embed, owners
from memoranda.ports import Query, Where

CHUNK = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Reembedded:
    """How many passages were embedded, in which space."""

    space: str
    embedded: int


async def reembed(
    runtime: Runtime, *, tenant: Id, user: Id | None = None, progress: Progress | None = None
) -> Reembedded:
    """Embed every passage that has no vector in the current space, or in that of `next_embedder` if it was given.

    Can be interrupted and resumed. The job `reembed` does the same by itself.

    Args:
        tenant: the tenant.
        user: the user; all users by default.
        progress: called with the number of passages embedded, once for each request to the embedder.

    Raises:
        CapabilityError: the memory was opened without an embedder.
        EmbedderError: the embedder failed; what was embedded until then stays.
    """
    runtime = _ahead(runtime)
    if runtime.embedder is None:
        raise CapabilityError("This memory is open without an embedder; open it with embedder='local' or another.")
    done = 0
    with acting(runtime, Act("reembed")):
        async for number in _embedding(runtime, await owners(runtime, tenant, user)):
            done += number
            if progress:
                progress(number)
    return Reembedded(space=runtime.space, embedded=done)


async def reembedding(runtime: Runtime, tenant: str, user: str | None) -> AsyncGenerator[Did, None]:
    """The job: as `reembed`, in steps, for those users of the tenant who have fewer vectors than passages."""
    runtime = _ahead(runtime)
    if runtime.embedder is None:
        yield Did(counts={}, reason="there is no embedder")
        return
    passages = Query(kind=Passage, tenant=tenant, user=user)
    vectors = Query(kind=Vector, tenant=tenant, user=user, where=(Where("space", "=", runtime.space),))
    found, there = [await runtime.store.count(query, by="user") for query in (passages, vectors)]
    yield Did(counts={"embedded": 0}, looked=sum(found.values()), reason=f"all have a vector in {runtime.space}")
    whose = [Owner(tenant, name) for name in sorted(found) if there.get(name, 0) < found[name]]
    async for number in _embedding(runtime, whose):
        yield Did(counts={"embedded": number})


async def _embedding(runtime: Runtime, whose: Sequence[Owner]) -> AsyncGenerator[int, None]:
    """Embed what these owners lack; yield how many passages each transaction embedded."""
    for owner in whose:
        missing = await _lacking(runtime, owner)
        for start in range(0, len(missing), CHUNK):
            yield await reread(partial(_embed, runtime, owner, missing[start : start + CHUNK]))


async def _lacking(runtime: Runtime, owner: Owner) -> list[str]:
    """The passages of an owner that have no vector in the space in use, or one of another length."""
    size = 2 * runtime.embedder.space.dimension if runtime.embedder else 0
    passages = Query(kind=Passage, tenant=owner.tenant, user=owner.user)
    vectors = Query(kind=Vector, tenant=owner.tenant, user=owner.user, where=(Where("space", "=", runtime.space),))
    page = await runtime.store.find(owner, passages, vectors)
    given = zip(column(page.rows[1], "ref"), column(page.rows[1], "data"), strict=True)
    there = {ref for ref, data in given if len(data) == size}
    return [ref for ref in column(page.rows[0], "ref") if ref not in there]


def _ahead(runtime: Runtime) -> Runtime:
    """The runtime with its next embedder, if it has one."""
    return replace(runtime, embedder=runtime.next_embedder) if runtime.next_embedder else runtime


_version = attrgetter("version")  # of several versions, the last one's text is embedded


async def _embed(runtime: Runtime, owner: Owner, passages: Sequence[str]) -> int:
    """Embed those of `passages` that still exist when written: what was forgotten meanwhile must not come back."""
    refs = Where("id", "in", tuple(passages))
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
