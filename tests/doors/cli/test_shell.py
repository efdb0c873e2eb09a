"""What all commands share: the options, the scope, the memory that is opened, and how faults are told."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from conformance.postgres_server import PostgresServer
from doors.running import Run
from memoranda import Memory

LONG = "x" * 500


def parsed(text: str) -> Any:
    return json.loads(text)


def test_shared_options_stand_before_or_after_the_command(fed: Run) -> None:
    fed("--user", "bob", "add", "I prefer tea.")
    fed("--user", "carol", "add", "I prefer tea.", "--user", "bob")
    assert parsed(fed("--json", "--user", "bob", "stats").stdout)["events"] == 2
    assert parsed(fed("stats", "--user", "carol", "--json").stdout)["events"] == 0


def test_tenants_and_channels_and_agents_are_apart(fed: Run) -> None:
    fed("add", "Plan B is on.", "--channel", "secret", "--agent", "a1")
    assert "Plan B" not in fed("recall", "Plan B").stdout
    assert "Plan B" in fed("recall", "Plan B", "--channel", "secret").stdout
    assert "Plan B" not in fed("recall", "Plan B", "--channel", "secret", "--agent", "a2").stdout
    assert "Plan B" not in fed("recall", "Plan B", "--channel", "secret", "--tenant", "other").stdout


def test_the_whole_is_every_channel_and_said_by_the_command_alone(fed: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    fed("add", "Plan B is on.", "--channel", "secret", "--agent", "a1")
    monkeypatch.setenv("MEMORANDA_WHOLE", "1")
    monkeypatch.setenv("MEMORANDA_CHANNEL", "kitchen")
    monkeypatch.setenv("MEMORANDA_AGENT", "a2")
    assert "Plan B" not in fed("export").stdout
    told = fed("export", "--whole")
    assert "Plan B" in told.stdout
    assert "user me, every channel" in told.stderr
    for more in (["--channel", "secret"], ["--agent", "a1"]):
        assert "leave out agent, channel" in fed("forget", "--everything", "--yes", "--whole", *more, exits=1).stderr
    assert "Nothing is written" in fed("add", "Plan C is on.", "--whole", exits=1).stderr
    asked = fed("forget", "--everything", "--whole", given="n\n", exits=1).stderr
    assert "Forget everything in the scope of me, in every channel, with everything derived" in asked
    assert parsed(fed("stats", "--json").stdout)["events"] == 4
    fed("--whole", "forget", "--everything", given="y\n")
    assert parsed(fed("stats", "--json").stdout)["events"] == 0


def test_the_memory_can_be_elsewhere(run: Run, home: Path) -> None:
    run("add", "I prefer tea.", "--db", "other.db")
    assert (home / "other.db").exists()
    assert not (home / "memory.db").exists()


def test_reading_makes_no_memory(run: Run, home: Path) -> None:
    assert "There is no memory at memory.db yet" in run("recall", "tea", exits=1).stderr
    assert not list(home.iterdir())


def test_a_password_is_not_told(run: Run) -> None:
    result = run("add", "x", "--db", "postgresql://me:secret@127.0.0.1:1/none", exits=1)
    assert "secret" not in result.output


def test_the_memory_can_be_a_postgresql_server(run: Run, chat: Path, postgres: PostgresServer) -> None:
    elsewhere = ["--db", f"{postgres.url}&application_name=secret", "--tenant", "cli"]
    result = run("import", str(chat), *elsewhere)
    assert re.search(r"new +3\n", result.stdout)
    assert result.stderr == "postgresql:///postgres: tenant cli, user me, channel _global\n"
    assert "I prefer short emails." in run("recall", "short emails", *elsewhere).stdout
    assert run("forget", "--everything", "--yes", *elsewhere).stdout


def test_it_tells_its_version(run: Run) -> None:
    assert re.fullmatch(r"memoranda \d+\.\d+\.\d+\n", run("--version").stdout)


def test_terminal_commands_in_memory_are_not_carried_out(run: Run) -> None:
    run("add", "I prefer \x1b[31mred\x1b[0m and [bold]markup[/bold].")
    shown = run("recall", "markup").stdout
    assert "\x1b" not in shown
    assert "[bold]markup[/bold]" in shown
    assert "\x1b" not in run("add", "x", "--user", "\x1b[2J").output
    assert "\x1b" not in run("demo", "--data", "\x1b[2J", exits=1).output


# ---------------------------------------------------------------------------------------------------- faults


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("bad.json", b'{"messages": [', "bad.json"),
        ("binary.json", b"PK\x03\x04rest", "zip archive"),
        ("empty.json", b"", "empty"),
        ("latin.json", b'[{"role": "user", "content": "\xe9"}]', "not UTF-8"),
        ("other.json", b'{"a": 1}', "this is no conversation"),
    ],
)
def test_a_bad_file_is_reported_and_the_good_ones_are_taken_in(
    run: Run, home: Path, chat: Path, name: str, content: bytes, told: str
) -> None:
    (home / name).write_bytes(content)
    result = run("import", name, str(chat), exits=1)
    assert told in result.stdout
    assert re.search(r"new +3\n", result.stdout)


def test_a_missing_file_is_reported_and_makes_no_memory(run: Run, home: Path) -> None:
    assert "no file or directory nowhere.json" in run("import", "nowhere.json", exits=1).stdout
    assert not list(home.iterdir())


def test_a_scope_that_cannot_be_makes_no_memory(run: Run, home: Path) -> None:
    assert "user is needed" in run("add", "x", "--user", "", exits=1).stderr
    assert "600 characters" in run("add", "x", "--tenant", "x" * 600, exits=1).stderr
    assert not list(home.iterdir())


def test_a_search_without_its_collection_names_what_it_takes(run: Run) -> None:
    told = run("collections", "search", "refund", exits=2).stderr
    assert re.search(r"\{collection\}\s+\{query\}", told)
    assert "Missing argument 'query'" in told


@pytest.mark.parametrize(
    "arguments",
    [
        ["recall"],
        ["recall", "x", "--limit", "0"],
        ["recall", "x", "--since", "soonish"],
        ["recall", "x", "--profile", "best"],
        ["recall", "x", "--nonsense"],
        ["add", "x", "--role", "boss"],
        ["observe", "x", "--source", "hearsay"],
        ["import", "x.json", "--format", "msn"],
        ["import"],
        ["context", "x", "--budget", "0"],
        ["eval"],
        ["eval", "x", "--demo"],
        ["eval", "x", "--budget", "0"],
        *(
            ["eval", "x", "--compare", it]
            for it in ("profile=best", "limit=5", "per_conversation=x", "embedder=hashed")
        ),
        ["context", "x", "--layout", "wide"],
        ["forget"],
        ["forget", "--record", "a", "--source", "b"],
        ["nonsense"],
    ],
)
def test_a_wrong_call_is_2_and_says_why(run: Run, home: Path, arguments: list[str]) -> None:
    assert "Usage: " in run(*arguments, exits=2).stderr
    assert not list(home.iterdir())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["forget", "--record", "a", "--yes"], "nothing to forget"),
        (["history", "nothing"], "There is no record 'nothing' in this scope; recall gives the ids of records."),
        (["why", "emails", "nothing"], "There is no memory 'nothing' in this scope; recall gives the ids of memories."),
        (["recall", " "], "The text is empty"),
        (["add", " "], "The text is empty"),
        (["add", "x", "--user", " "], "user is needed"),
        (["add", "x", "--user", ""], "user is needed"),
        (["--tenant", "", "stats"], "tenant is needed"),
        (["recall", "x", "--embedder", "best"], "There is no embedder 'best'"),
        (["stats", "--db", "."], "."),
    ],
)
def test_what_cannot_be_done_is_1_and_one_line(fed: Run, arguments: list[str], told: str) -> None:
    stderr = fed(*arguments, exits=1).stderr
    (line,) = [line for line in stderr.splitlines() if line.startswith("memoranda: ")]
    assert told in line


@pytest.mark.parametrize(
    "arguments",
    [
        ["history", LONG],
        ["why", "emails", LONG],
        ["forget", "--record", LONG, "--yes"],
        ["recall", "x", "--embedder", LONG],
        ["recall", "x", "--since", LONG],
        ["recall", "x", "--kinds", LONG],
        ["recall", "x", "--profile", LONG],
        ["recall", "x", "--deadline", LONG],
        ["eval", "x", "--compare", LONG],
    ],
)
def test_what_is_long_is_not_told_in_full(fed: Run, arguments: list[str]) -> None:
    wrong = {"--since", "--kinds", "--profile", "--deadline", "--compare"}
    told = "".join(fed(*arguments, exits=2 if wrong.intersection(arguments) else 1).stderr.replace("│", "").split())
    assert "x" * 40 in told
    assert "x" * 60 not in told


def test_a_bad_settings_file_is_one_line(run: Run, home: Path) -> None:
    (home / "memoranda.toml").write_text("colour = 1")
    assert "no such setting as colour" in run("stats", exits=1).stderr


def test_the_memory_is_closed_after_a_fault(fed: Run, home: Path) -> None:
    fed("history", "nothing", exits=1)
    with Memory.open(home / "memory.db", embedder="none") as memory:
        assert memory.stats(tenant="local")["events"] == 3
