"""What is left of budgets."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from memoranda.core.base.prices import Price
from memoranda.core.base.scope import Owner
from memoranda.core.rows.changes import Add, Change, Touch
from memoranda.core.rows.governance import Budget, LedgerEntry, Spending

UNIT = 1_000_000_000  # the parts of the currency in which spending is counted
_HERE = frozenset({"hashed", "light", "local", "onnx"})  # prefixes of the names of models that run in this process


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """One budget.

    Attributes:
        amount: what may be spent; None: there is no such budget.
        spent: what was spent in its period; of a balance, since it was set.
    """

    amount: float | None = None
    spent: float = 0.0

    @property
    def left(self) -> float | None:
        """What is left; negative if the last call exceeded it; None if there is no budget."""
        return None if self.amount is None else self.amount - self.spent


def runs_here(model: str) -> bool:
    """Whether a model, by its name, runs in this process and costs nothing."""
    return model.partition("/")[0] in _HERE


def charges(prices: Mapping[str, Price], model: str) -> bool:
    """Whether `model` has a price above 0."""
    price = prices.get(model)
    return price is not None and bool(price.read or price.written)


def current(now: datetime) -> dict[str, str]:
    """Return the period of each budget at a time, as `Spending` names it."""
    now = now.astimezone(UTC)
    return {"balance": "balance", "day": f"{now:%Y-%m-%d}", "month": f"{now:%Y-%m}"}


def limits(
    budgets: Iterable[Budget], spending: Iterable[Spending], waiting: Iterable[LedgerEntry], now: datetime
) -> dict[str, Limit]:
    """Return the state of an owner's budgets at a time; `waiting`: entries not yet counted in `spending`."""
    amounts = {row.period: row.amount for row in budgets}
    spent = Counter({row.period: row.spent / UNIT for row in spending})
    for row in waiting:
        spent.update(dict.fromkeys(current(row.at).values(), row.cost or 0.0))
    return {name: Limit(amount=amounts.get(name), spent=spent[period]) for name, period in current(now).items()}


def exhausted(standing: Mapping[str, Limit]) -> str | None:
    """Return the name of a budget of which nothing is left, or None."""
    return next((name for name, one in standing.items() if one.left is not None and one.left <= 0), None)


def counted(owner: Owner, entries: Iterable[LedgerEntry]) -> list[Change]:
    """Return the changes that add entries to the spending of an owner: a user, or the tenant's reserved user."""
    spent: Counter[str] = Counter()
    for row in entries:
        spent.update(dict.fromkeys(current(row.at).values(), round((row.cost or 0.0) * UNIT)))
    changes: list[Change] = []
    for period, more in spent.items():
        if more:
            changes.append(Add(Spending(tenant=owner.tenant, user=owner.user, period=period)))
            changes.append(Touch(Spending, (period,), {"spent": more}))
    return changes
