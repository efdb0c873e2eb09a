"""The command that measures: how well a memory answers questions whose answers are known."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from memoranda.core.base.checks import brief
from memoranda.core.context.layouts import BUDGET
from memoranda.core.evaluation.labels import read
from memoranda.core.evaluation.metrics import Interval
from memoranda.doors.cli import options
from memoranda.doors.cli.commands.demo import remembered
from memoranda.doors.cli.door import Answer, Door, command
from memoranda.doors.cli.files import read_files
from memoranda.doors.cli.render import degraded, grid, note
from memoranda.errors import InputError, NotFoundError
from memoranda.flows.context.evaluate import FIGURES, Configuration, Evaluation

MISSED = 10  # questions shown among those that found no answer
COMPARED = ("NDCG@5", "R@10", "context recall")  # figures shown in a comparison; JSON has all
HOW = (
    "give profile=NAME, kinds=KIND/KIND, arms=ARM/ARM, per_conversation=NUMBER or embedder=none, several joined by +,"
    " and a comma between configurations"
)


def configurations(text: str) -> list[Configuration]:
    """Return the configurations in `text`.

    Raises:
        InputError: `text` is malformed; the message gives the syntax.
    """
    return [_configuration(one) for one in text.split(",")]


def _configuration(text: str) -> Configuration:
    ask: dict[str, Any] = {}
    embedder = True
    for setting in text.split("+"):
        match setting.strip().partition("="):
            case ("profile", "=", name):
                ask["profile"] = name
            case (("kinds" | "arms") as key, "=", names):
                ask[key] = names.split("/")
            case ("per_conversation", "=", number) if number.isdecimal():
                ask["per_conversation"] = int(number)
            case ("embedder", "=", "none"):
                embedder = False
            case _:
                raise InputError(f"{brief(setting)} is no setting: {HOW}.")
    return Configuration(name=text.strip(), ask=ask, embedder=embedder)


@command("evaluate", "memoranda eval labels.jsonl --compare profile=balanced,profile=relevance --plot eval.png")
def evaluate(
    door: Door,
    file: Annotated[
        str | None, typer.Argument(help="Labelled questions (docs/EVALUATION.md), or - for standard input.")
    ] = None,
    demo: Annotated[bool, typer.Option("--demo", help="The demonstration's memory and questions instead.")] = False,
    compare: Annotated[
        Any, options.parsed(configurations, "A,B", "Ways to recall, the others compared with the first.")
    ] = None,
    ablate: Annotated[bool, typer.Option("--ablate", help="Also without each part, one at a time.")] = False,
    budget: Annotated[int, typer.Option(min=1, help="Tokens, of recall within a budget and of context.")] = BUDGET,
    seed: Annotated[int, typer.Option(min=0, help="Of the resampling behind the intervals.")] = 0,
    plot: options.Plot = None,
) -> Answer:
    """Measure how well this memory answers questions whose answers you know; nothing is written."""
    if demo == bool(file):
        raise typer.BadParameter("give a file of labelled questions or --demo, and not both.")
    with remembered(door) if demo else nullcontext((door.scoped, str(file))) as (scoped, labels):
        faults: list[str] = []
        asked = [one for name, data in read_files(labels, faults) for one in read(data, name)]
        if faults:
            raise NotFoundError(faults[0])
        with door.counting("questions") as bar:
            if not ablate:  # the number of ablations is not known beforehand
                bar.expect(len(asked) * len(compare or [None]))
            found = scoped.evaluate(
                asked, configurations=compare or (), ablate=ablate, budget=budget, seed=seed, progress=bar.advance
            )
    if plot:
        door.draw(plot, "evaluation", found)
    return Answer(found, evaluation)


def evaluation(found: Evaluation) -> RenderableType:
    """Draw an evaluation: figures of each configuration, by category, intervals of the differences, and misses."""
    first, *others = found.runs
    names = [name for name in FIGURES if any(name in run.figures for run in found.runs)]
    unanswerable = sum(not question.answers for question in found.questions)
    count = len(found.questions)
    asked_of = f"{count:,} question{'s' * (count != 1)}"
    head = f"{asked_of}, {unanswerable:,} of them without an answer; {found.budget:,} tokens"
    rows = [(run.name, *_figures(run.figures, names), f"{run.milliseconds:.1f}") for run in found.runs]
    short = [name.replace("context", "ctx") for name in names]
    lines: list[RenderableType] = [Text(head), grid(rows, ("%", *short, "ms"))]
    if first.categories.keys() - {""}:
        asked = Counter(question.category for question in found.questions)
        kinds = [
            (f"{kind or 'no category'} ({asked[kind]})", *_figures(figures, names))
            for kind, figures in first.categories.items()
        ]
        lines += [Text(), grid(kinds, (f"{first.name}, %", *short))]
    if others:
        shown = [name for name in names if name in COMPARED]
        pairs = [(run.name, *(_interval(run.difference.get(name)) for name in shown)) for run in others]
        lines += [Text(), grid(pairs, (f"less {first.name}, points", *shown))]
        lines += note(["in brackets: 95 % of the paired resamples; *: all of them on one side of 0"], "dim")
    lines += note(_missed(found), "yellow")
    lines += note((f"skipped: {one}" for one in found.skipped), "dim")
    return Group(*lines, *degraded(found.degraded))


def _figures(figures: Mapping[str, float], names: Sequence[str]) -> list[str]:
    return [f"{100 * figures[name]:.1f}" if name in figures else "–" for name in names]


def _interval(one: Interval | None) -> str:
    if one is None:
        return "–"
    mean, low, high = (100 * value for value in (one.mean, one.low, one.high))
    return f"{mean:+.1f} [{low:+.1f}, {high:+.1f}]{'*' if low > 0 or high < 0 else ' '}"


def _missed(found: Evaluation) -> Iterable[str]:
    """Yield the questions with no answer among the first 20 memories."""
    asked = zip(found.questions, found.runs[0].questions, strict=True)
    missed = [question for question, figures in asked if figures.get("R@20") == 0]
    yield from (f"missed: {question.query} ({question.where})" for question in missed[:MISSED])
    if len(missed) > MISSED:
        yield f"missed: {len(missed) - MISSED} more"
