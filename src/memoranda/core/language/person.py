"""Turn a statement about somebody back into what that person would say, so that the rules can read it.

What rules and models find alike then has the same wording, attribute and value, and is merged or settled as usual.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from memoranda.core.text.packs import expanded, made, regex
from memoranda.languages import read

#: Languages with a table of claims. In others a claim is kept in its own words.
RETOLD = ("en",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retelling:
    """How a language speaks about somebody in the third person.

    Attributes:
        opening: pattern of the beginning → what the person says instead; the first that matches is used.
        within: pattern in what follows → what the person says instead; all are applied.
        told: attribute → sentence with `{who}` and `{value}`.
        macros: named pieces of the patterns in `opening`; `who` matches what the user is called.
    """

    opening: Mapping[str, str]
    within: Mapping[str, str]
    sentences: Mapping[str, str]
    macros: Mapping[str, str]


@cache
def retelling(language: str) -> Retelling:
    """Return the table of one of `RETOLD`, read on first use.

    Raises:
        FormatError: the file has an unknown entry or lacks one.
    """
    return made(Retelling, read(f"{language}/claims"), _where(language))


def first_person(text: str, language: str, who: str | None = None) -> str | None:
    """Return `text` as the person it is about would say it; None if it does not begin with them.

    Also None if the language has no table.

    Args:
        text: a statement in the third person.
        language: its language.
        who: the name of the person; the user by default.
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


def sentence_for(attribute: str, value: str, language: str, who: str = "User") -> str:
    """Return a sentence that gives the value of an attribute of `who`, in English if the language has no table."""
    table = retelling(language if language in RETOLD else RETOLD[0])
    if attribute not in table.sentences:
        return f"{who}'s {attribute.replace('.', ' ').replace('_', ' ')}: {value}"
    return table.sentences[attribute].format(who=who, value=value)


_Patterns = tuple[tuple[re.Pattern[str], str], ...]


@lru_cache(256)
def _compiled(language: str, who: str | None) -> tuple[_Patterns, _Patterns]:
    if language not in RETOLD:
        return (), ()
    table = retelling(language)
    macros = {**table.macros, **({"who": re.escape(who)} if who else {})}
    openings = ((expanded(pattern, macros, _where(language)), said) for pattern, said in table.opening.items())
    return _patterns(openings, language), _patterns(table.within.items(), language)


def _patterns(pairs: Iterable[tuple[str, str]], language: str) -> _Patterns:
    return tuple((regex(pattern, _where(language), re.IGNORECASE), said) for pattern, said in pairs)


def _where(language: str) -> str:
    return f"languages/{language}/claims.toml"
