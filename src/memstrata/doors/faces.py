"""Commands made of the verbs of a face: what one takes, and how it helps, is what its signature and docstring say."""

import json
import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from inspect import Parameter, Signature, getdoc
from types import NoneType
from typing import Annotated, Any, get_args, get_origin

import typer

from memstrata.core.moments import moment
from memstrata.core.rows import Json
from memstrata.doors import times
from memstrata.doors.files import read_files
from memstrata.doors.options import reading
from memstrata.doors.shell import Door, Shared, app, command, parameters, text_of
from memstrata.errors import InputError

_SHARED = frozenset(item.name for item in fields(Shared))
_APART = "for_"  # stands before the name of an argument that an option of every command has, too

_WORDS = re.compile(r"^[a-z]+(?![\w,])")  # and not the first of several that can be given
_ARGUMENT = re.compile(r"^ {4}(\w+(?:, \w+)*): (.*(?:\n {8}.*)*)", re.MULTILINE)


Within = Callable[..., Any]


def face(
    name: str, kind: type, *examples: str, creates: Collection[str] = (), within: Within | None = None
) -> typer.Typer:
    """Declare a command for each verb of a face, as `memstrata goals add`; answers their group, which can have more.

    Args:
        name: the property of a scope that is the face.
        kind: the face.
        examples: one for each verb, as it is typed.
        creates: verbs that make a memory that is not there yet.
        within: finds the face, where it is no property: takes the door and, keyword-only, what are options of each of
            the commands.
    """
    group = typer.Typer(no_args_is_help=True)
    app.add_typer(group, name=name, help=getdoc(kind))
    for example in examples:
        verb = example.split()[2]
        called = _called(kind, verb.replace("-", "_"), within or (lambda door: getattr(door.scoped, name)))
        command(example, creates=verb in creates, group=group)(called)
    return group


def _called(kind: type, verb: str, within: Within) -> Callable[..., object]:
    """A verb of a face as a command takes it."""
    function = getattr(kind, verb)
    _, *own = parameters(function)
    _, *more = parameters(within)
    needed = {one.name for one in own if one.default is Parameter.empty}

    def call(door: Door, **given: Any) -> object:
        found = within(door, **{one.name: given.pop(one.name) for one in more})
        values = {name.removeprefix(_APART): value for name, value in given.items()}
        asked = {name: value for name, value in values.items() if value is not None or name in needed}
        return getattr(found, verb)(**asked)

    said, _, rest = (getdoc(function) or "").partition("\n\n")
    told = ((names.split(", "), " ".join(words.split())) for names, words in _ARGUMENT.findall(rest))
    about = {name: words for names, words in told for name in names}
    door, _ = parameters(call)
    taken = [door, *(_option(one, about.get(one.name, "")) for one in own), *more]
    call.__signature__ = Signature(taken)  # type: ignore[attr-defined]
    call.__doc__ = said
    return call


def _option(one: Parameter, about: str) -> Parameter:
    """An argument of a verb as an argument or option of a command."""
    name = f"{_APART}{one.name}" if one.name in _SHARED else one.name
    flag, about = f"--{name.replace('_', '-')}", _WORDS.sub(lambda word: word[0].capitalize(), about, 1)
    kind = next((part for part in get_args(one.annotation) if NoneType in get_args(one.annotation)), one.annotation)
    default = None if isinstance(one.default, tuple) else one.default
    form = _FORMS.get(one.annotation) or _FORMS.get(get_origin(kind) or kind) or _Form(kind)
    form = _ENDS.get(one.name, form)
    placed = one.kind is Parameter.POSITIONAL_OR_KEYWORD and form.placed
    none = placed and not form.read and kind is not one.annotation and default is Parameter.empty
    about = f"{form.about.format(about)}{' Or - for none.' if none else ''}".strip()
    callback: Callable[..., Any] | None = reading(form.read) if form.read else None
    if placed:
        callback = callback or (none_of if none else text_of if one.annotation is str else None)
        declared = typer.Argument(help=about, metavar=one.name, callback=callback)
    else:
        flags = f"{flag}/--no-{flag[2:]}" if kind is bool and default is not False else flag
        declared = typer.Option(flags, help=about, metavar=form.metavar, callback=callback)
    taken = form.kind if default is Parameter.empty else form.kind | None
    return one.replace(name=name, annotation=Annotated[taken, declared], default=default)


def json_in(text: str) -> Any:
    """A JSON value; what is none is a text, unless it begins as an object does."""
    try:
        return json.loads(text, parse_constant=_refused)
    except ValueError as error:
        if text.lstrip().startswith("{"):
            raise InputError(f"This is no JSON ({error}): mend it, or put a text in quotes, as '\"{{…\"'.") from error
        return text


def _refused(name: str) -> Any:
    """JSON has no such number, though Python reads it."""
    raise ValueError(f"{name} is no number")


def answering(path: str) -> Callable[[], Awaitable[Any]]:
    """A function that answers the JSON of a file, where that is asked for."""

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
    """The text of an argument that can be none."""
    return None if text == "-" else text


def day_in(text: str) -> date:
    """A day, as a time in it is given."""
    return moment("it", times.beginning(text)).date()


@dataclass(frozen=True, slots=True)
class _Form:
    """How an argument of some type is typed.

    Attributes:
        kind: what typer takes it for.
        read: what makes of a text what the verb takes.
        metavar: what stands for it in the help, where it is an option.
        about: what the help says, with `{}` where the verb's own words belong.
        placed: it may be an argument; else it is an option wherever it stands.
    """

    kind: Any
    read: Callable[[str], Any] | None = None
    metavar: str | None = None
    about: str = "{}"
    placed: bool = True


_JSON = _Form(str, json_in, "JSON")
_SEVERAL = _Form(list[str], about="{} May be given several times.", placed=False)
#: By what a verb says that it takes, whole, or else without its parts and None; what is not here typer knows.
_FORMS: Mapping[Any, _Form] = {
    Any: _JSON,
    Json: _JSON,
    Mapping: _JSON,
    Callable: _Form(str, answering, "FILE", "A file with JSON, or - for standard input."),
    datetime: _Form(str, times.beginning, "TIME"),
    date: _Form(str, day_in, "TIME"),
    Iterable: _SEVERAL,
    Sequence: _SEVERAL,
    int | None: _Form(int, placed=False),
}
#: By the name of a time up to which something is meant: a day that is given for it is in it.
_ENDS: Mapping[str, _Form] = dict.fromkeys(("until", "valid_until", "as_of"), _Form(str, times.ending, "TIME"))
