"""Completions from any server with Anthropic's protocol."""

from collections.abc import Mapping
from typing import Any, Self

from anthropic import AnthropicError, AsyncAnthropic
from httpx2 import AsyncClient, HTTPError

from memoranda.errors import SetupError
from memoranda.models.chat import ChatModel, Heard, closed
from memoranda.models.common import public

ANTHROPIC_URL = "https://api.anthropic.com"
#: The tool whose input is the answer if the server cannot enforce the schema.
TOOL = "answer"


class _Client(AsyncAnthropic):
    """The official client, without the headers that it reads from the environment."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._custom_headers = {}


class AnthropicLanguageModel(ChatModel):
    """Requests `/v1/messages` of one server.

    A schema that closes all its objects is sent as the output format, which the server enforces. The output format
    allows no free-form objects, so with any other schema the model must call a tool whose input is the answer.
    No temperature is sent: the protocol has none since its version of 2026-10-21.

    Args:
        client: the client to send requests with.
        model: the model's name at the server.
        options: fields added to every request.
    """

    CUT = ("max_tokens", "model_context_window_exceeded")
    DECLINED = ("refusal",)
    ERRORS = (AnthropicError, HTTPError)

    def __init__(self, client: AsyncAnthropic, model: str, options: Mapping[str, Any]) -> None:
        super().__init__("anthropic", model, str(client.base_url), options, client.api_key)
        self._client = client

    @classmethod
    def open(
        cls,
        model: str,
        *,
        api_key: str = "",
        base_url: str = ANTHROPIC_URL,
        timeout: float = 60.0,
        proxy: str | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Self:
        """Return the language model. Nothing is sent before the first prompt.

        Args:
            model: the model's name at the server.
            api_key: required; any text if the server needs no key.
            base_url: the server's address, without `/v1`.
            timeout: seconds to connect, and between two chunks of an answer; `Gating.seconds` limits the whole.
            proxy: the address of an HTTP proxy; the environment is not read.
            options: fields of the request that replace ours, e.g. `{"service_tier": "auto"}`; None omits a field.

        Raises:
            SetupError: no key is given.
        """
        if not api_key:
            raise SetupError(
                f"An API key for {public(base_url)} is needed: open_language_model('anthropic:{model}', api_key=…), "
                "any if the server asks for none; the command line reads ANTHROPIC_API_KEY."
            )
        client = _Client(
            api_key=api_key,
            base_url=base_url,
            timeout=timeout,
            max_retries=0,
            open_telemetry=False,
            # Not the client's own default, which reads proxies from the environment whatever `trust_env` says.
            http_client=AsyncClient(trust_env=False, timeout=timeout, proxy=proxy, follow_redirects=True),
        )
        return cls(client, model, options or {})

    def _request(
        self,
        prompt: str,
        system: str,
        max_tokens: int,
        temperature: float,  # noqa: ARG002  # see above
    ) -> dict[str, Any]:
        return {
            "model": self._model,
            "messages": [{"role": "user", "content": prompt}],
            "system": system or None,
            "max_tokens": max_tokens,
        }

    def _form(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        if closed(schema):
            return {"output_config": {"format": {"type": "json_schema", "schema": schema}}}
        tool = {"name": TOOL, "description": "Takes the answer.", "input_schema": schema}
        return {"tools": [tool], "tool_choice": {"type": "tool", "name": TOOL}}

    async def _hear(self, request: dict[str, Any], heard: Heard) -> None:
        known = {name: request.pop(name) for name in ("model", "messages", "max_tokens")}
        async with await self._client.messages.create(stream=True, extra_body=request, **known) as stream:
            ended = None
            async for event in stream:
                heard.events += 1
                if event.type == "message_start":
                    heard.model = event.message.model
                    _count(heard, event.message.usage)
                elif event.type == "content_block_delta" and event.delta.type == "text_delta":
                    heard.said.append(event.delta.text)
                elif event.type == "content_block_delta" and event.delta.type == "input_json_delta":
                    heard.said.append(event.delta.partial_json)
                elif event.type == "message_delta":
                    ended = event.delta.stop_reason
                    _count(heard, event.usage)
                elif event.type == "message_stop":
                    heard.whole = ended or "end_turn"

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def _count(heard: Heard, usage: Any) -> None:
    """Record the token counts; tokens read from or written to the provider's cache count as read."""
    parts = (usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens)
    heard.tokens_in = sum(part or 0 for part in parts) or heard.tokens_in
    heard.tokens_out = usage.output_tokens or heard.tokens_out
