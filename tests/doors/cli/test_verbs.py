"""Which verb has which command: every verb has one, or a reason why not."""

import functools
import json
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperCommand

from doors.running import Run
from memoranda.core.base.plain import plain
from memoranda.doors.cli.shell import COMMANDS, made
from memoranda.verbs.registry import VERBS, Verb
from memoranda.verbs.schema import arguments, decode

OF_ITS_OWN = {
    "demo": "a tour of the others",
    "verify-receipt": "a method of what `forget` answers",
    "mcp": "a door",
    "serve": "a door",
    "openapi": "says what a door answers",
}
#: What an example that has these words needs: commands, and the word that stands for the id of what each made.
NEEDED = {
    "restore": [("", "export --whole --out memory.jsonl")],
    "GOAL": [("GOAL", "goals add 'Reach NUMBER'")],
    "STRATEGY": [("STRATEGY", "strategies learn 'Try NUMBER'")],
    "POOL": [("POOL", """pools create pNUMBER --data '{"goal": "ship"}'""")],
    "COLLECTION": [("COLLECTION", "collections create cNUMBER")],
    "ENTRY": [("ENTRY", "collections add COLLECTION 'Entry NUMBER'")],
    "CONVERSATION": [("", "add 'My cat is called Rex' --conversation CONVERSATION")],
    "EVENT": [("EVENT", "add 'My dog is called NUMBER' --conversation c9")],
    "REQUEST": [("", "context 'Which dog?'"), ("REQUEST", "contexts")],
    "draft": [("", "entries set draft 1"), ("", "working set draft 1 --conversation c1")],
    "QUESTION": [("QUESTION", "working ask 'Shall I?' --conversation c1")],
    "working load": [("", "working persist --conversation c1")],
    "working shared-by": [
        ("", "working set draft 1 --conversation c1 --agent planner"),
        ("", "working share-with writer draft --conversation c1 --agent planner"),
    ],
    "Ann": [("", "graph relate Ann Oslo LOCATED_IN")],
    "Annie": [("", "graph upsert Annie")],
    "keys rotate": [("KEY", "keys create")],
    "keys revoke": [("KEY", "keys create")],
    "keys check": [("SECRET", "keys create")],
    "goals resume": [("", "goals block GOAL --by rain")],
    "collections unarchive": [("", "collections archive COLLECTION")],
    "SNAPSHOT": [("SNAPSHOT", "collections snapshot COLLECTION before-summer")],
    "channels promote": [("RECORD", "observe 'The boat of NUMBER leaks' --channel sailing")],
    "review accept": [
        ("", "observe 'The hull of NUMBER leaks'"),
        ("RECORD", "observe 'The hull of NUMBER does not leak' --source workflow"),
    ],
    "outcomes record": [("DECISION", "observe 'We decided to paint number NUMBER blue'")],
    "review reject": [("RECORD", "observe 'The mast of NUMBER is red'")],
    "correct": [("RECORD", "observe 'The keel of NUMBER is green'")],
    "end": [("RECORD", "observe 'The sail of NUMBER is white'")],
    "--record": [("RECORD", "observe 'The boat of NUMBER is blue'")],
    "pools unshare": [("POOL", "pools create uNUMBER"), ("", "pools share POOL finding RECORD")],
    "collections unshare": [("COLLECTION", "collections create uNUMBER"), ("", "collections share COLLECTION RECORD")],
    "pools revoke": [("POOL", "pools create rNUMBER"), ("GRANT", "pools grant POOL --for-agent writer")],
    "collections revoke": [
        ("COLLECTION", "collections create rNUMBER"),
        ("GRANT", "collections grant COLLECTION --everyone"),
    ],
}


@functools.cache
def commands() -> dict[str, TyperCommand]:
    return {path: made(name) for path, name in COMMANDS.items()}


def test_every_verb_has_a_command() -> None:
    assert commands().keys() == {verb.command for verb in VERBS.values()} | OF_ITS_OWN.keys()


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_says_what_it_does_and_shows_an_example(name: str) -> None:
    command = commands()[name]
    assert command.help
    examples = {verb.command: verb.example for verb in VERBS.values()}
    assert f"Example: {examples.get(name, f'memoranda {name}')}" in (command.epilog or "")


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_takes_the_shared_options(name: str) -> None:
    options = {one for parameter in commands()[name].params for one in parameter.opts}
    shared = {"--db", "--tenant", "--user", "--channel", "--agent", "--connections", "--whole", "--embedder", "--json"}
    assert shared <= options


def test_every_argument_and_option_says_what_it_is() -> None:
    told = {name: [one.name for one in command.params if not one.help] for name, command in commands().items()}
    assert {name: silent for name, silent in told.items() if silent} == {}


def examples() -> list[list[str]]:
    """Those of every command as printed, what ends records last; one on a server runs in `test_postgres_queue`."""
    printed = [line for command in commands().values() for line in (command.epilog or "").splitlines() if line]
    printed = [line for line in printed if "postgresql://" not in line]
    found = [shlex.split(line.removeprefix("Example: memoranda ").partition(" > ")[0]) for line in printed]
    found = [one for one in found if one[0] not in {"serve", "mcp"} or "install" in one]  # these answer until they end
    last = ("channels", "review", "correct", "end", "forget")
    return sorted(found, key=lambda example: example[0] in last)


def made_in(answer: Any, word: str) -> str:
    """The id of what a command made, for which a word stands; of a key, perhaps its secret."""
    if word == "EVENT":
        return str(answer["events"][0])
    if isinstance(answer, list):
        answer = answer[0]
    if "key" in answer:
        return str(answer["secret"] if word == "SECRET" else answer["key"]["id"])
    return str(answer if isinstance(answer, str) else answer.get("id") or answer["decisions"][0]["record"])


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Verb[..., Any], dict[str, Any]]]:
    """The verbs that are called, each with its arguments."""
    made: list[tuple[Verb[..., Any], dict[str, Any]]] = []
    given = Verb.given

    def noted(verb: Verb[..., Any], *call: Any) -> Any:
        if not isinstance(bound := given(verb, *call), TypeError):
            bound.arguments.update({name: [*one] for name, one in bound.arguments.items() if isinstance(one, Iterator)})
            made.append((verb, dict(bound.arguments)))
        return bound

    monkeypatch.setattr(Verb, "given", noted)
    return made


def as_json(verb: Verb[..., Any], given: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(plain({name: given[name] for name in arguments(verb)["properties"] if name in given})))


def bare(value: Any) -> Any:
    """JSON without what is empty: a turn that is read has all the members of a turn."""
    if isinstance(value, dict):
        return {name: bare(one) for name, one in value.items() if one not in (None, {})}
    return [*map(bare, value)] if isinstance(value, list) else value


def test_every_example_runs_as_it_is_printed_and_is_the_same_call_as_json(
    run: Run, home: Path, chat: Path, calls: list[tuple[Verb[..., Any], dict[str, Any]]]
) -> None:
    for name in ("conversations.json", "my-export/conversations.json", "chats/one.json"):
        (home / name).parent.mkdir(exist_ok=True)
        shutil.copy(chat, home / name)
    (home / "schema.json").write_text('{"issue": ["title"]}')
    (home / "labels.jsonl").write_text('{"query": "How should mails look?", "answers": ["I prefer short emails."]}')
    run("import", "conversations.json")
    run("add", "I live at Elm Street 4.")
    run("add", "My locker has the number 4711.")
    (home / "receipt.json").write_text(run("forget", "--value", "4711", "--yes", "--json").stdout)
    found = json.loads(run("recall", "short emails", "--kinds", "preference", "--json").stdout)
    names: dict[str, str] = {"RECORD": found["items"][0]["id"], "ITEM": found["items"][0]["id"]}
    for number, example in enumerate(examples()):
        for needed, steps in NEEDED.items():
            if {*needed.split()} <= {*example}:
                for name, made in steps:
                    words = shlex.split(made.replace("NUMBER", str(number)))
                    answer = json.loads(run(*(names.get(word, word) for word in words), "--json").stdout)
                    names |= {name: made_in(answer, name)} if name else {}
        told = run(*(names.get(word, word) for word in example), exits=int(example[0] == "doctor"), given="y\n").stdout
        assert told, example
    for verb, given in calls:
        told = as_json(verb, given)
        assert bare(as_json(verb, decode(verb, told))) == bare(told), verb
    assert {verb.name for verb, _ in calls} == VERBS.keys()


def test_a_verb_of_a_face_takes_what_its_signature_says(run: Run) -> None:
    given = ("--priority", "1", "--deadline", "2030-03-01", "--recall-when", "release", "--recall-when", "ship it")
    made = json.loads(run("goals", "add", "-", *given, "--inferred", "--json", given="Ship 1.0").stdout)
    assert (made["text"], made["priority"], made["inferred"]) == ("Ship 1.0", 1, True)
    assert (made["deadline"], made["recall_when"]) == ("2030-03-01T00:00:00+00:00", ["release", "ship it"])
    assert re.search(r"^active  priority 1, until 2030-03-01 00:00\n    Ship 1\.0\n", run("goals", "find").stdout)
    assert "cannot become" in run("goals", "resume", made["id"], exits=1).stderr
    assert "no time" in run("goals", "add", "x", "--deadline", "soonish", exits=2).stderr
    told = run("goals", "add", "--help").stdout
    for line in ("Set a goal; the same words again", "What is to be reached.", "1 (first) to 5.", "default: 3", "TIME"):
        assert line in told


def test_help_tells_arguments_apart_and_names_choices_as_they_are_given(run: Run) -> None:
    told = " ".join(run("tools", "record", "--help").stdout.split())
    assert re.search(r"\{tool\} \[?input\]? .*\[?output\]?", told)
    assert told.count("Any JSON. All of it is kept") == 2
    assert "TIME" not in run("entries", "day", "--help").stdout
    assert "task_context, conversation" in run("entries", "set", "--help").stdout
    assert "person, place" in run("graph", "upsert", "--help").stdout


def test_what_holds_others_is_drawn_and_not_printed_as_code(run: Run) -> None:
    run("graph", "relate", "Ann", "Acme", "WORKS_FOR")
    run("graph", "relate", "Acme", "Oslo", "LOCATED_IN", "--valid-from", "2020-01-01")
    run("graph", "upsert", "Ann", "--aliases", "Annie")
    run("strategies", "learn", "Ask the harbour first")
    around = run("graph", "neighbourhood", "Ann", "--depth", "2").stdout
    assert "\n    Acme  (thing)\n        Oslo  (thing)\n" in around
    assert re.search(r"^Acme LOCATED_IN Oslo  since 2020-01-01$", around, re.MULTILINE)
    assert run("graph", "path", "Ann", "Oslo").stdout.splitlines()[1].startswith("Acme LOCATED_IN Oslo")
    assert "names of one entity" in run("graph", "path", "Ann", "Annie").stdout
    found = json.loads(run("strategies", "find", "Ask the harbour", "--json").stdout)
    assert [round(one["success_rate"], 2) for one in found] == [0.67]
    run("tools", "record", "search", "--no-success")
    assert json.loads(run("tools", "stats", "--json").stdout)[0]["success_rate"] == 0
    for command in (["graph", "entity", "Ann"], ["strategies", "find", "Ask the harbour"]):
        assert "datetime" not in run(*command).stdout


def test_json_is_read_and_what_was_to_be_json_is_not_taken_for_a_text(run: Run) -> None:
    for given, kept in (
        ('{"to": ["Bob"]}', {"to": ["Bob"]}),
        ("5", 5),
        ("[ERROR] late", "[ERROR] late"),
        ("NaN", "NaN"),
    ):
        assert json.loads(run("entries", "set", "draft", given, "--json").stdout)["value"] == kept
    told = run("entries", "set", "draft", '{"to": Bob}', exits=2).stderr
    assert "no JSON" in told
    assert "Traceback" not in told


def test_a_day_is_one_in_utc(run: Run) -> None:
    run("entries", "log", "The import took long")
    assert "import" in run("entries", "day", "today").stdout
    for day in ("0001-01-01", "9998-12-31", "2026-03-01T23:00-05:00"):
        assert "import" not in run("entries", "day", day).stdout
    assert "no calendar" in run("entries", "day", "9999-12-31T23:00-05:00", exits=2).stderr


def test_a_day_that_is_given_for_an_end_is_in_it(run: Run) -> None:
    run("entries", "set", "draft", "hello")
    assert "hello" in run("entries", "find", "--since", "today", "--until", "today").stdout
    run("graph", "relate", "Ann", "Acme", "WORKS_FOR", "--valid-from", "2019-01-01", "--valid-until", "2020-06-30")
    for command in (["path", "Ann", "Acme"], ["neighbourhood", "Ann"]):
        assert "WORKS_FOR" in run("graph", *command, "--as-of", "2020-06-29").stdout
        assert "WORKS_FOR" in run("graph", *command, "--as-of", "2020-06-30T23:59").stdout
        assert "WORKS_FOR" not in run("graph", *command, "--as-of", "2020-07-01").stdout


def test_a_number_that_may_be_left_out_is_an_option(run: Run) -> None:
    for text in ("one", "two"):
        run("working", "add", text, "--conversation", "c1")
    assert re.findall(r"^content +(.*)$", run("working", "turns", "--conversation", "c1").stdout, re.MULTILINE) == [
        "one", "two",
    ]  # fmt: skip
    last = run("working", "turns", "--conversation", "c1", "--limit", "1").stdout
    assert re.findall(r"^content +(.*)$", last, re.MULTILINE) == ["two"]


def test_what_belongs_to_a_connection_is_seen_while_it_is_active(run: Run) -> None:
    told = run("connections", "learn", "jira", "The board is called Waves", exits=1, given="").stderr
    assert "no active connection 'jira'" in told
    learned = run("--connections", "jira", "connections", "learn", "jira", "The board is called Waves")
    assert "connections jira" in learned.stderr
    asked = ("recall", "What is the board called?")
    assert "Waves" in run(*asked, "--connections", "slack", "--connections", "jira").stdout
    assert "Waves" not in run(*asked).stdout
    assert "leave out agent, channel and connections" in run(*asked, "--whole", "--connections", "jira", exits=1).stderr


def test_what_lies_around_is_drawn_as_a_picture(run: Run, home: Path) -> None:
    for source, target in (("Ann", "Os$lo$"), ("Ann", "<b>Rex"), ("Os$lo$", "A harbour with a name of many words")):
        run("graph", "relate", source, target)
    plain = run("graph", "neighbourhood", "Ann", "--depth", "2", "--plot", "ann.png").stderr
    assert "boxes" not in plain
    run("graph", "relate", "Ann", "漢字")
    told = run("graph", "neighbourhood", "Ann", "--plot", "ann.png").stderr
    assert told.endswith("drawn: ann.png; letters that its font has not are boxes\n")
    assert (home / "ann.png").read_bytes().startswith(b"\x89PNG")
    run("graph", "upsert", "Alone")
    run("graph", "neighbourhood", "Alone", "--plot", "alone.png")
    told = run("graph", "neighbourhood", "Ann", "--plot", "nowhere/ann.png", exits=1).stderr
    assert "nowhere/ann.png cannot be written" in told


def test_working_memory_is_of_a_conversation_or_a_run(run: Run) -> None:
    run("working", "add", "I decided to take the ferry.", "--conversation", "c1", "--name", "Ida")
    run("working", "set", "draft", '{"to": "Bob"}', "--run", "nightly")
    shown = run("working", "view", "--conversation", "c1").stdout
    assert shown.startswith("user Ida: I decided to take the ferry.\n")
    assert re.search(r"^decisions +Ida decided to take the ferry\.$", shown, re.MULTILINE)
    assert json.loads(run("working", "get", "draft", "--run", "nightly", "--json").stdout) == {"to": "Bob"}
    assert run("working", "view", "--conversation", "c2").stdout == "nothing is at hand\n"
    assert "of one conversation or one run" in run("working", "keys", exits=1).stderr
    assert "not both" in run("working", "keys", "--run", "nightly", "--conversation", "c1", exits=1).stderr
    made = json.loads(run("working", "flush", "--conversation", "c1", "--json").stdout)
    assert (made["conversations"], len(made["events"])) == (1, 1)


def test_null_takes_away_and_a_dash_names_nobody(run: Run) -> None:
    run("working", "note", "task", '{"step": 2}', "--conversation", "c1")
    taken = run("working", "note", "task", "null", "--conversation", "c1", "--json").stdout
    assert json.loads(taken)["existed"]
    assert run("working", "view", "--conversation", "c1").stdout == "nothing is at hand\n"
    run("working", "set", "draft", "hello", "--conversation", "c1")
    run("working", "share-with", "writer", "draft", "--conversation", "c1")
    assert run("working", "shared-by", "-", "draft", "--agent", "writer").stdout == "hello\n"


def test_what_a_tool_answers_is_read_where_it_is_asked_for(run: Run, home: Path) -> None:
    refresh = ("--connections", "jira", "connections", "refresh", "jira", "schema")
    assert "no.json" in run(*refresh, "no.json", exits=1).stderr
    assert "stdin is no JSON" in run(*refresh, "-", exits=1, given="{").stderr
    for file in ("schema.json", "no.json"):  # the second is not read: what is kept has not expired
        (home / "schema.json").write_text('{"issue": ["title"]}')
        kept = json.loads(run(*refresh, file, "--ttl", "60", "--json").stdout)
        assert (kept["value"], kept["degraded"]) == ({"issue": ["title"]}, [])


def test_a_neighbourhood_is_told_drawn_and_written(run: Run, home: Path) -> None:
    run("graph", "relate", "Ann", "Oslo", "LOCATED_IN")
    given = ("--depth", "2", "--plot", "ann.png", "--mermaid", "ann.mmd")
    done = run("graph", "neighbourhood", "Ann", *given)
    assert re.search(r"^Ann LOCATED_IN Oslo  since", done.stdout, re.MULTILINE)
    assert "drawn: ann.png" in done.stderr
    assert (home / "ann.png").read_bytes().startswith(b"\x89PNG")
    assert "-->|LOCATED_IN|" in (home / "ann.mmd").read_text()
    assert "cannot be written" in run("graph", "neighbourhood", "Ann", "--mermaid", "no/ann.mmd", exits=1).stderr


def test_a_dash_is_no_name_of_a_file(run: Run, home: Path) -> None:
    run("graph", "relate", "Ann", "Oslo", "LOCATED_IN")
    before = sorted(home.iterdir())
    around = ("graph", "neighbourhood", "Ann")
    for command in ([*around, "--plot"], [*around, "--mermaid"], ["export", "--out"]):
        assert "- is no file" in run(*command, "-", exits=2).stderr
    assert sorted(home.iterdir()) == before


def test_a_value_is_told_as_it_is_kept(run: Run) -> None:
    for given, told in (('{"a": [1, null, true]}', None), ("[]", None), ("false", None), ("hello", None), ('"5"', "5")):
        run("router", "write", "draft", given, "long_term")
        shown = run("router", "read", "draft").stdout
        assert re.search(rf"^value +{re.escape(told or given)}$", shown, re.MULTILINE)
        assert "pool" not in shown
