"""What makes an asynchronous verb blocking: an event loop in a thread."""

import asyncio
import atexit
import os
import threading
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import CancelledError
from contextlib import AsyncExitStack, closing
from typing import Any, TypeVar
from weakref import WeakSet, finalize

from memoranda.errors import InputError, StoreUnavailableError

_T = TypeVar("_T")
_OPEN: WeakSet["Loop"] = WeakSet()


@atexit.register
def _close_with_program() -> None:
    """Close what a program left open. At this point executors accept no work, but the loop threads still run."""
    for loop in list(_OPEN):
        loop.close()


class Loop:
    """The event loop of one open memory, in its own thread. It lives as long as the memory or any scope of it."""

    def __init__(self) -> None:
        self._loop, end = asyncio.new_event_loop(), asyncio.Event()
        self._closing = AsyncExitStack()
        self._end = finalize(self, self._loop.call_soon_threadsafe, end.set)
        self._end.atexit = False  # `_close_with_program` does more
        self._handing = threading.RLock()  # a signal handler may close in the middle of a call
        self._process = os.getpid()
        self._thread = threading.Thread(target=_keep, args=(self._loop, end), name="memoranda-loop", daemon=True)
        self._thread.start()  # last, so that an interrupt leaves nothing behind that cannot end
        _OPEN.add(self)

    def call(self, function: Callable[..., Awaitable[_T]], *args: Any) -> _T:
        """Return the result of `function`.

        Raises:
            StoreUnavailableError: the memory was closed, or opened before this process was forked.
            InputError: a callback such as `progress` calls the memory: both would wait for ever.
        """
        if os.getpid() != self._process:
            raise StoreUnavailableError("This memory was opened before the process forked: open one in each process.")
        self._check_thread()
        with self._handing:  # nobody would answer a call passed on after the end
            if not self._end.alive:
                raise StoreUnavailableError("This memory was closed: open it again.")
            begun: list[asyncio.Task[Any] | None] = []
            answer = asyncio.run_coroutine_threadsafe(_answer(function, args, begun), self._loop)
        try:
            return answer.result()
        except KeyboardInterrupt:
            answer.cancel()  # else the abandoned call would run until the memory is closed
            asyncio.run_coroutine_threadsafe(_over(begun), self._loop).result()  # unless interrupted once more
            raise
        except CancelledError as error:
            raise StoreUnavailableError("This memory was closed during the call: open it again.") from error

    def on_close(self, close: Callable[[], Awaitable[None]]) -> None:
        """Register `close` to be called before the thread ends."""
        self._closing.push_async_callback(close)

    def close(self) -> None:
        """Release what was registered and end the thread; further calls are refused."""
        _OPEN.discard(self)
        if os.getpid() != self._process:  # a forked process has no thread to end
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
    """Run a loop. `asyncio.run` would wait for executors in a new thread, which an exiting interpreter cannot start."""
    with closing(loop):
        loop.run_until_complete(_stay(end))


async def _stay(end: asyncio.Event) -> None:
    """Keep the loop running until `end` is set, then cancel what is left, so that nobody waits for ever."""
    await end.wait()
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
    await asyncio.get_running_loop().shutdown_asyncgens()


async def _answer(
    function: Callable[..., Awaitable[_T]], args: tuple[Any, ...], begun: list[asyncio.Task[Any] | None]
) -> _T:
    begun.append(asyncio.current_task())
    return await function(*args)


async def _over(begun: Sequence[asyncio.Task[Any] | None]) -> None:
    """Wait until a cancelled call has cleaned up; it may not have started at all."""
    for task in filter(None, begun):
        await asyncio.wait([task])
