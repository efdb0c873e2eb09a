"""The blocking face: the same verbs without `await`, one line each.

One thread per open memory runs the event loop; a call hands its coroutine over and waits. Signatures and
docstrings are those of the asynchronous face: the latter are copied, the former compared by a test.
"""

import asyncio
import atexit
import os
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import AsyncExitStack, ExitStack, closing
from datetime import datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar
from weakref import WeakSet, finalize

from memstrata import flows  # noqa: TC001 - whoever resolves the signatures needs it at run time
from memstrata.core.layouts import BUDGET, Layout
from memstrata.core.rows import Receipt, Record
from memstrata.core.scope import GLOBAL, Scope
from memstrata.errors import InputError, StoreUnavailableError
from memstrata.memory import AsyncMemory, AsyncScoped
from memstrata.ports import Clock, Embedder, Ids, LanguageModel, Reranker, Store

_T = TypeVar("_T")
_OPEN: WeakSet["_Loop"] = WeakSet()


@atexit.register
def _close_with_program() -> None:
    """Close what a program left open. Executors take nothing by then, but the threads of the loops still run."""
    for loop in list(_OPEN):
        loop.close()


class _Loop:
    """The event loop of one open memory, in a thread of its own. It lives as long as a memory or a scope of it."""

    def __init__(self) -> None:
        self._loop, end = asyncio.new_event_loop(), asyncio.Event()
        self._closing = AsyncExitStack()
        self._end = finalize(self, self._loop.call_soon_threadsafe, end.set)
        self._end.atexit = False  # `_close_with_program` does more
        self._handing = threading.RLock()  # a signal may close in the middle of a call
        self._process = os.getpid()
        self._thread = threading.Thread(target=_keep, args=(self._loop, end), name="memstrata-loop", daemon=True)
        self._thread.start()  # last: what an interrupt leaves behind knows how to end
        _OPEN.add(self)

    def call(self, function: Callable[..., Awaitable[_T]], *args: Any) -> _T:
        """What `function` answers.

        Raises:
            StoreUnavailableError: the memory was closed, or opened before this process was forked off.
            InputError: a function that the memory calls, as `progress`, calls it back: both would wait for ever.
        """
        if os.getpid() != self._process:
            raise StoreUnavailableError("This memory was opened before the process forked: open one in each process.")
        self._check_thread()
        with self._handing:  # what is handed over after the end nobody would answer
            if not self._end.alive:
                raise StoreUnavailableError("This memory was closed: open it again.")
            answer = asyncio.run_coroutine_threadsafe(_answer(function, args), self._loop)
        try:
            return answer.result()
        except CancelledError as error:
            raise StoreUnavailableError("This memory was closed during the call: open it again.") from error

    def on_close(self, close: Callable[[], Awaitable[None]]) -> None:
        """Have `close` called before the thread ends."""
        self._closing.push_async_callback(close)

    def close(self) -> None:
        """Release what is held and end the thread; further calls are refused."""
        _OPEN.discard(self)
        if os.getpid() != self._process:  # a fork has no thread to end
            self._end.detach()
            return
        self._check_thread()
        with self._handing:
            ending = self._end.detach()
        if ending:
            try:
                asyncio.run_coroutine_threadsafe(self._closing.aclose(), self._loop).result()
            finally:
                _, end, arguments, _ = ending
                end(*arguments)
                self._thread.join()

    def _check_thread(self) -> None:
        if threading.current_thread() is self._thread:
            raise InputError("A function that this memory calls cannot call it back: do so when the call has ended.")


def _keep(loop: asyncio.AbstractEventLoop, end: asyncio.Event) -> None:
    """Run a loop. `asyncio.run` would wait for executors in one more thread, and an ending interpreter starts none."""
    with closing(loop):
        loop.run_until_complete(_stay(end))


async def _stay(end: asyncio.Event) -> None:
    """Keep the loop until the end, and let nobody wait for ever."""
    await end.wait()
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
    await asyncio.get_running_loop().shutdown_asyncgens()


async def _answer(function: Callable[..., Awaitable[_T]], args: tuple[Any, ...]) -> _T:
    return await function(*args)


class Memory:
    __doc__ = AsyncMemory.__doc__

    def __init__(self, memory: AsyncMemory, loop: _Loop) -> None:
        self._memory = memory
        self._loop = loop

    @classmethod
    def open(
        cls,
        url: str | Path | Store = ":memory:",
        *,
        embedder: str | Embedder = "auto",
        language_model: str | LanguageModel | None = None,
        reranker: str | Reranker | None = None,
        durability: str = "full",
        clock: Clock | None = None,
        ids: Ids | None = None,
        settings: "flows.signatures.Settings | None" = None,
    ) -> Self:
        options: dict[str, Any] = {
            "embedder": embedder,
            "language_model": language_model,
            "reranker": reranker,
            "durability": durability,
            "clock": clock,
            "ids": ids,
            "settings": settings,
        }
        with ExitStack() as undo:
            loop = undo.enter_context(closing(_Loop()))
            memory = loop.call(partial(AsyncMemory.open, url, **options))
            loop.on_close(memory.close)
            undo.pop_all()
        return cls(memory, loop)

    def scope(
        self,
        *,
        tenant: str,
        user: str,
        agent: str | None = None,
        team: str | None = None,
        channel: str = GLOBAL,
        connections: Sequence[str] = (),
        conversation: str | None = None,
        task: str | None = None,
        whole: bool = False,
    ) -> "Scoped":
        names: dict[str, Any] = {
            "agent": agent,
            "team": team,
            "channel": channel,
            "conversation": conversation,
            "task": task,
            "whole": whole,
        }
        scoped = self._memory.scope(tenant=tenant, user=user, connections=connections, **names)
        return Scoped(scoped, self._loop)

    def stats(self, *, tenant: str, user: str | None = None) -> dict[str, Any]:
        return self._loop.call(partial(self._memory.stats, tenant=tenant, user=user))

    def doctor(self, *, tenant: str, user: str | None = None) -> "flows.signatures.Health":
        return self._loop.call(partial(self._memory.doctor, tenant=tenant, user=user))

    def reembed(
        self, *, tenant: str, user: str | None = None, progress: "flows.signatures.Progress | None" = None
    ) -> "flows.signatures.Reembedded":
        return self._loop.call(partial(self._memory.reembed, tenant=tenant, user=user, progress=progress))

    def close(self) -> None:
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Scoped:
    __doc__ = AsyncScoped.__doc__

    def __init__(self, scoped: AsyncScoped, loop: _Loop) -> None:
        self._scoped = scoped
        self._loop = loop

    @property
    def scope(self) -> Scope:
        """The scope of every call."""
        return self._scoped.scope

    def add(
        self,
        messages: "Sequence[flows.signatures.Message | Mapping[str, Any]]",
        *,
        conversation: str | None = None,
        surface: str = "chat",
        connection: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> "flows.signatures.Captured":
        names: dict[str, Any] = {
            "conversation": conversation,
            "surface": surface,
            "connection": connection,
            "metadata": metadata,
        }
        return self._loop.call(partial(self._scoped.add, messages, **names))

    def observe(
        self,
        content: str,
        *,
        category: str = "fact",
        source: str = "user_provided",
        surface: str = "tool",
        connection: str | None = None,
        at: datetime | None = None,
        key: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> "flows.signatures.Captured":
        names: dict[str, Any] = {"category": category, "source": source, "surface": surface, "connection": connection}
        return self._loop.call(partial(self._scoped.observe, content, at=at, key=key, metadata=metadata, **names))

    def recall(
        self,
        query: str,
        *,
        limit: int = 10,
        tokens: int | None = None,
        kinds: Iterable[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        profile: str = "balanced",
        per_conversation: int | None = None,
        arms: Iterable[str] | None = None,
        now: datetime | None = None,
        techniques: Sequence[str] = (),
        deadline: float | None = None,
    ) -> "flows.signatures.Recalled":
        times: dict[str, Any] = {"since": since, "until": until, "as_of": as_of, "known_at": known_at, "now": now}
        limits: dict[str, Any] = {"limit": limit, "tokens": tokens, "per_conversation": per_conversation}
        ways: dict[str, Any] = {"profile": profile, "arms": arms, "techniques": techniques, "deadline": deadline}
        return self._loop.call(partial(self._scoped.recall, query, kinds=kinds, **times, **limits, **ways))

    def context(
        self,
        query: str,
        *,
        conversation: str | None = None,
        budget: int | None = None,
        budgets: Mapping[str, int] | None = None,
        layout: str | Layout = "memory",
        brings: "Mapping[str, flows.signatures.Content | flows.signatures.Provider] | None" = None,
        now: datetime | None = None,
        techniques: Sequence[str] = (),
        deadline: float | None = None,
    ) -> "flows.signatures.Context":
        names: dict[str, Any] = {"conversation": conversation, "budget": budget, "budgets": budgets, "now": now}
        ways: dict[str, Any] = {"layout": layout, "brings": brings, "techniques": techniques, "deadline": deadline}
        return self._loop.call(partial(self._scoped.context, query, **names, **ways))

    def profile(self, *, now: datetime | None = None) -> "flows.signatures.Profile":
        return self._loop.call(partial(self._scoped.profile, now=now))

    def history(self, record: str) -> tuple[Record, ...]:
        return self._loop.call(self._scoped.history, record)

    def why(
        self,
        query: str,
        item: str | None = None,
        *,
        limit: int = 10,
        tokens: int | None = None,
        kinds: Iterable[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        profile: str = "balanced",
        per_conversation: int | None = None,
        now: datetime | None = None,
        techniques: Sequence[str] = (),
        deadline: float | None = None,
    ) -> "flows.signatures.Why":
        times: dict[str, Any] = {"since": since, "until": until, "as_of": as_of, "known_at": known_at, "now": now}
        limits: dict[str, Any] = {"limit": limit, "tokens": tokens, "per_conversation": per_conversation}
        ways: dict[str, Any] = {"profile": profile, "techniques": techniques, "deadline": deadline}
        return self._loop.call(partial(self._scoped.why, query, item, kinds=kinds, **times, **limits, **ways))

    def evaluate(
        self,
        questions: "Sequence[flows.signatures.Question | Mapping[str, Any]]",
        *,
        configurations: "Sequence[flows.signatures.Configuration]" = (),
        ablate: bool = False,
        budget: int = BUDGET,
        seed: int = 0,
        progress: "flows.signatures.Progress | None" = None,
    ) -> "flows.signatures.Evaluation":
        names: dict[str, Any] = {"configurations": configurations, "ablate": ablate, "budget": budget, "seed": seed}
        return self._loop.call(partial(self._scoped.evaluate, questions, progress=progress, **names))

    def forget(
        self,
        *,
        record: str | None = None,
        source: str | None = None,
        conversation: str | None = None,
        everything: bool = False,
    ) -> Receipt:
        names: dict[str, Any] = {"record": record, "source": source, "conversation": conversation}
        return self._loop.call(partial(self._scoped.forget, everything=everything, **names))

    def import_conversations(
        self,
        conversations: "Iterable[flows.signatures.Conversation]",
        *,
        progress: "flows.signatures.Progress | None" = None,
    ) -> "flows.signatures.Imported":
        return self._loop.call(partial(self._scoped.import_conversations, conversations, progress=progress))

    def export(self) -> Iterator[dict[str, Any]]:
        rows = self._scoped.export()
        while (row := self._loop.call(anext, rows, None)) is not None:
            yield row


for _mine, _theirs in ((Memory, AsyncMemory), (Scoped, AsyncScoped)):
    for _name, _verb in vars(_mine).items():
        if not _name.startswith("_") and hasattr(_theirs, _name) and not _verb.__doc__:
            getattr(_verb, "__func__", _verb).__doc__ = getattr(_theirs, _name).__doc__
