"""The prompt for consolidation: what is known, as far as there is room, and the new observations.

The prompt is limited to its room, however much is known. Its contents are quoted data inside the fence, each
observation one numbered line, so that no content can pass for another observation, a mark or an instruction.
"""

import json
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any

from memoranda.core.base.scope import Scope, visible
from memoranda.core.beliefs.decay import strength
from memoranda.core.beliefs.profile import NARRATIVE_WORDS, held, leaf_of, path_of, project
from memoranda.core.rows import Event, Record
from memoranda.core.text.fence import fenced, quoted, stripped
from memoranda.core.text.terms import estimate_tokens
from memoranda.core.text.voices import voice_of

_LABEL = 60  # characters of a name in a label
_CUT = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """Size limits of a prompt.

    Attributes:
        events: events per prompt; `characters`: per observation, longer ones are split into parts.
        tokens: of all observations together; at least one is always included.
        scaffold: tokens of what is known; `related`: the share of them for what is related to the observations.
        words: of the narrative.
    """

    events: int = 40
    characters: int = 1_500
    tokens: int = 4_000
    scaffold: int = 1_500
    related: float = 0.5
    words: int = NARRATIVE_WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Briefing:
    """The values of the prompt `consolidate`, and their provenance.

    Attributes:
        values: by the names in the prompt.
        known: the part of the scaffold that is included, as plain JSON.
        numbers: the event of each observation, by the observation's number.
        records: ids of the records in this part of the scaffold; `sources`: of their source events.
        taken: ids of the events covered, in order; those that say nothing are included, without a number.
        cut: characters of the one event that was included only in part; 0 if it was complete.
    """

    values: Mapping[str, str]
    known: Mapping[str, Any]
    numbers: Mapping[int, Event]
    records: frozenset[str] = frozenset()
    sources: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    cut: int = 0


@dataclass(slots=True)
class _PromptLines:
    """The observations of a prompt, as they are added."""

    room: Room
    lines: list[str] = field(default_factory=list)
    numbers: dict[int, Event] = field(default_factory=dict)
    taken: list[str] = field(default_factory=list)
    tokens: int = 0
    cut: int = 0

    def fits(self, event: Event) -> bool:
        """Add the event if there is room for it; of the first event, as much as there is room for."""
        content = quoted(stripped(event.content)) if event.role != "system" else ""
        parts = textwrap.wrap(content, self.room.characters, replace_whitespace=False, break_on_hyphens=False)
        lines = [
            f"{_label(event, n, len(parts))} {json.dumps(part, ensure_ascii=False)}" for n, part in enumerate(parts)
        ]
        costs = [estimate_tokens(line) for line in lines]
        many = len({one.id for one in self.numbers.values()}) >= self.room.events
        if lines and self.lines and (many or self.tokens + sum(costs) > self.room.tokens):
            return False
        for line, cost in zip(lines, costs, strict=True):
            if self.lines and self.tokens + cost > self.room.tokens:
                self.cut = len(content)
                break
            self.numbers[len(self.lines) + 1] = event
            self.lines.append(f"{len(self.lines) + 1}. {line}")
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
    related: Mapping[str, float] = MappingProxyType({}),
    room: Room | None = None,
) -> Briefing:
    """Build the briefing of a model for a batch of events.

    It includes the records most related to the observations, and the strongest: somebody who writes that a trip is off
    refers to a trip mentioned once, a thousand records ago.

    Args:
        events: the waiting events of one place, in order. As many of the first as there is room for are taken.
        records: current versions of what is known.
        narrative: the narrative so far.
        scope: the place of the events; what it does not see is left out.
        now: what has ended by then is left out.
        related: ids of records related to the events, with their scores.
        room: the size limits of the prompt.
    """
    room = room or Room()
    told = _PromptLines(room)
    for event in events:
        if not told.fits(event):
            break
    chosen = _chosen(held((item for item in records if visible(item, scope)), now), now, related, room)
    profile = project(chosen, now)
    known = profile.plain()
    others = [f"Said by {leaf.by}: {quoted(str(leaf.value))}" for leaf in profile.reported]
    words = narrative.split()
    values = {
        "scaffold": fenced("\n".join((quoted(json.dumps(known, ensure_ascii=False)), *others))),
        "narrative": fenced(quoted(" ".join(words[: room.words])) or "(none)"),
        "observations": fenced("\n".join(told.lines) or "(none)"),
    }
    return Briefing(
        values=values,
        known=known,
        numbers=told.numbers,
        records=frozenset(record.id for record in chosen),
        sources=tuple(dict.fromkeys(source for record in chosen for source in record.sources)),
        taken=tuple(told.taken),
        cut=told.cut,
    )


def _chosen(known: Sequence[Record], now: datetime, related: Mapping[str, float], room: Room) -> list[Record]:
    """Return the records for the scaffold: related ones up to their share of tokens, then the strongest."""
    near = sorted((one for one in known if one.id in related), key=lambda one: (-related[one.id], one.hash, one.id))
    found, left = _first(near, now, int(room.scaffold * room.related))
    chosen = {record.id for record in found}
    strong = (one for one in known if one.id not in chosen)
    ranked = sorted(strong, key=lambda one: (-strength(one, now), one.hash, one.id))
    others, _ = _first(ranked, now, room.scaffold - int(room.scaffold * room.related) + left)
    return [*found, *others]


def _first(records: Sequence[Record], now: datetime, tokens: int) -> tuple[list[Record], int]:
    """Return the first records that fit into `tokens`, skipping those too long, and the tokens left."""
    found: list[Record] = []
    for record in records[:tokens]:  # each takes at least one token
        path = (*path_of(record, now), record.subject or "")
        cost = estimate_tokens(json.dumps([path, leaf_of(record, now).value], ensure_ascii=False))
        if cost > tokens:
            continue
        tokens -= cost
        found.append(record)
    return found, tokens


def _label(event: Event, part: int, of: int) -> str:
    """Return an event's kind, author, date and part: `[turn, user Anna, 2026-01-31, part 2 of 3]`."""
    place = f"part {part + 1} of {of}" if of > 1 else ""
    parts = (_cut(quoted(event.kind), _LABEL), voice_of(event), f"{event.event_time:%Y-%m-%d}", place)
    return f"[{', '.join(filter(None, parts))}]"


def _cut(text: str, characters: int) -> str:
    return text if len(text) <= characters else f"{text[: characters - 1]}{_CUT}"
