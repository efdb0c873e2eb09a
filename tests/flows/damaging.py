"""A file of two users, and every way to damage one value of it."""

import shutil
import sqlite3
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from flows.helpers import says
from memoranda import AsyncMemory, AsyncScoped
from memoranda.errors import MemorandaError
from memoranda.testing.fakes import FrozenClock, SequentialIds

#: What takes the place of a value, in SQL.
VALUES: Mapping[str, str] = {
    "nothing": "NULL",
    "empty": "''",
    "another type": "x'ff00'",
    "huge": "9223372036854775806",
    "negative": "-9223372036854775807",
    "the last time": "253402300799999999",
    "endless": "9e999",
    "broken JSON": """'{"x'""",
    "strange JSON": """'["nope"]'""",
    "no text": "CAST(x'ff41' AS TEXT)",
}
#: The tables that hold rows of the file below.
TABLES = (
    "events records entities relations passages vectors tool_uses short_term context_log working_copies audit "
    "tombstones receipts attempts job_runs cells owners"
).split()


class File:
    """A memory in a file, which can be closed, damaged and opened again."""

    def __init__(self, path: Path, clock: FrozenClock) -> None:
        self.path, self.clock, self._opened = path, clock, 0

    def copied(self, path: Path) -> "File":
        """The same file in another place."""
        shutil.copy(self.path, path)
        return File(path, self.clock)

    async def open(self, **options: Any) -> AsyncMemory:
        self._opened += 1
        given = {"embedder": "hashed", "ids": SequentialIds(f"{self._opened}"), **options}
        return await AsyncMemory.open(self.path, clock=self.clock, **given)

    def damage(self, *statements: str) -> None:
        """Change the file behind its store's back; what a constraint would refuse is allowed."""
        with self._raw() as raw:
            raw.execute("PRAGMA writable_schema = ON")
            strict = raw.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").fetchall()
            raw.execute(
                "UPDATE sqlite_schema SET sql = replace(replace(sql, ' STRICT', ''), ' NOT NULL', '')"
                " WHERE type = 'table' AND sql LIKE '%tenant%'"
            )
        with self._raw() as raw:
            for statement in statements:
                raw.execute(statement)
        with self._raw() as raw:
            raw.execute("PRAGMA writable_schema = ON")
            raw.execute("BEGIN")
            raw.executemany("UPDATE sqlite_schema SET sql = ?2 WHERE name = ?1", strict)
            raw.execute("COMMIT")

    @contextmanager
    def _raw(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path, isolation_level=None)) as raw:
            raw.execute("PRAGMA synchronous = OFF")
            yield raw

    def rows(self) -> dict[tuple[str, int], tuple[Any, ...]]:
        """All rows but cells and owners, by table and number, without `seq` and what counts uses."""
        found = {}
        with closing(sqlite3.connect(self.path)) as raw:
            raw.text_factory = bytes
            for name in TABLES[:-2]:
                names = [row[1].decode() for row in raw.execute(f"PRAGMA table_info({name})")]
                kept = ", ".join(one for one in names if one not in {"seq", "access_count", "last_accessed"})
                found |= {(name, row[0]): row[1:] for row in raw.execute(f"SELECT rowid, {kept} FROM {name}")}
        return found


async def two(file: File, clock: FrozenClock) -> None:
    """Write rows of every kind, of two users."""
    memory = await file.open()
    for user in ("alice", "bob"):
        one = memory.scope(tenant="acme", user=user)
        await one.add(says("I live in Oslo.", "My sister Ann lives in Oslo."), conversation="c1")
        await one.add(says("I work at Acme."), conversation="c2")
        clock.advance(hours=1)
        await one.add(says("Actually, I no longer work at Acme. I work at Globex now."), conversation="c2")
        await one.observe("The default project is PROJ", category="project_details")
        await one.tools.record("search", {"q": "ferry"}, ["08:00"], latency=0.4, task_type="travel", success=True)
        await one.goals.add("Book the ferry", recall_when=["Oslo"])
        await one.strategies.learn("Ask the harbour first", "a trip by sea", ["search"])
        await one.entries.set("k", {"v": 1})
        await one.graph.relate("Ann", "Oslo", "LOCATED_IN")
        await one.forget(source=(await one.add(says("My cat is called Tom."))).events[0])
        desk = one.working("c9")
        await desk.add(says("The tide is at noon."))
        await desk.set("draft", {"v": 1})
        await desk.persist()
        await memory.consolidate(tenant="acme", user=user)
        await one.context("Where do I live?")
    await memory.run_job("decay", tenant="acme")
    await memory.close()


async def answers(memory: AsyncMemory, user: str) -> dict[str, Any]:
    """What every kind of question answers, or the error that it is."""
    one: AsyncScoped = memory.scope(tenant="acme", user=user)
    asked: dict[str, Callable[[], Awaitable[Any]]] = {
        "recall": lambda: one.recall("Where do I live?"),
        "context": lambda: one.context("Draft a reply about Oslo."),
        "profile": one.profile,
        "events": one.events,
        "goals": one.goals.find,
        "strategies": lambda: one.strategies.find("a trip by sea"),
        "entries": lambda: one.entries.get("k"),
        "tools": lambda: one.tools.suggest("plan a trip by sea"),
        "graph": lambda: one.graph.neighbourhood("Ann"),
        "desk": one.working("c9").view,
        "copy": one.working("c9").resume,
        "export": lambda: _all(one.export()),
        "stats": lambda: memory.stats(tenant="acme", user=user),
    }
    found: dict[str, Any] = {}
    for name, ask in asked.items():
        try:
            found[name] = await ask()
        except MemorandaError as error:
            found[name] = error
    return found


async def _all(lines: Any) -> int:
    return len([line async for line in lines])


def statement(table: str, column: str, value: str) -> str:
    """Damage one value of a row of alice's."""
    if table == "cells":
        return f"UPDATE cells SET {column} = {VALUES[value]} WHERE user = 'alice' AND name = 'key:draft'"
    row = f"SELECT rowid FROM {table} WHERE user = 'alice' ORDER BY rowid LIMIT 1 OFFSET 1"
    first = f"SELECT min(rowid) FROM {table} WHERE user = 'alice'"
    return f"UPDATE OR IGNORE {table} SET {column} = {VALUES[value]} WHERE rowid = coalesce(({row}), ({first}))"
