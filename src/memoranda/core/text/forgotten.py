"""What was forgotten does not come back: how texts are compared with what tombstones bar, and what is left of them.

A tombstone holds an id, the hash of a record's text, or a *phrase*: the length of some words, a number of two digits
for how they begin, and their hash, in the form that `Letters` gives them, without case, width, invisible characters,
punctuation and spaces. A text repeats a phrase wherever these letters stand in it from the beginning of a word to the
end of one, whatever stands around them. The hash of a short phrase can be guessed.
"""

import hashlib
import json
import re
import unicodedata
import zlib
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from itertools import accumulate, chain
from typing import Any

from memoranda.core.base.scope import SHARED
from memoranda.core.rows import Event, Json, Record, Tombstone
from memoranda.core.rows.statements import STATED
from memoranda.core.text.escapes import EDGE, documents, readings
from memoranda.core.text.terms import CJK, SENTENCE, content_hash, count_words, mark_of, storable

WITHHELD = "[withheld: forgotten]"
TELLING = 4  # the fewest words of a text that is barred itself, not only its event: "yes" must stay sayable
GOOD = "!"  # before a mark that binds the user's own later words, too
#: Signs that distinguish texts, see `_apart`: C# is not C. Most of those of money have a block of their own.
_KEPT = frozenset("#%+$£¥¢฿").union(map(chr, range(0x20A0, 0x20D0)))
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")  # letters and marks that show nothing
_IN_NUMBERS = frozenset(".,:")
_PLACEHOLDER = re.compile(r"(?:\[withheld: [a-z ]{2,30}\]\s*)+")
_SHAPE = re.compile(rf"^{GOOD}?(\d+)\.(\d+):", re.MULTILINE)
_MARK = re.compile(rf"{GOOD}?(?:\d+\.\d+:)?[0-9a-f]{{64}}")
_BEGIN = 8  # the letters of a phrase by which a text is searched for it
_SAID = frozenset({"turn", "observation"})
_NEVER = datetime.min.replace(tzinfo=UTC)
#: Categories of observations that state what a host keeps or describes, in no words of the user.
_HOSTED = frozenset({"value", "entity"})
#: What a host may file something under that is a word of the memory's own, and says nothing.
FILED = frozenset(
    ("chat", "connection_context", "correction", "decision", "entity", "fact", "heartbeat", "import", "inbox",
     "learned_fact", "learning", "pattern", "personal", "preference", "project", "project_details", "recipe",
     "reflection", "scaffold_update", "shared", "summary", "tool", "value", "widget", "workflow")
)  # fmt: skip
#: Names that the memory gives among those that a host gives in the metadata of turns and observations.
_OWN = frozenset({"attachments", "entry", "message", "promoted_from", "repaired", "time_zone", "tool_calls"})
#: Names of the memory's own under which words of a host stand in other events and in records; under others, none do.
_GIVEN = frozenset(
    ("blockers", "description", "error", "input", "is", "json", "name", "output", "patch", "path", "pattern", "reason",
     "recall_when", "result", "task_type", "tools", "value", "why")
)  # fmt: skip


def said_at(event: Event) -> datetime | None:
    """Return when an event was said, if it is the user's own: neither imported nor made by a host; None otherwise."""
    own = event.source == "user_provided" and event.kind in _SAID and event.surface != "import"
    return event.event_time if own and event.category not in _HOSTED else None


def said_together(events: Iterable[Event]) -> datetime | None:
    """Return when the first of those among several events was said that are the user's own; None if none is."""
    return min((time for time in map(said_at, events) if time is not None), default=None)


@lru_cache(1 << 14)
def _plain(character: str) -> str:
    """A character in plain letters; a space for one that separates words, and nothing for one that is not seen."""
    category = unicodedata.category(character)
    found = apart = " " if category in {"No", "So"} else ""  # "a™" and "①a" say "a", though they stand for "aTM", "1a"
    for one in unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", character).casefold()):
        category = "Sk" if category == "Sk" else unicodedata.category(one)  # "´" stands for a space with an accent
        hidden = category in {"Cf", "Cc"} and not one.isspace()
        if hidden or one in _UNSEEN or "\ufe00" <= one <= "\ufe0f":
            continue
        bare = category[0] in "PZC" or category in {"Sm", "So", "Sk", "Me"}
        found += one if one in _KEPT or not bare else " "
    return found + apart


class Letters:
    """The letters of a text, with the places in it where words begin and end.

    Attributes:
        text: the letters alone.
        starts, ends: where words begin and end in them; around Chinese, Japanese and Korean characters, everywhere.
        held: where placeholders begin, and where these end. Within one no word begins or ends.
    """

    def __init__(self, text: str) -> None:
        parts: list[str] = []
        self.starts: list[int] = []
        self.ends: set[int] = set()
        self._at: list[int] = []
        apart = True
        for place, character in enumerate(text):
            plain = character.lower() if character.isascii() and character.isalnum() else _plain(character)
            if plain == " " and _numeral(text, place):
                plain = character
            elif plain in _KEPT and _apart(plain, text, place, joined=self._at[-1:] == [place - 1]):
                plain = " "
            for one in plain:
                if one == " ":
                    apart = True
                    continue
                wide = CJK.match(one) is not None
                if apart or wide:
                    self.ends.add(len(parts))
                    self.starts.append(len(parts))
                apart = wide
                parts.append(one)
                self._at.append(place)
        self.ends.add(len(parts))
        self.text = "".join(parts)
        spans = (found.span() for found in _PLACEHOLDER.finditer(text))
        self.held = {bisect_left(self._at, begin): bisect_left(self._at, end) for begin, end in spans}
        within = {one for begin, end in self.held.items() for one in range(begin + 1, end)}
        self.starts = [one for one in self.starts if one not in within]
        self.ends -= within

    def place(self, number: int) -> int:
        """Return where in the text a letter stands."""
        return self._at[number]


def _numeral(text: str, place: int) -> bool:
    """Whether a sign belongs to the number around it: 5.5 is not 55, and -5 is not 5."""
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    if not after.isdigit():
        return False
    return before.isdigit() if text[place] in _IN_NUMBERS else text[place] == "-" and not before.isalnum()


def _apart(sign: str, text: str, place: int, *, joined: bool) -> bool:
    """Whether a sign is none of the words around it: a+b, #a, LIKE '%a%' and $a; not C#, A+, 50 %, $5."""
    before, after = (
        one if not CJK.match(one) else "" for one in (text[place - 1 : place], text[place + 1 : place + 2])
    )
    return not joined or after.isalnum() if sign in "#+" else before.isalpha() or after.isalpha()


def is_placeholder(text: str) -> bool:
    """Whether a text is nothing but what stands in the place of words that are not kept."""
    return _PLACEHOLDER.fullmatch(text) is not None


def phrase(text: str) -> str:
    """Return the claim of some words: the length and the hash of their letters."""
    return _claim(Letters(unicodedata.normalize("NFC", text)).text)


def claims(text: str) -> set[str]:
    """Return the claims of some words as they stand, and as they read with the escapes of JSON, if that is telling."""
    read = [Letters(one) for one, _, _ in readings(unicodedata.normalize("NFC", text))]
    return {_claim(one.text) for one in read if one is read[0] or len(one.text) >= _BEGIN or len(one.starts) > 1}


def _first(letters: str) -> int:
    """A number of two digits for how a phrase begins, by which a text is searched; 0 for a short one."""
    return 1 + zlib.crc32(letters[:_BEGIN].encode("utf-8", "surrogatepass")) % 99 if len(letters) >= _BEGIN else 0


def _claim(letters: str) -> str:
    return f"{len(letters)}.{_first(letters)}:{hashlib.sha256(letters.encode('utf-8', 'surrogatepass')).hexdigest()}"


def phrases(text: str, telling: Callable[[str], bool] = bool) -> set[str]:
    """Return the claims of a text and of those of its sentences that are `telling`; not what anybody might say."""
    found = set[str]()
    for read, _, _ in readings(unicodedata.normalize("NFC", text)):
        parts = (part for piece in read.split(EDGE) for part in SENTENCE.split(piece) if telling(part))
        found |= {phrase(part) for part in (read, *parts) if count_words(part) >= TELLING}
    return found


def is_mark(name: str) -> bool:
    """Whether a tombstone bars words, by a hash of them; else it bars what has this id."""
    return _MARK.fullmatch(name) is not None


def bound(claim: str, agent: str | None) -> str:
    """Return the mark of a claim that is forgotten for one writer; None stands for no agent."""
    length, colon, digest = claim.rpartition(":")
    return length + colon + mark_of(digest, agent)


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for gap in SENTENCE.finditer(text):
        yield start, gap.start()
        start = gap.end()
    yield start, len(text)


def _whole(told: Iterable[Mapping[str, Any]]) -> Iterator[Any]:
    """Yield what a host says in statements that it gave whole."""
    for one in told:
        yield from (one["text"], one["value"], *one["about"], *({one["subject"]} - {"user"}))


class Forgotten:
    """What an owner's tombstones bar: ids and marks, each with the time from which on the user may say it again.

    Attributes:
        since: the time by id or mark.
    """

    def __init__(self, marks: Iterable[str] = ()) -> None:
        self.since: dict[str, datetime] = {}
        self._lengths: dict[int, set[int]] = {}
        self.take(dict.fromkeys(marks, _NEVER))

    def take(self, marks: Mapping[str, datetime]) -> None:
        """Take in more."""
        self.since.update(marks)
        for length, first in _SHAPE.findall("\n".join(marks)):
            self._lengths.setdefault(int(first), set()).add(int(length))

    def absorb(self, rows: Iterable[Tombstone]) -> None:
        """Take in tombstones."""
        self.take({row.id: row.created_at for row in rows})

    def with_rows(self, rows: Iterable[Tombstone]) -> "Forgotten":
        """Return what these and more tombstones bar; this stays as it is."""
        new = Forgotten()
        new.take(self.since)
        new.absorb(rows)
        return new

    def bars(self, marks: Iterable[str], said: datetime | None = None) -> bool:
        """Whether one of some ids or marks is barred; what the user said since then is not, unless it is for good."""
        return any(
            GOOD + mark in self.since or (mark in self.since and (said is None or said < self.since[mark]))
            for mark in marks
        )

    def hits(self, text: str, agent: str | None) -> Iterator[tuple[tuple[str, str], int, int]]:
        """Yield the marks of each run of words that may be barred, and where it begins and ends in the text."""
        if not self._lengths:
            return
        for read, at, least in readings(unicodedata.normalize("NFC", text)):
            letters = Letters(read)
            for start in letters.starts:
                begin = _first(letters.text[start : start + _BEGIN])
                shortest = max(least, letters.held.get(start, start) - start + 1)  # more than a placeholder
                for length in chain(self._lengths.get(0, ()), self._lengths.get(begin, ()) if begin else ()):
                    if length >= shortest and start + length in letters.ends:
                        claim, end = _claim(letters.text[start : start + length]), letters.place(start + length - 1)
                        yield (claim, bound(claim, agent)), at[letters.place(start)], at[end]

    def repeats(self, text: str, agent: str | None = None, said: datetime | None = None) -> bool:
        """Whether a text repeats what is barred for a writer; `said`: when the user said it, if it is the user's."""
        return any(self.bars(marks, said) for marks, _, _ in self.hits(text, agent))

    def withheld(self, text: str, agent: str | None = None, said: datetime | None = None) -> tuple[str, int]:
        """Return a text with each sentence withheld that repeats what is barred, and how many these are."""
        spans = sorted((first, last) for marks, first, last in self.hits(text, agent) if self.bars(marks, said))
        if not spans:
            return text, 0
        firsts, reaches = [first for first, _ in spans], [*accumulate((last for _, last in spans), max, initial=-1)]
        text, left, done = unicodedata.normalize("NFC", text), list[str](), 0
        if (clean := self._document(text, agent, said)) is not None:
            return clean
        for start, end in _sentences(text):
            if reaches[bisect_left(firsts, end)] >= start:
                left.append(text[done:start])
                done = end
        return WITHHELD.join((*left, text[done:])), len(left)

    def _document(self, text: str, agent: str | None, said: datetime | None) -> tuple[str, int] | None:
        """As `withheld`, for a text with JSON in it, which stays JSON; None without any, or if nothing is left."""
        left, done, count, telling = "", 0, 0, False
        for start, end, value in documents(text):
            clean, more = self.cleaned(value, agent, said)
            telling = telling or tells(clean)
            if more:  # else it is part of a sentence, as [1] may be
                before, less = (text[done:start], 0) if done else self.withheld(text[:start], agent, said)
                left += before + storable(json.dumps(clean, ensure_ascii=text.isascii()))[0]
                done, count = end, count + more + less
        left += text[done:]
        return (left, count) if telling and not self.repeats(left, agent, said) else None

    def cleaned(self, value: Any, agent: str | None = None, said: datetime | None = None) -> tuple[Any, int]:
        """As `withheld`, for all texts and numbers in JSON, names included."""
        match value:
            case str():
                return self.withheld(value, agent, said)
            case bool() | None:
                return value, 0
            case int() | float():
                barred = self.repeats(str(value), agent, said)
                return (WITHHELD if barred else value), int(barred)
            case Mapping():
                names, less = self.cleaned([*value], agent, said)
                held, more = self.cleaned([*value.values()], agent, said)
                return dict(zip(_distinct(names), held, strict=True)), less + more
        parts = [self.cleaned(one, agent, said) for one in value]
        return type(value)(one for one, _ in parts), sum(count for _, count in parts)

    def noted(self, row: Event | Record, said: datetime | None = None) -> tuple[Any, int]:
        """As `cleaned`, for the metadata of an event or the value of a record, without what says nothing of a host."""
        held, hosted = (row.metadata, row.kind in _SAID) if isinstance(row, Event) else (row.value, False)
        if not isinstance(held, Mapping):
            return self.cleaned(held, row.agent, said)
        told = {name: value for name, value in held.items() if (hosted or name in _GIVEN) and name != STATED}
        names = [one for one in told if hosted and one not in _OWN]
        keys, more = self.cleaned(names, row.agent, said)
        values, count = self.cleaned([*told.values()], row.agent, said)
        left = {**held, **dict(zip(told, values, strict=True))}
        called = dict(zip(names, keys, strict=True))
        if less := self.cleaned([*_whole(held.get(STATED, ()))] if hosted else [], row.agent, said)[1]:
            del left[STATED]  # what is stated whole goes as a whole
            more += less
        return dict(zip(_distinct(called.get(one, one) for one in left), left.values(), strict=True)), count + more

    def screened(self, event: Event) -> tuple[Event | None, int]:
        """Return an event without the sentences that are barred for its writer, and how many these are.

        None if it was forgotten itself, or nothing is left of it that says anything.
        """
        if not self.since:
            return event, 0
        said, claim = said_at(event), content_hash(event.content)
        if self.bars((event.id,)) or self.bars((claim, bound(claim, event.agent)), said):
            return None, 1
        content, count = self.withheld(event.content, event.agent, said)
        metadata, more = self.noted(event, said)
        filed = {"category": event.category} | ({"speaker": event.speaker} if event.user != SHARED else {})
        clean = {name: self.cleaned(one, event.agent, said) for name, one in filed.items() if one not in FILED}
        count += more + sum(number for _, number in clean.values())
        if not count:
            return event, 0
        left = tells(content if event.content else metadata)
        if event.kind == "tool_call" and more:  # else it is the very call
            left = left or tells([metadata["input"], metadata["output"]])
        names = {name: one for name, (one, _) in clean.items()}
        return replace(event, content=content, metadata=metadata, **names) if left else None, count


def _distinct(names: Iterable[str]) -> list[str]:
    """The names of an object; those that became alike are numbered, so that no value takes the place of another."""
    found: dict[str, None] = {}
    for name in names:
        while name in found:
            name = f"{name} {len(found)}"  # noqa: PLW2901
        found[name] = None
    return [*found]


def tells(value: Json) -> bool:
    """Whether anything is left of what was cleaned."""
    match value:
        case str():
            return any(map(str.isalnum, value.replace(WITHHELD, "")))
        case dict():
            return any(map(tells, value.values()))
        case list():
            return any(map(tells, value))
    return value is not None
