"""When two statements cannot both hold, and which of them gives way. Uses no model; a model may propose the same.

Statements contradict if they give a single-valued attribute of the same subject different values or, where there is
no attribute, if the words of one deny what the other affirms.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import Literal

from memoranda.core.language.attributes import EXCLUDING, is_single_valued
from memoranda.core.language.speech_cues import pattern_of
from memoranda.core.rows import Record
from memoranda.core.rows.statements import CERTAINTY, PASSING
from memoranda.core.text.terms import english, form, normalise
from memoranda.core.text.voices import own

Policy = Literal["prefer_new", "prefer_old", "flag_review"]

_WORDS = re.compile(r"[^\W_]+")
_ENDING = re.compile(r"(?<=[^\W\d_]{3})(?:ing|ed|es|s|e)$")
_ANYBODY = frozenset("anybody anyone anything one people person somebody someone something".split())
_PREFERS = "prefers"
COVERED = 0.8  # the share of a denial's words that the denied text must hold


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What happens to an `old` record that a `new` one contradicts.

    Attributes:
        outcome: `close_old` ends it where the new one begins, `close_new` keeps the old one and stores the new one as
            ended, `dispute` keeps both for review.
        reason: one sentence for the history.
    """

    outcome: Literal["close_old", "close_new", "dispute"]
    reason: str


_BY_POLICY: Mapping[Policy, Verdict] = MappingProxyType(
    {
        "prefer_new": Verdict(outcome="close_old", reason="replaced by a newer statement"),
        "prefer_old": Verdict(outcome="close_new", reason="the earlier statement stands by policy"),
        "flag_review": Verdict(outcome="dispute", reason="kept for review by policy"),
    }
)


def negations(text: str) -> int:
    """Count the negation words in an English text."""
    return len(pattern_of("negations").findall(text))


def opposed(a: str, b: str) -> bool:
    """Whether one of two similar texts denies the other, in any language, or holds the opposite of one of its words."""
    one, other = (pattern_of("denials").search(text) is None for text in (a, b))
    return one != other or _paired(a, b, english().opposites | english().styles)


def _paired(a: str, b: str, pairs: frozenset[str]) -> bool:
    """Whether one text has one word of a pair, and the other text the other word."""
    left, right = set(normalise(a).split()), set(normalise(b).split())
    return any(not pairs.isdisjoint((f"{x}/{y}", f"{y}/{x}")) for x, y in product(left - right, right - left))


def denies(a: str, b: str) -> bool:
    """Whether one of two texts denies the other: a denial covers only what its words cover.

    "She is not slicing garlic" does not deny "she slices an onion", but "nobody is playing" denies "a man is singing
    and playing". A single word is covered only by what somebody is, has or does: who has no car may rent a car. Of the
    pairs in SICK's training part for which this holds, 97 % contradict.
    """
    if (negations(a) > 0) == (negations(b) > 0):
        return False
    denied, said = map(_content, (a, b) if negations(a) else (b, a))
    words = denied - {"user"}
    if len(words) == 1 and not said <= denied:
        has = rf"\W*\w+ (?:(?:has|have|is|are|owns?) (?:\w+ ){{0,2}})?{min(words)}"
        return re.match(has, b if negations(a) else a, re.IGNORECASE) is not None
    return bool(denied) and len(denied & said) >= COVERED * len(denied)


def _content(text: str) -> set[str]:
    """Return the words of a text that carry meaning, without the commonest endings of English."""
    words = _WORDS.findall(pattern_of("negations").sub(" ", normalise(text)))
    return {_ENDING.sub("", word) for word in words if word not in english().stop and word not in _ANYBODY}


def _exclude(a: str, b: str) -> bool:
    """Whether two styles exclude each other: one denies the other, or they are a pair such as bullets and prose."""
    if (negations(a) > 0) != (negations(b) > 0):
        return denies(a, b)
    return _paired(a, b, english().styles)


def conflicting(new: Record, old: Record) -> bool:
    """Whether `new` and `old` make claims about one subject in one place that cannot both hold now.

    A temporary statement does not end a lasting one, which holds again afterwards; but a denial ends a temporary
    statement. A plan is ended by its denial, not by another plan or a current statement.
    """
    mine, theirs = ((one.agent, one.channel, one.connection) for one in (new, old))
    return mine == theirs and contradictory(new, old)


def contradictory(new: Record, old: Record) -> bool:
    """Whether `new` and `old` make such claims wherever they lie."""
    mine, theirs = ((one.subject, one.attribute) for one in (new, old))
    if mine != theirs or (one_passes(new, old) and not (new.polarity < 0 and old.temporal in PASSING)):
        return False
    if new.attribute is None:
        return "future" not in (new.temporal, old.temporal) and denies(new.text, old.text)
    same_value = same(new.value, old.value)
    if new.polarity != old.polarity:
        alike = (new.temporal == "future") == (old.temporal == "future")
        return same_value and (
            alike or old.valid_from > new.valid_from
        )  # what is not so yet is off, however that is said
    if new.polarity < 0 or same_value or "future" in (new.temporal, old.temporal):
        return False
    if new.attribute in EXCLUDING:
        return _exclude(str(new.value), str(old.value))
    return new.temporal != "past" and (is_single_valued(new.attribute) or _chosen(new, old))


def _chosen(a: Record, b: Record) -> bool:
    """Whether two records prefer opposites: of modes, seats and the like one prefers one only."""
    prefers = _PREFERS in a.text and _PREFERS in b.text
    return prefers and _paired(str(a.value), str(b.value), english().opposites)


def one_passes(a: Record, b: Record) -> bool:
    """Whether exactly one of two records is temporary."""
    return (a.temporal in PASSING) != (b.temporal in PASSING)


def same(a: object, b: object) -> bool:
    """Whether two values are the same in normal form."""
    if isinstance(a, str) and isinstance(b, str):
        return form(a) == form(b)
    return a == b


def equal(a: Record, b: Record) -> bool:
    """Whether two records of one attribute give it the same value."""
    return a.polarity == b.polarity and same(a.value, b.value)


def outranked(new: Record, old: Record) -> bool:
    """Whether `new` comes from a less trusted source than `old`, so that it cannot end it."""
    return new.trust < old.trust and new.source != "user_provided"


def judge(new: Record, old: Record, policy: Policy, *, corrects: bool = False, late: bool = False) -> Verdict:
    """Decide which record gives way. A correction by the user wins; a less trusted source ends no more trusted record.

    Nor does a conclusion not made by the user end a more certain statement. What the user implies later does end it,
    unless it was a correction.

    Args:
        new: the statement that arrives.
        old: the known statement.
        corrects: the new one says that the old one was wrong.
        policy: which one stands where nothing else decides.
        late: the new one arrives after the old one but was said before it, as in an import of old messages.
    """
    if corrects and new.trust >= old.trust and not late:
        return Verdict(outcome="close_old", reason="corrected by the user" if own(new) else "corrected by its source")
    if outranked(new, old) or (late and outranked(old, new)):
        return Verdict(outcome="dispute", reason="a less trusted source says otherwise")
    if late:
        return Verdict(outcome="close_new", reason="older than what is known")
    concluded = new.source != "user_provided" and CERTAINTY[new.certainty] < CERTAINTY[old.certainty]
    if concluded and (CERTAINTY[new.certainty] < CERTAINTY["implied"] or old.status == "verified"):
        return Verdict(outcome="dispute", reason="what is only inferred says otherwise")
    return _BY_POLICY[policy]
