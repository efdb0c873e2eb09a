"""The last steps of a ranking: the composite score, newest of near-equals, limits, and the words that explain it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from memstrata.core.index import Floats, Index, Ints
from memstrata.core.scoring import Candidates, access_frequency, recency

NEAR_EQUAL = 0.3  # scores closer than this count as equal where two passages say nearly the same


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
) -> Ranked:
    """Order candidates by the composite score; ties by a hash of their terms, then by number: always the same."""
    numbers = candidates.numbers
    columns = index.columns
    since = np.maximum(columns["at"][numbers], columns["accessed"][numbers])
    values = {
        "similarity": candidates.similarity,
        "recency": recency(np.asarray(since, np.float64), now),
        "importance": np.asarray(columns["importance"][numbers], np.float32),
        "access_frequency": access_frequency(np.asarray(columns["accesses"][numbers], np.int32)),
        "entity_match": candidates.named,
    }
    parts = {name: np.float32(weight) * values[name] for name, weight in weights.items()}
    whole = sum(parts.values(), np.zeros(len(numbers), np.float32))
    scores = np.minimum(whole * columns["tense"][numbers], 1.0)
    places = np.lexsort((numbers, columns["tie"][numbers], -np.round(scores, 6))).astype(np.int32)
    return Ranked(candidates=candidates, numbers=numbers[places], scores=scores[places], places=places, parts=parts)


def newest_first(scores: Sequence[float], at: Sequence[float], alike: Callable[[int, int], bool]) -> list[int]:
    """Places of a ranking, the newer of two neighbours first where they say and score nearly the same."""
    order = list(range(len(scores)))
    for last in range(1, len(order)):
        for place in range(last, 0, -1):
            after, before = order[place], order[place - 1]
            if at[after] <= at[before] or abs(scores[before] - scores[after]) > NEAR_EQUAL or not alike(after, before):
                break
            order[place - 1], order[place] = after, before
    return order


def shares(ranked: Ranked, places: Sequence[int]) -> list[dict[str, float]]:
    """What each part of the composite gave some candidates, the similarity split into its signals."""
    candidates, parts = ranked.candidates, dict(ranked.parts)
    model, values = candidates.model, candidates.values
    least = int(candidates.scores.argmin())
    raw = model.parts(values[[least, *places]])
    raw = (raw[1:] - raw[0]).T  # compared with what scored least, so that they sum to what the closeness measures
    whole = raw.sum(axis=0)
    similarity = parts.pop("similarity")[places]
    split = raw * np.where(whole > 0, similarity / np.where(whole > 0, whole, 1), 0)
    given = np.concatenate([np.array([values[places] for values in parts.values()]).reshape(-1, len(places)), split])
    names = [*parts, *(f"similarity.{name}" for name in model.signals)]
    rows = np.round(given.astype(float), 4).T.tolist()
    return [{name: value for name, value in zip(names, row, strict=True) if value} for row in rows]


def explain(given: Mapping[str, float]) -> str:
    """The largest shares in words: "keyword window 0.21, recency 0.18, …"."""
    largest = sorted(given.items(), key=lambda item: -abs(item[1]))[:4]
    return ", ".join(f"{name.removeprefix('similarity.').replace('_', ' ')} {value:.2f}" for name, value in largest)
