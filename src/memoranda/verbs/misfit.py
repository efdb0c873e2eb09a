"""The error of a call whose arguments do not fit."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from inspect import Signature

from memoranda.core.secrets.detection import withheld


def misfit(public: str, shape: Signature, args: Sequence[object], names: Mapping[str, object]) -> TypeError:
    """Return the `TypeError` of calling a verb with arguments that do not fit its signature; `public` is its name."""
    known = [*shape.parameters]
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(known) or 'none'}."
            return TypeError(f"{public} got an unexpected keyword argument {withheld(name)!r}; {hint}")
    try:
        shape.bind(*args, **names)
    except TypeError as error:
        return TypeError(f"{public} {str(error).replace('missing a required', 'missing 1 required')}")
    raise AssertionError(public)  # pragma: no cover - it is called for what does not fit
