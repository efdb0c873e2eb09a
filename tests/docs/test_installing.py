"""No text says to install a package of this name from an index, which has no such package, or somebody else's."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").glob("*.md")]
MODULES = [*(ROOT / "src").rglob("*.py")]


@pytest.mark.parametrize("path", [*PAGES, *MODULES], ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_installed_lies_in_a_checkout(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not re.search(r"memoranda\[\w", text)
    for what in re.findall(r"pip install ((?!--)[^`\s]+)", text):
        assert what.strip("'\"").startswith("."), what
