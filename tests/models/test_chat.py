"""The official clients against a scripted server on loopback: what every answer means, in both protocols."""

import json

import anyio
import pytest

from memoranda.errors import LanguageModelDeniedError, LanguageModelError, LanguageModelUnavailableError
from memoranda.models.chat import closed
from memoranda.testing.model_server import EVENTS, Answer, Fault, ModelServer, Request, Step
from models.chatting import CLOSED, OPEN, PROVIDERS, opened

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("provider", PROVIDERS)]


async def refused(server: ModelServer, provider: str, step: Step, **options: object) -> LanguageModelError:
    server.script = [step]
    model = opened(server, provider, **options)
    with pytest.raises(LanguageModelError) as error:
        await model.complete("go")
    await model.close()
    assert server.count == 1
    return error.value


async def test_a_whole_answer_is_counted(server: ModelServer, provider: str) -> None:
    server.script = [server.says("a long answer, piece by piece")]
    model = opened(server, provider)
    answer = await model.complete("go")
    await model.close()
    assert (answer.text, answer.model, answer.truncated) == ("a long answer, piece by piece", "some-model", False)
    assert (answer.tokens_in, answer.tokens_out, answer.json) == (7, 5, None)


@pytest.mark.parametrize("schema", [CLOSED, OPEN])
async def test_an_answer_cut_off_says_so(server: ModelServer, provider: str, schema: dict[str, object]) -> None:
    server.script = [server.says('{"a": [1, 2', finish="length")]
    model = opened(server, provider)
    answer = await model.complete("go", schema=schema)
    await model.close()
    assert (answer.truncated, answer.json, answer.text) == (True, None, '{"a": [1, 2')


async def test_malformed_json_is_an_answer_that_is_none(server: ModelServer, provider: str) -> None:
    server.script = [server.says('{"a": oops}')]
    model = opened(server, provider)
    answer = await model.complete("go", schema=OPEN)
    await model.close()
    assert (answer.json, answer.truncated) == (None, False)


@pytest.mark.parametrize("fault", ["cut", "ended", "error"])
async def test_a_stream_that_breaks_off_is_no_answer(server: ModelServer, provider: str, fault: Fault) -> None:
    error = await refused(server, provider, server.says("half of the answer", fault=fault))
    assert isinstance(error, LanguageModelUnavailableError)
    assert error.tokens_in == (7 if provider == "anthropic" else 0)  # the one says it at once, the other at the end


async def test_a_stream_that_makes_no_sense_is_not_asked_for_again(server: ModelServer, provider: str) -> None:
    error = await refused(server, provider, server.says("half of the answer", fault="garbled"))
    assert type(error) is LanguageModelError
    assert "something else than a completion" in str(error)


async def test_a_long_answer_is_heard_to_its_end(server: ModelServer, provider: str) -> None:
    server.script = [server.says("a long answer", fault="stalled")]
    model = opened(server, provider)
    async with anyio.create_task_group() as tasks:

        async def ask() -> None:
            assert (await model.complete("go")).text == "a long answer"

        tasks.start_soon(ask)
        await anyio.to_thread.run_sync(server.arrived.wait)
        server.release.set()
    await model.close()


@pytest.mark.parametrize("fault", ["hang", "stalled"])
async def test_a_server_that_falls_silent_is_given_up(server: ModelServer, provider: str, fault: str) -> None:
    step = server.hang if fault == "hang" else server.says("half of the answer", fault="stalled")
    error = await refused(server, provider, step, timeout=0.5)
    assert isinstance(error, LanguageModelUnavailableError)


async def test_a_connection_that_ends_without_an_answer_may_come_back(server: ModelServer, provider: str) -> None:
    assert isinstance(await refused(server, provider, server.hang_up), LanguageModelUnavailableError)


@pytest.mark.parametrize("status", [408, 429, 500, 503, 529])
async def test_what_passes_is_told_apart(server: ModelServer, provider: str, status: int) -> None:
    error = await refused(server, provider, server.fails(status, after=7))
    assert isinstance(error, LanguageModelUnavailableError)
    assert error.after == 7
    assert "some-model at http://127.0.0.1" in str(error)
    assert "told to fail" in str(error)


@pytest.mark.parametrize(("after", "told"), [("Fri, 01 Jan 2027 00:00:00 GMT", None), ("-1", 0.0)])
async def test_a_date_to_come_back_at_is_not_read(
    server: ModelServer, provider: str, after: str, told: float | None
) -> None:
    error = await refused(server, provider, Answer(429, b"{}", (("retry-after", after),)))
    assert isinstance(error, LanguageModelUnavailableError)
    assert error.after == told


@pytest.mark.parametrize("status", [400, 413, 422])
async def test_what_lasts_is_not_asked_for_again(server: ModelServer, provider: str, status: int) -> None:
    assert type(await refused(server, provider, server.fails(status))) is LanguageModelError


@pytest.mark.parametrize(
    ("status", "kind"),
    [(401, ""), (402, ""), (403, "permission_error"), (404, ""), (429, "insufficient_quota"), (400, "billing_error")],
)
async def test_an_account_that_is_refused_is_told_from_a_prompt(
    server: ModelServer, provider: str, status: int, kind: str
) -> None:
    step = server.fails(status, kind=kind) if kind else server.fails(status)
    assert type(await refused(server, provider, step)) is LanguageModelDeniedError


async def test_a_prompt_that_is_not_permitted_is_no_fault_of_the_account(server: ModelServer, provider: str) -> None:
    error = await refused(server, provider, server.fails(403, kind="moderation"))
    assert type(error) is LanguageModelError


async def test_no_message_tells_a_key_or_a_password(server: ModelServer, provider: str) -> None:
    def quotes(request: Request) -> Answer:
        told = {"error": {"message": f"wrong key: {sorted(request.headers.items())}"}}
        return Answer(401, json.dumps(told).encode())

    error = await refused(server, provider, quotes, api_key="sk-tell-nobody")
    assert "wrong key" in str(error)
    assert "tell-nobody" not in str(error)
    url = (server.url if provider == "openai" else server.root).replace("//", "//ann:hunter2@")
    server.requests.clear()
    error = await refused(server, provider, server.fails(500), base_url=f"{url}?key=tell-nobody")
    assert "hunter2" not in str(error)
    assert "tell-nobody" not in str(error)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", "application/json"), (b"{not json", "application/json"), (b'{"choices": []}', "application/json"),
        (b"", "text/event-stream"), (b"data: 7\n\n", "text/event-stream"), (b"data: \xff\n\n", "text/event-stream"),
        (b'event: message_start\ndata: {"type": "message_start", "choices": 7}\n\n', "text/event-stream"),
        (b'event: message_delta\ndata: {"type": "message_delta", "choices": [7]}\n\n', "text/event-stream"),
    ],
)  # fmt: skip
async def test_nonsense_is_the_language_models_error(
    server: ModelServer, provider: str, body: bytes, kind: str
) -> None:
    error = await refused(server, provider, Answer(body=body, headers=(("content-type", kind),)))
    assert type(error) is LanguageModelError
    assert "something else than a completion" in str(error)


async def test_nothing_is_no_answer(server: ModelServer, provider: str) -> None:
    error = await refused(server, provider, server.says(" \n"))
    assert "answered nothing." in str(error)
    assert (error.tokens_in, error.tokens_out) == (7, 5)


async def test_a_refusal_is_no_answer(server: ModelServer, provider: str) -> None:
    error = await refused(server, provider, server.says(None, refusal="I must not."))
    assert str(error).endswith("refused to answer.")
    assert (error.tokens_in, error.tokens_out) == (7, 5)


async def test_waiting_can_be_cancelled(server: ModelServer, provider: str) -> None:
    server.script = [server.hang]
    model = opened(server, provider)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(model.complete, "go")
        await anyio.to_thread.run_sync(server.arrived.wait)
        tasks.cancel_scope.cancel()
    await model.close()


@pytest.mark.parametrize("schema", [CLOSED, OPEN])
async def test_a_form_that_the_server_refuses_is_told_in_words(
    server: ModelServer, provider: str, schema: dict[str, object]
) -> None:
    words = "response_format, output_config and tools are not supported"
    server.script = [server.fails(400, words), server.says('{"a": 1}'), server.says('{"a": 2}')]
    model = opened(server, provider)
    assert (await model.complete("go", schema=schema, system="Be brief.")).json == {"a": 1}
    assert (await model.complete("go", schema=schema)).json == {"a": 2}
    await model.close()
    assert server.count == 3
    for request in server.requests[1:]:
        assert not {"response_format", "output_config", "tools", "tool_choice"} & request.body.keys()
        assert '"additionalProperties": false' in str(request.body) or schema is OPEN
        assert "JSON alone" in str(request.body)


async def test_a_temperature_that_the_model_does_not_know_is_left_out_from_then_on(
    server: ModelServer, provider: str
) -> None:
    server.script = [server.fails(400, "'temperature' is not supported by this model")]
    model = opened(server, provider, options={"temperature": 0.5})
    assert (await model.complete("one")).text == "one"
    assert (await model.complete("two")).text == "two"
    await model.close()
    assert ["temperature" in request.body for request in server.requests] == [True, False, False]


async def test_a_refusal_that_quotes_the_prompt_is_none_of_a_field(server: ModelServer, provider: str) -> None:
    words = "blocked content: 'response_format and output_config of my tool shed, its temperature'"
    server.script = [server.fails(400, words)] * 3
    model = opened(server, provider)
    with pytest.raises(LanguageModelError, match="tool shed"):
        await model.complete("go", schema=CLOSED)
    tried = len(server.requests)
    server.script = [server.says('{"a": 1}')]
    assert (await model.complete("go", schema=CLOSED)).json == {"a": 1}
    await model.close()
    assert tried > 1
    assert server.requests[tried].body.keys() == server.requests[0].body.keys()


async def test_who_replaces_the_form_is_told_the_schema_in_words(server: ModelServer, provider: str) -> None:
    server.script = [server.says('{"a": 1}')]
    model = opened(server, provider, options={"response_format": None, "output_config": None})
    await model.complete("go", schema=CLOSED)
    await model.close()
    assert not {"response_format", "output_config"} & server.requests[0].body.keys()
    assert "JSON alone" in str(server.requests[0].body)


def test_a_schema_is_closed_if_all_its_objects_are(provider: str) -> None:
    inner = {"type": "object", "additionalProperties": False, "properties": {"b": OPEN}}
    assert provider in PROVIDERS
    assert closed(CLOSED)
    assert closed({"type": "array", "items": CLOSED, "anyOf": [CLOSED]})
    assert not closed(OPEN)
    assert not closed(inner)
    assert not closed({"anyOf": [CLOSED, OPEN]})


async def test_a_client_that_does_not_ask_for_a_stream_gets_the_whole(server: ModelServer, provider: str) -> None:
    import httpx2

    path = "/v1/chat/completions" if provider == "openai" else "/v1/messages"
    asked = {"model": "m", "messages": [{"role": "user", "content": "hello"}]}
    async with httpx2.AsyncClient(trust_env=False) as client:
        answer = (await client.post(server.root + path, json=asked)).json()
        tool = {**asked, "tool_choice": {"type": "tool", "name": "t"}}
        server.script = [server.says('{"a": 1}')]
        called = (await client.post(server.root + path, json=tool)).json()
    if provider == "openai":
        assert answer["choices"][0]["message"]["content"] == "hello"
    else:
        assert answer["content"] == [{"type": "text", "text": "hello"}]
        assert called["content"][0]["input"] == {"a": 1}


async def test_an_answer_that_is_events_and_says_so_is_typed(server: ModelServer, provider: str) -> None:
    assert EVENTS[1] == "text/event-stream"
    assert isinstance(await refused(server, provider, Answer(500, b"oops", (EVENTS,))), LanguageModelUnavailableError)
