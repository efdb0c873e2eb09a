"""Forgetting that breaks off, wherever it does, has done nothing, or is finished by what runs next; no receipt lies."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from flows.helpers import OWNER, everything, rows, says
from memoranda import AsyncMemory, Event
from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.rows import TABLES, Pool, Receipt, key_of
from memoranda.errors import ConflictError, NotFoundError, StoreUnavailableError
from memoranda.flows.upkeep.finishing import PENDING
from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore
from memoranda.stores.dict_cache import DictCache
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

WORD, SECRET = "zyxwvut", "I work at Zyxwvut Limited in Oslo."
STEPS = 16  # more writes than any of these acts needs


class KilledError(BaseException):
    """The process is gone."""


@dataclass
class Fate:
    """When writes fail, and how: an error, or the end of the process before or after a write."""

    kind: str = ""
    left: int = 1_000

    def before(self) -> None:
        self.left -= 1
        if self.left < 0 and self.kind != "after":
            raise {"error": StoreUnavailableError, "conflict": ConflictError}.get(self.kind, KilledError)("broken off")

    def after(self) -> None:
        if self.left < 0:
            raise KilledError


@dataclass
class Fated:
    """A store or a cache whose writes have a fate."""

    inner: Any
    fate: Fate = field(default_factory=Fate)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def _fated(self, name: str, *args: Any, **names: Any) -> Any:
        self.fate.before()
        done = await getattr(self.inner, name)(*args, **names)
        self.fate.after()
        return done

    async def apply(self, *args: Any) -> Any:
        return await self._fated("apply", *args)

    async def write(self, *args: Any, **names: Any) -> Any:
        return await self._fated("write", *args, **names)


@dataclass
class Home:
    """A user's memory, what is kept of it, and a process that can be replaced."""

    store: Store = field(default_factory=DictStore)
    cache: DictCache = field(default_factory=DictCache)
    clock: FrozenClock = field(default_factory=FrozenClock)

    async def process(self, name: str, fate: Fate) -> AsyncMemory:
        store: Any = Fated(self.store, fate)
        cache: Any = Fated(self.cache, fate)
        return await AsyncMemory.open(store, embedder="none", clock=self.clock, ids=SequentialIds(name), cache=cache)

    async def kept(self, memory: AsyncMemory) -> tuple[str, str]:
        """What is kept of the user's own, and besides, in small letters and without receipts and their marks."""
        desks = memory._runtime.desks
        cells = [(await desks.read(place))[0].shown(None) for place in await desks.places("acme")]
        own = {name: some for name, some in (await everything(self.store)).items() if name != "audit"}
        return repr(own).lower(), repr((await everything(self.store, Owner("acme", SHARED)), cells)).lower()


async def lived(memory: AsyncMemory) -> dict[str, str]:
    """What is named by each target, after the secret was put everywhere."""
    alice = memory.scope(tenant="acme", user="alice")
    made = await alice.add(says(SECRET), conversation="c")
    await alice.add(says("The crab is blue."), conversation="d")
    shelf = await alice.collections.create("shelf")
    [record] = [one.record for one in made.decisions if one.record]
    await alice.collections.share(shelf.id, record)
    pool = await alice.pools.create("pool")
    await memory.scope(tenant="acme", user="alice", conversation="c").pools.write(pool.id, "a", SECRET)
    for name in ("c", "e"):
        desk = alice.working(name)
        await desk.set("k", f"{SECRET} Bring bread.")
        await desk.share_with("clerk", "k")
        await desk.persist()
    return {"source": made.events[0], "record": record, "conversation": "c", "value": "zyxwvut limited"}


TARGETS: dict[str, Callable[[dict[str, str]], dict[str, Any]]] = {
    **{name: lambda named, name=name: {name: named[name]} for name in ("source", "record", "conversation", "value")},
    "everything": lambda _: {"everything": True},
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("how", ["error", "before", "after", "conflict"])
async def test_whatever_breaks_off_is_finished_or_was_not_begun(target: str, how: str) -> None:
    pending, whole = 0, set[str]()
    for step in reversed(range(STEPS)):  # the first ones break nothing off
        home, fate = Home(), Fate()
        memory = await home.process("a", fate)
        named = await lived(memory)
        [crab] = [row.id for row in await rows(home.store, Event) if "crab" in row.content]
        before = await home.kept(memory)
        told = None
        fate.kind, fate.left = how, step
        with suppress(StoreUnavailableError, ConflictError, KilledError):
            told = await memory.scope(tenant="acme", user="alice").forget(**TARGETS[target](named))
        fate.kind, fate.left = "", 1_000
        memory = await home.process("b", fate)
        receipts = await rows(home.store, Receipt)
        if not receipts:
            assert told is None
            assert await home.kept(memory) == before
            continue
        [receipt] = receipts
        await true(home, receipt)
        assert told is None or told.digest == receipt.digest
        pending += PENDING in receipt.remains
        if target in {"value", "conversation"} and PENDING not in receipt.remains:
            assert WORD not in "".join(await home.kept(memory))
        if step % 2 and target != "everything":
            await memory.scope(tenant="acme", user="alice").forget(source=crab)
        else:
            await memory.run_job("promote_short_term", tenant="acme", user="alice")
        [receipt] = [one for one in await rows(home.store, Receipt) if one.id == receipt.id]
        await true(home, receipt)
        assert receipt.remains == ()
        whole.add(repr(receipt.removed))
        assert len(whole) == 1  # it lists the same, wherever that broke off
        own, besides = await home.kept(memory)
        if target in {"value", "conversation"}:
            assert WORD not in own + besides
        if target == "everything":
            assert WORD not in besides.replace("'agent': 'clerk'", "")
        assert f"'{named['record']}'" not in besides  # no copy of it
    assert pending or how == "conflict"  # of which each attempt begins anew


async def true(home: Home, receipt: Receipt) -> None:
    """Whether what a receipt lists is gone, and nothing in it was changed."""
    assert receipt.verify()
    for owner in (OWNER, *([] if PENDING in receipt.remains else [Owner("acme", SHARED)])):
        for name, some in (await everything(home.store, owner)).items():
            assert [row for row in some if receipt.lists(name, *key_of(row))] == []
    assert receipt.items.keys() <= TABLES.keys()


async def test_a_receipt_says_what_may_be_left() -> None:
    home, fate = Home(), Fate()
    memory = await home.process("a", fate)
    named = await lived(memory)
    fate.kind, fate.left = "error", 2
    alice = memory.scope(tenant="acme", user="alice")
    receipt = await alice.forget(value="zyxwvut limited")
    assert (receipt.remains, receipt.verify()) == ((PENDING,), True)
    assert WORD in (await home.kept(memory))[1]
    fate.kind, fate.left = "", 1_000
    with pytest.raises(NotFoundError):  # by then, the rest has gone
        await alice.forget(source=named["source"])
    [whole] = await rows(home.store, Receipt)
    assert (whole.id, whole.remains, whole.verify()) == (receipt.id, (), True)
    assert whole.removed["cells"] == 3
    assert WORD not in "".join(await home.kept(memory))


@pytest.mark.parametrize("how", ["error", "before", "after"])
async def test_no_byte_is_left_when_a_receipt_says_so(how: str, tmp_path: Path) -> None:
    pending = 0
    for step in range(8):
        folder = tmp_path / str(step)
        folder.mkdir()
        store = await SqliteStore.open(folder / "memory.db")
        home, fate = Home(store), Fate()
        memory = await home.process("a", fate)
        await lived(memory)
        [pool] = await rows(store, Pool, Owner("acme", SHARED))
        fate.kind, fate.left = how, step
        with suppress(StoreUnavailableError, KilledError):
            await memory.scope(tenant="acme", user="alice").forget(everything=True)
        fate.kind, fate.left = "", 1_000
        memory = await home.process("b", fate)
        for receipt in await rows(store, Receipt):
            pending += PENDING in receipt.remains
            await memory.run_job("promote_short_term", tenant="acme", user="alice")
            [whole] = await rows(store, Receipt)
            assert (whole.remains, whole.lists("pools", pool.id), whole.verify()) == ((), True, True)
            assert [file.name for file in folder.iterdir() if WORD in str(file.read_bytes()).lower()] == []
        await store.close()
    assert pending


@pytest.mark.parametrize("target", ["conversation", "value", "source", "everything"])
async def test_the_same_act_again_finishes_what_broke_off_and_answers_its_receipt(target: str) -> None:
    home, fate = Home(), Fate()
    memory = await home.process("a", fate)
    alice, named = memory.scope(tenant="acme", user="alice"), await lived(memory)
    fate.kind, fate.left = "error", 2
    receipt = await alice.forget(**TARGETS[target](named))
    assert receipt.remains == (PENDING,)
    fate.kind, fate.left = "", 1_000
    again = await alice.forget(**TARGETS[target](named))
    assert (again.id, again.remains, again.verify()) == (receipt.id, (), True)
    with pytest.raises(NotFoundError):
        await alice.forget(**TARGETS[target](named))


@pytest.mark.parametrize("good", [False, True])
async def test_an_act_that_is_now_to_bind_for_good_is_another_one(good: bool) -> None:
    home, fate = Home(), Fate()
    memory = await home.process("a", fate)
    alice = memory.scope(tenant="acme", user="alice")
    await lived(memory)
    fate.kind, fate.left = "error", 2
    await alice.forget(value=WORD, for_good=good)
    fate.kind, fate.left = "", 1_000
    if good:
        assert (await alice.forget(value=WORD, for_good=True)).remains == ()
        return
    with pytest.raises(NotFoundError):
        await alice.forget(value=WORD, for_good=True)


@pytest.mark.parametrize("how", ["error", "before", "after"])
async def test_a_name_that_others_use_loses_the_words_wherever_forgetting_breaks_off(how: str) -> None:
    pending = 0
    for step in range(6):
        home, fate = Home(), Fate()
        memory = await home.process("a", fate)
        alice, bob = (memory.scope(tenant="acme", user=user) for user in ("alice", "bob"))
        pool = await alice.pools.create("Of Zyxwvut Limited", data={"who": "Zyxwvut Limited"})
        await alice.pools.grant(pool.id, "write", user="bob")
        await bob.pools.write(pool.id, "note", "The crab is blue.")
        fate.kind, fate.left = how, step
        with suppress(StoreUnavailableError, KilledError):
            await alice.forget(value="zyxwvut limited")
        fate.kind, fate.left = "", 1_000
        memory = await home.process("b", fate)
        for receipt in await rows(home.store, Receipt):
            pending += PENDING in receipt.remains
            await memory.run_job("promote_short_term", tenant="acme", user="alice")
            [whole] = await rows(home.store, Receipt)
            assert (whole.remains, whole.verify(), whole.removed["names"]) == ((), True, 1)
            assert WORD not in "".join(await home.kept(memory))
            left = await memory.scope(tenant="acme", user="bob").pools.get(pool.id)
            assert left.data["note"] == "The crab is blue."
    assert pending
