"""The `conversations.json` of a Claude export: `chat_messages` of a human and an assistant."""

from collections.abc import Iterator

from memoranda.core.formats.conversation import Conversation, Message, in_time
from memoranda.core.formats.document import Node
from memoranda.core.formats.values import attachment, content, enclose, message, name, role, start


def matches(item: Node) -> bool:
    """Whether an item of a file looks like this format."""
    return item.has("chat_messages")


def read(item: Node, place: str) -> Iterator[Conversation]:
    """Yield a conversation of an export."""
    yield Conversation(
        id=name(item.get("uuid")) or place,
        title=name(item.get("name")),
        messages=in_time(map(_message, item.need("chat_messages").elements()), start(item.get("created_at"))),
    )


def _message(node: Node) -> Message | None:
    body = content(node.get("content"))
    if not any(text.strip() for text in body.texts):
        # Exports before 2024 have only the text; later ones repeat it beside the parts.
        body.texts = content(node.get("text")).texts
    for key in ("attachments", "files"):
        if given := node.get(key):
            for file in given.elements():
                body.attachments.append(attachment("file", file))
                enclose(body, file, "extracted_content")
    return message(
        role(node.need("sender")),
        body.text,
        at=node.get("created_at"),
        id=name(node.get("uuid")),
        metadata=body.notes,
    )
