"""The gate on the way in: what a call is given passes here before anything reads it, and loses its secrets.

Every method of a face is called through `admitted`. What comes in later passes `Withholder.value` as well: what a
language model answers, conversations that are imported one by one, and what a host's functions return.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from inspect import isawaitable
from typing import Any

from memstrata.core.checks import brief
from memstrata.core.secrets import labels, placeholder, withheld
from memstrata.errors import InputError, MessageError
from memstrata.flows.runtime import Runtime, Settings

#: The arguments by which a host finds something again. They stay as they are: two of them must never become one.
NAMES = frozenset({"agent", "channel", "connection", "conversation", "key", "run", "surface", "team", "tool", "user"})

_DEEPEST = 64  # levels of nesting, as `core.formats.values.plain` allows
_LABELS = ("name", "key", "path", "label", "field", "variable")  # {"name": "password", "value": …}
_LARGE = 10**8  # a smaller number is a secret only under a label


@dataclass(frozen=True, slots=True)
class Withholder:
    """What is withheld.

    Attributes:
        kept: kinds of secrets that stay.
        redact: the host's own function, which is given each text last.
    """

    kept: frozenset[str] = frozenset()
    redact: Callable[[str], str] | None = None

    def text(self, text: str, label: str = "") -> str:
        """The text without its secrets; `label` is the key it stands under, which may name it.

        Raises:
            InputError: the host's function returned no text.
        """
        kind = labels(label, text) if label else None
        clean = withheld(text, self.kept) if kind is None or kind in self.kept else placeholder(kind)
        redacted: object = self.redact(clean) if self.redact else clean
        if isinstance(redacted, str):
            return redacted
        raise InputError(f"Settings.redact returned {brief(redacted)}; it takes a text and returns a text.")

    def value(self, value: Any, label: str = "", depth: int = 0) -> Any:
        """A value of any type without the secrets in it: the same object if it has none.

        Raises:
            MessageError: it is nested too deep to be stored.
            InputError: the host's function returned no text.
        """
        clean = value
        match value:
            case bool() | bytes() | range() | type():
                pass
            case str():
                clean = self.text(value, label)
            case int():
                told = str(value) if abs(value) < _LARGE**3 and (label or value >= _LARGE) else ""
                clean = value if self.text(told, label) == told else self.text(told, label)
            case _ if depth > _DEEPEST:
                raise MessageError(f"This is nested more than {_DEEPEST} levels deep. Store it as a string.")
            case Mapping():
                clean = self._mapping(value, label, depth + 1)
            case list() | tuple() | set() | frozenset():  # any other may be without an end
                clean = self._several(value, label, depth + 1)
            case Iterable():
                clean = _Each(self, value)
            case _ if is_dataclass(value):
                clean = self._fields(value, depth + 1)
            case _ if callable(value):
                clean = self._called(value)
        return clean

    def _mapping(self, given: Mapping[Any, Any], label: str, depth: int) -> Mapping[Any, Any]:
        named = _named(given) or label
        own = ("id",) if "role" in given else ()  # a message's, by which it is known again
        clean: dict[Any, Any] = {}
        for key, one in given.items():
            under = named if key == "value" else key if isinstance(key, str) else ""
            name = self.value(key, depth=depth)
            name = f"{name} {len(clean)}" if name in clean else name
            clean[name] = one if key in own else self.value(one, under, depth)
        same = list(clean) == list(given) and all(clean[key] is one for key, one in given.items())
        return given if same else clean

    def _several(self, given: Iterable[Any], label: str, depth: int) -> Any:
        values = list(given)
        flags = ["", *(one if isinstance(one, str) and one.startswith("-") else "" for one in values)]  # --password, x
        clean = [self.value(one, flag or label, depth) for one, flag in zip(values, flags, strict=False)]
        if all(one is other for one, other in zip(clean, values, strict=True)):
            return given
        return tuple(clean) if isinstance(given, tuple) else clean if isinstance(given, list) else set(clean)

    def _fields(self, given: Any, depth: int) -> Any:
        held = {one.name: getattr(given, one.name) for one in fields(given) if one.init and one.name != "id"}
        clean = {name: self.value(one, name, depth) for name, one in held.items()}
        changed = {name: one for name, one in clean.items() if one is not held[name]}
        return replace(given, **changed) if changed else given

    def _called(self, function: Callable[..., Any]) -> Callable[..., Any]:
        async def awaited(answer: Any) -> Any:
            return self.value(await answer)

        def call(*args: Any, **names: Any) -> Any:
            answer = function(*args, **names)
            return awaited(answer) if isawaitable(answer) else self.value(answer)

        return call


@dataclass(frozen=True, slots=True)
class _Each:
    """The elements of an iterable without their secrets, each when it is asked for."""

    withholder: Withholder
    values: Iterable[Any]

    def __iter__(self) -> Iterator[Any]:
        return map(self.withholder.value, self.values)


def withholder(settings: Settings, tenant: str) -> Withholder:
    """What is withheld of a tenant."""
    return Withholder(frozenset(settings.keeps.get(tenant, ())), settings.redact)


def admitted(
    runtime: Runtime, tenant: str, parameters: Sequence[str], args: Sequence[Any], names: Mapping[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """The arguments of a call without their secrets; `parameters` are the names of the positional ones."""
    bound = {**dict(zip(parameters, args, strict=False)), **names}
    hold, label = withholder(runtime.settings, tenant), _named(bound)
    clean = {
        name: one if name in NAMES else hold.value(one, label if name == "value" else "") for name, one in bound.items()
    }
    return [*(clean[name] for name in parameters[: len(args)]), *args[len(parameters) :]], {
        name: clean[name] for name in names
    }


def _named(given: Mapping[Any, Any]) -> str:
    """What the "value" among some names with values is called."""
    return next((given[name] for name in _LABELS if isinstance(given.get(name), str)), "")
