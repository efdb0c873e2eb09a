"""What every command shares: the options, the opening of the memory, the way out, and the one handler of errors."""

import functools
import inspect
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from io import UnsupportedOperation
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, Self

import typer
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from typer.core import TyperGroup

from memstrata import __version__
from memstrata.blocking import Memory, Scoped
from memstrata.core.scope import GLOBAL, Scope
from memstrata.doors.render import clean, plain
from memstrata.doors.settings import DoorSettings, read_settings
from memstrata.errors import InputError, MemstrataError, NotFoundError


class Outermost(TyperGroup):
    """The group of commands, and the one place where errors become a line and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; what goes wrong on purpose or in the system is told in one line, and the exit code is 1."""
        try:
            answer = super().invoke(ctx)
            sys.stdout.flush()  # a pipe that has closed is met here, where it is expected, and not at exit
        except BrokenPipeError:
            raise  # typer ends without a word
        except MemstrataError as error:
            typer.echo(f"memstrata: {clean(str(error))}", err=True)
            raise typer.Exit(1) from error
        except OSError as error:
            typer.echo(f"memstrata: the system refused ({error}): mend that, then try again.", err=True)
            _drop_output()
            raise typer.Exit(1) from error
        return answer


def _drop_output() -> None:
    """Let go of what waits to be printed, or the interpreter tries again at its end and fails again."""
    with suppress(UnsupportedOperation), Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


UNWRAPPED = 100_000  # columns
_WHERE = "Which memory, and the output"

app = typer.Typer(
    name="memstrata",
    cls=Outermost,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _told(version: bool) -> None:
    if version:
        typer.echo(f"memstrata {__version__}")
        raise typer.Exit


def _shared(
    db: Annotated[
        str | None, typer.Option(help="A file, or postgresql://… (memory.db)", rich_help_panel=_WHERE)
    ] = None,
    tenant: Annotated[
        str | None, typer.Option(help="Whose data it is: the isolation boundary. (local)", rich_help_panel=_WHERE)
    ] = None,
    user: Annotated[str | None, typer.Option(help="Whose memory. (me)", rich_help_panel=_WHERE)] = None,
    channel: Annotated[str | None, typer.Option(help="The active channel. (_global)", rich_help_panel=_WHERE)] = None,
    agent: Annotated[str | None, typer.Option(help="The acting agent.", rich_help_panel=_WHERE)] = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="Every channel of the user, to read or forget.", rich_help_panel=_WHERE)
    ] = False,
    embedder: Annotated[
        str | None,
        typer.Option(
            help="auto, local, light, hashed, none, onnx:FOLDER, openai:MODEL. (auto)", rich_help_panel=_WHERE
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.", rich_help_panel=_WHERE)] = False,
) -> None:
    """The options that stand before and after every command."""


SHARED = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in inspect.signature(_shared).parameters.values()]
_NAMES = [one.name for one in SHARED]


Version = Annotated[bool, typer.Option("--version", callback=_told, is_eager=True, help="Show the version and exit.")]


def options(
    context: typer.Context,
    *,
    version: Version = False,  # noqa: ARG001 - its callback acts
    **given: Any,
) -> None:
    """The memory of an AI agent.

    Settings come from the options, else from MEMSTRATA_DB, MEMSTRATA_TENANT, …, else from ./memstrata.toml.

    Exit codes: 0 done, 1 it could not be done (one line says what to do), 2 called wrongly.
    """
    context.obj = _given(given)


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the shared options that were given; an empty one was, and is refused where it is used."""
    return {name: options[name] for name in _NAMES if options[name] not in {None, False}}


def _takes(function: Callable[..., None], own: list[inspect.Parameter]) -> Callable[..., None]:
    """`function`, declared to take `own` and the shared options: typer reads both from the signature."""
    parameters = [*(one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in own), *SHARED]
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    function.__annotations__ = {one.name: one.annotation for one in parameters}
    return function


app.callback()(_takes(options, list(inspect.signature(options).parameters.values())[:2]))


@dataclass(slots=True)
class Counter:
    """A progress bar of turns, on a terminal only."""

    progress: Progress
    task: TaskID
    total: int = 0

    def expect(self, turns: int) -> None:
        """So many more are to come."""
        self.total += turns
        self.progress.update(self.task, total=self.total)

    def advance(self, turns: int) -> None:
        """So many more are done."""
        self.progress.advance(self.task, turns)


@dataclass(slots=True, kw_only=True)
class Door:
    """What a command works with: the memory, opened when it is first asked for, and the two ways out.

    Attributes:
        as_json: whether the answer is one JSON document.
        creates: whether a memory that is not there yet is made.
        whole: whether the whole of the user's memory is meant; no setting says so, only the command.
    """

    settings: DoorSettings
    as_json: bool
    creates: bool
    whole: bool = False
    out: Console = field(default_factory=lambda: _console(stderr=False))
    messages: Console = field(default_factory=lambda: _console(stderr=True))
    _memory: Memory | None = None

    @property
    def scope(self) -> Scope:
        """The scope of the settings."""
        told = self.settings
        return Scope(tenant=told.tenant, user=told.user, channel=told.channel, agent=told.agent, whole=self.whole)

    @property
    def memory(self) -> Memory:
        """The memory; the scope it is used in is told on stderr."""
        if self._memory is None:
            told, scope = self.settings, self.scope
            if not (self.creates or "://" in told.db or told.db == ":memory:" or Path(told.db).exists()):
                raise NotFoundError(
                    f"There is no memory at {told.db} yet: import or add something, or name it by --db."
                )
            self._memory = Memory.open(
                told.db, embedder=told.model(), language_model=told.writer(), reranker=told.reranker
            )
            agent = f", agent {scope.agent}" if scope.agent else ""
            channel = "every channel" if scope.whole else f"channel {scope.channel}"
            whose = f"tenant {scope.tenant}, user {scope.user}, {channel}{agent}"
            self.tell(f"{_without_password(told.db)}: {whose}")
        return self._memory

    @property
    def scoped(self) -> Scoped:
        """The memory in the scope of the settings."""
        return self.memory.scope(**asdict(self.scope))

    def show(self, value: Any, draw: Callable[[Any], RenderableType], document: Callable[[Any], Any] = plain) -> None:
        """Print `value`: as `document` makes JSON of it, or as `draw` makes text of it."""
        if self.as_json:
            self.line(document(value), indent=2)
        else:
            self.out.print(draw(value))

    def tell(self, text: str) -> None:
        """Print what is beside the answer, on stderr."""
        self.messages.print(clean(text), style="dim")

    def line(self, value: Any, indent: int | None = None) -> None:
        """Print a JSON document."""
        narrow = not (sys.stdout.encoding or "").lower().startswith("utf")
        sys.stdout.write(json.dumps(value, ensure_ascii=narrow, indent=indent) + "\n")

    @contextmanager
    def counting(self, what: str) -> Iterator[Counter]:
        """Show progress while what is inside runs."""
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        hidden = not self.messages.is_terminal
        with Progress(*columns, console=self.messages, transient=True, disable=hidden) as progress:
            yield Counter(progress, progress.add_task(what, total=None))

    def confirm(self, question: str, yes: bool) -> None:
        """Ask, unless the answer is given; whatever is not "yes" ends the command. Nothing goes to standard output."""
        if yes:
            return
        typer.echo(f"{question} [y/N]: ", nl=False, err=True)
        if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
            raise typer.Abort

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._memory is not None:
            self._memory.close()


def command(name: str, *examples: str, creates: bool = False) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Declare a command: a function of a `Door` and its own arguments; the shared options are added to them."""

    def declare(verb: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(verb)
        def run(context: typer.Context, **given: Any) -> None:
            own = {name: value for name, value in given.items() if name not in _NAMES}
            shared = {**context.obj, **_given(given)}
            as_json = bool(shared.pop("as_json", False))
            whole = bool(shared.pop("whole", False))
            if whole:  # a channel that is only the usual one gives way; one that is named does not go with it
                shared.setdefault("channel", GLOBAL)
            with Door(settings=read_settings(shared), as_json=as_json, creates=creates, whole=whole) as door:
                verb(door, **own)

        context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
        taken = [context, *list(inspect.signature(verb).parameters.values())[1:]]
        epilog = "\n\n".join(f"Example: {example}" for example in examples)
        app.command(name, epilog=epilog)(_takes(run, taken))
        return verb

    return declare


def text_of(given: str) -> str:
    """The text of an argument; `-` is standard input.

    Raises:
        InputError: it is empty, or not UTF-8.
    """
    try:
        text = sys.stdin.buffer.read().decode().strip() if given == "-" else given
    except UnicodeDecodeError as error:
        raise InputError(f"Standard input is not UTF-8: {error}.") from error
    if not text.strip():
        raise InputError("The text is empty: give some words, or - to read them from standard input.")
    return text


def _console(*, stderr: bool) -> Console:
    """Where text goes: wrapped at the width of a terminal, and not at all where there is none."""
    console = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = UNWRAPPED
    return console


def _without_password(url: str) -> str:
    scheme, separator, rest = url.partition("://")
    return f"{scheme}{separator}{rest.rpartition('@')[2].partition('?')[0]}"
