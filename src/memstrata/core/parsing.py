"""Parse what a language model wrote."""

import json
import re
from typing import Any

_FENCE = re.compile(r"\s*```\w*\n(.*?)\n?```\s*", re.DOTALL)


def unfenced(text: str) -> str:
    """Return `text` without a Markdown fence around the whole of it."""
    fenced = _FENCE.fullmatch(text)
    return fenced[1] if fenced else text


def parse_json(text: str) -> Any:
    """Return `text` parsed as JSON, fenced or not; None if it is not JSON."""
    try:
        return json.loads(unfenced(text))
    except (ValueError, RecursionError):
        return None
