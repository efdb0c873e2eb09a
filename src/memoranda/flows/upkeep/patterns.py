"""Patterns: what the user says again and again becomes one record, and what worked becomes a strategy.

A pattern lies in the place of its episodes and rests on all of them; if one is forgotten, the pattern goes back to its
previous version, or falls. When it grows, a new record supersedes it, as a better wording would, so history shows how
it grew. While a pattern is in an answer, `flows.recall.recall` leaves out its episodes, unless they are asked for by
time or kind.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from types import MappingProxyType
from typing import Any

from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import SHARED, Owner, Scope, check_owner
from memoranda.core.beliefs.duplicates import MAX_SOURCES
from memoranda.core.beliefs.overlay import Overlay
from memoranda.core.beliefs.patterns import (
    EDITOR,
    GROWTH,
    IMPORTANCE,
    PATTERN,
    SPAN,
    Themes,
    current,
    episodes,
    pattern_text,
    theme,
)
from memoranda.core.image.image import Partition
from memoranda.core.rows import Event, Record
from memoranda.core.rows.access import Site, site_of
from memoranda.core.rows.changes import Change
from memoranda.core.rows.columns import Floats
from memoranda.core.rows.jobs import Did
from memoranda.core.rows.statements import CERTAINTY, TRUST
from memoranda.core.text.fence import stripped
from memoranda.core.text.terms import content_hash
from memoranda.flows.capture.gateway import overlay_on
from memoranda.flows.consolidation.lessons import learned
from memoranda.flows.runtime.commits import settled
from memoranda.flows.runtime.runtime import Runtime, embed, owners

_NONE: Mapping[str, Floats | None] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Patterned:
    """What a run did.

    Attributes:
        founded, extended: ids of new patterns, and of patterns that superseded a smaller one.
        strategies: ids of the strategies that were learned or tried again, one for each conversation that went well.
        episodes: how many were looked at.
        reason: why nothing came of it.
        degraded: parts that were down, each with what happened.
    """

    founded: tuple[str, ...] = ()
    extended: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()
    episodes: int = 0
    reason: str | None = None
    degraded: tuple[str, ...] = ()


@dataclass(slots=True)
class _Plan:
    """What is to be written for one owner."""

    founded: list[Record] = field(default_factory=list)
    extended: list[Record] = field(default_factory=list)
    episodes: int = 0
    changes: list[Change] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        return [one.text for one in (*self.founded, *self.extended)]


async def patterns(runtime: Runtime, tenant: str, user: str | None = None) -> Patterned:
    """Make patterns from episodes with a common theme, and strategies from conversations that went well.

    Args:
        tenant: whose.
        user: of whom; of all by default.
    """
    check_owner(tenant, user)
    found = [await _of(runtime, owner) for owner in await owners(runtime, tenant, user) if owner.user != SHARED]
    lists: dict[str, Any] = {
        name: tuple(dict.fromkeys(one for made in found for one in getattr(made, name)))
        for name in ("founded", "extended", "strategies", "degraded")
    }
    looked = sum(made.episodes for made in found)
    empty = not (lists["founded"] or lists["extended"] or lists["strategies"])
    nothing = (
        "no theme has enough new episodes, and no conversation went well since" if looked else "there are no episodes"
    )
    return Patterned(**lists, episodes=looked, reason=nothing if empty else None)


async def patterning(runtime: Runtime, tenant: str, user: str) -> AsyncGenerator[Did, None]:
    """As `patterns` for one user, as a job."""
    made = await patterns(runtime, tenant, user)
    counts = {name: len(getattr(made, name)) for name in ("founded", "extended", "strategies")}
    yield Did(counts=counts, looked=made.episodes, reason=made.reason or "", degraded=made.degraded)


async def _of(runtime: Runtime, owner: Owner) -> Patterned:
    """As `patterns`, for one owner."""
    first = await _plan(runtime, owner, await runtime.partitions.current(owner))
    embedded = await embed(runtime, Scope(tenant=owner.tenant, user=owner.user), first.texts)
    vectors = {text: embedded.of(number) for number, text in enumerate(first.texts)}

    async def plan(partition: Partition) -> _Plan:
        return await _plan(runtime, owner, partition, vectors)

    made = first
    if first.changes:
        made, _ = await settled(runtime, Scope(tenant=owner.tenant, user=owner.user), plan)
    return Patterned(
        founded=tuple(one.id for one in made.founded), extended=tuple(one.id for one in made.extended),
        strategies=await learned(runtime, owner), episodes=made.episodes,
        degraded=(embedded.problem,) if embedded.problem else (),
    )  # fmt: skip


async def _plan(
    runtime: Runtime, owner: Owner, partition: Partition, vectors: Mapping[str, Floats | None] = _NONE
) -> _Plan:
    """Plan what to write, given the owner's image."""
    now = runtime.clock()
    writing = overlay_on(runtime, partition, now)
    plan, index = _Plan(changes=writing.changes), partition.index
    for site, numbers in sorted(episodes(partition, now - SPAN).items(), key=itemgetter(0)):
        known = [one for one in current(partition) if site_of(one) == site]
        taken = {source for one in known for source in one.sources}
        free = [number for number in numbers if index.refs[number] not in taken]
        plan.episodes += len(free)
        believed = [one for one in known if one.status != "rejected"]
        members = {one.id: [index.numbers[source] for source in one.sources] for one in believed}
        members = {
            name: some
            for name, some in members.items()
            if len(some) < MAX_SOURCES and index.passages[some[0]].at >= now - SPAN
        }
        named = [theme(one) for one in known if one.id in members or one.status == "rejected"]
        themes = Themes(index, [*dict.fromkeys((*(n for some in members.values() for n in some), *free))])
        for one in known:
            if one.id in members:
                grown = themes.extended(members[one.id], free)
                free = [number for number in free if number not in grown]
                enough = len(grown) >= min(GROWTH * len(one.sources), MAX_SOURCES)
                new = await _record(runtime, owner, site, themes, grown) if enough else None
                if new is not None and not partition.forbids(new):
                    _supersede(writing, one, new, vectors.get(new.text))
                    plan.extended.append(new)
        for group in themes.found(free):
            new = await _record(runtime, owner, site, themes, group)
            if new is not None and not partition.forbids(new) and theme(new) not in named:
                writing.insert(new, vectors.get(new.text))
                plan.founded.append(new)
    return plan


def _supersede(writing: Overlay, old: Record, new: Record, vector: Floats | None) -> None:
    """Supersede a pattern with a larger one, which keeps its importance and uses."""
    writing.supersede(old)
    earned = replace(
        new, supersedes=old.id, importance=max(new.importance, old.importance), access_count=old.access_count,
        last_accessed=old.last_accessed,
    )  # fmt: skip
    writing.insert(earned, vector)


async def _record(runtime: Runtime, owner: Owner, site: Site, themes: Themes, members: Sequence[int]) -> Record | None:
    """The pattern of some episodes; None if one of them is gone since the image was read."""
    refs = [themes.index.refs[number] for number in members]
    found = await runtime.store.get(Event, owner, [(ref,) for ref in refs])
    events = sorted((event for event in found if event), key=lambda event: (event.event_time, event.id))
    if len(events) < len(refs):
        return None
    texts = [stripped(event.content) for event in events]
    text, named = pattern_text(events, texts, themes.words(members), runtime.analyzer)
    agent, channel, connection = site
    return Record(
        tenant=owner.tenant, user=owner.user, kind=PATTERN, text=text, subject="user",
        id=derived_id(owner, "record", *site, PATTERN, *sorted(refs)),
        value={"theme": named, "times": len(events)}, certainty="inferred", confidence=CERTAINTY["inferred"],
        importance=IMPORTANCE, agent=agent or None, channel=channel, connection=connection or None,
        source="system_learned", trust=min(TRUST["system_learned"], *(event.trust for event in events)),
        valid_from=events[-1].event_time, recorded_at=runtime.clock(), sources=tuple(event.id for event in events),
        editor=EDITOR, hash=content_hash(text),
    )  # fmt: skip
