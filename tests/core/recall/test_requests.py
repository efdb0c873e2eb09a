"""Of a long message that which asks or orders is looked up, part by part; a question is looked up as it is."""

from time import perf_counter

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
        "你知道卡罗琳七月参观的博物馆吗。",
        "أي متحف زارت كارولين في يوليو؟",
        "(Which museum did Caroline visit in July?)",
        "**Which museum did Caroline visit in July?**",
        "_Which museum did Caroline visit in July?_",
        "Which museum did Caroline visit in July?😊",
        "Which museum did Caroline\nvisit in July?",
        "I have been thinking about that museum and would\nlike to know in which month Caroline went,\njuly or august?",
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


@pytest.mark.parametrize(
    "before", ["They begged, and the answer was no.", "We flew to the U.S.\n", "They sang in D.", "So am I."]
)
def test_what_asks_begins_a_sentence_whatever_stands_before(before: str) -> None:
    asked = "Which museum did Caroline visit?"
    assert read(f"{before} {asked}", terms, {"no", "u.s"}) == (asked,)


def test_an_initial_ends_no_sentence() -> None:
    asked = "What did J. R. Smith say about (A. Lee's) museum?"
    assert read(f"{TALK} {asked}", terms) == (asked,)


def test_lines_that_begin_small_are_no_wrapped_sentence_if_they_are_short_or_begin_anew() -> None:
    assert read("long day at work\nmuseum: which one did caroline see?", terms) == (
        "museum: which one did caroline see?",
    )
    asked = "where did caroline go in july, to which museum"
    assert read(f"the printer died once more and nobody at all knew why\n{asked}", terms) == (asked,)


@pytest.mark.parametrize("code", ["let a = read(first_path)?;\n", "x = first?.second\n", "f(a?, b?, second_name)\n"])
def test_a_question_mark_in_code_asks_nothing(code: str) -> None:
    asked = "Which parser did Caroline choose?"
    assert read(f"{asked}\n{code * 5}", terms) == (asked,)


def test_such_orders_only_in_german() -> None:
    assert read(f"{TALK} Such a museum is rare.", terms) != ("Such a museum is rare.",)
    assert read(f"{TALK} Such das Museum in Bonn.", terms) == ("Such das Museum in Bonn.",)


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


@pytest.mark.parametrize("place", [0, 20])
def test_of_a_pasted_error_the_line_that_names_it_is_looked_up(place: int) -> None:
    lines = [f'  File "/srv/app/service/module_{n}.py", line {n}, in handler_{n} of shard {n}' for n in range(20)]
    lines.insert(place, "OperationalError: staging refused")
    found = read("\n".join(lines), terms)
    assert "OperationalError: staging refused" in found
    assert len(found) == MOST
    assert read("\n".join([*lines, *lines]), terms)[-1] == "OperationalError: staging refused"


def test_a_sentence_without_stops_is_cut_at_its_commas() -> None:
    rambling = ", ".join(["then we drove to the next town and bought bread and cheese and old books"] * 6)
    found = read(f"{rambling}, anyway what is the name of Caroline's museum?", terms)
    assert found == ("anyway what is the name of Caroline's museum?",)


def test_what_the_question_mark_of_a_long_sentence_ends_is_not_cut_off() -> None:
    names = " ".join(
        "Tom Lena Peter Paul Mary Anna Olga Igor Ivan Boris Vera Nina Nora Sara Lara Mona Rosa Dora".split()
    )
    long = f"we had soup with {names}, with {names.lower()}, and bread"
    asked = "which seat was 1,250 euros at 10:30, last autumn, on https://example.com/a,b?"
    assert read(f"{long}, {asked}", terms) == (asked,)


@pytest.mark.parametrize("noise", ["?" * 20_000 + "a", "?," * 10_000, "? " * 10_000, "？" * 20_000, "Dr. " * 5_000])
def test_the_time_to_read_grows_with_the_length_alone(noise: str) -> None:
    begun = perf_counter()
    read(f"{noise} We had soup. Which museum did Caroline visit?", terms, {"dr"})
    assert perf_counter() - begun < 1


@pytest.mark.parametrize("form", ["Where is the {0} garden of aunt {0}?", "The {0} garden of aunt {0} is green."])
def test_no_more_than_a_few_parts_are_looked_up(form: str) -> None:
    assert len(read(" ".join(form.format(word) for word in "abc def ghi jkl mno pqr".split()), terms)) == MOST


@pytest.mark.parametrize("text", ["... ... ...", "? ? ?", "!!! !!!", "\n\n\n"])
def test_what_holds_no_word_is_looked_up_all_the_same(text: str) -> None:
    assert all(part in text for part in read(text, terms))
    assert read(text, terms)
