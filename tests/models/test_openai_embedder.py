"""The official client against a real HTTP server on loopback."""

import json
from collections.abc import Iterator

import anyio
import numpy as np
import pytest

from memoranda.errors import EmbedderError, EmbedderUnavailableError, SetupError
from memoranda.models.openai import REQUEST_TEXTS, OpenAIEmbedder
from memoranda.testing.model_server import Answer, Cut, ModelServer, Request

pytestmark = pytest.mark.anyio


def opened(server: ModelServer, **options: object) -> OpenAIEmbedder:
    given: dict[str, object] = {"api_key": "secret", "base_url": server.url, "dimension": 8}
    return OpenAIEmbedder.open("some-model", **{**given, **options})  # type: ignore[arg-type]


async def test_each_text_gets_its_own_vector(server: ModelServer) -> None:
    embedder = opened(server)
    vectors = await embedder.embed(["a", "bbbb", "", "half \ud800 a pair"])
    await embedder.close()
    expected = np.array([[1.0, 1], [4, 1], [1, 1], [13, 1]])
    np.testing.assert_allclose(vectors[:, :2], expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-6)
    assert embedder.space.name == "openai/some-model@8"
    (request,) = server.requests
    assert request.path == "/v1/embeddings"
    assert request.headers["authorization"] == "Bearer secret"
    assert request.body == {
        "input": ["a", "bbbb", " ", "half ? a pair"],
        "model": "some-model",
        "encoding_format": "float",
    }


async def test_no_texts_ask_nobody(server: ModelServer) -> None:
    embedder = opened(server)
    assert (await embedder.embed([])).shape == (0, 8)
    await embedder.close()
    assert not server.requests


async def test_many_or_long_texts_are_several_requests(server: ModelServer) -> None:
    embedder = opened(server)
    assert (await embedder.embed(["a"] * (2 * REQUEST_TEXTS + 1))).shape == (2 * REQUEST_TEXTS + 1, 8)
    assert (await embedder.embed(["x" * 9_000] * 26)).shape == (26, 8)
    await embedder.close()
    assert [len(request.body["input"]) for request in server.requests] == [128, 128, 1, 25, 1]
    assert {len(text) for request in server.requests[3:] for text in request.body["input"]} == {8_000}


async def test_no_text_has_more_tokens_than_the_server_takes(server: ModelServer) -> None:
    """A token has at least a byte, and signs that need several bytes may need as many tokens."""
    embedder = opened(server)
    await embedder.embed(["漢" * 9_000, "a🦀" * 9_000])
    await embedder.close()
    assert server.requests[0].body["input"] == ["漢" * 2_666, "a🦀" * 1_600]


async def test_shorter_vectors_are_asked_for_by_number(server: ModelServer) -> None:
    embedder = opened(server, shorten=True)
    await embedder.embed(["a"])
    await embedder.close()
    assert server.requests[0].body["dimensions"] == 8


async def test_nothing_comes_from_the_environment(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "from-environment")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: from-environment\nX-Extra: from-environment")
    for name in ("OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/from-environment")
    embedder = opened(server)
    await embedder.embed(["a"])
    await embedder.close()
    assert "from-environment" not in str(server.requests[0])


async def test_a_proxy_is_used_when_named(server: ModelServer) -> None:
    embedder = opened(server, base_url="http://embeddings.invalid/v1", proxy=server.url.removesuffix("/v1"))
    assert (await embedder.embed(["a"])).shape == (1, 8)
    await embedder.close()
    assert server.requests[0].path == "http://embeddings.invalid/v1/embeddings"


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
async def test_what_may_pass_is_asked_once_and_told_from_a_refusal(server: ModelServer, status: int) -> None:
    server.script = [server.fails(status, after=7)]
    embedder = opened(server)
    with pytest.raises(EmbedderUnavailableError, match=r"http://127\.0\.0\.1:\d+/v1/ failed: .*told to fail") as error:
        await embedder.embed(["a"])
    await embedder.close()
    assert (server.count, error.value.after) == (1, 7)


async def test_a_connection_that_breaks_may_be_better_next_time(server: ModelServer) -> None:
    def breaks(_: Request) -> Answer:
        def body() -> Iterator[bytes]:
            yield b'{"data": ['
            raise Cut

        return Answer(body=body())

    server.script = [server.hang_up, breaks]
    embedder = opened(server)
    for _ in range(2):
        with pytest.raises(EmbedderUnavailableError, match="failed"):
            await embedder.embed(["a"])
    await embedder.close()
    assert server.count == 2


@pytest.mark.parametrize(("status", "kind"), [(400, ""), (401, ""), (403, ""), (404, ""), (429, "insufficient_quota")])
async def test_a_refusal_is_the_embedders_error(server: ModelServer, status: int, kind: str) -> None:
    server.script = [server.fails(status, kind=kind)]
    embedder = opened(server)
    with pytest.raises(EmbedderError, match=r"http://127\.0\.0\.1:\d+/v1/ failed: .*told to fail") as error:
        await embedder.embed(["a"])
    await embedder.close()
    assert type(error.value) is EmbedderError


def vectors(*rows: list[float]) -> bytes:
    return json.dumps({"data": [{"index": at, "embedding": row} for at, row in enumerate(rows)]}).encode()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"{not json", "something else than embeddings"),
        (b"", "something else than embeddings"),
        (b"null", "something else than embeddings"),
        (b"[]", "something else than embeddings"),
        (b'{"data": null}', "something else than embeddings"),
        (b'{"data": [{"index": 0}, {"index": 1}]}', r"shape \(2,\) instead of \(2, 8\)"),
        (b'{"data": [{"embedding": [1]}, {"embedding": [1]}]}', "something else than embeddings"),
        (vectors([1.0] * 8, [1.0] * 7), "something else than embeddings"),
        (vectors([1.0] * 8), r"shape \(1, 8\) instead of \(2, 8\)"),
        (vectors([1.0] * 9, [1.0] * 9), r"shape \(2, 9\) instead of \(2, 8\)"),
        (b'{"data": []}', r"shape \(0,\) instead of \(2, 8\)"),
    ],
)
async def test_nonsense_is_the_embedders_error(server: ModelServer, body: bytes, message: str) -> None:
    server.script = [Answer(body=body)]
    embedder = opened(server)
    with pytest.raises(EmbedderError, match=message):
        await embedder.embed(["a", "b"])
    await embedder.close()


async def test_a_page_instead_of_json_is_the_embedders_error(server: ModelServer) -> None:
    server.script = [Answer(body=b"<html>a portal</html>", headers=(("content-type", "text/html"),))]
    embedder = opened(server)
    with pytest.raises(EmbedderError, match="something else than embeddings"):
        await embedder.embed(["a"])
    await embedder.close()


async def test_a_slow_server_is_given_up(server: ModelServer) -> None:
    server.script = [server.hang]
    embedder = opened(server, timeout=0.05)
    with pytest.raises(EmbedderUnavailableError, match="timed out"):
        await embedder.embed(["a"])
    await embedder.close()


async def test_waiting_can_be_cancelled(server: ModelServer) -> None:
    server.script = [server.hang]
    embedder = opened(server)
    with anyio.move_on_after(0.05) as scope:
        await embedder.embed(["a"])
    assert scope.cancelled_caught
    await embedder.close()


async def test_no_message_tells_a_key(server: ModelServer) -> None:
    server.script = [server.fails(401, "wrong key: sk-tell-nobody")]
    embedder = opened(server, api_key="sk-tell-nobody", base_url=f"{server.url}?key=tell-nobody")
    with pytest.raises(EmbedderError, match="wrong key") as error:
        await embedder.embed(["a"])
    assert "tell-nobody" not in str(error.value)
    await embedder.close()


async def test_nobody_there_is_the_embedders_error(server: ModelServer) -> None:
    url = server.url
    server.close()
    embedder = opened(server, base_url=url)
    with pytest.raises(EmbedderUnavailableError, match="Connection error"):
        await embedder.embed(["a"])
    await embedder.close()


async def test_what_must_be_said_is_asked_for() -> None:
    with pytest.raises(SetupError, match="how many numbers a vector of 'bge-m3' has"):
        OpenAIEmbedder.open("bge-m3", api_key="k")
    with pytest.raises(SetupError, match="An API key"):
        OpenAIEmbedder.open("text-embedding-3-small")
    assert OpenAIEmbedder.open("text-embedding-3-small", api_key="k").space.dimension == 1536
