"""Draws why memories rank as they do, and what was left out."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from memoranda.core.base.plain import plain
from memoranda.core.recall.arms import ARMS
from memoranda.doors.cli.glossary import label, legend
from memoranda.doors.cli.render import note, under
from memoranda.doors.cli.texts import clean, shortened
from memoranda.doors.cli.views import answer, ends, headline

if TYPE_CHECKING:
    from memoranda.flows.recall.inspect import Cut, Why

BAR = 40  # columns of the longest bar
TOP = 6  # signals shown for each memory
EXAMPLES = 3  # memories shown among those left out for one reason


def ranking(found: "Why") -> RenderableType:
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


def _left_out(cut: "Sequence[Cut]") -> Iterable[RenderableType]:
    reasons: dict[str, list[Cut]] = {}
    for one in cut:
        reasons.setdefault(one.reason, []).append(one)
    for reason, ones in reasons.items():
        yield Text(f"left out {len(ones)}: {reason}", style="yellow")
        yield from (under(f"{shortened(one.text, 80)} ({_proposed(one.arms)})", "dim") for one in ones[:EXAMPLES])


def standing(found: "Why") -> Any:
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


def explanation(found: "Why") -> RenderableType:
    """Draw the explanation of one memory."""
    stands = f"place {found.place} of {len(found.recalled)}" if found.place else "not in the answer"
    lines: list[RenderableType] = [
        Text(f"{stands}: {clean(found.verdict)}"),
        bars(found.shares),
        *_said([found.shares]),
    ]
    arms = note([f"places in the arms: {_listed(found.arms)}"] if found.arms else [], "dim")
    return Group(*lines, *arms, *ends(found.recalled))


def verdict(found: "Why") -> Any:
    """Return the explanation of one memory as JSON, without the rest of the answer."""
    answered = {"techniques": found.recalled.trace.techniques, "degraded": found.recalled.degraded}
    fared = {"place": found.place, "verdict": found.verdict, "shares": found.shares, "arms": found.arms}
    return plain(fared | answered)
