"""The ranking of an answer as a picture: a bar per memory, a colour per signal."""

from pathlib import Path

from matplotlib import colormaps
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from memstrata.core.results import Recalled
from memstrata.doors.render import label, shortened
from memstrata.errors import InputError


def ranking(recalled: Recalled, question: str, path: Path) -> None:
    """Draw what each signal gave each memory, best at the top, as a PNG at `path`.

    Raises:
        InputError: the file cannot be written.
    """
    items = recalled.items[::-1]
    figure = Figure(figsize=(12, max(3.5, 1.5 + 0.45 * len(items))), layout="constrained")
    axes = figure.add_subplot()
    left = [0.0] * len(items)
    names = dict.fromkeys(name for item in recalled for name in sorted(item.shares, key=lambda one: -item.shares[one]))
    for place, name in enumerate(names):
        widths = [max(item.shares.get(name, 0.0), 0.0) for item in items]
        axes.barh(range(len(items)), widths, left=left, label=label(name), color=colormaps["tab20"](place % 20))
        left = [start + width for start, width in zip(left, widths, strict=True)]
    axes.set_yticks(range(len(items)), [shortened(item.text, 60) for item in items], parse_math=False)
    axes.set_xlabel("share of the score")
    axes.set_title(shortened(question, 90), parse_math=False)
    if names:
        figure.legend(loc="outside right upper", fontsize="small")
    FigureCanvasAgg(figure)
    try:
        figure.savefig(path, format="png")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}.") from error
