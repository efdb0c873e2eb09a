"""Measure what is believed of a conversation, by the kind of what makes it hard to read (data included).

Each case is a conversation, told turn by turn, and what the profile must hold and must not hold then; controls are the
neighbours of a kind that are easily over-corrected. Whoever wrote the cases had seen no code; nobody who wrote the code
has read the held-out ones. What the profile says to be over may be there. In per cent, a case counts if all is right:

    cases, controls   of each kind, with their numbers
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from evals.options import options
from evals.report import progress, save, table
from memoranda import Memory, Scoped
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

DATA = Path(__file__).parent / "data"
BEGIN = datetime(2026, 3, 10, 12, tzinfo=UTC)
SPLITS = ("dev", "heldout")
#: Words of a line that says that something is over.
OVER = (
    "no longer", "not so", "nicht mehr", "died", "cancel", "postpon", "lost", "gave up", "until", "(past)", "ya no",
    "ne plus", "不再", "former", "used to", "früher",
)  # fmt: skip
#: The kind whose turns are an agent's observations about the user.
OBSERVED = "third_person"


def lines_of(value: Any, path: str = "") -> Iterator[str]:
    """Yield the lines "path: value" of a profile."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from lines_of(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for inner in value:
            yield from lines_of(inner, path)
    else:
        yield f"{path}: {value}".casefold()


def faults(case: Mapping[str, Any], lines: Sequence[str]) -> list[str]:
    """Return what is missing in a profile, and with a minus what is wrongly there."""
    missing = [one for one in case["must"] if not any(one.casefold() in line for line in lines)]
    holds = [line for line in lines if not any(over in line for over in OVER)]
    return missing + [f"-{one}" for one in case["must_not"] if any(one.casefold() in line for line in holds)]


def told(case: Mapping[str, Any], user: Scoped, clock: FrozenClock) -> list[str]:
    """Tell the conversation of a case, a second a turn, and return the lines of the profile."""
    for turn in case["turns"]:
        clock.now += timedelta(seconds=1)
        text = turn.removeprefix("A:")
        if case["kind"] == OBSERVED and text == turn:
            user.observe(text, source="agent")
        else:
            role = "user" if text == turn else "assistant"
            user.add([{"role": role, "content": text}], conversation="c")
    return [*lines_of(user.profile().plain())]


def measured(cases: Sequence[Mapping[str, Any]], misses: list[str]) -> dict[str, dict[str, list[bool]]]:
    """Return by kind whether each of its cases and controls is right; what is wrong goes to `misses`."""
    clock = FrozenClock(BEGIN)
    right: dict[str, dict[str, list[bool]]] = {}
    with Memory.open(DictStore(), embedder="none", clock=clock, ids=SequentialIds()) as memory:
        for number, case in enumerate(progress(list(cases), "reading")):
            lines = told(case, memory.scope(tenant="evals", user=f"u{number}"), clock)
            wrong = faults(case, lines)
            sort = "controls" if case["control"] else "cases"
            right.setdefault(case["kind"], {}).setdefault(sort, []).append(not wrong)
            if wrong:
                misses.append(f"{case['kind']} ({sort}): {case['turns']} {wrong} {lines}")
    return right


def main(argv: Sequence[str] | None = None) -> None:
    """Run the evaluation and write its report."""
    parser = options("reading", __doc__)
    parser.add_argument("--split", nargs="+", choices=SPLITS, default=list(SPLITS))
    parser.add_argument("--kind", nargs="+", help="only these kinds")
    parser.add_argument(
        "--misses", action="store_true", help="also print every case that is not right; never of heldout"
    )
    given = parser.parse_args(argv)
    report: dict[str, Any] = {}
    for split in given.split:
        cases = [
            json.loads(line) for line in (DATA / f"reading_{split}.jsonl").read_text(encoding="utf-8").splitlines()
        ]
        misses: list[str] = []
        right = measured([case for case in cases if given.kind is None or case["kind"] in given.kind], misses)
        if given.misses and split != "heldout":
            print("\n".join(misses))
        every = {sort: [one for kind in right.values() for one in kind.get(sort, ())] for sort in ("cases", "controls")}
        report[split] = {kind: _shares(sorts) for kind, sorts in sorted((right | {"all": every}).items())}
        print(f"\n## reading, {split}: share of cases, %\n")
        print(table(["kind", "cases", "number", "controls", "number"], _rows(report[split])))
    print(f"\nFigures: {save(given.out, 'reading', report)}")


def _shares(sorts: Mapping[str, Sequence[bool]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for sort, right in sorts.items():
        found |= {sort: 100 * sum(right) / len(right) if right else 100.0, f"{sort}, number": len(right)}
    return found


def _rows(figures: Mapping[str, Mapping[str, float]]) -> Iterator[list[object]]:
    for kind, one in figures.items():
        yield [kind, *(one.get(name, "") for name in ("cases", "cases, number", "controls", "controls, number"))]


if __name__ == "__main__":
    main()
