"""The official client against a scripted HTTP server on loopback: completions."""

import json

import anyio
import pytest

from memstrata.errors import LanguageModelError, SetupError
from memstrata.models import open_language_model
from memstrata.models.openai import OPENAI_URL, OpenAILanguageModel
from memstrata.ports import LanguageModel
from memstrata.testing.model_server import Answer, ModelServer

pytestmark = pytest.mark.anyio

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}


def opened(server: ModelServer, **options: object) -> LanguageModel:
    given = {"api_key": "secret", "base_url": server.url, "max_retries": 0, **options}
    model = open_language_model("openai:some-model", **given)
    assert model is not None
    return model


async def test_a_prompt_is_answered(server: ModelServer) -> None:
    model = opened(server)
    answer = await model.complete("half \ud800 a pair", system="Be brief.", max_tokens=9)
    await model.close()
    assert (answer.text, answer.model, answer.truncated) == ("half ? a pair", "some-model", False)
    assert (answer.tokens_in, answer.tokens_out, answer.json) == (7, 5, None)
    assert model.name == "openai/some-model"
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == "Bearer secret"
    assert request.body == {
        "model": "some-model",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "half ? a pair"}],
        "max_tokens": 9,
        "temperature": 0.0,
    }


@pytest.mark.parametrize("closed", [True, False])
async def test_a_schema_is_sent_and_enforced_where_it_is_closed(server: ModelServer, closed: bool) -> None:
    server.script = [server.says('{"a": 1}')]
    schema = SCHEMA if closed else {"type": "object"}
    model = opened(server)
    answer = await model.complete("go", schema=schema)
    await model.close()
    assert answer.json == {"a": 1}
    form = server.requests[0].body["response_format"]
    assert form == {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema, "strict": closed}}


async def test_options_replace_and_leave_out(server: ModelServer) -> None:
    model = opened(server, options={"temperature": None, "max_tokens": None, "max_completion_tokens": 5, "seed": 1})
    await model.complete("go")
    await model.close()
    assert server.requests[0].body.keys() == {"model", "messages", "max_completion_tokens", "seed"}


async def test_openai_itself_is_told_the_limit_by_its_newer_name(server: ModelServer) -> None:
    model = opened(server, base_url=OPENAI_URL.replace("https", "http"), proxy=server.url.removesuffix("/v1"))
    await model.complete("go", max_tokens=3)
    await model.close()
    (request,) = server.requests
    assert request.path == OPENAI_URL.replace("https", "http") + "/chat/completions"
    assert request.body["max_completion_tokens"] == 3
    assert "max_tokens" not in request.body


async def test_an_answer_cut_off_says_so(server: ModelServer) -> None:
    server.script = [server.says('{"a": [1, 2', finish="length")]
    model = opened(server)
    answer = await model.complete("go", schema=SCHEMA)
    await model.close()
    assert (answer.truncated, answer.json, answer.text) == (True, None, '{"a": [1, 2')


async def test_a_busy_server_is_asked_again(server: ModelServer) -> None:
    server.script = [server.fails(429), server.fails(500), server.says("yes")]
    model = opened(server, max_retries=2)
    assert (await model.complete("go")).text == "yes"
    await model.close()
    assert len(server.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 503])
async def test_a_refusal_is_the_language_models_error(server: ModelServer, status: int) -> None:
    server.script = [server.fails(status)]
    model = opened(server)
    with pytest.raises(LanguageModelError, match=r"some-model at http://127\.0\.0\.1:\d+/v1/ failed: .*told to fail"):
        await model.complete("go")
    await model.close()


@pytest.mark.parametrize(
    "body",
    [
        b"{not json", b"", b"null", b"[]", b"{}", b'{"choices": null}', b'{"choices": []}', b'{"choices": [{}]}',
        b'{"choices": [{"message": 7}]}',
    ],
)  # fmt: skip
async def test_nonsense_is_the_language_models_error(server: ModelServer, body: bytes) -> None:
    server.script = [Answer(body=body)]
    model = opened(server)
    with pytest.raises(LanguageModelError, match="something else than a completion"):
        await model.complete("go")
    await model.close()


async def test_an_answer_without_usage_or_model_is_an_answer(server: ModelServer) -> None:
    body = {"choices": [{"message": {"role": "assistant", "content": "yes"}}]}
    server.script = [Answer(body=json.dumps(body).encode())]
    model = opened(server)
    answer = await model.complete("go")
    await model.close()
    assert (answer.text, answer.model, answer.tokens_in, answer.tokens_out) == ("yes", "some-model", 0, 0)


async def test_nothing_is_no_answer(server: ModelServer) -> None:
    server.script = [server.says(None, refusal="I must not."), server.says(" \n")]
    model = opened(server)
    with pytest.raises(LanguageModelError, match=r"answered nothing and refused: I must not\."):
        await model.complete("go")
    with pytest.raises(LanguageModelError, match=r"answered nothing\."):
        await model.complete("go")
    await model.close()


async def test_a_slow_server_is_given_up(server: ModelServer) -> None:
    server.script = [server.hang]
    model = opened(server, timeout=0.05)
    with pytest.raises(LanguageModelError, match="timed out"):
        await model.complete("go")
    await model.close()


async def test_waiting_can_be_cancelled(server: ModelServer) -> None:
    server.script = [server.hang]
    model = opened(server)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(model.complete, "go")
        await anyio.to_thread.run_sync(server.arrived.wait)
        tasks.cancel_scope.cancel()
    await model.close()


async def test_what_must_be_said_is_asked_for() -> None:
    with pytest.raises(SetupError, match=r"An API key .* open_language_model\('openai:gpt', api_key=…\)"):
        OpenAILanguageModel.open("gpt")
