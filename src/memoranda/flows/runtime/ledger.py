"""The ledger: every model call is charged to whoever caused it, and none is made once the budget is spent.

A gate knows what a request used, but not who asked. So the caller sets, in a context variable, a function that records
the calls made in its context. The journal writes the entries off the request path, and with each entry adds to the
spending of the user and the tenant; entries that still wait count as spent. A budget is checked before a call, not
within it: calls under way when it runs out are charged too.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from memoranda.core.base.prices import Price, cost
from memoranda.core.base.scope import SHARED, Owner, Scope
from memoranda.core.rows import Budget, LedgerEntry, Spending
from memoranda.core.strata.spending import Limit, charges, current, exhausted, limits, runs_here
from memoranda.flows.runtime.journal import Journal
from memoranda.ports import Call, Clock, Ids, Meter, Query, Store, Where

_CHARGED = frozenset({"answered", "truncated"})


@dataclass(frozen=True, slots=True)
class Payer:
    """The payer of a call, and what the call is for: ids of events, records or contexts."""

    scope: Scope
    about: tuple[str, ...] = ()


_NOTE: ContextVar[Meter | None] = ContextVar("note", default=None)


def metered(meter: Meter | None) -> Meter:
    """A meter that reports each request of a model to the current payer's note and to `meter`."""

    def metered_call(call: Call) -> None:
        for one in (_NOTE.get(), meter):
            if one is not None:
                one(call)

    return metered_call


class Ledger:
    """Records model calls, and says before a call whether there is budget for it.

    Args:
        store: where budgets and spending are read.
        journal: writes the entries.
        prices: what models charge.
        clock, ids: of the entries.
    """

    def __init__(self, store: Store, journal: Journal, prices: Mapping[str, Price], clock: Clock, ids: Ids) -> None:
        self._store = store
        self._journal = journal
        self._prices = prices
        self._clock = clock
        self._ids = ids

    @contextmanager
    def paid_by(self, payer: Payer) -> Iterator[None]:
        """Charge the model calls inside to `payer`."""

        def note(call: Call) -> None:
            if call.outcome in _CHARGED or call.tokens_in or call.tokens_out:  # else it may not have been charged
                self._put_down(payer, call)

        token = _NOTE.set(note)
        try:
            yield
        finally:
            _NOTE.reset(token)

    def _put_down(self, payer: Payer, call: Call) -> None:
        """Queue an entry to be written. A local model has none, unless it has a price."""
        if call.model not in self._prices and runs_here(call.model):
            return
        scope, price = payer.scope, cost(self._prices, call.model, call.tokens_in, call.tokens_out)
        self._journal.note(
            LedgerEntry(
                tenant=scope.tenant, user=scope.user, id=self._ids(), what=call.what, task=call.task,
                model=call.model, tokens_in=call.tokens_in, tokens_out=call.tokens_out, cost=price,
                about=payer.about, agent=scope.agent, channel=scope.channel,
                connection=next(iter(scope.connections), None), conversation=scope.conversation, at=self._clock(),
            )
        )  # fmt: skip

    async def refusal(self, owner: Owner, model: str) -> str | None:
        """Why this user has no budget for `model`; None if there is budget, or if the model costs nothing.

        A model without a price is always allowed, because its cost is unknown.
        """
        if not charges(self._prices, model):
            return None
        for whose, one in (("user", owner), ("tenant", Owner(owner.tenant, SHARED))):
            if gone := exhausted(await self.limits(one)):
                return f"the {whose}'s {gone if gone == 'balance' else f'budget of this {gone}'} is spent"
        return None

    async def limits(self, owner: Owner) -> Mapping[str, Limit]:
        """The budgets of a user, or of a tenant, and what was spent of them."""
        now = self._clock()
        waiting = [
            row
            for row in self._journal.waiting(LedgerEntry)  # read before the rest: rather counted twice than not at all
            if row.tenant == owner.tenant and owner.user in (row.user, SHARED)
        ]
        periods = Where("period", "in", tuple(current(now).values()))
        tenant, user = owner
        page = await self._store.find(
            owner,
            Query(kind=Budget, tenant=tenant, user=user),
            Query(kind=Spending, tenant=tenant, user=user, where=(periods,)),
        )
        return limits(page.rows[0], page.rows[1], waiting, now)
