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
        signs: a sentence with one may tell of an end or a change, in whatever language.
        third: pronouns that begin a sentence, in English, which the rules can read as if its subject spoke.
        until: says that something is so for a time.
        unreal: says that something may be so one day, or was hoped for, in whatever language.
        wishes: says that somebody wants or fears it, in whatever language.
        own_report: after it stands what the speaker said before, and says again.
        reported: what stands after it somebody else told the speaker, in whatever language.
        resumes: begins, behind what others say, what the speaker says again.
        declares: stands in a sentence that begins like a question before what it states.
        conditional: begins a sentence that only supposes, in whatever language.
        announces: begins a question of whether something was told, which tells it, in whatever language.
        requests: begins what the assistant is to do, in whatever language.
        negations: words that deny, in English; `denials`: in whatever language.
        undone: says, right before what is done, that it is not, or nearly is, in whatever language.
        undenying: sounds like a denial and is none.
        averse: says why one wants none of something, in whatever language; `body` if that is no matter of liking.
        mine: ends in whose something is that comes next, which is the speaker's, in whatever language.
        dwelling: tells that somebody lives somewhere, in whatever language.
        beside: ends before somebody with whom or thanks to whom something is so, in whatever language.
        heard: tells how the speaker came to know of something, and nothing of them, in English.
        familiar: speaks of some `thing` as known to whoever listens, or as the speaker's, `mine`, in whatever language.
        other: begins with a pronoun for somebody else, in whatever language.
        owned: says whose somebody or something is, whatever is asked or told of them; with the name.
        turns: stands, behind a denial, before what is no longer denied.
        speaker: words of whoever speaks, but for whose something is, in whatever language.
        somebody: words that stand for somebody named before, in whatever language.
        light: words of English statements that say so little that nothing is recognised by them alone.
        planned: what somebody means to do, and fulfils by doing it.
        happened: begins, after its subject, a statement of what took place once.
        definite: begins a statement of one thing.
        instead: what stands after it, as `old`, is no longer so.
        attitudes: opinions of which one denies another.
        something: words that stand for something named before, in whatever language.
        bonds: what somebody is to somebody → other words that tell of it.
        follows: words that say what somebody is → of whom one speaks who is it.
        counts: words that count something, each with its number in digits, but for numerals.
        ends: how a statement says that something is over → statements of which kind are over then.
    """

    signs: str
    third: str
    until: str
    unreal: str
    wishes: str
    own_report: str
    reported: str
    resumes: str
    declares: str
    conditional: str
    announces: str
    requests: str
    negations: str
    denials: str
    undone: str
    undenying: str
    averse: str
    mine: str
    dwelling: str
    beside: str
    heard: str
    familiar: str
    other: str
    owned: str
    turns: str
    speaker: str
    somebody: str
    light: frozenset[str]
    planned: str
    happened: str
    definite: str
    instead: str
    attitudes: frozenset[str]
    something: str
    bonds: Mapping[str, str]
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
