"""Of whom a clause speaks that does not name its subject, and values of which a clause gives several."""

import pytest

from memoranda.core.language.engine import extract


def told(text: str) -> list[tuple[str, str | None, object, int]]:
    return [(item.subject, item.attribute, item.value, item.polarity) for item in extract(text)]


@pytest.mark.parametrize(
    ("said", "subject", "attribute", "value"),
    [
        ("My brother is named Viktor. He works at Audi.", "Viktor", "work.employer", "Audi"),
        ("My husband is called Karim and he's a dentist.", "Karim", "work.role", "dentist"),
        ("My sister got married. She lives in Cardiff.", "user's sister", "location.city", "Cardiff"),
        ("My daughter goes to university. Her name is Sofia.", "user", "family.daughter.name", "Sofia"),
        ("We got a puppy! Her name is Luna.", "user", "pet.dog.name", "Luna"),
        ("My sister Ana, who works at Pfizer, is here.", "Ana", "work.employer", "Pfizer"),
        ("My friend Pia, who's a vet, is here.", "Pia", "work.role", "vet"),
        ("I have a friend who works at Bolt.", "user's friend", "work.employer", "Bolt"),
        ("I'm a nurse who works at Bolt.", "user", "work.employer", "Bolt"),
        ("It's for my mother in law. She works at Bolt.", "user's mother in law", "work.employer", "Bolt"),
        ("My late husband was a pilot.", "user's late husband", "work.role", "pilot"),
        ("My aunt is a pharmacist who lives in Lublin.", "user's aunt", "location.city", "Lublin"),
        ("My sister Ana is here. Ana works at Audi.", "Ana", "work.employer", "Audi"),
        ("My dog Rex is old. It rains. Rex is seven.", "Rex", "identity.age", "seven"),
        ("Dad works at Audi.", "user's Dad", "work.employer", "Audi"),
        ("My mother met Tom. My brother Max hates tea, he works at Audi.", "Max", "work.employer", "Audi"),
    ],
)
def test_a_pronoun_speaks_of_whom_was_mentioned_last(said: str, subject: str, attribute: str, value: str):
    assert (subject, attribute, value, 1) in told(said)


@pytest.mark.parametrize(
    "said",
    [
        "She works at Google.",
        "My brother is here. She works at Google.",
        "My sister is here. It rains. She works at Google.",
        "I met a woman who works at Google.",
        "It's my aunt who works at Google.",
        "I'm meeting an investor who works at Google.",
        "I'm the assistant of a lawyer who works at Google.",
        "My wife has a client. She works at Google.",
        "My boss Ana has a friend. She works at Google.",
        "I saw my neighbour's daughter. She works at Google.",
        "I met Anna. She works at Google.",
        "My sister Ana is here. Anatol works at Google.",
        "My sister Ana is here. Ana-Sofia works at Google.",
        "My brother Tom is here. My friend Tom is, too. Tom works at Google.",
        "Dad jokes work at Google.",
    ],
)
def test_of_anybody_else_nothing_is_told(said: str):
    assert not [item for item in told(said) if item[1] == "work.employer"]


@pytest.mark.parametrize(
    ("said", "attribute", "values"),
    [
        ("I speak Dutch, Arabic and some Danish.", "language.spoken", ["Dutch", "Arabic", "Danish"]),
        ("I'm allergic to peanuts and latex.", "health.allergy", ["peanuts", "latex"]),
    ],
)
def test_each_part_of_a_list_is_a_value(said: str, attribute: str, values: list[str]):
    assert [item[2] for item in told(said) if item[1] == attribute] == values


def test_what_is_so_instead_is_told_beside_what_is_not():
    assert told("I'm not allergic to peanuts after all, it's cashews.") == [
        ("user", "health.allergy", "cashews", 1),
        ("user", "health.allergy", "peanuts", -1),
    ]


@pytest.mark.parametrize(
    ("said", "attribute", "value"),
    [
        ("We packed up and moved to Torun.", "location.city", "Torun"),
        ("I've changed jobs and work at Lundin now.", "work.employer", "Lundin"),
        ("I'm Clara, a designer from Bilbao.", "work.role", "designer"),
        ("I'm with Deloitte now.", "work.employer", "Deloitte"),
        ("I left Leeds for York.", "location.city", "York"),
    ],
)
def test_a_clause_without_a_subject_has_that_of_the_one_before(said: str, attribute: str, value: str):
    assert ("user", attribute, value, 1) in told(said)


@pytest.mark.parametrize("said", ["I met people who dance and work at Google.", "I'm with Anna now."])
def test_a_name_is_not_taken_for_an_employer(said: str):
    assert not [item for item in told(said) if item[1] == "work.employer"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Our plumber Anselm is coming on Monday.", ("Anselm", "work.role", "plumber", 1)),
        ("Mirela is our site manager.", ("Mirela", "work.role", "site manager", 1)),
    ],
)
def test_a_rule_may_name_whom_it_is_about(said: str, expected: tuple[str, str, str, int]):
    assert expected in told(said)


def test_a_clause_that_states_nothing_leaves_its_copula_to_the_next_one():
    assert told("My son is at uni in Lund, studying geology.") == [("user's son", "education.field", "geology", 1)]


@pytest.mark.parametrize(
    "said",
    ["I'm seeing Tom, a plumber from Rome.", "I'm waiting for my son, a nurse at Audi.", "I'm with a man, divorced."],
)
def test_what_may_be_said_of_somebody_mentioned_is_not_said_of_the_speaker(said: str):
    assert not [item for item in told(said) if item[0] == "user" and item[1] != "family.son.name"]


@pytest.mark.parametrize(
    "said", ["I'm allergic to nuts, cook for Marta carefully.", "I'm tired, lunch at Nando's was too much."]
)
def test_what_follows_a_comma_is_no_work_because_of_a_copula_before_it(said: str):
    assert not [item for item in told(said) if item[1].startswith("work.")]


def test_who_is_said_to_say_something_is_named_all_the_same():
    assert told("My wife Ana says I live in Rome.") == [("user", "family.wife.name", "Ana", 1)]


def test_a_value_may_be_meant_in_other_words():
    assert told("We're getting married in May.") == [("user", "family.status", "engaged", 1)]
    assert told("We're not getting married.") == [("user", "family.status", "engaged", -1)]
    assert told("We're not getting married in May.") == [("user", "task", "getting married in May", -1)]


@pytest.mark.parametrize("said", ["I'm Ravenclaw.", "I'm Catalan, from Vic.", "I'm Zodiac and I'm tired."])
def test_what_one_is_is_no_name(said: str):
    assert "identity.name" not in [attribute for _, attribute, *_ in told(said)]


@pytest.mark.parametrize("said", ["Hi, I'm Kimaria and I bake.", "I'm Kimaria, a vet.", "I'm Kimaria, 34."])
def test_who_introduces_themselves_may_have_a_name_that_is_not_known(said: str):
    assert ("user", "identity.name", "Kimaria", 1) in told(said)


def test_whoever_is_hired_is_hired_by_the_speaker():
    texts = [item.text for speaker in (None, "Ann") for item in extract("Ruth is our plumber.", speaker=speaker)]
    assert texts == ["Ruth is User's plumber.", "Ruth is Ann's plumber."]


def test_a_country_is_no_pronoun():
    assert [item.text for item in extract("I'm a US customs officer.")] == ["User is a US customs officer."]
