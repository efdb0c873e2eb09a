"""What docs/EVALUATION.md says of labelled files is what is read, and what it says is measured is."""

import json
import re
from pathlib import Path

from memoranda.core.evaluation.labels import FIELDS, KNOWN_BY, NARROWING, read
from memoranda.doors.cli.commands.evaluation import configurations
from memoranda.flows.context.evaluate import FIGURES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "EVALUATION.md").read_text("utf-8")


def rows(head: str) -> list[list[str]]:
    table = PAGE[PAGE.index(f"| {head} |") :].split("\n\n")[0].splitlines()[2:]
    return [line.strip("| ").split(" | ") for line in table]


def test_its_example_is_a_question() -> None:
    (example,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    (question,) = read(example.encode(), "example")
    assert (question.category, len(question.answers[0])) == ("correction", 2)


def test_every_field_and_every_figure_stands_in_a_table() -> None:
    assert [row[0].strip("`") for row in rows("field")] == list(FIELDS)
    assert all(f"`{name}`" in rows("field")[-1][1] for name in NARROWING)
    assert [name for row in rows("figure") for name in row[0].split(", ")] == [*FIGURES, "ms"]


def test_every_way_to_name_a_memory_can_be_read() -> None:
    answers = [json.loads(code) for row in rows("answer") for code in re.findall(r"`([^`]+)`", row[0])]
    (question,) = read(json.dumps({"query": "x", "answers": answers}).encode(), "answers")
    assert {wanted.by for (wanted,) in question.answers} == set(KNOWN_BY)


def test_every_setting_it_names_can_be_set() -> None:
    (told,) = re.findall(r"on the same questions: (.*?), several joined", PAGE, re.DOTALL)
    found = configurations(",".join(re.findall(r"`([^`]+)`", told)))
    assert [(way.ask, way.embedder) for way in found] == [
        ({"profile": "relevance"}, True),
        ({"kinds": frozenset({"turn", "fact"})}, True),
        ({"arms": frozenset({"keyword", "vector"})}, True),
        ({"per_conversation": 2}, True),
        ({}, False),
    ]
