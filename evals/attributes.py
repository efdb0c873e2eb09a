"""Measure questions for something lasting about somebody, such as "Where do I live?".

They often share no word with the answer.

Each case is a handful of turns of one user, with other people in them, and one question. The data were written by
somebody who had not seen the code; nobody who wrote the code has read the held-out part. In per cent:

    first            the first memory holds the answer
    first three      one of the first three does
    rightly nothing  nothing was found where nothing answers
    wrongly nothing  nothing was found although something answers

`without` leaves out the arm that looks for attributes.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from evals.embedding import Remembering, remembering
from evals.options import options
from evals.report import progress, save, table
from memoranda import AsyncMemory
from memoranda.core.recall.arms import ARMS
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

DATA = Path(__file__).parent / "data" / "attributes.jsonl"
BEGIN = datetime(2026, 3, 1, 9, tzinfo=UTC)
WAYS: Mapping[str, Sequence[str] | None] = {"with": None, "without": [name for name in ARMS if name != "attribute"]}


async def found(case: Mapping[str, Any], embedder: Remembering | None, arms: Sequence[str] | None) -> list[str]:
    """Return the texts that the question of a case recalls, best first."""
    clock = FrozenClock(BEGIN)
    given: dict[str, Any] = {"embedder": embedder or "none", "clock": clock, "ids": SequentialIds()}
    async with await AsyncMemory.open(DictStore(), **given) as memory:
        user = memory.scope(tenant="evals", user=case["id"])
        for number, text in enumerate(case["said"]):
            clock.now = BEGIN + timedelta(days=number)
            await user.add([{"role": "user", "content": text}], conversation=f"c{number}")
        clock.now += timedelta(days=1)
        return [item.text for item in await user.recall(case["question"], arms=arms)]


def judged(case: Mapping[str, Any], texts: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Yield the figures that a case counts for, and whether it counts."""
    answer = case["answer"]
    if answer is None:
        yield "rightly nothing", not texts
        return
    # the turn that answers, or a record of it
    holds = [answer.casefold() in text.casefold() for text in texts]
    yield "first", any(holds[:1])
    yield "first three", any(holds[:3])
    yield "wrongly nothing", not texts


async def measured(
    cases: Sequence[Mapping[str, Any]], embedder: Remembering | None, arms: Sequence[str] | None, misses: list[str]
) -> dict[str, float]:
    """Return the figures of some cases, in per cent; what is not among the first three goes to `misses`."""
    counts: dict[str, list[bool]] = {}
    for case in progress(list(cases), "attributes"):
        texts = await found(case, embedder, arms)
        told = dict(judged(case, texts))
        for name, value in told.items():
            counts.setdefault(name, []).append(value)
        if not told.get("first three", told.get("rightly nothing")):
            misses.append(f"{case['id']}: {case['question']} {case['answer']} {texts[:3]}")
    return {name: 100 * sum(values) / len(values) for name, values in counts.items()}


def main(argv: Sequence[str] | None = None) -> None:
    """Run the evaluation and write its report."""
    parser = options("attributes", __doc__)
    parser.add_argument("--split", nargs="+", choices=("dev", "heldout"), default=["dev", "heldout"])
    parser.add_argument("--embedder", nargs="+", default=["local", "none"])
    parser.add_argument("--misses", action="store_true", help="also print every question that is not answered")
    given = parser.parse_args(argv)
    cases = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    report: dict[str, Any] = {}
    for split in given.split:
        own = [case for case in cases if case["split"] == split]
        for spec in given.embedder:
            embedder = remembering(spec)
            for way, arms in WAYS.items():
                misses: list[str] = []
                report[f"{split}, {spec}, {way}"] = asyncio.run(measured(own, embedder, arms, misses))
                if given.misses and way == "with":
                    print("\n".join(misses))
    head = ["questions", *next(iter(report.values()))]
    print("\n## attributes: share of questions, %\n")
    print(table(head, [[name, *(figures.get(one) for one in head[1:])] for name, figures in report.items()]))
    print(f"\nFigures: {save(given.out, 'attributes', report)}")
