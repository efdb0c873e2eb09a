"""Setting up clients: their configuration gets one entry, and keeps all else."""

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from doors.running import Run
from memoranda.doors.mcp.clients import CLIENTS, change
from memoranda.errors import InputError

COMMAND = ["/usr/bin/python3", "-m", "memoranda", "mcp", "--user", 'al"ice\\é']


def at(home: Path) -> Any:
    return lambda _, usual: home / usual


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_without_configuration_gets_one(tmp_path: Path, client: str) -> None:
    found = change(client, COMMAND, "linux", at(tmp_path))
    found.make()
    text = found.path.read_text("utf-8")
    told = tomllib.loads(text) if found.path.suffix == ".toml" else json.loads(text)
    entry = told[CLIENTS[client].key]["memoranda"]
    assert [entry["command"], *entry["args"]] == COMMAND
    again = change(client, COMMAND, "linux", at(tmp_path))
    assert again.before == again.after == text


@pytest.mark.parametrize(
    ("client", "platform", "place"),
    [
        ("claude-desktop", "darwin", "Library/Application Support/Claude/claude_desktop_config.json"),
        ("claude-desktop", "win32", "AppData/Roaming/Claude/claude_desktop_config.json"),
        ("claude-desktop", "linux", ".config/Claude/claude_desktop_config.json"),
        ("claude-code", "darwin", ".claude.json"),
        ("cursor", "win32", ".cursor/mcp.json"),
        ("codex", "linux", ".codex/config.toml"),
    ],
)
def test_each_client_looks_somewhere_else(tmp_path: Path, client: str, platform: str, place: str) -> None:
    assert change(client, COMMAND, platform, at(tmp_path)).path == tmp_path / place


JSON = """{
    "theme": "dünn",
    "mcpServers": {
        "other": {
            "command": "other",
            "env": {
                "KEY": "secret"
            }
        }
    }
}
"""
TOML = """# mine
model = "o9"  # the best

[mcp_servers.other]
command = "other"
env = { KEY = "secret" }
"""
TABLE = """
[mcp_servers.memoranda]
command = "old"
args = [
  "a", # why
]

[mcp_servers.memoranda.env]
A = "b"

[tools]
web = true
"""


def test_json_keeps_what_is_there(tmp_path: Path) -> None:
    (tmp_path / ".cursor").mkdir()
    (tmp_path / ".cursor/mcp.json").write_text(JSON, "utf-8")
    found = change("cursor", COMMAND, "linux", at(tmp_path))
    told = json.loads(found.after)
    del told["mcpServers"]["memoranda"]
    assert told == json.loads(JSON)
    assert found.after.startswith(JSON[: JSON.index("        }\n    }\n}")]), "indented as it was"
    assert "secret" not in found.shown
    assert "/usr/bin/python3" in found.shown


@pytest.mark.parametrize("before", [TOML, TOML + TABLE, TABLE.lstrip(), TABLE.lstrip() + TOML.partition("\n\n")[2]])
def test_toml_keeps_what_is_there(tmp_path: Path, before: str) -> None:
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex/config.toml").write_text(before, "utf-8")
    found = change("codex", COMMAND, "linux", at(tmp_path))
    wanted = tomllib.loads(before)
    wanted.setdefault("mcp_servers", {})["memoranda"] = {"command": COMMAND[0], "args": COMMAND[1:]}
    assert tomllib.loads(found.after) == wanted
    for line in before.replace(TABLE[: TABLE.index("[tools]")].lstrip(), "").splitlines():
        assert line in found.after.splitlines()


@pytest.mark.parametrize(
    ("client", "text"),
    [
        ("cursor", "// mine\n{}"),
        ("cursor", "[]"),
        ("cursor", '{"mcpServers": []}'),
        ("cursor", "[" * 100_000),
        ("codex", "model = "),
        ("codex", 'mcp_servers = { memoranda = { command = "old" } }'),
        ("codex", "mcp_servers = 3"),
    ],
)
def test_what_cannot_be_read_is_left_alone(tmp_path: Path, client: str, text: str) -> None:
    path = CLIENTS[client].path("linux", at(tmp_path))
    path.parent.mkdir()
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match="add this server by hand"):
        change(client, COMMAND, "linux", at(tmp_path))
    assert path.read_text("utf-8") == text


def test_what_is_no_text_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".claude.json").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="cannot be read"):
        change("claude-code", COMMAND, "linux", at(tmp_path))


def test_what_was_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    found = change("claude-code", COMMAND, "linux", at(tmp_path))
    found.path.write_text('{"a": 1}', "utf-8")
    with pytest.raises(InputError, match="changed by somebody else"):
        found.make()
    assert found.path.read_text("utf-8") == '{"a": 1}'


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / ".cursor").write_text("no folder", "utf-8")
    with pytest.raises(InputError, match=r"\.cursor"):
        change("cursor", COMMAND, "linux", at(tmp_path)).make()


# ------------------------------------------------------------------------------------- the command line


def test_the_user_is_shown_the_change_and_asked(run: Run, home: Path) -> None:
    path = home / ".claude.json"
    refused = run("mcp", "install", "claude-code", "--user", "alice", given="n\n", exits=1)
    assert f"{path}" in refused.output
    assert '+    "memoranda": {' in refused.output
    assert not path.exists()
    run("mcp", "install", "claude-code", "--user", "alice", "--tools", "read", "--unasked", given="y\n")
    entry = json.loads(path.read_text("utf-8"))["mcpServers"]["memoranda"]
    assert entry == {
        "type": "stdio",
        "command": sys.executable,
        "args": [
            "-m", "memoranda", "mcp", "--db", str(home / "memory.db"), "--tenant", "local", "--user", "alice",
            "--embedder=none", "--tools=read", "--unasked",
        ],
    }  # fmt: skip
    told = run("mcp", "install", "claude-code", "--user", "alice", "--tools", "read", "--unasked")
    assert "set up already" in told.output


def test_the_place_is_kept(run: Run, home: Path) -> None:
    place = ["--agent", "cook", "--channel", "kitchen", "--connections", "jira", "--db", "postgresql://x/y"]
    run("mcp", "install", "codex", *place, "--yes")
    args = tomllib.loads((home / ".codex/config.toml").read_text("utf-8"))["mcp_servers"]["memoranda"]["args"]
    assert args[3:] == [
        "--db", "postgresql://x/y", "--tenant", "local", "--user", "me", "--agent=cook", "--channel=kitchen",
        "--embedder=none", "--connections=jira",
    ]  # fmt: skip


def test_a_folder_may_be_elsewhere(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEX_HOME", str(home / "elsewhere"))
    run("mcp", "install", "codex", "--yes")
    assert (home / "elsewhere" / "config.toml").exists()


def test_an_unknown_client_is_told_which_there_are(run: Run) -> None:
    for client in ("emacs", ""):
        assert "there are claude-desktop, claude-code" in run("mcp", "install", client, exits=1).output
