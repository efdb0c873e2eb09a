"""Rule-based query rewriting: a question as a statement, in parts, under other names, and its filters.

A question and its answer are worded differently: the answer to "When did Ann paint the barn?" is found by "Ann painted
the barn". The rules are data (`languages/*/questions.toml`); a question that matches none stays unchanged.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from memoranda.core.image.days import Window
from memoranda.core.language.entities import find_mentions
from memoranda.core.rows.statements import Mention
from memoranda.core.temporal import query_window
from memoranda.core.text.packs import expanded, made, regex
from memoranda.languages import read


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How a question, without punctuation, becomes a statement.

    Attributes:
        asked: a pattern for the question; case-sensitive, because capitals mark names.
        said: the statement, made of the groups of that pattern.
    """

    asked: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entries:
    """The question patterns of a language, as in its file; `{wh}` stands for the macro of that name.

    Attributes:
        lead: what may precede the question itself: "do you remember".
        joint: where one question ends and the next begins.
        places: words before or after a channel's name.
        event: a time given by an event, which is the one group that matches: "before the move".
        fillers: words that do not identify an event: articles, pronouns, "happened".
        habits: recurring events, which identify no day: work, dinner.
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


#: Macros of every language: the words between the question word and the verb, the same without names, and all words
#: after the verb.
_SHARED = {"of": r"(?P<of>(?: [\w'-]+){0,4}?)", "noun": r"(?P<of>(?: [a-zà-ÿ'-]+){0,4}?)", "rest": r"(?P<rest> .+)?"}


@cache
def grammar_of(language: str) -> Grammar:
    """Return the question patterns of one of `LANGUAGES`, compiled on first use.

    Raises:
        FormatError: the file has an unknown entry, lacks one, or has an invalid pattern.
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
    """Return the statement that would answer a question, without the part asked for; None if no rule fits."""
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
    """Return the questions that `text` combines: split at its conjunctions, else one per name in a list of names.

    A part without names inherits the names of the part before it. Empty if there is only one question.
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
    """Return `text` once for each name in its first list of names ("Ann and Bob"), in place of the list."""
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
    """Return `text` with another name in place of a mention."""
    return f"{text[: mention.start]}{name}{text[mention.end :]}"


def event_in(text: str, language: str) -> tuple[int, int] | None:
    """Return the span of the words by which `text` gives a time as that of an event."""
    found = (found.span(found.lastgroup) for found in grammar_of(language).event.finditer(text) if found.lastgroup)
    return next(found, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """The filters in a question.

    Attributes:
        kinds: the kinds of records.
        window: when it was said or held.
        channels: the channels it lies in.
        names: who or what it is about.
    """

    kinds: frozenset[str] = frozenset()
    window: Window | None = None
    channels: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.kinds or self.window or self.channels or self.names)


def filters(text: str, language: str, now: datetime, channels: Collection[str] = ()) -> Filters:
    """Return the filters that `text` names; of channels only those in `channels`."""
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
    """Whether `text` names a channel: `#NAME`, "channel NAME", "the NAME project"."""
    name = re.escape(channel)
    said = rf"#{name}(?!\w)|\b(?:{places}) [\"“#]?{name}(?!\w)|(?<!\w){name}[\"”]?[ -](?:{places})\b"
    return re.search(said, text, re.IGNORECASE) is not None
