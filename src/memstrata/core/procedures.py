"""Procedural memory: what the calls of tools come to, strategies that worked or did not, and what entries say.

Latencies are counted in buckets, each `GROWTH` times as wide as the one before, so that percentiles cost no scan of the
calls: one of them is off by at most (GROWTH - 1) / (GROWTH + 1), which is 4.8 %.
"""

import json
import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from itertools import pairwise
from typing import Any, Self

from memstrata.core.columns import Floats
from memstrata.core.fence import stripped
from memstrata.core.partition import Partition, of_kind
from memstrata.core.rows import Event, Record, ShortTerm, ToolUse
from memstrata.core.scope import Owner, Scope
from memstrata.core.text import derived_id

TOOL_CALL, STRATEGY = "tool_call", "strategy"
LOGS = frozenset({"log", "run_summary"})
#: Kinds of events that tell what was done, not what was said: an agent makes many of them.
DONE = LOGS | {TOOL_CALL}
GROWTH = 1.1
SHORTEST = 1e-6  # seconds; what is quicker counts as that
NEAR = 0.2  # nearness (cosine, and the share of words) below which two texts have nothing to do with one another
REASONS = 3  # that a suggestion names
_SHOWN = 1_000  # characters of an input or output that are searched and quoted; the event has all

# ---------------------------------------------------------------------------------------------- latencies


def bucket(seconds: float) -> str:
    """The bucket of a latency, by its number: k holds what is above GROWTH^(k-1) and at most GROWTH^k."""
    return str(math.ceil(math.log(max(seconds, SHORTEST), GROWTH)))


def percentile(latencies: Mapping[str, int], share: float) -> float | None:
    """The smallest latency, in seconds, that `share` of the calls did not exceed, within 4.8 %; None of no calls."""
    left = math.ceil(share * sum(latencies.values()))
    for number in sorted(map(int, latencies)):
        left -= latencies[str(number)]
        if left <= 0:
            return float(2.0 * GROWTH**number / (GROWTH + 1.0))
    return None


def rate(successes: int, tries: int) -> float:
    """How likely the next try succeeds: (successes + 1) / (tries + 2), Laplace's rule of succession.

    It is the mean of what may be so when nothing was known before; one success says less than ten of ten.
    """
    return (successes + 1) / (tries + 2)


def outcome(successes: int, tries: int) -> str:
    """What came of some tries, in words."""
    return f"failed {tries} of {tries} times" if not successes else f"succeeded {successes} of {tries} times"


# -------------------------------------------------------------------------------------------------- calls


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call of a tool, as it was recorded.

    Attributes:
        id: of the event.
        latency: seconds, where it is known.
        task_type: what kind of task it was for; empty if nobody said.
    """

    id: str
    tool: str
    input: Any = None
    output: Any = None
    success: bool = True
    latency: float | None = None
    error: str | None = None
    task_type: str = ""
    conversation: str | None = None
    channel: str
    at: datetime

    @classmethod
    def of(cls, event: Event) -> Self:
        """The call that an event of this kind tells."""
        held = {name: event.metadata[name] for name in _HELD if name in event.metadata}
        place: dict[str, Any] = {"conversation": event.conversation, "channel": event.channel, "at": event.event_time}
        return cls(id=event.id, tool=event.speaker or "", **place, **held)

    @property
    def metadata(self) -> dict[str, Any]:
        """What the event holds besides its text."""
        return {name: getattr(self, name) for name in _HELD}

    @property
    def text(self) -> str:
        """The call in one line, to be found by and quoted."""
        failed = f"failed: {self.error}" if self.error else "failed"  # so few words that they can be said again
        came = (_shown(self.output) or "done") if self.success else failed
        task = f"({self.task_type})" if self.task_type else ""
        return " ".join(filter(None, (task, _shown(self.input), "→", came)))


_HELD = ("input", "output", "success", "latency", "error", "task_type")


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def use_id(event: Event) -> str:
    """The id of the row in which the call that an event tells is counted."""
    place = (event.agent or "", event.channel, event.connection or "")
    owner = Owner(event.tenant, event.user)
    return derived_id(owner, "tool", event.speaker or "", event.metadata.get("task_type") or "", *place)


def counted(use: ToolUse | None, event: Event) -> ToolUse:
    """The row with one call more."""
    call = Call.of(event)
    use = use or ToolUse(
        tenant=event.tenant, user=event.user, id=use_id(event), tool=call.tool, task_type=call.task_type,
        agent=event.agent, channel=event.channel, connection=event.connection, last_used=call.at,
    )  # fmt: skip
    latencies = Counter(use.latencies)
    if call.latency is not None:
        latencies[bucket(call.latency)] += 1
    error, failed = (use.last_error, use.failed_at) if call.success else (call.error, call.at)
    return replace(
        use, uses=use.uses + 1, successes=use.successes + call.success, latencies=dict(latencies),
        last_used=max(use.last_used, call.at), last_error=error, failed_at=failed,
    )  # fmt: skip


def recounted(events: Iterable[Event]) -> dict[str, ToolUse]:
    """The rows, by id, that these events leave; those that tell no call count for nothing."""
    found: dict[str, ToolUse] = {}
    for event in sorted(events, key=lambda event: (event.event_time, event.id)):
        if event.kind == TOOL_CALL:
            found[use_id(event)] = counted(found.get(use_id(event)), event)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolStats:
    """What the calls of a tool come to.

    Attributes:
        calls: how many there were; `success_rate`: the share that succeeded.
        p50, p95, p99: seconds that half, 95 % and 99 % of the calls did not exceed, each within 4.8 %; None where no
            latency was recorded.
        last_error: of the newest failure; `failed_at`: when that was.
    """

    tool: str
    calls: int
    successes: int
    success_rate: float
    p50: float | None
    p95: float | None
    p99: float | None
    last_error: str | None
    failed_at: datetime | None
    last_used: datetime


def stats_of(uses: Iterable[ToolUse]) -> dict[str, ToolStats]:
    """The rows of each tool together, by its name, the most called first."""
    by: dict[str, list[ToolUse]] = {}
    for use in uses:
        by.setdefault(use.tool, []).append(use)
    found = [_together(tool, rows) for tool, rows in by.items()]
    return {one.tool: one for one in sorted(found, key=lambda one: (-one.calls, one.tool))}


def _together(tool: str, rows: Sequence[ToolUse]) -> ToolStats:
    latencies: Counter[str] = Counter()
    for row in rows:
        latencies.update(row.latencies)
    failures = [(row.failed_at, row.id, row.last_error) for row in rows if row.failed_at]
    failed_at, _, error = max(failures, default=(None, "", None))
    p50, p95, p99 = (percentile(latencies, share) for share in (0.50, 0.95, 0.99))
    calls, successes = sum(row.uses for row in rows), sum(row.successes for row in rows)
    return ToolStats(
        tool=tool, calls=calls, successes=successes, success_rate=successes / calls, p50=p50, p95=p95, p99=p99,
        last_error=error, failed_at=failed_at, last_used=max(row.last_used for row in rows),
    )  # fmt: skip


# --------------------------------------------------------------------------------------------- strategies


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """A way to do something, with what came of it.

    Attributes:
        id: of the record.
        description: what is done; `pattern`: when it fits.
        tools: those it uses, in order.
        successes, failures: how often it worked and did not.
        since: when it was learned; `last_used`: when it was last tried.
    """

    id: str
    description: str
    pattern: str = ""
    tools: tuple[str, ...] = ()
    successes: int = 0
    failures: int = 0
    since: datetime
    last_used: datetime

    @classmethod
    def of(cls, record: Record) -> Self:
        """The strategy that a record of this kind holds."""
        held = dict(record.value) if isinstance(record.value, Mapping) else {}
        known = {"description": record.text, **{name: held[name] for name in _OWN if name in held}}
        known["tools"] = tuple(known.get("tools", ()))
        last = datetime.fromisoformat(known["last_used"]) if "last_used" in known else record.valid_from
        return cls(id=record.id, since=record.valid_from, **{**known, "last_used": last})

    @property
    def text(self) -> str:
        """What the record says: by these words it is found, and is the same strategy when it is learned again."""
        return f"{self.description} (when: {self.pattern})" if self.pattern else self.description

    @property
    def value(self) -> dict[str, Any]:
        """What the record holds besides the text."""
        own = {name: value for name, value in asdict(self).items() if name in _OWN}
        return own | {"tools": list(self.tools), "last_used": self.last_used.isoformat()}

    @property
    def success_rate(self) -> float:
        """How likely it works the next time, see `rate`."""
        return rate(self.successes, self.successes + self.failures)

    @property
    def told(self) -> str:
        """What came of it, in words."""
        return outcome(self.successes, self.successes + self.failures)

    def tried(self, success: bool, at: datetime, tools: tuple[str, ...] = ()) -> Self:
        """The strategy after one try more; the tools of one that worked are those it uses from now on."""
        return replace(
            self, successes=self.successes + success, failures=self.failures + (not success), last_used=at,
            tools=(success and tools) or self.tools,
        )  # fmt: skip


_OWN = frozenset(item.name for item in fields(Strategy)) - {"id", "since"}


def retried(versions: Sequence[Record], gone: Collection[str]) -> list[Record]:
    """The versions of a strategy without the tries, after the first, that are gone; each rests on one event more."""
    kept = [versions[0]]
    for before, after in pairwise(versions):
        if after.sources[-1] in gone:
            continue
        was, now = Strategy.of(before), Strategy.of(after)
        tools = now.tools if now.tools != was.tools else ()
        tried = Strategy.of(kept[-1]).tried(now.successes > was.successes, now.last_used, tools)
        sources = tuple(source for source in after.sources if source not in gone)
        kept[-1] = replace(kept[-1], superseded_at=after.recorded_at)
        kept.append(replace(after, value=tried.value, sources=sources))
    return [*kept[:-1], replace(kept[-1], superseded_at=None)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A strategy for a task.

    Attributes:
        nearness: of its description and pattern to the task: cosine, and the share of the task's words that they have.
        success_rate: how likely it works, see `rate`.
        why: the reason for its place.
    """

    strategy: Strategy
    nearness: float
    success_rate: float
    why: str

    @property
    def order(self) -> tuple[bool, float, str]:
        """What failed more often than not comes after all that did not; then the likelier and nearer comes first."""
        return self.success_rate < 0.5, -self.success_rate * self.nearness, self.strategy.id


def fitting(near: Iterable[tuple[Strategy, float]]) -> list[Fit]:
    """The strategies that have to do with a task, the best first."""
    fits = [
        Fit(
            strategy=one,
            nearness=value,
            success_rate=one.success_rate,
            why=f"{one.told}; nearness to the task {value:.2f}",
        )
        for one, value in near
        if value >= NEAR
    ]
    return sorted(fits, key=lambda fit: fit.order)


def fits(partition: Partition, scope: Scope, terms: frozenset[str], vector: Floats | None) -> list[Fit]:
    """The strategies that `scope` sees and that fit a task with these terms and this vector, the best first."""
    known = [Strategy.of(record) for record in of_kind(partition, STRATEGY, scope)]
    numbers = [partition.index.numbers[one.id] for one in known]
    return fitting(zip(known, partition.index.near(numbers, terms, vector), strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A tool for a task.

    Attributes:
        success_rate: how likely it works: that of the strategy or of the tool's calls that speak for it, see `rate`.
        why: the best of the strategies that use it, and its calls that are like the task, with what came of them.
    """

    tool: str
    score: float
    success_rate: float
    why: str


def suggested(
    fits: Iterable[Fit], calls: Mapping[str, Sequence[float]], stats: Mapping[str, ToolStats]
) -> list[Suggestion]:
    """Tools by the strategies that fit and by calls that are like the task, the best first.

    Args:
        fits: strategies.
        calls: by tool, how near past calls were.
        stats: of the tools.
    """
    grounds: dict[str, list[tuple[float, float, str]]] = {}
    for fit in fits:
        one = fit.strategy
        ground = fit.success_rate, fit.nearness, f"strategy {one.description!r} {one.told}"
        for tool in dict.fromkeys(one.tools):
            grounds.setdefault(tool, []).append(ground)
    for tool, nears in calls.items():
        like = [near for near in nears if near >= NEAR]
        if like and tool in stats:
            done = stats[tool]
            said = f"{len(like)} call(s) like this; in all it {outcome(done.successes, done.calls)}"
            grounds.setdefault(tool, []).append((rate(done.successes, done.calls), max(like), said))
    found = []
    for tool, reasons in grounds.items():
        best = sorted(reasons, key=lambda ground: -ground[0] * ground[1])[:REASONS]
        why = "; ".join(why for *_, why in best)
        found.append(Suggestion(tool=tool, score=round(best[0][0] * best[0][1], 4), success_rate=best[0][0], why=why))
    return sorted(found, key=lambda one: (one.success_rate < 0.5, -one.score, one.tool))


# ------------------------------------------------------------------------------------------------ entries

#: Where the event by which an entry was promoted names the events that the entry was made of.
PROMOTED_FROM = "promoted_from"


def text_of(entry: ShortTerm) -> str:
    """What a short-term entry says: a text by itself, anything else with its key."""
    if isinstance(entry.value, str) and stripped(entry.value).strip():
        return entry.value
    return f"{entry.key}: {json.dumps(entry.value, ensure_ascii=False)}"


def promoted_from(event: Event) -> frozenset[str]:
    """The events that an event goes with when they are forgotten: what was promoted, with what it was made of."""
    told = event.metadata.get(PROMOTED_FROM)
    return frozenset(one for one in told if isinstance(one, str)) if isinstance(told, list) else frozenset()
