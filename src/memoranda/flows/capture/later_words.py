"""The later word: which earlier turns a new one makes outdated, as a model judges; see `core.recall.currency`.

It is judged when a turn is written, so that a question finds it judged. Only turns of one speaker that resemble one
another are compared, and for each new turn only the nearest few.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from memoranda.core.base.scope import Scope
from memoranda.core.image.image import Partition
from memoranda.core.rows import Event, LaterWord
from memoranda.core.rows.columns import Floats, Mask
from memoranda.errors import RerankerError
from memoranda.flows.runtime.ledger import Payer
from memoranda.flows.runtime.runtime import Runtime, read

LINK = 0.3  # the cosine from which two turns are compared: 79 % of those that outdate another are as near to it
MOST = 4  # the turns with which a new one is compared, the nearest
SURE = 0.5  # the probability from which a judgement is kept (decision 58)


@dataclass(frozen=True, slots=True)
class Judged:
    """What was judged of some turns, and what was down."""

    words: tuple[LaterWord, ...] = ()
    problem: str | None = None


async def judged(
    runtime: Runtime, scope: Scope, events: Sequence[Event], vector: Callable[[Event], Floats | None]
) -> Judged:
    """Judge which turns that are known, or come before in `events`, each of these makes outdated.

    Args:
        events: new events, in order; `vector` gives the vector of one.
    """
    model = runtime.currency
    if model is None or not any(map(tells, events)):
        return Judged()
    image = await runtime.partitions.current(scope.owner)  # with what other processes wrote
    fresh = {event.id: event for event in reversed(events) if _comes(image, event)}  # of an id, the first is written
    told = [(event, near) for event in reversed(fresh.values()) if (near := vector(event)) is not None]
    linked = [*_linked(image, _told(image, image.mask(scope, now=runtime.clock())), told)] if told else []
    # one that was forgotten meanwhile is not there, and nothing is said of it
    known, _ = await read(runtime, Event, scope.owner, [*dict.fromkeys(ref for _, refs, _ in linked for ref in refs)])
    by_id = {event.id: event for event in (*known, *(event for event, _ in told)) if event is not None}
    pairs: dict[str, dict[str, None]] = {}
    for event, stored, new in linked:
        for ref in (*stored, *new):
            if ref in by_id and by_id[ref].speaker == event.speaker:
                first, last = sorted((by_id[ref], event), key=lambda one: one.event_time)
                pairs.setdefault(last.id, {})[first.id] = None
    if pairs and (refusal := await runtime.ledger.refusal(scope.owner, model.name)):
        return Judged(problem=f"currency: {refusal}")
    words: list[LaterWord] = []
    try:
        with runtime.ledger.paid_by(Payer(scope, (*pairs, *runtime.about))):
            for later, others in pairs.items():
                async with asyncio.timeout(runtime.settings.embed_seconds):
                    sure = await model.rerank(by_id[later].content, [by_id[one].content for one in others])
                each = zip(others, sure, strict=True)
                words += [_word(by_id[one], by_id[later], value, model.name) for one, value in each if value >= SURE]
    except TimeoutError:
        return Judged(tuple(words), f"currency: no answer within {runtime.settings.embed_seconds:g} s")
    except RerankerError as error:
        return Judged(tuple(words), f"currency: {error}")
    return Judged(tuple(words))


def tells(event: Event) -> bool:
    """Whether an event is something that the user says."""
    return event.kind == "turn" and event.role == "user"


def _comes(image: Partition, event: Event) -> bool:
    """Whether an event is something that the user says, is not there yet, and holds nothing that will be withheld."""
    return tells(event) and event.id not in image.index.numbers and not image.tombstones.screened(event)[1]


def _told(image: Partition, mask: Mask) -> Mask:
    """The turns of users among the passages of a mask."""
    columns, codes = image.index.columns, image.index.codes
    said: Mask = (columns["kind"] == codes["kind"].look("turn")) & (columns["role"] == codes["role"].look("user"))
    return mask & said


def _linked(
    image: Partition, mask: Mask, told: Sequence[tuple[Event, Floats]]
) -> Iterator[tuple[Event, list[str], list[str]]]:
    """Each new turn with the ids of those nearest to it, among the stored and among the new ones before it."""
    index = image.index
    fresh = np.stack([vector for _, vector in told])
    for place, (event, vector) in enumerate(told):
        stored = np.where(mask, index.vectors.cosine(vector), 0)
        near = np.concatenate([stored, fresh[:place] @ vector])
        best = np.argsort(-near, kind="stable")[:MOST].tolist()
        found = [number for number in best if near[number] >= LINK]
        yield (
            event,
            [index.refs[number] for number in found if number < len(stored)],
            [told[number - len(stored)][0].id for number in found if number >= len(stored)],
        )


def _word(earlier: Event, later: Event, probability: float, model: str) -> LaterWord:
    return LaterWord(
        tenant=later.tenant, user=later.user, ref=later.id, earlier=earlier.id, turns=(earlier.id, later.id),
        probability=round(probability, 4), model=model,
    )  # fmt: skip
