"""What docs/STRATA.md and docs/CONSOLIDATION.md show is run as it stands there, and comes to what it says."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from memstrata.core.schedules import JOBS
from memstrata.faces.strata import AsyncStrata

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "STRATA.md").read_text("utf-8")


@pytest.mark.parametrize(("page", "least"), [("STRATA", 20), ("CONSOLIDATION", 8)])
def test_every_line_comes_to_what_is_written_behind_it(page: str, least: int) -> None:
    place: dict[str, Any] = {}
    told = 0
    text = (DOCS / f"{page}.md").read_text("utf-8")
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        lines = block.splitlines()
        for statement in ast.parse(block).body:
            code = ast.unparse(statement)
            said = re.search(r"  # → (.*)$", lines[(statement.end_lineno or 0) - 1])
            if said is None:
                exec(code, place)  # noqa: S102 - our own page
            else:
                assert repr(eval(code, place)) == said[1], code  # noqa: S307
                told += 1
    assert told > least


def test_every_face_is_in_the_table() -> None:
    named = set(re.findall(r"`alice\.(\w+)", PAGE[PAGE.index("| face |") : PAGE.index("Every face forgets")]))
    assert named == {name for name in vars(AsyncStrata) if not name.startswith("_")} - {"scope"} | {"working"}


def test_every_job_is_in_the_table() -> None:
    for name, job in JOBS.items():
        assert f"| `{name}` | {job.schedule} | {job.does} |" in PAGE
