"""Operations over HTTP: 202 for what takes long, its state, its events, and its end on request (RFC 9110, RFC 7240)."""

import json
import re
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from memoranda.core.base.scope import check_identifier
from memoranda.core.rows import Operation
from memoranda.doors.http.conditions import tagged, version_of
from memoranda.doors.wire.callers import Caller
from memoranda.doors.wire.calls import Call
from memoranda.doors.wire.operations import SCHEMA, Operations, document
from memoranda.doors.wire.problems import Problem

#: The path of all; one has its id below, and `events` below that.
PATH = ("v1", "operations")
_WAIT = re.compile(r"(?:^|[,;])\s*wait\s*=\s*\"?(\d{1,9})", re.IGNORECASE)
_BEAT = 15.0  # seconds after which a stream says that it is still there, before a proxy ends it
_CANCELLING = 5.0  # seconds that a request to cancel waits for the end
_EVENTS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


async def begun(
    request: Request,
    call: Call,
    operations: Operations,
    longest: float,
    request_id: str,
    part: Callable[[Any], Any],
) -> Response:
    """Begin an operation, and answer with it (202), or with what it came to, if it ends within `Prefer: wait`.

    Args:
        request: the request.
        call: what it asks for.
        operations: where it is carried out.
        longest: the most seconds to wait.
        request_id: names the request.
        part: takes of the answer what the request wants.
    """
    name = request.headers.get("idempotency-key") if call.verb.facts.effect != "reads" else None
    operation, again = await operations.begin(call, request_id, name and check_identifier("Idempotency-Key", name))
    wait = _wait(request)
    headers = {"Location": f"/{'/'.join(PATH)}/{operation.id}"}
    headers |= {} if wait is None else {"Preference-Applied": f"wait={wait}"}
    headers |= {"Idempotency-Replayed": str(again).lower()} if name else {}
    if wait is not None:
        operation = await operations.ended(call.caller, operation, min(wait, longest))
    if wait is not None and operation.state == "done":
        response = tagged(request, part(operation.answer), version_of(call.verb, operation.answer))
    elif wait is not None and operation.problem:
        response = _told(operation.problem, operation.problem["status"], "application/problem+json")
    else:
        response = _told(document(operation), 202)
    response.headers.update(headers)
    return response


def _wait(request: Request) -> int | None:
    found = _WAIT.search(request.headers.get("prefer", ""))
    return int(found[1]) if found else None


class Following:
    """Answers what is asked about operations.

    Args:
        operations: that are known.
        now: a monotonic clock in seconds.
        seconds: how long a stream of events lasts; whoever follows then asks again, with a key that is still valid.
    """

    def __init__(self, operations: Operations, now: Callable[[], float], seconds: float) -> None:
        self._operations, self._now, self._seconds = operations, now, seconds

    async def answer(self, request: Request, caller: Caller, rest: list[str]) -> Response:
        """Answer a request below `PATH`.

        Raises:
            Problem: there is no such path, or it has another method.
            NotFoundError: there is no such operation for this caller.
        """
        allowed = {0: "GET", 1: "DELETE, GET"}.get(len(rest), "GET" if rest[1:] == ["events"] else "")
        if not allowed:
            raise Problem(
                status=404, kind="no-such-path", title="There is no such path.", detail="/openapi.json lists all paths."
            )  # fmt: skip
        method = "GET" if request.method == "HEAD" else request.method
        if method not in allowed.split(", "):
            raise Problem(
                status=405, kind="wrong-method", title="This path has another method.",
                detail=f"This path takes {allowed}.", headers={"Allow": allowed},
            )  # fmt: skip
        if not rest:
            return tagged(request, [document(one) for one in await self._operations.all(caller)])
        operation = await self._operations.get(caller, rest[0])
        if len(rest) == 2:
            return self._followed(request, caller, operation)
        if method == "GET":
            if wait := _wait(request):
                operation = await self._operations.ended(caller, operation, min(wait, self._seconds / 2))
            return tagged(request, document(operation), operation.version)
        return await self._cancelled(caller, operation)

    async def _cancelled(self, caller: Caller, operation: Operation) -> Response:
        await self._operations.cancel(operation)
        found = await self._operations.ended(caller, operation, _CANCELLING)
        return _told(document(found), 200 if found.ended_at else 202)

    def _followed(self, request: Request, caller: Caller, operation: Operation) -> Response:
        told = request.headers.get("last-event-id", "")
        seen = int(told) if told.isascii() and told.isdecimal() and len(told) < 10 else 0
        if operation.ended_at and operation.version <= seen:
            return Response(None, 204)  # which tells a browser not to ask again
        return StreamingResponse(self._events(caller, operation, seen), media_type="text/event-stream", headers=_EVENTS)

    async def _events(self, caller: Caller, operation: Operation, seen: int) -> AsyncIterator[str]:
        end = self._now() + self._seconds
        while True:
            if operation.version > seen:
                seen = operation.version
                data = json.dumps(document(operation), ensure_ascii=False)
                yield f"id: {seen}\nevent: {operation.state}\ndata: {data}\n\n"
            else:
                yield ": it goes on\n\n"
            left = end - self._now()
            if operation.ended_at or left <= 0:
                return
            operation = await self._operations.moved(caller, operation, min(left, _BEAT))


def described(problems: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    """Return the paths of operations for OpenAPI.

    Args:
        problems: returns the responses for some statuses.
    """
    one = {"$ref": "#/components/schemas/Operation"}
    where = f"/{'/'.join(PATH)}"
    event = {"type": "object", "properties": {part: {"type": "string"} for part in ("id", "event", "data")}}
    name = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    prefer = {"$ref": "#/components/parameters/Prefer"}
    last = {"name": "Last-Event-ID", "in": "header", "required": False, "schema": {"type": "string"}}

    def told(name: str, summary: str, schema: Any, kind: str = "application/json", **more: Any) -> dict[str, Any]:
        content = {"description": "The answer.", "content": {kind: {"schema": schema}}}
        responses = {"200": content, **more.pop("responses", {}), **problems(401, 404, 429, 500, 503)}
        operation = {"operationId": name, "summary": summary, "tags": ["operations"], "parameters": [], **more}
        return {**operation, "responses": responses}

    nothing = {"204": {"description": "It has ended, and that was told before."}}
    still = {"202": {"description": "It has not ended yet.", "content": {"application/json": {"schema": one}}}}
    return {
        where: {"get": told("operations", "List the operations that are known.", {"type": "array", "items": one})},
        f"{where}/{{id}}": {
            "get": told("operation", "Return an operation.", one, parameters=[name, prefer]),
            "delete": told(
                "operation_cancel", "Have an operation break off.", one, parameters=[name], responses=still
            ),
        },
        f"{where}/{{id}}/events": {
            "get": told(
                "operation_events", "Follow an operation: each event holds all of it.", event,
                "text/event-stream", parameters=[name, last], responses=nothing,
            )
        },
    }  # fmt: skip


def _told(document: Any, status: int, kind: str = "application/json") -> Response:
    return Response(json.dumps(document, ensure_ascii=False).encode("utf-8", "replace"), status, media_type=kind)


__all__ = ["PATH", "SCHEMA", "Following", "begun", "described"]
