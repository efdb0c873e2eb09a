"""Measure workers that share the consolidation of many users: `python -m bench.jobs`.

Two worker processes without a queue share one SQLite file, and four with the queue share PostgreSQL. Every user has a
few unprocessed turns. The language model is scripted, takes some time per call, and counts its calls. Each turn must
be processed exactly once: marked, and covered by one consolidation, with one call per batch. Workers start once all
have loaded what they need.

    lag        from the start of the workers until a turn is processed
    turns/s    all turns, over the time until the last is processed
"""

import argparse
import asyncio
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evals.metrics import percentile
from evals.places import postgres
from evals.report import save, table

from memoranda import AsyncMemory
from memoranda.ports import Completion

TENANT = "acme"
_OBSERVED = re.compile(r'^(\d+)\. \[.*\] "(.*) is mine to look after\."$', re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class Load:
    """The workload: users, turns per user, and seconds the model takes for a batch."""

    users: int = 200
    turns: int = 5
    latency: float = 0.05


class Scripted:
    """A language model that makes a fact of each observation, and counts its calls."""

    name = "bench/scripted"

    def __init__(self, latency: float = 0.0, asked: Callable[[], object] = lambda: None) -> None:
        self.latency = latency
        self.asked = asked
        self.calls = 0

    async def complete(self, prompt: str, **_: Any) -> Completion:
        """Return a fact for each matching line of the prompt."""
        self.calls += 1
        self.asked()
        await asyncio.sleep(self.latency)
        facts = [{"claim": f"User looks after {what}.", "events": [int(n)]} for n, what in _OBSERVED.findall(prompt)]
        return Completion(text=json.dumps({"facts": facts}), model="scripted-1")

    async def close(self) -> None:
        """Nothing to release."""


def start(url: str, load: Load, *, queue: bool) -> subprocess.Popen[str]:
    """Start a worker in its own process; it loads, then waits for a line on standard input before it works."""
    command = [sys.executable, "-m", "bench.jobs", "--child", url, "--latency", str(load.latency)]
    command += ["--queue"] if queue else []
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def let_go(worker: subprocess.Popen[str]) -> None:
    """Tell a worker to begin."""
    assert worker.stdin is not None
    worker.stdin.write("go\n")
    worker.stdin.flush()


async def fill(url: str, load: Load) -> None:
    """Add unprocessed turns for each user."""
    async with await AsyncMemory.open(url, embedder="none") as memory:
        for user in range(load.users):
            said = [
                {"role": "user", "content": f"The harbour of the {turn}th island is mine to look after."}
                for turn in range(load.turns)
            ]
            await memory.scope(tenant=TENANT, user=f"user{user:04d}").add(said, conversation="c")


async def child(url: str, latency: float, *, queue: bool) -> None:
    """Run one worker: report ready, wait for a line, work until nothing is due, print the result."""
    await _warm()
    model = Scripted(latency, lambda: print("asked", flush=True))
    async with await AsyncMemory.open(url, embedder="none", language_model=model) as memory:
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        done = await memory.work(tenants=[TENANT], jobs=["consolidate"], once=True, queue=queue)
        print(json.dumps({"calls": model.calls, **asdict(done)}), flush=True)


async def _warm() -> None:
    """Consolidate once in memory, so that everything consolidation needs is loaded."""
    async with await AsyncMemory.open(":memory:", embedder="none", language_model=Scripted()) as memory:
        said = [{"role": "user", "content": "The boat is mine to look after."}]
        await memory.scope(tenant=TENANT, user="nobody").add(said, conversation="c")
        await memory.consolidate(tenant=TENANT)


def run(url: str, workers: int, load: Load, *, queue: bool) -> dict[str, Any]:
    """Fill a memory, let `workers` processes work on it, and return the results."""
    asyncio.run(fill(url, load))
    started = [start(url, load, queue=queue) for _ in range(workers)]
    for one in started:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    begun = datetime.now(UTC)
    for one in started:
        let_go(one)
    answers = []
    for one in started:
        out, _ = one.communicate()
        assert one.returncode == 0
        answers.append(json.loads(out.splitlines()[-1]))
    return {"workers": answers, **asyncio.run(found(url, load, begun))}


async def found(url: str, load: Load, begun: datetime) -> dict[str, Any]:
    """Read from the memory how the turns were processed, and when."""
    lags: list[float] = []
    covered: Counter[int] = Counter()
    consolidations = 0
    async with await AsyncMemory.open(url, embedder="none") as memory:
        for user in range(load.users):
            scope = memory.scope(tenant=TENANT, user=f"user{user:04d}", whole=True)
            events = [row["row"] async for row in scope.export() if row.get("kind") == "events"]
            turns = {event["id"]: event for event in events if event["kind"] == "turn"}
            made = [event for event in events if event["kind"] == "consolidation"]
            rests = Counter(one for event in made for item in event["metadata"]["items"] for one in item["events"])
            covered.update(rests[one] for one in turns)
            consolidations += len(made)
            lags += [
                (datetime.fromisoformat(event["processed_at"]) - begun).total_seconds()
                for event in turns.values()
                if event["processed_at"] is not None
            ]
    took = max(lags, default=0.0)
    return {
        "turns": load.users * load.turns,
        "taken in": len(lags),
        "covered": dict(covered),
        "consolidations": consolidations,
        "seconds": took,
        "turns/s": len(lags) / took if took else 0.0,
        "lag": {f"p{share}": percentile(lags, share) for share in (50, 95, 100)} if lags else {},
    }


def faults(report: Mapping[str, Any], load: Load) -> list[str]:
    """List how a run falls short of processing each turn exactly once."""
    calls = sum(one["calls"] for one in report["workers"])
    failed = sum(one["failed"] for one in report["workers"])
    wanted = {
        "turns taken in": (report["taken in"], load.users * load.turns),
        "consolidations that cover a turn": (report["covered"], {1: load.users * load.turns}),
        "consolidations": (report["consolidations"], load.users),
        "calls of the model": (calls, load.users),
        "runs that failed": (failed, 0),
    }
    return [f"{what}: {found}, not {right}" for what, (found, right) in wanted.items() if found != right]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and write its report."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.jobs", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--users", type=int, default=Load.users)
    parser.add_argument("--turns", type=int, default=Load.turns, help="of each user, 40 at most: one batch")
    parser.add_argument("--latency", type=float, default=Load.latency, help="seconds the model takes for a batch")
    parser.add_argument("--out", type=Path, default=Path("out/bench"))
    parser.add_argument("--child", help=argparse.SUPPRESS)
    parser.add_argument("--queue", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.child:
        asyncio.run(child(options.child, options.latency, queue=options.queue))
        return 0
    load = Load(users=options.users, turns=options.turns, latency=options.latency)
    with ExitStack() as last:
        folder = Path(last.enter_context(TemporaryDirectory(prefix="memoranda-bench-")))
        server = last.enter_context(postgres(folder))
        report = {
            "SQLite, 2 workers": run(str(folder / "memory.db"), 2, load, queue=False),
            "PostgreSQL, 4 workers, queue": run(server, 4, load, queue=True),
        }
    rows = [
        [
            name, str(ran["turns"]), f"{ran['turns/s']:.0f}", *(f"{lag:.2f}" for lag in ran["lag"].values()),
            "/".join(str(one["calls"]) for one in ran["workers"]), "; ".join(faults(ran, load)) or "none",
        ]
        for name, ran in report.items()
    ]  # fmt: skip
    head = ["workers", "turns", "turns/s", "lag p50 s", "p95", "most", "calls of each", "lost or taken in twice"]
    print(table(head, rows))
    print(f"\nFigures: {save(options.out, 'jobs', report)}")
    return int(any(faults(ran, load) for ran in report.values()))


if __name__ == "__main__":
    raise SystemExit(main())
