"""What memory contributes to each section of a context; each function first decides whether its section applies.

A section is a function from the request to pieces, preferred ones first, or to the reason why it has none. A new
section is a new entry in `SECTIONS`, and a slot in a layout.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType

import numpy as np

from memoranda.core.base.scope import Scope, visible
from memoranda.core.beliefs.overtaken import overtaken
from memoranda.core.beliefs.profile import NARRATIVE, held
from memoranda.core.context.budget import Piece
from memoranda.core.image.image import Partition
from memoranda.core.recall.currency import Endings
from memoranda.core.recall.results import Item, Recalled
from memoranda.core.rows import Event, Json, Record
from memoranda.core.rows.columns import Mask
from memoranda.core.rows.lifecycle import OPEN
from memoranda.core.strata.procedures import DONE, LOGS, Suggestion
from memoranda.core.strata.working import SUMMARY, Working
from memoranda.core.text.fence import quoted
from memoranda.core.text.voices import STRANGER, called, own
from memoranda.flows.context.lines import chosen, recalled, statement
from memoranda.flows.context.router import Match
from memoranda.flows.recall.nearness import Asked

NEAREST = 40  # the memories among which goals and logs are looked for: what comes later bears on it too little
LASTING = 120  # the most statements about the user that are considered, the most important first
BINDING = frozenset({"health", "habit", "instruction", "preference", "favourite"})  # attributes that act as wishes do
HAPPENED = "event"  # the first part of attributes of one-time events
RECENT = 200  # the newest decisions that are looked at
CHOICES = 30  # the most turns with a choice of the user that are considered
#: Nearness below which a choice is irrelevant to the request: 80 % of those on another topic, 7 % of those on its own.
NEAR = 0.2
RESULTS = 5  # the newest results of tools that are told
LONG = 300  # characters of a value of working memory
KNOWN = 20  # the most statements of each group of what else is known
CONSIDERED = 2_000  # the newest statements that are looked at for these
NEWEST, OLDER = "the narrative", "an older narrative, of another place"
_LEARNED, _PLANS, _PEOPLE, _FACTS = range(4)
_STEP = 0.15  # importance counts in steps: a little more does not displace what stands
_STANDS = (
    "goal",
    "task",
    "preference",
    "summary",
    "result",
    "decision",
    "action",
    "pending",
)  # the order of the items of working memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the sections are made from.

    Attributes:
        lasting: lasting statements of the user about the user, most important first, each with its piece.
        reported: the same, stated by others.
        choices: turns in which the user chose something, nearest to the request first, each with its nearness.
        desk: the working memory of the conversation; None if none is named.
        shared: entries of collections, nearest to the request first.
        known: what else is about the user, see `also_known`.
        suggested: tools for the request, the best first; None if they are not asked for.
        filler: turns of the assistant that say nothing, each with the reason.
        endings: what holds no more, or has a later word.
    """

    scope: Scope
    partition: Partition
    recalled: Recalled
    mask: Mask
    now: datetime
    asked: Asked
    lasting: Sequence[tuple[Record, Piece]]
    endings: Endings
    reported: Sequence[tuple[Record, Piece]] = ()
    choices: Sequence[tuple[Event, float]] = ()
    desk: Working | None = None
    shared: Sequence[Match] = ()
    known: Sequence[Piece] = ()
    suggested: Sequence[Suggestion] | None = None
    filler: Mapping[str, str] = field(default_factory=dict)


def lasting(
    partition: Partition, scope: Scope, mask: Mask, now: datetime, endings: Endings
) -> tuple[list[tuple[Record, Piece]], ...]:
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
            holds = record.trust > STRANGER and not overtaken(
                record, partition.records, partition.attributes, scope, now
            )
            found[own(record)] += held([record] if holds else [], now)
        if len(found[True]) == LASTING:
            break
    for records in found.values():
        records.sort(key=lambda item: (-round(item.importance / _STEP), item.valid_from, item.hash, item.id))
    return tuple(
        [(record, statement(partition, record, endings)) for record in records[:LASTING]] for records in found.values()
    )


def also_known(partition: Partition, scope: Scope, mask: Mask, now: datetime, endings: Endings) -> list[Piece]:
    """What else is always told of the user.

    In this order: the narrative that consolidation wrote, what was learnt of the user and of active connections, plans,
    what is known of the user's people, and facts without an attribute. The narrative that is composed of the same
    records is left out: it would say everything twice.
    """
    index = partition.index
    numbers = np.flatnonzero(_records(partition, mask, "preference", "fact", "plan"))[-CONSIDERED:]
    rows = (partition.records.get(index.refs[number]) for number in numbers.tolist())
    believed = (record for record in rows if record and record.trust > STRANGER)
    current = held(
        (one for one in believed if not overtaken(one, partition.records, partition.attributes, scope, now)), now
    )
    groups: dict[int, list[Record]] = {n: [] for n in range(_LEARNED, _FACTS + 1)}
    for record in current:
        if (group := _group(record)) is not None:
            groups[group].append(record)
    told = [one for one in partition.records.values() if one.kind == NARRATIVE and visible(one, scope)]  # not indexed
    told = [one for one in told if one.status in OPEN and one.trust > STRANGER and one.valid_from <= now]
    told.sort(key=lambda one: (-one.recorded_at.timestamp(), one.id))
    whys = (NEWEST, *(OLDER for _ in told[1:]))
    pieces = [
        replace(statement(partition, one, endings, why), place=0, body=one.text)
        for one, why in zip(told, whys, strict=False)
    ]
    for records in groups.values():
        records.sort(key=lambda one: (-round(one.importance / _STEP), one.valid_from, one.hash, one.id))
        pieces += [statement(partition, record, endings) for record in records[:KNOWN]]
    return pieces


def _group(record: Record) -> int | None:
    """The group in which a record that holds is always told; None if it is not, or as what the user lastingly is."""
    if record.connection is not None or record.category == "learning":
        return _LEARNED
    if not own(record):
        return None
    if record.kind == "plan":
        return _PLANS
    if record.subject != "user":
        return _PEOPLE if _tells_who(record) else None
    return _FACTS if record.kind == "fact" and record.attribute is None else None


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
    """Who the user is and how the user wants things done; what was learnt last comes last.

    The newest narrative is wanted most; those of other places leave the facts their room.
    """
    known = list(request.known)
    first = [piece for piece in known if piece.why == NEWEST]
    rest = [piece for piece in known if piece.why != NEWEST]
    lasting = [piece for _, piece in request.lasting]
    return [*dict.fromkeys((*first, *lasting, *rest))] or "nothing lasting is known of the user"


def _reported(request: Request) -> list[Piece] | str:
    """What the agent and its workflows hold about the user, apart from what the user says."""
    return [piece for _, piece in request.reported] or "nobody else says anything lasting of the user"


def _preferences(request: Request) -> list[Piece] | str:
    """The user's wishes, whatever the request, then other facts and choices near to it; each group nearest first."""
    near = _nearness(request, [request.partition.index.numbers[record.id] for record, _ in request.lasting])
    known = [(record, value, piece) for (record, piece), value in zip(request.lasting, near, strict=True)]
    found = [one for one in known if _binds(one[0]) or one[1] >= NEAR]
    found.sort(key=lambda one: (not _binds(one[0]), -one[1], -one[0].importance, one[0].hash, one[0].id))
    pinned = [replace(piece, why=f"pinned; nearness to the request {value:.2f}", place=0) for _, value, piece in found]
    turns = [chosen(request.partition, event, nearness, request.endings) for event, nearness in request.choices]
    return [*pinned, *turns] or "no preference is known"


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
    return request.asked.near(request.partition.index, numbers)


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
    pieces += [statement(request.partition, record, request.endings) for record in (*last, *said)]
    return pieces or "; ".join(desk.degraded if desk else ()) or "nothing is at hand, decided or planned in it"


def _desk(desk: Working, known: Collection[str]) -> Iterator[Piece]:
    """The items of a desk, those that the next step depends on first; items in `known` are said elsewhere."""
    goal, task = (
        () if value is None else (f"{name}: {_plain(value)}",)
        for name, value in (("Active goal", desk.goal), ("Task", desk.task))
    )
    wishes = desk.preferences if isinstance(desk.preferences, list) else [desk.preferences]
    asked = [f"To be confirmed: {_plain(value)}" for value in desk.pending.values()]
    parts = {
        "goal": goal,
        "task": task,
        "pending": asked,
        "preference": [f"Preference of this session: {_plain(wish)}" for wish in wishes if wish],
        "result": [f"Result of a tool: {_plain(one)}" for one in desk.tool_results[-RESULTS:]],
        "action": [text for text in desk.actions if text not in known],
        "decision": [text for text in desk.decisions if text not in known],
        "summary": desk.summary.splitlines(),
    }
    for name, texts in parts.items():
        for number, text in reversed([*enumerate(texts)]):
            place = _STANDS.index(name) - len(_STANDS) + number / 1_000
            yield Piece(id=f"{name}:{number}", text=quoted(text), why="at hand in this conversation", place=place)


def _plain(value: Json) -> str:
    told = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return told if len(told) <= LONG else f"{told[:LONG].rstrip()} …"


def _memories(request: Request) -> list[Piece] | str:
    """The best answers of recall, records and turns alike."""
    found = [recalled(request.partition, item) for item in _elsewhere(request)]
    return found or request.recalled.reason or "what was found is of this conversation"


def _episodes(request: Request) -> list[Piece] | str:
    """What was said in the time span that the request names, or is about it, in order; only if it names one."""
    window = request.recalled.trace.window
    if window is None:
        return "the request names no time"
    begin, until = window
    inside = (
        item
        for item in _elsewhere(request)
        if item.of == "event"
        and (item.about or ((begin is None or begin <= item.at) and (until is None or item.at < until)))
    )
    return [
        recalled(request.partition, item, (item.about or item.at).timestamp()) for item in inside
    ] or "nothing was found in that time"


def _goals(request: Request) -> list[Piece] | str:
    """Goals that the request brings up, other goals and plans that are relevant to it, and strategies that fit it."""
    due = {
        goal.id: f"({goal.since:%Y-%m-%d}) Goal, {goal.state}: {quoted(goal.text)}" for goal in request.recalled.goals
    }
    pieces = [Piece(id=name, text=text, why="the request brings it up", cited=True) for name, text in due.items()]
    nearest = request.recalled.items[:NEAREST]
    found = (item for item in nearest if item.kind == "plan" or item.metadata.get("category") == "goal")
    pieces += [recalled(request.partition, item) for item in found if item.id not in due]
    for fit in request.recalled.strategies:
        tools = f"; its tools, in order: {', '.join(fit.strategy.tools)}" if fit.strategy.tools else ""
        told = f"Strategy, {fit.strategy.track_record}: {fit.strategy.text}{tools}"
        text = f"({fit.strategy.since:%Y-%m-%d}) {quoted(told)}"
        pieces.append(Piece(id=fit.strategy.id, text=text, why=fit.why, cited=True))
    return pieces or "no goal, plan or strategy bears on it"


def _suggestions(request: Request) -> list[Piece] | str:
    """Tools that worked for what is like the request, if the host asks for them by giving the section tokens."""
    if request.suggested is None:
        return 'not asked for: give it tokens, budgets={"suggestions": 200}'
    pieces = [
        Piece(
            id=f"suggestions:{place}", text=quoted(f"{one.tool}: {one.why}"), why=f"score {one.score:.2f}", place=place
        )
        for place, one in enumerate(request.suggested)
    ]
    return pieces or "no tool is known to have worked for this"


def _logs(request: Request) -> list[Piece] | str:
    """Daily logs and run summaries that are relevant to the request."""
    found = (item for item in request.recalled.items[:NEAREST] if item.kind in LOGS)
    return [recalled(request.partition, item) for item in found] or "no daily log bears on it"


def _shared(request: Request) -> list[Piece] | str:
    """Entries of collections that are relevant to the request."""
    found = (
        Piece(
            id=one.id, text=f"({one.at:%Y-%m-%d}, shared in {called(one.called or '')}) {quoted(one.text)}",
            why=one.why, cited=True, body=one.text,
        )
        for one in request.shared
    )  # fmt: skip
    return [*found] or "nothing that is shared here bears on it"


def _elsewhere(request: Request) -> list[Item]:
    """What was recalled, without filler, and turns and the summary of this conversation: the host has them."""
    name = request.scope.conversation
    found = (item for item in request.recalled if item.id not in request.filler)
    return [item for item in found if name is None or _lasts(item) or item.conversation != name]


def _lasts(item: Item) -> bool:
    return item.of == "record" and item.kind != SUMMARY


def _knowledge(request: Request) -> list[Piece] | str:
    """A map of what memory holds, so that the agent knows what it can search for."""
    told = list(_map(request))
    return [Piece(id=f"knowledge:{n}", text=text, place=n) for n, text in enumerate(told)] or "nothing is known yet"


def _map(request: Request) -> Iterator[str]:
    """One line: it counts what there is, and promises no search, which the agent may lack."""
    index = request.partition.index
    columns = index.columns
    events = request.mask & ~columns["of_record"]
    done = np.isin(columns["kind"], [index.codes["kind"].look(kind) for kind in DONE])
    turns = np.flatnonzero(events & (columns["kind"] == index.codes["kind"].look("turn")))
    parts = []
    if turns.size:
        talks = int(np.count_nonzero(np.bincount(columns["conversation"][turns] + 1)[1:]))  # -1 is none
        spread = f" of {_count(talks, 'conversation')}" if talks else ""
        first = index.passages[turns[columns["at"][turns].argmin()]].at
        parts.append(f"{_count(turns.size, 'turn')}{spread} since {first:%Y-%m-%d}")
    for among in (request.mask & columns["of_record"], events & done):
        counts = np.bincount(columns["kind"][among]).tolist()
        kinds = sorted((kind, count) for kind, count in zip(index.codes["kind"].names, counts, strict=False) if count)
        if kinds:
            parts.append(", ".join(_count(count, kind.replace("_", " ")) for kind, count in kinds))
    if parts:
        yield "; ".join(parts)


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
        "suggestions": _suggestions,
        "knowledge": _knowledge,
        "logs": _logs,
        "shared": _shared,
    }
)
