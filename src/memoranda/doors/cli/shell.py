"""The frame of the command line: the group of all commands, what they share, and the only error handler.

A command is made when it is called, and only then its module and the flow behind it are loaded: that of `OWN`, else
`verbs`, which makes it of the verb. A list of commands loads neither: it shows the first paragraphs of docstrings.
"""

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from inspect import Parameter, Signature, getdoc, signature
from io import UnsupportedOperation
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from memoranda import __version__
from memoranda.doors import load
from memoranda.doors.cli.texts import clean
from memoranda.errors import MemorandaError
from memoranda.verbs import memory, scoped
from memoranda.verbs.loaded import summary_of
from memoranda.verbs.registry import VERBS

NAME = "memoranda"
EMBEDDER = "auto, local, light, hashed, none, onnx:FOLDER, openai:MODEL. (auto)"
#: The modules in `commands`, with the verbs whose command shows more than they do, and the commands that are no verb.
OWN = {
    "demo": "demo",
    "asking": "recall context why graph.neighbourhood",
    "evaluation": "evaluate",
    "governance": "forget cost budget rebuild verify-receipt",
    "serving": "serve mcp openapi ready",
    "upkeep": "stats doctor reembed flush_idle consolidate retry metrics run_job jobs work",
    "keys": "keys.create keys.check keys.list keys.rotate keys.revoke",
    "writing": "add import_conversations restore export working.add",
}
_HOMES = {name: module for module, names in OWN.items() for name in names.split()}
#: All commands, as they are called, in the order in which they are listed, and each with its name in `VERBS` or `OWN`.
COMMANDS = {name: name for name in _HOMES if name not in VERBS} | {
    verb.command: verb.name for verb in sorted(VERBS.values(), key=lambda verb: not verb.scoped)
}
#: The commands that were made, by name, each as an app of its own.
DECLARED: dict[str, typer.Typer] = {}


def made(name: str) -> Any:
    """Return a command."""
    if name not in DECLARED:
        if name in _HOMES:
            load(f"cli.commands.{_HOMES[name]}", "cli")
        else:
            load("cli.verbs", "cli").declare(VERBS[name])
    return typer.main.get_command(DECLARED[name])


def summary(name: str) -> str:
    """Return what a command does, without making it."""
    if name not in _HOMES:
        return VERBS[name].summary
    return summary_of(f"{__package__}.commands.{_HOMES[name]}", name.replace(".", "_").replace("-", "_"))


class Late(TyperGroup):
    """A group of commands, each made when it is called. Until then all that is known of it is its name."""

    def __init__(self, *, name: str, commands: Any, **more: Any) -> None:
        within = "" if name == NAME else name
        self._late = {path.split()[-1]: one for path, one in COMMANDS.items() if path.rpartition(" ")[0] == within}
        super().__init__(name=name, commands={**{one: TyperCommand(one) for one in self._late}, **commands}, **more)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Make the command that is called."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, made(self._late[name]) if name in self._late else command, rest

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Say what each command does, without making it."""
        for called, name in self._late.items():
            self.commands[called].help = summary(name)
        super().format_help(ctx, formatter)


class Outermost(Late):
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


app = typer.Typer(
    name=NAME,
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


def parameters(function: Callable[..., Any]) -> list[Parameter]:
    """Return the parameters of a function."""
    return [*signature(function).parameters.values()]


def declared(function: Callable[..., None], takes: Sequence[Parameter]) -> Callable[..., None]:
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


app.callback()(declared(options, parameters(options)))
for _name, _face in {verb.name.partition(".")[0]: verb.face for verb in VERBS.values() if "." in verb.name}.items():
    app.add_typer(typer.Typer(cls=Late, no_args_is_help=True), name=_name, help=getdoc(_face))


__all__ = ["app", "memory", "scoped"]
