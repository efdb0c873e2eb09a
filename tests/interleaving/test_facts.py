"""What the registry says of a verb is what the verb does, in the prepared memory."""

from collections.abc import Iterator

import pytest

from interleaving.pairs import House, done
from interleaving.verbs import READS, WRITES, Call, verb_of
from memoranda import AsyncMemory
from memoranda.verbs.registry import VERBS

_ALSO_READ = {"doctor"}  # only with `repair` it writes


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    house = House()
    yield house
    house.loop.close()


def named(row: str) -> str:
    """The name in the registry of the verb of a row."""
    return verb_of(row).removeprefix("memory.")


def test_what_reads_changes_nothing() -> None:
    """`test_interleaving` shows that the rows of READS change nothing."""
    writes = {*map(named, WRITES)} | _ALSO_READ
    assert {name for name, verb in VERBS.items() if verb.facts.effect == "reads"} == {*map(named, READS)} - writes


@pytest.mark.parametrize("name", dict.fromkeys(map(named, WRITES)))
def test_a_second_call_changes_something_more_where_the_registry_says_so(house: House, name: str) -> None:
    same = [_same_after_two(house, call) for row, call in WRITES.items() if named(row) == name]
    assert all(same) is not VERBS[name].facts.repeats


def _same_after_two(house: House, call: Call) -> bool:
    store = house.moment.store()

    async def play(memory: AsyncMemory) -> bool:
        await done(house.bound(memory, call), "w1")
        once = house.left(store)
        await done(house.bound(memory, call), "w2")
        return bool(once == house.left(store))

    return bool(house.run(play, store))
