"""Questions with the signals of all their candidates, as recall computes them: the training data of `evals.learn`."""

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evals.retrieval import after
from evals.worlds import Question, World
from memoranda.core.base.scope import Scope
from memoranda.core.recall.scoring import recency, signal_values
from memoranda.core.recall.signals import CONTEXT, SIGNALS
from memoranda.core.rows import Event
from memoranda.core.rows.columns import Floats
from memoranda.core.strata.working import Limits
from memoranda.core.text.terms import Analyzer, estimate_tokens
from memoranda.flows.governance.transfer import import_conversations
from memoranda.flows.recall.looking import Ask, Found, Timer, look
from memoranda.flows.runtime.images import Partitions
from memoranda.flows.runtime.journal import Journal
from memoranda.flows.runtime.leases import Leases
from memoranda.flows.runtime.ledger import Ledger
from memoranda.flows.runtime.runtime import Runtime, Settings
from memoranda.flows.runtime.working_cells import Desks
from memoranda.models import open_embedder
from memoranda.models.stemmer import stem
from memoranda.ports import Embedder, Space
from memoranda.stores import open_store
from memoranda.stores.dict_cache import DictCache
from memoranda.system import random_bytes, time_ordered, utc_now
from memoranda.templates import rendered

NAMES = (*SIGNALS, *CONTEXT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question.

    Attributes:
        seen: whether vectors were used.
        values: the signals `NAMES` of each candidate, one row each.
        relevant: which candidates are evidence; `gold`: how many pieces of evidence there are in all.
        tokens, tie, recency, named: values of each candidate; `talks`: its conversation.
        arms: by arm, which candidates it proposed.
    """

    set: str
    world: str
    category: str
    seen: bool
    gold: int
    values: Floats
    relevant: NDArray[np.bool_]
    tokens: NDArray[np.int64]
    tie: NDArray[np.uint32]
    recency: Floats
    named: Floats
    talks: tuple[str | None, ...]
    arms: Mapping[str, NDArray[np.bool_]]


class Kept:
    """An embedder whose vectors are kept in a folder between runs."""

    def __init__(self, spec: str, folder: Path) -> None:
        embedder = open_embedder(spec)
        if embedder is None:
            raise SystemExit("The learner needs an embedder: questions without vectors are made by leaving them out.")
        self._embedder: Embedder = embedder
        self._file = folder / f"{hashlib.sha256(embedder.space.name.encode()).hexdigest()[:12]}.npz"
        self._known: dict[bytes, Floats] = {}
        if self._file.exists():
            with np.load(self._file) as kept:
                self._known = dict(zip(map(bytes, kept["keys"]), kept["vectors"], strict=True))
        self._size = len(self._known)

    @property
    def space(self) -> Space:
        """The space of the wrapped embedder."""
        return self._embedder.space

    async def embed(self, texts: Sequence[str]) -> Floats:
        """Return one unit vector per text."""
        keys = [_key(text) for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if missing:
            self._known.update(zip(missing, await self._embedder.embed(list(missing.values())), strict=True))
        return np.array([self._known[key] for key in keys], np.float32).reshape(len(keys), self.space.dimension)

    def clear(self) -> None:
        """Discard all vectors."""
        self._known.clear()

    async def close(self) -> None:
        """Do nothing: the embedder is shared and stays open."""

    def missing(self, texts: Sequence[str]) -> list[str]:
        """Return the texts without a kept vector, each once."""
        return [text for text in dict.fromkeys(texts) if _key(text) not in self._known]

    def save(self) -> None:
        """Write the vectors to the folder if there are new ones."""
        if len(self._known) > self._size:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            keys = np.array([np.frombuffer(key, np.uint8) for key in self._known])
            np.savez(self._file, keys=keys, vectors=np.array(list(self._known.values()), np.float32))
            self._size = len(self._known)


def _key(text: str) -> bytes:
    return hashlib.sha1(text.encode(), usedforsecurity=False).digest()


def asked(name: str, world: World, embedder: Kept) -> list[Asked]:
    """Return every question of a world twice: with vectors and without."""
    return asyncio.run(_asked(name, world, embedder))


async def _asked(name: str, world: World, embedder: Kept) -> list[Asked]:
    store = await open_store(":memory:", durability="relaxed")
    partitions = Partitions(store, embedder.space.name, embedder.space.dimension)
    cache, ids = DictCache(), time_ordered(utc_now)
    journal = Journal(store, partitions)
    runtime = Runtime(
        store=store, embedder=embedder, clock=utc_now, ids=ids, random=random_bytes, analyzer=Analyzer(stem),
        partitions=partitions, journal=journal, ledger=Ledger(store, journal, {}, utc_now, ids),
        desks=Desks(cache, store, utc_now, ids, Limits()), leases=Leases(cache, utc_now, ids),
        rendered=rendered,
        settings=Settings(embed_seconds=86_400.0),  # a day: no vector may be missing, even on a busy machine
    )  # fmt: skip
    scope = Scope(tenant="evals", user=world.name)
    await import_conversations(runtime, scope, world.conversations)
    embedder.save()
    rows = []
    for question in world.questions:
        for seen in (True, False):
            here = runtime if seen else replace(runtime, embedder=None)
            ask = Ask(query=question.text, kinds=frozenset({"turn"}))
            [found] = await look(here, scope, ask, [question.text], after(world), Timer())
            rows.append(await _row(name, world, question, here, scope, found, seen=seen))
    await store.close()
    return rows


async def _row(
    name: str, world: World, question: Question, runtime: Runtime, scope: Scope, found: Found, *, seen: bool
) -> Asked:
    index, numbers = found.partition.index, found.candidates.numbers
    events = await runtime.store.get(Event, scope.owner, [(ref,) for ref in index.named(numbers)])
    own = [event for event in events if event is not None]
    values = signal_values(found.candidates.pool, NAMES)[:-1]
    return Asked(
        set=name, world=world.name, category=question.category, seen=seen, gold=len(question.gold), values=values,
        relevant=np.array([event.metadata["message"] in question.gold for event in own]),
        tokens=np.array([estimate_tokens(event.content) for event in own]),
        tie=np.array(index.columns["tie"][numbers]),
        recency=recency(index.columns["at"][numbers], after(world).timestamp()).astype(np.float32),
        named=found.candidates.named,
        talks=tuple(index.passages[number].conversation for number in numbers.tolist()),
        arms={arm: np.isin(numbers, proposed) for arm, proposed in found.candidates.arms.items()},
    )  # fmt: skip
