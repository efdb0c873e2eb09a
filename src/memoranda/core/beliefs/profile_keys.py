"""Scaffolds as written, and what their leaves are about: whose property, and which attribute.

A model names keys freely ("Role", "jobTitle", "Company"). The table in `languages/scaffold.toml` maps them to paths,
so that the model's statements match those of the rules. The scaffold of a profile is read in the same way.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from memoranda.core.language.attributes import is_single_valued, path_part
from memoranda.core.language.pack import pack_of
from memoranda.core.rows import Json
from memoranda.core.text.packs import made
from memoranda.languages import read

USER = "user"
_PEOPLE = "people"
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """The meaning of keys.

    Attributes:
        holders: keys without meaning at the start of a path.
        topics: keys that hold statements, not values.
        paths: attribute → the keys that mean it, nested keys joined with points. A key that means an attribute of one
            part may also start longer paths.
    """

    holders: frozenset[str]
    topics: frozenset[str]
    paths: Mapping[str, frozenset[str]]


@cache
def keys() -> Keys:
    """Return the keys, read on first use."""
    return made(Keys, read("scaffold"), "languages/scaffold.toml")


@cache
def _meant() -> Mapping[str, str]:
    return {key: path for path, names in keys().paths.items() for key in names}


def leaves(tree: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Json]]:
    """Yield the values of a scaffold with the keys that lead to them; each element of a list is a value."""
    match tree:
        case Mapping():
            for key, inner in tree.items():
                yield from leaves(inner, (*path, str(key)))
        case list():
            for inner in tree:
                yield from leaves(inner, path)
        case _:
            yield path, tree


def placed(path: tuple[str, ...]) -> tuple[str, str]:
    """Return the subject and attribute of the property at a path of keys; the attribute is empty if they mean none."""
    if path[0].casefold() == _PEOPLE and len(path) > 2 and path[2:] != ("name",):
        return path[1].casefold(), attribute_of(path[2:])
    return USER, attribute_of(path)


@lru_cache(1 << 14)
def attribute_of(path: tuple[str, ...]) -> str:
    """Return the attribute that nested keys mean."""
    canon = pack_of("en").canon
    parts = [part for key in path for word in key.split(".") if (part := path_part(_HUMP.sub("_", word), canon))]
    while len(parts) > 1 and parts[0] in keys().holders:
        del parts[0]
    if len(parts) > 1 and parts[-1] == "is":
        del parts[-1]
    found = ".".join(parts)
    if found not in _meant() and parts and "." not in (root := _meant().get(parts[0], ".")):
        found = ".".join((root, *parts[1:]))
    found = _meant().get(found, found)
    named = f"{found}.name"  # "family.wife" means her name
    return named if "." in found and is_single_valued(named) and not is_single_valued(found) else found


def is_topic(path: tuple[str, ...]) -> bool:
    """Whether statements, not attribute values, lie at a path of keys."""
    parts = [part for key in path if (part := path_part(_HUMP.sub("_", key), {})) not in keys().holders]
    return len(parts) == 1 and parts[0] in keys().topics
