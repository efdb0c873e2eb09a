"""Train the ranking model on labelled conversations of two kinds, with an expert for each; see `docs/decisions/0021`.

Questions are asked of turns only, through the code of recall, with vectors and once more without. Both experts train
on the evidence, the best guesses and a sample of the others: boosted trees (LambdaRank) on chats between people, a
weighted sum (softmax over the candidates) on conversations with an assistant. Every figure is cross-validated over
users: no model is tested on a user it was trained on. Ablations report what is lost without each group of signals
(retrained), without each arm (not retrained), and on a data set left out of training. The model trained on all data is
written as JSON.

Needs the extra `learn`. Vectors are saved under `--cache` after each user, so an interrupted run can be resumed. The
first run may take an hour on two cores, mostly for vectors; later ones take minutes.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from evals.asked import NAMES, Asked, Kept, asked
from evals.metrics import budgeted, means, ranked
from evals.options import options
from evals.report import progress, save, table
from evals.worlds import SETS
from memoranda.core.recall.ranking import spread_out
from memoranda.core.recall.ranking_models import Experts
from memoranda.core.recall.scoring import PROFILES, SHARPNESS
from memoranda.core.recall.signals import SIGNALS
from memoranda.core.rows.columns import Floats

FOLDS = 5
COLUMNS = ("R@1", "R@5", "R@10", "R@20", "MRR", "R<=2000t")
SETTINGS: Mapping[str, Any] = {
    "objective": "lambdarank", "learning_rate": 0.06, "num_leaves": 15, "min_data_in_leaf": 30, "lambda_l2": 5.0,
    "extra_trees": True,  # random thresholds: with so little data, trees would overfit otherwise
    "feature_fraction": 0.5, "bagging_fraction": 0.7, "bagging_freq": 1, "max_bin": 63, "verbose": -1,
    "lambdarank_truncation_level": 20, "seed": 1, "deterministic": True, "force_col_wise": True, "num_threads": 1,
}  # fmt: skip
TREES = 300
RESTRAINT = 0.001  # L2 penalty on the weights
ROLE = 1.0  # weight of `role_match`, which chats between people cannot teach: the user's words come first
LEARNED_ON = 60  # best guesses of each question to train on, besides the evidence and every eighth of the others
UNSEEN = 0.3  # weight of the questions without vectors
SHORT = 400  # tokens below which evidence has grade 2 instead of 1: a budget holds more of it

#: The kind of each data set: chats between people, or conversations with an assistant.
KINDS: Mapping[str, str] = {"locomo": "people", "beam100k": "assistant", "beam500k": "assistant"}
SHARE = "long_turns"  # the signal that tells recall how far a memory is of the second kind

#: The penalty on long texts: `TOLL` per doubling of the words from the first of these lengths on, in steps. A tree
#: trained for a token budget would learn something like it.
TOLL, LENGTHS = 0.5, [5.5 + step / 2 for step in range(15)]

#: Groups of signals (by prefix of their names) for the ablations.
GROUPS: Mapping[str, tuple[str, ...]] = {
    "words": ("keyword", "cover", "hits"),
    "vectors": ("vector",),
    "likeness": ("like_best",),
    "names": ("entities", "bridge", "speaker"),
    "records": ("fact",),
    "wishes": ("preference", "instruction"),
    "time": ("date", "time", "answers_when"),
    "turn": ("role", "assistant", "is_question", "image", "length"),
    "question before": ("answers_match",),
    "guess": ("guess",),
    "question": ("question_length", "wants", "names_"),
}

#: Signals hidden from the trees: `guess` covers them, and trees that see them too are no better.
GUESSED = frozenset({"keyword_window", "keyword_wide", "vector_previous", "vector_window", "image"})

Score = Callable[[Asked], Floats]


def main(argv: Sequence[str] | None = None) -> None:
    """Train, evaluate, and write the model and the report."""
    parser = options("learn", __doc__, data="folder with locomo/ and beam/")
    parser.add_argument("--sets", nargs="+", choices=list(SETS), default=list(SETS))
    parser.add_argument("--worlds", type=int, help="only the first so many users of each set")
    parser.add_argument("--embedder", default="local")
    parser.add_argument("--cache", type=Path, help="folder where vectors are kept (default: vectors under --out)")
    parser.add_argument("--model", type=Path, help="where the model is written (default: under --out)")
    parser.add_argument("--brief", action="store_true", help="no ablations")
    given = parser.parse_args(argv)
    embedder = Kept(given.embedder, given.cache or given.out / "vectors")
    rows = []
    for name in given.sets:
        for world in progress(list(islice(SETS[name](given.data), given.worlds)), name):
            rows += asked(name, world, embedder)
    seen, unseen = ([row for row in rows if row.seen is flag] for flag in (True, False))
    report: dict[str, Any] = {}
    guess = _column("guess")
    everything = list(range(len(NAMES)))
    scores = _validated(rows, everything)
    report["weights"] = _figures(seen, guess)
    report["learned"] = _figures(seen, scores)
    report["weights, balanced"] = _figures(seen, lambda row: _balanced(row, guess(row)))
    report["learned, balanced"] = _figures(seen, lambda row: _balanced(row, scores(row)))
    report["weights, no vectors"] = _figures(unseen, guess)
    report["learned, no vectors"] = _figures(unseen, scores)
    if not given.brief:
        report.update(_ablations(rows, seen, scores, everything))
    model = _model(_fit(rows, everything), given.sets)
    path = given.model or given.out / "ranker.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(model)
    kinds = _by_category(seen, {"weights": guess, "learned": scores})
    _print(report, kinds)
    written = save(given.out, "learn", {"systems": report, "categories": kinds})
    print(f"\nModel: {path}, {len(model):,} bytes. Figures: {written}")


# ----------------------------------------------------------------------------------------------- learning


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """The experts, each with the columns of `NAMES` it was trained on; None for a kind without data."""

    seen: Sequence[int]
    trees: lightgbm.Booster | None
    weighed: Sequence[int]
    weights: NDArray[np.float64] | None

    def score(self, row: Asked) -> Floats:
        """Score the candidates with the expert for this kind of memory, or with the other one if there is none."""
        assisted = row.values[:1, NAMES.index(SHARE)].any()
        if self.trees is None or (assisted and self.weights is not None):
            scores = row.values[:, self.weighed] @ np.asarray(self.weights)
        else:
            scores = self.trees.predict(row.values[:, self.seen], num_threads=1)
            scores += ROLE * row.values[:, NAMES.index("role_match")]
        return np.asarray(scores + _tolls()[_steps(row)])


def _fit(rows: Sequence[Asked], columns: Sequence[int]) -> Fitted:
    kept = [row for row in rows if row.relevant.any()]
    people, assisted = ([row for row in kept if KINDS[row.set] == kind] for kind in ("people", "assistant"))
    seen = [place for place in columns if NAMES[place] not in GUESSED]
    weighed = [place for place in columns if NAMES[place] in SIGNALS]
    return Fitted(
        seen=seen,
        trees=_boosted(people, seen) if people else None,
        weighed=weighed,
        weights=_weighed(assisted, weighed) if assisted else None,
    )


def _boosted(rows: Sequence[Asked], columns: Sequence[int]) -> lightgbm.Booster:
    values, grades, counts, weights = _examples(rows, columns)
    data = lightgbm.Dataset(
        values, grades, group=counts, weight=np.repeat(weights / weights.mean(), counts), params=dict(SETTINGS)
    )
    return lightgbm.train(dict(SETTINGS), data, TREES)


def _weighed(rows: Sequence[Asked], columns: Sequence[int]) -> NDArray[np.float64]:
    """Fit the weights that maximise the evidence's softmax share among a question's candidates, with L2 penalty."""
    values, grades, counts, weights = _examples(rows, columns)
    starts, question = np.cumsum([0, *counts[:-1]]), np.repeat(np.arange(len(counts)), counts)
    wanted = grades / np.add.reduceat(grades, starts)[question]
    shares = (weights / weights.sum())[question]

    def loss(guess: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = values @ guess
        scores -= np.maximum.reduceat(scores, starts)[question]
        powers = np.exp(scores)
        sums = np.add.reduceat(powers, starts)[question]
        cost = -(shares * wanted * (scores - np.log(sums))).sum() + RESTRAINT / 2 * guess @ guess
        return float(cost), values.T @ (shares * (powers / sums - wanted)) + RESTRAINT * guess

    return np.asarray(minimize(loss, np.zeros(len(columns)), jac=True, method="L-BFGS-B").x)


def _examples(
    rows: Sequence[Asked], columns: Sequence[int]
) -> tuple[NDArray[np.float64], NDArray[np.int64], list[int], NDArray[np.float64]]:
    """Return training data: values and grades of candidates, and the number of candidates and weight per question."""
    chosen = [_sample(row) for row in rows]
    values = [row.values[mask][:, columns] for row, mask in zip(rows, chosen, strict=True)]
    grades = [_grades(row)[mask] for row, mask in zip(rows, chosen, strict=True)]
    counts = [int(mask.sum()) for mask in chosen]
    weights = np.array([1.0 if row.seen else UNSEEN for row in rows])
    return np.concatenate(values).astype(float), np.concatenate(grades), counts, weights


def _grades(row: Asked) -> NDArray[np.int64]:
    return np.where(row.relevant, np.where(row.tokens < SHORT, 2, 1), 0)


def _sample(row: Asked) -> NDArray[np.bool_]:
    places = np.argsort(np.argsort(-row.values[:, NAMES.index("guess")], kind="stable"))
    return np.asarray((places < LEARNED_ON) | row.relevant | (row.tie % 8 == 0), np.bool_)


def _validated(rows: Sequence[Asked], columns: Sequence[int]) -> Score:
    """Return cross-validated scores: each user is scored by a model that was not trained on that user."""
    folds: dict[str, int] = {}
    for row in rows:
        folds.setdefault(row.world, sum(name.rpartition("-")[0] == row.world.rpartition("-")[0] for name in folds))
    found: dict[int, Floats] = {}
    for fold in range(FOLDS):
        own = [row for row in rows if folds[row.world] % FOLDS == fold]
        others = [row for row in rows if folds[row.world] % FOLDS != fold]
        if own and others:
            found.update(_predicted(_fit(others, columns), own))
    return lambda row: found[id(row)]


def _predicted(model: Fitted, rows: Sequence[Asked]) -> dict[int, Floats]:
    return {id(row): model.score(row) for row in rows}


def _of(found: Mapping[int, Floats], row: Asked) -> Floats:
    return found[id(row)]


def _steps(row: Asked) -> NDArray[np.intp]:
    return np.searchsorted(LENGTHS, row.values[:, NAMES.index("length")])


def _tolls() -> NDArray[np.float64]:
    return -TOLL / 2 * np.arange(len(LENGTHS) + 1, dtype=np.float64)


def _toll_tree(length: int) -> list[Any]:
    """Return the toll as a tree: a chain of nodes, each with the leaf of its step on the left."""
    nodes = range(len(LENGTHS))
    right = [*(node + 1 for node in nodes[:-1]), -1 - len(LENGTHS)]
    return [[length for _ in nodes], LENGTHS, [-1 - node for node in nodes], right, _tolls().tolist()]


def _ablations(
    rows: Sequence[Asked], seen: Sequence[Asked], scores: Score, everything: Sequence[int]
) -> dict[str, Any]:
    report = {}
    for group, starts in GROUPS.items():
        columns = [place for place in everything if not NAMES[place].startswith(starts)]
        report[f"without {group}"] = _figures(seen, _validated(rows, columns))
    for arm in sorted({arm for row in seen for arm in row.arms}):
        report[f"without the arm {arm}"] = _figures(seen, _without(scores, arm))
    names = sorted({row.set for row in rows})
    for name in names if len(names) > 1 else ():
        own = [row for row in seen if row.set == name]
        found = _predicted(_fit([row for row in rows if row.set != name], everything), own)
        report[f"learned on others than {name}"] = _figures(own, partial(_of, found))
    return report


def _without(scores: Score, arm: str) -> Score:
    def score(row: Asked) -> Floats:
        others = [mask for name, mask in row.arms.items() if name != arm]
        return np.where(np.any(others, axis=0) if others else False, scores(row), -np.inf)

    return score


def _model(model: Fitted, sets: Sequence[str]) -> str:
    """Serialise the experts for `memoranda.core.recall.ranking_models.Experts`, rounded to the digits that matter."""
    grown = model.trees.dump_model()["tree_info"] if model.trees else []
    splits = {model.seen[node["split_feature"]] for tree in grown for node in _nodes(tree["tree_structure"])}
    found = [] if model.weights is None else zip(model.weighed, model.weights.round(4).tolist(), strict=True)
    weights = {place: weight for place, weight in found if weight}
    always = {NAMES.index(name) for name in ("length", "role_match", SHARE)}
    used = sorted({*always, *splits, *weights})
    own = [used.index(place) if place in used else -1 for place in model.seen]
    toll = _toll_tree(used.index(NAMES.index("length")))
    experts: list[dict[str, Any]] = []
    if grown:
        trees = [*(_tree(tree["tree_structure"], own) for tree in grown), toll]
        experts.append({"trees": trees, "weights": {"role_match": ROLE}})
    if weights:
        experts.append({"trees": [toll], "weights": {NAMES[place]: weight for place, weight in weights.items()}})
    data = {
        "learned_on": list(sets), "signals": [NAMES[place] for place in used],
        "share": SHARE, "experts": [experts[0], experts[-1]],
    }  # fmt: skip
    Experts(data)  # fails if the data is not valid
    return json.dumps(data, separators=(",", ":")) + "\n"


def _nodes(node: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    if "split_feature" in node:
        yield node
        yield from _nodes(node["left_child"])
        yield from _nodes(node["right_child"])


def _tree(root: Mapping[str, Any], places: Sequence[int]) -> list[list[float]]:
    nodes = sorted(_nodes(root), key=lambda node: node["split_index"])
    leaves: dict[int, float] = {}

    def child(node: Mapping[str, Any]) -> int:
        if "split_feature" in node:
            return int(node["split_index"])
        leaf = int(node.get("leaf_index", 0))
        leaves[leaf] = round(float(node["leaf_value"]), 4)
        return -1 - leaf

    left, right = [child(node["left_child"]) for node in nodes], [child(node["right_child"]) for node in nodes]
    if not nodes:
        child(root)
    return [
        [places[node["split_feature"]] for node in nodes],
        [float(f"{node['threshold']:.4g}") for node in nodes],
        left,
        right,
        [leaves[leaf] for leaf in sorted(leaves)],
    ]


# ------------------------------------------------------------------------------------------------ judging


def _column(name: str) -> Score:
    place = NAMES.index(name)
    return lambda row: row.values[:, place]


def _similarity(scores: Floats) -> Floats:
    low, high = scores.min(initial=np.inf), scores.max(initial=-np.inf)
    return np.asarray(((scores - low) / max(high - low, 1e-6)) ** SHARPNESS)


def _balanced(row: Asked, scores: Floats) -> Floats:
    """Return the balanced profile's composite score for turns, which all have equal importance and no uses."""
    weights, similarity = PROFILES["balanced"], _similarity(scores)
    return np.asarray(
        weights["similarity"] * similarity + weights["recency"] * row.recency + weights["entity_match"] * row.named
    )


def _order(row: Asked, scores: Floats) -> NDArray[np.intp]:
    """Order the candidates as recall does, except that near-duplicates are not ordered newest first."""
    order = np.lexsort((row.tie, -scores))
    if not row.values[:1, NAMES.index("wants_many")].any():
        return order
    finite = np.where(np.isfinite(scores), scores, scores[np.isfinite(scores)].min(initial=0.0))
    return order[spread_out(_similarity(finite)[order].tolist(), [row.talks[place] for place in order])]


def _question(row: Asked, scores: Floats) -> dict[str, float]:
    order = _order(row, scores)
    gold = frozenset(str(place) for place in range(row.gold))  # evidence that no arm found counts, but is in no ranking
    ids = np.array([f"x{place}" for place in range(len(order))], object)
    ids[row.relevant] = [str(place) for place in range(int(row.relevant.sum()))]
    ranking = ids[order].tolist()
    return ranked(ranking[:20], gold) | budgeted(ranking, row.tokens[order].tolist(), gold)


def _figures(rows: Sequence[Asked], score: Score) -> dict[str, dict[str, float]]:
    found: dict[str, list[dict[str, float]]] = {}
    for row in rows:
        found.setdefault(row.set, []).append(_question(row, score(row)))
    return {name: means(figures) for name, figures in found.items()}


def _by_category(rows: Sequence[Asked], systems: Mapping[str, Score]) -> dict[str, Any]:
    groups: dict[str, list[Asked]] = {}
    for row in rows:
        groups.setdefault(f"{row.set}: {row.category}", []).append(row)
    return {
        name: {"questions": len(own)}
        | {system: means(_question(row, score(row)) for row in own) for system, score in systems.items()}
        for name, own in sorted(groups.items())
    }


def _print(report: Mapping[str, Any], kinds: Mapping[str, Any]) -> None:
    rows = [
        [system, name, *(100 * figures[column] for column in COLUMNS)]
        for system, sets in report.items()
        for name, figures in sets.items()
    ]
    print(table(["cross-validated, %", "set", *COLUMNS], rows), end="\n\n")
    rows = [
        [kind, system, found["questions"], *(100 * found[system][column] for column in COLUMNS)]
        for kind, found in kinds.items()
        for system in ("weights", "learned")
    ]
    print(table(["category, %", "system", "n", *COLUMNS], rows))
