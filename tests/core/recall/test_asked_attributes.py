"""Which records give what a question asks for."""

from dataclasses import replace

import pytest

from core.making import passage, record
from memoranda.core.base.scope import Owner
from memoranda.core.image.image import Partition
from memoranda.core.recall.asked_attributes import attributed
from memoranda.core.text.terms import Analyzer
from memoranda.models.stemmer import stem

ANALYZER = Analyzer(stem)
KNOWN = {
    "city": ("location.city", "User moved to Bergen.", "user"),
    "employer": ("work.employer", "User joined Globex.", "user"),
    "role": ("work.role", "User is a baker.", "user"),
    "allergy": ("health.allergy", "User cannot have penicillin.", "user"),
    "cat": ("pet.cat.name", "User's cat is called Miso.", "user"),
    "email": ("preference.email", "User prefers short emails.", "user"),
    "colour": ("preference.colour", "User prefers green.", "user"),
    "atlas": ("project.atlas.deadline", "Atlas is to be ready on 3 May.", "user"),
    "sister": ("location.city", "User's sister Greta lives in Ulm.", "greta"),
    "tom": ("work.role", "Tom is a nurse.", "tom"),
    "text": (None, "User sleeps badly.", "user"),
}


def asked(question: str, language: str = "en") -> set[str]:
    partition = Partition(Owner("acme", "alice"), "", 0)
    base = record()
    rows = [
        replace(base, id=name, attribute=attribute, text=text, subject=subject)
        for name, (attribute, text, subject) in KNOWN.items()
    ]
    partition.absorb([passage(row.id, " ".join(ANALYZER.terms(row.text)), of="record") for row in rows], records=rows)
    return set(attributed(question, partition, ANALYZER, language))


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Where do I live?", {"city"}),
        ("user's home town", {"city"}),
        ("Where do I work?", {"employer", "role"}),
        ("Who is my employer?", {"employer"}),
        ("What am I allergic to?", {"allergy"}),
        ("Any pets?", {"cat"}),
        ("What is my cat called?", {"cat"}),
        ("How should mails look?", {"email"}),
        ("What colour do I prefer?", {"colour"}),
        ("When is the deadline of Atlas?", {"atlas"}),
        ("Where does my sister live?", {"sister"}),
        ("Where does Greta live?", {"sister"}),
        ("What is Tom's job?", {"tom"}),
    ],
)
def test_a_question_for_an_attribute_finds_what_gives_it(question: str, found: set[str]) -> None:
    assert asked(question) == found


@pytest.mark.parametrize(
    "question",
    [
        "Where does he live?",
        "Where does my brother live?",
        "Where does Ada work?",
        "Where does Will live?",
        "Where does J. live?",
        "Where did I live?",
        "What do I not prefer?",
        "Does it work?",
        "Which tram goes home from the harbour?",
        "Draft a reply to Bob about work",
        "How do I sleep?",
        "What is my favourite film?",
        "What is my dog called?",
        "Where was the job fair with the baker and the nurse from Ulm and the free work shirts?",
    ],
)
def test_any_other_question_finds_nothing_by_attribute(question: str) -> None:
    assert asked(question) == set()


@pytest.mark.parametrize(
    ("question", "language"), [("Wo wohne ich?", "de"), ("¿Dónde vivo?", "es"), ("Dans quelle ville suis-je ?", "fr")]
)
def test_questions_in_other_languages(question: str, language: str) -> None:
    assert asked(question, language) == {"city"}


def test_what_is_no_longer_known_is_not_found() -> None:
    partition = Partition(Owner("acme", "alice"), "", 0)
    city = record(id="city", attribute="location.city", text="User moved to Bergen.", subject="user")
    assert asked("Where do I live?") == {"city"}
    partition.absorb(records=[city, replace(city, version=2, attribute="work.employer")])
    assert attributed("Where do I live?", partition, ANALYZER, "en") == frozenset()
    assert attributed("Where do I work?", partition, ANALYZER, "en") == {"city"}
    partition.absorb(records=[replace(city, version=2, superseded_at=city.recorded_at)])
    assert attributed("Where do I work?", partition, ANALYZER, "en") == frozenset()
