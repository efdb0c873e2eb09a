"""Tokenizers from files, and the exact token counts they give. Nothing is fetched."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from memstrata.errors import SetupError
from memstrata.models.guard import guarded


def load_tokenizer(path: str | Path) -> Any:
    """The tokenizer in the `tokenizer.json` at `path`; it neither cuts nor pads.

    Raises:
        SetupError: there is no such file, or it is no tokenizer's.
    """
    with guarded(f"{path} should be a model's tokenizer.json, but reading it", SetupError):
        found = Tokenizer.from_file(str(path))
    found.no_truncation()
    found.no_padding()
    return found


def counter(path: str | Path) -> Callable[[str], int]:
    """A function that counts tokens as the `tokenizer.json` at `path` makes them, for `Settings(counter=…)`.

    Raises:
        SetupError: there is no such file, or it is no tokenizer's.
    """
    encode = load_tokenizer(path).encode
    return lambda text: len(encode(text, add_special_tokens=False).ids)
