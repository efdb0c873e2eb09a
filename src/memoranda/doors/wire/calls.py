"""Calling a verb for somebody else: with JSON in their name, answering in JSON."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from memoranda.core.base.checks import brief
from memoranda.core.base.plain import plain
from memoranda.core.base.scope import SHARED, Owner
from memoranda.doors.wire.callers import Caller
from memoranda.errors import AccessError, ScopeError
from memoranda.flows.governance.quotas import Held, held
from memoranda.flows.runtime.audit import through
from memoranda.flows.runtime.repeats import Mark, once
from memoranda.memory import AsyncMemory
from memoranda.verbs.registry import VERBS, Stream, Verb
from memoranda.verbs.schema import Types, arguments, decode

_PLACED = "working"  # the face that is of one conversation or run


@cache
def local(verb: Verb[..., Any]) -> frozenset[str]:
    """Return the arguments that no request may give: the tenant, and what only who runs the process may."""
    return frozenset({*verb.facts.local.split(), *(() if verb.scoped else ("tenant",))})


@cache
def offered(verb: Verb[..., Any]) -> bool:
    """Whether a verb can be called with JSON, and answers with it, and is not for who runs the process alone."""
    if verb.facts.local == "*":
        return False
    given = arguments(verb, leaving=local(verb))
    needed = {name for name, one in verb.signature.parameters.items() if one.default is one.empty} - local(verb)
    return (
        needed <= given["properties"].keys() and Types(answers=True).shape(verb.signature.return_annotation) is not None
    )


def verbs() -> Iterator[Verb[..., Any]]:
    """Yield all verbs that can be called through a door."""
    return filter(offered, VERBS.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A verb that is to be called.

    Attributes:
        verb: the verb.
        caller: for whom.
        user: whose memory it is about; None if the verb is about a tenant.
        place: what the request says of its place; `conversation` or `run`: whose working memory.
        data: its arguments, as an object of JSON.
    """

    verb: Verb[..., Any]
    caller: Caller
    user: str | None = None
    place: Mapping[str, Any] = field(default_factory=dict)
    data: Any
    conversation: str | None = None
    run: str | None = None

    def made(self, memory: AsyncMemory, **more: Any) -> Callable[[], Any]:
        """Return what calls the verb; what can be told to be wrong before it is called is refused here.

        Args:
            memory: on which it is called.
            more: arguments that are no JSON.

        Raises:
            MemorandaError: the arguments are wrong, or the caller may not call it so.
        """
        self.caller.check(self.verb)
        given = decode(self.verb, self.data, leaving=local(self.verb))
        return partial(getattr(self._face(memory, given), self.verb.method), **given, **more)

    async def answer(self, memory: AsyncMemory, **more: Any) -> Any:
        """Call the verb, and return its answer as JSON; that of a stream is the rows, which are still to come.

        Raises:
            MemorandaError: as the verb does; or the caller may not call it so.
        """
        method = self.made(memory, **more)
        with through(self.caller.key):
            if not isinstance(self.verb, Stream):
                return plain(await method())
            rows = method()
            return _after(await anext(rows, None), rows)  # with the first it is audited, or refused

    def mark(self, name: str) -> Mark:
        """Return the mark of this call, to which the caller gives a name."""
        request = [self.verb.name, self.user, dict(self.place), self.conversation, self.run, self.data]
        return Mark.of(self.caller.root, name, request)

    async def once(self, memory: AsyncMemory, name: str, **more: Any) -> tuple[Any, bool]:
        """Call the verb as `answer` does, but once for all calls to which the caller gives this name.

        Returns:
            The answer, and whether it is that of an earlier call.
        """
        self.caller.check(self.verb)
        owner = Owner(self.caller.tenant, self.user or SHARED)
        work = partial(self.answer, memory, **more)
        return await once(memory.runtime, owner, self.mark(name), work, keep=not self.verb.facts.secret)

    async def held(self, memory: AsyncMemory) -> Held:
        """Return how much there is of the user, and of the conversation, that the call is about."""
        scope = memory.scope(**self.caller.scope(self.user or "", self.place)).scope
        told = self.conversation or self.data.get("conversation") or scope.conversation
        return await held(memory.runtime, scope.narrow(conversation=told))

    def _face(self, memory: AsyncMemory, given: dict[str, Any]) -> Any:
        name = self.verb.name.rpartition(".")[0]
        if not self.verb.scoped:
            return self._of_tenant(getattr(memory, name) if name else memory, given)
        if self.user is None:
            raise ScopeError("This is about one user's memory: name the user.")
        scoped = memory.scope(**self.caller.scope(self.user, self.place))
        if name == _PLACED:
            return scoped.working(self.conversation, run=self.run)
        return getattr(scoped, name) if name else scoped

    def _of_tenant(self, face: Any, given: dict[str, Any]) -> Any:
        """Name in what is given the tenant; for a key of one user, that user and the key's team, and no others."""
        caller, takes = self.caller, self.verb.signature.parameters
        given["tenant"] = caller.tenant
        if caller.agent is not None:
            raise AccessError(f"{self.verb.name} concerns all agents; this key is for one agent alone.")
        if caller.user is not None:
            if "user" not in takes:
                raise AccessError(f"{self.verb.name} concerns a whole tenant; this key is for one user alone.")
            own = {"user": caller.user, "team": caller.team}
            for what in own.keys() & takes.keys():
                if given.setdefault(what) not in {None, own[what]}:
                    raise AccessError(f"This key is not for the {what} {brief(given[what])}.")
                given[what] = own[what]
        return face


async def _after(first: Any, rows: AsyncIterator[Any]) -> AsyncIterator[Any]:
    if first is not None:
        yield plain(first)
        async for row in rows:
            yield plain(row)
