"""A real HTTP server on loopback that speaks the protocols of model providers and follows a script.

    with ModelServer() as server:
        server.script = [server.fails(429), server.says('{"queries": ["tea"]}')]
        model = open_language_model("openai:any", api_key="any", base_url=server.url)

It speaks OpenAI's embeddings and chat completions and Anthropic's messages, whole or streamed, as the request asks.
It answers each request with the next step of its script. When the script is empty it answers with `honest`.
"""

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, NamedTuple, Self

from memoranda.testing.wires import Said, event, wire_of

#: What happens in the middle of a stream: nothing unusual, a cut connection, a clean but early end, an error event, an
#: event that is not valid JSON, or a pause until `release` is set.
Fault = Literal["", "cut", "ended", "error", "garbled", "stalled"]

JSON = ("content-type", "application/json")
EVENTS = ("content-type", "text/event-stream")
#: The error type for each HTTP status; for any other, `api_error`.
KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}


class Cut(Exception):  # noqa: N818  # not an error: scripts raise it on purpose
    """Ends the connection at this point."""


class Answer(NamedTuple):
    """A response. A body that is an iterable is sent piece by piece; raising `Cut` in it ends the connection."""

    status: int = 200
    body: bytes | Iterable[bytes] = b""
    headers: tuple[tuple[str, str], ...] = (JSON,)


class Request(NamedTuple):
    """A received request; header names are in lower case."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


Step = Answer | Callable[[Request], Answer]


class ModelServer:
    """Serves one step of `script` per request.

    Args:
        dimension: numbers per vector.

    Attributes:
        script: the next steps; each is an answer, or a function from request to answer.
        requests: the requests, in order of arrival.
        arrived: set when a request arrives.
        release: the event that `hang` and stalled streams wait for.
    """

    def __init__(self, dimension: int = 8) -> None:
        self.dimension = dimension
        self.requests: list[Request] = []
        self.script: list[Step] = []
        self.arrived = threading.Event()
        self.release = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    @property
    def root(self) -> str:
        """The base URL for Anthropic clients: the address without a path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        """The base URL for OpenAI clients."""
        return f"{self.root}/v1"

    @property
    def count(self) -> int:
        """The number of requests received."""
        return len(self.requests)

    def honest(self, request: Request) -> Answer:
        """Answer a request for embeddings with vectors, and a prompt with an echo of it."""
        if request.path.endswith("/embeddings"):
            return self.vectors(request)
        return self._completion(request, Said(request.body["messages"][-1]["content"]))

    def vectors(self, request: Request) -> Answer:
        """Answer with a vector for each text, in reverse order; `index` is each one's position in the input."""
        data = [
            {"object": "embedding", "index": index, "embedding": [float(len(text)), 1.0] + [0.0] * (self.dimension - 2)}
            for index, text in enumerate(request.body["input"])
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        body = {"object": "list", "data": data[::-1], "model": request.body["model"], "usage": usage}
        return Answer(body=json.dumps(body).encode())

    def says(self, text: str | None, *, finish: str = "stop", refusal: str | None = None, fault: Fault = "") -> Step:
        """Answer with this text; `finish="length"` marks it cut off, `refusal` declines, `fault` breaks the stream."""
        return lambda request: self._completion(request, Said(text, finish, refusal), fault)

    def fails(self, status: int, message: str = "told to fail", *, after: float | None = 0.001, kind: str = "") -> Step:
        """Answer with an error; `after` is the `retry-after` header in seconds, None omits it."""
        told = () if after is None else (("retry-after", f"{after:g}"),)
        named = kind or KINDS.get(status, "api_error")
        return lambda request: Answer(status, wire_of(request.path).error(named, message), (JSON, *told))

    def hang(self, request: Request) -> Answer:
        """Wait until `release` is set, then answer as `honest` does."""
        self.release.wait()
        return self.honest(request)

    def hang_up(self, _: Request) -> Answer:
        """End the connection without an answer."""
        raise Cut

    def close(self) -> None:
        """Release waiting requests and shut down."""
        self.release.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _completion(self, request: Request, said: Said, fault: Fault = "") -> Answer:
        if request.body.get("stream"):
            return Answer(body=self._events(request, said, fault), headers=(EVENTS,))
        return Answer(body=wire_of(request.path).whole(request.body, said))

    def _events(self, request: Request, said: Said, fault: Fault) -> Iterator[bytes]:
        wire, asked = wire_of(request.path), request.body
        yield from wire.begin(asked)
        pieces = list(wire.pieces(asked, said))
        middle = (len(pieces) + 1) // 2
        yield from pieces[:middle]
        if fault == "cut":
            raise Cut
        if fault == "ended":
            return
        if fault == "error":
            yield wire.broken("overloaded_error", "told to fail in the middle")
            return
        if fault == "garbled":
            yield event('{"choices": [{"delta', "content_block_delta")
        if fault == "stalled":
            self.release.wait()
        yield from pieces[middle:]
        yield from wire.end(asked, said)

    def _answer(self, request: Request) -> Answer:
        self.requests.append(request)
        step = self.script.pop(0) if self.script else self.honest
        self.arrived.set()
        return step if isinstance(step, Answer) else step(request)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        answered = self._answer

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                self.close_connection = True
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                headers = {name.lower(): value for name, value in self.headers.items()}
                with suppress(Cut, ConnectionError):  # the client may be gone, too
                    self._send(answered(Request(self.path, headers, body)))

            def _send(self, answer: Answer) -> None:
                body = answer.body
                whole = ("content-length", str(len(body))) if isinstance(body, bytes) else None
                size = whole or ("transfer-encoding", "chunked")
                self.send_response(answer.status)
                for name, value in (*answer.headers, size, ("connection", "close")):
                    self.send_header(name, value)
                self.end_headers()
                if isinstance(body, bytes):
                    self.wfile.write(body)
                    return
                for piece in body:
                    self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
                self.wfile.write(b"0\r\n\r\n")

            def log_message(self, *_: Any) -> None:
                pass

        return Handler
