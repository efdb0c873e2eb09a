"""The evaluations run as their pages say, and leave figures that can be read."""

import json
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import numpy as np
import pytest
from evals.__main__ import ALL, main

from evals import dates
from memoranda.core.recall.ranking_models import Experts


@pytest.mark.parametrize("name", ALL)
def test_each_says_what_it_is_told(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"usage: python -m evals {name} ")
    assert "--out" in shown
    assert ("--data" in shown) is ALL[name]


def test_an_unknown_name_is_told_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nonsense"]) == 2
    shown = capsys.readouterr().out
    assert all(f"\n    {name} " in shown for name in ALL)
    assert main([]) == 0


@pytest.mark.parametrize("name", [name for name, reads in ALL.items() if reads])
def test_data_that_is_not_there_is_named(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = ["--embedder", "hashed"] if name not in {"dates", "extraction"} else []
    assert main([name, "--data", str(tmp_path), "--out", str(tmp_path), *more]) == 1
    shown = capsys.readouterr().err
    assert f"There is no {tmp_path}/" in shown
    assert f"See python -m evals {name} --help." in shown


def test_all_has_written_each_table_when_the_next_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = BytesIO()
    written: list[bytes] = []

    class Evaluation:
        @staticmethod
        def main(_: list[str]) -> None:
            written.append(file.getvalue())
            sys.stdout.write("table\n")

    monkeypatch.setattr("sys.stdout", TextIOWrapper(file))
    monkeypatch.setattr("importlib.import_module", lambda _: Evaluation)
    assert main(["all", "--data", str(tmp_path)]) == 0
    assert written == [b"table\n" * number for number in range(len(ALL))]


def test_extraction_leaves_figures_and_a_plot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extraction", "--language", "de", "zh", "--split", "test", "--out", str(tmp_path)]) == 0
    figures = json.loads((tmp_path / "extraction.json").read_text())
    assert figures["de"]["test"]["kinds"]["all"]["right"] >= 20
    assert (tmp_path / "extraction-test.png").read_bytes().startswith(b"\x89PNG")
    assert "| zh " in capsys.readouterr().out


def test_secrets_counts_what_is_withheld_and_what_it_costs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["secrets", "--split", "dev", "--misses", "--out", str(tmp_path)]) == 0
    figures = json.loads((tmp_path / "secrets.json").read_text())["dev"]
    assert figures["precision"] >= 95
    assert figures["recall"]["all"] >= 87
    assert figures["ms p95"] > 0
    assert (tmp_path / "secrets.png").read_bytes().startswith(b"\x89PNG")
    assert "missed password [" in capsys.readouterr().out


def test_dates_counts_what_was_found_and_what_was_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = [
        {"Input": "We met on 2016-05-03.", "Results": [{"Start": 10, "Length": 10, "TypeName": "date"}]},
        {"Input": "We met then.", "Results": [{"Start": 7, "End": 10, "TypeName": "date"}]},
    ]
    (tmp_path / "datetime").mkdir()
    for name in dates.FILES:
        found = cases if name == "DateExtractor" else []
        (tmp_path / "datetime" / f"{name}.json").write_text(json.dumps(found))
    assert main(["dates", "--data", str(tmp_path), "--out", str(tmp_path), "--show", "DateExtractor"]) == 0
    figures = json.loads((tmp_path / "dates.json").read_text())
    assert figures["all"] == {
        "labels": 2,
        "exact F1": pytest.approx(200 / 3),
        "overlap F1": pytest.approx(200 / 3),
        "value": None,
    }
    assert "missed [then] in: We met then." in capsys.readouterr().out


def test_facts_asks_for_the_newest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "factconsolidation").mkdir()
    context = (
        "Here is a list of facts:\n0. The capital of Erewhon is Padua.\n1. The author of Nowhere is Ada Lovelace.\n"
        "2. The capital of Erewhon is Oderzo.\n"
    )
    data = {"context": context, "questions": ["What is the capital of Erewhon?"], "answers": [["Oderzo"]]}
    (tmp_path / "factconsolidation" / "factconsolidation_sh_6k.json").write_text(json.dumps(data))
    told = ["--data", str(tmp_path), "--out", str(tmp_path), "--sets", "sh_6k", "--embedder", "hashed"]
    assert main(["facts", *told]) == 0
    figures = json.loads((tmp_path / "facts.json").read_text())["figures"]
    found = {"first memory": 100, "first five": 100, "as of before": 100, "asked so": 1}
    assert figures == {f"sh_6k, {way}": found for way in ("observations", "turns")}
    assert "| sh_6k, turns " in capsys.readouterr().out


def test_learn_leaves_a_model_that_ranks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = "crab boat pier tide rope mast sail harbour lobster anchor".split()
    samples = []
    for user in ("s-1", "s-2"):
        turns = [
            {"speaker": "AB"[n % 2], "dia_id": f"D1:{n}", "text": f"The {word} is {user}."}
            for n, word in enumerate(words)
        ]
        asked = [
            {"question": f"What is the {word}?", "category": 4, "evidence": [f"D1:{n}"]} for n, word in enumerate(words)
        ]
        talk = {"speaker_a": "A", "speaker_b": "B", "session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": turns}
        samples.append({"sample_id": user, "qa": asked, "conversation": talk})
    (tmp_path / "locomo").mkdir()
    (tmp_path / "locomo" / "locomo.json").write_text(json.dumps(samples))
    (tmp_path / "locomo" / "evidence_fixes.json").write_text("[]")
    out = tmp_path / "out"
    told = ["--data", str(tmp_path), "--out", str(out), "--sets", "locomo", "--embedder", "hashed", "--brief"]
    assert main(["learn", *told]) == 0
    model = json.loads((out / "ranker.json").read_text())
    assert model["learned_on"] == ["locomo"]
    values = np.zeros((2, len(model["signals"])), np.float32)
    assert len(Experts(model).judge(values).scores) == 2
    figures = json.loads((out / "learn.json").read_text())
    assert figures["systems"]["weights"]["locomo"]["R@1"] == 1.0
    assert figures["categories"]["locomo: single-hop"]["questions"] == 20
    assert list((out / "vectors").glob("*.npz"))
    assert "| learned " in capsys.readouterr().out


def test_budget_tells_what_contexts_cite_beside_recall(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turns = [{"speaker": "AB"[n % 2], "dia_id": f"D1:{n}", "text": f"The crab {n} is blue."} for n in range(30)]
    asked = {"question": "Which crab is blue?", "category": 1, "evidence": [f"D1:{n}" for n in range(30)]}
    talk = {"speaker_a": "A", "speaker_b": "B", "session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": turns}
    (tmp_path / "locomo").mkdir()
    sample = {"sample_id": "s-1", "qa": [asked], "conversation": talk}
    (tmp_path / "locomo" / "locomo.json").write_text(json.dumps([sample]))
    (tmp_path / "locomo" / "evidence_fixes.json").write_text("[]")
    told = ["--data", str(tmp_path), "--out", str(tmp_path), "--embedder", "none", "--budgets", "300", "4000"]
    assert main(["budget", *told]) == 0
    figures = json.loads((tmp_path / "budget.json").read_text())["budgets"]
    small, large = (figures[budget]["multi-hop"] for budget in ("300", "4000"))
    assert 0 < small["context"] < large["context"] == large["texts"] == 100
    assert small["used"] <= 300
    assert small["lines"] < small["texts"]
    assert "| multi-hop " in capsys.readouterr().out


def test_context_finds_preferences_that_were_stated_or_show_in_a_choice(tmp_path: Path) -> None:
    boat = {"preference": "I prefer blue boats.", "question": "Which boat should I buy?"}
    talk = {
        "query": "Which house is best?",
        "assistant_options": "1. A blue one. 2. A green one.",
        "user_selection": "I'll go with option 2, the green house with the garden.",
        "assistant_acknowledgment": "You like gardens, then.",
    }
    house = {"preference": "I like gardens.", "question": "Which green house has a garden?", "conversation": talk}
    for form, entries in (("explicit_preference", [boat]), ("implicit_preference/choice-based", [house])):
        folder = tmp_path / "prefeval" / form
        folder.mkdir(parents=True)
        (folder / "things.json").write_text(json.dumps(entries))
    assert main(["context", "--data", str(tmp_path), "--out", str(tmp_path), "--embedder", "none"]) == 0
    figures = json.loads((tmp_path / "context.json").read_text())
    assert figures["explicit"]["sections"] == {"profile": 1}
    assert figures["explicit"]["topics"]["all"]["read"] == 100
    assert figures["implicit"]["sections"] == {"preferences": 1}


def test_reading_counts_by_kind_what_is_believed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reading", "--split", "dev", "--kind", "play", "--misses", "--out", str(tmp_path)]) == 0
    figures = json.loads((tmp_path / "reading.json").read_text())["dev"]
    assert {"play", "all"} == figures.keys()
    assert figures["play"]["cases, number"] == figures["play"]["controls, number"] == 12
    assert figures["play"]["cases"] > 80
    assert "play (controls)" in capsys.readouterr().out
