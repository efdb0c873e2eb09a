"""The example agents print what their page shows."""

import re

import pytest

from docs.shown import ROOT, ran

PAGE = (ROOT / "examples" / "README.md").read_text("utf-8")
SHOWN = dict(re.findall(r"`python examples/(\w+)\.py` prints\n\n```text\n(.*?)```", PAGE, re.DOTALL))


@pytest.mark.parametrize("name", ["chat", "support_desk", "inbox_worker", "coding_agent"])
def test_an_agent_prints_what_is_shown(name: str) -> None:
    program = ROOT / "examples" / f"{name}.py"
    done = ran(ROOT, str(program))
    assert (done.stderr, done.stdout) == ("", SHOWN[name])
    assert len(program.read_text("utf-8").splitlines()) < 120
