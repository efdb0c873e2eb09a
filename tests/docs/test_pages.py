"""What docs/STRATA.md and docs/CONSOLIDATION.md show is run as it stands there, and comes to what it says."""

import ast
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.making import NOW, event, record
from memoranda import Memory
from memoranda.core.base.schedules import JOBS
from memoranda.core.beliefs.profile import project
from memoranda.core.consolidation.judge import judge
from memoranda.core.consolidation.proposal import Claim, Proposal
from memoranda.core.text.terms import Analyzer
from memoranda.models.stemmer import stem
from memoranda.verbs.registry import VERBS

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


def test_a_receipt_is_made_as_its_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", (DOCS / "RECEIPTS.md").read_text("utf-8"), re.DOTALL)
    with Memory.open(":memory:", embedder="none") as memory:
        alice = memory.scope(tenant="acme", user="alice")
        alice.add([{"role": "user", "content": "I live at Elm Street 4."}])
        exec(block, {"alice": alice})  # noqa: S102 - our own page
        assert capsys.readouterr().out == "()\n"
        assert not alice.recall("Elm Street 4").items


def test_every_face_is_in_the_table() -> None:
    named = set(re.findall(r"`alice\.(\w+)", PAGE[PAGE.index("| face |") : PAGE.index("Every face forgets")]))
    assert named == {verb.face.__name__.lower() for verb in VERBS.values() if verb.scoped and "." in verb.name}


def test_every_job_is_in_the_table() -> None:
    for name, job in JOBS.items():
        assert f"| `{name}` | {job.schedule} | {job.does} |" in PAGE


SAID = (
    "Bob from Globex called: he moved to Bergen in May. Maybe I'll visit him. I haven't quit, but from Monday I'm on "
    "nights."
)
HOME = record(id="oslo", text="User lives in Oslo.", attribute="location.city", value="Oslo", subject="user")
WORK = record(id="acme", text="User works at Acme.", attribute="work.employer", value="Acme", subject="user")


@pytest.mark.parametrize(
    ("claim", "ends", "why"),
    [
        ("User works nights.", None, None),
        ("Bob moved to Bergen in May.", "User lives in Oslo", "no event it rests on says that this is over"),
        ("User lives in Bergen.", None, "its events say it of Bob"),
        ("User works at Globex.", None, "its events say it of Bob"),
        ("User visits Bob.", None, "its events only suppose it"),
        ("User quit Acme.", "User works at Acme", "its events say the opposite"),
        ("Bob moved to Tromsø.", None, "no event it rests on names Tromsø"),
    ],
)
def test_the_guard_does_what_the_page_says(claim: str, ends: str | None, why: str | None) -> None:
    row = Claim(
        text=claim, certainty="explicit", events=("e0",), ends=(f"{ends}.",) if ends else (),
        subject="bob" if claim.startswith("Bob") else "user",
    )  # fmt: skip
    known = [replace(one, sources=("before",)) for one in (HOME, WORK)]
    found = judge(
        Proposal(items=(row,)), [event(SAID, id="e0")], project(known, NOW), Analyzer(stem).terms, records=known
    )
    kept = why is None or claim.startswith("Bob moved to Bergen")
    assert [item.ends for item in found.items if isinstance(item, Claim)] == [()] * kept
    assert all((why or "") in one.why for one in found.refused)
    assert bool(found.refused) is (why is not None)
    text = " ".join((DOCS / "CONSOLIDATION.md").read_text("utf-8").split())
    told = f'{claim} Ends "{ends}".' if ends else claim
    (line,) = [one for one in text.split(" | ") if told in one]
    assert SAID in text
    assert why is None or f'"{why}' in text[text.index(line) :].split(" |")[1]


def test_the_contexts_shown_are_those_that_are_made() -> None:
    made = subprocess.run(
        [sys.executable, DOCS.parent / "examples" / "contexts.py"], capture_output=True, check=True, text=True
    )
    assert (DOCS / "CONTEXT.md").read_text("utf-8") == made.stdout, "python examples/contexts.py > docs/CONTEXT.md"
