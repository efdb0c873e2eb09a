from pathlib import Path

import pytest

from memoranda.doors.settings import DoorSettings, read_settings
from memoranda.errors import SetupError

pytestmark = pytest.mark.usefixtures("home")


def test_arguments_come_before_the_environment_before_the_file_before_the_defaults(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "memoranda.toml").write_text('db = "filed.db"\ntenant = "filed"\nuser = "filed"\n')
    monkeypatch.setenv("MEMORANDA_TENANT", "told")
    monkeypatch.setenv("MEMORANDA_USER", "told")
    found = read_settings({"user": "given", "tenant": None})
    assert (found.db, found.tenant, found.user, found.channel) == ("filed.db", "told", "given", "_global")


def test_the_defaults_name_a_file_and_a_scope() -> None:
    assert read_settings({}) == DoorSettings(embedder="none")
    assert (DoorSettings().db, DoorSettings().tenant, DoorSettings().user) == ("memory.db", "local", "me")


def test_an_unknown_key_names_the_known_ones(home: Path) -> None:
    (home / "memoranda.toml").write_text('tenent = "acme"\n')
    with pytest.raises(SetupError, match=r"no such setting as tenent; it can set db, tenant, user, .*embedder"):
        read_settings({})


@pytest.mark.parametrize("content", [b"db = ", b"\xff\xfe"])
def test_a_file_that_is_no_toml_is_named(home: Path, content: bytes) -> None:
    (home / "memoranda.toml").write_bytes(content)
    with pytest.raises(SetupError, match=r"memoranda\.toml cannot be read"):
        read_settings({})


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "MEMORANDA_OPENAI_API_KEY"])
def test_an_openai_model_takes_its_key_from_the_environment(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "sk-1")
    monkeypatch.setenv("MEMORANDA_OPENAI_DIMENSION", "8")
    monkeypatch.setenv("MEMORANDA_OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    model = read_settings({"embedder": "openai:mine"}).model()
    assert not isinstance(model, str)
    assert (model.space.name, model.space.dimension) == ("openai/mine@8", 8)


def test_an_openai_model_without_a_key_says_what_is_missing() -> None:
    with pytest.raises(SetupError, match="API key"):
        read_settings({"embedder": "openai:text-embedding-3-small"}).model()


def test_a_dimension_is_a_number() -> None:
    with pytest.raises(SetupError, match="it is the number of numbers in a vector"):
        DoorSettings(embedder="openai:mine", openai_api_key="k", openai_dimension="many").model()


def test_other_embedders_are_passed_on_by_name() -> None:
    assert read_settings({"embedder": "onnx:models/mine"}).model() == "onnx:models/mine"
