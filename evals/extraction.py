"""How well inline extraction reads: precision and recall against hand-labelled turns, and its time per turn.

    python -m evals.extraction [--language en] [--split test] [--misses] [--out FILE]

A prediction counts when kind and polarity agree with a label, its value contains the label's, and its attribute is
the label's where the label gives one. Each label counts once; anything else that is predicted is wrong. A label
marked `optional` may be found or not. The rules were never tuned on the turns of the `test` split.
"""

import argparse
import json
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memstrata.core.rules.engine import extract
from memstrata.core.statements import Statement

DATA = Path(__file__).parent / "data"


@dataclass
class Tally:
    """Counts of one kind of statement."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def figures(self) -> dict[str, float | int]:
        """Precision, recall and what they were counted from; 1.0 of nothing."""
        found, there = self.right + self.wrong, self.right + self.missed
        return {
            "precision": round(self.right / found, 4) if found else 1.0,
            "recall": round(self.right / there, 4) if there else 1.0,
            "right": self.right,
            "wrong": self.wrong,
            "missed": self.missed,
        }


@dataclass
class Result:
    """Figures of one split, and what went wrong in words."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    misses: list[str] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)

    def count(self, kind: str, outcome: str) -> None:
        """Count an outcome for a kind and for all kinds together."""
        for name in (kind, "all"):
            tally = self.tallies.setdefault(name, Tally())
            setattr(tally, outcome, getattr(tally, outcome) + 1)

    def report(self) -> dict[str, Any]:
        """Everything but the misses, ready for JSON."""
        times = sorted(self.milliseconds)
        return {
            "kinds": {kind: tally.figures() for kind, tally in sorted(self.tallies.items())},
            "turns": len(times),
            "ms": {
                "mean": round(statistics.fmean(times), 4),
                "p50": round(times[len(times) // 2], 4),
                "p95": round(times[int(len(times) * 0.95)], 4),
            },
        }


def agrees(statement: Statement, label: dict[str, Any]) -> bool:
    """Whether a prediction is what a label expects."""
    return (
        statement.kind == label["kind"]
        and statement.polarity == label.get("polarity", 1)
        and label.get("attribute", statement.attribute) == statement.attribute
        and _plain(label["value"]) in _plain(str(statement.value))
    )


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("\u2019", "'").split())


def judge(turns: Iterable[dict[str, Any]], language: str) -> Result:
    """Extract from every turn and compare."""
    result = Result()
    for turn in turns:
        started = time.perf_counter()
        statements = extract(turn["text"], language=language)
        result.milliseconds.append((time.perf_counter() - started) * 1000)
        open_labels = list(turn["expect"])
        for statement in statements:
            label = next((label for label in open_labels if agrees(statement, label)), None)
            if label is None:
                result.count(statement.kind, "wrong")
                result.misses.append(f"wrong   {statement.rule:24} {statement.text!r}  in  {turn['text']!r}")
                continue
            open_labels.remove(label)
            if not label.get("optional"):
                result.count(statement.kind, "right")
        for label in open_labels:
            if not label.get("optional"):
                result.count(label["kind"], "missed")
                result.misses.append(f"missed  {label['value']:24} {label.get('attribute', '')}  in  {turn['text']!r}")
    return result


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table and, if asked, the mistakes; write the figures."""
    parser = argparse.ArgumentParser(prog="python -m evals.extraction", description=__doc__.partition("\n")[0])
    parser.add_argument("--language", default="en")
    parser.add_argument("--split", choices=["dev", "test"], help="only this split")
    parser.add_argument("--misses", action="store_true", help="also print every mistake")
    parser.add_argument("--out", type=Path, help="write the figures there as JSON")
    options = parser.parse_args(arguments)
    lines = (DATA / f"extraction_{options.language}.jsonl").read_text(encoding="utf-8").splitlines()
    turns = [json.loads(line) for line in lines]
    for turn in turns:  # rules compile when they are first tried, once in a process
        extract(turn["text"], language=options.language)
    report: dict[str, Any] = {"language": options.language}
    negatives = Counter(turn["split"] for turn in turns if not turn["expect"])
    for split in [options.split] if options.split else ["dev", "test"]:
        result = judge((turn for turn in turns if turn["split"] == split), options.language)
        report[split] = result.report()
        print(
            f"{options.language} {split}: {len(result.milliseconds)} turns, {negatives[split]} with nothing to extract"
        )
        print(f"  {'kind':12} {'precision':>9} {'recall':>7} {'right':>6} {'wrong':>6} {'missed':>6}")
        for kind, tally in report[split]["kinds"].items():
            shares = f"{tally['precision']:9.3f} {tally['recall']:7.3f}"
            print(f"  {kind:12} {shares} {tally['right']:6} {tally['wrong']:6} {tally['missed']:6}")
        print("  ms per turn: " + ", ".join(f"{name} {value:.3f}" for name, value in report[split]["ms"].items()))
        if options.misses:
            print("\n".join(result.misses))
    if options.out:
        options.out.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
