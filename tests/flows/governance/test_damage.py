"""Whatever is damaged, every verb answers or names it, the doctor finds it, and a repair loses nothing legible."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from flows.damaging import TABLES, VALUES, File, answers, statement, two
from flows.helpers import says, texts
from memoranda import AsyncMemory
from memoranda.errors import InputError, StoreCorruptError
from memoranda.stores.sqlite.schema import connect, migrate, migrations
from memoranda.testing.fakes import FrozenClock

pytestmark = pytest.mark.anyio

BOB = {"tenant": "acme", "user": "bob"}
ALICE = {"tenant": "acme", "user": "alice"}
#: Of these answers the other user's do not change, whatever is damaged; the others count or read the whole file.
STEADY = ("recall", "context", "profile", "goals", "graph", "tools", "desk")


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def whole(tmp_path_factory: pytest.TempPathFactory) -> File:
    file = File(tmp_path_factory.mktemp("whole") / "memory.db", FrozenClock())
    await two(file, file.clock)
    return file


@pytest.fixture
def file(whole: File, tmp_path: Path) -> File:
    return whole.copied(tmp_path / "memory.db")


def _places() -> Iterator[tuple[str, str, str]]:
    """Every column of every table, with every value that may take the place of its own."""
    with closing(connect(":memory:")) as raw:
        migrate(raw, ":memory:", migrations())
        for table in TABLES:
            for _, column, kind, *_, key in raw.execute(f"PRAGMA table_info({table})").fetchall():
                always = kind == "INTEGER" and key  # SQLite itself refuses a row number that is nothing
                yield from ((table, column, value) for value in VALUES if not (always and value == "nothing"))


PLACES = [*_places()]
SAMPLE = random.Random(11).sample(PLACES, 40)  # all of them take minutes


async def told(memory: AsyncMemory, **options: Any) -> str:
    health = await memory.doctor(**options)
    return "\n".join(one for one in health.problems if "run `memoranda reembed`" not in one)


@pytest.fixture(scope="module")
async def wanted(whole: File) -> list[dict[str, str]]:
    """What bob is answered, and when he asks again."""
    memory = await whole.copied(whole.path.with_name("wanted.db")).open()
    found = [_steady(await answers(memory, "bob")) for _ in range(2)]
    await memory.close()
    return found


def _steady(found: dict[str, Any]) -> dict[str, str]:
    return {name: repr(texts(found[name]) if name == "recall" else found[name]) for name in STEADY}


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        pytest.param(*place, id="-".join(place), marks=[pytest.mark.slow] * (number >= 20))
        for number, place in enumerate(SAMPLE)
    ],
)
async def test_one_damaged_value_harms_no_other(
    file: File, wanted: list[dict[str, str]], table: str, column: str, value: str
) -> None:
    file.damage(statement(table, column, value))
    memory = await file.open()
    assert _steady(await answers(memory, "bob")) == wanted[0]
    await answers(memory, "alice")  # or an error of ours
    await memory.doctor()
    before = file.rows()
    await memory.doctor(repair=True)
    after = file.rows()
    changed = {key for key in before if before[key] != after.get(key) and key[0] != "vectors"}
    assert len(changed) <= 1
    assert all(key[0] == table for key in changed)
    left = await told(memory)
    assert not left or "restore a backup" in left
    assert "--repair" not in left
    assert _steady(await answers(memory, "bob")) == wanted[1]
    await answers(memory, "alice")
    await memory.close()


# ------------------------------------------------------------------------------------------- a log that is gone


@pytest.mark.parametrize("how", ["DELETE FROM events", "DROP TABLE events", "ALTER TABLE events RENAME TO e"])
async def test_without_the_log_nothing_is_dropped(file: File, how: str) -> None:
    before = {key: row for key, row in file.rows().items() if key[0] != "events"}
    file.damage(how)
    memory = await file.open()
    health = await memory.doctor(repair=True)
    assert not any(one.endswith("dropped") for one in health.repaired)
    assert "acme/alice: the log is gone, what was derived from it is left as it is: restore a backup" in health.problems
    assert {key: row for key, row in file.rows().items() if key[0] != "events"} == before
    assert "the log is gone" in await told(memory)
    await memory.close()


async def test_what_rests_on_events_that_are_lost_is_kept_and_what_was_forgotten_is_not(file: File) -> None:
    memory = await file.open()
    [event] = [one.event for one in await memory.scope(**ALICE).events() if one.event.content == "I work at Acme."]
    await memory.close()
    with closing(sqlite3.connect(file.path)) as raw:
        passage = raw.execute("SELECT * FROM passages WHERE ref = ?", (event.id,)).fetchone()
    memory = await file.open()
    await memory.scope(**ALICE).forget(source=event.id)
    await memory.close()
    before = file.rows()
    with closing(sqlite3.connect(file.path, isolation_level=None)) as raw:  # a passage that should have gone with it
        raw.execute(f"INSERT INTO passages VALUES ({', '.join('?' * len(passage))})", passage)
        raw.execute("DELETE FROM tombstones")
        raw.execute("DELETE FROM events WHERE user = 'alice' AND content LIKE '%Oslo%'")
    memory = await file.open()
    health = await memory.doctor(repair=True)
    assert any(f"passages {event.id}: passage of nothing: dropped" in one for one in health.repaired)
    after = file.rows()
    assert {key[0] for key in before.keys() - after.keys()} == {"events", "tombstones"}
    assert "record whose event is missing" in await told(memory)
    await memory.close()


async def test_a_repair_of_a_healthy_file_does_nothing(file: File) -> None:
    memory = await file.open()
    health = await memory.doctor(repair=True)
    assert (health.problems, health.repaired) == ((), ())
    assert [one.name for one in file.path.parent.iterdir() if one.suffix == ".backup"] == []
    await memory.close()


async def test_a_copy_is_told_of_when_something_is_forgotten_that_it_holds(file: File) -> None:
    file.damage("UPDATE passages SET position = 1 << 40 WHERE rowid = 1")
    memory = await file.open()
    assert len((await memory.doctor(repair=True)).repaired) > 1
    assert (await memory.doctor()).problems == ()
    await memory.scope(**ALICE).forget(value="Globex")
    [problem] = (await memory.doctor()).problems
    assert "still holds what was forgotten since it was made: delete it" in problem
    await memory.close()


@pytest.mark.parametrize("kind", ["goal", "strategy"])
async def test_sources_that_cannot_be_read_drop_nothing(file: File, kind: str) -> None:
    before = file.rows()
    file.damage(f"UPDATE records SET sources = '[' WHERE kind = '{kind}'")
    memory = await file.open()
    await memory.doctor(repair=True)
    assert await told(memory) == ""
    await memory.close()
    assert file.rows() == before


async def test_the_events_of_a_relation_are_told_by_its_name(file: File) -> None:
    before = file.rows()
    file.damage("UPDATE relations SET sources = '['")
    memory = await file.open()
    await memory.doctor(repair=True)
    assert await told(memory) == ""
    await memory.close()
    assert file.rows() == before


async def test_the_name_of_a_record_is_found_again_by_its_passage(file: File) -> None:
    before = file.rows()
    file.damage(
        "UPDATE records SET id = zeroblob(rowid) WHERE user = 'alice' AND (text LIKE '%PROJ%' OR kind = 'goal')"
    )
    memory = await file.open()
    await memory.doctor(repair=True)
    assert await told(memory) == ""
    await memory.close()
    assert file.rows() == before


async def test_what_one_pass_leaves_is_advised_again(file: File, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memoranda.flows.governance.repairs.ROUNDS", 1)
    file.damage("DELETE FROM passages", "DELETE FROM entities")
    memory = await file.open()
    assert "no passage of it" in await told(memory)
    assert len((await memory.doctor(repair=True)).repaired) > 2
    await memory.close()


async def test_a_value_that_nobody_expects_concerns_its_owner_alone(file: File) -> None:
    """A consolidation whose metadata is JSON, and yet says nothing."""
    file.damage(
        "UPDATE events SET metadata = '{}' WHERE kind = 'consolidation' AND user = 'alice'",
        "DELETE FROM passages WHERE of = 'event'",
    )
    memory = await file.open()
    health = await memory.doctor(repair=True)
    assert "acme/alice: it cannot be read or repaired (KeyError('items')): restore a backup" in health.problems
    assert any(one.startswith("acme/bob: passages") for one in health.repaired)
    assert not any(one.startswith("acme/bob") for one in health.problems if "reembed" not in one)
    await memory.close()


async def test_tombstones_that_are_gone_are_missed(file: File) -> None:
    file.damage("DELETE FROM tombstones WHERE user = 'alice'")
    memory = await file.open()
    assert "acme/alice: 1 x no tombstone of it is left (" in await told(memory)
    await memory.close()


# ------------------------------------------------------------------------------------------- one bad value


@pytest.mark.parametrize("column", ["position", "recorded_at", "seq", "at"])
@pytest.mark.parametrize("value", ["huge", "negative", "the last time"])
async def test_a_number_out_of_bounds_is_a_damaged_row(file: File, column: str, value: str) -> None:
    file.damage(statement("passages", column, value))
    memory = await file.open()
    alice = memory.scope(**ALICE)
    assert "Globex" in (await alice.recall("Where do I work?")).items[0].text
    await alice.add(says("A whale sings."))
    await memory.doctor(repair=True)
    assert await told(memory) == ""
    await memory.close()


async def test_an_infinite_importance_is_a_damaged_row(file: File) -> None:
    file.damage("UPDATE records SET importance = 9e999 WHERE rowid = 1")
    memory = await file.open()
    assert "importance (not from" in await told(memory)
    assert (await memory.scope(**ALICE).context("Where do I live?")).degraded
    await memory.doctor(repair=True)
    assert await told(memory) == ""
    await memory.close()


@pytest.mark.parametrize("value", ["'abc'", "9e999", "-1", "NULL", "1 << 40"])
async def test_a_counter_that_is_none_concerns_its_owner_alone(file: File, value: str) -> None:
    file.damage(f"UPDATE owners SET seq = {value} WHERE user = 'alice'")
    memory = await file.open()
    with pytest.raises(StoreCorruptError, match="The counter of acme/alice cannot be read: memoranda doctor --repair"):
        await memory.scope(**ALICE).add(says("A whale sings."))
    assert texts(await memory.scope(**BOB).recall("Where do I live?"))
    await memory.doctor(repair=True)
    assert await told(memory) == ""
    await memory.scope(**ALICE).add(says("A whale sings."))
    await memory.close()


@pytest.mark.parametrize("value", ["CAST(x'ff' AS TEXT)", "x'00'", "''"])
async def test_an_owner_without_a_name_is_named_and_the_others_are_examined(file: File, value: str) -> None:
    before = file.rows()
    file.damage(
        f"UPDATE owners SET user = {value} WHERE user = 'alice'", "UPDATE events SET trust = 'x' WHERE rowid = 20"
    )
    memory = await file.open()
    health = await memory.doctor()
    assert health.owners == ("acme/bob",)
    assert any("1 owners cannot be read" in one for one in health.problems)
    assert any(one.startswith("acme/bob: events ") for one in health.problems)
    assert (await memory.doctor(repair=True)).owners == ("acme/alice", "acme/bob")
    assert await told(memory) == ""
    await memory.close()
    changed = {key for key, row in file.rows().items() if before[key] != row}
    assert changed <= {("events", 20)}


@pytest.mark.parametrize("value", ["'nobody'", "CAST(x'ff' AS TEXT)", "NULL"])
@pytest.mark.parametrize("table", ["events", "records", "passages", "vectors", "relations"])
async def test_a_row_of_nobody_is_given_back_to_its_owner(file: File, table: str, value: str) -> None:
    before = file.rows()
    file.damage(f"UPDATE {table} SET user = {value} WHERE rowid = 2")
    memory = await file.open()
    await memory.doctor(repair=True)
    assert await told(memory) == ""
    await memory.close()
    assert file.rows() == before


@pytest.mark.parametrize("where", ["passages.ref", "entities.id", "relations.id", "vectors.ref", "tool_uses.id"])
async def test_a_key_of_a_derived_row_that_cannot_be_read_blocks_nothing_for_long(file: File, where: str) -> None:
    table, column = where.split(".")
    file.damage(statement(table, column, "no text"))
    memory = await file.open()
    alice = memory.scope(**ALICE)
    with pytest.raises(StoreCorruptError, match="memoranda doctor --repair"):
        [_ async for _ in alice.export()]
    await memory.doctor(repair=True)
    await memory.reembed(tenant="acme")
    assert await told(memory) == ""
    assert [_ async for _ in alice.export()]
    assert (await alice.graph.neighbourhood("Ann")).edges
    assert (await alice.forget(value="Globex")).verify()
    await memory.close()


@pytest.mark.parametrize("what", ["COLUMN", "TABLE"])
async def test_advice_for_what_is_missing_helps(file: File, what: str) -> None:
    with closing(sqlite3.connect(file.path)) as raw:
        raw.execute({"TABLE": "DROP TABLE tombstones", "COLUMN": "ALTER TABLE budgets DROP COLUMN amount"}[what])
    memory = await file.open()
    found = await memory.doctor()
    [first, *_] = found.problems
    helps = {"TABLE": "tombstones is missing: restore a backup; memoranda doctor --repair makes it anew, empty."}
    assert first == f"{file.path}: {helps.get(what, 'budgets.amount is missing: restore a backup.')}"
    await memory.doctor(repair=True)
    assert "doctor --repair" not in await told(memory)
    await memory.close()


# ------------------------------------------------------------------------------------------- what a repair makes


async def test_passages_made_again_name_their_entities(file: File) -> None:
    memory = await file.open()
    want = await memory.scope(**ALICE).graph.neighbourhood("Ann")
    await memory.close()
    file.damage("DELETE FROM passages WHERE user = 'alice'", "DELETE FROM entities WHERE user = 'alice'")
    memory = await file.open()
    await memory.doctor(repair=True)
    assert await told(memory) == ""
    found = await memory.scope(**ALICE).graph.neighbourhood("Ann")
    assert found.edges == want.edges
    assert [node.name for node in found.nodes] == [node.name for node in want.nodes]
    await memory.close()


@pytest.mark.parametrize(
    "damage",
    [
        """UPDATE passages SET entities = '["nope"]' WHERE rowid = 2""",
        "UPDATE relations SET head = NULL WHERE rowid = 2",
        "UPDATE relations SET tail = 'nobody' WHERE rowid = 2",
        "UPDATE audit SET ids = '[' WHERE rowid = 2",
        "UPDATE audit SET id = NULL WHERE rowid = 2",
        "DELETE FROM passages_index_data",
        "UPDATE vectors SET data = x'0011' WHERE rowid = 2",
        "UPDATE cells SET text = '{' WHERE name = 'said'",
        "UPDATE cells SET expires = 1 << 62 WHERE name = 'key:draft'",
        "UPDATE cells SET at = 'never' WHERE name = ''",
        "UPDATE working_copies SET cells = '{'",
    ],
)
async def test_nothing_is_left_to_tell_after_a_repair(file: File, damage: str) -> None:
    file.damage(damage)
    memory = await file.open()
    assert await told(memory) != ""
    await memory.doctor(repair=True)
    await memory.reembed(tenant="acme")
    assert (await memory.doctor()).problems == ()
    alice = memory.scope(**ALICE)
    await alice.working("c9").view()
    assert (await alice.forget(value="Globex")).verify()
    assert [_ async for _ in alice.export()]
    await memory.close()


@pytest.mark.parametrize(
    "damage", ["text = '{'", "text = x'ff00'", "expires = 1 << 62", "version = CAST(x'ff' AS TEXT)"]
)
async def test_a_damaged_cell_is_an_error_of_ours(file: File, damage: str) -> None:
    file.damage(f"UPDATE cells SET {damage} WHERE name = 'turns'")
    memory = await file.open()
    with pytest.raises(StoreCorruptError, match="memoranda doctor --repair"):
        await memory.scope(**ALICE).working("c9").view()
    await memory.close()


async def test_the_next_embedder_is_another_one() -> None:
    with pytest.raises(InputError, match="next_embedder is 'hashed'; give another one than the embedder in use"):
        await AsyncMemory.open(embedder="hashed", next_embedder="hashed")
    await (await AsyncMemory.open(embedder="none", next_embedder="hashed")).close()
