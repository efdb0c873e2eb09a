"""What every command shares: the options, opening the memory, the output, and the only error handler."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from inspect import Parameter, Signature, signature
from io import UnsupportedOperation
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar

import typer
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from typer.core import TyperGroup

from memoranda import __version__
from memoranda.core.base.scope import GLOBAL, Scope
from memoranda.doors.cli import render
from memoranda.doors.cli.render import clean
from memoranda.doors.settings import DoorSettings, read_settings
from memoranda.errors import InputError, MemorandaError, NotFoundError
from memoranda.flows.governance.transfer import plain
from memoranda.memory import Memory
from memoranda.verbs.registry import VERBS
from memoranda.verbs.scoped import Scoped


class Outermost(TyperGroup):
    """The group of all commands, and the only place where errors become a line and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command. Print a `MemorandaError` or `OSError` as one line and exit with code 1."""
        try:
            answer = super().invoke(ctx)
            sys.stdout.flush()  # raises for a closed pipe here, where it is handled, and not at exit
        except BrokenPipeError:
            raise  # typer exits silently
        except MemorandaError as error:
            typer.echo(f"memoranda: {clean(str(error))}", err=True)
            raise typer.Exit(1) from error
        except OSError as error:
            typer.echo(f"memoranda: the system refused ({error}): mend that, then try again.", err=True)
            _drop_output()
            raise typer.Exit(1) from error
        return answer


def _drop_output() -> None:
    """Discard buffered output, or the interpreter fails again when it flushes at exit."""
    with suppress(UnsupportedOperation), Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


_LONGEST = 1 << 26  # bytes of a text from standard input
UNWRAPPED = 100_000  # columns
EMBEDDER = "auto, local, light, hashed, none, onnx:FOLDER, openai:MODEL. (auto)"
_Command = TypeVar("_Command", bound=Callable[..., object])

app = typer.Typer(
    name="memoranda",
    cls=Outermost,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(version: bool) -> None:
    if version:
        typer.echo(f"memoranda {__version__}")
        raise typer.Exit


def _where(about: str, *names: str) -> Any:
    return typer.Option(*names, help=about, rich_help_panel="Which memory, and the output")


@dataclass(frozen=True, kw_only=True)
class Shared:
    """The options that every command has; they may also stand before the command."""

    db: Annotated[str | None, _where("A file, or postgresql://… (memory.db)")] = None
    tenant: Annotated[str | None, _where("Whose data it is: the isolation boundary. (local)")] = None
    user: Annotated[str | None, _where("Whose memory. (me)")] = None
    channel: Annotated[str | None, _where("The active channel. (_global)")] = None
    agent: Annotated[str | None, _where("The acting agent.")] = None
    connections: Annotated[list[str] | None, _where("The active tool connections. May be given several times.")] = None
    whole: Annotated[bool, _where("Every channel of the user, to read or forget.", "--whole")] = False
    embedder: Annotated[str | None, _where(EMBEDDER)] = None
    as_json: Annotated[bool, _where("Print JSON.", "--json")] = False

    def given(self) -> dict[str, Any]:
        """Return the options that were given. An empty one counts as given, and is refused where it is used."""
        return {name: value for name, value in vars(self).items() if value not in (None, False, [])}


def _declared(function: Callable[..., None], takes: Sequence[Parameter]) -> Callable[..., None]:
    """Wrap `function` with a signature for typer, in which each dataclass of options is replaced by its fields."""
    groups: dict[str, Any] = {one.name: one.annotation for one in takes if is_dataclass(one.annotation)}

    def run(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{item.name: given.pop(item.name) for item in fields(group)})
        function(**given)

    flat = chain.from_iterable(parameters(groups[one.name]) if one.name in groups else [one] for one in takes)
    taken = [one.replace(kind=Parameter.KEYWORD_ONLY) for one in flat]
    run.__signature__ = Signature(taken)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in taken}
    run.__doc__ = function.__doc__
    return run


def parameters(function: Callable[..., Any]) -> list[Parameter]:
    """Return the parameters of a function."""
    return [*signature(function).parameters.values()]


Version = Annotated[
    bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
]


def options(
    context: typer.Context,
    shared: Shared,
    version: Version = False,  # noqa: ARG001 - its callback acts
) -> None:
    """The memory of an AI agent.

    Settings come from the options, else from MEMORANDA_DB, MEMORANDA_TENANT, …, else from ./memoranda.toml.

    Exit codes: 0 success, 1 failure (one line says what to do), 2 wrong usage.
    """
    context.obj = shared.given()


app.callback()(_declared(options, parameters(options)))


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
        whole: whether the scope is all of the user's memory; `connections`: the active ones. Both come from the command
            line only, not from the settings.
    """

    settings: DoorSettings
    as_json: bool
    creates: bool
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
            self._memory = Memory.open(
                told.db,
                embedder=told.model(),
                next_embedder=told.model(told.next_embedder),
                language_model=told.writers(),
                reranker=told.reranker,
                currency=told.currency,
                settings=told.settings(),
            )
            agent = f", agent {scope.agent}" if scope.agent else ""
            channel = "every channel" if scope.whole else f"channel {scope.channel}"
            active = f", connections {', '.join(scope.connections)}" if scope.connections else ""
            whose = f"tenant {scope.tenant}, user {scope.user}, {channel}{agent}{active}"
            self.tell(f"{_without_password(told.db)}: {whose}")
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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._memory is not None:
            self._memory.close()


#: The names of the verbs that have a command.
DECLARED: set[str] = set()


def command(name: str, *more: str, group: typer.Typer = app) -> Callable[[_Command], _Command]:
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
        group: the command group, such as `goals` for `memoranda goals add`.
    """
    verb = VERBS.get(name)
    examples = [verb.example, *more] if verb else more
    creates = verb is not None and verb.facts.creates
    DECLARED.add(name)

    def declare(function: _Command) -> _Command:
        def run(context: typer.Context, shared: Shared, **own: Any) -> None:
            asked = {**context.obj, **shared.given()}
            how = {name: asked.pop(name, default) for name, default in (("as_json", False), ("connections", ()))}
            whole = asked.pop("whole", False)
            settings = read_settings(asked)
            if whole:  # overrides the place in the settings; one from the command line stays, and is refused
                settings = replace(settings, agent=asked.get("agent"), channel=asked.get("channel", GLOBAL))
            with Door(settings=settings, creates=creates, whole=whole, **how) as door:
                answer = function(door, **own)
                door.show(answer if isinstance(answer, Answer) else Answer(answer))

        context, shared, _ = parameters(run)
        _, *own = parameters(function)
        epilog = "\n\n".join(f"Example: {example}" for example in examples)
        called = verb.command.split()[-1] if verb else name
        group.command(called, help=function.__doc__, epilog=epilog)(_declared(run, [context, *own, shared]))
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
