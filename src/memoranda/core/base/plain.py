"""Values as JSON, which every door and the export write."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import date
from typing import Any


def plain(value: Any) -> Any:
    """`value` as JSON: objects field by field, sets in order, times in ISO 8601, bytes in hex, nothing left out."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    match value:
        case date():
            return value.isoformat()
        case bytes():
            return value.hex()
        case list() | tuple() | set() | frozenset():
            found = [plain(inner) for inner in value]
            return found if isinstance(value, list | tuple) else sorted(found)
        case Mapping():
            return {str(name): plain(inner) for name, inner in value.items()}
    return {item.name: plain(getattr(value, item.name)) for item in fields(value)}
