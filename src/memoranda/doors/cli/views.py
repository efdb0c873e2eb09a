"""Draws what verbs answer with, each class as its argument names it."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from memoranda.core.base.plain import plain
from memoranda.core.text.voices import voice
from memoranda.doors.cli.render import cell, day, degraded, draw, draws, fields_of, grid, note, under
from memoranda.doors.cli.texts import clean, shortened

if TYPE_CHECKING:
    from memoranda.core.beliefs.profile import Leaf, Profile
    from memoranda.core.recall.results import Context, Item, Recalled
    from memoranda.core.rows import Receipt, Record
    from memoranda.core.rows.governance import AuditEntry
    from memoranda.core.rows.user import ContextLog, Event
    from memoranda.core.strata.goals import Goal
    from memoranda.core.strata.graph import Edge, Neighbourhood, Node, Path
    from memoranda.core.strata.working import Working
    from memoranda.doors.cli.intake import Intake
    from memoranda.flows.capture.capture import Captured
    from memoranda.flows.consolidation.backlog import Logged
    from memoranda.flows.consolidation.processor import Consolidated
    from memoranda.flows.context.contexts import Injected
    from memoranda.flows.context.router import Kept, Searched
    from memoranda.flows.context.volumes import Strata
    from memoranda.flows.governance.changes import Changes
    from memoranda.flows.governance.costs import Budgets, Costs
    from memoranda.flows.governance.doctor import Health
    from memoranda.flows.recall.records import Records, Remembered
    from memoranda.flows.strata.conversations import Conversation
    from memoranda.flows.strata.review import Dispute

_SIGNS = {"added": "+", "reinforced": "=", "forgotten": "-", "rejected": "-", "narrated": ">", "filed": "-"}


# ------------------------------------------------------------------------------------------------ writing


@draws("doors.cli.intake.Intake")
def intake(done: "Intake") -> RenderableType:
    """Draw the result of an import."""
    rows = [
        ("files", done.files), ("conversations", done.conversations), ("turns read", done.turns), ("new", done.new),
        ("already known", done.known), ("forgotten before", done.forgotten),
        ("records", len(done.records)), ("user turns without one", done.unextracted),
    ]  # fmt: skip
    rows += [("rows restored", done.restored)] if done.restored else []
    return Group(grid(rows), *degraded(sorted(done.degraded)), *note(done.faults, "red"))


@draws("flows.capture.capture.Captured")
def captured(done: "Captured") -> RenderableType:
    """Draw the result of a capture."""
    told = "already known" if done.known else "recorded"
    lines: list[RenderableType] = [Text(f"{told}: event {event}") for event in done.events]
    if done.forgotten:
        lines.append(Text("forgotten on request: withheld, or not recorded"))
    for one in done.decisions:
        reason = f" ({one.reason})" if one.reason else ""
        lines.append(Text(clean(f"{one.outcome}: record {one.record}{reason}")))
    if done.unextracted:
        lines.append(Text("no statement was read in it; it is found by its words", style="dim"))
    return Group(*lines, *degraded(done.degraded))


@draws("core.rows.erasure.Receipt")
def receipt(row: "Receipt") -> RenderableType:
    """Draw a receipt of forgetting; that of a dry run with the ids of what would go."""
    if not row.id:
        return grid(
            [*((table, ", ".join(ids)) for table, ids in row.items.items()), *(("", one) for one in row.remains)]
        )
    removed = ", ".join(f"{count:,} {table}" for table, count in sorted(row.removed.items()))
    rows = [("forgotten", row.target), ("removed", removed), ("receipt", row.id), ("digest", row.digest)]
    return grid([*rows, ("at", row.created_at), *(("still readable", one) for one in row.remains)])


# ------------------------------------------------------------------------------------------------ reading


_PARTS = ("items", "goals", "active_goals", "profile", "strategies", "reason", "degraded")


def answer(found: "Recalled") -> Any:
    """Return an answer as JSON without the long part of its trace."""
    names = ("searched", "window", "milliseconds", "techniques")
    trace = {name: getattr(found.trace, name) for name in names}
    parts = {name: getattr(found, name) for name in _PARTS}
    return plain({**parts, "trace": trace})


@draws("core.recall.results.Recalled")
def recalled(found: "Recalled") -> RenderableType:
    """Draw the memories, best first, then the goals that the question brings up and the strategies that fit it."""
    memories = (memory(place, item, Text(item.id, style="dim")) for place, item in enumerate(found, 1))
    beside = {
        "goals that this brings up": found.goals,
        "goals that press": [goal for goal in found.active_goals if goal not in found.goals],
        "strategies that fit it": found.strategies,
    }
    told = (line for name, ones in beside.items() if ones for line in (Text(name, style="cyan"), *map(draw, ones)))
    return Group(*memories, *told, *ends(found))


def memory(place: int, item: "Item", *more: RenderableType) -> RenderableType:
    """Draw one memory: its text, the reason for it, and `more`."""
    lines = [
        under(item.text),
        under(f"why: {item.why}", "dim"),
        *(Padding(one, (0, 0, 0, 4), expand=False) for one in more),
    ]
    return Group(headline(place, item), *lines)


@draws("flows.context.router.Searched")
def searched(found: "Searched") -> RenderableType:
    """Draw what was found across the strata, best first."""
    lines: list[RenderableType] = []
    for place, one in enumerate(found.matches, 1):
        where = f"in {one.called}" if one.called else f"under {one.key}" if one.key else ""
        line = Text().append(f"{place:>2}  ", style="dim").append(f"{one.score:.2f}", style="bold")
        line.append(clean(f"  {one.stratum.replace('_', '-')} {one.kind}"), style="cyan")
        lines += [line.append(clean(f"  {one.at:%Y-%m-%d} {where}").rstrip(), style="dim"), under(one.text)]
        lines += [under(f"why: {one.why}", "dim"), under(one.id, "dim")]
    return Group(*lines, *note([found.reason] if found.reason else [], "yellow"), *degraded(found.degraded))


@draws("flows.context.router.Kept")
def kept(found: "Kept") -> RenderableType:
    """Draw the value of a key: a text as it is, anything else as JSON."""
    value = found.value if isinstance(found.value, str) else json.dumps(found.value, ensure_ascii=False)
    told = fields_of(found) | {"value": value, "degraded": ()}
    rows = [(name, one) for name, one in told.items() if name == "value" or one]
    return Group(grid(rows), *degraded(found.degraded))


def headline(place: int, item: "Item") -> Text:
    """Return the rank, score, kind, date and origin of a memory."""
    ended = f" until {item.valid_to:%Y-%m-%d}" if item.valid_to else ""
    who = f" by {item.by}" if item.by else ""
    where = f" in {item.conversation}" if item.conversation else ""
    line = Text().append(f"{place:>2}  ", style="dim")
    line.append(f"{item.score:.2f}", style="bold")
    line.append(f"  {clean(item.kind)}", style="cyan")
    return line.append(clean(f"  {item.at:%Y-%m-%d}{ended}{who}{where}"), style="dim")


def ends(found: "Recalled") -> list[RenderableType]:
    """Draw the notes on an answer as a whole."""
    window, asked = found.trace.window, found.trace.asked
    told = [f"looked up: {shortened(part, 80)}" for part in asked if len(asked) > 1]
    told += [f"read as a time: {day(window[0])} to {day(window[1])}"] if window else []
    told += [f"{name}: {did}" for name, did in found.trace.techniques.items()]
    return [*note(filter(None, [found.reason]), "yellow"), *note(told, "dim"), *degraded(found.degraded)]


@draws("core.recall.results.Context")
def context(made: "Context") -> RenderableType:
    """Draw the text for the prompt, then the report."""
    rows: list[tuple[object, ...]] = [
        (one.name, one.budget, one.granted, one.used, len(one.included), len(one.excluded)) for one in made.sections
    ]
    rows.append(("all", made.budget, "", made.used, len(made.citations), ""))
    head = ("section", "budget", "granted", "used", "in", "out")
    notes = note((f"{one.name}: {one.note}" for one in made.sections if one.note), "dim")
    text = Text(clean(made.text) or "(nothing fits)")
    return Group(text, Text(), grid(rows, head), *notes, *degraded(made.degraded))


@draws("core.beliefs.profile.Profile")
def profile(found: "Profile") -> RenderableType:
    """Draw what is known of the user."""
    lines = list(_tree(found.scaffold, 0))
    for connection, leaves in found.learned.items():
        lines.append(Text(clean(f"learned{' of ' + connection if connection else ''}"), style="cyan"))
        lines += [under(_leaf(leaf)) for leaf in leaves]
    lines += [Text("said by others", style="cyan")] * bool(found.reported)
    lines += [under(f"{leaf.by}: {_leaf(leaf)}") for leaf in found.reported]
    narrative = [Text(), Text(clean(found.narrative))] if found.narrative else []
    return Group(*lines, *narrative) if lines or narrative else Text("nothing is known yet", style="yellow")


def _tree(branch: Mapping[str, Any], depth: int) -> Iterable[RenderableType]:
    for name, value in branch.items():
        match value:
            case Mapping():
                yield under(name, "cyan", 4 * depth)
                yield from _tree(value, depth + 1)
            case list() | tuple():
                yield under(name, "cyan", 4 * depth)
                yield from (under(_leaf(leaf), depth=4 * depth + 4) for leaf in value)
            case _:
                yield under(f"{name}: {_leaf(value)}", depth=4 * depth)


def _leaf(leaf: "Leaf") -> str:
    value = leaf.value if isinstance(leaf.value, str) else str(plain(leaf.value))
    return f"{value}  (since {day(leaf.since)}, confidence {leaf.confidence:.2f})"


@draws("core.strata.working.Working")
def at_hand(found: "Working") -> RenderableType:
    """Draw working memory: the turns, the summary, and everything else by name."""
    texts = ("\n  ".join(turn["content"].splitlines()) for turn in found.turns)
    who = (voice(turn["role"], turn.get("speaker")) for turn in found.turns)
    said = [Text(clean(f"{one}: {line}")) for one, line in zip(who, texts, strict=True)]
    summary = [Text("summary", style="cyan"), under(found.summary)] if found.summary else []
    names = [item.name for item in fields(found) if item.name not in {"turns", "summary", "degraded"}]
    noted = [(name.replace("_", " "), value) for name in names if (value := getattr(found, name))]
    lines = [*said, *summary, *([grid(noted)] if noted else [])]
    return Group(*(lines or [Text("nothing is at hand", style="yellow")]), *degraded(found.degraded))


@draws("core.rows.user.Record")
def version(row: "Record") -> RenderableType:
    """Draw a version of a belief and its validity interval."""
    held = f"{day(row.valid_from)} to {day(row.valid_to) if row.valid_to else 'now'}"
    past = f", believed until {cell(row.superseded_at)}" if row.superseded_at else ""
    line = Text().append(held, style="bold")
    line.append(clean(f"  {row.status} {row.kind}, version {row.version}{past}"), style="dim")
    return Group(line, under(row.text), under(row.id, "dim"))


@draws("core.rows.user.Event")
def event(row: "Event") -> RenderableType:
    """Draw an event: when, who or what kind, the text, and where it lies; only the JSON has all of it."""
    who = voice(row.role, row.speaker) if row.role else row.kind
    where = ", ".join(filter(None, (row.conversation, row.channel, row.connection, row.agent, row.surface)))
    line = Text(f"{cell(row.event_time)}  ").append(clean(who), style="bold").append(clean(f"  {where}"), style="dim")
    return Group(line, under(row.content), under(row.id, "dim"))


@draws("flows.consolidation.backlog.Logged")
def logged(found: "Logged") -> RenderableType:
    """Draw an event of the log, what was noted about it, and whether consolidation failed on it."""
    noted = [under(f"{name}: {cell(value)}", "dim") for name, value in found.event.metadata.items()]
    failed = [f"    failed {found.attempt.count} times: {found.attempt.error}"] if found.attempt else []
    return Group(event(found.event), *noted, *note(failed, "red"))


@draws("flows.strata.conversations.Conversation")
def conversation(found: "Conversation") -> RenderableType:
    """Draw a conversation: its title, when it was, how long, and what is to be said of it."""
    states = (("waits for consolidation", not found.consolidated), ("archived", found.archived))
    turns = f"{found.turns:,} turn{'s' * (found.turns != 1)}"
    told = ", ".join((turns, found.channel, *(name for name, holds in states if holds)))
    line = Text(f"{cell(found.started_at)} to {cell(found.last_activity)}  ").append(clean(found.title), style="bold")
    return Group(line.append(clean(f"  {told}"), style="dim"), under(found.id, "dim"))


@draws("core.rows.user.ContextLog")
def context_log(row: "ContextLog") -> RenderableType:
    """Draw a line for a context that was made: when, how full, for which query; only the JSON has its sections."""
    line = Text(f"{cell(row.created_at)}  ").append(clean(row.query), style="bold")
    told = f"  {row.used:,} of {row.budget:,} tokens, {len(row.included)} memories"
    where = ", ".join(filter(None, (row.conversation, row.channel, row.agent)))
    return Group(line.append(told, style="dim"), under(where, "dim"), under(row.id, "dim"))


@draws("flows.context.contexts.Injected")
def injected(found: "Injected") -> RenderableType:
    """Draw what a context consisted of: the memories in its order, then its sections."""
    parts = (
        Group(under(one.text or "(not there any more)"), under(f"{one.of or ''} {one.id}".strip(), "dim"))
        for one in found.parts
    )
    rows = [
        (name, one["budget"], one["granted"], one["used"], sum(map(len, one["excluded"].values())))
        for name, one in found.context.sections.items()
    ]
    table = grid(rows, ("section", "budget", "granted", "used", "out"))
    return Group(context_log(found.context), *parts, Text(), table, *degraded(found.context.degraded))


@draws("flows.recall.records.Records")
def records(found: "Records") -> RenderableType:
    """Draw statements with their evidence, and the cursor with which to go on."""
    told = f"{len(found):,} of {found.total:,}{f': --cursor {found.cursor}' if found.cursor else ''}"
    return Group(*map(remembered, found), Text(told, style="dim"))


@draws("flows.recall.records.Remembered")
def remembered(one: "Remembered") -> RenderableType:
    """Draw a statement, since when it holds, and the sentence that it rests on."""
    held = f"{day(one.valid_from)} to {day(one.valid_to) if one.valid_to else 'now'}"
    line = Text().append(held, style="bold")
    line.append(clean(f"  {one.status} {one.kind}, confidence {one.confidence:.2f}, {one.source}"), style="dim")
    evidence = [under(f"said: {one.evidence}", "dim")] if one.evidence else []
    return Group(line, under(one.text), *evidence, under(one.id, "dim"))


@draws("core.strata.goals.Goal")
def goal(found: "Goal") -> RenderableType:
    """Draw a goal, its state, and what it waits for."""
    due = f", until {cell(found.deadline)}" if found.deadline else ""
    why = ", ".join(filter(None, (found.reason, found.result, *found.blockers)))
    told = clean(f"  priority {found.priority}{due}{f' ({why})' if why else ''}")
    line = Text().append(found.state, style="bold").append(told, style="dim")
    return Group(line, under(found.text), under(found.id, "dim"))


@draws("flows.context.volumes.Strata")
def strata(found: "Strata") -> RenderableType:
    """Draw how much each stratum holds."""
    rows = [
        (name.replace("_", "-"), one.items, one.characters, one.oldest, one.newest, one.by)
        for name, one in fields_of(found).items()
        if name != "degraded"
    ]
    columns = ("stratum", "items", "characters", "oldest", "newest", "kinds")
    return Group(grid(rows, columns), *degraded(found.degraded))


@draws("core.strata.graph.Neighbourhood")
def neighbourhood(found: "Neighbourhood") -> RenderableType:
    """Draw entities, indented by their distance, their relations, and what was left out."""
    nodes = [under(f"{node.name}  ({node.type})", depth=4 * node.depth) for node in found.nodes]
    return Group(*nodes, Text(), *_related(found.nodes, found.edges), *note(found.cut, "yellow"))


@draws("core.strata.graph.Path")
def path(found: "Path") -> RenderableType:
    """Draw the relations from one entity to another, in order."""
    told = found.reason or ("" if found.edges else "both are names of one entity")
    return Group(*_related(found.nodes, found.edges), *note([told] if told else [], "yellow"))


def _related(nodes: "Iterable[Node]", edges: "Iterable[Edge]") -> Iterable[RenderableType]:
    names = {node.id: node.name for node in nodes}
    for edge in edges:
        line = Text(clean(f"{names[edge.source]} {edge.type} {names[edge.target]}"))
        until = f" until {day(edge.until)}" if edge.until else ""
        yield line.append(f"  since {day(edge.since)}{until}", style="dim")


@draws("flows.governance.doctor.Health")
def health(found: "Health") -> RenderableType:
    """Draw the findings of the doctor."""
    rows = [(name, value) for name, value in found.store.items() if name not in {"problems", "owners"}]
    rows += [("examined", ", ".join(found.owners) or "nobody's memory"), ("space", found.space or "none")]
    spaces = {"embedded": found.embedded} | {f"embedded in {name}": found.spaces[name] for name in found.spaces}
    rows += [(name, f"{share:.1%}") for name, share in spaces.items() if name != f"embedded in {found.space}"]
    rows += [(name, f"{rate:.1%}") for name, rate in found.rates.items()]
    problems = note((f"problem: {one}" for one in found.problems), "red") or [Text("no problems", style="green")]
    return Group(grid(rows), *note((f"repaired: {one}" for one in found.repaired), "green"), *problems)


# ----------------------------------------------------------------------------------------------- governing


@draws("flows.governance.costs.Costs")
def costs(found: "Costs") -> RenderableType:
    """Draw a line for each day, task and model, and the total cost."""
    head = ("day", "what", "task", "model", "calls", "tokens in", "tokens out", "cost")
    rows = [
        (one.day, one.what, one.task, one.model, one.calls, one.tokens_in, one.tokens_out,
         "unknown" if one.cost is None else one.cost)
        for one in found.rows
    ]  # fmt: skip
    lines: list[RenderableType] = [grid(rows, head)] if rows else [Text("No model was asked that costs anything.")]
    if found.unpriced:
        unknown = f"Nobody said what {', '.join(found.unpriced)} costs: it is not in the total, and no budget holds it."
        lines.append(Text(f"{unknown} Name it in prices.", style="yellow"))
    return Group(*lines, Text(f"in all {found.total:,.6f}"))


@draws("flows.governance.costs.Budgets")
def budgets(found: "Budgets") -> RenderableType:
    """Draw the budgets: the amount, what was spent, and what is left."""
    rows = [
        (name, "no limit" if one.amount is None else one.amount, one.spent, one.left)
        for name, one in (("balance", found.balance), ("day", found.day), ("month", found.month))
    ]
    return grid(rows, ("budget", "amount", "spent", "left"))


@draws("core.rows.governance.AuditEntry")
def audit_entry(found: "AuditEntry") -> RenderableType:
    """Draw an audit entry: time, operation, place, counts and duration; only the JSON has the ids."""
    where = ", ".join(filter(None, (found.stratum, found.channel, found.connection, found.agent, found.conversation)))
    counts = ", ".join(f"{name} {number}" for name, number in found.counts.items())
    line = Text(f"{found.at:%Y-%m-%d %H:%M:%S}  ").append(found.operation, style="bold")
    line.append(clean(f"  {where}  {counts}".rstrip()))
    line.append(f"  {found.milliseconds:,.0f} ms", style="dim")
    asked = [under(found.query, "dim")] if found.query else []
    return Group(line, *asked, *note([f"    {found.error}"] if found.error else [], "red"))


@draws("flows.governance.changes.Changes")
def changes(found: "Changes") -> RenderableType:
    """Draw changes, one per line, and the cursor with which to go on; only the JSON has them whole."""
    lines: list[RenderableType] = []
    for one in found.items:
        said = one.event.content if one.event else one.record.text if one.record else one.id or ""
        line = Text(f"{one.at:%Y-%m-%d %H:%M}  ", style="dim").append(f"{one.what:<9}")
        lines.append(line.append(clean("  " + "  ".join(filter(None, (one.of, shortened(said, 80)))))))
    told = f"{'there is more' if found.more else 'that is all'}: --cursor {found.cursor}"
    return Group(*lines, Text(told, style="dim"), *degraded(found.degraded))


@draws("flows.consolidation.processor.Consolidated")
def consolidated(found: "Consolidated") -> RenderableType:
    """Draw what was understood as a diff, then what was refused, and the counts."""
    lines: list[RenderableType] = []
    for one in found.understood:
        instead = f"  (before: {one.before})" if one.before else ""
        lines.append(
            Text(clean(f"{_SIGNS.get(one.outcome, '~')} {one.text}{instead}")).append(f"  {one.outcome}", "dim")
        )
    lines += [Text(clean(f"! {one.what}: {one.why}"), style="yellow") for one in found.refused]
    counts = "batches events items kept calls tokens_in tokens_out postponed failed dead waiting".split()
    told = [(name.replace("_", " "), getattr(found, name)) for name in counts if getattr(found, name)]
    return Group(*lines, grid(told), *note([found.reason] if found.reason else [], "yellow"), *degraded(found.degraded))


@draws("flows.strata.review.Dispute")
def dispute(found: "Dispute") -> RenderableType:
    """Draw a belief in doubt, and under it the beliefs that contradict it and the ids of later words."""
    against = (Padding(Group(Text("against", style="dim"), draw(one)), (0, 0, 0, 4)) for one in found.against)
    later = (under(f"later, more was said: {one}", "dim") for one in found.later)
    return Group(draw(found.record), under(found.record.id, "dim"), *against, *later)
