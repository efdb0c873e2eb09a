"""What a host brings to a context, as pieces: texts, messages of the conversation, fields of its services.

Each sort has its own way of becoming less. Texts lose the last ones. Of messages the first and the last four stay as
they are, and each of the others becomes the sentence in it that says most. Of fields those stay that the request names.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memstrata.core.budget import Piece
from memstrata.core.checks import require
from memstrata.core.fence import quoted
from memstrata.core.formats.conversation import Message
from memstrata.core.formats.openai import messages as read_messages
from memstrata.core.text import Analyzer, storable

LAST = 4  # messages at the end that stay as they are, besides the first
SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")

Content = str | Sequence[str] | Sequence[Mapping[str, Any]] | Mapping[str, Any]
_WANTED = "a text, a list of texts, a list of messages ({'role': …, 'content': …}), or an object of fields"


@dataclass(frozen=True, slots=True)
class Fitting:
    """What content is fitted to.

    Attributes:
        room: tokens of its section; `count`: how they are counted.
        terms: of the request.
        verbatim: texts and fields are given as they are, and not as data.
    """

    room: int
    count: Callable[[str], int]
    analyzer: Analyzer
    terms: frozenset[str]
    verbatim: bool = False

    def said(self, text: str) -> str:
        """A text as it stands in the section."""
        clean, _ = storable(text)
        return clean if self.verbatim else quoted(clean)


def pieces_of(name: str, content: Content, fit: Fitting) -> tuple[list[Piece], dict[str, str]]:
    """The pieces of a section, preferred ones first, and what is left out of it, each with the reason.

    Messages are read as those that `add` is given; one that holds nothing is passed over.

    Raises:
        InputError: the content is none of what a host can bring.
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
    who = [message.speaker or message.role for message in messages]
    said = (f"{speaker}: {text}" for speaker, text in zip(who, texts, strict=True))
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


def weight(terms: Iterable[str], weights: Mapping[str, int], asked: Collection[str] = ()) -> float:
    """How much of what a conversation and a request are about a sentence of these terms says, for its length."""
    distinct = set(terms)
    told = math.fsum(map(math.log1p, map(weights.__getitem__, distinct)))  # the same in whatever order a set is read
    return (told + len(distinct.intersection(asked))) / math.sqrt(5 + len(distinct))


def _indented(text: str) -> str:
    """A text of several lines as one entry of a list: what follows the first line cannot look like another entry."""
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
    """The words of a path: `blog.totalViews` is about a blog, and views."""
    return re.sub(r"[^\w]|_|(?<=[a-z])(?=[A-Z])", " ", path)
