"""Exact token counts, where the model's tokenizer is at hand as a file. Nothing is fetched."""

import json
from collections.abc import Callable
from pathlib import Path

from tokenizers import Tokenizer

from memstrata.errors import SetupError


def counter(path: str | Path) -> Callable[[str], int]:
    """A function that counts tokens as the `tokenizer.json` at `path` makes them, for `Settings(counter=…)`.

    Raises:
        SetupError: there is no such file, or it is no tokenizer's.
    """
    try:
        text = Path(path).read_text("utf-8")
        content = json.loads(text)
    except (OSError, ValueError) as error:
        raise SetupError(f"{path} cannot be read: {error}. Give the model's tokenizer.json.") from error
    if not isinstance(content, dict) or "model" not in content:
        raise SetupError(f"{path} describes no tokenizer. Give the model's tokenizer.json.")
    tokenizer = Tokenizer.from_str(text)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)
