"""Renders values as text for people. It only draws; the text of memories is never treated as markup."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any, TypeVar

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from memoranda.core.rows import Row
from memoranda.doors.cli.texts import clean

_Drawing = TypeVar("_Drawing", bound=Callable[[Any], RenderableType])
#: What draws a value, by the full name of its class: so no flow is loaded for what is not drawn.
DRAWINGS: dict[str, Callable[[Any], RenderableType]] = {}


def draws(kind: str) -> Callable[[_Drawing], _Drawing]:
    """Declare what draws the values of a class, which is named as within `memoranda`."""

    def declare(drawing: _Drawing) -> _Drawing:
        DRAWINGS[f"memoranda.{kind}"] = drawing
        return drawing

    return declare


def draw(value: Any) -> RenderableType:
    """Draw `value` for people: as is declared for its class, else field by field, a list item by item."""
    if drawing := DRAWINGS.get(f"{type(value).__module__}.{type(value).__qualname__}"):
        return drawing(value)
    if is_dataclass(value):
        value = fields_of(value)
    if isinstance(value, Mapping) and value:
        named = [(str(name).replace("_", " "), inner) for name, inner in value.items()]
        plainly = [(name, inner) for name, inner in named if not _composed(inner)]
        lines: list[RenderableType] = [grid(plainly)] if plainly else []
        for name, inner in named:
            if _composed(inner):
                lines += [Text(name), Padding(draw(inner), (0, 0, 0, 4), expand=False)]
        return Group(*lines)
    if isinstance(value, list | tuple) and value:
        return Group(*map(draw, value))
    return Text(cell(value))


def fields_of(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass; for a row without those that all rows have, which say where it lies."""
    where = {item.name for item in fields(Row)} if isinstance(value, Row) else ()
    return {item.name: getattr(value, item.name) for item in fields(value) if item.name not in where}


def _composed(value: Any) -> bool:
    """Whether a value has fields of its own and needs more than one line."""
    return is_dataclass(value) or (isinstance(value, list | tuple) and any(map(is_dataclass, value)))


def cell(value: Any) -> str:
    """Return `value` on one line."""
    match value:
        case None:
            return "–"
        case datetime():
            return f"{value:%Y-%m-%d %H:%M}"
        case int() | float() if not isinstance(value, bool):
            return f"{round(value, 6):,}"
        case Mapping():
            return ", ".join(f"{cell(name)} {cell(inner)}" for name, inner in value.items()) or "none"
        case list() | tuple() | set() | frozenset():
            return ", ".join(map(cell, value)) or "none"
    return clean(str(value))


def under(text: str, style: str = "", depth: int = 4) -> RenderableType:
    """Draw a text indented by `depth` columns."""
    return Padding(Text(clean(text), style=style), (0, 0, 0, depth), expand=False)


def grid(rows: Iterable[Sequence[object]], head: Sequence[str] = ()) -> RenderableType:
    """Draw a table; with a head, all columns but the first are right-aligned."""
    cells = [[cell(one) for one in row] for row in ([head] if head else []) + list(rows)]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]

    def padded(place: int, text: str, width: int) -> str:
        room = " " * (width - cell_len(text))
        return room + text if head and place else text + room

    lines = ("  ".join(map(padded, range(len(row)), row, widths)).rstrip() for row in cells)
    return Text("\n".join(lines))


def note(words: Iterable[str], style: str) -> list[RenderableType]:
    """Draw notes for the end of an answer."""
    return [Text(clean(word), style=style) for word in words]


def degraded(parts: Iterable[str]) -> list[RenderableType]:
    """Draw the parts that were down."""
    return note((f"degraded: {part}" for part in parts), "yellow")


def day(moment: datetime | None) -> str:
    """Return the day of a moment."""
    return f"{moment:%Y-%m-%d}" if moment else "…"
