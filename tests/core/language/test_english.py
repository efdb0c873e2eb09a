"""The English pack against the labelled turns of `evals`: floors below what is measured there, so that none is lost."""

import json
from pathlib import Path

import pytest

from memoranda.core.language.engine import extract
from memoranda.core.language.pack import pack_of

TURNS = [
    json.loads(line)
    for line in (Path(__file__).parents[3] / "evals/data/extraction_en.jsonl").read_text(encoding="utf-8").splitlines()
]


def test_every_rule_reads_at_least_one_labelled_turn():
    hit = {item.rule.removeprefix("en:") for turn in TURNS for item in extract(turn["text"])}
    assert {rule.name for rule in pack_of("en").rules} - hit == set()


@pytest.mark.parametrize("split", ["dev", "test"])
def test_turns_with_nothing_to_extract_stay_empty(split: str):
    negatives = [turn["text"] for turn in TURNS if turn["split"] == split and not turn["expect"]]
    read = [text for text in negatives if extract(text)]
    assert len(negatives) >= 100
    assert len(read) <= len(negatives) // 50


@pytest.mark.parametrize("split", ["dev", "test"])
def test_most_labelled_statements_are_found(split: str):
    labelled = [turn for turn in TURNS if turn["split"] == split and turn["expect"]]
    silent = [turn["text"] for turn in labelled if not extract(turn["text"])]
    assert len(silent) <= len(labelled) // 5


@pytest.mark.parametrize(("text", "language"), [("I drive a Volvo.", "en"), ("Ich fahre einen Volvo.", "de")])
def test_what_somebody_drives_matters_more_than_what_they_bought(text: str, language: str):
    [car] = extract(text, language=language)
    [lamp] = extract("I bought a new lamp.")
    assert (car.attribute, car.importance, lamp.attribute, lamp.importance) == ("possession", 0.7, "possession", 0.5)


@pytest.mark.parametrize("text", ["I move to Oslo.", "We all move to Oslo."])
def test_a_move_without_a_day_to_come_is_no_plan(text: str):
    assert extract(text) == []
