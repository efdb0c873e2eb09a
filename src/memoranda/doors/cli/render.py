"""Renders answers as JSON or as text for people. It only draws; the text of memories is never treated as markup."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import singledispatch
from typing import Any

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from memoranda.core.beliefs.profile import Leaf, Profile
from memoranda.core.evaluation.metrics import Interval
from memoranda.core.recall.arms import ARMS
from memoranda.core.recall.results import Context, Item, Recalled
from memoranda.core.rows import Receipt, Record, Row
from memoranda.core.strata.goals import Goal
from memoranda.core.strata.graph import Edge, Neighbourhood, Node, Path
from memoranda.core.strata.working import Working
from memoranda.core.text.voices import voice
from memoranda.doors.cli.glossary import label, legend
from memoranda.doors.cli.intake import Intake
from memoranda.flows.capture.capture import Captured
from memoranda.flows.context.evaluate import FIGURES, Evaluation
from memoranda.flows.context.router import Kept, Searched
from memoranda.flows.context.volumes import Strata, Volume
from memoranda.flows.governance.doctor import Health
from memoranda.flows.governance.transfer import plain
from memoranda.flows.recall.inspect import Cut, Why

BAR = 40  # columns of the longest bar
TOP = 6  # signals shown for each memory
EXAMPLES = 3  # memories shown among those left out for one reason
MISSED = 10  # questions shown among those that found no answer
COMPARED = ("NDCG@5", "R@10", "context recall")  # figures shown in a comparison; JSON has all
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def clean(text: str) -> str:
    """Replace the control characters in `text`, which a terminal would obey."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def shortened(text: str, width: int) -> str:
    """Return `text` on one line of at most `width` characters."""
    line = " ".join(clean(text).split())
    return line if len(line) <= width else f"{line[: width - 1]}…"


@singledispatch
def draw(value: Any) -> RenderableType:
    """Draw `value` for people: by its type as registered below, else field by field, a list item by item."""
    if is_dataclass(value):
        value = _fields(value)
    if isinstance(value, Mapping) and value:
        named = [(str(name).replace("_", " "), inner) for name, inner in value.items()]
        plainly = [(name, inner) for name, inner in named if not _composed(inner)]
        lines: list[RenderableType] = [grid(plainly)] if plainly else []
        for name, inner in named:
            if _composed(inner):
                lines += [Text(name), Padding(draw(inner), (0, 0, 0, 4), expand=False)]
        return Group(*lines)
    if isinstance(value, list | tuple) and value:
        return Group(*map(draw, value))
    return Text(_cell(value))


def _fields(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass; for a row without those that all rows have, which say where it lies."""
    where = {item.name for item in fields(Row)} if isinstance(value, Row) else ()
    return {item.name: getattr(value, item.name) for item in fields(value) if item.name not in where}


def _composed(value: Any) -> bool:
    """Whether a value has fields of its own and needs more than one line."""
    return is_dataclass(value) or (isinstance(value, list | tuple) and any(map(is_dataclass, value)))


def _cell(value: Any) -> str:
    """Return `value` on one line."""
    match value:
        case None:
            return "–"
        case datetime():
            return f"{value:%Y-%m-%d %H:%M}"
        case int() | float() if not isinstance(value, bool):
            return f"{round(value, 6):,}"
        case Mapping():
            return ", ".join(f"{_cell(name)} {_cell(inner)}" for name, inner in value.items()) or "none"
        case list() | tuple() | set() | frozenset():
            return ", ".join(map(_cell, value)) or "none"
    return clean(str(value))


def under(text: str, style: str = "", depth: int = 4) -> RenderableType:
    """Draw a text indented by `depth` columns."""
    return Padding(Text(clean(text), style=style), (0, 0, 0, depth), expand=False)


def grid(rows: Iterable[Sequence[object]], head: Sequence[str] = ()) -> RenderableType:
    """Draw a table; with a head, all columns but the first are right-aligned."""
    cells = [[_cell(cell) for cell in row] for row in ([head] if head else []) + list(rows)]
    widths = [max(cell_len(cell) for cell in column) for column in zip(*cells, strict=True)]

    def padded(place: int, cell: str, width: int) -> str:
        room = " " * (width - cell_len(cell))
        return room + cell if head and place else cell + room

    lines = ("  ".join(map(padded, range(len(row)), row, widths)).rstrip() for row in cells)
    return Text("\n".join(lines))


def note(words: Iterable[str], style: str) -> list[RenderableType]:
    """Draw notes for the end of an answer."""
    return [Text(clean(word), style=style) for word in words]


def degraded(parts: Iterable[str]) -> list[RenderableType]:
    """Draw the parts that were down."""
    return note((f"degraded: {part}" for part in parts), "yellow")


# ------------------------------------------------------------------------------------------------ writing


@draw.register
def intake(done: Intake) -> RenderableType:
    """Draw the result of an import."""
    rows = [
        ("files", done.files), ("conversations", done.conversations), ("turns read", done.turns), ("new", done.new),
        ("already known", done.known), ("forgotten before", done.forgotten),
        ("records", len(done.records)), ("user turns without one", done.unextracted),
    ]  # fmt: skip
    return Group(grid(rows), *degraded(sorted(done.degraded)), *note(done.faults, "red"))


@draw.register
def captured(done: Captured) -> RenderableType:
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


@draw.register
def receipt(row: Receipt) -> RenderableType:
    """Draw a receipt of forgetting."""
    removed = ", ".join(f"{count:,} {table}" for table, count in sorted(row.removed.items()))
    rows = [("forgotten", row.target), ("removed", removed), ("receipt", row.id), ("digest", row.digest)]
    return grid([*rows, ("at", row.created_at), *(("still readable", one) for one in row.remains)])


# ------------------------------------------------------------------------------------------------ reading


def answer(found: Recalled) -> Any:
    """Return an answer as JSON without the long part of its trace."""
    names = ("searched", "window", "milliseconds", "techniques")
    trace = {name: getattr(found.trace, name) for name in names}
    parts = {name: getattr(found, name) for name in ("items", "goals", "strategies", "reason", "degraded")}
    return plain({**parts, "trace": trace})


@draw.register
def recalled(found: Recalled) -> RenderableType:
    """Draw the memories, best first, then the goals that the question brings up and the strategies that fit it."""
    memories = (memory(place, item, Text(item.id, style="dim")) for place, item in enumerate(found, 1))
    beside = {"goals that this brings up": found.goals, "strategies that fit it": found.strategies}
    told = (line for name, ones in beside.items() if ones for line in (Text(name, style="cyan"), *map(draw, ones)))
    return Group(*memories, *told, *ends(found))


def memory(place: int, item: Item, *more: RenderableType) -> RenderableType:
    """Draw one memory: its text, the reason for it, and `more`."""
    lines = [
        under(item.text),
        under(f"why: {item.why}", "dim"),
        *(Padding(one, (0, 0, 0, 4), expand=False) for one in more),
    ]
    return Group(headline(place, item), *lines)


@draw.register
def searched(found: Searched) -> RenderableType:
    """Draw what was found across the strata, best first."""
    lines: list[RenderableType] = []
    for place, one in enumerate(found.matches, 1):
        where = f"in {one.called}" if one.called else f"under {one.key}" if one.key else ""
        line = Text().append(f"{place:>2}  ", style="dim").append(f"{one.score:.2f}", style="bold")
        line.append(clean(f"  {one.stratum.replace('_', '-')} {one.kind}"), style="cyan")
        lines += [line.append(clean(f"  {one.at:%Y-%m-%d} {where}").rstrip(), style="dim"), under(one.text)]
        lines += [under(f"why: {one.why}", "dim"), under(one.id, "dim")]
    return Group(*lines, *note([found.reason] if found.reason else [], "yellow"), *degraded(found.degraded))


@draw.register
def kept(found: Kept) -> RenderableType:
    """Draw the value of a key: a text as it is, anything else as JSON."""
    value = found.value if isinstance(found.value, str) else json.dumps(found.value, ensure_ascii=False)
    told = _fields(found) | {"value": value, "degraded": ()}
    rows = [(name, one) for name, one in told.items() if name == "value" or one]
    return Group(grid(rows), *degraded(found.degraded))


def headline(place: int, item: Item) -> Text:
    """Return the rank, score, kind, date and origin of a memory."""
    ended = f" until {item.valid_to:%Y-%m-%d}" if item.valid_to else ""
    who = f" by {item.by}" if item.by else ""
    where = f" in {item.conversation}" if item.conversation else ""
    line = Text().append(f"{place:>2}  ", style="dim")
    line.append(f"{item.score:.2f}", style="bold")
    line.append(f"  {clean(item.kind)}", style="cyan")
    return line.append(clean(f"  {item.at:%Y-%m-%d}{ended}{who}{where}"), style="dim")


def ends(found: Recalled) -> list[RenderableType]:
    """Draw the notes on an answer as a whole."""
    window, asked = found.trace.window, found.trace.asked
    told = [f"looked up: {shortened(part, 80)}" for part in asked if len(asked) > 1]
    told += [f"read as a time: {_day(window[0])} to {_day(window[1])}"] if window else []
    told += [f"{name}: {did}" for name, did in found.trace.techniques.items()]
    return [*note(filter(None, [found.reason]), "yellow"), *note(told, "dim"), *degraded(found.degraded)]


def ranking(found: Why) -> RenderableType:
    """Draw the whole ranking: the signals of each memory, the arms that proposed it, and what was left out."""
    lines: list[RenderableType] = []
    for place, item in enumerate(found.recalled, 1):
        lines += [
            headline(place, item),
            under(f"{shortened(item.text, 100)}\n{shortened(item.why, 200)}"),
            Padding(bars(item.shares), (0, 0, 0, 4), expand=False),
            under(_proposed(found.recalled.trace.places(item.id)), "dim"),
        ]
    trace = found.recalled.trace
    arms = _listed({name: len(ids) for name, ids in trace.proposed().items() if name in ARMS})
    ended = [found.verdict, f"candidates: {arms or 'none'}", f"milliseconds: {_listed(trace.milliseconds)}"]
    said = _said(item.shares for item in found.recalled)
    return Group(*lines, *said, *ends(found.recalled), *_left_out(found.cut), *note(ended, "dim"))


def _said(shares: Iterable[Mapping[str, float]]) -> list[RenderableType]:
    """Draw the legend of the shares that are shown."""
    told = legend(name for one in shares for name in _shown(one))
    return note([told] if told else [], "dim")


def _shown(shares: Mapping[str, float]) -> list[str]:
    """Return the names of the largest shares, without those that round to 0.00."""
    largest = sorted(shares, key=lambda name: -abs(shares[name]))[:TOP]
    return [name for name in largest if abs(shares[name]) >= 0.005]


def _listed(numbers: Mapping[str, float]) -> str:
    return ", ".join(f"{shortened(name, 80)} {number:.4g}" for name, number in numbers.items())


def _proposed(arms: Mapping[str, int]) -> str:
    """Name the arms that proposed a memory, each with its place there."""
    return f"proposed by {_listed(arms) or 'no arm'}"


def _left_out(cut: Sequence[Cut]) -> Iterable[RenderableType]:
    reasons: dict[str, list[Cut]] = {}
    for one in cut:
        reasons.setdefault(one.reason, []).append(one)
    for reason, ones in reasons.items():
        yield Text(f"left out {len(ones)}: {reason}", style="yellow")
        yield from (under(f"{shortened(one.text, 80)} ({_proposed(one.arms)})", "dim") for one in ones[:EXAMPLES])


def standing(found: Why) -> Any:
    """Return the whole ranking as JSON."""
    trace = found.recalled.trace
    items = [
        {"place": place, **plain(item), "arms": trace.places(item.id)} for place, item in enumerate(found.recalled, 1)
    ]
    return answer(found.recalled) | {"items": items, "left_out": plain(found.cut)}


def bars(shares: Mapping[str, float]) -> RenderableType:
    """Draw the largest shares, each as a bar, and the others as one; a full bar is a share of 0.5."""
    lines = Text()
    shown = _shown(shares)
    given = [(label(name), shares[name]) for name in shown]
    if others := [share for name, share in shares.items() if name not in shown]:
        given.append((f"{len(others)} other{'s' * (len(others) > 1)}", sum(others)))
    width = max((len(name) for name, _ in given), default=0)
    for name, share in given:
        bar = "█" * min(round(abs(share) * 2 * BAR), BAR) or "▏"
        lines.append(f"{name:<{width}}  {round(share, 2) + 0:.2f}  ")
        lines.append(f"{bar}\n", style="green" if share >= 0 else "red")
    lines.rstrip()
    return lines


def explanation(found: Why) -> RenderableType:
    """Draw the explanation of one memory."""
    stands = f"place {found.place} of {len(found.recalled)}" if found.place else "not in the answer"
    lines: list[RenderableType] = [
        Text(f"{stands}: {clean(found.verdict)}"),
        bars(found.shares),
        *_said([found.shares]),
    ]
    arms = note([f"places in the arms: {_listed(found.arms)}"] if found.arms else [], "dim")
    return Group(*lines, *arms, *ends(found.recalled))


def verdict(found: Why) -> Any:
    """Return the explanation of one memory as JSON, without the rest of the answer."""
    answered = {"techniques": found.recalled.trace.techniques, "degraded": found.recalled.degraded}
    fared = {"place": found.place, "verdict": found.verdict, "shares": found.shares, "arms": found.arms}
    return plain(fared | answered)


@draw.register
def evaluation(found: Evaluation) -> RenderableType:
    """Draw an evaluation: figures of each configuration, by category, intervals of the differences, and misses."""
    first, *others = found.runs
    names = [name for name in FIGURES if any(name in run.figures for run in found.runs)]
    unanswerable = sum(not question.answers for question in found.questions)
    count = len(found.questions)
    asked_of = f"{count:,} question{'s' * (count != 1)}"
    head = f"{asked_of}, {unanswerable:,} of them without an answer; {found.budget:,} tokens"
    rows = [(run.name, *_figures(run.figures, names), f"{run.milliseconds:.1f}") for run in found.runs]
    short = [name.replace("context", "ctx") for name in names]
    lines: list[RenderableType] = [Text(head), grid(rows, ("%", *short, "ms"))]
    if first.categories.keys() - {""}:
        asked = Counter(question.category for question in found.questions)
        kinds = [
            (f"{kind or 'no category'} ({asked[kind]})", *_figures(figures, names))
            for kind, figures in first.categories.items()
        ]
        lines += [Text(), grid(kinds, (f"{first.name}, %", *short))]
    if others:
        shown = [name for name in names if name in COMPARED]
        pairs = [(run.name, *(_interval(run.difference.get(name)) for name in shown)) for run in others]
        lines += [Text(), grid(pairs, (f"less {first.name}, points", *shown))]
        lines += note(["in brackets: 95 % of the paired resamples; *: all of them on one side of 0"], "dim")
    lines += note(_missed(found), "yellow")
    lines += note((f"skipped: {one}" for one in found.skipped), "dim")
    return Group(*lines, *degraded(found.degraded))


def _figures(figures: Mapping[str, float], names: Sequence[str]) -> list[str]:
    return [f"{100 * figures[name]:.1f}" if name in figures else "–" for name in names]


def _interval(one: Interval | None) -> str:
    if one is None:
        return "–"
    mean, low, high = (100 * value for value in (one.mean, one.low, one.high))
    return f"{mean:+.1f} [{low:+.1f}, {high:+.1f}]{'*' if low > 0 or high < 0 else ' '}"


def _missed(found: Evaluation) -> Iterable[str]:
    """Yield the questions with no answer among the first 20 memories."""
    asked = zip(found.questions, found.runs[0].questions, strict=True)
    missed = [question for question, figures in asked if figures.get("R@20") == 0]
    yield from (f"missed: {question.query} ({question.where})" for question in missed[:MISSED])
    if len(missed) > MISSED:
        yield f"missed: {len(missed) - MISSED} more"


@draw.register
def context(made: Context) -> RenderableType:
    """Draw the text for the prompt, then the report."""
    rows: list[tuple[object, ...]] = [
        (one.name, one.budget, one.granted, one.used, len(one.included), len(one.excluded)) for one in made.sections
    ]
    rows.append(("all", made.budget, "", made.used, len(made.citations), ""))
    head = ("section", "budget", "granted", "used", "in", "out")
    notes = note((f"{one.name}: {one.note}" for one in made.sections if one.note), "dim")
    text = Text(clean(made.text) or "(nothing fits)")
    return Group(text, Text(), grid(rows, head), *notes, *degraded(made.degraded))


@draw.register
def profile(found: Profile) -> RenderableType:
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
        if isinstance(value, Leaf):
            yield under(f"{name}: {_leaf(value)}", depth=4 * depth)
            continue
        yield under(name, "cyan", 4 * depth)
        if isinstance(value, Mapping):
            yield from _tree(value, depth + 1)
        else:
            yield from (under(_leaf(leaf), depth=4 * depth + 4) for leaf in value)


def _leaf(leaf: Leaf) -> str:
    value = leaf.value if isinstance(leaf.value, str) else str(plain(leaf.value))
    return f"{value}  (since {_day(leaf.since)}, confidence {leaf.confidence:.2f})"


@draw.register
def at_hand(found: Working) -> RenderableType:
    """Draw working memory: the turns, the summary, and everything else by name."""
    texts = ("\n  ".join(turn["content"].splitlines()) for turn in found.turns)
    who = (voice(turn["role"], turn.get("speaker")) for turn in found.turns)
    said = [Text(clean(f"{one}: {line}")) for one, line in zip(who, texts, strict=True)]
    summary = [Text("summary", style="cyan"), under(found.summary)] if found.summary else []
    names = [item.name for item in fields(found) if item.name not in {"turns", "summary", "degraded"}]
    noted = [(name.replace("_", " "), value) for name in names if (value := getattr(found, name))]
    lines = [*said, *summary, *([grid(noted)] if noted else [])]
    return Group(*(lines or [Text("nothing is at hand", style="yellow")]), *degraded(found.degraded))


@draw.register
def version(row: Record) -> RenderableType:
    """Draw a version of a belief and its validity interval."""
    held = f"{_day(row.valid_from)} to {_day(row.valid_to) if row.valid_to else 'now'}"
    past = f", believed until {_cell(row.superseded_at)}" if row.superseded_at else ""
    line = Text().append(held, style="bold")
    line.append(clean(f"  {row.status} {row.kind}, version {row.version}{past}"), style="dim")
    return Group(line, under(row.text), under(row.id, "dim"))


@draw.register
def goal(found: Goal) -> RenderableType:
    """Draw a goal, its state, and what it waits for."""
    due = f", until {_cell(found.deadline)}" if found.deadline else ""
    why = ", ".join(filter(None, (found.reason, found.result, *found.blockers)))
    told = clean(f"  priority {found.priority}{due}{f' ({why})' if why else ''}")
    line = Text().append(found.state, style="bold").append(told, style="dim")
    return Group(line, under(found.text), under(found.id, "dim"))


@draw.register
def strata(found: Strata) -> RenderableType:
    """Draw how much each stratum holds."""
    rows = [
        (name.replace("_", "-"), one.items, one.characters, one.oldest, one.newest, one.by)
        for name, one in _fields(found).items()
        if isinstance(one, Volume)
    ]
    columns = ("stratum", "items", "characters", "oldest", "newest", "kinds")
    return Group(grid(rows, columns), *degraded(found.degraded))


@draw.register
def neighbourhood(found: Neighbourhood) -> RenderableType:
    """Draw entities, indented by their distance, their relations, and what was left out."""
    nodes = [under(f"{node.name}  ({node.type})", depth=4 * node.depth) for node in found.nodes]
    return Group(*nodes, Text(), *_related(found.nodes, found.edges), *note(found.cut, "yellow"))


@draw.register
def path(found: Path) -> RenderableType:
    """Draw the relations from one entity to another, in order."""
    told = found.reason or ("" if found.edges else "both are names of one entity")
    return Group(*_related(found.nodes, found.edges), *note([told] if told else [], "yellow"))


def _related(nodes: Iterable[Node], edges: Iterable[Edge]) -> Iterable[RenderableType]:
    names = {node.id: node.name for node in nodes}
    for edge in edges:
        line = Text(clean(f"{names[edge.source]} {edge.type} {names[edge.target]}"))
        until = f" until {_day(edge.until)}" if edge.until else ""
        yield line.append(f"  since {_day(edge.since)}{until}", style="dim")


@draw.register
def health(found: Health) -> RenderableType:
    """Draw the findings of the doctor."""
    rows = [(name, value) for name, value in found.store.items() if name not in {"problems", "owners"}]
    rows += [("examined", ", ".join(found.owners) or "nobody's memory"), ("space", found.space or "none")]
    spaces = {"embedded": found.embedded} | {f"embedded in {name}": found.spaces[name] for name in found.spaces}
    rows += [(name, f"{share:.1%}") for name, share in spaces.items() if name != f"embedded in {found.space}"]
    rows += [(name, f"{rate:.1%}") for name, rate in found.rates.items()]
    problems = note((f"problem: {one}" for one in found.problems), "red") or [Text("no problems", style="green")]
    return Group(grid(rows), *note((f"repaired: {one}" for one in found.repaired), "green"), *problems)


def _day(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d}" if moment else "…"
