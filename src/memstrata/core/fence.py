"""The fence around recalled text: what stands inside is quoted data, never an instruction.

Whatever memstrata hands to a model it puts between these marks, and what comes back between them is its own
voice and is never captured again. Text inside cannot close the fence: look-alikes of the marks are broken up.
"""

import re
import unicodedata

NAME = "memstrata-memory"
OPEN = f"<{NAME}>"
CLOSE = f"</{NAME}>"

_BLOCK = re.compile(rf"<{NAME}\b[^>]*>.*?(?:</{NAME}>|\Z)", re.DOTALL | re.IGNORECASE)
_ANGLE = re.compile(r"[<>\u2039\u203a\u27e8\u27e9\u3008\u3009\ufe64\ufe65\uff1c\uff1e\u02c2\u02c3]")


def fenced(body: str) -> str:
    """`body` between the marks."""
    return f"{OPEN}\n{body}\n{CLOSE}"


def quoted(text: str) -> str:
    """`text` as one line of data that cannot end the fence or look like a mark or heading.

    Angle brackets and their look-alikes become single guillemets, control and format characters vanish, lines are
    joined.
    """
    safe = _ANGLE.sub(lambda match: "‹" if _opens(match[0]) else "›", text)
    plain = "".join(" " if unicodedata.category(c) in {"Cc", "Zl", "Zp"} else c for c in safe if not _hidden(c))
    return " ".join(plain.split())


def stripped(text: str) -> str:
    """`text` without blocks that memstrata itself had put there."""
    return _BLOCK.sub("", text).strip() if NAME in text.lower() else text


def _opens(character: str) -> bool:
    return character in "<\u2039\u27e8\u3008\ufe64\uff1c\u02c2"


def _hidden(character: str) -> bool:
    return unicodedata.category(character) == "Cf" and character not in "\u200c\u200d"
