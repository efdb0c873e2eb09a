"""Scaffolds as they are written, and what their leaves are about: whose, and which attribute.

A model names keys as it likes ("Role", "jobTitle", "Company"); the table in `languages/scaffold.toml` says which path
each means, so that what it says meets what the rules say. The scaffold of a profile is read in the same way.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from memstrata.core.rows import Json
from memstrata.core.rules.attributes import is_single_valued, path_part
from memstrata.core.rules.pack import pack_of
from memstrata.core.tables import made
from memstrata.languages import read

USER = "user"
_PEOPLE = "people"
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """What keys mean.

    Attributes:
        holders: say nothing where they open a path.
        topics: hold statements rather than values.
        paths: attribute → the keys that mean it, with points between those that lie within one another. What means an
            attribute of one part opens longer paths as well.
    """

    holders: frozenset[str]
    topics: frozenset[str]
    paths: Mapping[str, frozenset[str]]


@cache
def keys() -> Keys:
    """The keys, read when they are first needed."""
    return made(Keys, read("scaffold"), "languages/scaffold.toml")


@cache
def _meant() -> Mapping[str, str]:
    return {key: path for path, names in keys().paths.items() for key in names}


def leaves(tree: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Json]]:
    """The values of a scaffold with the keys that lead there; each element of a list is one."""
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
    """Whose property lies at a path of keys, and the attribute that it is; an empty one where no key says anything."""
    if path[0].casefold() == _PEOPLE and len(path) > 2 and path[2:] != ("name",):
        return path[1].casefold(), attribute_of(path[2:])
    return USER, attribute_of(path)


@lru_cache(1 << 14)
def attribute_of(path: tuple[str, ...]) -> str:
    """The attribute that keys within one another mean."""
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
    named = f"{found}.name"  # "family.wife" is who she is
    return named if "." in found and is_single_valued(named) and not is_single_valued(found) else found


def is_topic(path: tuple[str, ...]) -> bool:
    """Whether statements stand at a path of keys, and no values of an attribute."""
    parts = [part for key in path if (part := path_part(_HUMP.sub("_", key), {})) not in keys().holders]
    return len(parts) == 1 and parts[0] in keys().topics
