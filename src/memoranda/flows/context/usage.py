"""The online figures of a memory: reads the rows that `core.evaluation.usage` measures."""

from dataclasses import replace

from memoranda.core.base.scope import Scope, visible
from memoranda.core.evaluation.usage import Metrics, measured
from memoranda.core.rows import ContextLog, Event, Record
from memoranda.flows.runtime.runtime import Runtime
from memoranda.ports import Query


async def metrics(runtime: Runtime, scope: Scope) -> Metrics:
    """Compute how well the memory works in use, from its log: contexts used, corrections, repeated questions."""
    await runtime.journal.settle()
    orders = {Event: "event_time", Record: "recorded_at", ContextLog: "created_at"}
    page = await runtime.store.find(
        scope.owner,
        *(Query(kind=kind, tenant=scope.tenant, user=scope.user, order=(by, "seq")) for kind, by in orders.items()),
    )
    events, records, contexts = ([row for row in rows if visible(row, scope)] for rows in page.rows)
    found = measured(events, records, contexts, runtime.analyzer.terms, runtime.clock())
    return replace(found, techniques=runtime.tried.of(scope.owner))
