"""Questions for an attribute: "Where do I live?" asks for `location.city`, which "User moved to Bergen" gives.

Such a question often shares no word with its answer, and a small embedder sees little in common. But a record has an
attribute, so a question that asks for nothing but an attribute is answered by the records that give it.
"""

import re
from collections.abc import Mapping
from functools import cache

from memoranda.core.beliefs.profile_keys import USER
from memoranda.core.image.image import Partition
from memoranda.core.language.attributes import PART, asked
from memoranda.core.language.speech_cues import pattern_of
from memoranda.core.rows import Record
from memoranda.core.text.detect import common_words
from memoranda.core.text.terms import Analyzer

_MOST = 6  # words of a question; a longer one asks for more than an attribute
_WORD = re.compile(r"[^\W_]{2,}")
_NAME = re.compile(r"(?<=\s)[A-ZÀ-Þ]\w*")


@cache
def _paths() -> Mapping[str, tuple[str, ...]]:
    """The attributes that each word asks for."""
    table = asked().paths
    return {word: tuple(path for path in table if word in table[path]) for word in frozenset().union(*table.values())}


@cache
def _light(language: str) -> frozenset[str]:
    return asked().light | (common_words(language) - _paths().keys())


def attributed(text: str, partition: Partition, analyzer: Analyzer, language: str) -> frozenset[str]:
    """Return the ids of the current records that give an attribute for which a question asks.

    Every word of the question must ask for the attribute, be a part of its path or stand in the record's text, or be
    light. A record about somebody else than the user must have a word in its text that does not ask for the attribute:
    a name, or "sister". What was once so, "he", "it" and "the other" are something else.

    Args:
        text: the question, without the times that it names.
        partition: the memory that is asked.
        analyzer: makes terms of texts.
        language: that of the question.
    """
    words = {*_WORD.findall(text.casefold())}
    named = set() if language == "de" else {name.casefold() for name in _NAME.findall(text) if name != "I"}
    asking = (words & _paths().keys()) - named
    wanted = named | {word for word in words - _light(language) if analyzer.terms(word)}
    if not asking or len(wanted) > _MOST or not words.isdisjoint(asked().elsewhere):
        return frozenset()
    if pattern_of("somebody").search(text):
        return frozenset()
    roots = {path: {word for word in asking if path in _paths()[word]} for word in asking for path in _paths()[word]}
    if pattern_of("denials").search(text):
        roots.pop("preference", None)  # what somebody does not like is not what they like

    found: set[str] = set()
    for attribute, ids in partition.attributes.items():
        parts, path = PART.split(attribute), ""
        those = {word for word in wanted if word in parts or word.removesuffix("s") in parts}
        for part in attribute.split("."):
            path = f"{path}.{part}" if path else part
            those |= roots.get(path, set())
        if those:
            left = frozenset(term for word in wanted - those for term in analyzer.terms(word) or [word])
            records = [row for row in map(partition.records.get, ids) if row and row.attribute == attribute]
            found |= {one.id for one in records if (left <= _said(one, analyzer) if left else one.subject == USER)}
    return frozenset(found)


def _said(record: Record, analyzer: Analyzer) -> frozenset[str]:
    return frozenset(analyzer.terms(record.text))
