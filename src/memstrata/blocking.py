"""The blocking face: the same verbs without `await`, one line each.

One thread per open memory runs the event loop; a call hands its coroutine over and waits. Each verb is made of the
asynchronous one, and has its signature and its docstring.
"""

import asyncio
import atexit
import os
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import AsyncExitStack, ExitStack, closing
from functools import partial, wraps
from inspect import signature
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar
from weakref import WeakSet, finalize

from memstrata import flows  # noqa: TC001 - whoever resolves the signatures needs it at run time
from memstrata.core.scope import Scope
from memstrata.errors import InputError, StoreUnavailableError
from memstrata.memory import AsyncMemory, AsyncScoped
from memstrata.ports import Clock, Embedder, Ids, LanguageModel, Reranker, Store

_T = TypeVar("_T")
_F = TypeVar("_F")
_P = ParamSpec("_P")
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


class _Face(Generic[_F]):
    """What answers without `await`: an asynchronous face, and the loop that its verbs run in."""

    def __init__(self, face: _F, loop: _Loop) -> None:
        self._face = face
        self._loop = loop


def _blocking(verb: Callable[Concatenate[_F, _P], Awaitable[_T]]) -> Callable[Concatenate[_Face[_F], _P], _T]:
    @wraps(verb)
    def call(self: _Face[_F], /, *args: _P.args, **names: _P.kwargs) -> _T:
        return self._loop.call(partial(verb, self._face, *args, **names))

    return call


class Scoped(_Face[AsyncScoped]):
    __doc__ = AsyncScoped.__doc__

    @property
    def scope(self) -> Scope:
        """The scope of every call."""
        return self._face.scope

    add = _blocking(AsyncScoped.add)
    observe = _blocking(AsyncScoped.observe)
    recall = _blocking(AsyncScoped.recall)
    context = _blocking(AsyncScoped.context)
    profile = _blocking(AsyncScoped.profile)
    history = _blocking(AsyncScoped.history)
    why = _blocking(AsyncScoped.why)
    evaluate = _blocking(AsyncScoped.evaluate)
    forget = _blocking(AsyncScoped.forget)
    import_conversations = _blocking(AsyncScoped.import_conversations)

    def export(self) -> Iterator[dict[str, Any]]:
        rows = self._face.export()
        while (row := self._loop.call(anext, rows, None)) is not None:
            yield row


def _scoping(
    verb: Callable[Concatenate[AsyncMemory, _P], AsyncScoped],
) -> Callable[Concatenate[_Face[AsyncMemory], _P], Scoped]:
    @wraps(verb)
    def call(self: _Face[AsyncMemory], /, *args: _P.args, **names: _P.kwargs) -> Scoped:
        return Scoped(verb(self._face, *args, **names), self._loop)

    call.__annotations__ = {**verb.__annotations__, "return": Scoped}
    call.__signature__ = signature(verb).replace(return_annotation=Scoped)  # type: ignore[attr-defined] # inspect asks
    return call


class Memory(_Face[AsyncMemory]):
    __doc__ = AsyncMemory.__doc__

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

    scope = _scoping(AsyncMemory.scope)
    stats = _blocking(AsyncMemory.stats)
    doctor = _blocking(AsyncMemory.doctor)
    reembed = _blocking(AsyncMemory.reembed)

    def close(self) -> None:
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


for _mine, _theirs in ((Memory, AsyncMemory), (Scoped, AsyncScoped)):  # of the verbs that are written out
    for _name, _verb in vars(_mine).items():
        if not _name.startswith("_") and hasattr(_theirs, _name) and not _verb.__doc__:
            getattr(_verb, "__func__", _verb).__doc__ = getattr(_theirs, _name).__doc__
