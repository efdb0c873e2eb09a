"""Measure how well memstrata remembers: `python -m evals NAME --data FOLDER …`, or `all` for every one.

    retrieval      evidence found by recall on LoCoMo and BEAM
    contradiction  opposed sentences among similar ones, on SICK
    extraction     what the rules read in labelled utterances
    dates          spans and values of time expressions

The data is not part of the project; `--data` says where it lies. Each leaves a table, JSON and a plot under `--out`.
"""

import importlib
import sys
from pathlib import Path

NAMES = ("retrieval", "contradiction", "extraction", "dates")


def main(argv: list[str]) -> int:
    """Run the evaluation named first with the options that follow it."""
    name, *options = argv or ["--help"]
    if name not in {*NAMES, "all"}:
        print(__doc__)
        return 0 if name in {"-h", "--help"} else 2
    for each in NAMES if name == "all" else (name,):
        if name == "all" and not (Path(__file__).parent / f"{each}.py").exists():
            print(f"evals.{each} is not here; left out.", file=sys.stderr)
            continue
        importlib.import_module(f"evals.{each}").main(options)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
