"""Reading a request: its body as strict JSON, its address as the arguments of a verb."""

import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any

from memoranda.core.base.scope import encodable
from memoranda.doors.wire.problems import Problem

DEPTH = 100  # arrays and objects within one another
_SCOPE = "scope."


def unreadable(detail: str) -> Problem:
    """Return the problem of a body that is no JSON."""
    return Problem(status=400, kind="unreadable", title="The request cannot be read.", detail=detail)


async def body_of(stream: AsyncIterator[bytes], headers: Mapping[str, str], most: int) -> Any:
    """Read a body of JSON; an empty one is an empty object.

    Args:
        stream: the parts of the body.
        headers: of the request.
        most: the most bytes.

    Raises:
        Problem: it is too long, of another type, or not strict JSON in UTF-8: without names that are there twice, NaN,
            half characters, or more than 100 levels.
    """
    data = bytearray()
    async for part in stream:
        data += part
        if len(data) > most:
            raise Problem(
                status=413, kind="too-large", title="The request is too large.",
                detail=f"A request has at most {most:,} bytes; send it in parts.",
            )  # fmt: skip
    if not data:
        return {}
    _check_type(headers.get("content-type", "application/json"))
    return json_of(bytes(data))


def _check_type(told: str) -> None:
    kind, _, rest = told.partition(";")
    charset = rest.partition("charset=")[2].strip(' "').lower()
    if kind.strip().lower() != "application/json" or charset not in {"", "utf-8", "utf8"}:
        raise Problem(
            status=415, kind="unsupported-type", title="The request is of a type that is not read.",
            detail="Send application/json in UTF-8.",
        )  # fmt: skip


def json_of(data: bytes) -> Any:
    """Parse strict JSON.

    Raises:
        Problem: it is none.
    """
    try:
        found = json.loads(data.decode("utf-8"), object_pairs_hook=_once, parse_constant=_refused)
        check_depth(found)
    except RecursionError:
        raise unreadable(f"The JSON has more than {DEPTH} levels.") from None
    except ValueError as error:
        raise unreadable(f"The body is not JSON in UTF-8: {error}.") from None
    return found


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name is there twice in one object")
    return found


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def check_depth(value: Any, left: int = DEPTH) -> None:
    """Refuse JSON that is too deep, and half characters (lone surrogates), which no store can hold."""
    if left < 0:
        raise RecursionError
    if isinstance(value, str):
        if not encodable(value):
            raise ValueError("half of a surrogate pair is no character")
        return
    if isinstance(value, Mapping):
        for name in value:
            check_depth(name, left)
    parts: Iterable[Any] = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    for part in parts:
        check_depth(part, left - 1)


def queried(pairs: Iterable[tuple[str, str]], schemas: Mapping[str, Any]) -> dict[str, Any]:
    """Return the query of an address as JSON; what names the place has `scope.` before its name.

    Args:
        pairs: names and texts, in order; several of one name make a list.
        schemas: of the arguments, by name.
    """
    texts: dict[str, list[str]] = {}
    for name, text in pairs:
        texts.setdefault(name, []).append(text)
    return {name: _typed(some, schemas.get(name, {})) for name, some in texts.items()}


def divided(given: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what a query says of the place, and the rest."""
    place = {name.removeprefix(_SCOPE): value for name, value in given.items() if name.startswith(_SCOPE)}
    return place, {name: value for name, value in given.items() if not name.startswith(_SCOPE)}


def _typed(texts: Sequence[str], schema: Mapping[str, Any]) -> Any:
    """Return texts as JSON of the schema's type; a text that is of no such type stays, and is refused later."""
    some = schema.get("anyOf", [schema])
    kinds = {one.get("type") for one in some}
    for one in some:
        if one.get("type") == "array":
            return [_typed([text], one.get("items", {})) for text in texts]
    if len(texts) > 1:
        return [*texts]
    text = texts[0]
    if "string" in kinds or any("enum" in one for one in some):
        return text
    try:
        return json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError):
        return text
