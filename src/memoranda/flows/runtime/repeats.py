"""A write that its caller may send again, because the answer got lost: carried out once, answered alike.

The caller names the call. With the first thing that it writes, in the same transaction, goes a row that says so; the
answer is added when there is one. Whoever sends it again gets that answer.
"""

import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from memoranda.core.base.scope import SHARED, Owner, Scope
from memoranda.core.rows import AnsweredCall, Json, key_of
from memoranda.core.rows.changes import Add, Batch, Change, Patch, Put
from memoranda.errors import ConflictError, InputError
from memoranda.flows.runtime.runtime import Runtime

CALLS = timedelta(days=1)  # how long a call may be sent again
_LONGEST = 1 << 18  # characters of an answer that is kept


@dataclass(slots=True)
class Mark:
    """A call that may be sent again.

    Attributes:
        id: of its row; `request`: the hash of what was sent.
        owner: whose memory it has written to, since it has.
    """

    id: str
    request: str
    owner: Owner | None = None

    @classmethod
    def of(cls, caller: str, name: str, request: Json) -> "Mark":
        """Return the mark of a request that a caller gave a name."""
        told = json.dumps(request, sort_keys=True)
        return cls(sha256(f"{caller}\0{name}".encode()).hexdigest(), sha256(told.encode()).hexdigest())


class Repeated(Exception):  # noqa: N818 - it is no error
    """Somebody carried out the call meanwhile."""


_MARK: ContextVar[Mark | None] = ContextVar("mark", default=None)


@contextmanager
def _marking(mark: Mark) -> Iterator[None]:
    token = _MARK.set(mark)
    try:
        yield
    finally:
        _MARK.reset(token)


async def once(
    runtime: Runtime, owner: Owner, mark: Mark, work: Callable[[], Awaitable[Json]], *, keep: bool = True
) -> tuple[Json, bool]:
    """Await `work`, unless this call was carried out before; return its answer, and whether it is that of before.

    Args:
        runtime: the runtime.
        owner: whose memory it is about.
        mark: of the call.
        work: carries it out.
        keep: whether the answer may be kept; else whoever sends the call again learns only that it was carried out.

    Raises:
        InputError: another request had this name.
        ConflictError: the call is being carried out, or was, and its answer is not known.
    """
    try:
        if row := await _known(runtime, owner, mark):
            return _before(row, mark), True
        with _marking(mark):
            answer = await work()
    except Repeated:
        row = await _known(runtime, owner, mark)
        return _before(row, mark) if row else None, True
    kept: Json = {"answer": answer} if keep and len(json.dumps(answer)) <= _LONGEST else None
    await _keep(runtime, mark.owner or owner, mark, kept)
    return answer, False


async def marked(runtime: Runtime, scope: Scope, changes: Sequence[Change]) -> list[Change]:
    """The row of a call that may be sent again, for the first transaction in which it writes.

    Called when what the transaction depends on was read: whoever writes later makes it fail.

    Raises:
        Repeated: somebody carried out the same call since it was begun.
    """
    mark = _MARK.get()
    if mark is None or mark.owner is not None:
        return []
    if (await runtime.store.get(AnsweredCall, scope.owner, [(mark.id,)]))[0] is not None:
        raise Repeated
    about = tuple(dict.fromkeys(name for change in changes for name in _names(change)))
    return [Add(_row(runtime, scope.owner, mark, about))]


def written(scope: Scope) -> None:
    """Say that the transaction with the mark was written."""
    if mark := _MARK.get():
        mark.owner = mark.owner or scope.owner


def _names(change: Change) -> Iterator[str]:
    """The id of what a change is about, if the audit would name it."""
    if isinstance(change, Add | Put):
        kind, key = type(change.row), key_of(change.row)
    else:
        kind, key = change.kind, change.key
    if kind.__traits__.named and "id" in kind.__key__:
        yield key[kind.__key__.index("id")]


def _row(runtime: Runtime, owner: Owner, mark: Mark, about: tuple[str, ...], answer: Json = None) -> AnsweredCall:
    return AnsweredCall(
        tenant=owner.tenant, user=owner.user, id=mark.id, request=mark.request, about=about, answer=answer,
        at=runtime.clock(),
    )  # fmt: skip


async def _known(runtime: Runtime, owner: Owner, mark: Mark) -> AnsweredCall | None:
    for one in dict.fromkeys((owner, Owner(owner.tenant, SHARED))):
        [row] = await runtime.store.get(AnsweredCall, one, [(mark.id,)])
        if row is not None:
            return row
    return None


def _before(row: AnsweredCall, mark: Mark) -> Json:
    if row.request != mark.request:
        raise InputError("Another request had this name: give each request a name of its own.")
    if row.answer is None:
        raise ConflictError(
            "This request is being carried out, or was, and its answer is not known: read what is there."
        )
    return row.answer["answer"] if isinstance(row.answer, dict) else None


async def _keep(runtime: Runtime, owner: Owner, mark: Mark, kept: Json) -> None:
    change: Change = (
        Patch(AnsweredCall, (mark.id,), {"answer": kept})  # none, if what it wrote was forgotten since
        if mark.owner
        else Put(_row(runtime, owner, mark, (), kept))
    )
    batch = Batch(owner=owner, changes=(change,))
    runtime.partitions.follow(batch, await runtime.store.apply(batch))
