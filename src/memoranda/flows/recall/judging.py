"""Judging: a model reads the request together with each memory that was found, and the answer ends where it says so."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from memoranda.core.base.scope import Scope, visible
from memoranda.core.image.image import Partition
from memoranda.core.recall.confidence import JUDGES, SAID_BEFORE, judged, says_little
from memoranda.core.recall.results import Item
from memoranda.errors import RerankerError
from memoranda.flows.runtime.ledger import Payer
from memoranda.flows.runtime.reading import events_of
from memoranda.flows.runtime.runtime import Runtime
from memoranda.ports import Reranker

READ = 20  # memories that are read at most, the best of the ranking


def cuts(runtime: Runtime, cut: bool | None, min_confidence: float | None) -> bool:
    """Whether an answer ends after what answers, of the arguments of a facade."""
    return judge_of(runtime) is not None or min_confidence is not None if cut is None else cut


async def scored(
    runtime: Runtime, scope: Scope, reranker: Reranker, query: str, items: Sequence[Item]
) -> Sequence[float]:
    """Return the reranker's score of each memory, from 0 to 1.

    A judge reads a turn that says little after the one before it.

    Raises:
        RerankerError: the reranker failed, or the budget does not allow it.
    """
    if refusal := await runtime.ledger.refusal(scope.owner, reranker.name):
        raise RerankerError(refusal)
    texts = await _told(runtime, scope, items) if reranker.name in JUDGES else [item.text for item in items]
    with runtime.ledger.paid_by(Payer(scope, runtime.about)):
        return await reranker.rerank(query, texts)


def judge_of(runtime: Runtime) -> Reranker | None:
    """Return the reranker, if it was calibrated as a judge."""
    found = runtime.reranker
    return found if found is not None and found.name in JUDGES else None


def confident(judge: str, items: Sequence[Item], scores: Sequence[float]) -> list[Item]:
    """Return memories with their confidence, once a judge scored them."""
    sure = judged(judge, scores, [item.confidence for item in items])
    told = zip(items, scores, sure, strict=True)
    return [replace(item, confidence=one, why=f"{item.why}; judged {score:.2f}") for item, score, one in told]


def ended(items: Sequence[Item], least: float) -> tuple[list[Item], dict[str, str]]:
    """Return the memories that answer, in their order, and why the others do not."""
    left = {
        one.id: f"its confidence {one.confidence:.2f} is below {least:.2f}" for one in items if one.confidence < least
    }
    return [one for one in items if one.id not in left], left


async def _told(runtime: Runtime, scope: Scope, items: Sequence[Item]) -> list[str]:
    """What is read of each memory."""
    partition = await runtime.partitions.current(scope.owner)
    before = _before(partition, [item.id for item in items if item.of == "event"])
    events, _ = await events_of(runtime, partition, [*dict.fromkeys(before.values())])
    said = {event.id: _spoken(event.speaker, event.content) for event in events if event and visible(event, scope)}
    texts = []
    for item in items:
        text, earlier = _spoken(item.speaker, item.text), said.get(before.get(item.id, ""), "")
        texts.append(f"{earlier}{SAID_BEFORE}{text}" if says_little(item.text, earlier) else text)
    return texts


def _before(partition: Partition, ids: Sequence[str]) -> dict[str, str]:
    """The turn before each, by id."""
    index = partition.index
    known = {one: number for one in ids if (number := index.numbers.get(one)) is not None}
    numbers = index.chains.around(np.array([*known.values()], np.int32), 1, 0)[:, 0]
    return {one: index.refs[number] for one, number in zip(known, numbers.tolist(), strict=True) if number >= 0}


def _spoken(speaker: str | None, text: str) -> str:
    return f"{speaker}: {text}" if speaker else text
