"""Measure how the time for one statement grows with the number of statements in one call of `add`.

Processor time for each statement, without an embedder and with the hashed one; the last column is the ratio of the
largest call to the smallest. Fails if that is more than 1.5 where statements do not contradict one another more than
once each.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from evals.report import table

from memstrata import AsyncMemory

RATIO = 1.5
_WORDS = "lamp river stone garden violin report bread train cloud window paper copper".split()
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
    options = parser.parse_args(argv)
    rows, worst = [], 0.0
    for embedder in ("none", "hashed"):
        for kind in options.kinds:
            asyncio.run(_added(KINDS[kind], 50, embedder))  # compiles what is compiled on first use
            each = [1e6 * asyncio.run(_added(KINDS[kind], size, embedder)) for size in sorted(options.sizes)]
            worst = max(worst, each[-1] / each[0])
            rows.append([kind, embedder, *(f"{one:,.0f}" for one in each), f"{each[-1] / each[0]:.2f}"])
    print(table(["statements", "embedder", *(f"{size:,} µs" for size in sorted(options.sizes)), "ratio"], rows))
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


if __name__ == "__main__":
    sys.exit(main())
