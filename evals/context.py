"""Measure whether the preference relevant to a question is in the assembled context, on PrefEval.

Each topic becomes one user with all of its preferences, each stated in its own conversation, one after the other. In
the explicit form a preference is stated in a sentence. In the implicit form it shows in which of four options the user
chose, and in how the assistant acknowledged that. Each question is asked in a new conversation, with a token budget as
memoranda counts tokens. A preference is found if the context cites a turn that states it, or a statement derived from
such a turn. Decisions do not count, because "the user chose option 2" reveals nothing.
"""

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

from evals.embedding import remembering
from evals.metrics import percentile
from evals.options import options
from evals.places import place
from evals.report import progress, save, table
from memoranda import Memory, Scoped
from memoranda.core.formats.conversation import Conversation, Message

FORMS = {"explicit": "explicit_preference", "implicit": "implicit_preference/choice-based"}
START = datetime(2026, 1, 5, 9, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Case:
    """A preference: its conversation, the ids of the messages that state it, and the question it is relevant to."""

    conversation: Conversation
    gold: frozenset[str]
    question: str


@dataclass(frozen=True, slots=True)
class Found:
    """The result of one question.

    Attributes:
        section: the section in which the preference was found; "" if it was not found.
        used: tokens of the context; `spent`: milliseconds to assemble it.
        read: whether the rules had extracted a statement from the preference.
    """

    section: str
    used: int
    spent: float
    read: bool


def main(argv: Sequence[str] | None = None) -> None:
    """Run the evaluation and write its report."""
    parser = options("context", __doc__, data="folder with prefeval/")
    parser.add_argument("--forms", nargs="+", choices=list(FORMS), default=list(FORMS))
    parser.add_argument("--topics", type=int, help="only the first so many topics")
    parser.add_argument("--budget", type=int, default=4_000, help="tokens of a context (%(default)s)")
    parser.add_argument("--store", default="sqlite", help="sqlite, postgres or a URL")
    parser.add_argument("--embedder", default="local")
    given = parser.parse_args(argv)
    embedder = remembering(given.embedder)
    figures: dict[str, Any] = {"budget": given.budget, "embedder": given.embedder}
    with place(given.store) as url, Memory.open(url, embedder=embedder or "none") as memory:
        for form in given.forms:
            folder = given.data / "prefeval" / FORMS[form]
            topics = islice(sorted(file for file in folder.iterdir() if file.suffix == ".json"), given.topics)
            found = {topic.stem: _topic(memory, form, topic, given.budget) for topic in topics}
            figures[form] = _report(form, found, given.budget)
    print(f"\nFigures: {save(given.out, 'context', figures)}")


def _topic(memory: Memory, form: str, file: Path, budget: int) -> list[Found]:
    user = memory.scope(tenant="evals", user=f"{form}-{file.stem}")
    cases = list(_cases(json.loads(file.read_text(encoding="utf-8"))))
    user.import_conversations([case.conversation for case in cases])
    now = START + timedelta(days=len(cases) + 1)
    telling = _telling(user)
    return [_ask(user, case, telling, now, budget) for case in progress(cases, f"{form}: {file.stem}")]


def _cases(entries: Sequence[Mapping[str, Any]]) -> Iterator[Case]:
    for number, entry in enumerate(entries):
        name = f"p{number}"
        told = entry.get("conversation")
        parts = [("user", "query"), ("assistant", "assistant_options"), ("user", "user_selection")]
        parts = [*parts, ("assistant", "assistant_acknowledgment")] if told else [("user", "preference")]
        at = START + timedelta(days=number)
        messages = tuple(
            Message(role=role, content=(told or entry)[part], id=f"{name}.{turn}", at=at + timedelta(minutes=turn))
            for turn, (role, part) in enumerate(parts)
        )
        gold = frozenset(f"{name}.{turn}" for turn in ((2, 3) if told else (0,)))
        yield Case(Conversation(id=name, messages=messages), gold, entry["question"])


def _telling(user: Scoped) -> Mapping[str, frozenset[str]]:
    """Return, by message, the ids of its turn and of the statements derived from it, except decisions."""
    lines = [line for line in user.export() if "row" in line]
    turns = {line["row"]["id"]: line["row"]["metadata"]["message"] for line in lines if line["kind"] == "events"}
    telling = {message: {turn} for turn, message in turns.items()}
    for row in (line["row"] for line in lines if line["kind"] == "records"):
        if row["kind"] != "decision":
            for source in row["sources"]:
                telling[turns[source]].add(row["id"])
    return {message: frozenset(ids) for message, ids in telling.items()}


def _ask(user: Scoped, case: Case, told: Mapping[str, frozenset[str]], now: datetime, budget: int) -> Found:
    telling = frozenset().union(*(told[message] for message in case.gold))
    user.recall(case.question, now=now)  # so that embedding the question is not timed
    begun = time.perf_counter()
    made = user.context(case.question, conversation="now", budget=budget, now=now)
    spent = 1_000 * (time.perf_counter() - begun)
    where = (section.name for section in made.sections if not telling.isdisjoint(section.included))
    return Found(next(where, ""), made.used, spent, len(telling) > len(case.gold))


def _report(form: str, found: Mapping[str, Sequence[Found]], budget: int) -> Mapping[str, Any]:
    rows = {topic: _figures(answers) for topic, answers in found.items()}
    every = [answer for answers in found.values() for answer in answers]
    rows["all"] = _figures(every)
    print(f"\n## {form}: the preference is in a context of {budget:,} tokens\n")
    head = ("topic", "questions", "found %", "read by rules %", "tokens used", "p50 ms", "p95 ms")
    print(table(head, [[topic, *row.values()] for topic, row in rows.items()]))
    sections = Counter(answer.section or "nowhere" for answer in every)
    print(f"\nWhere: {', '.join(f'{name} {count}' for name, count in sections.most_common())}")
    return {"topics": rows, "sections": dict(sections)}


def _figures(answers: Sequence[Found]) -> dict[str, float]:
    spent = [answer.spent for answer in answers]
    return {
        "questions": len(answers),
        "found": 100 * fmean(bool(answer.section) for answer in answers),
        "read": 100 * fmean(answer.read for answer in answers),
        "used": fmean(answer.used for answer in answers),
        "p50": percentile(spent, 50),
        "p95": percentile(spent, 95),
    }
