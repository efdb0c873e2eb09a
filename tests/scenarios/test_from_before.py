"""A file and an export that were written under the product's former name open, answer and are kept up as before.

What ended stands below what ended it, which it did not before (decision 56): one more turn is found.
"""

import gzip
import json
from pathlib import Path

import pytest

from memoranda import AsyncMemory
from memoranda.core.rows import Receipt
from memoranda.models.hashed import HashedEmbedder
from memoranda.ports import Query
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.fakes import FrozenClock, SequentialIds

pytestmark = pytest.mark.anyio

BEFORE = Path(__file__).parent / "before"
EXPECTED = json.loads((BEFORE / "expected.json").read_text(encoding="utf-8"))


async def opened(folder: Path) -> AsyncMemory:
    file = folder / "memory.db"
    file.write_bytes(gzip.decompress((BEFORE / "memory.db.gz").read_bytes()))
    store = await SqliteStore.open(file)
    return await AsyncMemory.open(store, embedder=HashedEmbedder(64), clock=FrozenClock(), ids=SequentialIds("b"))


async def test_a_file_from_before_answers_as_it_did(tmp_path: Path) -> None:
    memory = await opened(tmp_path)
    alice = memory.scope(tenant="acme", user="alice")
    assert [item.text for item in await alice.recall("Where do I live?")] == EXPECTED["recall"]
    assert (await alice.pools.get(EXPECTED["pool"])).data == {"a": 1}
    assert [one.text for one in await alice.collections.entries(EXPECTED["shelf"])] == ["Ferries leave at six."]
    assert await alice.working("c1").get("step") == 2
    health = await memory.doctor(tenant="acme")
    assert health.problems == ()
    again = await memory.rebuild(tenant="acme", user="alice")
    assert again.before == again.after
    await memory.close()


async def test_what_was_forgotten_before_stays_forgotten(tmp_path: Path) -> None:
    memory = await opened(tmp_path)
    alice = memory.scope(tenant="acme", user="alice")
    answered = await alice.add([{"role": "assistant", "content": "Your employer is Globex."}])
    assert answered.forgotten == 1
    page = await memory._runtime.store.find(alice.scope.owner, Query(kind=Receipt, tenant="acme", user="alice"))
    assert [receipt.verify() for receipt in page.rows[0]] == [True]
    assert (await alice.forget(value="Oslo")).verify()
    assert "Oslo" not in str([item.text for item in await alice.recall("Where do I live?")])
    await memory.close()


async def test_an_export_from_before_names_its_format(tmp_path: Path) -> None:
    memory = await opened(tmp_path)
    alice = memory.scope(tenant="acme", user="alice")
    lines = [json.loads(line) for line in (BEFORE / "export.jsonl").read_text(encoding="utf-8").splitlines()]
    now = [line async for line in alice.export()]
    assert now[0]["format"].partition("/")[0] == lines[0]["format"].partition("/")[0]
    await memory.close()
