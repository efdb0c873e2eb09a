"""What makes methods of flows: each method of a face is a flow, called with the runtime and the scope."""

from collections.abc import Awaitable, Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Concatenate, ParamSpec, TypeVar

from memoranda.core.base.scope import Scope
from memoranda.faces.calls import misfit
from memoranda.flows.runtime.audit import Act, audited
from memoranda.flows.runtime.runtime import Runtime
from memoranda.flows.runtime.withholding import admitted, withholder

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Face:
    """A group of methods in one scope."""

    def __init__(self, runtime: Runtime, scope: Scope) -> None:
        self._runtime = runtime
        self.scope = scope


def verb(
    flow: Callable[Concatenate[Runtime, Scope, _P], Awaitable[_T]],
) -> Callable[Concatenate[Face, _P], Awaitable[_T]]:
    """Return a flow as an audited method of a face, with its signature and docstring; no secret reaches it."""
    operation = f"{flow.__module__.rpartition('.')[2]}.{flow.__name__}"
    takes = [*signature(flow).parameters][2:]  # after the runtime and the scope
    asks = "query" in takes[:1]

    @wraps(flow)
    async def call(self: Face, /, *args: _P.args, **names: _P.kwargs) -> _T:
        hold = withholder(self._runtime.settings, self.scope.tenant)
        with hold.guarding():
            given, named = admitted(hold, operation, takes, args, names)
            try:
                work = flow(self._runtime, self.scope, *given, **named)
            except TypeError:
                raise misfit(self, call, args, names) from None  # type: ignore[misc] # nothing ran yet
            act = Act(operation, named.get("query", *given[:1]) if asks else None)
            return await audited(self._runtime, self.scope, act, work)

    _, _, *given = signature(flow).parameters.values()
    own = Parameter("self", Parameter.POSITIONAL_ONLY)
    call.__signature__ = signature(flow).replace(parameters=[own, *given])  # type: ignore[attr-defined] # inspect asks
    call.__annotations__ = {
        name: hint for name, hint in flow.__annotations__.items() if name not in ("runtime", "scope")
    }
    return call
