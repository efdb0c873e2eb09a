"""Other people's texts within a text: a mail, a letter, a forwarded message, a conversation, what is said to be theirs.

What begins on the line below an introduction ("Bob wrote:", "see the message from my landlord below", the header of a
mail) is somebody else's, up to the end of the text that it introduces: its farewell, the end of its quotation or
indentation, a line that closes it, or the paragraph in which the speaker goes on ("As for me, …"); if nothing shows an
end, up to that of the whole. What begins on the same line ("the doctor said: no sugar") is one sentence, for mostly the
speaker goes on behind it; only what is written goes on, to the farewell or the end of the line, if of "I", and
as a letter if it greets. What introduces a text of the speaker's own ("I told Bob:", "here is my mail to Bob:") is no
report: what follows counts as said; so does a turn that is nothing but a letter, for people write to agents like that.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator

from memoranda.core.language.names import known_names
from memoranda.core.language.signs import sign

#: Replaces every character of a masked passage, so that offsets stay the same.
MASK = "\ufffc"

_SIGNS = re.compile(r"[:：\n\s.!?](?:(?<=[:：\n])|(?<=\s)[-–—]|(?<=[.!?]) \w[\w ]{2,25}, [A-Z])")
_STOPS = ("farewell", "closing", "resumes")  # of a text that is neither quoted nor indented
_GAP = re.compile(r"\n[ \t]*\n")
_BREAK = re.compile(r"(?<=[^:：\s])[ \t]*\n")  # the end of a line that says something behind a label
_ENCLOSES = re.compile(r"</[a-zA-Z]|(?<![^\n])[ \t]*([-=_*~#])\1\1")
_TAG = re.compile(r"<(?P<close>/)?(?P<tag>[a-zA-Z][\w-]{0,30})\b[^<>\n]{0,200}>")
_FORMATS = frozenset(
    "a b big center code del div em font h1 h2 h3 h4 h5 h6 i ins li mark ol p s small span strong sub sup u ul".split()
)
_LINE = re.compile(r"^[ \t]*(?P<sign>[-=_*~#])(?P=sign){2,}[ \t]*$", re.MULTILINE)
_SENTENCE = re.compile(r"(?:[^.!?。！？\n]|[.!?](?=\w))*+[.!?。！？]*+")
_QUOTED = re.compile(rf"\s*(?:{MASK}+\s*)+")


def without_blocks(plain: str) -> str:
    """Return a text of the same length with blocks masked: what a tag, or two lines of the same sign, enclose."""
    if not _ENCLOSES.search(plain):
        return plain
    kept, at = list[str](), 0
    for start, end in sorted(_blocks(plain)):
        if start >= at:
            kept += [plain[at:start], MASK * (end - start)]
            at = end
    return "".join((*kept, plain[at:]))


def _blocks(plain: str) -> Iterator[tuple[int, int]]:
    opened: dict[str, int] = {}
    for found in _TAG.finditer(plain):
        tag = found["tag"].lower()
        if not found["close"]:
            opened.setdefault(tag, found.start())
        elif tag in opened and tag not in _FORMATS:
            yield opened.pop(tag), found.end()
    lines: dict[str, int] = {}
    for found in _LINE.finditer(plain):
        if found["sign"] in lines:
            yield lines.pop(found["sign"]), found.end()
        else:
            lines[found["sign"]] = found.start()


def _pattern(name: str) -> re.Pattern[str]:
    return sign(name, "pasted", re.IGNORECASE | re.MULTILINE)


def without_others(plain: str) -> str:
    """Return a text of the same length with other people's texts and introductions of the speaker's own masked."""
    if not _SIGNS.search(plain):
        return plain
    kept: list[str] = []
    at = mine = 0
    end = _ends(plain)
    for start, body, whose in sorted((*_framed(plain), *_introduced(plain), *_conversation(plain))):
        if start < at or (whose == "end" and start >= mine and plain[body:].strip()):
            continue
        kept.append(plain[at:start])
        at = body
        if whose == "own":
            mine = end(body, whose)
        elif whose in ("theirs", "said") or (whose == "letter" and start >= mine):
            at = end(body, whose)
        kept.append(f"{MASK * (at - start - 1)}\n" if start < at else "")  # a sentence ends with it
    return "".join((*kept, plain[at:]))


def _ends(plain: str) -> Callable[[int, str], int]:
    """Return a function that tells where a text of some kind ends that begins at some offset."""
    last = (len(plain), len(plain))
    stops = sorted((last, *(found.span() for name in _STOPS for found in _pattern(name).finditer(plain))))
    either = sorted((*stops, *(found.span() for found in _GAP.finditer(plain))))

    def end(start: int, whose: str) -> int:
        if found := _QUOTED.match(plain, start) or _pattern("indented").match(plain, start):
            return found.end()
        begin = next((at for at in range(start, len(plain)) if not plain[at].isspace()), start)
        words = next(_SENTENCE.finditer(plain, begin))[0]
        below = whose == "letter" or "\n" in plain[max(start - 1, 0) : begin]
        if whose == "said" and not below:
            return begin + len(words)
        if below or _pattern("greets").match(words):
            return stops[bisect_left(stops, (begin,))][1]
        stop, behind = either[bisect_left(either, (begin,))]
        line = len(plain[begin:].partition("\n")[0]) + begin
        speaks = _pattern("first").match(words)
        if plain[stop:behind].strip() and (speaks or stop <= line):  # a farewell
            return behind
        return line if speaks else begin + len(words)

    return end


def _framed(plain: str) -> Iterator[tuple[int, int, str]]:
    """Yield the openings of mails and letters, and the ends of letters: start, end and what they are."""
    farewells = [found.span() for found in _pattern("farewell").finditer(plain)]
    last, end = max(farewells, default=(0, 0))
    for found in _pattern("greeting").finditer(plain, 0, last):
        whole = not (plain[: found.start()].strip() or plain[end:].strip())
        yield (found.end(), found.end(), "own") if whole else (*found.span(), "letter")
    yield from ((*span, "end") for span in farewells)
    for found in _pattern("heads").finditer(plain):
        if not found["from"] or _is_somebody(found["from"]):
            yield (*found.span(), "own" if _pattern("sender").search(found[0]) else "letter")


def _introduced(plain: str) -> Iterator[tuple[int, int, str]]:
    """Yield where introduced texts begin; for the speaker's own, with the introduction."""
    for found in _pattern("clause").finditer(plain):
        head = found["head"]
        title = _pattern("titled").fullmatch(head)
        shown = found["colon"] or _pattern("below").search(head) or (title and _is_somebody(title["who"]))
        if whose := _whose(head) if shown and found.end() < len(plain) else "":
            yield (found.start("head") if whose == "own" else found.end(), found.end(), whose)


def _whose(head: str) -> str:
    """Return whose text a clause introduces: `own`, `theirs`, `said` if it is spoken; empty if it introduces none."""
    wrote, others = _pattern("wrote").search(head), _pattern("others_wrote").search(head)
    if wrote or others:
        mine = wrote and not (others and others.start() < wrote.start())
        return "own" if mine else "said" if _pattern("said").search(head) else "theirs"
    if _pattern("own").search(head):
        return "own"
    given = _pattern("given").search(head) and not _pattern("keeping").search(head)
    return "theirs" if given or _pattern("others").search(head) else ""


def _conversation(plain: str) -> Iterator[tuple[int, int, str]]:
    """Yield the lines of a written conversation; of the speaker's own, only the name before it."""
    lines = [*_pattern("labelled").finditer(plain)]
    own = {line["who"] for line in lines if _pattern("speaker").fullmatch(line["who"])}
    if own:  # then whoever else speaks may be called anything
        others = {line.start(): line for line in _pattern("anybody").finditer(plain)}
        lines = [line for _, line in sorted((others | {line.start(): line for line in lines}).items())]
    named = any(_is_somebody(line["who"]) for line in lines) or (own and {line["who"] for line in lines} - own)
    spoken = any(_pattern("persons").match(plain, line.end()) for line in lines)  # else it is a list, by name
    if not (any(line["time"] for line in lines) or (named and spoken)):
        return
    for line, after in zip(lines, [*(line.start() for line in lines[1:]), 0], strict=True):
        gap = (_GAP if after else _BREAK).search(plain, line.end(), after or len(plain))
        yield line.start(), line.end() if line["who"] in own else gap.start() if gap else after or len(plain), "line"


def _is_somebody(name: str) -> bool:
    """Whether a name before a colon is that of a person rather than of a thing."""
    first = name.casefold().partition(" ")[0]
    given = first in known_names().given and first not in known_names().ambiguous
    return given or _pattern("participants").fullmatch(name) is not None
