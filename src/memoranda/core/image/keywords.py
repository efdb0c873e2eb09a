"""Keyword scores: BM25 of passages, of the windows around them and of their conversations.

A window is scored as one text: the frequencies in it are summed and then scored, which beats summing the scores of
its turns.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from memoranda.core.image.bm25 import idf, saturated, weighed_against
from memoranda.core.image.index import SPANS, WINDOWS, Index
from memoranda.core.rows.columns import Floats, Ints


def keyword(index: Index, terms: Iterable[str]) -> Floats:
    """Return the BM25 of every passage by itself."""
    size, norms = len(index), index.lengths.norms
    scores = np.zeros(size, np.float32)
    for term in dict.fromkeys(terms):
        numbers, counts = index.postings.of(term)
        scores[numbers] += idf(len(numbers), index.count) * saturated(counts, norms[numbers])
    return scores


def related_records(index: Index, texts: Iterable[Sequence[str]], most: int) -> dict[str, float]:
    """Return the records that hold rare terms of some texts, each with its best BM25 for any of them.

    Args:
        index: the index of an owner's passages.
        texts: the terms of each text.
        most: the number of terms of a text that count, the rarest of them.
    """
    best = np.zeros(len(index), np.float32)
    for terms in texts:
        best = np.maximum(best, keyword(index, index.postings.rarest(terms, most)))
    numbers = np.flatnonzero((best > 0) & index.columns["of_record"])
    return {index.refs[number]: float(best[number]) for number in numbers}


def keyword_windows(index: Index, terms: Iterable[str], numbers: Ints) -> Floats:
    """Return the BM25 of the windows of some passages, one row for each of `WINDOWS`; shape (windows, n).

    The rarity of a term is that among single passages; the usual length is that of a passage times the window's width.
    """
    if not len(numbers):
        return np.zeros((len(WINDOWS), 0), np.float32)
    size, lengths = len(index), index.lengths
    around = index.chains.around(numbers)  # -1, a missing neighbour, indexes the last cell, which stays empty
    norms = weighed_against(lengths.held[around] @ SPANS, np.float32(lengths.mean) * SPANS.sum(axis=0))
    postings = [index.postings.of(term) for term in dict.fromkeys(terms)]
    counted = np.zeros((len(postings), size + 1), np.float32)
    for row, (holders, counts) in zip(counted, postings, strict=True):
        row[holders] = counts
    rarity = np.array([idf(len(holders), index.count) for holders, _ in postings], np.float32)
    return np.asarray(np.einsum("t,tnw->wn", rarity, saturated(counted[:, around] @ SPANS, norms)), np.float32)


def keyword_conversations(index: Index, terms: Iterable[str], numbers: Ints) -> Floats:
    """Return the BM25 of the whole conversations of some passages; 0 for those without a conversation."""
    conversations = np.asarray(index.columns["conversation"], np.int32)
    norms, spoken = index.lengths.talks, index.lengths.conversations
    total = len(norms)
    scores = np.zeros(total + 1, np.float32)  # the last cell stands for no conversation
    for term in dict.fromkeys(terms):
        holders, counts = index.postings.of(term)
        frequency = np.bincount(conversations[holders] + 1, counts, minlength=total + 1)[1:].astype(np.float32)
        touched = np.flatnonzero(frequency)
        scores[touched] += idf(len(touched), spoken) * saturated(frequency[touched], norms[touched])
    return scores[conversations[numbers]]
