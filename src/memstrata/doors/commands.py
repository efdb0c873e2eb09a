"""The commands: each parses, calls one verb, and shows what came back."""

from collections.abc import Callable, Collection, Mapping
from contextlib import nullcontext, suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer

from memstrata.core.arms import ARMS
from memstrata.core.checks import brief, check_choice, check_seconds
from memstrata.core.formats import FORMATS
from memstrata.core.labels import read
from memstrata.core.layouts import BUDGET, LAYOUTS
from memstrata.core.results import Context, Profile
from memstrata.core.rows import Receipt
from memstrata.core.scoring import PROFILES
from memstrata.core.statements import KINDS
from memstrata.doors import demo as demonstration
from memstrata.doors import load, render, times
from memstrata.doors.configurations import configurations
from memstrata.doors.files import read_files
from memstrata.doors.intake import Intake, conversations, take_in
from memstrata.doors.outfile import write_lines
from memstrata.doors.shell import Answer, Door, app, command, text_of
from memstrata.errors import InputError, NotFoundError
from memstrata.flows.capture import TRUST, Captured
from memstrata.flows.evaluate import Evaluation
from memstrata.flows.forget import Target
from memstrata.flows.reembed import Reembedded
from memstrata.flows.techniques import TECHNIQUES
from memstrata.flows.transfer import plain


def option(read: Callable[[str], Any], metavar: str, about: str, *names: str, **more: Any) -> Any:
    """An option whose text is read, and refused as a wrong call where it cannot be."""

    def parse(text: str) -> Any:
        try:
            return read(text)
        except InputError as error:
            raise typer.BadParameter(str(error)) from error

    return typer.Option(*names, parser=parse, metavar=metavar, help=about, **more)


def choice(choices: Collection[str], about: str, *names: str) -> Any:
    """An option that takes one of `choices`, and names them to who gives another."""

    def read(text: str) -> str:
        if text not in choices:
            raise InputError(f"{brief(text)} is not one of {', '.join(choices)}.")
        return text

    return option(read, "NAME", f"{about} One of {', '.join(choices)}.", *names)


def time(read: Callable[[str], datetime], about: str) -> Any:
    """An option that takes a time, and says what one looks like."""
    return option(read, "TIME", about)


def kinds_in(text: str) -> list[str]:
    """Kinds that are named with commas between them."""
    kinds = [kind.strip() for kind in text.split(",")]
    for kind in kinds:
        check_choice("a kind", kind, KINDS)
    return kinds


def seconds(text: str) -> float:
    """A length of time."""
    with suppress(ValueError):
        check_seconds("it", given := float(text))
        return given
    raise InputError(f"{brief(text)} is no length of time: give seconds, more than 0.")


def joined(given: list[list[str]] | None) -> list[str] | None:
    """What was given by an option that takes several and may be given several times."""
    return list(chain.from_iterable(given)) if given else None


ROLES = ("user", "assistant", "system", "tool")
OF = f"Of {', '.join(KINDS)}; with commas, or several times."
SINCE = "Only what was said, or began to hold, from then on."
UNTIL = "Only what was said, or began to hold, up to then."
TECHNIQUE = "What else to try; may be given several times."
Question = Annotated[str, typer.Argument(callback=text_of, help="The question, or - for standard input.")]
Words = Annotated[str, typer.Argument(callback=text_of, help="The text, or - for standard input.")]
Conversation = Annotated[str | None, typer.Option(help="The conversation's id.")]
Now = Annotated[datetime | None, time(times.beginning, "The time of asking; the present by default.")]
At = Annotated[datetime | None, time(times.beginning, "When it was; now by default.")]
Plot = Annotated[Path | None, typer.Option(help="Also draw it as a PNG (extra: plot).")]
AllUsers = Annotated[bool, typer.Option("--all-users", help="Of the whole tenant, not of one user.")]


@dataclass(frozen=True, kw_only=True)
class Narrowed:
    """What narrows a question."""

    limit: Annotated[int, typer.Option(min=1, max=1000, help="At most this many.")] = 10
    tokens: Annotated[int | None, typer.Option(min=1, help="At most this many tokens of text.")] = None
    kinds: Annotated[list[Any] | None, option(kinds_in, "KINDS", OF, callback=joined)] = None
    since: Annotated[datetime | None, time(times.beginning, SINCE)] = None
    until: Annotated[datetime | None, time(times.ending, UNTIL)] = None
    as_of: Annotated[datetime | None, time(times.ending, "What held at that time.")] = None
    known_at: Annotated[datetime | None, time(times.ending, "What was known at that time.")] = None
    profile: Annotated[str, choice(PROFILES, "What to rank by.")] = "balanced"


@dataclass(frozen=True, kw_only=True)
class Asking:
    """When a question is asked, and how hard it is tried to find an answer."""

    now: Now = None
    techniques: Annotated[list[str] | None, choice(TECHNIQUES, TECHNIQUE, "--technique")] = None
    deadline: Annotated[float | None, option(seconds, "SECONDS", "After which what is slower is cut.")] = None

    def given(self) -> dict[str, Any]:
        """Those that were given."""
        return {name: value for name, value in vars(self).items() if value is not None}


@command("memstrata demo", "memstrata demo --data my-export/")
def demo(
    door: Door,
    data: Annotated[list[str] | None, typer.Option(help="Your own files instead; may be given several times.")] = None,
) -> Answer:
    """See it work, in a memory of its own that is gone afterwards: import, ask, explain, change, forget."""
    return Answer(demonstration.run(door, data or []), lambda _: demonstration.END)


@command("memstrata import conversations.json", "memstrata import chats/ --format openai", creates=True)
def import_(
    door: Door,
    paths: Annotated[list[str], typer.Argument(help="Files, directories, or - for standard input.")],
    format_: Annotated[str | None, choice(FORMATS, "The files' format; recognised by default.", "--format")] = None,
) -> Answer:
    """Take in conversations; the same ones twice add nothing. A bad file is reported and the others are taken in."""
    with door.counting("turns") as bar:
        found = conversations(intake := Intake(), paths, format_, bar)
        if first := next(found, None):  # where nothing can be read no memory is made
            take_in(door.scoped, chain((first,), found), intake, bar)
    return Answer(intake, failed=bool(intake.faults))


@command('memstrata add "I prefer short mails" --conversation c1', creates=True)
def add(
    door: Door,
    text: Words,
    role: Annotated[str, choice(ROLES, "Who speaks.")] = "user",
    conversation: Conversation = None,
    name: Annotated[str | None, typer.Option(help="The speaker's name, where several share a role.")] = None,
    at: At = None,
) -> Captured:
    """Record a turn of a conversation."""
    message = {"role": role, "content": text, "name": name, "timestamp": at}
    given = {key: value for key, value in message.items() if value is not None}
    return door.scoped.add([given], conversation=conversation)


@command('memstrata observe "The Jira project is PROJ" --category project_details', creates=True)
def observe(
    door: Door,
    text: Words,
    category: Annotated[str, typer.Option(help="fact, preference, project_details, correction, or your own.")] = "fact",
    source: Annotated[str, choice(TRUST, "Who says so; sets how far it is trusted.")] = "user_provided",
    at: At = None,
    key: Annotated[str | None, typer.Option(help="The same key twice is one observation.")] = None,
) -> Captured:
    """Record one observation: a statement that stands alone."""
    return door.scoped.observe(text, category=category, source=source, at=at, key=key)


@command('memstrata recall "How should mails look?"', 'memstrata recall "What did I decide?" --since "last month"')
def recall(
    door: Door,
    question: Question,
    narrowed: Narrowed,
    asking: Asking,
    arm: Annotated[list[str] | None, choice(ARMS, "Only these propose; may be given several times.")] = None,
    trace: Annotated[bool, typer.Option("--trace", help="With --json: how it came about, in full.")] = False,
) -> Answer:
    """What bears on a question, best first, each with the reason why. Times are ISO or words ("last month")."""
    found = door.scoped.recall(question, **vars(narrowed), **asking.given(), arms=arm)
    return Answer(found, document=plain if trace else render.answer)


@command('memstrata context "Draft a reply to Torben" --budget 1000')
def context(
    door: Door,
    question: Question,
    asking: Asking,
    conversation: Conversation = None,
    budget: Annotated[int | None, typer.Option(min=1, help="Tokens in all; by default the layout's.")] = None,
    layout: Annotated[str, choice(LAYOUTS, "Which sections it has.")] = "memory",
) -> Context:
    """What to put into the prompt for a request, and what of the budget it took."""
    return door.scoped.context(question, conversation=conversation, budget=budget, layout=layout, **asking.given())


@command("memstrata profile")
def profile(door: Door, now: Now = None) -> Profile:
    """What is known of the user."""
    return door.scoped.profile(now=now)


@command("memstrata history RECORD")
def history(door: Door, record: Annotated[str, typer.Argument(help="Its id, as recall shows it.")]) -> object:
    """How a belief came to be and changed."""
    return door.scoped.history(record)


@command('memstrata why "How should mails look?"', 'memstrata why "How should mails look?" ITEM --plot why.png')
def why(
    door: Door,
    question: Question,
    narrowed: Narrowed,
    asking: Asking,
    item: Annotated[str | None, typer.Argument(help="The id of one memory, as recall shows it.")] = None,
    plot: Plot = None,
) -> Answer:
    """Why the memories rank as they do for a question, and what is left out; for one of them: how it fares."""
    found = door.scoped.why(question, item, **vars(narrowed), **asking.given())
    if plot:
        load("plot", "plot").ranking(found.recalled, question, plot)
        door.tell(f"drawn: {plot}")
    return Answer(found, render.explanation, render.verdict) if item else Answer(found, render.ranking, render.standing)


@command(
    "memstrata eval --demo --ablate",
    "memstrata eval labels.jsonl --compare profile=balanced,profile=relevance --plot eval.png",
)
def evaluate(
    door: Door,
    file: Annotated[
        str | None, typer.Argument(help="Labelled questions (docs/EVALUATION.md), or - for standard input.")
    ] = None,
    demo: Annotated[bool, typer.Option("--demo", help="The demonstration's memory and questions instead.")] = False,
    compare: Annotated[
        Any, option(configurations, "A,B", "Ways to recall, the others compared with the first.")
    ] = None,
    ablate: Annotated[bool, typer.Option("--ablate", help="Also without each part, one at a time.")] = False,
    budget: Annotated[int, typer.Option(min=1, help="Tokens, of recall within a budget and of context.")] = BUDGET,
    seed: Annotated[int, typer.Option(min=0, help="Of the resampling behind the intervals.")] = 0,
    plot: Plot = None,
) -> Evaluation:
    """How well this memory answers questions whose answers you know; nothing is written."""
    if demo == bool(file):
        raise typer.BadParameter("give a file of labelled questions or --demo, and not both.")
    with demonstration.remembered(door) if demo else nullcontext((door.scoped, str(file))) as (scoped, labels):
        faults: list[str] = []
        asked = [one for name, data in read_files(labels, faults) for one in read(data, name)]
        if faults:
            raise NotFoundError(faults[0])
        with door.counting("questions") as bar:
            if not ablate:  # how much there is to take away shows on the way
                bar.expect(len(asked) * len(compare or [None]))
            found = scoped.evaluate(
                asked, configurations=compare or (), ablate=ablate, budget=budget, seed=seed, progress=bar.advance
            )
    if plot:
        load("plot", "plot").evaluation(found, plot)
        door.tell(f"drawn: {plot}")
    return found


@command("memstrata forget --record RECORD", "memstrata forget --everything --whole --yes")
def forget(
    door: Door,
    record: Annotated[str | None, typer.Option(help="A record, with the events it came from.")] = None,
    source: Annotated[str | None, typer.Option(help="An event, with what was derived from it.")] = None,
    conversation: Annotated[str | None, typer.Option(help="A conversation, with what was derived from it.")] = None,
    everything: Annotated[bool, typer.Option("--everything", help="All that this scope sees.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> Receipt:
    """Remove something for good; it does not come back when it is fed again. Prints a receipt."""
    if sum(map(bool, (record, source, conversation, everything))) != 1:
        raise typer.BadParameter("name exactly one of --record, --source, --conversation and --everything.")
    target = Target(record=record, source=source, conversation=conversation, everything=everything)
    reach = "in every channel, " if door.whole else ""
    door.confirm(f"Forget {target} of {door.settings.user}, {reach}with everything derived from it?", yes)
    return door.scoped.forget(**asdict(target))


@command("memstrata export > memory.jsonl", "memstrata export --whole --out memory.jsonl")
def export(
    door: Door, out: Annotated[Path | None, typer.Option(help="A file, written whole or not at all.")] = None
) -> object:
    """Everything this scope sees, as JSON lines; the last one holds a checksum."""
    rows = door.scoped.export()
    return {"file": str(out), "lines": write_lines(out, rows)} if out else rows


@command("memstrata stats", "memstrata stats --all-users --json")
def stats(door: Door, all_users: AllUsers = False) -> Mapping[str, Any]:
    """How much is remembered."""
    return door.memory.stats(**door.whose(all_users))


@command("memstrata doctor")
def doctor(door: Door, all_users: AllUsers = False) -> Answer:
    """Check the store and the memories. The exit code is 1 if there are problems."""
    health = door.memory.doctor(**door.whose(all_users))
    return Answer(health, failed=bool(health.problems))


@command("memstrata reembed --embedder local")
def reembed(door: Door, all_users: AllUsers = False) -> Reembedded:
    """Give every passage that lacks one a vector of the current embedder. Can be broken off and taken up again."""
    with door.counting("passages") as bar:
        return door.memory.reembed(**door.whose(all_users), progress=bar.advance)


__all__ = ["app"]
