from datetime import timedelta

import pytest

from core.making import NOW, record
from memoranda.core.beliefs.conflicts import Policy, conflicting, denies, judge, negations, opposed, same

OSLO = {"attribute": "location.city", "value": "Oslo"}


@pytest.mark.parametrize(
    ("values", "clash"),
    [
        ({"value": "Bergen"}, True),
        ({"value": "OSLO "}, False),
        ({"value": "Bergen", "subject": "greta"}, False),
        ({"value": "Bergen", "attribute": "location.origin"}, False),
        ({"value": "Bergen", "attribute": None}, False),
        ({"value": "Bergen", "agent": "cook"}, False),
        ({"value": "Bergen", "channel": "kitchen"}, False),
        ({"value": "Bergen", "connection": "jira"}, False),
        ({"value": "Bergen", "temporal": "future"}, False),
        ({"value": "Bergen", "temporal": "past"}, False),
        ({"polarity": -1}, True),
        ({"polarity": -1, "value": "Bergen"}, False),
    ],
)
def test_what_cannot_both_hold(values: dict[str, object], clash: bool) -> None:
    assert conflicting(record(**{**OSLO, **values}), record(**OSLO)) is clash


def test_what_can_be_many_or_is_denied_twice_does_not_clash() -> None:
    assert not conflicting(record(attribute="hobby", value="chess"), record(attribute="hobby", value="go"))
    assert not conflicting(record(**OSLO, polarity=-1), record(attribute="location.city", value="Rome", polarity=-1))
    assert not conflicting(record(**OSLO), record(**{**OSLO, "temporal": "future", "value": "Rome"}))


@pytest.mark.parametrize(
    ("new", "clash"),
    [
        ("full sentences", True),
        ("your answers short", False),
        ("Short bullet points ", False),
        ("no bullet points", True),
        ("no emojis", False),
        ("no long sentences", False),
        ("long bullet points", True),
        ("more detail, less jargon", False),
    ],
)
def test_of_styles_only_those_that_exclude_one_another_clash(new: str, clash: bool) -> None:
    known = record(attribute="instruction.style", value="short bullet points")
    assert conflicting(record(attribute="instruction.style", value=new), known) is clash


@pytest.mark.parametrize(
    ("a", "b", "equal"), [("Oslo", "oslo.", True), (3, 3, True), (3, "3", False), (None, None, True)]
)
def test_values_are_the_same_but_for_form(a: object, b: object, equal: bool) -> None:
    assert same(a, b) is equal


@pytest.mark.parametrize(
    ("a", "b", "against"),
    [
        ("User likes tea", "User doesn't like tea", True),
        ("User likes tea", "User no longer likes tea", True),
        ("User never likes tea", "User does not like tea", False),
        ("The gate is open", "The gate is closed", True),
        ("The gate is open", "The gate is green", False),
        ("The gate isn’t open", "The gate is open", True),
    ],
)
def test_texts_that_deny_one_another(a: str, b: str, against: bool) -> None:
    assert opposed(a, b) is opposed(b, a) is against


@pytest.mark.parametrize(
    ("a", "b", "denied"),
    [
        ("The office has parking", "The office doesn't have parking", True),
        ("The office has a parking lot", "There is no parking lot at the office", True),
        ("Nobody is playing the guitar", "A man is singing and playing a guitar", True),
        ("A woman is not slicing garlic", "A woman is slicing an onion", False),
        ("She isn't eating a banana by the tree", "She is eating", False),
        ("She is not eating", "She is not drinking", False),
        ("Don't Be Cruel was performed by Elvis Presley", "Love Me Tender was performed by Elvis Presley", False),
        ("She is eating", "She is drinking", False),
        ("No.", "Yes.", False),
        ("User has no car", "User rented a car in Crete", False),
        ("User has no car", "User has a car", True),
        ("User has no dog", "User has a dog called Rex", True),
        ("User is not married", "User is married to Ann", True),
        ("User does not smoke", "User smokes a pipe", True),
        ("User has no children", "User teaches children", False),
    ],
)
def test_a_denial_reaches_as_far_as_its_words(a: str, b: str, denied: bool) -> None:
    assert denies(a, b) is denies(b, a) is denied
    assert conflicting(record(text=a), record(text=b)) is denied
    assert not conflicting(record(text=a), record(text=b, attribute="tool"))


def test_negations_are_words_and_not_parts_of_words() -> None:
    assert negations("Nothing is noted in the notebook, not even nobody's name") == 3


@pytest.mark.parametrize(
    ("said", "denied"),
    [
        ("Der Schlüssel liegt bei Anna.", "Der Schlüssel liegt nicht bei Anna."),
        ("Wir haben Karten für das Konzert.", "Wir haben keine Karten für das Konzert."),
        ("Anne vient à la fête du quartier.", "Anne ne vient plus à la fête du quartier."),
        ("Ana viene a la fiesta.", "Ana nunca viene a la fiesta."),
        ("我住在北京", "我不住在北京"),
    ],
)
def test_a_denial_is_one_in_every_language(said: str, denied: str) -> None:
    assert opposed(said, denied)
    assert opposed(denied, said)
    assert not opposed(denied, denied)


@pytest.mark.parametrize(
    ("plain", "other"),
    [
        ("User reads fiction novels at night.", "User reads non-fiction novels at night."),
        ("User trabaja en la piscina municipal.", "User nada en la piscina municipal."),
        ("User cuisine pour les voisins.", "User cuisine sans sel pour les voisins."),
        ("User kocht sonntags für die Nachbarn.", "User kocht sonntags ohne Salz für die Nachbarn."),
    ],
)
def test_a_word_that_denies_in_some_language_merges_nothing_and_ends_nothing(plain: str, other: str) -> None:
    assert opposed(plain, other)
    assert not conflicting(record(text=other), record(text=plain))


def test_what_was_said_before_gives_way_though_it_corrects() -> None:
    assert judge(record(), record(), "prefer_new", corrects=True, late=True).outcome == "close_new"
    assert judge(record(), record(), "flag_review", late=True).outcome == "close_new"


@pytest.mark.parametrize(
    ("new", "old", "policy", "corrects", "outcome"),
    [
        ({"valid_from": NOW - timedelta(days=1)}, {}, "prefer_new", False, "close_old"),
        ({}, {}, "prefer_new", False, "close_old"),
        ({}, {}, "prefer_old", False, "close_new"),
        ({}, {}, "flag_review", False, "dispute"),
        ({}, {}, "prefer_old", True, "close_old"),
        ({"trust": 0.4, "source": "tool_indexed"}, {}, "prefer_new", False, "dispute"),
        ({"trust": 0.4, "source": "tool_indexed"}, {}, "prefer_new", True, "dispute"),
        ({"trust": 0.4}, {}, "prefer_new", False, "close_old"),
        ({"source": "tool_indexed"}, {}, "prefer_new", False, "close_old"),
        ({"source": "system_learned", "certainty": "implied"}, {}, "prefer_new", False, "close_old"),
        ({"source": "system_learned", "certainty": "inferred"}, {}, "prefer_new", False, "dispute"),
        ({"source": "system_learned", "certainty": "implied"}, {"status": "verified"}, "prefer_new", False, "dispute"),
    ],
)
def test_who_gives_way(new: dict, old: dict, policy: Policy, corrects: bool, outcome: str) -> None:
    verdict = judge(record(**new), record(**old), policy, corrects=corrects)
    assert verdict.outcome == outcome
    assert verdict.reason
