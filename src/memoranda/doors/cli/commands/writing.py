"""The commands that take in and hand out: import, export, a turn for the log, and one for working memory."""

from itertools import chain
from typing import Annotated

import typer

from memoranda.core.formats import FORMATS
from memoranda.doors.cli import options
from memoranda.doors.cli.door import Answer, Door, command
from memoranda.doors.cli.files import read_file, write_lines
from memoranda.doors.cli.intake import Exports, Intake, conversations, put_back, read_export, take_in
from memoranda.doors.cli.verbs import desk


@command("import_conversations", "memoranda import chats/ --format openai")
def import_conversations(
    door: Door,
    paths: Annotated[list[str], typer.Argument(help="Files, directories, or - for standard input.")],
    format_: Annotated[
        str | None, options.choice(FORMATS, "The files' format; recognised by default.", "--format")
    ] = None,
) -> Answer:
    """Import conversations, or restore exports; twice adds nothing. A bad file is reported, the others are imported."""
    with door.counting("turns") as bar:
        exports = Exports(door.scope)
        found = conversations(intake := Intake(), paths, format_, bar, exports)
        if first := next(found, None):  # if nothing can be read, no memory is created
            take_in(door.scoped, chain((first,), found), intake, bar)
        if exports.found:
            put_back(door.scoped, exports.found, intake)
    return Answer(intake, failed=bool(intake.faults))


@command("add")
def add(
    door: Door,
    text: options.Words,
    said: options.Said,
    conversation: options.Conversation = None,
) -> object:
    """Record a turn of a conversation."""
    return door.scoped.add([said.message(text)], conversation=conversation)


@command("restore")
def restore(door: Door, path: Annotated[str, typer.Argument(help="An export, or - for standard input.")]) -> object:
    """Bring back what export wrote; twice adds nothing. A damaged export is refused, and nothing of it written."""
    data = read_file(path)
    with door.counting("rows") as bar:
        lines = read_export(data, bar, door.scope)  # if it cannot be restored, no memory is created
        return door.scoped.restore(lines)


@command("export", "memoranda export --whole --out memory.jsonl")
def export(door: Door, out: options.Out = None) -> object:
    """Export everything this scope sees as JSON lines; the last line holds a checksum."""
    rows = door.scoped.export()
    return {"file": str(out), "lines": write_lines(out, rows)} if out else rows


@command("working.add")
def working_add(
    door: Door,
    text: options.Words,
    said: options.Said,
    conversation: options.Conversation = None,
    run: options.Run = None,
) -> object:
    """Add a turn to working memory; flushing writes it to the log."""
    return desk(door, conversation=conversation, run=run).add([said.message(text)])
