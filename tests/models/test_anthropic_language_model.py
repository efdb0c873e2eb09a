"""What goes over the wire to a server that speaks Anthropic's protocol."""

import json

import pytest

from memoranda.errors import SetupError
from memoranda.models.anthropic import AnthropicLanguageModel
from memoranda.testing.model_server import EVENTS, Answer, ModelServer
from memoranda.testing.wires import event
from models.chatting import CLOSED, OPEN, opened

pytestmark = pytest.mark.anyio


async def test_a_prompt_is_asked_as_a_stream(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("API_KEY", "AUTH_TOKEN", "BASE_URL"):
        monkeypatch.setenv(f"ANTHROPIC_{name}", "http://stray")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "x-stray: yes")
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    model = opened(server, "anthropic")
    answer = await model.complete("half \ud800 a pair", system="Be brief.", max_tokens=9)
    await model.close()
    assert answer.text == "half ? a pair"
    assert model.name == "anthropic/some-model"
    (request,) = server.requests
    assert request.path == "/v1/messages"
    assert request.headers["authorization"] == "Bearer secret"
    assert "x-stray" not in request.headers
    assert request.body == {
        "model": "some-model",
        "messages": [{"role": "user", "content": "half ? a pair"}],
        "system": "Be brief.",
        "max_tokens": 9,
        "stream": True,
    }


async def test_a_closed_schema_is_the_format_of_the_output(server: ModelServer) -> None:
    server.script = [server.says('{"a": 1}')]
    model = opened(server, "anthropic")
    assert (await model.complete("go", schema=CLOSED)).json == {"a": 1}
    await model.close()
    (request,) = server.requests
    assert request.body["output_config"] == {"format": {"type": "json_schema", "schema": CLOSED}}
    assert not {"tools", "system"} & request.body.keys()


async def test_any_other_schema_is_that_of_a_tool_whose_input_is_the_answer(server: ModelServer) -> None:
    server.script = [server.says('{"a": {"b": 1}}')]
    model = opened(server, "anthropic")
    answer = await model.complete("go", schema=OPEN)
    await model.close()
    assert (answer.json, answer.truncated) == ({"a": {"b": 1}}, False)
    (request,) = server.requests
    assert request.body["tools"][0]["input_schema"] == OPEN
    assert request.body["tool_choice"] == {"type": "tool", "name": "answer"}


async def test_what_was_read_from_the_providers_cache_was_read(server: ModelServer) -> None:
    usage = {"input_tokens": 1, "cache_read_input_tokens": 10, "cache_creation_input_tokens": 100, "output_tokens": 1}
    said = [
        {"type": "message_start", "message": {"model": "some-model", "content": [], "usage": usage}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "yes"}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}},
        {"type": "message_stop"},
    ]
    server.script = [
        Answer(body=b"".join(event(one, json.dumps(one["type"])[1:-1]) for one in said), headers=(EVENTS,))
    ]
    model = opened(server, "anthropic")
    answer = await model.complete("go")
    await model.close()
    assert (answer.text, answer.tokens_in, answer.tokens_out) == ("yes", 111, 9)


async def test_what_must_be_said_is_asked_for() -> None:
    with pytest.raises(SetupError, match=r"An API key .* open_language_model\('anthropic:claude', api_key=…\)"):
        AnthropicLanguageModel.open("claude")
