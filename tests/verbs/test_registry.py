"""The registry of verbs: what the audit calls them, how wrong calls are refused, what faces are."""

import inspect
from datetime import timedelta
from enum import Enum
from unittest import mock

import pytest

from flows.helpers import OWNER, rows
from memoranda import AsyncMemory, AsyncScoped, Memory, Scoped, Settings
from memoranda.core.base.old_names import OPERATIONS
from memoranda.core.rows import AuditEntry
from memoranda.core.rows.changes import Add, Batch
from memoranda.errors import InputError
from memoranda.ports import Store
from memoranda.testing.fakes import FrozenClock
from memoranda.verbs.registry import VERBS

pytestmark = pytest.mark.anyio


async def test_the_audit_calls_a_verb_as_its_caller_does(store: Store) -> None:
    memory = await AsyncMemory.open(store, embedder="hashed", settings=Settings(audit="reads"))
    alice = memory.scope(tenant="acme", user="alice")
    pool = await alice.pools.create("sprint")
    (record,) = (await alice.observe("The crab is blue")).records
    await alice.pools.share(pool.id, "finding", record)
    await alice.pools.grants(pool.id)
    await alice.entries.set("draft", 1)
    await alice.channels.list()
    for name, stratum in (
        ("pools.share", "shared"), ("pools.grants", "shared"), ("entries.set", "episodic"), ("channels.list", "all"),
    ):  # fmt: skip
        assert {(row.operation, row.stratum) for row in await alice.audit(operation=name)} == {(name, stratum)}
    assert {row.operation for row in await rows(store, AuditEntry)} <= VERBS.keys()


@pytest.mark.parametrize("name", OPERATIONS)
async def test_an_entry_under_an_old_name_is_found(
    name: str, alice: AsyncScoped, store: Store, clock: FrozenClock
) -> None:
    for number, operation in enumerate((OPERATIONS[name], name, "goals.complete")):
        row = AuditEntry(
            tenant="acme", user="alice", id=f"a{number}", operation=operation, stratum="all",
            at=clock() + timedelta(seconds=number), milliseconds=0.0,
        )  # fmt: skip
        await store.apply(Batch(owner=OWNER, changes=(Add(row),)))
    assert [row.operation for row in await alice.audit(operation=name)] == [name, OPERATIONS[name]]
    assert {row.operation for row in await alice.audit(operation=OPERATIONS[name])} == {name, OPERATIONS[name]}


def test_old_names_belong_to_verbs() -> None:
    assert OPERATIONS.keys() <= VERBS.keys()


async def test_what_does_not_fit_is_told_in_the_words_of_the_public_method(memory: AsyncMemory) -> None:
    alice = memory.scope(tenant="acme", user="alice")
    with pytest.raises(TypeError, match=r"AsyncScoped.recall\(\) .*'limt'; did you mean 'limit'\?"):
        await alice.recall("Where?", limt=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"Goals.add\(\) missing 1 required argument: 'text'"):
        await alice.goals.add()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"Collections.search\(\) missing 1 required argument: 'query'"):
        await alice.collections.search("refund")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"AsyncMemory.stats\(\) .*'tenat'; did you mean 'tenant'\?"):
        await memory.stats(tenat="acme")  # type: ignore[call-arg]
    with Memory.open(embedder="none") as blocking, pytest.raises(TypeError, match=r"^Scoped.why\(\) missing"):
        blocking.scope(tenant="acme", user="alice").why()  # type: ignore[call-arg]


def test_a_part_of_a_scope_is_in_the_same_scope_and_colour() -> None:
    with Memory.open(embedder="none") as memory:
        alice = memory.scope(tenant="acme", user="alice", agent="clerk")
        assert alice.goals.scope == alice.scope
        assert alice.goals.add("Ship 1.0").text == "Ship 1.0"
        assert alice.working("c1").scope.conversation == "c1"
        assert alice.working(run="r1").scope.task == "r1"


async def test_a_choice_is_kept_as_a_plain_text(alice: AsyncScoped, memory: AsyncMemory) -> None:
    class Level(str, Enum):  # noqa: UP042 - as hosts write it
        WRITE = "write"

    pool = await alice.pools.create("sprint", data={"a": 1})
    grant = await alice.pools.grant(pool.id, Level.WRITE, user="vera")
    assert (grant.level, type(grant.level)) == ("write", str)
    vera = memory.scope(tenant="acme", user="vera")
    assert (await vera.pools.read(pool.id)) is not None


async def test_the_first_wrong_argument_is_told(alice: AsyncScoped) -> None:
    with pytest.raises(InputError, match="limit is 'a'"):
        await alice.recall("x", deadline="d", since="b", limit="a")  # type: ignore[arg-type]


async def test_a_key_of_working_memory_lasts_a_year_at_most(alice: AsyncScoped) -> None:
    with pytest.raises(InputError, match="at most a year"):
        await alice.router.write("k", 1, "working", conversation="c", ttl_seconds=50 * 365 * 86_400)


def test_another_name_for_a_verb_leaves_it_as_it_is() -> None:
    class Bot(Scoped):
        ask = Scoped.recall

    assert VERBS["recall"].name == "recall"
    with Memory.open(embedder="none") as memory:
        assert Bot(*vars(memory).values(), memory.scope(tenant="a", user="u").scope).ask("x") is not None
    assert "bot.ask" not in VERBS


def test_a_class_has_methods_as_any_other_has() -> None:
    assert inspect.iscoroutinefunction(AsyncScoped.recall)
    assert not inspect.iscoroutinefunction(Scoped.recall)
    assert Scoped.recall.__name__ == "recall"
    double = mock.MagicMock(spec=AsyncScoped)
    waiting = double.recall("q")
    assert inspect.iscoroutine(waiting)
    waiting.close()


def test_a_wrong_export_fails_where_it_is_called() -> None:
    with Memory.open(embedder="none") as memory, pytest.raises(TypeError, match=r"Scoped.export\(\)"):
        memory.scope(tenant="a", user="u").export(everything=True)  # type: ignore[call-arg]


def test_a_summary_is_the_first_paragraph_on_one_line() -> None:
    for verb in VERBS.values():
        said = inspect.cleandoc(verb.flow.__doc__ or "").partition("\n\n")[0]
        assert verb.summary == " ".join(said.split()) != ""
