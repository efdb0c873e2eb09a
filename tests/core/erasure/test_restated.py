"""What is left of what several events say when some of them are forgotten."""

from datetime import UTC, datetime

import pytest

from memoranda.core.consolidation.proposal import Item, LeafChange, NamedRelation
from memoranda.core.erasure.restated import Restating
from memoranda.core.rows import Event
from memoranda.core.text.terms import Analyzer
from memoranda.models.stemmer import stem

NOW = datetime(2026, 1, 5, tzinfo=UTC)
SAID = {"a": "The garden place is Voss.", "b": "Voss is the place of my garden.", "c": "It is open, says Voss."}


@pytest.mark.parametrize(
    ("item", "left"),
    [
        (LeafChange(path="garden.place", value="Voss", events=("a", "b")), ("b",)),
        (LeafChange(path="garden.place", value="Voss", events=("a", "c")), ()),
        (LeafChange(path="open", value=True, events=("a", "c")), ("c",)),
        (LeafChange(path="garden.place", value="Voss", events=("b", "c")), ("b", "c")),
        (NamedRelation(head="user", type="LOCATED_IN", tail="Voss", events=("a", "b")), ()),
    ],
)
def test_an_item_is_left_as_far_as_the_others_say_it(item: Item, left: tuple[str, ...]) -> None:
    events = [
        Event(tenant="acme", user="alice", id=name, content=text, event_time=NOW, recorded_at=NOW)
        for name, text in SAID.items()
    ]
    assert Restating(events, (), Analyzer(stem).terms, "en").left(item, {"a"}) == left
