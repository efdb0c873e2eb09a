"""How answers look: as JSON, or as text for people. Nothing here decides or asks; text of memory is never markup."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from memstrata.core.results import Context, Item, Leaf, Profile, Recalled
from memstrata.core.rows import Receipt, Record
from memstrata.doors.intake import Intake
from memstrata.flows.capture import Captured
from memstrata.flows.inspect import Health, Why
from memstrata.flows.reembed import Reembedded

BAR = 40  # columns of the longest bar
TOP = 6  # signals shown of each memory
LEGEND = (
    "keyword: words in common; vector: meaning; previous, window, wide: of the turns around it, too; "
    "role match: said by the user, or by the assistant where that is asked"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def plain(value: Any) -> Any:
    """`value` as JSON: rows and results as objects, sets in order, times in ISO 8601, bytes in hex."""
    if is_dataclass(value):
        return {item.name: plain(getattr(value, item.name)) for item in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, frozenset):
        return sorted(plain(inner) for inner in value)
    if isinstance(value, datetime):
        return value.isoformat()
    return value.hex() if isinstance(value, bytes) else value


def clean(text: str) -> str:
    """`text` without what a terminal would take for a command."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def shortened(text: str, width: int) -> str:
    """`text` in one line of at most `width` characters."""
    line = " ".join(clean(text).split())
    return line if len(line) <= width else f"{line[: width - 1]}…"


def label(signal: str) -> str:
    """A signal's name in words."""
    return signal.removeprefix("similarity.").replace("_", " ")


def _under(text: str, style: str = "", depth: int = 4) -> RenderableType:
    return Padding(Text(clean(text), style=style), (0, 0, 0, depth), expand=False)


def _grid(rows: Iterable[Sequence[object]], head: Sequence[str] = ()) -> RenderableType:
    """Columns side by side; under a head, all but the first stand to the right."""
    cells = [[clean(str(cell)) for cell in row] for row in ([head] if head else []) + list(rows)]
    widths = [max(cell_len(cell) for cell in column) for column in zip(*cells, strict=True)]
    lines = []
    for row in cells:
        padded = [
            " " * (width - cell_len(cell)) + cell if head and place else cell + " " * (width - cell_len(cell))
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(padded).rstrip())
    return Text("\n".join(lines))


def _note(words: Iterable[str], style: str) -> list[RenderableType]:
    return [Text(clean(word), style=style) for word in words]


# ------------------------------------------------------------------------------------------------ writing


def intake(done: Intake) -> RenderableType:
    """What an import did."""
    rows = [
        ("files", done.files), ("conversations", done.conversations), ("turns read", done.turns), ("new", done.new),
        ("already known", done.known), ("forgotten before", done.forgotten),
        ("records", len(done.records)), ("user turns without one", done.unextracted),
    ]  # fmt: skip
    notes = [*_note((f"degraded: {one}" for one in done.degraded), "yellow"), *_note(done.faults, "red")]
    return Group(_grid((name, f"{count:,}") for name, count in rows), *notes)


def captured(done: Captured) -> RenderableType:
    """What a capture did."""
    told = "already known" if done.known else "recorded"
    lines: list[RenderableType] = [Text(f"{told}: event {event}") for event in done.events]
    if done.forgotten:
        lines.append(Text("forgotten on request, not recorded"))
    for one in done.decisions:
        reason = f" ({one.reason})" if one.reason else ""
        lines.append(Text(clean(f"{one.outcome}: record {one.record}{reason}")))
    if done.unextracted:
        lines.append(Text("no statement was read in it; it is found by its words", style="dim"))
    return Group(*lines, *_note((f"degraded: {one}" for one in done.degraded), "yellow"))


def receipt(row: Receipt) -> RenderableType:
    """Proof of forgetting."""
    removed = ", ".join(f"{count:,} {table}" for table, count in sorted(row.removed.items()))
    rows = [("forgotten", row.target), ("removed", removed), ("receipt", row.id), ("digest", row.digest)]
    return _grid([*rows, ("at", _time(row.created_at))])


def exported(done: Mapping[str, Any]) -> RenderableType:
    """Where an export went."""
    return Text(f"{done['lines']:,} lines in {done['file']}")


def reembedded(done: Reembedded) -> RenderableType:
    """What a re-embedding did."""
    return Text(f"{done.embedded:,} passages embedded in {done.space}")


# ------------------------------------------------------------------------------------------------ reading


def answer(found: Recalled) -> Any:
    """An answer as JSON without the long part of its trace."""
    trace = {"searched": found.trace.searched, "window": found.trace.window, "milliseconds": found.trace.milliseconds}
    return plain({"items": found.items, "reason": found.reason, "degraded": found.degraded, "trace": trace})


def recalled(found: Recalled) -> RenderableType:
    """Memories, best first."""
    memories = (memory(place, item, Text(item.id, style="dim")) for place, item in enumerate(found, 1))
    return Group(*memories, *ends(found))


def memory(place: int, item: Item, *more: RenderableType) -> RenderableType:
    """One memory, its text and why it is there, and what else there is to say of it."""
    lines = [
        _under(item.text),
        _under(f"why: {item.why}", "dim"),
        *(Padding(one, (0, 0, 0, 4), expand=False) for one in more),
    ]
    return Group(headline(place, item), *lines)


def headline(place: int, item: Item) -> Text:
    """Rank, score, kind, date and origin of a memory."""
    ended = f" until {item.valid_to:%Y-%m-%d}" if item.valid_to else ""
    who = f" by {item.speaker or item.role}" if item.of == "event" and (item.speaker or item.role) else ""
    where = f" in {item.conversation}" if item.conversation else ""
    line = Text().append(f"{place:>2}  ", style="dim")
    line.append(f"{item.score:.2f}", style="bold")
    line.append(f"  {clean(item.kind)}", style="cyan")
    return line.append(clean(f"  {item.at:%Y-%m-%d}{ended}{who}{where}"), style="dim")


def ends(found: Recalled) -> list[RenderableType]:
    """What is to be said of an answer as a whole."""
    window = found.trace.window
    span = [f"read as a time: {_day(window[0])} to {_day(window[1])}"] if window else []
    reason = [found.reason] if found.reason else []
    degraded = [f"degraded: {one}" for one in found.degraded]
    return [*_note(reason, "yellow"), *_note(span, "dim"), *_note(degraded, "yellow")]


def ranking(found: Recalled) -> RenderableType:
    """What each signal gave each memory, as bars."""
    lines: list[RenderableType] = []
    for place, item in enumerate(found, 1):
        lines += [
            headline(place, item),
            _under(shortened(item.text, 100)),
            Padding(bars(item.shares), (0, 0, 0, 4), expand=False),
        ]
    return Group(*lines, *_note([LEGEND] if lines else [], "dim"), *ends(found))


def bars(shares: Mapping[str, float]) -> RenderableType:
    """The largest shares, each as a bar; a whole bar is a share of 0.5."""
    lines = Text()
    names = sorted(shares, key=lambda one: -abs(shares[one]))[:TOP]
    width = max((len(label(name)) for name in names), default=0)
    for name in names:
        bar = "█" * min(round(abs(shares[name]) * 2 * BAR), BAR) or "▏"
        lines.append(f"{label(name):<{width}}  {shares[name]:.2f}  ").append(f"{bar}\n", style="green")
    lines.rstrip()
    return lines


def explanation(found: Why) -> RenderableType:
    """How one memory fared."""
    stands = f"place {found.place} of {len(found.recalled)}" if found.place else "not in the answer"
    arms = ", ".join(f"{name} {place}" for name, place in found.arms.items())
    lines: list[RenderableType] = [Text(f"{stands}: {clean(found.verdict)}"), bars(found.shares)]
    return Group(*lines, *_note([LEGEND, *([f"places in the arms: {arms}"] if arms else [])], "dim"))


def verdict(found: Why) -> Any:
    """An explanation as JSON without the answer it is compared with."""
    return plain({"place": found.place, "verdict": found.verdict, "shares": found.shares, "arms": found.arms})


def context(made: Context) -> RenderableType:
    """The text for the prompt, then the report."""
    rows: list[tuple[object, ...]] = [
        (one.name, one.budget, one.granted, one.used, len(one.included), len(one.excluded)) for one in made.sections
    ]
    rows.append(("all", made.budget, "", made.used, len(made.citations), ""))
    head = ("section", "budget", "granted", "used", "in", "out")
    notes = _note((f"{one.name}: {one.note}" for one in made.sections if one.note), "dim")
    notes += _note((f"degraded: {one}" for one in made.degraded), "yellow")
    return Group(Text(clean(made.text) or "(nothing fits)"), Text(), _grid(rows, head), *notes)


def profile(found: Profile) -> RenderableType:
    """What is known of the user."""
    lines = list(_tree(found.scaffold, 0))
    for connection, leaves in found.learned.items():
        lines.append(Text(clean(f"learned{' of ' + connection if connection else ''}"), style="cyan"))
        lines += [_under(_leaf(leaf)) for leaf in leaves]
    narrative = [Text(), Text(clean(found.narrative))] if found.narrative else []
    return Group(*lines, *narrative) if lines or narrative else Text("nothing is known yet", style="yellow")


def _tree(branch: Mapping[str, Any], depth: int) -> Iterable[RenderableType]:
    for name, value in branch.items():
        if isinstance(value, Leaf):
            yield _under(f"{name}: {_leaf(value)}", depth=4 * depth)
            continue
        yield _under(name, "cyan", 4 * depth)
        if isinstance(value, Mapping):
            yield from _tree(value, depth + 1)
        else:
            yield from (_under(_leaf(leaf), depth=4 * depth + 4) for leaf in value)


def _leaf(leaf: Leaf) -> str:
    value = leaf.value if isinstance(leaf.value, str) else str(plain(leaf.value))
    return f"{value}  (since {_day(leaf.since)}, confidence {leaf.confidence:.2f})"


def history(versions: Sequence[Record]) -> RenderableType:
    """A belief through time."""
    lines: list[RenderableType] = []
    for row in versions:
        held = f"{_day(row.valid_from)} to {_day(row.valid_to) if row.valid_to else 'now'}"
        past = f", believed until {_time(row.superseded_at)}" if row.superseded_at else ""
        line = Text().append(held, style="bold")
        lines += [line.append(clean(f"  {row.status} {row.kind}, version {row.version}{past}"), style="dim")]
        lines += [_under(row.text), _under(row.id, "dim")]
    return Group(*lines)


def stats(counts: Mapping[str, Any]) -> RenderableType:
    """Counts, one a line."""
    return _grid((name.replace("_", " "), _count(count)) for name, count in counts.items())


def _count(count: Any) -> str:
    if isinstance(count, Mapping):
        return ", ".join(f"{key} {number:,}" for key, number in count.items()) or "none"
    return f"{count:,}"


def health(found: Health) -> RenderableType:
    """What the doctor found."""
    rows = [(name, value) for name, value in found.store.items() if name != "problems"]
    rows += [("space", found.space or "none"), ("embedded", f"{found.embedded:.1%}")]
    rows += [(name, f"{rate:.1%}") for name, rate in found.rates.items()]
    problems = _note((f"problem: {one}" for one in found.problems), "red")
    return Group(_grid(rows), *(problems or [Text("no problems", style="green")]))


def _day(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d}" if moment else "…"


def _time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"
