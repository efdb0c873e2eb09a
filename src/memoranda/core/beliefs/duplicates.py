"""Duplicates: which of two wordings of one claim is kept, and what it inherits from the other."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from memoranda.core.beliefs.decay import reinforced
from memoranda.core.rows import Record
from memoranda.core.text.voices import own

NEAR = 0.92  # cosine from which two statements of one kind count as the same (SPEC 5)
NEAR_TERMS = 0.8  # share of common terms that replaces it where there are no vectors
MAX_SOURCES = 64
STRETCH = 3  # consecutive terms that may be replaced by others


def specificity(text: str, terms: Iterable[str]) -> tuple[int, int, int]:
    """Return how specific a wording is: how many numbers, how many distinct terms, its length."""
    distinct = set(terms)
    return sum(term.isdigit() for term in distinct), len(distinct), len(text)


def same_site(a: Record, b: Record) -> bool:
    """Whether two records lie in one place."""
    return (a.agent, a.channel, a.connection) == (b.agent, b.channel, b.connection)


def same_claim(a: Record, b: Record) -> bool:
    """Whether two records could be wordings of one claim: they differ in nothing that both state."""
    return (
        a.kind == b.kind
        and a.subject == b.subject
        and a.polarity == b.polarity
        and a.temporal == b.temporal
        and same_site(a, b)
        and (
            None in {a.attribute, b.attribute}
            or (a.attribute == b.attribute and (a.value == b.value or not _atomic(a.value, b.value)))
        )
    )


def alternatives(a: Record, b: Record, mine: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether two wordings differ only in one thing put for another: "the left pot", "the right pot".

    That is one term for another, in any position, or up to three consecutive terms for up to three others among twice
    as many that are the same. However near their vectors are, such texts are more likely two facts than two wordings,
    unless they state the same value; and a duplicate costs less than a lost fact.
    """
    if a.attribute is not None and (a.attribute, a.value) == (b.attribute, b.value):
        return False
    if len({*mine} - {*theirs}) == len({*theirs} - {*mine}) == 1:
        return True
    begin = _common(mine, theirs)
    end = _common(mine[begin:][::-1], theirs[begin:][::-1])
    ones, others = mine[begin : len(mine) - end], theirs[begin : len(theirs) - end]
    longest = max(len(ones), len(others))
    stand = ones and others and longest <= STRETCH and 2 * longest <= begin + end
    return bool(stand) and {*ones}.isdisjoint(others)


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    """Return how many leading terms two texts have in common."""
    return next((place for place, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _atomic(*values: object) -> bool:
    """Whether values differ as wholes: numbers and single words do, phrases can be wordings of one another."""
    return all(not isinstance(value, str) or len(value.split()) == 1 for value in values)


def united(sources: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    """Return both source lists in order, each id once; beyond 64 the first and the newest stay."""
    merged = tuple(dict.fromkeys((*sources, *more)))
    return merged if len(merged) <= MAX_SOURCES else (merged[0], *merged[-(MAX_SOURCES - 1) :])


def inherit(winner: Record, loser: Record) -> Record:
    """Return `winner` with what `loser` had earned: importance max + 0.05, accesses added, sources united (SPEC 5)."""
    return replace(
        winner,
        importance=reinforced(max(winner.importance, loser.importance)),
        access_count=winner.access_count + loser.access_count,
        confidence=max(winner.confidence, loser.confidence),
        sources=united(loser.sources, winner.sources),
        valid_from=min(winner.valid_from, loser.valid_from),
        status="verified" if own(winner) and own(loser) else winner.status,
    )
