"""Keys: shown once, stored hashed, pinned, replaced, revoked."""

from datetime import timedelta

import pytest

from flows.helpers import rows
from memoranda import AsyncMemory
from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.rows import ApiKey
from memoranda.errors import InputError, NotFoundError
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio


async def test_a_key_is_shown_once_and_stored_hashed(memory: AsyncMemory, store: Store, clock: FrozenClock) -> None:
    made = await memory.keys.create(tenant="acme", user="alice", rights=["write", "read"], name="inbox")
    [row] = await rows(store, ApiKey, Owner("acme", SHARED))
    secret = made.secret.rpartition(".")[2]
    assert len(secret) == 43  # 256 bits
    assert secret not in repr(row)
    assert (made.key.rights, made.key.user, made.key.used_at) == (("read", "write"), "alice", None)
    found = await memory.keys.check(secret=made.secret)
    assert found == made.key
    [listed] = await memory.keys.list(tenant="acme")
    assert listed.used_at == clock()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda _: "",
        lambda secret: secret[:-1],
        lambda secret: secret + "x",
        lambda secret: secret.rpartition(".")[0] + ".",
        lambda secret: secret.replace("YWNtZQ", "b3RoZXI"),  # another tenant's name
        lambda secret: secret.replace("YWNtZQ", "_w"),  # no text
        lambda secret: secret.replace("YWNtZQ", "ä"),
        lambda secret: secret.replace("mra_", "mra_."),
        lambda _: "mra_YWNtZQ",
        lambda secret: secret + "\ud800",
    ],
)
async def test_what_is_no_key_opens_nothing(memory: AsyncMemory, spoil: object) -> None:
    made = await memory.keys.create(tenant="acme")
    assert await memory.keys.check(secret=spoil(made.secret)) is None  # type: ignore[operator]


async def test_a_key_ends(memory: AsyncMemory, clock: FrozenClock) -> None:
    short = await memory.keys.create(tenant="acme", seconds=60)
    lasting = await memory.keys.create(tenant="acme")
    clock.now += timedelta(seconds=60)
    assert await memory.keys.check(secret=short.secret) is None
    revoked = await memory.keys.revoke(tenant="acme", key=lasting.key.id)
    assert revoked.revoked_at == clock()
    assert await memory.keys.check(secret=lasting.secret) is None
    for key in (short.key.id, lasting.key.id, "none"):
        with pytest.raises(NotFoundError, match="There is no valid key"):
            await memory.keys.revoke(tenant="acme", key=key)
    with pytest.raises(NotFoundError):
        await memory.keys.rotate(tenant="other", key=short.key.id)


async def test_a_key_is_replaced(memory: AsyncMemory, clock: FrozenClock) -> None:
    old = await memory.keys.create(tenant="acme", agent="planner", team="crew", rights=["read"], name="inbox")
    new = await memory.keys.rotate(tenant="acme", key=old.key.id, seconds=60)
    assert (new.key.agent, new.key.team, new.key.rights, new.key.name) == ("planner", "crew", ("read",), "inbox")
    assert await memory.keys.check(secret=old.secret)
    clock.now += timedelta(seconds=61)
    assert await memory.keys.check(secret=old.secret) is None
    assert await memory.keys.check(secret=new.secret)


async def test_a_key_that_ends_sooner_is_not_prolonged(memory: AsyncMemory, clock: FrozenClock) -> None:
    old = await memory.keys.create(tenant="acme", seconds=10)
    await memory.keys.rotate(tenant="acme", key=old.key.id, seconds=60)
    clock.now += timedelta(seconds=11)
    assert await memory.keys.check(secret=old.secret) is None


async def test_uses_are_noted_once_a_minute(memory: AsyncMemory, clock: FrozenClock) -> None:
    made = await memory.keys.create(tenant="acme")
    for seconds in (0, 59, 2):
        clock.now += timedelta(seconds=seconds)
        await memory.keys.check(secret=made.secret)
    [key] = await memory.keys.list(tenant="acme")
    assert key.used_at == clock()


async def test_an_unknown_right_is_refused(memory: AsyncMemory) -> None:
    with pytest.raises(InputError, match="a right is 'root'; give one of read, write"):
        await memory.keys.create(tenant="acme", rights=["root"])
