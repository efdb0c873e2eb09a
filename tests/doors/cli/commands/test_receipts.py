"""`verify-receipt` says no to whatever was changed in a receipt, and what to do about what is none."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from doors.running import Run
from memoranda.doors.cli.shell import app

Document = dict[str, Any]


@pytest.fixture
def receipt(run: Run) -> Document:
    for said in ("I work at Zyxwvut Limited.", "I like tea. My boss at Zyxwvut Limited is Ida."):
        run("add", said)
    printed = run("forget", "--value", "zyxwvut limited", "--yes", "--json").stdout
    found: Document = json.loads(printed)
    assert found["removed"]["events"] == 2
    return found | {"remains": []}


def verified(home: Path, document: object) -> bool:
    (home / "r.json").write_text(json.dumps(document))
    done = CliRunner().invoke(app, ["verify-receipt", "r.json"])
    assert (done.exit_code == 0) is ("Nothing in this receipt was changed." in done.stdout)
    assert done.exit_code == 0 or "changed" in done.stdout or "give all that" in done.stderr
    return done.exit_code == 0


FIELDS = ("tenant", "user", "id", "target", "removed", "digest", "created_at", "salt", "items", "remains")


@pytest.mark.parametrize("field", FIELDS)
def test_no_field_may_be_changed_or_missing(home: Path, receipt: Document, field: str) -> None:
    assert verified(home, receipt)
    assert receipt.keys() == {*FIELDS, "seq"}
    for other in ("", "x", None, 1, True, [], ["x"], {}, {"events": 2}, {"events": ["x"]}, [[]], "2026-01-05T09:30:00"):
        assert other == receipt[field] or not verified(home, receipt | {field: other}), other
    assert not verified(home, {name: value for name, value in receipt.items() if name != field})


CHANGES: dict[str, Callable[[Document], Any]] = {
    "one more": lambda one: one["items"]["events"].append("0" * 32),
    "one fewer": lambda one: one["items"]["events"].pop(),
    "another order": lambda one: one["items"]["events"].reverse(),
    "twice": lambda one: one["items"]["events"].append(one["items"]["events"][0]),
    "another hash": lambda one: one["items"]["events"].__setitem__(0, "0" * 32),
    "another kind": lambda one: one["items"].update(pools=one["items"].pop("events")),
    "a count": lambda one: one["removed"].update(events=3),
    "a count as a fraction": lambda one: one["removed"].update(events=2.0),
    "a count that is none": lambda one: one["removed"].update(records=True),
    "cells": lambda one: one["removed"].update(cells=1),
    "an empty kind": lambda one: (one["removed"].update(pools=0), one["items"].update(pools=[])),
    "a note": lambda one: one.update(note="All copies were burnt."),
    "a time written otherwise": lambda one: one.update(created_at=one["created_at"].replace("+00:00", "Z")),
    "remains": lambda one: one["remains"].append("on the moon"),
    "half a pair": lambda one: one["removed"].update({"\ud800": 1}),
}


@pytest.mark.parametrize("change", CHANGES)
def test_nothing_may_be_added_taken_away_or_reordered(home: Path, receipt: Document, change: str) -> None:
    CHANGES[change](receipt)
    assert not verified(home, receipt)


def test_the_order_of_names_and_where_it_is_kept_say_nothing(home: Path, receipt: Document) -> None:
    assert verified(home, dict(reversed(receipt.items())) | {"seq": 99})
    del receipt["seq"]
    assert verified(home, receipt)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[" * 100_000, "is no JSON"),
        ('{"a":' * 100_000, "is no JSON"),
        ("9" * 10_000, "is no JSON"),
        ("", "is no JSON"),
        ("\udcff", "is no JSON"),
        ("null", "is no receipt"),
        ("[1]", "is no receipt"),
        ("{}", "lacks tenant, user, id"),
    ],
)
def test_what_is_no_receipt_is_told_with_what_to_do(run: Run, home: Path, content: str, says: str) -> None:
    (home / "r.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    told = " ".join(run("verify-receipt", "r.json", exits=1).stderr.split())
    assert says in told
    assert "memoranda forget --json" in told
    assert len(told) < 600


def test_what_is_nested_too_deep_for_a_receipt_is_told(run: Run, home: Path, receipt: Document) -> None:
    (home / "r.json").write_text(
        json.dumps(receipt | {"items": 1}).replace('"items": 1', f'"items": {"[" * 900}{"]" * 900}')
    )
    assert "give all that" in " ".join(run("verify-receipt", "r.json", exits=1).stderr.split())


def test_a_directory_or_a_missing_file_is_no_receipt(run: Run, home: Path) -> None:
    (home / "folder").mkdir()
    (home / "folder" / "receipt.json").write_text("{}")
    for path in ("folder", "missing.json", "folder/receipt.json/x"):
        told = run("verify-receipt", path, exits=1).stderr
        assert "There is no file" in told
        assert "import" not in told
