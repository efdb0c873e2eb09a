"""The online figures of a memory: reads the rows that `core.online` measures."""

from memstrata.core.online import Metrics, measured
from memstrata.core.rows import ContextLog, Event, Record
from memstrata.core.scope import Scope, visible
from memstrata.flows.runtime import Runtime
from memstrata.ports import Query


async def metrics(runtime: Runtime, scope: Scope) -> Metrics:
    """The online figures of a memory. See `memstrata.scoped.AsyncScoped.metrics`."""
    await runtime.journal.settle()
    orders = {Event: "event_time", Record: "recorded_at", ContextLog: "created_at"}
    page = await runtime.store.find(
        scope.owner,
        *(Query(kind=kind, tenant=scope.tenant, user=scope.user, order=(by, "seq")) for kind, by in orders.items()),
    )
    events, records, contexts = ([row for row in rows if visible(row, scope)] for rows in page.rows)
    return measured(events, records, contexts, runtime.analyzer.terms)
