"""Measure how well memoranda remembers: `python -m evals NAME --data FOLDER …`, or `all` for every one.

    retrieval      evidence found by recall on LoCoMo and BEAM
    techniques     what each recall technique adds on LoCoMo, and what it costs
    contradiction  detecting contradictions among similar sentences, on SICK
    extraction     statements that the rules extract from labelled utterances (data included)
    reading        what is believed of conversations that are hard to read, by kind (data included)
    attributes     questions for what is lasting about somebody, which share no word with the answer (data included)
    consolidation  what a model and the rules make of labelled scenarios (data included)
    context        whether the preference relevant to a question is in its context, on PrefEval
    budget         evidence that contexts cite within a budget of tokens, beside recall, on LoCoMo or BEAM
    dates          spans and values of time expressions
    secrets        passwords, keys and numbers that are withheld, and what only looks like them (data included)
    facts          finding the newest of facts that supersede one another, on FactConsolidation
    currency       whether what is true now comes first, and what was true says so (data included)
    answers        what is wanted comes first, and no more: many topics, days, and silence (data included)
    confidence     how sure it is that a memory bears on a request: weights and calibration (training data included)
    requests       questions inside long messages, pasted texts and instructions, on LoCoMo
    simulate       a year of one user's life: what is forgotten, and how memory grows
    learn          the ranking model, trained and cross-validated on LoCoMo and BEAM (extra `learn`)

The other data sets are not part of the project; `--data` says where they are. Each evaluation prints a table and writes
JSON and a plot to `--out`. `all` takes 20 minutes of processor time, and its last part, `learn`, up to an hour more.
"""

import importlib
import sys

from evals.options import options

#: Each evaluation, and whether it reads data given by path.
ALL = {
    "retrieval": True, "techniques": True, "contradiction": True, "extraction": False, "reading": False,
    "attributes": False,
    "consolidation": False, "context": True, "budget": True, "dates": True, "secrets": False, "facts": True,
    "currency": False, "answers": False, "confidence": False, "requests": True, "simulate": False, "learn": True,
}  # fmt: skip


def main(argv: list[str]) -> int:
    """Run the evaluation named by the first argument, or all, with the options that follow."""
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
        sys.stdout.flush()  # so that finished tables appear at once when output goes to a file


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
