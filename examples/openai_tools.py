"""A loop of one's own with OpenAI's client: what the model is told in one conversation it recalls in another.

OPENAI_API_KEY=… python examples/openai_tools.py MODEL
"""

import sys
from collections.abc import Iterator
from typing import Any

from openai import OpenAI

from memoranda import Memory

RULES = "Record what the user tells of lasting interest. Search the memory before you say that you do not know."


def talk(client: OpenAI, model: str, tools: Any, said: str) -> Iterator[str]:
    """Yield the calls of one conversation and the answer."""
    messages: list[Any] = [{"role": "system", "content": RULES}, {"role": "user", "content": said}]
    while True:
        asked = client.chat.completions.create(model=model, messages=messages, tools=tools.definitions)
        answer = asked.choices[0].message
        messages.append(answer)
        if not answer.tool_calls:
            yield f"model: {answer.content}"
            return
        for call in answer.tool_calls:
            name, arguments = call.function.name, call.function.arguments
            yield f"  {name}({arguments})"
            if name in tools.destructive and input("Remove it for good? ") != "yes":
                result = "The user does not want it."
            else:
                result = tools.call(name, arguments)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


def main(model: str) -> None:
    """Hold two conversations that share nothing but the memory."""
    with Memory.open(":memory:") as memory:
        tools = memory.scope(tenant="acme", user="alice").tools_for("openai")
        for said in ("My sister Ann lives in Oslo.", "Where does my sister live?"):
            print(f"user: {said}", *talk(OpenAI(), model, tools, said), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1])
