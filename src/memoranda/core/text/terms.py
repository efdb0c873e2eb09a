"""From text to what is compared and indexed: normal form, hashes, terms and cheap traits.

Terms are the words that carry meaning, stemmed; Chinese, Japanese and Korean runs give their character pairs.
They are computed once here, stored with the passage, and indexed unchanged by every backend, so that all
backends and the in-process index agree on what a word is. The stemmer is a function passed in.
"""

import hashlib
import math
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from memoranda.core.text.packs import made
from memoranda.languages import read

SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*(?:(?<=[^\W\d_])(?:\+\+|#)(?!\w))?")
#: The scripts of Chinese, Japanese and Korean, for use inside a regular expression's character set.
UNSPACED = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
CJK = re.compile(f"[{UNSPACED}]+")
_SPACED = re.compile(rf"[^\W{UNSPACED}]")
_SPACE = re.compile(r"\s+")
_SIGN = re.compile(r"-\d")
_KEPT = 64  # characters of a word whose term is remembered
_TELLING = "#%&@"  # punctuation that has meaning: C# is not C, 5 % is not 5; so do + and currencies, which are symbols
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_NUMBER = re.compile(r"\d")
_TIME_IN_DIGITS = re.compile(r"\b(?:\d{1,2}:\d\d|(?:19|20)\d\ds?)\b")
_LATIN = re.compile("[a-z]+")
_IMAGE = re.compile(r"^\W*(?:\[shares [^\]]*\]\W*)+$")

#: The cost of a character by its first byte in UTF-8, in hundredths of a token, as (cost, number of bytes).
_COSTS = b"".join(
    bytes([cost]) * count
    for cost, count in (
        *((40, 32), (22, 1), (60, 15), (95, 10), (60, 39), (17, 26), (60, 5)),  # controls space ! 0 : A ` a {
        *((0, 64), (100, 3), (50, 1), (170, 2), (70, 8)),  # continuation bytes, signs, é, ł, ʃ
        *((40, 2), (34, 4), (45, 2), (40, 2), (35, 4), (100, 4)),  # Greek, Cyrillic, Armenian, Hebrew, Arabic, Syriac
        *((45, 1), (65, 1), (130, 1), (80, 1), (85, 6), (70, 4), (100, 2)),  # India, ế, …, かな, 漢字, 한글, ！
        (210, 16),  # emoji
    )
)
_MARGIN = 8  # times the square root of the cost


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The words of a language by which texts are compared.

    Attributes:
        stop: stop words, dropped from passages and questions alike.
        times: words that mark a text as telling a time, in the singular and the plural.
        opposites: pairs of words that cannot both be said of one thing; `styles`: or be wanted of one text.
    """

    stop: frozenset[str]
    times: frozenset[str]
    opposites: frozenset[str]
    styles: frozenset[str]


@cache
def english() -> Words:
    """Return the words of English, read on first use to keep the import fast."""
    return made(Words, read("en/words"), "languages/en/words.toml")


@cache
def _times() -> frozenset[str]:
    return frozenset(word + ending for word in english().times for ending in ("", "s"))


def normalise(text: str) -> str:
    """Return the form in which two wordings count as the same: NFKC, case folded, single spaces, edges stripped.

    Punctuation and emoji are stripped from the edges; signs and combining marks, which distinguish texts, are not.
    """
    folded = _SPACE.sub(" ", unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()))
    start, end = 0, len(folded)
    while start < end and _bare(folded[start]) and not _SIGN.match(folded, start):
        start += 1
    while start < end and _bare(folded[end - 1]):
        end -= 1
    return folded[start:end]


form = lru_cache(1 << 13)(normalise)  # for values that are compared repeatedly


def _bare(character: str) -> bool:
    """Whether a character at the edge of a text is meaningless."""
    category = unicodedata.category(character)
    return (category[0] in "PZC" and character not in _TELLING) or category in {"So", "Sk"} or character == "\ufe0f"


def content_hash(*parts: str) -> str:
    """Return the SHA-256, in hex, of the parts in normal form."""
    return hashlib.sha256("\x1f".join(normalise(part) for part in parts).encode()).hexdigest()


def mark_of(claim: str, agent: str | None) -> str:
    """Return the tombstone id for a content hash that is forgotten for one writer; None stands for no agent."""
    return hashlib.sha256(f"{claim}{agent or ''}".encode()).hexdigest()


def storable(text: str) -> tuple[str, int]:
    """Return `text` as every database can hold it, and the number of characters replaced.

    NUL and unpaired surrogates become U+FFFD; nothing else changes.
    """
    return _UNSTORABLE.subn("\ufffd", text)


class Analyzer:
    """Turns texts into terms.

    Args:
        stem: a function from a lower-case word to its stem; called once per distinct word.
    """

    def __init__(self, stem: Callable[[str], str]) -> None:
        self._stem = stem
        self._known: dict[str, tuple[str, ...]] = {}

    def terms(self, text: str) -> list[str]:
        """Return the terms of `text`, in order, repetitions included."""
        known = self._known
        found: list[str] = []
        for word in _WORD.findall(text.lower().replace("’", "'")):
            terms = known.get(word)
            found += self._learn(word) if terms is None else terms
        return found

    def _learn(self, word: str) -> tuple[str, ...]:
        terms = self._read(word)
        if len(self._known) < 200_000 and len(word) <= _KEPT:
            self._known[word] = terms
        return terms

    def _read(self, word: str) -> tuple[str, ...]:
        if word in english().stop:
            return ()
        if CJK.search(word):
            return tuple(_pairs(word))
        if _NUMBER.search(word):
            return (word.replace("'", "")[:64],)
        term = self._stem(word.removesuffix("'s").replace("'", ""))[:64]
        return tuple(term.split(" ")) if term else ()


def _pairs(word: str) -> Iterator[str]:
    for run in CJK.findall(word):
        yield from (run[i : i + 2] for i in range(max(len(run) - 1, 1)))


def whole_words(words: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield where words stand in a text as whole words, in scripts that separate words, without regard to case.

    The sides are looked at here: compiling them into each pattern would take 10 ms for each name.
    """
    said = re.compile(r"\s+".join(map(re.escape, words.split())), re.IGNORECASE)
    apart = [CJK.match(edge) is not None for edge in (words[:1], words[-1:])]
    found = said.search(text)
    while found and found[0]:
        begin, end = found.span()
        before, after = text[max(begin - 1, 0) : begin], text[end : end + 1]
        whole = (apart[0] or not _SPACED.match(before)) and (apart[1] or not _SPACED.match(after))
        if whole:
            yield begin, end
        found = said.search(text, end if whole else begin + 1)


def stands(words: str, text: str) -> bool:
    """Whether words stand in a text as whole words."""
    return any(True for _ in whole_words(words, text))


def replaced(text: str, words: str, new: str) -> str:
    """Return a text with `new` in place of words that stand in it."""
    parts, last = [], 0
    for begin, end in whole_words(words, text):
        parts += [text[last:begin], new]
        last = end
    return "".join((*parts, text[last:]))


def traits(text: str) -> tuple[str, ...]:
    """Return cheap signals about a text: `question`, `number`, `time`, `image` (an image and no words)."""
    found = []
    if "?" in text or "？" in text:
        found.append("question")
    numbered = _NUMBER.search(text) is not None
    if numbered:
        found.append("number")
    if not _times().isdisjoint(_LATIN.findall(text.lower())) or (numbered and _TIME_IN_DIGITS.search(text)):
        found.append("time")
    if text.startswith("[shares") and _IMAGE.match(text):
        found.append("image")
    return tuple(found)


def estimate_tokens(text: str) -> int:
    """Estimate how many tokens a language model's tokenizer makes of `text`.

    A character's cost depends on its first UTF-8 byte, which indicates its script. A margin grows as the square root of
    the sum, so that a text never costs more than its pieces together and a budget is kept.

    The estimate over the count by o200k is in the mean (5th to 95th percentile) 1.15 (1.00 to 1.31) for English talk,
    1.28 (1.00 to 1.75) for German, Spanish and French, 1.32 (1.04 to 1.74) for other scripts, 1.25 (1.00 to 1.60) for
    code and addresses, 1.43 (0.81 to 2.00) for numbers and hashes; 0.96 (0.75 to 1.22) for Finnish, Hungarian and
    Swahili. Older tokenizers need more tokens for scripts that are not Latin.
    """
    cost = sum(text.encode("utf-8", "surrogatepass").translate(_COSTS))
    return math.ceil((cost + _MARGIN * math.sqrt(cost)) / 100)


def count_words(text: str) -> int:
    """Count the words of a text; two characters of Chinese, Japanese or Korean count as one."""
    wide = sum(len(run) for run in CJK.findall(text))
    return len(_WORD.findall(CJK.sub(" ", text))) + wide // 2


def jaccard(a: Sequence[str], b: Sequence[str]) -> float:
    """Return the share of terms in common, 0 to 1 (Jaccard index)."""
    left, right = set(a), set(b)
    return len(left & right) / len(left | right) if left or right else 1.0


def weight(terms: Iterable[str], weights: Mapping[str, int], asked: Collection[str] = ()) -> float:
    """Return how much of the topics of a conversation and a request a sentence with `terms` covers, for its length."""
    distinct = set(terms)
    told = math.fsum(map(math.log1p, map(weights.__getitem__, distinct)))  # independent of the iteration order of sets
    return (told + len(distinct.intersection(asked))) / math.sqrt(5 + len(distinct))
