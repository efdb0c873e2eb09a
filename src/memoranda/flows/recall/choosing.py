"""Choosing: which of the candidates answer, in which order, and why the others do not."""

import math
from collections.abc import Iterator, Mapping

import numpy as np

from memoranda.core.beliefs.patterns import PATTERN, standing
from memoranda.core.image.days import Window
from memoranda.core.image.image import Partition
from memoranda.core.image.index import Index
from memoranda.core.recall.ranking import (
    NEAR_EQUAL,
    OVERRULED,
    Limits,
    Ranked,
    after_successors,
    newest_first,
    same_answer,
    spread_out,
)
from memoranda.core.recall.scoring import Candidates
from memoranda.core.recall.search import Question
from memoranda.core.rows.columns import Floats, Mask
from memoranda.core.strata.procedures import DONE, TOOL_CALL
from memoranda.flows.recall.looking import Ask, Found

RELEVANT_WORDS = 0.3  # the threshold of `bearing` without vectors
SAME, RELATED = 0.9, 0.6  # cosines from which two passages say nearly the same, or are about one thing
FAR = 0.15  # word coverage plus cosine below which a passage is left out of an answer


def choose(found: Found, ranked: Ranked, ask: Ask) -> tuple[list[int], dict[str, str]]:
    """Choose the positions in the ranking to return, and say why the others are left out.

    What a judge is to read need not look as if it bore on the question: what answers it often shares no word with it.
    """
    index, question = found.partition.index, found.search.question
    bears = ask.judged or question.only_time or _bears_on(index, ranked.candidates, question, found.search.mask)
    if not bears and not found.search.naming[ranked.numbers].any():
        return [], dict.fromkeys(index.named(ranked.numbers), "nothing found has enough to do with the question")
    far = FAR if question.vector is not None and not question.only_time and not ask.judged else -1.0
    far = far if bears else math.inf  # then only what names an entity that is sought answers
    stood = {} if _by_time_or_kind(ask, found.window) else _stood_for(found.partition, ranked, ask.limit, far)
    chosen, left_out = _chosen(found, ranked, ask, far, stood)
    return _by_day(found, ranked, chosen) if question.only_time and found.window else chosen, left_out


def _by_day(found: Found, ranked: Ranked, chosen: list[int]) -> list[int]:
    """What answers a question for what there is at a time, in the order of days.

    What the assistant says comes last, it may be of no one's plans; and behind it what something later replaced.
    """
    index, endings = found.partition.index, found.search.endings

    assistant = index.codes["role"].look("assistant")

    def when(position: int) -> tuple[bool, bool, float]:
        number = ranked.numbers[position]
        day = found.days.get(index.refs[number])
        at = float(index.columns["at"][number]) if day is None else day.timestamp()
        replaced = any(True for _ in endings.successors(index.refs[number]))
        return replaced, bool(index.columns["role"][number] == assistant), at

    return sorted(chosen, key=when)


def _chosen(
    found: Found, ranked: Ranked, ask: Ask, far: float, stood: Mapping[str, str]
) -> tuple[list[int], dict[str, str]]:
    index = found.partition.index
    evidence = (ranked.candidates.coverage + ranked.candidates.cosine)[ranked.places]
    chosen: list[int] = []
    left_out: dict[str, str] = {}
    limits = Limits(ask.per_conversation, ask.calls)
    order = _ordered(found.partition, ranked, found.search.question, ask.limit)
    seen: set[int] = set()
    for position in _currently(found, ranked, order, evidence):
        if len(chosen) == ask.limit:
            rest = [one for one in order if one not in seen]
            left_out.update(dict.fromkeys(index.named(ranked.numbers[rest]), "beyond the limit"))
            break
        seen.add(position)
        passage = index.passages[ranked.numbers[position]]
        words = (passage.terms, passage.length) if passage.terms else None  # with the length: terms lack "not"
        if evidence[position] < far and not found.search.naming[ranked.numbers[position]]:
            left_out[passage.ref] = "it has next to nothing to do with the question"
        elif passage.ref in stood:
            left_out[passage.ref] = f"the pattern {stood[passage.ref]} stands for it; ask for a time or for kinds"
        elif reason := limits.refuse(words, passage.conversation, call=passage.kind == TOOL_CALL):
            left_out[passage.ref] = reason
        else:
            chosen.append(position)
    return chosen, left_out


def _currently(found: Found, ranked: Ranked, order: list[int], evidence: Floats) -> Iterator[int]:
    """`order` with each passage that ended below what took its place, which counts as just as near to the question."""
    index, endings = found.partition.index, found.search.endings
    places = {number: position for position, number in enumerate(ranked.numbers.tolist())}

    def later(position: int) -> list[int]:
        names = endings.successors(index.refs[ranked.numbers[position]])
        known = [places[number] for name in names if (number := index.numbers.get(name)) in places]
        if known:
            evidence[known] = np.maximum(evidence[known], evidence[position])
        return sorted(known)

    return after_successors(order, later)


def _by_time_or_kind(ask: Ask, window: Window | None) -> bool:
    """Whether the question asks for a time or for kinds, and so for the episodes themselves."""
    return ask.filtered or window is not None


def _stood_for(partition: Partition, ranked: Ranked, limit: int, far: float) -> dict[str, str]:
    """Passages that a pattern near the top stands for, with the pattern's id; not those with far more evidence."""
    index = partition.index
    evidence = ranked.candidates.coverage + ranked.candidates.cosine
    said = dict(zip(index.named(ranked.numbers), evidence[ranked.places].tolist(), strict=True))
    shown = [ref for ref in [*said][:limit] if index.passages[index.numbers[ref]].kind == PATTERN and said[ref] >= far]
    found = standing(partition, shown)
    return {ref: name for ref, name in found.items() if said.get(ref, 0.0) <= said[name] + OVERRULED}


def _bears_on(index: Index, candidates: Candidates, question: Question, mask: Mask) -> bool:
    """Whether any candidate is relevant at all, by word coverage plus cosine.

    Records of what was done raise the threshold only for themselves: an agent makes hundreds of calls beside a few
    turns. The more passages lack a vector, the nearer the threshold of these is to that of words alone.
    """
    done = np.isin(index.columns["kind"], [index.codes["kind"].look(kind) for kind in DONE])
    lines = [bearing(int(among.sum()), embedded=question.vector is not None) for among in (mask & ~done, mask)]
    line = np.where(done[candidates.numbers], lines[1], lines[0])
    embedded = index.vectors.embedded
    share = embedded[mask].mean() if mask.any() else 1.0
    line = np.where(embedded[candidates.numbers], line, share * line + (1 - share) * RELEVANT_WORDS)
    return bool((candidates.coverage + candidates.cosine >= line).any())


def bearing(searched: int, *, embedded: bool) -> float:
    """The word coverage plus cosine that the best candidate needs to be relevant at all.

    The more is searched, the closer the closest irrelevant passage comes, so the threshold rises. Measured with MiniLM
    on development conversations cut to size: with 1, 10 and 100 turns that hold the answer, 5, 5 and 0 % stay below the
    threshold, and 5, 7 and 12 % of questions about other people reach it. Without vectors, with 1, 10 and 40 turns, 21,
    6 and 6 % stay below, and 1, 3 and 6 % of such questions reach it. If word rarity were computed from these few turns
    alone, it would be 60, 10 and 6 %, and 0, 3 and 6 %.
    """
    return min(0.25 + 0.15 * math.log10(max(searched, 1)), 0.55) if embedded else RELEVANT_WORDS


def _ordered(partition: Partition, ranked: Ranked, question: Question, limit: int) -> list[int]:
    """Put the newest of near-equal passages first, and spread over conversations if the question wants many.

    Near-equal passages are looked for in the first 2 * `limit` positions.
    """
    index = partition.index
    deep = min(len(ranked.numbers), 2 * limit)
    numbers = ranked.numbers[:deep]
    vectors, embedded = index.vectors.of(numbers), index.vectors.embedded[numbers].tolist()
    evidence = (ranked.candidates.coverage + ranked.candidates.cosine)[ranked.places[:deep]].tolist()
    said = [index.passages[number].terms for number in numbers.tolist()]
    asked = frozenset(question.terms)

    def alike(a: int, b: int) -> bool:
        apart = abs(evidence[a] - evidence[b])
        both = embedded[a] and embedded[b]
        cosine = float(vectors[a] @ vectors[b]) if both else float(said[a] == said[b])
        if apart <= NEAR_EQUAL and cosine >= SAME:
            return True
        if apart > OVERRULED or (both and cosine < RELATED):
            return False
        return same_answer(frozenset(said[a].split()), frozenset(said[b].split()), asked)

    head = newest_first(index.columns["at"][numbers].tolist(), alike)
    order = [*head, *range(deep, len(ranked.numbers))]
    if not question.wants_many:
        return order
    conversations = [index.passages[ranked.numbers[place]].conversation for place in order]
    return [order[place] for place in spread_out(ranked.scores.tolist(), conversations)]
