"""The error of a call whose arguments do not fit, in the words of the public method."""

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from inspect import signature
from typing import Any

from memoranda.core.secrets.detection import withheld


def misfit(
    face: object, method: Callable[..., Any], args: Sequence[object], names: Mapping[str, object]
) -> TypeError | None:
    """Return the `TypeError` of calling `method` of `face` with these arguments; None if they fit."""
    kind, shape = type(face), signature(method)
    public = f"{kind.__name__}.{next(name for name in dir(kind) if getattr(kind, name) is method)}()"
    known = [*shape.parameters][1:]
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(known) or 'none'}."
            return TypeError(f"{public} got an unexpected keyword argument {withheld(name)!r}; {hint}")
    try:
        shape.bind(face, *args, **names)
    except TypeError as error:
        return TypeError(f"{public} {str(error).replace('missing a required', 'missing 1 required')}")
    return None
