"""A scheduler of coroutines that is told where to switch: the same switches, the same run, and no time passes.

Whatever a coroutine asks of a port (store, cache, embedder, model, the host) is a point, before the port works and
once more before it answers. At a chosen point of one verb, another verb is run whole. If the other one cannot go on
before the first does (it waits for a lock), the first goes on, and the rest is run as the locks allow.
"""

import asyncio
import selectors
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

Verb = Callable[[], Awaitable[Any]]


class _Selector(selectors.DefaultSelector):
    """Asked when nothing is ready to run, and never waits: it lets the loop wake a verb, or jump to the next timer."""

    idle: Callable[[float | None], None]

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout > 0:
            self.idle(timeout)
        return super().select(0)


class Loop(asyncio.SelectorEventLoop):
    """An event loop with a clock of its own, which moves only when nobody could do anything else."""

    def __init__(self) -> None:
        selector = _Selector()
        selector.idle = self._idle
        self._moment = 0.0
        self._parked: list[asyncio.Future[None]] = []
        super().__init__(selector)

    def time(self) -> float:
        return self._moment

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:  # noqa: ARG002
        """Work of another thread is done at once: it touches nothing that the verbs share."""
        done: asyncio.Future[Any] = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:  # noqa: BLE001 - whoever waits for it gets it
            done.set_exception(error)
        return done

    async def park(self, until: asyncio.Task[Any]) -> None:
        """Wait until a task is done, or until nobody can go on before the caller does."""
        waiter: asyncio.Future[None] = self.create_future()
        self._parked.append(waiter)
        until.add_done_callback(lambda _: waiter.done() or waiter.set_result(None))
        await waiter

    def _idle(self, timeout: float | None) -> None:
        self._parked = [waiter for waiter in self._parked if not waiter.done()]
        if self._parked:
            self._parked.pop(0).set_result(None)
        elif timeout is not None:
            self._moment += timeout
        else:
            raise AssertionError("every task waits, and nothing is left that could wake one")


@dataclass
class Actor:
    """A verb under way: the points it passed, by name, and what is to be run at some of them, by number."""

    name: str
    meanwhile: dict[int, tuple["Actor", Verb]] = field(default_factory=dict)
    points: list[str] = field(default_factory=list)
    begun: list[asyncio.Task[Any]] = field(default_factory=list)

    async def passing(self, point: str) -> None:
        self.points.append(point)
        if found := self.meanwhile.pop(len(self.points) - 1, None):
            actor, verb = found
            with acting(actor):
                task = asyncio.create_task(settled(verb))
            self.begun.append(task)
            loop = asyncio.get_running_loop()
            assert isinstance(loop, Loop)
            await loop.park(task)


_ACTOR: ContextVar[Actor | None] = ContextVar("actor", default=None)


@contextmanager
def acting(actor: Actor) -> Iterator[None]:
    """What is begun inside is done by `actor`."""
    token = _ACTOR.set(actor)
    try:
        yield
    finally:
        _ACTOR.reset(token)


def actor() -> str:
    """Who is at it: the name of a verb under way, or nobody's."""
    found = _ACTOR.get()
    return "" if found is None else found.name


async def point(name: str) -> None:
    """A place at which another verb may be run."""
    if found := _ACTOR.get():
        await found.passing(name)


async def settled(verb: Verb) -> Any:
    """What a verb answers, or the exception it ends in."""
    try:
        return await verb()
    except Exception as error:  # noqa: BLE001 - whatever it is, it is compared
        return error


async def done(verb: Verb, name: str) -> Any:
    """Run a verb alone, as the actor of this name."""
    with acting(Actor(name)):
        task = asyncio.create_task(settled(verb))
    return await task


async def interleaved(
    first: Verb, others: Mapping[int, Verb], names: Sequence[str] = ()
) -> tuple[list[Any], Sequence[str]]:
    """Run `first`, and at its points the others; return their answers, and the names of the points of `first`.

    `names` are those of the actors, the first, and the others in the order of their points: w0, w1 and so on.
    """
    names = names or [f"w{number}" for number in range(len(others) + 1)]
    meanwhile = {
        number: (Actor(name), verb) for name, (number, verb) in zip(names[1:], sorted(others.items()), strict=True)
    }
    reader = Actor(names[0], meanwhile)
    with acting(reader):
        task = asyncio.create_task(settled(first))
    answers = [await task]
    passed = tuple(reader.points)
    answers += [await other for other in reader.begun]
    return answers, passed


class Ports:
    """A port of which each call is two points."""

    def __init__(self, name: str, port: Any, calls: Sequence[str]) -> None:
        self._name = name
        self._port = port
        self._calls = frozenset(calls)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._port, name)
        return self._pointed(name, value) if name in self._calls else value

    def _pointed(self, name: str, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def passed(*args: Any, **options: Any) -> Any:
            await point(f"{self._name}.{name}")
            answer = await call(*args, **options)
            await point(f"{self._name}.{name} answered")
            return answer

        return passed
