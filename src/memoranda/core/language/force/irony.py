"""Marked irony: a sentence that bears a mark, or that a mark alone follows, does not mean what it says."""

import re

from memoranda.core.language.force.pasted import MASK
from memoranda.core.language.signs import sign

_SENTENCE = re.compile(r"(?:[^.!?。！？\n]|[.!?](?=\w))*+[.!?。！？\n\s]*+")


def without_irony(plain: str) -> str:
    """Return a text of the same length in which what is marked as irony is masked, with the marks."""
    marks = {found.start(): found.end() for found in sign("irony").finditer(plain)}
    if not marks:
        return plain
    kept, before = list[str](), ""
    for found in _SENTENCE.finditer(plain):
        mark = next((one for one in range(*found.span()) if one in marks), None)
        if mark is None:
            kept, before = [*kept, before], found[0]
        else:
            alone = not plain[found.start() : mark].strip()
            meant = MASK * len(before) if alone else before
            end = marks[mark]
            kept, before = [*kept, meant, MASK * (end - found.start())], plain[end : found.end()]
    return "".join((*kept, before))
