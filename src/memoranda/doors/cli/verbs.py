"""Commands made from the registry of verbs: arguments and help come from the signature and the docstring."""

import json
import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from functools import partial
from inspect import Parameter, Signature
from types import NoneType
from typing import Annotated, Any, get_args, get_origin

import typer

from memoranda.core.base.checks import check_choice
from memoranda.core.base.constraints import Constraint
from memoranda.core.base.moments import moment
from memoranda.core.rows import Json
from memoranda.doors.cli import options, times
from memoranda.doors.cli.door import Door, command, text_of
from memoranda.doors.cli.files import read_files
from memoranda.doors.cli.options import reading
from memoranda.doors.cli.shell import Shared, parameters
from memoranda.errors import InputError
from memoranda.verbs.registry import Verb

_SHARED = frozenset(item.name for item in fields(Shared))
_APART = "for_"  # prefix for an argument with the name of a shared option

_WORDS = re.compile(r"^[a-z]+(?![\w,])")  # but not the first of several values


#: Returns a face. It takes the door and, keyword-only, the options that all commands of the face have.
Within = Callable[..., Any]


def declare(verb: Verb[..., Any]) -> None:
    """Declare the command of a verb in a scope."""
    face, _, _ = verb.name.rpartition(".")
    command(verb.name)(_called(verb, desk if face == "working" else partial(_face, face) if face else _scoped))


def desk(door: Door, *, conversation: options.Conversation = None, run: options.Run = None) -> Any:
    """Return the working memory of a conversation or run."""
    return door.scoped.working(conversation, run=run)


def _scoped(door: Door) -> Any:
    return door.scoped


def _face(name: str, door: Door) -> Any:
    return getattr(door.scoped, name)


def _called(verb: Verb[..., Any], within: Within) -> Callable[..., object]:
    """Return a verb as a function of a door, for `command`."""
    own = verb.signature.parameters.values()
    _, *more = parameters(within)
    needed = {one.name for one in own if one.default is Parameter.empty}

    def call(door: Door, **given: Any) -> object:
        found = within(door, **{one.name: given.pop(one.name) for one in more})
        values = {name.removeprefix(_APART): value for name, value in given.items()}
        asked = {name: value for name, value in values.items() if value is not None or name in needed}
        return getattr(found, verb.method)(**asked)

    door, _ = parameters(call)
    taken = [
        door,
        *(_option(one, verb.described[one.name], _limits(verb.constraints.get(one.name))) for one in own),
        *more,
    ]
    call.__signature__ = Signature(taken)  # type: ignore[attr-defined]
    call.__doc__ = verb.summary
    return call


def _option(one: Parameter, about: str, limits: Mapping[str, Any]) -> Parameter:
    """Return an argument of a method as an argument or option of a command."""
    name = f"{_APART}{one.name}" if one.name in _SHARED else one.name
    flag, about = f"--{name.replace('_', '-')}", _WORDS.sub(lambda word: word[0].capitalize(), about, 1)
    kind = next((part for part in get_args(one.annotation) if NoneType in get_args(one.annotation)), one.annotation)
    default = None if isinstance(one.default, tuple) else one.default
    form = _FORMS.get(one.annotation) or _FORMS.get(get_origin(kind) or kind) or _Form(kind)
    form = _ENDS.get(one.name, form)
    placed = one.kind is Parameter.POSITIONAL_OR_KEYWORD and form.placed
    none = placed and not form.read and kind is not one.annotation and default is Parameter.empty
    about = f"{form.about.format(about)}{' Or - for none.' if none else ''}".strip()
    callback: Callable[..., Any] | None = reading(form.read) if form.read else limits.get("callback")
    bounds = {name: limits[name] for name in ("min", "max") if name in limits}
    if placed:
        callback = callback or (none_of if none else text_of if one.annotation is str else None)
        declared = typer.Argument(help=about, metavar=one.name, callback=callback, **bounds)
    else:
        flags = f"{flag}/--no-{flag[2:]}" if kind is bool and default is not False else flag
        declared = typer.Option(flags, help=about, metavar=form.metavar, callback=callback, **bounds)
    taken = form.kind if default is Parameter.empty else form.kind | None
    return one.replace(name=name, annotation=Annotated[taken, declared], default=default)


def _limits(constraint: Constraint | None) -> dict[str, Any]:
    """What typer checks of an argument: its choices, and the span of a whole number."""
    told = constraint.schema() if constraint else {}
    if "enum" in told:
        return {"callback": reading(partial(_choice, told["enum"]))}
    span = {"min": told.get("minimum"), "max": told.get("maximum")} if "exclusiveMinimum" not in told else {}
    return {name: bound for name, bound in span.items() if isinstance(bound, int)}


def _choice(choices: Collection[str], text: str) -> str:
    check_choice("it", text, choices)
    return text


def json_in(text: str) -> Any:
    """Parse a JSON value; anything else is a text, unless it begins like an object."""
    try:
        return json.loads(text, parse_constant=_refused)
    except ValueError as error:
        if text.lstrip().startswith("{"):
            raise InputError(f"This is no JSON ({error}): mend it, or put a text in quotes, as '\"{{…\"'.") from error
        return text


def _refused(name: str) -> Any:
    """Refuse NaN and the infinities, which Python reads but JSON does not have."""
    raise ValueError(f"{name} is no number")


def answering(path: str) -> Callable[[], Awaitable[Any]]:
    """Return an async function that reads the JSON of a file when it is called."""

    async def answer() -> Any:
        faults: list[str] = []
        for name, data in read_files(path, faults):
            try:
                return json.loads(data)
            except ValueError as error:
                faults.append(f"{name} is no JSON: {error}.")
        raise InputError(faults[0])

    return answer


def none_of(text: str) -> str | None:
    """Return the text of an optional argument; None for `-`."""
    return None if text == "-" else text


def day_in(text: str) -> date:
    """Return the day of a time."""
    return moment("it", times.beginning(text)).date()


@dataclass(frozen=True, slots=True)
class _Form:
    """How an argument of some type is given on the command line.

    Attributes:
        kind: its type for typer.
        read: parses the text into the method's argument.
        metavar: its placeholder in the help, if it is an option.
        about: the help text, with `{}` for the method's own.
        placed: whether it may be positional; else it is always an option.
    """

    kind: Any
    read: Callable[[str], Any] | None = None
    metavar: str | None = None
    about: str = "{}"
    placed: bool = True


_JSON = _Form(str, json_in, "JSON")
_SEVERAL = _Form(list[str], about="{} May be given several times.", placed=False)
#: By annotation: the whole one, else its origin without None. Typer handles the types that are missing here.
_FORMS: Mapping[Any, _Form] = {
    Any: _JSON,
    Json: _JSON,
    Mapping: _JSON,
    Callable: _Form(str, answering, "FILE", "A file with JSON, or - for standard input."),
    datetime: _Form(str, times.beginning, "TIME"),
    date: _Form(str, day_in, "TIME"),
    Iterable: _SEVERAL,
    Sequence: _SEVERAL,
    Sequence[Mapping[str, Any]]: _JSON,
    int | None: _Form(int, placed=False),
}
#: By name, for times that end a span: a day given for one is included.
_ENDS: Mapping[str, _Form] = dict.fromkeys(("until", "valid_until", "as_of"), _Form(str, times.ending, "TIME"))
