"""What a language model is told before it consolidates: what is known, as far as there is room, and what came since.

The prompt is as large as its room, however much is known. What is told is quoted data inside the fence, each
observation one line under a number, so that no content can pass for another observation, a mark or an instruction.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memstrata.core.decay import strength
from memstrata.core.fence import fenced, quoted, stripped
from memstrata.core.profile import NARRATIVE_WORDS, held, leaf_of, path_of, project
from memstrata.core.rows import Event, Record
from memstrata.core.scope import Scope, visible
from memstrata.core.text import estimate_tokens

_LABEL = 60  # characters of a name in a label
_CUT = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """How large a prompt may get.

    Attributes:
        events: how many are told at once; `characters`: of the content of one.
        tokens: of all observations together; one is told in any case.
        scaffold: tokens of what is known.
        words: of the narrative.
    """

    events: int = 40
    characters: int = 1_500
    tokens: int = 4_000
    scaffold: int = 1_500
    words: int = NARRATIVE_WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Briefing:
    """The values of the prompt `consolidate`, and what they were made of.

    Attributes:
        values: by the names that the prompt has for them.
        known: the part of the scaffold that is told, as plain JSON.
        numbers: the event that each observation is, by the number it is told under.
        records: ids of the records that this part of the scaffold shows; `sources`: of the events that they rest on.
        taken: ids of the events that this is about, in order; those that say nothing are among them, without a number.
        left: how many did not fit and wait for the next batch.
    """

    values: Mapping[str, str]
    known: Mapping[str, Any]
    numbers: Mapping[int, Event]
    records: frozenset[str] = frozenset()
    sources: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    left: int = 0


@dataclass(slots=True)
class _Told:
    """The observations of a prompt, as they are added."""

    room: Room
    lines: list[str] = field(default_factory=list)
    numbers: dict[int, Event] = field(default_factory=dict)
    taken: list[str] = field(default_factory=list)
    tokens: int = 0

    def fits(self, event: Event) -> bool:
        """Take the event in, if there is room for it."""
        content = quoted(stripped(event.content)) if event.role != "system" else ""
        if content:
            number = len(self.lines) + 1
            line = f"{number}. {_label(event)} {json.dumps(_cut(content, self.room.characters), ensure_ascii=False)}"
            cost = estimate_tokens(line)
            if self.lines and (number > self.room.events or self.tokens + cost > self.room.tokens):
                return False
            self.lines.append(line)
            self.numbers[number] = event
            self.tokens += cost
        self.taken.append(event.id)
        return True


def brief(
    events: Sequence[Event],
    records: Iterable[Record],
    narrative: str,
    *,
    scope: Scope,
    now: datetime,
    room: Room | None = None,
) -> Briefing:
    """What a model is told of a batch.

    Args:
        events: those that wait, of one place, in order. The first of them are taken, as many as there is room for.
        records: current versions of what is known.
        narrative: the working memory so far.
        scope: the place of the events; what it does not see is not told.
        now: what has ended by then is not told.
        room: how large the prompt may get.
    """
    room = room or Room()
    told = _Told(room)
    for event in events:
        if not told.fits(event):
            break
    strongest = _strongest((item for item in records if visible(item, scope)), now, room.scaffold)
    known = project(strongest, now).plain()
    words = narrative.split()
    values = {
        "scaffold": fenced(quoted(json.dumps(known, ensure_ascii=False))),
        "narrative": fenced(quoted(" ".join(words[: room.words])) or "(none)"),
        "observations": fenced("\n".join(told.lines) or "(none)"),
    }
    return Briefing(
        values=values,
        known=known,
        numbers=told.numbers,
        records=frozenset(record.id for record in strongest),
        sources=tuple(dict.fromkeys(source for record in strongest for source in record.sources)),
        taken=tuple(told.taken),
        left=len(events) - len(told.taken),
    )


def _strongest(records: Iterable[Record], now: datetime, tokens: int) -> list[Record]:
    """The records that a scaffold of so many tokens holds, the strongest first."""
    found: list[Record] = []
    ranked = sorted(held(records, now), key=lambda item: (-strength(item, now), item.hash, item.id))
    for record in ranked:
        path = (*path_of(record), record.subject or "")
        tokens -= estimate_tokens(json.dumps([path, leaf_of(record, now).value], ensure_ascii=False))
        if tokens < 0:
            break
        found.append(record)
    return found


def _label(event: Event) -> str:
    """What an event is, who said it and when: `[turn, user Anna, 2026-01-31]`."""
    who = " ".join(filter(None, (event.role, event.speaker and _cut(quoted(event.speaker), _LABEL))))
    parts = (_cut(quoted(event.kind), _LABEL), who, f"{event.event_time:%Y-%m-%d}")
    return f"[{', '.join(filter(None, parts))}]"


def _cut(text: str, characters: int) -> str:
    return text if len(text) <= characters else f"{text[: characters - 1]}{_CUT}"
