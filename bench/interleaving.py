"""Write and read the memory of one user at once, and count what goes wrong: `python -m bench interleaving`.

Three writers and five readers make a fixed number of calls each, in any order the machine comes up with: coroutines of
one process, threads on the blocking face, and two processes with coroutines. Right is: no error; a reader finds what
was acknowledged before it asked, and what it found before, and nothing that nobody has begun to write; every mark of a
context is explained, and every memory that was named exists.

The tests run it with few calls; `tests/interleaving` lets the verbs meet one by one, at every point.
"""

import argparse
import asyncio
import multiprocessing
import re
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, MutableSequence, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from inspect import isawaitable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evals.places import postgres
from evals.report import table

from memoranda import AsyncMemory, Memory
from memoranda.core.recall.results import Context
from memoranda.models.hashed import HashedEmbedder

WRITERS, READERS, PROCESSES = 3, 5, 2
STORES = ("memory", "SQLite", "PostgreSQL")
TENANT = "acme"
_PARCEL = re.compile(r"parcel p(\d)x(\d+)q")
_MARK = re.compile(r"^- \[(m\d+)\]", re.MULTILINE)


@dataclass
class Known:
    """What all know: how many parcels each writer has begun to tell of, and how many were acknowledged."""

    begun: MutableSequence[int] = field(default_factory=lambda: [0] * WRITERS)
    told: MutableSequence[int] = field(default_factory=lambda: [0] * WRITERS)


@dataclass
class Ledger:
    """What happened: calls, what went wrong, and the ids that were named, written, and forgotten."""

    calls: int = 0
    wrong: list[str] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)

    def take(self, other: "Ledger") -> None:
        """Add what another one holds."""
        self.calls += other.calls
        self.wrong += other.wrong
        self.named |= other.named
        self.gone |= other.gone


class Yielding(HashedEmbedder):
    """An embedder that lets others go first, as one beyond a socket does."""

    async def embed(self, texts: Sequence[str]) -> Any:
        """Return one unit vector per text, a few switches later."""
        for _ in range(3):
            await asyncio.sleep(0)
        return await super().embed(texts)


async def _supplied(_: object, query: str) -> str:
    await asyncio.sleep(0)
    return f"Asked: {query}"


async def _answer(call: Any) -> Any:
    """What a call on either face answers."""
    return await call if isawaitable(call) else call


@dataclass
class Actor:
    """A writer or a reader of one scope, on either face."""

    number: int
    scoped: Any
    known: Known
    ledger: Ledger = field(default_factory=Ledger)
    seen: Counter[int] = field(default_factory=Counter)
    doing: str = "write"

    async def act(self, calls: int, step: Callable[["Actor", int], Awaitable[None]]) -> Ledger:
        """Make the calls; whatever goes wrong is put down, and the next is made."""
        for call in range(calls):
            self.ledger.calls += 1
            try:
                await step(self, call)
            except Exception as error:  # noqa: BLE001 - errors of any kind are what is counted
                self.wrong(f"{type(error).__name__}: {error}"[:200])
        return self.ledger

    def wrong(self, what: str) -> None:
        """Put down what is wrong with the call."""
        self.ledger.wrong.append(f"{self.doing}: {what}")


# ------------------------------------------------------------------------------------------------ writers


def _says(*texts: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": text} for text in texts]


async def write(actor: Actor, call: int) -> None:
    """Tell of a parcel every other call; else change something, or forget something nobody else tells of."""
    scoped, number = actor.scoped, actor.number
    if call % 2 == 0:
        actor.known.begun[number] += 1
        parcel = f"The parcel p{number}x{actor.known.begun[number]}q is in Oslo."
        await _answer(scoped.add(_says(parcel, f"I met Ann Berg{call} in Oslo."), conversation=f"w{number}"))
        actor.known.told[number] = actor.known.begun[number]
        return
    match call // 2 % 6:
        case 0:
            scrap = await _answer(scoped.add(_says(f"I live in Scrapham{number}x{call}."), conversation="scrap"))
            actor.ledger.gone |= {*scrap.events, *scrap.records}
            await _answer(scoped.forget(source=scrap.events[0]))
        case 1:
            await _answer(scoped.goals.add(f"Send a parcel to Voss{call}", recall_when=["parcel"]))
        case 2:
            await _answer(scoped.graph.relate(f"Ann Berg{call}", f"Firm{number} Limited", "WORKS_FOR"))
        case 3:
            await _answer(scoped.tools.record("track", {"parcel": call}, "Oslo", task_type="find a parcel"))
        case 4:
            desk = scoped.working(f"desk{number}")
            await _answer(desk.add(_says(f"The kayak {number} of day {call} is red.")))
            await _answer(desk.flush())
        case _:
            await _answer(scoped.observe(f"The depot {number} weighs {call} tons", category="project_details"))


# ------------------------------------------------------------------------------------------------ readers


async def read(actor: Actor, call: int) -> None:
    """Ask for a parcel that must be known by now, or for anything."""
    writer = (call + actor.number) % WRITERS
    due = max(actor.known.told[writer], actor.seen[writer])
    tag = f"parcel p{writer}x{due}q"
    scoped = actor.scoped
    asked = f"Where is the {tag}?" if due else "Where is the parcel?"
    asking: dict[str, Callable[[], Any]] = {
        "recall": lambda: scoped.recall(asked),
        "context host": lambda: scoped.context(asked, conversation="mine", brings={"system": _supplied}, layout="host"),
        "events": lambda: scoped.events(conversation=f"w{writer}", limit=30),
        "context": lambda: scoped.context(asked),
        "router.semantic_search": lambda: scoped.router.semantic_search(asked),
        "recall techniques": lambda: scoped.recall(asked, techniques=("expand", "steps")),
        "why": lambda: scoped.why(asked),
    }
    there = any(actor.known.told)  # before the first parcel is told of, there is no Oslo
    beside: dict[str, Callable[[], Any]] = {
        "graph.find": lambda: scoped.graph.find("berg"),
        "graph.neighbourhood": lambda: scoped.graph.neighbourhood("Oslo") if there else scoped.graph.find("Oslo"),
        "profile": scoped.profile,
        "goals.find": scoped.goals.find,
        "goals.due": lambda: scoped.goals.due("Which parcel is it?"),
        "tools.suggest": lambda: scoped.tools.suggest("find a parcel"),
        "router.stats": scoped.router.stats,
        "channels.list": scoped.channels.list,
        "review.find": scoped.review.find,
        "metrics": scoped.metrics,
    }
    if call % 3 == 2:
        actor.doing = [*beside][call // 3 % len(beside)]
        await _answer(beside[actor.doing]())
        return
    actor.doing = [*asking][(call - call // 3) % len(asking)]
    found = await _answer(asking[actor.doing]())
    shown = repr(found)
    parcels = [(int(who), int(which)) for who, which in _PARCEL.findall(shown)]
    if due and (writer, due) not in parcels:
        actor.wrong("a parcel is missing that was acknowledged or seen before")
    for who, which in parcels:
        actor.seen[who] = max(actor.seen[who], which)
        if which > actor.known.begun[who]:
            actor.wrong("a parcel is shown of which nobody has told")
    if isinstance(found, Context):
        actor.ledger.named |= {*found.citations.values()}
        if {*_MARK.findall(found.text)} != {*found.citations}:
            actor.wrong("marks are not explained, or explained and not there")


# --------------------------------------------------------------------------------------------------- runs


def _crew(scoped: Any, known: Known, share: slice) -> Iterator[tuple[Actor, Callable[[Actor, int], Awaitable[None]]]]:
    """Some of all actors, each with what it does."""
    crew = [*((number, write) for number in range(WRITERS)), *((number, read) for number in range(READERS))]
    for number, step in crew[share]:
        yield Actor(number, scoped, known), step


async def coroutines(url: str, user: str, calls: int, known: Known, share: slice = slice(None)) -> Ledger:
    """All as coroutines on one memory."""
    ledger = Ledger()
    async with await AsyncMemory.open(url, embedder=Yielding(64)) as memory:
        crew = _crew(memory.scope(tenant=TENANT, user=user), known, share)
        for part in await asyncio.gather(*(actor.act(calls, step) for actor, step in crew)):
            ledger.take(part)
    return ledger


def threads(url: str, user: str, calls: int, known: Known) -> Ledger:
    """Each in a thread of its own, on one blocking memory."""
    ledger = Ledger()
    with Memory.open(url, embedder=Yielding(64)) as memory, ThreadPoolExecutor(WRITERS + READERS) as pool:
        crew = [*_crew(memory.scope(tenant=TENANT, user=user), known, slice(None))]
        for part in pool.map(lambda one: asyncio.run(one[0].act(calls, one[1])), crew):
            ledger.take(part)
    return ledger


def processes(url: str, user: str, calls: int, _: Known) -> Ledger:
    """Every second one in a process of its own, as coroutines there."""
    context = multiprocessing.get_context("spawn")
    with context.Manager() as manager, ProcessPoolExecutor(PROCESSES, context) as pool:
        known = Known(manager.list([0] * WRITERS), manager.list([0] * WRITERS))
        shares = [slice(first, None, PROCESSES) for first in range(PROCESSES)]
        ledger = Ledger()
        for part in pool.map(partial(_child, url, user, calls, known), shares):
            ledger.take(part)
    return ledger


def _child(url: str, user: str, calls: int, known: Known, share: slice) -> Ledger:
    return asyncio.run(coroutines(url, user, calls, known, share))


FACES: dict[str, Callable[[str, str, int, Known], Ledger]] = {
    "coroutines": lambda *given: asyncio.run(coroutines(*given)),
    "threads": threads,
    "processes": processes,
}


def run(url: str, face: str, calls: int) -> Ledger:
    """Run all on one face of a store, for a user of that name, `calls` each; check that what was named exists."""
    if face == "processes":
        with Memory.open(url, embedder=Yielding(64)):
            pass  # lays out the store
    ledger = FACES[face](url, face, calls, Known())
    if url != ":memory:":
        ledger.wrong += _nameless(url, face, ledger)
    return ledger


def _nameless(url: str, user: str, ledger: Ledger) -> Iterator[str]:
    with Memory.open(url, embedder=Yielding(64)) as memory:
        rows = [line["row"] for line in memory.scope(tenant=TENANT, user=user, whole=True).export() if "row" in line]
    for name in ledger.named - {row.get("id") for row in rows} - ledger.gone:
        yield f"context: {name} is cited and does not exist"


@contextmanager
def place(store: str) -> Iterator[str]:
    """Yield the URL of an empty store."""
    with TemporaryDirectory(prefix="memoranda-bench-") as folder, ExitStack() as last:
        if store == "PostgreSQL":
            yield last.enter_context(postgres(Path(folder)))
        else:
            yield ":memory:" if store == "memory" else str(Path(folder) / "memory.db")


def main(argv: Sequence[str] | None = None) -> int:
    """Run all faces on all stores, and tell calls and errors of each."""
    parser = argparse.ArgumentParser(
        prog="python -m bench interleaving", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=20_000, help="calls in all")
    parser.add_argument("--only", nargs="+", choices=STORES, default=STORES, help="these stores")
    options = parser.parse_args(argv)
    pairs = [(store, face) for store in options.only for face in FACES if (store, face) != ("memory", "processes")]
    each = max(options.calls // len(pairs) // (WRITERS + READERS), 1)
    rows, failed = [], False
    for store in options.only:
        with place(store) as url:
            for face in (face for name, face in pairs if name == store):
                ledger = run(url, face, each)
                kinds = Counter(re.sub(r"\d+", "N", wrong) for wrong in ledger.wrong)
                told = "; ".join(f"{count} × {kind[:100]}" for kind, count in kinds.most_common(6))
                rows.append([f"{store}, {face}", f"{ledger.calls:,}", f"{len(ledger.wrong):,}", told])
                failed |= bool(ledger.wrong)
                print(rows[-1], file=sys.stderr, flush=True)
    print(table(["store, face", "calls", "wrong", "what"], rows))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
