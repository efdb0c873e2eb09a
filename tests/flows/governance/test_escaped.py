"""What was forgotten goes, and stays away, however JSON has escaped it."""

import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from flows.helpers import everything, rows, says
from memoranda import AsyncMemory, AsyncScoped, Event
from memoranda.core.base.scope import SHARED, Owner
from memoranda.errors import InputError, NotFoundError
from memoranda.ports import Store
from memoranda.stores.dict_ import DictStore
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

SECRET = "Zyxwvut Quux lives at Müller Street 44"  # noqa: S105 - no password
FORMS: dict[str, Any] = {
    "lines": f"Hello.\n{SECRET.replace(' ', chr(10))}\nBye.",
    "quoted": 'So "Zyxwvut" Quux\tlives at "Müller Street" / 44',
    "nested": json.dumps({"b": "x\n" + SECRET + "\ny"}),
    "nested twice": json.dumps([json.dumps({"b": SECRET.replace(" ", "\n")})]),
}


@pytest.fixture(params=["dict", "sqlite"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    return DictStore() if request.param == "dict" else await SqliteStore.open(tmp_path / "memory.db")


@pytest.fixture
async def memory(store: Store, clock: FrozenClock) -> AsyncMemory:
    return await AsyncMemory.open(store, embedder="none", clock=clock, ids=SequentialIds())


async def kept(memory: AsyncMemory, store: Store, tmp_path: Path) -> str:
    """All that is kept anywhere, in small letters; of a file its bytes."""
    desks = memory._runtime.desks
    cells = [(await desks.read(place))[0].shown(None) for place in await desks.places("acme")]
    held = f"{await everything(store)} {await everything(store, Owner('acme', SHARED))} {cells}"
    return (held + "".join(map(str, bytes_in(tmp_path)))).lower()


def bytes_in(folder: Path) -> list[bytes]:
    return [file.read_bytes() for file in folder.iterdir()]


def writers(alice: AsyncScoped, value: Any, pool: str) -> dict[str, Callable[[], Awaitable[Any]]]:
    """Verbs that keep a value, or a text that is JSON."""
    told = json.dumps({"a": [1, value], "c": "d"})
    return {
        "router": lambda: alice.router.write("k", {"a": value, "n": [2]}, "long_term"),
        "router, a list": lambda: alice.router.write("k", [value], "long_term"),
        "entries": lambda: alice.entries.set("e", {"a": value}),
        "entries, JSON": lambda: alice.entries.set("e", told),
        "observe": lambda: alice.observe(told, source="tool_extracted_content"),
        "observe, prose": lambda: alice.observe(f"It gave {told} at last.", source="agent"),
        "add": lambda: alice.add(says(told, role="assistant")),
        "add, metadata": lambda: alice.add(says("It rains.", role="tool"), metadata={"raw": told}),
        "tools": lambda: alice.tools.record("crm", {"q": value}, {"rows": [value]}),
        "tools, JSON": lambda: alice.tools.record("crm", told, told),
        "goals": lambda: alice.goals.add(told),
        "strategies": lambda: alice.strategies.learn(told),
        "graph": lambda: alice.graph.upsert("Ann", properties={"says": {"a": value}}),
        "pools": lambda: alice.pools.write(pool, "a", told),
        "working": lambda: alice.working("w").set("k", told),
        "working, scratch": lambda: alice.working("w").push("scratch", told),
        "connections": lambda: alice.connections.remember("crm", "row", told),
    }


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", writers(None, "", ""))  # type: ignore[arg-type]
async def test_words_behind_escapes_go_and_stay_away(
    memory: AsyncMemory, store: Store, tmp_path: Path, name: str, form: str, clock: FrozenClock
) -> None:
    alice = memory.scope(tenant="acme", user="alice", connections=("crm",))
    pool = (await alice.pools.create("p")).id
    await alice.add(says("My cat is called Tom.", r"The file is C:\new\table."))
    write = writers(alice, FORMS[form], pool)[name]
    await write()
    await alice.entries.promote()
    assert "zyxwvut" in await kept(memory, store, tmp_path)
    assert (await alice.forget(value=SECRET, for_good=True)).verify()
    assert "zyxwvut" not in await kept(memory, store, tmp_path)
    clock.advance(days=1)
    with suppress(InputError):
        await write()
    assert "zyxwvut" not in await kept(memory, store, tmp_path)
    assert {r"The file is C:\new\table."} <= {event.content for event in await rows(store, Event)}


async def test_what_a_source_said_leaves_entries_in_which_it_is_escaped(
    memory: AsyncMemory, store: Store, tmp_path: Path
) -> None:
    alice = memory.scope(tenant="acme", user="alice")
    long, short = (await alice.add(says(f"Note this.\n{SECRET}.", "Zyxwvut\nQuux"), conversation="c")).events
    await alice.entries.set("e", {"a": ["x\n" + SECRET.replace(" ", "\t")]})
    await alice.entries.set("f", {"a": "Zyxwvut\nQuux"})
    await alice.working("w").set("k", json.dumps({"a": "x\n" + SECRET, "b": "bread"}))
    await alice.forget(source=long)
    assert [entry.key for entry in await alice.entries.find()] == ["f"]
    assert json.loads(await alice.working("w").get("k")) == {"a": "x\n[withheld: forgotten]", "b": "bread"}
    await alice.forget(source=short)
    assert "zyxwvut" not in await kept(memory, store, tmp_path)


async def test_what_json_said_is_barred_in_plain_words(memory: AsyncMemory, store: Store, tmp_path: Path) -> None:
    alice = memory.scope(tenant="acme", user="alice")
    [event] = (await alice.add(says(json.dumps({"a": f"Note this.\n{SECRET}.\nBye."})))).events
    await alice.forget(source=event)
    await alice.add(says(f"You said: {SECRET}. It rains in Rome today.", role="assistant"))
    assert "zyxwvut" not in await kept(memory, store, tmp_path)
    assert "It rains in Rome today." in str(await rows(store, Event))


@pytest.mark.parametrize("value", ["able", "ew", "ew able", "forgotten", "withheld", "password"])
async def test_neither_a_path_nor_a_placeholder_says_the_words_in_it(memory: AsyncMemory, value: str) -> None:
    alice = memory.scope(tenant="acme", user="alice")
    [event] = (await alice.add(says(SECRET), conversation="c")).events
    await alice.forget(source=event)
    await alice.add(says(f"So {SECRET}. You enjoy jogging in the park.", role="assistant"))
    await alice.add(says(r"It lies in C:\new\table.", "My password is hunter2hunter2!", json.dumps([r"\table"])))
    await alice.router.write("path", {"is": r"C:\new\table"}, "long_term")
    before = [found.event.content for found in await alice.events()]
    assert len(before) == 5
    assert "[withheld: " in str(before)
    if value == "password":  # which one of them says
        assert (await alice.forget(value=value)).removed["events"] == 1
        return
    with pytest.raises(NotFoundError):
        await alice.forget(value=value)
    assert [found.event.content for found in await alice.events()] == before


@pytest.mark.parametrize(
    "given", [{"page": 1}, [1, {"a": "b"}], "page 1", None, 'say "[x"', {"of": "Ann"}, "y" * 2_000]
)
@pytest.mark.parametrize("came", [[{"name": "Ann"}, {"name": "Bob"}], ["Ann", "Bob", "z" * 2_000], {"Ann": "Bob"}])
async def test_the_rest_of_a_call_is_kept_whatever_it_was_given(
    memory: AsyncMemory, store: Store, given: Any, came: Any
) -> None:
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("Ann called."))
    await alice.forget(value="Ann")
    call = await alice.tools.record("crm.list", given, came)
    assert call.forgotten
    [kept] = await alice.tools.calls()
    told = json.dumps([kept.input, kept.output])
    assert ("Bob" in told, "Ann" in told) == (True, False)
    assert given in (kept.input, {"of": "Ann"})
    assert "Ann" not in repr([row.content for row in await rows(store, Event)])


async def test_a_call_of_which_nothing_is_left_is_refused(memory: AsyncMemory) -> None:
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("Ann called."))
    await alice.forget(value="Ann")
    for given, came in ((None, ["Ann"]), ("Ann", {"a": "Ann"})):
        with pytest.raises(InputError):
            await alice.tools.record("crm.list", given, came)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('[1, {"a": "b"}] → ["Ann", "Bob"]', '[1, {"a": "b"}] → ["[withheld: forgotten]", "Bob"]'),
        ('["Ann", 1] and ["c"] of whom?', '["[withheld: forgotten]", 1] and ["c"] of whom?'),
        ('["Bob"] is of Ann. It rains.', "[withheld: forgotten] It rains."),
    ],
)
async def test_each_document_in_a_text_is_cleaned_apart(memory: AsyncMemory, text: str, left: str) -> None:
    alice = memory.scope(tenant="acme", user="alice")
    await alice.add(says("Ann called."))
    await alice.forget(value="Ann")
    await alice.add(says(text, role="assistant"))
    assert [found.event.content for found in await alice.events()] == [left]
