"""The prompts, loaded by name from `memoranda/prompts/*.md`.

A file begins with `version: N`; raise it with every change of the words. Then come the system prompt and, after a line
of three dashes, the prompt itself, in which `$name` stands for a value.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "prompts"


_SLOT = re.compile(r"\$(\w+)")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt as it is stored."""

    name: str
    version: int
    system: str
    template: str

    def render(self, **values: str) -> str:
        """The prompt with its values; a value is never read as part of the template."""
        return _SLOT.sub(lambda found: values[found[1]], self.template)


@cache
def load_prompt(name: str) -> Prompt:
    """The prompt called `name`."""
    head, _, body = (FOLDER / f"{name}.md").read_text("utf-8").partition("\n")
    system, _, template = body.partition("\n---\n")
    return Prompt(name, int(head.removeprefix("version: ")), system.strip(), template.strip())
