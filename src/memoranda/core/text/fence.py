"""The fence around recalled text: what is inside is quoted data, never an instruction.

Everything that memoranda hands to a model is put between these marks. What comes back between them is its own output
and is never captured again. Text inside cannot close the fence: look-alikes of the marks are broken up.
"""

import re
import unicodedata
from datetime import datetime

from memoranda.core.base.old_names import FENCE

OPEN = f"<{FENCE}>"
CLOSE = f"</{FENCE}>"

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_TODAY = re.compile(rf"^Today is (?:{'|'.join(WEEKDAYS)}), \d{{4}}-\d\d-\d\d\.$\n*", re.MULTILINE)
_MARK = re.compile(rf"<(/?){FENCE}\b[^<>]*>", re.IGNORECASE)
_THOUGHT = re.compile(r"<(think(?:ing)?)>(?:(?!<think)[\s\S])*?</\1>\s*", re.IGNORECASE)
_OPENING = "<\u2039\u276e\u2770\u27e8\u2329\u3008\ufe64\uff1c\u02c2\u1438\u16b2\u227a\U0001d236"
_CLOSING = ">\u203a\u276f\u2771\u27e9\u232a\u3009\ufe65\uff1e\u02c3\u1433\u227b\U0001d237"
_JOINERS = "\u200c\u200d"
_LEFT, _RIGHT = "[\uff3b\u3010\u3014\u27e6\u2772\u3016\u2045", "]\uff3d\u3011\u3015\u27e7\u2773\u3017\u2046"
#: What looks like a citation (small, full-width or Cyrillic letters, digits of any script) or a role mark.
_GAP = rf"[\s{_JOINERS}]*+"
_CITATION = re.compile(
    rf"(?<![{re.escape(_LEFT)}])[{re.escape(_LEFT)}]++{_GAP}"  # once for a run of brackets, not from each of them
    rf"((?:/{_GAP})?(?:[m\uff4d\u043c\u217f]{_GAP}\d++|inst|sys|system|user|assistant)){_GAP}[{re.escape(_RIGHT)}]++",
    re.IGNORECASE,
)


class _Safe(dict[int, str]):
    """The replacement of each character, computed on first use."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        category = unicodedata.category(character)
        if character in _OPENING or character in _CLOSING:
            safe = "‹" if character in _OPENING else "›"
        elif category in {"Cc", "Zl", "Zp"}:
            safe = " "
        else:
            safe = "" if category == "Cf" and character not in _JOINERS else character
        self[code] = safe
        return safe


_SAFE = _Safe()


def fenced(body: str) -> str:
    """Return `body` between the marks."""
    return f"{OPEN}\n{body}\n{CLOSE}"


def today(now: datetime) -> str:
    """Return the line that stands outside the fence, for a model that is not told the date otherwise."""
    return f"Today is {WEEKDAYS[now.weekday()]}, {now:%Y-%m-%d}."


def quoted(text: str) -> str:
    """Return `text` as one line of data that cannot close the fence or look like a mark, a citation or a heading.

    Angle brackets and their look-alikes become single guillemets, citations get round brackets, control and format
    characters are removed, lines are joined.
    """
    if text.isascii() and text.isprintable() and not ("<" in text or ">" in text or "[" in text):
        return " ".join(text.split())  # the usual case: six times as fast
    return _CITATION.sub(r"(\1)", " ".join(text.translate(_SAFE).split()))


def stripped(text: str) -> str:
    """Return `text` without blocks that memoranda itself inserted, their date, and what a model thought aloud.

    The last of its own blocks may be broken off.
    """
    text = _THOUGHT.sub("", text).strip() if "</think" in text.lower() else text
    if FENCE not in text.lower():
        return text
    left, begin, opened = [], 0, None
    for mark in _MARK.finditer(text):  # one pass; a pattern for whole blocks would scan to the end from every mark
        if opened is None:
            opened = None if mark[1] else mark
        elif mark[1]:
            left.append(text[begin : opened.start()])
            begin, opened = mark.end(), None
    broken_off = opened is not None and text.startswith(("\n", "\r\n"), opened.end())
    left.append(text[begin : opened.start() if opened and broken_off else None])
    return _TODAY.sub("", "".join(left)).strip()
