"""Strategies from conversations that went well: the tools called there, in order, for what the user wanted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from memstrata.core.fence import stripped
from memstrata.core.outcomes import OUTCOME
from memstrata.core.procedures import TOOL_CALL
from memstrata.core.rows import Event
from memstrata.core.scope import Owner, Scope, visible
from memstrata.core.text import derived_id
from memstrata.errors import InputError
from memstrata.flows.runtime import Runtime
from memstrata.flows.strategies import Taught, taught
from memstrata.ports import Query, Where

_WANTED = 200  # characters of what the user wanted that are repeated
_Place = tuple[str | None, str, str | None]


@dataclass(frozen=True, slots=True)
class _Lesson:
    """What went well, and all that tells it."""

    tools: tuple[str, ...]
    wanted: str
    rests: tuple[str, ...]


async def learned(runtime: Runtime, owner: Owner) -> tuple[str, ...]:
    """Learn from each good outcome of a conversation with calls of tools, once; answers ids of strategies.

    A strategy lies where the calls do, and falls with the outcome, what was wanted, or any of the calls.
    """
    found: dict[str, None] = {}
    good = [one for one in await _events(runtime, owner, Where("kind", "=", OUTCOME)) if one.metadata["success"]]
    for outcome in good:
        if outcome.conversation is None:
            continue
        events = await _events(runtime, owner, Where("conversation", "=", outcome.conversation))
        calls = [event for event in events if event.kind == TOOL_CALL and event.metadata["success"]]
        for place in sorted({(one.agent, one.channel, one.connection) for one in calls}, key=repr):
            mine = [one for one in calls if (one.agent, one.channel, one.connection) == place]
            if (lesson := _lesson(place, outcome, events, mine)) and (
                name := await _teach(runtime, owner, place, outcome, lesson)
            ):
                found[name] = None
    return tuple(found)


async def _events(runtime: Runtime, owner: Owner, where: Where) -> Sequence[Event]:
    query = Query(kind=Event, tenant=owner.tenant, user=owner.user, where=(where,))
    [rows] = (await runtime.store.find(owner, query)).rows
    return sorted(rows, key=lambda event: (event.event_time, event.seq))


def _lesson(place: _Place, outcome: Event, events: Iterable[Event], calls: Sequence[Event]) -> _Lesson | None:
    """What some calls in one place teach, if all that tells it may be known there."""
    asked = next((one for one in events if one.role == "user" and _known(one, place)), None)
    if asked is None or not _known(outcome, place):
        return None
    tools = tuple(tool for tool, _ in groupby(call.speaker or "" for call in calls))
    wanted = " ".join(stripped(asked.content).split())[:_WANTED]
    return _Lesson(tools, wanted, (outcome.id, asked.id, *(call.id for call in calls)))


def _known(event: Event, place: _Place) -> bool:
    """Whether everybody who sees a place sees an event."""
    agent, channel, connection = place
    here = Scope(
        tenant=event.tenant, user=event.user, agent=agent, channel=channel,
        connections=(connection,) if connection else (),
    )  # fmt: skip
    return event.agent in (None, agent) and visible(event, here)


async def _teach(runtime: Runtime, owner: Owner, place: _Place, outcome: Event, lesson: _Lesson) -> str | None:
    """Learn it, unless it was learned or forgotten before."""
    agent, channel, connection = place
    name = derived_id(owner, "lesson", outcome.id, agent or "", channel, connection or "")
    if (await runtime.store.get(Event, owner, [(name,)]))[0] is not None:
        return None
    here = Scope(
        tenant=owner.tenant, user=owner.user, agent=agent, channel=channel, conversation=outcome.conversation,
        connections=(connection,) if connection else (),
    )  # fmt: skip
    how = f"Call {', then '.join(lesson.tools)}"
    by = Taught(event=name, connection=connection, rests=lesson.rests)
    try:
        return (await taught(runtime, here, how, lesson.wanted, lesson.tools, success=True, by=by)).id
    except InputError:
        return None
