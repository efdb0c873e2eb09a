"""Which verb has which command: every verb has one, or a reason why not."""

import pytest
import typer

from memstrata import AsyncMemory, AsyncScoped
from memstrata.doors.commands import app

COMMANDS = {
    "add": "add",
    "observe": "observe",
    "recall": "recall",
    "context": "context",
    "profile": "profile",
    "history": "history",
    "why": "why",
    "forget": "forget",
    "export": "export",
    "import_conversations": "import",
    "stats": "stats",
    "doctor": "doctor",
    "reembed": "reembed",
}
WITHOUT = {
    "open": "every command opens the memory",
    "scope": "the options of every command name it",
    "close": "every command closes what it opened",
}
OF_ITS_OWN = {"demo": "a tour of the others"}


def commands() -> dict[str, typer.core.TyperCommand]:
    group = typer.main.get_command(app)
    return dict(group.commands)


def verbs() -> set[str]:
    return {name for face in (AsyncMemory, AsyncScoped) for name in vars(face) if not name.startswith("_")}


def test_every_verb_has_a_command_or_a_reason() -> None:
    assert verbs() == COMMANDS.keys() | WITHOUT.keys()
    assert set(commands()) == set(COMMANDS.values()) | OF_ITS_OWN.keys()


@pytest.mark.parametrize("name", sorted({*COMMANDS.values(), *OF_ITS_OWN}))
def test_every_command_says_what_it_does_and_shows_an_example(name: str) -> None:
    command = commands()[name]
    assert command.help
    assert (command.epilog or "").startswith(f"Example: memstrata {name}")


@pytest.mark.parametrize("name", sorted({*COMMANDS.values(), *OF_ITS_OWN}))
def test_every_command_takes_the_shared_options(name: str) -> None:
    options = {one for parameter in commands()[name].params for one in parameter.opts}
    assert {"--db", "--tenant", "--user", "--channel", "--agent", "--whole", "--embedder", "--json"} <= options
