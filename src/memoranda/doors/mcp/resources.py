"""What a client reads by its address: one record with its history, the profile, the context of a task."""

import json
from dataclasses import dataclass
from urllib.parse import unquote

from memoranda.doors.mcp.offers import Seat
from memoranda.errors import NotFoundError
from memoranda.verbs.registry import VERBS
from memoranda.verbs.toolbox import TOOLS, Tool, tool_of

_BASE = "memoranda://"


@dataclass(frozen=True, kw_only=True)
class Readable:
    """What can be read at an address.

    Attributes:
        path: the address after `memoranda://`, up to what the reader puts there.
        takes: the argument of the verb that the rest of the address is; none if it ends there.
        called: the name of the rest.
        mime: the type of what is read.
    """

    path: str
    takes: str = ""
    called: str = ""
    tool: Tool
    mime: str = "application/json"

    @property
    def address(self) -> str:
        """The address, or the template of all of them (RFC 6570)."""
        return f"{_BASE}{self.path}{f'{{{self.called}}}' if self.takes else ''}"

    def rest(self, address: str) -> str | None:
        """Return what an address names; None if it is none of these."""
        path = address.removeprefix(_BASE)
        if self.takes:
            return unquote(path.removeprefix(self.path)) if path.startswith(self.path) and path != self.path else None
        return "" if path == self.path else None

    async def read(self, seat: Seat, rest: str) -> str:
        """Return what is there."""
        part = self.tool.shown(await seat.answer(self.tool.verb, {self.takes: rest} if self.takes else {}))
        return self.tool.text(part) if self.mime.startswith("text/") else json.dumps(part, ensure_ascii=False)


#: What can be read.
READABLE: tuple[Readable, ...] = (
    Readable(path="records/", takes="record", called="id", tool=tool_of(VERBS["history"])),
    Readable(path="profile", tool=tool_of(VERBS["profile"])),
    Readable(path="context/", takes="query", called="task", tool=TOOLS["get_context"], mime="text/markdown"),
)


async def read(seat: Seat, address: str) -> tuple[str, str]:
    """Return what is at an address, and its type.

    Raises:
        NotFoundError: nothing is.
    """
    for one in READABLE:
        rest = one.rest(address) if address.startswith(_BASE) else None
        if rest is not None:
            return await one.read(seat, rest), one.mime
    raise NotFoundError(
        f"There is nothing at {address[:200]!r}; there are {', '.join(one.address for one in READABLE)}."
    )
