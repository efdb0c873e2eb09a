"""Measure a server under load: `python -m bench load`. PostgreSQL, and `memoranda serve` in front of it.

Each user has a history first. Then clients ask without a pause, each one request after another (closed loop): contexts,
recalls, adds and a few other calls, of users drawn at random. Contexts, recalls and adds are half, a third and a fifth;
as that is more than a whole, they are so in proportion, and 3 % are other calls. The first request of a user, which
reads the user's memory from the database, is counted apart (`first`). The generator runs in this process and takes a
share of the machine; figures are of server and generator together.
"""

import argparse
import asyncio
import os
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx2
from evals.metrics import percentile
from evals.places import postgres
from evals.report import save, table

from bench.served import Served, served
from bench.utterances import turns as generated
from memoranda import AsyncMemory

#: What is asked, how often in 64 requests, and how.
_MIX: dict[str, tuple[int, str, Callable[[str], dict[str, Any]]]] = {
    "context": (30, "context", lambda text: {"query": text, "budget": 1_000}),
    "recall": (20, "recall", lambda text: {"query": text, "limit": 10}),
    "add": (12, "messages", lambda text: {"messages": [{"role": "user", "content": text}], "conversation": "now"}),
    "observe": (1, "observations", lambda text: {"content": text}),
    "goal": (1, "goals", lambda text: {"text": text}),
}


@dataclass
class Counts:
    """What was measured: milliseconds by what was asked, errors by what they were."""

    times: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and write its report."""
    parser = argparse.ArgumentParser(
        prog="python -m bench load", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--users", type=int, default=1_000)
    parser.add_argument("--turns", type=int, default=100, help="of each user")
    parser.add_argument("--clients", type=int, default=8, help="that ask at a time")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--requests", type=int, default=0, help="asked at least, however long it takes")
    parser.add_argument("--embedder", default="none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("out/bench"))
    options = parser.parse_args(argv)
    with TemporaryDirectory(prefix="memoranda-bench-") as folder, postgres(Path(folder)) as uri:
        begun = time.perf_counter()
        asyncio.run(_seed(uri, options))
        seeded = time.perf_counter() - begun
        with served(uri, "--embedder", options.embedder) as server:
            fresh = server.rss
            counts, took = asyncio.run(_load(server, options))
            memory = {"fresh": fresh, "after": server.rss, "peak": server.peak}
    report = {
        "users": options.users, "turns": options.turns, "clients": options.clients, "cores": os.cpu_count(),
        "seeding s": seeded, "start s": server.seconds, "RSS MB": memory, "errors": dict(counts.errors),
        "calls": dict(_figures(counts, took)),
    }  # fmt: skip
    rows = [[name, *(one[column] for column in ("requests", "per second", "p50", "p95", "p99"))]
            for name, one in report["calls"].items()]  # fmt: skip
    print(table(["call", "requests", "per second", "p50 ms", "p95 ms", "p99 ms"], rows))
    print(f"\n{options.users:,} users of {options.turns} turns, seeded in {seeded:.0f} s; {options.clients} clients.")
    resident = ", ".join(f"{name} {value:.0f}" for name, value in memory.items())
    print(f"errors: {dict(counts.errors) or 'none'}; RSS of the server, MB: {resident}")
    print(f"Figures: {save(options.out, 'load', report)}")
    return 0


async def _seed(uri: str, options: argparse.Namespace) -> None:
    """Give each user a history of its own, of two conversations."""
    said = generated(options.seed)
    async with await AsyncMemory.open(uri, embedder=options.embedder) as memory:
        for number in range(options.users):
            user = memory.scope(tenant="local", user=f"u{number}")
            some = [{"role": one.role, "content": one.text} for one in islice(said, options.turns)]
            half = len(some) // 2
            for name, part in (("first", some[:half]), ("second", some[half:])):
                await user.add(part, conversation=name)


async def _load(server: Served, options: argparse.Namespace) -> tuple[Counts, float]:
    """Ask until the time is up and enough is asked; returns what was measured, and the seconds."""
    counts, met, asked = Counts(), set[str](), count()
    begun = time.perf_counter()
    headers = {"Authorization": f"Bearer {server.key}"}
    limits = httpx2.Limits(max_connections=options.clients)

    async def one(number: int) -> None:
        chance, said = random.Random(f"{options.seed}/{number}"), generated(options.seed + 1 + number)
        shares = [share for share, *_ in _MIX.values()]
        while next(asked) < options.requests or time.perf_counter() - begun < options.seconds:
            [name] = chance.choices([*_MIX], shares)
            user, text = f"u{chance.randrange(options.users)}", next(said).text
            _, path, body = _MIX[name]
            kind = name if user in met else "first"
            met.add(user)
            start = time.perf_counter()
            try:
                answer = await line.post(f"/v1/users/{user}/{path}", json=body(text))
                answer.raise_for_status()
            except httpx2.HTTPError as error:
                told = getattr(error, "response", None)
                counts.errors[f"{name}: {told.status_code if told is not None else type(error).__name__}"] += 1
            else:
                counts.times[kind].append((time.perf_counter() - start) * 1e3)

    async with httpx2.AsyncClient(base_url=server.address, headers=headers, limits=limits, timeout=60) as line:
        await asyncio.gather(*map(one, range(options.clients)))
    return counts, time.perf_counter() - begun


def _figures(counts: Counts, took: float) -> Iterator[tuple[str, dict[str, Any]]]:
    every = [one for found in counts.times.values() for one in found]
    for name, found in (("all", every), *((name, counts.times[name]) for name in (*_MIX, "first"))):
        shares = {f"p{share}": percentile(found, share) for share in (50, 95, 99)}
        yield name, {"requests": len(found), "per second": len(found) / took, **shares}


if __name__ == "__main__":
    raise SystemExit(main())
