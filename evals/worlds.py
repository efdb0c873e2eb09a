"""The data sets, read from a given folder: conversations to remember, and questions with labelled evidence.

A world is one user's memory. Evidence is given as the data sets' own message ids.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memoranda.core.formats import Conversation, read

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_TURN = re.compile(r"D:?(\d+):(\d+)")  # nine of LoCoMo's evidence ids are malformed: "D8:6; D9:17", "D30:05"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question and the ids of the messages that answer it.

    Attributes:
        gold: the evidence as published.
        audited: the evidence after an audit of the labels, where the data set has one; otherwise `gold`.
    """

    id: str
    category: str
    text: str
    gold: frozenset[str]
    audited: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """One user: conversations, and questions asked afterwards. Questions without evidence are left out."""

    name: str
    conversations: tuple[Conversation, ...]
    questions: tuple[Question, ...]


def locomo(data: Path) -> Iterator[World]:
    """Yield LoCoMo: one user per chat; the evidence is turns."""
    file = data / "locomo" / "locomo.json"
    fixes = {fix["question_id"]: fix["correct_evidence"] for fix in _json(data / "locomo" / "evidence_fixes.json")}
    sessions = list(read(file.read_bytes(), file.name))
    for sample in _json(file):
        name = sample["sample_id"]
        own = tuple(session for session in sessions if session.metadata["sample_id"] == name)
        known = _ids(own)
        questions = []
        for number, asked in enumerate(sample["qa"]):
            key = f"{name}/{number}"
            gold = _turns(asked.get("evidence", ())) & known
            questions.append(
                Question(
                    id=key,
                    category=CATEGORIES[asked["category"]],
                    text=asked["question"],
                    gold=gold,
                    audited=_turns(fixes[key]) & known if key in fixes else gold,
                )
            )
        yield World(name=name, conversations=own, questions=_answerable(questions))


def beam(data: Path, size: str) -> Iterator[World]:
    """Yield BEAM: one user per chat; the evidence is messages of the user and of the assistant."""
    for folder in sorted((data / "beam" / size).iterdir(), key=lambda path: int(path.name)):
        file = folder / "chat.json"
        conversations = tuple(read(file.read_bytes(), f"{folder.name}/chat.json"))
        known = _ids(conversations)
        questions = []
        for category, group in _json(folder / "probing_questions.json").items():
            for number, asked in enumerate(group):
                gold = frozenset(map(str, _flat(asked.get("source_chat_ids", [])))) & known
                key = f"{folder.name}/{category}/{number}"
                questions.append(Question(id=key, category=category, text=asked["question"], gold=gold, audited=gold))
        yield World(name=f"beam-{size}-{folder.name}", conversations=conversations, questions=_answerable(questions))


SETS: Mapping[str, Callable[[Path], Iterator[World]]] = {
    "locomo": locomo,
    "beam100k": lambda data: beam(data, "100K"),
    "beam500k": lambda data: beam(data, "500K"),
}


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _ids(conversations: tuple[Conversation, ...]) -> frozenset[str]:
    return frozenset(message.id for talk in conversations for message in talk.messages if message.id)


def _turns(evidence: Any) -> frozenset[str]:
    return frozenset(f"D{int(session)}:{int(turn)}" for session, turn in _TURN.findall(str(evidence)))


def _answerable(questions: list[Question]) -> tuple[Question, ...]:
    return tuple(question for question in questions if question.gold and question.audited)


def _flat(tree: Any) -> Iterator[Any]:
    if isinstance(tree, Mapping | list):
        for inner in tree.values() if isinstance(tree, Mapping) else tree:
            yield from _flat(inner)
    else:
        yield tree
