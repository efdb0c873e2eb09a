"""Measure what the HTTP door costs over the library, in one run: `python -m bench doors`.

The same user with the same turns lies in two SQLite files: one is open in this process (`AsyncMemory`), the other
behind `memoranda serve`, which is asked over one connection. Each call is made in the one and then in the other, so
that what else the machine does falls on both; there is no embedder, whose time would be the same. `nothing` is
`/healthz`: the connection and the routing alone. Printed is also how long the server takes from its start until it
says that it is ready.
"""

import argparse
import asyncio
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evals.metrics import percentile
from evals.report import save, table

from bench.served import Line, Served, served
from bench.utterances import turns as generated
from memoranda import AsyncMemory, AsyncScoped

_USER = "/v1/users/one"
_SEEDED = 50  # turns in each call that fills the stores


class Times:
    """The milliseconds of calls, by what was called and where."""

    def __init__(self) -> None:
        self.found: defaultdict[tuple[str, str], list[float]] = defaultdict(list)

    @contextmanager
    def of(self, what: str, where: str) -> Iterator[None]:
        """Time what happens inside."""
        begun = time.perf_counter()
        yield
        self.found[what, where].append((time.perf_counter() - begun) * 1e3)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and write its report."""
    parser = argparse.ArgumentParser(
        prog="python -m bench doors", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=2_000, help="in the store before the first call")
    parser.add_argument("--calls", type=int, default=300, help="of each kind, in each place")
    parser.add_argument("--out", type=Path, default=Path("out/bench"))
    options = parser.parse_args(argv)
    with TemporaryDirectory(prefix="memoranda-bench-") as folder:
        with served(str(Path(folder) / "usual.db")) as server:
            usual = server.seconds
        with served(str(Path(folder) / "http.db"), "--embedder", "none") as server:
            times = asyncio.run(_measured(server, str(Path(folder) / "library.db"), options.turns, options.calls))
        report: dict[str, Any] = {"start s": usual, "start s, no embedder": server.seconds, "calls": _figures(times)}
    print(table(["call", "library p50, p95 ms", "HTTP p50, p95 ms", "difference of p50 ms"], _rows(report["calls"])))
    print(f"\n`memoranda serve` was ready {usual:.1f} s after its start, without an embedder {server.seconds:.1f} s.")
    print(f"Figures: {save(options.out, 'doors', report)}")
    return 0


async def _measured(server: Served, place: str, turns: int, calls: int) -> Times:
    times, said = Times(), ({"role": one.role, "content": one.text} for one in generated())
    async with await AsyncMemory.open(place, embedder="none") as memory:
        own = memory.scope(tenant="local", user="one")
        with Line(server) as line:
            for _ in range(-(-turns // _SEEDED)):
                some = [*islice(said, _SEEDED)]
                await own.add(some, conversation="seed")
                line.call(f"{_USER}/messages", {"messages": some, "conversation": "seed"})
            for number in range(-10, calls):
                found = times if number >= 0 else Times()  # the first ones warm up
                await _round(found, own, line, next(said), next(said)["content"])
    return times


async def _round(times: Times, own: AsyncScoped, line: Line, message: Any, query: str) -> None:
    with times.of("recall", "library"):
        await own.recall(query, limit=10)
    with times.of("recall", "HTTP"):
        line.call(f"{_USER}/recall", {"query": query, "limit": 10})
    with times.of("add", "library"):
        await own.add([message], conversation="c1")
    with times.of("add", "HTTP"):
        line.call(f"{_USER}/messages", {"messages": [message], "conversation": "c1"})
    with times.of("nothing", "HTTP"):
        line.call("/healthz")


def _figures(times: Times) -> dict[str, Any]:
    return {
        f"{what}, {where}": {f"p{share}": percentile(found, share) for share in (50, 95)}
        for (what, where), found in times.found.items()
    }


def _rows(calls: dict[str, Any]) -> Iterator[list[str]]:
    for what in ("recall", "add", "nothing"):
        library, door = calls.get(f"{what}, library"), calls[f"{what}, HTTP"]
        shown = [f"{one['p50']:.2f}, {one['p95']:.2f}" if one else "" for one in (library, door)]
        yield [what, *shown, f"{door['p50'] - (library['p50'] if library else 0):.2f}"]


if __name__ == "__main__":
    raise SystemExit(main())
