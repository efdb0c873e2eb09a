"""Evaluation: how well a memory answers questions whose answers are known, and what each of its parts contributes.

Every question is asked as an agent would ask it: `recall` for the ranking and once more within the token budget,
`context` for what would stand in the prompt. Nothing is written. A figure is a mean over questions, 0 to 1:

P@5                share of the first five places that hold a memory which answers
NDCG@5             how well these are ordered; a repetition of what stands above gains nothing
R@5, R@10, R@20    share of the answers found in so many places
MRR                1 over the rank of the first memory that answers
R in budget        share of the answers in what `recall(tokens=budget)` returns
context precision  share of the memories cited in the context that answer; 0 if none is cited
context recall     share of the answers that the context cites
silent             of questions that memory cannot answer, the share for which recall returns nothing
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from statistics import median
from typing import Annotated, Any

import numpy as np

from memoranda.core.base.checks import brief, check_choice, require, strings
from memoranda.core.base.constraints import Between, Progress
from memoranda.core.base.scope import Scope, visible
from memoranda.core.context.layouts import BUDGET
from memoranda.core.evaluation import metrics
from memoranda.core.evaluation.labels import Known, Question, question
from memoranda.core.formats.document import Node
from memoranda.core.recall.results import Recalled
from memoranda.core.rows import Event, Record
from memoranda.core.rows.statements import RECORDS
from memoranda.core.text.terms import normalise
from memoranda.errors import FormatError, NotFoundError, ScopeError
from memoranda.flows.context.context import context
from memoranda.flows.recall.looking import Ask
from memoranda.flows.recall.recall import recall
from memoranda.flows.runtime.reading import at_one_moment
from memoranda.flows.runtime.runtime import Runtime
from memoranda.ports import Query

CUTS = (5, 10, 20)
SILENT = "silent"
FIGURES = (
    *("P@5", "NDCG@5", *(f"R@{cut}" for cut in CUTS), "MRR", "R in budget", "context precision", "context recall"),
    SILENT,
)
RESAMPLES = 1_000
DEEP = 200  # memories recalled before those that fit into the budget are chosen
#: The options of recall that a configuration may set; the others are set by the question and the evaluation.
OPTIONS = tuple(item.name for item in fields(Ask) if item.name not in {"query", "limit", "tokens", "now"})
TURNS = frozenset({"turn"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """One way to recall.

    Attributes:
        name: what it is called in the report.
        ask: arguments of `recall` that differ from the defaults, such as profile or kinds.
        embedder: whether questions are embedded; `memory`: whether anything is recalled at all.

    Raises:
        InputError: `recall` takes no such argument.
    """

    name: str = "as it is"
    ask: Mapping[str, Any] = field(default_factory=dict)
    embedder: bool = True
    memory: bool = True

    def __post_init__(self) -> None:
        require(isinstance(self.ask, Mapping), "ask", self.ask, "arguments of recall by name")
        for name in self.ask:
            check_choice("an argument in ask", name, OPTIONS)
        sets = {
            name: frozenset(strings(name, self.ask[name]))
            for name in ("kinds", "arms")
            if self.ask.get(name) is not None
        }
        asked = Ask(query=self.name, **{**self.ask, **sets})
        usual = Ask(query=self.name)
        told = {name: getattr(asked, name) for name in self.ask}
        object.__setattr__(self, "ask", {name: it for name, it in told.items() if it != getattr(usual, name)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The results of one configuration.

    Attributes:
        figures: means over the questions; `categories`: the same by category; `questions`: figures of each question, in
            order.
        milliseconds: the median time of a recall of 20 memories, without embedding the question.
        difference: this run minus the first one, with the interval of a paired bootstrap; empty for the first.
    """

    name: str
    figures: Mapping[str, float]
    categories: Mapping[str, Mapping[str, float]]
    questions: tuple[Mapping[str, float], ...]
    milliseconds: float
    difference: Mapping[str, metrics.Interval] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What was measured.

    Attributes:
        questions: what was asked, in order.
        runs: one per configuration; the first is the baseline of all comparisons.
        skipped: ablations that could not be made, each with the reason.
        degraded: parts that were down at some time.
    """

    questions: tuple[Question, ...]
    runs: tuple[Run, ...]
    budget: int
    seed: int
    skipped: tuple[str, ...] = ()
    degraded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Case:
    """A question with its scope, the memories that the scope sees by id, and the events of each answer."""

    question: Question
    scope: Scope
    known: Mapping[str, Known]
    labels: tuple[frozenset[str], ...]


@at_one_moment
async def evaluate(
    runtime: Runtime,
    scope: Scope,
    questions: Sequence[Question | Mapping[str, Any]],
    *,
    configurations: Sequence[Configuration] = (),
    ablate: bool = False,
    budget: Annotated[int, Between()] = BUDGET,
    seed: Annotated[int, Between(0)] = 0,
    progress: Progress | None = None,
) -> Evaluation:
    """Measure how well this memory answers questions with known answers. Nothing is written.

    Args:
        questions: each {"query", "answers"} and optionally "category", "now" and "scope", as
            `memoranda.core.evaluation.labels.read` reads them from a file; docs/EVALUATION.md describes them.
        configurations: ways to recall, each compared with the first; by default the default one alone.
        ablate: also run the first without one part at a time: all memory, turns, records, the embedder, each arm.
        budget: tokens for the context, and for the recall within a budget.
        seed: the seed of the resampling for the intervals.
        progress: called with 1 after each question of each configuration.

    Raises:
        FormatError: a question cannot be read.
        NotFoundError: an answer names a memory that is not visible in this scope.
    """
    fits = isinstance(configurations, Sequence) and all(isinstance(one, Configuration) for one in configurations)
    require(fits, "configurations", configurations, "a list of memoranda.flows.context.evaluate.Configuration")
    ways = [*configurations] or [Configuration()]
    cases = await _cases(runtime, scope, _questions(questions))
    runtime = replace(runtime, settings=replace(runtime.settings, context_log=False, reinforce=False))
    bench = _Bench(runtime, cases, budget, runtime.clock(), progress)
    runs = [await bench.run(way) for way in ways]
    skipped: tuple[str, ...] = ()
    if ablate:
        without, skipped = _ablations(runtime, ways[0], bench.arms)
        runs += [await bench.run(way) for way in without]
    first, *others = runs
    return Evaluation(
        questions=tuple(case.question for case in cases),
        runs=(first, *(replace(run, difference=_difference(first, run, seed)) for run in others)),
        budget=budget,
        seed=seed,
        skipped=skipped,
        degraded=tuple(bench.degraded),
    )


def _questions(given: object) -> list[Question]:
    if not isinstance(given, Sequence) or isinstance(given, str | bytes) or not given:
        raise FormatError(f"questions is {brief(given)}; give a list of questions, each with its answers.")
    return [
        one if isinstance(one, Question) else question(Node(one, "questions", (number,)))
        for number, one in enumerate(given)
    ]


async def _cases(runtime: Runtime, scope: Scope, questions: Sequence[Question]) -> list[_Case]:
    """The questions with their labels resolved; all labels that cannot be resolved are reported together."""
    events = Query(kind=Event, tenant=scope.tenant, user=scope.user)
    records = Query(kind=Record, tenant=scope.tenant, user=scope.user, order=("version",))  # the last one counts
    page = await runtime.store.find(scope.owner, events, records)
    rows = [(row, _known(row)) for found in page.rows for row in found]
    seen: dict[Scope, dict[str, Known]] = {}
    cases, faults = [], []
    for asked in questions:
        try:
            here = scope.narrow(**asked.scope)
        except ScopeError as error:
            raise ScopeError(f"{asked.where}: {error}") from error
        if here not in seen:
            seen[here] = {known.id: known for row, known in rows if visible(row, here)}
        try:
            cases.append(_Case(asked, here, seen[here], asked.labels(seen[here].values())))
        except NotFoundError as error:
            faults.append(str(error))
    if faults:
        more = f" And {len(faults) - 3} more." if len(faults) > 3 else ""
        raise NotFoundError(f"{' '.join(faults[:3])}{more} Correct the labels, or import what they speak of.")
    return cases


def _known(row: Event | Record) -> Known:
    text, events = (row.content, (row.id,)) if isinstance(row, Event) else (row.text, row.sources)
    return Known(id=row.id, text=text, form=normalise(text), rests_on=frozenset(events or (row.id,)))


@dataclass(slots=True)
class _Bench:
    """The questions and how they are asked; `arms` and `degraded` collect what occurred."""

    runtime: Runtime
    cases: Sequence[_Case]
    budget: int
    now: datetime
    progress: Progress | None
    arms: dict[str, None] = field(default_factory=dict)
    degraded: dict[str, None] = field(default_factory=dict)

    async def run(self, way: Configuration) -> Run:
        """Ask every question with one configuration."""
        runtime = self.runtime if way.embedder else replace(self.runtime, embedder=None)
        rows: list[dict[str, float]] = []
        times: list[float] = []
        for case in self.cases:
            found = await self._recall(runtime, way, case, limit=max(CUTS))
            times.append(sum(spent for step, spent in found.trace.milliseconds.items() if step != "embed"))
            rows.append(await self._figures(runtime, way, case, found) if case.labels else {SILENT: float(not found)})
            if self.progress:
                self.progress(1)
        categories: dict[str, list[dict[str, float]]] = {}
        for case, row in zip(self.cases, rows, strict=True):
            categories.setdefault(case.question.category, []).append(row)
        return Run(
            name=way.name,
            figures=_ordered(metrics.means(rows)),
            categories={name: _ordered(metrics.means(own)) for name, own in sorted(categories.items())},
            questions=tuple(rows),
            milliseconds=round(median(times), 3),
        )

    async def _figures(self, runtime: Runtime, way: Configuration, case: _Case, found: Recalled) -> dict[str, float]:
        """The figures of a question that has an answer; those of contexts only with the default options of recall."""
        labels = len(case.labels)
        hits = _hits(case, (item.id for item in found))
        within = await self._recall(runtime, way, case, limit=DEEP, tokens=self.budget)
        figures = {
            "P@5": metrics.precision(hits, 5),
            "NDCG@5": metrics.ndcg(hits, labels, 5),
            **{f"R@{cut}": metrics.recall(hits, labels, cut) for cut in CUTS},
            "MRR": metrics.reciprocal_rank(hits),
            "R in budget": metrics.recall(_hits(case, (item.id for item in within)), labels),
        }
        if not way.ask:
            cited: metrics.Hits = ()
            if way.memory:
                now = case.question.now or self.now
                made = await context(runtime, case.scope, case.question.query, budget=self.budget, now=now)
                cited = _hits(case, made.citations.values())
            figures["context precision"] = metrics.precision(cited, max(len(cited), 1))
            figures["context recall"] = metrics.recall(cited, labels)
        return figures

    async def _recall(self, runtime: Runtime, way: Configuration, case: _Case, **limits: int) -> Recalled:
        if not way.memory:
            return Recalled()
        options: dict[str, Any] = {**way.ask, **limits, "now": case.question.now or self.now}
        found = await recall(runtime, case.scope, Ask(query=case.question.query, **options))
        self.arms.update(dict.fromkeys(found.trace.proposed()))
        self.degraded.update(dict.fromkeys(found.degraded))
        return found


def _hits(case: _Case, ids: Iterable[str]) -> metrics.Hits:
    """Which answers each memory gives."""
    rests_on = (case.known[one].rests_on if one in case.known else frozenset[str]() for one in ids)
    return [frozenset(number for number, label in enumerate(case.labels) if label & own) for own in rests_on]


def _ordered(figures: Mapping[str, float]) -> dict[str, float]:
    return {name: round(figures[name], 6) for name in FIGURES if name in figures}


def _difference(first: Run, other: Run, seed: int) -> dict[str, metrics.Interval]:
    """The other run minus the first, for every figure that both have, over the questions that have it."""
    found = {}
    for name in FIGURES:
        pairs = zip(first.questions, other.questions, strict=True)
        values = [b[name] - a[name] for a, b in pairs if name in a and name in b]
        if values:
            samples = np.random.default_rng(seed).integers(len(values), size=(RESAMPLES, len(values)))
            found[name] = metrics.bootstrap(values, samples)
    return found


def _ablations(
    runtime: Runtime, base: Configuration, arms: Iterable[str]
) -> tuple[list[Configuration], tuple[str, ...]]:
    """What can be removed from a configuration, one part at a time, and what cannot."""
    skipped = []
    found = [
        replace(base, name="no memory", memory=False),
        replace(base, name="turns only", ask={**base.ask, "kinds": TURNS}),
        replace(base, name="records only", ask={**base.ask, "kinds": frozenset(RECORDS)}),
    ]
    if runtime.embedder and base.embedder:
        found.append(replace(base, name="without embedder", embedder=False))
    else:
        skipped.append("without embedder: there is none")
    whole = frozenset(arms)
    found += [replace(base, name=f"without {arm}", ask={**base.ask, "arms": whole - {arm}}) for arm in arms]
    return found, tuple(skipped)
