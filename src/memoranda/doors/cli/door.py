"""What a command works with: the memory, opened on first use, and the output; and how a command is declared."""

import json
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self, TypeVar

import typer
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from memoranda.core.base.plain import plain
from memoranda.core.base.scope import GLOBAL, Scope
from memoranda.doors import load
from memoranda.doors.cli import render, views  # noqa: F401 - that declares what draws each class
from memoranda.doors.cli.shell import DECLARED, Shared, declared, parameters
from memoranda.doors.cli.texts import clean
from memoranda.doors.settings import DoorSettings, read_settings
from memoranda.errors import InputError, NotFoundError
from memoranda.memory import Memory
from memoranda.verbs.access import Keys
from memoranda.verbs.registry import VERBS
from memoranda.verbs.scoped import Scoped

_LONGEST = 1 << 26  # bytes of a text from standard input
UNWRAPPED = 100_000  # columns
_Command = TypeVar("_Command", bound=Callable[..., object])


@dataclass(slots=True)
class Counter:
    """A progress bar, shown only on a terminal."""

    progress: Progress
    task: TaskID
    total: int = 0

    def expect(self, turns: int) -> None:
        """Add `turns` to the total."""
        self.total += turns
        self.progress.update(self.task, total=self.total)

    def advance(self, turns: int) -> None:
        """Add `turns` to those done."""
        self.progress.advance(self.task, turns)


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a command that needs its own rendering or exit code.

    Attributes:
        draw: renders `value` as text; `document` renders it as JSON.
        failed: whether the exit code is 1.
    """

    value: Any
    draw: Callable[[Any], RenderableType] = render.draw
    document: Callable[[Any], Any] = plain
    failed: bool = False


@dataclass(slots=True, kw_only=True)
class Door:
    """What a command works with: the memory, opened on first use, standard output and standard error.

    Attributes:
        as_json: whether to print the answer as one JSON document.
        creates: whether to create a memory that does not exist yet.
        placed: whether what is done concerns a place of a user's memory, and not keys to all of it.
        whole: whether the scope is all of the user's memory; `connections`: the active ones. Both come from the command
            line only, not from the settings.
    """

    settings: DoorSettings
    as_json: bool
    creates: bool
    placed: bool = True
    whole: bool = False
    connections: Sequence[str] = ()
    out: Console = field(default_factory=lambda: _console(stderr=False))
    messages: Console = field(default_factory=lambda: _console(stderr=True))
    _memory: Memory | None = None

    @property
    def scope(self) -> Scope:
        """The scope of the settings."""
        told = self.settings
        return Scope(
            tenant=told.tenant, user=told.user, channel=told.channel, agent=told.agent, whole=self.whole,
            connections=tuple(self.connections),
        )  # fmt: skip

    @property
    def memory(self) -> Memory:
        """The memory, opened on first use, which prints the scope to stderr."""
        if self._memory is None:
            told, scope = self.settings, self.scope
            if not (self.creates or "://" in told.db or told.db == ":memory:" or Path(told.db).exists()):
                raise NotFoundError(
                    f"There is no memory at {told.db} yet: import or add something, or name it by --db."
                )
            self._memory = Memory.open(told.db, **told.opening())
            agent = f", agent {scope.agent}" if scope.agent else ""
            channel = "every channel" if scope.whole else f"channel {scope.channel}"
            active = f", connections {', '.join(scope.connections)}" if scope.connections else ""
            place = f", user {scope.user}, {channel}{agent}{active}" if self.placed else ""
            self.tell(f"{_without_password(told.db)}: tenant {scope.tenant}{place}")
        return self._memory

    @property
    def scoped(self) -> Scoped:
        """The memory in the scope of the settings."""
        return self.memory.scope(**asdict(self.scope))

    def whose(self, all_users: bool) -> dict[str, Any]:
        """Return the tenant, and the user of the settings or None for all users."""
        return {"tenant": self.settings.tenant, "user": None if all_users else self.settings.user}

    def named(self) -> dict[str, Any]:
        """Return the tenant and the user of the settings, None for those left at their default; a server needs one."""
        told, usual = self.settings, DoorSettings()
        user = None if told.user == usual.user else told.user
        open_to_all = user is None and told.tenant == usual.tenant and "://" not in told.db
        return {"tenant": None if open_to_all else told.tenant, "user": user}

    def show(self, answer: Answer) -> None:
        """Print an answer as one JSON document or as text; an iterator always as JSON lines."""
        if isinstance(answer.value, Iterator):
            for row in answer.value:
                self.line(row)
        elif self.as_json:
            self.line(answer.document(answer.value), indent=2)
        else:
            self.out.print(answer.draw(answer.value))
        if answer.failed:
            raise typer.Exit(1)

    def tell(self, text: str) -> None:
        """Print a message to stderr."""
        self.messages.print(clean(text), style="dim")

    def line(self, value: Any, indent: int | None = None) -> None:
        """Print a JSON document."""
        narrow = not (sys.stdout.encoding or "").lower().startswith("utf")
        sys.stdout.write(json.dumps(value, ensure_ascii=narrow, indent=indent) + "\n")

    @contextmanager
    def counting(self, what: str) -> Iterator[Counter]:
        """Show a progress bar while the block runs."""
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        hidden = not self.messages.is_terminal
        with Progress(*columns, console=self.messages, transient=True, disable=hidden) as progress:
            yield Counter(progress, progress.add_task(what, total=None))

    def confirm(self, question: str, yes: bool) -> None:
        """Ask on stderr unless `yes` is set; any answer but "y" or "yes" aborts the command."""
        if yes:
            return
        typer.echo(f"{question} [y/N]: ", nl=False, err=True)
        if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
            raise typer.Abort

    def draw(self, path: Path, picture: str, *what: object) -> None:
        """Draw a picture to `path`, and report it."""
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            getattr(load("cli.plot", "plot"), picture)(*what, path)
        boxes = any("missing from font" in str(one.message) for one in said)
        self.tell(f"drawn: {path}{'; letters that its font has not are boxes' if boxes else ''}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._memory is not None:
            self._memory.close()


def command(name: str, *more: str) -> Callable[[_Command], _Command]:
    """Declare the command of a verb, or one of its own: a function of a `Door` and its own arguments.

        @command("history")
        def history(door: Door, record: Annotated[str, typer.Argument(help="Its id.")]) -> object:
            '''Show how a belief came about and changed.'''
            return door.scoped.history(record)

    Its return value is printed, by default or as an `Answer` says. Its docstring is the help. The shared options are
    added to its arguments, and an argument that is a dataclass becomes one option per field.

    Args:
        name: of the verb, which says what the command is called and gives an example; else of the command.
        more: further example calls, as typed; the help shows them.
    """
    verb = VERBS.get(name)
    examples = [verb.example, *more] if verb else more
    creates, placed = verb is not None and verb.facts.creates, verb is None or verb.face is not Keys

    def declare(function: _Command) -> _Command:
        def run(context: typer.Context, shared: Shared, **own: Any) -> None:
            asked = {**context.obj, **shared.given()}
            how = {name: asked.pop(name, default) for name, default in (("as_json", False), ("connections", ()))}
            whole = asked.pop("whole", False)
            settings = read_settings(asked)
            if whole:  # overrides the place in the settings; one from the command line stays, and is refused
                settings = replace(settings, agent=asked.get("agent"), channel=asked.get("channel", GLOBAL))
            with Door(settings=settings, creates=creates, placed=placed, whole=whole, **how) as door:
                answer = function(door, **own)
                door.show(answer if isinstance(answer, Answer) else Answer(answer))

        context, shared, _ = parameters(run)
        _, *own = parameters(function)
        epilog = "\n\n".join(f"Example: {example}" for example in examples)
        DECLARED[name] = made = typer.Typer(add_completion=False)
        called = verb.command.split()[-1] if verb else name
        made.command(called, help=function.__doc__, epilog=epilog)(declared(run, [context, *own, shared]))
        return function

    return declare


def text_of(given: str) -> str:
    """Return the text of an argument; `-` reads standard input.

    Raises:
        InputError: the text is empty, or standard input is not UTF-8, or has no end.
    """
    data = sys.stdin.buffer.read(_LONGEST + 1) if given == "-" else b""
    if len(data) > _LONGEST:
        raise InputError(f"Standard input has more than {_LONGEST:,} bytes, or no end: give a text.")
    try:
        text = data.decode().strip() if given == "-" else given
    except UnicodeDecodeError as error:
        raise InputError(f"Standard input is not UTF-8: {error}.") from error
    if not text.strip():
        raise InputError("The text is empty: give some words, or - to read them from standard input.")
    return text


def _console(*, stderr: bool) -> Console:
    """Return a console that wraps text at the width of a terminal, and not at all without one."""
    console = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = UNWRAPPED
    return console


def _without_password(url: str) -> str:
    scheme, separator, rest = url.partition("://")
    return f"{scheme}{separator}{rest.rpartition('@')[2].partition('?')[0]}"
