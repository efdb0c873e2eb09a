"""What was spent on models, and the budgets for it."""

import math
import sys
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from memoranda.core.base.checks import require
from memoranda.core.base.constraints import Id
from memoranda.core.base.moments import moment
from memoranda.core.base.scope import SHARED, Commons, Owner, Scope
from memoranda.core.rows import Budget, LedgerEntry, Spending
from memoranda.core.rows.changes import Batch, Change, Put
from memoranda.core.strata.spending import Limit
from memoranda.flows.runtime.audit import Act, audited
from memoranda.flows.runtime.commits import planned
from memoranda.flows.runtime.runtime import Runtime
from memoranda.ports import Query, Where


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """The calls of one kind on one day.

    Attributes:
        day: in UTC, as 2026-01-05.
        what: completion, embedding or rerank; `task`: what a language model was asked for.
        cost: None if the model has no price.
    """

    day: str
    what: str
    task: str | None
    model: str
    calls: int
    tokens_in: int
    tokens_out: int
    cost: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """Calls of models and their cost, by day, model and task.

    Attributes:
        total: of all calls with a known price, in the currency of the prices.
        unpriced: models without a price at the time of the call. Their cost is not in `total`, and no budget stops
            them.
    """

    rows: tuple[Spent, ...]
    total: float
    unpriced: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Budgets:
    """The budgets: what is left of the balance until it is set again, and limits per day and month in UTC."""

    balance: Limit
    day: Limit
    month: Limit


async def cost(
    runtime: Runtime,
    *,
    tenant: Id,
    user: Id | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> Costs:
    """Return the model calls of a tenant or one user and what they cost, by model, task and day.

    Args:
        tenant: the tenant.
        user: the user; all users by default.
        since: only calls from this time on.
        until: only calls up to this time.
    """
    await runtime.journal.settle()
    bounds = (("since", ">=", since), ("until", "<=", until))
    where = tuple(Where("at", op, moment(name, at)) for name, op, at in bounds if at is not None)  # type: ignore[arg-type]
    query = Query(kind=LedgerEntry, tenant=tenant, user=user, where=where, order=("at", "id"))
    page = await runtime.store.find(Owner(tenant, user or SHARED), query)
    together: defaultdict[tuple[str, str, str | None, str, bool], list[LedgerEntry]] = defaultdict(list)
    for row in page.rows[0]:
        together[f"{row.at.astimezone(UTC):%Y-%m-%d}", row.what, row.task, row.model, row.cost is None].append(row)
    return Costs(
        rows=tuple(
            Spent(
                day=day, what=what, task=task, model=model, calls=len(rows),
                tokens_in=sum(row.tokens_in for row in rows), tokens_out=sum(row.tokens_out for row in rows),
                cost=None if unpriced else math.fsum(row.cost or 0.0 for row in rows),
            )
            for (day, what, task, model, unpriced), rows in together.items()
        ),
        total=math.fsum(row.cost or 0.0 for row in page.rows[0]),
        unpriced=tuple(sorted({row.model for row in page.rows[0] if row.cost is None})),
    )  # fmt: skip


async def budget(
    runtime: Runtime,
    *,
    tenant: Id,
    user: Id | None = None,
    balance: float | None = None,
    day: float | None = None,
    month: float | None = None,
) -> Budgets:
    """Return what a tenant or one user may spend on models, and what is left. Set the limits that are given.

    When nothing is left, no call with a known price is made: the next model of the task is used, or rules are, and
    recall works by keywords, without vectors; `degraded` says so. Models without a price, or with a price of 0, are
    always used.

    Args:
        tenant: the tenant.
        user: the user; by default the tenant as a whole, whose budget applies in addition to those of its users.
        balance: the amount left from now on, in the currency of `Settings.prices`; `math.inf` for no limit.
        day: the limit per day, in UTC.
        month: the limit per month, in UTC.
    """
    scope = Commons(tenant=tenant) if user is None else Scope(tenant=tenant, user=user)
    owner = scope.owner
    given = {"balance": balance, "day": day, "month": month}
    batch = _set(owner, {name: amount for name, amount in given.items() if amount is not None}, runtime.clock())
    await runtime.journal.settle()  # earlier spending counts against the old balance
    if batch.changes:
        await audited(runtime, scope, Act("budget"), planned(runtime, scope, lambda _: batch))
    return Budgets(**await runtime.ledger.limits(owner))


def _set(owner: Owner, amounts: Mapping[str, float], now: datetime) -> Batch:
    changes: list[Change] = []
    for period, amount in amounts.items():
        fits = isinstance(amount, int | float) and not isinstance(amount, bool)
        fits = fits and (0 <= amount <= sys.float_info.max or amount == math.inf)
        require(fits, period, amount, "an amount, 0 or more; for no limit math.inf, or none on the command line")
        kept = None if amount == math.inf else float(amount)
        changes.append(Put(Budget(tenant=owner.tenant, user=owner.user, period=period, amount=kept, set_at=now)))
        if period == "balance":
            changes.append(Put(Spending(tenant=owner.tenant, user=owner.user, period=period)))
    return Batch(owner=owner, changes=tuple(changes))
