"""Language detection: English, German, Spanish, French or Chinese."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from memoranda.core.text.packs import made
from memoranda.languages import read

LANGUAGES = ("en", "de", "es", "fr", "zh")

#: The weight of a letter unique to one language, relative to a common word, and of a Chinese character.
_LETTER_WORTH = 0.6
_HAN_WORTH = 0.35  # a Chinese word has about two characters, and two of five words are common ones in other languages

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019](?=[stm]\b)[stm])?")
_MARKED = re.compile(r"[^\x00-\x7f]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_SAMPLE = 240
_ENOUGH = 1.0  # one common word that no other language has
_MARGIN = 1.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Common:
    """What each language is recognised by.

    Attributes:
        words: its commonest words, which no name and hardly a borrowed phrase contains.
        letters: the letters of no other language.
    """

    words: Mapping[str, frozenset[str]]
    letters: Mapping[str, str]


@cache
def _common() -> Common:
    return made(Common, read("common"), "languages/common.toml")


def common_words(language: str) -> frozenset[str]:
    """Return the commonest words of a language, in lower case; none for one not recognised by words."""
    return _common().words.get(language, frozenset())


@cache
def _shares() -> dict[str, tuple[tuple[str, float], ...]]:
    """Map each common word to its languages; a word of several counts for each in part."""
    owners: dict[str, list[str]] = {}
    for language, words in _common().words.items():
        for word in words:
            owners.setdefault(word, []).append(language)
    return {word: tuple((language, 1 / len(names)) for language in names) for word, names in owners.items()}


def detect(text: str, default: str = "en") -> str:
    """Return the language of most of `text`, judged by its beginning; `default` if nothing decides.

    The evidence is common words, letters unique to one of the languages, and Chinese characters. A text too short to
    hold any, or with evenly divided evidence, counts as in the default language.
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
