"""A row kind says at its declaration how its rows are treated, or it cannot be declared."""

from dataclasses import dataclass
from typing import Any

import pytest

from memoranda.core.base.scope import Owner
from memoranda.core.rows import TABLES, Event, Row, RowTraits, Vector, WorkingCopy, rests_on, table
from memoranda.testing.samples import sample

PLAIN: dict[str, Any] = {"image": None, "derived": None, "seen": None, "named": True, "falls": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shell(Row):
    id: str


@pytest.mark.parametrize("trait", PLAIN)
def test_no_trait_can_be_left_out(trait: str) -> None:
    with pytest.raises(TypeError, match=trait):
        RowTraits(**{name: value for name, value in PLAIN.items() if name != trait})


def test_a_kind_without_traits_cannot_be_declared() -> None:
    with pytest.raises(TypeError, match="traits"):
        table("shells", "id")(Shell)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("trait", "lacks"),
    [
        ({"seen": "site"}, "agent, channel, connection"), ({"seen": "passage"}, "ref"),
        ({"seen": "ends"}, "agent, channel, connection, head, tail"), ({"falls": "words"}, "words"),
        ({"falls": "words", "seen": "entity"}, "words, agent, channel, connection, conversation"),
        ({"falls": "parts"}, "rests"), ({"falls": "rule", "rests": "sources"}, "sources"),
    ],
)  # fmt: skip
def test_a_kind_has_what_its_traits_call_for(trait: dict[str, Any], lacks: str) -> None:
    with pytest.raises(TypeError, match=f"shells lacks {lacks}, for which"):
        table("shells", "id", traits=RowTraits(**PLAIN | trait))(Shell)
    assert "shells" not in TABLES


def test_what_a_row_rests_on() -> None:
    owner = Owner("acme", "alice")
    assert rests_on(sample(WorkingCopy, owner, turns=("t1", "t2"))) == ("t1", "t2")
    assert rests_on(sample(Vector, owner, ref="t1")) == ("t1",)
    assert rests_on(sample(Event, owner)) == ()
