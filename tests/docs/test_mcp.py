"""What docs/MCP.md shows is run as it stands there, and comes to what it says."""

import re
import shutil
import sys
import tomllib
from pathlib import Path

import pytest

from docs.shown import PAGES, ROOT, blocks, called, commands, printed, undated
from memoranda.doors.mcp.profiles import PROFILES, offers
from memoranda.verbs.toolbox import TOOLS

PAGE = "docs/MCP.md"


@pytest.mark.parametrize("number", [0, 1])
def test_the_programs_print_what_is_shown(tmp_path: Path, number: int) -> None:
    program, shown = blocks(PAGE, "python")[number], blocks(PAGE, "text")[1 + number]
    program = program.replace(
        "command=", f"env={{'PYTHONPATH': {str(ROOT / 'src')!r}}}, command="
    )  # no client hands it on
    assert undated(printed(program, tmp_path)) == undated(shown)


def test_clients_are_set_up_as_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    for name in ("CODEX_HOME", "CLAUDE_CONFIG_DIR", "MEMORANDA_EMBEDDER"):
        monkeypatch.delenv(name, raising=False)
    for command in commands(PAGE):
        called(command, tmp_path)
    [shown] = blocks(PAGE, "toml")
    made = tomllib.loads((tmp_path / ".codex" / "config.toml").read_text("utf-8"))
    text = shown.replace("/usr/bin/python3", sys.executable).replace("/home/alice", str(tmp_path))
    assert made == tomllib.loads(text)
    assert (tmp_path / ".claude.json").exists()
    shutil.rmtree(tmp_path / ".codex")


def test_the_tables_are_those_of_the_code() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `([\w.]+)` \| (.*) \|$", PAGES[PAGE], re.MULTILINE)
    assert rows == [(one.name, one.of, ", ".join(one.takes)) for one in TOOLS.values()]
    profiles = PAGES[PAGE].partition("| profile |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)`", profiles, re.MULTILINE) == [*PROFILES]
    assert len(offers("all")) > 100
