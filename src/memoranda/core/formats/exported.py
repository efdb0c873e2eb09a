"""Memoranda's own export: JSON lines, a header, the rows, and a last line with a checksum of all before it.

It is read line by line and believed as a whole: nothing of it may be used before its end was read. What every line may
hold follows from the declarations of the row kinds. Version 1 had a checksum of the rows alone, and told neither
whether it was of all of a user nor until when working memory lasts.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from datetime import UTC, datetime
from typing import Any, NoReturn

from memoranda.core.base.checks import brief
from memoranda.core.base.old_names import EXPORT
from memoranda.core.base.scope import SHARED, Owner, Scope, check_identifier, encodable
from memoranda.core.rows import TABLES, Column, ColumnType, Row, columns_of, key_of, texts_of
from memoranda.core.rows.cells import Cell, Content, Place
from memoranda.errors import AccessError, FormatError, InputError, ScopeError

VERSION = 2
CELLS = "cells"  # the kind of lines that are no rows: what lies in one place of working memory
AGAIN = "Export it again, or take another copy of the file; nothing was restored."
_UPDATE = "A newer memoranda has written this: update, then restore. Nothing was restored."
_BEGIN = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"format"\s*:\s*"' + EXPORT.encode())


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """A whole export.

    Attributes:
        owner: whose memory it is of.
        whole: whether it is of all of the user, and not of an agent or a channel; False if it does not say.
        rows: in the order in which they were last written.
        cells: what lay in working memory, by place.
    """

    owner: Owner
    whole: bool
    rows: tuple[Row, ...]
    cells: Mapping[Place, Content]

    def check(self, scope: Scope) -> None:
        """Refuse a scope into which this cannot be restored.

        Raises:
            ScopeError: it is of another tenant or user.
            AccessError: it is that of an agent, which would bring back what it may not see.
        """
        if self.owner != scope.owner:
            raise ScopeError(
                f"This is an export of tenant {brief(self.owner.tenant)}, user {brief(self.owner.user)}, and is "
                "restored under these names alone, of which its ids are made: name them. Nothing was restored."
            )
        if scope.agent is not None:
            raise AccessError("Only the user restores an export, and no agent: leave the agent out.")


def is_export(data: bytes) -> bool:
    """Whether a file begins as an export does."""
    return _BEGIN.match(data) is not None


def canonical(line: Mapping[str, Any]) -> bytes:
    """Return a line as the checksum counts it."""
    return json.dumps(line, sort_keys=True, ensure_ascii=False).encode(errors="surrogatepass")


@dataclass(slots=True)
class Reading:
    """An export that is being read: `take` its lines in order, and then `end`.

    Attributes:
        number: of lines so far.
    """

    number: int = 0
    _head: Mapping[str, Any] = field(default_factory=dict)
    _rows: dict[tuple[str, tuple[Any, ...]], Row] = field(default_factory=dict)
    _cells: dict[Place, Content] = field(default_factory=dict)
    _digest: Any = field(default_factory=hashlib.sha256)
    _counted: int = 0
    _ended: bool = False

    def take(self, line: object) -> None:
        """Take the next line: text, bytes, or the object in it. A blank one says nothing.

        Raises:
            FormatError: it is damaged, out of place, of another owner, or of a newer version.
        """
        self.number += 1
        if isinstance(line, str | bytes):
            if not line.strip():
                return
            line = self._parsed(line)
        if not isinstance(line, Mapping):
            self._refuse(f"an object is needed here, not {brief(line)}")
        if self._ended:
            self._refuse("there is more after the last line of the export")
        if not self._head:
            self._begin(line)
        elif line.keys() == {"rows", "sha256"}:
            self._finish(line)
        elif line.keys() == {"kind", "row"}:
            self._digest.update(canonical(line))
            self._counted += 1
            self._hold(line["kind"], line["row"])
        else:
            self._refuse(f"this is no line of an export: it has {', '.join(map(brief, line)) or 'nothing'}")

    def end(self) -> Export:
        """Return the export.

        Raises:
            FormatError: it breaks off before its last line, or never began.
        """
        if not self._ended:
            where = "the last line, with the checksum, is missing: it was cut off" if self._head else "it is empty"
            raise FormatError(f"This export is not whole: {where}. {AGAIN}")
        rows = sorted(self._rows.values(), key=lambda row: row.seq)
        whole = self._head.get("whole") is True
        return Export(owner=self._owner, whole=whole, rows=tuple(rows), cells=self._cells)

    @property
    def _owner(self) -> Owner:
        return Owner(self._head["tenant"], self._head["user"])

    def _parsed(self, line: str | bytes) -> Any:
        try:
            return json.loads(line)
        except (ValueError, RecursionError) as error:
            self._refuse(f"this is damaged or cut off, and no JSON ({type(error).__name__})")

    def _begin(self, line: Mapping[str, Any]) -> None:
        name, _, version = str(line.get("format")).rpartition("/")
        if f"{name}/" != EXPORT or not version.isdecimal():
            self._refuse("an export begins with a line that says its format, and this does not")
        if int(version) > VERSION:
            raise FormatError(f"This export has version {version}, and {VERSION} is the latest known here. {_UPDATE}")
        try:
            for what in Owner._fields:
                check_identifier(what, line.get(what))
        except InputError as error:
            self._refuse(str(error).rstrip("."))
        self._head = line
        if int(version) > 1:
            self._digest.update(canonical(line))

    def _finish(self, line: Mapping[str, Any]) -> None:
        if (line["rows"], line["sha256"]) != (self._counted, self._digest.hexdigest()):
            self._refuse(
                "the checksum is another than that of the lines before: one of them was changed, lost, doubled or moved"
            )
        self._ended = True

    def _hold(self, name: object, values: object) -> None:
        if not isinstance(values, Mapping):
            self._refuse(f"a row is needed here, not {brief(values)}")
        kind = TABLES.get(str(name))
        if name != CELLS and (kind is None or not kind.__traits__.exported):
            self._refuse(f"there are no rows of the kind {brief(name)} in an export", _UPDATE)
        if values.get("tenant") != self._owner.tenant or values.get("user") not in {self._owner.user, SHARED}:
            self._refuse("this row belongs to somebody else than the export")
        try:
            if kind is None:
                self._lay(values)
            else:
                self._keep(_row(kind, values))
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
            self._refuse(f"{name} cannot be read: {error}")

    def _keep(self, row: Row) -> None:
        if self._rows.setdefault((row.__table__, (row.user, *key_of(row))), row) is not row:
            raise ValueError("the row is there twice")

    def _lay(self, values: Mapping[str, Any]) -> None:
        place = Place(*(_value(_PLACED, values[name]) for name in Place._fields))
        ends = {name: _value(_ENDS, end) for name, end in values.get("expires", {}).items()}
        cells = {name: Cell(json.dumps(value), "", ends.get(name)) for name, value in values["cells"].items()}
        self._cells[place] = Content(cells, _value(_ENDS, values.get("at")))

    def _refuse(self, problem: str, advice: str = AGAIN) -> NoReturn:
        raise FormatError(f"Line {self.number:,}: {problem}. {advice}")


_PLACED, _ENDS = Column("place", "str", nullable=False), Column("expires", "datetime", nullable=True)


def _row(kind: type[Row], values: Mapping[str, Any]) -> Row:
    """The row with these values; an older version may lack what has a default."""
    if unknown := values.keys() - kind.__columns__.keys():
        raise ValueError(f"it has {', '.join(map(brief, sorted(unknown)))}, which only a newer memoranda knows")
    needed = {item.name for item in fields(kind) if item.default is MISSING and item.default_factory is MISSING}
    if lacking := needed - values.keys():
        raise ValueError(f"it lacks {', '.join(sorted(lacking))}")
    given: dict[str, Any] = {one.name: _value(one, values[one.name]) for one in columns_of(kind) if one.name in values}
    return kind(**given)


def _moment(value: Any) -> datetime:
    found = datetime.fromisoformat(value)
    if found.tzinfo is None:
        raise ValueError("a time without its offset")
    return found.astimezone(UTC)


#: By type of column: what JSON has for it, and what makes the value of that.
_MADE: Mapping[ColumnType, tuple[type | tuple[type, ...], Callable[[Any], Any]]] = {
    "str": (str, str), "int": (int, int), "float": ((int, float), float), "bool": (bool, bool),
    "datetime": (str, _moment), "bytes": (str, bytes.fromhex), "strings": (list, tuple), "json": (object, lambda x: x),
}  # fmt: skip


def _value(column: Column, value: Any) -> Any:
    if value is None and column.nullable:
        return None
    given, make = _MADE[column.type]
    given = dict if column.type == "json" and not column.nullable else given
    odd = isinstance(value, bool) and column.type not in {"bool", "json"}
    told: Any = value if column.type in {"str", "json", "strings"} else None
    if odd or not isinstance(value, given) or (column.type == "strings" and not all(isinstance(x, str) for x in told)):
        raise ValueError(f"{column.name} is {brief(value)}")
    if any("\x00" in text or not encodable(text) for text in texts_of(told)):
        raise ValueError(f"{column.name} holds NUL or half a surrogate pair, which no database can store")
    made, bounds = make(value), column.bounds
    if bounds and not bounds[0] <= made <= bounds[1]:
        raise ValueError(f"{column.name} is {brief(value)}, beyond what can be stored")
    return made
