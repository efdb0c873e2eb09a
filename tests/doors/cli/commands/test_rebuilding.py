"""The log read again from the command line."""

import json
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from doors.running import Run
from memoranda.core.erasure.replay import Altered, Belief, Difference
from memoranda.doors.cli.commands.governance import rebuilt
from memoranda.flows.governance.rebuild import Rebuilt

NOW = datetime(2026, 1, 5, tzinfo=UTC)


def test_a_memory_is_rebuilt_written_elsewhere_and_put_in_place(run: Run, chat: Path, home: Path) -> None:
    run("import", str(chat))
    assert "3 of 3 events read by rules@1: all as it is known" in run("rebuild").stdout
    found = json.loads(run("rebuild", "--to", "again.db", "--json").stdout)
    assert (found["same"], found["written"], found["switched"]) == (True, True, False)
    assert (home / "again.db").exists()
    assert "name a new file" in run("rebuild", "--to", "again.db", exits=1).stderr
    told = run("rebuild", "--extractor", "none", "--switch", "--diff").stdout
    assert "User prefers short emails." in told
    assert "switched" in told
    assert "is not one of rules, none" in run("rebuild", "--extractor", "nonsense", exits=2).stderr


def test_each_belief_that_differs_has_a_line() -> None:
    tea = Belief(id="r1", kind="fact", text="Tea", status="candidate", confidence=0.95, valid_from=NOW)
    coffee = Belief(id="r1", kind="fact", text="Coffee", status="expired", confidence=0.5, valid_from=NOW, valid_to=NOW)
    differs = Difference(appeared=(tea,), changed=(Altered(before=tea, after=coffee),), vanished=(coffee,))
    found = Rebuilt(
        extractor="rules@1", events=2, read=1, before="a", after="b", difference=differs, written=True,
        degraded=("embedder: asleep",),
    )  # fmt: skip
    console = Console(width=120)
    with console.capture() as capture:
        console.print(rebuilt(found, diff=True))
    lines = capture.get().splitlines()
    assert lines[0] == "1 of 2 events read by rules@1: 1 appear, 1 change, 1 vanish"
    assert [line[:1] for line in lines[3:7]] == ["+", "~", " ", "-"]
    assert "Coffee  (expired, 0.50, 2026-01-05 to 2026-01-05)" in lines[6]
    assert lines[7:] == ["written", "degraded: embedder: asleep"]
