"""How people tell that something is over or has changed, as a table."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from memstrata.core.tables import made, regex
from memstrata.languages import read

_PLACE = "languages/changes.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """How people tell that something is over or has changed, as patterns and words.

    Attributes:
        until: says that something is so for a time.
        unreal: says that something may be so one day, or was hoped for, in whatever language.
        wishes: says that somebody wants or fears it, in whatever language.
        own_report: after it stands what the speaker said before, and says again.
        reported: what stands after it somebody else told the speaker, in whatever language.
        of_speaker: begins what others say, if that is about the speaker or somebody of theirs, in whatever language.
        resumes: begins, behind what others say, what the speaker says again.
        declares: stands in a sentence that begins like a question before what it states.
        conditional: begins a sentence that only supposes, in whatever language.
        announces: begins a question of whether something was told, which tells it, in whatever language.
        requests: begins what the assistant is to do, in whatever language.
        negations: words that deny, in English; `denials`: in whatever language.
        undenying: sounds like a denial and is none.
        mine: ends in whose something is that comes next, which is the speaker's, in whatever language.
        beside: ends before somebody with whom or thanks to whom something is so, in whatever language.
        other: begins with a pronoun for somebody else, in whatever language.
        owned: says whose somebody or something is, whatever is asked or told of them; with the name.
        turns: stands, behind a denial, before what is no longer denied.
        speaker: words of whoever speaks, but for whose something is, in whatever language.
        somebody: words that stand for somebody named before, in whatever language.
        light: words of English statements that say so little that nothing is recognised by them alone.
        happened: begins, after its subject, a statement of what took place once.
        definite: begins a statement of one thing.
        follows: words that say what somebody is → of whom one speaks who is it.
        counts: words that count something, each with its number in digits, but for numerals.
        ends: how a statement says that something is over → statements of which kind are over then.
    """

    until: str
    unreal: str
    wishes: str
    own_report: str
    reported: str
    of_speaker: str
    resumes: str
    declares: str
    conditional: str
    announces: str
    requests: str
    negations: str
    denials: str
    undenying: str
    mine: str
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
    """The table, read when it is first needed."""
    return made(Changes, read("changes"), _PLACE)


@cache
def pattern_of(entry: str) -> re.Pattern[str]:
    """A pattern of the table, by its name."""
    return regex(getattr(changes(), entry), f"{_PLACE}: {entry}", re.IGNORECASE)


@cache
def endings() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """How a statement says that something is over, each with what statements are over then."""
    place = f"{_PLACE}: ends"
    pairs = changes().ends.items()
    return tuple((regex(says, place, re.IGNORECASE), regex(what, place, re.IGNORECASE)) for says, what in pairs)
