"""The commands: each takes its arguments, calls one method and returns the result, which `shell` prints."""

from contextlib import nullcontext
from itertools import chain
from typing import Annotated, Any

import typer

from memoranda.core.context.layouts import BUDGET, LAYOUTS
from memoranda.core.evaluation.labels import read
from memoranda.core.formats import FORMATS
from memoranda.core.recall.arms import ARMS
from memoranda.core.strata.graph import DEEPEST
from memoranda.doors.cli import demo as demonstration
from memoranda.doors.cli import governance, options, render, understanding, upkeep, verbs
from memoranda.doors.cli.drawing import drawn
from memoranda.doors.cli.files import read_files, write_lines, write_whole
from memoranda.doors.cli.intake import Intake, conversations, take_in
from memoranda.doors.cli.options import configurations
from memoranda.doors.cli.shell import Answer, Door, app, command
from memoranda.errors import NotFoundError
from memoranda.flows.governance.transfer import plain
from memoranda.flows.strata.graph import MOST


@command("demo", "memoranda demo", "memoranda demo --data my-export/")
def demo(
    door: Door,
    data: Annotated[list[str] | None, typer.Option(help="Your own files instead; may be given several times.")] = None,
) -> Answer:
    """Tour memoranda in a temporary memory: import, ask, explain, change, forget."""
    return Answer(demonstration.run(door, data or []), lambda _: demonstration.END)


@command("import_conversations", "memoranda import chats/ --format openai")
def import_(
    door: Door,
    paths: Annotated[list[str], typer.Argument(help="Files, directories, or - for standard input.")],
    format_: Annotated[
        str | None, options.choice(FORMATS, "The files' format; recognised by default.", "--format")
    ] = None,
) -> Answer:
    """Import conversations; importing twice adds nothing. A bad file is reported and the others are imported."""
    with door.counting("turns") as bar:
        found = conversations(intake := Intake(), paths, format_, bar)
        if first := next(found, None):  # if nothing can be read, no memory is created
            take_in(door.scoped, chain((first,), found), intake, bar)
    return Answer(intake, failed=bool(intake.faults))


@command("add")
def add(
    door: Door,
    text: options.Words,
    said: options.Said,
    conversation: options.Conversation = None,
) -> object:
    """Record a turn of a conversation."""
    return door.scoped.add([said.message(text)], conversation=conversation)


@command("recall", 'memoranda recall "What did I decide?" --since "last month"')
def recall(
    door: Door,
    question: options.Question,
    narrowed: options.Narrowed,
    asking: options.Asking,
    arm: Annotated[list[str] | None, options.choice(ARMS, "Only these propose; may be given several times.")] = None,
    trace: Annotated[bool, typer.Option("--trace", help="With --json: how it came about, in full.")] = False,
) -> Answer:
    """Show the memories relevant to a question, best first, with reasons. Times are ISO or words ("last month")."""
    found = door.scoped.recall(question, **vars(narrowed), **asking.given(), arms=arm)
    return Answer(found, document=plain if trace else render.answer)


@command("context")
def context(
    door: Door,
    question: options.Question,
    conversation: options.Conversation = None,
    budget: Annotated[int | None, typer.Option(min=1, help="Tokens in all; by default the layout's.")] = None,
    layout: Annotated[str, options.choice(LAYOUTS, "Which sections it has.")] = "memory",
    *,
    asking: options.Asking,
) -> object:
    """Assemble the memory part of the prompt for a request, and report the budget used."""
    return door.scoped.context(question, conversation=conversation, budget=budget, layout=layout, **asking.given())


@command("why", 'memoranda why "How should mails look?" ITEM --plot why.png')
def why(
    door: Door,
    question: options.Question,
    narrowed: options.Narrowed,
    asking: options.Asking,
    item: Annotated[str | None, typer.Argument(help="The id of one memory, as recall shows it.")] = None,
    plot: options.Plot = None,
) -> Answer:
    """Explain the ranking of the memories for a question, and what was left out; with ITEM, explain that memory."""
    found = door.scoped.why(question, item, **vars(narrowed), **asking.given())
    if plot:
        drawn(door, plot, "ranking", found.recalled, question)
    return Answer(found, render.explanation, render.verdict) if item else Answer(found, render.ranking, render.standing)


@command("evaluate", "memoranda eval labels.jsonl --compare profile=balanced,profile=relevance --plot eval.png")
def evaluate(
    door: Door,
    file: Annotated[
        str | None, typer.Argument(help="Labelled questions (docs/EVALUATION.md), or - for standard input.")
    ] = None,
    demo: Annotated[bool, typer.Option("--demo", help="The demonstration's memory and questions instead.")] = False,
    compare: Annotated[
        Any, options.parsed(configurations, "A,B", "Ways to recall, the others compared with the first.")
    ] = None,
    ablate: Annotated[bool, typer.Option("--ablate", help="Also without each part, one at a time.")] = False,
    budget: Annotated[int, typer.Option(min=1, help="Tokens, of recall within a budget and of context.")] = BUDGET,
    seed: Annotated[int, typer.Option(min=0, help="Of the resampling behind the intervals.")] = 0,
    plot: options.Plot = None,
) -> object:
    """Measure how well this memory answers questions whose answers you know; nothing is written."""
    if demo == bool(file):
        raise typer.BadParameter("give a file of labelled questions or --demo, and not both.")
    with demonstration.remembered(door) if demo else nullcontext((door.scoped, str(file))) as (scoped, labels):
        faults: list[str] = []
        asked = [one for name, data in read_files(labels, faults) for one in read(data, name)]
        if faults:
            raise NotFoundError(faults[0])
        with door.counting("questions") as bar:
            if not ablate:  # the number of ablations is not known beforehand
                bar.expect(len(asked) * len(compare or [None]))
            found = scoped.evaluate(
                asked, configurations=compare or (), ablate=ablate, budget=budget, seed=seed, progress=bar.advance
            )
    if plot:
        drawn(door, plot, "evaluation", found)
    return found


@command("export", "memoranda export --whole --out memory.jsonl")
def export(door: Door, out: options.Out = None) -> object:
    """Export everything this scope sees as JSON lines; the last line holds a checksum."""
    rows = door.scoped.export()
    return {"file": str(out), "lines": write_lines(out, rows)} if out else rows


@command("stats", "memoranda stats --all-users --json")
def stats(door: Door, all_users: options.AllUsers = False) -> object:
    """Count what is remembered."""
    return door.memory.stats(**door.whose(all_users))


@command("doctor", "memoranda doctor --repair")
def doctor(
    door: Door,
    repair: Annotated[bool, typer.Option("--repair", help="Copy the file, then repair what can be.")] = False,
    all_users: options.AllUsers = False,
) -> Answer:
    """Check the store and the memories of all users in it, or of those named. The exit code is 1 for problems left."""
    health = door.memory.doctor(**(door.whose(all_users) if all_users else door.named()), repair=repair)
    return Answer(health, failed=bool(health.problems))


@command("reembed")
def reembed(door: Door, all_users: options.AllUsers = False) -> object:
    """Embed every passage that has no vector of the current embedder. Can be interrupted and resumed."""
    with door.counting("passages") as bar:
        return door.memory.reembed(**door.whose(all_users), progress=bar.advance)


groups = verbs.groups()


@command("graph.neighbourhood", group=groups["graph"])
def neighbourhood(
    door: Door,
    entity: Annotated[str, typer.Argument(help="Its name, or its id.")],
    depth: Annotated[int, typer.Option(min=1, max=DEEPEST, help="How many steps.")] = 1,
    limit: Annotated[int, typer.Option(min=1, max=MOST, help="At most so many entities.")] = 50,
    types: Annotated[list[str] | None, typer.Option(help="Only such relations; may be given several times.")] = None,
    as_of: options.AsOf = None,
    plot: options.Plot = None,
    mermaid: options.Mermaid = None,
) -> object:
    """Show the entities around one, breadth first, and how they are related."""
    found = door.scoped.graph.neighbourhood(entity, depth=depth, limit=limit, types=types, as_of=as_of)
    if plot:
        drawn(door, plot, "neighbourhood", found)
    if mermaid:
        write_whole(mermaid, [f"{found.mermaid}\n"])
        door.tell(f"written: {mermaid}")
    return found


def _desk(door: Door, *, conversation: options.Conversation = None, run: options.Run = None) -> Any:
    """Return the working memory of a conversation or run."""
    return door.scoped.working(conversation, run=run)


@command("working.add", group=groups["working"])
def say(
    door: Door,
    text: options.Words,
    said: options.Said,
    conversation: options.Conversation = None,
    run: options.Run = None,
) -> object:
    """Add a turn to working memory; flushing writes it to the log."""
    return _desk(door, conversation=conversation, run=run).add([said.message(text)])


verbs.declare_others(groups, {"working": _desk})


__all__ = ["app", "governance", "understanding", "upkeep"]
