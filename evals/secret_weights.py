"""Learn how much each sign says for or against a secret: the weights of `core/secrets/clues`, by logistic regression.

An example is what may be a secret in a text (`core.secrets.clues.clues`); it is one if a label covers it. Besides the
labelled texts there are ordinary ones, of other evaluations, the source code and its documents, which hold none. What
all groups of forms share and what each adds are learned at once, so that a group with few examples leans on the others.

Figures are cross-validated over families of texts: those that differ in little but their values are in one fold, so
that no phrase is tested that was trained on. The weights of all texts are written as TOML. Needs scipy (extra `learn`).
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from evals.options import options
from evals.report import progress, save, table
from evals.secrets import DATA, DEMO, Counts
from memoranda.core.formats import read
from memoranda.core.secrets.clues import Clue, clues
from memoranda.core.secrets.cues import known
from memoranda.core.secrets.detection import find

ROOT = Path(__file__).parent.parent
WEIGHTS = ROOT / "src" / "memoranda" / "languages" / "secret_weights.toml"
FOLDS = 5
RESTRAINT = 1.0  # L2 penalty on the weights
CAUTION, PLAIN = 0.0, 1.0  # what a secret must have more than equal chances, as a logarithm of the odds; plain words
LEAST = 0.1  # weights smaller than this are left out
ALIKE = 0.5  # share of their words that two texts of a family have in common
_BIAS, _PART = "bias", re.compile(r"\n\n\n|\n(?=##)")

Weights = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Row:
    """An example: the number of its text, what it is made of, and whether it is a secret."""

    text: int
    clue: Clue
    secret: bool


def main(argv: Sequence[str] | None = None) -> None:
    """Cross-validate, learn, and write the weights and the report."""
    given = options("secret_weights", __doc__).parse_args(argv)
    cases = [json.loads(line) for line in (DATA / "secrets_dev.jsonl").read_text("utf-8").splitlines()]
    examples, plain = list(rows(cases)), list(rows([{"text": text, "secrets": []} for text in ordinary()]))
    folds = np.unique(families(cases), return_inverse=True)[1] * 7919 % FOLDS
    counts = Counts()
    for fold in progress(list(range(FOLDS)), "folds"):
        use(fit([row for row in examples if folds[row.text] != fold] + plain))
        for case, place in zip(cases, folds, strict=True):
            if place == fold:
                counts.add(case, find(case["text"]))
    report = {"texts": len(cases), "ordinary": len(plain), **counts.report()}
    learned = fit(examples + plain)
    WEIGHTS.write_text(toml(learned), encoding="utf-8")
    print(table(["cross-validated", "%"], [[name, value] for name, value in report["recall"].items()]))
    print(f"precision {report['precision']:.1f}, weights {sum(map(len, learned.values()))}: {WEIGHTS}")
    print(f"Figures: {save(given.out, 'secret_weights', report)}")


def ordinary() -> Iterator[str]:
    """Yield texts without secrets: labelled utterances of other evaluations, the demonstration, code and documents."""
    for path in sorted(DATA.glob("extraction_*.jsonl")):
        yield from (json.loads(line)["text"] for line in path.read_text("utf-8").splitlines())
    yield from (turn.content for one in read(DEMO.read_bytes(), DEMO.name) for turn in one.messages)
    for path in sorted([*(ROOT / "src").rglob("*.py"), *(ROOT / "docs").rglob("*.md")])[::2]:
        yield from (part for part in _PART.split(path.read_text("utf-8")) if 40 < len(part) < 3000)


def rows(cases: Sequence[Mapping[str, Any]]) -> Iterator[Row]:
    """Yield the examples of labelled texts; a phrase that a label covers in part is none."""
    for number, case in enumerate(cases):
        for clue in clues(case["text"]):
            over = [one for one in case["secrets"] if one["start"] < clue.end and clue.start < one["end"]]
            edges = [(clue.start - one["start"], one["end"] - clue.end) for one in over]
            whole = any(min(edge) >= -1 and (clue.group != "plain" or max(edge) <= 1) for edge in edges)
            if whole or not over:
                yield Row(number, clue, whole)


def families(cases: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return for each text the number of its family: the first one that it is like, but for its values."""
    said: list[set[str]] = []
    family: list[int] = []
    for case in cases:
        text = case["text"]
        for one in sorted(case["secrets"], key=lambda one: -one["start"]):
            text = text[: one["start"]] + text[one["end"] :]
        words = set(re.findall(r"[^\W\d_\u4e00-\u9fff]+|[\u4e00-\u9fff]", text.lower()))
        like = (place for place, other in enumerate(said) if len(words & other) >= ALIKE * len(words | other) > 0)
        family.append(next((family[place] for place in like), len(family)))
        said.append(words)
    return family


def fit(found: Sequence[Row]) -> Weights:
    """Return the weights of each group of forms, with a bias that makes it cautious."""
    signs = [[(group, sign) for sign in (*row.clue.signs, _BIAS) for group in ("", row.clue.group)] for row in found]
    places = {sign: place for place, sign in enumerate(sorted({sign for several in signs for sign in several}))}
    flat = np.array([places[sign] for several in signs for sign in several])
    index = np.repeat(np.arange(len(signs)), [len(several) for several in signs])
    wanted = np.array([row.secret for row in found], float)

    def loss(guess: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        score = np.bincount(index, guess[flat], len(signs))
        cost = (np.logaddexp(0, score) - wanted * score).sum() + RESTRAINT / 2 * guess @ guess
        slope = 1 / (1 + np.exp(-score)) - wanted
        return float(cost), np.bincount(flat, slope[index], len(places)) + RESTRAINT * guess

    best = minimize(loss, np.zeros(len(places)), jac=True, method="L-BFGS-B").x
    weights: Weights = {group: {_BIAS: -PLAIN if group == "plain" else -CAUTION} for group in known().kinds}
    for (group, sign), place in places.items():
        if group:
            both = float(best[place] + best[places["", sign]])
            weights[group][sign] = round(weights[group].get(sign, 0.0) + both, 1)
    return {
        group: {sign: one for sign, one in kept.items() if abs(one) >= LEAST or sign == _BIAS}
        for group, kept in weights.items()
    }


def use(weights: Weights) -> None:
    """Let `find` use these weights."""
    for group, kept in weights.items():
        known().weights[group].clear()
        known().weights[group].update(kept)


def toml(weights: Weights) -> str:
    """Return weights as TOML."""
    head = "# What each sign says for a secret, by the group of its form; learned by evals/secret_weights.py.\n"
    lines = (
        "".join((f"\n[{group}]\n", *(f'"{sign}" = {one}\n' for sign, one in sorted(kept.items()))))
        for group, kept in weights.items()
    )
    return head + "".join(lines)


if __name__ == "__main__":
    main()
