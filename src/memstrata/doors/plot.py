"""Pictures, as PNG: of a ranking, a bar per memory; of an evaluation, a bar per figure; of entities and relations."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib import colormaps
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from memstrata.core.graph import Neighbourhood
from memstrata.core.results import Recalled
from memstrata.doors.glossary import label
from memstrata.doors.render import shortened
from memstrata.errors import InputError
from memstrata.flows.evaluate import FIGURES, Evaluation

COLOURS = 9  # signals with one of their own: more are not told apart


def ranking(recalled: Recalled, question: str, path: Path) -> None:
    """Draw what each signal gave each memory, best at the top, what it took away to the left.

    Raises:
        InputError: the file cannot be written.
    """
    items = recalled.items[::-1]
    figure = Figure(figsize=(12, max(3.5, 1.5 + 0.45 * len(items))), layout="constrained")
    axes = figure.add_subplot()
    ends = [[0.0, 0.0] for _ in items]  # of the bars so far, to the right and to the left
    series = shares([item.shares for item in items])
    for place, (name, widths) in enumerate(series.items()):
        left = [end[width < 0] for end, width in zip(ends, widths, strict=True)]
        colour = colormaps["tab10"](place) if place < COLOURS else "lightgrey"
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


def shares(given: Sequence[Mapping[str, float]]) -> dict[str, list[float]]:
    """What the signals that matter most gave each memory, and all others as one, so that colours suffice."""
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


def evaluation(found: Evaluation, path: Path) -> None:
    """Draw the figures of each configuration side by side, with the intervals of what is compared.

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


def neighbourhood(found: Neighbourhood, path: Path) -> None:
    """Draw the entities around one, on a circle for each step, and how they are related.

    Raises:
        InputError: the file cannot be written.
    """
    figure = Figure(figsize=(10, 10), layout="constrained")
    axes = figure.add_subplot(aspect="equal")
    axes.set_axis_off()
    places = found.places
    reach = max(node.depth for node in found.nodes) + 0.5
    axes.set(xlim=(-reach, reach), ylim=(-reach, reach))
    for edge in found.edges:
        begin, end = places[edge.source], places[edge.target]
        axes.annotate("", end, begin, arrowprops={"arrowstyle": "->", "color": "grey", "shrinkA": 14, "shrinkB": 14})
        x, y = ((one + other) / 2 for one, other in zip(begin, end, strict=True))
        axes.text(x, y, edge.type, ha="center", fontsize="x-small", color="grey", parse_math=False)
    box = {"boxstyle": "round", "facecolor": "white", "edgecolor": "grey"}
    for node in found.nodes:
        axes.text(*places[node.id], shortened(node.name, 30), ha="center", va="center", bbox=box, parse_math=False)
    _save(figure, path)


def _save(figure: Figure, path: Path) -> None:
    FigureCanvasAgg(figure)
    try:
        figure.savefig(path, format="png")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}.") from error
