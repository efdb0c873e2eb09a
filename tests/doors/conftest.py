import functools
import json
import socket
from pathlib import Path
from typing import Any, NoReturn

import pytest
from typer.testing import CliRunner, Result

from doors.running import Run
from memoranda.doors.cli import shell
from memoranda.doors.cli.shell import app

made = functools.cache(shell.made)  # it takes longer than most commands, and is the same each time


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any) -> NoReturn:
        raise AssertionError(f"a connection was opened: {args}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, which is the home directory as well, and an environment that says nothing."""
    for name in ("DB", "TENANT", "USER", "AGENT", "CHANNEL", "OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_DIMENSION"):
        monkeypatch.delenv(f"MEMORANDA_{name}", raising=False)
    monkeypatch.setenv("MEMORANDA_EMBEDDER", "none")
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name in ("CODEX_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)  # no test sets up a client of whoever runs it
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(home: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command line in `home` and checks its exit code."""
    assert Path.cwd() == home
    monkeypatch.setattr(shell, "made", made)

    def run(*arguments: str, exits: int = 0, given: str | bytes = "") -> Result:
        result = CliRunner().invoke(app, list(arguments), input=given)
        assert result.exit_code == exits, result.output
        assert "Traceback" not in result.output
        return result

    return run


@pytest.fixture
def chat(home: Path) -> Path:
    """A file with one conversation of three turns."""
    messages = [
        {"role": "user", "content": "My name is Ida.", "timestamp": "2026-01-06T17:40:00Z"},
        {"role": "assistant", "content": "Hello Ida. How should mails look?", "timestamp": "2026-01-06T17:41:00Z"},
        {"role": "user", "content": "I prefer short emails.", "timestamp": "2026-02-03T09:00:00Z"},
    ]
    path = home / "chat.json"
    path.write_text(json.dumps([{"id": "c1", "messages": messages}]))
    return path


@pytest.fixture
def fed(run: Run, chat: Path) -> Run:
    """Runs a command line on a memory into which `chat` was imported."""
    run("import", str(chat))
    return run
