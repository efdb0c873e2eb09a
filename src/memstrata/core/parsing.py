"""Reading what a language model wrote."""

import json
import re
from typing import Any

_FENCE = re.compile(r"\s*```\w*\n(.*?)\n?```\s*", re.DOTALL)


def unfenced(text: str) -> str:
    """`text` without the fence of Markdown that it stands in as a whole."""
    fenced = _FENCE.fullmatch(text)
    return fenced[1] if fenced else text


def parse_json(text: str) -> Any:
    """`text` as JSON, also where it stands in a fence of Markdown; None where it is none."""
    try:
        return json.loads(unfenced(text))
    except (ValueError, RecursionError):
        return None
