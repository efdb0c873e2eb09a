"""Recall: rank what is relevant to a question in an owner's memory, each item with the reason why it is there.

No step waits for a language model. A request is read part by part of what it asks; what the parts find
(`flows/recall/looking`) is chosen from for each (`choosing`), read from the store, and merged (`merging`).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from memoranda.core.base.scope import Scope, visible
from memoranda.core.beliefs import decay
from memoranda.core.context.excerpt import fitted
from memoranda.core.language.speech import grammar_in
from memoranda.core.recall.confidence import measured
from memoranda.core.recall.currency import Endings
from memoranda.core.recall.ranking import Ranked, lifted, rank, shares
from memoranda.core.recall.requests import read
from memoranda.core.recall.results import Item, Recalled, Trace, explain
from memoranda.core.recall.scoring import Candidates, weights_of
from memoranda.core.rows import Event, Record
from memoranda.core.rows.columns import Mask
from memoranda.core.strata.procedures import fits
from memoranda.core.text.detect import detect
from memoranda.core.text.voices import voice_of
from memoranda.flows.recall.bundle import goals_for, profile_lines
from memoranda.flows.recall.choosing import choose
from memoranda.flows.recall.grounds import latest, told
from memoranda.flows.recall.looking import Ask, Found, Timer, look, readable
from memoranda.flows.recall.merging import merged
from memoranda.flows.runtime.reading import at_one_moment, events_of
from memoranda.flows.runtime.runtime import Runtime

STRATEGIES = 3  # the most strategies that come with an answer


@at_one_moment
async def recall(runtime: Runtime, scope: Scope, ask: Ask, *, whole: bool = False) -> Recalled:
    """Answer `ask`, part by part of what it asks unless `whole`, from what `scope` may see."""
    text, unread = readable(ask.query)
    analyzer, timer, now = runtime.analyzer, Timer(), ask.now or runtime.clock()
    known = grammar_in(detect(text, runtime.settings.language)).pack.abbreviations
    parts = (text,) if whole else read(text, analyzer.terms, known)
    looked = await look(runtime, scope, ask, parts, now, timer)
    answers = [await _answered(runtime, scope, ask, found, now, timer) for found in looked]
    found = merged(dict(zip(parts, answers, strict=True)), ask) if len(parts) > 1 else answers[0]
    goals, active = goals_for(looked, scope, text, analyzer, now)
    items, over = within(runtime, found.items, ask.tokens, analyzer.terms(" ".join(parts)))
    short = "the token budget is too small for any of the memories found" if over and not items else found.reason
    trace = replace(
        found.trace,
        milliseconds=timer.steps,
        left_out={**found.trace.left_out, **over},
        cross_channel=tuple(item.id for item in items if item.channel != scope.channel),
        asked=parts,
    )
    return Recalled(
        items=items, goals=goals, active_goals=active, profile=profile_lines(looked),
        strategies=found.strategies[:STRATEGIES], reason=short,
        degraded=(*found.degraded, *filter(None, [unread])), trace=trace,
    )  # fmt: skip


async def _answered(runtime: Runtime, scope: Scope, ask: Ask, found: Found, now: datetime, timer: Timer) -> Recalled:
    """Answer one question, for which `found` was found."""
    candidates, question, mask = found.candidates, found.search.question, found.search.mask
    index = found.partition.index
    ranked = rank(index, candidates, weights_of(ask.profile), now=ask.as_of or now, said=question.said)
    chosen, left_out = choose(found, ranked, ask)
    timer.lap("rank")
    items, unread = await _items(runtime, scope, ask, found, ranked, chosen, ask.as_of or now)
    timer.lap("fetch")
    trace = Trace(
        arms={name: tuple(index.named(numbers)) for name, numbers in candidates.arms.items()},
        left_out=left_out,
        searched=int(mask.sum()),
        window=found.window,
        only_time=question.only_time,
    )
    reason = None if items else found.empty or _reason(mask, candidates, embedded=question.vector is not None)
    fitting = tuple(fits(found.partition, scope, frozenset(question.terms), question.vector)[:STRATEGIES])
    problems = (*found.problems, *unread)
    return Recalled(items=items, strategies=fitting, reason=reason, degraded=problems, trace=trace)


async def _items(
    runtime: Runtime,
    scope: Scope,
    ask: Ask,
    found: Found,
    ranked: Ranked,
    chosen: list[int],
    now: datetime,
) -> tuple[tuple[Item, ...], list[str]]:
    """The chosen items, and what is wrong with those that cannot be read."""
    index = found.partition.index
    passages = [index.passages[ranked.numbers[position]] for position in chosen]
    rests = latest(found.partition, scope, passages, found.search.records) if ask.grounds else {}
    ids = {passage.ref: None for passage in passages if passage.of == "event"} | dict.fromkeys(rests.values())
    rows, damaged = await events_of(runtime, found.partition, [*ids])
    events = {row.id: row for row in rows if row is not None}
    items: list[Item] = []
    given = shares(ranked, ranked.places[chosen].tolist()) if chosen else []
    question = found.search.question
    sure = measured(ranked.candidates, embedded=question.vector is not None, only_time=question.only_time)
    sure = sure[ranked.places]
    scores = lifted(ranked.scores[chosen].tolist())
    for position, score, passage, parts in zip(chosen, scores, passages, given, strict=True):
        row = events.get(passage.ref) if passage.of == "event" else found.search.records.get(passage.ref)
        if row is None or not visible(row, scope):  # damaged, or not visible
            continue
        gained = round(score - float(ranked.scores[position]), 4)
        gains = {**parts, "currency": gained} if gained else parts
        more = told(row, events.get(rests.get(row.id, row.id)), runtime.analyzer.terms) | {
            "confidence": round(float(sure[position]), 4),
            "entities": found.partition.named_in(passage),
            "cross_channel": row.channel != scope.channel,
        }
        if passage.of == "event":  # its row counts no uses
            more["access_count"], more["last_accessed"] = index.uses(int(ranked.numbers[position]))
        item = _item(row, ranked, position, score, gains, found.search.endings, more, now)
        day = found.days.get(row.id)
        items.append(item if day is None else replace(item, about=day, why=f"{item.why}, about {day:%Y-%m-%d}"))
    return tuple(items), [f"{one}: memoranda doctor --repair" for one in damaged]


def _item(
    row: Event | Record,
    ranked: Ranked,
    position: int,
    score: float,
    given: Mapping[str, float],
    endings: Endings,
    more: Mapping[str, Any],
    now: datetime,
) -> Item:
    score, ended = round(score, 4), endings.of(row.id)
    by_whom, later = ended.by if ended else None, None if ended else next(iter(endings.later(row.id)), None)
    over = f", holds no more since {ended.until:%Y-%m-%d}" if ended else ", may be outdated" if later else ""
    similarity = round(float(ranked.candidates.similarity[ranked.places[position]]), 4)
    by = voice_of(row)
    if isinstance(row, Event):
        part = tuple(one.id for one in endings.in_part(row.id))
        over = over or (", holds in part" if part else "")
        return Item(
            id=row.id, of="event", kind=row.kind, text=row.content, score=score, similarity=similarity, shares=given,
            why=f"{explain(given)}; said by {by or row.source} on {row.event_time:%Y-%m-%d}{over}", by=by,
            at=row.event_time, role=row.role, speaker=row.speaker, conversation=row.conversation, channel=row.channel,
            sources=(row.id,), metadata=row.metadata, status="expired" if ended else "",
            valid_to=ended.until if ended else None, superseded_by=by_whom, over=part, later=later,
            **more,
        )  # fmt: skip
    row = endings.seen(row)
    return Item(
        id=row.id, of="record", kind=row.kind, text=row.text, score=score, similarity=similarity, shares=given,
        why=f"{explain(given)}; {row.status} {row.kind}{f', said by {by}' if by else ''}, {len(row.sources)} "
        f"source(s), since {row.valid_from:%Y-%m-%d}{over}",
        at=row.valid_from, valid_to=row.valid_to, conversation=row.conversation, channel=row.channel,
        status=row.status, sources=row.sources, by=by, superseded_by=by_whom, later=later,
        record_confidence=round(decay.confidence(row, now), 4),
        importance=round(decay.importance(row, decay.last_touched(row), now), 4),
        expires=row.valid_to if row.valid_to and row.valid_to > now else None, **more,
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


def _reason(mask: Mask, candidates: Candidates, *, embedded: bool) -> str:
    """Why there is no answer."""
    if not mask.any():
        return "nothing has been recorded here that this scope and these filters let through"
    covered = float(candidates.coverage.max(initial=0.0))
    nearest = f" (cosine {candidates.cosine.max(initial=0.0):.2f})" if embedded else ""
    return f"nothing relevant: the closest memory shares {covered:.0%} of the question's words{nearest}"
