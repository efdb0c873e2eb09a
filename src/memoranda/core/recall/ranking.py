"""The last steps of a ranking: the composite score, newest of near-equals first, diversity, and explanation."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate

import numpy as np

from memoranda.core.image.index import Index
from memoranda.core.recall.scoring import Candidates, weighed
from memoranda.core.rows.columns import Floats, Ints

#: The factor for passages said outside the time that the question asks about.
ELSEWHEN = 0.5

#: Margins of the share of the question's words plus cosine: within the first, two passages that say nearly the same
#: match the question equally; within the second, the newer of two that answer it in the same words overrules the other.
NEAR_EQUAL, OVERRULED = 0.15, 0.3

KEPT = 0.9  # the factor for each higher-ranked item of the same conversation, where many items are asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A ranking: passage numbers best first, their scores, and the parts of the scores.

    Attributes:
        parts: the parts of the composite by name, one value per candidate, in the order of `candidates`.
        places: the position of each ranked number among the candidates.
    """

    candidates: Candidates
    numbers: Ints
    scores: Floats
    places: Ints
    parts: Mapping[str, Floats]


def rank(
    index: Index,
    candidates: Candidates,
    weights: Mapping[str, float],
    *,
    now: datetime,
    said: tuple[float, float] | None = None,
) -> Ranked:
    """Order candidates by the composite score; ties by a hash of their terms, then by number, so always the same.

    Args:
        index: the index of the candidates.
        candidates: what is ranked.
        weights: of what is weighed, by name; see `core.recall.scoring`.
        now: the moment as of which it is weighed.
        said: begin and end, in seconds since 1970, of the time in which the answer was said.
    """
    numbers = candidates.numbers
    columns = index.columns
    parts, worth = weighed(candidates, weights, now)
    parts["similarity"] = worth * candidates.similarity
    # the best of the records with the attribute that is asked for is worth the most similar candidate
    best = (candidates.similarity * candidates.attributed).max(initial=0.0)
    parts["attribute"] = worth * candidates.attributed * np.float32(1 - best)
    whole = sum(parts.values(), np.zeros(len(numbers), np.float32))
    whole *= columns["tense"][numbers]
    if said is not None:
        at = columns["at"][numbers]
        whole *= np.where((said[0] <= at) & (at < said[1]), np.float32(1.0), np.float32(ELSEWHEN))
    scores = np.minimum(whole, 1.0)
    places = np.lexsort((numbers, columns["tie"][numbers], -np.round(scores, 6))).astype(np.int32)
    return Ranked(candidates=candidates, numbers=numbers[places], scores=scores[places], places=places, parts=parts)


def newest_first(at: Sequence[float], alike: Callable[[int, int], bool]) -> list[int]:
    """Return the positions of a ranking, reordered so that of two alike neighbours the newer comes first."""
    order = list(range(len(at)))
    for last in range(1, len(order)):
        for place in range(last, 0, -1):
            after, before = order[place], order[place - 1]
            if at[after] <= at[before] or not alike(after, before):
                break
            order[place - 1], order[place] = after, before
    return order


def after_successors(order: Sequence[int], successors: Callable[[int], Iterable[int]]) -> Iterator[int]:
    """Yield the positions of a ranking, reordered so that each stands directly below what took its place.

    `successors` is asked of no position that comes after the last that is taken.
    """
    seen: set[int] = set()
    placed: set[int] = set()
    for position in order:
        waiting = [position]
        while waiting:
            last = waiting[-1]
            if last not in seen:
                seen.add(last)
                waiting += [one for one in reversed([*successors(last)]) if one not in seen]
            elif waiting.pop() not in placed:
                placed.add(last)
                yield last


def lifted(scores: Sequence[float]) -> list[float]:
    """Return scores in the order of an answer, each at least that of those below it."""
    return [*accumulate(reversed(scores), max)][::-1]


def spread_out(scores: Sequence[float], conversations: Sequence[str | None]) -> list[int]:
    """Return the positions of a ranking, best first, each score lowered for every earlier item of its conversation.

    The items of a list were mostly said at different times: the second turn of one talk rarely adds to the first.
    """
    before: Counter[str | None] = Counter()
    kept = []
    for score, conversation in zip(scores, conversations, strict=True):
        kept.append(score * KEPT ** before[conversation])
        before[conversation] += conversation is not None
    return sorted(range(len(kept)), key=lambda place: -kept[place])


class Limits:
    """What an answer lets in, best first: no duplicates, and at most so much of one conversation and of calls of tools.

    Args:
        per_conversation: the limit; None for no limit.
        calls: the limit; None for no limit.
    """

    def __init__(self, per_conversation: int | None = None, calls: int | None = None) -> None:
        self._most = per_conversation
        self._calls = calls
        self._said: set[Hashable] = set()
        self._talks: Counter[str] = Counter()

    def refuse(self, said: Hashable = None, conversation: str | None = None, *, call: bool = False) -> str | None:
        """Return why an item is refused; None admits and counts it. `said` is equal for equal words."""
        if call and self._calls == 0:
            return "there are enough calls of tools in the answer; ask for kinds=['tool_call']"
        if said is not None and said in self._said:
            return "the same words were said more recently or rank higher"
        if conversation and self._most is not None and self._talks[conversation] >= self._most:
            return "enough from its conversation"
        self._said.add(said)
        if call and self._calls:
            self._calls -= 1
        if conversation:
            self._talks[conversation] += 1
        return None


def same_answer(a: frozenset[str], b: frozenset[str], asked: frozenset[str]) -> bool:
    """Whether the terms of two texts answer a question in the same way, so that the newer overrules the other.

    Both hold the same terms of the question, at least two, and these are at least a third of either: "the capital of
    Erewhon is Oderzo", and later "is Taipei".
    """
    shared = a & asked
    return len(shared) > 1 and shared == b & asked and 3 * len(shared) >= max(len(a), len(b))


def shares(ranked: Ranked, places: Sequence[int]) -> list[dict[str, float]]:
    """Return what each part of the composite gave some candidates, similarity split into its signals; largest first.

    `tense` is what a statement gains because it holds now, or loses because it is past or was said at another time
    than the one asked about. The parts sum to the score.
    """
    candidates, parts = ranked.candidates, dict(ranked.parts)
    verdict = candidates.verdict
    raw = verdict.parts([int(verdict.scores.argmin()), *places])
    raw = (raw[1:] - raw[0]).T  # relative to the lowest score, so that they sum to what the closeness measures
    whole = raw.sum(axis=0)
    scores = np.empty_like(ranked.scores)
    scores[ranked.places] = ranked.scores
    tense = scores[places] - sum(values[places] for values in parts.values())
    similarity = parts.pop("similarity")[places]
    split = raw * np.where(whole > 0, similarity / np.where(whole > 0, whole, 1), 0)
    given = np.concatenate([np.array([*(values[places] for values in parts.values()), tense]), split])
    names = [*parts, "tense", *(f"similarity.{name}" for name in candidates.signals)]
    rows = np.round(given.astype(float), 4).T
    orders = np.argsort(-np.abs(rows), axis=1, kind="stable").tolist()
    return [
        {names[place]: row[place] for place in order if row[place]}
        for row, order in zip(rows.tolist(), orders, strict=True)
    ]
