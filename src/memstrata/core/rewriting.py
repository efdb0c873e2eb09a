"""Other ways to put a question, by rules: as a statement, in parts, under other names, and what it filters by.

A question and its answer are worded differently: who asks "When did Ann paint the barn?" looks for "Ann painted the
barn". The rules are data (`languages/*/questions.toml`); what none of them fits stays as it was asked.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from memstrata.core.asking import Window
from memstrata.core.rules.entities import find_mentions
from memstrata.core.statements import Mention
from memstrata.core.tables import expanded, made, regex
from memstrata.core.temporal import query_window
from memstrata.languages import read


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How a question, without its marks, becomes a statement.

    Attributes:
        asked: the question, a pattern whose capitals count: they tell names.
        said: the statement, made of the groups of that pattern.
    """

    asked: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    """How a language asks, as its file says it: patterns, in which `{wh}` stands for the macro of that name.

    Attributes:
        lead: what may stand before the question itself: "do you remember".
        joint: where one question ends and the next begins.
        places: words before which or behind which a channel's name stands.
        event: a time that is told by what happened then, which is the one group that takes part: "before the move".
        fillers: words that do not tell which event is meant: articles, pronouns, "happened".
        habits: what comes again and again, and is on no day by itself: work, dinner.
        macros: parts of patterns.
        rules: the entries of each `Rule`; the first whose pattern fits is taken.
        kinds: for a kind of record, the words that name it.
    """

    lead: str
    joint: str
    places: str
    event: str
    fillers: frozenset[str]
    habits: frozenset[str]
    macros: Mapping[str, str]
    rules: Mapping[str, Mapping[str, str]]
    kinds: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """The patterns of `entries`, compiled."""

    entries: Entries
    lead: re.Pattern[str]
    joint: re.Pattern[str]
    event: re.Pattern[str]
    rules: Sequence[tuple[re.Pattern[str], str]]
    kinds: Mapping[str, re.Pattern[str]]


#: Macros of every language: the words between the question word and the verb, the same but without names, and all
#: behind the verb.
_SHARED = {"of": r"(?P<of>(?: [\w'-]+){0,4}?)", "noun": r"(?P<of>(?: [a-zà-ÿ'-]+){0,4}?)", "rest": r"(?P<rest> .+)?"}


@cache
def grammar_of(language: str) -> Grammar:
    """How one of `LANGUAGES` asks, made of its file when it is first met.

    Raises:
        FormatError: the file has an entry that it should not have, lacks one, or has a pattern that is none.
    """
    place = f"languages/{language}/questions.toml"
    entries = made(Entries, read(f"{language}/questions"), place)
    macros = {**_SHARED, **entries.macros}

    def pattern(entry: str, text: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
        return regex(expanded(text, macros, f"{place}: {entry}"), f"{place}: {entry}", flags)

    rules = {name: made(Rule, rule, f"{place}: [rules.{name}]") for name, rule in entries.rules.items()}
    return Grammar(
        entries=entries,
        lead=pattern("lead", entries.lead),
        joint=pattern("joint", entries.joint),
        event=pattern("event", entries.event),
        rules=[(pattern(f"[rules.{name}]", rule.asked, 0), rule.said) for name, rule in rules.items()],
        kinds={kind: pattern(f"[kinds] {kind}", text) for kind, text in entries.kinds.items()},
    )


_LISTED = re.compile(r"[\s,，、]*(?:(?:and|or|und|oder|y|e|o|et|ou)\b|[,，、&和与跟或])\s*", re.IGNORECASE)
_EDGES = " \t\n?!.,;:¿¡？！。，"


def statement(text: str, language: str) -> str | None:
    """A question as the statement that would answer it, without what it asks for; None where no rule fits."""
    grammar = grammar_of(language)
    bare = " ".join(text.split()).strip(_EDGES)
    if lead := grammar.lead.match(bare):
        bare = bare[lead.end() :]
    for pattern, form in grammar.rules:
        if found := pattern.fullmatch(bare):
            bare = " ".join(found.expand(form).split())
            break
    return bare if bare and bare != " ".join(text.split()).strip(_EDGES) else None


def parts(text: str, language: str) -> tuple[str, ...]:
    """The questions that `text` asks at once: between its conjunctions, else one for each of the names it lists.

    A part that names nobody takes the names of the part before it with it. Empty where it asks but one.
    """
    clauses = [clause.strip(_EDGES) for clause in grammar_of(language).joint.split(text)]
    found, named = [], ""
    for clause in filter(None, clauses):
        names = _names(clause, language)
        found.append(clause if names or not named else f"{named} {clause}")
        named = " ".join(mention.name for mention in names) or named
    if len(found) < 2:
        found = _one_each(text, _names(text, language))
    return tuple(found)


def _names(text: str, language: str) -> list[Mention]:
    return [mention for mention in find_mentions(text, language) if mention.type != "quantity"]


def _one_each(text: str, names: Sequence[Mention]) -> list[str]:
    """`text` once for each name of its first list of names ("Ann and Bob"), with that instead of the list."""
    listed: list[Mention] = []
    for mention in names:
        if listed and _LISTED.fullmatch(text, listed[-1].end, mention.start):
            listed.append(mention)
        elif len(listed) < 2:
            listed = [mention]
    if len(listed) < 2:
        return []
    return [f"{text[: listed[0].start]}{one.name}{text[listed[-1].end :]}" for one in listed]


def renamed(text: str, mention: Mention, name: str) -> str:
    """`text` with another name for what it mentions."""
    return f"{text[: mention.start]}{name}{text[mention.end :]}"


def event_in(text: str, language: str) -> tuple[int, int] | None:
    """Where the words stand by which `text` tells a time: what happened then."""
    found = (found.span(found.lastgroup) for found in grammar_of(language).event.finditer(text) if found.lastgroup)
    return next(found, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a question says about where its answer stands.

    Attributes:
        kinds: of records.
        window: when it was said or held.
        channels: where.
        names: who or what is spoken of.
    """

    kinds: frozenset[str] = frozenset()
    window: Window | None = None
    channels: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.kinds or self.window or self.channels or self.names)


def filters(text: str, language: str, now: datetime, channels: Collection[str] = ()) -> Filters:
    """The filters that `text` names; of channels only those among `channels`."""
    grammar = grammar_of(language)
    within = frozenset(channel for channel in channels if _in_channel(text, channel, grammar.entries.places))
    places = {channel.casefold() for channel in within}
    names = [mention.name for mention in _names(text, language)]
    return Filters(
        kinds=frozenset(kind for kind, pattern in grammar.kinds.items() if pattern.search(text)),
        window=query_window(text, now, language),
        channels=within,
        names=tuple(dict.fromkeys(name for name in names if name.casefold().lstrip("#") not in places)),
    )


def _in_channel(text: str, channel: str, places: str) -> bool:
    """Whether `text` says a channel's name as one: `#NAME`, "channel NAME", "the NAME project"."""
    name = re.escape(channel)
    said = rf"#{name}(?!\w)|\b(?:{places}) [\"“#]?{name}(?!\w)|(?<!\w){name}[\"”]?[ -](?:{places})\b"
    return re.search(said, text, re.IGNORECASE) is not None
