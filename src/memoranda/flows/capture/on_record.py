"""Events as they may be kept: without what turns before them ask not to be kept.

A user's turn that withholds words is answered by the agent, by tools and by what an agent notes of it; all of these
repeat it. What was announced comes in that speaker's next turn. Nothing of either reaches the log, a model or a cache.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from memoranda.core.base.scope import GLOBAL, Scope
from memoranda.core.language.extraction import UTC_OFFSET
from memoranda.core.language.force.off_record import WITHHELD, Wishes, asking
from memoranda.core.rows import Event
from memoranda.core.rows.cells import Place
from memoranda.core.rows.statements import ENTITY
from memoranda.core.strata.procedures import LOGS, TOOL_CALL
from memoranda.core.strata.working import TURNS, Desk
from memoranda.errors import StoreError
from memoranda.flows.runtime.runtime import Runtime

#: Notes of an event that say nothing of its words: its name and its time; and what the statistics of a tool need.
_KEPT = frozenset({"message", "stamped", UTC_OFFSET})
_COUNTED = frozenset({"success", "latency", "task_type"})
#: Answers what is asked in a conversation, or in none, of a channel.
Stored = Callable[[str | None, str], Wishes]
#: What is asked, by conversation, if it has one, and channel.
Asked = Mapping[tuple[str | None, str], Wishes]
NOTHING: Asked = MappingProxyType({})


class Hearing:
    """Hears events in order, each as it may be kept.

    Args:
        stored: what is asked in a place before the first of them.
        waiting: the same, where turns wait that are not in the log yet.
    """

    def __init__(self, stored: Stored, waiting: Asked = NOTHING) -> None:
        self._stored = stored
        self._wishes = dict(waiting)

    def heard(self, event: Event) -> Event:
        """Return the event without what may not be kept of it: the same event if all may be."""
        wishes = self._asked(event)
        if _is_told(event):
            left = wishes.left_of(event.content, event.speaker)
            self.passed(event, asking(left))
        else:
            left = WITHHELD if wishes.answers and _answers(event) else event.content
        return event if left == event.content else bare(event, left)

    def passed(self, event: Event, asked: Collection[str]) -> None:
        """Hear of an event that was kept before, what it asks then: hosts give the last messages again and again."""
        if _is_told(event):
            self._wishes[_place(event)] = self._asked(event).behind(event.speaker, asked)

    def _asked(self, event: Event) -> Wishes:
        place = _place(event)
        return self._wishes[place] if place in self._wishes else self._stored(*place)


async def asked_before(runtime: Runtime, scope: Scope) -> Stored:
    """What the log asks, as far as this process knows it."""
    try:
        image = await runtime.partitions.recent(scope.owner)
    except StoreError:  # turns are taken without the log, and heard again when they reach it
        return lambda *_: Wishes()
    return image.talks.wishes


async def known_in_log(runtime: Runtime, scope: Scope, events: Sequence[Event]) -> dict[str, Event]:
    """The events that are in the log among turns with ids of the host: it may pass the whole conversation each time."""
    named = [(event.id,) for event in events if "message" in event.metadata]
    return {row.id: row for row in await runtime.store.get(Event, scope.owner, named) if row} if named else {}


def heard_behind(desk: Desk, events: Sequence[Event], stored: Stored, logged: Mapping[str, Event]) -> list[Event]:
    """Events of one place as they may be kept behind what the log holds and what waits; those known, as they were."""
    said = {turn["id"]: turn["content"] for turn in desk.get(TURNS, ())}
    hearing = Hearing(stored, wishes_in(stored, (desk.get(name) for name in desk.waiting)))
    kept = []
    for event in events:
        before = logged[event.id].content if event.id in logged else said.get(event.id)
        if before is None:
            kept.append(hearing.heard(event))
            continue
        hearing.passed(event, asking(before))
        kept.append(event if before == event.content else bare(event, before))
    return kept


def wishes_in(stored: Stored, turns: Iterable[Mapping[str, Any]]) -> Asked:
    """What is asked behind turns that wait, each as JSON, and the log."""
    found: dict[tuple[str | None, str], Wishes] = {}
    for turn in turns:
        if turn.get("role", "user") == "user":  # defaults are left out
            place = turn.get("conversation"), turn.get("channel", GLOBAL)
            before = found[place] if place in found else stored(*place)
            found[place] = before.behind(turn.get("speaker"), asking(turn["content"]))
    return found


async def waiting_in(runtime: Runtime, scope: Scope, stored: Stored) -> Asked:
    """What turns of the scope's conversation ask that wait in working memory, and are not in the log yet."""
    if scope.conversation is None or scope.whole:
        return NOTHING
    place = Place(scope.tenant, scope.user, scope.agent or "", scope.channel, "conversation", scope.conversation)
    try:
        desk, _ = await runtime.desks.read(place)
    except StoreError:  # what is asked there is not known
        return NOTHING
    return wishes_in(stored, (desk.get(name) for name in desk.waiting))


def bare(event: Event, content: str) -> Event:
    """Return an event with other words, and of its notes those that say nothing."""
    called = event.kind == TOOL_CALL
    notes = {name: note for name, note in event.metadata.items() if name in (_COUNTED if called else _KEPT)}
    if called:
        notes |= {"input": WITHHELD, "output": None}
    return replace(event, content=content, metadata=notes)


def _place(event: Event) -> tuple[str | None, str]:
    return event.conversation, event.channel


def _is_told(event: Event) -> bool:
    return event.kind == "turn" and event.role == "user"


def _answers(event: Event) -> bool:
    """Whether an event says what somebody else than the user makes of a turn, in its conversation."""
    if event.kind == "turn":
        return True
    noted = event.kind == "observation" and event.source != "user_provided" and event.category != ENTITY
    return event.conversation is not None and (noted or event.kind in {TOOL_CALL, *LOGS})
