"""The figures of answers and requests count what they say, and a question is put into a message as it is."""

import json
from pathlib import Path
from typing import Any

import pytest
from evals.answers import judged, means
from evals.requests import FORMS, forms, wrapped

DATA = Path(__file__).parents[2] / "evals" / "data"
WANTED: dict[str, Any] = {"must": [1, 3], "may": [2]}


@pytest.mark.parametrize(
    ("answer", "figures"),
    [
        ([{1}, {3}], {"first": 1, "found": 1, "precision": 1, "wrongly silent": 0}),
        ([{0}, {1}, {2}], {"first": 0, "found": 0.5, "precision": 0.5, "wrongly silent": 0}),
        ([{2}], {"first": 0, "found": 0, "wrongly silent": 0}),
        ([], {"first": 0, "found": 0, "wrongly silent": 1}),
    ],
)
def test_an_answer_that_is_wanted(answer: list[set[int]], figures: dict[str, float]) -> None:
    assert dict(judged(WANTED, [frozenset(turns) for turns in answer])) == figures


def test_silence_is_right_where_nothing_answers() -> None:
    nothing: dict[str, Any] = {"must": [], "may": [2]}
    assert [dict(judged(nothing, answer)) for answer in ([], [frozenset({2})])] == [{"silent": 1}, {"silent": 0}]
    assert means([{"first": 1.0}, {"first": 0.0}, {"silent": 1.0}]) == [50, None, None, 100, None]


def test_a_message_is_cut_at_a_sentence() -> None:
    wrapper = {"before": ["One two three.", "Four five six.", "Seven."], "after": ["Thanks!"]}
    assert wrapped("Why?", wrapper) == "One two three. Four five six. Seven. Why? Thanks!"
    assert wrapped("Why?", wrapper, 5) == "One two three. Why? Thanks!"
    assert wrapped("Why?", wrapper, 2) == "Why? Thanks!"


def test_every_question_comes_in_every_form() -> None:
    lines = (DATA / "requests_dev.jsonl").read_text("utf-8").splitlines()
    wrappers = [one for one in map(json.loads, lines) if one["language"] == "en"]
    asked = dict(forms("Why is the sky blue?", 3, wrappers))
    assert tuple(asked) == FORMS
    assert all("Why is the sky blue?" in text for text in asked.values())
    assert [len(asked[form].split()) < 150 for form in FORMS[:4]] == [True] * 4


@pytest.mark.parametrize("split", ["dev", "heldout"])
def test_the_labels_name_turns(split: str) -> None:
    cases = [json.loads(line) for line in (DATA / f"answers_{split}.jsonl").read_text("utf-8").splitlines()]
    assert len(cases) == len({case["id"] for case in cases}) == 100
    for case in cases:
        named = [*case["must"], *case["may"]]
        assert len(named) == len({*named}), case["id"]
        assert all(0 <= number < len(case["turns"]) for number in named), case["id"]
