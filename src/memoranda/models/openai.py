"""Embeddings and completions from any server with OpenAI's protocol: OpenAI, Gemini, Ollama, vLLM, others."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

import numpy as np
from httpx2 import HTTPError
from numpy.typing import NDArray
from openai import AsyncOpenAI, DefaultAsyncHttpxClient, OpenAIError

from memoranda.errors import EmbedderError, EmbedderUnavailableError, SetupError
from memoranda.models.chat import ChatModel, Heard, closed, retry_after, said, transient
from memoranda.models.common import public, unit
from memoranda.ports import Space

OPENAI_HOST = "api.openai.com"
OPENAI_URL = f"https://{OPENAI_HOST}/v1"
#: Dimensions of OpenAI's own models.
DIMENSIONS = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}

#: The limits are 8,192 tokens per text and 300,000 per request. In any script, a token has at least one byte.
MAX_BYTES = 8_000
REQUEST_TEXTS = 128
REQUEST_BYTES = 200_000
#: Exceptions of the client and of its transport.
ERRORS = (OpenAIError, HTTPError)


class _Client(AsyncOpenAI):
    """The official client, without what it reads from the environment: identities, headers, proxies."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.organization = self.project = self.admin_api_key = None
        self._custom_headers = {}


def _client(opener: str, api_key: str, base_url: str, timeout: float, proxy: str | None) -> _Client:
    if not api_key:
        raise SetupError(
            f"An API key for {public(base_url)} is needed: {opener}, api_key=…), any if the server asks for none; the "
            "command line reads OPENAI_API_KEY."
        )
    return _Client(
        api_key=api_key,
        base_url=base_url,
        timeout=timeout,
        max_retries=0,
        http_client=DefaultAsyncHttpxClient(trust_env=False, timeout=timeout, proxy=proxy),
    )


class OpenAIEmbedder:
    """Requests `/embeddings` of one server.

    Args:
        client: the client to send requests with.
        model: the model's name at the server.
        space: the space of its vectors.
        shorten: request vectors of the space's dimension, for a model with longer ones.

    Attributes:
        provider: the server's address; embedders of one address share a gate.
    """

    def __init__(self, client: AsyncOpenAI, model: str, space: Space, *, shorten: bool = False) -> None:
        self._client = client
        self.provider = public(str(client.base_url))
        self._space = space
        self._options: dict[str, Any] = {"model": model, "encoding_format": "float"}
        if shorten:
            self._options["dimensions"] = space.dimension

    @classmethod
    def open(
        cls,
        model: str,
        *,
        api_key: str = "",
        base_url: str = OPENAI_URL,
        dimension: int | None = None,
        shorten: bool = False,
        timeout: float = 10.0,
        proxy: str | None = None,
    ) -> Self:
        """Return the embedder. Nothing is sent before the first text.

        Args:
            model: the model's name at the server.
            api_key: required; any text if the server needs no key.
            base_url: the server's address, up to and including `/v1`.
            dimension: the numbers per vector; known for OpenAI's own models.
            shorten: request vectors of that dimension, for a model with longer ones.
            timeout: seconds to connect, and until the answer; `Settings.embed_seconds` limits all attempts.
            proxy: the address of an HTTP proxy; the environment is not read.

        Raises:
            SetupError: no key is given; or no dimension, and `model` is not one of OpenAI's.
        """
        dimension = dimension or DIMENSIONS.get(model)
        if dimension is None:
            raise SetupError(
                f"Say how many numbers a vector of {model!r} has: open_embedder('openai:{model}', dimension=…); "
                "the command line reads MEMORANDA_OPENAI_DIMENSION."
            )
        client = _client(f"open_embedder('openai:{model}'", api_key, base_url, timeout, proxy)
        return cls(client, model, Space(name=f"openai/{model}@{dimension}", dimension=dimension), shorten=shorten)

    @property
    def space(self) -> Space:
        """The space of its vectors."""
        return self._space

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector per text; a text longer than 8,000 bytes is truncated.

        Raises:
            EmbedderUnavailableError: the server is busy or unreachable.
            EmbedderError: the server refuses, or does not return embeddings.
        """
        batches = [await self._request(batch) for batch in _batches(texts)]
        return np.concatenate([np.empty((0, self._space.dimension), np.float32), *batches])

    async def _request(self, texts: list[str]) -> NDArray[np.float32]:
        try:
            answer = await self._client.embeddings.create(input=texts, **self._options)
            rows = [item.embedding for item in sorted(answer.data, key=lambda item: item.index)]
            vectors = np.asarray(rows, np.float32)
        except ERRORS as error:
            kind = EmbedderUnavailableError if transient(error) else EmbedderError
            message = f"The embedding server {self.provider} failed: {said(error, self._client.api_key)}"
            raise kind(message, after=retry_after(error)) from error
        except (AttributeError, TypeError, ValueError) as error:
            raise EmbedderError(f"{self.provider} answered something else than embeddings: {error}") from error
        expected = (len(texts), self._space.dimension)
        if vectors.shape != expected:
            raise EmbedderError(f"{self.provider} answered vectors of shape {vectors.shape} instead of {expected}.")
        return unit(vectors)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """Split `texts` into requests; an empty text, which the protocol does not allow, is sent as a space."""
    batch: list[str] = []
    size = 0
    for text in texts:
        item = text[:MAX_BYTES].encode("utf-8", "replace")[:MAX_BYTES] or b" "
        if len(batch) == REQUEST_TEXTS or size + len(item) > REQUEST_BYTES:
            yield batch
            batch, size = [], 0
        batch.append(item.decode("utf-8", "ignore"))
        size += len(item)
    if batch:
        yield batch


class OpenAILanguageModel(ChatModel):
    """Requests `/chat/completions` of one server.

    Args:
        client: the client to send requests with.
        model: the model's name at the server.
        options: fields added to every request.
    """

    CUT = ("length",)
    DECLINED = ("content_filter",)
    ERRORS = ERRORS

    def __init__(self, client: AsyncOpenAI, model: str, options: Mapping[str, Any]) -> None:
        super().__init__("openai", model, str(client.base_url), options, client.api_key)
        self._client = client

    @classmethod
    def open(
        cls,
        model: str,
        *,
        api_key: str = "",
        base_url: str = OPENAI_URL,
        timeout: float = 60.0,
        proxy: str | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Self:
        """Return the language model. Nothing is sent before the first prompt.

        Args:
            model: the model's name at the server.
            api_key: required; any text if the server needs no key.
            base_url: the server's address, up to and including `/v1`.
            timeout: seconds to connect, and between two chunks of an answer; `Gating.seconds` limits the whole.
            proxy: the address of an HTTP proxy; the environment is not read.
            options: fields of the request that replace ours, e.g. `{"temperature": 1}` for a model that allows no
                other; None omits a field.

        Raises:
            SetupError: no key is given.
        """
        client = _client(f"open_language_model('openai:{model}'", api_key, base_url, timeout, proxy)
        return cls(client, model, options or {})

    def _request(self, prompt: str, system: str, max_tokens: int, temperature: float) -> dict[str, Any]:
        messages = [("system", system), ("user", prompt)]
        return {
            "model": self._model,
            "messages": [{"role": role, "content": text} for role, text in messages if text],
            # OpenAI's newer models accept only the first name, most compatible servers only the second.
            "max_completion_tokens" if self._client.base_url.host == OPENAI_HOST else "max_tokens": max_tokens,
            "temperature": temperature,
            "stream_options": {"include_usage": True},
        }

    def _form(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        form = {"name": "answer", "schema": schema, "strict": closed(schema)}
        return {"response_format": {"type": "json_schema", "json_schema": form}}

    async def _hear(self, request: dict[str, Any], heard: Heard) -> None:
        known = {name: request.pop(name) for name in ("model", "messages")}
        async with await self._client.chat.completions.create(stream=True, extra_body=request, **known) as stream:
            async for chunk in stream:
                heard.events += 1
                heard.model = chunk.model or heard.model
                if chunk.usage:
                    heard.tokens_in, heard.tokens_out = chunk.usage.prompt_tokens, chunk.usage.completion_tokens
                for choice in chunk.choices or ():
                    heard.said.append(choice.delta.content or "")
                    heard.declined.extend(filter(None, [choice.delta.refusal]))
                    heard.whole = choice.finish_reason or heard.whole

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()
