from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.core.context.budget import Piece, Share, pack
from memoranda.core.context.layouts import HOST, LAYOUTS, Layout

NAMES = ("a", "b", "c")
WANTED = st.fixed_dictionaries({name: st.lists(st.integers(1, 60), max_size=8).map(tuple) for name in NAMES}).map(
    lambda sizes: {name: [piece(f"{name}{i}", n) for i, n in enumerate(given)] for name, given in sizes.items()}
)
SHARE = st.builds(Share, st.integers(0, 120), st.integers(0, 60), st.integers(0, 200), st.booleans())
GIVEN = st.fixed_dictionaries(dict.fromkeys(NAMES, SHARE))


def piece(name: str, tokens: int) -> Piece:
    return Piece(id=name, text=name, tokens=tokens)


@given(WANTED, GIVEN, st.integers(0, 300))
def test_no_more_is_packed_than_there_is_room(
    wanted: dict[str, list[Piece]], shares: dict[str, Share], total: int
) -> None:
    packed = pack(wanted, shares, total)
    assert list(packed) == list(wanted)
    assert sum(section.used for section in packed.values()) <= total
    for name, section in packed.items():
        assert section.used == sum(item.tokens for item in section.pieces) <= section.granted
        kept = {item.id for item in section.pieces}
        assert kept | set(section.excluded) == {item.id for item in wanted[name]}
        assert not kept & set(section.excluded)
        assert [item for item in wanted[name] if item.id in kept] == list(section.pieces)


@given(WANTED, GIVEN, st.integers(0, 300))
def test_nothing_that_fits_is_left_out(wanted: dict[str, list[Piece]], shares: dict[str, Share], total: int) -> None:
    packed = pack(wanted, shares, total)
    left = total - sum(section.used for section in packed.values())
    for name, section in packed.items():
        room = min(left, shares[name].limit - section.used)
        assert all(item.tokens > room for item in wanted[name] if item.id in section.excluded)


@given(WANTED, GIVEN, st.integers(0, 300))
def test_a_section_that_is_given_nothing_stays_empty(
    wanted: dict[str, list[Piece]], shares: dict[str, Share], total: int
) -> None:
    packed = pack(wanted, {**shares, "b": Share(0, 60)}, total)
    assert packed["b"].pieces == ()
    assert packed["b"].used == packed["b"].granted == 0
    assert set(packed["b"].excluded) == {item.id for item in wanted["b"]}


def test_what_one_section_leaves_another_takes() -> None:
    wanted = {"a": [piece("a0", 10)], "b": [piece("b0", 50), piece("b1", 50)]}
    packed = pack(wanted, {"a": Share(60), "b": Share(50, most=200)}, 110)
    assert [section.used for section in packed.values()] == [10, 100]
    assert packed["b"].granted == 100
    short = pack(wanted, {"a": Share(60), "b": Share(50, most=200)}, 60)
    assert [section.used for section in short.values()] == [10, 50]
    assert short["b"].excluded == {"b1": "over the budget"}


def test_a_floor_is_kept_where_the_first_would_take_all() -> None:
    wanted = {"a": [piece(f"a{n}", 10) for n in range(9)], "b": [piece("b0", 10), piece("b1", 10)]}
    packed = pack(wanted, {"a": Share(90, 20), "b": Share(20, 10)}, 40)
    assert [section.used for section in packed.values()] == [30, 10]
    assert packed["b"].granted == 10


def test_a_section_grows_no_further_than_it_may() -> None:
    wanted = {"a": [piece(f"a{n}", 10) for n in range(9)], "b": [piece(f"b{n}", 10) for n in range(9)]}
    packed = pack(wanted, {"a": Share(20, 0, 40), "b": Share(20)}, 100)
    assert [section.used for section in packed.values()] == [40, 20]
    assert Share(20, 10, 40).less(30) == Share(10, 10, 10)
    assert Share(20, 10, 40).less(-5) == Share(25, 10, 45)


def test_what_takes_the_rest_is_filled_after_all_that_may_grow() -> None:
    wanted = {name: [piece(f"{name}{n}", 10) for n in range(9)] for name in ("a", "b", "c")}
    shares = {"a": Share(20, 0, 150, rest=True), "b": Share(20, 0, 50), "c": Share(20)}
    packed = pack(wanted, shares, 150)
    assert [section.used for section in packed.values()] == [80, 50, 20]
    assert [*packed] == ["a", "b", "c"]
    assert shares["a"].less(30) == Share(20, 0, 120, rest=True)


def test_the_first_that_does_not_fit_is_shortened() -> None:
    def cut(tokens: int) -> Piece | None:
        return piece("long", tokens) if tokens > 5 else None

    wanted = {"a": [piece("a0", 10), replace(piece("long", 90), cut=cut), piece("a1", 4)]}
    assert [one.tokens for one in pack(wanted, {"a": Share(30)}, 30)["a"].pieces] == [10, 20]
    assert [one.id for one in pack(wanted, {"a": Share(15)}, 15)["a"].pieces] == ["a0", "a1"]


def test_pieces_are_chosen_by_preference_and_stand_in_their_places() -> None:
    wanted = {"a": [Piece(id=str(n), text="", tokens=10, place=-n) for n in range(4)]}
    assert [item.id for item in pack(wanted, {"a": Share(20, 0, 30)}, 30)["a"].pieces] == ["2", "1", "0"]


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_what_memory_is_due_fits_the_whole(layout: Layout) -> None:
    floors = sum(slot.floor for slot in layout.slots.values())
    assert floors + layout.reserve <= layout.total
    assert all(slot.floor <= slot.budget for slot in layout.slots.values())


def test_a_hosts_payload_is_divided_as_specified() -> None:
    due = {name: slot.budget for name, slot in HOST.slots.items()}
    brought = {name: due.pop(name) for name in ("system", "tenant", "services", "history", "tools")}
    assert brought == {"system": 500, "tenant": 200, "services": 2_000, "history": 2_000, "tools": 1_500}
    assert sum(due.values()) == 1_500
    assert sum(brought.values()) + sum(due.values()) + HOST.reserve == HOST.total == 8_000
    assert HOST.reserve == 300


def test_shares_are_scaled_to_the_budget_and_give_way_to_what_was_set() -> None:
    shares = HOST.shares(4_000, {"memories": 9_000, "profile": 7})
    assert shares["system"] == Share(250, 250, 250)
    assert shares["preferences"] == Share(125, 50, 600)
    assert (shares["memories"].budget, shares["profile"].most) == (9_000, 7)
