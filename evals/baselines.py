"""Minimal baselines: BM25 alone, cosine alone, and both combined by reciprocal rank fusion."""

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

K1, B = 1.5, 0.75
FUSED = 60  # the k of reciprocal rank fusion


class BM25:
    """Lucene's BM25 over lists of terms; a document without any term of the query is not ranked."""

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        lengths = np.array([len(terms) for terms in documents], np.float64)
        norms = K1 * (1 - B + B * lengths / max(lengths.mean(), 1e-9))
        postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, terms in enumerate(documents):
            for term, count in Counter(terms).items():
                postings[term].append((number, count))
        self._size = len(documents)
        self._weights: dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]] = {}
        for term, posting in postings.items():
            numbers, counts = np.array(posting).T
            idf = np.log1p((self._size - len(numbers) + 0.5) / (len(numbers) + 0.5))
            self._weights[term] = numbers, idf * counts / (counts + norms[numbers])

    def ranking(self, query: Sequence[str]) -> list[int]:
        """Return document numbers, best first; ties keep the order of the conversation."""
        scores = np.zeros(self._size)
        for term in query:
            if term in self._weights:
                numbers, weights = self._weights[term]
                scores[numbers] += weights
        order = np.argsort(-scores, kind="stable")
        return [int(number) for number in order[: int((scores > 0).sum())]]


def by_cosine(vectors: NDArray[np.float32], query: NDArray[np.float32]) -> list[int]:
    """Return the numbers of the unit vectors, nearest first."""
    return [int(number) for number in np.argsort(-(vectors @ query), kind="stable")]


def fused(*rankings: Sequence[int]) -> list[int]:
    """Fuse rankings by reciprocal rank fusion (Cormack et al., SIGIR 2009): the sum of 1 / (k + rank), best first."""
    scores: defaultdict[int, float] = defaultdict(float)
    for ranking in rankings:
        for rank, number in enumerate(ranking, 1):
            scores[number] += 1 / (FUSED + rank)
    return sorted(scores, key=lambda number: (-scores[number], number))
