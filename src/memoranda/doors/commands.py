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
from memoranda.doors import demo as demonstration
from memoranda.doors import governance, options, rebuilding, render, understanding, upkeep
from memoranda.doors.configurations import configurations
from memoranda.doors.drawing import drawn
from memoranda.doors.faces import face
from memoranda.doors.files import read_files
from memoranda.doors.intake import Intake, conversations, take_in
from memoranda.doors.outfile import write_lines, write_whole
from memoranda.doors.shell import Answer, Door, app, command
from memoranda.errors import NotFoundError
from memoranda.faces.channels import AsyncChannels
from memoranda.faces.collections import AsyncCollections
from memoranda.faces.connections import AsyncConnections
from memoranda.faces.goals import AsyncGoals
from memoranda.faces.graph import AsyncGraph
from memoranda.faces.outcomes import AsyncOutcomes
from memoranda.faces.pools import AsyncPools
from memoranda.faces.procedures import AsyncEntries, AsyncStrategies, AsyncTools
from memoranda.faces.review import AsyncReview
from memoranda.faces.router import AsyncRouter
from memoranda.faces.working import AsyncWorking
from memoranda.flows.capture.capture import TRUST
from memoranda.flows.governance.transfer import plain
from memoranda.flows.strata.graph import MOST


@command("memoranda demo", "memoranda demo --data my-export/")
def demo(
    door: Door,
    data: Annotated[list[str] | None, typer.Option(help="Your own files instead; may be given several times.")] = None,
) -> Answer:
    """Tour memoranda in a temporary memory: import, ask, explain, change, forget."""
    return Answer(demonstration.run(door, data or []), lambda _: demonstration.END)


@command("memoranda import conversations.json", "memoranda import chats/ --format openai", creates=True)
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


@command('memoranda add "I prefer short mails" --conversation c1', creates=True)
def add(
    door: Door,
    text: options.Words,
    said: options.Said,
    conversation: options.Conversation = None,
) -> object:
    """Record a turn of a conversation."""
    return door.scoped.add([said.message(text)], conversation=conversation)


@command('memoranda observe "The Jira project is PROJ" --category project_details', creates=True)
def observe(
    door: Door,
    text: options.Words,
    category: Annotated[str, typer.Option(help="fact, preference, project_details, correction, or your own.")] = "fact",
    source: Annotated[str, options.choice(TRUST, "Who says so; sets how far it is trusted.")] = "user_provided",
    at: options.At = None,
    key: Annotated[str | None, typer.Option(help="The same key twice is one observation.")] = None,
) -> object:
    """Record one observation: a self-contained statement."""
    return door.scoped.observe(text, category=category, source=source, at=at, key=key)


@command('memoranda recall "How should mails look?"', 'memoranda recall "What did I decide?" --since "last month"')
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


@command('memoranda context "Draft a reply to Torben" --budget 1000')
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


@command("memoranda profile")
def profile(door: Door, now: options.Now = None) -> object:
    """Show what is known of the user."""
    return door.scoped.profile(now=now)


@command("memoranda history RECORD")
def history(door: Door, record: Annotated[str, typer.Argument(help="Its id, as recall shows it.")]) -> object:
    """Show how a belief came about and changed."""
    return door.scoped.history(record)


@command('memoranda why "How should mails look?"', 'memoranda why "How should mails look?" ITEM --plot why.png')
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


@command(
    "memoranda eval --demo --ablate",
    "memoranda eval labels.jsonl --compare profile=balanced,profile=relevance --plot eval.png",
)
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


@command("memoranda export > memory.jsonl", "memoranda export --whole --out memory.jsonl")
def export(door: Door, out: options.Out = None) -> object:
    """Export everything this scope sees as JSON lines; the last line holds a checksum."""
    rows = door.scoped.export()
    return {"file": str(out), "lines": write_lines(out, rows)} if out else rows


@command("memoranda stats", "memoranda stats --all-users --json")
def stats(door: Door, all_users: options.AllUsers = False) -> object:
    """Count what is remembered."""
    return door.memory.stats(**door.whose(all_users))


@command("memoranda doctor", "memoranda doctor --repair")
def doctor(
    door: Door,
    repair: Annotated[bool, typer.Option("--repair", help="Copy the file, then repair what can be.")] = False,
    all_users: options.AllUsers = False,
) -> Answer:
    """Check the store and the memories of all users in it, or of those named. The exit code is 1 for problems left."""
    health = door.memory.doctor(**(door.whose(all_users) if all_users else door.named()), repair=repair)
    return Answer(health, failed=bool(health.problems))


@command("memoranda reembed --embedder local")
def reembed(door: Door, all_users: options.AllUsers = False) -> object:
    """Embed every passage that has no vector of the current embedder. Can be interrupted and resumed."""
    with door.counting("passages") as bar:
        return door.memory.reembed(**door.whose(all_users), progress=bar.advance)


face(
    "goals",
    AsyncGoals,
    'memoranda goals add "Ship 1.0" --deadline 2030-03-01 --recall-when release',
    "memoranda goals get GOAL",
    "memoranda goals find --states blocked",
    "memoranda goals update GOAL --priority 1",
    'memoranda goals due "What of the release?"',
    'memoranda goals block GOAL --by "no signature yet"',
    "memoranda goals resume GOAL",
    'memoranda goals complete GOAL --result "It shipped."',
    'memoranda goals abandon GOAL --reason "Nobody wants it."',
    "memoranda goals reject GOAL",
    creates={"add"},
)

face(
    "tools",
    AsyncTools,
    """memoranda tools record search '{"query": "ferries"}' --latency 0.4 --task-type travel""",
    "memoranda tools stats --tool search",
    "memoranda tools calls --tool search",
    'memoranda tools suggest "Which ferry goes to Oslo?"',
    creates={"record"},
)

face(
    "strategies",
    AsyncStrategies,
    'memoranda strategies learn "Ask the harbour first" "a trip by sea" --tools search',
    'memoranda strategies find "How do I plan a trip to Oslo?"',
    "memoranda strategies reinforce STRATEGY --no-success",
    "memoranda strategies get STRATEGY",
    creates={"learn"},
)

face(
    "entries",
    AsyncEntries,
    """memoranda entries set draft '{"to": "Bob"}' --ttl-seconds 600""",
    "memoranda entries get draft",
    "memoranda entries touch draft",
    "memoranda entries refresh draft --ttl-seconds 600",
    "memoranda entries delete draft",
    "memoranda entries find --type task_context",
    "memoranda entries clean",
    "memoranda entries promote --conversation c1",
    'memoranda entries log "The nightly import took 4 minutes"',
    "memoranda entries day today",
    creates={"set", "log"},
)

face(
    "pools",
    AsyncPools,
    """memoranda pools create sprint --data '{"goal": "ship"}'""",
    "memoranda pools blackboard run-7",
    "memoranda pools get POOL",
    "memoranda pools find --kind shared",
    "memoranda pools read POOL goal",
    "memoranda pools write POOL goal shipped --expect 1",
    """memoranda pools merge POOL '{"risks": ["wind"]}'""",
    "memoranda pools share POOL finding RECORD",
    "memoranda pools unshare RECORD",
    "memoranda pools history POOL",
    "memoranda pools statistics POOL",
    "memoranda pools expire POOL --at tomorrow",
    "memoranda pools grant POOL read --for-agent writer",
    "memoranda pools revoke GRANT",
    "memoranda pools log POOL",
    "memoranda pools grants POOL",
    creates={"create", "blackboard"},
)

face(
    "collections",
    AsyncCollections,
    "memoranda collections create handbook --kind knowledge_base",
    "memoranda collections get COLLECTION",
    "memoranda collections find --kind knowledge_base",
    "memoranda collections archive COLLECTION",
    "memoranda collections unarchive COLLECTION",
    'memoranda collections add COLLECTION "Ferries leave at six" --importance 0.8',
    "memoranda collections share COLLECTION RECORD",
    "memoranda collections unshare RECORD",
    "memoranda collections copy writer --agent planner",
    'memoranda collections edit COLLECTION ENTRY "Ferries leave at seven"',
    "memoranda collections boost COLLECTION ENTRY",
    "memoranda collections reduce COLLECTION ENTRY --by 0.2",
    "memoranda collections remove COLLECTION ENTRY",
    "memoranda collections entries COLLECTION",
    'memoranda collections search COLLECTION "When do ferries leave?"',
    "memoranda collections history COLLECTION ENTRY",
    "memoranda collections snapshot COLLECTION before-summer",
    "memoranda collections restore COLLECTION SNAPSHOT",
    "memoranda collections snapshots COLLECTION",
    "memoranda collections grant COLLECTION read --team crew",
    "memoranda collections revoke GRANT",
    "memoranda collections log COLLECTION",
    "memoranda collections grants COLLECTION",
    creates={"create"},
)

graph = face(
    "graph",
    AsyncGraph,
    'memoranda graph upsert Ann --type person --description "Sails the Rex"',
    "memoranda graph merge Annie Ann",
    "memoranda graph relate Ann Rex CREATED_BY",
    "memoranda graph unrelate Ann Oslo LOCATED_IN",
    "memoranda graph entity Ann",
    "memoranda graph mentions Ann",
    "memoranda graph find an",
    "memoranda graph path Ann Oslo",
    creates={"upsert", "relate"},
)


@command("memoranda graph neighbourhood Ann --depth 2 --plot ann.png --mermaid ann.mmd", group=graph)
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


face(
    "channels",
    AsyncChannels,
    "memoranda channels list",
    'memoranda channels promote RECORD --reason "So it is everywhere" --channel sailing',
    "memoranda channels hits",
)

face(
    "connections",
    AsyncConnections,
    "memoranda connections list --connections jira",
    "memoranda connections info jira --connections jira",
    'memoranda connections learn jira "The default project is PROJ" --connections jira',
    """memoranda connections remember jira schema '{"issue": ["id", "title"]}' --connections jira""",
    "memoranda connections cached jira schema --connections jira",
    "memoranda connections refresh jira schema schema.json --connections jira",
    creates={"learn", "remember", "refresh"},
)


def _desk(door: Door, *, conversation: options.Conversation = None, run: options.Run = None) -> Any:
    """Return the working memory of a conversation or run."""
    return door.scoped.working(conversation, run=run)


working = face(
    "working",
    AsyncWorking,
    "memoranda working turns --conversation c1",
    "memoranda working view --conversation c1",
    "memoranda working resume --conversation c1",
    "memoranda working flush --conversation c1",
    """memoranda working set draft '{"to": "Bob"}' --ttl 600 --conversation c1""",
    "memoranda working get draft --conversation c1",
    "memoranda working delete draft --conversation c1",
    "memoranda working exists draft --conversation c1",
    "memoranda working keys --conversation c1",
    "memoranda working clear --conversation c1",
    """memoranda working note task '{"step": 2}' --run nightly""",
    'memoranda working push thoughts "The ferry may be full" --conversation c1',
    'memoranda working ask "Book it for eight?" --conversation c1',
    "memoranda working resolve QUESTION --conversation c1",
    "memoranda working persist --conversation c1",
    "memoranda working load --conversation c1",
    "memoranda working share-with writer draft --conversation c1",
    "memoranda working shared-by planner draft --agent writer --conversation c1",
    "memoranda working degraded --conversation c1",
    creates={"set", "note", "push", "ask"},
    within=_desk,
)


@command('memoranda working add "Let us plan the trip to Oslo" --conversation c1', creates=True, group=working)
def say(
    door: Door,
    text: options.Words,
    said: options.Said,
    conversation: options.Conversation = None,
    run: options.Run = None,
) -> object:
    """Add a turn to working memory; flushing writes it to the log."""
    return _desk(door, conversation=conversation, run=run).add([said.message(text)])


face(
    "review",
    AsyncReview,
    "memoranda review find",
    "memoranda review accept RECORD",
    "memoranda review reject RECORD",
)

face("outcomes", AsyncOutcomes, 'memoranda outcomes record DECISION "On time"', "memoranda outcomes find")

face(
    "router",
    AsyncRouter,
    "memoranda router read draft --conversation c1",
    'memoranda router write harbour "Oslo" long_term',
    'memoranda router semantic-search "When do ferries leave?"',
    "memoranda router consolidate c1",
    "memoranda router stats",
    creates={"write"},
)


__all__ = ["app", "governance", "rebuilding", "understanding", "upkeep"]
