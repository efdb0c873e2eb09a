"""Procedural memory: statistics of tool calls, strategies with their outcomes, and the texts of short-term entries.

Latencies are counted in buckets, each `GROWTH` times as wide as the one before, so that percentiles need no scan of
the calls. A percentile is off by at most (GROWTH - 1) / (GROWTH + 1), which is 4.8 %.
"""

import json
import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from itertools import pairwise
from typing import Any, Self

from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import Owner, Scope
from memoranda.core.image.image import Partition, of_kind
from memoranda.core.rows import Event, Record, ShortTerm, ToolUse
from memoranda.core.rows.access import site_of
from memoranda.core.rows.columns import Floats
from memoranda.core.text.fence import stripped

TOOL_CALL, STRATEGY = "tool_call", "strategy"
LOGS = frozenset({"log", "run_summary"})
#: Kinds of events that record actions, not statements: an agent makes many of them.
DONE = LOGS | {TOOL_CALL}
GROWTH = 1.1
SHORTEST = 1e-6  # seconds; shorter latencies count as this
NEAR = 0.2  # nearness (cosine, and the share of words) below which two texts are unrelated
REASONS = 3  # that a suggestion names, at most
_SHOWN = 1_000  # characters of an input or output that are searched and quoted; the event has all of it

# ---------------------------------------------------------------------------------------------- latencies


def bucket(seconds: float) -> str:
    """Return the number of a latency's bucket: k holds latencies above GROWTH^(k-1) and up to GROWTH^k."""
    return str(math.ceil(math.log(max(seconds, SHORTEST), GROWTH)))


def percentile(latencies: Mapping[str, int], share: float) -> float | None:
    """Return the smallest latency, in seconds, not exceeded by `share` of the calls, within 4.8 %; None of no calls."""
    left = math.ceil(share * sum(latencies.values()))
    for number in sorted(map(int, latencies)):
        left -= latencies[str(number)]
        if left <= 0:
            return float(2.0 * GROWTH**number / (GROWTH + 1.0))
    return None


def mean(latencies: Mapping[str, int]) -> float | None:
    """Return the mean latency, in seconds, within 4.8 %; None of no calls."""
    calls = sum(latencies.values())
    total = sum(number * GROWTH ** int(power) for power, number in sorted(latencies.items()))
    return 2.0 * total / (GROWTH + 1.0) / calls if calls else None


def rate(successes: int, tries: int) -> float:
    """Return the probability that the next try succeeds: (successes + 1) / (tries + 2), Laplace's rule of succession.

    It is the posterior mean under a uniform prior; one success of one counts less than ten of ten.
    """
    return (successes + 1) / (tries + 2)


def outcome(successes: int, tries: int) -> str:
    """Return the result of some tries, in words."""
    return f"failed {tries} of {tries} times" if not successes else f"succeeded {successes} of {tries} times"


# -------------------------------------------------------------------------------------------------- calls


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A recorded call of a tool.

    Attributes:
        id: of the event.
        latency: seconds, if known.
        task_type: the type of task it was for; empty if not given.
        turn: the id of the turn in which it was made; `why`: what it was made for.
        forgotten: how many sentences are withheld in what was recorded, because they were forgotten on request.
    """

    id: str
    tool: str
    input: Any = None
    output: Any = None
    success: bool = True
    latency: float | None = None
    error: str | None = None
    task_type: str = ""
    turn: str | None = None
    why: str | None = None
    conversation: str | None = None
    channel: str
    at: datetime
    forgotten: int = 0

    @classmethod
    def of(cls, event: Event) -> Self:
        """Return the call that an event of this kind records."""
        held = {name: event.metadata[name] for name in _HELD if name in event.metadata}
        place: dict[str, Any] = {"conversation": event.conversation, "channel": event.channel, "at": event.event_time}
        return cls(id=event.id, tool=event.speaker or "", **place, **held)

    @property
    def metadata(self) -> dict[str, Any]:
        """What the event holds besides its text."""
        return {name: getattr(self, name) for name in _HELD}

    @property
    def text(self) -> str:
        """The call in one line, for search and quotation."""
        failed = f"failed: {self.error}" if self.error else "failed"  # few enough words to be repeated
        came = (_shown(self.output) or "done") if self.success else failed
        task = f"({self.task_type})" if self.task_type else ""
        why = f"{_shown(self.why)}:" if self.why else ""
        return " ".join(filter(None, (task, why, _shown(self.input), "→", came)))


_HELD = ("input", "output", "success", "latency", "error", "task_type", "turn", "why")


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def use_id(event: Event) -> str:
    """Return the id of the row that counts the call in an event."""
    place = site_of(event)
    owner = Owner(event.tenant, event.user)
    return derived_id(owner, "tool", event.speaker or "", event.metadata.get("task_type") or "", *place)


def counted(use: ToolUse | None, event: Event) -> ToolUse:
    """Return the row with one more call."""
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
    """Return the rows, by id, that result from these events; events that are not calls are ignored."""
    found: dict[str, ToolUse] = {}
    for event in sorted(events, key=lambda event: (event.event_time, event.id)):
        if event.kind == TOOL_CALL:
            found[use_id(event)] = counted(found.get(use_id(event)), event)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolStats:
    """Statistics of a tool's calls.

    Attributes:
        calls: how many there were; `success_rate`: the share that succeeded.
        mean: seconds that a call took on average, within 4.8 %; None where no latency was recorded.
        p50, p95, p99: seconds that half, 95 % and 99 % of the calls did not exceed, each within 4.8 %; None where no
            latency was recorded.
        last_error: of the newest failure; `failed_at`: when that was.
    """

    tool: str
    calls: int
    successes: int
    success_rate: float
    mean: float | None
    p50: float | None
    p95: float | None
    p99: float | None
    last_error: str | None
    failed_at: datetime | None
    last_used: datetime


def stats_of(uses: Iterable[ToolUse]) -> dict[str, ToolStats]:
    """Merge the rows of each tool, by tool name, the most called first."""
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
        tool=tool, calls=calls, successes=successes, success_rate=successes / calls,
        mean=mean(latencies), p50=p50, p95=p95, p99=p99,
        last_error=error, failed_at=failed_at, last_used=max(row.last_used for row in rows),
    )  # fmt: skip


# --------------------------------------------------------------------------------------------- strategies


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """A way to do something, with its track record.

    Attributes:
        id: of the record.
        description: what is done; `pattern`: when it fits.
        tools: the tools it uses, in order.
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
        """The text of the record, by which it is found and recognised when it is learned again."""
        return f"{self.description} (when: {self.pattern})" if self.pattern else self.description

    @property
    def value(self) -> dict[str, Any]:
        """What the record holds besides the text."""
        own = {name: value for name, value in asdict(self).items() if name in _OWN}
        return own | {"tools": list(self.tools), "last_used": self.last_used.isoformat()}

    @property
    def success_rate(self) -> float:
        """The probability that it works the next time, see `rate`."""
        return rate(self.successes, self.successes + self.failures)

    @property
    def track_record(self) -> str:
        """Its track record in words."""
        return outcome(self.successes, self.successes + self.failures)

    def tried(self, success: bool, at: datetime, tools: tuple[str, ...] = ()) -> Self:
        """Return the strategy after one more try; tools given with a success replace its tools."""
        return replace(
            self, successes=self.successes + success, failures=self.failures + (not success), last_used=at,
            tools=(success and tools) or self.tools,
        )  # fmt: skip


_OWN = frozenset(item.name for item in fields(Strategy)) - {"id", "since"}


def retried(versions: Sequence[Record], gone: Collection[str]) -> list[Record]:
    """Return the versions of a strategy without the forgotten tries, except the first version, which stays.

    Each version has one source event more than the one before.
    """
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
        nearness: of its description and pattern to the task: the cosine, plus the share of the task's words they hold.
        success_rate: the probability that it works, see `rate`.
        why: the reason for its rank.
    """

    strategy: Strategy
    nearness: float
    success_rate: float
    why: str

    @property
    def order(self) -> tuple[bool, float, str]:
        """The sort key: strategies likelier to fail come last; then by success rate times nearness."""
        return self.success_rate < 0.5, -self.success_rate * self.nearness, self.strategy.id


def fitting(near: Iterable[tuple[Strategy, float]]) -> list[Fit]:
    """Return the strategies related to a task, the best first."""
    fits = [
        Fit(
            strategy=one,
            nearness=value,
            success_rate=one.success_rate,
            why=f"{one.track_record}; nearness to the task {value:.2f}",
        )
        for one, value in near
        if value >= NEAR
    ]
    return sorted(fits, key=lambda fit: fit.order)


def fits(partition: Partition, scope: Scope, terms: frozenset[str], vector: Floats | None) -> list[Fit]:
    """Return the strategies that `scope` sees and that fit a task with these terms and this vector, the best first."""
    known = [Strategy.of(record) for record in of_kind(partition, STRATEGY, scope)]
    numbers = [partition.index.numbers[one.id] for one in known]
    return fitting(zip(known, partition.index.near(numbers, terms, vector), strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A tool for a task.

    Attributes:
        success_rate: the probability that it works, of the strategy or the calls that support it, see `rate`.
        why: the best of the strategies that use it, and its calls similar to the task, with their outcomes.
    """

    tool: str
    score: float
    success_rate: float
    why: str


def suggested(
    fits: Iterable[Fit], calls: Mapping[str, Sequence[float]], stats: Mapping[str, ToolStats]
) -> list[Suggestion]:
    """Return tools suggested by fitting strategies and by similar calls, the best first.

    Args:
        fits: the fitting strategies.
        calls: by tool, the nearness of past calls.
        stats: of the tools.
    """
    grounds: dict[str, list[tuple[float, float, str]]] = {}
    for fit in fits:
        one = fit.strategy
        ground = fit.success_rate, fit.nearness, f"strategy {one.description!r} {one.track_record}"
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

#: The metadata field in which the event that promoted an entry names the entry's source events.
PROMOTED_FROM = "promoted_from"


def text_of(entry: ShortTerm) -> str:
    """Return a short-term entry as text: a string as it is, any other value with its key."""
    if isinstance(entry.value, str) and stripped(entry.value).strip():
        return entry.value
    return f"{entry.key}: {json.dumps(entry.value, ensure_ascii=False)}"


def promoted_from(event: Event) -> frozenset[str]:
    """Return the events with which this event is forgotten: those that the promoted entry was made from."""
    told = event.metadata.get(PROMOTED_FROM)
    return frozenset(one for one in told if isinstance(one, str)) if isinstance(told, list) else frozenset()
