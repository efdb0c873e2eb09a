"""Run every pair of verbs at every point, and print what is wrong: `PYTHONPATH=tests python -m interleaving`.

With names, only these reading verbs, or these writing verbs; with `--clashes`, pairs of writing verbs.
"""

import sys
from collections.abc import Iterator, Sequence

from interleaving.pairs import House
from interleaving.verbs import READS, WRITES


def faults(house: House, names: Sequence[str], *, clashes: bool) -> Iterator[str | None]:
    """What is wrong, for each pair and each point."""
    firsts, writes = (
        [one for one in table if one in names] or [*table] for table in (WRITES if clashes else READS, WRITES)
    )
    for first in firsts:
        if clashes:
            _, points = house.interleaved(WRITES[first], {})
        else:
            _, points = house.before(first)
        for write in [*WRITES] if clashes else writes:
            for number in range(len(points)):
                yield house.clash(first, write, number) if clashes else house.fault(first, {number: write})


def main(arguments: Sequence[str]) -> int:
    """Print each fault in a line, and their number."""
    names = [name for name in arguments if name != "--clashes"]
    runs = wrong = 0
    for fault in faults(House(), names, clashes="--clashes" in arguments):
        runs += 1
        if fault:
            wrong += 1
            sys.stdout.write(f"{fault}\n")
    sys.stdout.write(f"{wrong} of {runs} runs went wrong\n")
    return bool(wrong)


sys.exit(main(sys.argv[1:]))
