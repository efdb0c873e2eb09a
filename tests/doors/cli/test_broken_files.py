"""An import goes on past what cannot be read, names each fault with its place, and refuses what has no end."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from doors.running import Run
from memoranda import Memory
from memoranda.core.formats import read
from memoranda.core.formats.document import noted
from memoranda.doors.cli import door, files


def chatgpt(number: int, **changes: Any) -> dict[str, Any]:
    """A conversation of an export, with one message."""
    said = {
        "author": {"role": "user"}, "content": {"parts": [f"I like tea number {number}."]},
        "create_time": 1_767_225_600 + number,
    }  # fmt: skip
    return {"id": f"c{number}", "mapping": {"a": {"message": said | changes}}, "current_node": "a"}


def claude(number: int, **changes: Any) -> dict[str, Any]:
    said = {"sender": "human", "text": f"I like tea number {number}.", "created_at": "2026-01-01T09:00:00Z"}
    return {"uuid": f"c{number}", "chat_messages": [said | changes]}


def openai(number: int, **changes: Any) -> dict[str, Any]:
    return {"id": f"c{number}", "messages": [{"role": "user", "content": f"I like tea number {number}."} | changes]}


BROKEN: dict[str, tuple[list[Any], str]] = {
    "no current node": ([chatgpt(0), {**chatgpt(1), "current_node": "gone"}, chatgpt(2)], 'there is no "gone"'),
    "an odd role": ([chatgpt(0), chatgpt(1, author={"role": "wizard"}), chatgpt(2)], ".message.author.role: 'wizard'"),
    "an odd time": ([chatgpt(0), chatgpt(1, create_time="soon"), chatgpt(2)], ".message.create_time: 'soon'"),
    "no mapping": ([chatgpt(0), {"id": "c1"}, chatgpt(2)], 'there is no "mapping"'),
    "a circle": ([chatgpt(0), {**chatgpt(1), "mapping": {"a": {"parent": "a"}}}, chatgpt(2)], "its own ancestor"),
    "no object": ([chatgpt(0), 7, chatgpt(2)], "an object is needed here, found 7"),
    "claude's odd sender": ([claude(0), claude(1, sender="wizard"), claude(2)], ".chat_messages[0].sender: 'wizard'"),
    "claude without messages": ([claude(0), {"uuid": "c1"}, claude(2)], 'there is no "chat_messages"'),
    "a record's odd role": ([openai(0), openai(1, role="wizard"), openai(2)], ".messages[0].role: 'wizard'"),
    "the first is none": ([{"a": 1}, openai(0), openai(1)], 'there is no "messages"'),
    "the first has no current node": ([{**chatgpt(1), "current_node": 1}, chatgpt(0), chatgpt(2)], 'there is no "1"'),
    "a record that is none": ([openai(0), {"id": "c1"}, openai(2)], 'there is no "messages"'),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("place", ["chats.json, $[1]", "chats.json, line 2"])
def test_the_others_are_imported_and_the_broken_one_is_named(run: Run, home: Path, name: str, place: str) -> None:
    items, words = BROKEN[name]
    (home / "chats.json").write_text("\n".join(map(json.dumps, items)) if "line" in place else json.dumps(items))
    done = json.loads(run("import", "chats.json", "--json", exits=1).stdout)
    assert (done["conversations"], done["turns"], len(done["faults"])) == (2, 2, 1)
    assert done["faults"][0].startswith("chats.json" if "first" in name else place)
    assert words in done["faults"][0]
    told = run("import", "chats.json", exits=1).stdout
    assert "already known" in told
    assert "chats.json" in told


def test_every_fault_of_a_file_is_listed_and_a_line_that_is_none_is_one(run: Run, home: Path) -> None:
    lines = [json.dumps(openai(number)) for number in range(6)]
    lines[1], lines[3] = lines[1][:30], "not json"
    (home / "chats.jsonl").write_text("\n".join(lines))
    done = json.loads(run("import", "chats.jsonl", "--json", exits=1).stdout)
    assert (done["conversations"], done["turns"]) == (4, 4)
    assert [fault.partition(":")[0] for fault in done["faults"]] == ["chats.jsonl, line 2", "chats.jsonl, line 4"]
    (home / "all.json").write_text(json.dumps([openai(1, role="a"), openai(2, role="b")]))
    done = json.loads(run("import", "all.json", "chats.jsonl", "--json", exits=1).stdout)
    assert (done["known"], len(done["faults"])) == (4, 4)


def test_a_loose_message_that_cannot_be_read_is_left_out_and_comes_in_once_it_is_mended() -> None:
    said = [{"role": "user", "content": f"I like tea number {number}."} for number in range(5)]
    broken = [*said[:2], {**said[2], "role": "wizard"}, *said[3:]]
    with Memory.open(embedder="none") as memory:
        alice = memory.scope(tenant="t", user="u")
        files = ["\n".join(map(json.dumps, rows)).encode() for rows in (broken, said)]
        done = alice.import_conversations(read(files[0], "log.jsonl"))
        assert (done.conversations, done.turns, len(done.faults)) == (1, 4, 1)
        assert done.faults[0].startswith("log.jsonl, line 3, $.role: 'wizard' is no role")
        again = alice.import_conversations(read(files[1], "log.jsonl"))
        assert (again.turns, again.known, again.faults) == (5, 4, ())


def test_what_a_library_reads_says_what_is_missing() -> None:
    data = json.dumps([chatgpt(0), {**chatgpt(1), "current_node": "gone"}, chatgpt(2)]).encode()
    with Memory.open(embedder="none") as memory:
        done = memory.scope(tenant="t", user="u").import_conversations(read(data, "chats.json"))
    assert (done.conversations, done.turns) == (2, 2)
    assert done.faults == ('chats.json, $[1].mapping: there is no "gone". Found an object with a.',)


def test_what_is_nested_too_deeply_to_be_looked_through_is_a_fault() -> None:
    faults: list[str] = []
    with noted(faults, "chats/2"):
        raise RecursionError
    assert faults == ["chats/2: it is nested too deeply."]


@pytest.fixture
def fifo(home: Path) -> Path:
    os.mkfifo(home / "pipe")
    return home / "pipe"


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "/dev/urandom", "pipe", "link"])
def test_what_is_no_regular_file_is_refused(run: Run, home: Path, fifo: Path, path: str) -> None:
    (home / "link").symlink_to("/dev/zero")
    assert fifo.is_fifo()
    [fault] = json.loads(run("import", path, "--json", exits=1).stdout)["faults"]
    assert fault == f"{path} is no regular file; to import what a program writes, pipe it into memoranda import -."
    (home / "chats").mkdir()
    (home / "chats" / "zero.json").symlink_to("/dev/zero")
    assert "is a directory without" in run("import", "chats", exits=1).stdout


@pytest.mark.parametrize(
    ("source", "words"),
    [("/dev/zero", "it holds zero bytes"), ("yes", "this is not JSON"), ("yes '{\"role\": 1}'", "bytes, or no end")],
)
def test_standard_input_without_an_end_is_refused(home: Path, source: str, words: str) -> None:
    program = (
        "import sys; from memoranda.doors.cli import files; files._LARGEST = 1 << 20; "
        "from memoranda.doors.cli.shell import app; app(['import', '-', '--json'])"
    )
    feed = f"cat {source}" if source.startswith("/") else source
    command = f'{feed} | {sys.executable} -c "{program}"'
    ended = subprocess.run(
        ["/bin/sh", "-c", command], cwd=home, capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 1, ended.stderr
    assert words in json.loads(ended.stdout)["faults"][0]


@pytest.mark.parametrize("make", [lambda: "[" + "[" * 200_000, lambda: '{"a":' * 200_000, lambda: '"' + "x" * 100_000])
def test_what_is_nested_without_end_or_is_one_long_line_is_refused(
    run: Run, home: Path, make: Callable[[], str]
) -> None:
    (home / "deep.json").write_text(make())
    [fault] = json.loads(run("import", "deep.json", "--json", exits=1).stdout)["faults"]
    assert fault.startswith("deep.json, line 1")
    assert len(fault) < 1_000


def test_a_file_that_is_too_large_is_refused_unread(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_LARGEST", 100_000)
    (home / "large.json").write_text("[" + " " * 100_000 + "]")
    (home / "good.json").write_text(json.dumps([openai(0)]) + " " * 90_000)
    done = json.loads(run("import", "large.json", "good.json", "--json", exits=1).stdout)
    assert done["faults"] == ["large.json has more than 100,000 bytes, or no end. Split it and import the parts."]
    assert done["turns"] == 1


def test_a_large_file_is_read_whatever_mark_it_begins_with(run: Run, home: Path) -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32"):
        (home / f"{encoding}.json").write_bytes(
            json.dumps([openai(0, content="I like tea. " * 10_000)]).encode(encoding)
        )
    done = json.loads(
        run("import", *(f"{name}.json" for name in ("utf-8", "utf-8-sig", "utf-16", "utf-32")), "--json").stdout
    )
    assert (done["turns"], done["known"], done["faults"]) == (4, 3, [])


def test_a_text_without_an_end_is_refused(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "_LONGEST", 10)
    assert home.exists()
    assert "more than 10 bytes, or no end" in run("add", "-", given="I like tea.", exits=1).stderr
    run("add", "-", given="I like figs"[:10])
