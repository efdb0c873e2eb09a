import io
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from memoranda.doors.cli.files import read_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ["b.json", "a/c.JSONL", "a/d.ndjson", "notes.md", ".hidden.json", ".git/e.json"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    return tmp_path


def test_a_file_is_read_whatever_its_name(folder: Path) -> None:
    assert list(read_files(folder / "notes.md", [])) == [("notes.md", b"notes.md")]


def test_a_directory_is_read_in_order_at_any_depth(folder: Path) -> None:
    names = ["a/c.JSONL", "a/d.ndjson", "b.json"]
    assert list(read_files(str(folder), [])) == [(name, name.encode()) for name in names]


def test_of_an_export_only_the_conversations_are_read(folder: Path) -> None:
    (folder / "conversations.json").write_text("x")
    (folder / "a" / "conversations-001.json").write_text("y")
    assert list(read_files(folder, [])) == [("a/conversations-001.json", b"y"), ("conversations.json", b"x")]


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"[]")))
    assert list(read_files("-", [])) == [("stdin", b"[]")]


def unread(path: Path | str) -> str:
    """The one fault of a path that gives no file."""
    faults: list[str] = []
    assert not list(read_files(path, faults))
    [fault] = faults
    return fault


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    assert re.search(r"no file or directory .*nowhere\. Check the path", unread(tmp_path / "nowhere"))


def test_a_directory_without_conversation_files_says_what_it_looked_for(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("")
    assert "a directory without .json, .jsonl or .ndjson files" in unread(tmp_path)


def test_a_file_that_may_not_be_read_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, _: str) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "open", refuse)
    assert unread(folder / "b.json").endswith("b.json cannot be read: Permission denied.")


def test_of_a_directory_what_can_be_read_is(folder: Path) -> None:
    faults: list[str] = []
    files = read_files(folder, faults)
    assert next(files)[0] == "a/c.JSONL"
    (folder / "a" / "d.ndjson").unlink()
    assert list(files) == [("b.json", b"b.json")]
    assert [fault.rpartition("/")[2] for fault in faults] == ["d.ndjson cannot be read: No such file or directory."]


def test_a_path_no_system_can_have_cannot_be_read() -> None:
    assert "cannot be read" in unread("x" * 5_000)
