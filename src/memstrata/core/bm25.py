"""BM25 (Robertson and Zaragoza 2009), in the parts that scoring passages, windows and conversations share."""

import math
from dataclasses import dataclass

import numpy as np

from memstrata.core.columns import Columns, Floats

K1, B = 1.5, 0.75  # the usual saturation and length normalisation


@dataclass(frozen=True, slots=True)
class Lengths:
    """What BM25 needs of the lengths of passages.

    Attributes:
        held: terms of each passage, with an empty last cell; `mean`: of a passage; `turn`: of a turn.
        norms: of the passages, `talks`: of the conversations: see `weighed_against`.
    """

    held: Floats
    mean: float
    turn: float
    norms: Floats
    talks: Floats


def measured(columns: Columns, conversations: int) -> Lengths:
    """The lengths of the passages of these columns, in so many conversations."""
    terms = np.asarray(columns["terms"], np.float32)
    talks = np.bincount(columns["conversation"] + 1, terms, minlength=conversations + 1)[1:]
    turns = terms[~columns["of_record"]]
    return Lengths(
        held=np.append(terms, np.float32(0)),
        mean=float(terms.sum()) / max(len(terms), 1),
        turn=float(turns.sum()) / max(len(turns), 1),
        norms=weighed_against(terms),
        talks=weighed_against(talks.astype(np.float32)),
    )


def idf(held: int, total: int) -> float:
    """How much a term tells that `held` of `total` texts hold: the non-negative idf of Lucene."""
    return math.log1p((total - held + 0.5) / (held + 0.5))


def weighed_against(lengths: Floats, usual: Floats | np.float32 | None = None) -> Floats:
    """What the frequencies in texts of these lengths are weighed against; the usual length is their mean."""
    mean = lengths.sum() / max(len(lengths), 1) if usual is None else usual
    return np.asarray(K1 * (1 - B + B * lengths / np.maximum(mean, 1e-9)), np.float32)


def saturated(frequency: Floats, norms: Floats) -> Floats:
    """What a term gives for its frequency, but for the idf."""
    return np.asarray(frequency * np.float32(K1 + 1) / (frequency + norms), np.float32)
