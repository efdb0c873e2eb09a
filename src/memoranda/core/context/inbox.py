"""Ranking what comes in: how much each item bears on what the user pursues, is, and wants to see.

What the user pursues, is and wants are *interests*: open goals, lasting statements, the sentences of guidance.
An item's nearness to one is that of recall: the share of its terms, the rare ones weighing more, plus the cosine. Of
each kind the nearest interest counts, and of several kinds each takes its part of what the others left of 1, so that
the score stays below 1 and more reasons never lower it; only what is unwanted does.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from memoranda.core.rows.columns import Floats
from memoranda.core.text.fence import quoted

#: Nearness from which an item bears on an interest, and at which it does so fully; without vectors, of words alone.
BEARS, FULLY = (0.45, 1.2), (0.25, 0.8)
#: What an interest of each kind weighs; a goal by its priority, a statement by its importance.
GUIDANCE = 0.9
NONE = "nothing that is known of the user bears on it"
_QUOTED = 120  # characters of an interest that a reason quotes

Of = Literal["goal", "profile", "guidance"]
_BEARING = {
    "goal": "it bears on the goal {}",
    "profile": "it bears on what is known of the user: {}",
    "guidance": "the guidance asks for it: {}",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A text as it is compared: its terms, and its vector if there is one."""

    terms: frozenset[str]
    vector: Floats | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Interest:
    """What an item may bear on.

    Attributes:
        of: what it is; `id`: of the record; empty for a sentence of guidance.
        weight: the score of an item that bears on nothing but this, and fully.
        wanted: whether that raises the score; else it lowers it.
        phrases: the terms of phrases; an item that holds all of one bears on it by `surely` at least.
        notes: what there is to say of it, such as "overdue".
    """

    of: Of
    id: str = ""
    text: str
    read: Read
    weight: float
    wanted: bool = True
    phrases: tuple[frozenset[str], ...] = ()
    surely: float = 1.0
    notes: str = ""

    @property
    def said(self) -> str:
        """How a reason says that an item bears on it."""
        text = quoted(self.text)
        text = text if len(text) <= _QUOTED else f"{text[:_QUOTED].rstrip()}…"
        told = f"“{text}”{f' ({self.notes})' if self.notes else ''}"
        return _BEARING[self.of].format(told) if self.wanted else f"it is unwanted: {told}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Why an item ranks where it does.

    Attributes:
        of: goal, profile or guidance; `id`: of the record of a goal or statement; `text`: what it says.
        bearing: how fully the item bears on it, from 0 to 1; `raises`: whether that raises its score or lowers it.
    """

    of: Of
    id: str
    text: str
    bearing: float
    raises: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """An item in its place.

    Attributes:
        id: as it was given.
        score: from 0 (nothing known bears on it) to 1.
        why: in words; quotes what is known as one line each, so that it can stand in a prompt.
        reasons: the same, one by one, what weighs most first.
    """

    id: str
    score: float
    why: str
    reasons: tuple[Reason, ...] = ()


def ranked(items: Sequence[tuple[str, Read]], interests: Sequence[Interest]) -> list[Ranked]:
    """Return items by how much they bear on interests, the most first; of equals, in their order."""
    if not items:
        return []
    bearing = _bearing([read for _, read in items], interests)
    found = [_ranked(name, interests, row) for (name, _), row in zip(items, bearing, strict=True)]
    return sorted(found, key=lambda one: -one.score)


def _ranked(name: str, interests: Sequence[Interest], bearing: Sequence[float]) -> Ranked:
    best: dict[tuple[Of, bool], tuple[float, float, Interest]] = {}
    for one, value in zip(interests, bearing, strict=True):
        kind = one.of, one.wanted
        if value > 0 and (kind not in best or value * one.weight > best[kind][0]):
            best[kind] = value * one.weight, value, one
    counted = sorted(best.values(), key=lambda part: -part[0])
    left = math.prod(1 - part for part, _, one in counted if one.wanted)
    lowered = math.prod(1 - part for part, _, one in counted if not one.wanted)
    reasons = tuple(
        Reason(of=one.of, id=one.id, text=one.text, bearing=round(value, 4), raises=one.wanted)
        for _, value, one in counted
    )
    why = "; ".join(one.said for *_, one in counted) or NONE
    return Ranked(id=name, score=round((1 - left) * lowered, 4), why=why, reasons=reasons)


def _bearing(items: Sequence[Read], interests: Sequence[Interest]) -> list[list[float]]:
    """How fully each item bears on each interest, from 0 to 1."""
    near = _words(items, [one.read for one in interests])
    vectors, wanted = _stacked(items), _stacked([one.read for one in interests])
    embedded = vectors is not None and wanted is not None
    least, full = BEARS if embedded else FULLY
    if vectors is not None and wanted is not None:
        near = near + np.maximum(vectors @ wanted.T, 0)
    found = np.clip((near - least) / (full - least), 0, 1)
    for column, one in enumerate(interests):
        for row, item in enumerate(items if one.phrases else ()):
            if any(phrase and phrase <= item.terms for phrase in one.phrases):
                found[row, column] = max(one.surely, found[row, column])
    rows: list[list[float]] = np.round(found.astype(np.float64), 4).tolist()
    return rows


def _words(items: Sequence[Read], interests: Sequence[Read]) -> Floats:
    """The share of each interest's terms that each item holds; a term weighs the more, the fewer texts hold it."""
    numbers: dict[str, int] = {}
    for one in interests:
        for term in sorted(one.terms):
            numbers.setdefault(term, len(numbers))
    held, told = _holding(items, numbers), _holding(interests, numbers)
    counts = held.sum(axis=0) + told.sum(axis=0)
    weighed = told * np.log1p((len(items) + len(interests)) / np.maximum(counts, 1))
    whole = weighed.sum(axis=1)
    shares: Floats = (held @ weighed.T / np.where(whole > 0, whole, 1)).astype(np.float32)
    return shares


def _holding(texts: Iterable[Read], numbers: dict[str, int]) -> Floats:
    rows = [[numbers[term] for term in one.terms if term in numbers] for one in texts]
    found = np.zeros((len(rows), len(numbers)), np.float32)
    for row, places in enumerate(rows):
        found[row, places] = 1
    return found


def _stacked(texts: Sequence[Read]) -> Floats | None:
    """The vectors of texts, zeros where one has none; None if no text has one."""
    size = next((len(one.vector) for one in texts if one.vector is not None), 0)
    empty = np.zeros(size, np.float32)
    return np.stack([empty if one.vector is None else one.vector for one in texts]) if size else None
