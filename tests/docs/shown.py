"""What the pages show: their blocks of code, and what comes of running them."""

import os
import re
import shlex
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

from click.testing import CliRunner
from typer.main import get_command

from memoranda.doors.cli.shell import app

APP = get_command(app)
ROOT = Path(__file__).parents[2]
PAGES = {
    str(path.relative_to(ROOT)): path.read_text("utf-8")
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "docs" / "decisions" / "README.md"]
}
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_WEEKDAY = re.compile(r"\bToday is \w+day\b")


def blocks(page: str, language: str) -> list[str]:
    """Return the blocks of a language in a page."""
    return re.findall(rf"```{language}\n(.*?)```", PAGES[page], re.DOTALL)


def ran(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False, env=environment
    )


def printed(code: str, folder: Path) -> str:
    """Return what a program prints, which must not fail or complain."""
    done = ran(folder, "-c", code)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def undated(text: str) -> str:
    """Return a text in which every day is the same: examples run today, and were written on some other day."""
    return _WEEKDAY.sub("Today is some day", _DAY.sub("YYYY-MM-DD", text))


def commands(page: str) -> list[list[str]]:
    """Return the calls of `memoranda` in a page, in order."""
    lines = (shlex.split(line, comments=True) for block in blocks(page, "sh") for line in block.splitlines())
    return [line for line in lines if line and line[0] == "memoranda"]


def called(command: list[str], folder: Path) -> str:
    """Return what a call of `memoranda` prints, which must be something. In this process: starting one takes longer."""
    with chdir(folder):
        done = CliRunner().invoke(APP, command[1:])
    assert done.exit_code == 0, f"{' '.join(command)}: {done.output} {done.exception}"
    assert done.stdout.strip(), f"{' '.join(command)} says nothing"
    return done.stdout
