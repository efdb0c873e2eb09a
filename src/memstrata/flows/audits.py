"""Reading the audit, and dropping its old entries."""

from datetime import datetime, timedelta

from memstrata.core.changes import Batch, Drop
from memstrata.core.checks import check_number
from memstrata.core.moments import moment
from memstrata.core.partition import Partition
from memstrata.core.rows import AuditEntry, key_of
from memstrata.core.scope import Owner, Scope, check_identifier, check_owner, place_of, visible
from memstrata.flows.audit import Act, acting
from memstrata.flows.commits import settled
from memstrata.flows.runtime import Runtime, newest
from memstrata.ports import Query, Where

MOST = 1_000
_AT_ONCE = 1_000  # the most entries dropped in one write


async def entries(
    runtime: Runtime,
    scope: Scope,
    *,
    operation: str | None = None,
    conversation: str | None = None,
    since: datetime | None = None,
    limit: int = 20,
) -> tuple[AuditEntry, ...]:
    """Audit entries that a scope sees. See `memstrata.scoped.AsyncScoped.audit`."""
    limit = check_number("limit", limit, most=MOST)
    where = [] if since is None else [Where("at", ">=", moment("since", since))]
    for name, value in (("operation", operation), ("conversation", conversation)):
        if value is not None:
            where.append(Where(name, "=", check_identifier(name, value)))
    await runtime.journal.settle()
    order = ("-at", "-seq")
    query = Query(kind=AuditEntry, tenant=scope.tenant, user=scope.user, where=tuple(where), order=order)
    return tuple(await newest(runtime, scope.owner, query, limit, lambda row: visible(row, scope)))


async def retain_audit(runtime: Runtime, tenant: str, user: str | None = None) -> int:
    """Drop the entries of a tenant, or of one of its users, that are older than `Settings.audit_days`.

    Returns:
        How many were dropped.
    """
    check_owner(tenant, user)
    until = runtime.clock() - timedelta(days=runtime.settings.audit_days)
    old = Query(kind=AuditEntry, tenant=tenant, user=user, where=(Where("at", "<", until),))
    gone = 0
    with acting(runtime, Act("retain_audit")):
        for name in sorted(await runtime.store.count(old, by="user")):
            while went := await _drop(runtime, Owner(tenant, name), until):
                gone += went
    return gone


async def _drop(runtime: Runtime, owner: Owner, until: datetime) -> int:
    """Drop the oldest entries of an owner, at most `_AT_ONCE`; return how many."""
    old = Query(
        kind=AuditEntry, tenant=owner.tenant, user=owner.user, where=(Where("at", "<", until),), limit=_AT_ONCE
    )  # fmt: skip

    async def plan(_: Partition) -> Batch:
        page = await runtime.store.find(owner, old)
        return Batch(owner=owner, changes=tuple(Drop(AuditEntry, key_of(row)) for row in page.rows[0]))

    made, _ = await settled(runtime, place_of(owner), plan)
    return len(made.changes)
