"""Measure how well memstrata remembers: `python -m evals NAME --data FOLDER …`, or `all` for every one.

    retrieval      evidence found by recall on LoCoMo and BEAM
    contradiction  opposed sentences among similar ones, on SICK
    extraction     what the rules read in labelled utterances
    dates          spans and values of time expressions

The data is not part of the project; `--data` says where it lies. Each leaves a table, JSON and a plot under `--out`.
"""

import argparse
import importlib
import sys
from collections.abc import Callable
from pathlib import Path

#: What each evaluation is given when all are run, from the folder of the data and the folder for the results.
ALL: dict[str, Callable[[Path, Path], list[str | Path]]] = {
    "retrieval": lambda data, out: ["--data", data, "--out", out],
    "contradiction": lambda data, out: ["--data", data, "--out", out],
    "extraction": lambda _, out: ["--out", out / "extraction.json"],
    "dates": lambda data, out: ["--data", data / "datetime", "--out", out / "dates.json"],
}


def main(argv: list[str]) -> int:
    """Run the evaluation named first with the options that follow it, or all."""
    name, *options = argv or ["--help"]
    if name in ALL:
        importlib.import_module(f"evals.{name}").main(options)
    elif name == "all":
        _all(options)
    else:
        print(__doc__)
        return 0 if name in {"-h", "--help"} else 2
    return 0


def _all(options: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m evals all")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("out/evals"))
    given = parser.parse_args(options)
    given.out.mkdir(parents=True, exist_ok=True)
    for name, arguments in ALL.items():
        importlib.import_module(f"evals.{name}").main([str(part) for part in arguments(given.data, given.out)])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
