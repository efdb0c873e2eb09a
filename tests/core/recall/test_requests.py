"""Of a long message that which asks or orders is looked up, part by part; a question is looked up as it is."""

import pytest

from memoranda.core.recall.requests import MOST, read
from memoranda.core.text.terms import Analyzer
from memoranda.models.stemmer import stem

TALK = "Long day at work, the printer died again. My feet hurt from the new shoes. Dinner was soup from the freezer."
terms = Analyzer(stem).terms


@pytest.mark.parametrize(
    "text",
    [
        "Which museum did Caroline visit in July?",
        "museum caroline july",
        "the red bike I bought from Tom in the rain last autumn with the broken bell and the good tyres",
        "Hi!",
        "???",
        "",
    ],
)
def test_one_sentence_is_looked_up_as_it_is(text: str) -> None:
    assert read(text, terms) == (text,)


@pytest.mark.parametrize(
    "question",
    [
        "Which museum did Caroline visit in July?",
        "Remind me which museum Caroline visited in July.",
        "Kannst du mir sagen, welches Museum Caroline im Juli besucht hat?",
        "Sag mir bitte, welches Museum Caroline besucht hat.",
        "¿Qué museo visitó Caroline en julio?",
        "Dime qué museo visitó Caroline en julio.",
        "Quel musée Caroline a-t-elle visité en juillet ?",
        "Rappelle-moi quel musée Caroline a visité en juillet.",
        "卡罗琳七月参观了哪个博物馆?",
        "请告诉我卡罗琳七月参观的博物馆。",
    ],
)
@pytest.mark.parametrize("after", ["", " Thanks a lot!"])
def test_what_asks_is_found_in_talk(question: str, after: str) -> None:
    assert read(f"{TALK} {question}{after}", terms) == (question,)


@pytest.mark.parametrize("asked", ["What did Dr. Jones prescribe?", "Where do Mr. and Mrs. Lee live?"])
def test_an_abbreviation_ends_no_sentence(asked: str) -> None:
    assert read(asked, terms, {"dr", "mr", "mrs"}) == (asked,)
    assert read(f"{TALK} {asked}", terms, {"dr", "mr", "mrs"}) == (asked,)
    assert read(f"I saw the doctor. {asked}", terms, {"dr", "mr", "mrs"}) == (asked,)


def test_what_asks_without_a_question_mark_is_found() -> None:
    asked = "so what is the name of the museum that Caroline visited"
    assert read(f"{TALK} {asked}", terms) == (asked,)


def test_what_says_little_by_itself_is_looked_up_with_what_comes_before_as_well() -> None:
    found = read("We go to Oslo in May with the kids. What do I pack?", terms)
    assert found == ("What do I pack?", "We go to Oslo in May with the kids. What do I pack?")


def test_what_says_little_gives_way_to_what_says_enough() -> None:
    asked = "Anyway, which museum did Caroline visit?"
    assert read(f"{TALK} Isn't it always so? {asked}", terms) == (asked,)


def test_an_order_counts_beside_a_question() -> None:
    found = read("Draft the invitation for Lena's party on Saturday. Short and without emojis, ok?", terms)
    assert set(found) >= {"Draft the invitation for Lena's party on Saturday."}


def test_what_is_told_is_looked_up_if_nothing_asks() -> None:
    pasted = 'Traceback (most recent call last):\n  File "app.py", line 12, in main\nKeyError: DATABASE_URL on staging'
    assert {part.split()[0] for part in read(pasted, terms)} == {"Traceback", "File", "KeyError:"}


def test_a_sentence_without_stops_is_cut_at_its_commas() -> None:
    rambling = ", ".join(["then we drove to the next town and bought bread and cheese and old books"] * 6)
    found = read(f"{rambling}, anyway what is the name of Caroline's museum?", terms)
    assert found == ("anyway what is the name of Caroline's museum?",)


@pytest.mark.parametrize("form", ["Where is the {0} garden of aunt {0}?", "The {0} garden of aunt {0} is green."])
def test_no_more_than_a_few_parts_are_looked_up(form: str) -> None:
    assert len(read(" ".join(form.format(word) for word in "abc def ghi jkl mno pqr".split()), terms)) == MOST


@pytest.mark.parametrize("text", ["... ... ...", "? ? ?", "!!! !!!", "\n\n\n"])
def test_what_holds_no_word_is_looked_up_all_the_same(text: str) -> None:
    assert all(part in text for part in read(text, terms))
    assert read(text, terms)
