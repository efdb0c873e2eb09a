"""What those who share a cache tell one another, each in a cell of its own, for a while."""

from typing import Any

import pytest

from flows.helpers import OWNER
from memoranda.core.base.scope import SHARED, Owner
from memoranda.errors import StoreUnavailableError
from memoranda.flows.runtime.leases import Leases
from memoranda.stores.dict_cache import DictCache
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio
SHARES = Owner(OWNER.tenant, SHARED)


async def test_each_hears_what_the_others_said_last(clock: FrozenClock) -> None:
    leases = Leases(DictCache(), clock, SequentialIds())
    assert await leases.told(SHARES, "rate", "a", "1", 60) == []
    assert await leases.told(SHARES, "rate", "b", "2", 60) == ["1"]
    assert await leases.told(SHARES, "rate", "a", "3", 60) == ["2"]
    assert await leases.told(SHARES, "other", "c", "4", 60) == []
    assert await leases.told(Owner("globex", SHARED), "rate", "c", "5", 60) == []
    clock.advance(seconds=59)
    assert await leases.told(SHARES, "rate", "b", "6", 60) == ["3"]
    clock.advance(seconds=1)
    assert await leases.told(SHARES, "rate", "c", "7", 60) == ["6"]
    assert sorted(await leases.told(SHARES, "rate", "a", "8", 60)) == ["6", "7"]


async def test_nothing_is_heard_while_the_cache_is_down(clock: FrozenClock) -> None:
    class Away(DictCache):
        async def read(self, *_: Any) -> Any:
            raise StoreUnavailableError("The cache is away.")

    assert await Leases(Away(), clock, SequentialIds()).told(SHARES, "rate", "a", "1", 60) == ()
