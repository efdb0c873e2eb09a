"""Reading what a language model wrote."""

import json
import re
from typing import Any

_FENCE = re.compile(r"\s*```\w*\n(.*?)\n?```\s*", re.DOTALL)


def parse_json(text: str) -> Any:
    """`text` as JSON, also where it stands in a fence of Markdown; None where it is none."""
    fenced = _FENCE.fullmatch(text)
    try:
        return json.loads(fenced[1] if fenced else text)
    except (ValueError, RecursionError):
        return None
