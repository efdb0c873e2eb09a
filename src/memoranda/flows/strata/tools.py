"""Tool calls: each is an event that is found like an episode, and is counted in the same transaction."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any

import numpy as np

from memoranda.core.base.checks import require
from memoranda.core.base.constraints import Between, Id, Words
from memoranda.core.base.scope import Scope, check_identifier, visible
from memoranda.core.image.image import Partition
from memoranda.core.rows import Event, ToolUse
from memoranda.core.rows.changes import Put
from memoranda.core.strata.procedures import (
    TOOL_CALL,
    Call,
    Suggestion,
    ToolStats,
    counted,
    fits,
    stats_of,
    suggested,
    use_id,
)
from memoranda.core.text.terms import storable
from memoranda.errors import InputError
from memoranda.flows.capture.capture import read_event, write
from memoranda.flows.capture.events import content_of, event_at, json_of
from memoranda.flows.runtime.reading import own, undisturbed
from memoranda.flows.runtime.runtime import Runtime, embed

LONGEST = 3_600  # seconds that a call can take: a larger number is one of milliseconds
LIKE = 50  # of each tool, the newest calls among which similar ones are looked for


async def record(
    runtime: Runtime,
    scope: Scope,
    tool: Id,
    input: Any = None,  # noqa: A002 - what a tool is given
    output: Any = None,
    *,
    success: bool = True,
    latency: float | None = None,
    error: str | None = None,
    task_type: Id | None = None,
    turn: Id | None = None,
    why: Words | None = None,
    conversation: Id | None = None,
    connection: Id | None = None,
) -> Call:
    """Record that a tool was called; durable when it returns.

    Args:
        tool: its name.
        input, output: any JSON. All of it is kept; the first 1,000 characters of each are searched.
        success: whether it did what it was called for.
        latency: seconds, at most an hour; logs often have milliseconds, of which a second has 1,000.
        error: what went wrong.
        task_type: the kind of task it was called for, by which statistics can be filtered.
        turn: the id of the turn in which it was called, as `add` answers it.
        why: what it was called for, in words; they are searched, so that `suggest` finds it for a task like it.
        conversation: the conversation's id.
        connection: the tool connection it went through; the call is then seen only while that is active.

    Raises:
        InputError: nothing is left of this call without what was forgotten on request.
    """
    require(error is None or isinstance(error, str), "error", error, "a string, or leave it out")
    _check_latency(latency)
    here = scope if conversation is None else scope.narrow(conversation=conversation)
    now = runtime.clock()
    call = Call(
        id=runtime.ids(), tool=tool, input=json_of("input", input), output=json_of("output", output), success=success,
        latency=latency, error=error and storable(error)[0], task_type=task_type or "", turn=turn,
        why=None if why is None else content_of(runtime, why), channel=scope.channel, conversation=here.conversation,
        at=now,
    )  # fmt: skip
    event = event_at(
        here, connection, "tool_extracted_content", id=call.id, kind=TOOL_CALL, role="tool", speaker=tool,
        content=content_of(runtime, call.text), category=task_type, surface="tool", metadata=call.metadata,
        event_time=now, recorded_at=now,
    )  # fmt: skip
    done = await write(runtime, here, [read_event(runtime, event)], count_in)
    if not done.events:
        raise InputError("This call was forgotten on request, and is not recorded again.")
    return replace(call, forgotten=done.forgotten)


def count_in(partition: Partition, event: Event) -> Iterable[Put]:
    """The change that adds one call to the statistics of its tool."""
    return [Put(counted(partition.tools.get(use_id(event)), event))]


def _check_latency(latency: object) -> None:
    number = isinstance(latency, int | float) and not isinstance(latency, bool) and 0 <= latency <= LONGEST
    require(
        latency is None or number, "latency", latency, f"seconds, from 0 to {LONGEST:,}; divide milliseconds by 1,000"
    )


async def stats(
    runtime: Runtime,
    scope: Scope,
    *,
    tool: Id | None = None,
    task_type: Id | None = None,
    channel: Id | None = None,
) -> tuple[ToolStats, ...]:
    """Statistics of tool calls, the most called tool first.

    Args:
        tool: only of this one.
        task_type: only those for this kind of task.
        channel: only those in this channel; by default, those in all that the scope sees.
    """
    wanted = {"tool": tool, "task_type": task_type, "channel": channel}
    for name, value in wanted.items():
        if value is not None:
            check_identifier(name, value)
    uses = _uses(await runtime.partitions.current(scope.owner), scope)
    found = (use for use in uses if all(value in (None, getattr(use, name)) for name, value in wanted.items()))
    return tuple(stats_of(found).values())


@undisturbed(own)
async def calls(
    runtime: Runtime, scope: Scope, *, tool: Id | None = None, limit: Annotated[int, Between()] = 20
) -> tuple[Call, ...]:
    """Tool calls, the newest first.

    Args:
        tool: only of this one.
        limit: at most so many.
    """
    partition = await runtime.partitions.current(scope.owner)
    refs = [(partition.index.refs[number],) for number in _newest(runtime, partition, scope, tool)[:limit]]
    return tuple(map(Call.of, filter(None, await runtime.store.get(Event, scope.owner, refs))))


async def suggest(
    runtime: Runtime, scope: Scope, query: Words, *, limit: Annotated[int, Between()] = 5
) -> tuple[Suggestion, ...]:
    """Suggest tools for a task, best first: those of fitting strategies, and those of similar calls.

    Each says why, and how often that worked. What failed more often than not comes last.

    Args:
        query: the task, in words.
        limit: at most so many.
    """
    query = content_of(runtime, query)
    vector = (await embed(runtime, scope, [query])).of(0)
    terms = frozenset(runtime.analyzer.terms(query))
    partition = await runtime.partitions.current(scope.owner)
    index = partition.index
    by: dict[str, list[int]] = {}
    for number in _newest(runtime, partition, scope):
        by.setdefault(index.passages[number].speaker or "", []).append(number)
    like = {tool: index.near(numbers[:LIKE], terms, vector) for tool, numbers in by.items()}
    return tuple(suggested(fits(partition, scope, terms, vector), like, stats_of(_uses(partition, scope)))[:limit])


def _uses(partition: Partition, scope: Scope) -> list[ToolUse]:
    return [use for use in partition.tools.values() if visible(use, scope)]


def _newest(runtime: Runtime, partition: Partition, scope: Scope, tool: str | None = None) -> list[int]:
    """The passages of calls that a scope sees, the newest first."""
    columns = partition.index.columns
    mask = partition.mask(scope, now=runtime.clock(), kinds=frozenset({TOOL_CALL}))
    if tool is not None:
        mask &= columns["speaker"] == partition.index.codes["speaker"].look(tool)
    numbers = np.flatnonzero(mask)
    order = np.argsort(columns["at"][numbers], kind="stable")[::-1]
    return [int(number) for number in numbers[order]]
