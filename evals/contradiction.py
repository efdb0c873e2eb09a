"""Measure how well `memoranda.core.beliefs.conflicts.denies`, applied to similar sentences only, finds contradictions.

A pair of SICK is predicted to contradict if one sentence denies the other and their cosine in the embedder's space
exceeds a threshold. The threshold is the one with the best F1 on SICK_train. Precision, recall and F1 are reported on
SICK_trial (`CONTRADICTION` against all other pairs), and so is Spearman's rank correlation of the cosine with
relatedness.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evals.embedding import Remembering, embed, remembering
from evals.metrics import precision_recall_f1, spearman
from evals.options import options
from evals.report import bars, progress, save, table
from memoranda.core.beliefs.conflicts import denies

THRESHOLDS = np.round(np.arange(0.0, 1.0, 0.01), 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Labelled pairs of sentences, with the prediction and the cosine of each."""

    contradicting: NDArray[np.bool_]
    relatedness: NDArray[np.float64]
    denied: NDArray[np.bool_]
    cosine: NDArray[np.float64]

    def scored(self, threshold: float) -> dict[str, float]:
        """Return precision, recall and F1 at this threshold."""
        return precision_recall_f1(self.denied & (self.cosine > threshold), self.contradicting)


def read(path: Path, embedder: Remembering) -> Pairs:
    """Read the pairs of one SICK file."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    sides = [[row[f"sentence_{side}"] for row in rows] for side in "AB"]
    left, right = (embed(embedder, texts) for texts in sides)
    return Pairs(
        contradicting=np.array([row["entailment_judgment"] == "CONTRADICTION" for row in rows]),
        relatedness=np.array([float(row["relatedness_score"]) for row in rows]),
        denied=np.array([denies(a, b) for a, b in progress(list(zip(*sides, strict=True)), path.stem)]),
        cosine=np.asarray((left * right).sum(axis=1), np.float64),
    )


def main(argv: Sequence[str] | None = None) -> None:
    """Run the evaluation and write its report."""
    parser = options("contradiction", __doc__, data="folder with pairs/")
    parser.add_argument("--embedder", default="local")
    given = parser.parse_args(argv)
    embedder = remembering(given.embedder)
    if embedder is None:
        parser.error("similarity needs an embedder; give another than 'none'")
    train, trial = (read(given.data / "pairs" / f"SICK_{part}.txt", embedder) for part in ("train", "trial"))
    best = float(max(THRESHOLDS, key=lambda threshold: train.scored(threshold)["F1"]))
    figures = {name: pairs.scored(best) for name, pairs in (("train", train), ("trial", trial))}
    related = {name: spearman(pairs.cosine, pairs.relatedness) for name, pairs in (("train", train), ("trial", trial))}
    head = ["SICK", "pairs", *(f"{name}, %" for name in figures["trial"]), "relatedness, Spearman x 100"]
    rows = [
        [name, len(pairs.cosine), *(100 * value for value in figures[name].values()), 100 * related[name]]
        for name, pairs in (("train", train), ("trial", trial))
    ]
    print(f"\n## contradiction: denials with a cosine over {best:.2f} (chosen on train); embedder {given.embedder}\n")
    print(table(head, rows))
    report = {"embedder": given.embedder, "threshold": best, "contradiction": figures, "relatedness": related}
    written = save(given.out, "contradiction", report)
    series = {name: [100 * value for value in scored.values()] for name, scored in figures.items()}
    bars(given.out, "contradiction", f"SICK contradictions, cosine > {best:.2f}", list(figures["trial"]), series)
    print(f"\nFigures and plot: {written}, {written.with_suffix('.png')}")
