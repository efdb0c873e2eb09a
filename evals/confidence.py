"""Calibrate confidence, or show how well it is calibrated: logistic regressions on labelled questions.

The questions are those of `dialogues_train.jsonl`, some of which nothing answers, asked of the dialogue they belong to,
and those of `relevance_train.jsonl`, asked of memories made of the messages of several groups. Of every memory that the
search finds it is known whether it bears on the question. `--kept 5` takes of each file every fifth as
`evals.pair_model --kept 5` does, which the judge has not learned from.

Printed are the weights, for `memoranda.core.recall.confidence`, and what comes of them, cross-validated by memory:

    AUC        how often a memory that bears on some question is surer than one that does not bear on some
    ECE        how far confidence is from the share that bears, over ten ranges of equal number
    precision  of what is as sure as keeps nine tenths of the memories that bear
    silence    share of questions without an answer whose surest memory is less sure than that of all but one in twenty
               of the others
"""

import asyncio
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evals.embedding import Remembering, RememberingJudge, remembering
from evals.options import options
from evals.report import progress, save, table
from memoranda import AsyncMemory
from memoranda.core.recall import confidence
from memoranda.core.recall.requests import read
from memoranda.flows.recall.judging import READ, scored
from memoranda.flows.recall.looking import Ask, Timer, look
from memoranda.flows.recall.recall import recall
from memoranda.flows.recall.techniques import DEEP
from memoranda.models import open_reranker
from memoranda.models.pairs import LocalRelevance
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

DATA = Path(__file__).with_name("data")
TOGETHER = 6  # groups whose messages make one memory
RIDGE = 1.0
FOLDS = 5
START = datetime(2026, 1, 5, 9, tzinfo=UTC)

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Case:
    """A memory: its turns (when, message), and questions with the numbers of the turns that bear on them."""

    name: str
    turns: Sequence[tuple[datetime, Mapping[str, str]]]
    asked: Sequence[tuple[str, frozenset[int]]]


def dialogues(step: int) -> Iterator[Case]:
    """The dialogues, or every `step`-th as the trainer counts them."""
    groups = len(_lines("relevance_train")) + len(_lines("currency_train"))
    for number, one in enumerate(_lines("dialogues_train"), groups):
        if number % step == 0:
            places = {turn["n"]: place for place, turn in enumerate(one["turns"])}
            asked = [(each["ask"], frozenset(places[n] for n in each["answers"])) for each in one["questions"]]
            asked += [(text, frozenset()) for text in one["unanswerable"]]
            yield Case(one["id"], [_turn(turn) for turn in one["turns"]], asked)


def _turn(turn: Mapping[str, Any]) -> tuple[datetime, Mapping[str, str]]:
    who = turn["who"]
    named = {"role": who} if who in {"user", "assistant"} else {"role": "user", "name": who}
    return datetime.fromisoformat(turn["at"]).replace(tzinfo=UTC), {**named, "content": turn["text"]}


def bundles(step: int) -> Iterator[Case]:
    """Memories of the messages of several groups of one language; of every `step`-th group."""
    rng = random.Random(0)
    groups = [one for number, one in enumerate(_lines("relevance_train")) if number % step == 0]
    for language in dict.fromkeys(one["language"] for one in groups):
        these = [one for one in groups if one["language"] == language]
        rng.shuffle(these)
        for start in range(0, len(these), TOGETHER):
            some = these[start : start + TOGETHER]
            said = [
                (text, at, kind == "bears")
                for at, one in enumerate(some)
                for kind in ("bears", "near")
                for text in one[kind]
            ]
            rng.shuffle(said)
            turns = [
                (START + timedelta(hours=9 * n), {"role": "user", "content": text}) for n, (text, *_) in enumerate(said)
            ]
            asked = []
            for at, one in enumerate(some):
                bears = frozenset(n for n, (_, of, true) in enumerate(said) if of == at and true)
                asked += [(text, bears) for text in one["requests"]] + [(text, frozenset()) for text in one["empty"]]
            yield Case(f"{language} {start}", turns, asked)


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


async def found(case: Case, embedder: Remembering | None, judge: RememberingJudge | None) -> list[dict[str, Any]]:
    """Return for each question what tells of each memory found whether it bears on it, and whether it does."""
    clock = FrozenClock(case.turns[0][0])
    given: dict[str, Any] = {"embedder": embedder or "none", "clock": clock, "ids": SequentialIds()}
    rows = []
    async with await AsyncMemory.open(DictStore(), **given, currency="none", reranker=judge) as memory:
        user, places = memory.scope(tenant="evals", user=case.name), dict[str, int]()
        for number, (at, message) in enumerate(case.turns):
            clock.now = at + timedelta(seconds=number)
            added = await user.add([message], conversation=f"{at.date()}")
            places |= dict.fromkeys(added.events, number)
        clock.now += timedelta(days=1)
        runtime = memory._runtime  # noqa: SLF001 - the flows below a verb
        for question, bears in case.asked:
            ask = Ask(query=question, limit=DEEP, now=clock.now, judged=bool(judge))
            parts = read(question, runtime.analyzer.terms, frozenset())
            values: dict[str, dict[str, float]] = {}
            for part in await look(runtime, user.scope, ask, parts, clock.now, Timer()):
                told = confidence.signals(part.candidates)
                for place, ref in enumerate(part.partition.index.named(part.candidates.numbers)):
                    values.setdefault(ref, {name: float(of[place]) for name, of in told.items()})
            answer = await recall(runtime, user.scope, ask)
            items = [item for item in answer.items[:READ] if item.id in values]
            scores = await scored(runtime, user.scope, judge, " ".join(answer.trace.asked), items) if judge else []
            true = [bool(bears & {places[one] for one in item.sources if one in places}) for item in items]
            seen = {places[one] for item in items for one in item.sources if one in places}
            rows.append(
                {
                    "case": case.name, "asked": question, "answerable": bool(bears),
                    "missed": len(bears - seen), "wanted": len(bears), "bears": true, "score": list(map(float, scores)),
                    "signals": [values[item.id] for item in items],
                }
            )  # fmt: skip
    return rows


def regressed(values: Numbers, true: Numbers) -> Numbers:
    """Logistic regression by Newton's method: the weights of columns, of which the first is 1 and is not held back."""
    weights = np.zeros(values.shape[1])
    held = RIDGE * np.eye(len(weights))
    held[0, 0] = 0
    for _ in range(30):
        sure = 1 / (1 + np.exp(-(values @ weights)))
        slope = values.T @ (true - sure) - held @ weights
        weights = weights + np.linalg.solve((values * (sure * (1 - sure))[:, None]).T @ values + held, slope)
    return weights


def columns(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Numbers:
    """Signals by name as columns, after a column of 1."""
    told = [[1.0, *(one[name] for name in names)] for row in rows for one in row["signals"]]
    return np.array(told).reshape(-1, 1 + len(names))


def crossed(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> tuple[Numbers, Numbers, Numbers]:
    """The weights on everything; the logits by them, and those by weights learned on the other memories."""
    cases = [*dict.fromkeys(row["case"] for row in rows)]
    fold = np.array([cases.index(row["case"]) % FOLDS for row in rows for _ in row["signals"]])
    values, true = columns(rows, names), np.array([one for row in rows for one in row["bears"]], float)
    weights, apart = regressed(values, true), np.zeros(len(true))
    for number in range(FOLDS):
        apart[fold == number] = values[fold == number] @ regressed(values[fold != number], true[fold != number])
    return weights, values @ weights, apart


def figures(rows: Sequence[Mapping[str, Any]], logits: Numbers) -> tuple[dict[str, float], list[list[float]]]:
    """What comes of confidence, and for some thresholds the precision, the recall and the two silences."""
    true = np.array([one for row in rows for one in row["bears"]])
    sure, order = 1 / (1 + np.exp(-logits)), logits.argsort()
    ranks = order.argsort()
    area = (ranks[true].sum() - true.sum() * (true.sum() - 1) / 2) / (true.sum() * (~true).sum())
    off = sum(abs(sure[some].sum() - true[some].sum()) for some in np.array_split(order, 10)) / len(true)
    ends = np.cumsum([0, *(len(row["bears"]) for row in rows)])
    best = np.array([sure[a:b].max(initial=0.0) for a, b in pairwise(ends)])
    answerable = np.array([any(row["bears"]) for row in rows])
    bar = np.quantile(sure[true], 0.1)
    quiet = np.quantile(best[answerable], 0.05)
    told = {
        "AUC": area, "ECE": float(off), "at": float(bar), "precision": float(true[sure >= bar].mean()),
        "silent at": float(quiet), "silence": float((best[~answerable] < quiet).mean()),
    }  # fmt: skip
    lines: list[list[float]] = []
    for least in (0.03, 0.05, 0.08, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6):
        over = sure >= least
        shares = (true[over] if over.any() else [1.0], over[true], best[~answerable] < least, best[answerable] < least)
        lines.append([least, *(float(np.mean(one)) for one in shares)])
    return told, lines


def shown(title: str, rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Numbers:
    """Print the weights of some signals and what comes of them; return the logits."""
    weights, logits, apart = crossed(rows, names)
    told, lines = figures(rows, apart)
    print(f"\n## {title}: {len(rows)} questions, {len(logits)} memories\n")
    print({name: round(float(one), 3) for name, one in zip(("base", *names), weights, strict=True)})
    print({name: round(one, 3) for name, one in told.items()})
    print(
        table(
            ["confidence", "precision", "recall", "silent", "wrongly silent"],
            [[f"{least:.2f}", *(100 * one for one in rest)] for least, *rest in lines],
        )
    )
    return logits


def main(argv: Sequence[str] | None = None) -> None:
    """Calibrate and print."""
    parser = options("confidence", __doc__)
    parser.add_argument("--kept", type=int, default=1, help="only every n-th group and dialogue")
    parser.add_argument("--embedder", default="local")
    parser.add_argument("--learned", type=Path, help="the weights of the judge, by default those that ship")
    given = parser.parse_args(argv)
    embedder = remembering(given.embedder)
    if given.learned:
        LocalRelevance.task = replace(LocalRelevance.task, learned=given.learned)
    opened = open_reranker("local") if embedder else None
    judge = RememberingJudge(opened) if opened else None
    cases = [*dialogues(given.kept), *bundles(given.kept)]
    rows = [row for case in progress(cases, "confidence") for row in asyncio.run(found(case, embedder, judge))]
    save(given.out, "confidence", {str(number): row for number, row in enumerate(rows)})
    missed, wanted = sum(row["missed"] for row in rows), sum(row["wanted"] for row in rows)
    print(f"Of the turns that bear on a question, {1 - missed / wanted:.1%} are among the {READ} that are judged.")
    by = confidence.BY_VECTORS if embedder else confidence.BY_WORDS
    logits = shown("as measured", rows, [name for name in by if name != "base"])
    if judge:
        before = 1 / (1 + np.exp(-logits))
        start = 0
        for row in rows:
            stop = start + len(row["bears"])
            told = confidence.judgements(row["score"], before[start:stop].tolist())
            row["signals"] = [{name: float(of[n]) for name, of in told.items()} for n in range(stop - start)]
            start = stop
        shown("as judged", rows, [name for name in confidence.JUDGES[judge.name] if name != "base"])


if __name__ == "__main__":
    main()
