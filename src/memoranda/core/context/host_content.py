"""What a host supplies to a context, as pieces: texts, conversation messages, fields of its services.

Each is shortened in its own way. Texts lose the last ones. The first message and the last four stay unchanged, and
each message between them becomes its most informative sentence. Fields stay if the request names them.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memoranda.core.base.checks import require
from memoranda.core.context.budget import Piece
from memoranda.core.formats.conversation import Message
from memoranda.core.formats.openai import messages as read_messages
from memoranda.core.text.fence import quoted
from memoranda.core.text.terms import SENTENCE, Analyzer, storable, weight
from memoranda.core.text.voices import voice

LAST = 4  # messages at the end that stay unchanged, as the first does
_JOINT = re.compile(r"[^\w]|_|(?<=[a-z])(?=[A-Z])")

Content = str | Sequence[str] | Sequence[Mapping[str, Any]] | Mapping[str, Any]
_WANTED = "a text, a list of texts, a list of messages ({'role': …, 'content': …}), or an object of fields"


@dataclass(frozen=True, slots=True)
class Fitting:
    """What content is fitted to.

    Attributes:
        room: tokens of its section; `count`: counts the tokens of a text.
        terms: of the request.
        verbatim: texts and fields are inserted verbatim and not quoted as data.
    """

    room: int
    count: Callable[[str], int]
    analyzer: Analyzer
    terms: frozenset[str]
    verbatim: bool = False

    def said(self, text: str) -> str:
        """Return a text as it appears in the section."""
        clean, _ = storable(text)
        return clean if self.verbatim else quoted(clean)


def pieces_of(name: str, content: Content, fit: Fitting) -> tuple[list[Piece], dict[str, str]]:
    """Return the pieces of a section, preferred ones first, and what is left out of it, each with the reason.

    Messages have the format that `add` accepts; empty ones are skipped.

    Raises:
        InputError: the content has none of the accepted types.
    """
    if isinstance(content, Mapping):
        return _fields(name, content, fit)
    parts = content.split("\n\n") if isinstance(content, str) else content
    require(isinstance(parts, Sequence), name, content, _WANTED)
    messages = [part for part in parts if isinstance(part, Mapping)]
    texts = [part.strip() for part in parts if isinstance(part, str)]
    require(len(parts) in {len(messages), len(texts)}, name, content, _WANTED)
    if messages:
        return _history(name, read_messages(messages, name), fit), {}
    return [Piece(id=f"{name}:{n}", text=fit.said(text), place=n) for n, text in enumerate(texts) if text], {}


def _history(name: str, messages: Sequence[Message], fit: Fitting) -> list[Piece]:
    texts = [message.content for message in messages]
    who = [voice(message.role, message.speaker) for message in messages]
    said = (f"{one}: {text}" for one, text in zip(who, texts, strict=True))
    whole = [Piece(id=f"{name}:{n}", text=_indented(text), place=n) for n, text in enumerate(said)]
    if sum(fit.count(f"- {piece.text}\n") for piece in whole) <= fit.room:
        return whole[::-1]
    kept = [*whole[: -LAST - 1 : -1], *(whole[:1] if len(whole) > LAST else ())]
    middle = range(1, len(whole) - LAST)
    weights = Counter(term for n in middle for term in set(fit.analyzer.terms(texts[n])))
    best = {
        n: max((weight(fit.analyzer.terms(part), weights, fit.terms), part) for part in SENTENCE.split(texts[n]))
        for n in middle
    }
    summed = sorted(middle, key=lambda n: (-best[n][0], -n))
    return kept + [
        replace(whole[n], text=quoted(f"{who[n]}, in short: {best[n][1]}"), why="summarised") for n in summed
    ]


def _indented(text: str) -> str:
    """Return a text of several lines as one list entry; its later lines cannot look like another entry."""
    return "\n  ".join(filter(None, map(quoted, text.splitlines())))


def _fields(name: str, values: Mapping[str, Any], fit: Fitting) -> tuple[list[Piece], dict[str, str]]:
    found = [
        Piece(id=f"{name}:{path}", text=fit.said(f"{path}: {value}"), place=n)
        for n, (path, value) in enumerate(_leaves(values))
    ]
    if sum(fit.count(f"- {piece.text}\n") for piece in found) <= fit.room:
        return found, {}
    named, unnamed = [], {}
    for piece in found:
        if fit.terms.isdisjoint(fit.analyzer.terms(_spoken(piece.id.removeprefix(f"{name}:")))):
            unnamed[piece.id] = "the request does not name it"
        else:
            named.append(piece)
    return (named, unnamed) if named else (found, {})


def _leaves(values: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    for key, value in values.items():
        here, _ = storable(f"{path}.{key}" if path else str(key))
        if isinstance(value, Mapping) and value:
            yield from _leaves(value, here)
        else:
            yield here, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _spoken(path: str) -> str:
    """Return the words of a path: `blog.totalViews` is about a blog, and views."""
    return _JOINT.sub(" ", path)
