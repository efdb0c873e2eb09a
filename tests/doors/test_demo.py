import json
import re
from pathlib import Path
from typing import Any

import pytest

from doors.running import Run
from memoranda.doors import demo


def test_the_tour_shows_every_step_and_admits_its_misses(run: Run) -> None:
    text = run("demo", "--embedder", "hashed").stdout
    kinds = re.findall(r"^([a-z -]+): .*\nasked on 2026-", text, re.MULTILINE)
    assert {
        "preference",
        "correction",
        "last month",
        "multi-hop",
        "assistant-said",
        "other-language",
        "abstain",
    } <= set(kinds)
    assert len(kinds) == len(set(kinds)) >= 8
    verdicts = re.findall(r"^(HIT|MISS): ", text, re.MULTILINE)
    assert len(verdicts) >= 8
    assert re.search(r"^abstain: .*\n.*; right is: that it was never said\n", text, re.MULTILINE)
    assert re.search(r"turns read +363\n", text)
    assert re.search(r"section +budget", text)
    assert re.search(r"A belief that changed\n.* to .*\n.*\n.*\n.* to ", text)
    assert re.search(r"place 1 of \d+: .*\n(.*\n)?.*█", text)
    assert "1 refused as forgotten, 0 new. It did not come back." in text
    assert text.rstrip().endswith("memoranda demo --data FILE is this.")


def test_the_same_tour_twice_is_the_same(run: Run) -> None:
    def told() -> Any:
        report = json.loads(run("demo", "--json").stdout)
        for one in report["questions"]:
            del one["answer"]["trace"]
        del report["forget"]["receipt"]
        return report

    report = told()
    assert report == told()
    assert report["forget"]["came_back"] is False
    assert [row["text"][-10:] for row in report["amendment"]] == ["bruary 11.", "bruary 11.", " the 12th."]
    judged = [one["verdict"] for one in report["questions"] if one["verdict"]]
    assert 0 < sum(verdict["right"] for verdict in judged) < len(judged)


def test_a_question_is_asked_at_its_time(run: Run) -> None:
    for one in json.loads(run("demo", "--json").stdout)["questions"]:
        assert all(item["at"] <= one["question"]["now"] for item in one["answer"]["items"])


def test_it_takes_ones_own_conversations(run: Run, chat: Path) -> None:
    text = run("demo", "--data", str(chat)).stdout
    asked = re.search(r"(?ms)^preference: Remind me: short emails\?\n(.*?)HIT: the evidence is at place 1\n", text)
    assert asked is not None
    answers = re.findall(r"^ \d  0\.\d\d  (\w+) .*\n    (.*)$", asked[1], re.MULTILINE)
    assert sorted(answers[:2]) == [("preference", "User prefers short emails."), ("turn", "I prefer short emails.")]
    assert "about Ida: What did we say about Ida?" in text
    assert "What did I say last month?" in text
    assert "None in these conversations." in text
    assert re.search("Of all 2 questions whose answer is known, [12] went right", text)
    assert "It did not come back." in text


def test_conversations_without_memories_are_no_fault(run: Run, home: Path) -> None:
    (home / "hm.json").write_text('[{"role": "assistant", "content": "…"}]')
    assert "A context of" in run("demo", "--data", "hm.json").stdout


def test_nothing_to_import_is_one_line(run: Run, home: Path) -> None:
    (home / "bad.json").write_text("{")
    assert "Nothing could be imported. bad.json" in run("demo", "--data", "bad.json", exits=1).stderr


def test_it_leaves_nothing_behind(run: Run, home: Path, chat: Path) -> None:
    run("demo", "--data", str(chat))
    assert list(home.iterdir()) == [chat]


def test_without_its_corpus_it_says_what_to_do(run: Run, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setattr(demo, "PLACES", (home / "nowhere",))
    assert "give your own by --data" in run("demo", exits=1).stderr


def test_its_memory_can_be_evaluated(run: Run, home: Path) -> None:
    found = json.loads(run("eval", "--demo", "--json").stdout)
    assert len(found["questions"]) >= 40
    assert 0.5 < found["runs"][0]["figures"]["R@10"] < 1
    assert list(home.iterdir()) == []
