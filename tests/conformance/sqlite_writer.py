"""Adds to a store, and says what was acknowledged: `sqlite_writer.py PATH NAME NUMBER`."""

import sys
from datetime import UTC, datetime

import anyio

from memoranda.core.base.scope import Owner
from memoranda.core.rows import Event, Passage, Vector
from memoranda.core.rows.changes import Add, Batch
from memoranda.stores.sqlite.store import SqliteStore

OWNER = Owner("acme", "alice")
NOW = datetime(2026, 1, 5, tzinfo=UTC)


async def main(path: str, name: str, number: int) -> None:
    store = await SqliteStore.open(path)
    who = {"tenant": OWNER.tenant, "user": OWNER.user}
    for ref in (f"{name}{place}" for place in range(number)):
        rows = (
            Event(id=ref, content="a word", event_time=NOW, recorded_at=NOW, **who),
            Passage(ref=ref, terms="word", at=NOW, recorded_at=NOW, **who),
            Vector(space="s", ref=ref, data=bytes(8), **who),
        )
        await store.apply(Batch(owner=OWNER, changes=tuple(map(Add, rows))))
        sys.stdout.write(f"{ref}\n")
        sys.stdout.flush()
    await store.close()


anyio.run(main, sys.argv[1], sys.argv[2], int(sys.argv[3]))
