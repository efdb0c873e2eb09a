"""How a memory reads as a line of a context, which lines can be shortened, and which say nothing.

A line begins with the day on which it was said, and what has to be known of it: that it holds no more, that it is
uncertain, what kind it is. A stranger's words begin with who sent them.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import date
from functools import cache

import numpy as np

from memoranda.core.beliefs.profile import NARRATIVE
from memoranda.core.context.budget import Piece
from memoranda.core.context.excerpt import LEAST, Excerpt
from memoranda.core.image.image import Partition
from memoranda.core.recall.currency import Endings
from memoranda.core.recall.results import Item, Recalled
from memoranda.core.rows import Event, Record
from memoranda.core.text.fence import quoted
from memoranda.core.text.voices import called, said, voice_of
from memoranda.flows.recall.nearness import Asked

#: Kinds that a line names: what was planned or decided is no fact yet, and a pattern was never said.
_NAMED = frozenset({"plan", "decision", "pattern"})
SURE = 0.8  # confidence from which a line is not called uncertain
_SENDER = re.compile(r"\A\s*From:[ \t]*(\S[^\n]{0,200})(?:\n|\Z)", re.IGNORECASE)
_STRANGER = " (untrusted)"
#: Behind what holds no more, and behind what has a later word.
_INSTEAD, _SEE = " (instead: [{}])", " (see [{}])"
_LAST = 1e12  # the place of what holds no more: behind all times
#: An assistant's turn that only acknowledges is no longer than this, and less near to the request.
_SHORT, _NEAR = 120, 0.3
FILLER = "it only acknowledges what the user said"


class Pricing:
    """Prices pieces and lets them be shortened.

    Args:
        count: counts the tokens of a text; `read`: returns its terms; `terms`: those of the request.
    """

    def __init__(
        self, count: Callable[[str], int], read: Callable[[str], Collection[str]], terms: Collection[str]
    ) -> None:
        self._count = count
        self._excerpt = cache(lambda body: Excerpt(body, terms, read, count))

    def priced(self, piece: Piece, limit: int, *, verbatim: bool) -> Piece:
        """Return a piece with its cost as a line; one that takes over half of its section's limit is shortened."""
        mark, end = ("", "\n\n") if verbatim else ("- [m999] ", "\n")
        refers = piece.refers.format("m999")

        def cost(text: str) -> int:
            return self._count(f"{mark}{text}{refers}{end}")

        def cut(tokens: int) -> Piece | None:
            label = piece.text.removesuffix(quoted(piece.body))
            room = tokens - cost(label)
            while room >= LEAST and (part := self._excerpt(piece.body).within(room)):
                text = f"{label}{quoted(part)}"
                if (tokens_used := cost(text)) <= tokens:
                    return replace(piece, text=text, tokens=tokens_used, cut=cut)
                room -= tokens_used - tokens
            return None

        whole = cost(piece.text)
        line = cut(limit // 2) if piece.body and whole > limit // 2 else None
        return line or replace(piece, tokens=whole, cut=cut if piece.body else None)


def statement(partition: Partition, record: Record, endings: Endings, why: str = "standing") -> Piece:
    """A record that holds, as a line."""
    text = said(voice_of(record), record.text)
    traits = (called(record.connection or ""), *_traits(record.kind, record.status, record.confidence))
    doubt = _doubted(partition, next(iter(endings.later(record.id)), None))
    line = _line(_said_on(partition, record), text, traits, doubt)
    return Piece(id=record.id, text=line, why=why, place=record.recorded_at.timestamp(), cited=True, says=text)


def recalled(partition: Partition, item: Item, place: float = 0) -> Piece:
    """What recall found, as a line; what holds no more stands behind what does."""
    record = partition.records.get(item.id)
    day = _said_on(partition, record) if record else item.at.date()
    until = ("no longer so since" if item.superseded_by else "until") if item.valid_to else ""
    about = f"about {item.at:%Y-%m-%d}" if record and record.phrase and item.at.date() != day else ""
    ends = f"{until} {item.valid_to:%Y-%m-%d}" if item.valid_to else ""
    part = partition.records.get(item.over[-1]) if item.over else None
    if part:
        ends = f"in part no longer so{f' since {part.valid_to:%Y-%m-%d}' if part.valid_to else ''}"
    traits = (about, ends, *_traits(item.kind, item.status, item.record_confidence))
    who, body = _from(item.by, item.text)
    text = said(who, body)
    ended = item.valid_to is not None and item.superseded_by is not None
    return Piece(
        id=item.id, text=_line(day, text, traits, _doubted(partition, item.later)), why=item.why,
        place=place + _LAST * ended, cited=True, body=body,
        successor=item.superseded_by or item.later or (part.contradicted_by if part else None),
        statements=_holding(partition, item), over=item.over,
        refers=_INSTEAD if item.superseded_by else _SEE if item.later or part else "",
        says=text if record and item.valid_to is None else "",
    )  # fmt: skip


def chosen(partition: Partition, event: Event, nearness: float, endings: Endings) -> Piece:
    """A turn in which the user chose something, as a line."""
    why = f"a choice; nearness to the request {nearness:.2f}"
    doubt = _doubted(partition, next(iter(endings.later(event.id)), None))
    line = _line(event.event_time.date(), said(voice_of(event), event.content), (), doubt)
    return Piece(id=event.id, text=line, why=why, cited=True, body=event.content)


def _line(day: date, text: str, traits: Collection[str], doubt: str) -> str:
    return f"({', '.join(filter(None, (str(day), *traits)))}{doubt}) {text}"


def _doubted(partition: Partition, later: str | None) -> str:
    """How a line says that there is a later word: it may hold no more."""
    number = partition.index.numbers.get(later or "")
    return "" if number is None else f"; later, on {partition.index.passages[number].at:%Y-%m-%d}, more was said"


def _traits(kind: str, status: str, confidence: float) -> tuple[str, ...]:
    doubt = "disputed" if status == "disputed" else "" if confidence >= SURE else "uncertain"
    return kind if kind in _NAMED else "", doubt


def _from(by: str, text: str) -> tuple[str, str]:
    """Who says a stranger's words, with the sender that a mail names, and the words without that line."""
    sender = _SENDER.match(text) if by.endswith(_STRANGER) else None
    if sender is None or not text[sender.end() :].strip():
        return by, text
    return f"{by.removesuffix(_STRANGER)} from {called(sender[1])}{_STRANGER}", text[sender.end() :]


def _said_on(partition: Partition, record: Record) -> date:
    """The day on which a statement was first said, whatever time it tells of; else the one since which it holds.

    A narrative was said on the day it was written, however old its sources are.
    """
    index = partition.index
    numbers = map(index.numbers.get, () if record.kind == NARRATIVE else record.sources)
    days = (index.passages[number].at.date() for number in numbers if number is not None)
    return min(days, default=record.valid_from.date())


def _holding(partition: Partition, item: Item) -> tuple[str, ...]:
    """The statements of a turn that hold."""
    names = partition.records_by_source.get(item.id, ()) if item.of == "event" and item.valid_to is None else ()
    return tuple(sorted({*names} - {*item.over}))


# ------------------------------------------------------------------------------------------------ filler


def filler(partition: Partition, found: Recalled, asked: Asked) -> dict[str, str]:
    """Assistant's turns that only acknowledge, each with the reason why no context shows it."""
    return {
        item.id: FILLER
        for item in found
        if item.of == "event" and item.role == "assistant" and _acknowledges(partition, item.id, asked)
    }


def _acknowledges(partition: Partition, name: str, request: Asked) -> bool:
    """Whether an assistant's turn adds nothing to the user's turn before it, or opens a conversation with nothing.

    It is short, brings neither number nor name, and is not near to the request; a time that it only asks about is none.
    It answers no question. Where the user's turn stated nothing and is itself near to the request, it was a request
    too, and this may be what came of it.
    """
    index = partition.index
    number = index.numbers[name]
    reply = index.passages[number]
    before = int(index.chains.around(np.array([number]), 1, 0)[0, 0])
    asked = index.passages[before] if before >= 0 else None
    if asked is None and (reply.conversation is None or reply.position):
        return False
    if asked is not None and (asked.role != "user" or "question" in asked.traits):
        return False
    signs = {"number"} if "question" in reply.traits else {"number", "time"}
    named, said = ({*asked.entities}, {*asked.terms.split()}) if asked else (set[str](), set[str]())
    own, theirs = request.near(index, [number, max(before, 0)], said)
    if signs & {*reply.traits} or {*reply.entities} - named or reply.length > _SHORT or own >= _NEAR:
        return False
    return asked is None or bool(partition.records_by_source.get(asked.ref)) or theirs < _NEAR
