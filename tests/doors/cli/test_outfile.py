import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from memoranda.doors.cli.files import write_lines
from memoranda.errors import InputError


def test_a_file_is_replaced_when_all_lines_are_there(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("old")

    def rows() -> Iterator[dict[str, str]]:
        yield {"a": "é"}
        assert path.read_text() == "old"

    assert write_lines(path, rows()) == 1
    assert path.read_text("utf-8") == '{"a": "é"}\n'
    assert list(tmp_path.iterdir()) == [path]


def test_a_fault_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("old")

    def rows() -> Iterator[int]:
        yield 1
        raise KeyError

    with pytest.raises(KeyError):
        write_lines(path, rows())
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_lines(tmp_path / "link", [1])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "1\n"


def test_what_is_no_file_is_never_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(InputError, match="is no file: name one"):
            write_lines(path, [1])
    assert (tmp_path / "pipe").is_fifo()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no/where cannot be written: No such file"):
        write_lines(tmp_path / "no" / "where", [1])
