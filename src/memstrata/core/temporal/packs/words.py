"""Helpers that packs write their lexicons with, and the signs all languages share."""

from collections.abc import Mapping
from typing import Any

Words = dict[str, tuple[str, Any]]


def table(kind: str, entries: Mapping[str, Any]) -> Words:
    """Lexicon entries of one kind, from "several|words": value."""
    return {word: (kind, value) for words, value in entries.items() for word in words.split("|")}


def series(kind: str, first: int, words: str, step: int = 1) -> Words:
    """Lexicon entries of one kind whose values count up, from "zero|nought one two"."""
    return table(kind, {entry: first + step * i for i, entry in enumerate(words.split())})


def glue(text: str) -> Words:
    """Lexicon entries without a value, from "kind: several|words; word", where a word alone is its own kind."""
    entries = (entry.strip().partition(": ") for entry in " ".join(text.split()).split(";"))
    return {word: (kind, None) for kind, _, words in entries for word in (words or kind).split("|")}


SIGNS: Words = {
    sign: (kind, None)
    for kind, signs in {
        "comma": ",|\uff0c|\u3001",
        "dash": "-|\u2013|\u2014|~|\uff5e|\u2010|\u2011",
        "dot": ".",
        "slash": "/",
        "apostrophe": "'|\u2018",
        "at": "@",
        "stop": "!|?|;|\n|:|\u3002|\uff01|\uff1f",
    }.items()
    for sign in signs.split("|")
}
