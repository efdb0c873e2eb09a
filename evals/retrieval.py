"""Measure how much of the labelled evidence `recall` finds, through the public API alone.

Each world of a data set becomes one user, whose conversations are imported. Each question is asked just after the last
turn, of turns only, for 20 items: R@k, Hit@k, MRR and NDCG@10 (see `evals.metrics`). A second recall of 200 items is
cut at token budgets, with tokens as memoranda estimates them. Questions without evidence are left out. The baselines
BM25, cosine, and both combined by reciprocal rank fusion rank the same turns in the same run, with the speaker's name
before the text. If an assistant speaks too, BM25 and the fusion also rank the user's turns alone.

The shipped ranking model was trained on these questions, so its rows (relevance, balanced) are too optimistic: up to 7
points above what `python -m evals learn` finds for users left out of training. The other rows involve no training.
"""

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

from evals.baselines import BM25, by_cosine, fused
from evals.embedding import Remembering, embed, remembering
from evals.metrics import BUDGETS, CUTS, budgeted, means, percentile, ranked
from evals.options import options
from evals.places import place
from evals.report import Bar, bars, progress, save, table
from evals.worlds import SETS, Question, World
from memoranda import Memory, Scoped
from memoranda.core.text.terms import Analyzer, estimate_tokens
from memoranda.models.stemmer import stem

LIMIT, DEEP = 20, 200
COLUMNS = (*(f"R@{cut}" for cut in CUTS), "Hit@5", "MRR", "NDCG@10", *(f"R<={budget}t" for budget in BUDGETS))


@dataclass(frozen=True, slots=True)
class Ranking:
    """A system's answer to one question: `near` ids for rank metrics, and `far` ids with `tokens` for the budgets."""

    near: Sequence[str]
    far: Sequence[str]
    tokens: Sequence[int]


@dataclass(slots=True)
class Run:
    """All answers on one data set.

    Attributes:
        answers: by system, each question with its ranking.
        turns: the number of imported turns.
        loading, embedding: seconds for the import, and how many of them the embedder took.
        asking: by system, milliseconds of each recall of 20 items; the questions were embedded before.
    """

    answers: dict[str, list[tuple[Question, Ranking]]] = field(default_factory=lambda: defaultdict(list))
    turns: int = 0
    loading: float = 0.0
    embedding: float = 0.0
    asking: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))


def main(argv: Sequence[str] | None = None) -> None:
    """Run the evaluation and write its report."""
    parser = options("retrieval", __doc__, data="folder with locomo/ and beam/")
    parser.add_argument("--sets", nargs="+", choices=list(SETS), default=["locomo", "beam100k"])
    parser.add_argument("--worlds", type=int, help="only the first so many users of each set")
    parser.add_argument("--store", default="sqlite", help="sqlite, postgres or a URL")
    parser.add_argument("--embedder", default="local")
    parser.add_argument("--profile", nargs="+", default=["relevance", "balanced"])
    given = parser.parse_args(argv)
    embedder = remembering(given.embedder)
    for name in given.sets:
        run = Run()
        with place(given.store) as url, Memory.open(url, embedder=embedder or "none") as memory:
            for world in islice(SETS[name](given.data), given.worlds):
                _world(memory, world, embedder, given.profile, run)
        setup = {"set": name, "store": given.store.partition(":")[0], "embedder": given.embedder}
        _report(run, setup, given.out)


def _world(memory: Memory, world: World, embedder: Remembering | None, profiles: Sequence[str], run: Run) -> None:
    user = memory.scope(tenant="evals", user=world.name)
    run.turns += sum(len(talk.messages) for talk in world.conversations)
    before, begun = embedder.seconds if embedder else 0.0, time.perf_counter()
    bar = Bar(f"{world.name}: import", len(world.conversations))
    for talk in world.conversations:
        user.import_conversations([talk])
        bar.step()
    run.loading += time.perf_counter() - begun
    run.embedding += embedder.seconds - before if embedder else 0.0
    for system, question, ranking in _baselines(world, embedder):
        run.answers[system].append((question, ranking))
    now = after(world)
    for profile in profiles:
        for question in progress(world.questions, f"{world.name}: {profile}"):
            run.answers[profile].append((question, _recall(user, question, profile, now, run)))


def after(world: World) -> datetime:
    """Return the time at which questions are asked: just after the last turn."""
    times = [message.at for talk in world.conversations for message in talk.messages if message.at]
    return max(times, default=datetime.now(UTC)) + timedelta(seconds=1)


def _recall(user: Scoped, question: Question, profile: str, now: datetime, run: Run) -> Ranking:
    begun = time.perf_counter()
    near = user.recall(question.text, limit=LIMIT, kinds={"turn"}, profile=profile, now=now)
    run.asking[profile].append(1000 * (time.perf_counter() - begun))
    far = user.recall(question.text, limit=DEEP, kinds={"turn"}, profile=profile, now=now)
    return Ranking(
        [item.metadata["message"] for item in near],
        [item.metadata["message"] for item in far],
        [estimate_tokens(item.text) for item in far],
    )


def _baselines(world: World, embedder: Remembering | None) -> Iterator[tuple[str, Question, Ranking]]:
    messages = [message for talk in world.conversations for message in talk.messages]
    tokens = [estimate_tokens(message.content) for message in messages]
    texts = [f"{message.speaker}: {message.content}" if message.speaker else message.content for message in messages]
    analyzer = Analyzer(stem)
    bm25 = BM25([analyzer.terms(text) for text in texts])
    said = [place for place, message in enumerate(messages) if message.role == "user"]
    own = BM25([analyzer.terms(texts[place]) for place in said])
    asked = [question.text for question in world.questions]
    vectors = embed(embedder, texts) if embedder else None
    wanted = embed(embedder, asked) if embedder else None
    for number, question in enumerate(world.questions):
        terms = analyzer.terms(question.text)
        rankings = {"bm25 alone": bm25.ranking(terms)}
        if vectors is not None and wanted is not None:
            rankings["cosine alone"] = by_cosine(vectors, wanted[number])
            rankings["both, fused"] = fused(*rankings.values())
        if len(said) < len(messages):  # an assistant speaks too, who mostly repeats
            rankings["bm25, user's"] = [said[place] for place in own.ranking(terms)]
            if vectors is not None and wanted is not None:
                near = [said[place] for place in by_cosine(vectors[said], wanted[number])]
                rankings["both, user's"] = fused(rankings["bm25, user's"], near)
        for system, order in rankings.items():
            ids = [str(messages[i].id) for i in order[:DEEP]]
            yield system, question, Ranking(ids[:LIMIT], ids, [tokens[i] for i in order[:DEEP]])


# ---------------------------------------------------------------------------------------------- reporting


def _figures(answers: Sequence[tuple[Question, Ranking]], gold: str = "gold") -> dict[str, float]:
    rows = []
    for question, ranking in answers:
        wanted: frozenset[str] = getattr(question, gold)
        rows.append(ranked(ranking.near, wanted) | budgeted(ranking.far, ranking.tokens, wanted))
    return means(rows)


def _report(run: Run, setup: Mapping[str, str], out: Path) -> None:
    name = setup["set"]
    kinds = sorted({question.category for answers in run.answers.values() for question, _ in answers})
    systems: dict[str, Any] = {}
    for system, answers in run.answers.items():
        by_kind = {kind: [pair for pair in answers if pair[0].category == kind] for kind in kinds}
        systems[system] = {
            "all": _figures(answers),
            "audited": _figures(answers, "audited"),
            "categories": {kind: {"questions": len(own), **_figures(own)} for kind, own in by_kind.items()},
        }
    times = {
        system: {"p50 ms": percentile(asked, 50), "p95 ms": percentile(asked, 95)}
        for system, asked in run.asking.items()
    }
    questions = len(next(iter(run.answers.values()), []))
    load = {"turns": run.turns, "seconds": run.loading, "of these embedding": run.embedding}
    print(
        f"\n## {name}: {questions:,} questions, {run.turns:,} turns; {setup['store']}, embedder {setup['embedder']}\n"
    )
    _tables(systems, kinds)
    print(f"\nImport: {run.loading:.1f} s, of these {run.embedding:.1f} s in the embedder.\n")
    if times:
        rows = [[system, *spent.values()] for system, spent in times.items()]
        print(table(["recall of 20, question embedded before", "p50 ms", "p95 ms"], rows))
    figures = {**setup, "questions": questions, "import": load, "recall": times, "systems": systems}
    written = save(out, f"retrieval-{name}", figures)
    series = {system: [100 * both["all"][column] for column in COLUMNS] for system, both in systems.items()}
    bars(out, f"retrieval-{name}", f"{name}: evidence found, {questions:,} questions", COLUMNS, series)
    print(f"\nFigures and plot: {written}, {written.with_suffix('.png')}")


def _tables(systems: Mapping[str, Any], kinds: Sequence[str]) -> None:
    rows: list[list[object]] = []
    for system, both in systems.items():
        rows.append([system, *(100 * both["all"][column] for column in COLUMNS)])
    if any(both["audited"] != both["all"] for both in systems.values()):
        rows += [
            [f"{system}, audited labels", *(100 * both["audited"][column] for column in COLUMNS)]
            for system, both in systems.items()
        ]
    print(table(["all questions, %", *COLUMNS], rows), end="\n\n")
    by_kind = [
        [kind, system, both["categories"][kind]["questions"], *(100 * both["categories"][kind][c] for c in COLUMNS)]
        for kind in kinds
        for system, both in systems.items()
    ]
    print(table(["category, %", "system", "n", *COLUMNS], by_kind))
