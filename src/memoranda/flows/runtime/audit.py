"""The audit: who did what, when, to which memories, as ids and counts.

A facade names the current verb in a context variable. A write and its audit entry go into the same transaction, so that
no write lacks an entry. The entry's id is made of the `seq` that the write was planned for, which no other write has,
and of the time, because a memory that is rebuilt elsewhere counts anew. Reads, refusals and writes to shared memory are
entered by the journal after the answer. Forgetting is covered by its receipt.
"""

from asyncio import sleep
from collections.abc import AsyncIterator, Awaitable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from memoranda.core.base.observing import Deed
from memoranda.core.base.scope import SHARED, Scope
from memoranda.core.beliefs.conflicts import COVERED
from memoranda.core.beliefs.duplicates import NEAR, NEAR_TERMS
from memoranda.core.recall.results import Context, Recalled
from memoranda.core.rows import AuditEntry, Event, LedgerEntry, Row, key_of
from memoranda.core.rows.changes import Add, Change, Patch, Put
from memoranda.core.text.terms import storable
from memoranda.errors import InputError, MemorandaError
from memoranda.flows.runtime.runtime import Runtime

_T = TypeVar("_T")
_IDS = 100
_QUERY = 200  # characters of a query that are kept
_UNTOLD = frozenset({"forget"})


@dataclass(slots=True)
class Act:
    """A verb that is being carried out.

    Attributes:
        operation: its name; `stratum`: the one that it concerns.
        query: what it asks, if anything; `begun`: when it began.
        writing: whether it has written; `elsewhere`: its writes to shared memory.
    """

    operation: str
    stratum: str = "all"
    query: object = None
    begun: datetime | None = None
    writing: bool = False
    elsewhere: Sequence[tuple[Scope, Sequence[Change]]] = ()


_KEY: ContextVar[str | None] = ContextVar("key", default=None)
_ACT: ContextVar[Act | None] = ContextVar("act", default=None)


@contextmanager
def acting(runtime: Runtime, act: Act) -> Iterator[None]:
    """Attribute all writes inside to `act`, which begins now."""
    act.begun = runtime.clock()
    token = _ACT.set(act)
    try:
        yield
    finally:
        _ACT.reset(token)


@contextmanager
def through(key: str | None) -> Iterator[None]:
    """Attribute all entries inside to the key with which a door was opened."""
    token = _KEY.set(key)
    try:
        yield
    finally:
        _KEY.reset(token)


async def audited(runtime: Runtime, scope: Scope, act: Act, work: Awaitable[_T]) -> _T:
    """Await `work`, and enter afterwards what it did besides writing."""
    level = runtime.settings.audit
    if level == "off":
        return await work
    reads = level != "writes"

    def note(**values: Any) -> None:
        query = storable(str(act.query))[0][:_QUERY] if reads and act.query is not None else None
        row = _entry(runtime, scope, act, id=runtime.ids(), query=query, **values)
        runtime.journal.note(row, str(act.query or ""))

    try:
        with acting(runtime, act):
            answer = await work
    except MemorandaError as error:
        if act.writing or level == "verbose" or (reads and not isinstance(error, InputError)):
            note(error=type(error).__name__)
        raise
    for place, changes in act.elsewhere:
        told = _entry_fields(place, changes)
        note(ids=told["ids"], counts=told["counts"])
    if reads and not act.writing and act.operation not in _UNTOLD:
        ids = _answered(answer)
        note(ids=ids[:_IDS], counts={"items": len(ids)} if ids else {})
    return answer


async def observed(runtime: Runtime, deed: Deed, work: Awaitable[_T]) -> _T:
    """Await `work`, which the observer of the settings watches."""
    observer = runtime.settings.observer
    if observer is None:
        return await work
    with observer.observing(deed):
        answer = await work
        deed.records, deed.degraded = _answered(answer), len(getattr(answer, "degraded", ()))
    return answer


async def handed_out(runtime: Runtime, scope: Scope, act: Act, rows: AsyncIterator[_T]) -> AsyncIterator[_T]:
    """Yield `rows`; the entry is made when the first is requested."""
    await audited(runtime, scope, act, sleep(0))
    async for row in rows:
        yield row


def entered(runtime: Runtime, scope: Scope, changes: Sequence[Change], seq: int) -> list[Change]:
    """The audit entry of a write that was planned against `seq`, to be written with it."""
    if runtime.settings.audit == "off":
        return []
    act = _ACT.get() or Act("background")
    act.writing = True
    if scope.user == SHARED:
        act.elsewhere = [(scope, changes)]
        return []
    name = f"{seq + 1:012d}-{runtime.clock():%Y%m%dT%H%M%S%f}"
    return [Add(_entry(runtime, scope, act, id=name, **_entry_fields(scope, changes)))]


def _entry(runtime: Runtime, scope: Scope, act: Act, **values: Any) -> AuditEntry:
    now = runtime.clock()
    return AuditEntry(
        tenant=scope.tenant, user=scope.user, operation=act.operation,
        stratum=act.stratum, agent=scope.agent, channel=scope.channel,
        key=_KEY.get(), thresholds=_thresholds(runtime) if runtime.settings.audit == "verbose" else {}, at=now,
        milliseconds=(now - (act.begun or now)).total_seconds() * 1_000,
        **{"connection": next(iter(scope.connections), None), "conversation": scope.conversation, **values},
    )  # fmt: skip


def _thresholds(runtime: Runtime) -> dict[str, Any]:
    return {
        "conflict_policy": runtime.settings.conflict_policy, "near_cosine": NEAR, "near_terms": NEAR_TERMS,
        "denied_words": COVERED,
    }  # fmt: skip


def _entry_fields(scope: Scope, changes: Sequence[Change]) -> dict[str, Any]:
    """What an entry says about changes: counts, ids, and the place that all of their events have in common.

    Whoever sees the entry must be allowed to see the rows it names. Rows elsewhere (such as an agent's own, ended by
    the user) are only counted. So are patched rows, because a patch does not say where its row lies.
    """
    counts: dict[str, int] = {}
    rows: list[Row] = []
    ids: dict[str, None] = {}
    for change in changes:
        kind = type(change.row) if isinstance(change, Add | Put) else change.kind
        counts[kind.__table__] = counts.get(kind.__table__, 0) + 1
        if not isinstance(change, Add | Put):
            if kind is Event:  # events are marked as processed where they lie
                ids[str(change.key[0])] = None
        elif kind.__traits__.named:
            rows.append(change.row)
    events = [row for row in rows if isinstance(row, Event)]
    told: dict[str, Any] = {"counts": counts}
    told["connection"] = next((found for row in events or rows if (found := getattr(row, "connection", None))), None)
    if events:
        first = events[0].conversation
        told["conversation"] = first if all(event.conversation == first for event in events) else None
    for row in rows:
        where = [getattr(row, name, None) for name in ("agent", "connection", "channel")]
        if all(one in (None, here) for one, here in zip(where, (scope.agent, told["connection"]), strict=False)) and (
            where[2] is None or where[2] in scope.channels
        ):
            ids[str(getattr(row, row.__key__[0]))] = None
    return {**told, "ids": tuple(ids)[:_IDS]}


def _answered(answer: object) -> tuple[str, ...]:
    """Ids of the memories that were returned."""
    match answer:
        case Recalled():
            return tuple(item.id for item in answer)
        case Context():
            return tuple(dict.fromkeys(answer.citations.values()))
    return ()


def nameless(rows: Iterable[AuditEntry | LedgerEntry], gone: Collection[str]) -> Iterator[Patch]:
    """Changes that remove what is gone from entries of the audit and the ledger, and the query with it."""
    for row in rows:
        deed = isinstance(row, AuditEntry)
        named = row.ids if isinstance(row, AuditEntry) else row.about
        left = tuple(one for one in named if one not in gone)
        if left != named:
            yield Patch(type(row), key_of(row), {"ids": left, "query": None} if deed else {"about": left})
