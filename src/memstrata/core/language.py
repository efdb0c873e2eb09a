"""Which language a text is in: English, German, Spanish, French or Chinese."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from memstrata.core.tables import made
from memstrata.languages import read

LANGUAGES = ("en", "de", "es", "fr", "zh")

#: What a letter of one language alone is worth in common words, and a Chinese character.
_LETTER_WORTH = 0.6
_HAN_WORTH = 0.35  # a Chinese word has about two characters, and two words of five are common ones elsewhere

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019](?=[stm]\b)[stm])?")
_MARKED = re.compile(r"[^\x00-\x7f]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_SAMPLE = 240
_ENOUGH = 1.0  # one common word that is no other language's
_MARGIN = 1.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Common:
    """By what each language is told.

    Attributes:
        words: its commonest words, which no name and hardly a borrowed phrase contains.
        letters: those of no other language.
    """

    words: Mapping[str, frozenset[str]]
    letters: Mapping[str, str]


@cache
def _common() -> Common:
    return made(Common, read("common"), "languages/common.toml")


def common_words(language: str) -> frozenset[str]:
    """The commonest words of a language, in lower case; none of one that is not told by words."""
    return _common().words.get(language, frozenset())


@cache
def _shares() -> dict[str, tuple[tuple[str, float], ...]]:
    """For each common word, its languages; a word of several counts for each in part."""
    owners: dict[str, list[str]] = {}
    for language, words in _common().words.items():
        for word in words:
            owners.setdefault(word, []).append(language)
    return {word: tuple((language, 1 / len(names)) for language in names) for word, names in owners.items()}


def detect(text: str, default: str = "en") -> str:
    """The language that most of `text` is in, judged by its beginning; `default` where nothing decides.

    Evidence are common words, letters that only one of the languages has, and Chinese characters. A text too short
    to hold any, or one whose evidence is divided evenly, is taken to be in the default language.
    """
    sample = text[:_SAMPLE].lower()
    scores = dict.fromkeys(LANGUAGES, 0.0)
    for shares in filter(None, map(_shares().get, _WORD.findall(sample))):
        for language, share in shares:
            scores[language] += share
    if not sample.isascii():
        _weigh_letters(sample, scores)
    ranked = sorted(LANGUAGES, key=lambda language: -scores[language])
    best, second = ranked[0], ranked[1]
    if scores[best] < _ENOUGH or scores[best] < _MARGIN * scores[second]:
        return default
    return best


def _weigh_letters(sample: str, scores: dict[str, float]) -> None:
    marked = "".join(_MARKED.findall(sample))
    for language, letters in _common().letters.items():
        scores[language] += _LETTER_WORTH * sum(letter in letters for letter in marked)
    if not _KANA.search(marked):
        scores["zh"] += _HAN_WORTH * len(_HAN.findall(marked))
