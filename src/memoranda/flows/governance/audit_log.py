"""Reading the audit."""

from datetime import datetime
from typing import Annotated

from memoranda.core.base.constraints import Between, Id
from memoranda.core.base.old_names import OPERATIONS
from memoranda.core.base.scope import Scope, visible
from memoranda.core.rows import AuditEntry
from memoranda.flows.runtime.runtime import Runtime, newest
from memoranda.ports import Query, Where

MOST = 1_000


async def audit(
    runtime: Runtime,
    scope: Scope,
    *,
    operation: Id | None = None,
    conversation: Id | None = None,
    since: datetime | None = None,
    limit: Annotated[int, Between(1, MOST)] = 20,
) -> tuple[AuditEntry, ...]:
    """Return the audit entries visible in this scope, latest first: ids and counts, of reads also the query.

    `Settings.audit` sets what is audited. Forgetting is not: its receipt says what was removed.

    Args:
        operation: only this verb, e.g. add or goals.complete; its old and its new name find the same.
        conversation: only entries of this conversation.
        since: only entries from this time on.
        limit: the most entries, up to 1,000.
    """
    where = [] if since is None else [Where("at", ">=", since)]
    if operation is not None:
        names = (operation, *(other for pair in OPERATIONS.items() if operation in pair for other in pair))
        where.append(Where("operation", "in", tuple(dict.fromkeys(names))))
    if conversation is not None:
        where.append(Where("conversation", "=", conversation))
    await runtime.journal.settle()
    order = ("-at", "-seq")
    query = Query(kind=AuditEntry, tenant=scope.tenant, user=scope.user, where=tuple(where), order=order)
    return tuple(await newest(runtime, scope.owner, query, limit, lambda row: visible(row, scope)))
