"""The strata as the router sees them: their names, how a key is stored in long-term memory, and the merged ranking.

A value kept under a key in long-term memory is an ordinary record. Its attribute is made of the key, so a new value
ends the old one, history is kept, and forgetting the new one restores the old one.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TypeVar

from memoranda.core.rows import Json, Record
from memoranda.core.rows.statements import Statement, told_apart

WORKING, SHORT_TERM, LONG_TERM, SHARED = STRATA = ("working", "short_term", "long_term", "shared")

#: The subject of a record that is kept under a key; it names nobody.
KEY = "_key"
#: The category of such records.
KEPT = "value"

_T = TypeVar("_T")


def path_of(key: str, conversation: str | None) -> str:
    """Return the attribute for a key, within a conversation or in none."""
    return ".".join(_part(name) for name in ("key", key, conversation) if name is not None)


def _part(name: str) -> str:
    return name.replace("%", "%25").replace(".", "%2E")


def kept(value: Json) -> dict[str, str]:
    """Return a value as such a record holds it: as JSON, compared literally, so that 1 is neither true nor "1"."""
    return {"json": json.dumps(value, ensure_ascii=False)}


def keeping(statement: Statement, key: str, value: Json, conversation: str | None) -> Statement:
    """Return a statement that keeps a value under a key, distinct from those with other keys or values."""
    return told_apart(replace(statement, subject=KEY, attribute=path_of(key, conversation), value=kept(value)))


def value_of(record: Record) -> Json:
    """Return the value that a record keeps."""
    value: Json = json.loads(record.value["json"]) if isinstance(record.value, dict) else None
    return value


def one_ranking(found: Iterable[Sequence[tuple[float, _T]]]) -> list[tuple[float, _T]]:
    """Merge several rankings by nearness, keeping the order of each.

    An item ranked before a nearer one counts as equally near, because its ranking uses more than nearness.

    Args:
        found: the rankings, each best first, with the nearness of each item to the question.
    """
    ranked: list[tuple[float, _T]] = []
    for one in found:
        near = [*accumulate((nearness for nearness, _ in reversed(one)), max)]
        ranked += zip(reversed(near), (what for _, what in one), strict=True)
    return sorted(ranked, key=lambda pair: -pair[0])
