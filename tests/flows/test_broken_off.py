"""Forgetting that breaks off, wherever it does, has done nothing, or is finished by what runs next; no receipt lies."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest

from flows.helpers import OWNER, everything, rows, says
from memstrata import AsyncMemory, Event
from memstrata.core.rows import TABLES, Receipt, key_of
from memstrata.core.scope import SHARED, Owner
from memstrata.errors import ConflictError, NotFoundError, StoreUnavailableError
from memstrata.flows.finishing import PENDING
from memstrata.stores.dict_ import DictStore
from memstrata.stores.dict_cache import DictCache
from memstrata.testing.fakes import FrozenClock, SequentialIds

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

    store: DictStore = field(default_factory=DictStore)
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
    pending = 0
    for step in range(STEPS):
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
    for owner in (OWNER, Owner("acme", SHARED)):
        for name, some in (await everything(home.store, owner)).items():
            assert [row for row in some if receipt.lists(name, *key_of(row))] == []
    assert receipt.items.keys() <= TABLES.keys()


async def test_what_is_left_is_not_said_to_be_gone() -> None:
    home, fate = Home(), Fate()
    memory = await home.process("a", fate)
    named = await lived(memory)
    fate.kind, fate.left = "error", 2
    alice = memory.scope(tenant="acme", user="alice")
    receipt = await alice.forget(value="zyxwvut limited")
    assert (receipt.remains, receipt.verify(), "cells" in receipt.removed) == ((PENDING,), True, False)
    assert WORD in (await home.kept(memory))[1]
    fate.kind, fate.left = "", 1_000
    with pytest.raises(NotFoundError):  # by then, the rest has gone
        await alice.forget(source=named["source"])
    [whole] = await rows(home.store, Receipt)
    assert (whole.id, whole.remains, whole.verify()) == (receipt.id, (), True)
    assert whole.removed["cells"] == 3
    assert WORD not in "".join(await home.kept(memory))
