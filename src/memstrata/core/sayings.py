"""What an event states, what it says aside, and what it only asks, supposes, quotes or has from others.

Of what is said only the speaker's own words count, up to an order to the memory. What is asked, supposed or told by
others is kept apart, for a text that comes from there was never stated; whose somebody is ("my flatmate Wim") is stated
whatever is asked of them. What a request takes for granted ("remind me that the key is at Ana's"), or a sentence that
is no question and begins like one, was said, though nobody can tell by its form that it is meant so.
"""

import re
import unicodedata
from dataclasses import dataclass, field
from functools import cache
from itertools import takewhile

from memstrata.core.fence import NAME, quoted, stripped
from memstrata.core.language import LANGUAGES, detect
from memstrata.core.rows import Event
from memstrata.core.rules.grammar import Grammar, compiled
from memstrata.core.rules.screen import MASK, own_words, restored, sentences, stated
from memstrata.core.tables import made, regex
from memstrata.core.telling import pattern_of
from memstrata.languages import read

LONGEST = 500  # characters of a statement
_READ = 20_000  # characters of an event that are looked at, as by extraction

_WORD = re.compile(r"\w+")
_JOINERS = re.compile("[\u200b-\u200d\u2060]")
_LINES = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_MASKED = re.compile(f"{MASK}+")
_LISTED = re.compile(r":\s+|[：]")  # stands before what is to be noted down


@dataclass(frozen=True, slots=True, kw_only=True)
class Injections:
    """Patterns of words that speak to a memory or a model.

    Attributes:
        orders: tell it to forget what it knows or was told; `roles`: tell it what to be or do.
        marks: are read as a turn or an instruction by some model, or are memstrata's own.
    """

    orders: str
    roles: str
    marks: str


@cache
def _injections() -> re.Pattern[str]:
    place = "languages/injections.toml"
    table = made(Injections, read("injections"), place)
    return regex(f"{table.orders}|{table.roles}|{table.marks}", place, re.IGNORECASE)


def orders(text: str) -> bool:
    """Whether a text speaks to the memory or to a model, however its letters are disguised."""
    plain = _JOINERS.sub("", unicodedata.normalize("NFKC", text))
    return any(_injections().search(form) for form in (text, plain, quoted(plain)))


def grammar_in(language: str) -> Grammar:
    """The pack of a language; the English one where there is none."""
    return compiled(language if language in LANGUAGES else LANGUAGES[0])


def unfit(text: str, language: str) -> str | None:
    """Why a text can be no statement, whatever it rests on; None if it can."""
    spoken = detect(text, language)
    grammar = grammar_in(spoken)
    if NAME in text.lower() or orders(text):
        return "it speaks to the memory"
    if len(text) > LONGEST:
        return f"it has more than {LONGEST} characters"
    if "?" in text or "？" in text or grammar.questions.match(text):
        return "it asks"
    if grammar.hypothetical.search(text):
        return "it supposes"
    if grammar.secrets.search(text):
        return "it may hold a secret"
    return None


@dataclass(slots=True)
class Told:
    """What an event states, says aside, and only asks, supposes, quotes or has from others, passage by passage."""

    stated: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    unsaid: list[str] = field(default_factory=list)

    def take(self, sentence: str, stated: str = "", resumed: str = "", *, aside: bool = False) -> None:
        """Take in a sentence that states something at its beginning or its end; whose somebody is, it says anyhow."""
        left = sentence[len(stated) : len(sentence) - len(resumed)]
        owned = (found[0] for found in pattern_of("owned").finditer(left))
        self.stated += [restored(one).replace(MASK, " ") for one in (stated, *owned, resumed) if one]
        apart = self.aside if aside else self.unsaid
        apart += [restored(left).replace(MASK, " ")] if left else []


def told(event: Event, language: str) -> Told:
    """What an event states: of what is said only the speaker's own words that tell something."""
    text = stripped(event.content)[:_READ]
    found = Told()
    if event.kind != "turn":
        found.stated += takewhile(lambda line: not orders(line), _LINES.split(text))
        return found
    grammar = grammar_in(detect(text, language))
    plain = own_words(text, grammar)
    found.unsaid += (text[one.start() : one.end()] for one in _MASKED.finditer(plain))
    begin = 0
    for first, end, asks in sentences(plain, grammar):
        if orders(text[first:end]):
            break
        start = max(first, begin)
        if start < end and grammar.material.match(plain, start, end):
            begin = _behind_material(plain, start, end)
            found.take(plain[start:begin])
            start = begin
        if start < end:
            sentence = plain[start:end]
            found.take(sentence, *_own(sentence, grammar, asks=asks), aside=_aside(sentence, grammar, asks=asks))
    return found


def _aside(sentence: str, grammar: Grammar, *, asks: bool) -> bool:
    """Whether what a sentence does not state may be so all the same: it is neither supposed nor in question.

    What others say is so only if they say it of the speaker, as a doctor does.
    """
    if grammar.hypothetical.search(sentence) or pattern_of("conditional").match(sentence):
        return False
    request = pattern_of("requests").match(sentence)
    if grammar.supposed.search(sentence, request.end() if request else 0):
        return False
    if reports := _reports(sentence, grammar):
        return not asks and any(pattern_of("of_speaker").match(sentence, one.end()) for one in reports)
    return request is not None or not (asks and grammar.questions.match(sentence))


def _reports(sentence: str, grammar: Grammar) -> list[re.Match[str]]:
    """The words in a sentence that say that others say what follows."""
    return [one for one in (grammar.reports.search(sentence), pattern_of("reported").search(sentence)) if one]


def _behind_material(plain: str, start: int, end: int) -> int:
    """Where what a sentence tells to translate or polish is over: behind the quotation that follows, or nowhere."""
    quotation = _MASKED.search(plain, start)
    if quotation is None:
        return len(plain)
    _, colon, behind = plain[start : quotation.start()].rpartition(":")
    between = plain[end : quotation.start()] if quotation.start() >= end else behind * bool(colon)
    return len(plain) if _WORD.search(between) else quotation.end()


def _own(sentence: str, grammar: Grammar, *, asks: bool) -> tuple[str, str]:
    """What a sentence states by itself: at its beginning, and after a question or what others say."""
    if grammar.hypothetical.search(sentence) or pattern_of("conditional").match(sentence):
        return "", ""
    told = pattern_of("announces").match(sentence)
    if told:
        return "", _own(sentence[told.end() :], grammar, asks=False)[0]
    listed = pattern_of("requests").match(sentence) and _LISTED.search(sentence)
    if listed and not asks:
        return "", _own(sentence[listed.end() :], grammar, asks=False)[0]
    report = min(_reports(sentence, grammar), key=lambda one: one.start(), default=None)
    if report and pattern_of("own_report").match(sentence, report.start()):
        report = None
    own, resumed = stated(sentence, grammar, asks=asks, wary=False), None
    if asks and not own and not grammar.questions.match(sentence):  # its last clause asks
        own = sentence[: max((one.start() for one in grammar.joints.finditer(sentence)), default=0)]
    if report and report.start() < len(own):
        own, resumed = own[: report.start()], pattern_of("resumes").search(own, report.end())
    elif not own and not asks:
        resumed = pattern_of("declares").search(sentence)
    supposed = grammar.supposed.search(sentence)
    if supposed:
        clauses = grammar.joints.finditer(sentence, 0, supposed.start())
        return own[: max((one.start() for one in clauses), default=0)], ""
    return own, sentence[resumed.end() :] if resumed else ""
