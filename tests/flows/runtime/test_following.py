"""An image that followed what was written answers as one that is read anew, whatever was forgotten."""

import json
import re
from contextlib import suppress
from copy import deepcopy
from datetime import timedelta
from typing import Any

import pytest

from flows.governance.test_rebuild import WHOSE, Ticking, lived
from flows.helpers import OWNER, rows
from memoranda import AsyncMemory, AsyncScoped, Event
from memoranda.core.rows import Entity
from memoranda.errors import NotFoundError
from memoranda.flows.governance.transfer import plain
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import SequentialIds

#: What an image does not know of rows that it was not read from, and what differs because somebody asked before.
APART = re.compile(r'"seq": \d+, |"last_accessed": "[^"]*"')

pytestmark = pytest.mark.anyio


async def answers(memory: AsyncMemory, now: Any, names: list[str]) -> dict[str, Any]:
    """What is answered to some questions, with all scores."""
    found: dict[str, Any] = {}
    for whole in (True, False):
        alice: AsyncScoped = memory.scope(**WHOSE, whole=whole)
        for name in ("", "Where do I live?", "What did I decide?", *names):
            query = name or "friend"
            found[f"recall {whole} {name}"] = (await alice.recall(query, limit=40, now=now)).items
            found[f"find {whole} {name}"] = await alice.graph.find(query)
            if not whole:
                found[f"context {name}"] = (await alice.context(query, now=now, budget=2_000)).text
        for name in names:
            with suppress(NotFoundError):
                found[f"entity {whole} {name}"] = await alice.graph.entity(name)
                found[f"around {whole} {name}"] = await alice.graph.neighbourhood(name, depth=3)
                found[f"mentions {whole} {name}"] = await alice.graph.mentions(name)
        found[f"profile {whole}"] = (await alice.profile(now=now)).plain()
        found[f"goals {whole}"] = await alice.goals.find()
        found[f"strategies {whole}"] = await alice.strategies.find("a trip")
        found[f"tools {whole}"] = await alice.tools.stats()
        found[f"review {whole}"] = await alice.review.find()
        found[f"search {whole}"] = await alice.router.semantic_search("friend", limit=40)
    return {name: APART.sub("", json.dumps(plain(one), default=repr)) for name, one in found.items()}


async def compared(memory: AsyncMemory, store: DictStore, clock: Ticking) -> None:
    """Ask the memory that lived, and one over a copy of its store that has seen nothing."""
    now = clock.now + timedelta(days=1)
    await memory.scope(**WHOSE).events(limit=1)
    await memory._runtime.journal.settle()
    await memory._runtime.partitions.uses.settle(OWNER)  # what is counted and not written yet
    names = [row.name for row in await rows(store, Entity)][:6]
    fresh = await AsyncMemory.open(deepcopy(store), embedder="hashed", clock=deepcopy(clock), ids=SequentialIds("n"))
    mine, anew = await answers(memory, now, names), await answers(fresh, now, names)
    assert [name for name, one in mine.items() if one != anew.get(name)] == []


@pytest.mark.parametrize("seed", range(400, 406))
async def test_answers_are_those_of_a_fresh_image_after_any_history(seed: int) -> None:
    store, clock = DictStore(), Ticking()
    memory = await lived(
        store, clock, seed, "flag_review" if seed % 3 == 0 else "prefer_new", forget=2, review=2, describe=2
    )
    await compared(memory, store, clock)
    for event in (await rows(store, Event))[::9]:
        with suppress(NotFoundError):  # it went with another
            await memory.scope(**WHOSE, whole=True).forget(source=event.id)
        await compared(memory, store, clock)
