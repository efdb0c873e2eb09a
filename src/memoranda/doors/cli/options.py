"""The options that commands share, and the parsers of their values."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from memoranda.core.base.checks import brief
from memoranda.doors.cli import times
from memoranda.doors.cli.door import text_of
from memoranda.errors import InputError


def parsed(read: Callable[[str], Any], metavar: str, about: str, *names: str, **more: Any) -> Any:
    """Return an option whose text is parsed by `read`."""
    return typer.Option(*names, parser=reading(read), metavar=metavar, help=about, **more)


def reading(read: Callable[[str], Any]) -> Callable[[str | None], Any]:
    """Return a parser that applies `read` to a given text and turns its `InputError` into wrong usage."""

    def parse(text: str | None) -> Any:
        try:
            return None if text is None else read(text)
        except InputError as error:
            raise typer.BadParameter(str(error)) from error

    return parse


def choice(choices: Collection[str], about: str, *names: str) -> Any:
    """Return an option that takes one of `choices`; the error for any other value lists them."""

    def read(text: str) -> str:
        if text not in choices:
            raise InputError(f"{brief(text)} is not one of {', '.join(choices)}.")
        return text

    return parsed(read, "NAME", f"{about} One of {', '.join(choices)}.", *names)


def time(read: Callable[[str], datetime], about: str) -> Any:
    """Return an option that takes a time; its error shows the formats."""
    return parsed(read, "TIME", about)


def file_named(path: Path | None) -> Path | None:
    """Return the path of an output file; refuse `-`, which elsewhere is standard input."""
    if path is not None and str(path) == "-":
        raise typer.BadParameter("- is no file: name one, or leave the option out.")
    return path


ROLES = ("user", "assistant", "system", "tool")
Question = Annotated[str, typer.Argument(callback=text_of, help="The question, or - for standard input.")]
Words = Annotated[str, typer.Argument(callback=text_of, help="The text, or - for standard input.")]
Conversation = Annotated[str | None, typer.Option(help="The conversation's id.")]
At = Annotated[datetime | None, time(times.beginning, "When it was; now by default.")]
AsOf = Annotated[datetime | None, time(times.ending, "What held at that time.")]
Plot = Annotated[Path | None, typer.Option(help="Also draw it as a PNG (extra: plot).", callback=file_named)]
Mermaid = Annotated[Path | None, typer.Option(help="Also write it as a Mermaid flowchart.", callback=file_named)]
Out = Annotated[Path | None, typer.Option(help="A file, written whole or not at all.", callback=file_named)]
Run = Annotated[str | None, typer.Option(help="The run of a workflow, instead of a conversation.")]
AllUsers = Annotated[bool, typer.Option("--all-users", help="Of the whole tenant, not of one user.")]


@dataclass(frozen=True, kw_only=True)
class Said:
    """The options of a turn: who says it, and when."""

    role: Annotated[str, choice(ROLES, "Who speaks.")] = "user"
    name: Annotated[str | None, typer.Option(help="The speaker's name, where several share a role.")] = None
    at: At = None

    def message(self, text: str) -> dict[str, Any]:
        """Return `text` as a turn."""
        message = {"role": self.role, "content": text, "name": self.name, "timestamp": self.at}
        return {key: value for key, value in message.items() if value is not None}
