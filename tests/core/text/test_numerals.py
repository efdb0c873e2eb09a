"""Numbers in words."""

import pytest

from memoranda.core.text.numerals import in_digits


@pytest.mark.parametrize(
    ("text", "language", "digits"),
    [
        ("We've got two kids.", "en", "We've got 2 kids."),
        ("Forty-two or forty two, ninety", "en", "42 or 42, 90"),
        ("ten twenty", "en", "10 20"),
        ("a two-bedroom flat for someone", "en", "a 2-bedroom flat for someone"),
        ("zwei Kinder, einundvierzig Jahre", "de", "2 Kinder, 41 Jahre"),
        ("dos hijos", "es", "2 hijos"),
        ("deux enfants", "fr", "2 enfants"),
        ("两个孩子，十二只猫", "zh", "2个孩子，12只猫"),
        ("two filhos", "pt", "two filhos"),
    ],
)
def test_numbers_in_words_become_digits(text: str, language: str, digits: str):
    assert in_digits(text, language) == digits
