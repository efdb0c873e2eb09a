"""The `conversations.json` of a Claude export: `chat_messages` of a human and an assistant."""

from collections.abc import Iterator

from memstrata.core.formats.conversation import Conversation, Message, in_time
from memstrata.core.formats.document import Node
from memstrata.core.formats.values import attachment, content, message, name, role, time


def matches(item: Node) -> bool:
    """Whether an item of a file looks like this format."""
    return item.has("chat_messages")


def read(items: Iterator[Node], stem: str) -> Iterator[Conversation]:
    """The conversations of an export."""
    for number, item in enumerate(items, 1):
        start = item.get("created_at")
        messages = in_time(
            (found for node in item.need("chat_messages").elements() for found in _messages(node)),
            time(start)[0] if start else None,
        )
        if messages:
            yield Conversation(
                id=name(item.get("uuid")) or f"{stem}/{number}", title=name(item.get("name")), messages=messages
            )


def _messages(node: Node) -> Iterator[Message]:
    """The message at `node`, unless it holds nothing."""
    body = content(node.get("content"))
    if not any(text.strip() for text in body.texts):
        # Exports before 2024 have the text alone; later ones repeat it beside the parts.
        body.texts = content(node.get("text")).texts
    for key in ("attachments", "files"):
        if given := node.get(key):
            body.attachments += [attachment("file", file) for file in given.elements()]
    found = message(
        role(node.need("sender")),
        body.text,
        at=node.get("created_at"),
        id=name(node.get("uuid")),
        metadata=body.notes,
    )
    if found:
        yield found
