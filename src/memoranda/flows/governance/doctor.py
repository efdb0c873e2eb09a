"""The doctor: finds what is damaged, missing or out of step, and on request repairs it (`flows.governance.repairs`)."""

from collections import Counter
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

import numpy as np

from memoranda.core.base.constraints import Id
from memoranda.core.base.scope import Owner, check_owner
from memoranda.core.beliefs.duplicates import NEAR, alternatives, same_claim
from memoranda.core.beliefs.profile import NARRATIVE
from memoranda.core.erasure.replay import Key
from memoranda.core.image.image import Partition
from memoranda.core.image.index import Index
from memoranda.core.rows import TABLES, Event, Passage, Record, Vector
from memoranda.core.rows.changes import Batch, Drop, Put
from memoranda.errors import CapabilityError, StoreError, how_to_install
from memoranda.flows.governance.repairs import named, repairs, rows_of
from memoranda.flows.runtime.commits import reread
from memoranda.flows.runtime.runtime import Runtime, owners
from memoranda.ports import Mending

_T = TypeVar("_T")
STALE = timedelta(days=365)
SHOWN = 5  # rows named for each flaw
_COMPARED = 2_000  # the most records per owner among which the doctor looks for duplicates
#: What the doctor counts, each relative to which total.
_RATES = {"junk": "records", "duplicate": "records", "stale": "records", "unextracted": "turns"}


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
    """What is found on the way, in owners examined so far; `wrong`: whether a repair may help one of them."""

    problems: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    totals: Counter[str] = field(default_factory=Counter)
    spaces: Counter[str] = field(default_factory=Counter)
    wrong: bool = False


async def doctor(runtime: Runtime, *, tenant: Id | None = None, user: Id | None = None, repair: bool = False) -> Health:
    """Check the store, the embedding spaces and the memories. Each problem comes with what to do about it.

    Reads the whole SQLite file and every user's memory, so it takes seconds per gigabyte; `stats` only counts.

    Args:
        tenant: the tenant; all of the file by default.
        user: the user; all users by default.
        repair: repair what can be repaired, after copying the file to one beside it (SQLite). The log is kept as
            far as it can be read; what is derived from it and damaged or missing is derived again.

    Raises:
        CapabilityError: no tenant is named, and the store keeps its tenants apart.
    """
    if tenant is not None or user is not None:
        check_owner(tenant, user)
    done, failed = list[str](), _Findings()
    found, described, whose = await _looked(runtime, tenant, user)
    if repair and isinstance(runtime.store, Mending):
        done += await _tried(failed, runtime.store.mend(rows=found.wrong)) or ()
    if repair and (done or found.wrong):
        _, _, whose = await _looked(runtime, tenant, user)
        for owner in whose:
            await _tried(failed, reread(partial(_repair, runtime, owner, done)), owner)
        found, described, whose = await _looked(runtime, tenant, user)
    found.problems += (one for one in failed.problems if one not in found.problems)
    return _health(runtime, described, whose, found, done)


async def _looked(
    runtime: Runtime, tenant: str | None, user: str | None
) -> tuple[_Findings, Mapping[str, Any], Sequence[Owner]]:
    """What is found, what the store says of itself, and whose memories were examined."""
    found = _Findings()
    described = await _tried(found, runtime.store.describe()) or {}
    found.problems += described.get("problems", ())
    whose = await _tried(found, _whose(runtime, described, tenant, user)) or ()
    for owner in whose:
        await _tried(found, _examine(runtime, owner, found), owner)
    return found, described, whose


async def _tried(found: _Findings, work: Coroutine[Any, Any, _T], owner: Owner | None = None) -> _T | None:
    """The result of `work`; None if it fails, which is a problem then: of this owner, not of the others."""
    try:
        return await work
    except StoreError as error:
        found.problems.append(f"{error}")
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:  # of a value nobody expects
        whose = f"{owner.tenant}/{owner.user}" if owner else "the store"
        found.problems.append(f"{whose}: it cannot be read or repaired ({error!r}): restore a backup")
    found.wrong = True
    return None


async def _whose(runtime: Runtime, described: Mapping[str, Any], tenant: str | None, user: str | None) -> list[Owner]:
    """The owners to examine: those named, or all that there are."""
    if tenant is not None:
        return await owners(runtime, tenant, user, TABLES.values())
    if described and "owners" not in described:
        raise CapabilityError("This store keeps its tenants apart: name the tenant to examine.")
    return [Owner(*owner) for owner in described.get("owners", ())]


async def _examine(runtime: Runtime, owner: Owner, found: _Findings) -> None:
    rows = await rows_of(runtime, owner)
    found.counts.update({kind.__table__: len(some) for kind, some in rows.all.items()})
    mine = f"{owner.tenant}/{owner.user}"
    lost = [one for one in rows.damaged if one.lost]
    wrong = rows.wrong()
    _, left = await repairs(runtime, owner, rows)
    mends = isinstance(runtime.store, Mending)
    if lost and mends:  # which gives them a name, so that more can be told
        left = {}
    told = {key: flaw for key, flaw in wrong.items() if key not in left}
    found.wrong |= bool(told or lost)
    found.problems += [f"{mine}: {one}: memoranda doctor --repair" for one in _flaw_lines(told)]
    found.problems += [f"{mine}: {one}: {'memoranda doctor --repair' if mends else 'restore a backup'}" for one in lost]
    if not rows.all[Event] and (rows.all[Record] or rows.all[Passage]):
        found.problems.append(f"{mine}: the log is gone, what was derived from it is left as it is: restore a backup")
    found.problems += [f"{mine}: {one}: nothing here tells more of it: restore a backup" for one in _flaw_lines(left)]
    lengths = {space.name: 2 * space.dimension for space in _spaces(runtime)}
    odd = Counter(row.space for row in rows.all[Vector] if len(row.data) != lengths.get(row.space, len(row.data)))
    found.problems += [
        f"{mine}: {number:,} vectors kept in the space {space!r} do not have the "
        f"{lengths[space] // 2} numbers of the embedder: memoranda reembed, or give another model's space another name"
        for space, number in odd.items()
    ]
    refs = {row.ref for row in rows.all[Passage]}
    found.spaces.update(row.space for row in rows.all[Vector] if row.ref in refs)
    found.spaces.subtract(odd)
    partition = await runtime.partitions.current(owner)
    found.totals.update(_counted(partition, runtime.clock()))
    turns = [event.extraction for event in rows.all[Event] if event.role == "user"]
    found.totals.update(turns=len(turns), unextracted=turns.count("unextracted"))


def _flaw_lines(found: Mapping[Key, str]) -> list[str]:
    """Each flaw once, with how often there is one, and some of the rows."""
    by: dict[str, list[Key]] = {}
    for key, flaw in found.items():
        by.setdefault(flaw, []).append(key)
    told = []
    for flaw, keys in by.items():
        names = ", ".join("/".join(map(str, key)) for _, key in keys[:SHOWN]) + (", …" if len(keys) > SHOWN else "")
        told.append(flaw if flaw.startswith(named(keys[0])) else f"{len(keys):,} x {flaw} ({names})")
    return told


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
        found.problems.append(f"no embedder: memory is found by keywords only; {how_to_install('local')}")
    elif spaces[runtime.space] < passages:
        lacking = f"{1 - embedded:.1%} of the passages have no vector in {runtime.space}"
        found.problems.append(f"{lacking}: run `memoranda reembed`")
    return Health(
        store=described, owners=tuple(f"{owner.tenant}/{owner.user}" for owner in whose), space=runtime.space,
        embedded=embedded, spaces=shares, counts={name: found.counts[name] for name in TABLES},
        rates={name: round(found.totals[name] / max(found.totals[whole], 1), 4) for name, whole in _RATES.items()},
        problems=tuple(found.problems), repaired=tuple(done),
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------- repair


async def _repair(runtime: Runtime, owner: Owner, done: list[str]) -> None:
    """Write again what is damaged or missing."""
    rows = await rows_of(runtime, owner)
    right, _ = await repairs(runtime, owner, rows)
    changes = [Drop(*key) if row is None else Put(row) for key, row in right.items()]
    if changes:
        await runtime.store.apply(Batch(owner=owner, changes=tuple(changes), expect=rows.seq))
        runtime.partitions.forget(owner)
    wrong = rows.wrong()
    for key, row in right.items():
        flaw = wrong.get(key, "it was missing, or told of what is not there" if row else "what it is of is gone")
        told = flaw if flaw.startswith(named(key)) else f"{named(key)}: {flaw}"
        done.append(f"{owner.tenant}/{owner.user}: {told}: {'dropped' if row is None else 'written again'}")


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
