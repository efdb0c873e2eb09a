"""The examples of tool loops, with the makers' clients and a model that follows a script over loopback."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from docs.shown import PAGES, ROOT
from memoranda.testing.model_server import Answer, ModelServer, Request, Step

EXAMPLES = ROOT / "examples"
SHOWN = re.findall(r"```text\n(user: My sister.*?)```", PAGES["docs/MCP.md"], re.DOTALL)
Made = Callable[[Request, str | None, dict[str, Any] | None, str], dict[str, Any]]


@pytest.fixture(autouse=True)
def offline() -> None:
    """These tests do open connections, within this machine."""


def openai_answer(request: Request, text: str | None, given: dict[str, Any] | None, name: str) -> dict[str, Any]:
    """A completion of OpenAI's protocol: a text, or the call of a tool."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if given is not None:
        assert name in [one["function"]["name"] for one in request.body["tools"]]
        function = {"name": name, "arguments": json.dumps(given)}
        message["tool_calls"] = [{"id": "call_1", "type": "function", "function": function}]
    finish = "stop" if given is None else "tool_calls"
    choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
    return {"id": "c", "object": "chat.completion", "created": 0, "model": request.body["model"], "choices": [choice]}


def anthropic_answer(request: Request, text: str | None, given: dict[str, Any] | None, name: str) -> dict[str, Any]:
    """The same in Anthropic's."""
    content: Any = {"type": "text", "text": text}
    if given is not None:
        assert name in [one["name"] for one in request.body["tools"]]
        content = {"type": "tool_use", "id": "toolu_1", "name": name, "input": given}
    finish = "end_turn" if given is None else "tool_use"
    usage = {"input_tokens": 1, "output_tokens": 1}
    told = {"id": "m", "type": "message", "role": "assistant", "model": request.body["model"], "content": [content]}
    return {**told, "stop_reason": finish, "stop_sequence": None, "usage": usage}


def results(request: Request) -> Iterator[str]:
    """What tools answered in a conversation, in both protocols."""
    for message in request.body["messages"]:
        if message["role"] == "tool":
            yield message["content"]
        elif isinstance(message["content"], list):
            yield from (one["content"] for one in message["content"] if one["type"] == "tool_result")


def script(made: Made) -> list[Step]:
    """A model that records what it is told, searches when it is asked, and repeats what it found, nothing else."""

    def calls(name: str, **given: Any) -> Step:
        return lambda request: Answer(body=json.dumps(made(request, None, given, name)).encode())

    def noted(request: Request) -> Answer:
        [told] = results(request)
        assert json.loads(told)["decisions"][0]["outcome"] == "added"
        return Answer(body=json.dumps(made(request, "Noted.", None, "")).encode())

    def recalled(request: Request) -> Answer:
        [told] = results(request)
        found = json.loads(told)["items"][0]["text"]
        return Answer(body=json.dumps(made(request, f"I remember: {found}", None, "")).encode())

    return [
        calls("record_observation", content="User's sister Ann lives in Oslo."), noted,
        calls("search_memory", query="Where does the sister live?"), recalled,
    ]  # fmt: skip


def printed(name: str, *arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), **environment},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_loop_with_the_client_of_openai_recalls_what_it_was_told() -> None:
    with ModelServer() as model:
        model.script = script(openai_answer)
        told = printed("openai_tools.py", "scripted", OPENAI_BASE_URL=model.url, OPENAI_API_KEY="any")
    assert told == SHOWN[0]


def test_a_loop_with_the_client_of_anthropic_recalls_over_http(tmp_path: Path) -> None:
    command = [sys.executable, "-u", "-m", "memoranda", "--db", str(tmp_path / "memory.db"), "--embedder", "none"]
    server = subprocess.Popen(
        [*command, "serve", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )  # fmt: skip
    assert server.stdout is not None
    with server.stdout, ModelServer() as model:
        try:
            lines = [server.stdout.readline() for _ in range(3)]
            key, address = lines[1].strip(), lines[2].partition(",")[0]
            model.script = script(anthropic_answer)
            told = printed(
                "anthropic_tools.py", "scripted", address, key, ANTHROPIC_BASE_URL=model.root, ANTHROPIC_API_KEY="any"
            )
        finally:
            server.terminate()
            server.wait(30)
    assert told == SHOWN[1]


@pytest.mark.parametrize("name", ["openai_tools.py", "anthropic_tools.py"])
def test_an_example_is_short(name: str) -> None:
    assert len((EXAMPLES / name).read_text("utf-8").splitlines()) < 60
