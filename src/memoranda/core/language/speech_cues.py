"""The table of phrases that show how something is said: as over, denied, supposed, asked for, or said by others."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from memoranda.core.text.packs import made, regex
from memoranda.languages import read

_PLACE = "languages/changes.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Patterns and words that show how something is said, in all languages unless English is mentioned.

    Attributes:
        until: says that something is so for a limited time.
        unreal: says that something may be so one day, or was hoped for, and not that it came true.
        wishes: says that somebody wants or fears something.
        own_report: introduces what the speaker said before and repeats ("I told you").
        reported: introduces what somebody else told the speaker.
        consequence: behind a condition or a wish, what would be then.
        affirms: a short answer that says yes; `choosing`: asks which of several, or what would be; `addressed`: "you".
        of_speaker: the start of what others say, if that is about the speaker or somebody of theirs.
        resumes: after what others say, the start of the speaker's own words.
        declares: in a sentence that begins like a question, precedes what it states; English.
        conditional: the start of a sentence that only supposes something.
        announces: the start of a question whether something was told, which thereby tells it ("did I tell you that").
        requests: the start of what the assistant is asked to do.
        negations: words that deny, in English; `denials`: in all languages.
        ceased: says that something was so and is over, in all languages.
        undenying: sounds like a denial but is none.
        beside: at the end of the words before a name: something is so with, or thanks to, that person.
        other: a pronoun for somebody else at the start of a text.
        owned: a phrase for somebody or something of the speaker's, with its name; it counts as stated anywhere.
        turns: the space behind an English denial where a new subject begins, whose doing is not denied.
        speaker: pronouns of the speaker, but no possessives.
        somebody: pronouns for somebody mentioned before, possessives included.
        light: words that say so little that no English statement is recognised by them alone.
        happened: the start, subject included, of an English statement about what took place once.
        definite: the start of an English statement about one particular thing ("the", "User's").
        follows: words for what somebody is → words for the relatives that imply it ("married": "wife husband").
        counts: words for numbers that are not numerals ("twins") → the number in digits.
        ends: pattern of an English statement that something is over → pattern of the statements that can then be over.
    """

    until: str
    unreal: str
    wishes: str
    own_report: str
    reported: str
    consequence: str
    affirms: str
    choosing: str
    addressed: str
    of_speaker: str
    resumes: str
    declares: str
    conditional: str
    announces: str
    requests: str
    negations: str
    denials: str
    ceased: str
    undenying: str
    beside: str
    other: str
    owned: str
    turns: str
    speaker: str
    somebody: str
    light: frozenset[str]
    happened: str
    definite: str
    follows: Mapping[str, str]
    counts: Mapping[str, str]
    ends: Mapping[str, str]


@cache
def changes() -> Changes:
    """Return the table, read on first use.

    Raises:
        FormatError: the file has an unknown entry or lacks one.
    """
    return made(Changes, read("changes"), _PLACE)


@cache
def pattern_of(entry: str) -> re.Pattern[str]:
    """Return an entry of the table as a compiled pattern that ignores case."""
    return regex(getattr(changes(), entry), f"{_PLACE}: {entry}", re.IGNORECASE)


@cache
def endings() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """Return the compiled pairs of `Changes.ends`."""
    place = f"{_PLACE}: ends"
    pairs = changes().ends.items()
    return tuple((regex(says, place, re.IGNORECASE), regex(what, place, re.IGNORECASE)) for says, what in pairs)
