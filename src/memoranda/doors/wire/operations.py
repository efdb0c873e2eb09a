"""Verbs that may take minutes, carried out while whoever called does something else.

An operation is a value: each step of it is a new one with a higher version, so that a follower needs only the latest,
however slow it reads. They are held by the process that carries them out, and end with it: what they write is as
durable as ever, and a call sent again with its name is not carried out twice. With several processes behind one
address, ask the one that answered 202. Nothing of an operation but its task is tied to the process: rows could hold
the values.
"""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Literal

from memoranda.core.base.checks import brief
from memoranda.doors.wire.callers import Caller
from memoranda.doors.wire.calls import Call
from memoranda.doors.wire.problems import UNEXPECTED, Problem, problem_of
from memoranda.errors import InputError, MemorandaError, NotFoundError
from memoranda.flows.runtime.repeats import Mark
from memoranda.memory import AsyncMemory
from memoranda.ports import Clock, Ids

State = Literal["running", "done", "failed", "cancelled"]
KEPT = timedelta(hours=1)  # after the end of an operation
_MOST = 1_000  # operations that a process holds
_PROGRESS = "progress"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """A verb that is being carried out, or was.

    Attributes:
        verb: its name; `right`: what a key must allow for it, and for asking about it.
        tenant, user, agent, team: whose it is; user None: of a whole tenant.
        version: counts its changes.
        progress: how much is done, in what the verb counts; None if it does not say.
        answer: of the verb, if it is done; `problem`: what it failed of, as a problem document.
    """

    id: str
    verb: str
    right: str
    tenant: str
    user: str | None
    agent: str | None
    team: str | None
    state: State = "running"
    version: int = 1
    progress: int | None = None
    begun_at: datetime
    ended_at: datetime | None = None
    answer: Any = None
    problem: dict[str, Any] | None = None

    def shown_to(self, caller: Caller) -> bool:
        """Whether a caller may know of it: who could have called the verb for the same user, agent and team."""
        return (
            (caller.tenant, caller.team) == (self.tenant, self.team)
            and caller.user in {None, self.user}
            and caller.agent in {None, self.agent}
            and self.right in caller.rights
        )

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        times = {"begun_at": self.begun_at.isoformat(), "ended_at": self.ended_at and self.ended_at.isoformat()}
        told = {"id": self.id, "verb": self.verb, "user": self.user, "state": self.state, "version": self.version}
        return {**told, "progress": self.progress, **times, "answer": self.answer, "problem": self.problem}


#: The schema of the document.
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["id", "verb", "user", "state", "version", "progress", "begun_at", "ended_at", "answer", "problem"],
    "properties": {
        "id": {"type": "string"},
        "verb": {"type": "string"},
        "user": {"type": ["string", "null"], "description": "Whose memory it is about; null: a whole tenant's."},
        "state": {"enum": ["running", "done", "failed", "cancelled"]},
        "version": {"type": "integer", "description": "Counts its changes."},
        "progress": {"type": ["integer", "null"], "description": "How much is done, in what the verb counts."},
        "begun_at": {"type": "string", "format": "date-time"},
        "ended_at": {"type": ["string", "null"], "format": "date-time"},
        "answer": {"description": "The answer of the verb, once it is done."},
        "problem": {"description": "What it failed of."},
    },
}


@dataclass(slots=True)
class _Held:
    """An operation, the name that its caller gave it, its task, and what its followers wait for."""

    operation: Operation
    mark: Mark | None
    task: asyncio.Task[Any] = field(init=False)
    moved: asyncio.Event = field(default_factory=asyncio.Event)


class Operations:
    """The operations of one process.

    Args:
        memory: they are carried out on it.
        clock: tells when they begin and end; `new_id`: names them.
        at_once: how many a tenant may have running; 0: any number.
    """

    def __init__(self, memory: AsyncMemory, clock: Clock, new_id: Ids, at_once: int) -> None:
        self._memory, self._clock, self._new_id, self._at_once = memory, clock, new_id, at_once
        self._held: dict[str, _Held] = {}
        self._closed = False

    def begin(self, call: Call, request_id: str, name: str | None = None) -> tuple[Operation, bool]:
        """Begin to carry out a call, unless the caller began one with this name before.

        Returns:
            The operation, and whether it was begun before.

        Raises:
            MemorandaError: the call is wrong, so far as can be told before it is carried out.
            Problem: too many are running.
        """
        call.made(self._memory)
        mark = None if name is None else call.mark(name)
        for known in self._held.values():
            if mark and known.mark and known.mark.id == mark.id:
                if known.mark.request != mark.request:
                    raise InputError("Another request had this name: give each request a name of its own.")
                return known.operation, True
        self._check_room(call.caller.tenant)
        own = call.user or call.caller.user
        agent = call.place.get("agent") or call.caller.agent
        operation = Operation(
            id=self._new_id(), verb=call.verb.name, right=call.verb.right, tenant=call.caller.tenant, user=own,
            agent=agent, team=call.caller.team, begun_at=self._clock(),
        )  # fmt: skip
        held = self._held[operation.id] = _Held(operation, mark)
        held.task = asyncio.create_task(self._carried_out(held, call, name))
        held.task.add_done_callback(partial(self._end, held, request_id))
        return operation, False

    def get(self, caller: Caller, name: str) -> Operation:
        """Return an operation.

        Raises:
            NotFoundError: there is none, or it is not the caller's.
        """
        self._tidy()
        held = self._held.get(name)
        if held is None or not held.operation.shown_to(caller):
            raise NotFoundError(
                f"There is no operation {brief(name)} here; the process that carries one out knows it until an hour "
                "after its end."
            )
        return held.operation

    def all(self, caller: Caller) -> Iterator[Operation]:
        """Yield the operations of a caller, the latest first."""
        self._tidy()
        return (one.operation for one in reversed([*self._held.values()]) if one.operation.shown_to(caller))

    async def ended(self, operation: Operation, seconds: float) -> Operation:
        """Wait for the end of an operation, but no longer than some seconds, and return it as it is then."""
        held = self._held[operation.id]
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while held.operation.ended_at is None:
                    await held.moved.wait()
        return held.operation

    async def moved(self, operation: Operation, seconds: float) -> Operation:
        """Wait for a higher version of an operation, but no longer than some seconds, and return it as it is then."""
        held = self._held[operation.id]
        if held.operation.version <= operation.version:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await held.moved.wait()
        return held.operation

    def cancel(self, operation: Operation) -> None:
        """Have an operation break off, if it is running. What it wrote stays."""
        self._held[operation.id].task.cancel()

    def stop(self) -> None:
        """Cancel all, and begin no more."""
        self._closed = True
        for held in self._held.values():
            held.task.cancel()

    async def close(self) -> None:
        """Cancel all, and wait until they have ended."""
        self.stop()
        await asyncio.gather(*(held.task for held in self._held.values()), return_exceptions=True)

    async def _carried_out(self, held: _Held, call: Call, name: str | None) -> Any:
        def advance(number: int) -> None:
            self._move(held, progress=(held.operation.progress or 0) + number)

        more = {_PROGRESS: advance} if _PROGRESS in call.verb.signature.parameters else {}
        if name is None:
            return await call.answer(self._memory, **more)
        return (await call.once(self._memory, name, **more))[0]

    def _end(self, held: _Held, request_id: str, task: asyncio.Task[Any]) -> None:
        ended_at = self._clock()
        if task.cancelled():
            return self._move(held, state="cancelled", ended_at=ended_at)
        error = task.exception()
        if error is None:
            return self._move(held, state="done", answer=task.result(), ended_at=ended_at)
        if isinstance(error, MemorandaError):
            problem = problem_of(error)
        else:
            problem, told = UNEXPECTED, f"{held.operation.verb} broke off ({request_id})"
            task.get_loop().call_exception_handler({"message": told, "exception": error})  # which logs it
        return self._move(held, state="failed", problem=problem.document(request_id), ended_at=ended_at)

    def _move(self, held: _Held, **values: Any) -> None:
        held.operation = replace(held.operation, version=held.operation.version + 1, **values)
        moved, held.moved = held.moved, asyncio.Event()
        moved.set()

    def _check_room(self, tenant: str) -> None:
        self._tidy()
        running = [one.operation for one in self._held.values() if one.operation.ended_at is None]
        own = sum(one.tenant == tenant for one in running)
        if 0 < self._at_once <= own:
            raise Problem(
                status=429, kind="too-many-operations", title="Too many operations are running.",
                detail=f"{own} operations of this tenant are running: wait for one, or cancel it.",
                headers={"Retry-After": "5"},
            )  # fmt: skip
        if self._closed or len(running) >= _MOST:
            raise Problem(
                status=503, kind="busy", title="Too many requests at once.",
                detail="This process begins nothing that takes long now: try again.", headers={"Retry-After": "5"},
            )  # fmt: skip

    def _tidy(self) -> None:
        """Hold those no longer that ended long ago, or first, if there are too many."""
        until = self._clock() - KEPT
        ended = {name: one.operation.ended_at for name, one in self._held.items() if one.operation.ended_at}
        over = len(self._held) - _MOST
        for number, name in enumerate(sorted(ended, key=lambda name: (ended[name], name))):
            if number < over or ended[name] <= until:
                del self._held[name]
