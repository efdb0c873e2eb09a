"""The BEAM benchmark: long chats with an assistant, in dated batches of turns."""

import re
from collections.abc import Iterator
from datetime import datetime

from memoranda.core.formats.conversation import Conversation, Message, in_time
from memoranda.core.formats.document import Node
from memoranda.core.formats.values import dated, message, name, role

#: The position of a question in the benchmark's plan (`->-> 1,1`), which is not part of what was said.
_MARKER = re.compile(r"(?<!\s)\s*+->->\s*+\d[\d,N/A )]*$")


def matches(item: Node) -> bool:
    """Whether an item of a file looks like this format."""
    return item.has("batch_number", "turns")


def read(item: Node, place: str) -> Iterator[Conversation]:
    """Yield the conversation of a batch."""
    turns = [element for turn in item.need("turns").elements() for element in turn.elements()]
    anchors = (_time(node.get("time_anchor")) for node in (item, *turns))
    stem, _, number = place.rpartition("/")
    yield Conversation(
        id=f"{stem}/batch_{name(item.get('batch_number')) or number}",
        messages=in_time(map(_message, turns), next(filter(None, anchors), None)),
    )


def _message(node: Node) -> Message | None:
    kind = name(node.get("question_type"))
    return message(
        role(node.need("role")),
        _MARKER.sub("", node.need("content").string()),
        id=name(node.get("id")),
        metadata={"question_type": kind} if kind else {},
    )


def _time(node: Node | None) -> datetime | None:
    return dated(node if node and node.value != "None" else None, "%B-%d-%Y", "March-15-2024")
