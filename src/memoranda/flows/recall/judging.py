"""Judging: a model reads the request together with each memory that was found, and the answer ends where it says so."""

from collections.abc import Sequence
from dataclasses import replace

from memoranda.core.base.scope import Scope
from memoranda.core.recall.confidence import JUDGES, End, judged
from memoranda.core.recall.results import Item
from memoranda.errors import RerankerError
from memoranda.flows.runtime.ledger import Payer
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

    Raises:
        RerankerError: the reranker failed, or the budget does not allow it.
    """
    if refusal := await runtime.ledger.refusal(scope.owner, reranker.name):
        raise RerankerError(refusal)
    with runtime.ledger.paid_by(Payer(scope, runtime.about)):
        return await reranker.rerank(query, [item.text for item in items])


def judge_of(runtime: Runtime) -> Reranker | None:
    """Return the reranker, if it was calibrated as a judge."""
    found = runtime.reranker
    return found if found is not None and found.name in JUDGES else None


def confident(judge: str, items: Sequence[Item], scores: Sequence[float]) -> list[Item]:
    """Return memories with their confidence, once a judge scored them."""
    sure = judged(judge, scores, [item.confidence for item in items])
    told = zip(items, scores, sure, strict=True)
    return [replace(item, confidence=one, why=f"{item.why}; judged {score:.2f}") for item, score, one in told]


def ended(items: Sequence[Item], end: End) -> tuple[list[Item], dict[str, str]]:
    """Return the memories that answer, in their order, and why the others do not."""
    least = end.each if any(one.confidence >= end.surest for one in items) else end.surest
    told = "its confidence {:.2f} is below {:.2f}"
    left = {one.id: told.format(one.confidence, least) for one in items if one.confidence < least}
    return [one for one in items if one.id not in left], left
