"""What is said in play: in a role-play, in a story told as "I", as data made up for a test.

Nothing of it is stated. It begins where it is agreed on and goes on over turns, until words end it or step out of it
("in real life I live in Bonn"), or a day passes without any; so whether a turn is played depends on the one before it
in its conversation. Within the turn that opens it, it does not end.
"""

import re
from collections.abc import Iterable
from datetime import datetime, timedelta

from memoranda.core.language.force.pasted import MASK
from memoranda.core.language.signs import hinted, sign
from memoranda.core.rows import Event

#: The trait of a turn at whose end play goes on.
PLAYED = "played"

#: The time without a turn after which nobody plays any more.
_REST = timedelta(days=1)

_OPENS = ("together", "roles", "told", "made_up", "tabletop")
_ENDS = ("over", "real", "halt", "closes")
_READ = 20_000  # characters of a turn that are read, as many as by extraction


def without_play(plain: str, *, on: bool) -> tuple[str, bool]:
    """Return a text of the same length in which what is played is masked, and whether play goes on behind it.

    `on` tells whether play goes on when it begins.
    """
    kept, at = "", 0
    if on:
        end = _first(_ENDS, plain)
        if end is None:
            return MASK * len(plain), True
        kept, at = MASK * end, end
    begin = _opened(plain, at)
    if begin is None:
        return kept + plain[at:], False
    return f"{kept}{plain[at:begin]}{MASK * (len(plain) - begin)}", True


def goes_on(event: Event, *, on: bool) -> bool:
    """Return whether play goes on behind a turn; only the user begins and ends it."""
    return without_play(event.content[:_READ], on=on)[1] if event.role == "user" else on


def lasts(since: datetime | None, now: datetime) -> bool:
    """Return whether play goes on at a time, if it did when somebody spoke last; None if it did not."""
    return since is not None and now - since < _REST


def in_play(events: Iterable[Event]) -> frozenset[str]:
    """Return the ids of the turns among events, in order, at whose beginning play goes on in their conversation."""
    playing: dict[tuple[str | None, str], datetime] = {}
    found = set[str]()
    for event in events:
        key = event.conversation, event.channel
        if event.kind == "turn":
            if lasts(playing.pop(key, None), event.event_time):
                found.add(event.id)
            if goes_on(event, on=event.id in found):
                playing[key] = event.event_time
    return frozenset(found)


def _opened(plain: str, at: int) -> int | None:
    """Return where play is agreed on; None if it is not."""
    return _first(_OPENS, plain, at) if hinted(plain, "played") else None


def _first(names: Iterable[str], plain: str, at: int = 0) -> int | None:
    """Return where the first match of one of some patterns begins; None if there is none."""
    found = (_pattern(name).search(plain, at) for name in names)
    return min((one.start() for one in found if one), default=None)


def _pattern(name: str) -> re.Pattern[str]:
    return sign(name, "played", re.IGNORECASE | re.MULTILINE)
