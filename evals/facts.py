"""Measure whether recall returns the newest of facts that change first, on FactConsolidation.

FactConsolidation gives numbered statements, of which later ones supersede earlier ones, and questions with short
answers. The statements are recorded a minute apart, as observations or as turns of one conversation, and consolidated
by rules. Reported is the share of questions whose answer is in the first memory, and in the first five. If the
statement with the answer superseded one that begins with the same words, the question is also asked as of the time
between the two; then the earlier one should be the first memory.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from evals.embedding import remembering
from evals.options import options
from evals.report import Bar, bars, progress, save, table
from memoranda import Memory, Scoped

SETS = ("sh_6k", "sh_32k")
WAYS = ("observations", "turns")
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
CHUNK = 100
_NUMBERED = re.compile(r"^\d+\. (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Facts:
    """The statements in order, and the questions, each with its accepted answers."""

    said: tuple[str, ...]
    asked: tuple[tuple[str, tuple[str, ...]], ...]


def read(path: Path) -> Facts:
    """Read one file of FactConsolidation."""
    data = json.loads(path.read_text(encoding="utf-8"))
    asked = tuple(
        (question, tuple(map(str, answers)))
        for question, answers in zip(data["questions"], data["answers"], strict=True)
    )
    return Facts(tuple(_NUMBERED.findall(data["context"])), asked)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the evaluation and write its report."""
    parser = options("facts", __doc__, data="folder with factconsolidation/")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS))
    parser.add_argument("--embedder", default="local")
    parser.add_argument("--profile", default="balanced")
    given = parser.parse_args(argv)
    embedder = remembering(given.embedder)
    figures: dict[str, dict[str, float]] = {}
    for name in given.sets:
        facts = read(given.data / "factconsolidation" / f"factconsolidation_{name}.json")
        for way in WAYS:
            with Memory.open(embedder=embedder or "none") as memory:
                user = memory.scope(tenant="evals", user=name)
                _tell(user, facts.said, way)
                memory.consolidate(tenant="evals")
                figures[f"{name}, {way}"] = _ask(user, facts, given.profile, f"{name}: {way}")
    columns = ["first memory", "first five", "as of before", "asked so"]
    print(f"\n## facts: share of questions answered, %; profile {given.profile}, embedder {given.embedder}\n")
    print(
        table(
            ["FactConsolidation", *columns], [[name, *(found[c] for c in columns)] for name, found in figures.items()]
        )
    )
    written = save(given.out, "facts", {"embedder": given.embedder, "profile": given.profile, "figures": figures})
    bars(
        given.out,
        "facts",
        "The newest fact first",
        columns[:3],
        {name: [*found.values()][:3] for name, found in figures.items()},
    )
    print(f"\nFigures and plot: {written}, {written.with_suffix('.png')}")


def _tell(user: Scoped, said: Sequence[str], way: str) -> None:
    times = [BEGIN + timedelta(minutes=number) for number in range(len(said))]
    if way == "observations":
        for text, at in progress([*zip(said, times, strict=True)], "observe"):
            user.observe(text, at=at)
        return
    bar = Bar("add", len(said))
    for chunk in _chunks([*zip(said, times, strict=True)]):
        user.add([{"role": "user", "content": text, "timestamp": at} for text, at in chunk], conversation="facts")
        bar.step(len(chunk))


def _chunks(rows: Sequence[tuple[str, datetime]]) -> Iterator[Sequence[tuple[str, datetime]]]:
    return (rows[start : start + CHUNK] for start in range(0, len(rows), CHUNK))


def _ask(user: Scoped, facts: Facts, profile: str, label: str) -> dict[str, float]:
    now = BEGIN + timedelta(minutes=len(facts.said))
    first = five = before = overruled = 0
    for question, answers in progress(facts.asked, label):
        found = [item.text.casefold() for item in user.recall(question, limit=5, profile=profile, now=now)]
        right = [any(answer.casefold() in text for answer in answers) for text in found]
        first += right[:1] == [True]
        five += any(right)
        earlier = _overruled(facts.said, question, answers)
        if earlier is not None:
            at = BEGIN + timedelta(minutes=earlier, seconds=30)
            told = user.recall(question, limit=1, profile=profile, now=now, as_of=at)
            overruled += 1
            before += [item.text for item in told] == [facts.said[earlier]]
    return {
        "first memory": 100 * first / len(facts.asked),
        "first five": 100 * five / len(facts.asked),
        "as of before": 100 * before / max(overruled, 1),
        "asked so": float(overruled),
    }


def _overruled(said: Sequence[str], question: str, answers: Sequence[str]) -> int | None:
    """Return the place of the statement superseded by the one with the answer: same beginning, another ending."""
    asked = _words(question)
    ends = ((place, _begun(text, answers)) for place, text in enumerate(said))
    known = [(len(_words(begun) & asked), place, begun) for place, begun in ends if begun is not None]
    if not known:
        return None
    _, place, begun = max(known)
    alike = (
        other for other in range(place - 1, -1, -1) if said[other].startswith(begun) and said[other] != said[place]
    )
    return next(alike, None)


def _begun(text: str, answers: Sequence[str]) -> str | None:
    """Return the beginning of a statement that ends with an answer; None if it does not."""
    bare = text.rstrip(".")
    answer = next((one for one in answers if bare.casefold().endswith(one.casefold())), None)
    return None if answer is None else bare[: len(bare) - len(answer)] or None


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))
