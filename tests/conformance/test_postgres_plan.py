"""What a batch comes to, without a database."""

from hypothesis import given
from hypothesis import strategies as st

from memoranda.core.base.scope import Owner
from memoranda.core.rows import TABLES, Event, Record, Vector
from memoranda.core.rows.changes import Add, Batch, Change, Drop, Patch, Put, Touch
from memoranda.ports import State
from memoranda.stores.postgres import sql
from memoranda.stores.postgres.plan import Shape, asked, plan
from memoranda.testing.samples import key, sample

ALICE = Owner("acme", "alice")


def batch(*changes: Change) -> Batch:
    return Batch(owner=ALICE, changes=changes)


def test_rows_of_one_kind_share_a_statement() -> None:
    rows = [sample(kind, ALICE, number) for number in range(50) for kind in (Event, Record, Vector)]
    outcome = plan(batch(*map(Add, rows)), State(), ())
    assert [(shape.kind, len(found)) for shape, found in outcome.statements] == [
        (Event, 50), (Record, 50), (Vector, 50),
    ]  # fmt: skip
    assert [row["seq"] for _, found in outcome.statements for row in found[:2]] == [1, 4, 2, 5, 3, 6]
    assert outcome.state == State(seq=150)


def test_changes_of_one_row_stay_in_order() -> None:
    name = key(Event, 0)
    outcome = plan(
        batch(Drop(Event, name), Add(sample(Event, ALICE, 0)), Patch(Event, name, {"content": "a"})),
        State(seq=7),
        [(Event, name)],
    )
    assert [shape.verb for shape, _ in outcome.statements] == [Drop, Put, Patch]
    assert outcome.state == State(seq=10, dropped=8)


def test_what_changes_nothing_is_not_sent() -> None:
    row = sample(Event, ALICE, 0)
    outcome = plan(
        batch(
            Add(row), Touch(Event, key(Event, 0)), Touch(Event, key(Event, 1), {"position": 1}),
            Patch(Event, key(Event, 1), {"content": "a"}), Drop(Event, key(Event, 1)),
        ),
        State(seq=3, dropped=2),
        [(Event, key(Event, 0))],
    )  # fmt: skip
    assert outcome.statements == []
    assert (outcome.state, outcome.taken) == (State(seq=3, dropped=2), {("events", key(Event, 0))})


def test_a_put_asks_nothing() -> None:
    assert asked(batch(Put(sample(Event, ALICE, 0)))) == {}
    twice = Patch(Event, key(Event, 0), {"content": "a"})
    assert asked(batch(twice, twice, Add(sample(Record, ALICE, 1)))) == {
        Event: [key(Event, 0)],
        Record: [key(Record, 1)],
    }


def test_a_statement_has_one_text_however_many_rows_it_writes() -> None:
    for kind in TABLES.values():
        assert sql.write(Shape(Put, kind)) is sql.write(Shape(Put, kind))


@given(st.lists(st.tuples(st.sampled_from([Add, Put, Patch, Drop]), st.integers(0, 3)), max_size=12))
def test_a_statement_names_no_row_twice(steps: list[tuple[type, int]]) -> None:
    """PostgreSQL refuses to write a row twice in one statement."""
    made = [
        verb(sample(Event, ALICE, number)) if verb in {Add, Put} else verb(Event, key(Event, number), *extra)
        for verb, number in steps
        for extra in [({"content": "a"},) if verb is Patch else ()]
    ]
    for _, rows in plan(batch(*made), State(), [(Event, key(Event, 0))]).statements:
        assert len({row["id"] for row in rows}) == len(rows)
