"""The measurements of the doors, on sizes that say nothing: they run, and every figure is there."""

import json
from pathlib import Path

import pytest
from bench import doors, load


@pytest.fixture(autouse=True)
def offline() -> None:
    """These tests do open connections, within this machine."""


@pytest.mark.slow
def test_the_http_door_is_measured_beside_the_library(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert doors.main(["--turns", "20", "--calls", "3", "--out", str(tmp_path)]) == 0
    report = json.loads((tmp_path / "doors.json").read_text("utf-8"))
    assert report["calls"].keys() == {
        "recall, library", "recall, HTTP", "add, library", "add, HTTP", "nothing, HTTP",
    }  # fmt: skip
    assert report["start s"] > 0
    assert "difference of p50 ms" in capsys.readouterr().out


@pytest.mark.slow
def test_a_server_is_measured_under_load(tmp_path: Path) -> None:
    sizes = ["--users", "3", "--turns", "4", "--clients", "2", "--seconds", "0", "--requests", "12"]
    assert load.main([*sizes, "--out", str(tmp_path)]) == 0
    report = json.loads((tmp_path / "load.json").read_text("utf-8"))
    assert report["errors"] == {}
    assert report["calls"]["all"]["requests"] == 12
    assert report["calls"]["first"]["requests"] <= 3
    assert report["RSS MB"]["peak"] > 10
