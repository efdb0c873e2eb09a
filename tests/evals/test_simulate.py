"""The simulated year runs, is the same each time, and loses nothing that matters."""

import json
from pathlib import Path
from typing import Any

import pytest
from evals.__main__ import main
from evals.year import TOPICS, year

TOLD = ["simulate", "--days", "30", "--events", "500"]


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("month")
    assert main([*TOLD, "--out", str(out)]) == 0
    return out


def figures(out: Path) -> Any:
    return json.loads((out / "simulation.json").read_text())


def test_nothing_that_matters_is_lost_in_a_month(month: Path) -> None:
    found = figures(month)
    matters = found["matters"]
    assert (matters["told"], matters["live"], matters["recalled"], matters["profile"]) == (len(TOPICS), 100, 100, 100)
    assert found["noise"]["out by kind"].get("passing", {"out": 100.0})["out"] == 100.0
    assert 400 < found["events"] < 700
    assert found["jobs"]["rot"]["runs"] == 30
    assert len(found["course"]) > 25


def test_it_leaves_plots(month: Path) -> None:
    assert all((month / f"{name}.png").read_bytes().startswith(b"\x89PNG") for name in ("growth", "life"))


def test_the_same_seed_is_the_same_life(month: Path, tmp_path: Path) -> None:
    assert main([*TOLD, "--out", str(tmp_path)]) == 0
    assert figures(tmp_path) == figures(month)


def test_another_seed_tells_the_same_that_matters_at_other_times() -> None:
    one, same, other = (year(seed, 30, 500) for seed in (1, 1, 2))
    assert one == same != other
    assert {act.topic for act in one} == {act.topic for act in other} == {None, *range(len(TOPICS))}
    assert [act.at for act in one] == sorted(act.at for act in one)
