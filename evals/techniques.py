"""Measure what each rule-based recall technique finds beyond plain recall, and what it costs, on LoCoMo.

Questions are asked as in `evals.retrieval`: of turns only, for 20 items, just after the last turn. Each technique is
switched on alone, then all together. Two groups are shown separately: multi-hop questions, whose evidence lies in
several turns, and pairs of single-hop questions asked as one; these pairs are not part of "all". Times are of the whole
recall; the question itself was embedded before.
"""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from evals.embedding import remembering
from evals.metrics import means, percentile, ranked
from evals.options import options
from evals.places import place
from evals.report import Bar, bars, progress, save, table
from evals.retrieval import LIMIT, after
from evals.worlds import Question, World, locomo
from memoranda import Memory, Scoped
from memoranda.core.recall.arms import ARMS

RULES = ("expand", "self_query", "steps")
SYSTEMS: Mapping[str, tuple[str, ...]] = {"plain": (), **{name: (name,) for name in RULES}, "all three": RULES}
COLUMNS = ("R@5", "R@10", "MRR")
DOUBLE = "two at once"
GROUPS = ("all", "multi-hop", DOUBLE)


class Asked(NamedTuple):
    """One answered question: figures, milliseconds, and the number of variants it was asked in."""

    category: str
    figures: Mapping[str, float]
    spent: float
    ways: int


def main(argv: Sequence[str] | None = None) -> None:
    """Run the evaluation and write its report."""
    parser = options("techniques", __doc__, data="folder with locomo/")
    parser.add_argument("--worlds", type=int, help="only the first so many users")
    parser.add_argument("--store", default="sqlite", help="sqlite, postgres or a URL")
    parser.add_argument("--embedder", default="local")
    parser.add_argument("--profile", default="balanced")
    given = parser.parse_args(argv)
    embedder = remembering(given.embedder)
    found: dict[str, list[Asked]] = defaultdict(list)
    with place(given.store) as url, Memory.open(url, embedder=embedder or "none") as memory:
        for world in islice(locomo(given.data), given.worlds):
            user = memory.scope(tenant="evals", user=world.name)
            bar = Bar(f"{world.name}: import", len(world.conversations))
            for talk in world.conversations:
                user.import_conversations([talk])
                bar.step()
            _ask(user, world, given.profile, found)
    figures = {system: _figures(asked) for system, asked in found.items()}
    heads = [f"{group} {column}" for group in GROUPS for column in COLUMNS]
    rows = [
        [system, *(100 * of[head] for head in heads), of["p50 ms"], of["p95 ms"], of["ways"]]
        for system, of in figures.items()
    ]
    print(f"\n## profile {given.profile}, embedder {given.embedder}\n")
    print(table(["technique, %", *heads, "p50 ms", "p95 ms", "ways to ask"], rows))
    written = save(given.out, "techniques", {"embedder": given.embedder, "profile": given.profile, "systems": figures})
    series = {system: [100 * of[head] for head in heads] for system, of in figures.items()}
    bars(given.out, "techniques", "evidence found by technique", heads, series)
    print(f"\nFigures and plot: {written}, {written.with_suffix('.png')}")


def _ask(user: Scoped, world: World, profile: str, found: Mapping[str, list[Asked]]) -> None:
    now = after(world)
    for question in progress([*world.questions, *_doubled(world.questions)], f"{world.name}: questions"):
        user.recall(question.text, limit=1, now=now)  # embeds it
        for system, techniques in SYSTEMS.items():
            begun = time.perf_counter()
            answer = user.recall(
                question.text, limit=LIMIT, kinds={"turn"}, profile=profile, now=now, techniques=techniques
            )
            spent = 1_000 * (time.perf_counter() - begun)
            figures = ranked([item.metadata["message"] for item in answer], question.gold)
            ways = 1 + sum(arm.partition(": ")[0] not in ARMS for arm in answer.trace.arms)
            found[system].append(Asked(question.category, figures, spent, ways))


def _doubled(questions: Sequence[Question]) -> list[Question]:
    """Join each two consecutive single-hop questions into one."""
    single = [question for question in questions if question.category == "single-hop"]
    return [
        Question(
            id=f"{one.id}+{two.id}",
            category=DOUBLE,
            text=f"{one.text.rstrip('? ')}, and {two.text[:1].lower()}{two.text[1:]}",
            gold=one.gold | two.gold,
            audited=one.audited | two.audited,
        )
        for one, two in zip(single[::2], single[1::2], strict=False)
    ]


def _figures(asked: Sequence[Asked]) -> dict[str, float]:
    figures: dict[str, float] = {}
    for group in GROUPS:
        own = [one.figures for one in asked if one.category == group or (group == "all" and one.category != DOUBLE)]
        whole = means(own)
        figures.update({f"{group} {column}": whole.get(column, 0.0) for column in COLUMNS})
    times = [one.spent for one in asked]
    ways = sum(one.ways for one in asked) / max(len(asked), 1)
    return {**figures, "p50 ms": percentile(times, 50), "p95 ms": percentile(times, 95), "ways": ways}
