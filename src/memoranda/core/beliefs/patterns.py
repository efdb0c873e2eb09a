"""Themes that episodes have in common: clustering, and the text of a theme.

An episode is an event of the user without meaning of its own: a turn or an observation from which no fact, preference,
decision or plan is derived. Those with one are kept as that. Tool calls and daily logs are many and alike, and have
statistics and strategies of their own.

A theme that absorbs everything near it says nothing. Each member must therefore be near the others on average and hold
a word that half of them share, and a theme has at most 64 members within a year. What goes on longer becomes another
theme of the same name.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import numpy as np

from memoranda.core.beliefs.duplicates import MAX_SOURCES
from memoranda.core.image.image import Partition
from memoranda.core.image.index import Index
from memoranda.core.rows import Event, Record
from memoranda.core.rows.access import Site, site_of
from memoranda.core.rows.columns import Floats
from memoranda.core.rows.statements import RECORDS
from memoranda.core.text.terms import Analyzer

#: Kind of the record that stands for the episodes of a theme; `EDITOR`: who makes it.
PATTERN = "pattern"
EDITOR = "patterns"
LEAST = 5  # episodes of a theme, at least
GROWTH = 1.25  # growth of a theme before its pattern is made again: versions grow with the logarithm of its size
IMPORTANCE = 0.85
SPAN = timedelta(days=365)
#: Mean nearness to the other members from which an episode belongs to a theme: cosine, or shared terms without vectors.
#: With MiniLM and with static vectors, members have 0.2 to 0.7, others 0.0 to 0.16.
NEAR, NEAR_TERMS = 0.25, 0.25
MOST = 1_000  # episodes of a place that are considered, the newest
NAMED, QUOTED = 3, 3  # words that name a theme, and episodes that are quoted
_QUOTE = 120  # characters of a quotation

_KINDS = frozenset({"turn", "observation"})
_MEANING = frozenset(RECORDS) - {"observation"}


def current(partition: Partition) -> list[Record]:
    """Return the current patterns of episodes, rejected ones included, oldest first; no trends, though of this kind."""
    found = [one for one in partition.records.values() if one.editor == EDITOR]
    return sorted(found, key=lambda one: (one.valid_from, one.id))


def theme(pattern: Record) -> object:
    """Return the words that name a pattern's theme."""
    return pattern.value.get("theme") if isinstance(pattern.value, dict) else None


def episodes(partition: Partition, since: datetime) -> dict[Site, list[int]]:
    """Return the passages of the newest episodes by place, oldest first."""
    index = partition.index
    columns, codes = index.columns, index.codes
    kinds = np.isin(columns["kind"], [codes["kind"].look(kind) for kind in _KINDS])
    mine = np.isin(columns["role"], [codes["role"].look(role) for role in ("user", "")])
    told = kinds & mine & ~columns["of_record"] & (columns["at"] >= since.timestamp()) & (columns["terms"] > 1)
    found: dict[Site, list[int]] = {}
    for number in np.flatnonzero(told).tolist():
        if not _meant(partition, index.refs[number]):
            found.setdefault(site_of(index.passages[number]), []).append(number)
    return {site: _ordered(index, numbers)[-MOST:] for site, numbers in found.items()}


def _meant(partition: Partition, event: str) -> bool:
    """Whether a record with a meaning is derived from an event."""
    told = (partition.records.get(name) for name in partition.records_by_source.get(event, ()))
    return any(one is not None and one.kind in _MEANING for one in told)


def _ordered(index: Index, numbers: Iterable[int]) -> list[int]:
    return sorted(numbers, key=lambda number: (index.passages[number].at, index.refs[number]))


# ----------------------------------------------------------------------------------------------- themes


@dataclass(slots=True)
class Themes:
    """The episodes of one place, and how they group.

    Args:
        index: the index in which they are numbered.
        numbers: all episodes considered, members of known themes included, oldest first.
    """

    index: Index
    numbers: Sequence[int]
    _terms: dict[int, frozenset[str]] = field(init=False)
    _at: dict[int, int] = field(init=False)
    _near: Floats = field(init=False)

    def __post_init__(self) -> None:
        passages = self.index.passages
        self._terms = {number: frozenset(passages[number].terms.split()) for number in self.numbers}
        self._at = {number: place for place, number in enumerate(self.numbers)}
        self._near = self._nearness()

    def extended(self, members: Sequence[int], free: Iterable[int]) -> list[int]:
        """Return a known theme with those of some episodes that belong to it."""
        found = list(members)
        for number in free:
            if self._one([*found, number]):
                found.append(number)
        return found

    def found(self, free: Iterable[int]) -> list[list[int]]:
        """Return new themes among some episodes, seeded in turn by the one with the most others near it."""
        left = dict.fromkeys(free)
        made = []
        for seed in sorted(left, key=lambda number: (-len(self._around(number, left)), self._at[number])):
            if seed not in left:
                continue
            members = self.extended([seed], self._around(seed, left)[: 2 * MAX_SOURCES])
            if len(members) >= LEAST:
                made.append(_ordered(self.index, members))
                for number in members:
                    del left[number]
        return made

    def words(self, members: Collection[int]) -> list[str]:
        """Return the terms that at least half of some episodes share, the most frequent first."""
        counts = Counter(term for number in members for term in self._terms[number])
        shared = [term for term, count in counts.items() if count > 1 and 2 * count >= len(members)]
        return sorted(shared, key=lambda term: (-counts[term], term))

    def _one(self, members: Sequence[int]) -> bool:
        """Whether some episodes form one theme."""
        times = [self.index.passages[number].at for number in members]
        if len(members) > MAX_SOURCES or max(times) - min(times) > SPAN:
            return False
        places = [self._at[number] for number in members]
        near = self._near[np.ix_(places, places)]
        if ((near.sum(axis=1) - 1.0) / (len(members) - 1) < 1.0).any():
            return False
        shared = frozenset(self.words(members))
        return all(shared & self._terms[number] for number in members)

    def _around(self, seed: int, left: Iterable[int]) -> list[int]:
        """Return the episodes that are near one, the nearest first."""
        row = self._near[self._at[seed]]
        near = [number for number in left if number != seed and row[self._at[number]] >= 1.0]
        return sorted(near, key=lambda number: (-round(float(row[self._at[number]]), 6), self._at[number]))

    def _nearness(self) -> Floats:
        """Return the pairwise nearness, divided by its threshold: by vectors where both have one, else by terms.

        The diagonal is 1.
        """
        known = {term: place for place, term in enumerate(sorted(frozenset().union(*self._terms.values())))}
        rows = np.zeros((len(self.numbers), len(known)), np.float32)
        for place, number in enumerate(self.numbers):
            rows[place, [known[term] for term in self._terms[number]]] = 1.0
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1.0)
        near = rows @ rows.T / np.float32(NEAR_TERMS)
        numbers = np.array(self.numbers, np.int32)
        vectors, embedded = self.index.vectors.of(numbers), self.index.vectors.embedded[numbers]
        near = np.where(embedded[:, None] & embedded[None, :], vectors @ vectors.T / np.float32(NEAR), near)
        np.fill_diagonal(near, 1.0)
        return np.asarray(near, np.float32)


# ------------------------------------------------------------------------------------------------- words


def pattern_text(
    events: Sequence[Event], texts: Sequence[str], terms: Sequence[str], analyzer: Analyzer
) -> tuple[str, list[str]]:
    """Return the text of a pattern, and the words that name it.

    Args:
        events: the episodes, oldest first.
        texts: their texts.
        terms: the terms they share, the most frequent first.
        analyzer: the one that made the terms.
    """
    named = [_surface(term, texts, analyzer) for term in terms[:NAMED]]
    asked = 2 * sum(text.rstrip().endswith(("?", "？")) for text in texts) > len(texts)
    quotes = "; ".join(f"“{_cut(text)}”" for text in texts[-QUOTED:])
    verb = "asks about" if asked else "speaks of"
    return (
        f"User often {verb} {', '.join(named)}: {len(texts)} times since {events[0].event_time:%B %Y}: {quotes}",
        named,
    )


def _surface(term: str, texts: Iterable[str], analyzer: Analyzer) -> str:
    """Return the word that a term most often stands for in some texts."""
    words = (word.strip(".,;:!?()[]\"'“”‘’").casefold() for text in texts for word in text.split())
    counts = Counter(word for word in words if analyzer.terms(word) == [term])
    return min(counts, key=lambda word: (-counts[word], word), default=term)


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _QUOTE else f"{line[:_QUOTE].rsplit(' ', 1)[0]}…"


# ------------------------------------------------------------------------------------------- in answers


def standing(partition: Partition, shown: Iterable[str]) -> dict[str, str]:
    """Map what some patterns stand for to the pattern: ids of its sources, and of observations with no other source."""
    found: dict[str, str] = {}
    known = (partition.records.get(name) for name in shown)
    for name in [one.id for one in known if one is not None and one.editor == EDITOR]:
        sources = frozenset(partition.records[name].sources)
        resting = {record for source in sources for record in partition.records_by_source.get(source, ())} - {name}
        beside = (partition.records.get(record) for record in sorted(resting))
        alike = [one.id for one in beside if one and one.kind == "observation" and sources.issuperset(one.sources)]
        found |= dict.fromkeys((*sources, *alike), name)
    return found
