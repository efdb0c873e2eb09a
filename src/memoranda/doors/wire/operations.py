"""Verbs that may take minutes, carried out while whoever called does something else.

An operation is a value: each step of it is a new one with a higher version, so that a follower needs only the latest,
however slow it reads. One process carries it out; all know it, see `flows.governance.operations`.
"""

import asyncio
import json
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from memoranda.core.base.checks import brief
from memoranda.core.base.scope import SHARED
from memoranda.core.rows import Operation
from memoranda.doors.wire.callers import Caller
from memoranda.doors.wire.calls import Call
from memoranda.doors.wire.problems import UNEXPECTED, Problem, problem_of
from memoranda.errors import MemorandaError, NotFoundError, StoreError
from memoranda.flows.governance import operations as flow
from memoranda.memory import AsyncMemory
from memoranda.ports import Where
from memoranda.verbs.registry import VERBS

BEAT = 3.0  # seconds between two words of the process that carries one out
POLL = 1.0  # seconds between two looks at one that another process carries out
_MOST = 1_000  # operations that a process carries out
_LONGEST = 1 << 20  # characters of an answer that is kept
_TRIES = 5  # of writing how one ended
_PROGRESS = "progress"
_LOG = logging.getLogger(__name__)

#: What an operation has failed of whose process has ended.
GONE = Problem(
    status=503, kind="worker-gone", title="The worker that carried it out is gone.",
    detail="The worker that ran it is gone; ask again. What it wrote stays.",
)  # fmt: skip
_TOO_LONG = Problem(
    status=410, kind="answer-too-long", title="The answer is too long to be kept.",
    detail=f"It is done, and its answer has more than {_LONGEST:,} characters: ask with Prefer: wait, or read what is "
    "there.",
)  # fmt: skip


def shown_to(operation: Operation, caller: Caller) -> bool:
    """Whether a caller may know of it: who could call the verb for the same user, agent and team."""
    return (
        (caller.tenant, caller.team) == (operation.tenant, operation.team)
        and caller.user in {None, operation.user}
        and caller.agent in {None, operation.agent}
        and operation.verb in VERBS
        and VERBS[operation.verb].right in caller.rights
    )


def document(operation: Operation) -> dict[str, Any]:
    """Return an operation as JSON."""
    ended = operation.ended_at and operation.ended_at.isoformat()
    return {
        "id": operation.id, "verb": operation.verb, "user": None if operation.user == SHARED else operation.user,
        "state": operation.state, "version": operation.version, "progress": operation.progress,
        "begun_at": operation.begun_at.isoformat(), "ended_at": ended, "answer": operation.answer,
        "problem": operation.problem,
    }  # fmt: skip


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
        "problem": {"description": "What it failed of; or that the answer is too long to be kept."},
    },
}


@dataclass(slots=True)
class _Held:
    """An operation that this process carries out.

    Attributes:
        operation: as it is now; `moved`: is set when it is another.
        work: carries the verb out; `task`: that, and what is said of it meanwhile.
        asked: whether somebody wants it to break off.
    """

    operation: Operation
    work: asyncio.Task[Any]
    task: asyncio.Task[None] = field(init=False)
    moved: asyncio.Event = field(default_factory=asyncio.Event)
    asked: bool = False


class Operations:
    """The operations of a memory, as one process begins, carries out and knows them.

    Args:
        memory: they are carried out on it.
        at_once: how many a tenant may have running; 0: any number.
    """

    def __init__(self, memory: AsyncMemory, at_once: int) -> None:
        self._memory, self._runtime, self._at_once = memory, memory.runtime, at_once
        self._held: dict[str, _Held] = {}
        self._closed = False

    async def begin(self, call: Call, request_id: str, name: str | None = None) -> tuple[Operation, bool]:
        """Begin to carry out a call, unless the caller began one with this name that goes on, or is done.

        Returns:
            The operation, and whether it was begun before.

        Raises:
            MemorandaError: the call is wrong, so far as can be told before it is carried out.
            Problem: too many are running.
        """
        call.made(self._memory)
        await self._check_room(call.caller.tenant)
        mark, now = name and call.mark(name), self._runtime.clock()
        row = Operation(
            tenant=call.caller.tenant, user=call.user or call.caller.user or call.data.get("user") or SHARED,
            id=self._runtime.ids(), verb=call.verb.name, agent=call.place.get("agent") or call.caller.agent,
            team=call.caller.team, name=mark.id if mark else None, request=mark.request if mark else None, begun_at=now,
            at=now,
        )  # fmt: skip
        operation, again = await flow.begin(self._runtime, row, GONE.document(request_id))
        if again:
            return self._here(operation), True
        held = _Held(operation, asyncio.create_task(self._answered(row.id, call)))
        self._held[row.id] = held
        held.task = asyncio.create_task(self._carried_out(held, request_id))
        return operation, False

    async def get(self, caller: Caller, name: str) -> Operation:
        """Return an operation.

        Raises:
            NotFoundError: there is none, or it is not the caller's.
        """
        found = await flow.get(self._runtime, caller.tenant, name, GONE.document(name))
        if found is None or not shown_to(found, caller):
            raise NotFoundError(f"There is no operation {brief(name)} here; one is known until a day after its end.")
        return self._here(found)

    async def all(self, caller: Caller) -> Sequence[Operation]:
        """Return the operations of a caller, the latest first."""
        found = await flow.find(self._runtime, caller.tenant, GONE.document(""))
        return [self._here(one) for one in found if shown_to(one, caller)]

    async def ended(self, caller: Caller, operation: Operation, seconds: float) -> Operation:
        """Wait for the end of an operation, but no longer than some seconds, and return it as it is then."""
        held = self._held.get(operation.id)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while operation.ended_at is None:
                    operation = await self._next(caller, operation, held)
        return operation

    async def moved(self, caller: Caller, operation: Operation, seconds: float) -> Operation:
        """Wait for a higher version of an operation, but no longer than some seconds, and return it as it is then."""
        held, version = self._held.get(operation.id), operation.version
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while operation.version <= version and operation.ended_at is None:
                    operation = await self._next(caller, operation, held)
        return operation

    async def _next(self, caller: Caller, operation: Operation, held: _Held | None) -> Operation:
        """Return an operation as it is next, or a little later."""
        if held is None:
            await asyncio.sleep(POLL)
            return await self.get(caller, operation.id)
        if held.operation.version <= operation.version:
            await held.moved.wait()
        return held.operation

    async def cancel(self, operation: Operation) -> None:
        """Have an operation break off, if it is running. What it wrote stays."""
        if operation.ended_at is None and not self._cancelled(operation.id):
            await flow.stop(self._runtime, operation)

    def _cancelled(self, name: str) -> bool:
        held = self._held.get(name)
        if held is None:
            return False
        held.asked = True
        held.work.cancel()
        return True

    def stop(self) -> None:
        """Break all off that this process carries out, and begin no more."""
        self._closed = True
        for held in self._held.values():
            held.work.cancel()

    async def close(self) -> None:
        """Break all off that this process carries out, and wait until they have ended."""
        self.stop()
        await asyncio.gather(*(held.task for held in self._held.values()))

    def _here(self, operation: Operation) -> Operation:
        """An operation as this process has it, if it carries it out: that is later than what it said of it."""
        held = self._held.get(operation.id)
        return operation if held is None or operation.ended_at else held.operation

    async def _answered(self, name: str, call: Call) -> Any:
        def advance(number: int) -> None:
            held = self._held[name]
            self._move(held, progress=(held.operation.progress or 0) + number)

        more = {_PROGRESS: advance} if _PROGRESS in call.verb.signature.parameters else {}
        return await call.answer(self._memory, **more)

    async def _carried_out(self, held: _Held, request_id: str) -> None:
        """Say every few seconds that an operation goes on, and at its end how it ended."""
        while not (await asyncio.wait({held.work}, timeout=BEAT))[0]:
            with suppress(StoreError):  # then it lasts until the store is there again, or others take it for gone
                if not await flow.say(self._runtime, held.operation):
                    self._cancelled(held.operation.id)
                elif not await flow.goes_on(self._runtime, held.operation):
                    held.work.cancel()
        ended = self._ending(held, request_id)
        kept = ended
        if ended.get("answer") is not None and len(json.dumps(ended["answer"])) > _LONGEST:
            kept = {**ended, "answer": None, "problem": _TOO_LONG.document(request_id)}
        version = held.operation.version + 1
        now = self._runtime.clock()
        for _ in range(_TRIES):
            with suppress(StoreError):
                told = {"version": version, "progress": held.operation.progress}
                await flow.end(self._runtime, held.operation, **kept, **told)
                break
            await asyncio.sleep(BEAT)
        self._move(held, ended_at=now, **ended)
        del self._held[held.operation.id]

    def _ending(self, held: _Held, request_id: str) -> dict[str, Any]:
        """How an operation ended."""
        if held.work.cancelled():
            gone = {"state": "failed", "problem": GONE.document(request_id)}
            return {"state": "cancelled"} if held.asked else gone
        error = held.work.exception()
        if error is None:
            return {"state": "done", "answer": held.work.result()}
        if isinstance(error, MemorandaError):
            problem = problem_of(error)
        else:
            problem = UNEXPECTED
            _LOG.error("%s broke off (%s)", held.operation.verb, request_id, exc_info=error)
        return {"state": "failed", "problem": problem.document(request_id)}

    def _move(self, held: _Held, **values: Any) -> None:
        held.operation = replace(held.operation, version=held.operation.version + 1, **values)
        moved, held.moved = held.moved, asyncio.Event()
        moved.set()

    async def _check_room(self, tenant: str) -> None:
        if self._closed or len(self._held) >= _MOST:
            raise Problem(
                status=503, kind="busy", title="Too many requests at once.",
                detail="This process begins nothing that takes long now: try again.", headers={"Retry-After": "5"},
            )  # fmt: skip
        running = Where("state", "=", "running")
        found = await flow.find(self._runtime, tenant, GONE.document(""), running) if self._at_once else []
        own = sum(one.ended_at is None for one in found)
        if 0 < self._at_once <= own:
            raise Problem(
                status=429, kind="too-many-operations", title="Too many operations are running.",
                detail=f"{own} operations of this tenant are running: wait for one, or cancel it.",
                headers={"Retry-After": "5"},
            )  # fmt: skip
