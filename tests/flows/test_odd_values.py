"""Each verb, given each odd value for each argument, takes it or refuses it in its own words, and loses nothing."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from operator import attrgetter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flows.helpers import says
from flows.test_arguments import RIGHT
from memoranda import AsyncMemory, Settings
from memoranda.core.base.checks import LONGEST, brief
from memoranda.core.base.scope import Owner
from memoranda.core.rows import ContextLog, Event
from memoranda.errors import InputError, SetupError, StoreError
from memoranda.ports import Query
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.fakes import FrozenClock, SequentialIds
from memoranda.verbs.registry import VERBS, Stream

pytestmark = pytest.mark.anyio


class Endless:
    """An iterable without an end that minds how much is taken of it."""

    def __init__(self, item: Any) -> None:
        self.item, self.taken = item, 0

    def __iter__(self) -> Iterator[Any]:
        while True:
            self.taken += 1
            assert self.taken <= LONGEST + 2, "it is read without a bound"
            yield self.item


class Long(Sequence[Any]):
    """A sequence that says it has a milliard of items."""

    def __init__(self) -> None:
        self.endless = iter(Endless("x"))

    def __len__(self) -> int:
        return 10**9

    def __getitem__(self, at: Any) -> Any:
        return next(self.endless)


class Mute:
    """What cannot even be shown."""

    def __repr__(self) -> str:
        raise ValueError("this has no words")


def nested() -> list[Any]:
    found: list[Any] = []
    for _ in range(5_000):
        found = [found]
    return found


def circle() -> dict[str, Any]:
    found: dict[str, Any] = {}
    found["a"] = found
    return found


MOST = 250_000  # characters of a message; twice as many are more than anything takes or looks at
WEST, EAST = timezone(timedelta(hours=-14)), timezone(timedelta(hours=14))
ODD: dict[str, Callable[[], Any]] = {
    "nan": lambda: float("nan"), "inf": lambda: float("inf"), "tiny": lambda: 5e-324, "great": lambda: 1e308,
    "past all floats": lambda: 10**400, "past all digits": lambda: 10**5_000, "below": lambda: -(10**400),
    "past 64 bits": lambda: 2**63, "just 64 bits": lambda: 2**63 - 1, "minus one": lambda: -1, "true": lambda: True,
    "half": lambda: 1.5, "decimal": lambda: Decimal("1.5"), "decimal nan": lambda: Decimal("NaN"),
    "numpy nan": lambda: np.float64("nan"), "numpy half": lambda: np.float32(0.5), "numpy int": lambda: np.int64(3),
    "numpy past 63 bits": lambda: np.uint64(2**64 - 1), "numpy true": lambda: np.bool_(True),
    "numpy array": lambda: np.zeros(3), "numpy scalar": lambda: np.array(5), "surrogate": lambda: "\ud800",
    "nul": lambda: "a\x00b", "bytes": lambda: b"x", "surrogates": lambda: ["\ud800"], "nuls": lambda: ["a\x00b"],
    "surrogate name": lambda: {"\ud800": 1}, "surrogate value": lambda: {"a": "\ud800"},
    "nan in json": lambda: {"a": float("nan")}, "number in json": lambda: {"a": 10**5_000},
    "tokens past 64 bits": lambda: {"memories": 2**63}, "numpy tokens": lambda: {"memories": np.int64(5)},
    "nested": nested, "circle": circle, "endless": lambda: Endless("x"), "endless objects": lambda: Endless({}),
    "long": Long, "last west": lambda: datetime.max.replace(tzinfo=WEST),
    "first east": lambda: datetime.min.replace(tzinfo=EAST), "last": lambda: datetime.max.replace(tzinfo=UTC),
    "first": lambda: datetime.min.replace(tzinfo=UTC), "naive": lambda: datetime(2026, 1, 1),  # noqa: DTZ001
    "last day": lambda: date.max, "complex": lambda: 1j, "mute": Mute, "mutes": lambda: [Mute()], "class": lambda: int,
    "huge": lambda: "x" * (2 * MOST), "long name": lambda: "n" * 600, "nothing": lambda: None, "empty": dict,
}  # fmt: skip

CALLS = [*(name for name, verb in VERBS.items() if not isinstance(verb, Stream)), "open", "scope", "working"]


@pytest.mark.parametrize("verb", CALLS)
async def test_each_odd_value_is_taken_or_refused(verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store, clock = await SqliteStore.open(":memory:"), FrozenClock()
    told = Settings(max_characters=MOST)
    memory = await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds(), settings=told)
    alice, bob = memory.scope(tenant="acme", user="alice"), memory.scope(tenant="globex", user="bob")
    await bob.add(says("I live in Oslo."))
    on = alice if verb == "working" or (verb in VERBS and VERBS[verb].scoped) else memory
    taken = VERBS[verb].signature if verb in VERBS else inspect.signature(getattr(on, verb))
    names = taken.parameters.keys()
    for name in names:
        await bob.context(name)
        for make in ODD.values():
            target = attrgetter(verb.removeprefix("working."))(alice.working("c") if "working." in verb else on)
            try:
                answer = target(**{**RIGHT[verb], name: make()})
                answer = await answer if inspect.isawaitable(answer) else answer
                if isinstance(answer, AsyncMemory):
                    await answer.close()
            except (InputError, SetupError):
                pass
            except StoreError:
                assert name in {"url", "to"}, "only a path can be one that the system refuses"
    assert (await bob.recall("Oslo")).degraded == (await alice.recall("Oslo")).degraded == ()
    await memory._runtime.journal.settle()
    logged = await store.count(Query(kind=ContextLog, tenant="globex", user="bob"))
    assert (logged, len((await store.find(Owner("globex", "bob"), _events())).rows[0])) == ({None: len(names)}, 1)
    await memory.close()


def _events() -> Query[Event]:
    return Query(kind=Event, tenant="globex", user="bob")


def test_a_number_too_long_for_digits_is_told_by_its_size() -> None:
    assert brief(10**5_000) == "a number of 16,610 bits"
    assert brief([-(10**5_000), 10**20]) == "[a number of 16,610 bits, 100000000000000000000]"
