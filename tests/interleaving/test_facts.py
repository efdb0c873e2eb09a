"""What the registry says of a verb is what the verb does, in the prepared memory."""

import json
from collections.abc import Iterator

import pytest
from jsonschema import Draft202012Validator

from interleaving.pairs import House, done
from interleaving.verbs import READS, WRITES, Call, verb_of
from memoranda import AsyncMemory
from memoranda.core.base.plain import plain
from memoranda.verbs.registry import VERBS
from memoranda.verbs.schema import answer, arguments

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
    reads = {name for name, verb in VERBS.items() if verb.facts.effect == "reads" and not name.startswith("keys.")}
    assert reads == {*map(named, READS)} - writes


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


@pytest.mark.parametrize("row", [row for row in (*READS, *WRITES) if named(row) != "export"])
def test_an_answer_is_as_its_schema_says(house: House, row: str) -> None:
    call = (READS | WRITES)[row]

    async def play(memory: AsyncMemory) -> object:
        return await done(house.bound(memory, call), "w1")

    written = json.loads(json.dumps(plain(house.run(play))))
    Draft202012Validator(answer(VERBS[named(row)])).validate(written)


@pytest.mark.parametrize("name", VERBS)
def test_the_schema_of_the_arguments_is_one(name: str) -> None:
    """Only what a host computes has none: how far a long call is, and what a tool answers."""
    verb = VERBS[name]
    schema = arguments(verb)
    Draft202012Validator.check_schema(schema)
    assert verb.signature.parameters.keys() - schema["properties"].keys() <= {"progress", "fetch"}
