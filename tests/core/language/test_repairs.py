"""What a speaker takes back in the same breath is not stated; what they say instead is."""

import pytest

from memoranda.core.language.engine import extract


def read(text: str, language: str) -> list[tuple[str | None, object]]:
    return [(one.attribute, one.value) for one in extract(text, language=language)]


@pytest.mark.parametrize(
    ("language", "text", "attribute", "value"),
    [
        ("en", "I work at Acme, no wait, Globex now.", "work.employer", "Globex"),
        ("en", "I live in Oslo, I mean Bergen.", "location.city", "Bergen"),
        ("en", "I work for Siemens, sorry, for Bosch.", "work.employer", "Bosch"),
        ("en", "My sister is called Ana, no, Anna.", "family.sister.name", "Anna"),
        ("en", "I'm a nurse, no, a paramedic.", "work.role", "paramedic"),
        ("en", "I drive a Golf - sorry, a Polo.", "possession", "Polo"),
        ("de", "Ich wohne in Erfurt – Quatsch, seit Mai ja in Jena.", "location.city", "Jena"),
        ("de", "Ich arbeite bei Siemens, äh nein, bei Bosch.", "work.employer", "Bosch"),
        ("de", "Ich bin 34, nein, 35.", "identity.age", "35"),
        ("es", "Trabajo en Acciona, digo, en Ferrovial.", "work.employer", "Ferrovial"),
        ("es", "Vivo en Madrid, perdón, en Getafe.", "location.city", "Getafe"),
        ("fr", "Je bosse chez Thales, pardon, chez Safran.", "work.employer", "Safran"),
        ("fr", "J'habite à Lyon, enfin, à Villeurbanne.", "location.city", "Villeurbanne"),
        ("zh", "我在网易，哦不对，现在在莉莉丝工作。", "work.employer", "莉莉丝"),
    ],
)
def test_what_is_said_instead_counts(language: str, text: str, attribute: str, value: str) -> None:
    assert read(text, language) == [(attribute, value)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I'm allergic to cashews, scratch that, pistachios."),
        ("en", "I have two kids, no wait, three."),
        ("zh", "我住在北京，不对，是天津。"),
    ],
)
def test_nothing_is_stated_of_what_was_taken_back(language: str, text: str) -> None:
    assert not {"cashews", "two", "北京"} & {value for _, value in read(text, language)}


@pytest.mark.parametrize(
    ("language", "text", "value"),
    [
        ("en", "I live in Oslo, I mean it's lovely here.", "Oslo"),
        ("en", "I love hiking, sorry for rambling.", "hiking"),
        ("en", "I like tea, no sugar in my tea.", "tea"),
        ("en", "I work at Acme, well, I love it there.", "Acme"),
        ("de", "Ich wohne in Köln, nein, ich habe kein Auto.", "Köln"),
        ("es", "Vivo en Madrid, digo yo que por poco tiempo.", "Madrid"),
        ("fr", "J'habite à Lyon, enfin bref, il fait froid.", "Lyon"),
    ],
)
def test_what_only_sounds_like_it_takes_nothing_back(language: str, text: str, value: str) -> None:
    assert value in [found for _, found in read(text, language)]


@pytest.mark.parametrize(
    ("language", "text", "kept"),
    [
        ("en", "my former supervisor at CERN will write it", []),
        ("en", "my manager at Acme is nice", ["Acme"]),
        ("en", "I'm allergic to that man, I swear.", []),
        ("en", "Never shop on an empty stomach, they say.", []),
        ("en", "Nope, never been to Goa, never want to.", []),
        ("en", "never deploy on Fridays", ["never deploy on Fridays"]),
        ("fr", "J'habite Liège mais je travaille à Maastricht.", ["Liège"]),
        ("fr", "Je travaille à la SNCF.", ["SNCF"]),
        ("fr", "Je travaille à Radio France depuis mai.", ["Radio France"]),
        ("zh", "老公死活不戒烟", []),
        ("zh", "我爱人原先在供销社", []),
        ("zh", "儿子小名叫石头", ["石头"]),
    ],
)
def test_what_resembles_a_statement_is_told_from_it(language: str, text: str, kept: list[str]) -> None:
    assert [value for _, value in read(text, language)] == kept
