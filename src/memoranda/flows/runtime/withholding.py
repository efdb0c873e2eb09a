"""The gate on the way in: what a call is given passes here before anything reads it, and loses its secrets.

What every verb in a scope is given passes `admitted`. What comes in later passes `Withholder.value` as well: what a
language model answers, conversations that are imported one by one, and what a host's functions return.
"""

import asyncio
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from inspect import isawaitable
from itertools import chain, islice
from typing import Any

from memoranda.core.base.checks import brief
from memoranda.core.formats.conversation import Conversation, Message
from memoranda.core.secrets.detection import holds, is_id, labels, placeholder, withheld
from memoranda.core.text.escapes import documents
from memoranda.errors import InputError, MemorandaError, MessageError
from memoranda.flows.runtime.runtime import Settings

#: The arguments by which a host finds something again or chooses. They stay as they are: two of them must never become
#: one, and a host's `redact` must not change which thing is meant.
NAMES = frozenset(
    {
        *("agent", "arms", "channel", "collection", "connection", "conversation", "entry", "events", "goal", "grant"),
        *("item", "key", "kind", "kinds", "layout", "level", "operation", "parent", "part", "pool", "profile", "reach"),
        *("record", "records", "run", "snapshot", "source_event", "states", "strategy", "stratum", "surface", "team"),
        *("techniques", "tool", "tools", "turn", "user", "what"),
    }
)

_DEEPEST = 64  # levels of nesting, as `core.formats.values.plain` allows
_MOST = 1_000_000  # elements of a sequence; what has more may be without an end
_LONGEST = 100_000  # bytes that are searched; they are never stored, but may come into an error
_LABELS = ("name", "key", "path", "label", "field", "variable", "type", "id")  # {"name": "password", "value": …}
_AT_ONCE = 20_000  # characters that are searched while others wait: about 30 ms
_LARGE = 10**8  # a smaller number is a secret only under a label
_OWN = frozenset({"id", "role", "type", "timestamp", "created_at", "create_time"})  # of a message, by which it is known
_PARTS = frozenset({"content", "tool_calls"})  # of a message, made of parts of the same form


@dataclass(frozen=True, slots=True)
class Withholder:
    """What is withheld.

    Attributes:
        kept: kinds of secrets that stay.
        redact: the host's own function, which is given each text last.
        longest: the most characters of a text.
    """

    kept: frozenset[str] = frozenset()
    redact: Callable[[str], str] | None = None
    longest: int = 1_000_000

    def text(self, text: str, label: str = "") -> str:
        """The text without its secrets; `label` is the key it stands under, which may name it.

        Raises:
            InputError: the host's function returned no text.
        """
        kind = labels(label, text) if label else None
        if kind is None and is_id(text):
            return text
        if kind is not None and kind not in self.kept:
            return self._own(placeholder(kind))
        text, whole = self._json(text)
        return self._own(text if whole else withheld(text, self.kept))

    def _json(self, text: str) -> tuple[str, bool]:
        """The text without the secrets that the keys of JSON in it tell, and whether it is nothing but JSON."""
        gate, left, done, whole = replace(self, redact=None), list[str](), 0, False
        for start, end, found in documents(text):
            clean = gate.value(found)
            if clean is not found:
                left += [text[done:start], json.dumps(clean, ensure_ascii=False)]
                done = end
            whole = end - start == len(text.strip())
        return "".join((*left, text[done:])), whole

    def _own(self, clean: str) -> str:
        """The text after the host's own function."""
        redacted: object = self.redact(clean) if self.redact else clean
        if isinstance(redacted, str):
            return redacted
        raise InputError(f"Settings.redact returned {brief(redacted)}; it takes a text and returns a text.")

    def value(self, value: Any, label: str = "", depth: int = 0, own: Collection[str] = ()) -> Any:
        """A value of any type without the secrets in it: the same object if it has none.

        Args:
            value: what was given.
            label: the keys it stands under, as a path with dots.
            depth: the levels it is nested in.
            own: the keys of a mapping whose values stay.

        Raises:
            MessageError: it is nested too deep, or too long, to be stored.
            InputError: the host's function returned no text.
        """
        clean = value
        match value:
            case bool() | range() | memoryview() | type():
                pass
            case str():
                clean = self.text(value, label)
            case bytes() | bytearray() | int():
                clean = self._plain(value, label)
            case _ if depth > _DEEPEST:
                raise MessageError(f"This is nested more than {_DEEPEST} levels deep. Store it as a string.")
            case Mapping():
                clean = self._mapping(value, label, depth + 1, own)
            case Sequence() | set() | frozenset():
                clean = self._several(value, label, depth + 1, own)
            case Iterable():  # it may be without an end
                clean = _Each(self, value)
            case _ if is_dataclass(value):
                clean = self._fields(value, depth + 1)
            case _:
                clean = self._object(value)
        return clean

    def name(self, name: Any, depth: int = 0) -> Any:
        """A key of a mapping without the secrets in it."""
        return (
            self._own(withheld(name, self.kept, free=False)) if isinstance(name, str) else self.value(name, "", depth)
        )

    def messages(self, given: Any) -> Any:
        """The messages of a conversation, or items of an inbox: what they are known by stays."""
        return self.value(given, own=_OWN)

    def joined(self, given: Iterable[Any], read: Iterable[Message]) -> Iterable[Message]:
        """The messages as they were read, without secrets that only show once the parts of a message are together."""
        parted = any(isinstance(one, Mapping) and not isinstance(one.get("content"), str) for one in given)
        return map(self.value, read) if parted else read

    @contextmanager
    def guarding(self, kinds: tuple[type[Exception], ...] = (MemorandaError, TypeError)) -> Iterator[None]:
        """Take the secrets out of the texts of errors raised in a block, by default of the memory's own."""
        try:
            yield
        except kinds as error:
            self.error(error)
            raise

    def error(self, error: BaseException) -> None:
        """Take the secrets out of the text of an error, and of those that led to it."""
        told: BaseException | None = error
        while told is not None:
            told.args = tuple(withheld(one, self.kept) if isinstance(one, str) else one for one in told.args)
            told = told.__cause__ or told.__context__

    def _plain(self, given: bytes | bytearray | int, label: str) -> Any:
        if isinstance(given, bytes | bytearray):
            told = given.decode("latin-1") if len(given) <= _LONGEST else ""
            clean = withheld(told, self.kept)
            return given if clean == told else clean.encode("latin-1")
        told = str(given) if 1 < abs(given) < _LARGE**3 and (label or given >= _LARGE) else ""  # 0 and 1 are switches
        clean = self.text(told, label)
        return given if clean == told else clean

    def _mapping(self, given: Mapping[Any, Any], label: str, depth: int, own: Collection[str]) -> Mapping[Any, Any]:
        named = _named(given)
        clean: dict[Any, Any] = {}
        for key, one in given.items():
            name = key if own else self.name(key, depth)
            name = f"{name} {len(clean)}" if name in clean else name
            under = (named or label) if named and holds(key) else label if key == "value" else _path(label, key)
            stays = key in own and not isinstance(one, Mapping)
            clean[name] = one if stays else self.value(one, under, depth, own if key in _PARTS else ())
        same = list(clean) == list(given) and all(clean[key] is one for key, one in given.items())
        return given if same else clean

    def _several(self, given: Collection[Any], label: str, depth: int, own: Collection[str]) -> Any:
        if len(given) > _MOST:
            raise MessageError(f"This has {len(given):,} elements; at most {_MOST:,} are taken at once. Split it.")
        values = list(islice(given, len(given)))
        names: Sequence[str] = getattr(given, "_fields", ()) or _flags(values)
        clean = [self.value(one, _path(label, name), depth, own) for one, name in zip(values, names, strict=False)]
        if _pairs(values):
            clean = [
                one if one[1] is (new := self.value(one[1], _path(label, one[0]), depth)) else type(one)((one[0], new))
                for one in clean
            ]
        kind = next((kind for kind in (list, tuple, set, frozenset) if isinstance(given, kind)), None)
        if kind and all(one is other for one, other in zip(clean, values, strict=True)):
            return given
        return getattr(given, "_make", kind or list)(clean)

    def _fields(self, given: Any, depth: int) -> Any:
        held = _fields_of(given, self.longest)
        clean = {name: self.value(one, name, depth) for name, one in held.items()}
        changed = {name: one for name, one in clean.items() if one is not held[name]}
        return replace(given, **changed) if changed else given

    def _object(self, given: object) -> object:
        if isinstance(given, BaseException):
            self.error(given)
        return self._called(given) if callable(given) else given

    def _called(self, function: Callable[..., Any]) -> Callable[..., Any]:
        async def awaited(answer: Any) -> Any:
            with self.guarding((Exception,)):
                return self.value(await answer)

        def call(*args: Any, **names: Any) -> Any:
            with self.guarding((Exception,)):
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

    def __repr__(self) -> str:
        return brief(self.values)


def withholder(settings: Settings, tenant: str) -> Withholder:
    """What is withheld of a tenant."""
    return Withholder(frozenset(settings.keeps.get(tenant, ())), settings.redact, settings.max_characters)


async def admitted(hold: Withholder, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call without their secrets. Others go on while much is searched.

    Raises:
        MessageError: a text is too long, or something is nested too deep or has too many elements.
        InputError: the host's function returned no text.
    """

    def clean() -> dict[str, Any]:
        return {name: _argument(hold, name, one, given) for name, one in given.items()}

    much = _length([one for name, one in given.items() if name not in NAMES], hold.longest) > _AT_ONCE
    return await asyncio.to_thread(clean) if much else clean()


def _length(given: Any, longest: int, depth: int = 0) -> int:
    """How many characters the texts in a value have. Those of a conversation that are too long its flow tells itself.

    Raises:
        MessageError: a text is too long; searching it for secrets would take seconds.
    """
    parts: Iterable[Any] = ()
    match given:
        case str():
            check_length(given, longest)
            return len(given)
        case _ if depth > _DEEPEST:
            return 0
        case Mapping():
            parts = chain(given.keys(), given.values())
        case bytes() | bytearray() | memoryview() | range() | type():
            pass
        case Sequence() | set() | frozenset() if len(given) <= _MOST:
            parts = islice(given, len(given))
        case _ if is_dataclass(given):
            parts = _fields_of(given, longest).values()
    return sum(_length(one, longest, depth + 1) for one in parts)


def _argument(hold: Withholder, name: str, given: Any, bound: Mapping[str, Any]) -> Any:
    if name in NAMES:
        return given
    return (
        hold.messages(given)
        if name in {"items", "messages"}
        else hold.value(given, _named(bound) if name == "value" else "")
    )


def check_length(text: str, most: int) -> None:
    """Refuse a text that is too long.

    Raises:
        MessageError: it has more than `most` characters.
    """
    if len(text) > most:
        raise MessageError(f"This text has {len(text):,} characters; at most {most:,} are taken at once. Split it.")


def _fields_of(given: Any, longest: int) -> dict[str, Any]:
    """The fields of an object in which secrets may be; not a turn's text that is too long, which no flow takes."""
    own = _OWN if isinstance(given, Message | Conversation) else frozenset[str]()
    own |= {"content"} if isinstance(given, Message) and len(given.content) > longest else set()
    return {one.name: getattr(given, one.name) for one in fields(given) if one.init and one.name not in own}


def _named(given: Mapping[Any, Any]) -> str:
    """What the "value" among some names with values is called."""
    known = {name.lower(): one for name, one in given.items() if isinstance(name, str) and isinstance(one, str)}
    return next((known[name] for name in _LABELS if name in known), "")


def _path(*names: object) -> str:
    """The path of keys that a value stands under."""
    return ".".join(name for name in names if name and isinstance(name, str))


def _flags(values: Sequence[Any]) -> list[str]:
    """What each element of a list is called by the one before it: --password x."""
    return ["", *(one if isinstance(one, str) and one.startswith("-") else "" for one in values)]


def _pairs(values: Sequence[Any]) -> bool:
    """Whether a list holds names with values, each as a list of two."""
    return all(isinstance(one, list | tuple) and len(one) == 2 and isinstance(one[0], str) for one in values)
