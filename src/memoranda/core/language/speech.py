"""Split an event into what it states, what it says aside, and what it only asks, supposes, quotes or reports.

Only the speaker's own words count as stated, and none from an instruction to the memory on. What is asked, supposed,
quoted or reported is kept apart: a claim that takes its words from there was never stated. Whose somebody is ("my
flatmate Wim") counts as stated, whatever is asked about them. Said aside is what was said in a form that does not show
whether it is meant as a statement: what a request takes for granted ("remind me that the key is at Ana's"), a sentence
that begins like a question without being one, and what others say of the speaker.
"""

import re
import unicodedata
from dataclasses import dataclass, field
from functools import cache
from itertools import takewhile

from memoranda.core.base.old_names import FENCE
from memoranda.core.language.force.pasted import MASK
from memoranda.core.language.force.screen import own_words, restored, sentences, stated
from memoranda.core.language.grammar import Grammar, compiled
from memoranda.core.language.speech_cues import pattern_of
from memoranda.core.rows import Event
from memoranda.core.text.detect import LANGUAGES, detect
from memoranda.core.text.fence import quoted, stripped
from memoranda.core.text.packs import made, regex
from memoranda.languages import read

LONGEST = 500  # most characters of a statement
_READ = 20_000  # characters of an event that are read, as many as by extraction

_WORD = re.compile(r"\w+")
_JOINERS = re.compile("[\u200b-\u200d\u2060]")
_LINES = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_MASKED = re.compile(f"{MASK}+")
_LISTED = re.compile(r":\s+|[：]")  # precedes what a request asks to note down


@dataclass(frozen=True, slots=True, kw_only=True)
class Injections:
    """Patterns of text that is addressed to a memory or a model instead of stating something.

    Attributes:
        orders: tell it to forget what it knows or was told; `roles`: tell it what to be or do.
        marks: marks that some model reads as a turn or an instruction, and memoranda's own.
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
    """Whether a text is addressed to the memory or a model, even with look-alike or invisible characters."""
    plain = _JOINERS.sub("", unicodedata.normalize("NFKC", text))
    return any(_injections().search(form) for form in (text, plain, quoted(plain)))


def grammar_in(language: str) -> Grammar:
    """Return the compiled pack of a language, or the English one if the language has none."""
    return compiled(language if language in LANGUAGES else LANGUAGES[0])


def unfit(text: str, language: str) -> str | None:
    """Return why a text cannot be a statement, whatever it rests on; None if it can."""
    spoken = detect(text, language)
    grammar = grammar_in(spoken)
    if FENCE in text.lower() or orders(text):
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
class Speech:
    """The passages that an event states, that it says aside, and that it only asks, supposes, quotes or reports."""

    stated: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    unsaid: list[str] = field(default_factory=list)

    def take(self, sentence: str, stated: str = "", resumed: str = "", *, aside: bool = False) -> None:
        """Add a sentence of which the beginning and the end are stated; the rest is said aside if `aside`, else unsaid.

        What the rest says of whose somebody is counts as stated as well.
        """
        left = sentence[len(stated) : len(sentence) - len(resumed)]
        owned = (found[0] for found in pattern_of("owned").finditer(left))
        self.stated += [restored(one).replace(MASK, " ") for one in (stated, *owned, resumed) if one]
        apart = self.aside if aside else self.unsaid
        apart += [restored(left).replace(MASK, " ")] if left else []


def split(event: Event, language: str, *, played: bool = False) -> Speech:
    """Return what an event says, split, up to an instruction to the memory or a model.

    An event that is no turn states all of its lines. `language` is assumed if none is detected; `played` tells whether
    play goes on when it begins (`core.language.force.played`).
    """
    text = stripped(event.content)[:_READ]
    found = Speech()
    if event.kind != "turn":
        found.stated += takewhile(lambda line: not orders(line), _LINES.split(text))
        return found
    grammar = grammar_in(detect(text, language))
    plain = own_words(text, grammar, played=played)
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
    """Whether what a sentence does not state may be so all the same: it is requested or not asked.

    What is supposed does not count. What others say counts only if it is about the speaker ("diagnosed me with")
    and the sentence does not ask.
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
    """Return the matches in a sentence after which others, not the speaker, say something."""
    return [one for one in (grammar.reports.search(sentence), pattern_of("reported").search(sentence)) if one]


def _behind_material(plain: str, start: int, end: int) -> int:
    """Return where the text to be translated or polished ends: behind a quotation right after the request, or never."""
    quotation = _MASKED.search(plain, start)
    if quotation is None:
        return len(plain)
    _, colon, behind = plain[start : quotation.start()].rpartition(":")
    between = plain[end : quotation.start()] if quotation.start() >= end else behind * bool(colon)
    return len(plain) if _WORD.search(between) else quotation.end()


def _own(sentence: str, grammar: Grammar, *, asks: bool) -> tuple[str, str]:
    """Return what a sentence states at its beginning, and what it states after a question or a report; "" for none."""
    unreal = grammar.hypothetical.search(sentence) or pattern_of("conditional").match(sentence)
    if unreal:
        then = pattern_of("consequence").search(sentence, unreal.start())
        return "", _resumed(sentence, then.end(), grammar) if then and not asks else ""
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
    if asks and not own and not grammar.questions.match(sentence):  # only its last clause asks
        own = sentence[: max((one.start() for one in grammar.joints.finditer(sentence)), default=0)]
    if report and report.start() < len(own):
        own, resumed = own[: report.start()], pattern_of("resumes").search(own, report.end())
    elif not own and not asks:
        resumed = pattern_of("declares").search(sentence)
    supposed = grammar.supposed.search(sentence)
    if supposed:
        clauses = grammar.joints.finditer(sentence, 0, supposed.start())
        own = own[: max((one.start() for one in clauses), default=0)]
        return own, "" if asks else _resumed(sentence, supposed.end(), grammar)
    return own, sentence[resumed.end() :] if resumed else ""


def _resumed(sentence: str, at: int, grammar: Grammar) -> str:
    """Return what a sentence states behind a position, once the speaker resumes: "…, but I live in Kiel"."""
    back = pattern_of("resumes").search(sentence, at)
    return _own(sentence[back.end() :], grammar, asks=False)[0] if back else ""
