"""The HTTP API as an ASGI application.

Each request finds its route, shows its key, is read, and calls the verb; whatever goes wrong on the way becomes a
problem document. Nothing here knows a verb by name.
"""

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from memoranda import __version__
from memoranda.core.base.checks import brief
from memoranda.core.base.plain import plain
from memoranda.core.base.scope import check_identifier
from memoranda.doors.http import conditions, fields, openapi
from memoranda.doors.http.keyring import Keyring
from memoranda.doors.http.operations import PATH, Following, begun
from memoranda.doors.http.reading import body_of, divided, queried, unreadable
from memoranda.doors.http.routes import Route, matching
from memoranda.doors.wire.callers import PLACE, Caller
from memoranda.doors.wire.calls import Call, local
from memoranda.doors.wire.limits import Gate, Limits
from memoranda.doors.wire.operations import Operations
from memoranda.doors.wire.problems import UNEXPECTED, Problem, problem_of
from memoranda.doors.wire.watching import told_of
from memoranda.errors import ArgumentError, MemorandaError, VersionError
from memoranda.memory import AsyncMemory
from memoranda.ports import Ids
from memoranda.system import PACE, time_ordered, utc_now
from memoranda.verbs.registry import Stream
from memoranda.verbs.schema import arguments

_log = logging.getLogger(__name__)
_PROBLEM, _LINES = "application/problem+json", "application/x-ndjson"
_REQUEST_ID = re.compile(r"[\w.:-]{1,64}", re.ASCII)


class Api:
    """The HTTP API of an open memory.

    Attributes:
        operations: what takes long, and is carried out meanwhile; stop them before the memory is closed.
        keys: that were shown to it.

    Args:
        memory: the memory.
        limits: what it allows.
        new_id: makes the ids of requests that bring none.
        now: a monotonic clock in seconds.
    """

    def __init__(
        self,
        memory: AsyncMemory,
        limits: Limits | None = None,
        new_id: Ids | None = None,
        now: Callable[[], float] = PACE.now,
    ) -> None:
        self._memory, self._limits = memory, limits or Limits()
        self._new_id = new_id or time_ordered(utc_now)
        self.keys = Keyring(memory, now, self._limits.wrong_keys)
        runtime = memory.runtime
        self._gate = Gate(self._limits, runtime.clock, runtime.leases, runtime.ids())
        self.operations = Operations(memory, self._limits.operations)
        self._following = Following(self.operations, now, self._limits.seconds)
        self._open: Mapping[str, Callable[[], Awaitable[Response]]] = {
            "/healthz": self._alive, "/readyz": self._ready, "/openapi.json": self._described,
        }  # fmt: skip

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        given = request.headers.get("x-request-id", "")
        name = given if _REQUEST_ID.fullmatch(given) else self._new_id()
        request.state.id = name
        told: dict[str, str] = {}
        with ExitStack() as places:  # which a request has until its answer has been sent
            try:
                response = await self._answered(request, told, places)
            except ClientDisconnect:
                return
            except Problem as problem:
                response = self._refused(problem, name)
            except MemorandaError as error:
                response = self._refused(problem_of(error), name)
            except Exception:  # noqa: BLE001 - the outermost handler
                _log.exception("%s failed (%s)", request.method, name)
                response = self._refused(UNEXPECTED, name)
            response.headers.update({"X-Request-Id": name, **told})
            await self._sent(response, request, send)

    async def _sent(self, response: Response, request: Request, send: Send) -> None:
        """Send an answer; whoever does not take the next part of it in time gets no more, and no end of it."""

        async def timely(message: Message) -> None:
            async with asyncio.timeout(self._limits.seconds):
                await send(message)

        try:
            await response(request.scope, request.receive, timely)
        except (ClientDisconnect, TimeoutError):
            _log.warning("%s broke off: a part of the answer took too long (%s)", request.method, request.state.id)

    def _refused(self, problem: Problem, name: str) -> Response:
        told_of(self._memory, problem)
        return _problem(problem, name)

    async def _answered(self, request: Request, told: dict[str, str], places: ExitStack) -> Response:
        """Answer; what is left of the caller's limits goes into `told`."""
        path = request.scope.get("raw_path", request.url.path.encode()).partition(b"?")[0].decode("ascii", "replace")
        if path in self._open and request.method in {"GET", "HEAD"}:
            return await self._open[path]()
        places.enter_context(self._gate.entered())
        caller = await self._caller(request)
        places.enter_context(self._gate.entered_by(caller))
        told.update(await self._gate.counted(caller))
        return await self._found(request, caller, path)

    async def _found(self, request: Request, caller: Caller, path: str) -> Response:
        parts = path.split("/")[1:]
        _check_encoding(parts)
        if (*parts[:2],) == PATH:
            return await self._following.answer(request, caller, [*map(unquote, parts[2:])])
        route, names = _routed(request.method, path)
        return await self._timely(request, caller, route, names)

    async def _timely(self, request: Request, caller: Caller, route: Route, names: dict[str, str]) -> Response:
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await self._called(request, caller, route, names)
        except TimeoutError:
            raise Problem(
                status=504, kind="too-slow", title="The request took too long.",
                detail=f"It did not end within {self._limits.seconds:g} seconds. A write may have been carried out: "
                "send it again with the same Idempotency-Key.",
            ) from None  # fmt: skip

    async def _caller(self, request: Request) -> Caller:
        address = request.client.host if request.client else ""
        key = await self.keys.opened(request.headers.get("authorization", ""), address)
        if key is None:
            raise Problem(
                status=401, kind="unauthorized", title="No valid key was shown.",
                detail="Send a valid key: Authorization: Bearer mra_…; `memoranda keys create` makes one.",
                headers={"WWW-Authenticate": "Bearer"},
            )  # fmt: skip
        return Caller.with_key(key)

    async def _called(self, request: Request, caller: Caller, route: Route, names: dict[str, str]) -> Response:
        caller.check(route.verb)
        place, data = await self._read(request, route)
        conditions.demand(request.headers, route.verb, data)
        own = {name: names.pop(name) for name in route.own}
        for name in own.keys() & data.keys():
            raise ArgumentError(f"/{name} is in the path: leave it out.", f"/{name}")
        call = Call(verb=route.verb, caller=caller, place=place, data={**data, **own}, **names)
        part = fields.wanted(request, route.verb)
        await self._gate.afforded(call, self._memory)
        try:
            return await self._done(request, call, part)
        except VersionError as error:
            if "if-match" in request.headers:
                raise replace(problem_of(error), status=412) from error
            raise

    async def _done(self, request: Request, call: Call, part: Callable[[Any], Any]) -> Response:
        if isinstance(call.verb, Stream):
            lines = _lines(await call.answer(self._memory), self._limits.seconds, part)
            return StreamingResponse(lines, media_type=_LINES)
        if call.verb.facts.long:
            return await begun(request, call, self.operations, self._limits.seconds / 2, request.state.id, part)
        name = request.headers.get("idempotency-key")
        if name is None or call.verb.facts.effect == "reads":
            answer = await call.answer(self._memory)
            return conditions.tagged(request, part(answer), conditions.version_of(call.verb, answer))
        answer, again = await call.once(self._memory, check_identifier("Idempotency-Key", name))
        response = conditions.tagged(request, part(answer), conditions.version_of(call.verb, answer))
        response.headers["Idempotency-Replayed"] = str(again).lower()
        return response

    async def _read(self, request: Request, route: Route) -> tuple[dict[str, Any], dict[str, Any]]:
        schemas, given = (
            arguments(route.verb, leaving=local(route.verb))["properties"],
            request.query_params.multi_items(),
        )
        if route.in_query:
            known = {**schemas, **{f"scope.{name}": schema for name, schema in PLACE.items()}}
            return divided(queried((one for one in given if one[0] != fields.NAME), known))
        for name in (one for one, _ in given if one != fields.NAME):
            raise ArgumentError(f"{brief(name)} is in the address; this request takes its arguments in the body.", "")
        data = await body_of(request.stream(), request.headers, self._limits.body)
        if not isinstance(data, dict):
            raise ArgumentError(f"The body is {brief(data)}; give an object.", "")
        place = data.pop("scope", {}) if route.verb.scoped else {}
        if not isinstance(place, dict):
            raise ArgumentError(f"/scope is {brief(place)}; give an object.", "/scope")
        return place, data

    async def _alive(self) -> Response:
        return _json({"status": "ok", "version": __version__})

    async def _ready(self) -> Response:
        found = await self._memory.ready()
        return _json({**plain(found), "ready": found.ready}, 200 if found.ready else 503)

    async def _described(self) -> Response:
        return _json(openapi.document())


def _check_encoding(parts: Sequence[str]) -> None:
    """Refuse what is no UTF-8: read with marks in place of it, one name would be another's."""
    try:
        for part in parts:
            unquote(part, errors="strict")
    except UnicodeDecodeError:
        raise unreadable("The path is not UTF-8, percent-encoded.") from None


def _routed(method: str, path: str) -> tuple[Route, dict[str, str]]:
    found, names = matching(path.split("/")[1:])
    if route := found.get("GET" if method == "HEAD" else method):
        return route, names
    if found:
        allowed = ", ".join(sorted(found))
        raise Problem(
            status=405, kind="wrong-method", title="This path has another method.",
            detail=f"This path takes {allowed}.", headers={"Allow": allowed},
        )  # fmt: skip
    raise Problem(
        status=404, kind="no-such-path", title="There is no such path.", detail="/openapi.json lists all paths."
    )  # fmt: skip


def _json(value: Any, status: int = 200) -> Response:
    return Response(json.dumps(value, ensure_ascii=False), status, media_type="application/json")


def _problem(problem: Problem, request_id: str) -> Response:
    text = json.dumps(problem.document(request_id), ensure_ascii=False)
    return Response(text.encode("utf-8", "replace"), problem.status, dict(problem.headers), media_type=_PROBLEM)


async def _lines(rows: AsyncIterator[Any], seconds: float, part: Callable[[Any], Any]) -> AsyncIterator[str]:
    """The rows as lines; each must come within some seconds."""
    while True:
        async with asyncio.timeout(seconds):
            row = await anext(rows, None)
        if row is None:
            return
        yield json.dumps(part(row), ensure_ascii=False) + "\n"
