"""Rows for the tests of the core, with what matters given."""

from datetime import UTC, datetime
from typing import Any

from memoranda.core.rows import Event, Passage, Record

NOW = datetime(2026, 1, 5, 9, 30, tzinfo=UTC)


def record(**values: Any) -> Record:
    """A record that holds since now."""
    given = {"id": "r1", "kind": "fact", "text": "User lives in Oslo.", "subject": "user", "hash": "h1"}
    times = {"valid_from": NOW, "recorded_at": NOW}
    return Record(**{"tenant": "acme", "user": "alice", **given, **times, **values})


def passage(ref: str, terms: str = "", **values: Any) -> Passage:
    """A passage of a turn."""
    given = {"role": "user", "at": NOW, "recorded_at": NOW, "length": len(terms)}
    return Passage(**{"tenant": "acme", "user": "alice", "ref": ref, "terms": terms, **given, **values})


def event(content: str, **values: Any) -> Event:
    """A turn of the user."""
    given = {"id": "e1", "event_time": NOW, "recorded_at": NOW}
    return Event(**{"tenant": "acme", "user": "alice", "content": content, **given, **values})
