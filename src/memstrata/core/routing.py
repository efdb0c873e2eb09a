"""The strata as the router sees them: their names, what a key is in the long run, and one ranking of several.

What is kept under a key for good is a record like all others: its attribute is made of the key, so that a new value
ends the one before, with a history, and forgetting it brings that back.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TypeVar

from memstrata.core.rows import Json, Record
from memstrata.core.statements import Statement, told_apart

WORKING, SHORT_TERM, LONG_TERM, SHARED = STRATA = ("working", "short_term", "long_term", "shared")

#: The subject of a record that is kept under a key: nobody of whom anything is said.
KEY = "_key"
#: The category of what tells of that.
KEPT = "value"

_T = TypeVar("_T")


def path_of(key: str, conversation: str | None) -> str:
    """The attribute of what is kept under a key, within a conversation or in none."""
    return ".".join(_part(name) for name in ("key", key, conversation) if name is not None)


def _part(name: str) -> str:
    return name.replace("%", "%25").replace(".", "%2E")


def kept(value: Json) -> dict[str, str]:
    """What such a record holds: any value, as JSON, which is compared to the letter: 1 is not true, nor is it "1"."""
    return {"json": json.dumps(value, ensure_ascii=False)}


def keeping(statement: Statement, key: str, value: Json, conversation: str | None) -> Statement:
    """A statement as one that keeps a value under a key; another key or value makes another of the same words."""
    return told_apart(replace(statement, subject=KEY, attribute=path_of(key, conversation), value=kept(value)))


def value_of(record: Record) -> Json:
    """The value that a record keeps."""
    value: Json = json.loads(record.value["json"]) if isinstance(record.value, dict) else None
    return value


def one_ranking(found: Iterable[Sequence[tuple[float, _T]]]) -> list[tuple[float, _T]]:
    """Several rankings as one, each in its own order, and between them the nearer first.

    What one ranking has before something nearer counts as near as that, for it knows of more than nearness.

    Args:
        found: each best first, with how near to the question it is.
    """
    ranked: list[tuple[float, _T]] = []
    for one in found:
        near = [*accumulate((nearness for nearness, _ in reversed(one)), max)]
        ranked += zip(reversed(near), (what for _, what in one), strict=True)
    return sorted(ranked, key=lambda pair: -pair[0])
