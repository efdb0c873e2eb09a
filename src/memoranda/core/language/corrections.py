"""Bare corrections: "No, I meant Thursday" says nothing alone, and corrects what was said a moment before.

A correction gives the right value and may name the wrong one. It applies to the newest of a few recent records that
holds the wrong value or, if none is named, exactly one value of the same type: a date, a time of day, a number or a
name. If none fits, nothing happens.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from memoranda.core.language.attributes import path_part
from memoranda.core.language.entities import find_mentions
from memoranda.core.language.grammar import compiled
from memoranda.core.language.pack import NEVER, pack_of
from memoranda.core.rows import Record
from memoranda.core.rows.statements import Statement
from memoranda.core.temporal import find_times
from memoranda.core.text.detect import LANGUAGES
from memoranda.core.text.numerals import in_digits
from memoranda.core.text.packs import made
from memoranda.core.text.terms import UNSPACED, replaced, stands
from memoranda.languages import read

REACH = 10  # events of the conversation that a correction looks back
EDITOR = "amendment"
_SENTENCES = 3  # the first sentences of a turn, one of which may be a correction
_WORDS = 5  # of a value, at most
_SENTENCE = re.compile(r"(?:[^.!?。！？\n]|[.](?=\S))+")
_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(rf"(?<![^\W{UNSPACED}])(?<![.,:])\d+(?:[.,]\d+)*(?![^\W{UNSPACED}]|:|[.,]\d)")
_NOUN = 3  # words of a common noun, at most
_CLOCK = frozenset({"second", "minute", "hour"})
_HOUR = re.compile(r"\W*(?:at |um |a las |à )?\d{1,2}(?:[:.h]\d\d|\s?(?:[ap]m|uhr|h)|点)\w*\W*", re.IGNORECASE)
_LASTING = frozenset({"set", "duration"})
_NAMES = frozenset({"person", "place", "organisation"})
_KEPT = ("kind", "category", "polarity", "certainty", "temporal", "importance")


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """The value that was meant, and the one that was said instead if the speaker names it.

    Attributes:
        start, end: character offsets of its sentence.
        own: it may correct a statement earlier in the same turn.
        reply: it may as well answer a question: it neither names a wrong value nor says that the right one was meant.
        noun: it may replace any common noun: an exclamation says that what was meant was another one.
    """

    right: str
    wrong: str | None = None
    start: int = 0
    end: int = 0
    own: bool = False
    reply: bool = False
    noun: bool = False


@dataclass(frozen=True, slots=True)
class Amendment:
    """A record, the wrong words in it, and its statement when corrected."""

    record: Record
    wrong: str
    statement: Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """The patterns by which a language corrects.

    Attributes:
        sure: an exclamation that something was wrong; `lead`: any other exclamation.
        slip: one that answers no question: what stands behind it alone is what was meant.
        meant: says that a value was meant; `be` only that it is so.
        negation: precedes the wrong value; `but` the right one that follows it.
        edge: words before a value that are no part of it.
        within: makes a bare month or year a time.
        verb: words that a value cannot hold: "not Oslo but Bergen is cold" says something else.
        aside: what may follow a comma without saying anything else ("I always mistype that").
    """

    sure: str
    slip: str
    lead: str
    meant: str
    be: str
    negation: str
    but: str
    edge: str
    within: str
    verb: str
    aside: str = NEVER


@cache
def wording_of(language: str) -> Wording:
    """Return the correction patterns of one of `LANGUAGES`, read on first use.

    Raises:
        FormatError: the file has an unknown entry or lacks one.
    """
    return made(Wording, read(f"{language}/corrections"), f"languages/{language}/corrections.toml")


@cache
def _form(language: str) -> re.Pattern[str]:
    """Return the pattern for a whole correction sentence."""
    part = wording_of(language)
    spaced = language != "zh"
    bound, gap, space = (r"\b", r"[\s,;:.!\u2013\u2014-]", r"\s+") if spaced else ("", r"[\s，,；;：:、!！]", r"\s*")
    edge = rf"(?:(?:{part.edge}){space})*(?!(?:{part.be}){bound})"  # "they're fine" is not a value
    value = edge + r"(?P<%s>[^\s,;:!?()，；：、！？（）][^,;!?()，；、！？（）]{0,39}?)"
    negation, but = rf"(?:{part.negation}){bound}\s*", rf"(?:{part.but}){bound}\s*"
    between = rf"(?:\s*[,;\u2013\u2014-]+\s*(?:{but})?|\s+{but})" if spaced else rf"[，,；]?{but}"
    return re.compile(
        rf"(?:(?:(?P<sure>{part.sure})|{part.lead}){bound}{gap}*+)*"
        rf"(?:(?P<meant>{part.meant}){bound}|(?P<be>{part.be}){bound})?{gap}*+"
        rf"(?:{negation}{value % 'wrong'}{between}{value % 'right'}"
        rf"|{value % 'instead'}{gap}++{negation}{value % 'of'}|{value % 'only'})(?:,\s*(?:{part.aside}))?{gap}*+",
        re.IGNORECASE,
    )


def read_correction(text: str, language: str) -> Correction | None:
    """Return the correction in a turn, if one of its first sentences is a bare correction.

    Without the wrong value a sentence corrects only if it says that the value was meant ("I meant Thursday"), that it
    was a slip ("typo: Thursday"), or that something is so after an exclamation ("No, it's Thursday"): "No, Thursday"
    may as well answer a question.
    """
    if language not in LANGUAGES:
        return None
    plain = text[:400].replace("\u2019", "'")
    for sentence in list(_SENTENCE.finditer(plain))[:_SENTENCES]:
        found = _form(language).fullmatch(" ".join(sentence[0].split()))
        if found is None:
            continue
        wrong = found["wrong"] or found["of"]
        right = found["right"] or found["instead"] or found["only"]
        if wrong and wrong[0].islower() and found.start("instead") == 0:
            right = right[0].lower() + right[1:]  # capitalised only as the first word of the sentence
        slip = found["sure"] is not None and re.fullmatch(wording_of(language).slip, found["sure"], re.IGNORECASE)
        certain = wrong or found["meant"] or (found["sure"] and found["be"]) or slip
        values = [right, wrong or ""]
        told = any(re.search(wording_of(language).verb, value, re.IGNORECASE) for value in values)
        if certain and not told and max(len(value.split()) for value in values) <= _WORDS:
            reply = not (wrong or found["meant"])
            noun = bool(found["sure"] and found["meant"])
            return Correction(
                right=right, wrong=wrong, start=sentence.start(), end=sentence.end(), reply=reply, noun=noun
            )  # fmt: skip
    return None


def amend(correction: Correction, records: Iterable[Record], said: datetime, language: str) -> list[Amendment]:
    """Return the amendments of the first of `records` that holds the corrected value, and of those said with it."""
    made: list[Amendment] = []
    for record in records:
        if made and record.sources != made[0].record.sources:
            break
        found = _misstated(correction, record, said, language)
        if found is not None and found[0].strip().casefold() != found[1].strip().casefold():
            made.append(Amendment(record, found[0], _restated(record, *found, said, language)))
    return [one for one in made if one.wrong.casefold() == made[0].wrong.casefold()]


def rescheduled(record: Record, words: str, said: datetime, language: str) -> Statement | None:
    """Return the statement of a record with the last time in some words in place of its own; None if there is none."""
    new = [ref for ref in find_times(words, said, language) if ref.grain not in _LASTING]
    held = [ref.text for ref in find_times(record.text, said, language) if ref.grain not in _LASTING]
    if not new or len(held) != 1:
        return None
    old = held[0]
    if _HOUR.fullmatch(new[-1].text):  # only the hour is another one
        old = next(_times(record.text, said, language, clock=True), old)
    return _restated(record, old, new[-1].text, said, language)


def _misstated(correction: Correction, record: Record, said: datetime, language: str) -> tuple[str, str] | None:
    """Return the words of `record` to replace, and their replacement; None unless exactly one value fits."""
    right, wrong, text = correction.right, correction.wrong, record.text
    grain = _grain(right, said, language)
    if grain is not None:
        held = [
            words for words in _times(text, said, language, grain in _CLOCK) if wrong is None or stands(wrong, words)
        ]
    elif wrong is not None:
        return next(((old, new) for old, new in _wordings(wrong, right) if stands(old, text)), None)
    elif number := _NUMBER.match(right):
        unit = right[number.end() :].strip()
        dated = " ".join(ref.text for ref in find_times(text, said, language))
        held = [one for one in _NUMBER.findall(text) if not stands(one, dated) and (not unit or stands(unit, text))]
        right = number[0]
    elif language != "zh" and in_digits(right.partition(" ")[0], language).isdigit():
        count, _, unit = right.partition(" ")
        held = [
            one
            for one in _WORD.findall(text)
            if in_digits(one, language).isdigit() and (not unit or stands(unit, text))
        ]
        right = count
    else:
        sorts = {one.type for one in find_mentions(right, language) if one.name == right} & _NAMES
        held = [one.name for one in find_mentions(text, language) if one.type in sorts and one.name == record.value]
        if not sorts and right[:1].isupper() and isinstance(record.value, str) and record.value[:1].isupper():
            held = [record.value]  # names of unknown type
        elif correction.noun and _common(right, language) and _common(record.value, language):
            held = [str(record.value)]
    return (held[0], right) if len(held) == 1 else None


def _common(value: object, language: str) -> bool:
    """Whether a value is a common noun, of few words."""
    if not isinstance(value, str) or (value[:1].isupper() and language != "de") or len(value.split()) > _NOUN:
        return False
    grammar = compiled(language)
    return grammar.empty.fullmatch(value) is None and grammar.hollow.search(value) is None


def _grain(value: str, said: datetime, language: str) -> str | None:
    """Return the grain of a value that is a time as a whole."""
    within = wording_of(language).within
    for words in (value, f"{within}{value}"):
        for ref in find_times(words, said, language):
            if ref.text.endswith(value) and ref.grain != "set":
                return ref.grain
    return None


def _times(text: str, said: datetime, language: str, clock: bool) -> Iterator[str]:
    """Yield the dates in a text, each as long as possible, or its times of day, each as short as possible."""
    for ref in find_times(text, said, language):
        words = ref.text.split(" ")
        spans = [(i, j) for i in range(len(words)) for j in range(i + 1, len(words) + 1)]
        for i, j in sorted(spans, key=lambda span: span[1] - span[0], reverse=not clock):
            grain = _grain(" ".join(words[i:j]), said, language)
            if grain is not None and (grain in _CLOCK) is clock:
                yield " ".join(words[i:j])
                break


def _wordings(wrong: str, right: str) -> Iterator[tuple[str, str]]:
    """Yield both values: as numbers, as said, and without a common first word ("my cousin", "my sister")."""
    if (fewer := _NUMBER.match(wrong)) and (more := _NUMBER.match(right)):
        yield fewer[0], more[0]
    yield wrong, right
    (first, _, old), (other, _, new) = wrong.partition(" "), right.partition(" ")
    if old and new and first.casefold() == other.casefold():
        yield old, new


def _restated(record: Record, old: str, new: str, said: datetime, language: str) -> Statement:
    """Return the statement of `record` with `new` in place of `old`."""
    pack = pack_of(language)
    spoken = " ".join(pack.persons.get(word.lower(), word) for word in new.split(" "))
    text = replaced(record.text, old, spoken)
    times = find_times(text, said, language) if record.phrase else []
    if times and times[0].relation == "past" and record.temporal == "future" and record.valid_to:
        times = find_times(text, record.valid_to, language)  # the occurrence closest to the one that was said
    wrong, right = path_part(old, pack.canon), path_part(new, pack.canon)
    same = {name: getattr(record, name) for name in _KEPT}
    return Statement(
        **same,
        text=text,
        subject=replaced(record.subject or "", old, spoken),
        attribute=record.attribute
        and ".".join(right if name == wrong else name for name in record.attribute.split(".")),
        value=replaced(record.value, old, new) if isinstance(record.value, str) else record.value,
        correction=True,
        when=times[0] if times else None,
        rule=EDITOR,
    )
