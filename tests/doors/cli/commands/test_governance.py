"""What models cost, what may be spent, and what was done, on the command line."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.image import imread

from doors.running import Run
from memoranda import Memory, Settings
from memoranda.core.base.prices import Price
from memoranda.doors.cli import plot
from memoranda.doors.settings import DoorSettings, read_settings
from memoranda.errors import SetupError
from memoranda.flows.governance.costs import Costs
from memoranda.ports import Completion
from memoranda.testing.fakes import FrozenClock, SequentialIds


class Model:
    def __init__(self, name: str) -> None:
        self.name = name

    async def complete(self, _: str, **__: Any) -> Completion:
        return Completion(text='{"queries": []}', tokens_in=1_000, tokens_out=100)

    async def close(self) -> None:
        pass


def asked(db: Path) -> None:
    """Two models asked on two days, the price of one of them known."""
    clock = FrozenClock()
    given: Any = {"default": Model("own/large"), "extraction": Model("own/other")}
    settings = Settings(prices={"own/large": Price(read=100, written=1_000)})
    with Memory.open(
        db, embedder="none", language_model=given, clock=clock, ids=SequentialIds(), settings=settings
    ) as memory:
        alice = memory.scope(tenant="local", user="me")
        alice.add([{"role": "user", "content": "The ferry leaves at noon."}], conversation="c1")
        alice.recall("ferry?", techniques=["multi_query"])
        clock.advance(days=2)
        alice.recall("ferry?", techniques=["multi_query"])
        memory.consolidate(tenant="local")


def test_costs_are_told_and_drawn(run: Run, home: Path) -> None:
    asked(home / "memory.db")
    told = run("cost", "--plot", "cost.png")
    assert "own/large" in told.stdout
    assert "unknown" in told.stdout
    assert "in all 0.400000" in told.stdout
    assert "Nobody said what own/other costs" in told.stdout
    assert "drawn: cost.png" in told.stderr
    assert np.ptp(imread(home / "cost.png")) > 0
    found = json.loads(run("cost", "--since", "2026-01-06", "--json").stdout)
    assert [row["model"] for row in found["rows"]] == ["own/large", "own/other"]
    assert found["unpriced"] == ["own/other"]
    run("add", "Hello.", "--user", "bob")
    assert "No model was asked" in run("cost", "--user", "bob").stdout


def test_nothing_can_be_drawn_too(tmp_path: Path) -> None:
    plot.costs(Costs(rows=(), total=0.0, unpriced=()), tmp_path / "none.png")
    assert (tmp_path / "none.png").stat().st_size


def test_budgets_are_set_and_told(run: Run) -> None:
    run("add", "Hello.")
    assert "no limit" in run("budget").stdout
    run("budget", "--day", "0.5", "--balance", "10")
    told = json.loads(run("budget", "--day", "none", "--json").stdout)
    assert (told["balance"]["amount"], told["day"]["amount"], told["month"]["amount"]) == (10.0, None, None)
    assert (told["balance"]["left"], told["day"]["left"]) == (10.0, None)
    assert "is no amount" in run("budget", "--month", "much", exits=2).stderr
    assert "month is -1.0" in run("budget", "--month=-1", exits=1).stderr
    assert json.loads(run("budget", "--all-users", "--json").stdout)["balance"]["amount"] is None


def test_the_audit_is_listed(run: Run) -> None:
    run("add", "I prefer short emails.", "--conversation", "c1")
    run("observe", "The ferry leaves.")
    assert [row["operation"] for row in json.loads(run("audit", "--json").stdout)] == ["observe", "add"]
    found = json.loads(run("audit", "--conversation", "c1", "--operation", "add", "--limit", "1", "--json").stdout)
    assert [row["operation"] for row in found] == ["add"]
    assert "short emails" not in run("audit").stdout


def test_prices_and_several_models_are_settings(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "memoranda.toml").write_text('[prices]\n"openai/small" = [0.4, 1.6]\n')
    assert read_settings({}).settings().prices == {"openai/small": Price(read=0.4, written=1.6)}
    monkeypatch.setenv("MEMORANDA_PRICES", "5")
    with pytest.raises(SetupError, match="prices is '5'"):
        read_settings({}).settings()
    told = DoorSettings(language_model="openai:large, openai:small, none", openai_api_key="k")
    assert [model.name for model in told.writers()["default"]] == ["openai/large", "openai/small"]  # type: ignore[union-attr]


def test_keys_belong_to_a_tenant_and_no_user_is_named_who_is_not_meant(run: Run) -> None:
    for command in (("keys", "create"), ("keys", "list")):
        told = run(*command).stderr
        assert "tenant local" in told
        assert "user" not in told
