"""Strategies learned from conversations that went well: the tools called, in order, for what the user wanted."""

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import Owner, Scope, visible
from memoranda.core.beliefs.outcomes import OUTCOME
from memoranda.core.rows import Event
from memoranda.core.strata.procedures import TOOL_CALL
from memoranda.core.text.fence import stripped
from memoranda.errors import InputError
from memoranda.flows.runtime.runtime import Runtime
from memoranda.flows.strata.strategies import Taught, taught
from memoranda.ports import Query, Where

_WANTED = 200  # characters of the user's request that are quoted
_Place = tuple[str | None, str, str | None]


async def learned(runtime: Runtime, owner: Owner) -> tuple[str, ...]:
    """Learn once from each good outcome of a conversation with tool calls; return ids of strategies.

    A strategy lies in the place of the calls. It falls with the outcome, the user's request, or any of the calls. A
    conversation is read only while some place with calls of its own could know the outcome and has not learned from it.
    """
    partition = await runtime.partitions.current(owner)
    index = partition.index
    places: dict[str | None, set[_Place]] = {}
    for number in np.flatnonzero(index.columns["kind"] == index.codes["kind"].look(TOOL_CALL)).tolist():
        call = index.passages[number]
        places.setdefault(call.conversation, set()).add((call.agent, call.channel, call.connection))
    lessons = {
        derived_id(owner, "lesson", one.id, place[0] or "", place[1], place[2] or ""): (one, place)
        for one in await _events(runtime, owner, Where("kind", "=", OUTCOME))
        if one.metadata["success"] and one.conversation is not None
        for place in sorted(places.get(one.conversation, ()), key=repr)
        if _known(one, place)
    }
    told = await runtime.store.get(Event, owner, [(name,) for name in lessons])
    new = (name for name, event in zip(lessons, told, strict=True) if event is None)
    left = [name for name in new if not partition.buried((name,), "", lessons[name][1][0])]
    found = [await _teach(runtime, owner, name, *lessons[name]) for name in left]
    return tuple(dict.fromkeys(filter(None, found)))


async def _events(runtime: Runtime, owner: Owner, where: Where) -> Sequence[Event]:
    query = Query(kind=Event, tenant=owner.tenant, user=owner.user, where=(where,))
    [rows] = (await runtime.store.find(owner, query)).rows
    return sorted(rows, key=lambda event: (event.event_time, event.seq))


def _known(event: Event, place: _Place) -> bool:
    """Whether everybody who sees a place sees an event."""
    agent, channel, connection = place
    here = Scope(
        tenant=event.tenant, user=event.user, agent=agent, channel=channel,
        connections=(connection,) if connection else (),
    )  # fmt: skip
    return event.agent in (None, agent) and visible(event, here)


async def _teach(runtime: Runtime, owner: Owner, name: str, outcome: Event, place: _Place) -> str | None:
    """Learn from the calls in one place, if the user's request may be known there and the lesson was not forgotten."""
    agent, channel, connection = place
    events = await _events(runtime, owner, Where("conversation", "=", outcome.conversation))
    asked = next((one for one in events if one.role == "user" and _known(one, place)), None)
    mine = [one for one in events if (one.kind, one.agent, one.channel, one.connection) == (TOOL_CALL, *place)]
    calls = [one for one in mine if one.metadata["success"]]
    if asked is None or not calls or await runtime.store.get(Event, owner, [(name,)]) != [None]:
        return None
    here = Scope(
        tenant=owner.tenant, user=owner.user, agent=agent, channel=channel, conversation=outcome.conversation,
        connections=(connection,) if connection else (),
    )  # fmt: skip
    tools = tuple(tool for tool, _ in groupby(call.speaker or "" for call in calls))
    wanted = " ".join(stripped(asked.content).split())[:_WANTED]
    by = Taught(event=name, connection=connection, rests=(outcome.id, asked.id, *(call.id for call in calls)))
    try:
        return (await taught(runtime, here, f"Call {', then '.join(tools)}", wanted, tools, success=True, by=by)).id
    except InputError:
        return None
