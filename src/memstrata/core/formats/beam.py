"""The BEAM benchmark: long chats with an assistant, in dated batches of turns."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from memstrata.core.formats.conversation import Conversation, Message, in_time
from memstrata.core.formats.document import Node
from memstrata.core.formats.values import message, name, role

#: The place in the plan a question was made from (`->-> 1,1`): part of the benchmark, not of what was said.
_MARKER = re.compile(r"\s*->->\s*\d[\d,N/A )]*$")


def matches(item: Node) -> bool:
    """Whether an item of a file looks like this format."""
    return item.has("batch_number", "turns")


def read(items: Iterator[Node], stem: str) -> Iterator[Conversation]:
    """One conversation for each batch."""
    for number, item in enumerate(items, 1):
        turns = [element for turn in item.need("turns").elements() for element in turn.elements()]
        anchors = (_time(node.get("time_anchor")) for node in (item, *turns))
        messages = in_time(
            (found for node in turns for found in _messages(node)), next((anchor for anchor in anchors if anchor), None)
        )
        if messages:
            yield Conversation(id=f"{stem}/batch_{name(item.get('batch_number')) or number}", messages=messages)


def _messages(node: Node) -> Iterator[Message]:
    """The message at `node`, unless it holds nothing."""
    kind = name(node.get("question_type"))
    found = message(
        role(node.need("role")),
        _MARKER.sub("", node.need("content").string()),
        id=name(node.get("id")),
        metadata={"question_type": kind} if kind else {},
    )
    if found:
        yield found


def _time(node: Node | None) -> datetime | None:
    if node is None or node.value == "None":
        return None
    try:
        return datetime.strptime(node.string(), "%B-%d-%Y").replace(tzinfo=UTC)
    except ValueError as error:
        raise node.fault(f'{node.shape} is no date like "March-15-2024" ({error}).') from error
