"""The commands: each parses, calls one verb, and shows what came back."""

from collections.abc import Callable, Collection
from contextlib import nullcontext, suppress
from dataclasses import asdict
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
from memstrata.core.scoring import PROFILES
from memstrata.core.statements import KINDS
from memstrata.doors import demo as demonstration
from memstrata.doors import load, render, times
from memstrata.doors.configurations import configurations
from memstrata.doors.files import read_files
from memstrata.doors.intake import Intake, conversations, take_in
from memstrata.doors.outfile import write_lines
from memstrata.doors.shell import Door, app, command, text_of
from memstrata.errors import InputError, NotFoundError
from memstrata.flows.capture import TRUST
from memstrata.flows.forget import Target
from memstrata.flows.techniques import TECHNIQUES


def option(read: Callable[[str], Any], metavar: str, about: str, *names: str) -> Any:
    """An option whose text is read, and refused as a wrong call where it cannot be."""

    def parse(text: str) -> Any:
        try:
            return read(text)
        except InputError as error:
            raise typer.BadParameter(str(error)) from error

    return typer.Option(*names, parser=parse, metavar=metavar, help=about)


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


def parted(kinds: list[Any] | None) -> list[str] | None:
    """The kinds of every time that some were given."""
    return list(chain.from_iterable(kinds)) if kinds else None


def seconds(text: str) -> float:
    """A length of time."""
    with suppress(ValueError):
        check_seconds("it", given := float(text))
        return given
    raise InputError(f"{brief(text)} is no length of time: give seconds, more than 0.")


ROLES = ("user", "assistant", "system", "tool")
Limit = Annotated[int, typer.Option(min=1, max=1000, help="At most this many.")]
Tokens = Annotated[int | None, typer.Option(min=1, help="At most this many tokens of text.")]
Kinds = Annotated[list[Any] | None, option(kinds_in, "KINDS", f"Of {', '.join(KINDS)}; with commas, or several times.")]
Profile = Annotated[str, choice(PROFILES, "What to rank by.")]
Now = Annotated[datetime | None, time(times.beginning, "The time of asking; the present by default.")]
Beginning = Annotated[datetime | None, time(times.beginning, "Only what was said, or began to hold, from then on.")]
Ending = Annotated[datetime | None, time(times.ending, "Only what was said, or began to hold, up to then.")]
AsOf = Annotated[datetime | None, time(times.ending, "What held at that time.")]
KnownAt = Annotated[datetime | None, time(times.ending, "What was known at that time.")]
At = Annotated[datetime | None, time(times.beginning, "When it was; now by default.")]
Technique = Annotated[list[str] | None, choice(TECHNIQUES, "What else to try; may be given several times.")]
Deadline = Annotated[float | None, option(seconds, "SECONDS", "After which what is slower is cut.")]
Question = Annotated[str, typer.Argument(help="The question, or - for standard input.", show_default=False)]
Words = Annotated[str, typer.Argument(help="The text, or - for standard input.", show_default=False)]
Compare = Annotated[Any, option(configurations, "A,B", "Ways to recall, the others compared with the first.")]
Conversation = Annotated[str | None, typer.Option(help="The conversation's id.")]
AllUsers = Annotated[bool, typer.Option("--all-users", help="Of the whole tenant, not of one user.")]


@command("demo", "memstrata demo", "memstrata demo --data my-export/")
def demo(
    door: Door,
    data: Annotated[list[str] | None, typer.Option(help="Your own files instead; may be given several times.")] = None,
) -> None:
    """See it work, in a memory of its own that is gone afterwards: import, ask, explain, change, forget."""
    demonstration.run(door, data or [])


@command("import", "memstrata import conversations.json", "memstrata import chats/ --format openai", creates=True)
def import_(
    door: Door,
    paths: Annotated[
        list[str], typer.Argument(help="Files, directories, or - for standard input.", show_default=False)
    ],
    format_: Annotated[str | None, choice(FORMATS, "The files' format; recognised by default.", "--format")] = None,
) -> None:
    """Take in conversations; the same ones twice add nothing. A bad file is reported and the others are taken in."""
    with door.counting("turns") as bar:
        found = conversations(intake := Intake(), paths, format_, bar)
        if first := next(found, None):  # where nothing can be read no memory is made
            take_in(door.scoped, chain((first,), found), intake, bar)
    door.show(intake, render.intake)
    if intake.faults:
        raise typer.Exit(1)


@command("add", 'memstrata add "I prefer short mails" --conversation c1', creates=True)
def add(
    door: Door,
    text: Words,
    role: Annotated[str, choice(ROLES, "Who speaks.")] = "user",
    conversation: Conversation = None,
    name: Annotated[str | None, typer.Option(help="The speaker's name, where several share a role.")] = None,
    at: At = None,
) -> None:
    """Record a turn of a conversation."""
    message = {"role": role, "content": text_of(text), "name": name, "timestamp": at}
    given = {key: value for key, value in message.items() if value is not None}
    door.show(door.scoped.add([given], conversation=conversation), render.captured)


@command("observe", 'memstrata observe "The Jira project is PROJ" --category project_details', creates=True)
def observe(
    door: Door,
    text: Words,
    category: Annotated[str, typer.Option(help="fact, preference, project_details, correction, or your own.")] = "fact",
    source: Annotated[str, choice(TRUST, "Who says so; sets how far it is trusted.")] = "user_provided",
    at: At = None,
    key: Annotated[str | None, typer.Option(help="The same key twice is one observation.")] = None,
) -> None:
    """Record one observation: a statement that stands alone."""
    captured = door.scoped.observe(text_of(text), category=category, source=source, at=at, key=key)
    door.show(captured, render.captured)


@command(
    "recall", 'memstrata recall "How should mails look?"', 'memstrata recall "What did I decide?" --since "last month"'
)
def recall(
    door: Door,
    question: Question,
    limit: Limit = 10,
    tokens: Tokens = None,
    kinds: Kinds = None,
    since: Beginning = None,
    until: Ending = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    profile: Profile = "balanced",
    now: Now = None,
    arm: Annotated[list[str] | None, choice(ARMS, "Only these propose; may be given several times.")] = None,
    technique: Technique = None,
    deadline: Deadline = None,
    trace: Annotated[bool, typer.Option("--trace", help="With --json: how it came about, in full.")] = False,
) -> None:
    """What bears on a question, best first, each with the reason why. Times are ISO or words ("last month")."""
    found = door.scoped.recall(
        text_of(question), limit=limit, tokens=tokens, kinds=parted(kinds), profile=profile, now=now,
        since=since, until=until, as_of=as_of, known_at=known_at, arms=arm or None, techniques=technique or (),
        deadline=deadline,
    )  # fmt: skip
    door.show(found, render.recalled, render.plain if trace else render.answer)


@command("context", 'memstrata context "Draft a reply to Torben" --budget 1000')
def context(
    door: Door,
    question: Question,
    conversation: Conversation = None,
    budget: Annotated[int | None, typer.Option(min=1, help="Tokens in all; by default the layout's.")] = None,
    layout: Annotated[str, choice(LAYOUTS, "Which sections it has.")] = "memory",
    now: Now = None,
    technique: Technique = None,
    deadline: Deadline = None,
) -> None:
    """What to put into the prompt for a request, and what of the budget it took."""
    made = door.scoped.context(
        text_of(question), conversation=conversation, budget=budget, layout=layout, now=now,
        techniques=technique or (), deadline=deadline,
    )  # fmt: skip
    door.show(made, render.context)


@command("profile", "memstrata profile")
def profile(door: Door, now: Now = None) -> None:
    """What is known of the user."""
    door.show(door.scoped.profile(now=now), render.profile)


@command("history", "memstrata history RECORD")
def history(door: Door, record: Annotated[str, typer.Argument(help="Its id, as recall shows it.")]) -> None:
    """How a belief came to be and changed."""
    door.show(door.scoped.history(record), render.history)


@command("why", 'memstrata why "How should mails look?"', 'memstrata why "How should mails look?" ITEM --plot why.png')
def why(
    door: Door,
    question: Question,
    item: Annotated[str | None, typer.Argument(help="The id of one memory, as recall shows it.")] = None,
    limit: Limit = 10,
    tokens: Tokens = None,
    kinds: Kinds = None,
    since: Beginning = None,
    until: Ending = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    profile: Profile = "balanced",
    now: Now = None,
    technique: Technique = None,
    deadline: Deadline = None,
    plot: Annotated[Path | None, typer.Option(help="Also draw the ranking as a PNG (extra: plot).")] = None,
) -> None:
    """Why the memories rank as they do for a question, and what is left out; for one of them: how it fares."""
    question = text_of(question)
    narrowed: dict[str, Any] = {
        "limit": limit, "tokens": tokens, "kinds": parted(kinds), "profile": profile, "now": now,
        "since": since, "until": until, "as_of": as_of, "known_at": known_at,
    }  # fmt: skip
    found = door.scoped.why(question, item, **narrowed, techniques=technique or (), deadline=deadline)
    if plot:
        load("plot", "plot").ranking(found.recalled, question, plot)
        door.tell(f"drawn: {plot}")
    if item:
        door.show(found, render.explanation, render.verdict)
    else:
        door.show(found, render.ranking, render.standing)


@command(
    "eval",
    "memstrata eval --demo --ablate",
    "memstrata eval labels.jsonl --compare profile=balanced,profile=relevance --plot eval.png",
)
def evaluate(
    door: Door,
    file: Annotated[
        str | None, typer.Argument(help="Labelled questions (docs/EVALUATION.md), or - for standard input.")
    ] = None,
    demo: Annotated[bool, typer.Option("--demo", help="The demonstration's memory and questions instead.")] = False,
    compare: Compare = None,
    ablate: Annotated[bool, typer.Option("--ablate", help="Also without each part, one at a time.")] = False,
    budget: Annotated[int, typer.Option(min=1, help="Tokens, of recall within a budget and of context.")] = BUDGET,
    seed: Annotated[int, typer.Option(min=0, help="Of the resampling behind the intervals.")] = 0,
    plot: Annotated[Path | None, typer.Option(help="Also draw the figures as a PNG (extra: plot).")] = None,
) -> None:
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
    door.show(found, render.evaluation)


@command("forget", "memstrata forget --record RECORD", "memstrata forget --everything --whole --yes")
def forget(
    door: Door,
    record: Annotated[str | None, typer.Option(help="A record, with the events it came from.")] = None,
    source: Annotated[str | None, typer.Option(help="An event, with what was derived from it.")] = None,
    conversation: Annotated[str | None, typer.Option(help="A conversation, with what was derived from it.")] = None,
    everything: Annotated[bool, typer.Option("--everything", help="All that this scope sees.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Remove something for good; it does not come back when it is fed again. Prints a receipt."""
    if sum(map(bool, (record, source, conversation, everything))) != 1:
        raise typer.BadParameter("name exactly one of --record, --source, --conversation and --everything.")
    target = Target(record=record, source=source, conversation=conversation, everything=everything)
    reach = "in every channel, " if door.whole else ""
    door.confirm(f"Forget {target} of {door.settings.user}, {reach}with everything derived from it?", yes)
    door.show(door.scoped.forget(**asdict(target)), render.receipt)


@command("export", "memstrata export > memory.jsonl", "memstrata export --whole --out memory.jsonl")
def export(
    door: Door, out: Annotated[Path | None, typer.Option(help="A file, written whole or not at all.")] = None
) -> None:
    """Everything this scope sees, as JSON lines; the last one holds a checksum."""
    if out:
        door.show({"file": str(out), "lines": write_lines(out, door.scoped.export())}, render.exported)
    else:
        for row in door.scoped.export():
            door.line(row)


@command("stats", "memstrata stats", "memstrata stats --all-users --json")
def stats(door: Door, all_users: AllUsers = False) -> None:
    """How much is remembered."""
    door.show(
        door.memory.stats(tenant=door.settings.tenant, user=None if all_users else door.settings.user), render.stats
    )


@command("doctor", "memstrata doctor")
def doctor(door: Door, all_users: AllUsers = False) -> None:
    """Check the store and the memories. The exit code is 1 if there are problems."""
    health = door.memory.doctor(tenant=door.settings.tenant, user=None if all_users else door.settings.user)
    door.show(health, render.health)
    if health.problems:
        raise typer.Exit(1)


@command("reembed", "memstrata reembed --embedder local")
def reembed(door: Door, all_users: AllUsers = False) -> None:
    """Give every passage that lacks one a vector of the current embedder. Can be broken off and taken up again."""
    user = None if all_users else door.settings.user
    with door.counting("passages") as bar:
        done = door.memory.reembed(tenant=door.settings.tenant, user=user, progress=bar.advance)
    door.show(done, render.reembedded)


__all__ = ["app"]
