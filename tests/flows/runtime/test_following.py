"""An image that followed what was written answers as one that is read anew, whatever was forgotten."""

import json
import re
from collections.abc import Iterable
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from datetime import timedelta
from itertools import chain
from typing import Any

import anyio
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flows.governance.test_rebuild import WHOSE, Ticking, lived
from flows.helpers import OWNER, rows
from memoranda import AsyncMemory, AsyncScoped, Event
from memoranda.core.base.plain import plain
from memoranda.core.base.scope import Scope
from memoranda.core.image.image import HELD, Partition
from memoranda.core.rows import TABLES, Entity, Passage, Relation, Row, Vector, key_of
from memoranda.core.rows.changes import Add, Batch, Change, Drop, Put
from memoranda.errors import NotFoundError
from memoranda.flows.runtime.images import Partitions
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import SequentialIds
from memoranda.testing.samples import STRINGS, key, sample

#: What an image does not know of rows that it was not read from, and what differs because somebody asked before.
APART = re.compile(r'"seq": \d+, |"last_accessed": "[^"]*"')

EVERYWHERE = Scope(tenant="acme", user="alice", whole=True)

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


def read(image: Partition) -> dict[str, Any]:
    """What was read into an image, apart from the order of what came, and the counters of rows it did not read."""
    ends = sorted(f"{number:04d} {text}" for number in range(6) for text in STRINGS)

    def plain_rows(found: Iterable[Row]) -> list[Row]:
        return sorted((replace(row, seq=0) for row in found), key=key_of)

    refs = dict(image.index.numbers.items())
    return {
        "passages": plain_rows(image.index.passages[number] for number in refs.values()),
        "vectors": {ref: image.index.vectors.of(np.array([number], np.int32)).tolist() for ref, number in refs.items()},
        "records": plain_rows(image.records.values()),
        "entities": [end for end in ends if end in image.entities],
        "edges": [plain_rows(image.edges.of(end, EVERYWHERE)) for end in ends],
        "tools": plain_rows(image.tools.values()),
        "tombstones": image.tombstones.since,
    }


@st.composite
def written(draw: st.DrawFn) -> list[Change]:
    """A change to one of a few rows of any kind; a vector comes with its passage, a record has one version."""
    kind: Any = draw(st.sampled_from([*TABLES.values(), *HELD.values(), *HELD.values()]))
    number, verb = draw(st.integers(0, 3)), draw(st.sampled_from([Add, Put, Drop]))
    found: list[Change] = []
    for one in (Passage, Vector) if kind is Passage else (kind,):
        more: dict[str, Any] = {"ref": f"ref{number}"} if one in {Passage, Vector} else {}
        more |= {"space": "space"} if one is Vector else {}
        if one is Relation:
            more |= {"head": key(Entity, number)[0], "tail": key(Entity, number + 1)[0]}
        row = sample(one, OWNER, number, **more)
        found.append(Drop(one, key_of(row)) if verb is Drop or (kind is Vector) else verb(row))
    return found


@settings(max_examples=200)
@given(st.lists(st.lists(written(), min_size=1, max_size=4), max_size=6))
def test_an_image_that_followed_is_one_read_afresh(batches: list[list[list[Change]]]) -> None:
    async def run() -> None:
        store = DictStore()
        partitions, other = Partitions(store, "space", 2), Partitions(store, "space", 2)
        for changes in batches:
            image = await partitions.current(OWNER)
            batch = Batch(owner=OWNER, changes=(*chain.from_iterable(changes),), expect=image.seq)
            partitions.follow(batch, await store.apply(batch))
            fresh = await Partitions(store, "space", 2).current(OWNER)
            assert read(await partitions.current(OWNER)) == read(await other.current(OWNER)) == read(fresh)

    anyio.run(run)


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
