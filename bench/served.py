"""A `memoranda serve` of its own for a measurement, and a client that costs little: one connection, kept open."""

import http.client
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

_UNLIMITED = ("--limit", "rate=0", "--limit", "tenant_rate=0")


@dataclass(frozen=True, kw_only=True)
class Served:
    """A server.

    Attributes:
        address, key: what its clients need.
        pid: its process.
        seconds: from the start of the process to the first answer that it is ready.
    """

    address: str
    key: str
    pid: int
    seconds: float

    @property
    def rss(self) -> float:
        """The memory that it has now, in MB."""
        return int(_status(self.pid, "VmRSS")) / 1024

    @property
    def peak(self) -> float:
        """The most memory that it has had, in MB."""
        return int(_status(self.pid, "VmHWM")) / 1024


def _status(pid: int, name: str) -> str:
    found = re.search(rf"^{name}:\s+(\d+)", Path(f"/proc/{pid}/status").read_text("utf-8"), re.MULTILINE)
    return found[1] if found else "0"


class Line:
    """One connection to a server."""

    def __init__(self, served: Served) -> None:
        self._line = http.client.HTTPConnection(urlsplit(served.address).netloc)
        self._headers = {"Authorization": f"Bearer {served.key}", "Content-Type": "application/json"}

    def call(self, path: str, data: Any = None) -> Any:
        """Send a request, a `POST` if there is data, and return the answer.

        Raises:
            RuntimeError: it is a problem.
        """
        body = None if data is None else json.dumps(data).encode()
        self._line.request("GET" if data is None else "POST", path, body, self._headers)
        answer = self._line.getresponse()
        told = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{path}: {answer.status} {told[:300]!r}")
        return json.loads(told)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._line.close()


@contextmanager
def served(db: str, *options: str) -> Iterator[Served]:
    """Serve a memory that has no keys yet, without limits, and end the server at the end."""
    begun = time.perf_counter()
    command = [sys.executable, "-u", "-m", "memoranda", "--db", db, *options, "serve", "--port", "0", *_UNLIMITED]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert server.stdout is not None
    with server.stdout:
        try:
            told = ""
            while not (address := re.search(r"^(http://[^,\s]+)", told, re.MULTILINE)):
                line = server.stdout.readline()
                if not line:
                    raise RuntimeError(f"The server did not start: {told}")
                told += line
            key = re.search(r"^mra_\S+", told, re.MULTILINE)
            place: dict[str, Any] = {"address": address[1], "key": key[0] if key else "", "pid": server.pid}
            with Line(Served(**place, seconds=0)) as line_:
                line_.call("/readyz")
            yield Served(**place, seconds=time.perf_counter() - begun)
        finally:
            server.terminate()
            server.wait(60)
