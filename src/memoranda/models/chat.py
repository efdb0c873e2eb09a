"""What the adapters to chat servers share: one streamed request, and how its answer or error is read.

A stream marks its end. A stream that ends without the mark broke off. Long answers need no long read timeout, because
the timeout is between two chunks. A field that the server refuses by name (a structured format, a temperature) is
omitted and the request repeated. It stays omitted only if the server then answers, because an error may merely quote
the prompt. A refused schema is put into the system prompt instead.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memoranda.errors import LanguageModelDeniedError, LanguageModelError, LanguageModelUnavailableError
from memoranda.models.common import clean, public
from memoranda.ports import Completion

#: Transient statuses: timeout, conflict, too early, too many requests. So is every 5xx.
PASSING = (408, 409, 425, 429)
#: Statuses that refuse the account, whatever the prompt. Not 403, which may refuse a prompt.
DENYING = (401, 402, 404)
#: Error types that refuse the account, and other permanent ones, whatever their status.
DENIED = {"authentication_error", "billing_error", "insufficient_quota", "not_found_error", "permission_error"}
LASTING = {"context_length_exceeded", "invalid_request_error", "request_too_large"}
#: Statuses that refuse a field, and the optional fields, with the words by which an error names them.
REFUSING = (400, 404, 422)
DISPENSABLE = {
    "response_format": ("response_format", "json_schema", "structured output"),
    "output_config": ("output_config", "output_format", "json_schema", "structured output"),
    "tools": ("tool", "input_schema"),
    "temperature": ("temperature",),
    "stream_options": ("stream_options",),
}
IN_WORDS = "Answer with JSON alone, without any words around it. It fits this JSON schema:"


@dataclass(slots=True)
class Heard:
    """The part of an answer received so far.

    Attributes:
        model: the model, as it names itself.
        said, declined: chunks of the answer, and of a refusal.
        whole: the protocol's reason for the end of the answer; None until it has ended.
        events: the number of chunks received, of any kind.
    """

    model: str = ""
    said: list[str] = field(default_factory=list)
    declined: list[str] = field(default_factory=list)
    whole: str | None = None
    events: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def tokens(self) -> dict[str, int]:
        """The token counts, as keyword arguments of errors and completions."""
        return {"tokens_in": self.tokens_in, "tokens_out": self.tokens_out}


class ChatModel:
    """One model of one server.

    Subclasses define how the protocol writes a request (`_request`, `_form`) and how its answer is read (`_hear`).

    Args:
        provider: the protocol's name, before the slash of `name`.
        model: the model's name at the server.
        url: the server's address; models of one address share a gate.
        options: fields of the request that replace ours; None omits a field.
        key: the API key, removed from error messages, because a server may quote it.
    """

    #: The reasons for an end in the protocol: cut off at `max_tokens`, and declined.
    CUT: tuple[str, ...]
    DECLINED: tuple[str, ...]
    #: Exceptions of the client and of its transport.
    ERRORS: tuple[type[Exception], ...]

    def __init__(self, provider: str, model: str, url: str, options: Mapping[str, Any], key: str | None) -> None:
        self.name = f"{provider}/{model}"
        self.provider = public(url)
        self._model = model
        self._where = f"{model} at {self.provider}"
        self._key = key
        self._options = dict(options)
        self._refused: set[str] = set()

    async def complete(
        self,
        prompt: str,
        *,
        system: str = "",
        schema: Mapping[str, Any] | None = None,
        max_tokens: int = 1_024,
        temperature: float = 0.0,
    ) -> Completion:
        """Complete one prompt. A schema that closes all its objects (`additionalProperties: false`) is enforced.

        Raises:
            LanguageModelUnavailableError: the server is busy, unreachable, or broke off in the middle.
            LanguageModelDeniedError: the server refuses the key, the account or the model.
            LanguageModelError: the server refuses, or returns nothing or no completion.
        """
        refused = set(self._refused)
        while True:
            form, told = self._structure(schema, system, refused)
            request = {**self._request(clean(prompt), clean(told), max_tokens, temperature), **form, **self._options}
            sent = {name: one for name, one in request.items() if one is not None and name not in refused}
            heard = Heard()
            try:
                await self._hear(dict(sent), heard)
            except self.ERRORS as error:
                name = _refused(error, sent)
                if name is None:
                    raise self._failure(error, heard) from error
                refused.add(_key(schema) if name in form else name)
            except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
                raise self._nonsense(heard, error) from error
            else:
                answer = self._completion(heard)
                self._refused |= refused
                return answer

    def _request(self, prompt: str, system: str, max_tokens: int, temperature: float) -> dict[str, Any]:
        raise NotImplementedError

    def _form(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        raise NotImplementedError

    async def _hear(self, request: dict[str, Any], heard: Heard) -> None:
        raise NotImplementedError

    def _structure(self, schema: Mapping[str, Any] | None, system: str, out: set[str]) -> tuple[dict[str, Any], str]:
        """Return fields that demand the schema and the system prompt; it demands the schema if the fields cannot."""
        if schema is None:
            return {}, system
        form = self._form(schema)
        if _key(schema) not in out and form.keys().isdisjoint(self._options):
            return form, system
        return {}, f"{system}\n\n{IN_WORDS}\n{json.dumps(schema, ensure_ascii=False)}".strip()

    def _completion(self, heard: Heard) -> Completion:
        text = "".join(heard.said)
        if not heard.events:
            raise self._nonsense(heard, "it sent no events")
        if heard.whole is None:
            raise LanguageModelUnavailableError(f"{self._where} broke off in the middle of its answer.", **heard.tokens)
        if heard.declined or heard.whole in self.DECLINED:
            # Without the refusal's text: it may quote the prompt, and errors are kept where forgetting does not reach.
            raise LanguageModelError(f"{self._where} refused to answer.", **heard.tokens)
        if not text.strip():
            raise LanguageModelError(f"{self._where} answered nothing.", **heard.tokens)
        return Completion(
            text=text, model=heard.model or self._model, truncated=heard.whole in self.CUT, **heard.tokens
        )

    def _failure(self, error: Exception, heard: Heard) -> LanguageModelError:
        status, kinds = _status(error), _kinds(error)
        message = f"{self._where} failed: {said(error, self._key)}"
        if transient(error):
            return LanguageModelUnavailableError(message, **heard.tokens, after=retry_after(error))
        denied = status in DENYING or kinds & DENIED
        return (LanguageModelDeniedError if denied else LanguageModelError)(message, **heard.tokens)

    def _nonsense(self, heard: Heard, why: object) -> LanguageModelError:
        return LanguageModelError(f"{self._where} answered something else than a completion: {why}", **heard.tokens)


def closed(schema: object) -> bool:
    """Whether every object in a JSON schema allows only its named properties: servers enforce no other schema."""
    if isinstance(schema, Mapping):
        spoken = "properties" in schema or schema.get("type") == "object"
        if spoken and schema.get("additionalProperties") is not False:
            return False
        return all(map(closed, schema.values()))
    return not isinstance(schema, list | tuple) or all(map(closed, schema))


def _key(schema: Mapping[str, Any] | None) -> str:
    return json.dumps(schema, sort_keys=True)


def _refused(error: Exception, request: Mapping[str, Any]) -> str | None:
    """Return the optional field of the request that the server refuses, if any."""
    if _status(error) not in REFUSING:
        return None
    quoted = str(error).lower()
    named = (name for name, words in DISPENSABLE.items() if name in request and any(word in quoted for word in words))
    return next(named, None)


def said(error: Exception, key: str | None) -> str:
    """Return what a client's error says, without the API key, which a server may quote."""
    message = f"{error}" or type(error).__name__
    return message.replace(key, "…") if key else message


def transient(error: Exception) -> bool:
    """Whether a client's error may pass: the server is busy, broken or out of reach, and does not refuse."""
    status, kinds = _status(error), _kinds(error)
    return not kinds & (DENIED | LASTING) and (status in PASSING or not 400 <= status < 500)


def _status(error: Exception) -> int:
    return getattr(error, "status_code", None) or 0


def _kinds(error: Exception) -> set[str]:
    """Return the types and codes in an error's body, in either protocol."""
    found, body = set[str](), getattr(error, "body", None)
    while isinstance(body, Mapping):
        found.update(kind for kind in (body.get("type"), body.get("code")) if isinstance(kind, str))
        body = body.get("error")
    return found


def retry_after(error: Exception) -> float | None:
    """Return the seconds of a retry-after header. A date is not read: our clock and the server's may differ."""
    headers = getattr(getattr(error, "response", None), "headers", {})
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) * unit)
        except (KeyError, ValueError):
            continue
    return None
