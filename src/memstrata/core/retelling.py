"""From a statement about somebody back to what that person would say, so that the rules can read it.

What rules and models say alike then has one wording, one attribute and one value, and meets as usual.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from memstrata.core.tables import expanded, made, regex
from memstrata.languages import read

#: Languages that have a table. In others a claim is kept in its own words.
RETOLD = ("en",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retelling:
    """How a language tells of somebody.

    Attributes:
        opening: what stands at the beginning → what the person says; the first that fits.
        within: what stands behind it → what the person says.
        told: attribute → how its value is told of `who`.
        macros: named pieces of the patterns; `who` is how the user is called.
    """

    opening: Mapping[str, str]
    within: Mapping[str, str]
    told: Mapping[str, str]
    macros: Mapping[str, str]


@cache
def retelling(language: str) -> Retelling:
    """The table of one of `RETOLD`.

    Raises:
        FormatError: the file has an entry that it should not have, or lacks one.
    """
    return made(Retelling, read(f"{language}/claims"), _place(language))


def first_person(text: str, language: str, who: str | None = None) -> str | None:
    """What somebody would say of whom `text` says it; None where it begins otherwise, or the language has no table.

    Args:
        text: a statement in the third person.
        language: the one it is in.
        who: a name; the user by default.
    """
    openings, within = _compiled(language, who)
    for pattern, said in openings:
        begun = pattern.match(text)
        if begun:
            rest = text[begun.end() :]
            for inner, mine in within:
                rest = inner.sub(mine, rest)
            return begun.expand(said) + rest
    return None


def told(attribute: str, value: str, language: str, who: str = "User") -> str:
    """A value of somebody's as a sentence."""
    table = retelling(language if language in RETOLD else RETOLD[0])
    if attribute not in table.told:
        return f"{who}'s {attribute.replace('.', ' ').replace('_', ' ')}: {value}"
    return table.told[attribute].format(who=who, value=value)


_Patterns = tuple[tuple[re.Pattern[str], str], ...]


@lru_cache(256)
def _compiled(language: str, who: str | None) -> tuple[_Patterns, _Patterns]:
    if language not in RETOLD:
        return (), ()
    table = retelling(language)
    macros = {**table.macros, **({"who": re.escape(who)} if who else {})}
    openings = ((expanded(pattern, macros, _place(language)), said) for pattern, said in table.opening.items())
    return _patterns(openings, language), _patterns(table.within.items(), language)


def _patterns(pairs: Iterable[tuple[str, str]], language: str) -> _Patterns:
    return tuple((regex(pattern, _place(language), re.IGNORECASE), said) for pattern, said in pairs)


def _place(language: str) -> str:
    return f"languages/{language}/claims.toml"
