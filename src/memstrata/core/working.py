"""Working memory: what a conversation, or the run of a workflow, works with, as cells of one place in a cache.

A cell holds one value, or a list of items that each have an `id`. What is a host's own stands under `key:` and its
name. Cells go 24 hours after the last of them was written, keys at their own time; only turns that are not in the log
yet stay until they are.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

from memstrata.core.brought import SENTENCE, weight
from memstrata.core.cells import Cell, Content
from memstrata.core.checks import check_number, check_seconds, require
from memstrata.core.rows import Json
from memstrata.core.text import Analyzer

TURNS, SUMMARY, SAID, READ = "turns", "summary", "said", "read"
DECISIONS, ACTIONS, PENDING = "decisions", "actions", "pending"
#: What the names of cells begin with that hold one thing each: a host's key, and a turn that is not in the log yet.
KEY, WAITING = "key:", "waiting:"
#: One value each; `preferences` is a list of texts.
NOTES = ("task", "goal", "preferences", "scratch")
#: Values by name.
NAMED = ("results", "tools")
#: Values in the order they came.
LISTS = ("thoughts", "tool_results")
#: What goes first where there are too many items: what can be had again, and in each the oldest.
FIRST = ("tool_results", "thoughts", "results", "tools")
#: Lists of which both versions count where two were written apart.
_ITEMS = frozenset({TURNS, SUMMARY, DECISIONS, ACTIONS, PENDING, *NAMED, *LISTS})

YEAR = 366 * 24 * 3_600  # seconds; nothing here is told to last longer
SENTENCES = 8  # that a summary has at most
_LONGEST = 300  # characters of one of them
NOTED = 20  # decisions, and action items, that are kept

Item = dict[str, Any]
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much working memory holds, and how long.

    Attributes:
        window: turns, the first of which stays.
        refresh: messages after which the summary is made again.
        items: results, states of tools, thoughts and keys together; and as many questions.
        seconds: after the last activity, until it is gone.
        key_seconds: how long a key lasts that is set without a time.
        idle_seconds: after the last activity, until it is flushed.
        waiting: turns that wait for the log at most.
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
    """What is at hand.

    Attributes:
        turns: the first and the last ones, each with `id`, `role`, `content` and `at`.
        summary: the sentences that say most of what was said until the last refresh.
        decisions, actions: what the user decided and is going to do, as the rules read it.
        task, goal, preferences, scratch: as they were noted; None, or empty, if they were not.
        results, tools: by name.
        tool_results, thoughts: the oldest first.
        pending: what was asked and not yet answered, by id.
        keys: the values that were set, by key.
        waiting: how many turns are not in the log yet.
        degraded: the cache, if it is down: then this is what this process knows.
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
    """The cells of a place that have not expired, and what a call changes in them.

    Args:
        content: as it was read.
        now: the time of the call.
        limits: how long cells last.

    Attributes:
        at: when the place was last written.
    """

    def __init__(self, content: Content, now: datetime, limits: Limits) -> None:
        self.now = now
        self.at = content.at
        self.limits = limits
        over = content.at is not None and content.at + timedelta(seconds=limits.seconds) <= now
        self._held = content.cells
        stay = {name for name in content.cells if name.startswith(WAITING)}
        if stay:
            stay.add(SAID)  # the next one is numbered after them
        self._live = {
            name: cell
            for name, cell in content.cells.items()
            if (cell.expires > now if cell.expires else name in stay or not over)
        }
        self._new: dict[str, tuple[Any, datetime | None] | None] = {}

    @property
    def names(self) -> set[str]:
        """The cells that there are."""
        return (self._live.keys() | self._new.keys()) - {name for name, new in self._new.items() if new is None}

    @property
    def waiting(self) -> list[str]:
        """The cells of turns that are not in the log yet, in their order."""
        return sorted(name for name in self.names if name.startswith(WAITING))

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a cell."""
        if name in self._new:
            new = self._new[name]
            return default if new is None else new[0]
        return json.loads(self._live[name].text) if name in self._live else default

    def expires(self, name: str) -> datetime | None:
        """When a cell goes by itself; None if with the others."""
        if new := self._new.get(name):
            return new[1]
        return self._live[name].expires if name in self._live else None

    def put(self, name: str, value: Any, expires: datetime | None = None) -> None:
        """Give a cell a value."""
        self._new[name] = value, expires

    def drop(self, *names: str) -> None:
        """Remove cells."""
        self._new.update(dict.fromkeys(names))

    def add(self, name: str, item: Item) -> None:
        """Put an item at the end of a list, in the place of one with its id."""
        self.put(name, [*(one for one in self.get(name, []) if one["id"] != item["id"]), item])

    @property
    def keep(self) -> timedelta | None:
        """How long the place is needed; None while turns in it wait for the log."""
        if any(name.startswith(WAITING) for name in self.names):
            return None
        until = [end for end in map(self.expires, self.names) if end is not None]
        return max(timedelta(seconds=self.limits.seconds), max(until, default=self.now) - self.now)

    def sweep(self) -> None:
        """Let go of what is over."""
        self.drop(*self._held.keys() - self._live.keys())

    @property
    def touched(self) -> bool:
        """Whether there is anything to write."""
        return bool(self._new)

    def written(self, version: str) -> tuple[dict[str, Cell | None], dict[str, str | None]]:
        """The cells to be written, with what is over, and the versions they must have had."""
        over = self._held.keys() - self._live.keys() - self._new.keys()
        cells: dict[str, Cell | None] = dict.fromkeys(over)
        for name, new in self._new.items():
            if new is not None:
                cells[name] = Cell(_encode(new[0]), version, new[1])
            elif name in self._held:
                cells[name] = None
        return cells, {name: self._held[name].version if name in self._held else None for name in cells}

    def fit(self, kept: str) -> None:
        """Remove items while there are too many, those that go first at first; `kept`, the newest, stays."""
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
        """Add turns to the window, and every few messages make the summary again.

        Args:
            turns: those that are known are not added again.
            waiting: what is to be written to the log of each, by its id.
            analyzer: tells what a sentence is about.
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
        """Keep what the rules found."""
        for name, found in ((DECISIONS, decisions), (ACTIONS, actions)):
            items = {item["id"]: item for item in (*self.get(name, ()), *found)}
            if len(items) > len(self.get(name, ())):
                self.put(name, list(items.values())[-NOTED:])

    def without(self, gone: set[str], analyzer: Analyzer) -> None:
        """Take out what rests on turns that were forgotten."""
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
        """The window, without turns of other connections than these; with all, if none are named."""
        return [turn for turn in self.get(TURNS, ()) if _seen(turn, connections)]

    def shown(self, connections: Collection[str] | None) -> dict[str, Any]:
        """What there is, by cell, without turns of other connections."""
        cells = {name: self.get(name) for name in self.names} | {TURNS: self.turns(connections)}
        hidden = [name for name in self.waiting if not _seen(cells[name], connections)]
        return {name: value for name, value in sorted(cells.items()) if name not in hidden and (value or name != TURNS)}

    def wipe(self, connections: Collection[str] | None) -> int:
        """Drop what is shown; how many cells went."""
        shown, turns = self.shown(connections), self.turns(connections)
        hidden = [turn for turn in self.get(TURNS, ()) if turn not in turns]
        self.drop(*(shown.keys() - {SAID} if hidden else shown))
        if hidden:
            self.put(TURNS, hidden)
        return len(shown.keys() - {SAID, READ})

    def view(self, connections: Collection[str] | None) -> Working:
        """All that is at hand, with the turns of these connections."""
        values: dict[str, Any] = {note: self.get(note) for note in NOTES}
        values |= {part: {item["id"]: item["value"] for item in self.get(part, ())} for part in (*NAMED, PENDING)}
        values |= {part: tuple(item["value"] for item in self.get(part, ())) for part in (*LISTS, DECISIONS, ACTIONS)}
        return Working(
            turns=tuple(self.turns(connections)),
            summary=told(self.get(SUMMARY, ())),
            keys={name.removeprefix(KEY): self.get(name) for name in sorted(self.names) if name.startswith(KEY)},
            waiting=len(self.waiting),
            **values,
        )


def _seen(turn: Item, connections: Collection[str] | None) -> bool:
    return connections is None or turn.get("connection") in {None, *connections}


def summarised(picked: Sequence[Item], turns: Sequence[Item], analyzer: Analyzer) -> list[Item]:
    """The sentences that say most: of those picked before, and one of each turn since.

    What came through a connection is not summed up: not all who may see the summary may see that.
    """
    said = {turn["id"]: turn for turn in turns if not turn.get("connection")}
    old = [(item, item["terms"].split()) for item in picked if item["turn"] not in said]
    new = [
        ({"id": turn["id"], "turn": turn["id"], "who": turn.get("speaker") or turn["role"], "value": value}, terms)
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
            best[item["id"]] = found, {**item, "terms": " ".join(terms)}  # so that no sentence is taken apart twice
    kept = set(sorted(best, key=lambda name: -best[name][0])[:SENTENCES])
    return [item for name, (_, item) in best.items() if name in kept]


def told(picked: Iterable[Item]) -> str:
    """A summary in words."""
    return "\n".join(f"{item['who']}: {item['value']}" for item in picked)


def rests_on(cells: Mapping[str, Any]) -> tuple[str, ...]:
    """Ids of the turns that some cells hold, or hold something of."""
    items = (item for name in (TURNS, SUMMARY, DECISIONS, ACTIONS) for item in cells.get(name) or ())
    told = [item.get("turn", item["id"]) for item in items]
    return tuple(dict.fromkeys([*told, *(_turn_of(name) for name in cells if name.startswith(WAITING))]))


def rejoined(
    now: Mapping[str, Any], base: Mapping[str, Any], mine: Mapping[str, Any], forgotten: Collection[str] = ()
) -> dict[str, Any]:
    """What becomes of cells that were changed here while the cache was away: of a list both sides' changes count.

    Args:
        now: what the cache holds.
        base: what it held when it was last read here.
        mine: what was written here since; None for what was removed.
        forgotten: turns that do not come back.
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
        joined[READ] = None  # nobody has looked at what waits now, whatever number it has
    if SAID in mine and now.get(SAID, 0) != base.get(SAID, 0):  # it numbers the turns, in whose order they are logged
        joined[SAID] = max(now.get(SAID, 0), mine[SAID] or 0) or None
    return joined


def _ids(items: Iterable[Item] | None) -> set[str]:
    return {item["id"] for item in items or ()}


def _turn_of(name: str) -> str:
    """The id of the turn that waits in a cell of this name."""
    return name.split(":", 2)[2]
