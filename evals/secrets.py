"""Measure the withholding of secrets on labelled texts: precision, recall per kind and language, and the cost per turn.

A secret counts as withheld if its whole span is; a withheld span is a false alarm if it overlaps no label. Half of the
texts hold no secret, but what looks like one. Those of the `test` split took no part in the making of any pattern or
weight; `evals/secret_weights.py` learns from the `dev` split. The cost is the processor time of one call per text, the
least of five, over the texts and the turns of the demonstration.
"""

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evals.metrics import percentile
from evals.options import options
from evals.report import bars, save, table
from memoranda.core.formats import read
from memoranda.core.secrets.cues import Secret
from memoranda.core.secrets.detection import find

DATA = Path(__file__).parent / "data"
DEMO = Path(__file__).parent.parent / "examples" / "demo" / "conversations.json"
SPLITS = ("dev", "test")
_TRIES = 5


@dataclass
class Counts:
    """Counts over some texts.

    Attributes:
        there, held: labelled secrets, and those withheld, by kind, by language and under "all".
        spans, right: withheld spans, and those that overlap a label.
        misses: a description of each mistake.
    """

    there: dict[str, int] = field(default_factory=dict)
    held: dict[str, int] = field(default_factory=dict)
    spans: int = 0
    right: int = 0
    misses: list[str] = field(default_factory=list)

    def add(self, case: Mapping[str, Any], found: Sequence[Secret]) -> None:
        """Count one text."""
        text, labels = case["text"], case["secrets"]
        for label in labels:
            held = withheld(label, found)
            for name in ("all", label["kind"], case["language"]):
                self.there[name] = self.there.get(name, 0) + 1
                self.held[name] = self.held.get(name, 0) + held
            if not held:
                self.misses.append(f"missed {label['kind']} [{text[label['start'] : label['end']]}] in: {text}")
        for one in found:
            right = any(one.start < label["end"] and label["start"] < one.end for label in labels)
            self.spans, self.right = self.spans + 1, self.right + right
            if not right:
                self.misses.append(f"false {one.kind} [{text[one.start : one.end]}] in: {text}")

    def report(self) -> dict[str, Any]:
        """Return the figures, in per cent."""
        return {
            "precision": 100 * self.right / self.spans if self.spans else 100.0,
            "false alarms": self.spans - self.right,
            "recall": {name: 100 * self.held[name] / count for name, count in sorted(self.there.items())},
            "secrets": dict(sorted(self.there.items())),
        }


def withheld(label: Mapping[str, Any], found: Iterable[Secret]) -> bool:
    """Whether all characters of a labelled secret are withheld."""
    left = set(range(label["start"], label["end"]))
    for one in found:
        left.difference_update(range(one.start, one.end))
    return not left


def cost(text: str) -> float:
    """Return the processor time of reading a text, in milliseconds."""
    spent = []
    for _ in range(_TRIES):
        begun = time.process_time_ns()
        find(text)
        spent.append(time.process_time_ns() - begun)
    return min(spent) / 1e6


def main(argv: Sequence[str] | None = None) -> None:
    """Run the evaluation and write its report."""
    parser = options("secrets", __doc__)
    parser.add_argument("--split", nargs="*", default=list(SPLITS), choices=SPLITS)
    parser.add_argument("--misses", action="store_true", help="print each mistake")
    given = parser.parse_args(argv)
    said = [turn.content for one in read(DEMO.read_bytes(), DEMO.name) for turn in one.messages]
    report: dict[str, Any] = {}
    for split in given.split:
        cases = [json.loads(line) for line in (DATA / f"secrets_{split}.jsonl").read_text("utf-8").splitlines()]
        counts = Counts()
        for case in cases:
            counts.add(case, find(case["text"]))
        spent = [cost(text) for text in (*said, *(case["text"] for case in cases))]
        report[split] = {
            "texts": len(cases),
            **counts.report(),
            "ms p50": percentile(spent, 50),
            "ms p95": percentile(spent, 95),
        }
        if given.misses:
            print("\n".join(counts.misses))
    print("\n## secrets\n")
    names = dict.fromkeys(name for one in report.values() for name in one["recall"])
    rows = [[f"recall, {name}", *(one["recall"].get(name) for one in report.values())] for name in names]
    rows[:0] = [[name, *(one[name] for one in report.values())] for name in ("texts", "precision", "false alarms")]
    rows += [[name, *(f"{one[name]:.3f}" for one in report.values())] for name in ("ms p50", "ms p95")]
    print(table(["per cent", *report], rows))
    written = save(given.out, "secrets", report)
    drawn = {split: [one["recall"].get(name, 0.0) for name in names] for split, one in report.items()}
    bars(given.out, "secrets", "Secrets withheld", list(names), drawn)
    print(f"\nFigures and plot: {written}, {written.with_suffix('.png')}")


if __name__ == "__main__":
    main()
