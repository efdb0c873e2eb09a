"""Commands made of the verbs of a face: what one takes, and how it helps, is what its signature and docstring say."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from inspect import Parameter, Signature, getdoc
from types import NoneType
from typing import Annotated, Any, get_args, get_origin

import typer

from memstrata.doors import times
from memstrata.doors.options import parsed
from memstrata.doors.shell import Door, app, command, parameters, text_of

_ARGUMENT = re.compile(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)


def face(name: str, kind: type, *examples: str, creates: Collection[str] = ()) -> None:
    """Declare a command for each verb of a face, as `memstrata goals add`.

    Args:
        name: the property of a scope that is the face.
        kind: the face.
        examples: one for each verb, as it is typed.
        creates: verbs that make a memory that is not there yet.
    """
    group = typer.Typer(no_args_is_help=True)
    app.add_typer(group, name=name, help=getdoc(kind))
    for example in examples:
        verb = example.split()[2]
        command(example, creates=verb in creates, group=group)(_called(name, verb, getattr(kind, verb)))


def _called(face: str, verb: str, function: Callable[..., Any]) -> Callable[..., object]:
    """A verb as a command takes it."""

    def call(door: Door, **given: Any) -> object:
        asked = {name: value for name, value in given.items() if value is not None}
        return getattr(getattr(door.scoped, face), verb)(**asked)

    said, _, rest = (getdoc(function) or "").partition("\n\n")
    about = {name: " ".join(words.split()) for name, words in _ARGUMENT.findall(rest)}
    door, _ = parameters(call)
    _, *own = parameters(function)
    taken = [door, *(_option(one, about.get(one.name, "")) for one in own)]
    call.__signature__ = Signature(taken)  # type: ignore[attr-defined]
    call.__doc__ = said
    return call


def _option(one: Parameter, about: str) -> Parameter:
    """An argument of a verb as typer reads it; a list is an option that is given several times."""
    flag, about = f"--{one.name.replace('_', '-')}", about[:1].upper() + about[1:]
    choices = get_args(one.annotation)
    kind = choices[0] if NoneType in choices else one.annotation  # `X | None`
    declared = typer.Option(flag, help=about)
    if get_origin(kind) in {Iterable, Sequence}:
        kind, declared = list[str], typer.Option(flag, help=f"{about} May be given several times.".strip())
    elif kind is datetime:
        declared = parsed(times.beginning, "TIME", about, flag)
    elif one.kind is Parameter.POSITIONAL_OR_KEYWORD:
        declared = typer.Argument(help=about, callback=None if one.default is None else text_of)
    if one.default is Parameter.empty:
        return one.replace(annotation=Annotated[kind, declared])
    default = None if isinstance(one.default, tuple) else one.default  # the verb's own holds where none is given
    return one.replace(annotation=Annotated[kind | None, declared], default=default)
