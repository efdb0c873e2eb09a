"""What goes over the wire to a server that speaks OpenAI's protocol."""

import json

import pytest

from memoranda.errors import SetupError
from memoranda.models.openai import OPENAI_URL, OpenAILanguageModel
from memoranda.testing.model_server import EVENTS, Answer, ModelServer
from models.chatting import CLOSED, OPEN, opened

pytestmark = pytest.mark.anyio


async def test_a_prompt_is_asked_as_a_stream(server: ModelServer) -> None:
    model = opened(server)
    answer = await model.complete("half \ud800 a pair", system="Be brief.", max_tokens=9)
    await model.close()
    assert answer.text == "half ? a pair"
    assert model.name == "openai/some-model"
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer secret"
    assert request.body == {
        "model": "some-model",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "half ? a pair"}],
        "max_tokens": 9,
        "temperature": 0.0,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


@pytest.mark.parametrize("schema", [CLOSED, OPEN])
async def test_a_schema_is_sent_and_enforced_where_it_is_closed(server: ModelServer, schema: dict[str, object]) -> None:
    server.script = [server.says('{"a": 1}')]
    model = opened(server)
    answer = await model.complete("go", schema=schema)
    await model.close()
    assert answer.json == {"a": 1}
    form = server.requests[0].body["response_format"]
    strict = schema is CLOSED
    assert form == {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema, "strict": strict}}


async def test_options_replace_and_leave_out(server: ModelServer) -> None:
    told = {"temperature": None, "max_tokens": None, "max_completion_tokens": 5, "seed": 1, "stream_options": None}
    model = opened(server, options=told)
    answer = await model.complete("go")
    await model.close()
    assert server.requests[0].body.keys() == {"model", "messages", "max_completion_tokens", "seed", "stream"}
    assert (answer.tokens_in, answer.tokens_out) == (0, 0)


async def test_openai_itself_is_told_the_limit_by_its_newer_name(server: ModelServer) -> None:
    model = opened(server, base_url=OPENAI_URL.replace("https", "http"), proxy=server.root)
    await model.complete("go", max_tokens=3)
    await model.close()
    (request,) = server.requests
    assert request.path == OPENAI_URL.replace("https", "http") + "/chat/completions"
    assert request.body["max_completion_tokens"] == 3
    assert "max_tokens" not in request.body


async def test_an_answer_without_usage_or_model_is_an_answer(server: ModelServer) -> None:
    chunk = {"choices": [{"index": 0, "delta": {"content": "yes"}, "finish_reason": "stop"}]}
    server.script = [Answer(body=f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode(), headers=(EVENTS,))]
    model = opened(server)
    answer = await model.complete("go")
    await model.close()
    assert (answer.text, answer.model, answer.tokens_in, answer.tokens_out) == ("yes", "some-model", 0, 0)


async def test_what_must_be_said_is_asked_for() -> None:
    with pytest.raises(SetupError, match=r"An API key .* open_language_model\('openai:gpt', api_key=…\)"):
        OpenAILanguageModel.open("gpt")
