"""Texts as a terminal may show them."""

import re

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def clean(text: str) -> str:
    """Replace the control characters in `text`, which a terminal would obey."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def shortened(text: str, width: int) -> str:
    """Return `text` on one line of at most `width` characters."""
    line = " ".join(clean(text).split())
    return line if len(line) <= width else f"{line[: width - 1]}…"
