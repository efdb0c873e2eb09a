"""JSON documents as values: reading at a path, writing, merging, and replaying a history."""

from collections.abc import Iterable, Mapping
from functools import partial, reduce
from typing import Any

from memoranda.core.base.checks import brief
from memoranda.errors import InputError, NotFoundError


def at(document: Any, path: str | None) -> Any:
    """Return the value at a path of names separated by points; the whole document for None.

    Raises:
        NotFoundError: there is no value.
    """
    for name in _names(path):
        if not isinstance(document, Mapping) or name not in document:
            raise NotFoundError(f"There is nothing at {brief(path)}; read without a path answers the whole.")
        document = document[name]
    return document


def written(document: Any, path: str | None, value: Any, *, through: bool = False) -> Any:
    """Return the document with `value` at a path; objects on the way are created.

    Raises:
        InputError: something other than an object lies on the way, and `through` does not allow replacing it.
    """
    if not path:
        return value
    if not isinstance(document, Mapping):
        if not through:
            raise InputError(
                f"{brief(path)} leads through {brief(document)}, which is no object: write that anew first."
            )
        document = {}
    first, _, rest = path.partition(".")
    return {**document, first: written(document.get(first, {}), rest, value, through=through)}


def merged(document: Any, patch: Any) -> Any:
    """Return the document with a patch merged in (RFC 7386): objects name by name, None removes, all else replaces."""
    if not isinstance(patch, Mapping):
        return patch
    kept = dict(document) if isinstance(document, Mapping) else {}
    for name, value in patch.items():
        if value is None:
            kept.pop(name, None)
        else:
            kept[name] = merged(kept.get(name), value)
    return kept


def changed(document: Any, change: Mapping[str, Any], *, through: bool = False) -> Any:
    """Return the document after a change as the log keeps it: `{"patch": …}`, or `{"path": …, "value": …}`.

    Raises:
        InputError: as of `written`.
    """
    if "patch" in change:
        return merged(document, change["patch"])
    return written(document, change["path"], change["value"], through=through)


def replayed(changes: Iterable[Mapping[str, Any]]) -> Any:
    """Return the document that a sequence of changes makes.

    If a change that made room for a later one is missing, the later one replaces what lies there.
    """
    empty: Any = {}
    return reduce(partial(changed, through=True), changes, empty)


def _names(path: str | None) -> list[str]:
    return path.split(".") if path else []
