"""Simulate a year of one user's life in minutes: is what matters kept, is noise dropped, and how does memory grow?

`evals.year` generates the acts and labels which of them matter and which are noise. They are played on a simulated
clock, without embedder or language model. Due jobs run after each conversation and at four each morning. A record is
live if it is believed, holds, and is not archived.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from evals.options import options
from evals.report import Bar, courses, save, table
from evals.year import BEGIN, TOPICS, Act, year
from memoranda import AsyncMemory, AsyncScoped, Settings
from memoranda.core.base.scope import Owner
from memoranda.core.beliefs.decay import strength
from memoranda.core.beliefs.profile import Leaf
from memoranda.core.evaluation.usage import explained
from memoranda.core.rows import JobRun, Record
from memoranda.core.rows.lifecycle import OPEN
from memoranda.ports import Query, Where
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

OWNER = Owner("evals", "nora")
EARLY = timedelta(hours=4)  # time of day at which jobs run, in addition to after each conversation
SAMPLES = 52  # how often memory is measured
FOUND = 10  # items of a recall among which the answer must be
REQUEST = "Good morning, what should I think of?"
AGES = {"180 and more": 180, "90 to 180": 90, "30 to 90": 30, "less than 30": 0}
SAMPLED = (6, 7)  # topics whose strength is plotted: one that is asked about, and one that is not
GROWING = ("live records", "values in the profile", "tokens of a context")


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Memory at one time: figures by name, records by status, live noise by kind, and strengths by record."""

    day: float
    figures: Mapping[str, int]
    statuses: Mapping[str, int]
    noise: Mapping[str, int]
    strengths: Mapping[str, float]


@dataclass(slots=True)
class Life:
    """A user's memory while a year is played.

    Attributes:
        observer: the same user, opened so that reads do not count as uses.
        matters: by topic number, the records of its tellings.
        noise: by noise record, its kind and when it was last said.
        told: by topic number, the index of its last telling.
        runs: by job, the ordinal of its last run, and a tally of its runs, their outcomes and counts.
        moments: the measurements so far.
    """

    clock: FrozenClock
    store: DictStore
    memory: AsyncMemory
    user: AsyncScoped
    observer: AsyncScoped
    matters: dict[int, set[str]] = field(default_factory=dict)
    noise: dict[str, tuple[str, datetime]] = field(default_factory=dict)
    told: dict[int, int] = field(default_factory=dict)
    runs: dict[str, tuple[int, Counter[str]]] = field(default_factory=dict)
    moments: list[Moment] = field(default_factory=list)

    async def act(self, act: Act) -> None:
        """Play one act."""
        self.clock.now = max(self.clock.now, act.at)
        records = await self._told(act) if act.verb in {"say", "infer"} else ()
        if act.topic is not None:
            self.matters.setdefault(act.topic, set()).update(records)
            self.told[act.topic] = next(n for n, (said, _) in enumerate(TOPICS[act.topic].tellings) if said == act.text)
        if act.noise:
            self.noise.update((name, (act.noise, self.clock())) for name in records)

        match act.verb:
            case "tool":
                asked, answered = {"of": act.conversation}, {"found": len(act.conversation)}
                await self.user.tools.record(act.text, asked, answered, conversation=act.conversation)
            case "log":
                await self.user.entries.log(act.text, conversation=act.conversation)
            case "keep":
                await self.user.entries.set("task", act.text, conversation=act.conversation)
            case "look":
                await self.user.entries.get("task", conversation=act.conversation)
            case "ask":
                await self.user.recall(act.text)
            case "context":
                await self.user.context(act.text, conversation=act.conversation)

    async def _told(self, act: Act) -> Iterable[str]:
        """Add a turn, or an observation inferred by the agent, and return the ids of its records."""
        if act.verb == "infer":
            return (await self.user.observe(act.text, category="learning", source="system_learned")).records
        turns = [{"role": "user", "content": act.text}, {"role": "assistant", "content": act.reply}]
        return (await self.user.add(turns, conversation=act.conversation)).records

    async def work(self) -> None:
        """Run the jobs that are due."""
        await self.memory.work(tenants=[OWNER.tenant], once=True)
        last = Query(kind=JobRun, tenant=OWNER.tenant, user=None, where=(Where("slot", "=", 0),))
        for run in (await self.store.find(OWNER, last)).rows[0]:
            known, tally = self.runs.get(run.job, (0, Counter[str]()))
            if run.ordinal > known:
                tally.update({"runs": 1, run.outcome: 1})
                tally.update({name: count for name, count in run.counts.items() if count and name != "looked"})
            self.runs[run.job] = run.ordinal, tally

    async def records(self) -> list[Record]:
        """Return the last version of each record."""
        page = await self.store.find(OWNER, Query(kind=Record, tenant=OWNER.tenant, user=OWNER.user))
        last: dict[str, Record] = {}
        for row in page.rows[0]:
            if row.id not in last or row.version > last[row.id].version:
                last[row.id] = row
        return list(last.values())

    async def measure(self) -> None:
        """Measure the memory as it is now, without counting any use."""
        now = self.clock()
        rows = await self.records()
        live = [row for row in rows if is_live(row, now)]
        important = {name for names in self.matters.values() for name in names}
        leaves = list(_leaves((await self.observer.profile()).scaffold))
        context = await self.observer.context(REQUEST)
        figures = (len(live), len(leaves), context.used)
        self.moments.append(
            Moment(
                day=(now - BEGIN) / timedelta(days=1),
                figures=dict(zip(GROWING, figures, strict=True))
                | {"live records that matter": len([row for row in live if row.id in important])},
                statuses=dict(Counter(_status(row, now) for row in rows)),
                noise=dict(Counter(self.noise[row.id][0] for row in live if row.id in self.noise)),
                strengths={row.id: round(strength(row, now), 4) for row in rows if is_live(row, now)},
            )
        )


def is_live(row: Record, now: datetime) -> bool:
    """Whether a record is believed, holds, and can be found by recall and profile."""
    return row.superseded_at is None and row.status in OPEN and (row.valid_to is None or row.valid_to > now)


def _status(row: Record, now: datetime) -> str:
    if row.superseded_at is not None:
        return "left to history"
    return "over" if row.status in OPEN and not is_live(row, now) else row.status


def _leaves(tree: Any) -> Iterable[Leaf]:
    if isinstance(tree, Leaf):
        yield tree
    else:
        for inner in tree.values() if isinstance(tree, dict) else tree:
            yield from _leaves(inner)


async def play(seed: int, days: int, events: int) -> dict[str, Any]:
    """Play `days` days and return the figures."""
    acts = year(seed, days, events)
    clock, store = FrozenClock(BEGIN), DictStore()
    unseen = Settings(reinforce=False, context_log=False)
    async with (
        await AsyncMemory.open(store, embedder="none", clock=clock, settings=unseen) as other,
        await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds()) as memory,
    ):
        user, observer = (one.scope(tenant=OWNER.tenant, user=OWNER.user) for one in (memory, other))
        life = Life(clock=clock, store=store, memory=memory, user=user, observer=observer)
        bar = Bar("simulate", len(acts))
        looks = [BEGIN + EARLY + timedelta(days=number) for number in range(days)]
        for number, act in enumerate(acts):
            await _until(life, act.at, looks, days)
            await life.act(act)
            if number + 1 == len(acts) or acts[number + 1].conversation != act.conversation:
                await life.work()
            bar.step()
        await _until(life, BEGIN + timedelta(days=days), looks, days)
        verbs = dict(Counter(act.verb for act in acts))
        return {"seed": seed, "days": days, "acts": verbs, **await _judged(life)}


async def _until(life: Life, at: datetime, looks: list[datetime], days: int) -> None:
    """Advance the clock to the next act, running the morning jobs and measuring memory at intervals."""
    while looks and looks[0] <= at:
        life.clock.now = max(life.clock.now, looks.pop(0))
        await life.work()
        if (life.clock() - BEGIN) / timedelta(days=days) >= (len(life.moments) + 1) / SAMPLES:
            await life.measure()


# ------------------------------------------------------------------------------------------------------- the judgement


async def _judged(life: Life) -> dict[str, Any]:
    """Return the figures: what matters, noise, growth and jobs."""
    now = life.clock()
    rows = {row.id: row for row in await life.records()}
    live = {name for name, row in rows.items() if is_live(row, now)}
    shown = {leaf.record for leaf in _leaves((await life.observer.profile()).scaffold)}
    topics = [await _topic(life, number, rows, live, shown) for number in sorted(life.told)]
    missing = {
        name: [topic["question"] for topic in topics if not topic[name]] for name in ("live", "recalled", "profile")
    }
    stale = [topic["question"] for topic in topics if topic["overruled"]]
    events = await life.memory.stats(tenant=OWNER.tenant, user=OWNER.user)
    return {
        "events": events["events"],
        "records": len(rows),
        "matters": {
            "told": len(topics),
            "overruled and still live": stale,
            "missing": missing,
            **{name: _share([topic[name] for topic in topics]) for name in missing},
        },
        "noise": _noise(life, live),
        "growth": _growth(life.moments),
        "jobs": {job: dict(tally) for job, (_, tally) in life.runs.items()},
        "strengths": _strengths(life, rows),
        "course": [
            {"day": round(one.day, 2), "figures": one.figures, "statuses": one.statuses, "noise": one.noise}
            for one in life.moments
        ],
    }


def _strengths(life: Life, rows: Mapping[str, Record]) -> dict[str, list[float | None]]:
    """Return, for the `SAMPLED` topics and the first noise record of each kind, its strength over time while live."""
    important = {name for names in life.matters.values() for name in names}
    kinds: dict[str, str] = {}
    for name, (kind, _) in life.noise.items():
        if name not in important:
            kinds.setdefault(kind, name)
    topics = [min(life.matters[number]) for number in SAMPLED if number in life.matters]
    return {rows[name].text: [one.strengths.get(name) for one in life.moments] for name in (*topics, *kinds.values())}


async def _topic(
    life: Life, number: int, rows: Mapping[str, Record], live: set[str], shown: set[str]
) -> dict[str, Any]:
    """Whether a topic's last telling is live, recalled and in the profile, and whether a superseded one is live."""
    topic, last = TOPICS[number], life.told[number]
    answers = [answer.casefold() for _, answer in topic.tellings]
    holding = {name for name in life.matters[number] if answers[last] in rows[name].text.casefold()}
    over = {
        name for name in life.matters[number] & live if any(old in rows[name].text.casefold() for old in answers[:last])
    }
    found = any(
        answers[last] in item.text.casefold() for item in await life.observer.recall(topic.question, limit=FOUND)
    )
    return {
        "question": topic.question,
        "live": bool(holding & live),
        "recalled": found,
        "profile": bool(holding & live & shown),
        "overruled": bool(over - holding),
    }


def _noise(life: Life, live: set[str]) -> dict[str, Any]:
    """Return how many records that are only noise are no longer live, by kind and by age."""
    important = {name for names in life.matters.values() for name in names}
    now = life.clock()
    ages: dict[str, list[bool]] = {name: [] for name in AGES}
    kinds: dict[str, list[bool]] = {}
    for name, (kind, said) in life.noise.items():
        days = (now - said) / timedelta(days=1)
        if name not in important:
            ages[next(age for age, since in AGES.items() if days >= since)].append(name not in live)
            if days >= 30:
                kinds.setdefault(kind, []).append(name not in live)
    settled = [out for group in kinds.values() for out in group]
    return {
        "records": sum(map(len, ages.values())),
        "out": _share(settled),
        "out by days since": {age: {"records": len(group), "out": _share(group)} for age, group in ages.items()},
        "out by kind": {kind: {"records": len(group), "out": _share(group)} for kind, group in sorted(kinds.items())},
    }


def _share(found: Sequence[bool]) -> float | None:
    """Return the share of True, in per cent."""
    return round(100 * sum(found) / len(found), 1) if found else None


def _growth(moments: Sequence[Moment]) -> dict[str, Any]:
    """Return, for each figure over time, its last value and the R² of a logarithmic and of a linear fit."""
    day = np.array([moment.day for moment in moments])
    found = {}
    for name in moments[0].figures:
        values = [moment.figures[name] for moment in moments]
        found[name] = {"end": values[-1], "logarithm": explained(np.log(day), values), "line": explained(day, values)}
    return found


# ----------------------------------------------------------------------------------------------------------- the report


def main(argv: Sequence[str] | None = None) -> None:
    """Play the year and write the report."""
    parser = options("simulate", __doc__)
    parser.add_argument("--seed", type=int, default=7, help="another one makes up another year (%(default)s)")
    parser.add_argument("--days", type=int, default=365, help="how long it is played (%(default)s)")
    parser.add_argument("--events", type=int, default=10_000, help="of the log, about (%(default)s)")
    given = parser.parse_args(argv)
    figures = asyncio.run(play(given.seed, given.days, given.events))
    _print(figures)
    written = save(given.out, "simulation", figures)
    draw(given.out, figures)
    print(f"\nFigures and plots: {written}; growth.png and life.png beside it.")


def _print(figures: Mapping[str, Any]) -> None:
    matters, noise = figures["matters"], figures["noise"]
    print(
        f"\n## simulate: {figures['events']} events in {figures['days']} days, "
        f"{figures['records']} records, seed {figures['seed']}\n"
    )
    print(
        table(
            ["what matters, %", "live", "recalled", "profile"],
            [[f"{matters['told']} topics", *(matters[name] for name in ("live", "recalled", "profile"))]],
        )
    )
    rows = [
        [name, group["records"], group["out"]]
        for part in ("days since", "kind")
        for name, group in noise[f"out by {part}"].items()
    ]
    print(
        "\n"
        + table(
            ["noise", "records", "out of live memory, %"], [["said 30 days ago or earlier", "", noise["out"]], *rows]
        )
    )
    grown = [
        [name, one["end"], *(f"{one[fit]:.2f}" for fit in ("logarithm", "line"))]
        for name, one in figures["growth"].items()
    ]
    print("\n" + table(["growth", "at the end", "R² of a logarithm", "R² of a line"], grown))
    done = [
        [job, tally["runs"], ", ".join(f"{name} {count}" for name, count in tally.items() if name != "runs")]
        for job, tally in figures["jobs"].items()
    ]
    print("\n" + table(["job", "runs", "what they came to"], done))


def draw(out: Path, figures: Mapping[str, Any]) -> None:
    """Draw two plots: how memory grows, and how long records live."""
    course = figures["course"]
    days = [one["day"] for one in course]
    fits = figures["growth"]
    growth = {
        f"{name}; R² of a logarithm {fits[name]['logarithm']:.2f}, of a line {fits[name]['line']:.2f}": {
            "": [one["figures"][name] for one in course]
        }
        for name in fits
    }
    courses(out, "growth", growth, days, "days")
    life = {
        title: {
            name: [one[part].get(name, 0) for one in course]
            for name in sorted({name for one in course for name in one[part]})
        }
        for title, part in {"records by status": "statuses", "live records that are noise, by kind": "noise"}.items()
    }
    courses(out, "life", {**life, "strength while live (at most 1)": figures["strengths"]}, days, "days")
