"""Parses times as people give them: an ISO time, an ISO date, or words, in UTC by default.

A date and words name a span. `beginning` returns its start and `ending` its end, so that `--since X --until X` covers
all of X.
"""

from datetime import UTC, datetime

from memoranda.core.base.checks import brief
from memoranda.core.temporal import query_window
from memoranda.errors import InputError
from memoranda.system import utc_now

HOW = 'give 2026-03-01, 2026-03-01T12:00+01:00, or words such as "last month" (UTC if no zone is given)'


def beginning(text: str) -> datetime:
    """Return the start of the time that `text` names."""
    return _span(text, 0)


def ending(text: str) -> datetime:
    """Return the end of the time that `text` names."""
    return _span(text, 1)


def _span(text: str, side: int) -> datetime:
    try:
        exact = datetime.fromisoformat(text.strip())
    except ValueError:
        exact = None
    if exact is not None and len(text.strip()) > len("2026-03-01"):
        return exact if exact.tzinfo else exact.replace(tzinfo=UTC)
    bound = (query_window(text, utc_now()) or (None, None))[side]
    if bound is None:
        raise InputError(f"{brief(text)} is no time: {HOW}.")
    return bound
