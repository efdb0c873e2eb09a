"""The last steps of a ranking: the composite score, newest of near-equals, variety, and the words that explain it."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from memstrata.core.columns import Floats, Ints
from memstrata.core.index import Index
from memstrata.core.scoring import Candidates, access_frequency, recency

#: What is left of the score of what was said at another time than the one of which it is asked what was said then.
ELSEWHEN = 0.5

#: Share of the question's words plus cosine within which two passages that say nearly the same match it equally, or of
#: two that answer it in the same words the newer one overrules the other.
NEAR_EQUAL, OVERRULED = 0.15, 0.3

KEPT = 0.9  # of its score what comes from a conversation keeps for each that came before it, where many are asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A ranking: passage numbers best first, their scores, and what each part gave.

    Attributes:
        parts: the parts of the composite by name, one value per candidate, in the order of `candidates`.
        places: where each ranked number stands among the candidates.
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
    """Order candidates by the composite score; ties by a hash of their terms, then by number: always the same.

    Args:
        index: what they are of.
        candidates: what is ranked.
        weights: of the parts of the composite.
        now: the time from which recency counts.
        said: the begin and end, in seconds since 1970, of the time in which what is asked for was said.
    """
    numbers = candidates.numbers
    columns = index.columns
    values = {
        "similarity": candidates.similarity,
        "recency": recency(np.asarray(columns["at"][numbers], np.float64), now),
        "importance": np.asarray(columns["importance"][numbers], np.float32),
        "access_frequency": access_frequency(np.asarray(columns["accesses"][numbers], np.int32)),
        "entity_match": candidates.named,
    }
    parts = {name: np.float32(weight) * values[name] for name, weight in weights.items()}
    whole = sum(parts.values(), np.zeros(len(numbers), np.float32))
    whole *= columns["tense"][numbers]
    if said is not None:
        at = columns["at"][numbers]
        whole *= np.where((said[0] <= at) & (at < said[1]), np.float32(1.0), np.float32(ELSEWHEN))
    scores = np.minimum(whole, 1.0)
    places = np.lexsort((numbers, columns["tie"][numbers], -np.round(scores, 6))).astype(np.int32)
    return Ranked(candidates=candidates, numbers=numbers[places], scores=scores[places], places=places, parts=parts)


def newest_first(at: Sequence[float], alike: Callable[[int, int], bool]) -> list[int]:
    """Places of a ranking, the newer of two neighbours first where they are alike."""
    order = list(range(len(at)))
    for last in range(1, len(order)):
        for place in range(last, 0, -1):
            after, before = order[place], order[place - 1]
            if at[after] <= at[before] or not alike(after, before):
                break
            order[place - 1], order[place] = after, before
    return order


def spread_out(scores: Sequence[float], conversations: Sequence[str | None]) -> list[int]:
    """Places of a ranking, best first, with a lower score for every one of the same conversation that comes before.

    What is asked to be listed was mostly said at different times: the second turn of one talk rarely adds to the first.
    """
    before: Counter[str | None] = Counter()
    kept = []
    for score, conversation in zip(scores, conversations, strict=True):
        kept.append(score * KEPT ** before[conversation])
        before[conversation] += conversation is not None
    return sorted(range(len(kept)), key=lambda place: -kept[place])


class Limits:
    """What an answer lets in, best first: nothing twice, so much of one conversation, so many tokens.

    Args:
        per_conversation, tokens: at most so many; None for any number.
    """

    def __init__(self, per_conversation: int | None = None, tokens: int | None = None) -> None:
        self._most = per_conversation
        self._left = tokens
        self._said: set[Hashable] = set()
        self._talks: Counter[str] = Counter()

    def refuse(self, said: Hashable = None, conversation: str | None = None, cost: int = 0) -> str | None:
        """Why this does not come in; None lets it in, and it counts. `said` is alike for the same words."""
        if said is not None and said in self._said:
            return "the same words were said more recently or rank higher"
        if conversation and self._most is not None and self._talks[conversation] >= self._most:
            return "enough from its conversation"
        if self._left is not None and cost > self._left:
            return "over the token budget"
        self._said.add(said)
        if conversation:
            self._talks[conversation] += 1
        if self._left is not None:
            self._left -= cost
        return None


def same_answer(a: frozenset[str], b: frozenset[str], asked: frozenset[str]) -> bool:
    """Whether the terms of two texts answer a question in the same way: the newer of them overrules the other.

    Both hold the same terms of it, two at least, which are a third of either: "the capital of Erewhon is Oderzo", and
    later "is Taipei".
    """
    shared = a & asked
    return len(shared) > 1 and shared == b & asked and 3 * len(shared) >= max(len(a), len(b))


def shares(ranked: Ranked, places: Sequence[int]) -> list[dict[str, float]]:
    """What each part of the composite gave some candidates, the similarity split into its signals; largest first.

    `tense` is what a statement gains because it holds now, or loses because it is past, or was said at another time
    than the one asked about. All of them sum to the score.
    """
    candidates, parts = ranked.candidates, dict(ranked.parts)
    verdict = candidates.verdict
    raw = verdict.parts([int(verdict.scores.argmin()), *places])
    raw = (raw[1:] - raw[0]).T  # compared with what scored least, so that they sum to what the closeness measures
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


def explain(given: Mapping[str, float]) -> str:
    """The first shares in words: "keyword window 0.21, recency 0.18, …"."""
    largest = list(given.items())[:4]
    return ", ".join(f"{name.removeprefix('similarity.').replace('_', ' ')} {value:.2f}" for name, value in largest)
