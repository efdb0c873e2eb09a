"""Measure how well memstrata remembers: `python -m evals NAME --data FOLDER …`, or `all` for every one.

    retrieval      evidence found by recall on LoCoMo and BEAM
    techniques     what each technique of recall adds on LoCoMo, and what it costs
    contradiction  opposed sentences among similar ones, on SICK
    extraction     what the rules read in labelled utterances, which come with it
    consolidation  what a model and rules make of labelled scenarios, which come with it
    context        preferences that bear on a question and are in its context, on PrefEval
    dates          spans and values of time expressions
    facts          the newest of facts that overrule one another, on FactConsolidation
    simulate       a year of one user's life: what is forgotten, and how memory grows
    learn          the ranking model, learned and cross-validated on LoCoMo and BEAM (extra `learn`)

The other data is not part of the project: `--data` says where it lies. Each prints a table, and leaves JSON and a plot
under `--out`. `all` takes 20 minutes of processor time, and then `learn`, its last, up to an hour more.
"""

import importlib
import sys

from evals.options import options

#: Each evaluation, and whether it reads data given by path.
ALL = {
    "retrieval": True, "techniques": True, "contradiction": True, "extraction": False, "consolidation": False,
    "context": True, "dates": True, "facts": True, "simulate": False, "learn": True,
}  # fmt: skip


def main(argv: list[str]) -> int:
    """Run the evaluation named first with the options that follow it, or all."""
    name, *rest = argv or ["--help"]
    if name != "all" and name not in ALL:
        print(__doc__)
        return 0 if name in {"-h", "--help"} else 2
    run = _all if name == "all" else importlib.import_module(f"evals.{name}").main
    try:
        run(rest)
    except FileNotFoundError as error:
        missing = f"There is no {error.filename}: --data names the folder that its data set lies in."
        print(f"{missing} See python -m evals {name} --help.", file=sys.stderr)
        return 1
    return 0


def _all(rest: list[str]) -> None:
    given = options("all", "Every evaluation, one after the other.", data="folder of all the data").parse_args(rest)
    for name, reads in ALL.items():
        data = ["--data", str(given.data)] if reads else []
        importlib.import_module(f"evals.{name}").main([*data, "--out", str(given.out)])
        sys.stdout.flush()  # into a file as well, the tables so far are there while the next is made


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
