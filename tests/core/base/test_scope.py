from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.making import NOW, event, passage
from memoranda.core.base.scope import GLOBAL, MAX_IDENTIFIER, Owner, Scope, visible
from memoranda.core.rows import Event, Record, check_columns
from memoranda.core.rows.changes import Add, Batch, Patch, Touch
from memoranda.errors import InputError, ScopeError

HOME = Scope(tenant="acme", user="alice")
NAMES = st.sampled_from(["a", "b"])
SCOPES = st.builds(
    Scope, tenant=st.just("acme"), user=st.just("alice"), agent=st.none() | NAMES, channel=st.just(GLOBAL) | NAMES,
    connections=st.lists(NAMES, max_size=2).map(tuple),
)  # fmt: skip
PLACES = st.fixed_dictionaries(
    {"agent": st.none() | NAMES, "channel": st.just(GLOBAL) | NAMES, "connection": st.none() | NAMES}
)


@given(SCOPES, PLACES)
def test_what_is_seen_is_in_the_channel_of_the_agent_and_connected(scope: Scope, place: dict[str, Any]) -> None:
    seen = visible(passage("p", **place), scope)
    assert seen == all(
        [
            place["channel"] in {GLOBAL, scope.channel},
            scope.agent is None or place["agent"] in {None, scope.agent},
            place["connection"] in {None, *scope.connections},
        ]
    )
    wider = scope.narrow(agent=None, connections=("a", "b"))
    assert visible(passage("p", **place), wider) or not seen


@given(PLACES)
def test_the_whole_is_every_place(place: dict[str, Any]) -> None:
    assert visible(passage("p", **place), HOME.narrow(whole=True))


@pytest.mark.parametrize("names", [{"agent": "a"}, {"channel": "*"}, {"connections": ("a",)}, {"whole": "no"}])
def test_the_whole_is_not_narrowed_as_well(names: dict[str, Any]) -> None:
    """An agent has no way to it, and no text that came from elsewhere says it."""
    with pytest.raises(ScopeError, match="whole"):
        HOME.narrow(**{"whole": True, **names})
    with pytest.raises(ScopeError, match="whole"):
        HOME.narrow(**{"whole": "yes", **names})


@given(SCOPES, PLACES)
def test_who_writes_sees_it(scope: Scope, place: dict[str, Any]) -> None:
    written = {"agent": scope.agent, "channel": scope.channel}
    for connection in (None, *scope.connections):
        assert visible(passage("p", **{**place, **written, "connection": connection}), scope)


def test_a_scope_names_an_owner_and_its_channels() -> None:
    assert HOME.owner == Owner("acme", "alice")
    assert HOME.channels == (GLOBAL,)
    assert HOME.narrow(channel="kitchen").channels == ("kitchen", GLOBAL)
    with pytest.raises(ScopeError, match="has no colour"):
        HOME.narrow(colour="red")


@pytest.mark.parametrize("name", ["", " ", None, 7, "a\x00b", "\ud83e", "x" * (MAX_IDENTIFIER + 1)])
@pytest.mark.parametrize("part", ["tenant", "user", "channel", "agent", "team", "conversation", "task", "connections"])
def test_a_name_must_name_something(part: str, name: Any) -> None:
    if name is None and part not in {"tenant", "user", "channel", "connections"}:
        assert getattr(HOME.narrow(**{part: None}), part) is None
        return
    with pytest.raises(ScopeError):
        HOME.narrow(**{part: (name,) if part == "connections" else name})


def test_connections_are_a_list_and_not_a_name() -> None:
    with pytest.raises(ScopeError, match="connections is a list"):
        HOME.narrow(connections="jira")


def test_a_name_can_be_anything_else() -> None:
    for name in ("🦀", "O'Brien; --", "x" * MAX_IDENTIFIER, "a\x1fb"):
        assert HOME.narrow(user=name).user == name


def test_changes_that_no_store_could_carry_out_are_refused() -> None:
    with pytest.raises(InputError, match="id of events cannot be changed"):
        Patch(Event, ("e1",), {"id": "e2", "content": "x"})
    with pytest.raises(InputError, match="seq, version of records cannot be changed"):
        Touch(Record, ("r1", 1), add={"version": 1, "seq": 1})
    with pytest.raises(InputError, match="no such column as 'colour'"):
        Patch(Event, ("e1",), {"colour": "red"})
    with pytest.raises(InputError, match="no such column as 'text' here"):
        check_columns(Record, ("text",), "int")
    with pytest.raises(ScopeError, match="cannot be written"):
        Batch(owner=Owner("acme", "bob"), changes=(Add(event("x", event_time=NOW)),))
