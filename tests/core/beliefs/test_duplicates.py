from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.making import NOW, record
from memoranda.core.beliefs.duplicates import MAX_SOURCES, inherit, same_claim, specificity, united

ONE = record(attribute="preference.tea", value="green tea")


@pytest.mark.parametrize(
    ("values", "same"),
    [
        ({}, True),
        ({"kind": "preference"}, False),
        ({"subject": "greta"}, False),
        ({"polarity": -1}, False),
        ({"temporal": "past"}, False),
        ({"agent": "cook"}, False),
        ({"channel": "kitchen"}, False),
        ({"connection": "jira"}, False),
        ({"attribute": None}, True),
        ({"attribute": "preference.coffee"}, False),
        ({"value": "tea from the green hills"}, True),
        ({"value": "tea"}, True),
    ],
)
def test_what_could_be_one_claim(values: dict[str, object], same: bool) -> None:
    other = record(**{"attribute": "preference.tea", "value": "green tea", **values})
    assert same_claim(ONE, other) is same_claim(other, ONE) is same


@pytest.mark.parametrize(
    ("a", "b", "same"), [("tea", "coffee", False), (3, 4, False), (3, 3, True), ("tea", "tea", True)]
)
def test_single_values_that_differ_are_not_one_claim(a: object, b: object, same: bool) -> None:
    assert same_claim(record(attribute="x", value=a), record(attribute="x", value=b)) is same


def test_numbers_pin_down_more_than_words_and_words_more_than_length() -> None:
    wordings = ["tea tea", "tea, tea!", "green tea", "7 teas"]
    terms = [["tea", "tea"], ["tea", "tea"], ["green", "tea"], ["7", "tea"]]
    ranked = [specificity(text, words) for text, words in zip(wordings, terms, strict=True)]
    assert ranked == sorted(ranked)


@given(st.lists(st.integers().map(str), max_size=80, unique=True), st.lists(st.integers().map(str), max_size=80))
def test_sources_are_united_each_once(sources: list[str], more: list[str]) -> None:
    merged = united(tuple(sources), tuple(more))
    whole = list(dict.fromkeys([*sources, *more]))
    assert len(set(merged)) == len(merged) == min(len(whole), MAX_SOURCES)
    assert list(merged[:1]) == whole[:1]
    assert list(merged[-(MAX_SOURCES - 1) :]) == whole[-(MAX_SOURCES - 1) :] or len(whole) < MAX_SOURCES


def test_the_survivor_inherits() -> None:
    loser = record(importance=0.9, access_count=3, confidence=0.95, sources=("a",), valid_from=NOW - timedelta(days=1))
    winner = record(importance=0.5, access_count=1, confidence=0.7, sources=("b",))
    merged = inherit(winner, loser)
    assert merged.importance == pytest.approx(0.95)
    assert (merged.access_count, merged.confidence, merged.sources) == (4, 0.95, ("a", "b"))
    assert (merged.valid_from, merged.status, merged.text) == (loser.valid_from, "verified", winner.text)
