"""What memory contributes to each section of a context; each function first decides whether its section applies.

A section is a function from the request to pieces, preferred ones first, or to the reason why it has none. A new
section is a new entry in `SECTIONS`, and a slot in a layout.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from types import MappingProxyType

import numpy as np

from memoranda.core.base.scope import Scope
from memoranda.core.beliefs.profile import held
from memoranda.core.context.budget import Piece
from memoranda.core.image.image import Partition
from memoranda.core.recall.results import Item, Recalled
from memoranda.core.rows import Event, Json, Record
from memoranda.core.rows.columns import Floats, Mask
from memoranda.core.strata.procedures import DONE, LOGS
from memoranda.core.strata.working import SUMMARY, Working
from memoranda.core.text.fence import quoted
from memoranda.core.text.voices import STRANGER, own, said, voice_of
from memoranda.flows.context.router import Match

LASTING = 120  # the most statements about the user that are considered, the most important first
BINDING = frozenset({"health", "habit", "instruction", "preference", "favourite"})  # attributes that act as wishes do
HAPPENED = "event"  # the first part of attributes of one-time events
RECENT = 200  # the newest decisions that are looked at
CHOICES = 30  # the most turns with a choice of the user that are considered
#: Nearness below which a choice is irrelevant to the request: 80 % of those on another topic, 7 % of those on its own.
NEAR = 0.2
_STEP = 0.15  # importance counts in steps: a little more does not displace what stands
_STANDS = ("goal", "summary", "decision", "action", "pending")  # the order of the items of working memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the sections are made from.

    Attributes:
        lasting: lasting statements of the user about the user, most important first, each with its piece.
        reported: the same, stated by others.
        choices: turns in which the user chose something, nearest to the request first, each with its nearness.
        desk: the working memory of the conversation; None if none is named.
        shared: entries of collections, nearest to the request first.
    """

    scope: Scope
    partition: Partition
    recalled: Recalled
    mask: Mask
    now: datetime
    terms: frozenset[str]
    vector: Floats | None
    lasting: Sequence[tuple[Record, Piece]]
    reported: Sequence[tuple[Record, Piece]] = ()
    choices: Sequence[tuple[Event, float]] = ()
    desk: Working | None = None
    shared: Sequence[Match] = ()


def lasting(partition: Partition, mask: Mask, now: datetime) -> tuple[list[tuple[Record, Piece]], ...]:
    """The preferences, instructions and attributes of the user that hold, most important first, then the oldest first.

    First those that the user states, then those that the agent and its workflows state; strangers are only recalled.
    One-time events are no attributes, however often they were told. The order does not depend on the time of asking,
    and new statements come after old ones; otherwise the prefix would change from one request to the next.
    """
    columns = partition.index.columns
    numbers = np.flatnonzero(_records(partition, mask, "preference", "fact"))
    steps = np.round(columns["importance"][numbers] / _STEP)
    found: dict[bool, list[Record]] = {True: [], False: []}
    for number in numbers[np.lexsort((columns["at"][numbers], -steps))].tolist():
        record = partition.records.get(partition.index.refs[number])
        if record and record.subject == "user" and (record.kind == "preference" or _tells_who(record)):
            found[own(record)] += held([record] if record.trust > STRANGER else [], now)
        if len(found[True]) == LASTING:
            break
    for records in found.values():
        records.sort(key=lambda item: (-round(item.importance / _STEP), item.valid_from, item.hash, item.id))
    return tuple(
        [(record, _statement(partition, record)) for record in records[:LASTING]] for records in found.values()
    )


def _tells_who(record: Record) -> bool:
    return record.attribute is not None and record.attribute.partition(".")[0] != HAPPENED


def _records(partition: Partition, mask: Mask, *kinds: str) -> Mask:
    """The passages in a mask that belong to records of some kinds."""
    index = partition.index
    among = np.isin(index.columns["kind"], [index.codes["kind"].look(name) for name in kinds])
    found: Mask = mask & among & index.columns["of_record"]
    return found


# ----------------------------------------------------------------------------------------------- sections


def _profile(request: Request) -> list[Piece] | str:
    """Who the user is and how the user wants things done; what was learnt last comes last."""
    return [piece for _, piece in request.lasting] or "nothing lasting is known of the user"


def _reported(request: Request) -> list[Piece] | str:
    """What the agent and its workflows hold about the user, apart from what the user says."""
    return [piece for _, piece in request.reported] or "nobody else says anything lasting of the user"


def _preferences(request: Request) -> list[Piece] | str:
    """The user's wishes, whatever the request, then other facts and choices near to it; each group nearest first."""
    near = _nearness(request, [request.partition.index.numbers[record.id] for record, _ in request.lasting])
    known = [(record, value, piece) for (record, piece), value in zip(request.lasting, near, strict=True)]
    found = [one for one in known if _binds(one[0]) or one[1] >= NEAR]
    found.sort(key=lambda one: (not _binds(one[0]), -one[1], -one[0].importance, one[0].hash, one[0].id))
    pinned = [
        Piece(id=piece.id, text=piece.text, why=f"pinned; nearness to the request {value:.2f}", cited=True)
        for _, value, piece in found
    ]
    chosen = [_chosen(event, nearness) for event, nearness in request.choices]
    return [*pinned, *chosen] or "no preference is known"


def _binds(record: Record) -> bool:
    """Whether a record says what to do or avoid, whatever is asked: an allergy does, as much as a wish."""
    return record.kind == "preference" or (record.attribute or "").partition(".")[0] in BINDING


def choices(request: Request) -> list[tuple[str, float]]:
    """Ids of turns of other conversations in which the user chose something that is near to the request.

    A choice shows what users like even if they never say so. The turn says more than the statement extracted from it,
    which may be "the user chose option 2".
    """
    index = request.partition.index
    numbers = np.flatnonzero(_records(request.partition, request.mask, "decision"))
    newest = numbers[np.argsort(index.columns["at"][numbers], kind="stable")[-RECENT:]].tolist()
    decided = [request.partition.records.get(index.refs[number]) for number in newest]
    sources = {source for record in decided if record and record.subject == "user" for source in record.sources}
    known = (index.numbers[source] for source in sources if source in index.numbers)
    own = [n for n in known if request.mask[n] and index.passages[n].conversation != request.scope.conversation]
    near = zip(own, _nearness(request, own), strict=True)
    best = sorted(((index.refs[n], value) for n, value in near if value >= NEAR), key=lambda one: (-one[1], one[0]))
    return best[:CHOICES]


def _nearness(request: Request, numbers: Sequence[int]) -> list[float]:
    return request.partition.index.near(numbers, request.terms, request.vector)


def _summary(request: Request) -> list[Piece] | str:
    """The state of this conversation: its working memory, and what was decided and planned in it.

    If working memory has no summary, the last summary of the conversation takes its place.
    """
    name, desk = request.scope.conversation, request.desk
    if name is None:
        return "no conversation is named"
    among = _records(request.partition, request.mask, SUMMARY, "decision", "plan")
    here = [record for record in request.partition.records_in(among) if record.conversation == name]
    here.sort(key=lambda record: (record.valid_from, record.hash, record.id), reverse=True)
    said = held(here, request.now)
    last = [record for record in here if record.kind == SUMMARY][: not (desk and desk.summary)]
    pieces = [*_desk(desk, {record.text for record in said})] if desk else []
    pieces += [_statement(request.partition, record) for record in (*last, *said)]
    return pieces or "; ".join(desk.degraded if desk else ()) or "nothing is at hand, decided or planned in it"


def _desk(desk: Working, known: Collection[str]) -> Iterator[Piece]:
    """The items of a desk, those that the next step depends on first; items in `known` are said elsewhere."""
    goal = () if desk.goal is None else (f"Active goal: {_plain(desk.goal)}",)
    asked = [f"To be confirmed: {_plain(value)}" for value in desk.pending.values()]
    parts = {
        "goal": goal,
        "pending": asked,
        "action": [text for text in desk.actions if text not in known],
        "decision": [text for text in desk.decisions if text not in known],
        "summary": desk.summary.splitlines(),
    }
    for name, texts in parts.items():
        for number, text in reversed([*enumerate(texts)]):
            place = _STANDS.index(name) - len(_STANDS) + number / 1_000
            yield Piece(id=f"{name}:{number}", text=quoted(text), why="at hand in this conversation", place=place)


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _memories(request: Request) -> list[Piece] | str:
    """The best answers of recall, records and turns alike."""
    found = [_recalled(request, item) for item in _elsewhere(request)]
    return found or request.recalled.reason or "what was found is of this conversation"


def _episodes(request: Request) -> list[Piece] | str:
    """What was said in the time span that the request names, in order; only if it names one."""
    window = request.recalled.trace.window
    if window is None:
        return "the request names no time"
    begin, until = window
    inside = (
        item
        for item in _elsewhere(request)
        if item.of == "event" and (begin is None or begin <= item.at) and (until is None or item.at < until)
    )
    return [_recalled(request, item, item.at.timestamp()) for item in inside] or "nothing was found in that time"


def _goals(request: Request) -> list[Piece] | str:
    """Goals that the request brings up, other goals and plans that are relevant to it, and strategies that fit it."""
    due = {goal.id: f"Goal, {goal.state}: {quoted(goal.text)}" for goal in request.recalled.goals}
    pieces = [Piece(id=name, text=text, why="the request brings it up", cited=True) for name, text in due.items()]
    found = (item for item in request.recalled if item.kind == "plan" or item.metadata.get("category") == "goal")
    pieces += [_recalled(request, item) for item in found if item.id not in due]
    for fit in request.recalled.strategies:
        text = f"Strategy, {fit.strategy.track_record}: {quoted(fit.strategy.text)}"
        pieces.append(Piece(id=fit.strategy.id, text=text, why=fit.why, cited=True))
    return pieces or "no goal, plan or strategy bears on it"


def _logs(request: Request) -> list[Piece] | str:
    """Daily logs and run summaries that are relevant to the request."""
    found = (item for item in request.recalled if item.kind in LOGS)
    return [_recalled(request, item) for item in found] or "no daily log bears on it"


def _shared(request: Request) -> list[Piece] | str:
    """Entries of collections that are relevant to the request."""
    found = (
        Piece(
            id=one.id, text=quoted(f"({one.at:%Y-%m-%d}, shared in {one.called}) {one.text}"), why=one.why, cited=True
        )
        for one in request.shared
    )
    return [*found] or "nothing that is shared here bears on it"


def _elsewhere(request: Request) -> list[Item]:
    """What was recalled, without turns and the summary of the current conversation: the host has them."""
    name = request.scope.conversation
    return [item for item in request.recalled if name is None or _lasts(item) or item.conversation != name]


def _lasts(item: Item) -> bool:
    return item.of == "record" and item.kind != SUMMARY


def _knowledge(request: Request) -> list[Piece] | str:
    """A map of what memory holds, so that the agent knows what it can search for."""
    told = list(_map(request))
    return [Piece(id=f"knowledge:{n}", text=text, place=n) for n, text in enumerate(told)] or "nothing is known yet"


def _map(request: Request) -> Iterator[str]:
    index = request.partition.index
    columns = index.columns
    events = request.mask & ~columns["of_record"]
    done = np.isin(columns["kind"], [index.codes["kind"].look(kind) for kind in DONE])
    turns = np.flatnonzero(events & ~done)
    if turns.size:
        talks = int(np.count_nonzero(np.bincount(columns["conversation"][turns] + 1)[1:]))  # -1 is none
        times = columns["at"][turns]
        first, last = (index.passages[turns[place]].at for place in (times.argmin(), times.argmax()))
        counted = f"{_count(turns.size, 'turn')} of {_count(talks, 'conversation')}"
        yield f"{counted}, {first:%Y-%m-%d} to {last:%Y-%m-%d}, can be searched."
    for name, among in (("Done", events & done), ("Statements", request.mask & columns["of_record"])):
        counts = np.bincount(columns["kind"][among]).tolist()
        kinds = sorted((kind, count) for kind, count in zip(index.codes["kind"].names, counts, strict=False) if count)
        if kinds:
            yield f"{name}: {', '.join(_count(count, kind.replace('_', ' ')) for kind, count in kinds)}."


def _count(number: int, name: str) -> str:
    several = f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"
    return f"{number:,} {name if number == 1 else several}"


#: The function for each section; the host fills all other slots of a layout.
SECTIONS: Mapping[str, Callable[[Request], list[Piece] | str]] = MappingProxyType(
    {
        "summary": _summary,
        "profile": _profile,
        "reported": _reported,
        "preferences": _preferences,
        "memories": _memories,
        "episodes": _episodes,
        "goals": _goals,
        "knowledge": _knowledge,
        "logs": _logs,
        "shared": _shared,
    }
)


# ------------------------------------------------------------------------------------------------- pieces


def _statement(partition: Partition, record: Record) -> Piece:
    day = _said_on(partition, record)
    told = f" (said {day})" if day else ""
    hedge = "" if record.confidence >= 0.8 else " (uncertain)"
    doubt = " (disputed)" if record.status == "disputed" else ""
    text = f"{said(voice_of(record), record.text)}{told}{hedge}{doubt}"
    return Piece(id=record.id, text=text, why="standing", place=record.recorded_at.timestamp(), cited=True)


def _recalled(request: Request, item: Item, place: float = 0) -> Piece:
    record = request.partition.records.get(item.id)
    day = _said_on(request.partition, record) if record else None
    told = f", said {day}" if day and day != item.at.date() else ""
    over = ("no longer so since" if item.superseded_by else "until") if item.valid_to else ""
    ended = f", {over} {item.valid_to:%Y-%m-%d}" if item.valid_to else ""
    doubt = ", disputed" if item.status == "disputed" else ""
    text = f"({item.at:%Y-%m-%d}{ended}{told}{doubt}) {said(item.by, item.text)}"
    return Piece(id=item.id, text=text, why=item.why, place=place, cited=True, successor=item.superseded_by)


def _said_on(partition: Partition, record: Record) -> date | None:
    """The day on which words of time in a statement were said; without it "last month" says nothing."""
    index = partition.index
    sources = (index.numbers.get(source) for source in record.sources if record.phrase)
    return min((index.passages[number].at.date() for number in sources if number is not None), default=None)


def _chosen(event: Event, nearness: float) -> Piece:
    text = f"({event.event_time:%Y-%m-%d}) {said(voice_of(event), event.content)}"
    return Piece(id=event.id, text=text, why=f"a choice; nearness to the request {nearness:.2f}", cited=True)
