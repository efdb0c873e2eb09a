"""The two faces are one: the same verbs, the same signatures, the same words; and the front door holds."""

import asyncio
import gc
import inspect
import pydoc
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, get_type_hints

import anyio
import pytest

import memoranda
from memoranda import AsyncMemory, AsyncScoped, MemorandaError, Memory, Scoped, Settings
from memoranda.core.formats.conversation import Conversation, Message
from memoranda.errors import InputError, ScopeError, StoreError, StoreUnavailableError
from memoranda.models.hashed import HashedEmbedder
from memoranda.stores.dict_ import DictStore
from memoranda.testing.fakes import FrozenClock, SequentialIds
from memoranda.verbs.loop import Loop
from memoranda.verbs.registry import VERBS, Stream
from memoranda.verbs.scoped import InScope

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_is_the_same_in_both_colours(name: str) -> None:
    verb = VERBS[name]
    assert inspect.signature(verb.awaited) == inspect.signature(verb.waiting)
    assert verb.awaited.__doc__ == verb.waiting.__doc__ == verb.__doc__
    assert (verb.__doc__ or "").partition("\n")[0].endswith(".")
    assert inspect.iscoroutinefunction(verb.awaited) is not isinstance(verb, Stream)
    assert not inspect.iscoroutinefunction(verb.waiting)


@pytest.mark.parametrize("name", VERBS)
def test_signatures_can_be_resolved(name: str) -> None:
    """As whoever makes a tool of a verb does."""
    for method in (VERBS[name].awaited, VERBS[name].waiting):
        assert {*get_type_hints(method)} == {*inspect.signature(method).parameters, "return"} - {"self"}


@pytest.mark.parametrize("name", VERBS)
def test_every_argument_of_a_verb_is_described(name: str) -> None:
    verb = VERBS[name]
    assert verb.described.keys() == verb.signature.parameters.keys()


def test_what_is_no_verb_is_the_same_with_and_without_await() -> None:
    assert str(inspect.signature(Memory.open)) == str(inspect.signature(AsyncMemory.open))
    assert Memory.open.__doc__ == AsyncMemory.open.__doc__
    assert [name for name in dir(Memory) if name[0] != "_"] == [name for name in dir(AsyncMemory) if name[0] != "_"]
    assert [name for name in dir(Scoped) if name[0] != "_"] == [name for name in dir(AsyncScoped) if name[0] != "_"]


def test_help_shows_each_verb_with_its_arguments() -> None:
    with Memory.open(embedder="none") as memory:
        alice = memory.scope(tenant="acme", user="alice")
        told = pydoc.plain(pydoc.render_doc(alice.goals.add))
        assert "add(text: str, *" in told.replace("\n", " ")
        assert "Set a goal" in told
        assert "find" in dir(alice.goals)
    assert "Return the memories relevant to a question" in pydoc.plain(pydoc.render_doc(Scoped))


def test_a_verb_can_be_called_on_the_class() -> None:
    with Memory.open(embedder="none") as memory:
        assert InScope.recall(memory.scope(tenant="acme", user="alice"), "Where?") is not None


def test_what_is_exported_is_documented() -> None:
    for name in memoranda.__all__:
        if name != "__version__":
            assert getattr(memoranda, name).__doc__, name


def test_every_verb_answers_without_await() -> None:
    with Memory.open(DictStore(), embedder="hashed", clock=FrozenClock(), ids=SequentialIds()) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        assert alice.scope.user == "alice"
        captured = alice.add([{"role": "user", "content": "I live in Oslo."}], conversation="c")
        assert alice.observe("The crab is blue").decisions[0].outcome == "added"
        assert "I live in Oslo." in [item.text for item in alice.recall("Where do I live?")]
        assert "Oslo" in alice.context("Where do I live?").text
        assert alice.profile().plain() == {"location": {"city": "Oslo"}, "facts": "The crab is blue"} or alice.profile()
        assert [row.value for row in alice.history(captured.records[0])] == ["Oslo"]
        assert alice.why("Where do I live?", captured.events[0]).place
        assert "The crab is blue" in [cut.text for cut in alice.why("Where do I live?").cut]
        asked = [{"query": "Where do I live?", "answers": ["Oslo"]}]
        assert alice.evaluate(asked).runs[0].figures["R@5"] == 1.0
        assert alice.import_conversations([]).turns == 0
        first, *rest = alice.export()
        assert first["format"] == "memstrata-export/2"
        assert rest[-1]["rows"] == len(rest) - 1
        assert memory.stats(tenant="acme")["events"] == 2
        assert memory.doctor(tenant="acme").embedded == 1.0
        assert memory.reembed(tenant="acme").embedded == 0
        desk = alice.working("c")
        assert desk.add([{"role": "user", "content": "I live in Rome."}]).waiting == 1
        assert desk.set("k", 1).existed is False
        assert desk.get("k") == 1
        assert memory.flush_idle(tenant="acme").events == ()
        assert alice.forget(everything=True).removed["events"] == 3


def test_an_export_can_be_left_half_read() -> None:
    with Memory.open(DictStore(), embedder="none") as memory:
        alice = memory.scope(tenant="acme", user="alice")
        alice.add([{"role": "user", "content": "I live in Oslo."}])
        assert next(iter(alice.export()))["user"] == "alice"


def test_errors_come_through(tmp_path: Path) -> None:
    with Memory.open(embedder="none") as memory:
        with pytest.raises(ScopeError):
            memory.scope(tenant="", user="alice")
        with pytest.raises(InputError):
            memory.scope(tenant="acme", user="alice").recall("")
    with pytest.raises(StoreError):
        Memory.open(tmp_path / "no" / "such" / "folder" / "memory.db", embedder="none")


def test_a_closed_memory_says_so() -> None:
    memory = Memory.open(embedder="hashed")
    alice = memory.scope(tenant="acme", user="alice")
    memory.close()
    memory.close()
    with pytest.raises(StoreUnavailableError, match="closed"):
        alice.add([{"role": "user", "content": "hello"}])
    with pytest.raises(StoreUnavailableError, match="closed"):
        memory.stats(tenant="acme")


def test_the_embedder_is_released_though_the_store_is_not() -> None:
    class Stuck(DictStore):
        async def close(self) -> None:
            raise StoreUnavailableError("stuck")

    class Released(HashedEmbedder):
        released = False

        async def close(self) -> None:
            self.released = True

    embedder = Released(8)
    memory = Memory.open(Stuck(), embedder=embedder)
    with pytest.raises(StoreUnavailableError, match="stuck"):
        memory.close()
    assert embedder.released


def test_a_call_that_is_under_way_when_the_memory_is_closed_says_so() -> None:
    asked = threading.Event()

    class Waiting(HashedEmbedder):
        async def embed(self, texts: Sequence[str]) -> Any:  # noqa: ARG002
            asked.set()
            return await asyncio.Event().wait()

    memory = Memory.open(embedder=Waiting(8))
    alice = memory.scope(tenant="acme", user="alice")
    with ThreadPoolExecutor(1) as threads:
        call = threads.submit(alice.recall, "crab")
        asked.wait()
        memory.close()
        with pytest.raises(StoreUnavailableError, match="closed during the call"):
            call.result()


def test_a_call_that_is_overtaken_by_the_closing_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Memory.open(embedder="none")
    hand_over = asyncio.run_coroutine_threadsafe
    closing = threading.Thread(target=memory.close)

    def overtaken(coroutine: Any, loop: asyncio.AbstractEventLoop) -> Any:
        monkeypatch.undo()
        closing.start()
        closing.join(0.2)  # must not end before the call has been handed over
        return hand_over(coroutine, loop)

    monkeypatch.setattr(asyncio, "run_coroutine_threadsafe", overtaken)
    with suppress(StoreUnavailableError):
        memory.stats(tenant="acme")
    closing.join()


def test_an_interrupted_opening_leaves_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[threading.Thread] = []
    start = threading.Thread.start

    def interrupted(thread: threading.Thread) -> None:
        start(thread)
        begun.append(thread)
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    try:
        Memory.open(embedder="none")
    except KeyboardInterrupt:
        [thread] = begun
    monkeypatch.undo()
    gc.collect()
    thread.join(10)
    assert not thread.is_alive()


def test_an_interrupted_call_puts_in_order_what_it_had_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    loop, begun, done = Loop(), threading.Event(), []

    async def work() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            for _ in range(1000):
                await asyncio.sleep(0)
            done.append("in order")

    def interrupted(_: Future[None]) -> None:
        begun.wait()
        monkeypatch.undo()
        raise KeyboardInterrupt

    monkeypatch.setattr(Future, "result", interrupted)
    with pytest.raises(KeyboardInterrupt):
        loop.call(work)
    assert done == ["in order"]
    loop.close()


def test_a_function_that_a_memory_calls_cannot_call_it_back() -> None:
    with Memory.open(embedder="none") as memory:
        alice = memory.scope(tenant="acme", user="alice")
        told = [Conversation(id="c", messages=(Message(role="user", content="The crab is blue."),))]
        for back in (lambda _: memory.close(), lambda _: memory.stats(tenant="acme")):
            with pytest.raises(InputError, match="call it back"):
                alice.import_conversations(told, progress=back)
        assert len(alice.recall("crab")) == 1


def test_a_closed_async_memory_says_so() -> None:
    async def run() -> None:
        async with await AsyncMemory.open(embedder="hashed") as memory:
            alice = memory.scope(tenant="acme", user="alice")
        await memory.close()
        with pytest.raises(StoreUnavailableError, match="closed"):
            await alice.add([{"role": "user", "content": "hello"}])

    anyio.run(run)


def test_what_is_kept_in_a_file_is_there_when_it_is_opened_again(tmp_path: Path) -> None:
    for known in (0, 1):
        with Memory.open(tmp_path / "memory.db", embedder="hashed", durability="relaxed") as memory:
            alice = memory.scope(tenant="acme", user="alice")
            captured = alice.add([{"role": "user", "content": "I live in Oslo.", "id": "m1"}], conversation="c")
            assert captured.known == known
            assert len(alice.recall("Where do I live?", kinds=["fact"])) == 1


@pytest.mark.parametrize("spec", ["auto", "none", "hashed", HashedEmbedder(8)])
def test_every_way_to_name_an_embedder(spec: Any) -> None:
    with Memory.open(embedder=spec, settings=Settings(hot_bytes=1)) as memory:
        alice = memory.scope(tenant="acme", user="alice")
        alice.add([{"role": "user", "content": "I live in Oslo."}])
        assert alice.recall("Oslo")


def test_auto_goes_without_where_the_local_model_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "memoranda.models.local", None)
    with Memory.open() as memory:
        assert "no embedder" in memory.doctor(tenant="acme").problems[-1]
    with pytest.raises(MemorandaError, match=r"\.\[local\]"):
        Memory.open(embedder="local")


# ------------------------------------------------------------------------------------ without a network

REFUSE = """
import socket, sys

def refuse(*args, **options):
    raise AssertionError("a socket was opened")

class Refused(socket.socket):
    def __init__(self, family=-1, *rest, **options):
        if family in (socket.AF_INET, socket.AF_INET6, -1) and "fileno" not in options:
            refuse()
        super().__init__(family, *rest, **options)

socket.socket = Refused
socket.create_connection = socket.getaddrinfo = refuse
"""


def run(program: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_quick_start_opens_no_socket() -> None:
    done = run(REFUSE + (ROOT / "examples" / "quickstart.py").read_text("utf-8"))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("0."), "recall is empty"
    assert "short emails" in done.stdout
    assert "<memstrata-memory>" in done.stdout


@pytest.mark.parametrize("call", ["socket.socket()", "socket.socket(socket.AF_INET)", "socket.getaddrinfo('x', 1)"])
def test_the_refusal_refuses(call: str) -> None:
    done = run(f"{REFUSE}\n{call}")
    assert done.returncode == 1
    assert "a socket was opened" in done.stderr


LEFT_OPEN = """
from memoranda import Memory

alice = Memory.open(embedder="none").scope(tenant="acme", user="alice")
alice.add([{"role": "user", "content": "The crab is blue."}])
print(len(alice.recall("crab")))
"""


def test_a_scope_keeps_its_memory_open_and_a_program_ends() -> None:
    done = run(LEFT_OPEN)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "1", "")
