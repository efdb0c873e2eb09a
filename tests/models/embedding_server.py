"""A real HTTP server on loopback that speaks the embeddings protocol."""

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Answer(NamedTuple):
    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = (("content-type", "application/json"),)


class Request(NamedTuple):
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


Step = Answer | Callable[[Request], Answer]


class EmbeddingServer:
    """Answers honestly, or the next thing of its `script`."""

    def __init__(self, dimension: int) -> None:
        self.dimension = dimension
        self.requests: list[Request] = []
        self.script: list[Step] = []
        self.release = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def vectors(self, request: Request) -> Answer:
        """The honest answer, last text first: `index` says where each belongs."""
        data = [
            {"object": "embedding", "index": index, "embedding": [float(len(text)), 1.0] + [0.0] * (self.dimension - 2)}
            for index, text in enumerate(request.body["input"])
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        body = {"object": "list", "data": data[::-1], "model": request.body["model"], "usage": usage}
        return Answer(body=json.dumps(body).encode())

    def hang(self, request: Request) -> Answer:
        self.release.wait()
        return self.vectors(request)

    def close(self) -> None:
        self.release.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _answer(self, request: Request) -> Answer:
        self.requests.append(request)
        step = self.script.pop(0) if self.script else self.vectors
        return step if isinstance(step, Answer) else step(request)

    def _handler(server) -> type[BaseHTTPRequestHandler]:  # noqa: N805
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                answer = server._answer(Request(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
                self.send_response(answer.status)
                for name, value in answer.headers:
                    self.send_header(name, value)
                self.send_header("content-length", str(len(answer.body)))
                self.end_headers()
                self.wfile.write(answer.body)

            def log_message(self, *_: Any) -> None:
                pass

        return Handler
