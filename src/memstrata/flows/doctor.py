"""The doctor: finds what is damaged, missing or out of step, and on request repairs it from the log.

A repair never removes words: a damaged event is written again with what can be read of it. What is derived and damaged
or missing is taken from a replay of the log; what the replay does not give is written again with what can be read, or
dropped if it would be a belief or a vector of nothing. Each step is told.
"""

from collections import Counter
from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

import numpy as np

from memstrata.core.changes import Batch, Drop, Put
from memstrata.core.checks import require
from memstrata.core.index import Index
from memstrata.core.merge import NEAR, alternatives, same_claim
from memstrata.core.partition import Partition
from memstrata.core.profile import NARRATIVE
from memstrata.core.replay import Key, keyed
from memstrata.core.rows import TABLES, Event, Passage, Record, Relation, Row, ToolUse, Vector, columns, key_of
from memstrata.core.rowset import Damaged
from memstrata.core.scope import SHARED, Owner, check_owner
from memstrata.core.soundness import flaws, known
from memstrata.errors import CapabilityError, StoreError
from memstrata.flows.capture import passage_in
from memstrata.flows.commits import reread
from memstrata.flows.planned import passage_of
from memstrata.flows.rebuild import replayed
from memstrata.flows.runtime import Runtime, owners
from memstrata.ports import Mending, Query

_T = TypeVar("_T")
STALE = timedelta(days=365)
ROUNDS = 4  # the most passes of a repair
SHOWN = 5  # rows named for each flaw
_COMPARED = 2_000  # the most records per owner among which the doctor looks for duplicates
#: What the doctor counts, each relative to which total.
_RATES = {"junk": "records", "duplicate": "records", "stale": "records", "unextracted": "turns"}
#: Kinds of events whose words, not metadata, say what happened. Others without metadata say nothing any more.
_SPOKEN = frozenset({"turn", "observation", "log"})
LOST = "damaged"  # the kind that such an event gets


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """What the doctor found.

    Attributes:
        store: what the store says of itself.
        owners: whose memories were examined, as "tenant/user".
        space: the embedding space in use; `embedded`: share of passages that have a vector in it.
        spaces: the same share for every space of which there are vectors, and for the next one.
        counts: rows by kind.
        rates: junk, duplicate, stale and unextracted, each 0 to 1.
        problems: what is wrong, each with what to do; empty if nothing is.
        repaired: what was done about it.
    """

    store: Mapping[str, Any]
    owners: tuple[str, ...]
    space: str
    embedded: float
    spaces: Mapping[str, float]
    counts: Mapping[str, int]
    rates: Mapping[str, float]
    problems: tuple[str, ...]
    repaired: tuple[str, ...] = ()


@dataclass(slots=True)
class _Findings:
    """What is found on the way, in owners examined so far."""

    problems: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    totals: Counter[str] = field(default_factory=Counter)
    spaces: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class _Rows:
    """All rows of an owner, with what can be read of the damaged ones."""

    seq: int
    all: Mapping[type[Row], Sequence[Any]]
    damaged: Sequence[Damaged]


async def doctor(
    runtime: Runtime, tenant: str | None = None, user: str | None = None, *, repair: bool = False
) -> Health:
    """Check the store and the memories in it. See `memstrata.memory.AsyncMemory.doctor`."""
    require(isinstance(repair, bool), "repair", repair, "True or False")
    if tenant is not None or user is not None:
        check_owner(tenant, user)
    found, done = _Findings(), list[str]()
    if repair and isinstance(runtime.store, Mending):
        done += await _tried(found, runtime.store.mend()) or ()
    described = await _tried(found, runtime.store.describe()) or {}
    found.problems += described.get("problems", ())
    whose = await _tried(found, _whose(runtime, described, tenant, user)) or ()
    for owner in whose:
        if repair:
            await _tried(found, reread(partial(_repair, runtime, owner, done)))
        await _tried(found, _examine(runtime, owner, found))
    return _health(runtime, described, whose, found, done)


async def _tried(found: _Findings, work: Coroutine[Any, Any, _T]) -> _T | None:
    """The result of `work`; None if it fails, which is a problem then."""
    try:
        return await work
    except StoreError as error:
        found.problems.append(f"{error}")
        return None


async def _whose(runtime: Runtime, described: Mapping[str, Any], tenant: str | None, user: str | None) -> list[Owner]:
    """The owners to examine: those named, or all that there are."""
    if tenant is not None:
        return await owners(runtime, tenant, user, TABLES.values())
    if described and "owners" not in described:
        raise CapabilityError("This store keeps its tenants apart: name the tenant to examine.")
    return [Owner(*owner) for owner in described.get("owners", ())]


async def _read(runtime: Runtime, owner: Owner) -> _Rows:
    queries = [Query(kind=kind, tenant=owner.tenant, user=owner.user, lenient=True) for kind in TABLES.values()]
    page = await runtime.store.find(owner, *queries)
    found: dict[type[Row], list[Any]] = {kind: [*some] for kind, some in zip(TABLES.values(), page.rows, strict=True)}
    for one in page.damaged:
        if not (one.lost or isinstance(one.row, Vector)):
            found[type(one.row)].append(_legible(one))
    return _Rows(page.state.seq, found, page.damaged)


async def _examine(runtime: Runtime, owner: Owner, found: _Findings) -> None:
    rows = await _read(runtime, owner)
    found.counts.update({kind.__table__: len(some) for kind, some in rows.all.items()})
    mine = f"{owner.tenant}/{owner.user}"
    told = [str(one) for one in rows.damaged if not one.lost] + [*_told(flaws(rows.all))]
    found.problems += [f"{mine}: {one}: memstrata doctor --repair" for one in told]
    found.problems += [f"{mine}: {one}: it cannot be repaired; restore a backup" for one in rows.damaged if one.lost]
    lengths = {space.name: 2 * space.dimension for space in _spaces(runtime)}
    odd = Counter(row.space for row in rows.all[Vector] if len(row.data) != lengths.get(row.space, len(row.data)))
    found.problems += [
        f"{mine}: {number:,} vectors kept in the space {space!r} do not have the "
        f"{lengths[space] // 2} numbers of the embedder: memstrata reembed, or give another model's space another name"
        for space, number in odd.items()
    ]
    refs = {row.ref for row in rows.all[Passage]}
    found.spaces.update(row.space for row in rows.all[Vector] if row.ref in refs)
    found.spaces.subtract(odd)
    partition = await runtime.partitions.current(owner)
    found.totals.update(_counted(partition, runtime.clock()))
    turns = [event.extraction for event in rows.all[Event] if event.role == "user"]
    found.totals.update(turns=len(turns), unextracted=turns.count("unextracted"))


def _told(found: Iterator[tuple[str, Key]]) -> Iterator[str]:
    """Each flaw once, with how often there is one, and some of the rows."""
    by: dict[str, list[str]] = {}
    for flaw, (_, key) in found:
        by.setdefault(flaw, []).append("/".join(map(str, key)))
    for flaw, names in by.items():
        more = ", …" if len(names) > SHOWN else ""
        yield f"{len(names):,} x {flaw} ({', '.join(names[:SHOWN])}{more})"


def _spaces(runtime: Runtime) -> list[Any]:
    return [model.space for model in (runtime.embedder, runtime.next_embedder) if model]


def _health(
    runtime: Runtime, described: Mapping[str, Any], whose: Sequence[Owner], found: _Findings, done: Sequence[str]
) -> Health:
    passages = found.counts["passages"]
    spaces = dict.fromkeys((space.name for space in _spaces(runtime)), 0) | found.spaces
    shares = {name: round(min(number / max(passages, 1), 1.0), 4) for name, number in sorted(spaces.items())}
    embedded = shares.get(runtime.space, 0.0)
    if runtime.embedder is None:
        found.problems.append("no embedder: memory is found by keywords only; pip install 'memstrata[local]'")
    elif spaces[runtime.space] < passages:
        lacking = f"{1 - embedded:.1%} of the passages have no vector in {runtime.space}"
        found.problems.append(f"{lacking}: run `memstrata reembed`")
    return Health(
        store=described, owners=tuple(f"{owner.tenant}/{owner.user}" for owner in whose), space=runtime.space,
        embedded=embedded, spaces=shares, counts={name: found.counts[name] for name in TABLES},
        rates={name: round(found.totals[name] / max(found.totals[whole], 1), 4) for name, whole in _RATES.items()},
        problems=tuple(found.problems), repaired=tuple(done),
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------- repair


async def _repair(runtime: Runtime, owner: Owner, done: list[str]) -> None:
    """Write again what is damaged or missing, until nothing more can be done: what is dropped leaves more to drop."""
    for _ in range(ROUNDS):
        rows = await _read(runtime, owner)
        wrong = {key: f"{_named(key)}: {flaw}" for flaw, key in flaws(rows.all)}
        wrong |= {(type(one.row), key_of(one.row)): f"{one}" for one in rows.damaged if not one.lost}
        if not wrong:
            return
        repair = _Repair(runtime, rows, {} if owner.user == SHARED else await replayed(runtime, owner, rows.all))
        right = repair.right(wrong)
        if not right:
            return
        changes = [Drop(*key) if row is None else Put(row) for key, row in right.items()]
        await runtime.store.apply(Batch(owner=owner, changes=tuple(changes), expect=rows.seq))
        runtime.partitions.forget(owner)
        for key, row in right.items():
            told = wrong.get(key, f"{_named(key)}: it was missing")
            done.append(f"{owner.tenant}/{owner.user}: {told}: {'dropped' if row is None else 'written again'}")


def _named(key: Key) -> str:
    return f"{key[0].__table__} {'/'.join(map(str, key[1]))}"


def _legible(one: Damaged) -> Row:
    """What is left of a row, with another of its times for one that is damaged.

    An event whose metadata was its meaning has none any more.
    """
    named = [item.name for item in columns(type(one.row)) if item.type == "datetime"]
    times = [getattr(one.row, name) for name in named if name not in one.columns and getattr(one.row, name)]
    row = replace(one.row, **{name: times[0] for name in named if times and name in one.columns})
    if isinstance(row, Event) and "metadata" in one.columns and (row.kind not in _SPOKEN or row.user == SHARED):
        return replace(row, kind=LOST, role="system")
    return row


class _Repair:
    """What an owner's rows should be."""

    def __init__(self, runtime: Runtime, rows: _Rows, derived: Mapping[Key, Row]) -> None:
        self._runtime = runtime
        self._rows = rows
        self._derived = derived
        self._events = {event.id: event for event in rows.all[Event]}
        self._records = {row.id: row for row in rows.all[Record] if row.superseded_at is None}
        self._before = keyed(row for some in rows.all.values() for row in some)

    def right(self, wrong: Iterable[Key]) -> dict[Key, Row | None]:
        """The rows that are wrong as they should be, None for those to drop, and what the log shows to be missing."""
        refs = {key[1][0] for key in wrong if key[0] is Passage}
        gone = [key for key, row in self._derived.items() if key not in self._before and _of(row, refs)]
        found = {key: self._row(key) for key in (*wrong, *gone)}
        lost = any(one.lost and isinstance(one.row, Event) for one in self._rows.damaged)  # what rests on it stays
        left = {} if lost else {key for key in wrong if key in self._before or key[0] in {Passage, Vector}}
        return {key: row for key, row in found.items() if row is not None or key in left}

    def _row(self, key: Key) -> Row | None:
        """The row as it should be; None if there should be none, or if nothing tells what it was."""
        kind, name = key[0], key[1][-1]
        row = self._derived.get(key)
        if row is None and kind is Passage:
            if name in self._records:
                return passage_of(self._records[name], self._runtime.analyzer)
            return passage_in(self._runtime, self._events[name]) if name in self._events else None
        if row is None and kind is not Vector:
            row = self._before.get(key)
        if isinstance(row, Record | Relation):
            row = replace(row, sources=tuple(one for one in row.sources if one in self._events))
            return known(row) if row.sources else None
        return None if row is None else known(row)


def _of(row: Row, refs: set[Any]) -> bool:
    """Whether a row is of one of these events or records, or statistics of tools."""
    return isinstance(row, ToolUse) or (isinstance(row, Record) and not refs.isdisjoint((row.id, *row.sources)))


# -------------------------------------------------------------------------------------------------- rates


def _counted(partition: Partition, now: datetime) -> dict[str, int]:
    """Count junk, duplicates (cosine 0.92) and stale records (a year untouched) among at most 2,000 open records."""
    live = [record for record in partition.records.values() if record.valid_to is None and record.kind != NARRATIVE]
    live = live[:_COMPARED]
    index = partition.index
    numbers = [index.numbers.get(record.id) for record in live]
    junk = sum(number is None or index.columns["terms"][number] == 0 for number in numbers)
    stale = sum(now - (record.last_accessed or record.recorded_at) > STALE for record in live)
    duplicate = 0
    held = [(record, number) for record, number in zip(live, numbers, strict=True) if number is not None]
    if index.dimension and held:
        vectors = index.vectors.of(np.array([number for _, number in held], np.int32))
        alike = np.triu(vectors @ vectors.T >= NEAR, 1)
        pairs = [(held[a], held[b]) for a, b in np.argwhere(alike).tolist()]
        duplicate = len({b[1] for a, b in pairs if same_claim(a[0], b[0]) and not _two(index, a, b)})
    return {"records": len(live), "junk": int(junk), "duplicate": duplicate, "stale": int(stale)}


def _two(index: Index, a: tuple[Record, int], b: tuple[Record, int]) -> bool:
    """Whether two similar records are nevertheless two facts."""
    return alternatives(a[0], b[0], *(index.passages[number].terms.split() for _, number in (a, b)))
