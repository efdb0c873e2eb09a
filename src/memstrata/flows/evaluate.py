"""Evaluation: how well a memory answers questions whose answers are known, and what each of its parts is worth.

Every question is asked as an agent would ask it: `recall` for the ranking and once more within the token budget,
`context` for what would stand in the prompt. Nothing is written. A figure is a mean over questions, 0 to 1:

P@5                share of the first five places that hold a memory which answers
NDCG@5             how well these are ordered; what only says again what stands above gains nothing
R@5, R@10, R@20    share of the answers found in so many places
MRR                1 over the rank of the first memory that answers
R in budget        share of the answers in what `recall(tokens=budget)` gives
context precision  share of the memories cited in the context that answer; 0 where none is cited
context recall     share of the answers that the context cites
silent             of questions that memory cannot answer, the share for which recall gives nothing
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from reprlib import repr as brief
from statistics import median
from typing import Any

import numpy as np

from memstrata.core.budget import DEFAULT_BUDGET
from memstrata.core.checks import check_choice, check_function, check_number, require, strings
from memstrata.core.formats.document import Node
from memstrata.core.labels import Known, Question, question
from memstrata.core.measures import Hits, Interval, bootstrap, means, ndcg, precision, recall, reciprocal_rank
from memstrata.core.results import Recalled
from memstrata.core.rows import Event, Record
from memstrata.core.scope import Scope, visible
from memstrata.core.text import normalise
from memstrata.errors import FormatError, NotFoundError, ScopeError
from memstrata.flows import recall as recalling
from memstrata.flows.context import context
from memstrata.flows.recall import Ask
from memstrata.flows.runtime import Runtime
from memstrata.ports import Query

CUTS = (5, 10, 20)
FIGURES = (
    *("P@5", "NDCG@5", *(f"R@{cut}" for cut in CUTS), "MRR", "R in budget", "context precision", "context recall"),
    "silent",
)
RESAMPLES = 1_000
DEEP = 200  # memories among which those that fit into the budget are sought
#: What a configuration may ask otherwise: what the question and the evaluation themselves do not say.
OPTIONS = tuple(item.name for item in fields(Ask) if item.name not in {"query", "limit", "tokens", "now"})
TURNS = frozenset({"turn"})
RECORDS = frozenset(
    "fact preference episode pattern decision plan reflection observation tool_output summary".split()
)  # an observation is the record that stands for it


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
    """What one configuration achieved.

    Attributes:
        figures: means over the questions, by category as well; `questions`: of each question, in order.
        milliseconds: the median of a recall of 20 memories.
        difference: this run less the first one, with the interval of a paired bootstrap; empty for the first.
    """

    name: str
    figures: Mapping[str, float]
    categories: Mapping[str, Mapping[str, float]]
    questions: tuple[Mapping[str, float], ...]
    milliseconds: float
    difference: Mapping[str, Interval] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What was measured.

    Attributes:
        questions: what was asked, in order.
        runs: one per configuration, the one that others are compared with first.
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
    """A question with the scope it is asked in, the events of each answer, and what every memory rests on."""

    question: Question
    scope: Scope
    labels: tuple[frozenset[str], ...]
    rests_on: Mapping[str, frozenset[str]]


@dataclass(slots=True)
class _Log:
    """What comes up besides the figures: arms and parts that were down, and how long the recalls of a run took."""

    arms: dict[str, None] = field(default_factory=dict)
    degraded: dict[str, None] = field(default_factory=dict)
    milliseconds: list[float] = field(default_factory=list)


async def evaluate(
    runtime: Runtime,
    scope: Scope,
    questions: Sequence[Question | Mapping[str, Any]],
    *,
    configurations: Sequence[Configuration] = (),
    ablate: bool = False,
    budget: int = DEFAULT_BUDGET,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Evaluation:
    """Measure a memory on labelled questions. See `memstrata.memory.AsyncScoped.evaluate`."""
    check_number("budget", budget)
    check_number("seed", seed, least=0)
    check_function("progress", progress)
    require(isinstance(ablate, bool), "ablate", ablate, "True or False")
    fits = isinstance(configurations, Sequence) and all(isinstance(one, Configuration) for one in configurations)
    require(fits, "configurations", configurations, "a list of memstrata.flows.evaluate.Configuration")
    ways = [*configurations] or [Configuration()]
    cases = await _cases(runtime, scope, _questions(questions))
    log = _Log()
    runs = [await _run(runtime, way, cases, budget, log, progress) for way in ways]
    skipped: tuple[str, ...] = ()
    if ablate:
        without, skipped = _ablations(runtime, ways[0], log.arms)
        runs += [await _run(runtime, way, cases, budget, log, progress) for way in without]
    first, *others = runs
    return Evaluation(
        questions=tuple(case.question for case in cases),
        runs=(first, *(replace(run, difference=_difference(first, run, seed)) for run in others)),
        budget=budget,
        seed=seed,
        skipped=skipped,
        degraded=tuple(log.degraded),
    )


def _questions(given: object) -> list[Question]:
    if not isinstance(given, Sequence) or isinstance(given, str | bytes) or not given:
        raise FormatError(f"questions is {brief(given)}; give a list of questions, each with its answers.")
    return [
        one if isinstance(one, Question) else question(Node(one, "questions", (number,)))
        for number, one in enumerate(given)
    ]


async def _cases(runtime: Runtime, scope: Scope, questions: Sequence[Question]) -> list[_Case]:
    """The questions with what their labels mean; all that mean nothing are told at once."""
    owned = [Query(kind=kind, tenant=scope.tenant, user=scope.user) for kind in (Event, Record)]
    rows = [row for found in (await runtime.store.find(scope.owner, *owned)).rows for row in found]
    known = {id(row): _known(row) for row in rows}
    cases, faults = [], []
    for asked in questions:
        try:
            here = scope.narrow(**asked.scope)
        except ScopeError as error:
            raise ScopeError(f"{asked.where}: {error}") from error
        seen = [known[id(row)] for row in rows if visible(row, here)]
        rests_on = {memory.id: memory.rests_on for memory in seen}
        try:
            cases.append(_Case(asked, here, asked.labels(seen), rests_on))
        except NotFoundError as error:
            faults.append(str(error))
    if faults:
        more = f" And {len(faults) - 3} more." if len(faults) > 3 else ""
        raise NotFoundError(f"{' '.join(faults[:3])}{more} Correct the labels, or import what they speak of.")
    return cases


def _known(row: Event | Record) -> Known:
    text, events = (row.content, (row.id,)) if isinstance(row, Event) else (row.text, row.sources)
    return Known(id=row.id, text=text, form=normalise(text), rests_on=frozenset(events or (row.id,)))


async def _run(
    runtime: Runtime,
    way: Configuration,
    cases: Sequence[_Case],
    budget: int,
    log: _Log,
    progress: Callable[[int], None] | None,
) -> Run:
    runtime = runtime if way.embedder else replace(runtime, embedder=None)
    log.milliseconds.clear()
    rows: list[Mapping[str, float]] = []
    for case in cases:
        rows.append(await _measured(runtime, way, case, budget, log))
        if progress:
            progress(1)
    categories: dict[str, list[Mapping[str, float]]] = {}
    for case, row in zip(cases, rows, strict=True):
        categories.setdefault(case.question.category, []).append(row)
    return Run(
        name=way.name,
        figures=_ordered(means(rows)),
        categories={name: _ordered(means(own)) for name, own in sorted(categories.items())},
        questions=tuple(rows),
        milliseconds=round(median(log.milliseconds), 3) if log.milliseconds else 0.0,
    )


async def _measured(runtime: Runtime, way: Configuration, case: _Case, budget: int, log: _Log) -> dict[str, float]:
    """The figures of one question. The context is that of the defaults: it cannot be asked otherwise."""
    asked, labels = case.question, case.labels
    first = await _recalled(runtime, way, case, log, limit=max(CUTS))
    if not labels:
        return {"silent": float(not first)}
    hits = _hits(case, (item.id for item in first))
    fitting = _hits(case, (item.id for item in await _recalled(runtime, way, case, log, limit=DEEP, tokens=budget)))
    figures = {
        "P@5": precision(hits, 5),
        "NDCG@5": ndcg(hits, len(labels), 5),
        **{f"R@{cut}": recall(hits, len(labels), cut) for cut in CUTS},
        "MRR": reciprocal_rank(hits),
        "R in budget": recall(fitting, len(labels)),
    }
    if not way.ask:
        cited: Hits = ()
        if way.memory:
            made = await context(runtime, case.scope, asked.query, budget=budget, now=asked.now)
            cited = _hits(case, made.citations.values())
        figures["context precision"] = precision(cited, max(len(cited), 1))
        figures["context recall"] = recall(cited, len(labels))
    return figures


async def _recalled(runtime: Runtime, way: Configuration, case: _Case, log: _Log, **limits: int) -> Recalled:
    if not way.memory:
        return Recalled()
    options: dict[str, Any] = {**way.ask, **limits}
    found = await recalling.recall(
        runtime, case.scope, Ask(query=case.question.query, now=case.question.now, **options)
    )
    log.arms.update(dict.fromkeys(found.trace.arms))
    log.degraded.update(dict.fromkeys(found.degraded))
    if "tokens" not in limits:
        log.milliseconds.append(sum(found.trace.milliseconds.values()))
    return found


def _hits(case: _Case, ids: Iterable[str]) -> Hits:
    """Which answers each memory gives."""
    nothing = frozenset[str]()
    rests_on = (case.rests_on.get(one, nothing) for one in ids)
    return [frozenset(number for number, label in enumerate(case.labels) if label & own) for own in rests_on]


def _ordered(figures: Mapping[str, float]) -> dict[str, float]:
    return {name: round(figures[name], 6) for name in FIGURES if name in figures}


def _difference(first: Run, other: Run, seed: int) -> dict[str, Interval]:
    """The other run less the first, of every figure that both have, over the questions that have it."""
    found = {}
    for name in FIGURES:
        pairs = zip(first.questions, other.questions, strict=True)
        values = [b[name] - a[name] for a, b in pairs if name in a and name in b]
        if values:
            samples = np.random.default_rng(seed).integers(len(values), size=(RESAMPLES, len(values)))
            found[name] = bootstrap(values, samples)
    return found


def _ablations(
    runtime: Runtime, base: Configuration, arms: Iterable[str]
) -> tuple[list[Configuration], tuple[str, ...]]:
    """What can be taken away from a configuration, one thing at a time, and what cannot."""
    skipped = []
    found = [
        replace(base, name="no memory", memory=False),
        replace(base, name="turns only", ask={**base.ask, "kinds": TURNS}),
        replace(base, name="records only", ask={**base.ask, "kinds": RECORDS}),
    ]
    if runtime.embedder and base.embedder:
        found.append(replace(base, name="without embedder", embedder=False))
    else:
        skipped.append("without embedder: there is none")
    if "arms" in OPTIONS:
        whole = frozenset(arms)
        found += [replace(base, name=f"without {arm}", ask={**base.ask, "arms": whole - {arm}}) for arm in arms]
    else:
        skipped.append("without each arm: recall cannot switch them off in this version")
    return found, tuple(skipped)
