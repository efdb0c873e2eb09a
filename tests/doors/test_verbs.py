"""Which verb has which command: every verb has one, or a reason why not."""

import json
import shlex
import shutil
from pathlib import Path

import pytest
import typer

from doors.running import Run
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
    "evaluate": "eval",
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
    "goals": "a face with verbs of its own",
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


def examples() -> list[list[str]]:
    """Those of every command as printed, what forgets at the end."""
    printed = [line for command in commands().values() for line in (command.epilog or "").splitlines() if line]
    found = [shlex.split(line.removeprefix("Example: memstrata ").partition(" > ")[0]) for line in printed]
    return sorted(found, key=lambda example: example[0] == "forget")


def test_every_example_runs_as_it_is_printed(run: Run, home: Path, chat: Path) -> None:
    for name in ("conversations.json", "my-export/conversations.json", "chats/one.json"):
        (home / name).parent.mkdir(exist_ok=True)
        shutil.copy(chat, home / name)
    (home / "labels.jsonl").write_text('{"query": "How should mails look?", "answers": ["I prefer short emails."]}')
    run("import", "conversations.json")
    found = json.loads(run("recall", "short emails", "--kinds", "preference", "--json").stdout)
    names = {"RECORD": found["items"][0]["id"], "ITEM": found["items"][0]["id"]}
    for example in examples():
        told = run(*(names.get(word, word) for word in example), exits=int(example[0] == "doctor"), given="y\n").stdout
        assert told, example
