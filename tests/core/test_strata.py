from hypothesis import given
from hypothesis import strategies as st

from core.making import record
from memstrata.core.rules.attributes import is_single_valued
from memstrata.core.strata import kept, one_ranking, path_of, value_of

NAMES = st.text("ab.%2E", min_size=1)


@given(st.tuples(NAMES, st.none() | NAMES), st.tuples(NAMES, st.none() | NAMES))
def test_no_two_keys_have_one_path(one: tuple[str, str | None], other: tuple[str, str | None]) -> None:
    assert (path_of(*one) == path_of(*other)) == (one == other)
    assert is_single_valued(path_of(*one))


@given(st.lists(st.lists(st.floats(0, 2)), max_size=4))
def test_one_ranking_keeps_the_order_of_each(near: list[list[float]]) -> None:
    given_ = [[(value, (place, number)) for number, value in enumerate(one)] for place, one in enumerate(near)]
    ranked = one_ranking(given_)
    scores = [score for score, _ in ranked]
    assert scores == sorted(scores, reverse=True)
    for place, one in enumerate(near):
        assert [number for _, (which, number) in ranked if which == place] == [*range(len(one))]
    assert all(score >= near[place][number] for score, (place, number) in ranked)
    assert max(scores, default=0) == max((value for one in near for value in one), default=0)


@given(st.none() | st.text() | st.lists(st.integers()) | st.dictionaries(st.text(), st.booleans()))
def test_any_value_is_kept_as_it_is(value: object) -> None:
    assert value_of(record(value=kept(value))) == value  # type: ignore[arg-type] # JSON, all of it
