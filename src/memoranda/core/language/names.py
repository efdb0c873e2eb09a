"""What identifies names: cues beside them, and well-known names. The words are in `memoranda.languages`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from memoranda.core.text.detect import LANGUAGES
from memoranda.core.text.packs import joined, made
from memoranda.languages import read

#: A word of a text that may be part of a name.
WORD = re.compile(r"[^\W_]\w*(?:[&.'\u2019]\w+|-(?=[^\W_a-zß-ÿ])\w+)*(?:\+\+|#(?!\w))?")

_PLACES = frozenset({"location.city", "location.origin", "business.location"})
_RELEASE = re.compile(r"v?\d|.*\d\.\d", re.IGNORECASE)
_PART = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """The words of a language that occur beside names.

    Attributes:
        stop: words that are no names, though a sentence start or shouting may capitalise them.
        titles: precede a person's name and belong to it.
        relations: precede a person's name ("my sister Anna").
        places: prepositions before places.
        ways: prepositions before places after one of `moves` ("moved to Lyon").
        works: words that make a following "at" or "for" introduce an employer.
        employers: prepositions and verbs before organisations.
        people: verbs and prepositions before people.
        speech: verbs after people.
        tools: verbs and prepositions before products.
        kinds: common nouns beside a proper name, with the type they indicate ("the Falcon project").
        nouns: whether the language capitalises common nouns, so that a capital alone indicates nothing.
    """

    stop: frozenset[str]
    titles: frozenset[str]
    relations: frozenset[str]
    places: frozenset[str]
    ways: frozenset[str]
    moves: frozenset[str]
    works: frozenset[str]
    employers: frozenset[str]
    people: frozenset[str]
    speech: frozenset[str]
    tools: frozenset[str]
    kinds: Mapping[str, str]
    nouns: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningNames:
    """The names of a language without spaces between words, found in running text. Compare `Cues`.

    Attributes:
        latin: the language whose cues are used for Latin words.
        places, organisations, products: names that need nothing beside them.
        surnames: the characters that start a person's name.
        signs: patterns that find a name, in a group named for its type; `{surnames}` stands for the surnames.
    """

    latin: str
    places: frozenset[str]
    organisations: frozenset[str]
    products: frozenset[str]
    surnames: str
    signs: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class KnownNames:
    """Well-known names, and parts of names, of any language.

    Attributes:
        given: first names of people, across cultures.
        ambiguous: names that are also everyday words: accepted only where the sentence supports them.
        places, organisations, products: names of one or several words.
        never: no names in any language, though they are capitalised.
        legal_forms: last words of organisations' names, also after a comma.
        organisation_heads, organisation_openers: other last words of organisations' names, and first ones.
        place_heads: first or last words of places' names.
        grades: say which plan, edition or department something is ("Premium"); `graded`: what has such a name ("plan").
        impossible: pattern of an attribute, a dot and a value it cannot have; without attribute, of no value at all.
    """

    given: frozenset[str]
    ambiguous: frozenset[str]
    places: frozenset[str]
    organisations: frozenset[str]
    products: frozenset[str]
    never: frozenset[str]
    legal_forms: frozenset[str]
    organisation_heads: frozenset[str]
    organisation_openers: frozenset[str]
    place_heads: frozenset[str]
    grades: frozenset[str]
    graded: frozenset[str]
    impossible: str

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        """The type of each listed product, organisation and place."""
        lists = {"product": self.products, "organisation": self.organisations, "place": self.places}
        return {
            name if name.isalnum() else " ".join(WORD.findall(name)): kind
            for kind, names in lists.items()
            for name in names
        }

    @cached_property
    def named(self) -> frozenset[str]:
        """All listed first names, and all names with a type."""
        return self.given | self.kinds.keys()

    @cached_property
    def lower(self) -> frozenset[str]:
        """Words that may be names even in lower case."""
        return self.named - self.ambiguous - self.never

    @cached_property
    def longer(self) -> Mapping[str, list[tuple[str, ...]]]:
        """The names of several words by first word, the longest first."""
        longer: dict[str, list[tuple[str, ...]]] = {}
        for name in sorted(self.kinds, key=lambda name: (-len(name), name)):
            if len(split := tuple(name.split())) > 1:
                longer.setdefault(split[0], []).append(split)
        return longer

    @cached_property
    def noted(self) -> frozenset[str]:
        """Words that may start a name, however they are written."""
        return self.lower | self.longer.keys()

    @cached_property
    def heads(self) -> frozenset[str]:
        """The last words of organisations' names."""
        return self.legal_forms | self.organisation_heads

    @cached_property
    def parts(self) -> frozenset[str]:
        """The first and last words of organisations' and places' names."""
        return self.heads | self.organisation_openers | self.place_heads


@cache
def cues_of(language: str) -> Cues:
    """Return the cues of a language; an unknown one is read as English."""
    if language not in LANGUAGES:
        return cues_of("en")
    table = read(f"{language}/names")
    if "latin" in table:
        return cues_of(table["latin"])
    place = f"languages/{language}/names.toml"
    kinds = {word: kind for kind, nouns in table.pop("kinds", {}).items() for word in nouns.split()}
    return made(Cues, table, place, kinds=kinds)


@cache
def running_names(language: str) -> RunningNames:
    """Return the names of a language without spaces between words."""
    return made(RunningNames, read(f"{language}/names"), f"languages/{language}/names.toml")


@cache
def known_names() -> KnownNames:
    """Return the well-known names."""
    return made(KnownNames, read("names"), "languages/names.toml")


def fits(attribute: str | None, groups: Mapping[str, str], value: str, words: str, *, described: bool) -> bool:
    """Whether a value is plausible: a place to live is neither Linux nor in lower case among `words` with capitals.

    Also whether it satisfies the groups of the rule's pattern: "trabajo en Madrid" names no employer.
    """
    kind = known_names().kinds.get(value.casefold())
    if "described" in groups and not described:
        return False
    if _impossible().match(f"{attribute}.{value}") or _impossible().match(f".{value}"):
        return False
    if "somebody" in groups or "nobody" in groups:
        given = value.casefold().partition(" ")[0] in known_names().given
        if given != ("somebody" in groups):
            return False
    if "where" in groups or "there" in groups:
        return (kind == "place") == ("there" in groups)
    if attribute not in _PLACES or kind == "place":
        return True
    return kind is None and not (value.islower() and not words.islower()) and not _graded(value, words)


@cache
def _impossible() -> re.Pattern[str]:
    return re.compile(joined(known_names().impossible), re.IGNORECASE)


def _graded(value: str, words: str) -> bool:
    """Whether a name among words is that of a plan, edition, team or the like, by itself or by what is beside it."""
    known, (before, _, after) = known_names(), words.casefold().partition(value.casefold())
    inner = [word for word in _PART.findall(value.casefold()) if word != "the"]
    beside = {*_PART.findall(before)[-1:], *_PART.findall(after)[:1], *inner[:1], *inner[-1:]}
    return bool(_RELEASE.match(value) or " ".join(inner) in known.grades or known.graded & beside)
