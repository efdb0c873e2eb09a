"""What a long request asks: the parts of it that are looked up.

An agent passes on whole messages: talk, something pasted, an instruction, and somewhere in it what is asked. As one
query, the words around drown what is asked, and no memory covers them. So a request is read sentence by sentence. What
asks or orders something is looked up; where that says too little by itself, with the sentence before it; what is only
told, if nothing asks.
"""

import re
from collections.abc import Callable, Collection, Sequence

from memoranda.core.recall.question import asks, opens

LONG = 30  # terms from which a sentence is cut at its commas, as of people who use no full stops
MOST = 4  # the parts that are looked up
LITTLE = 2  # terms below which a part says too little by itself
WRAPPED = 40  # characters from which a line may go on in the next

_CLOSES = r"(?:_|[^\w\s,;:\"'“”’«»-])"  # a bracket, emphasis or an emoji; what a quotation asks is told
#: Where a sentence may end: at a mark, behind which up to two may close if no small letter follows, or a line.
_END = re.compile(
    rf"(?:(?<=[.!?؟])|(?:(?<=[.!?؟]{_CLOSES})|(?<=[.!?؟]{_CLOSES}{_CLOSES}))(?!\s+[a-zß-öø-ÿ]))\s+|(?<=[。！？])|\n+"
)
_CLAUSE = re.compile(r"(?<=[,;:])\s+|(?<=[，；：])\s*|\s[-–—]+\s")
_MARKS = "?？؟"
_GOES_ON = re.compile(r"[^\W_]|[;,]")  # what stands behind a question mark that ends nothing: `read(path)?;`
_INITIAL = re.compile(r"[^\W\d_]\.")

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
    found = clear or short or _telling(parts, said) or [text]
    return tuple(dict.fromkeys(found))[:MOST]


def _telling(parts: Sequence[str], said: Sequence[int]) -> Sequence[str]:
    """The longest parts, and the first and the last that say something: one of them names a pasted error."""
    places = sorted({part: place for place, part in enumerate(parts) if said[place] >= LITTLE}.values())
    longest = sorted(places, key=lambda place: (-said[place], -place))
    taken = [*dict.fromkeys([*places[:1], *places[-1:], *longest])][:MOST]
    return [parts[place] for place in longest if place in taken]


def _sentences(text: str, abbreviations: Collection[str]) -> Sequence[str]:
    found, begin = [], 0
    for end in _END.finditer(text):
        before, after = text[begin : end.start()], text[end.end() : end.end() + WRAPPED]
        goes_on = _shortened(before, abbreviations) or _wrapped(before, end[0], after)
        if not goes_on or opens("order", after):
            found.append(before.strip())
            begin = end.end()
    return [*found, text[begin:].strip()]


def _wrapped(before: str, end: str, after: str) -> bool:
    """Whether a line goes on in the next: it ends in a word, is long or asks, and the next begins small."""
    line = before.rpartition("\n")[2].rstrip("\r")
    within = end == "\n" and after[:1].islower() and (line[-1:].isalnum() or line[-1:] == ",")
    return within and (len(line) >= WRAPPED or _worded(line))


def _shortened(before: str, abbreviations: Collection[str]) -> bool:
    """Whether the last full stop is that of an abbreviation, or of an initial: "What did Dr. J. Jones say?"."""
    word = before[before.rfind(" ") + 1 :].lstrip("([\"'“‘")
    initial = word != "I." and word.isupper() and _INITIAL.fullmatch(word)
    return word.endswith(".") and (bool(initial) or word.rstrip(".").lower() in abbreviations)


def _cut(sentence: str, terms: Read) -> Sequence[str]:
    """A sentence, or the clauses of one that is very long; what its question mark ends stays in one."""
    if len(terms(sentence)) <= LONG:
        return [sentence]
    clauses = [part.strip() for part in _CLAUSE.split(sentence)]
    worded = [place for place, clause in enumerate(clauses) if _worded(clause)]
    begin = worded[-1] if worded and _marked(sentence) else len(clauses)
    return [*clauses[:begin], " ".join(clauses[begin:])]


def _degree(part: str) -> int:
    """How surely a part asks or orders something: 2 by a question mark, 1 by its words, 0 if it only tells."""
    return 2 if _marked(part) else int(_worded(part))


def _marked(part: str) -> bool:
    mark = max(map(part.rfind, _MARKS))
    return mark >= 0 and not _GOES_ON.search(part, mark)


def _worded(part: str) -> bool:
    return asks("back", part) or asks("order", part)


def _with_before(parts: Sequence[str], place: int, said: Sequence[int]) -> Sequence[str]:
    """A part that says little, and the same with the one before: "We go to Oslo in May. What do I pack?"."""
    alone = [parts[place]] if said[place] else []
    return [*alone, f"{parts[place - 1]} {parts[place]}"] if place else alone
