"""Turn an item of a plan into the statements that it makes, read by the rules where they can read it."""

import re
from dataclasses import replace
from functools import cache

from memoranda.core.beliefs.profile_keys import USER
from memoranda.core.consolidation.proposal import Claim, LeafChange
from memoranda.core.language.engine import extract
from memoranda.core.language.extraction import followed
from memoranda.core.language.pack import pack_of
from memoranda.core.language.person import first_person, sentence_for
from memoranda.core.language.speech_cues import changes
from memoranda.core.rows import Event
from memoranda.core.rows.statements import CERTAINTY, Statement
from memoranda.core.temporal import find_times
from memoranda.core.text.detect import common_words, detect
from memoranda.core.text.numerals import in_digits
from memoranda.core.text.terms import form

#: The editor of records that consolidation makes.
EDITOR = "consolidation"
_WORD = re.compile(r"\w+")
_ROOT = 5  # first letters that related words share
_SURE = "implied"  # certainty of a leaf, which gives none, and the least of a claim from which something follows


def statements(item: LeafChange | Claim, event: Event, language: str = "en") -> tuple[Statement, ...]:
    """Return what an item states, at least one statement, for `memoranda.core.language.extraction.record_of`.

    A leaf is one statement. Of a claim, the rules' reading gives attribute, value, polarity, kind and category; a
    single statement with another value of the claim's attribute takes value and words of the claim. What the rules
    cannot read, or read as current in a claim about the past, is a fact in the claim's words. None is more certain
    than the claim.

    Args:
        item: a leaf or a claim.
        event: the latest event that it rests on; relative times ("last week") are resolved from its time.
        language: assumed if none is detected.
    """
    if isinstance(item, LeafChange):
        return (_leaf(item, event, detect(str(item.value), language)),)
    sure = item.temporal == "current" and CERTAINTY[item.certainty] >= CERTAINTY[_SURE]
    read = _read(item.text, item.subject, event, detect(item.text, language), follows=sure)
    if not read or (item.temporal == "past" and all(one.temporal == "current" for one in read)):
        return (_fact(item, event, detect(item.text, language)),)
    if len([one for one in read if _differs(one, item)]) == 1:
        text = _whole(item.text, detect(item.text, language))
        read = [replace(one, text=text, value=item.value) if _differs(one, item) else one for one in read]
    read = _completed(item, read, event)
    return tuple(
        replace(
            statement,
            certainty=min(statement.certainty, item.certainty, key=CERTAINTY.__getitem__),
            temporal=item.temporal if statement.temporal == "current" else statement.temporal,
        )
        for statement in read
    )


def _completed(item: Claim, read: list[Statement], event: Event) -> list[Statement]:
    """Return `read` such that no telling word of the claim is lost.

    If one is missing, the claim's text replaces that of the only statement that gives no name. If there is not exactly
    one, the claim is added as a fact without an attribute. A name stays a statement of its own: it outlives what else
    the claim says.
    """
    spoken = detect(item.text, "en")
    text = item.text
    if any(one.when for one in read):  # then times are not missing
        for time in reversed(find_times(text, event.event_time, spoken)):
            text = f"{text[: time.start]} {text[time.end :]}"
    known = in_digits(" ".join(f"{one.text} {one.value} {one.subject}" for one in read).casefold(), spoken)
    heads, plain = set(map(_head, _WORD.findall(known))), common_words(spoken) | changes().light
    if all(_head(word) in heads for word in _WORD.findall(in_digits(text.casefold(), spoken)) if word not in plain):
        return read
    others = [one for one in read if not str(one.attribute).endswith(".name")]
    if len(others) == 1:
        return [replace(one, text=_whole(item.text, spoken)) if one in others else one for one in read]
    return [*read, _fact(replace(item, attribute=None), event, spoken)]


def _head(word: str) -> str:
    """Return what a word has in common with related words: its first letters, or all digits of a number."""
    return word if word.isdigit() else word[:_ROOT]


def _differs(read: Statement, item: Claim) -> bool:
    """Whether a statement affirms another value of the claim's attribute than the claim gives."""
    alike = item.value is not None and read.attribute == item.attribute and read.polarity > 0
    return alike and form(str(read.value)) != form(str(item.value))


def _leaf(item: LeafChange, event: Event, language: str) -> Statement:
    value = str(item.value).lower() if isinstance(item.value, bool) else str(item.value)
    text = sentence_for(item.path, value, language, item.subject.capitalize())
    for statement in _read(text, item.subject, event, language):
        if (statement.attribute, form(str(statement.value)), statement.polarity) == (item.path, form(value), 1):
            return replace(statement, certainty=_SURE)
    kind, category, importance = _manner(item.path)
    return Statement(
        kind=kind, category=category, text=_whole(text, language), subject=item.subject, attribute=item.path,
        value=item.value, certainty=_SURE, importance=importance, rule=EDITOR,
    )  # fmt: skip


def _fact(item: Claim, event: Event, language: str) -> Statement:
    times = find_times(item.text, event.event_time, language)
    return Statement(
        kind="fact", category="personal", text=_whole(item.text, language), subject=item.subject,
        attribute=item.attribute, value=item.value, certainty=item.certainty, temporal=item.temporal,
        when=next(iter(times), None), rule=EDITOR,
    )  # fmt: skip


def _read(text: str, subject: str, event: Event, language: str, *, follows: bool = False) -> list[Statement]:
    """Return what the rules read in a statement about `subject`, put into that person's words; empty if it cannot be.

    With `follows`, what follows from it is added (`core.language.extraction.followed`).
    """
    who = None if subject == USER else subject
    said = first_person(text, language, who)
    if said is None:
        return []
    times = find_times(said, event.event_time, language)
    read = extract(said, times=times, language=language, speaker=who)
    if follows:
        read += followed(read, event.event_time, language)
    return [replace(statement, rule=EDITOR, start=0, end=0) for statement in read]


def _whole(text: str, language: str) -> str:
    """Return a text as the rules write statements: with a capital and a full stop."""
    ended = text if text[-1:] in set(".!?。！？") else f"{text}{pack_of(language).full_stop}"
    return f"{ended[:1].upper()}{ended[1:]}"


@cache
def _manner(attribute: str) -> tuple[str, str, float]:
    """Return kind, category and importance of an attribute, as the first English rule for it affirms it.

    Else those of the first rule for an attribute with the same root, else ("fact", "personal", 0.5).
    """
    rules = [rule for rule in pack_of("en").rules if rule.attribute and rule.polarity > 0]
    same = [rule for rule in rules if rule.attribute == attribute]
    alike = [rule for rule in rules if str(rule.attribute).split(".")[0] == attribute.split(".", maxsplit=1)[0]]
    return next(((rule.kind, rule.category, rule.importance) for rule in (*same, *alike)), ("fact", "personal", 0.5))
