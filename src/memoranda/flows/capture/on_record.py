"""Events as they may be kept: without what turns before them ask not to be kept.

A user's turn that withholds words is answered by the agent, by tools and by what an agent notes of it; all of these
repeat it. What was announced comes in that speaker's next turn. Nothing of either reaches the log, a model or a cache.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from memoranda.core.base.scope import Scope
from memoranda.core.language.extraction import UTC_OFFSET
from memoranda.core.language.force.off_record import WITHHELD, Wishes, asking, wishes_in
from memoranda.core.rows import Event
from memoranda.core.rows.cells import Place
from memoranda.core.strata.procedures import TOOL_CALL
from memoranda.core.strata.working import TURNS
from memoranda.flows.runtime.runtime import Runtime

#: Notes of an event that say nothing of its words: its name, its time, and what the statistics of a tool need.
_KEPT = frozenset({"message", "stamped", UTC_OFFSET, "success", "latency", "task_type", "turn"})
#: What is asked, by conversation, if it has one, and channel.
Asked = Mapping[tuple[str | None, str], Wishes]
NOTHING: Asked = MappingProxyType({})


class Hearing:
    """Hears events in order, each as it may be kept.

    Args:
        stored: what is asked in a place before the first of them.
        waiting: the same, where turns wait that are not in the log yet.
    """

    def __init__(self, stored: Callable[[str | None, str], Wishes], waiting: Asked = NOTHING) -> None:
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

    def all(self, events: Iterable[Event], before: Mapping[str, str]) -> list[Event]:
        """Return all of some events as `heard` does; `before` gives the words of those kept before, by id."""
        kept = []
        for event in events:
            if event.id in before:
                self.passed(event, asking(before[event.id]))
            kept.append(event if event.id in before else self.heard(event))
        return kept

    def passed(self, event: Event, asked: Collection[str]) -> None:
        """Hear of an event that was kept before, what it asks then: hosts give the last messages again and again."""
        if _is_told(event):
            self._wishes[_place(event)] = self._asked(event).behind(event.speaker, asked)

    def _asked(self, event: Event) -> Wishes:
        place = _place(event)
        return self._wishes[place] if place in self._wishes else self._stored(*place)


async def waiting_in(runtime: Runtime, scope: Scope) -> Asked:
    """What turns of the scope's conversation ask that wait in working memory, and are not in the log yet."""
    if scope.conversation is None or scope.whole:
        return NOTHING
    place = Place(scope.tenant, scope.user, scope.agent or "", scope.channel, "conversation", scope.conversation)
    desk, _ = await runtime.desks.read(place)
    found = wishes_in(desk.get(TURNS, ())) if desk.waiting else None
    return NOTHING if found is None else {(scope.conversation, scope.channel): found}


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
