"""A real HTTP server on loopback that speaks OpenAI's protocol, embeddings and chat, and does as its script says.

    with ModelServer() as server:
        server.script = [server.says('{"queries": ["tea"]}')]
        model = open_language_model("openai:any", api_key="any", base_url=server.url)

It answers each request with the next step of its script, and honestly when that is at its end.
"""

import json
import threading
from collections.abc import Callable
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self


class Answer(NamedTuple):
    """What goes over the wire."""

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = (("content-type", "application/json"),)


class Request(NamedTuple):
    """What came over the wire; header names are in lower case."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


Step = Answer | Callable[[Request], Answer]


class ModelServer:
    """Serves one step of `script` per request.

    Args:
        dimension: numbers per vector.

    Attributes:
        script: what to answer next: an answer, or a function of the request.
        requests: what was asked, in the order of arrival.
        arrived: set when a request has come.
        release: what `hang` waits for.
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
    def url(self) -> str:
        """The base URL."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def honest(self, request: Request) -> Answer:
        """Vectors for texts, an echo for a prompt."""
        if request.path.endswith("/embeddings"):
            return self.vectors(request)
        return _completion(request, request.body["messages"][-1]["content"])

    def vectors(self, request: Request) -> Answer:
        """A vector for each text, the last text first: `index` says where each belongs."""
        data = [
            {"object": "embedding", "index": index, "embedding": [float(len(text)), 1.0] + [0.0] * (self.dimension - 2)}
            for index, text in enumerate(request.body["input"])
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        body = {"object": "list", "data": data[::-1], "model": request.body["model"], "usage": usage}
        return Answer(body=json.dumps(body).encode())

    def says(self, text: str | None, *, finish: str = "stop", refusal: str | None = None) -> Step:
        """A completion with this text; `finish="length"` cuts it off, `refusal` declines."""
        return partial(_completion, text=text, finish=finish, refusal=refusal)

    def fails(self, status: int, message: str = "told to fail") -> Step:
        """An error, which the client may try again at once."""
        headers = (("content-type", "application/json"), ("retry-after-ms", "1"))
        return Answer(status, json.dumps({"error": {"message": message}}).encode(), headers)

    def hang(self, request: Request) -> Answer:
        """Nothing, until `release` is set."""
        self.release.wait()
        return self.honest(request)

    def close(self) -> None:
        """Let go of what hangs, and end."""
        self.release.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _answer(self, request: Request) -> Answer:
        self.requests.append(request)
        step = self.script.pop(0) if self.script else self.honest
        self.arrived.set()
        return step if isinstance(step, Answer) else step(request)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        answered = self._answer

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                answer = answered(
                    Request(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
                )
                self.send_response(answer.status)
                for name, value in answer.headers:
                    self.send_header(name, value)
                self.send_header("content-length", str(len(answer.body)))
                self.end_headers()
                self.wfile.write(answer.body)

            def log_message(self, *_: Any) -> None:
                pass

        return Handler


def _completion(request: Request, text: str | None, finish: str = "stop", refusal: str | None = None) -> Answer:
    message = {"role": "assistant", "content": text, "refusal": refusal}
    body = {
        "id": "completion-1", "object": "chat.completion", "created": 0, "model": request.body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12},
    }  # fmt: skip
    return Answer(body=json.dumps(body).encode())
