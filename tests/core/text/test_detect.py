import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.core.text.detect import LANGUAGES, detect


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I would rather have tea than coffee", "en"),
        ("My dog is called Schröder and the weather is nice", "en"),
        ("Ich wohne in Berlin", "de"),
        ("Können wir das Meeting auf Freitag verschieben?", "de"),
        ("danke", "de"),
        ("Me llamo Ana y vivo en Madrid", "es"),
        ("Prefiero el té", "es"),
        ("J'habite à Lyon avec ma sœur", "fr"),
        ("Je travaille chez Airbus", "fr"),
        ("我住在北京\uff0c喜欢喝茶", "zh"),
        ("我用 Python 写 backend", "zh"),
    ],
)
def test_says_which_language_a_text_is_in(text: str, language: str):
    assert detect(text) == language
    assert detect(text, default="de") == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("我今天 went to the store with my friend", "en"),
        ("Ich habe gestern das release gemerged und the build is green", "de"),
        ("The word 你好 means hello in Chinese", "en"),
    ],
)
def test_takes_the_dominant_language_of_a_mixed_line(text: str, language: str):
    assert detect(text) == language


@pytest.mark.parametrize("text", ["", "ok", "12:30", "la", "no", "Kubernetes", "!?"])
def test_falls_back_to_the_default_where_nothing_decides(text: str):
    assert detect(text) == "en"
    assert detect(text, default="fr") == "fr"


def test_does_not_take_japanese_for_chinese():
    assert detect("私は東京に住んでいます") == "en"


def test_judges_a_long_text_by_its_beginning():
    assert detect("Ich habe heute keine Zeit. " * 20 + "I have no time today. " * 100) == "de"


@given(st.text(), st.sampled_from(LANGUAGES))
def test_never_fails_and_answers_a_language(text: str, default: str):
    assert detect(text, default) in LANGUAGES
