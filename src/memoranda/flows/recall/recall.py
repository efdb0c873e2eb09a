"""Recall: rank what is relevant to a question in an owner's memory, each item with the reason why it is there.

No step waits for a language model. The question is embedded; if the embedder fails, the failure is named and the
keyword arms answer. The owner's image is brought up to date, candidates are scored, and only the few that are returned
are read from the store.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from time import perf_counter
from typing import Any

import numpy as np

from memoranda.core.base.checks import brief, check_choice, check_number, strings
from memoranda.core.base.moments import moment
from memoranda.core.base.scope import Scope, visible
from memoranda.core.beliefs.patterns import PATTERN, standing
from memoranda.core.context.excerpt import fitted
from memoranda.core.image.following import version_in
from memoranda.core.image.image import Partition, of_kind, resting
from memoranda.core.image.index import Index
from memoranda.core.recall.arms import ARMS
from memoranda.core.recall.currency import Endings
from memoranda.core.recall.event_dates import day_of_event, naming, tellers
from memoranda.core.recall.question import Window, interpret
from memoranda.core.recall.ranking import (
    NEAR_EQUAL,
    OVERRULED,
    Limits,
    Ranked,
    after_successors,
    lifted,
    newest_first,
    rank,
    same_answer,
    shares,
    spread_out,
)
from memoranda.core.recall.reasons import explain
from memoranda.core.recall.results import Item, Recalled, Trace
from memoranda.core.recall.rewriting import event_in
from memoranda.core.recall.scoring import PLAIN, PROFILES, Candidates, judged
from memoranda.core.recall.search import Question, Search
from memoranda.core.rows import Event, Record
from memoranda.core.rows.columns import Floats, Ints, Mask
from memoranda.core.rows.statements import KINDS
from memoranda.core.strata.goals import GOAL, brought_up, set_goals
from memoranda.core.strata.procedures import DONE, TOOL_CALL, fits
from memoranda.core.temporal import query_window
from memoranda.core.text.detect import detect
from memoranda.core.text.terms import storable
from memoranda.core.text.voices import voice_of
from memoranda.errors import InputError, MessageError
from memoranda.flows.runtime.reading import at_one_moment, events_of
from memoranda.flows.runtime.runtime import Runtime, embed, left_out
from memoranda.ports import Query, Where

OVERFETCH = 2
LEAST = 50  # candidates requested from each arm, whatever the limit
MOST = 1_000  # the highest limit
CALLS = 0.2  # share of an answer that tool calls may take, unless kinds are given: agents make many similar calls
STRATEGIES = 3  # the most strategies that come with an answer
LONGEST = 20_000  # characters of a question that are read
RELEVANT_WORDS = 0.3  # the threshold of `bearing` without vectors
SAME, RELATED = 0.9, 0.6  # cosines from which two passages say nearly the same, or are about one thing
FAR = 0.15  # word coverage plus cosine below which a passage is left out of an answer
#: The share of the passages searched that must have a vector for vectors to count: few favour whatever has one.
#: Measured with MiniLM on the demonstration (decision 49).
WHOLE = 0.65


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question with its filters and limits. See `memoranda.flows.recall.answer`."""

    query: str
    limit: int = 10
    tokens: int | None = None
    kinds: frozenset[str] | None = None
    arms: frozenset[str] | None = None
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None
    profile: str = "balanced"
    per_conversation: int | None = None
    now: datetime | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.query, str) or not self.query.strip():
            raise MessageError(f"There is no question: give a text that is not empty, not {brief(self.query)}.")
        check_number("limit", self.limit, most=MOST)
        for name in ("tokens", "per_conversation"):
            if getattr(self, name) is not None:
                check_number(name, getattr(self, name))
        check_choice("profile", self.profile, PROFILES)
        for kind in self.kinds or ():
            check_choice("a kind", kind, KINDS)
        for arm in self.arms or ():
            check_choice("an arm", arm, ARMS)
        for name in ("since", "until", "as_of", "known_at", "now"):
            given = getattr(self, name)
            if given is not None:
                moment(name, given)
        if self.since is not None and self.until is not None and self.until < self.since:
            raise InputError(f"until ({self.until}) is before since ({self.since}): nothing lies between them.")


def asked(query: str, kinds: Iterable[str] | None, arms: Iterable[str] | None = None, **rest: Any) -> Ask:
    """Build an `Ask` from the arguments of a facade."""
    given = {"kinds": kinds, "arms": arms}
    sets: dict[str, Any] = {name: frozenset(strings(name, these)) for name, these in given.items() if these is not None}
    return Ask(query=query, **sets, **rest)


class Timer:
    """Milliseconds per step."""

    def __init__(self) -> None:
        self.steps: dict[str, float] = {}
        self._begun = perf_counter()

    def lap(self, name: str) -> None:
        """Record the time since the last step under `name`."""
        now = perf_counter()
        self.steps[name] = round(1_000 * (now - self._begun), 3)
        self._begun = now


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """All candidates for a question, scored and not yet cut.

    Attributes:
        window: the time span that the question names.
        problems: parts that were down, each with what happened.
    """

    partition: Partition
    search: Search
    candidates: Candidates
    window: Window | None
    problems: tuple[str, ...]


async def look(runtime: Runtime, scope: Scope, ask: Ask, now: datetime, timer: Timer) -> Found:
    """Collect what the arms propose for `ask`, and score it."""
    text, _ = storable(ask.query[:LONGEST])
    cut = f"query: its first {LONGEST:,} characters were read" if len(ask.query) > LONGEST else None
    embedded = await embed(runtime, scope, [text])
    timer.lap("embed")
    partition = await runtime.partitions.current(scope.owner)
    believed = await _believed(runtime, partition, ask.known_at)
    timer.lap("refresh")
    language = detect(text, runtime.settings.language)
    window = query_window(text, now, language)
    if window is None and (event := event_in(text, language)):
        mask = partition.mask(scope, now=now, as_of=ask.as_of, known_at=ask.known_at)
        dated = await _dated(runtime, text, event, language, partition, mask)
        window = query_window(dated, now, language) if dated else None
    question = interpret(text, partition, scope, runtime.analyzer, now, language, window)
    search = _search(partition, scope, ask, now, replace(question, vector=embedded.of(0)), window, believed)
    search, lacking = _without_few(search, runtime.space)
    timer.lap("read")
    proposed: dict[str, Ints] = {}
    for name, arm in ARMS.items():
        if ask.arms is None or name in ask.arms:
            proposed[name] = arm(search, proposed)
            timer.lap(f"arm {name}")
    arms = {name: numbers for name, numbers in proposed.items() if len(numbers)}
    candidates = judged(search, arms, runtime.ranker() if runtime.ranker else PLAIN)
    timer.lap("score")
    return Found(
        partition=partition, search=search, candidates=candidates, window=window,
        problems=tuple(filter(None, (embedded.problem, cut, lacking, left_out(partition.damaged)))),
    )  # fmt: skip


@at_one_moment
async def recall(runtime: Runtime, scope: Scope, ask: Ask) -> Recalled:
    """Answer `ask` from what `scope` may see."""
    timer = Timer()
    now = ask.now or runtime.clock()
    found = await look(runtime, scope, ask, now, timer)
    candidates, question, mask = found.candidates, found.search.question, found.search.mask
    index = found.partition.index
    searched = int(mask.sum())
    ranked = rank(index, candidates, PROFILES[ask.profile], now=ask.as_of or now, said=question.said)
    if question.only_time or _bears_on(index, candidates, question, mask):
        far = FAR if question.vector is not None and not question.only_time else -1.0
        stood = {} if _by_time_or_kind(ask, found.window) else _stood_for(found.partition, ranked, ask.limit, far)
        chosen, left_out = _choose(found, ranked, ask, far, stood)
    else:
        chosen = []
        left_out = dict.fromkeys(index.named(ranked.numbers), "nothing found has enough to do with the question")
    timer.lap("rank")
    items, unread = await _items(runtime, scope, found, ranked, chosen)
    items, over = within(runtime, items, ask.tokens, question.terms)
    timer.lap("fetch")
    trace = Trace(
        arms={name: tuple(index.named(numbers)) for name, numbers in candidates.arms.items()},
        milliseconds=timer.steps,
        left_out={**left_out, **over},
        searched=searched,
        cross_channel=tuple(item.id for item in items if item.channel != scope.channel),
        window=found.window,
    )
    reason = None if items else _reason(mask, candidates, over, embedded=question.vector is not None)
    goals = brought_up(set_goals(of_kind(found.partition, GOAL, scope)), ask.query, runtime.analyzer.terms)
    fitting = fits(found.partition, scope, frozenset(question.terms), question.vector)[:STRATEGIES]
    return Recalled(
        items=items, goals=tuple(goals), strategies=tuple(fitting), reason=reason,
        degraded=(*found.problems, *unread), trace=trace,
    )  # fmt: skip


async def _dated(
    runtime: Runtime, text: str, event: tuple[int, int], language: str, partition: Partition, mask: Mask
) -> str | None:
    """`text` with the date of the event it names: "before the move" becomes "before 2026-03-14".

    None if no turn that `mask` lets through tells the date.
    """
    begin, end = event
    terms = naming(text[begin:end], language, runtime.analyzer)
    events, _ = await events_of(runtime, partition, partition.index.named(tellers(terms, partition.index, mask)))
    turns = [(event.content, event.event_time) for event in events if event is not None]
    day = day_of_event(terms, turns, language, runtime.analyzer)
    return f"{text[:begin]}{day.date()}{text[end:]}" if day else None


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


def _search(
    partition: Partition,
    scope: Scope,
    ask: Ask,
    now: datetime,
    question: Question,
    window: Window | None,
    believed: Mapping[str, Record] | None,
) -> Search:
    """Build the search.

    A window that is over selects records that held during it. If the question asks about time alone, the window bounds
    everything that is searched. Records lead to their sources whatever kinds are asked for.
    """
    index = partition.index
    begin, end = window or (None, None)
    only = question.only_time
    mask = partition.mask(
        scope,
        now=now,
        as_of=ask.as_of,
        known_at=ask.known_at,
        since=ask.since or (begin if only else None),
        until=ask.until or (end if only else None),
        during=(begin, end) if begin and end and end <= (ask.as_of or now) else None,
        believed=believed,
    )
    keys = np.asarray(mask & index.columns["of_record"], np.bool_)
    if ask.kinds is not None:
        mask &= np.isin(index.columns["kind"], [index.codes["kind"].look(kind) for kind in ask.kinds])
    by_source = partition.records_by_source if believed is None else resting(believed.values())
    records = partition.records if believed is None else believed
    return Search(
        index=index, question=question, mask=mask, keys=keys, records=records, records_by_source=by_source,
        endings=Endings(index, records, by_source, scope, ask.as_of or now, partition.later, ask.known_at),
        want=max(OVERFETCH * ask.limit, LEAST),
    )  # fmt: skip


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


def _choose(
    found: Found, ranked: Ranked, ask: Ask, far: float, stood: Mapping[str, str]
) -> tuple[list[int], dict[str, str]]:
    """Choose the positions in the ranking to return, and say why the others are left out."""
    index = found.partition.index
    evidence = (ranked.candidates.coverage + ranked.candidates.cosine)[ranked.places]
    chosen: list[int] = []
    left_out: dict[str, str] = {}
    limits = Limits(ask.per_conversation)
    calls = ask.limit if ask.kinds else math.ceil(ask.limit * CALLS)
    order = _ordered(found.partition, ranked, found.search.question, ask.limit)
    seen: set[int] = set()
    for position in _currently(found, ranked, order, evidence):
        if len(chosen) == ask.limit:
            rest = [one for one in order if one not in seen]
            left_out.update(dict.fromkeys(index.named(ranked.numbers[rest]), "beyond the limit"))
            break
        seen.add(position)
        passage = index.passages[ranked.numbers[position]]
        words = (passage.terms, passage.length) if passage.terms else None  # with the length: terms lack "not"
        if evidence[position] < far:
            left_out[passage.ref] = "it has next to nothing to do with the question"
        elif passage.ref in stood:
            left_out[passage.ref] = f"the pattern {stood[passage.ref]} stands for it; ask for a time or for kinds"
        elif passage.kind == TOOL_CALL and not calls:
            left_out[passage.ref] = "there are enough calls of tools in the answer; ask for kinds=['tool_call']"
        elif reason := limits.refuse(words, passage.conversation):
            left_out[passage.ref] = reason
        else:
            calls -= passage.kind == TOOL_CALL
            chosen.append(position)
    return chosen, left_out


def _currently(found: Found, ranked: Ranked, order: list[int], evidence: Floats) -> Iterator[int]:
    """`order` with each passage that ended below what took its place, which counts as just as near to the question."""
    index, endings = found.partition.index, found.search.endings
    places = {number: position for position, number in enumerate(ranked.numbers.tolist())}

    def later(position: int) -> list[int]:
        names = endings.successors(index.refs[ranked.numbers[position]])
        known = [places[number] for name in names if (number := index.numbers.get(name)) in places]
        evidence[known] = np.maximum(evidence[known], evidence[position])
        return sorted(known)

    return after_successors(order, later)


def _by_time_or_kind(ask: Ask, window: Window | None) -> bool:
    """Whether the question asks for a time or for kinds, and so for the episodes themselves."""
    return any(one is not None for one in (ask.kinds, ask.since, ask.until, ask.as_of, ask.known_at, window))


def _stood_for(partition: Partition, ranked: Ranked, limit: int, far: float) -> dict[str, str]:
    """Passages that a pattern near the top stands for, with the pattern's id; not those with far more evidence."""
    index = partition.index
    evidence = ranked.candidates.coverage + ranked.candidates.cosine
    said = dict(zip(index.named(ranked.numbers), evidence[ranked.places].tolist(), strict=True))
    shown = [ref for ref in [*said][:limit] if index.passages[index.numbers[ref]].kind == PATTERN and said[ref] >= far]
    found = standing(partition, shown)
    return {ref: name for ref, name in found.items() if said.get(ref, 0.0) <= said[name] + OVERRULED}


def _bears_on(index: Index, candidates: Candidates, question: Question, mask: Mask) -> bool:
    """Whether any candidate is relevant at all, by word coverage plus cosine.

    Records of what was done raise the threshold only for themselves: an agent makes hundreds of calls beside a few
    turns. The more passages lack a vector, the nearer the threshold of these is to that of words alone.
    """
    done = np.isin(index.columns["kind"], [index.codes["kind"].look(kind) for kind in DONE])
    lines = [bearing(int(among.sum()), embedded=question.vector is not None) for among in (mask & ~done, mask)]
    line = np.where(done[candidates.numbers], lines[1], lines[0])
    embedded = index.vectors.embedded
    share = embedded[mask].mean() if mask.any() else 1.0
    line = np.where(embedded[candidates.numbers], line, share * line + (1 - share) * RELEVANT_WORDS)
    return bool((candidates.coverage + candidates.cosine >= line).any())


def bearing(searched: int, *, embedded: bool) -> float:
    """The word coverage plus cosine that the best candidate needs to be relevant at all.

    The more is searched, the closer the closest irrelevant passage comes, so the threshold rises. Measured with MiniLM
    on development conversations cut to size: with 1, 10 and 100 turns that hold the answer, 5, 5 and 0 % stay below the
    threshold, and 5, 7 and 12 % of questions about other people reach it. Without vectors, with 1, 10 and 40 turns, 21,
    6 and 6 % stay below, and 1, 3 and 6 % of such questions reach it. If word rarity were computed from these few turns
    alone, it would be 60, 10 and 6 %, and 0, 3 and 6 %.
    """
    return min(0.25 + 0.15 * math.log10(max(searched, 1)), 0.55) if embedded else RELEVANT_WORDS


def _ordered(partition: Partition, ranked: Ranked, question: Question, limit: int) -> list[int]:
    """Put the newest of near-equal passages first, and spread over conversations if the question wants many.

    Near-equal passages are looked for in the first 2 * `limit` positions.
    """
    index = partition.index
    deep = min(len(ranked.numbers), 2 * limit)
    numbers = ranked.numbers[:deep]
    vectors, embedded = index.vectors.of(numbers), index.vectors.embedded[numbers].tolist()
    evidence = (ranked.candidates.coverage + ranked.candidates.cosine)[ranked.places[:deep]].tolist()
    said = [index.passages[number].terms for number in numbers.tolist()]
    asked = frozenset(question.terms)

    def alike(a: int, b: int) -> bool:
        apart = abs(evidence[a] - evidence[b])
        both = embedded[a] and embedded[b]
        cosine = float(vectors[a] @ vectors[b]) if both else float(said[a] == said[b])
        if apart <= NEAR_EQUAL and cosine >= SAME:
            return True
        if apart > OVERRULED or (both and cosine < RELATED):
            return False
        return same_answer(frozenset(said[a].split()), frozenset(said[b].split()), asked)

    head = newest_first(index.columns["at"][numbers].tolist(), alike)
    order = [*head, *range(deep, len(ranked.numbers))]
    if not question.wants_many:
        return order
    conversations = [index.passages[ranked.numbers[place]].conversation for place in order]
    return [order[place] for place in spread_out(ranked.scores.tolist(), conversations)]


async def _items(
    runtime: Runtime,
    scope: Scope,
    found: Found,
    ranked: Ranked,
    chosen: list[int],
) -> tuple[tuple[Item, ...], list[str]]:
    """The chosen items, and what is wrong with those that cannot be read."""
    index = found.partition.index
    passages = [index.passages[ranked.numbers[position]] for position in chosen]
    ids = [passage.ref for passage in passages if passage.of == "event"]
    rows, damaged = await events_of(runtime, found.partition, ids)
    events = {row.id: row for row in rows if row is not None}
    items: list[Item] = []
    given = shares(ranked, ranked.places[chosen].tolist()) if chosen else []
    scores = lifted(ranked.scores[chosen].tolist())
    for position, score, passage, parts in zip(chosen, scores, passages, given, strict=True):
        row = events.get(passage.ref) if passage.of == "event" else found.search.records.get(passage.ref)
        if row is None or not visible(row, scope):  # damaged, or not visible
            continue
        gained = round(score - float(ranked.scores[position]), 4)
        gains = {**parts, "currency": gained} if gained else parts
        items.append(_item(row, ranked, position, score, gains, found.search.endings))
    return tuple(items), [f"{one}: memoranda doctor --repair" for one in damaged]


def _item(
    row: Event | Record, ranked: Ranked, position: int, score: float, given: Mapping[str, float], endings: Endings
) -> Item:
    score, ended = round(score, 4), endings.of(row.id)
    by_whom, later = ended.by if ended else None, None if ended else next(iter(endings.later(row.id)), None)
    over = f", holds no more since {ended.until:%Y-%m-%d}" if ended else ", may be outdated" if later else ""
    similarity = round(float(ranked.candidates.similarity[ranked.places[position]]), 4)
    by = voice_of(row)
    if isinstance(row, Event):
        return Item(
            id=row.id, of="event", kind=row.kind, text=row.content, score=score, similarity=similarity, shares=given,
            why=f"{explain(given)}; said by {by or row.source} on {row.event_time:%Y-%m-%d}{over}", by=by,
            at=row.event_time, role=row.role, speaker=row.speaker, conversation=row.conversation, channel=row.channel,
            sources=(row.id,), metadata=row.metadata, status="expired" if ended else "",
            valid_to=ended.until if ended else None, superseded_by=by_whom, later=later,
        )  # fmt: skip
    return Item(
        id=row.id, of="record", kind=row.kind, text=row.text, score=score, similarity=similarity, shares=given,
        why=f"{explain(given)}; {row.status} {row.kind}{f', said by {by}' if by else ''}, {len(row.sources)} "
        f"source(s), since {row.valid_from:%Y-%m-%d}{over}",
        at=row.valid_from, valid_to=row.valid_to, conversation=row.conversation, channel=row.channel,
        status=row.status, confidence=row.confidence, importance=row.importance, sources=row.sources, by=by,
        superseded_by=by_whom, later=later,
        metadata={"category": row.category, "attribute": row.attribute, "value": row.value},
    )  # fmt: skip


def within(
    runtime: Runtime, items: Sequence[Item], tokens: int | None, terms: Collection[str]
) -> tuple[tuple[Item, ...], dict[str, str]]:
    """The items that fit; the first that does not is shortened to the part that answers, if that says enough."""
    if tokens is None:
        return tuple(items), {}
    read, count = runtime.analyzer.terms, runtime.settings.counter
    texts = fitted((item.text for item in items), tokens, terms, read, count)
    kept = tuple(replace(item, text=text) for item, text in zip(items, texts, strict=True) if text)
    return kept, {item.id: "over the token budget" for item, text in zip(items, texts, strict=True) if not text}


def _reason(mask: Mask, candidates: Candidates, over: Mapping[str, str], *, embedded: bool) -> str:
    """Why there is no answer."""
    if over:
        return "the token budget is too small for any of the memories found"
    if not mask.any():
        return "nothing has been recorded here that this scope and these filters let through"
    covered = float(candidates.coverage.max(initial=0.0))
    nearest = f" (cosine {candidates.cosine.max(initial=0.0):.2f})" if embedded else ""
    return f"nothing relevant: the closest memory shares {covered:.0%} of the question's words{nearest}"
