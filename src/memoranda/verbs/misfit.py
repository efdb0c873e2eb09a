"""Calls whose arguments do not fit: the error says so in the words of the public method, at the caller's line."""

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from functools import wraps
from inspect import BoundArguments, Signature, signature
from typing import Any, Concatenate, ParamSpec, TypeVar

from memoranda.core.secrets.detection import withheld

_F = TypeVar("_F")
_P = ParamSpec("_P")
_T = TypeVar("_T")


def bound(
    public: str, shape: Signature, args: Sequence[object], names: Mapping[str, object]
) -> BoundArguments | TypeError:
    """Return the arguments of a call by name, or the error of a call that does not fit; `public` is what is called."""
    known = [*shape.parameters]
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(known) or 'none'}."
            return TypeError(f"{public} got an unexpected keyword argument {withheld(name)!r}; {hint}")
    try:
        return shape.bind(*args, **names)
    except TypeError as error:
        return TypeError(f"{public} {str(error).replace('missing a required', 'missing 1 required')}")


def fitting(method: Callable[Concatenate[_F, _P], _T]) -> Callable[Concatenate[_F, _P], _T]:
    """Wrap a method that is no verb, so that its calls are refused as those of verbs are."""
    shape = signature(method)
    own = shape.replace(parameters=[*shape.parameters.values()][1:])

    @wraps(method)
    def call(self: _F, /, *args: _P.args, **names: _P.kwargs) -> _T:
        given: Any = bound(f"{type(self).__name__}.{method.__name__}()", own, args, names)
        if isinstance(given, TypeError):
            raise given from None
        return method(self, *args, **names)

    return call
