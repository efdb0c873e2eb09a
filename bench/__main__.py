"""Measure speed in one run: memoranda, a minimal baseline (the floor), and with `--peers` other memory systems.

The floor is one durable SQLite row and one numpy scan. Each subject runs in its own process, and its store grows from
one size to the next with the same generated turns of one user. The embedder is a hash function whose time is not
counted, so that a system's own cost shows. Figures depend on the machine and its disk: trust the ratios to the floor,
in brackets.

    import      turns/s when a whole history is imported
    append      one user turn with what is extracted from it, durable when the call returns
    search      ten memories for a question
    context     the text for a prompt, 4,000 tokens
    cold start  from the start of a process to its first answer from an existing store

`python -m bench patterns` runs every pattern on texts made to slow it down; `growth` times one call with ever more
statements, and forgetting; `interleaving` counts what goes wrong when one user is written and read at once; `doors`
measures what HTTP costs over the library, and how soon the server is ready; `load` a server with many users.
"""

import argparse
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evals.places import postgres
from evals.report import lines, save, table

from bench.measure import ROOT, Effort, Entrant, imports, measure
from bench.venvs import PINS, interpreter

#: Measurements with a process, and a command, of their own: `python -m bench patterns`.
ALONE = ("patterns", "growth", "interleaving", "doors", "load")
FLOOR, RELAXED = "floor", "floor, relaxed"
QUICK = Effort(sizes=(500,), calls=40, starts=1, imports=3, seconds=0.5)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and write its report."""
    parser = argparse.ArgumentParser(
        prog="python -m bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=list(Effort().sizes), help="turns in the store")
    parser.add_argument("--only", nargs="+", help="subjects whose names contain one of these")
    parser.add_argument("--peers", action="store_true", help="also mem0, Chroma and LangGraph, installed by pip")
    parser.add_argument("--cache", type=Path, default=Path("out/venvs"), help="where the peers' environments are kept")
    parser.add_argument("--quick", action="store_true", help="one small size and few calls: under a minute")
    parser.add_argument("--out", type=Path, default=Path("out/bench"))
    given = sys.argv[1:] if argv is None else list(argv)
    if given and given[0] in ALONE:
        return subprocess.call([sys.executable, "-m", f"bench.{given[0]}", *given[1:]], cwd=ROOT)
    options = parser.parse_args(given)
    effort = QUICK if options.quick else Effort(sizes=sorted(options.sizes))
    report: dict[str, Any] = {"machine": _machine(), "pins": PINS if options.peers else {}, "import": imports(effort)}
    subjects: dict[str, Any] = {}
    for entrant in _entrants(options):
        subjects[entrant.name] = measure(entrant, effort, _tell)
    report["subjects"] = subjects
    print(_text(report, effort))
    written = save(options.out, "bench", report)
    for kind in ("append", "search"):
        series = {name: _points(figures, f"{kind} p50 ms") for name, figures in subjects.items()}
        title = f"{kind}: p50 in milliseconds by turns in the store"
        lines(options.out, f"bench-{kind}", title, series, ("turns in the store", "milliseconds"))
    print(f"\nFigures: {written}; plots beside it.")
    return 0


def _entrants(options: argparse.Namespace) -> Iterator[Entrant]:
    """Yield the floor, always, and the requested subjects. A server runs only while its subject is measured."""

    def wanted(name: str) -> bool:
        return options.only is None or any(part in name for part in options.only)

    yield Entrant(name=FLOOR, module="floor")
    yield Entrant(name=RELAXED, module="floor", place="relaxed:{}".format)
    own: dict[str, Callable[[Path], str]] = {
        "memoranda, SQLite": str,
        "memoranda, SQLite relaxed": "relaxed::{}".format,
        "memoranda, no embedder": "words::{}".format,
        "memoranda, AsyncMemory": "awaited::{}".format,
        "memoranda, AsyncMemory, no embedder": "awaited::words::{}".format,
    }
    for name, place in own.items():
        if wanted(name):
            yield Entrant(name=name, module="memoranda", place=place)
    if wanted("memoranda, PostgreSQL"):
        with TemporaryDirectory(prefix="memoranda-bench-") as folder, postgres(Path(folder)) as uri:
            yield Entrant(name="memoranda, PostgreSQL", module="memoranda", place=lambda _: uri)
    for peer in PINS if options.peers else ():
        if wanted(peer):
            yield Entrant(name=peer, module=peer, python=interpreter(peer, options.cache))


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _machine() -> dict[str, Any]:
    return {"system": platform.platform(), "python": platform.python_version(), "processor": platform.processor()}


def _points(figures: Mapping[str, Any], column: str) -> dict[float, float]:
    return {float(size): found[column] for size, found in figures.items() if column in found}


# ------------------------------------------------------------------------------------------------- table


def _text(report: Mapping[str, Any], effort: Effort) -> str:
    subjects = report["subjects"]
    times = [f"{kind} {share} ms" for kind in ("append", "search", "context") for share in ("p50", "p95", "CPU")]
    parts = []
    for size in map(str, effort.sizes):
        for columns in (
            ("import turns/s", *times),
            ("cold start s", "open ms", "first search ms", "RSS MB", "RSS MB, fresh", "disk MB", *_rates(size, effort)),
        ):
            rows = [[name, *_cells(name, subjects, size, columns)] for name in subjects if size in subjects[name]]
            parts.append(table([f"{int(size):,} turns", *columns], rows))
    parts.append("; ".join(f"{statement}: {taken:.0f} ms" for statement, taken in report["import"].items()) + ".")
    return "\n\n".join(parts)


def _rates(size: str, effort: Effort) -> list[str]:
    return [f"searches/s, {threads} threads" for threads in (1, 8)] if size == str(effort.sizes[0]) else []


def _cells(name: str, subjects: Mapping[str, Any], size: str, columns: Sequence[str]) -> list[str]:
    """Format each figure with its ratio to the floor's; for rates, higher is better."""
    own = subjects[name][size]
    if "skipped" in own:
        return [own["skipped"], *("" for _ in columns[1:])]
    below = subjects[RELAXED if "relaxed" in name else FLOOR].get(size, {})
    cells = []
    for column in columns:
        value, least = own.get(column), below.get(column)
        shown = "" if value is None else _figure(value)
        cells.append(f"{shown} ({_figure(value / least)}x)" if value is not None and least and name != FLOOR else shown)
    return cells


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}" if value < 1 else f"{value:.3g}"


if __name__ == "__main__":
    sys.exit(main())
