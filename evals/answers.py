"""Measure whether the answer is what was wanted, and no more: what comes first, what else comes, and silence.

Each case is some weeks of one user's chats about many things, in English, German, French, Spanish or Chinese, and a
request: a question, keywords, work to which something known matters, a day or a week ("what do I have on 5 July?"),
something that nothing answers, or something of the user that others have as well. Every turn is labelled: it must
come back, it may, or it must not. Dev and held-out cases were written by different hands that had seen no code.

Of the ranking, and of the answer that ends after what answers (`cut`), each of at most ten memories, in per cent:

    first           the first memory holds a turn that must come back
    found           share of the turns that must come back
    precision       share of the memories with such a turn, but for those that may come
    silent          of requests that nothing answers: there is no answer
    wrongly silent  of the others: there is none

`--judge` opens the local reranker, which judges where the answer ends. With `--peers` other libraries are asked the
same; they get the vectors of the same embedder, and never are silent.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bench.asking import PEERS, answers

from evals.embedding import Remembering, RememberingJudge, remembering
from evals.options import options
from evals.report import bars, progress, save, table
from memoranda import AsyncMemory
from memoranda.core.recall.results import Item
from memoranda.models import open_reranker
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

DATA = Path(__file__).parent / "data"
LIMIT = 10
WAYS = {"ranking": False, "answer": True}
FIGURES = ("first", "found", "precision", "silent", "wrongly silent")

Case = Mapping[str, Any]


def judged(case: Case, answer: Sequence[frozenset[int]]) -> Iterator[tuple[str, float]]:
    """Yield the figures that a case counts for; an answer is the numbers of the turns in each memory, best first."""
    must, may = frozenset(case["must"]), frozenset(case["may"])
    if not must:
        yield "silent", float(not answer)
        return
    good = [bool(turns & must) for turns in answer]
    bad = [not turns & (must | may) for turns in answer]
    yield "first", float(bool(good) and good[0])
    yield "found", len(must & frozenset().union(*answer)) / len(must)
    yield "wrongly silent", float(not answer)
    if any(good) or any(bad):
        yield "precision", sum(good) / (sum(good) + sum(bad))


async def answered(
    case: Case, embedder: Remembering | None, judge: RememberingJudge | None, techniques: Sequence[str]
) -> dict[str, list[frozenset[int]]]:
    """Return the turns that each memory rests on, of the ranking and of the answer."""
    clock = FrozenClock(datetime.fromisoformat(f"{case['turns'][0]['day']}T09:00:00+00:00"))
    given: dict[str, Any] = {"embedder": embedder or "none", "clock": clock, "ids": SequentialIds(), "reranker": judge}
    async with await AsyncMemory.open(DictStore(), **given, currency="none") as memory:
        user, places = memory.scope(tenant="evals", user=case["id"]), dict[str, int]()
        for number, turn in enumerate(case["turns"]):
            clock.now = datetime.fromisoformat(f"{turn['day']}T09:00:00+00:00") + timedelta(minutes=number)
            added = await user.add([{"role": turn["role"], "content": turn["text"]}], conversation=turn["day"])
            places |= dict.fromkeys(added.events, number)
        clock.now = datetime.fromisoformat(f"{case['now']}T12:00:00+00:00")
        found = {
            name: await user.recall(case["question"], limit=LIMIT, techniques=techniques, cut=cut)
            for name, cut in WAYS.items()
        }
        return {name: [rests_on(item, places) for item in one] for name, one in found.items()}


def rests_on(item: Item, places: Mapping[str, int]) -> frozenset[int]:
    """Return the numbers of the turns on which a memory rests."""
    return frozenset(places[source] for source in item.sources if source in places)


def beside(
    cases: Sequence[Case], embedder: Remembering, cache: Path, label: str
) -> Iterator[tuple[str, list[float | None]]]:
    """Yield the figures of other libraries."""
    asked = [(case["turns"], case["question"]) for case in cases]
    for peer in PEERS:
        texts = answers(peer, progress(asked, f"{label}: {peer}"), embedder, cache)
        yield (
            peer,
            means([dict(judged(case, _places(case, found))) for case, found in zip(cases, texts, strict=True)]),
        )


def _places(case: Case, texts: Sequence[str]) -> list[frozenset[int]]:
    numbers = {turn["text"]: number for number, turn in enumerate(case["turns"])}
    return [frozenset({numbers[text]}) for text in texts]


def means(rows: Sequence[Mapping[str, float]]) -> list[float | None]:
    """Return the mean of each figure over the cases that count for it, in per cent."""
    columns = ([row[name] for row in rows if name in row] for name in FIGURES)
    return [100 * sum(column) / len(column) if column else None for column in columns]


def main(argv: Sequence[str] | None = None) -> None:
    """Run the evaluation and write its report."""
    parser = options("answers", __doc__)
    parser.add_argument("--split", choices=("dev", "heldout"), default="dev")
    parser.add_argument("--embedder", default="local")
    parser.add_argument("--techniques", nargs="*", default=[], help="as in recall; rerank needs --judge")
    parser.add_argument("--judge", action="store_true", help="open the local reranker")
    parser.add_argument("--peers", action="store_true", help="also cosine, mem0, Chroma, LangGraph, installed by pip")
    parser.add_argument("--cache", type=Path, default=Path("out/venvs"), help="where the peers' environments are kept")
    given = parser.parse_args(argv)
    embedder = remembering(given.embedder)
    opened = open_reranker("local") if given.judge else None
    judge = RememberingJudge(opened) if opened else None
    lines = (DATA / f"answers_{given.split}.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    answers = {
        case["id"]: asyncio.run(answered(case, embedder, judge, given.techniques))
        for case in progress(cases, f"answers: {given.split}")
    }
    found = {way: {case["id"]: dict(judged(case, answers[case["id"]][way])) for case in cases} for way in WAYS}
    groups = {given.split: [case["id"] for case in cases]}
    for part in ("kind", "language"):
        for name in dict.fromkeys(case[part] for case in cases):
            groups[f"{given.split}, {name}"] = [case["id"] for case in cases if case[part] == name]
    techniques = ", ".join(given.techniques) or "none"
    for way, these in found.items():
        rows = [[name, len(ids), *means([these[one] for one in ids])] for name, ids in groups.items()]
        judging = "judged" if judge else "not judged"
        print(f"\n## answers: the {way}, %; embedder {given.embedder}, {judging}, techniques {techniques}\n")
        print(table(["cases", "number", *FIGURES], rows))
    plot = {f"memoranda, {way}": [value or 0.0 for value in means([*one.values()])] for way, one in found.items()}
    if given.peers and embedder:
        told = dict(beside(cases, embedder, given.cache, given.split))
        print(f"\n{table(['beside it', *FIGURES], [[peer, *figures] for peer, figures in told.items()])}")
        plot |= {peer: [value or 0.0 for value in figures] for peer, figures in told.items()}
    written = save(given.out, "answers", found)
    bars(given.out, "answers", "What is wanted, and no more", FIGURES, plot)
    print(f"\nFigures and plot: {written}, {written.with_suffix('.png')}")


if __name__ == "__main__":
    main()
