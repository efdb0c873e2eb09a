"""Sharing one's memories: into a pool, into a collection, or with another agent. Nothing is shared automatically.

A copy keeps the trust, the source and the confidence of its original and says whose it is. Forgetting the original
takes the copies too: shared ones through `flows.sharing.withdraw`; those of other agents rest on the same events.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from memoranda.core.base.checks import brief
from memoranda.core.base.constraints import Id, Texts
from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import Scope, check_identifier, visible
from memoranda.core.beliefs.admission import Decision
from memoranda.core.beliefs.overlay import Overlay, again
from memoranda.core.erasure.reopened import COMPOSED
from memoranda.core.image.image import Partition
from memoranda.core.rows import Event, Pool, Record
from memoranda.core.rows.changes import Change
from memoranda.core.rows.columns import Floats
from memoranda.core.rows.lifecycle import OPEN
from memoranda.core.strata.goals import GOAL, Goal
from memoranda.errors import InputError, NotFoundError
from memoranda.flows.capture.gateway import admission_to, overlay_on
from memoranda.flows.runtime.commits import check_place, planned
from memoranda.flows.runtime.runtime import Runtime, embed
from memoranda.flows.sharing import collections, objects, pools, withdraw
from memoranda.flows.sharing.collections import Entry


async def to_pool(
    runtime: Runtime, scope: Scope, pool: Id, path: Id, record: Id, *, expect: pools.Version | None = None
) -> Pool:
    """Write a copy of one's own record into a pool: its text, kind, confidence, trust, and whose it is.

    Args:
        pool: its id.
        path: names joined by dots.
        record: the record's id, as recall gives it.
        expect: the version of the pool that must be current; any by default.

    Raises:
        VersionError: the pool has another version.
        NotFoundError: there is no such record in this scope, or it may read no such pool.
        AccessError: it may read it, and not write.
    """
    pools.check_path(path)
    found = await _own(runtime, scope, record)
    value = {"text": found.text, "kind": found.kind, "confidence": found.confidence, "trust": found.trust}
    value |= {"origin": {"user": scope.user, "record": record}}
    written = await pools.change(runtime, scope, pool, {"path": path, "value": value}, expect, found)
    await _still(runtime, scope, record)
    return written


async def to_collection(runtime: Runtime, scope: Scope, collection: Id, record: Id) -> Entry:
    """Add a copy of one's own record to a collection.

    Args:
        collection: its id.
        record: the record's id, as recall gives it.

    Raises:
        NotFoundError: there is no such record in this scope, or it may read no such collection.
        AccessError: it may read it, and not write.
        InputError: the collection is archived.
    """
    found = await _own(runtime, scope, record)
    event = objects.shared_event(runtime, scope, collection, "entry", found.text, of=found)
    copy = collections.entry_of(
        runtime, scope, event, found.kind, importance=found.importance, confidence=found.confidence,
        certainty=found.certainty, temporal=found.temporal,
    )  # fmt: skip
    entry = await collections.entered(runtime, scope, collection, copy, event)
    await _still(runtime, scope, record)
    return entry


async def take_back(runtime: Runtime, scope: Scope, record: Id) -> int:
    """Withdraw every copy of one's own record from all pools and collections, whoever may write there.

    Args:
        record: the record's id.

    Returns:
        How many events were dropped: one for each copy, and those of what others made of it.

    Raises:
        NotFoundError: no copy of such a record was shared from this scope.
    """
    check_place(scope)
    went = await withdraw.taken(runtime, scope, withdraw.Aim(lambda event: withdraw.shared(event, scope) == record))
    if not went:
        raise NotFoundError(f"No copy of a record {brief(record)} is shared from this scope.")
    return sum(isinstance(row, Event) for row in went)


@dataclass(slots=True)
class _Copies:
    decisions: list[Decision] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)


async def to_agent(runtime: Runtime, scope: Scope, agent: Id, *, records: Texts | None = None) -> tuple[Decision, ...]:
    """Copy what the scope's agent knows to another agent of the same user, e.g. to a new agent modelled on it.

    The copies rest on the same events, so that forgetting these takes both. Goals, strategies and summaries of the
    other agent that say the same stay as they are.

    Args:
        agent: the other one.
        records: ids of those that are copied; by default all that are this agent's alone and still hold.

    Returns:
        What the gateway decided about each.

    Raises:
        InputError: the scope names no agent, or the same.
        NotFoundError: there is no such record of this agent.
    """
    if scope.agent in (None, agent):
        raise InputError("Name an agent in the scope, and another one as agent=: what the user knows all agents know.")
    image = await runtime.partitions.current(scope.owner)
    embedded = await embed(runtime, scope, texts := [one.text for one in _private(image, scope, records)])
    vectors = dict(zip(texts, map(embedded.of, range(len(texts))), strict=True))

    def plan(partition: Partition) -> _Copies:
        admission = admission_to(runtime, partition, runtime.clock())
        composed: dict[str, Record] = {}
        for one in _private(partition, scope, records):
            place = (agent, one.channel, one.connection or "", one.kind, one.hash)
            copy = replace(
                one, id=derived_id(scope.owner, "record", *place), version=1, agent=agent,
                recorded_at=admission.overlay.now, supersedes=None, access_count=0, last_accessed=None, seq=0,
            )  # fmt: skip
            if one.editor in COMPOSED:
                composed[one.id] = copy
            else:
                admission.admit(copy, vectors.get(one.text))
        here = overlay_on(runtime, partition, admission.overlay.now)
        done = _laid(here, composed, vectors)
        return _Copies([*admission.decisions, *done], [*admission.overlay.changes, *here.changes])

    return tuple((await planned(runtime, scope, plan))[0].decisions)


def _laid(here: Overlay, copies: Mapping[str, Record], vectors: Mapping[str, Floats | None]) -> list[Decision]:
    """Plan copies of composed records, by the ids of the originals; a copy that exists already stays as it is."""
    names, known, done = dict[str, str](), set[str](), list[Decision]()
    for name, copy in copies.items():
        while here.taken(copy.id):
            stands = here.current(copy.id)
            if stands is not None and (stands.valid_to is None or stands.status == "rejected"):
                known.add(name)
                break
            copy = again(copy)  # noqa: PLW2901
        names[name] = copy.id
    for name, copy in copies.items():
        row = _among(replace(copy, id=names[name]), names)
        if here.partition.forbids(row):
            done.append(Decision(record=None, outcome="forgotten", reason="it was forgotten on request"))
        elif name in known:
            done.append(Decision(record=row.id, outcome="reinforced", other=row.id, reason="it stays as it was"))
        else:
            here.insert(row, vectors.get(row.text))
            done.append(Decision(record=row.id, outcome="added"))
    return done


def _among(record: Record, names: Mapping[str, str]) -> Record:
    """A copy of a goal, with parent and blockers replaced by their copies; other records are returned unchanged."""
    if record.kind != GOAL:
        return record
    goal = Goal.of(record)
    blockers = tuple(names.get(one, one) for one in goal.blockers)
    return replace(
        record, value=replace(goal, parent=names.get(goal.parent or "", goal.parent), blockers=blockers).value
    )


def _private(partition: Partition, scope: Scope, wanted: Sequence[str] | None) -> list[Record]:
    """The current records of the scope's agent, in the order in which they began."""
    held = {one.id: one for one in partition.records.values() if one.agent == scope.agent and _holds(one, scope)}
    for one in wanted or ():
        if one not in held:
            raise _missing(one)
    return sorted((held[one] for one in (held if wanted is None else wanted)), key=lambda one: (one.valid_from, one.id))


def _holds(record: Record, scope: Scope) -> bool:
    return visible(record, scope) and record.valid_to is None and record.status in OPEN


async def _own(runtime: Runtime, scope: Scope, record: str) -> Record:
    found = (await runtime.partitions.current(scope.owner)).records.get(check_identifier("record", record))
    if found is None or not _holds(found, scope):
        raise _missing(record)
    return found


async def _still(runtime: Runtime, scope: Scope, record: str) -> None:
    """Withdraw a copy whose original was forgotten while the copy was made."""
    if record not in (await runtime.partitions.current(scope.owner)).records:
        await withdraw.copies(runtime, scope, {record})
        raise _missing(record)


def _missing(record: str) -> NotFoundError:
    return NotFoundError(
        f"There is no record {brief(record)} in this scope that still holds; recall gives the ids of records."
    )
