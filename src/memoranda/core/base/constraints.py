"""What an argument may be, as part of its type: `Annotated[int, Between(1, 5)]`.

The registry of verbs checks the arguments of every call by them, and shows them in the schema. `bool` and `datetime`
need no constraint: their types say it. A constraint is equal to itself only, for what it holds need not be hashable.
"""

from collections.abc import Callable, Collection, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import NoneType, UnionType
from typing import Annotated, Any, Protocol, Union, get_args, get_origin

from memoranda.core.base.checks import (
    CENTURY,
    LARGEST,
    check_choice,
    check_function,
    check_number,
    check_seconds,
    require,
    strings,
)
from memoranda.core.base.moments import moment
from memoranda.core.base.scope import MAX_IDENTIFIER, check_identifier, check_identifiers, encodable
from memoranda.errors import InputError


class Constraint(Protocol):
    """What an argument may be."""

    def check(self, name: str, value: Any) -> Any:
        """Return the value of the argument `name`, in the form that flows expect.

        Raises:
            InputError: it may not be this.
        """

    def schema(self) -> dict[str, Any]:
        """Return what JSON Schema says of it, beside its type."""


@dataclass(frozen=True, slots=True, eq=False)
class Between:
    """A whole number from `least` to `most`."""

    least: int = 1
    most: int = LARGEST

    def check(self, name: str, value: Any) -> int:
        return check_number(name, value, self.least, self.most)

    def schema(self) -> dict[str, Any]:
        return {"minimum": self.least, **({"maximum": self.most} if self.most < LARGEST else {})}


@dataclass(frozen=True, slots=True, eq=False)
class OneOf:
    """One of some texts; `error` is raised for any other."""

    choices: Collection[str]
    error: type[InputError] = InputError

    def check(self, name: str, value: Any) -> str:
        check_choice(name, value, self.choices, self.error)
        return next(one for one in self.choices if one == value)  # a plain text, whatever kind of text was given

    def schema(self) -> dict[str, Any]:
        return {"enum": [*self.choices]}


@dataclass(frozen=True, slots=True, eq=False)
class Each:
    """A list of texts; each is one of `choices`, and an error calls it `called`, and says what to do `otherwise`."""

    choices: Collection[str]
    called: str
    otherwise: str = ""

    def check(self, name: str, value: Any) -> tuple[str, ...]:
        given = strings(name, value)
        for one in given:
            require(one in self.choices, self.called, one, f"one of {', '.join(self.choices)}{self.otherwise}")
        return tuple(next(each for each in self.choices if each == one) for one in given)

    def schema(self) -> dict[str, Any]:
        return {"items": {"type": "string", "enum": [*self.choices]}}


@dataclass(frozen=True, slots=True, eq=False)
class Lasting:
    """A time in seconds, more than 0 and at most `most`."""

    most: int = CENTURY

    def check(self, name: str, value: Any) -> Any:
        check_seconds(name, value, self.most)
        return value

    def schema(self) -> dict[str, Any]:
        return {"exclusiveMinimum": 0, "maximum": self.most}


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A value that `check` accepts, of which JSON Schema says `told`."""

    checked: Callable[[str, Any], Any]
    told: tuple[tuple[str, Any], ...] = ()

    def check(self, name: str, value: Any) -> Any:
        return self.checked(name, value)

    def schema(self) -> dict[str, Any]:
        return dict(self.told)


def _flag(name: str, value: object) -> object:
    require(isinstance(value, bool), name, value, "True or False")
    return value


def _function(name: str, value: object) -> object:
    check_function(name, value)
    return value


def _text(name: str, value: object) -> object:
    fits = isinstance(value, str) and len(value) <= MAX_IDENTIFIER and encodable(value) and "\x00" not in value
    told = f"a text of at most {MAX_IDENTIFIER} characters, without NUL and halves of a character"
    require(fits, name, value, told)
    return value


def _share(name: str, value: Any) -> float:
    fits = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    require(fits, name, value, "a number from 0 to 1")
    return float(value)


def _whatever(_: str, value: Any) -> Any:
    return value


_NAME = (("minLength", 1), ("maxLength", MAX_IDENTIFIER), ("pattern", r"\S"))
#: What JSON Schema says of a name.
NAME = {"type": "string", **dict(_NAME)}
#: A text by which something is found again: not empty, and such that every store can hold it.
Id = Annotated[str, Kind(check_identifier, _NAME)]
#: A list of them.
Ids = Annotated[Sequence[str], Kind(check_identifiers, (("items", NAME),))]
#: A text that says or asks something; flows refuse a blank one in words of their own.
Words = Annotated[str, Kind(_whatever, (("pattern", r"\S"),))]
#: A line of text, which may be empty.
Text = Annotated[str, Kind(_text, (("maxLength", MAX_IDENTIFIER),))]
#: A list of texts.
Texts = Annotated[Sequence[str], Kind(strings)]
#: A number from 0 to 1.
Share = Annotated[float, Kind(_share, (("minimum", 0), ("maximum", 1)))]
#: A function that is called with how much more is done.
Progress = Annotated[Callable[[int], None], Kind(_function)]
#: What a type says without a constraint.
_TYPES: dict[Any, Constraint] = {bool: Kind(_flag), datetime: Kind(moment)}


@dataclass(frozen=True, slots=True, eq=False)
class Optional:
    """None, or what another constraint allows."""

    other: Constraint

    def check(self, name: str, value: Any) -> Any:
        return None if value is None else self.other.check(name, value)

    def schema(self) -> dict[str, Any]:
        return self.other.schema()


def constraint_of(hint: Any) -> Constraint | None:
    """The constraint of a type, or of a type or None; else None."""
    if get_origin(hint) in (Union, UnionType):
        some = [one for one in get_args(hint) if one is not NoneType]
        found = constraint_of(some[0]) if len(some) == 1 else None
        return Optional(found) if found else None
    if get_origin(hint) is Annotated:
        return next((one for one in get_args(hint)[1:] if hasattr(one, "check")), None)
    return _TYPES.get(hint)


def check(constraints: Mapping[str, Constraint], given: MutableMapping[str, Any]) -> None:
    """Check arguments by name, and put them into the form that flows expect.

    Raises:
        InputError: one of them is not what it may be.
    """
    for name, value in given.items():  # in their order, so that the first that is wrong is told
        if name in constraints:
            given[name] = constraints[name].check(name, value)
