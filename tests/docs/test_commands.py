"""The command lines in the pages run in the order in which they stand there, and do what is said of them."""

import shutil
from pathlib import Path

import pytest

from docs.shown import ROOT, blocks, called, commands, printed, ran
from memoranda import Memory


def test_commands_run_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORANDA_EMBEDDER", "hashed")  # the quickest: no command depends on whose vectors they are
    shutil.copy(ROOT / "examples" / "demo" / "conversations.json", tmp_path)
    _, first, *others = commands("docs/COMMANDS.md")
    done = ran(tmp_path, "-m", *first)  # one as a reader does, in a process of its own
    assert done.returncode == 0, done.stderr
    assert len(others) >= 20
    for command in [commands("docs/COMMANDS.md")[0], *others]:
        called(command, tmp_path)


def test_a_backup_and_a_copy_answer_as_the_memory_did(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "memory.db") as memory:
        me = memory.scope(tenant="local", user="me")
        me.add([{"role": "user", "content": "I live in Oslo."}], conversation="c1")
        me.add([{"role": "user", "content": "My boat is called Sula."}], conversation="c1")
        me.goals.add("Paint the boat")
        me.entries.set("berth", 14)
        me.working("c1").set("draft", "none yet")
        me.pools.create("harbour", data={"berths": 40})
        me.forget(value="Sula", for_good=True)
        backup, move = blocks("docs/BACKUP.md", "python")
        printed(backup, tmp_path)  # while the memory is open
    assert printed(move, tmp_path) == "True\n"
    told = [called(command, tmp_path) for command in commands("docs/BACKUP.md")]
    assert "User lives in Oslo." in told[3]
    for name, everything in (("backup.db", True), ("copy.db", True), ("moved.db", True), ("anew.db", False)):
        with Memory.open(tmp_path / name, embedder="none") as memory:
            me = memory.scope(tenant="local", user="me")
            assert me.recall("Where do I live?").items[0].text == "User lives in Oslo."
            assert [goal.text for goal in me.goals.find()] == ["Paint the boat"]
            assert me.entries.get("berth").value == 14
            assert (me.working("c1").get("draft"), bool(me.pools.find())) == (
                ("none yet", True) if everything else (None, False)
            )
            me.add([{"role": "user", "content": "My boat is called Sula."}], conversation="c2")
            assert not me.recall("Sula").items, "what was forgotten stays forgotten"
