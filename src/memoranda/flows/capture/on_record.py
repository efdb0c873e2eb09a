"""Events as they may be kept: without what turns before them ask not to be kept.

A user's turn that withholds words is answered by the agent, by tools and by what an agent notes of it; all of these
repeat it. What was announced comes in that speaker's next turn. Nothing of either reaches the log, a model or a cache.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from memoranda.core.base.scope import Scope
from memoranda.core.language.extraction import UTC_OFFSET
from memoranda.core.language.force.off_record import WITHHELD, Wishes, asking, wishes_in
from memoranda.core.rows import Event
from memoranda.core.rows.cells import Place
from memoranda.core.strata.procedures import TOOL_CALL
from memoranda.core.strata.working import TURNS
from memoranda.errors import StoreError
from memoranda.flows.runtime.runtime import Runtime

#: Notes of an event that say nothing of its words: its name, its time, and what the statistics of a tool need.
_KEPT = frozenset({"message", "stamped", UTC_OFFSET, "success", "latency", "task_type", "turn"})
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


async def known_in_log(runtime: Runtime, scope: Scope, events: Sequence[Event]) -> dict[str, str]:
    """What the log holds of several turns with ids of the host: it may pass the whole conversation each time."""
    named = [(event.id,) for event in events if "message" in event.metadata]
    if len(named) < 2:  # one alone is hardly known
        return {}
    return {row.id: row.content for row in await runtime.store.get(Event, scope.owner, named) if row}


def heard_behind(
    said: Sequence[Mapping[str, Any]], events: Sequence[Event], stored: Stored, logged: Mapping[str, str]
) -> list[Event]:
    """Events of one place as they may be kept behind the turns there; those known, there or by the log, as they are."""
    before = {**logged, **{turn["id"]: turn["content"] for turn in said}}
    asked = wishes_in(said)
    hearing = Hearing(stored, {} if asked is None else {_place(event): asked for event in events[:1]})
    kept = []
    for event in events:
        if event.id in before:
            hearing.passed(event, asking(before[event.id]))
        kept.append(event if event.id in before else hearing.heard(event))
    return kept


async def waiting_in(runtime: Runtime, scope: Scope) -> Asked:
    """What turns of the scope's conversation ask that wait in working memory, and are not in the log yet."""
    if scope.conversation is None or scope.whole:
        return NOTHING
    place = Place(scope.tenant, scope.user, scope.agent or "", scope.channel, "conversation", scope.conversation)
    desk, _ = await runtime.desks.read(place)
    found = wishes_in(desk.get(TURNS, ())) if desk.waiting else None
    return NOTHING if found is None else {(scope.conversation, scope.channel): found}


async def asked_before(runtime: Runtime, scope: Scope, place: Place) -> Stored:
    """What the log knows of what is asked; it is read where working memory holds nothing that a user said."""
    desk, _ = await runtime.desks.read(place)
    image = runtime.partitions.at_hand(scope.owner)
    try:
        if image is None and wishes_in(desk.get(TURNS, ())) is None:
            image = await runtime.partitions.current(scope.owner)
    except StoreError:  # turns are taken without the log, and heard again when they reach it
        pass
    return image.talks.wishes if image else lambda *_: Wishes()


def bare(event: Event, content: str) -> Event:
    """Return an event with other words, and of its notes those that say nothing."""
    notes = {name: note for name, note in event.metadata.items() if name in _KEPT}
    if event.kind == TOOL_CALL:
        notes |= {"input": WITHHELD, "output": None}
    return replace(event, content=content, metadata=notes)


def _place(event: Event) -> tuple[str | None, str]:
    return event.conversation, event.channel


def _is_told(event: Event) -> bool:
    return event.kind == "turn" and event.role == "user"


def _answers(event: Event) -> bool:
    """Whether an event says what somebody else than the user makes of a turn."""
    return event.kind in {"turn", TOOL_CALL} or (event.kind == "observation" and event.source != "user_provided")
