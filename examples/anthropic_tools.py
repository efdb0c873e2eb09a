"""The same loop with Anthropic's client, and a memory behind `memoranda serve`, which prints its address and a key.

ANTHROPIC_API_KEY=… python examples/anthropic_tools.py MODEL http://127.0.0.1:8765 mra_…
"""

import sys
from collections.abc import Iterator
from typing import Any

from anthropic import Anthropic

from memoranda.client import RemoteMemory

RULES = "Record what the user tells of lasting interest. Search the memory before you say that you do not know."


def talk(client: Anthropic, model: str, tools: Any, said: str) -> Iterator[str]:
    """Yield the calls of one conversation and the answer."""
    messages: list[Any] = [{"role": "user", "content": said}]
    while True:
        answer = client.messages.create(
            model=model, max_tokens=1_000, system=RULES, messages=messages, tools=tools.definitions
        )
        messages.append({"role": "assistant", "content": answer.content})
        results = []
        for block in answer.content:
            if block.type == "text":
                yield f"model: {block.text}"
            elif block.type == "tool_use":
                yield f"  {block.name}({block.input})"
                if block.name in tools.destructive and input("Remove it for good? ") != "yes":
                    result = "The user does not want it."
                else:
                    result = tools.call(block.name, block.input)
                results.append({"type": "tool_result", "tool_use_id": block.id, "content": result})
        if not results:
            return
        messages.append({"role": "user", "content": results})


def main(model: str, address: str, key: str) -> None:
    """Hold two conversations that share nothing but the memory."""
    with RemoteMemory(address, key=key) as memory:
        tools = memory.scope(user="alice").tools_for("anthropic")
        for said in ("My sister Ann lives in Oslo.", "Where does my sister live?"):
            print(f"user: {said}", *talk(Anthropic(), model, tools, said), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
