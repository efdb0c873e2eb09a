"""Helpers that packs write their lexicons with, and the signs all languages share."""

from collections.abc import Mapping
from typing import Any


def table(kind: str, entries: Mapping[str, Any]) -> dict[str, tuple[str, Any]]:
    """Lexicon entries of one kind, from "several|words": value."""
    return {word: (kind, value) for words, value in entries.items() for word in words.split("|")}


def glue(kinds: Mapping[str, str]) -> dict[str, tuple[str, Any]]:
    """Lexicon entries without a value, from kind: "several|words"."""
    return {word: (kind, None) for kind, words in kinds.items() for word in words.split("|")}


SIGNS = glue(
    {
        "comma": ",|，|、",
        "dash": "-|–|—|~|～|‐|‑",
        "dot": ".",
        "slash": "/",
        "apostrophe": "'|’|‘",
        "at": "@",
        "stop": "!|?|;|\n|:",
    }
)
