"""Reading the audit."""

from datetime import datetime

from memoranda.core.base.checks import check_number
from memoranda.core.base.moments import moment
from memoranda.core.base.scope import Scope, check_identifier, visible
from memoranda.core.rows import AuditEntry
from memoranda.flows.runtime.runtime import Runtime, newest
from memoranda.ports import Query, Where

MOST = 1_000


async def entries(
    runtime: Runtime,
    scope: Scope,
    *,
    operation: str | None = None,
    conversation: str | None = None,
    since: datetime | None = None,
    limit: int = 20,
) -> tuple[AuditEntry, ...]:
    """Audit entries that a scope sees. See `memoranda.scoped.AsyncScoped.audit`."""
    limit = check_number("limit", limit, most=MOST)
    where = [] if since is None else [Where("at", ">=", moment("since", since))]
    for name, value in (("operation", operation), ("conversation", conversation)):
        if value is not None:
            where.append(Where(name, "=", check_identifier(name, value)))
    await runtime.journal.settle()
    order = ("-at", "-seq")
    query = Query(kind=AuditEntry, tenant=scope.tenant, user=scope.user, where=tuple(where), order=order)
    return tuple(await newest(runtime, scope.owner, query, limit, lambda row: visible(row, scope)))
