"""Measure how much of the labelled evidence contexts cite within a budget of tokens, beside recall cut at the same one.

Each world of a data set becomes one user, whose conversations are imported; each question is asked just after the last
turn, in a new conversation. A turn is cited if a mark of the context leads to it, or to a statement that was read from
it. `recall` is asked for 200 memories and cut in two ways: by `tokens=`, which counts their texts alone, and where
their lines, with the mark, the day and who says it, would take more than the budget. The processor time of a context
is given as a multiple of that of a recall with default arguments; the questions were embedded before.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate, islice
from statistics import fmean
from typing import Any

from evals.embedding import remembering
from evals.options import options
from evals.places import place
from evals.report import progress, save, table
from evals.retrieval import DEEP, after
from evals.worlds import SETS, Question
from memoranda import Memory, Scoped
from memoranda.core.text.terms import estimate_tokens

BUDGETS = (1_000, 4_000)
HEAD = ("budget", "category", "questions", "context", "recall, its texts", "recall, its lines", "tokens used", "lines")


@dataclass(frozen=True, slots=True)
class Answer:
    """What one question found: shares of its evidence, tokens and lines of the context, and seconds of each call."""

    category: str
    context: float
    texts: float
    lines: float
    used: int
    cited: int
    seconds: tuple[float, float]


def main(argv: Sequence[str] | None = None) -> None:
    """Run the evaluation and write its report."""
    parser = options("budget", __doc__, data="folder with locomo/ and beam/")
    parser.add_argument("--set", choices=list(SETS), default="locomo")
    parser.add_argument("--worlds", type=int, help="only the first so many users")
    parser.add_argument("--every", type=int, default=1, help="only each so-many-th question (%(default)s)")
    parser.add_argument("--budgets", type=int, nargs="+", default=BUDGETS, help="tokens (%(default)s)")
    parser.add_argument("--store", default="sqlite", help="sqlite, postgres or a URL")
    parser.add_argument("--embedder", default="local")
    given = parser.parse_args(argv)
    embedder = remembering(given.embedder)
    found: dict[int, list[Answer]] = {budget: [] for budget in given.budgets}
    with place(given.store) as url, Memory.open(url, embedder=embedder or "none") as memory:
        for world in islice(SETS[given.set](given.data), given.worlds):
            user = memory.scope(tenant="evals", user=world.name)
            user.import_conversations(list(world.conversations))
            told = _told(user)
            for question in progress(world.questions[:: given.every], world.name):
                user.recall(question.text, now=after(world))  # so that embedding the question is not timed
                for budget, answers in found.items():
                    answers.append(_ask(user, question, told, after(world), budget))
    figures = {budget: _figures(answers) for budget, answers in found.items()}
    rows = [(f"{budget:,}", kind, *own.values()) for budget, kinds in figures.items() for kind, own in kinds.items()]
    print(table([*HEAD, "CPU, recalls"], rows))
    setup = {"set": given.set, "embedder": given.embedder}
    print(f"\nFigures: {save(given.out, 'budget', {**setup, 'budgets': figures})}")


def _told(user: Scoped) -> Mapping[str, frozenset[str]]:
    """The messages that each turn is, and that each statement was read from."""
    lines = [line for line in user.export() if "row" in line]
    turns = {line["row"]["id"]: line["row"]["metadata"]["message"] for line in lines if line["kind"] == "events"}
    read = {line["row"]["id"]: line["row"]["sources"] for line in lines if line["kind"] == "records"}
    return {name: frozenset(turns[one] for one in sources) for name, sources in read.items()} | {
        name: frozenset({message}) for name, message in turns.items()
    }


def _ask(user: Scoped, question: Question, told: Mapping[str, frozenset[str]], now: datetime, budget: int) -> Answer:
    def share(names: Iterable[str]) -> float:
        found = {message for name in names for message in told.get(name, ())}
        return len(question.gold & found) / len(question.gold)

    begun = time.process_time()
    made = user.context(question.text, conversation="now", budget=budget, now=now)
    between = time.process_time()
    user.recall(question.text, now=now)
    ended = time.process_time()
    cut = user.recall(question.text, limit=DEEP, tokens=budget, now=now)
    ranked = user.recall(question.text, limit=DEEP, now=now)
    costs = accumulate(estimate_tokens(f"- [m99] ({item.at:%Y-%m-%d}) {item.by}: {item.text}\n") for item in ranked)
    return Answer(
        category=question.category,
        context=share(made.citations.values()),
        texts=share(item.id for item in cut),
        lines=share(item.id for item, cost in zip(ranked, costs, strict=True) if cost <= budget),
        used=made.used,
        cited=len(made.citations),
        seconds=(between - begun, ended - between),
    )


def _figures(answers: Sequence[Answer]) -> dict[str, dict[str, Any]]:
    kinds = {"all": answers}
    for kind in sorted({answer.category for answer in answers}):
        kinds[kind] = [answer for answer in answers if answer.category == kind]
    return {
        kind: {
            "questions": len(own),
            "context": 100 * fmean(one.context for one in own),
            "texts": 100 * fmean(one.texts for one in own),
            "lines": 100 * fmean(one.lines for one in own),
            "used": fmean(one.used for one in own),
            "cited": fmean(one.cited for one in own),
            "cpu": sum(one.seconds[0] for one in own) / max(sum(one.seconds[1] for one in own), 1e-9),
        }
        for kind, own in kinds.items()
    }
