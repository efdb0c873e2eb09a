"""The blocking API: the same methods without `await`, one line each.

One thread per open memory runs the event loop; a call passes its coroutine to that loop and waits. Each method wraps
the asynchronous one, with its signature and docstring.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from functools import partial, wraps
from inspect import signature
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self

from memoranda import faces
from memoranda.core.base.scope import Scope
from memoranda.faces.loop import Blocking, Loop, blocking
from memoranda.flows import loaded as flows  # noqa: TC001 - annotations are evaluated with it
from memoranda.memory import AsyncMemory
from memoranda.ports import Cache, Clock, Embedder, Ids, Models, Reranker, Store, Task
from memoranda.scoped import AsyncScoped

_P = ParamSpec("_P")


class Scoped(Blocking[AsyncScoped]):
    __doc__ = AsyncScoped.__doc__

    @property
    def scope(self) -> Scope:
        """The scope of every call."""
        return self._face.scope

    add = blocking(AsyncScoped.add)
    observe = blocking(AsyncScoped.observe)
    recall = blocking(AsyncScoped.recall)
    context = blocking(AsyncScoped.context)
    profile = blocking(AsyncScoped.profile)
    history = blocking(AsyncScoped.history)
    events = blocking(AsyncScoped.events)
    retry = blocking(AsyncScoped.retry)
    metrics = blocking(AsyncScoped.metrics)
    audit = blocking(AsyncScoped.audit)
    why = blocking(AsyncScoped.why)
    evaluate = blocking(AsyncScoped.evaluate)
    forget = blocking(AsyncScoped.forget)
    import_conversations = blocking(AsyncScoped.import_conversations)

    @property
    def goals(self) -> "faces.blocking.Goals":
        return faces.blocking.Goals(self._face.goals, self._loop)

    @property
    def pools(self) -> "faces.blocking.Pools":
        return faces.blocking.Pools(self._face.pools, self._loop)

    @property
    def collections(self) -> "faces.blocking.Collections":
        return faces.blocking.Collections(self._face.collections, self._loop)

    @property
    def tools(self) -> "faces.blocking.Tools":
        return faces.blocking.Tools(self._face.tools, self._loop)

    @property
    def strategies(self) -> "faces.blocking.Strategies":
        return faces.blocking.Strategies(self._face.strategies, self._loop)

    @property
    def entries(self) -> "faces.blocking.Entries":
        return faces.blocking.Entries(self._face.entries, self._loop)

    @property
    def graph(self) -> "faces.blocking.Graph":
        return faces.blocking.Graph(self._face.graph, self._loop)

    @property
    def channels(self) -> "faces.blocking.Channels":
        return faces.blocking.Channels(self._face.channels, self._loop)

    @property
    def connections(self) -> "faces.blocking.Connections":
        return faces.blocking.Connections(self._face.connections, self._loop)

    @property
    def review(self) -> "faces.blocking.Review":
        return faces.blocking.Review(self._face.review, self._loop)

    @property
    def outcomes(self) -> "faces.blocking.Outcomes":
        return faces.blocking.Outcomes(self._face.outcomes, self._loop)

    @property
    def router(self) -> "faces.blocking.Router":
        return faces.blocking.Router(self._face.router, self._loop)

    def working(self, conversation: str | None = None, *, run: str | None = None) -> "faces.blocking.Working":
        return faces.blocking.Working(self._face.working(conversation, run=run), self._loop)

    def export(self) -> Iterator[dict[str, Any]]:
        rows = self._face.export()
        while (row := self._loop.call(anext, rows, None)) is not None:
            yield row


def _scoping(
    verb: Callable[Concatenate[AsyncMemory, _P], AsyncScoped],
) -> Callable[Concatenate[Blocking[AsyncMemory], _P], Scoped]:
    @wraps(verb)
    def call(self: Blocking[AsyncMemory], /, *args: _P.args, **names: _P.kwargs) -> Scoped:
        try:
            return Scoped(verb(self._face, *args, **names), self._loop)
        except TypeError:
            raise faces.calls.misfit(self, call, args, names) from None  # type: ignore[misc] # nothing ran yet

    call.__annotations__ = {**verb.__annotations__, "return": Scoped}
    call.__signature__ = signature(verb).replace(return_annotation=Scoped)  # type: ignore[attr-defined] # inspect asks
    return call


class Memory(Blocking[AsyncMemory]):
    __doc__ = AsyncMemory.__doc__

    @classmethod
    def open(
        cls,
        url: str | Path | Store = ":memory:",
        *,
        embedder: str | Embedder = "auto",
        next_embedder: str | Embedder = "none",
        language_model: Models | Mapping[Task, Models] = None,
        reranker: str | Reranker | None = None,
        cache: str | Cache | None = None,
        durability: str = "full",
        clock: Clock | None = None,
        ids: Ids | None = None,
        settings: "flows.signatures.Settings | None" = None,
    ) -> Self:
        options: dict[str, Any] = {
            "embedder": embedder,
            "next_embedder": next_embedder,
            "language_model": language_model,
            "reranker": reranker,
            "cache": cache,
            "durability": durability,
            "clock": clock,
            "ids": ids,
            "settings": settings,
        }
        with ExitStack() as undo:
            loop = undo.enter_context(closing(Loop()))
            memory = loop.call(partial(AsyncMemory.open, url, **options))
            loop.on_close(memory.close)
            undo.pop_all()
        return cls(memory, loop)

    scope = _scoping(AsyncMemory.scope)
    stats = blocking(AsyncMemory.stats)
    doctor = blocking(AsyncMemory.doctor)
    reembed = blocking(AsyncMemory.reembed)
    flush_idle = blocking(AsyncMemory.flush_idle)
    consolidate = blocking(AsyncMemory.consolidate)
    run_job = blocking(AsyncMemory.run_job)
    jobs = blocking(AsyncMemory.jobs)
    work = blocking(AsyncMemory.work)
    cost = blocking(AsyncMemory.cost)
    budget = blocking(AsyncMemory.budget)
    rebuild = blocking(AsyncMemory.rebuild)

    def close(self) -> None:
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


for _mine, _theirs in ((Memory, AsyncMemory), (Scoped, AsyncScoped)):  # docstrings for the methods written out above
    for _name, _verb in vars(_mine).items():
        if not _name.startswith("_") and hasattr(_theirs, _name) and not _verb.__doc__:
            getattr(getattr(_verb, "fget", _verb), "__func__", _verb).__doc__ = getattr(_theirs, _name).__doc__
