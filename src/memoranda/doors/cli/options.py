"""The options that commands share, and the parsers of their values."""

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer

from memoranda.core.base.checks import brief, check_choice, check_seconds
from memoranda.core.recall.scoring import PROFILES
from memoranda.core.rows.statements import KINDS
from memoranda.doors.cli import times
from memoranda.doors.cli.shell import text_of
from memoranda.errors import InputError
from memoranda.flows.context.evaluate import Configuration
from memoranda.flows.recall.techniques import TECHNIQUES


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


def kinds_in(text: str) -> list[str]:
    """Parse kinds separated by commas."""
    kinds = [kind.strip() for kind in text.split(",")]
    for kind in kinds:
        check_choice("a kind", kind, KINDS)
    return kinds


def seconds(text: str) -> float:
    """Parse a duration in seconds."""
    with suppress(ValueError):
        check_seconds("it", given := float(text))
        return given
    raise InputError(f"{brief(text)} is no length of time: give seconds, more than 0.")


def file_named(path: Path | None) -> Path | None:
    """Return the path of an output file; refuse `-`, which elsewhere is standard input."""
    if path is not None and str(path) == "-":
        raise typer.BadParameter("- is no file: name one, or leave the option out.")
    return path


def joined(given: list[list[str]] | None) -> list[str] | None:
    """Flatten the values of an option that takes several and may be repeated."""
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
    """The options that narrow a question."""

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
    """The options of a turn: who says it, and when."""

    role: Annotated[str, choice(ROLES, "Who speaks.")] = "user"
    name: Annotated[str | None, typer.Option(help="The speaker's name, where several share a role.")] = None
    at: At = None

    def message(self, text: str) -> dict[str, Any]:
        """Return `text` as a turn."""
        message = {"role": self.role, "content": text, "name": self.name, "timestamp": self.at}
        return {key: value for key, value in message.items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class Asking:
    """The options of a search: the time of asking, techniques and a deadline."""

    now: Now = None
    techniques: Annotated[list[str] | None, choice(TECHNIQUES, TECHNIQUE, "--technique")] = None
    deadline: Annotated[float | None, parsed(seconds, "SECONDS", "After which what is slower is cut.")] = None

    def given(self) -> dict[str, Any]:
        """Return the options that were given."""
        return {name: value for name, value in vars(self).items() if value is not None}


HOW = (
    "give profile=NAME, kinds=KIND/KIND, arms=ARM/ARM, per_conversation=NUMBER or embedder=none, several joined by +,"
    " and a comma between configurations"
)


def configurations(text: str) -> list[Configuration]:
    """Return the configurations in `text`.

    Raises:
        InputError: `text` is malformed; the message gives the syntax.
    """
    return [_configuration(one) for one in text.split(",")]


def _configuration(text: str) -> Configuration:
    ask: dict[str, Any] = {}
    embedder = True
    for setting in text.split("+"):
        match setting.strip().partition("="):
            case ("profile", "=", name):
                ask["profile"] = name
            case (("kinds" | "arms") as key, "=", names):
                ask[key] = names.split("/")
            case ("per_conversation", "=", number) if number.isdecimal():
                ask["per_conversation"] = int(number)
            case ("embedder", "=", "none"):
                embedder = False
            case _:
                raise InputError(f"{brief(setting)} is no setting: {HOW}.")
    return Configuration(name=text.strip(), ask=ask, embedder=embedder)
