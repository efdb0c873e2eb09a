"""Duplicates: which of two wordings of the same thing is kept, and what the survivor inherits."""

from collections.abc import Iterable
from dataclasses import replace

from memstrata.core.decay import reinforced
from memstrata.core.rows import Record

NEAR = 0.92  # cosine from which two statements of one kind count as the same (SPEC 5)
NEAR_TERMS = 0.8  # share of common terms that stands in for it where there are no vectors
MAX_SOURCES = 64


def specificity(text: str, terms: Iterable[str]) -> tuple[int, int, int]:
    """How much a wording pins down: its numbers, then its distinct terms, then its length."""
    distinct = set(terms)
    return sum(term.isdigit() for term in distinct), len(distinct), len(text)


def same_claim(a: Record, b: Record) -> bool:
    """Whether two records could be wordings of one claim: nothing that both state differs."""
    return (
        a.kind == b.kind
        and a.subject == b.subject
        and a.polarity == b.polarity
        and a.temporal == b.temporal
        and (a.agent, a.channel, a.connection) == (b.agent, b.channel, b.connection)
        and (
            None in {a.attribute, b.attribute}
            or (a.attribute == b.attribute and (a.value == b.value or not _atomic(a.value, b.value)))
        )
    )


def alternatives(a: Record, b: Record, mine: Iterable[str], theirs: Iterable[str]) -> bool:
    """Whether one term stands for another and all else is the same: "the left pot", "the right pot".

    However near their vectors are, they are likelier two facts than two wordings, unless they state the same value;
    and a duplicate costs less than a fact that is lost.
    """
    stated = a.attribute is not None and (a.attribute, a.value) == (b.attribute, b.value)
    return not stated and len({*mine} - {*theirs}) == len({*theirs} - {*mine}) == 1


def _atomic(*values: object) -> bool:
    """Values that differ as wholes: numbers and single words. Phrases can be wordings of one another."""
    return all(not isinstance(value, str) or len(value.split()) == 1 for value in values)


def united(sources: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    """Both sources in order, each once; beyond 64 the first and the newest stay."""
    merged = tuple(dict.fromkeys((*sources, *more)))
    return merged if len(merged) <= MAX_SOURCES else (merged[0], *merged[-(MAX_SOURCES - 1) :])


def inherit(winner: Record, loser: Record) -> Record:
    """`winner` with what `loser` had earned: importance max + 0.05, accesses added, sources united (SPEC 5)."""
    return replace(
        winner,
        importance=reinforced(max(winner.importance, loser.importance)),
        access_count=winner.access_count + loser.access_count,
        confidence=max(winner.confidence, loser.confidence),
        sources=united(loser.sources, winner.sources),
        valid_from=min(winner.valid_from, loser.valid_from),
        status="verified",
    )
