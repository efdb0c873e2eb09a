from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.making import NOW, passage
from core.searching import candidates, search
from memoranda.core.image.index import Index
from memoranda.core.recall.ranking import (
    ELSEWHEN,
    KEPT,
    Limits,
    Ranked,
    newest_first,
    rank,
    same_answer,
    shares,
    spread_out,
)
from memoranda.core.recall.ranking_models import Linear, Model
from memoranda.core.recall.scoring import PLAIN, PROFILES
from memoranda.core.recall.search import Question


def ranking(said: list[str], tense: float = 1.0, days: int = 0, model: Model = PLAIN) -> Ranked:
    index = Index()
    for number, terms in enumerate(said):
        index.extend([passage(f"p{len(said) - number}", terms)])
    for number in range(len(said)):
        index.weigh(f"p{number + 1}", tense=tense)
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


@pytest.mark.parametrize("tense", [0.7, 1.0, 1.2, 99.0])
def test_shares_sum_to_the_score(tense: float) -> None:
    ranked = ranking(["crab boat", "crab"], tense, days=30)
    for position, place in enumerate(ranked.places):
        given = shares(ranked, [int(place)])[0]
        assert sum(given.values()) == pytest.approx(float(ranked.scores[position]), abs=1e-3)
        assert [*map(abs, given.values())] == sorted(map(abs, given.values()), reverse=True)
        assert ("similarity.keyword" in given) is bool(ranked.candidates.similarity[place])
        assert ("tense" in given) is (tense != 1.0)


def test_what_was_said_at_another_time_than_asked_for_keeps_half() -> None:
    index = Index()
    index.extend([passage("now", "crab"), replace(passage("then", "crab"), at=NOW - timedelta(days=7))])
    found = candidates(search(index, Question(terms=("crab",))))
    then = (NOW - timedelta(days=8)).timestamp(), (NOW - timedelta(days=6)).timestamp()
    whole, half = (rank(index, found, PROFILES["balanced"], now=NOW, said=said) for said in (None, then))
    assert [[index.refs[number] for number in ranked.numbers] for ranked in (whole, half)] == [
        ["now", "then"],
        ["then", "now"],
    ]
    assert half.scores.tolist() == pytest.approx([whole.scores[1], whole.scores[0] * ELSEWHEN])
    assert [shares(half, [place])[0].get("tense", 0) < 0 for place in half.places] == [False, True]


def test_no_signal_no_share() -> None:
    ranked = ranking(["crab"], model=Linear({"image": 1.0}))
    assert ranked.candidates.similarity.tolist() == [0.0]
    assert not any(name.startswith("similarity.") for name in shares(ranked, [0])[0])


ITEMS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), max_size=12)


@given(ITEMS)
def test_only_those_alike_change_places(items: list[tuple[int, int]]) -> None:
    said, at = zip(*items, strict=True) if items else ((), ())
    result = newest_first(at, lambda a, b: said[a] == said[b])
    assert sorted(result) == list(range(len(items)))
    for a, b in pairwise(result):
        assert not (said[a] == said[b] and at[b] > at[a])
    if len({*said}) == len(said):
        assert result == sorted(result)


def test_the_newer_of_two_comes_first() -> None:
    assert newest_first([1.0, 2.0, 0.5], lambda *_: True) == [1, 0, 2]
    assert newest_first([1.0, 2.0, 9.0], lambda *_: False) == [0, 1, 2]


TALKS = st.lists(st.tuples(st.floats(0, 1), st.sampled_from([None, "a", "b"])), max_size=12)


@given(TALKS)
def test_each_place_is_the_best_after_what_its_conversation_lost(talks: list[tuple[float, str | None]]) -> None:
    scores, conversations = zip(*sorted(talks, key=lambda it: -it[0]), strict=True) if talks else ((), ())
    order = spread_out(scores, conversations)
    assert sorted(order) == list(range(len(talks)))
    for place, chosen in enumerate(order):
        before = [conversations[other] for other in order[:place]]
        worth = {
            other: scores[other] * (1 if conversations[other] is None else KEPT ** before.count(conversations[other]))
            for other in order[place:]
        }
        assert worth[chosen] == max(worth.values())
    if not {"a", "b"} & {*conversations}:
        assert order == list(range(len(talks)))


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("capit erewhon oderzo", "capit erewhon taipei", True),
        ("capit erewhon oderzo", "author erewhon taipei", False),
        ("erewhon oderzo", "erewhon taipei", False),
        ("capit erewhon oderzo and much else that nobody asked", "capit erewhon taipei", False),
    ],
)
def test_what_answers_in_the_same_words_overrules(a: str, b: str, same: bool) -> None:
    asked = frozenset({"capit", "erewhon", "what"})
    assert same_answer(frozenset(a.split()), frozenset(b.split()), asked) is same


def test_an_answer_lets_in_what_its_limits_allow() -> None:
    limits = Limits(per_conversation=1)
    assert limits.refuse("tea", "a") is None
    assert limits.refuse("tea", "b") == "the same words were said more recently or rank higher"
    assert limits.refuse("coffee", "a") == "enough from its conversation"
    assert limits.refuse("coffee", "b") is None  # what was refused counts for nothing
    assert [Limits().refuse(None, None) for _ in range(2)] == [None, None]


def test_what_gives_the_attribute_asked_for_is_lifted_as_a_group() -> None:
    index = Index()
    for number, terms in enumerate(["crab", "boat crab tide", "boat tide rope pier mast", "tide"]):
        index.extend([passage(f"p{number}", terms)])
    asked = Question(terms=("crab", "rope", "tide"), attributed=frozenset({"p0", "p1"}))
    plain = rank(index, candidates(search(index, replace(asked, attributed=frozenset()))), {"similarity": 1.0}, now=NOW)
    lifted = rank(index, candidates(search(index, asked)), {"similarity": 1.0}, now=NOW)
    before, after = (dict(zip(one.numbers.tolist(), one.scores.tolist(), strict=True)) for one in (plain, lifted))
    assert max(before[0], before[1]) < max(before.values()) == pytest.approx(max(after[0], after[1]))
    assert after[1] - after[0] == pytest.approx(before[1] - before[0])
    assert (after[2], after[3]) == (before[2], before[3])
    (given,) = shares(lifted, [1])
    assert given["attribute"] == pytest.approx(after[1] - before[1], abs=1e-4)
    assert sum(given.values()) == pytest.approx(after[1], abs=1e-3)
