"""Measure what consolidation makes of labelled scenarios, with an ideal model and with rules alone.

The model's answers are stored with the labels, and a server on loopback serves them in OpenAI's protocol. So anything
lost or invented is due to the pipeline. A third way, `tempted`, adds claims that nobody should believe to the ideal
model's answers. The figures, in per cent:

    leaves right             expected leaves of the scaffold that are present and right
    leaves expected          leaves of the scaffold that are expected, of those present
    statements               expected statements that were made
    supersession             what had to end did, because of the turn that says so, and what had to stand stands
    supersession, if held    the same, of what the memory held
    certainty                the certainty is the labelled one
    falsehoods kept out      false statements that are not believed
    1 - Brier, 1 - ECE       calibration of confidence against truth over all labelled statements: one minus the Brier
                             score, and one minus the expected calibration error
    refused                  items of the model's answers that the guard refused
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from evals.embedding import Remembering, remembering
from evals.options import options
from evals.report import bars, progress, save, table
from evals.scenarios import SPLITS, Counts, Found, compare, scenarios, statements, truth
from memoranda import AsyncMemory, AsyncScoped, Event, Record
from memoranda.core.base.scope import Owner
from memoranda.models import open_language_model
from memoranda.ports import Query, Store
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds
from memoranda.testing.model_server import ModelServer

WAYS = ("ideal", "tempted", "rules")
OWNER = Owner("evals", "user")
SHARES = (
    "leaves right", "leaves expected", "statements", "supersession", "supersession, if held", "certainty",
    "falsehoods kept out",
)  # fmt: skip


@dataclass
class Result:
    """The results of one way.

    Attributes:
        pairs: confidence and truth of each labelled statement; `unlabelled`: the other statements.
        refused: items of the answers that were refused; `items`: how many were accepted.
    """

    counts: Counts = field(default_factory=Counts.none)
    pairs: list[tuple[float, bool]] = field(default_factory=list)
    unlabelled: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    items: int = 0

    def figures(self) -> dict[str, float]:
        """Return all shares, in per cent."""
        proposed = self.items + len(self.refused)
        return {
            **{name: self.counts.share(name) for name in SHARES},
            "1 - Brier": 100 * (1 - brier(self.pairs)),
            "1 - ECE": 100 * (1 - calibration_error(self.pairs)),
            "refused": 100 * len(self.refused) / proposed if proposed else 0.0,
        }


def brier(pairs: Sequence[tuple[float, bool]]) -> float:
    """Return the Brier score, the mean squared error of confidence; 0 without pairs."""
    return sum((confidence - true) ** 2 for confidence, true in pairs) / len(pairs) if pairs else 0.0


def calibration_error(pairs: Sequence[tuple[float, bool]]) -> float:
    """Return the expected calibration error, with one bin per confidence value; 0 without pairs."""
    groups: dict[float, list[bool]] = {}
    for confidence, true in pairs:
        groups.setdefault(round(confidence, 2), []).append(true)
    off = (abs(confidence * len(found) - sum(found)) for confidence, found in groups.items())
    return sum(off) / len(pairs) if pairs else 0.0


async def measure(told: Sequence[Mapping[str, Any]], way: str, embedder: Remembering | None) -> Result:
    """Play each scenario into its own memory, and compare the results with the labels."""
    result = Result()
    with ModelServer() as server:
        for scenario in progress(told, f"consolidation: {way}"):
            found = await _played(scenario, way, server, embedder)
            result.items += found.items
            result.refused += [f"{scenario['id']}: {one}" for one in found.refused]
            compare(result.counts, scenario["id"], scenario["expect"], found)
            for record in found.records:
                true = truth(record, scenario)
                if true is None:
                    result.unlabelled.append(f"{scenario['id']}: {record.text} ({record.attribute} = {record.value})")
                else:
                    result.pairs.append((record.confidence, true))
    return result


async def _played(scenario: Mapping[str, Any], way: str, server: ModelServer, embedder: Remembering | None) -> Found:
    """Play a scenario and return what the memory holds afterwards."""
    model = None
    if way != "rules":
        model = open_language_model("openai:scripted", api_key="any", base_url=server.url)
    store, clock, items, refused = DictStore(), FrozenClock(), 0, list[str]()
    async with await AsyncMemory.open(
        store, embedder=embedder or "none", language_model=model, clock=clock, ids=SequentialIds()
    ) as memory:
        user = memory.scope(tenant=OWNER.tenant, user=OWNER.user)
        for number, batch in enumerate(scenario["batches"]):
            server.script = [server.says(json.dumps(_answer(batch, way), ensure_ascii=False))]
            await _tell(user, clock, batch["turns"], f"conversation-{number}")
            done = await memory.consolidate(tenant=OWNER.tenant, user=OWNER.user)
            items += done.items
            refused += [f"{one.what}: {one.why}" for one in done.refused]
        now = datetime.fromisoformat(scenario.get("now") or clock.now.isoformat())
        events = {event.id: event for event in await _rows(store, Event)}
        records = statements(one for one in await _rows(store, Record) if one.superseded_at is None)
    return Found(records=records, events=events, now=now, items=items, refused=tuple(refused))


def _answer(batch: Mapping[str, Any], way: str) -> dict[str, Any]:
    answer = dict(batch["answer"])
    if way == "tempted":
        tempting = batch.get("tempting", ())
        answer["facts"] = [*answer.get("facts", ()), *tempting]
        values = {
            one["attribute"]: {"value": one["value"], "events": one["events"]} for one in tempting if "value" in one
        }
        answer["updated_scaffold"] = {**answer.get("updated_scaffold", {}), **values}
    return answer


async def _tell(user: AsyncScoped, clock: FrozenClock, turns: Sequence[Mapping[str, Any]], conversation: str) -> None:
    for turn in turns:
        clock.now = datetime.fromisoformat(turn["at"])
        if "source" in turn:
            await user.observe(turn["text"], source=turn["source"])
        else:
            message = {"role": turn.get("role", "user"), "content": turn["text"]}
            await user.add([message], conversation=conversation)
    clock.now += timedelta(hours=1)


async def _rows(store: Store, kind: Any) -> list[Any]:
    page = await store.find(OWNER, Query(kind=kind, tenant=OWNER.tenant, user=OWNER.user))
    return list(page.rows[0])


def main(argv: Sequence[str] | None = None) -> None:
    """Run the evaluation and write its report."""
    parser = options("consolidation", __doc__)
    parser.add_argument("--split", nargs="+", choices=SPLITS, default=list(SPLITS))
    parser.add_argument("--way", nargs="+", choices=WAYS, default=list(WAYS))
    parser.add_argument("--only", nargs="+", metavar="ID", help="scenarios, by their ids")
    parser.add_argument("--embedder", default="hashed")
    parser.add_argument("--misses", action="store_true", help="also print all that is not as it should be")
    given = parser.parse_args(argv)
    embedder = remembering(given.embedder)
    report: dict[str, Any] = {}
    for split in given.split:
        told = [one for one in scenarios((split,)) if not given.only or one["id"] in given.only]
        if not told:
            print(f"\n## consolidation, {split}: no scenario")
            continue
        results = {way: asyncio.run(measure(told, way, embedder)) for way in given.way}
        report[split] = {way: _figures(result) for way, result in results.items()}
        shares = {way: result.figures() for way, result in results.items()}
        print(f"\n## consolidation, {split}: {len(told)} scenarios, %; embedder {given.embedder}\n")
        print(
            table(["share", *results], [[name, *(one[name] for one in shares.values())] for name in Result().figures()])
        )
        _draw(given.out, split, shares)
        if given.misses:
            print("\n".join(line for way, result in results.items() for line in _misses(way, result)))
    print(f"\nFigures: {save(given.out, 'consolidation', report)}; plots beside it.")


def _draw(out: Path, split: str, shares: Mapping[str, Mapping[str, float]]) -> None:
    names = list(Result().figures())
    series = {way: [one[name] for name in names] for way, one in shares.items()}
    bars(out, f"consolidation-{split}", f"Consolidation, {split} scenarios", names, series)


def _figures(result: Result) -> dict[str, Any]:
    counted = {name: f"{result.counts.right.get(name, 0)}/{result.counts.of.get(name, 0)}" for name in SHARES}
    return {
        "shares": result.figures(),
        "counts": counted,
        "items": result.items,
        "refused": result.refused,
        "statements": len(result.pairs),
        "unlabelled": result.unlabelled,
    }


def _misses(way: str, result: Result) -> list[str]:
    lines = [*result.counts.misses, *(f"refused: {one}" for one in result.refused)]
    return [f"{way:8} {line}" for line in (*lines, *(f"unlabelled: {one}" for one in result.unlabelled))]


if __name__ == "__main__":
    main()
