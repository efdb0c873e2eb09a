"""Measure what grows: the time for one statement with their number in one `add`, and a `forget` with what is kept.

Processor time for each statement, without an embedder and with the hashed one; the last column is the ratio of the
largest call to the smallest. Fails if that is more than 1.5 where statements do not contradict one another more than
once each.

Then the time to forget one turn, and of the next `add`, in a file with so many turns; medians of wall time.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from evals.report import table

from memoranda import AsyncMemory

RATIO = 1.5
_WORDS = "lamp river stone garden violin report bread train cloud window paper copper".split()
_CALLS = 15
_BEGIN = datetime(2024, 1, 1, tzinfo=UTC)

#: What is said, by the number of the statement.
KINDS: dict[str, Callable[[int], str]] = {
    "distinct": lambda n: f"I like {_WORDS[n % 12]}{n} {_WORDS[n * 7 % 12]}s.",
    "the same": lambda _: "I like green tea.",
    "each ends the last": lambda n: f"I live in Town{n}.",
    "about others": lambda n: f"My friend Tom{n} lives in Oslo.",
    "affirmed, denied": lambda n: f"I {'do not ' * (n % 2)}like {_WORDS[n // 2 % 12]}{n // 2}.",
    "corrected": lambda n: (f"I work at Acme{n}.", f"Actually, I meant Bolt{n}.")[n % 2],
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the measurement and print it."""
    parser = argparse.ArgumentParser(
        prog="python -m bench growth", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1_000, 10_000], help="statements in one call")
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=list(KINDS), help="what is said")
    parser.add_argument("--kept", type=int, nargs="*", default=[1_000, 20_000], help="turns when one is forgotten")
    options = parser.parse_args(argv)
    rows, worst = [], 0.0
    for embedder in ("none", "hashed"):
        for kind in options.kinds:
            asyncio.run(_added(KINDS[kind], 50, embedder))  # compiles what is compiled on first use
            each = [1e6 * asyncio.run(_added(KINDS[kind], size, embedder)) for size in sorted(options.sizes)]
            worst = max(worst, each[-1] / each[0])
            rows.append([kind, embedder, *(f"{one:,.0f}" for one in each), f"{each[-1] / each[0]:.2f}"])
    print(table(["statements", "embedder", *(f"{size:,} µs" for size in sorted(options.sizes)), "ratio"], rows))
    kept = [[f"{size:,}", *map("{:.1f}".format, asyncio.run(_forgotten(size)))] for size in sorted(options.kept)]
    if kept:
        print(table(["turns", "forget one, ms", "the next add, ms"], kept))
    return int(worst > RATIO)


async def _added(said: Callable[[int], str], size: int, embedder: str) -> float:
    """Return the seconds of processor time for each of `size` statements, at best of three calls if there are few."""
    messages = [
        {"role": "user", "content": said(number), "at": _BEGIN + timedelta(hours=number)} for number in range(size)
    ]
    best = float("inf")
    for _ in range(3 if size <= 1_000 else 1):
        async with await AsyncMemory.open(embedder=embedder) as memory:
            alice = memory.scope(tenant="acme", user="alice")
            begun = time.process_time()
            await alice.add(messages, conversation="c")
            best = min(best, (time.process_time() - begun) / size)
    return best


async def _forgotten(size: int) -> tuple[float, float]:
    """Return the milliseconds to forget one turn of `size`, and of the `add` after it."""
    times: list[tuple[float, float]] = []
    with TemporaryDirectory() as folder:
        async with await AsyncMemory.open(Path(folder, "memory.db"), embedder="none") as memory:
            alice = memory.scope(tenant="acme", user="alice")
            turns: list[str] = []
            for first in range(0, size, 500):
                said = [{"role": "user", "content": KINDS["about others"](n)} for n in range(first, first + 500)]
                turns += (await alice.add(said, conversation=f"c{first}")).events
            for number, turn in enumerate(turns[: 20 * _CALLS : 20]):
                begun = time.perf_counter()
                await alice.forget(source=turn)
                gone = time.perf_counter()
                await alice.add([{"role": "user", "content": KINDS["distinct"](number)}])
                times.append((1e3 * (gone - begun), 1e3 * (time.perf_counter() - gone)))
    forgets, adds = zip(*times, strict=True)
    return median(forgets), median(adds)


if __name__ == "__main__":
    sys.exit(main())
