"""Prompts are part of the behaviour: who changes one raises its version, and says so here."""

import hashlib

import pytest

from memoranda.flows.runtime.prompts import FOLDER, load_prompt

GOLDEN = {
    "consolidate": (2, "3f08f5d0c183bd58"),
    "hyde": (1, "ec52b4733a34279b"),
    "multi_query": (1, "1ec60fe4153454a0"),
    "self_query": (1, "a2e14efb79af4813"),
}


def test_every_prompt_is_known() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == GOLDEN.keys()
    assert {path.suffix for path in FOLDER.iterdir()} == {".md"}


@pytest.mark.parametrize("name", GOLDEN)
def test_a_prompt_is_what_its_version_says(name: str) -> None:
    prompt = load_prompt(name)
    digest = hashlib.sha256(f"{prompt.system}\n{prompt.template}".encode()).hexdigest()[:16]
    assert (prompt.version, digest) == GOLDEN[name], "raise the version and put the new digest here"


def test_a_value_is_no_template() -> None:
    assert load_prompt("hyde").render(question="what is $question?") == "Question: what is $question?"
