"""Working memory: the state of a conversation or a workflow run, as cells of one place in a cache.

A cell holds one value, or a list of items that each have an `id`. A host's own values are under `key:` and their name.
Cells expire 24 hours after the last activity in the place (`Limits.seconds`), keys at their own time. Turns that are
not in the log yet stay until they are. Reading is activity too, but it is written down only once a while has passed.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

from memoranda.core.base.checks import check_number, check_seconds, require
from memoranda.core.rows import Json
from memoranda.core.rows.cells import Cell, Content
from memoranda.core.text.forgotten import Forgotten, tells
from memoranda.core.text.terms import SENTENCE, Analyzer, weight
from memoranda.core.text.voices import voice

TURNS, SUMMARY, SAID, READ, SUMMED = "turns", "summary", "said", "read", "summed"
DECISIONS, ACTIONS, PENDING = "decisions", "actions", "pending"
#: Prefixes of the cells that hold a host's key, and of those that hold a turn that is not in the log yet.
KEY, WAITING = "key:", "waiting:"
#: One value each; `preferences` is a list of texts.
NOTES = ("task", "goal", "preferences", "scratch")
#: Values by name.
NAMED = ("results", "tools")
#: Values in order of arrival.
LISTS = ("thoughts", "tool_results")
#: The order of eviction where there are too many items: what can be obtained again first, and of each the oldest.
FIRST = ("tool_results", "thoughts", "results", "tools")
#: Lists that are merged if they were changed on both sides.
_ITEMS = frozenset({TURNS, SUMMARY, DECISIONS, ACTIONS, PENDING, *NAMED, *LISTS})

YEAR = 366 * 24 * 3_600  # seconds; the longest lifetime that can be set
SENTENCES = 8  # of a summary, at most
_LONGEST = 300  # characters of a sentence
NOTED = 20  # the number of decisions, and of action items, that are kept

Item = dict[str, Any]
_NOTHING = Forgotten()
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The capacity and lifetimes of working memory.

    Attributes:
        window: turns kept, the first of which always stays.
        refresh: messages after which the summary is made again.
        items: results, tool states, thoughts and keys together; and the same number of pending questions.
        seconds: from the last activity until working memory expires.
        key_seconds: the lifetime of a key that is set without one.
        idle_seconds: from the last activity until turns are written to the log; the rest stays.
        waiting: turns that may wait for the log.
    """

    window: int = 20
    refresh: int = 5
    items: int = 50
    seconds: float = 24 * 3_600
    key_seconds: float = 3_600
    idle_seconds: float = 300
    waiting: int = 100

    def __post_init__(self) -> None:
        for name in ("window", "refresh", "items", "waiting"):
            check_number(name, getattr(self, name))
        require(self.refresh <= self.window, "refresh", self.refresh, "no more than window, or some is never summed up")
        for name in ("seconds", "key_seconds", "idle_seconds"):
            check_seconds(name, getattr(self, name), YEAR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Working:
    """The content of working memory.

    Attributes:
        turns: the first and the last ones, each with `id`, `role`, `content` and `at`.
        summary: the sentences that say most of what was said until the last refresh.
        decisions, actions: what the user decided and is going to do, as the rules read it.
        task, goal, preferences, scratch: as they were noted; None or empty if they were not.
        results, tools: by name.
        tool_results, thoughts: oldest first.
        pending: the questions not yet answered, by id.
        keys: the values that were set, by key.
        waiting: how many turns are not in the log yet.
        degraded: names the cache if it is down; then this is only what this process knows.
    """

    turns: tuple[Item, ...] = ()
    summary: str = ""
    decisions: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    task: Json = None
    goal: Json = None
    preferences: Json = None
    scratch: Json = None
    results: Mapping[str, Json]
    tools: Mapping[str, Json]
    tool_results: tuple[Json, ...] = ()
    thoughts: tuple[Json, ...] = ()
    pending: Mapping[str, Json]
    keys: Mapping[str, Json]
    waiting: int = 0
    degraded: tuple[str, ...] = ()


class Desk:
    """The unexpired cells of a place, and the changes that a call makes to them.

    Args:
        content: the content of the place, as read.
        now: the time of the call.
        limits: how long cells last.
        quiet: whether the call is housekeeping, which does not let cells last longer.

    Attributes:
        at: when the place was last active; `active`: when it was, once this call is over.
    """

    def __init__(self, content: Content, now: datetime, limits: Limits, *, quiet: bool = False) -> None:
        self.now = now
        self.at = content.at
        self.active = content.at if quiet and content.at else now
        self.limits = limits
        over = content.at is not None and content.at + timedelta(seconds=limits.seconds) <= now
        self._held = content.cells
        stay = {name for name in content.cells if name.startswith(WAITING)}
        if stay:
            stay.add(SAID)  # the next turn is numbered after them
        self._live = {
            name: cell
            for name, cell in content.cells.items()
            if (cell.expires > now if cell.expires else name in stay or not over)
        }
        self._new: dict[str, tuple[Any, datetime | None] | None] = {}

    @property
    def names(self) -> set[str]:
        """The names of the existing cells."""
        return (self._live.keys() | self._new.keys()) - {name for name, new in self._new.items() if new is None}

    @property
    def waiting(self) -> list[str]:
        """The cells of turns that are not in the log yet, in order."""
        return sorted(name for name in self.names if name.startswith(WAITING))

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a cell."""
        if name in self._new:
            new = self._new[name]
            return default if new is None else new[0]
        return self._live[name].value if name in self._live else default

    def expires(self, name: str) -> datetime | None:
        """Return when a cell expires by itself; None if it expires with the place."""
        if new := self._new.get(name):
            return new[1]
        return self._live[name].expires if name in self._live else None

    def put(self, name: str, value: Any, expires: datetime | None = None) -> None:
        """Set the value of a cell."""
        self._new[name] = value, expires

    def drop(self, *names: str) -> None:
        """Remove cells."""
        self._new.update(dict.fromkeys(names))

    def add(self, name: str, item: Item) -> None:
        """Append an item to a list, removing the one with the same id."""
        self.put(name, [*(one for one in self.get(name, []) if one["id"] != item["id"]), item])

    @property
    def keep(self) -> timedelta | None:
        """How long the place must be kept; None while turns in it wait for the log."""
        if any(name.startswith(WAITING) for name in self.names):
            return None
        until = [end for end in map(self.expires, self.names) if end is not None]
        return max([*until, self.active + timedelta(seconds=self.limits.seconds)]) - self.now

    def sweep(self) -> None:
        """Drop expired cells."""
        self.drop(*self._held.keys() - self._live.keys())

    @property
    def touched(self) -> bool:
        """Whether there is anything to write, if only that somebody was here."""
        pause = min(self.limits.seconds, self.limits.idle_seconds) / 10
        stale = self.at is not None and (self.active - self.at).total_seconds() >= pause
        return bool(self._new) or (stale and bool(self.names))

    def written(
        self, version: str, barred: Forgotten = _NOTHING, agent: str | None = None
    ) -> tuple[dict[str, Cell | None], dict[str, str | None]]:
        """Return the cells to write, expired ones included, and the versions they must have had.

        What was forgotten is withheld in what a host of `agent` writes; turns were looked at when they came in.
        """
        over = self._held.keys() - self._live.keys() - self._new.keys()
        cells: dict[str, Cell | None] = dict.fromkeys(over)
        for name, new in self._new.items():
            if new is not None and not _barred(name, barred, agent):
                value = _cleaned(name, new[0], barred, agent)[0] if hosted(name) else new[0]
                cells[name] = Cell(_encode(value), version, new[1])
            elif name in self._held:
                cells[name] = None
        return cells, {name: self._held[name].version if name in self._held else None for name in cells}

    def fit(self, kept: str) -> None:
        """Evict items while there are too many, in the order of `FIRST`; the newest of `kept` stays."""
        lists = {name: list(self.get(name, ())) for name in FIRST}
        keys = sorted((self.expires(name) or self.now, name) for name in self.names if name.startswith(KEY))
        over = sum(map(len, lists.values())) + len(keys) - self.limits.items
        for name, items in lists.items():
            spare = items[:-1] if name == kept else items
            if over > 0 and spare:
                gone = min(over, len(spare))
                self.put(name, items[gone:])
                over -= gone
        self.drop(*[name for _, name in keys if name != kept][: max(0, over)])

    # -------------------------------------------------------------------------------------------- turns

    def say(self, turns: Sequence[Item], waiting: Mapping[str, Item], analyzer: Analyzer) -> None:
        """Add turns to the window, and every `Limits.refresh` messages make the summary again.

        Args:
            turns: the turns; known ones are not added again.
            waiting: by turn id, what is to be written to the log.
            analyzer: finds the terms of a sentence.
        """
        known, limits = self.get(TURNS, []), self.limits
        seen = {turn["id"] for turn in known}.union(map(_turn_of, self.waiting))
        fresh = [*{turn["id"]: turn for turn in turns if turn["id"] not in seen}.values()]
        said = self.get(SAID, 0)
        for number, turn in enumerate(fresh, said):
            self.put(f"{WAITING}{number:09}:{turn['id']}", waiting[turn["id"]])
        since = said % limits.refresh
        window = [*known, *fresh]
        if since + len(fresh) >= limits.refresh:
            picked = summarised(self.get(SUMMARY, []), window[max(0, len(known) - since) :], analyzer)
            if picked:
                self.put(SUMMARY, picked)
        if len(window) > limits.window:
            window = [window[0], *window[len(window) - limits.window + 1 :]]
        if fresh:
            self.put(TURNS, window)
            self.put(SAID, said + len(fresh))

    def note(self, decisions: Iterable[Item], actions: Iterable[Item]) -> None:
        """Keep the decisions and action items that the rules found."""
        for name, found in ((DECISIONS, decisions), (ACTIONS, actions)):
            items = {item["id"]: item for item in (*self.get(name, ()), *found)}
            if len(items) > len(self.get(name, ())):
                self.put(name, list(items.values())[-NOTED:])

    def without(self, gone: set[str], analyzer: Analyzer) -> None:
        """Remove what was derived from forgotten turns."""
        self.drop(*[name for name in self.waiting if _turn_of(name) in gone])
        held = self.get(TURNS, [])
        if not gone.isdisjoint(turn["id"] for turn in held):
            self.put(TURNS, [turn for turn in held if turn["id"] not in gone])
        for name in (SUMMARY, DECISIONS, ACTIONS):
            held = self.get(name, [])
            left = [item for item in held if item["turn"] not in gone]
            if len(left) < len(held):
                self.put(name, summarised(left, self.get(TURNS, []), analyzer) if name == SUMMARY else left)

    def turns(self, connections: Collection[str] | None) -> list[Item]:
        """Return the turns of the window that belong to no connection or one of these; all, if None."""
        return [turn for turn in self.get(TURNS, ()) if _seen(turn, connections)]

    def shown(self, connections: Collection[str] | None) -> dict[str, Any]:
        """Return the cells by name, without turns of other connections."""
        cells = {name: self.get(name) for name in self.names} | {TURNS: self.turns(connections)}
        hidden = [name for name in self.waiting if not _seen(cells[name], connections)]
        return {name: value for name, value in sorted(cells.items()) if name not in hidden and (value or name != TURNS)}

    def wipe(self, connections: Collection[str] | None) -> int:
        """Drop the cells that are shown, and return how many were dropped."""
        shown, turns = self.shown(connections), self.turns(connections)
        hidden = [turn for turn in self.get(TURNS, ()) if turn not in turns]
        self.drop(*(shown.keys() - {SAID} if hidden else shown))
        if hidden:
            self.put(TURNS, hidden)
        return len(shown.keys() - {SAID, READ, SUMMED})

    def view(self, connections: Collection[str] | None) -> Working:
        """Return the content of working memory, with the turns of these connections."""
        values: dict[str, Any] = {note: self.get(note) for note in NOTES}
        values |= {part: {item["id"]: item["value"] for item in self.get(part, ())} for part in (*NAMED, PENDING)}
        values |= {part: tuple(item["value"] for item in self.get(part, ())) for part in (*LISTS, DECISIONS, ACTIONS)}
        return Working(
            turns=tuple(self.turns(connections)),
            summary=summary_text(self.get(SUMMARY, ())),
            keys={name.removeprefix(KEY): self.get(name) for name in sorted(self.names) if name.startswith(KEY)},
            waiting=len(self.waiting),
            **values,
        )


def _seen(turn: Item, connections: Collection[str] | None) -> bool:
    return connections is None or turn.get("connection") in {None, *connections}


def summarised(picked: Sequence[Item], turns: Sequence[Item], analyzer: Analyzer) -> list[Item]:
    """Return the sentences that say most, among those picked before and one of each turn since.

    Turns of a connection are left out: not everybody who may see the summary may see them.
    """
    said = {turn["id"]: turn for turn in turns if not turn.get("connection")}
    old = [(item, item["terms"].split()) for item in picked if item["turn"] not in said]
    new = [
        ({"id": turn["id"], "turn": turn["id"], "who": voice(turn["role"], turn.get("speaker")), "value": value}, terms)
        for turn in said.values()
        for part in SENTENCE.split(turn["content"])
        if (value := part.strip()[:_LONGEST])
        for terms in [analyzer.terms(value)]
    ]
    weights = Counter(chain.from_iterable(set(terms) for _, terms in (*old, *new)))
    best: dict[str, tuple[float, Item]] = {}
    for item, terms in (*old, *new):
        found = weight(terms, weights)
        if item["id"] not in best or found > best[item["id"]][0]:
            best[item["id"]] = found, {**item, "terms": " ".join(terms)}  # so that no sentence is analysed twice
    kept = set(sorted(best, key=lambda name: -best[name][0])[:SENTENCES])
    return [item for name, (_, item) in best.items() if name in kept]


def summary_text(picked: Iterable[Item]) -> str:
    """Return a summary as text."""
    return "\n".join(f"{item['who']}: {item['value']}" for item in picked)


def hosted(name: str) -> bool:
    """Whether a cell holds what a host wrote, as opposed to turns and what was derived from them."""
    return name.startswith(KEY) or name in {*NOTES, *NAMED, *LISTS, PENDING}


def _cleaned(name: str, value: Any, words: Forgotten, agent: str | None) -> tuple[Any, int]:
    """The value of a cell without what repeats some words; names in items are the memory's own."""
    if name not in _ITEMS:
        return words.cleaned(value, agent)
    left = [(item, *words.cleaned([*item.values()], agent)) for item in value or ()]
    return [dict(zip(item, said, strict=True)) for item, said, _ in left], sum(count for *_, count in left)


def _barred(name: str, words: Forgotten, agent: str | None) -> bool:
    """Whether a host gave a cell a name that repeats some words."""
    return name.startswith(KEY) and words.repeats(name.removeprefix(KEY), agent)


def unsay(desk: Desk, words: Forgotten, agent: str | None = None) -> int:
    """Remove from what a host wrote the sentences that repeat some words; return how many cells this changes."""
    count = 0
    for name in filter(hosted, desk.names):
        left, withheld = _cleaned(name, desk.get(name), words, agent)
        if _barred(name, words, agent):
            left, withheld = None, 1
        if withheld:
            count += 1
            left = [item for item in left if tells(item.get("value"))] if name in _ITEMS else left
            desk.put(name, left, desk.expires(name)) if tells(left) else desk.drop(name)
    return count


def allowed(cells: Mapping[str, Any], barred: Forgotten, agent: str | None) -> dict[str, Any]:
    """Return the values of cells without what was forgotten since they were written."""
    left = {}
    for name, value in cells.items():
        if _barred(name, barred, agent):
            continue
        if hosted(name):
            left[name] = _cleaned(name, value, barred, agent)[0]
        elif name in _ITEMS and value:
            left[name] = [item for item in value if not barred.bars((item.get("turn", item["id"]),))]
        elif not (name.startswith(WAITING) and barred.bars((_turn_of(name),))):
            left[name] = value
    return left


def rests_on(cells: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the ids of the turns that some cells hold or are derived from."""
    items = (item for name in (TURNS, SUMMARY, DECISIONS, ACTIONS) for item in cells.get(name) or ())
    told = [item.get("turn", item["id"]) for item in items]
    return tuple(dict.fromkeys([*told, *(_turn_of(name) for name in cells if name.startswith(WAITING))]))


def rejoined(
    now: Mapping[str, Any], base: Mapping[str, Any], mine: Mapping[str, Any], forgotten: Collection[str] = ()
) -> dict[str, Any]:
    """Merge cells that were changed here while the cache was down; of a list, the changes of both sides count.

    Args:
        now: what the cache holds.
        base: what it held when it was last read here.
        mine: what was written here since; None for what was removed.
        forgotten: turns that must not come back.
    """
    joined = dict(mine)
    for name in mine.keys() & _ITEMS:
        then = _ids(base.get(name))
        left = {item["id"]: item for item in mine[name] or ()}
        theirs = [item for item in now.get(name) or () if item["id"] not in then or item["id"] in left]
        known = _ids(theirs) | then
        fresh = (item for key, item in left.items() if key not in known)
        joined[name] = [*theirs, *(item for item in fresh if item.get("turn", item["id"]) not in forgotten)] or None
    waiting = [name for name in mine if name.startswith(WAITING)]
    joined |= dict.fromkeys(name for name in waiting if _turn_of(name) in forgotten)
    if waiting or READ in mine:
        joined[READ] = None  # the turns that wait now have not been read, whatever their numbers
    if SAID in mine and now.get(SAID, 0) != base.get(SAID, 0):  # SAID numbers the turns, which are logged in that order
        joined[SAID] = max(now.get(SAID, 0), mine[SAID] or 0) or None
    return joined


def _ids(items: Iterable[Item] | None) -> set[str]:
    return {item["id"] for item in items or ()}


def _turn_of(name: str) -> str:
    """Return the id of the turn that waits in the cell of this name."""
    return name.split(":", 2)[2]
