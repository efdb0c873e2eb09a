"""Labelled scenarios are whole, and consolidation is no worse on them than it was."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from evals.__main__ import main
from evals.consolidation import brier, calibration_error
from evals.scenarios import FILE, SPLITS, Counts, Found, compare, meets, scenarios

from core.making import event, record
from memoranda.core.consolidation.proposal import read_proposal
from memoranda.core.language.attributes import is_single_valued
from memoranda.core.rows import Record
from memoranda.core.rows.statements import CERTAINTY

PLAYED = ("job-change", "third-person", "hypothetical", "age-in-words", "deadline-relative", "business", "phone-number")


def test_every_scenario_is_of_a_split() -> None:
    lines = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
    assert {line["split"] for line in lines} <= {*SPLITS}
    assert len(scenarios(("dev",))) >= 120
    assert len({line["id"] for line in lines}) == len(lines)


def test_every_answer_has_the_form_that_is_asked_for() -> None:
    for scenario in scenarios():
        for batch in scenario["batches"]:
            read = read_proposal(json.dumps(batch["answer"]), {}, str.split)
            assert all(one.why == "it shares no word with what was observed" for one in read.refused)
            named = [number for fact in batch["answer"].get("facts", ()) for number in fact["events"]]
            assert all(1 <= number <= len(batch["turns"]) for number in named)


def test_every_label_says_one_thing() -> None:
    for scenario in scenarios():
        expect = scenario["expect"]
        assert expect.keys() == {"leaves", "says", "ended", "stands", "never"}
        assert all(label["certainty"] in CERTAINTY for label in (*expect["leaves"], *expect["says"]))
        assert all(("path" in label) != ("words" in label) for labels in expect.values() for label in labels)
        single = [label["path"] for label in expect["leaves"] if is_single_valued(label["path"])]
        assert len(single) == len({*single}) or "work.role" in single  # who is a nurse may be a teacher besides


def test_confidence_is_measured_against_truth() -> None:
    pairs = [(0.5, True), (0.5, False), (0.95, True)]
    assert brier(pairs) == pytest.approx((0.25 + 0.25 + 0.0025) / 3)
    assert calibration_error(pairs) == pytest.approx(0.05 / 3)
    assert (brier([]), calibration_error([])) == (0.0, 0.0)


def test_a_path_is_read_as_a_key():
    ours = record(text="User has a terrier called Pip.", attribute="pet.dog.name", value="Pip")
    theirs = record(text="Ida is a baker.", attribute="work.role", value="baker", subject="ida")
    assert meets(ours, {"path": "pet.terrier.name", "value": "Pip"})
    assert not meets(ours, {"path": "pet.cat.name", "value": "Pip"})
    assert meets(theirs, {"path": "people.Ida.work.title", "value": "cook | baker"})
    assert not meets(theirs, {"path": "work.title", "value": "baker"})


WALK = MappingProxyType({"words": ["walk"]})


def supersession(*records: Record, meant: Mapping[str, Any] = WALK, **label: str) -> float:
    events = {one.id: one for one in (event("I walk.", id="then"), event("no more walking", id="now"))}
    counts = Counts.none()
    expect = {"leaves": [], "says": [], "ended": [], "stands": [], "never": []}
    compare(counts, "one", expect | {label.pop("of"): [{**label, **meant}]}, Found(
        records=records, events=events, now=records[0].valid_from + timedelta(days=9),
    ))  # fmt: skip
    return counts.share("supersession")


def test_what_ended_is_not_what_says_so():
    walks = record(text="User walks.", sources=("then",), valid_to=None)
    over = record(id="r2", text="User no longer walks.", sources=("now",))
    ended = replace(walks, status="expired", valid_to=walks.valid_from, contradicted_by="now")
    assert supersession(ended, over, of="ended", by="no more") == 100
    assert supersession(walks, over, of="ended", by="no more") == 0
    assert supersession(over, of="ended", by="no more") == 0
    assert supersession(replace(ended, contradicted_by="then"), of="ended", by="no more") == 0


def test_what_is_disliked_stands_as_what_is_liked():
    hates = record(text="User hates walks.", attribute="preference.walks", value="walks", polarity=-1, valid_to=None)
    assert supersession(hates, of="stands") == 100
    assert supersession(replace(hates, status="expired"), of="stands") == 0


def test_what_is_disliked_has_not_ended_while_it_holds():
    label = {"of": "ended", "by": "no more"}
    hates = record(text="User hates walks.", attribute="preference.walks", value="walks", polarity=-1, valid_to=None)
    ended = record(
        id="r2", text="User walks.", sources=("then",), status="expired", valid_to=hates.valid_from,
        contradicted_by="now",
    )  # fmt: skip
    assert supersession(ended, replace(hates, sources=("then",)), **label) == 0
    assert supersession(ended, replace(hates, sources=("then",), status="expired"), **label) == 100


@pytest.mark.parametrize("attribute", ["hobby", None])
def test_what_says_that_it_is_over_does_not_make_it_stand(attribute: str | None):
    walks = record(text="User walks.", attribute=attribute, value="walks", sources=("then",), valid_to=None)
    over = replace(walks, id="r2", text="User no longer walks.", sources=("now",), polarity=-1 if attribute else 1)
    ended = replace(walks, status="expired", valid_to=walks.valid_from, contradicted_by="now")
    assert supersession(walks, of="stands") == 100
    assert supersession(ended, over, of="stands") == 0
    assert supersession(over, of="stands") == 0
    assert supersession(over, meant={"words": ["no longer", "walk"]}, of="stands") == 100


def test_what_took_place_stands_and_what_used_to_be_so_does_not():
    walks = record(text="User walks.", sources=("then",), status="expired", contradicted_by="now")
    walked = record(
        id="r2", text="User walked to Rome.", temporal="past", sources=("now",), valid_to=walks.valid_from
    )  # fmt: skip
    assert supersession(walked, of="stands") == 100
    assert supersession(walks, walked, of="stands") == 0
    assert supersession(replace(walked, attribute="work.role", value="walker"), of="stands") == 0


def test_what_gives_the_value_stands_whatever_its_words():
    label = {"path": "health.allergy", "value": "nuts"}
    old = record(text="User is allergic to nuts.", attribute="health.allergy", value="nuts", sources=("then",))
    ended = replace(old, status="expired", valid_to=old.valid_from, contradicted_by="now")
    never = replace(old, id="r2", text="User can never have nuts.", sources=("now",))
    assert supersession(ended, never, meant=label, of="stands") == 100
    assert supersession(ended, never, meant=label, of="ended", by="no more") == 0


def test_consolidation_is_no_worse_than_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = ["--embedder", "none", "--out", str(tmp_path), "--misses"]
    assert main(["consolidation", *told, "--only", *PLAYED]) == 0
    assert "| leaves right " in capsys.readouterr().out
    found = json.loads((tmp_path / "consolidation.json").read_text())["dev"]
    ideal, tempted, rules = (found[way]["shares"] for way in ("ideal", "tempted", "rules"))
    for name in ("leaves right", "supersession", "falsehoods kept out", "1 - Brier"):
        assert ideal[name] >= 95
        assert tempted[name] >= 90
    assert rules["leaves right"] >= 80
    assert rules["1 - Brier"] >= 90
    assert (tmp_path / "consolidation-dev.png").read_bytes().startswith(b"\x89PNG")
