"""The registry of verbs: what each does, takes and answers, declared once.

A verb is a flow, called with the runtime of an open memory, and with its scope if the face has one. It is declared in
the class of its face, which serves both colours: the verbs of `Goals[Async]` are awaited, those of `Goals[Blocking]`
wait. Its signature and docstring are those of the flow, which is loaded when the verb is first used: a program that
only recalls never loads the grammars of capture.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, wraps
from inspect import BoundArguments, Parameter, Signature, cleandoc, signature
from types import MethodType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Concatenate,
    Generic,
    Literal,
    ParamSpec,
    TypeVar,
    get_type_hints,
    overload,
)

from memoranda.core.base.constraints import Constraint, check, constraint_of
from memoranda.core.base.observing import Deed
from memoranda.core.base.scope import Scope
from memoranda.verbs import loaded
from memoranda.verbs.misfit import bound

if TYPE_CHECKING:
    from memoranda.verbs.loop import Loop

P = ParamSpec("P")
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_ARGUMENT = re.compile(r"^ {4}(\w+(?:, \w+)*): (.*(?:\n {8}.*)*)", re.MULTILINE)

#: It changes nothing; it adds or changes; it removes, for good.
Effect = Literal["reads", "writes", "destroys"]
#: All verbs by name, as `recall` or `goals.add`; complete once `memoranda.memory` is imported.
VERBS: dict[str, "Verb[..., Any]"] = {}


class Colour:
    """How the verbs of a face are called."""

    @staticmethod
    def method(verb: "Verb[..., Any]") -> Callable[..., Any]:
        """The verb as a method, which is awaited."""
        return verb.awaited

    def run(self, function: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        """What an asynchronous function returns, to be awaited."""
        return function()


class Async(Colour):
    """The verbs of the face are awaited."""


class Blocking(Colour):
    """The verbs of the face wait for the answer, which an event loop in a thread computes."""

    def __init__(self, loop: "Loop") -> None:
        self.loop = loop

    @staticmethod
    def method(verb: "Verb[..., Any]") -> Callable[..., Any]:
        """The verb as a method that waits."""
        return verb.waiting

    def run(self, function: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        """What an asynchronous function returns."""
        return self.loop.call(function)


C = TypeVar("C", bound=Colour)


class Elsewhere(ABC):
    """A memory that another process holds. It stands where faces have the runtime of one that this process holds."""

    @abstractmethod
    async def carry_out(self, verb: "Verb[..., Any]", scope: Scope | None, given: BoundArguments) -> Any:
        """Have a verb carried out there, in a scope if it has one, and return its answer."""

    @abstractmethod
    def hand_out(self, verb: "Verb[..., Any]", scope: Scope, given: BoundArguments) -> AsyncIterator[Any]:
        """The same for one that answers with one row after another."""


class Face(Generic[C]):
    """A group of verbs on an open memory.

    Attributes:
        prefix: begins the names of its verbs; by default the name of the class, as `goals.`.
        stratum: the part of the memory that they concern.
    """

    prefix: ClassVar[str]
    stratum: ClassVar[str] = "all"
    _of: ClassVar[type[Colour] | None] = None  # the colour of all of a class, which then has methods as any other has

    def __init__(self, colour: C, runtime: "loaded.runtime.Runtime") -> None:
        self._colour: C = colour
        self._runtime = runtime

    def _bound(self, verb: "Verb[..., Any]") -> Callable[..., Any]:
        return MethodType(self._colour.method(verb), self)

    async def _carry_out(self, verb: "Verb[..., Any]", given: BoundArguments) -> Any:
        check(verb.constraints, given.arguments)
        if isinstance(self._runtime, Elsewhere):
            return await self._runtime.carry_out(verb, None, given)
        return await self._observed(verb, given.arguments.get("tenant"), self._flown(verb, given))

    async def _flown(self, verb: "Verb[..., Any]", given: BoundArguments) -> Any:
        return await verb.flow(self._runtime, *given.args, **given.kwargs)

    async def _observed(self, verb: "Verb[..., Any]", tenant: str | None, work: Awaitable[T]) -> T:
        deed = Deed(verb=verb.name, effect=verb.facts.effect, tenant=tenant)
        return await loaded.audit.observed(self._runtime, deed, work)


class ScopedFace(Face[C]):
    """A group of verbs in one scope.

    Attributes:
        scope: the scope of every call.
    """

    def __init__(self, colour: C, runtime: "loaded.runtime.Runtime", scope: Scope) -> None:
        super().__init__(colour, runtime)
        self.scope = scope

    async def _carry_out(self, verb: "Verb[..., Any]", given: BoundArguments) -> Any:
        if isinstance(self._runtime, Elsewhere):
            check(verb.constraints, given.arguments)
            return await self._runtime.carry_out(verb, self.scope, given)
        hold = loaded.withholding.withholder(self._runtime.settings, self.scope.tenant)
        with hold.guarding():
            if not verb.facts.verbatim:
                given.arguments.update(await loaded.withholding.admitted(hold, given.arguments))
            name, first = next(iter(given.arguments.items()), ("", None))
            act = loaded.audit.Act(verb.name, verb.stratum, first if name == "query" else None)
            work = loaded.audit.audited(self._runtime, self.scope, act, self._done(verb, given))
            return await self._observed(verb, self.scope.tenant, work)

    async def _done(self, verb: "Verb[..., T]", given: BoundArguments) -> T:
        check(verb.constraints, given.arguments)
        answer: T = await verb.flow(self._runtime, self.scope, *given.args, **given.kwargs)
        return answer

    def _hand_out(self, verb: "Stream[..., T]", given: BoundArguments) -> AsyncIterator[T]:
        if isinstance(self._runtime, Elsewhere):
            return self._runtime.hand_out(verb, self.scope, given)
        rows: Any = verb.flow(self._runtime, self.scope, *given.args, **given.kwargs)
        act = loaded.audit.Act(verb.name, verb.stratum)
        return loaded.audit.handed_out(self._runtime, self.scope, act, rows)


def part(kind: Callable[[Any, Any, Scope], object]) -> Any:
    """Return a property that is a face in the same scope."""
    return property(lambda self: kind(self._colour, self._runtime, self.scope), doc=kind.__doc__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What is declared of a verb.

    Attributes:
        effect: what it does to the memory.
        arguments: an example of its arguments, as they are typed on the command line.
        command: its name on the command line, if another than its own.
        stratum: the part of the memory that it concerns; by default that of its face.
        repeats: whether a second call with the same arguments changes something more.
        creates: whether it makes sense in a memory that does not exist yet.
        verbatim: whether its arguments are only compared with what is kept, or are what was kept, and so keep their
            secrets.
        route: its method and path over HTTP, such as `GET records/{record}/history`, if `doors.http.routes` would
            choose another.
        right: what a key must allow for it, if another than what its effect says.
        local: arguments that only who runs the process may give, such as a path; `*`: the verb itself is theirs.
        long: whether it may take minutes; doors answer before it has ended.
        secret: whether its answer holds a secret, which is shown once and kept nowhere.
    """

    effect: Effect
    arguments: str = ""
    command: str = ""
    stratum: str = ""
    repeats: bool = False
    creates: bool = False
    verbatim: bool = False
    route: str = ""
    right: str = ""
    local: str = ""
    long: bool = False
    secret: bool = False


class Verb(Generic[P, T_co]):
    """A verb. In a scope it is audited, and no secret reaches the flow.

    Attributes:
        face: the class that declares it; `method`: its name there; `name`: its name in `VERBS`, and in the audit.
        scoped: whether it is carried out in a scope.
        facts: what is declared of it.

    Args:
        load: returns the flow; called when the verb is first used.
        facts: see `Facts`.
    """

    face: type[Face[Any]]
    method: str
    name: str
    scoped = True

    def __init__(
        self,
        load: "Callable[[], Callable[Concatenate[loaded.runtime.Runtime, Scope, P], Awaitable[T_co]]]",
        effect: Effect,
        arguments: str = "",
        **facts: Any,
    ) -> None:
        self._declare(load, Facts(effect=effect, arguments=arguments, **facts))

    def _declare(self, load: Callable[[], Callable[..., Any]], facts: Facts) -> None:
        self._load, self.facts = load, facts

    def __init_subclass__(cls) -> None:
        cls.__doc__ = vars(Verb)["__doc__"]  # type: ignore[method-assign] # that of each verb, not that of its class

    def __set_name__(self, face: type[Face[Any]], name: str) -> None:
        if hasattr(self, "name"):  # another name for it in a subclass
            return
        prefix = vars(face).get("prefix", f"{face.__name__.lower()}.")
        self.face, self.method, self.name = face, name, f"{prefix}{name}"
        VERBS[self.name] = self

    @overload
    def __get__(self, face: Face[Async], owner: object = None) -> Callable[P, Coroutine[Any, Any, T_co]]: ...
    @overload
    def __get__(self, face: Face[Blocking], owner: object = None) -> Callable[P, T_co]: ...
    @overload
    def __get__(self, face: None, owner: object = None) -> "Verb[P, T_co]": ...
    def __get__(self, face: Any, owner: object = None) -> Any:
        if face is not None:
            return face._bound(self)  # noqa: SLF001 - one thing in two classes
        colour = getattr(owner, "_of", None)
        return self if colour is None else colour.method(self)

    @cached_property
    def flow(self) -> Callable[..., Awaitable[Any]]:
        """The flow, loaded when it is first asked for."""
        return self._load()

    def __repr__(self) -> str:
        return f"<verb {self.name}{self.signature}>"

    @property
    def __doc__(self) -> str | None:  # type: ignore[override] # `help` asks
        return self.flow.__doc__

    @property
    def __signature__(self) -> Signature:
        own = Parameter("self", Parameter.POSITIONAL_ONLY)
        return self.signature.replace(parameters=[own, *self.signature.parameters.values()])

    @cached_property
    def described(self) -> Mapping[str, str]:
        """What its docstring says of each argument."""
        _, _, rest = cleandoc(self.flow.__doc__ or "").partition("\nArgs:\n")
        lines = _ARGUMENT.findall(rest.partition("\n\n")[0])
        found = ((names.split(", "), " ".join(words.split())) for names, words in lines)
        return {name: words for names, words in found for name in names}

    def __call__(self, face: Face[Any], /, *args: Any, **names: Any) -> Any:
        """Call it on the class of its face."""
        bound: Any = self.__get__(face)
        return bound(*args, **names)

    @cached_property
    def signature(self) -> Signature:
        """The signature as callers see it, without `self`, and without the constraints of its types."""
        shape, hints = signature(self.flow), get_type_hints(self.flow)
        own = [*shape.parameters.values()][1 + self.scoped :]
        taken = [one.replace(annotation=hints[one.name]) for one in own]
        return shape.replace(parameters=taken, return_annotation=hints["return"])

    @cached_property
    def summary(self) -> str:
        """What it does: the first paragraph of its docstring, for which its flow is not loaded."""
        names = self._load.__code__.co_names  # of `lambda: loaded.module.function`, each name once
        return loaded.summary_of(loaded.place_of(names[1]), names[-1])

    @property
    def command(self) -> str:
        """The command of it."""
        return self.facts.command or self.name.replace(".", " ").replace("_", "-")

    @property
    def example(self) -> str:
        """A call, as it is typed on the command line."""
        return f"memoranda {self.command} {self.facts.arguments}".rstrip()

    @property
    def stratum(self) -> str:
        """The part of the memory that it concerns."""
        return self.facts.stratum or self.face.stratum

    @property
    def right(self) -> str:
        """What a key must allow for it: read, write, forget or export; for a whole tenant, admin."""
        usual = {"reads": "read", "writes": "write", "destroys": "forget"}[self.facts.effect]
        return self.facts.right or (usual if self.scoped else "admin")

    @cached_property
    def awaited(self) -> Callable[..., Any]:
        """The verb as an asynchronous method."""
        verb = self

        async def call(self: Face[Any], /, *args: Any, **names: Any) -> Any:
            if isinstance(given := verb.given(self, args, names), TypeError):
                raise given from None
            return await self._carry_out(verb, given)

        return self._documented(call)

    @cached_property
    def waiting(self) -> Callable[..., Any]:
        """The verb as a method that waits."""
        verb = self

        def call(self: Face[Blocking], /, *args: Any, **names: Any) -> Any:
            if isinstance(given := verb.given(self, args, names), TypeError):
                raise given from None
            return self._colour.loop.call(partial(self._carry_out, verb, given))

        return self._documented(call)

    def _documented(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Give `call` the name, docstring and signature that `help`, and whoever makes a tool of it, look for."""
        call = wraps(self.flow)(call)
        call.__name__, call.__qualname__ = self.method, f"{self.face.__name__}.{self.method}"
        call.__signature__ = self.__signature__  # type: ignore[attr-defined] # inspect asks
        taken = {name: one.annotation for name, one in self.signature.parameters.items()}
        call.__annotations__ = {**taken, "return": self.signature.return_annotation}
        return call

    @cached_property
    def constraints(self) -> Mapping[str, Constraint]:
        """What each argument may be, for those of which something is said."""
        hints = get_type_hints(self.flow, include_extras=True)
        return {name: found for name in self.signature.parameters if (found := constraint_of(hints[name]))}

    def given(self, face: Face[Any], args: Sequence[Any], names: Mapping[str, Any]) -> BoundArguments | TypeError:
        """The arguments of a call, by name; an error if they do not fit, which methods raise where they are called."""
        return bound(f"{type(face).__name__}.{self.method}()", self.signature, args, names)


class TenantVerb(Verb[P, T_co]):
    """A verb that is in no scope; its arguments name the tenant."""

    scoped = False

    def __init__(
        self,
        load: "Callable[[], Callable[Concatenate[loaded.runtime.Runtime, P], Awaitable[T_co]]]",
        effect: Effect,
        arguments: str = "",
        **facts: Any,
    ) -> None:
        self._declare(load, Facts(effect=effect, arguments=arguments, **facts))


class Stream(Verb[P, T_co]):
    """A verb that answers with one row after another."""

    def __init__(
        self,
        load: "Callable[[], Callable[Concatenate[loaded.runtime.Runtime, Scope, P], AsyncIterator[T_co]]]",
        effect: Effect,
        arguments: str = "",
        **facts: Any,
    ) -> None:
        self._declare(load, Facts(effect=effect, arguments=arguments, **facts))

    @overload  # type: ignore[override] # it is not awaited
    def __get__(self, face: Face[Async], owner: object = None) -> Callable[P, AsyncIterator[T_co]]: ...
    @overload
    def __get__(self, face: Face[Blocking], owner: object = None) -> Callable[P, Iterator[T_co]]: ...
    @overload
    def __get__(self, face: None, owner: object = None) -> "Stream[P, T_co]": ...
    def __get__(self, face: Any, owner: object = None) -> Any:
        return super().__get__(face, owner)

    @cached_property
    def awaited(self) -> Callable[..., Any]:
        """The verb as an asynchronous generator."""
        verb = self

        def call(self: ScopedFace[Any], /, *args: Any, **names: Any) -> AsyncIterator[Any]:
            if isinstance(given := verb.given(self, args, names), TypeError):
                raise given from None
            return self._hand_out(verb, given)

        return self._documented(call)

    @cached_property
    def waiting(self) -> Callable[..., Any]:
        """The verb as a generator."""
        verb = self

        def rows_of(loop: "Loop", rows: AsyncIterator[Any]) -> Iterator[Any]:
            while (row := loop.call(partial(anext, rows, None))) is not None:
                yield row

        def call(self: ScopedFace[Blocking], /, *args: Any, **names: Any) -> Iterator[Any]:
            if isinstance(given := verb.given(self, args, names), TypeError):
                raise given from None
            return rows_of(self._colour.loop, self._hand_out(verb, given))

        return self._documented(call)
