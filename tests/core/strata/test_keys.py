from hypothesis import given
from hypothesis import strategies as st

from core.making import NOW, event, record
from memoranda.core.language.attributes import is_single_valued
from memoranda.core.language.extraction import record_of
from memoranda.core.rows.statements import Statement
from memoranda.core.strata.keys import keeping, kept, one_ranking, path_of, value_of

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


def test_the_same_words_under_another_key_or_for_another_value_are_another_record() -> None:
    said = Statement(kind="observation", category="value", text="harbour: 3")
    kept_as = [("harbour", 3, None), ("harbour", "3", None), ("harbour", 3, "c"), ("pier", 3, None)]
    told = [said, *(keeping(said, *one) for one in kept_as)]
    ids = [record_of(one, event("harbour: 3"), (), NOW).id for one in told]
    assert len(set(ids)) == len(ids)
    # As they stand in stores that there are.
    assert ids[:2] == ["e2dbdac2-ff40-5300-b4c7-09de7b7c4326", "e390dbb2-f76f-5627-9fd7-0598f36c02c4"]
