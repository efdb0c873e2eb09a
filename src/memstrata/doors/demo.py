"""The demonstration: a memory fed with conversations, asked, explained, changed and made to forget, in one go.

It says what it finds, misses included: the questions that come with the conversations name the turns that answer
them, and each answer is held against those.
"""

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any

from rich.console import Console, RenderableType

from memstrata.blocking import Memory, Scoped
from memstrata.core.results import Recalled
from memstrata.doors import render
from memstrata.doors.intake import Intake, take_in
from memstrata.doors.shell import Door
from memstrata.errors import NotFoundError
from memstrata.system import utc_now

SHOWN = 3  # memories shown per question
LOOKED_AT = 5  # memories among which the evidence is looked for
REQUEST = "Draft a short mail about the plan for next week"
_HERE = Path(__file__).parent
PLACES = (_HERE / "corpus", _HERE.parents[2] / "examples" / "demo")  # in an installed wheel, in a checkout

Turn = tuple[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One thing to ask.

    Attributes:
        answer: what is right; None if memory cannot know, or if nobody says.
        evidence: the turns that answer it; None if nobody says.
    """

    kind: str
    text: str
    now: datetime
    answer: str | None = None
    evidence: frozenset[Turn] | None = None
    kinds: tuple[str, ...] | None = None


def run(door: Door, data: Sequence[str]) -> None:
    """Run the demonstration on the corpus that comes with memstrata, or on the files `data`."""
    folder = None if data else _corpus()
    files = list(data) if folder is None else [str(folder / "conversations.json")]
    clock = Clock()
    with tempfile.TemporaryDirectory(prefix="memstrata-") as home:
        path = Path(home) / "demo.db"
        with Memory.open(path, embedder=door.settings.model(), clock=clock) as memory:
            door.out.quiet = door.as_json
            scoped = memory.scope(tenant=door.settings.tenant, user=door.settings.user)
            tour = Tour(door, scoped, clock)
            tour.feed(files)
            questions = _generic(clock.now) if folder is None else _questions(folder / "questions.json")
            tour.ask(questions)
            tour.compile()
            tour.change()
            tour.explain(questions[0])
            tour.forget(questions[0], files)
    if door.as_json:
        door.line(render.plain(tour.report), indent=2)


@dataclass(slots=True)
class Clock:
    """Stands at the time of asking, so that every run sees the same."""

    now: datetime = field(default_factory=utc_now)

    def __call__(self) -> datetime:
        """The present."""
        return self.now


def _corpus() -> Path:
    for place in PLACES:
        if (place / "conversations.json").is_file():
            return place
    raise NotFoundError("The demonstration's conversations are not installed; give your own by --data.")


def _questions(path: Path) -> list[Question]:
    return [
        Question(
            kind=one["kind"],
            text=one["question"],
            now=datetime.fromisoformat(one["asked_at"]),
            answer=one["answer"],
            evidence=frozenset(
                (turn["conversation"], turn["index"]) for turn in [*one["evidence"], *one.get("restated", ())]
            ),
        )
        for one in json.loads(path.read_text("utf-8"))
    ]


def _generic(now: datetime) -> list[Question]:
    """What can be asked of anybody's conversations, at the time the last of them ended."""
    asked = [
        ("preference", "What do I prefer?", ("preference",)),
        ("decision", "What did I decide?", ("decision",)),
        ("plan", "What are my plans?", ("plan",)),
        ("fact", "Where do I live and work?", ("fact",)),
        ("last month", "What did I say last month?", ("turn",)),
        ("assistant-said", "What did you recommend to me?", ("turn",)),
    ]
    return [Question(kind=kind, text=text, now=now, kinds=kinds) for kind, text, kinds in asked]


class Tour:
    """The steps, each shown as it is done and kept for the report."""

    def __init__(self, door: Door, scoped: Scoped, clock: Clock) -> None:
        self._door = door
        self._out: Console = door.out
        self._scoped = scoped
        self._clock = clock
        self._turns: dict[str, Turn] = {}
        self.report: dict[str, Any] = {}

    def feed(self, files: Sequence[str]) -> None:
        """Import the conversations; the clock is set to the end of the last."""
        self._head("Import")
        begun = perf_counter()
        done = self._take_in(files)
        rows = [line["row"] for line in self._scoped.export() if line.get("kind") == "events"]
        if not rows:
            raise NotFoundError(f"Nothing could be imported: {' '.join(done.faults)}")
        self._turns = {row["id"]: (row["conversation"], row["position"]) for row in rows}
        self._clock.now = max(datetime.fromisoformat(row["event_time"]) for row in rows) + timedelta(hours=1)
        self._say(render.intake(done))
        self._say(f"in {perf_counter() - begun:.1f} s, into a new file, without a network")
        self.report["import"] = done

    def ask(self, questions: Sequence[Question]) -> None:
        """Ask all, show the first of each kind, and count where the evidence was found."""
        kinds: set[str] = set()
        answers = []
        for question in questions:
            found = self._recall(question)
            answers.append({"question": question, "verdict": self._verdict(question, found), "items": found.items})
            if question.kind not in kinds:
                kinds.add(question.kind)
                self._show(question, found, answers[-1]["verdict"])
        self.report["questions"] = answers
        judged = [one["verdict"] for one in answers if one["verdict"]]
        if judged:
            hits = sum(verdict.startswith("hit") for verdict in judged)
            self._say(f"\nOf {len(judged)} questions with a known answer, {hits} went right.")

    def compile(self) -> None:
        """Make a context for a request."""
        self._head(f"Context for: {REQUEST}")
        made = self._scoped.context(REQUEST, budget=600, now=self._clock.now)
        self._say(render.context(made))
        self.report["context"] = made

    def change(self) -> None:
        """Show how a belief changed."""
        self._head("A belief that changed")
        records = [line["row"] for line in self._scoped.export() if line.get("kind") == "records"]
        replaced = [row["id"] for row in records if row["supersedes"] and not row["superseded_at"]]
        versions = self._scoped.history(replaced[-1]) if replaced else ()
        self._say(render.history(versions) if versions else "None did in these conversations.")
        self.report["history"] = versions

    def explain(self, question: Question) -> None:
        """Show why the best answer to a question is where it is."""
        self._head(f"Why the first answer is first: {question.text}")
        found = self._recall(question)
        for item in found.items[:1]:
            why = self._scoped.why(question.text, item.id, now=question.now)
            self._say(render.shortened(item.text, 100))
            self._say(render.explanation(why))
            self.report["why"] = why

    def forget(self, question: Question, files: Sequence[str]) -> None:
        """Forget the best answer to a question, feed everything again, and ask again."""
        self._head(f"Forget the first answer to: {question.text}")
        for item in self._recall(question).items[:1]:
            target = {"record" if item.of == "record" else "source": item.id}
            receipt = self._scoped.forget(**target)
            self._say(render.shortened(item.text, 100))
            self._say(render.receipt(receipt))
            again = self._take_in(files)
            back = [one.text for one in self._recall(question) if one.id == item.id or one.text == item.text]
            self._say(
                f"The same files again: {again.turns} turns read, {again.known} known or forgotten, {again.new} new."
            )
            self._say("IT CAME BACK." if back else "It did not come back.")
            self.report["forget"] = {"receipt": receipt, "again": again, "came_back": bool(back)}

    def _take_in(self, files: Sequence[str]) -> Intake:
        with self._door.counting("turns") as bar:
            return take_in(self._scoped, files, None, bar)

    def _recall(self, question: Question) -> Recalled:
        return self._scoped.recall(question.text, limit=LOOKED_AT, kinds=question.kinds, as_of=question.now, now=question.now)

    def _verdict(self, question: Question, found: Recalled) -> str:
        """Whether the answer holds what it should, in words; empty where nobody can say."""
        if question.evidence is None:
            return ""
        if not question.evidence:
            return f"miss: {len(found)} memories, none was right" if found else "hit: nothing is known, and it says so"
        for place, item in enumerate(found, 1):
            if question.evidence & {self._turns[source] for source in item.sources if source in self._turns}:
                return f"hit: the evidence is at place {place}"
        return f"miss: the evidence is not among the first {LOOKED_AT}"

    def _show(self, question: Question, found: Recalled, verdict: str) -> None:
        self._head(f"{question.kind}: {question.text}")
        self._say(f"asked on {question.now:%Y-%m-%d}" + (f"; right is: {question.answer}" if question.answer else ""))
        self._say(render.recalled(Recalled(items=found.items[:SHOWN], reason=found.reason, trace=found.trace)))
        self._say(f"→ {verdict}" if verdict else "")

    def _head(self, title: str) -> None:
        self._out.print(f"\n{title}", style="bold")

    def _say(self, what: RenderableType) -> None:
        self._out.print(what)
