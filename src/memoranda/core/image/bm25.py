"""BM25 (Robertson and Zaragoza 2009), in the parts shared by the scores of passages, windows and conversations."""

import math
from dataclasses import dataclass

import numpy as np

from memoranda.core.rows.columns import Columns, Floats

K1, B = 1.5, 0.75  # the usual saturation and length normalisation


@dataclass(frozen=True, slots=True)
class Lengths:
    """The text lengths that BM25 needs.

    Attributes:
        held: terms of each passage, with an empty last cell; `mean`: per passage; `turn`: per turn.
        norms: of the passages, `talks`: of the conversations: see `weighed_against`.
        conversations: how many conversations have a passage.
    """

    held: Floats
    mean: float
    turn: float
    norms: Floats
    talks: Floats
    conversations: int


def measured(columns: Columns, conversations: int) -> Lengths:
    """Measure the lengths of the passages in these columns, and of their conversations."""
    terms = np.asarray(columns["terms"], np.float32)
    there = int(np.count_nonzero(columns["channel"] >= 0))
    mean = terms.sum() / max(there, 1)
    codes = columns["conversation"] + 1
    talks = np.bincount(codes, terms, minlength=conversations + 1)[1:].astype(np.float32)
    spoken = int(np.count_nonzero(np.bincount(codes)[1:]))
    turns = terms[~columns["of_record"]]
    return Lengths(
        held=np.append(terms, np.float32(0)),
        mean=float(mean),
        turn=float(turns.sum()) / max(len(turns), 1),
        norms=weighed_against(terms, mean),
        talks=weighed_against(talks, talks.sum() / max(spoken, 1)),
        conversations=spoken,
    )


def idf(held: int, total: int) -> float:
    """Return the non-negative inverse document frequency of Lucene, for a term that `held` of `total` texts hold."""
    return math.log1p((total - held + 0.5) / (held + 0.5))


def weighed_against(lengths: Floats, usual: Floats | np.float32) -> Floats:
    """Return BM25's length norms, `K1 · (1 - B + B · length / usual)`."""
    return np.asarray(K1 * (1 - B + B * lengths / np.maximum(usual, 1e-9)), np.float32)


def saturated(frequency: Floats, norms: Floats) -> Floats:
    """Return a term's BM25 contribution without the idf."""
    return np.asarray(frequency * np.float32(K1 + 1) / (frequency + norms), np.float32)
