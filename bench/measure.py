"""Measure one subject: start its process, grow its store, and turn the timings into figures."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

from evals.metrics import percentile

ROOT = Path(__file__).resolve().parent.parent
#: One thread for linear algebra; no telemetry; no network access beyond this machine.
ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "ANONYMIZED_TELEMETRY": "False",
    "MEM0_TELEMETRY": "False",
    "DO_NOT_TRACK": "1",
    "LANGSMITH_TRACING": "false",
    "HTTP_PROXY": "http://127.0.0.1:9",
    "HTTPS_PROXY": "http://127.0.0.1:9",
    "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")]),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How much is measured.

    Attributes:
        sizes: turns in the store, ascending.
        calls: timed calls of each kind at each size; p50 and p95 are over these.
        starts: processes started to measure the cold start.
        imports: processes started to measure each import.
        seconds: how long throughput is measured for each number of threads.
        patience: seconds a subject may take to grow to a size.
    """

    sizes: Sequence[int] = (1_000, 10_000, 100_000)
    calls: int = 200
    starts: int = 3
    imports: int = 9
    seconds: float = 2.0
    patience: float = 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A subject to measure.

    Attributes:
        name: its name in the table.
        module: its module in `bench.subjects`.
        python: its interpreter.
        place: maps the subject's own folder to what it opens.
    """

    name: str
    module: str
    python: Path = Path(sys.executable)
    place: Callable[[Path], str] = str


class Process:
    """A running `bench.child`."""

    def __init__(self, entrant: Entrant, place: str, home: Path) -> None:
        command = [str(entrant.python), "-m", "bench.child", entrant.module, place]
        environment = {**os.environ, **ENVIRONMENT, "HOME": str(home), "MEM0_DIR": str(home)}
        self._log = (home / "log.txt").open("a+", encoding="utf-8")
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, text=True, env=environment
        )
        self.opened: float = self._answer()

    def ask(self, do: str, **options: Any) -> Any:
        """Send one command and return the answer."""
        assert self._process.stdin
        print(json.dumps({"do": do, **options}), file=self._process.stdin, flush=True)
        return self._answer()

    def _answer(self) -> Any:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            self._log.seek(0)
            raise ChildProcessError(self._log.read()[-3000:])
        return json.loads(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()
        self._log.close()


def measure(entrant: Entrant, effort: Effort, tell: Callable[[str], None]) -> dict[str, Any]:
    """Return the figures of one subject by size; a size it could not reach in time is marked as skipped."""
    figures: dict[str, Any] = {}
    with TemporaryDirectory(prefix="memoranda-bench-") as temporary:
        home, folder = Path(temporary) / "home", Path(temporary) / "store"
        home.mkdir()
        folder.mkdir()
        place = entrant.place(folder)
        start = 0
        for size in effort.sizes:
            tell(f"{entrant.name}: {size:,}")
            with Process(entrant, place, home) as process:
                reached = process.ask("load", start=start, upto=size, seconds=effort.patience)
                if not reached["complete"]:
                    rate = reached["turns"] / reached["seconds"]
                    figures[str(size)] = {"skipped": f"{rate:,.0f} turns/s: over {effort.patience:.0f} s to load"}
                    break
                start = size
                figures[str(size)] = _warm(process, effort, reached, first=size == effort.sizes[0])
                disk = process.ask("disk")
            kept = (
                disk if disk is not None else sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
            )
            figures[str(size)] |= {"disk MB": kept / 1e6, **_cold(entrant, place, home, effort)}
    return figures


def _warm(process: Process, effort: Effort, load: dict[str, Any], *, first: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"import turns/s": load["turns"] / load["seconds"]}
    for kind in ("append", "search", "context"):
        process.ask(kind, count=max(effort.calls // 20, 2))
        times = process.ask(kind, count=effort.calls)
        if times:
            found |= {
                f"{kind} p50 ms": percentile(times["each"], 50),
                f"{kind} p95 ms": percentile(times["each"], 95),
                f"{kind} CPU ms": times["worked"],
            }
    if first:
        for threads in (1, 8):
            found[f"searches/s, {threads} threads"] = process.ask("throughput", threads=threads, seconds=effort.seconds)
    memory = process.ask("memory")
    return found | ({"RSS MB": memory / 1e6} if memory else {})


def _cold(entrant: Entrant, place: str, home: Path, effort: Effort) -> dict[str, float]:
    """Return medians for a fresh process: time to its first answer, time to open and to search, and its memory."""
    whole, opened, searched, held = [], [], [], []
    for _ in range(effort.starts):
        begun = time.perf_counter()
        with Process(entrant, place, home) as process:
            searched.append(process.ask("search", count=1)["each"][0])
            whole.append(time.perf_counter() - begun)
            opened.append(1000 * process.opened)
            held.append((process.ask("memory") or 0) / 1e6)
    return {
        "cold start s": median(whole),
        "open ms": median(opened),
        "first search ms": median(searched),
        "RSS MB, fresh": median(held),
    }


IMPORTS = ("import memoranda", "from memoranda import Memory", "import numpy, sqlite3")


def imports(effort: Effort) -> dict[str, float]:
    """Return the median milliseconds of each of `IMPORTS`, measured alternately.

    The package loads its parts lazily, so the second figure is what a program that uses it pays. The imports use
    compiled bytecode, as after a first run, even if this process was told not to write any.
    """
    environment = {**os.environ, **ENVIRONMENT, "PYTHONDONTWRITEBYTECODE": ""}
    times: dict[str, list[float]] = {name: [] for name in IMPORTS}
    for _ in range(effort.imports):
        for names, found in times.items():
            code = f"import time; begun = time.perf_counter(); {names}; print(time.perf_counter() - begun)"
            command = [sys.executable, "-c", code]
            done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
            found.append(1000 * float(done.stdout))
    return {names: median(found) for names, found in times.items()}
