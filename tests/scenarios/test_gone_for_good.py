"""What was forgotten is gone from every stratum, and nothing brings it back: not its words, no job, no snapshot."""

import json
from collections.abc import Awaitable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from flows.helpers import says
from memoranda import AsyncMemory, AsyncScoped, Settings
from memoranda.core.base.retry_policy import Gating
from memoranda.core.base.schedules import JOBS
from memoranda.errors import MemorandaError
from memoranda.ports import Completion
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

SECRET = ("zyxholm", "Zyxholm", "ZYXHOLM")
SAID = "These days I take care of the lighthouse in Zyxholm with my sister."
WHERE = {"tenant": "acme", "user": "alice"}


class Model:
    """Answers what follows from the lighthouse, whenever it is told of it."""

    name = "test/model"

    async def complete(self, prompt: str, **_: Any) -> Completion:
        told = [line for line in prompt.splitlines() if line[:1].isdigit() and "Zyxholm" in line]
        if not told:
            return Completion(text="{}")
        number = int(told[0].split(".")[0])
        claim = "User takes care of the lighthouse in Zyxholm."
        found = {
            "facts": [{"claim": claim, "certainty": "explicit", "events": [number]}],
            "updated_scaffold": {"work": {"lighthouse": "Zyxholm"}},
            "updated_working_memory": claim,
            "entities": [{"name": "Zyxholm", "type": "place", "events": [number]}],
            "relations": [{"head": "user", "type": "LOCATED_IN", "tail": "Zyxholm", "events": [number]}],
        }
        return Completion(text=json.dumps(found))

    async def close(self) -> None:
        """Nothing to release."""


async def tried(asked: Awaitable[Any]) -> str:
    """What was answered, or the error: both must keep the secret."""
    try:
        return repr(await asked)
    except MemorandaError as error:
        return repr(error)


async def strata(alice: AsyncScoped, bob: AsyncScoped, at: dict[str, str]) -> dict[str, str]:
    """What each stratum tells when it is asked for the secret by name."""
    whole = alice.scope
    asks: dict[str, Awaitable[Any]] = {
        "recall": alice.recall("Who takes care of the lighthouse?", limit=50),
        "profile": alice.profile(),
        "events": alice.events(limit=1_000),
        "why": alice.why("lighthouse", at["record"]),
        "history": alice.history(at["record"]),
        "review": alice.review.find(),
        "working": alice.working("c1").view(),
        "entries": alice.entries.find(),
        "day": alice.entries.day(at["day"]),  # type: ignore[arg-type] # a date
        "goals": alice.goals.find(),
        "entity": alice.graph.entity(at["entity"]),
        "entities": alice.graph.find("z"),
        "strategies": alice.strategies.find("take care of the lighthouse"),
        "tools": alice.tools.calls(),
        "pool": bob.pools.read(at["pool"]),
        "pool history": bob.pools.history(at["pool"]),
        "entries of a collection": bob.collections.entries(at["collection"]),
        "search in it": bob.collections.search(at["collection"], "Who takes care of the lighthouse?"),
        "router": alice.router.semantic_search("Who takes care of the lighthouse?"),
        "context": alice.context("Who takes care of the lighthouse?", conversation="c9"),
    }
    assert not whole.whole
    return {name: await tried(asked) for name, asked in asks.items()}


async def test_thirteen_steps_after_which_it_is_still_gone(tmp_path: Path, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(
        tmp_path / "memory.db", embedder="hashed", clock=clock, ids=SequentialIds(), language_model=Model(),
        settings=Settings(gating=Gating(attempts=1)),
    )  # fmt: skip
    alice, bob = memory.scope(**WHERE), memory.scope(tenant="acme", user="bob")

    # 1 to 3: said, understood, and part of the profile, the narrative and the graph
    [event] = (await alice.add([{"role": "user", "content": SAID, "id": "m1"}], conversation="c1")).events
    done = await memory.consolidate(**WHERE)
    record = next(one.record for one in done.decisions if one.record)
    assert "Zyxholm" in (await alice.profile()).narrative
    assert "Zyxholm" in str((await alice.profile()).plain())

    # 4: a theme of several days, that a pattern stands for
    for number in range(5):
        clock.now += timedelta(days=1)
        await alice.add(
            says("The fog over Zyxholm was thick again, and the lamp had to burn all night."), conversation=f"d{number}"
        )
    assert (await memory.run_job("patterns", **WHERE)).counts["founded"] == 1
    [pattern] = await alice.recall("fog and lamp", kinds=["pattern"])
    assert "Zyxholm" in pattern.text

    # 5: at hand, in a context, in an entry and in what a tool was asked
    await alice.working("c2").add([{"role": "user", "content": "So much for today."}])
    await alice.context("Who takes care of the lighthouse?", conversation="c1")
    await alice.entries.set("draft", f"Mail: {SAID}", sources=[event])

    # 6: shared with bob, in a pool and in a collection, of which there is a snapshot
    pool = await alice.pools.create("lighthouses")
    await alice.pools.share(pool.id, "who", record)
    await alice.pools.grant(pool.id, user="bob")
    collection = await alice.collections.create("lighthouses")
    await alice.collections.share(collection.id, record)
    await alice.collections.grant(collection.id, user="bob")
    snapshot = await alice.collections.snapshot(collection.id, "before")
    at: dict[str, Any] = {
        "record": record, "entity": "Zyxholm", "pool": pool.id, "collection": collection.id, "day": clock().date(),
    }  # fmt: skip
    before = await strata(alice, bob, at)
    assert {"recall", "profile", "events", "entries", "entity", "pool", "entries of a collection"} <= {
        name for name, told in before.items() if any(word in told for word in SECRET)
    }

    # 7: forgotten, by the record and by the pattern, which takes its episodes
    assert (await alice.forget(record=pattern.id)).removed["events"] >= 5
    receipt = await alice.forget(record=record)
    assert receipt.removed["events"] >= 1
    await _gone(memory, alice, bob, at, "forgotten")

    # 8: the same words again, under the same id and by an agent, who adds something
    again = await alice.add([{"role": "user", "content": SAID, "id": "m1"}], conversation="c1")
    other = await alice.add([{"role": "assistant", "content": f"You said: {SAID}"}], conversation="c3")
    assert (again.forgotten, other.forgotten) == (1, 1)
    await _gone(memory, alice, bob, at, "fed again")

    # 9 to 11: consolidated again, and every job run, now and after a year
    await memory.consolidate(**WHERE)
    for later in (timedelta(0), timedelta(days=365)):
        clock.now += later
        for name in JOBS:
            whose: dict[str, Any] = {"tenant": "acme"} if JOBS[name].whole else WHERE
            assert (await memory.run_job(name, **whose)).outcome != "failed"
        await _gone(memory, alice, bob, at, f"every job after {later}")

    # 12: the log read again, and what it comes to put in place
    done = await memory.rebuild(**WHERE, switch=True)
    assert done.switched
    await _gone(memory, alice, bob, at, "rebuilt")

    # 13: the snapshot restored
    await tried(alice.collections.restore(collection.id, snapshot.id))
    await _gone(memory, alice, bob, at, "restored")


async def _gone(memory: AsyncMemory, alice: AsyncScoped, bob: AsyncScoped, at: dict[str, str], when: str) -> None:
    """Nowhere told, nowhere kept: in no stratum asked by name, and in no row of anybody."""
    told = await strata(alice, bob, at)
    asked = {"why", "entity", "history"}  # an error repeats what it was asked for
    names = {name for name, said in told.items() if any(word in said for word in SECRET)} - asked
    assert names == set(), when
    for scoped in (alice, bob, memory.scope(**WHERE, whole=True)):
        rows = [row async for row in scoped.export()]
        kept = [row for row in rows if any(word in json.dumps(row, default=str) for word in SECRET)]
        assert kept == [], when
