"""Output shared by all evaluations: Markdown tables, figures as JSON, plots as PNG, and progress bars."""

import json
import math
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import matplotlib as mpl

mpl.use("Agg")

from matplotlib import pyplot as plt

T = TypeVar("T")
_WIDTH = 24
_EVERY = 0.2  # seconds between updates of a bar


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Format a Markdown table; all columns except the first are right-aligned."""
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(2, *(len(row[i]) for row in [list(head), *cells])) for i in range(len(head))]
    rule = [f"{'-' * (width - 1)}{'-' if i == 0 else ':'}" for i, width in enumerate(widths)]
    lines = [_line(head, widths), f"| {' | '.join(rule)} |", *(_line(row, widths) for row in cells)]
    return "\n".join(lines)


def _cell(value: object) -> str:
    return "-" if value is None else f"{value:.1f}" if isinstance(value, float) else str(value)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = (
        cell.ljust(width) if i == 0 else cell.rjust(width)
        for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return f"| {' | '.join([first, *rest])} |"


def save(out: Path, name: str, figures: Mapping[str, Any]) -> Path:
    """Write `figures` as `name`.json under `out`."""
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{name}.json"
    path.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def bars(
    out: Path, name: str, title: str, groups: Sequence[str], series: Mapping[str, Sequence[float]], unit: str = "%"
) -> Path:
    """Draw a bar chart, with one bar per series in each group, as `name`.png under `out`."""
    out.mkdir(parents=True, exist_ok=True)
    figure, axes = plt.subplots(figsize=(max(6.0, 1.1 * len(groups) + 2), 4.2), layout="constrained")
    width = 0.8 / max(len(series), 1)
    for number, (label, values) in enumerate(series.items()):
        places = [group + (number - (len(series) - 1) / 2) * width for group in range(len(groups))]
        axes.bar_label(axes.bar(places, values, width, label=label), fmt="%.0f", fontsize=6)
    axes.set_xticks(range(len(groups)), groups, rotation=20, ha="right")
    axes.set_ylabel(unit)
    axes.set_title(title)
    axes.legend(fontsize=8)
    return _written(out / f"{name}.png", figure)


def lines(
    out: Path, name: str, title: str, series: Mapping[str, Mapping[float, float]], labels: tuple[str, str]
) -> Path:
    """Draw a line per series, with both axes logarithmic, as `name`.png under `out`."""
    out.mkdir(parents=True, exist_ok=True)
    figure, axes = plt.subplots(figsize=(7, 4.4), layout="constrained")
    for label, points in series.items():
        axes.plot(list(points), list(points.values()), marker="o", label=label)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    axes.set_title(title)
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend(fontsize=8)
    return _written(out / f"{name}.png", figure)


def courses(
    out: Path, name: str, panels: Mapping[str, Mapping[str, Sequence[float | None]]], at: Sequence[float], under: str
) -> Path:
    """Draw panels one above the other, each with lines over `at`, as `name`.png under `out`; None is a gap."""
    out.mkdir(parents=True, exist_ok=True)
    figure, rows = plt.subplots(len(panels), figsize=(8, 2.6 * len(panels)), layout="constrained", squeeze=False)
    for axes, (title, series) in zip(rows[:, 0], panels.items(), strict=True):
        for label, values in series.items():
            axes.plot(at, [math.nan if value is None else value for value in values], label=label, linewidth=1.4)
        axes.set_title(title, fontsize=10)
        axes.set_ylim(bottom=0)
        axes.grid(visible=True, alpha=0.3)
        if len(series) > 1:
            axes.legend(fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5))
    rows[-1, 0].set_xlabel(under)
    return _written(out / f"{name}.png", figure, 80)


def _written(path: Path, figure: Any, dpi: int = 130) -> Path:
    figure.savefig(path, dpi=dpi)
    plt.close(figure)
    return path


class Bar:
    """A progress bar on standard error; if that is not a terminal, one line at the end."""

    def __init__(self, title: str, total: int) -> None:
        self._title, self._total, self._done = title, total, 0
        self._begun = time.monotonic()
        self._drawn = 0.0
        self._live = sys.stderr.isatty()

    def step(self, count: int = 1) -> None:
        """Advance the bar by `count`."""
        self._done += count
        now = time.monotonic()
        ended = self._done >= self._total
        if ended or (self._live and now - self._drawn > _EVERY):
            self._drawn = now
            share = min(self._done / max(self._total, 1), 1.0)
            drawn = "█" * round(share * _WIDTH)
            start = "\r" if self._live else ""
            text = (
                f"{start}{self._title:32} {drawn:·<{_WIDTH}} {self._done:,}/{self._total:,} {now - self._begun:.0f} s"
            )
            print(text, end="\n" if ended else "", file=sys.stderr, flush=True)


def progress(items: Sequence[T], title: str) -> Iterator[T]:
    """Yield `items` one by one, with a progress bar."""
    bar = Bar(title, len(items))
    for item in items:
        yield item
        bar.step()
