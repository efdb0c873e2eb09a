import pytest

from memoranda.core.language.person import first_person, sentence_for


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("User prefers short emails.", "I prefer short emails."),
        ("The user lives in Oslo", "I live in Oslo"),
        ("User's sister is called Anna.", "my sister is called Anna."),
        ("User is a nurse", "I'm a nurse"),
        ("User is not a nurse", "I'm not a nurse"),
        ("User was promoted", "I was promoted"),
        ("User has a dog", "I have a dog"),
        ("User does not eat meat", "I don't eat meat"),
        ("User no longer works at Acme", "I no longer work at Acme"),
        ("User no longer has a dog", "I no longer have a dog"),
        ("User studies law and loves their dog", "I study law and loves my dog"),
        ("User watches chess", "I watch chess"),
        ("User often goes hiking", "I often go hiking"),
        ("User does yoga", "I do yoga"),
        ("User used to live in Oslo", "I used to live in Oslo"),
        ("User likes it because they're old", "I like it because I'm old"),
        ("Greta lives in Oslo", None),
        ("Users like it", None),
    ],
)
def test_what_is_said_of_the_user_is_what_the_user_says(text: str, said: str | None):
    assert first_person(text, "en") == said


def test_others_say_what_is_said_of_them():
    assert first_person("Greta (K.) lives in Oslo", "en", "greta (k.)") == "I live in Oslo"
    assert first_person("Nutzer mag Tee", "de") is None


def test_a_value_is_told_as_a_sentence():
    assert sentence_for("location.city", "Oslo", "en") == "User lives in Oslo"
    assert sentence_for("location.city", "Oslo", "fr") == "User lives in Oslo"
    assert sentence_for("project.atlas.port_number", "80", "en") == "User's project atlas port number: 80"
