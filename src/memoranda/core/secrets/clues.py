"""What gives a secret away that no cue leads to: what it looks like, and what is said around it.

Of each value that looks made up, and of plain words where a password is spoken of, signs are gathered: the form of the
value, what stands beside it, and the cues and marks in its sentence and those near. The weight of each sign was learned
by `evals/secret_weights.py`.
"""

from bisect import bisect, bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, repeat
from math import fsum

from memoranda.core.secrets import check_digits
from memoranda.core.secrets.cues import BACK, Cue, Reader, Secret, compiled, known, said

MASK = "\ufffc"  #: in the place of each character of a placeholder, so that its words label nothing
EDGES = ".,:;)]}|*`\\。，；"  #: what ends a value, but is no part of it

_BESIDE = 12  # characters between a value and a word that stands beside it
_LINKS = {"links": 3, "towards": 3, "before": 3, "uses": 3, "when": 7}  # words that count only as near to a value
_BEFORE = 2  # sentences before that of a value which count
_LEADS = frozenset({"links", "towards", "uses"})  # words behind which a phrase may be a secret
_TOPICS = frozenset(
    "password login network answer recovery pin door_code cvv card national_id api_key opened unlocked unlocks cards "
    "behind accounts keyed codes answers recoveries identities keys".split()
)  # signs without one of which nothing is a secret


@dataclass(frozen=True, slots=True)
class Clue:
    """What may be a secret in a text.

    Attributes:
        start, end: where it is.
        group: of its form, such as "digits".
        signs: its form, what stands beside it, and what is said in its sentence and those near.
    """

    start: int
    end: int
    group: str
    signs: frozenset[str]


class _Talk:
    """What is said around the values of a text.

    A word counts by what it is, a cue or a mark, and where it stands: beside a value, in its sentence, or in one near.
    """

    def __init__(self, text: str, cues: Sequence[Cue], reader: Reader) -> None:
        self._text, self._reader = text, reader
        named = ((start, cue.end(), reader.cues[number][0]) for start, number, cue in cues)
        runs = ((one.start(), said(one[0].lower())) for one in reader["run"].finditer(text))
        self.marks = sorted([*named, *((at + start, at + end, name) for at, said in runs for start, end, name in said)])
        self._begins = [one[0] for one in self.marks]
        self._breaks = [0, *(one.end() for one in reader["break"].finditer(text)), len(text) + 1]
        self._lines: list[set[str]] = [set() for _ in self._breaks]
        for begin, _, name in self.marks:
            if name not in _LINKS:
                self._lines[bisect(self._breaks, begin) - 1].add(name)
        self._around: dict[int, frozenset[str]] = {}

    def around(self, start: int) -> frozenset[str]:
        """Return the signs in the sentence of a place and in those near it; none if nobody speaks of a secret."""
        line = bisect(self._breaks, start) - 1
        if line not in self._around:
            own, lines = self._lines[line], self._lines
            near = set().union(*lines[max(0, line - _BEFORE) : line], lines[line + 1]) - own
            asked = (
                lines[line - 1] & _TOPICS
                and self._text[max(0, self._breaks[line] - 3) : self._breaks[line]].rstrip()[-1:] in "?？"
            )
            told = own | {f"{name}~" for name in near} | ({"asked before"} if asked else set())
            self._around[line] = frozenset(told) if (own | near) & _TOPICS else frozenset()
        return self._around[line]

    def beside(self, start: int, end: int) -> Iterator[str]:
        """Yield the signs of what stands beside a value: words and characters."""
        text, names = self._text, self._reader.beside
        first, last = bisect_left(self._begins, start - _BESIDE - BACK), bisect_left(self._begins, end + _BESIDE)
        for begin, stop, name in self.marks[first:last]:
            gap = max(start - stop, begin - end)
            if 0 <= gap <= _LINKS.get(name, _BESIDE):
                yield f"{name}<" if stop <= start else f"{name}>"
        yield f"{names.get(text[max(0, start - 3) : start].rstrip(' ')[-1:], 'other')}<"
        yield f"{names.get(text[end : end + 3].lstrip(' ')[:1], 'other')}>"


def clues(text: str) -> list[Clue]:
    """Return what may be a secret in a text, but for what its format tells; the weights are learned from them."""
    reader = known()
    return list(_clues(text, reader.cues_in(text), reader, [one for form in reader.formats for one in form.find(text)]))


def _clues(text: str, cues: Sequence[Cue], reader: Reader, found: Sequence[Secret]) -> Iterator[Clue]:
    """Yield what may be a secret in a text, but for what has been found of it."""
    program = ("program",) if any(map(text.__contains__, reader.program)) else ()
    plainly = not program and any(map(text.lower().__contains__, reader.plainly))
    tokens = list(_made_up(text, reader))
    if not tokens and not plainly:
        return
    talk, starts = _Talk(text, cues, reader), sorted(one.start for one in found)
    ends = [*accumulate((one.end for one in sorted(found, key=lambda one: one.start)), max, initial=0)]
    for start, end, group, form in chain(tokens, _plain(text, talk.marks, reader) if plainly else ()):
        around = talk.around(start)
        if around and ends[bisect_left(starts, end)] <= start:
            own = (form, *program, *_shape(text[start:end], group, reader), *talk.beside(start, end))
            yield Clue(start, end, group, around.union(own))


def given_away(
    text: str, cues: Sequence[Cue], reader: Reader, found: Sequence[Secret]
) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the spans and kinds of the values that what is said around them gives away; the weights of signs add up."""
    for clue in _clues(text, cues, reader, found):
        weights = reader.weights[clue.group]
        if fsum((weights["bias"], *map(weights.get, clue.signs, repeat(0.0)))) > 0:  # exact, whatever the order
            yield (clue.start, clue.end), _kind(clue, reader)


def _made_up(text: str, reader: Reader) -> Iterator[tuple[int, int, str, str]]:
    """Yield what looks made up in a text: where it lies, the group of its form, and its form."""
    bare = reader["address"].sub(lambda found: MASK * len(found[0]), text) if "://" in text or "www." in text else text
    for one in reader["candidate"].finditer(bare):
        word = one[0] if one[0][-1] in "#*" else one[0].rstrip(EDGES)
        if form := _form(word.rstrip("?"), reader):
            yield one.start(), one.start() + len(word), *form


def _plain(text: str, marks: Iterable[tuple[int, int, str]], reader: Reader) -> Iterator[tuple[int, int, str, str]]:
    """Yield the words and phrases that may be a secret though nobody made them up, as `_made_up` does."""
    for one in reader["quotation"].finditer(text):
        yield *one.span(1), "plain", "quotation"
    joints = [one.start() for one in reader["joint"].finditer(text)]
    ends = dict.fromkeys(chain((at + 1 for at in joints), (end for _, end, name in marks if name in _LEADS)))
    for end in ends:
        if tail := reader["tail"].match(text, end):
            yield *tail.span(1), "plain", "tail"
    begins = {0, *ends, *(end + 1 for end in ends)}
    stops = {len(text), *joints, *(begin - 1 for begin, _, name in marks if name == "before")}
    for one in reader["plain"].finditer(text):
        beside = one.start(1) in begins or one.end(1) in stops
        if beside and not (said(one[1].lower()) or reader.plain(one[1]) or reader.odd(one[1])):
            yield *one.span(1), "plain", "plain"


def _form(word: str, reader: Reader) -> tuple[str, str] | None:
    """Return the group and the form that a word has among those of secrets, None if people make up no such word."""
    if reader["plainest"].fullmatch(word):
        return None
    fits = compiled(reader.tokens, 0).fullmatch(word)
    if fits is None:
        return None
    form = str(fits.lastgroup)
    return None if reader.groups[form] in {"odd", "keys"} and reader.dull(word) else (reader.groups[form], form)


def _kind(clue: Clue, reader: Reader) -> str:
    """Return the kind of a secret that a clue is: the one of which most signs are there, else the first."""
    return max(reader.kinds[clue.group].items(), key=lambda one: len(one[1] & clue.signs))[0]


def _shape(word: str, group: str, reader: Reader) -> Iterator[str]:
    """Yield signs of the outer form of a value."""
    if len(word) >= 12:
        yield "long"
    if word[0].isupper():
        yield "capital"
    if group == "plain":
        yield f"spaces {min(word.count(' '), 4)}"
        parts = word.split(" ")
        if any(map(reader.plain, parts)):
            yield "ordinary"
        known = sum(1 for one in parts if said(one.lower()))
        if known:
            yield "known" if known == len(parts) else "partly known"
    elif group == "long" and check_digits.tax(word):
        yield "checked"
