"""The wire formats of a completion, whole and streamed, in OpenAI's protocol and in Anthropic's."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Protocol

#: The token usage that every completion reports.
TOKENS_IN, TOKENS_OUT = 7, 5
PIECE = 4  # characters of text per event


class Said(NamedTuple):
    """A completion.

    Attributes:
        text: the answer; None for no content.
        finish: `stop`, or `length` if it was cut off at the limit.
        refusal: the refusal given instead of an answer.
    """

    text: str | None
    finish: str = "stop"
    refusal: str | None = None


class Wire(Protocol):
    """A wire protocol; `asked` is the body of the request."""

    def whole(self, asked: Mapping[str, Any], said: Said) -> bytes:
        """Return the whole answer as one body."""
        ...

    def begin(self, asked: Mapping[str, Any]) -> Iterator[bytes]:
        """Yield the events before the first piece of text."""
        ...

    def pieces(self, asked: Mapping[str, Any], said: Said) -> Iterator[bytes]:
        """Yield an event for each piece of the text."""
        ...

    def end(self, asked: Mapping[str, Any], said: Said) -> Iterator[bytes]:
        """Yield the closing events, with the finish reason."""
        ...

    def error(self, kind: str, message: str) -> bytes:
        """Return the body of an error response."""
        ...

    def broken(self, kind: str, message: str) -> bytes:
        """Return the error event of a stream."""
        ...


def event(data: Any, name: str = "") -> bytes:
    """Encode one server-sent event; a string as data is sent as it is, anything else as JSON."""
    body = data if isinstance(data, str) else json.dumps(data)
    return (f"event: {name}\n" if name else "").encode() + f"data: {body}\n\n".encode()


def _cut(text: str) -> Iterator[str]:
    for start in range(0, len(text), PIECE):
        yield text[start : start + PIECE]


class OpenAIWire:
    """Chat completions."""

    def whole(self, asked: Mapping[str, Any], said: Said) -> bytes:
        message = {"role": "assistant", "content": said.text, "refusal": said.refusal}
        choice = {"index": 0, "message": message, "finish_reason": said.finish, "logprobs": None}
        return json.dumps(
            {**self._head(asked, "chat.completion"), "choices": [choice], "usage": self._usage()}
        ).encode()

    def begin(self, asked: Mapping[str, Any]) -> Iterator[bytes]:
        yield self._chunk(asked, {"role": "assistant", "content": ""})

    def pieces(self, asked: Mapping[str, Any], said: Said) -> Iterator[bytes]:
        for name, text in (("content", said.text), ("refusal", said.refusal)):
            for piece in _cut(text or ""):
                yield self._chunk(asked, {name: piece})

    def end(self, asked: Mapping[str, Any], said: Said) -> Iterator[bytes]:
        yield self._chunk(asked, {}, said.finish)
        if (asked.get("stream_options") or {}).get("include_usage"):
            yield event({**self._head(asked, "chat.completion.chunk"), "choices": [], "usage": self._usage()})
        yield event("[DONE]")

    def error(self, kind: str, message: str) -> bytes:
        return json.dumps({"error": {"message": message, "type": kind, "param": None, "code": None}}).encode()

    def broken(self, kind: str, message: str) -> bytes:
        return event(self.error(kind, message).decode())

    def _chunk(self, asked: Mapping[str, Any], delta: Mapping[str, str], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return event({**self._head(asked, "chat.completion.chunk"), "choices": [choice]})

    def _head(self, asked: Mapping[str, Any], kind: str) -> dict[str, Any]:
        return {"id": "completion-1", "object": kind, "created": 0, "model": asked["model"]}

    def _usage(self) -> dict[str, int]:
        return {
            "prompt_tokens": TOKENS_IN,
            "completion_tokens": TOKENS_OUT,
            "total_tokens": TOKENS_IN + TOKENS_OUT,
        }


class AnthropicWire:
    """Messages. If the request forces a tool call, the text is sent as that tool's input."""

    def whole(self, asked: Mapping[str, Any], said: Said) -> bytes:
        text = said.text or said.refusal
        tool = self._tool(asked)
        block = {**self._block(tool), **({"input": json.loads(text or "{}")} if tool else {"text": text})}
        message = {**self._message(asked), "content": [block] if text else [], **self._ending(asked, said)}
        return json.dumps({**message, "usage": {"input_tokens": TOKENS_IN, "output_tokens": TOKENS_OUT}}).encode()

    def begin(self, asked: Mapping[str, Any]) -> Iterator[bytes]:
        yield self._event("message_start", message=self._message(asked))
        yield self._event("content_block_start", index=0, content_block=self._block(self._tool(asked)))
        yield self._event("ping")

    def pieces(self, asked: Mapping[str, Any], said: Said) -> Iterator[bytes]:
        kind, name = ("input_json_delta", "partial_json") if self._tool(asked) else ("text_delta", "text")
        for piece in _cut(said.text or said.refusal or ""):
            yield self._event("content_block_delta", index=0, delta={"type": kind, name: piece})

    def end(self, asked: Mapping[str, Any], said: Said) -> Iterator[bytes]:
        yield self._event("content_block_stop", index=0)
        yield self._event("message_delta", delta=self._ending(asked, said), usage={"output_tokens": TOKENS_OUT})
        yield self._event("message_stop")

    def error(self, kind: str, message: str) -> bytes:
        return json.dumps({"type": "error", "error": {"type": kind, "message": message}}).encode()

    def broken(self, kind: str, message: str) -> bytes:
        return event(self.error(kind, message).decode(), "error")

    def _event(self, kind: str, **data: Any) -> bytes:
        return event({"type": kind, **data}, kind)

    def _message(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "id": "message-1", "type": "message", "role": "assistant", "model": asked["model"], "content": [],
            "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": TOKENS_IN, "output_tokens": 1},
        }  # fmt: skip

    def _ending(self, asked: Mapping[str, Any], said: Said) -> dict[str, Any]:
        whole = "tool_use" if self._tool(asked) else "end_turn"
        reason = "refusal" if said.refusal else "max_tokens" if said.finish == "length" else whole
        return {"stop_reason": reason, "stop_sequence": None}

    def _block(self, tool: str) -> dict[str, Any]:
        if tool:
            return {"type": "tool_use", "id": "tool-1", "name": tool, "input": {}}
        return {"type": "text", "text": ""}

    def _tool(self, asked: Mapping[str, Any]) -> str:
        return str((asked.get("tool_choice") or {}).get("name") or "")


def wire_of(path: str) -> Wire:
    """Return the protocol spoken at a path."""
    return AnthropicWire() if path.endswith("/messages") else OpenAIWire()
