"""What a memory rests on: the sentence that says so, who and what it came from, and what else its row tells."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import pairwise
from typing import Any

from memoranda.core.base.scope import Scope, visible
from memoranda.core.image.image import Partition
from memoranda.core.rows import Event, Passage, Record
from memoranda.core.strata.filters import ALIKE, noted, stratum_of
from memoranda.core.text.fence import stripped
from memoranda.core.text.terms import SENTENCE

READ = 12  # sentences of a turn that are compared with what was made of them, those first that share words with it
LONGEST = 300  # characters of a sentence that are shown
_WORD = re.compile(r"\w+")
_SHOWN = ("message_id", "attachment_id", "filename")
_NOTED = frozenset({"attachments", *(one for name in _SHOWN for one in ALIKE[name])})


def latest(
    image: Partition, scope: Scope, passages: Iterable[Passage], records: Mapping[str, Record]
) -> dict[str, str]:
    """The last event that each of some records rests on and the scope sees, by the id of the record."""
    index, found = image.index, {}
    for record in filter(None, (records.get(passage.ref) for passage in passages if passage.of == "record")):
        for source in reversed(record.sources):
            number = index.numbers.get(source)
            if number is not None and visible(index.passages[number], scope):
                found[record.id] = source
                break
    return found


def told(row: Event | Record, event: Event | None, read: Callable[[str], Collection[str]]) -> dict[str, Any]:
    """What an item says of its row, and of the event that it rests on, if that was read."""
    if isinstance(row, Event):
        found: dict[str, Any] = {"stratum": stratum_of("event", row.kind)}
    else:
        found = {
            "stratum": stratum_of("record", row.kind), "access_count": row.access_count,
            "last_accessed": row.last_accessed,
        }  # fmt: skip
    found["category"], found["source"], found["connection"] = row.category, row.source, row.connection
    found["recorded_at"] = row.recorded_at
    if event is None:
        return found
    if isinstance(row, Record):
        found["role"], found["speaker"] = event.role, event.speaker
        found["evidence"] = sentence(stripped(event.content), row.text, read)
    if not _NOTED.isdisjoint(event.metadata):
        notes = {name: noted(event.metadata, name) for name in _SHOWN}
        found |= {name: str(values[0]) for name, values in notes.items() if values}
    found["surface"], found["said_at"] = event.surface, event.event_time
    return found


def sentence(text: str, statement: str, read: Callable[[str], Collection[str]]) -> str:
    """The sentence of a text that shares most words with a statement made of it, the first of several."""
    cuts = [0, *(found.end() for found in SENTENCE.finditer(text)), len(text)]
    parts = [part for begin, end in pairwise(cuts) if (part := text[begin:end].strip())]
    if len(parts) > READ:
        words = {word.casefold() for word in _WORD.findall(statement)}
        parts.sort(key=lambda part: -len(words.intersection(map(str.casefold, _WORD.findall(part)))))
        parts = parts[:READ]
    if len(parts) > 1:
        terms = frozenset(read(statement))
        parts.sort(key=lambda part: -len(terms.intersection(read(part))))
    best = parts[0] if parts else ""
    return best if len(best) <= LONGEST else f"{best[:LONGEST].rstrip()}…"
