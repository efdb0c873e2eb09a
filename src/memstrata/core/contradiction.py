"""When two statements cannot both hold, and which of them gives way. No model; a model may propose the same.

Two ways to contradict: the same subject and single-valued attribute with another value, or nearly the same
wording of which one side denies what the other affirms.
"""

import re
from dataclasses import dataclass
from typing import Literal

from memstrata.core.rows import Record
from memstrata.core.rules.attributes import is_single_valued
from memstrata.core.text import form, normalise

Policy = Literal["prefer_new", "prefer_old", "flag_review"]

_NEGATION = re.compile(
    r"\b(?:no|not|never|none|nobody|nothing|neither|nor|without|cannot|hardly|barely|no longer|any ?more)\b|n['’]t\b",
    re.IGNORECASE,
)

#: Pairs that cannot both be said of one thing. Kept short on purpose: what is not certain is left to a person.
OPPOSITES: frozenset[frozenset[str]] = frozenset(
    frozenset(pair.split("/"))
    for pair in """
    like/dislike like/hate love/hate open/closed open/close opening/closing on/off up/down in/out inside/outside
    sitting/standing lying/standing asleep/awake empty/full hot/cold warm/cold wet/dry long/short tall/short
    big/small large/small young/old new/old fast/slow quickly/slowly high/low early/late always/never many/few
    more/less before/after above/below over/under near/far left/right first/last alone/together happy/sad
    loud/quiet loudly/quietly light/dark black/white clean/dirty heavy/light rich/poor strong/weak
    accept/reject allow/forbid start/stop starting/stopping increase/decrease win/lose buy/sell push/pull
    remember/forget enable/disable public/private true/false yes/no married/single married/divorced
    enter/leave entering/leaving arrive/leave add/remove adding/removing calm/rough calm/angry
    """.split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What is to happen to an `old` record that a `new` one contradicts.

    Attributes:
        outcome: `close_old` ends it where the new one begins, `close_new` lets the old one stand and files the
            new one as ended, `dispute` keeps both for review.
        reason: one sentence for the history.
    """

    outcome: Literal["close_old", "close_new", "dispute"]
    reason: str


def negations(text: str) -> int:
    """How many negation words a text holds."""
    return len(_NEGATION.findall(text))


def opposed(a: str, b: str) -> bool:
    """Whether one of two similar texts denies what the other says: an odd negation, or a pair of opposites."""
    if (negations(a) > 0) != (negations(b) > 0):
        return True
    left, right = set(normalise(a).split()), set(normalise(b).split())
    return any(frozenset((x, y)) in OPPOSITES for x in left - right for y in right - left)


def conflicting(new: Record, old: Record) -> bool:
    """Whether `new` and `old` make claims about one attribute of one subject that cannot both hold now."""
    if new.attribute is None or new.subject != old.subject or new.attribute != old.attribute:
        return False
    if (new.agent, new.channel, new.connection) != (old.agent, old.channel, old.connection):
        return False
    if "future" in (new.temporal, old.temporal):
        return False
    same_value = same(new.value, old.value)
    if new.polarity != old.polarity:
        return same_value
    if new.polarity < 0 or same_value:
        return False
    return new.temporal == "current" and is_single_valued(new.attribute)


def same(a: object, b: object) -> bool:
    """Whether two values are the same but for case, spaces and edges."""
    if isinstance(a, str) and isinstance(b, str):
        return form(a) == form(b)
    return a == b


def judge(new: Record, old: Record, policy: Policy, *, corrects: bool = False, late: bool = False) -> Verdict:
    """Who gives way. Explicit corrections by the user win; less trusted sources never unseat more trusted ones.

    Args:
        new: the statement that arrives.
        old: the one that is known.
        corrects: the new one says that the old one was wrong.
        policy: which one stands where nothing else decides.
        late: the new one arrives after the old one and was said before it, as in an import of old messages.
    """
    if corrects and new.trust >= old.trust and not late:
        return Verdict(outcome="close_old", reason="corrected by the user")
    if new.trust < old.trust and new.source != "user_provided":
        return Verdict(outcome="dispute", reason="a less trusted source says otherwise")
    if late:
        return Verdict(outcome="close_new", reason="older than what is known")
    if policy == "flag_review":
        return Verdict(outcome="dispute", reason="kept for review by policy")
    if policy == "prefer_old":
        return Verdict(outcome="close_new", reason="the earlier statement stands by policy")
    return Verdict(outcome="close_old", reason="replaced by a newer statement")
