"""Bare corrections: what counts as one, which record it fits, and what that then states."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.making import NOW, record
from memoranda.core.language.corrections import Amendment, Correction, amend, read_correction
from memoranda.core.text.detect import LANGUAGES


@pytest.mark.parametrize(
    ("language", "said", "right", "wrong"),
    [
        ("en", "No, I meant Thursday. I mix the days up.", "Thursday", None),
        ("en", "Sorry, not 5, 6 people", "6 people", "5"),
        ("en", "actually it's Lisbon, not Porto", "Lisbon", "Porto"),
        ("en", "I meant my sister, not my cousin", "my sister", "my cousin"),
        ("en", "It's not Karen, it’s Karin.", "Karin", "Karen"),
        ("en", "Not Berlin, Bonn.", "Bonn", "Berlin"),
        ("en", "Coffee, not tea", "coffee", "tea"),
        ("en", "Hm. Make that 5 pm", "5 pm", None),
        ("en", "Sorry, it's 14:30", "14:30", None),
        ("en", "Actually, it's Jon Petersen, I always mistype that.", "Jon Petersen", None),
        ("de", "Nein, ich meinte Donnerstag.", "Donnerstag", None),
        ("de", "Nicht in Berlin, sondern in Bonn.", "Bonn", "Berlin"),
        ("es", "Perdón, quise decir el jueves", "jueves", None),
        ("es", "Lisboa, no Oporto", "Lisboa", "Oporto"),
        ("fr", "Non, je voulais dire jeudi", "jeudi", None),
        ("fr", "C'est Nantes, pas Lyon", "Nantes", "Lyon"),
        ("zh", "不是周三，是周四", "周四", "周三"),
        ("zh", "我是说周四。", "周四", None),
        ("en", "typo: Thursday", "Thursday", None),
        ("en", "Sorry, three kids.", "three kids", None),
        ("de", "Tippfehler: 43", "43", None),
        ("es", "Perdón, en Zafra", "Zafra", None),
        ("es", "digo, en Zafra", "Zafra", None),
        ("fr", "Oups, 43", "43", None),
        ("zh", "打错字了，是二班", "二班", None),
    ],
)
def test_a_correction_names_what_was_meant(language: str, said: str, right: str, wrong: str | None):
    found = read_correction(said, language)
    assert found is not None
    assert (found.right, found.wrong) == (right, wrong)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "not Oslo but Bergen is cold"),
        ("en", "No, not Oslo but Bergen is where I live"),
        ("en", "Bergen was great, not Oslo"),
        ("en", "not Oslo but I like Bergen"),
        ("en", "not Tuesday but Thursday works better"),
        ("de", "Nicht Oslo, sondern Bergen ist kalt"),
        ("es", "Bergen está cerca, no Oslo"),
        ("es", "A mi hermana ya no le gusta el jazz"),
        ("fr", "pas Oslo mais je préfère Bergen"),
        ("zh", "不是奥斯陆，是卑尔根很冷"),
    ],
)
def test_what_says_more_than_a_value_is_no_bare_correction(language: str, said: str):
    assert read_correction(said, language) is None


@pytest.mark.parametrize(
    "said",
    [
        "No, Thursday.",  # may as well answer a question
        "it was great",
        "I like tea.",
        "Thursday",
        "No, not peanuts, they're fine.",
        "I meant the thing we saw on television last night",
        "It works now. The tests pass. The build too. No, I meant Thursday.",
        "",
    ],
)
def test_what_is_no_bare_correction(said: str):
    assert read_correction(said, "en") is None


def test_a_language_without_wordings_corrects_nothing():
    assert read_correction("Not Rome, Oslo!", "it") is None


def put_right(said: str, text: str, language: str = "en", at: datetime = NOW, **values: Any) -> Amendment | None:
    correction = read_correction(said, language)
    assert correction is not None
    made = amend(correction, [record(text=text, sources=("e1",), **values)], at, language)
    return made[0] if made else None


@pytest.mark.parametrize(
    ("said", "text", "value", "becomes", "new_value"),
    [
        ("No, I meant Thursday", "User's exam is on Tuesday.", "Tuesday", "User's exam is on Thursday.", "Thursday"),
        ("I meant 10 am", "User's call is on Friday at 9 am.", None, "User's call is on Friday at 10 am.", None),
        (
            "I meant Thursday",
            "User is leaving on Wednesday, January 7.",
            "leaving",
            "User is leaving on Thursday.",
            "leaving",
        ),
        ("Not Tuesday, Monday", "User flies on Tuesday and rests on Friday.", None,
         "User flies on Monday and rests on Friday.", None),
        ("I meant June", "User is moving to Oslo in May.", "Oslo", "User is moving to Oslo in June.", "Oslo"),
        ("Sorry, not 5, 6 people", "User needs a table for 5.", "table for 5", "User needs a table for 6.",
         "table for 6"),
        ("Make that 400", "User's budget is 300 euros.", "300 euros", "User's budget is 400 euros.", "400 euros"),
        ("I meant Lisbon", "User lives in Porto.", "Porto", "User lives in Lisbon.", "Lisbon"),
        ("I meant Apexo", "User works at Acmeo.", "Acmeo", "User works at Apexo.", "Apexo"),
        ("Lisbon, not Porto", "User lives in Porto.", "Porto", "User lives in Lisbon.", "Lisbon"),
        ("I meant my sister, not my cousin", "User's cousin is called Lea.", "Lea", "User's sister is called Lea.",
         "Lea"),
        ("My boss, not Tom", "User called Tom.", None, "User called their boss.", None),
        ("No, I meant pasta", "User's favourite food is pizza.", "pizza", "User's favourite food is pasta.", "pasta"),
        ("Sorry, I meant the violin", "User plays piano.", "piano", "User plays violin.", "violin"),
        ("typo: Thursday", "User's exam is on Tuesday.", "Tuesday", "User's exam is on Thursday.", "Thursday"),
        ("Sorry, three kids", "User has two kids.", "two kids", "User has three kids.", "three kids"),
        ("Oops, 43", "User is 34 years old.", "34", "User is 43 years old.", "43"),
        ("Actually, Lisbon", "User lives in Porto.", "Porto", "User lives in Lisbon.", "Lisbon"),
    ],
)  # fmt: skip
def test_the_wrong_value_is_replaced(said: str, text: str, value: str | None, becomes: str, new_value: str | None):
    made = put_right(said, text, value=value)
    assert made is not None
    assert (made.statement.text, made.statement.value) == (becomes, new_value)
    assert made.statement.correction


@pytest.mark.parametrize(
    ("said", "text", "value"),
    [
        ("I meant Thursday", "User lives in Oslo.", "Oslo"),
        ("I meant Tuesday", "User's exam is on Tuesday.", "Tuesday"),  # nothing changes
        ("I meant Thursday", "User works on Monday and rests on Friday.", None),  # which one?
        ("I meant Thursday", "User's call is at 9 am.", None),
        ("Make that 400", "User has 3 dogs and 4 cats.", None),
        ("Make that 6 people", "User has 5 dogs.", "5 dogs"),
        ("Make that 6", "User flies on January 5.", None),  # a date is no number
        ("I meant Lisbon", "User's brother is called Jakob.", "Jakob"),  # a place is no person
        ("I meant something quieter", "User lives in Porto.", "Porto"),
        ("I meant well", "User's favourite food is pizza.", "pizza"),
        ("No, I meant it", "User's favourite food is pizza.", "pizza"),
        ("Sorry, thanks", "User's favourite food is pizza.", "pizza"),
        ("Actually, coffee", "User's favourite food is pizza.", "pizza"),  # may be an order
        ("Sorry, three dogs", "User has two kids.", "two kids"),
        ("No, I meant pasta", "User lives in Porto.", "Porto"),
        ("No, I meant pasta", "User has a thing.", None),
        ("Lisbon, not Rome", "User lives in Porto.", "Porto"),
        ("My sister, not my cousin", "User lives in Porto.", "Porto"),
        ("Ann, not Anna", "User's sister Annabel lives in Porto.", "Porto"),
    ],
)
def test_where_nothing_fits_nothing_happens(said: str, text: str, value: str | None):
    assert put_right(said, text, value=value) is None


def test_the_path_and_the_subject_are_put_right_too():
    made = put_right("I meant my mum, not my aunt", "User's aunt is called Lea.", attribute="family.aunt.name",
                     subject="user's aunt")  # fmt: skip
    assert made is not None
    assert (made.statement.attribute, made.statement.subject) == ("family.mother.name", "user's mum")


@pytest.mark.parametrize("text", ["User's exam is on Tuesday.", "User's exam: Tuesday."])
def test_a_time_is_read_again_and_stays_ahead(text: str):
    tuesday = datetime(2026, 1, 7, tzinfo=UTC)
    sunday = datetime(2026, 1, 4, 12, tzinfo=UTC)
    made = put_right("I meant Thursday", text, at=sunday, phrase="Tuesday", temporal="future", valid_to=tuesday)
    assert made is not None
    assert made.statement.when is not None
    assert made.statement.when.begin == datetime(2026, 1, 8, tzinfo=UTC)


def test_the_newest_that_fits_is_put_right_with_what_was_said_beside_it():
    correction = Correction(right="Lisbon", wrong="Porto")
    home = record(id="r1", text="User lives in Porto.", sources=("e1",))
    work = record(id="r2", text="User works in Porto.", sources=("e1",))
    tea = record(id="r3", text="User likes tea.", sources=("e1",))
    before = record(id="r4", text="User was born in Porto.", sources=("e0",))
    newer = record(id="r5", text="User likes fado.", sources=("e2",))
    made = amend(correction, [newer, home, tea, work, before], NOW, "en")
    assert [one.record.id for one in made] == ["r1", "r2"]


def test_what_was_said_beside_it_of_something_else_stays():
    trip = record(id="r1", text="User flies on Tuesday.", sources=("e1",))
    rest = record(id="r2", text="User rests on Friday.", sources=("e1",))
    made = amend(Correction(right="Thursday"), [trip, rest], NOW, "en")
    assert [one.record.id for one in made] == ["r1"]


@pytest.mark.parametrize("language", LANGUAGES)
@given(text=st.text(max_size=120), held=st.text(max_size=60))
def test_no_text_makes_it_fail(language: str, text: str, held: str):
    correction = read_correction(text, language)
    if correction is not None:
        for made in amend(correction, [record(text=held, value=held)], NOW, language):
            assert made.statement.text != held


@pytest.mark.parametrize("language", LANGUAGES)
@given(right=st.text("abcdeé 19", min_size=1, max_size=20), wrong=st.text("abcdeé 19", min_size=1, max_size=20))
def test_any_two_values_can_be_exchanged_or_are_left(language: str, right: str, wrong: str):
    held = record(text=f"User has {wrong} now.", value=wrong)
    for made in amend(Correction(right=right, wrong=wrong), [held], NOW, language):
        assert made.record is held
        assert made.statement.text != held.text
