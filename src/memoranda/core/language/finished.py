"""Finished statements: what a host states whole lies in the metadata of its event as it was given, read by no rule.

A replay therefore comes to the same statements, and whoever forgets the event forgets them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from memoranda.core.rows import Event, Record
from memoranda.core.rows.statements import CERTAINTY, EXPIRING, STATED, TEMPORARY, Given, Statement, told_apart

#: The editor of the records made of them.
EDITOR = "host"
#: How important it is, if nothing else is said.
IMPORTANCE = 0.7
_SAYS = ("kind", "category", "text", "subject", "attribute", "value", "certainty", "importance", "correction")
_HOLDS = ("confidence", "begins", "ends", "expires", "about", "rests")
_TIMES = frozenset({"begins", "ends"})
_LISTS = frozenset({"about", "rests"})


def as_json(statements: Iterable[Statement]) -> list[dict[str, Any]]:
    """Return finished statements as they lie in the metadata of their event."""
    return [
        {name: getattr(one, name) for name in _SAYS}
        | {name: _plain(getattr(one.given or Given(), name)) for name in _HOLDS}
        for one in statements
    ]


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else list(value) if isinstance(value, tuple) else value


def stated_in(event: Event) -> tuple[Statement, ...]:
    """Return the statements that a host stated whole in an event; none if its words are to be read."""
    told = event.metadata.get(STATED, ()) if event.kind == "observation" else ()
    found = (Statement(**{name: one[name] for name in _SAYS}, rule=EDITOR, given=_given(one)) for one in told)
    return tuple(told_apart(one) if one.attribute else one for one in found)


def stating(event: Event, statements: Iterable[Statement]) -> Event:
    """Return an observation that states this whole."""
    return replace(event, metadata={**event.metadata, STATED: as_json(statements)})


def _given(told: Mapping[str, Any]) -> Given:
    held = {name: told[name] for name in _HOLDS}
    held |= {name: datetime.fromisoformat(held[name]) for name in _TIMES if held[name]}
    return Given(**{**held, **{name: tuple(held[name]) for name in _LISTS}})


def founded_on(event: Event) -> frozenset[str]:
    """Return the ids of the events that the statements of an event rest on beside their own."""
    told = event.metadata.get(STATED, ()) if event.kind == "observation" else ()
    return frozenset(name for one in told for name in one["rests"])


def searched(event: Event) -> bool:
    """Whether the words of an event are searched beside what it states.

    Of what is stated whole they are not if that has an end, so that they end with it, or if they are no statement.
    """
    told = stated_in(event)
    return not told or any(one.text == event.content and not (one.given and one.given.ends) for one in told)


def certainty(source: str) -> str:
    """Return how sure something is that a source states whole: what is concluded was said by nobody."""
    return "inferred" if source == "system_learned" else "explicit"


def as_given(record: Record, given: Given, said: datetime) -> Record:
    """Return a record as a host says that it holds, and how sure that is.

    What ended before it was said is past; what ends later holds beside what lasts, which then holds again.
    """
    begins = given.begins or min(record.valid_from, given.ends or record.valid_from)
    sure = record.confidence if given.confidence is None else given.confidence
    known = [name for name, least in CERTAINTY.items() if least <= sure] if given.confidence is not None else []
    return replace(
        record, valid_from=begins, valid_to=given.ends, temporal=_tense(record, given, said), confidence=sure,
        certainty=max(known, key=CERTAINTY.__getitem__, default="uncertain") if given.confidence is not None
        else record.certainty, sources=(*given.rests, *record.sources),
    )  # fmt: skip


def _tense(record: Record, given: Given, said: datetime) -> str:
    if given.ends is not None and given.ends <= said:
        return "past"
    if given.expires:
        return EXPIRING
    if record.kind == "plan":
        return "future"
    return TEMPORARY if given.ends else "current"
