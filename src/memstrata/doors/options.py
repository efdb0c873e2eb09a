"""The options that commands share, and how their texts are read."""

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer

from memstrata.core.checks import brief, check_choice, check_seconds
from memstrata.core.scoring import PROFILES
from memstrata.core.statements import KINDS
from memstrata.doors import times
from memstrata.doors.shell import text_of
from memstrata.errors import InputError
from memstrata.flows.techniques import TECHNIQUES


def parsed(read: Callable[[str], Any], metavar: str, about: str, *names: str, **more: Any) -> Any:
    """An option whose text is read."""
    return typer.Option(*names, parser=reading(read), metavar=metavar, help=about, **more)


def reading(read: Callable[[str], Any]) -> Callable[[str | None], Any]:
    """What reads a text that is given, and refuses it as a wrong call where it cannot."""

    def parse(text: str | None) -> Any:
        try:
            return None if text is None else read(text)
        except InputError as error:
            raise typer.BadParameter(str(error)) from error

    return parse


def choice(choices: Collection[str], about: str, *names: str) -> Any:
    """An option that takes one of `choices`, and names them to who gives another."""

    def read(text: str) -> str:
        if text not in choices:
            raise InputError(f"{brief(text)} is not one of {', '.join(choices)}.")
        return text

    return parsed(read, "NAME", f"{about} One of {', '.join(choices)}.", *names)


def time(read: Callable[[str], datetime], about: str) -> Any:
    """An option that takes a time, and says what one looks like."""
    return parsed(read, "TIME", about)


def kinds_in(text: str) -> list[str]:
    """Kinds that are named with commas between them."""
    kinds = [kind.strip() for kind in text.split(",")]
    for kind in kinds:
        check_choice("a kind", kind, KINDS)
    return kinds


def seconds(text: str) -> float:
    """A length of time."""
    with suppress(ValueError):
        check_seconds("it", given := float(text))
        return given
    raise InputError(f"{brief(text)} is no length of time: give seconds, more than 0.")


def file_named(path: Path | None) -> Path | None:
    """Where something is to be written; `-`, which is standard input elsewhere, names no file."""
    if path is not None and str(path) == "-":
        raise typer.BadParameter("- is no file: name one, or leave the option out.")
    return path


def joined(given: list[list[str]] | None) -> list[str] | None:
    """What was given by an option that takes several and may be given several times."""
    return list(chain.from_iterable(given)) if given else None


ROLES = ("user", "assistant", "system", "tool")
OF = f"Of {', '.join(KINDS)}; with commas, or several times."
SINCE = "Only what was said, or began to hold, from then on."
UNTIL = "Only what was said, or began to hold, up to then."
TECHNIQUE = "What else to try; may be given several times."
Question = Annotated[str, typer.Argument(callback=text_of, help="The question, or - for standard input.")]
Words = Annotated[str, typer.Argument(callback=text_of, help="The text, or - for standard input.")]
Conversation = Annotated[str | None, typer.Option(help="The conversation's id.")]
Now = Annotated[datetime | None, time(times.beginning, "The time of asking; the present by default.")]
At = Annotated[datetime | None, time(times.beginning, "When it was; now by default.")]
AsOf = Annotated[datetime | None, time(times.ending, "What held at that time.")]
Plot = Annotated[Path | None, typer.Option(help="Also draw it as a PNG (extra: plot).", callback=file_named)]
Mermaid = Annotated[Path | None, typer.Option(help="Also write it as a Mermaid flowchart.", callback=file_named)]
Out = Annotated[Path | None, typer.Option(help="A file, written whole or not at all.", callback=file_named)]
Run = Annotated[str | None, typer.Option(help="The run of a workflow, instead of a conversation.")]
AllUsers = Annotated[bool, typer.Option("--all-users", help="Of the whole tenant, not of one user.")]


@dataclass(frozen=True, kw_only=True)
class Narrowed:
    """What narrows a question."""

    limit: Annotated[int, typer.Option(min=1, max=1000, help="At most this many.")] = 10
    tokens: Annotated[int | None, typer.Option(min=1, help="At most this many tokens of text.")] = None
    kinds: Annotated[list[Any] | None, parsed(kinds_in, "KINDS", OF, callback=joined)] = None
    since: Annotated[datetime | None, time(times.beginning, SINCE)] = None
    until: Annotated[datetime | None, time(times.ending, UNTIL)] = None
    as_of: AsOf = None
    known_at: Annotated[datetime | None, time(times.ending, "What was known at that time.")] = None
    profile: Annotated[str, choice(PROFILES, "What to rank by.")] = "balanced"


@dataclass(frozen=True, kw_only=True)
class Said:
    """Who says something in a conversation, and when."""

    role: Annotated[str, choice(ROLES, "Who speaks.")] = "user"
    name: Annotated[str | None, typer.Option(help="The speaker's name, where several share a role.")] = None
    at: At = None

    def message(self, text: str) -> dict[str, Any]:
        """What is said, as a turn."""
        message = {"role": self.role, "content": text, "name": self.name, "timestamp": self.at}
        return {key: value for key, value in message.items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class Asking:
    """When a question is asked, and how hard it is tried to find an answer."""

    now: Now = None
    techniques: Annotated[list[str] | None, choice(TECHNIQUES, TECHNIQUE, "--technique")] = None
    deadline: Annotated[float | None, parsed(seconds, "SECONDS", "After which what is slower is cut.")] = None

    def given(self) -> dict[str, Any]:
        """Those that were given."""
        return {name: value for name, value in vars(self).items() if value is not None}
