"""Looking: what the arms propose for each question of a request, scored and not yet cut.

The questions are embedded in one call; if the embedder fails, the failure is named and the keyword arms answer. The
owner's image is brought up to date, and all candidates are scored on it.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from time import perf_counter
from typing import Any

import numpy as np

from memoranda.core.base.checks import brief, check_choice, check_number, require, strings
from memoranda.core.base.moments import moment
from memoranda.core.base.scope import Scope
from memoranda.core.image.days import Named, Window
from memoranda.core.image.following import version_in
from memoranda.core.image.image import Partition, resting
from memoranda.core.image.notes import Note
from memoranda.core.recall.agenda import asked_time, inside, nearest, spelt, ways
from memoranda.core.recall.arms import ARMS
from memoranda.core.recall.currency import Endings
from memoranda.core.recall.event_dates import day_of_event, naming, tellers
from memoranda.core.recall.question import interpret
from memoranda.core.recall.rewriting import event_in
from memoranda.core.recall.scoring import PLAIN, Candidates, Weights, check_profile, judged
from memoranda.core.recall.search import Question, Search
from memoranda.core.rows import Record
from memoranda.core.rows.columns import Floats, Ints, Mask
from memoranda.core.strata.filters import ASKED_KINDS, PROCEDURAL, Narrow, let_through, of_kinds
from memoranda.core.strata.procedures import TOOL_CALL
from memoranda.core.temporal import query_window
from memoranda.core.text.terms import storable
from memoranda.errors import InputError, MessageError
from memoranda.flows.recall.days import read_days, read_notes
from memoranda.flows.runtime.reading import events_of
from memoranda.flows.runtime.runtime import Runtime, embed, left_out
from memoranda.ports import Query, Where

CALLS = 0.2  # share of an answer that tool calls may take, unless kinds are given: agents make many similar calls
OVERFETCH = 2
LEAST = 50  # candidates requested from each arm, whatever the limit
MOST = 1_000  # the highest limit
LONGEST = 20_000  # characters of a request that are read
#: The share of the passages searched that must have a vector for vectors to count: few favour whatever has one.
#: Measured with MiniLM on the demonstration (decision 49).
WHOLE = 0.65


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question with its filters and limits. See `memoranda.flows.sharing.answer`.

    Attributes:
        narrow: what is let through by what is noted about it; `channels`: only what lies in these.
        entities: names or ids of entities: what names one is a candidate, however far it is.
        cut: whether the answer ends after what answers.
        min_confidence: the confidence below which nothing is returned then, by default that of
            `core.recall.confidence`.
        judged: whether a judge reads what is found.
        archived: whether turns of archived conversations are searched, too.
        grounds: whether items quote what they rest on, for which the sources of records are read.
    """

    query: str
    limit: int = 10
    tokens: int | None = None
    kinds: frozenset[str] | None = None
    narrow: Narrow | None = None
    connection: str | None = None
    channels: frozenset[str] | None = None
    entities: tuple[str, ...] = ()
    arms: frozenset[str] | None = None
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None
    profile: str | Weights = "balanced"
    per_conversation: int | None = None
    now: datetime | None = None
    cut: bool = False
    judged: bool = False
    archived: bool = False
    grounds: bool = False
    min_confidence: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.query, str) or not self.query.strip():
            raise MessageError(f"There is no question: give a text that is not empty, not {brief(self.query)}.")
        check_number("limit", self.limit, most=MOST)
        for name in ("tokens", "per_conversation"):
            if getattr(self, name) is not None:
                check_number(name, getattr(self, name))
        check_profile("profile", self.profile)
        for kind in self.kinds or ():
            check_choice("a kind", kind, ASKED_KINDS)
        for arm in self.arms or ():
            check_choice("an arm", arm, ARMS)
        for name in ("since", "until", "as_of", "known_at", "now"):
            given = getattr(self, name)
            if given is not None:
                moment(name, given)
        if self.since is not None and self.until is not None and self.until < self.since:
            raise InputError(f"until ({self.until}) is before since ({self.since}): nothing lies between them.")

    @property
    def filtered(self) -> bool:
        """Whether it lets through less than the scope does."""
        times = self.since, self.until, self.as_of, self.known_at
        return any(one is not None for one in (self.kinds, self.narrow, self.connection, self.channels, *times))

    @property
    def calls(self) -> int:
        """The most calls of tools in the answer."""
        return self.limit if self.kinds and self.kinds & {TOOL_CALL, PROCEDURAL} else math.ceil(self.limit * CALLS)


def asked(
    query: str,
    kinds: Iterable[str] | None,
    arms: Iterable[str] | None = None,
    *,
    categories: Iterable[str] | None = None,
    sources: Iterable[str] | None = None,
    surface: str | None = None,
    metadata: Mapping[str, Any] | None = None,
    **rest: Any,
) -> Ask:
    """Build an `Ask` from the arguments of a facade."""
    narrow = narrowed(categories=categories, sources=sources, surface=surface, metadata=metadata)
    return Ask(query=query, narrow=narrow, **_sets(kinds=kinds, arms=arms), **rest)


def narrowed(
    *, surface: str | None, metadata: Mapping[str, Any] | None, **lists: Iterable[str] | None
) -> Narrow | None:
    """Build a `Narrow` from the arguments of a facade; `lists`: categories and sources."""
    fits = metadata is None or isinstance(metadata, Mapping)
    require(fits, "metadata", metadata, 'names with values, e.g. {"page": 3}')
    return Narrow.of(**_sets(**lists), surface=surface, metadata=metadata or None)


def _sets(**lists: Iterable[str] | None) -> dict[str, Any]:
    return {name: frozenset(strings(name, these)) for name, these in lists.items() if these is not None}


def readable(query: str) -> tuple[str, str]:
    """What is read of a request, and what is not: of one that is very long the beginning and the end, which often asks.

    It is storable, and no space is around it.
    """
    text, half = query.strip(), LONGEST // 2
    if len(text) <= LONGEST:
        return storable(text)[0], ""
    unread = f"query: of its {len(text):,} characters the first and the last {half:,} were read"
    return storable(f"{text[:half]}\n{text[-half:]}")[0], unread


class Timer:
    """Milliseconds per step, however often it is done."""

    def __init__(self) -> None:
        self.steps: dict[str, float] = {}
        self._begun = perf_counter()

    def lap(self, name: str) -> None:
        """Add the time since the last step to that of `name`."""
        now = perf_counter()
        self.steps[name] = round(self.steps.get(name, 0.0) + 1_000 * (now - self._begun), 3)
        self._begun = now


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """All candidates for a question, scored and not yet cut.

    Attributes:
        window: the time span that the question names; `days`: the passages about it, by id, with the first time in it
            that each is about.
        empty: why there is no answer, if nothing is known of that time; `shown`: what answers instead.
        problems: parts that were down, each with what happened.
    """

    partition: Partition
    search: Search
    candidates: Candidates
    window: Window | None
    days: Mapping[str, datetime]
    empty: str | None
    problems: tuple[str, ...]


async def look(
    runtime: Runtime, scope: Scope, ask: Ask, texts: Sequence[str], now: datetime, timer: Timer
) -> list[Found]:
    """Collect and score what the arms propose for each of `texts`, which are storable, in place of the query."""
    embedded = await embed(runtime, scope, texts)
    timer.lap("embed")
    partition = await runtime.partitions.current(scope.owner)
    believed = await _believed(runtime, partition, ask.known_at)
    notes = await read_notes(runtime, partition) if ask.narrow else {}
    timer.lap("refresh")
    sought = {name: partition.meant_by(name, scope) for name in ask.entities}
    view = _View(runtime, scope, ask, now, timer, partition, believed, notes, sought)
    return [await view.of(text, embedded.of(place), embedded.problem) for place, text in enumerate(texts)]


async def endings(runtime: Runtime, scope: Scope, ask: Ask, now: datetime) -> Endings:
    """What became of the passages that hold no more at the time asked about."""
    partition = await runtime.partitions.current(scope.owner)
    held = _held(partition, await _believed(runtime, partition, ask.known_at))
    return Endings(partition.index, *held, scope, ask.as_of or now, partition.later, ask.known_at, partition.attributes)


async def _believed(runtime: Runtime, image: Partition, known_at: datetime | None) -> dict[str, Record] | None:
    """The record versions that were believed at `known_at`, as the image knows it."""
    if known_at is None:
        return None
    tenant, user = image.owner
    where = (Where("recorded_at", "<=", known_at),)
    page = await runtime.store.find(image.owner, Query(kind=Record, tenant=tenant, user=user, where=where))
    versions: dict[str, Record] = {}
    for record in filter(None, (version_in(image, row) for row in page.rows[0])):
        if record.superseded_at is None or record.superseded_at > known_at:
            versions[record.id] = record
    return versions


def _held(
    partition: Partition, believed: Mapping[str, Record] | None
) -> tuple[Mapping[str, Record], Mapping[str, Collection[str]]]:
    """The record versions that count, and their ids by the events they rest on."""
    if believed is None:
        return partition.records, partition.records_by_source
    return believed, resting(believed.values())


@dataclass(frozen=True, slots=True)
class _View:
    """An owner's image, as a scope sees it at one time and what was asked narrows it.

    Attributes:
        notes: what is noted about events, if the search is narrowed by it.
        sought: the ids of the entities that the caller names, by name.
    """

    runtime: Runtime
    scope: Scope
    ask: Ask
    now: datetime
    timer: Timer
    partition: Partition
    believed: Mapping[str, Record] | None
    notes: Mapping[str, Note]
    sought: Mapping[str, frozenset[str]]

    async def of(self, text: str, vector: Floats | None, problem: str | None) -> Found:
        """What the arms propose for a question, scored; `problem` says why it has no vector."""
        partition, ask, timer = self.partition, self.ask, self.timer
        asked = asked_time(text, self.now, self.runtime.analyzer, self.runtime.settings.language)
        language, window = asked.language, asked.window
        if window is None and (event := event_in(text, language)):
            dated = await self._dated(text, event, language)
            window = query_window(dated, self.now, language) if dated else None
            asked = replace(asked, back=True)
        question = interpret(
            text, partition, self.scope, self.runtime.analyzer, self.now, language, window, alone=asked.alone
        )
        unknown = ", ".join(brief(name) for name, ids in self.sought.items() if not ids)
        strange = f"entities: nothing is known here of {unknown}" if unknown else None
        hidden = (
            ask.connection if ask.connection not in {None, *self.scope.connections} and not self.scope.whole else None
        )
        unseen = f"connection: this scope sees nothing of {brief(hidden)}, name it in connections" if hidden else None
        days = await read_days(self.runtime, partition, self.now) if window or ask.since or ask.until else {}
        about = inside(days, window) if window else {}
        search = self._search(replace(question, vector=vector), window, days, about)
        empty = told = None
        if window and question.only_time:
            search, empty, told = self._of_time(search, window, days, back=asked.back)
        search, lacking = _without_few(search, self.runtime.space)
        timer.lap("read")
        proposed: dict[str, Ints] = {}
        for name, arm in ARMS.items():
            if ask.arms is None or name in ask.arms:
                proposed[name] = arm(search, proposed)
                timer.lap(f"arm {name}")
        arms = {name: numbers for name, numbers in proposed.items() if len(numbers)}
        candidates = judged(search, arms, self.runtime.ranker() if self.runtime.ranker else PLAIN)
        timer.lap("score")
        return Found(
            partition=partition, search=search, candidates=candidates, window=window, empty=empty,
            days={ref: day.astimezone(self.now.tzinfo) for ref, day in about.items()},
            problems=tuple(filter(None, (problem, lacking, told, left_out(partition.damaged), strange, unseen))),
        )  # fmt: skip

    async def _dated(self, text: str, event: tuple[int, int], language: str) -> str | None:
        """`text` with the date of the event it names: "before the move" becomes "before 2026-03-14".

        None if no turn that counts here tells the date.
        """
        runtime, index, (begin, end) = self.runtime, self.partition.index, event
        ask = self.ask
        mask = self.partition.mask(
            self.scope, now=self.now, as_of=ask.as_of, known_at=ask.known_at, archived=ask.archived
        )
        terms = naming(text[begin:end], language, runtime.analyzer)
        events, _ = await events_of(runtime, self.partition, index.named(tellers(terms, index, mask)))
        turns = [(event.content, event.event_time) for event in events if event is not None]
        day = day_of_event(terms, turns, language, runtime.analyzer)
        return f"{text[:begin]}{day.date()}{text[end:]}" if day else None

    def _search(
        self, question: Question, window: Window | None, days: Mapping[str, Sequence[Named]], about: Iterable[str]
    ) -> Search:
        """Build the search.

        A window that is over selects records that held during it. `since` and `until` let through what was said in the
        time between them, and what is about it. Records lead to their sources whatever kinds are asked for.
        """
        partition, scope, ask, believed = self.partition, self.scope, self.ask, self.believed
        index, at = partition.index, ask.as_of or self.now
        sought = frozenset[str]().union(*self.sought.values())
        begin, end = window or (None, None)
        mask = partition.mask(
            scope,
            now=self.now,
            as_of=ask.as_of,
            known_at=ask.known_at,
            during=(begin, end) if begin and end and end <= at else None,
            believed=believed,
            archived=ask.archived,
        )
        records, by_source = _held(partition, believed)
        if ask.narrow:
            mask = let_through(partition, records, mask, self.notes, ask.narrow)
        for column, names in (("connection", ask.connection and {ask.connection}), ("channel", ask.channels)):
            if names is not None:
                mask &= np.isin(index.columns[column], [index.codes[column].look(name) for name in names])
        if ask.since or ask.until:
            between = ask.since, ask.until
            mask &= self._said(between) | self._marked(inside(days, between))
        keys = np.asarray(mask & index.columns["of_record"], np.bool_)
        if ask.kinds is not None:
            mask &= of_kinds(partition, ask.kinds)
        return Search(
            index=index, question=replace(question, entities=question.entities | sought), sought=sought,
            mask=mask, keys=keys, records=records, records_by_source=by_source,
            endings=Endings(index, records, by_source, scope, at, partition.later, ask.known_at, partition.attributes),
            want=max(OVERFETCH * ask.limit, LEAST), about=self._marked(about) if window else None,
        )  # fmt: skip

    def _of_time(
        self, search: Search, window: Window, days: Mapping[str, Sequence[Named]], *, back: bool
    ) -> tuple[Search, str | None, str | None]:
        """The search of a question for what there is at a time; why there is nothing; and what it falls back on.

        What is about the time answers; if it asks for what was, so does what was said then. What was said then answers
        alone if that is asked for, or nothing is about the time.
        """
        zone, (begin, until), index = self.now.tzinfo, window, self.partition.index
        today = self.now.replace(hour=0, minute=0, second=0, microsecond=0)
        left = (max(begin or today, today), until) if until is None or today < until else window
        about, ahead, said = self._marked(inside(days, window)), self._marked(inside(days, left)), self._said(window)
        none = f"nothing {'that these filters let through' if self.ask.filtered else 'known'}"
        day, saying = spelt(window, zone), search.question.said is not None
        for mask, why in ways(search.mask & ahead, search.mask & about, search.mask & said, back=back, saying=saying):
            if mask.any():
                told = f"time: {none} {why.format(day)}" if why else None
                return replace(search, mask=mask, keys=search.keys & mask), None, told
        times = nearest(days, index.named(np.flatnonzero(search.mask).astype(np.int32)), window)
        near = " and ".join(spelt((one.begin, one.until), zone) for one in times)
        known = f"; nearest to it: {near}" if near else ""
        return replace(search, mask=search.mask & about), f"{none} is about {day} or was said then{known}", None

    def _said(self, window: Window) -> Mask:
        """The passages said in a window, or valid from a time in it."""
        at = np.asarray(self.partition.index.columns["at"])
        begin, until = (None if one is None else one.timestamp() for one in window)
        first, last = -np.inf if begin is None else begin, np.inf if until is None else until
        return np.asarray((first <= at) & (at < last), np.bool_)

    def _marked(self, refs: Iterable[str]) -> Mask:
        """The passages of these ids."""
        numbers, marked = self.partition.index.numbers, np.zeros(len(self.partition.index), np.bool_)
        marked[[numbers[ref] for ref in refs if ref in numbers]] = True
        return marked


def _without_few(search: Search, space: str) -> tuple[Search, str | None]:
    """The search, without the question's vector if too few passages have one; and how many have none, if any."""
    searched = int(search.mask.sum())
    lacking = int((search.mask & ~search.index.vectors.embedded).sum())
    if search.question.vector is None or not lacking:
        return search, None
    few = searched - lacking < WHOLE * searched
    told = (
        f"vectors: {lacking:,} of {searched:,} passages have none in {space}: memoranda reembed, or a worker, adds them"
    )
    return replace(search, question=replace(search.question, vector=None)) if few else search, told
