"""Every reading verb meets every writing verb of its owner, at every point; each answer is that of one moment.

These are samples, the same each time: every point of a reading verb is met, by one of the writing verbs.
`PYTHONPATH=tests python -m interleaving` lets every pair meet at every point (a quarter of an hour), with the names of
verbs only theirs, with `--clashes` pairs of writing verbs.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any
from zlib import crc32

import pytest

from interleaving.home import HOME
from interleaving.pairs import House
from interleaving.scheduler import Loop, Verb, actor, interleaved, point
from interleaving.verbs import READS, WRITES, every_verb, verb_of
from memoranda import AsyncMemory


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    house = House()
    yield house
    house.loop.close()


def sample(first: str, points: Sequence[str], least: int) -> list[tuple[int, str]]:
    """Each point of a verb at least once, each time with another writing verb; not the same ones for every verb."""
    writes, begin = [*WRITES], crc32(first.encode())
    return [(turn % len(points), writes[(begin + 7 * turn) % len(writes)]) for turn in range(max(least, len(points)))]


def none_of(faults: Iterable[str | None], shown: int = 4) -> None:
    """Fail with the first faults, a line each, and how many there are."""
    if found := [fault for fault in faults if fault]:
        pytest.fail("\n".join([*found[:shown], f"({len(found)} in all)"]), pytrace=False)


def test_every_verb_has_a_row() -> None:
    assert {*every_verb()} == {verb_of(row) for row in (*READS, *WRITES)}
    assert not READS.keys() & WRITES.keys()


@pytest.mark.parametrize("read", READS)
def test_what_reads_answers_and_changes_nothing_but_logs_and_counts(house: House, read: str) -> None:
    """Of working memory it may note how far the rules have read it."""
    store = house.moment.store()
    [answer], _ = house.interleaved(READS[read], {}, store)
    assert "Error: " not in str(answer)[:40], answer
    assert house.left(store)["rows"] == house.left(house.moment.store())["rows"]


@pytest.mark.parametrize("read", READS)
def test_what_is_read_while_something_is_written_is_of_one_moment(house: House, read: str) -> None:
    """Half of it is written by another process: by a memory of its own on the same store."""
    _, points = house.before(read)
    drawn = sample(read, points, least=10)
    none_of(house.fault(read, {at: write}, apart=bool(turn % 2)) for turn, (at, write) in enumerate(drawn))


@pytest.mark.parametrize("read", READS)
def test_what_is_read_while_two_things_are_written_is_of_one_moment(house: House, read: str) -> None:
    _, points = house.before(read)
    drawn = sample(f"{read} twice", points, least=4)[:6]
    none_of(house.fault(read, dict(pair)) for pair in zip(drawn[::2], drawn[1::2], strict=True))


@pytest.mark.parametrize("read", READS)
def test_what_is_read_while_somebody_writes_all_the_time_is_answered(house: House, read: str) -> None:
    """At each of its points something of the user is written, and something that is shared."""
    writes = [WRITES[name] for name in ("entries.log", "collections.boost")]
    (answer, *others), _ = house.interleaved(READS[read], {at: writes[at % 2] for at in range(300)})
    none_of(f"{read}: {one}" for one in (answer, *others) if isinstance(one, str) and "Error: " in one)


@pytest.mark.parametrize("one", WRITES)
def test_what_two_write_at_once_is_what_they_write_in_turn(house: House, one: str) -> None:
    _, points = house.interleaved(WRITES[one], {})
    drawn = sample(one, points, least=4)[:: max(len(points) // 6, 1)]
    none_of(house.clash(one, other, at, apart=bool(turn % 2)) for turn, (at, other) in enumerate(drawn))


# ------------------------------------------------------------------------------------------- the scheduler


def run(loop: Loop, first: Verb, others: Mapping[int, Verb]) -> tuple[list[Any], Sequence[str]]:
    with closing(loop):
        return loop.run_until_complete(interleaved(first, others))


def test_a_verb_is_run_whole_at_each_point() -> None:
    said: list[str] = []

    async def slow() -> str:
        for word in "abc":
            await point(word)
            said.append(word)
        return "first"

    async def quick() -> str:
        await asyncio.sleep(0)
        said.append("!")
        return "second"

    for place, order in enumerate(("!abc", "a!bc", "ab!c")):
        said.clear()
        answers, points = run(Loop(), slow, {place: quick})
        assert (answers, points, "".join(said)) == (["first", "second"], ("a", "b", "c"), order)


def test_a_verb_that_waits_for_a_lock_lets_the_first_go_on() -> None:
    said: list[str] = []
    lock = asyncio.Lock()

    async def holding() -> None:
        async with lock:
            await point("inside")
            said.append("first")
        await point("outside")

    async def waiting() -> None:
        said.append("begun")
        async with lock:
            said.append("second")

    run(Loop(), holding, {0: waiting})
    assert said == ["begun", "first", "second"]


def test_no_time_passes_while_a_timer_is_waited_for() -> None:
    async def patient() -> float:
        await asyncio.sleep(3_600)
        return asyncio.get_running_loop().time()

    answers, _ = run(Loop(), patient, {})
    assert answers == [3_600]


def test_whoever_waits_for_ever_is_found() -> None:
    with pytest.raises(AssertionError, match="every task waits"):
        run(Loop(), asyncio.Event().wait, {})


async def torn(memory: AsyncMemory, _: object) -> Any:
    entries = memory.scope(**HOME).entries
    return await entries.get("draft"), await entries.find()


async def lost(memory: AsyncMemory, _: object) -> Any:
    entries = memory.scope(**HOME).entries
    held = await entries.get("near")
    return held and await entries.set("near", [held.value, actor()])


def test_a_torn_read_and_a_lost_write_are_found(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests above would pass if nothing were ever compared: this is their other side."""
    monkeypatch.setitem(READS, "torn", torn)
    for name in ("lost", "lost again"):
        monkeypatch.setitem(WRITES, name, lost)
    faults = [house.fault("torn", {place: "entries.set"}) for place in range(6)]
    assert [fault is None for fault in faults] == [True, False, False, False, False, True]
    assert str(faults[1]).startswith(
        "torn x entries.set at 1 (store.find answered): unlike before: [1] has 3 items, not 2"
    )
    clashes = [house.clash("lost", "lost again", place) for place in range(4)]
    assert [clash is None for clash in clashes] == [True, False, False, True]
    assert "short_term" in str(clashes[1])


def test_a_copy_of_a_moment_is_not_changed_by_what_is_done_in_another(house: House) -> None:
    before = house.left(house.moment.store())
    house.interleaved(WRITES["forget everything"], {})
    assert house.left(house.moment.store()) == before
