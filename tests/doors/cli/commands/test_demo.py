import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from doors.running import Run
from memoranda.doors.cli.commands import demo
from memoranda.doors.cli.commands.demo import Question, judged


def asked(**labels: Any) -> Question:
    return Question(kind="number", text="How many?", now=datetime(2026, 4, 1, tzinfo=UTC), **labels)


def turns(*places: int) -> frozenset[tuple[str, int]]:
    return frozenset(("c1", place) for place in places)


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
    verdicts = re.findall(r"^(HIT|LOW|PART|MISS): (?:what|nothing|\d)", text, re.MULTILINE)
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
    given = [one["verdict"] for one in report["questions"] if one["verdict"]]
    assert {"HIT", "LOW", "MISS"} <= {verdict["result"] for verdict in given}


@pytest.mark.parametrize(
    ("found", "result", "words"),
    [
        ([1], "HIT", "what answers it is at place 1"),
        ([2, 9], "HIT", "what answers it is at place 1"),
        ([9, 1], "LOW", "what answers it is at place 2, below what does not answer it"),
        ([0, 9, 2, 1], "LOW", "what answers it is at places 3, 4, below what no longer holds"),
        ([9, 0], "MISS", "what answers it is not among the first 5"),
        ([], "MISS", "what answers it is not among the first 5"),
    ],
)
def test_the_verdict_says_what_stands_above_the_answer(found: list[int], result: str, words: str) -> None:
    question = asked(evidence=(turns(1, 2),), outdated=turns(0))
    verdict = judged(question, [turns(place) for place in found])
    assert verdict is not None
    assert (verdict.result, verdict.words) == (result, words)


def test_half_of_what_is_needed_is_told_as_half() -> None:
    question = asked(evidence=(turns(1, 2), turns(3)))
    verdicts = [judged(question, [turns(place) for place in found]) for found in ([1, 2], [9, 3], [2, 3])]
    assert [verdict and (verdict.result, verdict.words) for verdict in verdicts] == [
        ("PART", "1 of 2 things that the answer needs, at places 1, 2"),
        ("PART", "1 of 2 things that the answer needs, at place 2"),
        ("HIT", "what answers it is at places 1, 2"),
    ]


def test_of_what_was_never_said_nothing_is_right() -> None:
    assert [
        verdict and verdict.result
        for verdict in (judged(asked(evidence=()), []), judged(asked(evidence=()), [turns(1)]))
    ] == ["HIT", "MISS"]
    assert judged(asked(), [turns(1)]) is None


def test_a_question_is_asked_at_its_time(run: Run) -> None:
    for one in json.loads(run("demo", "--json").stdout)["questions"]:
        assert all(item["at"] <= one["question"]["now"] for item in one["answer"]["items"])


def test_it_takes_ones_own_conversations(run: Run, chat: Path) -> None:
    text = run("demo", "--data", str(chat)).stdout
    asked = re.search(
        r"(?ms)^preference: Remind me: short emails\?\n(.*?)HIT: what answers it is at places 1, 2\n", text
    )
    assert asked is not None
    answers = re.findall(r"^ \d  0\.\d\d  (\w+) .*\n    (.*)$", asked[1], re.MULTILINE)
    assert sorted(answers[:2]) == [("preference", "User prefers short emails."), ("turn", "I prefer short emails.")]
    assert "about Ida: What did we say about Ida?" in text
    assert "What did I say last month?" in text
    assert "None in these conversations." in text
    assert re.search(
        r"^All 2 questions whose answer is known: [12] HIT, \d LOW, 0 PART, \d MISS\.$", text, re.MULTILINE
    )
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
