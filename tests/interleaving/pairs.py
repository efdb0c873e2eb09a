"""Whether an answer is that of one moment: the same as before a write, or as after it, and nothing between."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import fields, is_dataclass
from itertools import chain, combinations, product
from typing import Any

from interleaving.home import HOME, Moment, opened, prepared
from interleaving.scheduler import Loop, Verb, done, interleaved
from interleaving.verbs import COUNTING, OPEN, READS, WRITES, Call
from memoranda import AsyncMemory
from memoranda.errors import MemorandaError
from memoranda.flows.runtime.leases import LEASE
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock

#: Tables that say who did or asked what, not what is known.
LOGS = {"audit", "access_log", "context_log", "ledger", "spending", "job_runs", "receipts"}
#: What changes with each write or read, or names one of the logs.
COUNTS = {"seq", "receipt", "access_count", "last_accessed", "reads", "last_read"}
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\bw\d-\d{6}\b|\b[0-9a-f]{64}\b")
UNTOLD = {"milliseconds", "seconds"}  # how long it took


def canonical(answer: Any) -> Any:
    """An answer as plain values, without what differs between two runs of the same."""
    if isinstance(answer, BaseException):
        kind = "" if isinstance(answer, MemorandaError) else "RAW "
        return f"{kind}{type(answer).__name__}: {answer}"
    if is_dataclass(answer) and not isinstance(answer, type):
        return {one.name: canonical(getattr(answer, one.name)) for one in fields(answer) if one.name not in UNTOLD}
    if isinstance(answer, Mapping):
        return {str(name): canonical(value) for name, value in answer.items() if name not in UNTOLD}
    if isinstance(answer, list | tuple | set | frozenset):
        return [canonical(one) for one in (answer if isinstance(answer, list | tuple) else sorted(answer))]
    return round(answer, 9) if isinstance(answer, float) else answer


def pieced(answer: Any, moments: Sequence[Any]) -> bool:
    """Whether every count is that of one of some moments; a share of two counts may be of none."""
    if isinstance(answer, dict) and all(isinstance(one, dict) for one in moments):
        known = {name for one in moments for name in one}
        return all(name in known and pieced(answer[name], [one.get(name) for one in moments]) for name in answer)
    return answer in moments


def difference(one: Any, other: Any, path: str = "") -> str:
    """The first place at which two canonical answers differ, in a few words."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in [*one, *(name for name in other if name not in one)]:
            if name not in one or name not in other:
                return f"{path}.{name} is {'missing' if name in other else 'too much'}"
            if one[name] != other[name]:
                return difference(one[name], other[name], f"{path}.{name}")
    if isinstance(one, list) and isinstance(other, list):
        for number, (mine, theirs) in enumerate(zip(one, other, strict=False)):
            if mine != theirs:
                return difference(mine, theirs, f"{path}[{number}]")
        return f"{path} has {len(one)} items, not {len(other)}"
    return f"{path} is {str(one)[:90]!r}, not {str(other)[:90]!r}"


class _Watched(DictStore):
    """A store that keeps the moment after each write."""

    def __init__(self, begin: Moment) -> None:
        super().__init__()
        begin.lay_out(self)
        self.moments = [begin]

    async def apply(self, batch: Any) -> Any:
        applied = await super().apply(batch)
        self.moments.append(Moment.of(self))
        return applied


def mixed(first: Moment, last: Moment) -> Iterator[Moment]:
    """Every moment at which some of the owners and of the places that differ are as at first, the others as at last."""
    changed = [
        (part, key)
        for part in ("partitions", "places")
        for key in {**getattr(first, part), **getattr(last, part)}
        if getattr(first, part).get(key) is not getattr(last, part).get(key)
    ]
    for flags in product((False, True), repeat=len(changed)):
        taken = {"partitions": dict(first.partitions), "places": dict(first.places)}
        for (part, key), late in zip(changed, flags, strict=True):
            if late and key in getattr(last, part):
                taken[part][key] = getattr(last, part)[key]
            elif late:
                del taken[part][key]
        yield Moment(**taken)


class House:
    """The prepared memory, and runs in copies of it."""

    def __init__(self) -> None:
        self.loop = Loop()
        self._alone: dict[str, tuple[Any, Sequence[str]]] = {}
        self.moment, self.at, self._clock = self.loop.run_until_complete(prepared())

    def bound(self, memory: AsyncMemory, call: Call) -> Verb:
        return lambda: call(memory, self.at)

    def run(self, play: Callable[[AsyncMemory], Any], store: DictStore | None = None) -> Any:
        """Play in a memory on a copy; its image is held, as that of a user who asks now and then."""

        async def whole() -> Any:
            async with opened(store or self.moment.store(), FrozenClock(self._clock.now)) as memory:
                await memory.scope(**HOME).profile()
                return await play(memory)

        return self.loop.run_until_complete(whole())

    def interleaved(
        self,
        first: Call,
        others: Mapping[int, Call],
        store: DictStore | None = None,
        *,
        names: Sequence[str] = (),
        apart: bool = False,
    ) -> tuple[list[Any], Sequence[str]]:
        """The canonical answers of some verbs, of which the others are run at points of the first; and its points.

        `apart` has the others done by a memory of their own on the same store, as another process would.
        """
        store = store or self.moment.store()

        async def play(memory: AsyncMemory) -> Any:
            async with opened(store, FrozenClock(self._clock.now)) if apart else nullcontext(memory) as another:
                bound = {number: self.bound(another, call) for number, call in others.items()}
                return await interleaved(self.bound(memory, first), bound, names)

        answers, points = self.run(play, store)
        return [canonical(answer) for answer in answers], points

    def before(self, read: str) -> tuple[Any, Sequence[str]]:
        """What a reading verb answers alone, and its points."""
        if read not in self._alone:
            [answer], points = self.interleaved(READS[read], {})
            self._alone[read] = answer, points
        return self._alone[read]

    def after(self, read: str, *writes: str) -> Any:
        """What it answers when the writes were done, by the same process."""

        async def play(memory: AsyncMemory) -> Any:
            for number, write in enumerate(writes, start=1):
                await done(self.bound(memory, WRITES[write]), f"w{number}")
            return await done(self.bound(memory, READS[read]), "w0")

        return canonical(self.run(play))

    def between(self, read: str, *writes: str) -> Iterator[Any]:
        """What it answers after each transaction of the writes, and with each owner and each desk at its own moment.

        No snapshot spans owners: what is shared lies with the tenant, and working memory in a cache, desk by desk.
        """
        store = _Watched(self.moment)
        ends = [self.moment]

        async def play(memory: AsyncMemory) -> None:
            for number, write in enumerate(writes, start=1):
                await done(self.bound(memory, WRITES[write]), f"w{number}")
                ends.append(Moment.of(store))

        self.run(play, store)
        ends[-1] = Moment.of(store)
        mixtures = chain.from_iterable(mixed(one, other) for one, other in combinations(ends, 2))
        for moment in (*store.moments, *mixtures):
            yield self.answer(read, moment)
        if len(writes) > 1:  # the first may have waited until the second was done
            yield self.after(read, *reversed(writes))

    def answer(self, read: str, moment: Moment) -> Any:
        """What it answers at a moment."""
        [answer], _ = self.interleaved(READS[read], {}, moment.store())
        return answer

    def fault(self, read: str, writes: Mapping[int, str], *, apart: bool = False) -> str | None:
        """What is wrong with the answer of a reading verb if writing verbs are run at some of its points."""
        meanwhile = {at: WRITES[write] for at, write in writes.items()}
        (answer, *_), points = self.interleaved(READS[read], meanwhile, apart=apart)
        first, _ = self.before(read)
        if answer == first:
            return None
        names = [write for _, write in sorted(writes.items())]
        last = self.after(read, *names)
        if answer == last or (read in COUNTING and pieced(answer, (first, last))):
            return None
        between = [*self.between(read, *names)]
        if answer in between or (read in COUNTING and pieced(answer, (first, *between, last))):
            return None
        if read in OPEN and "RAW" not in str(answer)[:200]:
            return None
        where = " and ".join(
            f"{write} at {at} ({points[at] if at < len(points) else 'the end'})" for at, write in sorted(writes.items())
        )
        unlike = f"unlike before: {difference(answer, first)}; unlike after: {difference(answer, last)}"
        where += ", by another process" if apart else ""
        return f"{read} x {where}: {answer if isinstance(answer, str) else unlike}"

    def clash(self, one: str, other: str, number: int, *, apart: bool = False) -> str | None:
        """What is wrong with what two writing verbs leave, if the other happens at a point of the one.

        Between two transactions of a verb of several, another may come; but never into the middle of one. A verb whose
        write was refused because another process wrote first plans anew, under new ids, or finds it has been done: then
        neither is compared.
        """
        told = self._unnamed if apart else dict
        left, points = self._both(one, other, number, apart=apart)
        where = f"{one} x {other} at {number} ({points[number]}){', by another process' * apart}"
        if any(error.startswith("RAW") for error in left["refused"]):
            return f"{where}: {'; '.join(left['refused'])}"
        orders = [self._in_turn(one, other, order) for order in ((0, 1), (1, 0))]
        steps = chain(self._steps(one, other), self._steps(other, one, "10"))
        if any(told(left) == told(expected) for expected in chain(orders, steps)):
            return None
        unlike = "; unlike the other order: ".join(difference(told(left), told(order)) for order in orders)
        return f"{where}: unlike one order: {unlike}"

    def _unnamed(self, left: Any) -> Any:
        """What is left, without the ids that did not exist before."""
        known = {*_ID.findall(json.dumps(self.left(self.moment.store()), default=str))}

        def bare(value: Any) -> str:
            return _ID.sub(lambda found: found[0] if found[0] in known else "new", json.dumps(value, default=str))

        rows = sorted(
            bare({name: value for name, value in row.items() if name != "hash"}) for row in left["rows"].values()
        )
        return {"rows": rows, "cells": bare(left["cells"])}

    def _steps(self, one: str, other: str, names: str = "01") -> Iterator[Any]:
        """What they leave if the other happens between two transactions of the one."""
        _, points = self.interleaved(WRITES[one], {})
        for number, point in enumerate(points):
            if point in ("store.apply answered", "cache.write answered"):
                yield self._both(one, other, number, names)[0]

    def _both(
        self, one: str, other: str, number: int, names: str = "01", *, apart: bool = False
    ) -> tuple[Any, Sequence[str]]:
        store, meanwhile = self.moment.store(), {number: WRITES[other]}
        actors = [f"w{name}" for name in names]
        answers, points = self.interleaved(WRITES[one], meanwhile, store, names=actors, apart=apart)
        return self.left(store, answers if names == "01" else answers[::-1]), points

    def _in_turn(self, one: str, other: str, order: Sequence[int]) -> Any:
        store = self.moment.store()
        answers = [None, None]

        async def play(memory: AsyncMemory) -> None:
            for number in order:
                answers[number] = await done(self.bound(memory, WRITES[(one, other)[number]]), f"w{number}")

        self.run(play, store)
        return self.left(store, [canonical(answer) for answer in answers])

    def left(self, store: DictStore, answers: Sequence[Any] = ()) -> Any:
        """What is kept, but for the logs of who did what, and whether each verb was refused."""
        rows = {
            f"{owner.user} {name} {key}": canonical(row)
            for owner, part in store._partitions.items()
            for name, table in part.tables.items()
            for key, row in table.items()
            if name not in LOGS
        }
        for row in rows.values():
            for name in COUNTS & row.keys():
                del row[name]
        cells = {
            f"{place}": {name: cell.text for name, cell in content.cells.items()}
            for place, content in store.cache()._places.items()
            if place.kind != LEASE
        }
        refused = [one.partition(":")[0] for one in answers if isinstance(one, str) and "Error: " in one]
        return {"rows": rows, "cells": cells, "refused": refused}
