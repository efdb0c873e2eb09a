from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.making import NOW, passage
from core.searching import candidates, search
from memstrata.core.index import Index
from memstrata.core.ranking import NEAR_EQUAL, Ranked, explain, newest_first, rank, shares
from memstrata.core.scoring import PLAIN, PROFILES
from memstrata.core.search import Question
from memstrata.core.trees import Linear, Model


def ranking(said: list[str], tense: float = 1.0, days: int = 0, model: Model = PLAIN) -> Ranked:
    index = Index()
    for number, terms in enumerate(said):
        index.extend([passage(f"p{len(said) - number}", terms)])
    index.columns["tense"][:] = tense
    found = candidates(search(index, Question(terms=("crab",))), model)
    return rank(index, found, PROFILES["balanced"], now=NOW + timedelta(days=days))


def test_the_best_comes_first_and_equals_as_they_came() -> None:
    ranked = ranking(["crab boat", "crab", "crab"])
    assert ranked.scores.tolist() == sorted(ranked.scores.tolist(), reverse=True)
    assert ranked.numbers.tolist() == [1, 2, 0]  # two equals as they came, then the longer one
    assert ranked.candidates.numbers[ranked.places].tolist() == ranked.numbers.tolist()


@pytest.mark.parametrize("tense", [0.7, 1.0, 1.2, 99.0])
def test_the_tense_scales_and_one_is_the_end(tense: float) -> None:
    plain = float(ranking(["crab"]).scores[0])
    assert float(ranking(["crab"], tense).scores[0]) == pytest.approx(min(plain * tense, 1.0))


def test_shares_sum_to_the_score() -> None:
    ranked = ranking(["crab boat", "crab"], days=30)
    for position, place in enumerate(ranked.places):
        given = shares(ranked, [int(place)])[0]
        assert sum(given.values()) == pytest.approx(float(ranked.scores[position]), abs=1e-3)
        assert ("similarity.keyword" in given) is bool(ranked.candidates.similarity[place])


def test_no_signal_no_share() -> None:
    ranked = ranking(["crab"], model=Linear({"image": 1.0}))
    assert ranked.candidates.similarity.tolist() == [0.0]
    assert not any(name.startswith("similarity.") for name in shares(ranked, [0])[0])


def test_the_largest_shares_are_put_in_words() -> None:
    told = explain(
        {"similarity.keyword_window": 0.21, "recency": 0.18, "similarity.is_question": -0.3, "a": 0.1, "b": 0.01}
    )
    assert told == "is question -0.30, keyword window 0.21, recency 0.18, a 0.10"


ITEMS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 3), st.integers(0, 5)), max_size=12)


@given(ITEMS)
def test_only_near_equals_that_say_the_same_change_places(items: list[tuple[float, int, int]]) -> None:
    items = sorted(items, key=lambda item: -item[0])
    scores, said, at = zip(*items, strict=True) if items else ((), (), ())
    result = newest_first(scores, at, lambda a, b: said[a] == said[b])
    assert sorted(result) == list(range(len(items)))
    for a, b in pairwise(result):
        near = abs(items[a][0] - items[b][0]) <= NEAR_EQUAL and items[a][1] == items[b][1]
        assert not (near and items[b][2] > items[a][2])
    if all(item[1] == place for place, item in enumerate(items)):
        assert result == sorted(result)


def test_the_newer_of_two_comes_first() -> None:
    scores, at = [0.5, 0.49, 0.1], [1.0, 2.0, 9.0]
    assert newest_first(scores, at, lambda *_: True) == [1, 0, 2]
    assert newest_first(scores, at, lambda *_: False) == [0, 1, 2]
