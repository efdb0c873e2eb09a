"""Pictures as PNG.

A ranking has a bar per memory and a colour per signal; an evaluation, a bar per figure; costs, a bar per day and a
colour per model; growth, a line and bars over time; a neighbourhood, a box per entity and an arrow per relation.
"""

import textwrap
from cmath import phase
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from math import atan2, degrees, hypot, pi
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from numpy.typing import NDArray

from memoranda.core.evaluation.usage import Metrics
from memoranda.core.recall.results import Recalled
from memoranda.core.strata.graph import Edge, Neighbourhood, Node
from memoranda.doors.cli.glossary import label
from memoranda.doors.cli.texts import shortened
from memoranda.errors import InputError
from memoranda.flows.context.evaluate import FIGURES, Evaluation
from memoranda.flows.governance.costs import Costs

Colour = tuple[float, float, float, float]
_TAB10 = [colormaps["tab10"](number) for number in range(10)]
_COLOURS: Sequence[Colour] = [*_TAB10[:7], *_TAB10[8:]]  # without the grey, which is for the others
COLOURS = len(_COLOURS)  # signals or types with their own colour; more could not be told apart
_OTHERS: Colour = (0.45, 0.45, 0.45, 1.0)


def ranking(recalled: Recalled, question: str, path: Path) -> None:
    """Draw what each signal contributed to each memory, best at the top, negative shares to the left.

    Raises:
        InputError: the file cannot be written.
    """
    items = recalled.items[::-1]
    figure = Figure(figsize=(12, max(3.5, 1.5 + 0.45 * len(items))), layout="constrained")
    axes = figure.add_subplot()
    ends = [[0.0, 0.0] for _ in items]  # of the bars so far, on the right and on the left
    series = shares([item.shares for item in items])
    for place, (name, widths) in enumerate(series.items()):
        left = [end[width < 0] for end, width in zip(ends, widths, strict=True)]
        colour = _COLOURS[place] if place < COLOURS else "lightgrey"
        axes.barh(range(len(items)), widths, left=left, label=name, color=colour)
        for end, width in zip(ends, widths, strict=True):
            end[width < 0] += width
    axes.set_yticks(
        range(len(items)),
        [f"{len(items) - place}. {shortened(item.text, 60)}" for place, item in enumerate(items)],
        parse_math=False,
    )
    axes.set_xlabel("share of the score")
    axes.set_title(shortened(question, 90), parse_math=False)
    if series:
        figure.legend(loc="outside right upper", fontsize="small")
    _save(figure, path)


def growth(found: Metrics, path: Path) -> None:
    """Draw the number of scaffold keys over time, and the corrections per turn by month.

    Raises:
        InputError: the file cannot be written.
    """
    figure = Figure(figsize=(10, 6), layout="constrained")
    above, below = figure.subplots(2)
    course = found.scaffold_growth
    above.plot(course.at, course.keys, marker="o", markersize=3)
    above.set_ylabel("keys of the scaffold")
    above.set_ylim(bottom=0)
    if course.logarithm is not None:
        above.set_title(f"R² of a logarithm {course.logarithm:.2f}, of a line {course.line:.2f}", fontsize="medium")
    below.bar([month.month for month in found.corrections], [month.rate for month in found.corrections])
    below.set_ylabel("corrections per turn")
    _save(figure, path)


def shares(given: Sequence[Mapping[str, float]]) -> dict[str, list[float]]:
    """Return the shares of the signals with the largest sums, and all others as one, so that the colours suffice."""
    matter: defaultdict[str, float] = defaultdict(float)
    for own in given:
        for name, share in own.items():
            matter[name] += abs(share)
    most = sorted(matter, key=lambda name: -matter[name])
    found = {label(name): [own.get(name, 0.0) for own in given] for name in most[:COLOURS]}
    if others := most[COLOURS:]:
        found[f"{len(others)} other{'s' * (len(others) != 1)}"] = [
            sum(own.get(name, 0.0) for name in others) for own in given
        ]
    return found


def costs(found: Costs, path: Path) -> None:
    """Draw what each model cost on each day, and the cumulative total.

    Raises:
        InputError: the file cannot be written.
    """
    days = [f"{day:%Y-%m-%d}" for day in _days([row.day for row in found.rows])]
    spent: defaultdict[str, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    for row in found.rows:
        spent[row.model][row.day] += row.cost or 0.0
    series = shares([{name: own[day] for name, own in spent.items()} for day in days])
    figure = Figure(figsize=(max(8.0, 3 + 0.3 * len(days)), 4.5), layout="constrained")
    axes = figure.add_subplot()
    floor = np.zeros(len(days))
    for place, (name, heights) in enumerate(series.items()):
        axes.bar(days, heights, bottom=floor, label=name, color=_COLOURS[place] if place < COLOURS else "lightgrey")
        floor += heights
    axes.plot(days, np.cumsum(floor), color="black", linewidth=0.8, label="in all")
    axes.tick_params(axis="x", labelrotation=60)
    axes.set_ylabel("cost")
    axes.set_title(f"{found.total:,.4f} in all")
    figure.legend(loc="outside right upper", fontsize="small")
    _save(figure, path)


def _days(named: Sequence[str]) -> list[date]:
    """Return every day from the first of `named` to the last."""
    first, last = (date.fromisoformat(pick(named)) for pick in (min, max)) if named else (date.min, date.min)
    return [first + timedelta(days=number) for number in range((last - first).days + 1)] if named else []


def evaluation(found: Evaluation, path: Path) -> None:
    """Draw the figures of each configuration side by side, with the intervals of the differences.

    Raises:
        InputError: the file cannot be written.
    """
    names = [name for name in FIGURES if any(name in run.figures for run in found.runs)]
    figure = Figure(figsize=(max(8.0, 1.6 * len(names)), 0.3 * len(found.runs) + 4.2), layout="constrained")
    axes = figure.add_subplot()
    width = 0.8 / len(found.runs)
    for number, run in enumerate(found.runs):
        own = [name for name in names if name in run.figures]
        places = [names.index(name) + (number - (len(found.runs) - 1) / 2) * width for name in own]
        heights = [100 * run.figures[name] for name in own]
        axes.bar(places, heights, width, label=run.name, color=colormaps["tab20"](number % 20))
        for place, name, height in zip(places, own, heights, strict=True):
            if sure := run.difference.get(name):
                below, above = (100 * abs(bound - sure.mean) for bound in (sure.low, sure.high))
                axes.errorbar(place, height, yerr=[[below], [above]], color="black", linewidth=0.8)
    axes.set_xticks(range(len(names)), names, rotation=20, ha="right")
    axes.set_ylabel("%")
    axes.set_ylim(0, 105)
    axes.set_title(
        f"{len(found.questions):,} questions; lines: 95 % intervals of the difference to '{found.runs[0].name}'"
    )
    figure.legend(loc="outside lower center", ncols=4, fontsize="small")
    _save(figure, path)


LABEL = 1.55  # inches from one name to the next on a circle
FLAT = 0.62  # height of the circles relative to their width: names are wider than high
WIDEST = 80.0  # inches
BOX = 0.28  # inches kept free around the centre of a name
LETTER, LINE = 0.066, 0.15  # inches per letter of a relation, and between two relations
_KIND = 24  # most letters of a type in the legend
_SIDE, _TOP, _BOTTOM = 1.2, 0.75, 0.95  # inches around the centres of the outermost names
_ENTRY, _ROW = 2.3, 0.22  # width and height in inches of a type in the legend
_CURVES = (0.06, 0.2, 0.35, 0.5)  # bends of an arrow, so that the one in the other direction lies beside it
_ALONG = (0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78)  # positions of the label along an arrow

Points = NDArray[Any]  # points of the plane as complex numbers, in inches


def neighbourhood(found: Neighbourhood, path: Path) -> None:
    """Draw the entities around one, a colour per type, and their relations.

    Raises:
        InputError: the file cannot be written.
    """
    step = min(max(_step(found.places.values()), 2.7), WIDEST / 2 / max(node.depth + 0.5 for node in found.nodes))
    places = {name: complex(step * x, FLAT * step * y) for name, (x, y) in found.places.items()}
    kinds = dict.fromkeys(node.type for node in found.nodes if node.type != "thing")
    colours = dict(zip(kinds, _COLOURS, strict=False))
    figure, columns = _sheet(places.values(), len(colours))
    [axes] = figure.axes
    boxes = {node.id: _name(axes, node, places[node.id], colours.get(node.type, _OTHERS)) for node in found.nodes}
    figure.draw_without_rendering()  # now the boxes are as wide as the names, and arrows can end at them
    _relate(axes, found.edges, places, boxes)
    marks = [Line2D([], [], marker="o", linestyle="", color=colour) for colour in colours.values()]
    names = [shortened(kind, _KIND) for kind in colours]
    style: dict[str, Any] = {"frameon": False, "handletextpad": 0.1, "fontsize": 9}
    for text in axes.legend(marks, names, loc="lower left", ncols=columns, **style).get_texts():
        text.set_parse_math(False)
    note, high = "; ".join(found.cut), figure.get_figheight()
    axes.text(0.99, 1 - 0.1 / high, note, transform=axes.transAxes, ha="right", va="top", fontsize=8, parse_math=False)
    _save(figure, path)


def _sheet(places: Iterable[complex], kinds: int) -> tuple[Figure, int]:
    """Return a figure with room for names at `places` and a legend below them, and the legend's columns."""
    at = np.array([*places])
    left, right = at.real.min() - _SIDE, at.real.max() + _SIDE
    columns = max(int((right - left) / _ENTRY), 1)
    low, high = at.imag.min() - _BOTTOM - _ROW * -(-kinds // columns), at.imag.max() + _TOP
    figure = Figure(figsize=(right - left, high - low), dpi=130)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(left, right)  # in inches, so that a label has the angle of its line
    axes.set_ylim(low, high)
    return figure, columns


def _step(places: Iterable[tuple[float, float]]) -> float:
    """Return the distance between the circles that gives the names on each of them room."""
    rings: defaultdict[int, list[float]] = defaultdict(list)
    for x, y in places:
        rings[round(hypot(x, y))].append(atan2(y, x))
    gaps = [
        depth * (after - before)
        for depth, turns in rings.items()
        if depth
        for before, after in pairwise([*sorted(turns), min(turns) + 2 * pi])
    ]
    return LABEL / min(gaps, default=LABEL)


def _name(axes: Axes, node: Node, place: complex, colour: Colour) -> Patch | None:
    """Draw the name of an entity in a box, filled with the full colour for the centre; return the box."""
    centre = node.depth == 0
    pale = tuple(0.75 + part / 4 for part in colour[:3])
    box = {"boxstyle": "round,pad=0.45", "facecolor": colour if centre else pale, "edgecolor": colour}
    return axes.text(
        place.real, place.imag, "\n".join(textwrap.wrap(shortened(node.name, 44), 18)), parse_math=False,
        ha="center", va="center", zorder=3, bbox=box, color="white" if centre else "black",
        fontsize=13 if centre else 9, fontweight="bold" if centre else "normal",
    ).get_bbox_patch()  # fmt: skip


def _relate(
    axes: Axes, edges: Iterable[Edge], places: Mapping[str, complex], boxes: Mapping[str, Patch | None]
) -> None:
    """Draw the arrows, each labelled with the types of the relations in its direction."""
    joined: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for edge in edges:
        joined[edge.source, edge.target].append(edge.type)
    order = {name: number for number, name in enumerate(places)}
    names = np.array(list(places.values()))[:, None] + np.linspace(-0.5, 0.5, 5) * LABEL * 0.8
    words = np.zeros(0, complex)
    for (source, target), types in joined.items():
        others = np.delete(names, [order[source], order[target]], axis=0)
        curves = [*_CURVES] if (target, source) in joined else [sign * one for one in _CURVES for sign in (1, -1)]
        ends = places[source], places[target]
        label = shortened(", ".join(types), max(int(abs(ends[1] - ends[0]) / LETTER) - 6, 12))
        curve, place, along, line = fitted(*ends, label, curves, (others.ravel(), names.ravel(), words))
        words = np.append(words, line)
        style: dict[str, Any] = {"arrowstyle": "-|>", "color": "0.6", "patchA": boxes[source], "patchB": boxes[target]}
        style |= {"shrinkA": 1, "shrinkB": 1, "connectionstyle": f"arc3,rad={curve}"}
        tail, head = ((end.real, end.imag) for end in ends)
        axes.annotate("", head, tail, arrowprops=style, zorder=1)
        axes.text(
            place.real, place.imag, label, rotation=(degrees(phase(along)) + 90) % 180 - 90, rotation_mode="anchor",
            ha="center", va="center", fontsize=7, color="0.25", parse_math=False, zorder=2,
            bbox={"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"},
        )  # fmt: skip


def fitted(
    source: complex, target: complex, label: str, curves: Iterable[float], taken: tuple[Points, Points, Points]
) -> tuple[float, complex, complex, Points]:
    """Choose the bend of an arrow and the position of its label so that they cover nothing, or as little as possible.

    Args:
        source: the start of the arrow.
        target: the end of the arrow.
        label: its label.
        curves: the possible bends.
        taken: the points that the arrow must avoid, those of names, and those of other labels.

    Returns:
        The bend, the centre of the label, its direction, and the points of its letters.
    """
    ways = _ways(source, target, label, curves, taken)
    best = next(ways)
    while best[0] < 0 and (way := next(ways, None)):
        best = max(best, way, key=lambda one: one[0])
    return best[1:]


def _ways(
    source: complex, target: complex, label: str, curves: Iterable[float], taken: tuple[Points, Points, Points]
) -> Iterator[tuple[float, float, complex, complex, Points]]:
    """Yield the ways to draw an arrow, each with its lack of room: 0 if it covers nothing, else negative."""
    others, names, words = taken
    at = np.linspace(0.1, 0.9, 17)
    for curve in curves:
        bend = (source + target) / 2 - 1j * curve * (target - source)
        arc = _lack((1 - at) ** 2 * source + 2 * at * (1 - at) * bend + at**2 * target, others, BOX)
        for share in _ALONG:
            place = (1 - share) ** 2 * source + 2 * share * (1 - share) * bend + share**2 * target
            along = (1 - share) * (bend - source) + share * (target - bend)
            line = place + (np.arange(len(label)) - (len(label) - 1) / 2) * LETTER * along / abs(along)
            yield arc + _lack(line, names, BOX) + _lack(line, words, LINE), curve, place, along, line


def _lack(points: Points, taken: Points, room: float) -> float:
    """Return how far `taken` reaches into the `room` around `points`, as a negative number; 0 if it does not."""
    return min(0.0, float(np.abs(points[:, None] - taken).min(initial=room)) - room)


def _save(figure: Figure, path: Path) -> None:
    FigureCanvasAgg(figure)
    try:
        figure.savefig(path, format="png")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}.") from error
