"""The MCP door over HTTP for the official suite, which can send no key and calls tools of its own.

A key is put into every request, and three of the suite's tools stand beside ours; everything else is as ever.
"""

import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from memoranda import AsyncMemory
from memoranda.doors.http.serving import serve
from memoranda.doors.mcp.offers import Offer, Seat, Shown
from memoranda.doors.mcp.serving import PATH, Offering, app
from memoranda.doors.settings import DoorSettings
from memoranda.doors.wire.limits import Limits
from memoranda.errors import InputError
from memoranda.verbs.schema import Schema

HOST = "127.0.0.1"
_EMPTY: Schema = {"type": "object", "properties": {}}
_SCHEMA: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": {"type": "string"}}}},
    "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
    "allOf": [{"anyOf": [{"required": ["name"]}, {"required": ["address"]}]}],
    "if": {"required": ["name"]},
    "then": {"required": ["name"]},
    "else": {"required": ["address"]},
    "additionalProperties": False,
}


async def _text(seat: Seat, said: dict[str, Any]) -> Shown:  # noqa: ARG001 - as any tool is called
    return None, "This is a simple text response for testing."


async def _error(seat: Seat, said: dict[str, Any]) -> Shown:  # noqa: ARG001 - the same
    raise InputError("This tool intentionally returns an error for testing")


class Suited(Offering):
    """Our tools, and some that the suite looks for."""

    @property
    def offers(self) -> Mapping[str, Offer]:
        """The tools, by name."""
        plain = {"test_simple_text": (_EMPTY, _text), "test_error_handling": (_EMPTY, _error)}
        own = {**plain, "json_schema_2020_12_tool": (_SCHEMA, _text)}
        return {**super().offers} | {
            name: Offer(
                name=name, description="A tool of the suite.", schema=schema, answer=None, effect="reads",
                repeats=False, right="read", call=call,
            )
            for name, (schema, call) in own.items()
        }  # fmt: skip


@asynccontextmanager
async def answering(memory: AsyncMemory) -> AsyncIterator[ASGIApp]:
    """Return the door with a key put into every request."""
    key = await memory.keys.create(tenant="local", user="alice", rights=("read", "write", "forget"), name="suite")
    headers = [(b"authorization", f"Bearer {key.secret}".encode())]
    async with app(Suited(), HOST, Limits(), memory) as door:

        async def unlocked(scope: Scope, receive: Receive, send: Send) -> None:
            await door({**scope, "headers": [*scope["headers"], *headers]}, receive, send)

        yield unlocked


if __name__ == "__main__":
    settings = DoorSettings(db=str(Path(sys.argv[1])), embedder="none")
    serve(settings, HOST, 0, lambda text: print(text, flush=True), answering=answering, path=PATH)
