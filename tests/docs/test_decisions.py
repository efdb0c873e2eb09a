"""The index of the decision records lists each, by its title and with what became of it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "decisions"
RECORDS = sorted(FOLDER.glob("[0-9]*.md"))
INDEX = (FOLDER / "README.md").read_text("utf-8")
ROW = re.compile(r"^\| (\d+) \| \[(.*)\]\((.*)\) \| (.+) \| (.+) \|$", re.MULTILINE)


def status(record: str) -> str:
    """Return what the line below a record's title says became of it, in the words of the index."""
    says = re.match(r"# .*\n\n\*(Amended|Superseded) by decisions? (.*?):", record)
    return f"{says[1].lower()} by {says[2]}" if says else "accepted"


def test_the_index_lists_every_record_in_order() -> None:
    assert len(RECORDS) > 50
    assert [row[2] for row in ROW.findall(INDEX)] == [path.name for path in RECORDS]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name[:4])
def test_a_record_is_listed_as_it_is(path: Path) -> None:
    record = path.read_text("utf-8")
    number, title, _, line, said = next(row for row in map(list, ROW.findall(INDEX)) if row[2] == path.name)
    assert record.startswith(f"# {number}. {title}\n")
    assert int(path.name[:4]) == int(number)
    assert said == status(record)
    assert line.endswith(".")


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name[:4])
def test_a_record_is_short(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 40


def test_every_decision_that_is_named_is_there() -> None:
    pages = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md"), *(ROOT / "src").rglob("*.py")]
    named = {
        int(number)
        for page in pages
        for numbers in re.findall(r"\bdecisions? (\d+(?:(?:, | and )\d+)*)", page.read_text("utf-8"))
        for number in re.findall(r"\d+", numbers)
    }
    assert len(named) > 20
    assert named <= {int(path.name[:4]) for path in RECORDS}
