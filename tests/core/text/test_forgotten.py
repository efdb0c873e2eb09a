"""How texts are compared with what was forgotten: escapes of JSON, placeholders, and what is cut out of JSON."""

import json
import time
from typing import Any

import pytest

from memoranda.core.text.forgotten import WITHHELD, Forgotten, claims, phrase, phrases

AGATHA = "Agatha lives at Müller Street 44"


def barring(*words: str) -> Forgotten:
    return Forgotten(map(phrase, words))


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"a": "He said:\nAgatha lives at\tMüller\r\nStreet 44\n"}),
        json.dumps(["Agatha", "lives at Müller Street 44"]),
        json.dumps({"Agatha": 'lives at "Müller" Street \\ 44', "n": 44}),
        json.dumps({"a": AGATHA}).replace(" ", "\\u0020"),
        json.dumps({"a": AGATHA}).replace("A", "\\u0041"),
        json.dumps({"a": AGATHA.replace("ü", "u\u0308").replace(" ", "\\/")}),
        json.dumps({"a": json.dumps({"b": AGATHA.replace(" ", "\n")})}),
        json.dumps([json.dumps(AGATHA.replace(" ", "\n"))]),
        json.dumps(json.dumps({"a": json.dumps([AGATHA.replace(" ", "\t")])})),
        json.dumps(AGATHA.replace(" ", "\n")),
        json.dumps(AGATHA.replace(" ", "\n"))[1:-1],
        f"Result → {json.dumps({'a': AGATHA.replace(' ', chr(10))})} and so on.",
        json.dumps({"a": "b\n" + AGATHA.replace(" ", "\n"), "c": "d"})[:-8] + "…",
        json.dumps({"a": "x" + "\n" + AGATHA + "\n" + "y"})[:-5],
    ],
)
def test_words_are_found_behind_escapes_of_json(text: str) -> None:
    assert barring(AGATHA).repeats(text)
    assert not barring("Agatha lives at Müller Street 45").repeats(text)


def test_a_short_word_is_found_behind_an_escape_in_json() -> None:
    for text in ('{"a": "and\\nable"}', '["and\\table"]', '{"a": "[\\"x\\\\nable\\"]"}', 'k: {"able\\n": 1}'):
        assert barring("able").repeats(text), text
    assert barring("😀 Zoë").repeats('["\\ud83d\\ude00\\nZo\\u00eb"]')
    assert barring("Zoë").repeats("Call Zo\\u00eb")


@pytest.mark.parametrize(
    "text",
    [
        r"The file is C:\new\table.",
        r'It lies in "C:\new\table", I think.',
        r"C:\\new\\table",
        json.dumps({"path": r"C:\new\table"}),
        json.dumps([json.dumps({"path": r"C:\new\table"})]),
        json.dumps({"said": r'Open "C:\new\table" now.'}),
        r"\\server\new\table",
    ],
)
def test_a_backslash_in_ordinary_text_is_no_escape(text: str) -> None:
    assert barring(r"new\table").repeats(text)
    assert barring("new table").repeats(text)
    assert not barring("able").repeats(text)
    assert not barring("ew").repeats(text)
    assert not barring("ew able").repeats(text)


def test_words_given_with_escapes_are_read_both_ways() -> None:
    assert Forgotten(claims("Agatha\\nlives at M\\u00fcller Street 44")).repeats(AGATHA)
    assert Forgotten(claims("M\\u00fcllerstadt")).repeats("In Müllerstadt")
    barred = Forgotten(claims(r"\table"))
    assert barred.repeats(r"C:\table")
    assert not barred.repeats("I am able.")
    told = phrases(json.dumps({"a": f"Hi.\n{AGATHA}. And so on.", "b": "\n".join(AGATHA.split())}))
    assert phrase(AGATHA) in told
    assert phrase("and so on") not in told


@pytest.mark.parametrize("ascii_", [True, False])
@pytest.mark.parametrize("before", ["", "key: "])
def test_what_is_left_of_json_is_json(before: str, ascii_: bool) -> None:
    value: dict[str, Any] = {
        "a": f"Hi \\ there.\n{AGATHA}. Tea?", "b": [1, 2.5, None, True, 'x"y'], AGATHA: [44],
        "c": json.dumps({"d": [AGATHA.replace(" ", "\t"), "bread"]}),
    }  # fmt: skip
    left, count = barring(AGATHA).withheld(before + json.dumps(value, ensure_ascii=ascii_))
    assert left.startswith(before)
    assert json.loads(left[len(before) :]) == {
        "a": f"Hi \\ there.\n{WITHHELD} Tea?", "b": value["b"], WITHHELD: [44],
        "c": json.dumps({"d": [WITHHELD, "bread"]}, ensure_ascii=ascii_),
    }  # fmt: skip
    assert count == 3
    assert left.isascii() is ascii_ or not ascii_
    assert barring(AGATHA).withheld(left) == (left, 0)


def test_what_goes_through_several_values_of_json_goes_with_them() -> None:
    left, count = barring(AGATHA).withheld(json.dumps({"Agatha": "lives at Müller Street", "": 44}))
    assert (left, count) == (WITHHELD, 1)
    assert barring(AGATHA).withheld(f"{AGATHA}. " + json.dumps({"a": [AGATHA, 1]})) == (
        WITHHELD + ' {"a": ["[withheld: forgotten]", 1]}', 2,
    )  # fmt: skip
    assert barring(AGATHA).withheld("[" * 100_000 + AGATHA) == (WITHHELD, 1)
    assert barring("44").withheld("44") == (WITHHELD, 1)


@pytest.mark.parametrize("words", ["forgotten", "withheld", "withheld: forgotten", "[withheld: password]", "number"])
def test_the_words_of_a_placeholder_are_nobodys(words: str) -> None:
    text = "My pin: [withheld: card number]. [withheld: forgotten] [withheld: password] Bye."
    barred = barring(words)
    assert not barred.repeats(text)
    assert barred.withheld(text) == (text, 0)
    assert not barred.repeats(json.dumps({"a": text + "\n"}))


def test_words_around_a_placeholder_are_found() -> None:
    text = "My pin: [withheld: card number]. I have forgotten the number. Bye."
    for words in ("pin: [withheld: card number]", "forgotten", "number", "card number]. I have", "[withheld: x] bye"):
        assert barring(words).repeats(text) is (words in text and not words.startswith("card")), words
    assert barring("[withheld: forgotten] You like tea").repeats("[withheld: forgotten] You like tea.")
    assert not barring("My pin I have forgotten").repeats(text)


@pytest.mark.parametrize(
    "text",
    [
        *("\\n" * 50_000, ',"' * 50_000, '\\"' * 50_000, '["' + "\\\\" * 50_000, ":" + " " * 100_000 + '"'),
        *('{"a' * 30_000, "\\u0308" * 20_000, ': "a" ' * 20_000, "[withheld: " * 10_000, "[withheld: x] " * 10_000),
    ],
)
def test_texts_made_to_be_slow_are_read_in_linear_time(text: str) -> None:
    before = time.process_time()
    assert not barring("able").repeats(text)
    assert time.process_time() - before < 5


@pytest.mark.parametrize(
    "around",
    ["<{}>", "={}", "#{}", "+{} ", "##{}", "|{}|", "~{}~", "x<{}>y", "From: Ann <{}>", "mail={};", "→{}←", "±{}"],
)
def test_signs_around_words_are_no_part_of_them(around: str) -> None:
    words = barring("ann@example.com")
    assert words.repeats(around.format("ann@example.com"))
    assert not words.repeats(around.format("joann@example.com"))


@pytest.mark.parametrize(
    "text",
    [
        *("Ann+Ben", "1+Ann", "Ann+1", "a#Ann", "issue#Ann", "?q=Ann+Lee&a", "LIKE '%Ann%'", "?q=Ann%20Lee", "$Ann"),
        *(
            "Ann$1",
            "Ann£ or Lee",
            "Ann™ shop",
            "Ann¹",
            "¹Ann",
            "①Ann",
            "❶Ann",
            "1️⃣Ann",
            "№Ann",
            "₹Ann",
            "Ann¢",
            "₿Ann",
            "´Ann´",
            "¨Ann",
        ),
    ],
)
def test_signs_between_words_are_no_part_of_them(text: str) -> None:
    assert barring("Ann").repeats(text)
    assert not barring("Annie", "An").repeats(text)


@pytest.mark.parametrize(
    ("forgotten", "text", "other"),
    [
        *(("C#", "C#, C++", "C, C++"), ("C++", "I like C++.", "I like C."), ("C#", "用C#写", "用C写")),
        *(("50%", "50 % off", "50 off"), ("50 %", "about 50%", "about 50"), ("50%", "有50%的人", "有50的人")),
        *(("$5", "for $5 or $6", "for 5 or $6"), ("5 €", "5€", "5"), ("co2", "CO₂", "CO"), ("5 kg", "5㎏", "5g")),
    ],
)
def test_signs_of_a_word_are_found_with_it(forgotten: str, text: str, other: str) -> None:
    assert barring(forgotten).repeats(text)
    assert not barring(forgotten).repeats(other)


@pytest.mark.parametrize(
    ("forgotten", "text"),
    [("C", "C++ is fun"), ("C", "C# is fun"), ("5", "5.5 <x>"), ("5", "-5"), ("5", "$5"), ("5", "5€"), ("5", "5%")],
)
def test_signs_that_make_another_word_of_one_stay(forgotten: str, text: str) -> None:
    assert not barring(forgotten).repeats(text)


@pytest.mark.parametrize("levels", [63, 64, 65, 460, 500, 20_000])
def test_a_document_of_however_many_levels_loses_what_was_forgotten(levels: int) -> None:
    text = "[" * levels + f'"{AGATHA}", "b"' + "]" * levels
    left, count = barring(AGATHA).withheld(text)
    assert (count > 0, "Agatha" in left) == (True, False)


def test_names_of_an_object_that_lose_the_same_words_keep_their_values() -> None:
    text = '{"Agatha red": "The crab is blue.", "Agatha old": "The ferry is late.", "n": 1}'
    left, count = barring("Agatha").withheld(text)
    assert count == 2
    assert [*json.loads(left).values()] == [*json.loads(text).values()]
    assert barring("Agatha").withheld(left) == (left, 0)


def test_half_a_character_in_a_document_leaves_a_text_that_can_be_stored() -> None:
    left, count = barring("Agatha").withheld('Größe: {"n": "Agatha", "b": "open \\ud83d"}')
    assert (left, count) == (f'Größe: {{"n": "{WITHHELD}", "b": "open \ufffd"}}', 1)


def test_a_bracket_in_a_sentence_does_not_keep_the_rest_of_it() -> None:
    text = "I like tea. Agatha [1] lives at Müller Street 44 [2, 3]. I like the sea."
    assert barring("Agatha").withheld(text) == (f"I like tea. {WITHHELD} I like the sea.", 1)
    both = text + ' {"who": "Agatha", "crab": "blue"}'
    assert "Müller" not in barring("Agatha").withheld(both)[0]
    assert '"crab": "blue"' in barring("Agatha").withheld(both)[0]
