"""Techniques and their models on the command line."""

import json
from pathlib import Path

import pytest

from doors.running import Run
from memoranda.doors.settings import DoorSettings, read_settings
from memoranda.errors import SetupError


@pytest.fixture
def fed(run: Run) -> Run:
    run("add", "Ida lent me a ladder.")
    run("add", "The lighthouse needs paint.")
    return run


def test_recall_tries_what_it_is_told(fed: Run) -> None:
    asked = ("recall", "Who lent me the ladder and what needs paint?", "--technique", "steps", "--technique", "expand")
    trace = json.loads(fed(*asked, "--deadline", "60", "--json", "--trace").stdout)["trace"]
    assert {"expand", "steps"} <= trace["milliseconds"].keys()
    assert "steps: what needs paint" in trace["arms"]


def test_why_tries_what_it_is_told(fed: Run) -> None:
    asked = ("why", "Who lent me the ladder and what needs paint?", "--technique", "steps", "--deadline", "60")
    shown = fed(*asked).stdout
    assert "steps: Who lent me the ladder (" in shown
    assert "candidates: keyword" in shown
    long = f"What needs paint and {'what about the ladder ' * 40}?"
    assert max(map(len, fed("why", long, *asked[2:]).stdout.splitlines())) < 400
    [item, *_] = json.loads(fed(*asked, "--json").stdout)["items"]
    assert "steps: Who lent me the ladder (" in fed(*asked[:2], item["id"], *asked[2:]).stdout
    one = json.loads(fed(*asked[:2], item["id"], *asked[2:4], "--deadline", "1e-9", "--json").stdout)
    assert one["techniques"] == {"steps": "broken off"}
    assert one["degraded"] == ["steps: not done within 1e-09 s"]


def test_what_is_cut_is_told(fed: Run) -> None:
    shown = fed("recall", "Who lent me the ladder?", "--technique", "expand", "--deadline", "1e-9").stdout
    assert "Ida lent me a ladder." in shown
    assert "degraded: expand: not done within 1e-09 s" in shown


def test_recall_ends_where_it_is_told(fed: Run) -> None:
    asked = ("recall", "Who lent me the ladder?", "--json")
    sure = [one["confidence"] for one in json.loads(fed(*asked, "--min-confidence", "0").stdout)["items"]]
    assert sure == [one["confidence"] for one in json.loads(fed(*asked, "--ranking").stdout)["items"]]
    least = f"{min(1, max(sure) + 0.01):.2f}"
    assert not json.loads(fed(*asked, "--min-confidence", least).stdout)["items"]
    why = fed("why", "Who lent me the ladder?", "--cut", "--min-confidence", least).stdout
    assert f"is below {least}" in why


def test_recall_is_narrowed_as_it_is_told(fed: Run) -> None:
    fed("observe", "Ida has a ladder of ash.", "--category", "wood", "--source", "agent")

    def found(*given: str) -> list[str]:
        items = json.loads(fed("recall", "Who has the ladder?", "--json", *given).stdout)["items"]
        return sorted({item["text"] for item in items})

    assert found("--category", "wood") == found("--source", "agent") == ["Ida has a ladder of ash."]
    assert found("--category", "stone") == found("--surface", "inbox") == found("--connection", "jira") == []
    assert found("--where", "page=3") == found("--where", "page=3", "--where", "page=four") == []
    assert found("--kinds", "episodic", "--entity", "Ida", "--shared") == [
        "Ida has a ladder of ash.", "Ida lent me a ladder.",
    ]  # fmt: skip


def test_goals_that_press_are_shown(fed: Run) -> None:
    fed("goals", "add", "Buy a ladder", "--priority", "1")
    assert "goals that press" in fed("recall", "Who lent me the ladder?").stdout


@pytest.mark.parametrize(
    ("given", "told", "exits"),
    [
        (["--technique", "magic"], "is not one of expand, self_query, steps, hyde, multi_query, rerank", 2),
        (["--technique", "hyde"], "reads MEMORANDA_LANGUAGE_MODEL", 1),
        (["--technique", "rerank"], "reads MEMORANDA_RERANKER", 1),
        (["--deadline", "-1"], "'-1' is no length of time: give seconds, more than 0", 2),
        (["--deadline", "soon"], "'soon' is no length of time: give seconds, more than 0", 2),
        (["--kinds", "turn,facts"], "a kind is 'facts'; give one of turn, fact, preference", 2),
        (["--where", "page"], "'page' is not NAME=VALUE", 2),
        (["--source", "nobody"], "is not one of user_provided, agent", 2),
    ],
)
def test_what_cannot_be_is_refused(fed: Run, given: list[str], told: str, exits: int) -> None:
    shown = fed("recall", "Who lent me the ladder?", *given, exits=exits)
    assert told in " ".join(shown.output.replace("│", " ").split())


@pytest.mark.usefixtures("home")
def test_models_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert DoorSettings().writers() == {"default": None}
    monkeypatch.setenv("MEMORANDA_LANGUAGE_MODEL", "openai:some-model")
    monkeypatch.setenv("MEMORANDA_RERANKER", "onnx:somewhere")
    told = read_settings({})
    assert told.reranker == "onnx:somewhere"
    with pytest.raises(SetupError, match="An API key"):
        told.writers()
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    (writer,) = read_settings({}).writers().values()
    assert writer is not None
    assert writer.name == "openai/some-model"


@pytest.mark.usefixtures("home")
def test_each_task_may_have_a_model_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    (Path.cwd() / "memoranda.toml").write_text('openai_api_key = "k"\nextraction_model = "openai:small"\n')
    monkeypatch.setenv("MEMORANDA_NARRATIVE_MODEL", "anthropic:large")
    monkeypatch.setenv("MEMORANDA_REVIEW_MODEL", "openai:small")
    with pytest.raises(SetupError, match="An API key"):
        read_settings({}).writers()
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    writers = read_settings({}).writers()
    assert {task: writer and writer.name for task, writer in writers.items()} == {
        "default": None, "extraction": "openai/small", "narrative": "anthropic/large", "review": "openai/small",
    }  # fmt: skip
    assert writers["extraction"] is writers["review"]


def test_a_model_that_is_not_there_is_named(fed: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORANDA_RERANKER", "onnx:nowhere")
    assert "model.onnx cannot be read" in fed("recall", "ladder", exits=1).stderr
