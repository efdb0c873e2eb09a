"""Merging: one answer of several, for the parts of a request or for other ways to put a question."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from memoranda.core.recall.ranking import Limits
from memoranda.core.recall.results import Item, Recalled, Trace
from memoranda.core.strata.procedures import TOOL_CALL, Fit
from memoranda.flows.recall.looking import Ask

BRIEF = 80  # characters of a question that are quoted
_EACH = 0.9  # the weight of the answer to each further part of a request, relative to the part before


def fused(answers: Iterable[Iterable[Item]]) -> list[Item]:
    """Merge rankings into one; each memory takes its best place among them.

    The order within a ranking is kept: a newer near-equal stands before one that scores a little more, and counts as
    much.
    """
    best: dict[str, tuple[float, Item]] = {}
    for items in answers:
        worth = math.inf
        for item in items:
            worth = min(worth, item.score)
            if item.id not in best or worth > best[item.id][0]:
                best.pop(item.id, None)  # among equals it stands where this ranking has it
                best[item.id] = worth, item
    return [item for _, item in sorted(best.values(), key=lambda pair: -pair[0])]


def scaled(item: Item, weight: float, why: str, **more: float) -> Item:
    """`item` with its score scaled by `weight`, and further shares added."""
    given = {name: round(weight * share, 4) for name, share in item.shares.items()} | more
    shares = dict(sorted(given.items(), key=lambda part: -abs(part[1])))
    return replace(item, score=round(weight * item.score + sum(more.values()), 4), shares=shares, why=why)


def limited(items: Iterable[Item], ask: Ask) -> tuple[list[Item], dict[str, str]]:
    """Apply the limits of `ask`, but that of tokens, to a ranking, and say why the rest is left out."""
    chosen: list[Item] = []
    left_out: dict[str, str] = {}
    limits = Limits(ask.per_conversation, ask.calls)
    for item in items:
        if len(chosen) == ask.limit:
            left_out[item.id] = "beyond the limit"
        elif reason := limits.refuse(item.text.casefold(), item.conversation, call=item.kind == TOOL_CALL):
            left_out[item.id] = reason
        else:
            chosen.append(item)
    return chosen, left_out


def reasons(answers: Sequence[Recalled], but: Iterable[Item]) -> dict[str, str]:
    """Why memories are left out of all answers, as the first that left them out says; not of those in `but`."""
    found: dict[str, str] = {}
    for answer in reversed(answers):
        found |= answer.trace.left_out
    shown = {item.id for item in but}
    return {ref: why for ref, why in found.items() if ref not in shown}


def merged(answers: Mapping[str, Recalled], ask: Ask) -> Recalled:
    """One answer to a request of the answers to its parts, by part, the most likely part first."""
    several = list(answers.values())
    weighed = ([scaled(item, _EACH**place, item.why) for item in one] for place, one in enumerate(several))
    items, over = limited(fused(weighed), ask)
    trace = Trace(
        arms={f"{arm}: {part}": ids for part, one in answers.items() for arm, ids in one.trace.arms.items()},
        left_out=reasons(several, items) | over,
        searched=max(one.trace.searched for one in several),
        window=next((one.trace.window for one in several if one.trace.window), None),
        only_time=any(one.trace.only_time for one in several),
    )
    fits: dict[str, Fit] = {}
    for fit in sorted((fit for one in several for fit in one.strategies), key=lambda fit: fit.order):
        fits.setdefault(fit.strategy.id, fit)
    return Recalled(
        items=tuple(items),
        strategies=tuple(fits.values()),
        reason=None if items else several[0].reason,
        degraded=tuple(dict.fromkeys(problem for one in several for problem in one.degraded)),
        trace=trace,
    )


def brief(text: str) -> str:
    """A question as it is quoted."""
    return text if len(text) <= BRIEF else f"{text[: BRIEF - 1]}…"
