import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoranda import Memory, Scoped
from memoranda.doors.cli.intake import Exports, Intake, conversations, put_back, take_in
from memoranda.stores.dict_ import DictStore


class Steps:
    def __init__(self) -> None:
        self.expected, self.done = 0, 0

    def expect(self, turns: int) -> None:
        self.expected += turns

    def advance(self, turns: int) -> None:
        self.done += turns


@pytest.fixture
def scoped() -> Iterator[Scoped]:
    with Memory.open(DictStore(), embedder="none") as memory:
        yield memory.scope(tenant="t", user="u")


def imported(scoped: Scoped, *paths: Path) -> tuple[Intake, Steps]:
    intake, bar = Intake(), Steps()
    found = conversations(intake, [str(path) for path in paths], None, bar, Exports(scoped.scope))
    return take_in(scoped, found, intake, bar), bar


def test_all_turns_are_counted_beforehand_and_as_they_are_taken_in(scoped: Scoped, chat: Path) -> None:
    done, bar = imported(scoped, chat)
    assert (done.files, done.conversations, done.turns, done.known, done.new) == (1, 1, 3, 0, 3)
    assert bar.expected == bar.done == 3
    assert done.records
    assert not done.faults


def test_the_same_file_twice_adds_nothing(scoped: Scoped, chat: Path) -> None:
    imported(scoped, chat)
    done, _ = imported(scoped, chat)
    assert (done.turns, done.known, done.new) == (3, 3, 0)


def test_what_was_forgotten_is_counted_apart(scoped: Scoped, chat: Path) -> None:
    imported(scoped, chat)
    scoped.forget(source=scoped.recall("short emails", kinds=["turn"]).items[0].id)
    done, _ = imported(scoped, chat)
    assert (done.known, done.forgotten, done.new) == (2, 1, 0)


def test_what_stands_before_a_fault_and_in_other_files_is_taken_in(scoped: Scoped, chat: Path) -> None:
    half = chat.with_name("half.jsonl")
    line = json.dumps({"messages": [{"role": "user", "content": "I like tea."}]})
    half.write_text(f"{line}\n{line[:20]}")
    done, _ = imported(scoped, chat.with_name("nowhere"), half, chat)
    assert (done.files, done.conversations, done.turns) == (2, 2, 4)
    assert len(done.faults) == 2
    assert "no file or directory" in done.faults[0]
    assert done.faults[1].startswith("half.jsonl, line 2")


def test_a_conversation_that_cannot_be_taken_in_leaves_the_others_alone(scoped: Scoped, chat: Path) -> None:
    huge = [
        {"id": "big" * 100, "messages": [{"role": "user", "content": "x" * 1_000_001}]},
        {"id": "small", "messages": [{"role": "user", "content": "I like tea."}]},
    ]
    chat.write_text(json.dumps(huge))
    done, _ = imported(scoped, chat)
    assert (done.conversations, done.turns) == (1, 1)
    assert done.faults[0].startswith("big" * 20 + ": This text has 1,000,001 characters")


def test_an_export_is_put_back(scoped: Scoped, chat: Path, tmp_path: Path) -> None:
    imported(scoped, chat)
    lines = [json.dumps(line) for line in scoped.export()]
    whole, cut, foreign = (tmp_path / f"{name}.jsonl" for name in ("whole", "cut", "foreign"))
    whole.write_text("\n".join(lines))
    cut.write_text("\n".join(lines[:-1]))
    with Memory.open(DictStore(), embedder="none") as memory:
        foreign.write_text("\n".join(json.dumps(line) for line in memory.scope(tenant="t", user="bob").export()))
        there = memory.scope(tenant="t", user="u")
        intake, bar, exports = Intake(), Steps(), Exports(there.scope)
        assert not [*conversations(intake, [str(cut), str(whole), str(foreign)], None, bar, exports)]
        assert [fault.partition(":")[0] for fault in intake.faults] == ["cut.jsonl", "foreign.jsonl"]
        assert bar.done == len(lines) * 2 + 1
        put_back(there, [*exports.found, lines[:-1]], intake)
        assert (intake.restored, len(intake.faults)) == (len(lines) - 2, 3)
        assert there.recall("How should emails be?").items
