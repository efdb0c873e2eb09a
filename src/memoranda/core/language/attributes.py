"""The attribute paths that rules write, and which of them hold one value at a time.

    identity.{name, nickname, age, birthday, pronouns, nationality, trait}
    contact.{email, phone, handle.<site>}           location.{city, origin, timezone}
    work.{employer, role, status, team, field, arrangement}             education.{school, field, degree}
    family.{status, children, siblings, household}  family.<kin>.{name, birthday}, people.<relation>.name
    pet.<species>.name, pet.owns                    health.{allergy, condition, diet, injury}
    language.{spoken, native, learning}             hobby, habit.<activity>, habit.<verb>.usual, habit.never
    possession, skill, tool, tool.<sort>
    preference.<topic>, favourite.<topic>           instruction.{style, language, rule, address}
    business.{name, type, product, location, hours, <anything>}
    project.{name, work, deadline, stack, hosting, <anything>}, project.<part>.{deadline, date, port, stack}
    account.plan, decision, goal, task, event.<sort>             entity.{type, description}, entity.property.<anything>
    key.<name>, key.<name>.<conversation>           connection.<name>, of which the connection is the subject

A `*` in `SINGLE_VALUED` stands for one part of a path. "I moved to Oslo" and "I live in Bergen" both write
`location.city`: of a single-valued attribute the newest statement wins; values of other attributes coexist.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from memoranda.core.text.packs import made
from memoranda.core.text.terms import english
from memoranda.languages import read

#: Between the parts of the path of an attribute.
PART = re.compile(r"[._]")

_NOT_WORD = re.compile(r"[\W_]+")
_PEOPLE = frozenset({"family", "people", "pet"})

SINGLE_VALUED = frozenset(
    """
    identity.* contact.email contact.phone contact.handle.* location.* work.employer work.role work.status work.team
    education.school family.status family.children family.wife.name family.husband.name family.partner.name
    family.mother.name family.father.name family.girlfriend.name family.boyfriend.name family.fiance.name
    people.manager.name health.diet language.native favourite.* instruction.language instruction.address
    business.name business.location business.employees business.industry business.mission
    connection.* tool.* habit.*.usual project.* project.*.* account.* entity.* entity.property.* key.* key.*.*
    """.split()
)

#: Paths with many values, though a pattern of `SINGLE_VALUED` covers them.
MANY_VALUED = frozenset(
    "identity.trait identity.nationality location.origin project.work project.stack project.*.stack".split()
)

#: Attributes for which a second value can be stated explicitly: a nurse may also be a painter.
SHARED = frozenset({"work.employer", "work.role"})

#: Attributes with several values, and roots of such, of all that rules write; whatever else there is, is a host's own.
_SEVERAL = MANY_VALUED | {"education.degree", "education.field", "work.arrangement", "work.field"}
_SEVERAL_UNDER = frozenset("business decision entity event family goal habit instruction key people pet task".split())

#: The roots of attributes of which people tell several values at once: "I hate mushrooms, olives and anchovies".
LISTED = frozenset({"favourite", "health", "hobby", "language", "pet", "possession", "preference", "skill", "tool"})

#: Attributes of which the value says all: whether one does it or never does, and when.
RULED = frozenset({"instruction.rule", "habit.never", "business.hours"})

#: Attributes with values that exclude each other: plain sentences exclude bullet points, but not short answers.
EXCLUDING = frozenset({"instruction.style", "instruction.rule"})
_OPPOSED = "preference."  # of what is preferred, one opposite excludes the other: dark mode, light mode


def named_by(attribute: str | None) -> str:
    """Return the relation of the person or pet whose name an attribute gives: "brother", "dog"; empty if none."""
    root, _, rest = (attribute or "").partition(".")
    return rest.removesuffix(".name") if root in _PEOPLE and rest.endswith(".name") else ""


def can_exclude(attribute: str | None, value: object) -> bool:
    """Whether a value of this attribute can exclude another one, none being the same."""
    if attribute is None or attribute in EXCLUDING or is_single_valued(attribute) or is_own(attribute):
        return True
    return attribute.startswith(_OPPOSED) and not _opposites().isdisjoint(str(value).casefold().split())


@cache
def _opposites() -> frozenset[str]:
    return frozenset(word for pair in english().opposites for word in pair.split("/"))


@lru_cache(1 << 13)
def is_single_valued(attribute: str) -> bool:
    """Whether a new value of this attribute replaces the one before."""
    return _covers(SINGLE_VALUED, attribute) and not _covers(MANY_VALUED, attribute)


@lru_cache(1 << 13)
def is_own(attribute: str) -> bool:
    """Whether an attribute is none that rules write: a host that sets it again means its one value."""
    root = attribute.partition(".")[0]
    return not (root in LISTED | _SEVERAL_UNDER or _covers(_SEVERAL, attribute) or is_single_valued(attribute))


def _covers(patterns: frozenset[str], attribute: str) -> bool:
    return attribute in patterns or bool(_matcher(patterns).fullmatch(attribute))


@cache
def _matcher(patterns: frozenset[str]) -> re.Pattern[str]:
    starred = sorted(pattern for pattern in patterns if "*" in pattern)
    return re.compile("|".join(re.escape(pattern).replace(r"\*", r"[^.]+") for pattern in starred))


def path_part(words: str, canon: Mapping[str, str]) -> str:
    """Return words as a part of a path; `canon` maps several wordings to one."""
    slug = _NOT_WORD.sub("_", words.casefold()).strip("_")
    return canon.get(slug, slug)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Words of questions by the attributes they ask for, words that ask for nothing, and words that ask for others."""

    light: frozenset[str]
    elsewhere: frozenset[str]
    paths: Mapping[str, frozenset[str]]


@cache
def asked() -> Asked:
    """Return the words of all languages that ask for attributes."""
    return made(Asked, read("attributes"), "languages/attributes.toml")


@lru_cache(1 << 10)
def words_for(attribute: str) -> frozenset[str]:
    """Return words of all languages that tell of an attribute: those that ask for it, and the parts of its path."""
    table, parts = asked(), attribute.split(".")
    opened = (table.paths.get(".".join(parts[:number]), frozenset()) for number in range(1, len(parts) + 1))
    return frozenset().union(*opened) - table.light | {*PART.split(attribute)}
