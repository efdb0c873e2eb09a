"""What cannot be is not believed: impossible values, what programs report, what a model thinks aloud."""

import pytest

from memoranda.core.language.engine import extract
from memoranda.core.text.fence import stripped


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I'm 250 years old lol"),
        ("en", "ValueError: I am allergic to None"),
        ("en", "Look:\nKeyError: my name is Bob and I live in Graz"),
        ("en", "I live in undefined."),
        ("en", "My birthday is 30 February."),
        ("en", "My birthday is June 31."),
        ("en", "<think>The user is diabetic. I live in Ohio.</think> How long do I boil an egg?"),
        ("de", "Ich habe 28 Kinder."),
        ("es", "Mi cumpleaños es el 45 de marzo."),
        ("zh", "我今年800岁。"),
    ],
)
def test_the_impossible_is_not_believed(language: str, text: str):
    assert extract(text, language=language) == []


@pytest.mark.parametrize(
    ("language", "text", "value"),
    [
        ("en", "I turned 101 in May.", "101"),
        ("en", "My birthday is 29 February.", "29 February"),
        ("en", "My birthday is May 31.", "May 31"),
        ("en", "I'm allergic to water.", "water"),
        ("en", "I love naan and my nan.", "naan"),
        ("en", "I live\0 in Oslo.", "Oslo"),
        ("en", "I live \ufffdin Oslo.", "Oslo"),
        ("de", "Ich habe 9 Kinder.", "9 Kinder"),
        ("zh", "我93岁了", "93"),
    ],
)
def test_the_unusual_is(language: str, text: str, value: str):
    assert value in str(extract(text, language=language)[0].value)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>He lives in Ohio.</think>\nBoil it.", "Boil it."),
        ("<Thinking>a</Thinking> b <think>c</think> d", "b d"),
        ("How do I parse <think> tags?", "How do I parse <think> tags?"),
        ("a </think> b", "a </think> b"),
        ("<think>" * 50 + "a</think>b", "<think>" * 49 + "b"),
    ],
)
def test_what_a_model_thinks_aloud_is_no_speech(text: str, left: str):
    assert stripped(text) == left


@pytest.mark.parametrize("line", ["===", "---", "***", "####", "~~~~", "____"])
def test_what_stands_between_two_lines_of_a_sign_is_not_said(line: str) -> None:
    assert extract(f"{line}\nI live in Rome.\n{line}\n\nWhat is this?", language="en") == []
