"""What a long request asks: the parts of it that are looked up.

An agent passes on whole messages: talk, something pasted, an instruction, and somewhere in it what is asked. As one
query, the words around drown what is asked, and no memory covers them. So a request is read sentence by sentence. What
asks or orders something is looked up; where that says too little by itself, with the sentence before it; what is only
told, if nothing asks.
"""

import re
from collections.abc import Callable, Collection, Sequence

from memoranda.core.recall.question import asks
from memoranda.core.text.terms import SENTENCE

LONG = 30  # terms from which a sentence is cut at its commas, as of people who use no full stops
MOST = 4  # the parts that are looked up
LITTLE = 2  # terms below which a part says too little by itself
_CLAUSE = re.compile(r"(?<=[,;:，；：])\s*|\s[-–—]+\s")
_ASKED = re.compile(r"[?？]\W*$")

Read = Callable[[str], Collection[str]]


def read(text: str, terms: Read, abbreviations: Collection[str] = ()) -> tuple[str, ...]:
    """Return the parts of a request to look up, the most likely first.

    Args:
        text: the request.
        terms: gives the terms of a text.
        abbreviations: words whose full stop ends no sentence, in lower case and without it.
    """
    parts = [part for sentence in _sentences(text, abbreviations) for part in _cut(sentence, terms) if part]
    if len(parts) < 2:
        return (text,)
    said, degrees = [len(terms(part)) for part in parts], [_degree(part) for part in parts]
    order = sorted(range(len(parts)), key=lambda place: (-degrees[place], -place))
    asking = [place for place in order if degrees[place]]
    clear = [parts[place] for place in asking if said[place] >= LITTLE]
    short = [one for place in asking for one in _with_before(parts, place, said)]
    telling = sorted((place for place in order if said[place] >= LITTLE), key=lambda place: -said[place])
    found = clear or short or [parts[place] for place in telling] or [text]
    return tuple(dict.fromkeys(found))[:MOST]


def _sentences(text: str, abbreviations: Collection[str]) -> Sequence[str]:
    found: list[str] = []
    for part in map(str.strip, SENTENCE.split(text)):
        word = found[-1].rpartition(" ")[2] if found else ""
        if word.endswith(".") and word.strip(".(").lower() in abbreviations:  # "What did Dr. Jones say?"
            found[-1] = f"{found[-1]} {part}"
        else:
            found.append(part)
    return found


def _cut(sentence: str, terms: Read) -> Sequence[str]:
    """A sentence, or the clauses of one that is very long."""
    return [sentence] if len(terms(sentence)) <= LONG else [part.strip() for part in _CLAUSE.split(sentence)]


def _degree(part: str) -> int:
    """How surely a part asks or orders something: 2 by a question mark, 1 by its words, 0 if it only tells."""
    return 2 if _ASKED.search(part) else int(asks("back", part) or asks("order", part))


def _with_before(parts: Sequence[str], place: int, said: Sequence[int]) -> Sequence[str]:
    """A part that says little, and the same with the one before: "We go to Oslo in May. What do I pack?"."""
    alone = [parts[place]] if said[place] else []
    return [*alone, f"{parts[place - 1]} {parts[place]}"] if place else alone
