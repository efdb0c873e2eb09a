"""The demo corpus: that it is what its readers, its questions and its documentation take it for."""

import json
from collections import Counter
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from memoranda.core.formats import read

DEMO = Path(__file__).parents[3] / "examples" / "demo"
CONVERSATIONS = {found.id: found for found in read((DEMO / "conversations.json").read_bytes(), "conversations.json")}
QUESTIONS = json.loads((DEMO / "questions.json").read_text(encoding="utf-8"))
RAW = {found["id"]: found for found in json.loads((DEMO / "conversations.json").read_text(encoding="utf-8"))}


def test_it_is_large_enough() -> None:
    roles = Counter(message.role for found in CONVERSATIONS.values() for message in found.messages)
    assert len(CONVERSATIONS) == 18
    assert (roles["user"], roles["assistant"], roles["tool"]) == (185, 177, 1)


def test_positions_in_the_file_are_positions_as_read() -> None:
    assert {id_: [message["content"] for message in found["messages"]] for id_, found in RAW.items()} == {
        id_: [message.content for message in found.messages] for id_, found in CONVERSATIONS.items()
    }


def test_times_rise_within_and_across_conversations() -> None:
    times = [message.at for found in CONVERSATIONS.values() for message in found.messages if message.at]
    assert len(times) == 363
    assert times == sorted(times)
    assert len(set(times)) == len(times)
    assert times[0] > datetime(2026, 1, 1, tzinfo=UTC)
    assert times[-1] < datetime(2026, 5, 1, tzinfo=UTC)


def test_turns_alternate() -> None:
    for found in CONVERSATIONS.values():
        roles = [message.role for message in found.messages if message.role != "tool"]
        assert roles[0] == "user"
        assert all(before != after for before, after in pairwise(roles))


def test_questions_are_of_every_kind() -> None:
    kinds = Counter(question["kind"] for question in QUESTIONS)
    assert len(QUESTIONS) >= 12
    assert kinds.keys() == {
        "preference", "correction", "temporal", "last month", "multi-hop", "abstain", "assistant-said", "number",
        "other-language", "third party", "tool outcome", "plan",
    }  # fmt: skip
    assert len({question["id"] for question in QUESTIONS}) == len(QUESTIONS)


def said(places: list[dict[str, Any]]) -> list[datetime]:
    """When each of these turns was said."""
    times = [CONVERSATIONS[at["conversation"]].messages[at["index"]].at for at in places]
    return [time for time in times if time]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_evidence_exists_and_was_said_before_it_is_asked_for(question: dict[str, Any]) -> None:
    times = said(question["evidence"] + question.get("restated", []))
    assert len(times) == len(question["evidence"]) + len(question.get("restated", []))
    assert all(time < datetime.fromisoformat(question["asked_at"]) for time in times)
    assert (question["answer"] is None) == (question["kind"] == "abstain") == (not times)


@pytest.mark.parametrize("question", [one for one in QUESTIONS if "superseded" in one], ids=lambda one: one["id"])
def test_what_is_superseded_was_said_before_what_replaced_it(question: dict[str, Any]) -> None:
    assert max(said(question["superseded"])) < min(said(question["evidence"]))


@pytest.mark.parametrize("word", ["blood", "Blut", "licence plate", "driving", "Führerschein"])
def test_what_is_never_said_is_never_said(word: str) -> None:
    said = " ".join(message.content for found in CONVERSATIONS.values() for message in found.messages)
    assert word.lower() not in said.lower()
