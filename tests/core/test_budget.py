from hypothesis import given
from hypothesis import strategies as st

from memstrata.core.budget import BUDGETS, DEFAULT_BUDGET, Piece, pack

NAMES = ("a", "b", "c")
WANTED = st.fixed_dictionaries({name: st.lists(st.integers(1, 60), max_size=8).map(tuple) for name in NAMES}).map(
    lambda sizes: {name: [piece(f"{name}{i}", n) for i, n in enumerate(given)] for name, given in sizes.items()}
)
GIVEN = st.dictionaries(st.sampled_from(NAMES), st.integers(0, 120))


def piece(name: str, tokens: int) -> Piece:
    return Piece(id=name, text=name, tokens=tokens)


@given(WANTED, GIVEN, st.integers(0, 300))
def test_no_more_is_packed_than_there_is_room(
    wanted: dict[str, list[Piece]], budgets: dict[str, int], total: int
) -> None:
    packed = pack(wanted, budgets, total)
    assert list(packed) == list(wanted)
    assert sum(section.used for section in packed.values()) <= total
    for name, section in packed.items():
        assert section.used == sum(item.tokens for item in section.pieces) <= section.granted
        kept = {item.id for item in section.pieces}
        assert kept | set(section.excluded) == {item.id for item in wanted[name]}
        assert not kept & set(section.excluded)
        assert [item for item in wanted[name] if item.id in kept] == list(section.pieces)


@given(WANTED, GIVEN, st.integers(0, 300))
def test_nothing_that_fits_is_left_out(wanted: dict[str, list[Piece]], budgets: dict[str, int], total: int) -> None:
    packed = pack(wanted, budgets, total)
    left = total - sum(section.used for section in packed.values())
    for name, section in packed.items():
        if budgets.get(name) != 0:
            assert all(item.tokens > left for item in wanted[name] if item.id in section.excluded)


@given(WANTED, GIVEN, st.integers(0, 300))
def test_a_section_that_is_given_nothing_stays_empty(
    wanted: dict[str, list[Piece]], budgets: dict[str, int], total: int
) -> None:
    packed = pack(wanted, {**budgets, "b": 0}, total)
    assert packed["b"].pieces == ()
    assert packed["b"].used == packed["b"].granted == 0
    assert set(packed["b"].excluded) == {item.id for item in wanted["b"]}


def test_what_one_section_leaves_another_takes() -> None:
    wanted = {"a": [piece("a0", 10)], "b": [piece("b0", 50), piece("b1", 50)]}
    packed = pack(wanted, {"a": 60, "b": 50}, 110)
    assert [section.used for section in packed.values()] == [10, 100]
    assert packed["b"].granted == 100
    short = pack(wanted, {"a": 60, "b": 50}, 60)
    assert [section.used for section in short.values()] == [10, 50]
    assert short["b"].excluded == {"b1": "over the budget"}


def test_the_defaults_fit_the_whole() -> None:
    assert sum(BUDGETS.values()) <= DEFAULT_BUDGET
