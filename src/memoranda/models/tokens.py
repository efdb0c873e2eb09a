"""Tokenizers from files, and exact token counts. Nothing is downloaded."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from memoranda.errors import SetupError
from memoranda.models.guard import guarded


def load_tokenizer(path: str | Path) -> Any:
    """Load the `tokenizer.json` at `path`, without truncation or padding.

    Raises:
        SetupError: the file does not exist, or is not a tokenizer.
    """
    with guarded(f"{path} should be a model's tokenizer.json, but reading it", SetupError):
        found = Tokenizer.from_file(str(path))
    found.no_truncation()
    found.no_padding()
    return found


def counter(path: str | Path) -> Callable[[str], int]:
    """Return a function that counts tokens with the `tokenizer.json` at `path`, for `Settings(counter=…)`.

    Raises:
        SetupError: the file does not exist, or is not a tokenizer.
    """
    encode = load_tokenizer(path).encode
    return lambda text: len(encode(text, add_special_tokens=False).ids)
