"""The line to a server: sends calls, sends those again that may be lost, and makes answers and errors of what comes.

A write has a name of its own (`Idempotency-Key`), so that the server carries it out once, however often it is sent.
"""

import json
from collections.abc import AsyncIterator, Mapping
from inspect import BoundArguments
from typing import Any

from httpx2 import URL, AsyncClient, HTTPError, InvalidURL, Response

from memoranda.core.base.checks import require
from memoranda.core.base.retry_policy import Gating
from memoranda.core.base.scope import Scope
from memoranda.doors.client.asking import Request, request_of
from memoranda.doors.wire.problems import error_of
from memoranda.errors import AccessError, ArgumentError, MemorandaError, SetupError, StoreUnavailableError
from memoranda.ports import Ids, Pace
from memoranda.verbs.registry import Elsewhere, Verb
from memoranda.verbs.schema import decode_answer

_BUSY = frozenset({409, 429, 503})  # with Retry-After: nothing was carried out, or the answer is still to come
_NO_KEY = "The server does not take this key: it is wrong, expired or revoked. `memoranda keys create` makes one."


class Line(Elsewhere):
    """A server that holds a memory.

    Args:
        client: sends requests, with the address and the key.
        tenant: of the key.
        gating: how often a request is sent, and how long it is waited for.
        pace: for the waits between.
        new_id: names writes.
    """

    def __init__(self, client: AsyncClient, tenant: str, gating: Gating, pace: Pace, new_id: Ids) -> None:
        self._client, self.tenant, self._gating, self._pace, self._new_id = client, tenant, gating, pace, new_id
        self._wait = {"Prefer": f"wait={max(1, int(gating.seconds / 2))}"}

    async def close(self) -> None:
        """Close its connections."""
        await self._client.aclose()

    def check_tenant(self, tenant: str | None) -> None:
        """Refuse another tenant than that of the key.

        Raises:
            AccessError: it is another.
        """
        if tenant not in {None, self.tenant}:
            raise AccessError(f"This key is for the tenant {self.tenant!r} alone: leave the tenant out.")

    async def carry_out(self, verb: Verb[..., Any], scope: Scope | None, given: BoundArguments) -> Any:
        """Have a verb carried out, and return its answer.

        Raises:
            MemorandaError: as the verb does.
            StoreUnavailableError: the server cannot be reached.
        """
        if scope is None:
            self.check_tenant(given.arguments.pop("tenant", None))
        progress = given.arguments.pop("progress", None)
        headers = {"Idempotency-Key": self._new_id()} if verb.facts.effect != "reads" else {}
        response = await self._sent(request_of(verb, scope, given), headers | (self._wait if verb.facts.long else {}))
        return _read(verb, await self._ended(response, progress) if response.status_code == 202 else _json(response))

    async def hand_out(self, verb: Verb[..., Any], scope: Scope, given: BoundArguments) -> AsyncIterator[Any]:
        """Yield the rows of a verb that answers with one after another; what breaks off is not sent again.

        Raises:
            MemorandaError: as the verb does.
            StoreUnavailableError: the server cannot be reached, or the connection broke.
        """
        request = request_of(verb, scope, given)
        try:
            async with self._client.stream(request.method, request.path, params=request.query) as response:
                if response.status_code != 200:
                    await response.aread()
                    raise _error(response)
                async for line in response.aiter_lines():
                    yield _read(verb, [json.loads(line)])[0]
        except HTTPError as error:
            raise self._away(error) from error

    async def _sent(self, request: Request, headers: Mapping[str, str]) -> Response:
        attempts = 0
        while True:
            attempts += 1
            try:
                response = await self._client.request(
                    request.method, request.path, params=request.query, json=request.body, headers=dict(headers)
                )
            except HTTPError as error:
                wait = self._gating.wait(attempts, None, self._pace.chance())
                if wait is None:
                    raise self._away(error) from error
            else:
                after = response.headers.get("retry-after", "") if response.status_code in _BUSY else ""
                wait = self._gating.wait(attempts, float(after), self._pace.chance()) if after.isdecimal() else None
                if wait is None:
                    if not response.is_success:
                        raise _error(response)
                    return response
            await self._pace.sleep(wait)

    async def _ended(self, response: Response, progress: Any) -> Any:
        """Wait for the end of what takes long, and return its answer; tell `progress` how much more is done."""
        path, found, told = response.headers["location"].lstrip("/"), _json(response), 0
        while True:
            if progress and (found["progress"] or 0) > told:
                progress(found["progress"] - told)
                told = found["progress"]
            if found["problem"]:
                raise error_of(found["problem"])
            if found["state"] == "done":
                return found["answer"]
            if found["state"] == "cancelled":
                raise StoreUnavailableError(f"{found['verb']} was cancelled on the server: call it again.")
            found = _json(await self._sent(Request(method="GET", path=path), self._wait))

    def _away(self, error: Exception) -> StoreUnavailableError:
        told = str(error) or type(error).__name__
        return StoreUnavailableError(
            f"{self._client.base_url} does not answer ({told}): start it (`memoranda serve`), or correct the address. "
            "A write may have been carried out nevertheless."
        )


def _json(response: Response) -> Any:
    try:
        return response.json()
    except ValueError as error:
        raise _error(response) from error


def _read(verb: Verb[..., Any], data: Any) -> Any:
    try:
        return decode_answer(verb, data)
    except ArgumentError as error:
        raise SetupError(f"The server's answer to {verb.name} is of another version than this one: {error}") from error


def _error(response: Response) -> MemorandaError:
    if response.status_code == 401:
        return AccessError(_NO_KEY)
    if response.headers.get("content-type", "").startswith("application/problem+json"):
        return error_of(response.json())
    return StoreUnavailableError(
        f"{response.url} answered {response.status_code}, which is no answer of memoranda: correct the address."
    )


def check_address(url: str) -> str:
    """Return the address of a server.

    Raises:
        InputError: it is none.
    """
    try:
        found = URL(url)
    except (InvalidURL, TypeError):
        found = URL("")
    fits = found.scheme in {"http", "https"} and found.host
    require(fits, "url", url, "the address of a server, http://… or https://…")
    return f"{str(found).rstrip('/')}/"
