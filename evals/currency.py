"""Measure whether what is true now comes first, and what was true says so, in conversations in which facts change.

Each case is a few turns of one user and a question, in English, German, Spanish, French or Chinese. In a change a later
turn makes an earlier one outdated: another value, a correction, a retraction, or back again. In a control both still
hold: two events, a list, somebody else's fact, more detail, an echo, a question, another attribute, a look back. Dev
and held-out cases were written by different hands, neither of which had seen the code, or the other's cases.

Of the first five memories and the lines of the context, in per cent:

    current first    the first memory holds what is true now
    outdated above   an outdated memory stands above the first current one, or there is no current one
    unmarked         the context shows something outdated and does not say so
    wrongly over     of controls: a memory or line that still holds is said to be over
    wrongly doubted  of controls: such a line is said to have a later word
    rank lost        of controls: that memory stands lower than it would if nothing were judged to be over

With `--planted 200` each conversation lies among those of other cases, on other topics, of so many turns.

`data/currency_train.jsonl` is not asked here. It holds groups of messages of other hands: later ones that make an
earlier one outdated, and later ones after which it holds, for whoever teaches a model to tell them apart.

A text is outdated if it holds an outdated string, no current one, and no word that tells that it is over.
"""

import asyncio
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.asking import PEERS, answers

from evals.embedding import Remembering, RememberingJudge, remembering, remembering_judge
from evals.options import options
from evals.report import bars, progress, save, table
from memoranda import AsyncMemory
from memoranda.core.recall.results import Item
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

DATA = Path(__file__).parent / "data"
LIMIT = 5
FIGURES = ("current first", "outdated above", "unmarked", "wrongly over", "wrongly doubted", "rank lost")
#: How a context says that a line holds no more, and that it may not.
OVER, DOUBTED = ("no longer so", "instead: [", "until 20"), ("later, on",)
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")

Case = Mapping[str, Any]


def holds(text: str, strings: Sequence[str]) -> bool:
    """Whether a text holds one of the strings, as whole words where words are separated."""
    return any(
        one in text if _UNSPACED.search(one) else re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text, re.IGNORECASE)
        for one in strings
    )


def outdated(text: str, case: Case) -> bool:
    """Whether a text shows what holds no more as if it held."""
    over = any(map(text.count, (*OVER, *DOUBTED)))
    return holds(text, case["outdated"]) and not holds(text, case["current"]) and not over


def judged(
    case: Case, items: Sequence[Item], plain: Sequence[Item], lines: Sequence[str]
) -> Iterator[tuple[str, bool]]:
    """Yield the figures that a case counts for, and whether it counts.

    Args:
        case: the case.
        items: what recall answers.
        plain: what it would answer if nothing were judged to be over.
        lines: those of the context.
    """
    texts = [item.text for item in items]
    if case["outdated"]:
        yield from _changed(case, texts, lines)
        return
    kept = [item for item in items if holds(item.text, case["holds"])]
    told = any(item.superseded_by for item in kept)
    lasting = [line for line in lines if holds(line, case["holds"])]
    yield "wrongly over", told or any(line.count(mark) for line in lasting for mark in OVER)
    yield "wrongly doubted", any(line.count(mark) for line in lasting for mark in DOUBTED)
    yield "rank lost", _place(texts, case) > _place([item.text for item in plain], case)


def _changed(case: Case, texts: Sequence[str], lines: Sequence[str]) -> Iterator[tuple[str, bool]]:
    current = next((place for place, text in enumerate(texts) if holds(text, case["current"])), LIMIT)
    over = next((place for place, text in enumerate(texts) if outdated(text, case)), LIMIT + 1)
    yield "current first", current == 0
    yield "outdated above", over < current
    yield "unmarked", any(outdated(line, case) for line in lines)


def _place(texts: Sequence[str], case: Case) -> int:
    return next((place for place, text in enumerate(texts) if holds(text, case["holds"])), LIMIT)


def among(case: Case, others: Sequence[Case], least: int) -> list[Mapping[str, Any]]:
    """Return the turns of a case among those of others on other topics, `least` at least if there are so many, by day.

    Those in its language come first.
    """
    turns = [*case["turns"]]
    apart = [one for one in others if one["topic"] != case["topic"]]
    for one in sorted(apart, key=lambda one: one["language"] != case["language"]):
        if len(turns) >= least:
            break
        turns += [turn for turn in one["turns"] if turn["day"] <= case["now"]]
    return sorted(turns, key=lambda turn: turn["day"])


async def answered(
    case: Case, turns: Sequence[Mapping[str, Any]], embedder: Remembering | None, judge: RememberingJudge | None
) -> tuple[Sequence[Item], Sequence[Item], list[str]]:
    """Return what the question of a case recalls, the same if nothing were over, and the lines of the context."""
    clock = FrozenClock(datetime(2026, 1, 1, tzinfo=UTC))
    given: dict[str, Any] = {
        "embedder": embedder or "none", "currency": judge, "clock": clock, "ids": SequentialIds(),
    }  # fmt: skip
    async with await AsyncMemory.open(DictStore(), **given) as memory:
        user = memory.scope(tenant="evals", user=case["id"])
        for number, turn in enumerate(turns):
            clock.now = datetime.fromisoformat(f"{turn['day']}T09:00:00+00:00") + timedelta(minutes=number)
            await user.add([{"role": turn["role"], "content": turn["text"]}], conversation=turn["day"])
        clock.now = datetime.fromisoformat(f"{case['now']}T09:00:00+00:00")
        items = (await user.recall(case["question"], limit=LIMIT)).items
        text = (await user.context(case["question"], conversation="new")).text
        return (
            items,
            sorted(items, key=lambda item: -(item.score - item.shares.get("currency", 0.0))),
            text.splitlines(),
        )


async def measured(
    cases: Sequence[Case], planted: int, embedder: Remembering | None, judge: RememberingJudge | None, label: str
) -> dict[str, dict[str, float]]:
    """Return for each case the figures that it counts for, as 0 or 100."""
    found: dict[str, dict[str, float]] = {}
    for case in progress(list(cases), label):
        found_of = await answered(case, among(case, cases, planted), embedder, judge)
        found[case["id"]] = _figures(judged(case, *found_of))
    return found


def beside(
    cases: Sequence[Case], planted: int, embedder: Remembering, cache: Path, label: str
) -> Iterator[tuple[str, list[float | None]]]:
    """Yield the figures of other libraries, of the cases in which something changes; what is found is the context."""
    changes = [case for case in cases if case["outdated"]]
    asked = [(among(case, cases, planted), case["question"]) for case in changes]
    for peer in PEERS:
        found = answers(peer, progress(asked, f"{label}: {peer}"), embedder, cache)
        tops = [texts[:LIMIT] for texts in found]
        yield (
            peer,
            means([_figures(_changed(case, top, top)) for case, top in zip(changes, tops, strict=True)]),
        )


def _figures(judgements: Iterable[tuple[str, bool]]) -> dict[str, float]:
    return {name: 100.0 * value for name, value in judgements}


def means(rows: Sequence[Mapping[str, float]]) -> list[float | None]:
    """Return the mean of each figure over the cases that count for it."""
    columns = ([row[name] for row in rows if name in row] for name in FIGURES)
    return [sum(column) / len(column) if column else None for column in columns]


def main(argv: Sequence[str] | None = None) -> None:
    """Run the evaluation and write its report."""
    parser = options("currency", __doc__)
    parser.add_argument("--split", nargs="+", choices=("dev", "heldout"), default=["dev", "heldout"])
    parser.add_argument("--embedder", default="local")
    parser.add_argument("--currency", default="local", help="the model that judges later words, or none")
    parser.add_argument("--planted", type=int, default=0, help="how many turns a conversation has at least")
    parser.add_argument("--cases", type=int, help="only so many cases of each split, the first ones")
    parser.add_argument("--misses", action="store_true", help="also print the cases that fail; do not use with heldout")
    parser.add_argument(
        "--peers", action="store_true", help="also cosine, mem0, Chroma and LangGraph, installed by pip"
    )
    parser.add_argument("--cache", type=Path, default=Path("out/venvs"), help="where the peers' environments are kept")
    given = parser.parse_args(argv)
    embedder, judge = remembering(given.embedder), remembering_judge(given.currency)
    report: dict[str, Any] = {}
    plot: dict[str, list[float]] = {}
    for split in given.split:
        lines = (DATA / f"currency_{split}.jsonl").read_text(encoding="utf-8").splitlines()
        cases = {case["id"]: case for case in map(json.loads, lines[: given.cases])}
        asked = [*cases.values()], given.planted, embedder, judge, f"currency: {split}"
        report[split] = found = asyncio.run(measured(*asked))
        groups = {split: [*found]}
        for part in ("language", "kind"):
            for name in dict.fromkeys(case[part] for case in cases.values()):
                groups[f"{split}, {name}"] = [one for one in found if cases[one][part] == name]
        rows = [[name, len(ids), *means([found[one] for one in ids])] for name, ids in groups.items()]
        print(f"\n## currency: share of {split} cases, %; embedder {given.embedder}, later words {given.currency}\n")
        print(table(["cases", "number", *FIGURES], rows))
        if given.peers and embedder:
            told = beside([*cases.values()], given.planted, embedder, given.cache, split)
            print(f"\n{table(['beside it', *FIGURES[:3]], [[peer, *figures[:3]] for peer, figures in told])}")
        plot[split] = [value or 0.0 for value in means([*found.values()])]
        if given.misses:
            good = dict(zip(FIGURES, (100, 0, 0, 0, 0, 0), strict=True))
            for name in FIGURES:
                print(
                    f"{name}: {' '.join(one for one, row in found.items() if row.get(name, good[name]) != good[name])}"
                )
    written = save(given.out, "currency", report)
    bars(given.out, "currency", "What is true now first", FIGURES, plot)
    print(f"\nFigures and plot: {written}, {written.with_suffix('.png')}")


if __name__ == "__main__":
    main()
