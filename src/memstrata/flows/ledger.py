"""What models cost: each call is put down to whoever caused it, and none is made that nobody can pay any more.

A gate knows of a request what it came to, and not who asked; so whoever asks says in a context variable who notes it,
for as long as the call lasts. Entries are written by the journal, off the path, and with them what they add to the
spending of their user and their tenant; what waits there counts as spent. Calls under way when a budget ends are paid
as well: it is asked before each, not within.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal

from memstrata.core.prices import Price, cost
from memstrata.core.rows import Budget, LedgerEntry, Spending
from memstrata.core.scope import SHARED, Owner, Scope
from memstrata.core.spending import Limit, charges, current, exhausted, limits, runs_here
from memstrata.flows.journal import Journal
from memstrata.ports import Call, Clock, Ids, Meter, Query, Store, Where

What = Literal["completion", "embedding", "rerank"]
_TOLD = frozenset({"answered", "truncated"})


@dataclass(frozen=True, slots=True)
class Payer:
    """Whose call it is, and what it is for: ids of events, records or contexts."""

    scope: Scope
    about: tuple[str, ...] = ()


_NOTE: ContextVar[Meter | None] = ContextVar("note", default=None)


def metered(meter: Meter | None) -> Meter:
    """What is told of every request to a language model: whoever notes the call under way, and `meter`."""

    def told(call: Call) -> None:
        for one in (_NOTE.get(), meter):
            if one is not None:
                one(call)

    return told


class Ledger:
    """What is written of calls, and asked before them.

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
        """Put down to `payer` what language models are asked inside."""

        def note(call: Call) -> None:
            if call.outcome in _TOLD or call.tokens_in or call.tokens_out:  # else nobody knows that it was paid for
                self.put_down(payer, "completion", call.model, call.tokens_in, call.tokens_out, call.task)

        token = _NOTE.set(note)
        try:
            yield
        finally:
            _NOTE.reset(token)

    def put_down(
        self, payer: Payer, what: What, model: str, tokens_in: int, tokens_out: int = 0, task: str | None = None
    ) -> None:
        """Have an entry written. A model that runs here has none, unless somebody named its price."""
        if model not in self._prices and runs_here(model):
            return
        scope = payer.scope
        self._journal.note(
            LedgerEntry(
                tenant=scope.tenant, user=scope.user, id=self._ids(), what=what, task=task, model=model,
                tokens_in=tokens_in, tokens_out=tokens_out, cost=cost(self._prices, model, tokens_in, tokens_out),
                about=payer.about, agent=scope.agent, channel=scope.channel,
                connection=next(iter(scope.connections), None), conversation=scope.conversation, at=self._clock(),
            )
        )  # fmt: skip

    async def refusal(self, owner: Owner, model: str) -> str | None:
        """Why `model` is not to be asked at the cost of this user; None if it is, as one that costs nothing always is.

        One whose price nobody named is asked, for nobody knows what it takes away.
        """
        if not charges(self._prices, model):
            return None
        for whose, one in (("user", owner), ("tenant", Owner(owner.tenant, SHARED))):
            if gone := exhausted(await self.standing(one)):
                return f"the {whose}'s {gone if gone == 'balance' else f'budget of this {gone}'} is spent"
        return None

    async def standing(self, owner: Owner) -> Mapping[str, Limit]:
        """The budgets of a user, or of a tenant, and what was spent of them."""
        now = self._clock()
        waiting = [
            row
            for row in self._journal.waiting(LedgerEntry)  # before the rest is read: rather twice than not at all
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
