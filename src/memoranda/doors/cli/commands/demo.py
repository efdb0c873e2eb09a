"""The demonstration: import conversations into a memory, ask, explain, change and forget, in one run.

It reports its misses too: the questions that come with the conversations name the turns that answer them, and those
that say what no longer held. Each answer is compared with these.
"""

import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text

from memoranda.core.formats.conversation import Conversation
from memoranda.core.language.corrections import EDITOR
from memoranda.core.recall.results import Item, Recalled
from memoranda.doors.cli import explaining, render, views
from memoranda.doors.cli.door import Answer, Door, command
from memoranda.doors.cli.intake import Intake, conversations, take_in
from memoranda.doors.cli.texts import shortened
from memoranda.errors import NotFoundError
from memoranda.memory import Memory
from memoranda.system import utc_now
from memoranda.testing.fakes import FrozenClock
from memoranda.verbs.scoped import Scoped

SHOWN = 2  # memories shown per question
LOOKED_AT = 5  # top memories searched for the evidence
DEEP = 50  # top memories searched for a forgotten one
NAMES = 3  # entities asked about
BUDGET = 600  # tokens
WIDTH = 110  # columns at most
STYLES = {"HIT": "green", "LOW": "yellow", "PART": "yellow", "MISS": "red"}
RESULTS = "HIT: what answers it is first. LOW: it is below another memory. PART: not all of it is there. MISS: none is."
TENANT, USER, OTHER = "demo", "you", "klara"
REQUEST = "Draft a short mail about the plan for next week"
NEXT = "Your own: memoranda import FILE, then memoranda recall QUESTION; memoranda demo --data FILE is this."
END = Text(f"\n{NEXT}", style="bold")
_HERE = Path(__file__).parents[1]
PLACES = (_HERE / "corpus", _HERE.parents[3] / "examples" / "demo")  # of an installed wheel, of a checkout

Turn = tuple[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question of the demonstration.

    Attributes:
        answer: the right answer; None if memory cannot know it, or if it is not labelled.
        evidence: what answers it, all of it needed: each the turns that say it; None if they are not labelled.
        outdated: turns that say what no longer held.
    """

    kind: str
    text: str
    now: datetime
    answer: str | None = None
    evidence: tuple[frozenset[Turn], ...] | None = None
    outdated: frozenset[Turn] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How an answer did: one of `STYLES`, the same in words, and the `places` of the memories that answer."""

    result: str
    words: str
    places: tuple[int, ...] = ()


def judged(question: Question, found: Sequence[frozenset[Turn]]) -> Verdict | None:
    """Compare an answer with what answers the question; None if that is not labelled.

    Args:
        question: what was asked.
        found: the turns that each memory of the answer rests on, best first.
    """
    if question.evidence is None:
        return None
    if not question.evidence:
        if found:
            return Verdict(result="MISS", words=f"nothing is known of it, and these {len(found)} do not answer it")
        return Verdict(result="HIT", words="nothing is known of it, and that is the answer")
    places = tuple(place for place, turns in enumerate(found, 1) if turns & frozenset().union(*question.evidence))
    there = sum(any(said & turns for turns in found) for said in question.evidence)
    at = f"at place{'s' * (len(places) > 1)} {', '.join(map(str, places))}"
    result, words = "HIT", f"what answers it is {at}"
    if not places:
        result, words = "MISS", f"what answers it is not among the first {LOOKED_AT}"
    elif there < len(question.evidence):
        result, words = "PART", f"{there} of {len(question.evidence)} things that the answer needs, {at}"
    elif places[0] > 1:
        outdated = any(turns & question.outdated for turns in found[: places[0] - 1])
        result, words = "LOW", f"{words}, below what {'no longer holds' if outdated else 'does not answer it'}"
    return Verdict(result=result, words=words, places=places)


@command("demo", "memoranda demo", "memoranda demo --data my-export/")
def demo(
    door: Door,
    data: Annotated[list[str] | None, typer.Option(help="Your own files instead; may be given several times.")] = None,
) -> Answer:
    """Tour memoranda in a temporary memory: import, ask, explain, change, forget."""
    return Answer(run(door, data or []), lambda _: END)


def run(door: Door, data: Sequence[str]) -> dict[str, Any]:
    """Run the demonstration on the shipped corpus, or on the files `data`, and return its report."""
    folder = None if data else _corpus()
    files = list(data) if folder is None else [str(folder / "conversations.json")]
    clock = FrozenClock(utc_now())  # fixed at the time of asking, so that every run gives the same
    with _apart(door, clock=clock) as memory:
        scoped = memory.scope(tenant=TENANT, user=USER)
        door.out.quiet = door.as_json
        door.out.width = min(door.out.width, WIDTH)
        tour = Tour(door, scoped, clock)
        tour.feed(files)
        tour.ask(tour.derived() if folder is None else [*_questions(folder / "questions.json"), tour.month()])
        tour.compile()
        tour.change()
        tour.explain()
        tour.act(memory.scope(tenant=TENANT, user=OTHER))
        tour.forget(files)
    return tour.report


@contextmanager
def remembered(door: Door) -> Iterator[tuple[Scoped, str]]:
    """Yield a temporary memory of the shipped corpus, and the path of the questions about it."""
    folder = _corpus()
    with _apart(door) as memory:
        scoped = memory.scope(tenant=TENANT, user=USER)
        with door.counting("turns") as bar:
            found = conversations(intake := Intake(), [str(folder / "conversations.json")], None, bar)
            take_in(scoped, found, intake, bar)
        yield scoped, str(folder / "labels.jsonl")


@contextmanager
def _apart(door: Door, **options: Any) -> Iterator[Memory]:
    """Yield a memory in a temporary file."""
    with (
        tempfile.TemporaryDirectory(prefix="memoranda-") as home,
        Memory.open(Path(home) / "demo.db", embedder=door.settings.model(), **options) as memory,
    ):
        yield memory


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
            evidence=_evidence(one),
            outdated=_turns(one.get("superseded", ())),
        )
        for one in json.loads(path.read_text("utf-8"))
    ]


def _turns(labels: Iterable[Mapping[str, Any]]) -> frozenset[Turn]:
    return frozenset((label["conversation"], label["index"]) for label in labels)


def _evidence(one: Mapping[str, Any]) -> tuple[frozenset[Turn], ...]:
    """Return each turn that is needed, with those that say the same in its conversation."""
    again = _turns(one.get("restated", ()))
    return tuple(
        frozenset([turn, *(other for other in again if other[0] == turn[0])])
        for turn in sorted(_turns(one["evidence"]))
    )


class Tour:
    """The steps of the demonstration; each is shown as it runs and kept for the report."""

    def __init__(self, door: Door, scoped: Scoped, clock: FrozenClock) -> None:
        self._door = door
        self._scoped = scoped
        self._clock = clock
        self._turns: dict[str, Turn] = {}
        self._favourite: tuple[Question, Item] | None = None
        self.report: dict[str, Any] = {}

    def feed(self, files: Sequence[str]) -> None:
        """Import the conversations, each with the clock at the time it ended."""
        self._head("Conversations, imported into a new file without a network")
        begun = perf_counter()
        done = self._take_in(files)
        rows = self._rows("events")
        if not rows:
            raise NotFoundError(f"Nothing could be imported. {' '.join(done.faults)}")
        self._turns = {row["id"]: (row["conversation"], row["position"]) for row in rows}
        self._clock.now = max(datetime.fromisoformat(row["event_time"]) for row in rows) + timedelta(hours=1)
        self._say(views.intake(done))
        self._say(f"in {perf_counter() - begun:.1f} s")
        self.report["import"] = done

    def month(self) -> Question:
        """Return a question that fits any corpus: all of last month."""
        return Question(kind="a whole month", text="What did I say last month?", now=self._clock.now)

    def derived(self) -> list[Question]:
        """Return questions about these conversations: the newest belief of each kind, and the most mentioned names."""
        now = self._clock.now
        questions = [self.month()]
        held = [row for row in self._rows("records") if not row["superseded_at"] and not row["valid_to"]]
        newest = {row["kind"]: row for row in sorted(held, key=lambda row: str(row["valid_from"]))}
        for kind, row in newest.items():
            topic = row["value"] if isinstance(row["value"], str) else row["text"]
            said = frozenset(self._turns[source] for source in row["sources"])
            questions.append(Question(kind=kind, text=f"Remind me: {topic}?", now=now, evidence=(said,)))
        mentions = Counter(entity for row in self._rows("passages") for entity in row["entities"])
        for row in sorted(self._rows("entities"), key=lambda row: (-mentions[row["id"]], row["name"]))[:NAMES]:
            name = row["name"].title()
            questions.append(Question(kind=f"about {name}", text=f"What did we say about {name}?", now=now))
        return questions

    def ask(self, questions: Sequence[Question]) -> None:
        """Ask every question at its time, show the first of each kind, and count how the answers did."""
        self._head(
            f"Questions, the first of each kind: the best {SHOWN} memories of {LOOKED_AT}, each with its reasons"
        )
        self._say(RESULTS)
        kinds: set[str] = set()
        answers, verdicts = [], []
        for question in questions:
            found = self._recall(question)
            verdict = judged(question, [self._rested_on(item) for item in found])
            answers.append({"question": question, "verdict": verdict, "answer": views.answer(found)})
            verdicts += [verdict] if verdict else []
            if question.kind not in kinds:
                kinds.add(question.kind)
                self._show(question, found, verdict)
            if found.items and self._favourite is None:
                self._favourite = question, found.items[0]
        self.report["questions"] = answers
        if verdicts:
            counts = Counter(verdict.result for verdict in verdicts)
            told = ", ".join(f"{counts[result]} {result}" for result in STYLES)
            self._head(f"All {len(verdicts)} questions whose answer is known: {told}.")

    def compile(self) -> None:
        """Assemble a context for a request."""
        self._head(f"A context of {BUDGET} tokens for: {REQUEST}")
        made = self._scoped.context(REQUEST, budget=BUDGET)
        self._say(views.context(made))
        self.report["context"] = made

    def change(self) -> None:
        """Show how beliefs change: the history of the newest one that superseded another, and of a corrected slip."""
        replaced = [row for row in self._rows("records") if row["supersedes"] and not row["superseded_at"]]
        amended = [row for row in replaced if row["editor"] == EDITOR]
        for key, title, rows in (
            ("history", "A belief that changed", [row for row in replaced if row not in amended]),
            ("amendment", "A slip of the tongue, put right by a few words", amended),
        ):
            self._head(title)
            newest = max(rows, key=lambda row: row["valid_from"], default=None)
            versions = self._scoped.history(newest["id"]) if newest else ()
            self._say(render.draw(versions) if versions else "None in these conversations.")
            self.report[key] = versions

    def explain(self) -> None:
        """Show what each signal contributed to the best answer to the first question."""
        if self._favourite is not None:
            question, item = self._favourite
            self._head(f"Why this ranks where it does for: {question.text}")
            found = self._scoped.why(question.text, item.id, now=question.now)
            self._say(shortened(item.text, 100))
            self._say(explaining.explanation(found))
            self.report["why"] = explaining.verdict(found)

    def act(self, other: Scoped) -> None:
        """Show goals, tools and sharing: a goal brought up, a tool suggested, a pool that two users write to."""
        self._head("A goal that a later message brings up, a tool suggested by what came of it, a pool shared by two")
        here = self._scoped
        here.goals.add("Ask the landlord for the deposit", priority=1, recall_when=["landlord"])
        brought = here.recall("The landlord has written a mail.").goals
        here.tools.record("tide_table", {"place": "Elbe"}, "high water at 06:40", latency=0.2, task_type="rowing")
        here.strategies.learn("Look up the tide before an outing", "rowing on a tidal river", ["tide_table"])
        suggested = here.tools.suggest("When is the water right for rowing on Sunday?")
        pool = here.pools.create("outing", data={"boat": "the red one"})
        here.pools.grant(pool.id, "write", user=other.scope.user)
        other.pools.write(pool.id, "start", "06:40", expect=pool.version)
        shared = here.pools.read(pool.id)
        for found in (brought, suggested, shared):
            self._say(render.draw(found))
        self.report["strata"] = {"goals": brought, "tools": suggested, "pool": shared}

    def forget(self, files: Sequence[str]) -> None:
        """Forget the answer that `explain` shows, import everything again, and search for it by its own words."""
        if self._favourite is not None:
            item = self._favourite[1]
            self._head(f"Forget it: {shortened(item.text, 60)}")
            chosen = item.id if item.of == "record" else None
            receipt = self._scoped.forget(record=chosen, source=None if chosen else item.id)
            self._say(views.receipt(receipt))
            again = self._take_in(files)
            back = any(found.text == item.text for found in self._scoped.recall(item.text, limit=DEEP))
            self._say(
                f"The same files once more: {again.turns} turns, {again.known} known, {again.forgotten} refused "
                f"as forgotten, {again.new} new. {'IT CAME BACK.' if back else 'It did not come back.'}"
            )
            self.report["forget"] = {"receipt": receipt, "again": again, "came_back": back}

    def _rows(self, table: str) -> list[dict[str, Any]]:
        return [line["row"] for line in self._scoped.export() if line.get("kind") == table]

    def _take_in(self, files: Sequence[str]) -> Intake:
        intake = Intake()
        with self._door.counting("turns") as bar:
            return take_in(self._scoped, self._at_their_times(conversations(intake, files, None, bar)), intake, bar)

    def _at_their_times(self, found: Iterable[Conversation]) -> Iterator[Conversation]:
        for conversation in found:
            self._clock.now = max((one.at for one in conversation.messages if one.at), default=self._clock.now)
            yield conversation

    def _recall(self, question: Question) -> Recalled:
        now = question.now
        return self._scoped.recall(question.text, limit=LOOKED_AT, as_of=now, now=now)

    def _rested_on(self, item: Item) -> frozenset[Turn]:
        return frozenset(self._turns[source] for source in item.sources if source in self._turns)

    def _show(self, question: Question, found: Recalled, verdict: Verdict | None) -> None:
        self._head(f"{question.kind}: {question.text}")
        unknown = "that it was never said" if question.evidence == () else None
        right = question.answer or unknown
        self._say(f"asked on {question.now:%Y-%m-%d}{f'; right is: {right}' if right else ''}")
        for place, item in enumerate(found, 1):
            if place <= SHOWN or (verdict and place in verdict.places):
                self._say(views.memory(place, item))
        for line in views.ends(found):
            self._say(line)
        if verdict:
            self._door.out.print(f"{verdict.result}: {verdict.words}", style=STYLES[verdict.result])

    def _head(self, title: str) -> None:
        self._door.out.print(f"\n{title}", style="bold")

    def _say(self, what: RenderableType) -> None:
        self._door.out.print(what)
