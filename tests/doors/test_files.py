import io
from pathlib import Path
from types import SimpleNamespace

import pytest

from memstrata.doors.files import read_files
from memstrata.errors import InputError, NotFoundError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ["b.json", "a/c.JSONL", "a/d.ndjson", "notes.md", ".hidden.json", ".git/e.json"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    return tmp_path


def test_a_file_is_read_whatever_its_name(folder: Path) -> None:
    assert list(read_files(folder / "notes.md")) == [("notes.md", b"notes.md")]


def test_a_directory_is_read_in_order_at_any_depth(folder: Path) -> None:
    names = ["a/c.JSONL", "a/d.ndjson", "b.json"]
    assert list(read_files(str(folder))) == [(name, name.encode()) for name in names]


def test_of_an_export_only_the_conversations_are_read(folder: Path) -> None:
    (folder / "conversations.json").write_text("x")
    (folder / "a" / "conversations-001.json").write_text("y")
    assert list(read_files(folder)) == [("a/conversations-001.json", b"y"), ("conversations.json", b"x")]


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"[]")))
    assert list(read_files("-")) == [("stdin", b"[]")]


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"no file or directory .*nowhere\. Check the path"):
        list(read_files(tmp_path / "nowhere"))


def test_a_directory_without_conversation_files_says_what_it_looked_for(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("")
    with pytest.raises(NotFoundError, match=r"a directory without \.json, \.jsonl or \.ndjson files"):
        list(read_files(tmp_path))


def test_a_file_that_may_not_be_read_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(InputError, match=r"b\.json cannot be read: Permission denied\."):
        list(read_files(folder / "b.json"))


def test_a_path_no_system_can_have_is_an_input_error() -> None:
    with pytest.raises(InputError, match="cannot be read"):
        list(read_files("x" * 5_000))
