"""Imports many files: a conversation or file that cannot be imported is reported and skipped.

Exports of memoranda are recognised among them, and restored.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from memoranda.core.base.scope import Scope
from memoranda.core.formats import read
from memoranda.core.formats.conversation import Conversation
from memoranda.core.formats.exported import Reading, is_export
from memoranda.doors.cli.files import read_files
from memoranda.errors import InputError
from memoranda.verbs.scoped import Scoped


class Bar(Protocol):
    """Shows the progress of an import."""

    def expect(self, turns: int) -> None:
        """Add `turns` to the total."""

    def advance(self, turns: int) -> None:
        """Add `turns` to those done."""


@dataclass(slots=True, kw_only=True)
class Intake:
    """The result of an import of files.

    Attributes:
        files, conversations, turns: how many were read.
        known: how many of the turns were known already; `new`: how many were recorded.
        forgotten: how many turns were refused, and sentences withheld, because they had been forgotten on request.
        restored: how many rows of exports of memoranda were written.
        records: ids of the records that hold what the rules extracted.
        unextracted: how many of the user's turns the rules extracted nothing from; they stay searchable.
        degraded: parts that were down at some time.
        faults: what could not be read or imported, each with its place; all else was imported.
    """

    files: int = 0
    conversations: int = 0
    turns: int = 0
    known: int = 0
    forgotten: int = 0
    new: int = 0
    restored: int = 0
    records: set[str] = field(default_factory=set)
    unextracted: int = 0
    degraded: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Exports:
    """The lines of each export of memoranda that was found, all of which can be restored into a scope."""

    scope: Scope
    found: list[list[str]] = field(default_factory=list)


def conversations(
    intake: Intake,
    paths: Sequence[str],
    format: str | None,  # noqa: A002 - the option's name
    bar: Bar,
    exports: Exports | None = None,
) -> Iterator[Conversation]:
    """Yield the conversations in `paths` that can be read; `intake` notes the faults, `exports` takes what is none."""
    for path in paths:
        for name, data in read_files(path, intake.faults):
            intake.files += 1
            if exports is not None and format is None and is_export(data):
                try:
                    exports.found.append(read_export(data, bar, exports.scope))
                except InputError as error:
                    intake.faults.append(f"{name}: {error}")
                continue
            bar.expect(_turns(name, data, format))
            yield from _good(intake, name, data, format)


def read_export(data: bytes, bar: Bar, scope: Scope) -> list[str]:
    """Return the lines of an export, which can be restored into a scope.

    Raises:
        InputError: it cannot, or is damaged.
    """
    reading, lines = Reading(), data.decode("utf-8-sig", "replace").split("\n")  # the checksum tells what is replaced
    bar.expect(len(lines))
    for line in lines:
        reading.take(line)
        bar.advance(1)
    reading.end().check(scope)
    return lines


def put_back(scoped: Scoped, exports: Iterable[Sequence[str]], intake: Intake) -> None:
    """Restore exports."""
    for export in exports:
        try:
            done = scoped.restore(export)
        except InputError as error:
            intake.faults.append(str(error))
            continue
        intake.restored += done.new
        intake.known += done.known
        intake.forgotten += done.forgotten
        intake.degraded.update(done.degraded)


def take_in(scoped: Scoped, found: Iterable[Conversation], intake: Intake, bar: Bar) -> Intake:
    """Import conversations, each in its own call, so that one that fails does not affect the others."""
    for conversation in found:
        try:
            imported = scoped.import_conversations([conversation], progress=bar.advance)
        except InputError as error:
            intake.faults.append(f"{conversation.id[:60]}: {error}")
            continue
        intake.faults += imported.faults
        intake.conversations += imported.conversations
        intake.turns += imported.turns
        intake.known += imported.known
        intake.forgotten += imported.forgotten
        intake.new += imported.new
        intake.unextracted += imported.unextracted
        intake.records.update(imported.records)
        intake.degraded.update(imported.degraded)
    return intake


def _good(intake: Intake, name: str, data: bytes, format: str | None) -> Iterator[Conversation]:  # noqa: A002
    try:
        yield from read(data, name, format)
    except InputError as error:
        intake.faults += str(error).splitlines()


def _turns(name: str, data: bytes, format: str | None) -> int:  # noqa: A002
    """Count the turns of a file up to its first fault. The file is read twice, but embedding takes far longer."""
    return sum(len(conversation.messages) for conversation in _good(Intake(), name, data, format))
