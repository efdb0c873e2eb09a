"""What only a real process shows: the entry point, pipes that close, interrupts, terminals."""

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from conformance.postgres_server import PostgresServer
from memoranda.doors import load
from memoranda.errors import MissingExtraError

ENTRY = "from memoranda.doors.cli import main; main()"
MODULE = "import runpy; runpy.run_module('memoranda', run_name='__main__', alter_sys=True)"


def process(*arguments: str, program: str = ENTRY, **options: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", "-c", program, *arguments]
    return subprocess.Popen(command, text=True, stderr=subprocess.PIPE, stdout=subprocess.PIPE, **options)  # type: ignore[call-overload, no-any-return]


def ended(*arguments: str, program: str = ENTRY, given: str | None = None) -> tuple[int, str, str]:
    started = process(*arguments, program=program, stdin=subprocess.PIPE)
    out, err = started.communicate(given)
    return started.returncode, out, err


@pytest.mark.usefixtures("home")
def test_exit_codes() -> None:
    assert ended("add", "I prefer tea.")[0] == 0
    assert ended("stats", program=MODULE)[0] == 0
    assert ended("history", "nothing")[0] == 1
    assert ended("nonsense")[0] == 2
    code, out, err = ended("recall", "-", "--json", given="tea")
    assert code == 0
    assert json.loads(out)["items"]
    assert err == "memory.db: tenant local, user me, channel _global\n"


@pytest.mark.usefixtures("home")
def test_commands_that_run_at_once_lose_nothing() -> None:
    assert ended("add", "I live in Bergen.")[0] == 0
    kept = [f"I like dish{number}." for number in range(4)]
    at_once = [process("add", text) for text in kept]
    at_once += [process("forget", "--value", "Bergen", "--yes"), process("doctor", "--repair")]
    told = [(one.communicate(timeout=120)[1], one.returncode) for one in at_once]
    assert [code for _, code in told[:-1]] == [0] * 5
    assert not any("Traceback" in err for err, _ in told)
    said = json.loads(ended("events", "--json", "--limit", "20")[1])
    assert sorted(one["event"]["content"] for one in said) == kept
    assert "Bergen" not in ended("recall", "Where do I live?", "--json")[1]


@pytest.mark.parametrize("program", [ENTRY, MODULE])
def test_without_typer_it_says_how_to_install(program: str) -> None:
    refuse = (
        "import sys\nclass Refuse:\n    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'typer': raise ModuleNotFoundError(f'{name} is not installed', name=name)\n"
        "sys.meta_path.insert(0, Refuse())\n"
    )
    code, out, err = ended("stats", program=refuse + program)
    assert (code, out) == (1, "")
    assert err == "memoranda: typer is not installed. To install it: pip install '.[cli]' in a checkout of memoranda\n"


def test_what_is_loaded_by_name_names_its_extra() -> None:
    with pytest.raises(MissingExtraError, match=r"pip install '\.\[x\]' in a checkout"):
        load("nothing", "x")


def test_a_pipe_that_closes_is_no_fault(chat: Path) -> None:
    ended("import", str(chat))
    reading, writing = os.pipe()
    os.close(reading)
    started = subprocess.Popen(
        [sys.executable, "-c", ENTRY, "export"], stdout=writing, stderr=subprocess.PIPE, text=True
    )
    os.close(writing)
    err = started.communicate()[1]
    assert started.returncode == 1
    assert err == "memory.db: tenant local, user me, channel _global\n"


def test_a_full_disk_is_one_line(chat: Path) -> None:
    ended("import", str(chat))
    for command in ("export", "stats"):
        with Path("/dev/full").open("w") as full:
            started = subprocess.Popen(
                [sys.executable, "-c", ENTRY, *command.split()], stdout=full, stderr=subprocess.PIPE, text=True
            )
            err = started.communicate()[1]
        assert started.returncode == 1
        assert err.splitlines()[1:] == [
            "memoranda: the system refused ([Errno 28] No space left on device): mend that, then try again."
        ]


@pytest.mark.usefixtures("home")
def test_what_libraries_log_is_not_told(postgres: PostgresServer) -> None:
    assert ended("add", "tea", "--db", postgres.url)[0] == 0
    code, _, err = ended("add", "tea", "--db", f"{postgres.url}&options=-cdefault_transaction_read_only%3Don")
    assert code == 1
    assert [line.partition(" ")[0] for line in err.splitlines()] == ["postgresql:///postgres:", "memoranda:"]


def test_what_a_terminal_cannot_show_is_replaced(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "chat.json").write_text('[{"role": "user", "content": "I like crème brûlée."}]')
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    code, out, err = ended("import", "chat.json", "\udcff.json")
    assert (code, err) == (1, "memory.db: tenant local, user me, channel _global\n")
    assert "no file or directory ?.json" in out
    assert "cr?me" in ended("why", "crème brûlée")[1]
    assert "crème brûlée." in json.loads(ended("recall", "crème", "--json")[1])["items"][0]["text"]


@pytest.mark.parametrize(
    ("command", "code", "told"),
    [
        ("add tea >&-", 0, ["memory.db: tenant local, user me, channel _global"]),
        ("add - <&-", 1, ["memoranda: The text is empty: give some words, or - to read them from standard input."]),
        ("history nothing 2>&-", 1, []),
    ],
)
@pytest.mark.usefixtures("home")
def test_a_stream_that_is_closed_is_no_fault(command: str, code: int, told: list[str]) -> None:
    shell = ["/bin/sh", "-c", f"'{sys.executable}' -c '{ENTRY}' {command}"]
    done = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.splitlines()) == (code, told)


@pytest.mark.usefixtures("home")
def test_an_interrupt_is_quiet_and_what_was_imported_stays(chat: Path) -> None:
    # Without warnings as errors: the interrupt may fall between the opening of the file and its `with`.
    # Whoever runs the tests in the background has interrupts ignored, and a child inherits that.
    listen = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    command = [sys.executable, "-c", listen + ENTRY, "import", str(chat), "-"]
    pipe = subprocess.PIPE
    started = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    assert started.stdin
    started.stdin.write("[" + 1_000_000 * " ")  # more than a pipe holds: written when the import has come to it
    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=60)
    assert (started.returncode, out, err) == (130, "", "memory.db: tenant local, user me, channel _global\n")
    assert json.loads(ended("stats", "--json")[1])["events"] == 3


@pytest.mark.parametrize(("environment", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
@pytest.mark.usefixtures("home")
def test_a_terminal_sees_colours_unless_it_does_not_want_them(environment: dict[str, str], coloured: bool) -> None:
    ended("add", "I prefer tea.")
    parent, child = pty.openpty()
    names = {**os.environ, "TERM": "xterm-256color", **environment}
    started = subprocess.Popen([sys.executable, "-c", ENTRY, "recall", "tea"], stdout=child, stderr=child, env=names)
    os.close(child)
    assert started.wait() == 0
    shown = os.read(parent, 100_000)
    os.close(parent)
    assert b"I prefer tea." in shown
    assert (b"\x1b[36m" in shown) is coloured


def test_what_a_generated_command_answers_is_drawn_in_a_process_of_its_own(tmp_path: Path) -> None:
    told = {**os.environ, "HOME": str(tmp_path), "MEMORANDA_EMBEDDER": "none"}
    for words in ("add", "Ship 1.0"), ("find",):
        command = [sys.executable, "-m", "memoranda", "goals", *words]
        done = subprocess.run(command, cwd=tmp_path, env=told, capture_output=True, text=True, check=True)
        assert done.stdout.startswith("active  priority 3")
