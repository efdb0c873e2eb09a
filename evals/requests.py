"""Measure whether a question is answered when it comes as people send it: inside a long message.

The questions of LoCoMo (`--data`) are asked bare, and put among 30, 60 and 100 words of ordinary talk, behind something
pasted, and inside an instruction (`requests_dev.jsonl` and `requests_heldout.jsonl`, English, written by hands that
saw neither code nor questions). As many questions of another user's conversations, which nothing here answers, are
wrapped alike.

    R@10    share of the evidence among the first ten turns
    found   share of the questions with evidence in the answer itself
    silent  share of the questions of other users that get no answer
    wrong   share of the questions with evidence that get no answer
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from evals.embedding import Remembering, remembering
from evals.metrics import means
from evals.options import options
from evals.report import bars, progress, save, table
from evals.retrieval import after
from evals.worlds import SETS, Question, World
from memoranda import Memory, Scoped
from memoranda.core.evaluation.metrics import recall
from memoranda.core.recall.results import Recalled

DATA = Path(__file__).parent / "data"
LENGTHS = (30, 60, 100)
FORMS = ("bare", *(f"{words} words" for words in LENGTHS), "pasted", "instruction")
FIGURES = ("R@10", "found", "wrong", "silent")
_FORM_OF = {"paste": "pasted", "instruction": "instruction"}

Wrapper = Mapping[str, Any]


def wrapped(question: str, wrapper: Wrapper, words: int | None = None) -> str:
    """Put a question into a message; `words` is how many of the words before it are kept, to the end of a sentence."""
    before: list[str] = []
    for sentence in wrapper["before"]:
        if words is not None and len(" ".join([*before, sentence]).split()) > words:
            break
        before.append(sentence)
    return " ".join([*before, question, *wrapper["after"]])


def forms(question: str, number: int, wrappers: Sequence[Wrapper]) -> Iterator[tuple[str, str]]:
    """Yield a question in each form, with the wrappers that its number chooses."""
    kinds = {kind: [one for one in wrappers if one["kind"] == kind] for kind in ("talk", "paste", "instruction")}
    yield "bare", question
    for words in LENGTHS:
        yield f"{words} words", wrapped(question, kinds["talk"][number % len(kinds["talk"])], words)
    for kind, form in _FORM_OF.items():
        yield form, wrapped(question, kinds[kind][number % len(kinds[kind])])


def judged(user: Scoped, asked: str, question: Question, now: Any, known: Mapping[str, str]) -> dict[str, float]:
    """Return the figures of one question that has evidence."""

    def hits(found: Recalled) -> list[frozenset[str]]:
        return [question.gold & {known[source] for source in item.sources if source in known} for item in found]

    ranking = hits(user.recall(asked, limit=10, kinds={"turn"}, now=now))
    answer = hits(user.recall(asked, now=now))
    return {
        "R@10": recall(ranking, len(question.gold), 10),
        "found": float(any(answer)),
        "wrong": float(not answer),
    }


def asked_of(
    world: World, others: Sequence[Question], most: int, wrappers: Sequence[Wrapper], embedder: Remembering | None
) -> dict[str, list[dict[str, float]]]:
    """Return for each form the figures of a world's questions, and of some of others."""
    found: dict[str, list[dict[str, float]]] = {form: [] for form in FORMS}
    with Memory.open(":memory:", embedder=embedder or "none", currency="none") as memory:
        user = memory.scope(tenant="evals", user=world.name)
        user.import_conversations(world.conversations)
        known = {one.event.id: one.event.metadata["message"] for one in user.events(limit=1_000)}
        now = after(world)
        step = max(1, len(world.questions) // most)
        for number, question in enumerate(progress(world.questions[::step][:most], world.name)):
            for form, text in forms(question.text, number, wrappers):
                found[form].append(judged(user, text, question, now, known))
            for form, text in forms(others[number % len(others)].text, number, wrappers):
                found[form][-1]["silent"] = float(not user.recall(text, now=now).items)
    return found


def main(argv: Sequence[str] | None = None) -> None:
    """Run the evaluation and write its report."""
    parser = options("requests", __doc__, data="folder with locomo/")
    parser.add_argument("--split", choices=("dev", "heldout"), default="dev")
    parser.add_argument("--worlds", type=int, help="only the first so many users")
    parser.add_argument("--questions", type=int, default=40, help="questions of each user (%(default)s)")
    parser.add_argument("--embedder", nargs="+", default=["local", "none"])
    given = parser.parse_args(argv)
    texts = (DATA / f"requests_{given.split}.jsonl").read_text(encoding="utf-8").splitlines()
    wrappers = [one for one in map(json.loads, texts) if one["language"] == "en"]
    worlds = list(islice(SETS["locomo"](given.data), given.worlds))
    everybody = list(SETS["locomo"](given.data)) if given.worlds else worlds
    report: dict[str, Any] = {}
    for name in given.embedder:
        embedder = remembering(name)
        found: dict[str, list[dict[str, float]]] = {form: [] for form in FORMS}
        for world in worlds:
            others = [one for other in everybody if other.name != world.name for one in other.questions][::7]
            for form, rows in asked_of(world, others, given.questions, wrappers, embedder).items():
                found[form] += rows
        report[name] = figures = {form: means(rows) for form, rows in found.items()}
        shown = [[form, len(found[form]), *(100 * figures[form][one] for one in FIGURES)] for form in FORMS]
        print(f"\n## requests: {given.split}, embedder {name}, %\n\n{table(['form', 'number', *FIGURES], shown)}")
    plot = {name: [100 * one[form]["R@10"] for form in FORMS] for name, one in report.items()}
    bars(given.out, "requests", "R@10 by form of the request", FORMS, plot)
    print(f"\nFigures and plot: {save(given.out, 'requests', report)}")


if __name__ == "__main__":
    main()
