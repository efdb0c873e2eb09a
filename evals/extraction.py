"""Measure inline extraction: precision and recall against hand-labelled turns, and the time per turn.

A prediction is right if its kind and polarity agree with a label, its value contains the label's, and its attribute,
subject and tense equal the label's where the label gives them. Each label counts once; any other prediction is wrong.
A label marked `optional` may be found or not. The rules were never tuned on the turns of the `test` split, nor on those
of `talk`: long and messy turns, labelled by somebody who had seen no rule. Those of `spoken` (mostly English) are for
development: what people tell an assistant about themselves, and what only looks like it.
"""

import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evals.metrics import percentile
from evals.options import options
from evals.report import bars, save, table
from memoranda.core.language.engine import extract
from memoranda.core.rows.statements import Statement

DATA = Path(__file__).parent / "data"
_NAMED = ("attribute", "temporal")
LANGUAGES = ("en", "de", "es", "fr", "zh")
SPLITS = ("dev", "test", "spoken", "talk")


@dataclass
class Tally:
    """Counts of one kind of statement."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def figures(self) -> dict[str, float | int]:
        """Return precision and recall with their counts; a share without cases is 1.0."""
        found, there = self.right + self.wrong, self.right + self.missed
        return {
            "precision": self.right / found if found else 1.0,
            "recall": self.right / there if there else 1.0,
            "right": self.right,
            "wrong": self.wrong,
            "missed": self.missed,
        }


@dataclass
class Result:
    """Figures of one split, and a description of each mistake."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    misses: list[str] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)

    def count(self, kind: str, outcome: str) -> None:
        """Count an outcome for a kind and for all kinds together."""
        for name in (kind, "all"):
            tally = self.tallies.setdefault(name, Tally())
            setattr(tally, outcome, getattr(tally, outcome) + 1)

    def report(self) -> dict[str, Any]:
        """Return everything except the misses, ready for JSON."""
        return {
            "turns": len(self.milliseconds),
            "kinds": {kind: tally.figures() for kind, tally in sorted(self.tallies.items())},
            "ms p50": percentile(self.milliseconds, 50),
            "ms p95": percentile(self.milliseconds, 95),
        }


def agrees(statement: Statement, label: dict[str, Any]) -> bool:
    """Whether a prediction matches a label."""
    return (
        statement.kind == label["kind"]
        and statement.polarity == label.get("polarity", 1)
        and all(label.get(name, getattr(statement, name)) == getattr(statement, name) for name in _NAMED)
        and _plain(label.get("subject", statement.subject)) == _plain(statement.subject)
        and _plain(label["value"]) in _plain(str(statement.value))
    )


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("\u2019", "'").split())


def judge(turns: Iterable[dict[str, Any]], language: str) -> Result:
    """Extract from every turn and compare with the labels."""
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


def main(argv: Sequence[str] | None = None) -> None:
    """Run the evaluation and write its report."""
    parser = options("extraction", __doc__)
    parser.add_argument("--language", nargs="+", choices=LANGUAGES, default=list(LANGUAGES))
    parser.add_argument("--split", nargs="+", choices=SPLITS, default=list(SPLITS))
    parser.add_argument("--misses", action="store_true", help="also print every mistake")
    given = parser.parse_args(argv)
    report = {language: _measured(language, given.split, misses=given.misses) for language in given.language}
    for split in given.split:
        own = {language: splits[split] for language, splits in report.items() if splits[split]["turns"]}
        print(f"\n## extraction, {split}\n")
        print(table(["language", "turns", "kind", *Tally().figures(), "p50 µs", "p95 µs"], _rows(own)))
        series = {name: [100 * one["kinds"]["all"][name] for one in own.values()] for name in ("precision", "recall")}
        bars(given.out, f"extraction-{split}", f"Extraction, {split} turns", list(own), series)
    print(f"\nFigures: {save(given.out, 'extraction', report)}; plots beside it.")


def _measured(language: str, splits: Iterable[str], *, misses: bool) -> dict[str, Any]:
    lines = (DATA / f"extraction_{language}.jsonl").read_text(encoding="utf-8").splitlines()
    turns = [json.loads(line) for line in lines]
    for turn in turns:  # warm up: a process compiles each rule at its first use
        extract(turn["text"], language=language)
    results = {split: judge([turn for turn in turns if turn["split"] == split], language) for split in splits}
    if misses:
        print("\n".join(miss for result in results.values() for miss in result.misses))
    return {split: result.report() for split, result in results.items()}


def _rows(figures: Mapping[str, Any]) -> Iterator[list[object]]:
    for language, one in figures.items():
        for kind, tally in one["kinds"].items():
            shares = [100 * tally[name] for name in ("precision", "recall")]
            counts = [tally[name] for name in ("right", "wrong", "missed")]
            spent = [1000 * one["ms p50"], 1000 * one["ms p95"]] if kind == "all" else ["", ""]
            yield [language, one["turns"], kind, *shares, *counts, *spent]


if __name__ == "__main__":
    main()
