"""Nothing of a secret gets in, by whatever method: log, index, cache, context, export, audit and prompts hold none.

What is asserted is read from the bytes of the stores.
"""

import json
import re
import threading
import traceback
from collections import UserList, deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple
from uuid import UUID

import pytest

from conformance.postgres_server import PostgresServer
from flows.helpers import everything, rows, says, texts
from memoranda import AsyncMemory, AsyncScoped, Event, Memory, Settings
from memoranda.core.base.scope import SHARED, Owner
from memoranda.core.formats.conversation import Conversation, Message
from memoranda.core.rows import AuditEntry, ContextLog, Record
from memoranda.errors import InputError, MemorandaError, MessageError, NotFoundError
from memoranda.flows.runtime.withholding import Withholder
from memoranda.models.hashed import HashedEmbedder
from memoranda.ports import Completion, Store
from memoranda.stores.postgres.store import PostgresStore
from memoranda.testing.fakes import FrozenClock, SequentialIds
from memoranda.verbs.registry import VERBS, Async, Stream, Verb

pytestmark = pytest.mark.anyio

#: What is told, the secret in it, and what stands in its place.
KINDS: dict[str, tuple[str, str, str]] = {
    "openai": ("My API key is sk-proj-Zq8LmT4vXc2RbN7yKd9W.", "sk-proj-Zq8LmT4vXc2RbN7yKd9W", "api key"),
    "anthropic": ("use sk-ant-api03-Hy7Rk2Lm9Qw4Tz8Xc for it", "sk-ant-api03-Hy7Rk2Lm9Qw4Tz8Xc", "api key"),
    "aws": ("Our AWS id is AKIAQ3ZT7MXW5LNB2RVK.", "AKIAQ3ZT7MXW5LNB2RVK", "api key"),
    "github": ("push with ghp_k2Jd8sLq0Zx4Vb6Nm1Rt3Wy5Hc7Fg9Pa", "ghp_k2Jd8sLq0Zx4Vb6Nm1Rt3Wy5Hc7Fg9Pa", "api key"),
    "jwt": (
        "it sends eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3NzQyIn0.Qm8xVt2LkZr5Yw each time",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3NzQyIn0.Qm8xVt2LkZr5Yw",
        "access token",
    ),
    "pem": (
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEqz7TfL2mXw9RkV4sBn8Hd\nQw3e\n-----END RSA PRIVATE KEY-----",
        "MIIEqz7TfL2mXw9RkV4sBn8Hd",
        "private key",
    ),
    "connection": (
        "It runs on postgres://shop:Kr4ut.77@db.example.org:5432/shop now",
        "Kr4ut.77@db.example.org",
        "connection string",
    ),
    "card": ("Pay with 4539 1488 0343 6467.", "4539 1488 0343 6467", "card number"),
    "cvv": ("The CVV of it is 8391.", "8391", "card security code"),
    "ssn": ("My SSN is 536-22-8417.", "536-22-8417", "social security number"),
    "pin": ("My PIN is 70413826.", "70413826", "pin"),
    "iban": ("Wire it to DE89 3704 0044 0532 0130 00.", "3704 0044 0532 0130 00", "account number"),
    "door": ("The door code is 58291.", "58291", "door code"),
    "recovery": ("My backup code is 7H2K-99PQ-LM31.", "7H2K-99PQ-LM31", "recovery code"),
    "en": ("My password is hunter2-Zebra.", "hunter2-Zebra", "password"),
    "said aside": ("shop login: @laespiga, password is Masa2026! dont store that", "Masa2026!", "password"),
    "de": ("Mein Passwort lautet Apfelbaum77.", "Apfelbaum77", "password"),
    "es": ("Mi contraseña es Girasol44.", "Girasol44", "password"),
    "fr": ("Mon mot de passe est Tournesol55.", "Tournesol55", "password"),
    "zh": ("我的密码是xiangrikui66。", "xiangrikui66", "password"),
}
ALL = "\n".join(text for text, _, _ in KINDS.values())
SOME = ALL[:400]  # as long as a name may be
VALUES = [secret for _, secret, _ in KINDS.values()]
#: JSON in which only the keys tell.
TOLD = {
    "note": ALL,
    "password": "quietlake",
    "nested": [{"apiKey": "Kq3vT9xL2mZ8"}, {"name": "DB_PASSWORD", "value": "stillwater"}],
    "arguments": ["--password", "greymoss"],
    "pin": 60417,
    "token": {"value": "Zt5Rw8Qp1Lk4"},
    "card": 4539148803436467,
}
VALUES += ["quietlake", "Kq3vT9xL2mZ8", "stillwater", "greymoss", "60417", "Zt5Rw8Qp1Lk4", "4539148803436467"]
CASES = [pytest.param(*case, id=name) for name, case in KINDS.items()]
HOME: dict[str, Any] = {"tenant": "acme", "user": "alice"}


def held(data: bytes | str) -> list[str]:
    """The secrets in some bytes, whatever their case; a number counts if it is no part of an id or a time."""
    text = (data.decode("utf-8", "replace") if isinstance(data, bytes) else data).lower()
    return [value for value in VALUES if value.lower() in text and (not value.isdigit() or _stands(value, text))]


def _stands(value: str, text: str) -> bool:
    return re.search(rf"(?<![\w.:+-]){re.escape(value.lower())}(?![\w:-]|\.\d)", text) is not None


def held_in(folder: Path) -> bytes:
    """All bytes of a folder."""
    return b"".join(file.read_bytes() for file in folder.iterdir())


class Hearing(HashedEmbedder):
    """An embedder that remembers what it was given."""

    def __init__(self) -> None:
        super().__init__(64)
        self.heard: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Any:
        self.heard += texts
        return await super().embed(texts)


class Telling:
    """A language model that remembers its prompts, and answers with all secrets."""

    name = "telling"

    def __init__(self) -> None:
        self.prompts: list[str] = []

    async def complete(self, prompt: str, **options: Any) -> Completion:
        self.prompts.append(prompt + json.dumps(options.get("system", "")))
        statement = {"text": ALL, "events": [1], "sources": [1], "kind": "fact"}
        return Completion(text=json.dumps({"statements": [statement], "queries": [ALL], "narrative": ALL}), model="m")

    async def close(self) -> None:
        """Nothing is open."""


async def _fetch() -> Any:
    return TOLD


async def _provide(_scope: Any, _query: str) -> str:
    return ALL


#: The names that a host gives: they stay, because two of them must never become one. All other arguments are swept.
NAMES = {"agent", "channel", "connection", "conversation", "key", "run", "surface", "team", "tool", "user"}
Call = Callable[[AsyncScoped, SimpleNamespace], Awaitable[Any]]
#: Each method that keeps something, as a host calls it; what it answers is named for the calls behind it.
KEEPING: dict[str, Call] = {
    "add": lambda s, _: s.add(
        [{"role": "user", "content": ALL, "id": "m1"}, {"role": "tool", "content": ALL}],
        conversation="c",
        metadata=TOLD,
    ),
    "parts": lambda s, _: s.add(
        [{"role": "user", "content": [{"type": "text", "text": ALL}]}, *says(*(text for text, _, _ in KINDS.values()))]
    ),
    "observe": lambda s, _: s.observe(ALL, metadata=TOLD),
    "recall": lambda s, _: s.recall(ALL, techniques=["expand", "hyde", "multi_query"]),
    "context": lambda s, _: s.context(ALL, layout="host", brings={"tools": _provide, "services": TOLD}),
    "why": lambda s, _: s.why(ALL),
    "evaluate": lambda s, _: s.evaluate([{"query": ALL, "answers": []}]),
    "import": lambda s, _: s.import_conversations(
        Conversation(id=f"i{n}", title=ALL, metadata=TOLD, messages=(Message(role="user", content=ALL, metadata=TOLD),))
        for n in range(2)
    ),
    "conversations.rename": lambda s, _: s.conversations.rename("c", next(text for text, _, _ in KINDS.values())),
    "goal": lambda s, _: s.goals.add(ALL, recall_when=[SOME]),
    "goals.due": lambda s, _: s.goals.due(ALL),
    "goals.block": lambda s, at: s.goals.block(at.goal.id, by=[SOME], reason=ALL),
    "goals.complete": lambda s, at: s.goals.complete(at.goal.id, result=ALL),
    "tools.record": lambda s, _: s.tools.record(
        "search", TOLD, ALL, success=False, error=ALL, task_type=None, conversation="c"
    ),
    "tools.suggest": lambda s, _: s.tools.suggest(ALL),
    "strategies.learn": lambda s, _: s.strategies.learn(ALL, ALL),
    "entries.set": lambda s, _: s.entries.set("draft", TOLD),
    "entries.named": lambda s, _: s.entries.set("wifi password", "quietlake"),
    "entries.log": lambda s, _: s.entries.log(ALL),
    "entries.promote": lambda s, _: s.entries.promote(),
    "graph.upsert": lambda s, _: s.graph.upsert(
        "Shop", description=ALL, properties=TOLD, aliases=["Store"], observations=[ALL]
    ),
    "graph.find": lambda s, _: s.graph.find(SOME),
    "connections.learn": lambda s, _: s.connections.learn("jira", ALL),
    "connections.remember": lambda s, _: s.connections.remember("jira", "schema", TOLD),
    "connections.refresh": lambda s, _: s.connections.refresh("jira", "other", _fetch),
    "pool": lambda s, _: s.pools.create("p", data=TOLD),
    "pools.write": lambda s, at: s.pools.write(at.pool.id, "note", ALL),
    "pools.path": lambda s, at: s.pools.write(at.pool.id, "db_password", "stillwater"),
    "pools.merge": lambda s, at: s.pools.merge(at.pool.id, TOLD),
    "collection": lambda s, _: s.collections.create("c"),
    "entry": lambda s, at: s.collections.add(at.collection.id, ALL),
    "collections.edit": lambda s, at: s.collections.edit(at.collection.id, at.entry.id, f"Once more: {ALL}"),
    "collections.search": lambda s, at: s.collections.search(at.collection.id, ALL),
    "decision": lambda s, _: s.observe("We decided to paint the shop blue."),
    "outcomes.record": lambda s, at: s.outcomes.record(at.decision.records[0], ALL),
    "router.write": lambda s, _: s.router.write("draft", TOLD, "working", conversation="c"),
    "router.long": lambda s, _: s.router.write("login", ALL, "long_term"),
    "router.search": lambda s, _: s.router.semantic_search(ALL),
    "working.add": lambda s, _: s.working("w").add(says(ALL), metadata=TOLD),
    "working.set": lambda s, _: s.working("w").set("draft", TOLD),
    "working.note": lambda s, _: s.working("w").note("task", TOLD),
    "working.push": lambda s, _: s.working("w").push("scratch", ALL),
    "working.think": lambda s, _: s.working("w").push("thoughts", TOLD),
    "working.ask": lambda s, _: s.working("w").ask(ALL),
    "working.persist": lambda s, _: s.working("w").persist(),
    "working.run": lambda s, _: s.working(run="r").set("draft", TOLD),
    "working.flush": lambda s, _: s.working("c").flush(),
}


async def tell(memory: AsyncMemory, scoped: AsyncScoped) -> str:
    """Tell all secrets to all methods, and then to every argument that is no name; return what came back."""
    at, back = SimpleNamespace(), []
    for name, call in KEEPING.items():
        answer = await call(scoped, at)
        setattr(at, name, answer)
        back.append(repr(answer))
    for verb in VERBS.values():
        given = verb.signature.parameters.values() if verb.scoped and not isinstance(verb, Stream) else ()
        for one in (one for one in given if one.name not in NAMES):
            filled = {two.name: ALL for two in given if two.default is two.empty} | {one.name: ALL}
            with suppress(MemorandaError, TypeError, ValueError, AttributeError):
                await getattr(face_of(scoped, verb), verb.method)(**filled)
    await memory.consolidate(tenant="acme")
    await memory.flush_idle(tenant="acme")
    back += [json.dumps(line) async for line in scoped.export()]
    back += [repr(line) for line in (*await scoped.audit(limit=1_000), *await scoped.events(limit=1_000))]
    return "\n".join(back)


def face_of(scoped: AsyncScoped, verb: Verb[..., Any]) -> Any:
    """What a verb is called on."""
    kind: Any = verb.face
    return scoped if isinstance(scoped, kind) else kind(Async(), scoped._runtime, scoped.scope.narrow(conversation="w"))


async def opened(url: Any, **options: Any) -> AsyncMemory:
    given = {"embedder": Hearing(), "language_model": Telling(), "settings": Settings(audit="verbose")}
    return await AsyncMemory.open(url, **given | options)


def home(memory: AsyncMemory) -> AsyncScoped:
    return memory.scope(**HOME, connections=["jira"])


async def told(memory: AsyncMemory) -> None:
    """Tell all secrets; the answers hold none."""
    try:
        assert held(await tell(memory, home(memory))) == []
    finally:
        await memory.close()


# ---------------------------------------------------------------------------------------- the bytes of the stores


async def test_no_method_lets_a_secret_into_the_file(tmp_path: Path) -> None:
    model, embedder = Telling(), Hearing()
    await told(await opened(tmp_path / "memory.db", language_model=model, embedder=embedder))
    data = held_in(tmp_path)
    assert b"[withheld: password]" in data
    assert held(data) == []
    assert model.prompts
    assert held("\n".join((*model.prompts, *embedder.heard))) == []


async def test_none_is_in_the_file_while_it_is_open(tmp_path: Path) -> None:
    memory = await opened(tmp_path / "memory.db")
    await tell(memory, home(memory))
    data = held_in(tmp_path)  # with the write-ahead log
    await memory.close()
    assert held(data) == []


async def test_no_method_lets_a_secret_into_postgresql(postgres: PostgresServer) -> None:
    with postgres.schema() as schema:
        await told(await opened(await PostgresStore.open(postgres.url, schema=schema)))
        tables = postgres.run(f"SELECT tablename FROM pg_tables WHERE schemaname = '{schema}'")
        found = [postgres.run(f'SELECT t::text FROM {schema}."{name}" t') for (name,) in tables]
    kept = "\n".join(row[0] for several in found for row in several)
    assert "[withheld: password]" in kept
    assert held(kept) == []


async def test_no_method_lets_a_secret_into_redis(redis: Any, tmp_path: Path) -> None:
    with redis.client() as client:
        client.flushall()
        memory = await opened(tmp_path / "memory.db", cache=f"unix://{redis.unix_socket_path}")
        await tell(memory, home(memory))
        kept = "\n".join(repr((key, _value(client, key))) for key in client.scan_iter())
        await memory.close()
    assert "[withheld: password]" in kept
    assert held(kept) == []


def _value(client: Any, key: bytes) -> Any:
    """The value of a key, of whatever type."""
    kind = client.type(key)
    kind = kind.decode() if isinstance(kind, bytes) else kind
    read = {
        "hash": client.hgetall,
        "string": client.get,
        "set": client.smembers,
        "zset": lambda key: client.zrange(key, 0, -1),
    }
    return read[kind](key)


def test_the_sweep_goes_through_all_faces() -> None:
    assert len([verb for verb in VERBS.values() if verb.scoped]) > 120


# ---------------------------------------------------------------------------------------- what stays, what is shown


@pytest.mark.parametrize(("text", "secret", "kind"), CASES)
async def test_the_event_keeps_the_rest_of_its_words(
    store: Store, alice: AsyncScoped, text: str, secret: str, kind: str
) -> None:
    await alice.add(says(text, "I live in Bergen."))
    said = (await rows(store, Event))[0].content
    assert f"[withheld: {kind}]" in said
    assert secret not in said
    assert said.split("[withheld")[0] == text[: len(said.split("[withheld")[0])]
    kept = repr(await everything(store))
    assert secret not in kept
    assert secret.lower() not in kept
    assert [row.value for row in await rows(store, Record)] == ["Bergen"]


async def test_a_question_for_it_shows_that_it_was_withheld(alice: AsyncScoped) -> None:
    await alice.add(says("My API key is sk-proj-Zq8LmT4vXc2RbN7yKd9W and my password is hunter2-Zebra."))
    context = (await alice.context("what is my password?")).text
    assert "My API key is [withheld: api key] and my password is [withheld: password]." in context
    assert held(context) == []


@pytest.mark.parametrize(
    "text", ["My PIN is [withheld: pin].", "My password is [withheld: password]!", "[withheld: iban]"]
)
async def test_a_placeholder_that_comes_back_is_left_and_not_believed(
    store: Store, alice: AsyncScoped, text: str
) -> None:
    await alice.add(says(text))
    assert [row.content for row in await rows(store, Event)] == [text]
    assert await rows(store, Record) == []


async def test_a_query_reaches_no_log_with_its_secret(store: Store, clock: FrozenClock) -> None:
    memory = await AsyncMemory.open(store, embedder="none", clock=clock, settings=Settings(audit="reads"))
    scoped = memory.scope(**HOME)
    await scoped.context("Is my PIN 70413?")
    await scoped.recall(query="my password is hunter2-Zebra")
    await scoped.graph.find("password hunter2-Zebra")
    await memory._runtime.journal.settle()
    queries = [row.query for kind in (ContextLog, AuditEntry) for row in await rows(store, kind)]
    assert len([query for query in queries if query and "[withheld: " in query]) == 4
    assert held(repr(queries)) == []


async def test_an_errors_text_shows_none(alice: AsyncScoped) -> None:
    with pytest.raises(InputError, match=r"withheld: password") as raised:
        await alice.recall("x", kinds=["my password is hunter2-Zebra"])
    assert held(str(raised.value)) == []


async def test_no_errors_text_shows_one(alice: AsyncScoped) -> None:
    class Client:
        def __repr__(self) -> str:
            return "Client(api_key='sk-proj-Zq8LmT4vXc2RbN7yKd9W')"

    calls: list[Callable[[], Awaitable[Any]]] = [
        lambda: alice.tools.record("search", b"my password is hunter2-Zebra", success=True),
        lambda: alice.tools.record("search", Client(), success=True),
        lambda: alice.recall("x", **{"sk-proj-Zq8LmT4vXc2RbN7yKd9W": 1}),
        lambda: alice.add("my password is hunter2-Zebra"),  # type: ignore[arg-type]
        lambda: alice.forget(record="my password is hunter2-Zebra"),
        lambda: alice.forget(value=["my password is hunter2-Zebra"]),  # type: ignore[arg-type]
        lambda: alice.import_conversations([MessageError("my password is hunter2-Zebra")]),  # type: ignore[list-item]
    ]
    for call in calls:
        with pytest.raises((MemorandaError, TypeError), match="withheld") as raised:
            await call()
        assert held(str(raised.value)) == []


LONG = "x " * 40


@pytest.mark.parametrize(
    "call",
    [
        lambda alice: alice.observe(LONG),
        lambda alice: alice.recall(LONG),
        lambda alice: alice.observe("Short.", metadata={"a": [{"b": LONG}]}),
        lambda alice: alice.observe("Short.", metadata={LONG: 1}),
        lambda alice: alice.add(says("Short.", LONG)),
        lambda alice: alice.add(deque(says(LONG))),
        lambda alice: alice.add([Message(role="user", content="Short.", metadata={"a": (LONG,)})]),
        lambda alice: alice.working("c1").set("draft", {"a": LONG}),
        lambda alice: alice.goals.add(LONG),
        lambda alice: alice.graph.find(LONG),
    ],
)  # fmt: skip
async def test_a_text_that_is_too_long_is_not_searched(
    store: Store, monkeypatch: pytest.MonkeyPatch, call: Callable[[AsyncScoped], Awaitable[Any]]
) -> None:
    searched: list[str] = []

    def search(text: str, *_: object, **__: object) -> str:
        searched.append(text)
        return text

    monkeypatch.setattr("memoranda.flows.runtime.withholding.withheld", search)
    memory = await AsyncMemory.open(store, embedder="none", settings=Settings(max_characters=50, audit="off"))
    with pytest.raises(MessageError, match=r"80 characters; at most 50 are taken at once"):
        await call(memory.scope(**HOME))
    assert [one for one in searched if one in {LONG, "Short."}] == []


async def test_what_is_nested_too_deep_is_refused_by_a_verb_too(alice: AsyncScoped) -> None:
    nested: Any = b""
    for _ in range(100):
        nested = [nested, range(3)]
    with pytest.raises(MessageError, match="64 levels"):
        await alice.observe("Short.", metadata={"a": nested})


async def test_a_turn_that_is_too_long_keeps_no_other_from_being_imported(store: Store) -> None:
    memory = await AsyncMemory.open(store, embedder="none", settings=Settings(max_characters=50))
    talks = [
        Conversation(id=name, messages=(Message(role="user", content=name),)) for name in (LONG, "My PIN is 70413.")
    ]
    found = await memory.scope(**HOME).import_conversations(talks)
    assert (found.new, len(found.faults)) == (1, 1)
    assert held(repr(await rows(store, Event))) == []


@pytest.mark.parametrize(("many", "elsewhere"), [(1, False), (3_000, True)])
async def test_others_go_on_while_much_is_searched(store: Store, many: int, elsewhere: bool) -> None:
    threads = set[int]()

    def redact(text: str) -> str:
        threads.add(threading.get_ident())
        return text

    memory = await AsyncMemory.open(store, embedder="none", settings=Settings(redact=redact))
    alice = memory.scope(**HOME)
    await alice.working("c1").set("note", {"a": ["My PIN is 70413826."] * many})
    assert (threads == {threading.get_ident()}) is not elsewhere
    assert held(repr(await alice.working("c1").get("note"))) == []


async def test_what_led_to_an_error_shows_none_either(alice: AsyncScoped) -> None:
    class Broken:
        def __repr__(self) -> str:
            return "Broken(password=hunter2-Zebra)"

    async def failing(_scope: Any, _query: str) -> str:
        raise OSError("password=hunter2-Zebra")

    with pytest.raises(MemorandaError) as raised:
        await alice.entries.set("k", Broken())  # type: ignore[arg-type]
    assert "withheld" in str(raised.value.__cause__)
    assert held("".join(traceback.format_exception(raised.value)).replace('hunter2-Zebra)"', "")) == []
    context = await alice.context("hello", layout="host", brings={"tools": failing})
    assert "withheld" in repr(context.degraded)
    assert held(repr(context)) == []


async def test_an_error_shows_what_the_host_gave(alice: AsyncScoped) -> None:
    with pytest.raises(MessageError, match=r"a list of messages.*got <generator object"):
        await alice.add(one for one in says("Hello."))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [deque, UserList, tuple])
async def test_any_sequence_of_messages_is_taken(alice: AsyncScoped, kind: Callable[[Any], Any]) -> None:
    added = await alice.add(kind(says("I live in Bergen.", "My PIN is 70413.")))
    assert len(added.events) == 2
    assert held(repr(await alice.events())) == []


async def test_a_sequence_without_an_end_is_refused(alice: AsyncScoped) -> None:
    class Endless(UserList[Any]):
        def __len__(self) -> int:
            return 10**12

    with pytest.raises(MessageError, match="1,000,000,000,000 elements"):
        await alice.tools.record("search", Endless(), success=True)


async def test_a_secret_in_two_parts_of_a_message_is_withheld(store: Store, alice: AsyncScoped) -> None:
    parts = [{"type": "text", "text": text} for text in ("My password is", "hunter2-Zebra")]
    await alice.add([{"role": "user", "content": parts}])
    assert (await rows(store, Event))[0].content == "My password is\n[withheld: password]"


async def test_what_an_older_version_kept_is_forgotten_by_its_value(store: Store, clock: FrozenClock) -> None:
    options: dict[str, Any] = {"embedder": "none", "clock": clock, "ids": SequentialIds()}
    old = await AsyncMemory.open(store, settings=Settings(keeps={"acme": ["iban"]}), **options)
    first, second = "DE89 3704 0044 0532 0130 00", "GB29 NWBK 6016 1331 9268 19"
    await home(old).add(says(f"Wire it to {first}."))
    now = await AsyncMemory.open(store, **options)
    await home(now).add(says(f"Bob's is {second}. My sister lives in Rome."))
    receipt = await home(now).forget(value=first)
    assert receipt.removed["events"] == 1
    assert first not in repr(await everything(store))
    assert [row.content for row in await rows(store, Event)] == [
        "Bob's is [withheld: account number]. My sister lives in Rome."
    ]
    with pytest.raises(NotFoundError) as raised:
        await home(now).forget(value=second)
    assert second not in str(raised.value)


def test_no_id_of_the_memory_is_taken_for_a_secret() -> None:
    random = Random(5)
    ids = [str(UUID(int=random.getrandbits(128))) for _ in range(40_000)]
    strange = Withholder(redact=lambda text: text.replace("1", "one"))
    assert [one for one in ids if strange.value(one) is not one] == []
    assert strange.value({"api_key": ids[0]}) == {"api_key": "[withheld: api key]"}


async def test_a_hosts_redaction_changes_no_id_and_no_choice(store: Store, clock: FrozenClock) -> None:
    settings = Settings(redact=lambda text: text.replace("1", "one").upper())
    memory = await AsyncMemory.open(store, embedder="none", clock=clock, settings=settings)
    alice = memory.scope(**HOME)
    said = {
        "role": "user",
        "content": [{"type": "text", "text": "one"}],
        "id": "m1",
        "timestamp": "2026-01-31T09:30:00Z",
    }
    await alice.add([said, {"role": "assistant", "content": "aye"}], conversation="c1")
    assert (await alice.add([said], conversation="c1")).known == 1
    assert {(row.content, row.source) for row in await rows(store, Event)} == {
        ("ONE", "user_provided"),
        ("AYE", "agent"),
    }
    observed = await alice.observe("number 1", surface="tool")
    assert (await alice.forget(source=observed.events[0])).removed["events"] == 1
    goal = await alice.goals.add("learn")
    assert (await alice.goals.complete(goal.id, evidence=[])).state == "completed"
    pool = await alice.pools.create("p1", kind="shared")
    await alice.pools.write(pool.id, "a", 1)
    assert (await alice.recall("aye", kinds=["turn"], profile="relevance")).items


async def test_names_by_which_a_host_finds_things_again_stay(store: Store, alice: AsyncScoped) -> None:
    number = "4539148803436467"
    await alice.add([{"role": "user", "content": "Hello.", "id": number}], conversation=number)
    again = await alice.add([{"role": "user", "content": "Hello.", "id": number}], conversation=number)
    await alice.entries.set(number, "a note")
    assert again.known == 1
    assert (await rows(store, Event))[0].conversation == number
    assert (await alice.entries.get(number)).value == "a note"  # type: ignore[union-attr]


async def test_a_tenant_keeps_the_kinds_it_chose(store: Store, clock: FrozenClock) -> None:
    options: dict[str, Any] = {"embedder": "none", "clock": clock, "ids": SequentialIds()}
    settings = Settings(keeps={"acme": ["iban", "door_code"]})
    memory = await AsyncMemory.open(store, settings=settings, **options)
    text = f"{KINDS['iban'][0]} {KINDS['door'][0]} {KINDS['card'][0]} {KINDS['en'][0]}"
    for tenant in ("acme", "other"):
        await memory.scope(tenant=tenant, user="alice").add(says(text))
    [acme] = await rows(store, Event)
    [other] = await rows(store, Event, Owner("other", "alice"))
    kept = "Wire it to DE89 3704 0044 0532 0130 00. The door code is 58291."
    assert acme.content == f"{kept} Pay with [withheld: card number]. My password is [withheld: password]."
    assert held(other.content) == []


@pytest.mark.parametrize(
    "keeps",
    [{"acme": ["password"]}, {"acme": ["card"]}, {"acme": "iban"}, {"acme": 5}, ["iban"], {"acme": ["nonsense"]}],
)
def test_what_may_not_be_kept_is_refused(keeps: Any) -> None:
    with pytest.raises(InputError, match="keeps"):
        Settings(keeps=keeps)


def test_a_hosts_own_redaction_sees_each_text_last() -> None:
    def redact(text: str) -> str:
        return text.replace("Project Heron", "[a project]")

    with Memory.open(embedder="none", settings=Settings(redact=redact)) as memory:
        alice = memory.scope(**HOME)
        alice.add(says("Project Heron has the PIN 70413."))
        alice.entries.set("draft", {"Project Heron": ["about Project Heron"], "count": 3})
        assert texts(alice.recall("project"))[0] == "[a project] has the PIN [withheld: pin]."
        kept = alice.entries.get("draft")
        assert kept is not None
        assert kept.value == {"[a project]": ["about [a project]"], "count": 3}
    with pytest.raises(InputError, match="redact"):
        Settings(redact="mask")  # type: ignore[arg-type]


async def test_a_redaction_that_returns_no_text_stops_the_call(store: Store) -> None:
    memory = await AsyncMemory.open(store, embedder="none", settings=Settings(redact=lambda _: None))  # type: ignore[arg-type,return-value]
    with pytest.raises(InputError, match=r"Settings\.redact returned None"):
        await memory.scope(**HOME).add(says("Hello."))
    assert not any((await everything(store)).values())


async def test_shared_memory_keeps_none(store: Store, alice: AsyncScoped) -> None:
    pool = await alice.pools.create("p", data={"password": "quietlake"})
    assert (await alice.pools.read(pool.id)) == {"password": "[withheld: password]"}
    assert held(repr(await everything(store, Owner("acme", SHARED)))) == []


# ------------------------------------------------------------------------------------------------- values

WITHHOLDER = Withholder()


class Login(NamedTuple):
    """A login, as a host may hold it."""

    user: str
    password: str


@pytest.mark.parametrize(
    ("given", "clean"),
    [
        ({"password": "tulip"}, {"password": "[withheld: password]"}),
        ({"dbPassword": "tulip", "user": "ann"}, {"dbPassword": "[withheld: password]", "user": "ann"}),
        ({"password": ["tulip", "rose"]}, {"password": ["[withheld: password]"] * 2}),
        ({"password": {"value": "tulip"}}, {"password": {"value": "[withheld: password]"}}),
        ({"key": "PIN", "value": 70413}, {"key": "PIN", "value": "[withheld: pin]"}),
        (["--token", "Kq3vT9xL2mZ8"], ["--token", "[withheld: api key]"]),
        ((4539148803436467, "x"), ("[withheld: card number]", "x")),
        ({"my PIN is 70413"}, {"my PIN is [withheld: pin]"}),
        ({"PIN 70413": 1, "PIN 70414": 2}, {"PIN [withheld: pin]": 1, "PIN [withheld: pin] 1": 2}),
        ({5: "PIN 70413"}, {5: "PIN [withheld: pin]"}),
        (
            Message(role="user", content="PIN 70413", id="70413"),
            Message(role="user", content="PIN [withheld: pin]", id="70413"),
        ),
    ],
)
def test_values_of_any_shape_lose_their_secrets(given: Any, clean: Any) -> None:
    assert WITHHOLDER.value(given) == clean
    assert type(WITHHOLDER.value(given)) is type(clean)


@pytest.mark.parametrize(
    "given",
    [
        {"password": {"prod": "quietlake"}}, {"password": [{"env": "prod", "is": "quietlake"}]},
        {"credentials": {"password": {"current": "mossgrey", "old": "fernwood"}}}, {"password.prod": "quietlake"},
        {"db/password/prod": "quietlake"}, [["db_password", "stillwater"], ["host", "db1"]], [("pin", "70413")],
        {"key": "password", "val": "quietlake"}, {"name": "DB_PASSWORD", "content": "stillwater"},
        {"api_keys": {"live": {"eu": "Kq3vT9xL2mZ8Wd5"}}}, {"door code": {"garage": 58291}}, {"cvv": {"visa": "839"}},
        {"Passwort": {"Arbeit": "Apfelbaum"}}, {"contraseña": {"casa": "Girasol44"}},
        {"密码": {"工作": "xiangrikui66"}},
        {"mot de passe": {"maison": "tournesol"}}, {"passphrase": {"gpg": "correct horse battery staple"}},
        {"vault": {"entries": [{"label": "password", "secret": "mossgrey"}]}},
        {"env": [{"key": "PIN", "text": "70413"}]},
        {"login": {"pass": "quietl4ke!"}}, {"headers": {"Authorization": "Basic cXVpZXQ6bW9zczQy"}},
        {"client_secret": "moss4ub7dor&3x"}, {"token": "moss20lakeX9!k"}, "<password>quietlake</password>",
        '{"password": {"staging": "quietlake"}}', '[{"name": "DB_PASSWORD", "value": "quietlake"}]',
        '{"arguments": "{\\"password\\": \\"quietlake\\"}"}', {"type": "password", "value": "quietlake"},
        {"Name": "Password", "Value": "quietlake"}, {"passwordRepeat": "quietlake"}, {"key": "moss5Rw8Qp1Lk4Vm"},
        Login("ann", "tulip"), deque(["my PIN is 70413"]), frozenset({"my PIN is 70413"}), b"my PIN is 70413",
    ],
)  # fmt: skip
def test_what_names_a_secret_names_what_lies_below_and_beside_it(given: Any) -> None:
    clean = WITHHOLDER.value(given)
    assert "[withheld: " in repr(clean)
    assert type(clean) is type(given) or isinstance(given, deque)
    for secret in (
        "quiet",
        "moss",
        "fern",
        "still",
        "Kq3",
        "829",
        "839",
        "Apfel",
        "Gira",
        "xiang",
        "tourn",
        "horse",
        "704",
        "tulip",
    ):
        assert secret not in repr(clean)


@pytest.mark.parametrize(
    "given",
    [
        {"properties": {"password": {"type": "string", "minLength": 8, "description": "The user's password"}}},
        {"password": {"required": True, "status": "expired", "updated_at": "2026-01-02T10:00:00Z", "set": False}},
        {"password": {"enabled": True, "createdAt": "2026-02-01T09:00:00Z", "updatedBy": "ann"}},
        ["password", "reset"], {"topics": ["password", "hygiene"]}, ("password", "field"),
        {"tokens": {"input": "1200"}},
        {"token": {"type": "bearer", "expires": 3600}}, {"pin": {"city": "Rome", "lat": 41.9}},
        {"name": "password", "type": "string", "required": True, "description": "password of the user"},
        {"field": "password", "error": "too_short"}, {"name": "PIN", "description": "on the map"},
        {"name": "Change my password", "due": "tomorrow", "list": "Chores"}, {"secret": {"santa": "Bob"}},
        {"key": "password", "action": "updated"}, {"path": "docs/password/reset.md", "title": "Reset"},
        [["name", "Ann"], ["city", "Bergen"]], {"iban": {"country": "DE", "bank": "Commerzbank"}},
        {"password manager": {"name": "Bitwarden"}}, {"key": "SEC-12", "summary": "Rotate password", "assignee": "bob"},
        [["Monday", "gym"], ["Tuesday", "pool"]], {"keys": {"house": "under the mat"}},
        [{"key": "PROJ-1234"}, {"key": "PROJ-95"}], {"key": "apache-2.0"}, {"key": "user:1234:profile"},
        {"Key": "photos/2024/IMG_1234.jpg"}, {"primary_key": "order_42"}, {"next_page_token": "page2"},
        {"session_id": "0198c0de-1111-7222-8333-123456789012"}, {"Key": "logs/2024-01-02T10:00:00Z.gz"},
        {"password2": 0, "apiKey1": 0, "key12": 0, "oauth2_token": 0, "wifi_5g": 0, "WPA2": 1},
        {"errors": {"password": ["Required"]}}, '{"errors": {"password": ["Required"]}}', '{"a": 1,  "b": [2]}',
        {"path": "password", "op": "replace"}, {"name": "Password", "publisher": "Hasbro1979"}, "{not json}",
        {"name": "password", "action": "click", "page": "login2"}, {"name": "Safe", "weight": "1200"},
        {"properties": {"pin": {"minimum": 1000, "type": "integer"}}}, {"alarm": {"time": "0730"}},
        {"tests": {"pass": 12, "fail": 2}}, {"pass": "season"}, {"type": "password", "autocomplete": "off"},
        "The Jira key: PROJ-1234", {"text": "a basic introduction to mathematics"},
    ],
)  # fmt: skip
def test_what_is_told_about_a_secret_stays(given: Any) -> None:
    assert WITHHOLDER.value(given) is given


@pytest.mark.parametrize(
    "given",
    [
        {"password": ""}, {"password": "****"}, {"password": None}, {"password": True}, {"pin": "on the map"},
        {"token": "next"}, {"tokens": 4711}, {"count": 4539148803436467 // 10**9}, [1, 2.5, None, b"x", range(3)],
        ("a", {"b": frozenset({"c"})}),
        {"x" * 61 + " password": "tulip"}, {"password": "[withheld: password]"}, Message(role="user", content="Hello."),
        int, object(), {"pin": 1 << 20_000}, -4539148803436467,
    ],
)  # fmt: skip
def test_what_holds_none_is_the_very_same(given: Any) -> None:
    assert WITHHOLDER.value(given) is given


async def test_functions_and_iterables_are_read_when_they_are_called() -> None:
    async def later() -> str:
        return "PIN 70413"

    assert WITHHOLDER.value(lambda: "PIN 70413")() == "PIN [withheld: pin]"
    assert await WITHHOLDER.value(later)() == "PIN [withheld: pin]"
    lazy = WITHHOLDER.value(text for text in ("PIN 70413", "b"))
    assert list(lazy) == ["PIN [withheld: pin]", "b"]


def test_what_is_nested_too_deep_is_refused() -> None:
    endless: list[Any] = []
    endless += [endless, endless]
    with pytest.raises(MessageError, match="nested more than 64 levels deep"):
        WITHHOLDER.value(endless)


def test_too_many_arguments_are_refused_as_ever() -> None:
    with Memory.open(embedder="none") as memory, pytest.raises(TypeError):
        memory.scope(**HOME).recall("a", "b", "c")  # type: ignore[misc]


@pytest.mark.parametrize(
    "text",
    [
        'Here is the config: {"password": ["sunshine"]} ok?',
        'The body was {"password": {"value": "sunny side"}} as you see.',
        'Config:\n```json\n{"name": "password", "value": "sunshine"}\n```',
        '{"password": "sunny side"}\n{"password": "sunny moon"}',
        'HTTP 200\n{"passwordConfirm": "sunshine"}',
        'env: [{"name": "DB_PASSWORD", "value": "sunshine"}]',
    ],
)
def test_json_within_a_text_is_read_by_its_keys(text: str) -> None:
    clean = Withholder().text(text)
    assert "sun" not in clean
    assert clean.count("[withheld: password]") == text.count("sun")


@pytest.mark.parametrize(
    "value",
    [
        [{"login": "octo-cat99", "id": 583231, "type": "User"}, {"login": "torvalds42", "id": 1024025}],
        {"card": {"title": "Fix the login", "id": "5f3a9c8d7e6b5a4f3a9c8d7e"}},
        {"card": {"brand": "visa", "last4": "6467"}},
        {"network": "CorpNet-5G", "password_changed_at": "2026-11-20T10:00:00Z"},
        {"cache_key": "user:123:profile", "item_code": "4711", "seed": "1234567"},
        {"price": 1.10, "password": None},
    ],
)
def test_json_as_a_text_is_read_as_the_value_it_is(value: Any) -> None:
    for indent in (None, 2):
        text = json.dumps(value, indent=indent)
        assert Withholder().value(value) == value
        assert Withholder().text(text) == text
        assert Withholder().text(f" {text}\n") == f" {text}\n"


def test_a_secret_in_a_value_of_json_goes_whatever_its_key() -> None:
    text = json.dumps({"note": "My password is hunter2-Zebra.", "n": [4539148803436467]})
    assert json.loads(Withholder().text(text)) == {
        "note": "My password is [withheld: password].", "n": ["[withheld: card number]"],
    }  # fmt: skip


@pytest.mark.parametrize("levels", [1, 63, 64, 65, 500, 20_000])
def test_json_of_however_many_levels_in_a_text_is_no_error(levels: int) -> None:
    text = '{"a":' * levels + '"My password is hunter2-Zebra."' + "}" * levels
    assert "Zebra" not in Withholder().text(text)


@pytest.mark.parametrize("last", ['""', "null", '"hunter2-Zebra"', "{}"])
def test_a_name_that_json_has_twice_hides_nothing(last: str) -> None:
    assert "Zebra" not in Withholder().text(f'{{"password": "hunter2-Zebra", "password": {last}}}')
    assert "Zebra" not in Withholder().text(
        f'so: {{"a": {{"pin": 1, "password": "hunter2-Zebra", "password": {last}}}}}'
    )
