"""Strategies: learned, found by the tasks they fit, and judged by how often they worked."""

from dataclasses import dataclass, field, replace
from typing import Annotated

from memoranda.core.base.constraints import Between, Id, Ids
from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import Scope
from memoranda.core.beliefs.duplicates import united
from memoranda.core.image.image import Partition
from memoranda.core.rows import Event, Record
from memoranda.core.rows.changes import Add, Change
from memoranda.core.strata.procedures import PROMOTED_FROM, STRATEGY, Fit, Strategy, fits
from memoranda.core.text.terms import content_hash
from memoranda.errors import InputError
from memoranda.flows.capture.events import content_of, event_at, own_words
from memoranda.flows.capture.gateway import overlay_on
from memoranda.flows.runtime.commits import planned
from memoranda.flows.runtime.reading import seen
from memoranda.flows.runtime.runtime import Runtime, embed

EDITOR = "procedures"


@dataclass(frozen=True, slots=True, kw_only=True)
class Taught:
    """The origin of a strategy that nobody stated: the id of its event, its connection, and what the event rests on."""

    event: str
    connection: str | None
    rests: tuple[str, ...]


@dataclass(slots=True)
class _Learned:
    """A strategy to be written."""

    strategy: Strategy
    changes: list[Change] = field(default_factory=list)


async def learn(
    runtime: Runtime,
    scope: Scope,
    description: str,
    context_pattern: str | None = None,
    tools: Ids = (),
    *,
    success: bool = True,
    conversation: Id | None = None,
) -> Strategy:
    """Learn a way to do something, from one time that it worked or failed; the same words are the same strategy.

    Args:
        description: what is done.
        context_pattern: when it fits.
        tools: those it uses, in order. They replace those of a known strategy if it worked with them.
        success: whether it worked.
        conversation: where that was.

    Raises:
        InputError: it was forgotten on request.
    """
    description = own_words(runtime, description)
    pattern = "" if context_pattern is None else own_words(runtime, context_pattern)
    here = scope if conversation is None else scope.narrow(conversation=conversation)
    return await taught(runtime, here, description, pattern, tuple(tools), success=success)


async def taught(
    runtime: Runtime,
    scope: Scope,
    description: str,
    pattern: str,
    used: tuple[str, ...],
    *,
    success: bool,
    by: Taught | None = None,
) -> Strategy:
    """Learn a strategy from checked arguments; with `by`, one that was seen in the conversation of the scope.

    Raises:
        InputError: it was forgotten on request.
    """
    now, connection = runtime.clock(), by.connection if by else None
    new = Strategy(id="", description=description, pattern=pattern, tools=used, since=now, last_used=now)
    new = replace(new, id=_id(scope, new.text, connection))
    embedded = await embed(runtime, scope, [new.text], (new.id,))
    event = replace(_said(runtime, scope, new, success=success), connection=connection)
    if by:
        event = replace(event, id=by.event, metadata={PROMOTED_FROM: list(by.rests)})

    def plan(partition: Partition) -> _Learned:
        known = partition.records.get(new.id)
        strategy = (Strategy.of(known) if known else new).tried(success, now, used)
        record = Record(
            tenant=scope.tenant, user=scope.user, id=new.id, kind=STRATEGY, category=STRATEGY, text=new.text,
            value=strategy.value, agent=scope.agent, channel=scope.channel, conversation=scope.conversation,
            connection=connection,
            source=event.source, trust=event.trust, valid_from=now, recorded_at=now, sources=(event.id,),
            editor=EDITOR, hash=content_hash(new.text),
        )  # fmt: skip
        if partition.forbids(record) or (known is None and partition.forbids(event)):
            raise InputError("This strategy was forgotten on request: say it in other words to have it learned again.")
        # Not through the gateway: similar strategies are counted apart, or a merge would lose what one of them earned.
        writing = overlay_on(runtime, partition, now)
        if known:
            writing.change(_again(known, strategy, event))
        else:
            writing.insert(record, embedded.of(0))
        return _Learned(strategy, [Add(event), *writing.changes])

    made, _ = await planned(runtime, scope, plan)
    return made.strategy


async def get(runtime: Runtime, scope: Scope, strategy: Id) -> Strategy:
    """A strategy by its id.

    Args:
        strategy: its id.

    Raises:
        NotFoundError: this scope sees no such strategy.
    """
    return Strategy.of(seen(await runtime.partitions.current(scope.owner), scope, STRATEGY, "strategies", strategy))


async def find(runtime: Runtime, scope: Scope, task: str, *, limit: Annotated[int, Between()] = 5) -> tuple[Fit, ...]:
    """The strategies that fit a task, by what they do and when they fit, best first; each says how often it worked.

    Those that failed more often than not come last. Otherwise, the nearer to the task and the likelier to work, the
    higher.

    Args:
        task: in words.
        limit: at most so many.
    """
    task = content_of(runtime, task)
    vector = (await embed(runtime, scope, [task])).of(0)
    partition = await runtime.partitions.current(scope.owner)
    return tuple(fits(partition, scope, frozenset(runtime.analyzer.terms(task)), vector)[:limit])


async def reinforce(runtime: Runtime, scope: Scope, strategy: Id, *, success: bool) -> Strategy:
    """Record whether a strategy worked when it was tried again.

    Args:
        strategy: its id.
        success: whether it worked.

    Raises:
        NotFoundError: this scope sees no such strategy.
    """
    now = runtime.clock()

    def plan(partition: Partition) -> _Learned:
        record = seen(partition, scope, STRATEGY, "strategies", strategy)
        moved = Strategy.of(record).tried(success, now)
        event = _said(runtime, scope, moved, success=success)
        event = replace(event, agent=record.agent, channel=record.channel)  # seen and forgotten where the strategy is
        writing = overlay_on(runtime, partition, now)
        writing.change(_again(record, moved, event))
        return _Learned(moved, [Add(event), *writing.changes])

    made, _ = await planned(runtime, scope, plan)
    return made.strategy


def _again(record: Record, strategy: Strategy, event: Event) -> Record:
    return replace(record, value=strategy.value, sources=united(record.sources, (event.id,)), editor=EDITOR)


def _id(scope: Scope, text: str, connection: str | None) -> str:
    place = (scope.agent or "", scope.channel, connection or "")
    return derived_id(scope.owner, "record", *place, STRATEGY, content_hash(text))


def _said(runtime: Runtime, scope: Scope, strategy: Strategy, *, success: bool) -> Event:
    now = runtime.clock()
    return event_at(
        scope, None, "system_learned", id=runtime.ids(), kind=STRATEGY, role="",
        content=f"Strategy {'worked' if success else 'failed'}: {strategy.text}", surface="tool", event_time=now,
        recorded_at=now,
    )  # fmt: skip
