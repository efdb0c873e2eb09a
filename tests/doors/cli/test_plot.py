"""What is drawn."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.image import imread

from memoranda import Memory
from memoranda.doors.cli import plot
from memoranda.doors.cli.plot import COLOURS, LINE, fitted, shares
from memoranda.testing.fakes import FrozenClock, SequentialIds


def test_colours_suffice_and_nothing_is_left_out() -> None:
    given = [{f"signal {n}": n / 100 for n in range(COLOURS + 3)}, {"signal 1": -1.0}]
    drawn = shares(given)
    assert next(iter(drawn)) == "signal 1"
    assert list(drawn)[COLOURS:] == ["3 others"]
    assert [sum(column) for column in zip(*drawn.values(), strict=True)] == pytest.approx([0.66, -1.0])


def test_few_signals_are_drawn_one_by_one() -> None:
    assert shares([{"recency": 0.2, "importance": 0.1}]) == {"recency": [0.2], "importance": [0.1]}
    assert shares([]) == {}


NOTHING = np.zeros(0, complex)


def test_words_along_an_arrow_go_where_nothing_is() -> None:
    free = fitted(0j, 6 + 0j, "KNOWS", [0.0], (NOTHING, NOTHING, NOTHING))
    assert (free[0], free[1], free[2].imag) == (0.0, 3 + 0j, 0.0)
    name = np.array([3 + 0j])
    bent = fitted(0j, 6 + 0j, "KNOWS", [0.0, 0.2, -0.2], (name, name, NOTHING))
    assert bent[0] == 0.2
    words = fitted(0j, 6 + 0j, "LIKES", [0.0], (NOTHING, NOTHING, free[3]))
    assert min(abs(one - other) for one in words[3] for other in free[3]) > LINE
    full = np.array([complex(x, y) for x in np.linspace(0, 6, 40) for y in np.linspace(-3, 3, 40)])
    assert len(fitted(0j, 6 + 0j, "KNOWS", [0.0, 0.2], (full, full, NOTHING))[3]) == 5  # somewhere all the same


def test_names_around_one_do_not_cover_one_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Any] = []
    monkeypatch.setattr(plot, "_save", lambda figure, _: drawn.append(figure))
    with Memory.open(":memory:", embedder="none", clock=FrozenClock(), ids=SequentialIds()) as memory:
        graph = memory.scope(tenant="acme", user="alice").graph
        graph.upsert("Ann Larsen", type="person")
        for number in range(14):
            graph.relate("Ann Larsen", f"Harbour company {number}", "WORKS_FOR")
            graph.relate(f"Harbour company {number // 2}", f"Rather long name {number}", "PART_OF")
        graph.relate("Harbour company 3", "Ann Larsen", "KNOWS")
        found = graph.neighbourhood("Ann Larsen", depth=2)
    assert len(found.nodes) == 29
    plot.neighbourhood(found, tmp_path / "ann.png")
    [axes] = drawn[0].axes
    drawn[0].draw_without_rendering()
    names = [text for text in axes.texts if text.get_bbox_patch() and text.get_rotation() == 0 and text.zorder == 3]
    boxes = [text.get_bbox_patch().get_window_extent() for text in names]
    assert len(boxes) == 29
    assert not any(one.overlaps(other) for number, one in enumerate(boxes) for other in boxes[:number])
    assert all(drawn[0].bbox.contains(*corner) for box in boxes for corner in (box.min, box.max))
    assert [text.get_text() for text in names if text.get_fontweight() == "bold"] == ["Ann Larsen"]
    assert sorted(text.get_text() for text in axes.texts if text.zorder == 2) == sorted(
        ["KNOWS", *["WORKS_FOR"] * 14, *["PART_OF"] * 14]
    )


def test_one_without_relations_is_drawn_alone(tmp_path: Path) -> None:
    with Memory.open(":memory:", embedder="none", clock=FrozenClock(), ids=SequentialIds()) as memory:
        graph = memory.scope(tenant="acme", user="alice").graph
        graph.upsert("Ann", type="person")
        plot.neighbourhood(graph.neighbourhood("Ann"), tmp_path / "ann.png")
    assert imread(tmp_path / "ann.png").std() > 0


def test_any_type_is_drawn_as_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Any] = []
    monkeypatch.setattr(plot, "_save", lambda figure, _: drawn.append(figure))
    with Memory.open(":memory:", embedder="none", clock=FrozenClock(), ids=SequentialIds()) as memory:
        graph = memory.scope(tenant="acme", user="alice").graph
        kinds = [r"a $\frac{$ kind", *(f"organisation of kind {number}" for number in range(11))]
        for number, kind in enumerate(kinds):
            graph.upsert(f"Name {number}", type=kind)
            graph.relate("Hub", f"Name {number}", "PART_OF")
        for letter in "ABCDEFGHIJKLM":
            graph.relate("Hub", "Name 1", f"LONG_RELATION_{letter}")
        plot.neighbourhood(graph.neighbourhood("Hub"), tmp_path / "hub.png")
        plot.neighbourhood(graph.neighbourhood("Name 0"), tmp_path / "name.png")
    for figure in drawn:
        figure.draw_without_rendering()
        [axes] = figure.axes
        marks = axes.get_legend().get_texts()
        words = [text for text in axes.texts if text.zorder == 2]
        boxes = [text.get_window_extent() for text in (*marks, *words)]
        assert all(figure.bbox.contains(*corner) for box in boxes for corner in (box.min, box.max))
        colours = [handle.get_color() for handle in axes.get_legend().legend_handles]
        assert len(colours) == len(set(colours))
        assert not any(max(colour[:3]) - min(colour[:3]) < 0.1 for colour in colours)  # the grey is that of the others
    assert [text.get_text() for text in drawn[1].axes[0].get_legend().get_texts()] == [kinds[0]]


def test_the_sheet_is_as_wide_as_what_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Any] = []
    monkeypatch.setattr(plot, "_save", lambda figure, _: drawn.append(figure))
    with Memory.open(":memory:", embedder="none", clock=FrozenClock(), ids=SequentialIds()) as memory:
        graph = memory.scope(tenant="acme", user="alice").graph
        graph.relate("Ann", "Oslo", "LOCATED_IN")
        plot.neighbourhood(graph.neighbourhood("Ann"), tmp_path / "ann.png")
    [axes] = drawn[0].axes
    drawn[0].draw_without_rendering()
    names = [text.get_window_extent() for text in axes.texts if text.zorder == 3 and text.get_bbox_patch()]
    middle = (min(box.x0 for box in names) + max(box.x1 for box in names)) / 2
    assert middle == pytest.approx(drawn[0].bbox.width / 2, rel=0.1)
