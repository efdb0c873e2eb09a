"""The router: one key in four strata, one ranking over them, a conversation consolidated, everything counted."""


import pytest

from memstrata import AsyncMemory, AsyncScoped
from memstrata.errors import NotFoundError

pytestmark = pytest.mark.anyio

STRATA = ("working", "short_term", "long_term", "shared")


@pytest.fixture
def here(memory: AsyncMemory) -> AsyncScoped:
    return memory.scope(tenant="acme", user="alice", conversation="c")


async def test_a_read_takes_the_nearest_stratum(here: AsyncScoped) -> None:
    pool = await here.pools.create("sprint")
    for stratum in STRATA:
        made = await here.router.write(
            "harbour", {"in": stratum}, stratum, pool=pool.id if stratum == "shared" else None
        )
        assert (made.stratum, made.value, made.pool) == (
            stratum, {"in": stratum}, pool.id if stratum == "shared" else None,
        )  # fmt: skip
    for stratum in STRATA:
        assert (await here.router.read("harbour")).stratum == stratum
        found = await here.router.read("harbour", stratum=stratum)
        assert found.value == {"in": stratum}
        if stratum == "working":
            await here.working().delete("harbour")
        elif stratum == "short_term":
            await here.entries.delete("harbour")
        elif found.id:
            await here.forget(record=found.id)
    await here.pools.write(pool.id, None, {})
    with pytest.raises(NotFoundError, match="working or short_term or long_term or shared"):
        await here.router.read("harbour")
    for stratum in STRATA:
        with pytest.raises(NotFoundError, match=f"'harbour' here, in {stratum} memory"):
            await here.router.read("harbour", stratum=stratum)
