"""What starting the command line loads: what the command needs, and nothing for the sake of the others."""

import importlib
import re
import subprocess
import sys

import pytest

from architecture.house import PACKAGE
from memoranda.doors.cli.render import DRAWINGS
from memoranda.doors.cli.shell import COMMANDS, OWN, made, summary

ENTRY = "import atexit, sys; atexit.register(lambda: print(*sys.modules)); from memoranda.doors.cli import main; main()"
HEAVY = {"anyio", "hypothesis", "matplotlib", "memoranda.testing", "onnxruntime", "openai", "psycopg", "tokenizers"}


def loaded(program: str, *arguments: str) -> set[str]:
    """What a process prints last."""
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False)
    return set(done.stdout.splitlines()[-1].split())


def flows(found: set[str]) -> set[str]:
    """The rooms of flows of which anything is loaded."""
    return {one.split(".")[2] for one in found if one.startswith("memoranda.flows.") and one.count(".") > 2}


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["goals", "--help"], ["nonsense"]])
def test_a_list_of_commands_loads_none_of_them(arguments: list[str]) -> None:
    found = loaded(ENTRY, *arguments)
    assert "memoranda.doors.cli.shell" in found
    assert not found & {*HEAVY, "asyncio", "numpy", "memoranda.memory", "memoranda.models", "memoranda.stores"}
    assert not flows(found)
    assert not [one for one in found if one.startswith("memoranda.doors.cli.commands.")]


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        (["stats"], {"recall", "runtime"}),
        (["stats", "--help"], {"runtime"}),
        (["recall", "x"], {"capture", "recall", "runtime", "sharing", "strata"}),
    ],
)
def test_a_command_loads_the_flows_that_it_needs(arguments: list[str], needed: set[str]) -> None:
    found = loaded(ENTRY, *arguments, "--db", ":memory:", "--json")
    assert "memoranda.memory" in found
    assert not found & {*HEAVY, "memoranda.doors.cli.commands.demo"}
    assert flows(found) == needed


def test_a_list_says_of_each_command_what_its_help_begins_with() -> None:
    for name in COMMANDS.values():
        told = " ".join(made(name).help.partition("\n\n")[0].split())
        assert summary(name) == told != ""


@pytest.mark.parametrize("module", OWN)
def test_a_module_has_the_commands_that_are_named_for_it(module: str) -> None:
    source = (PACKAGE / "doors" / "cli" / "commands" / f"{module}.py").read_text()
    assert {*re.findall(r"^@command\(\s*\"([^\"]+)\"", source, re.MULTILINE)} == {*OWN[module].split()}


def test_what_is_drawn_is_there() -> None:
    for name in DRAWINGS:
        module, _, kind = name.rpartition(".")
        assert getattr(importlib.import_module(module), kind).__module__ == module
