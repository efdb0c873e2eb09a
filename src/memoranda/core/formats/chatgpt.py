"""The `conversations.json` of a ChatGPT export.

A conversation is a tree, because every edited prompt and regenerated answer starts a branch. `current_node` is
the leaf that was on the screen; only the path from the root to it, which is what was shown, is read.
"""

from collections.abc import Iterator

from memoranda.core.formats.conversation import Conversation, Message, in_time
from memoranda.core.formats.document import Node
from memoranda.core.formats.values import content, message, name, role, start

# Instructions, reasoning and its recap: internal, not part of what was said.
_UNSPOKEN = frozenset(
    {"thoughts", "reasoning_recap", "user_editable_context", "model_editable_context", "app_pairing_content"}
)


def matches(item: Node) -> bool:
    """Whether an item of a file looks like this format."""
    return item.has("mapping")


def read(item: Node, place: str) -> Iterator[Conversation]:
    """Yield a conversation of an export, as it was shown."""
    yield Conversation(
        id=name(item.get("conversation_id", "id")) or place,
        title=name(item.get("title")),
        messages=in_time(map(_message, _shown(item)), start(item.get("create_time"))),
    )


def _shown(item: Node) -> list[Node]:
    """Return the nodes from the root to the one on the screen."""
    mapping = item.need("mapping")
    current = item.get("current_node")
    key = current.string() if current else _last_leaf(mapping)
    path: dict[str, Node] = {}
    while key is not None:
        if key in path:
            raise mapping.fault(f"the node {key!r} is its own ancestor. Export the conversations again.")
        path[key] = mapping.need(key)
        parent = path[key].get("parent")
        key = parent.string() if parent else None
    return list(reversed(path.values()))


def _last_leaf(mapping: Node) -> str | None:
    """Return the last node without children: exports before 2023 do not say which was on the screen."""
    leaves = [key for key in mapping.object() if not _children(mapping, key)]
    return leaves[-1] if leaves else None


def _children(mapping: Node, key: str) -> bool:
    node = mapping.get(key)
    return bool(node and (children := node.get("children")) and children.value)


def _message(node: Node) -> Message | None:
    """Return the message of a node, unless it was hidden or is empty."""
    said = node.get("message")
    if said is None:
        return None
    author, body, extra = said.need("author"), said.get("content"), said.get("metadata")
    who = role(author.need("role"))
    hidden = extra is not None and extra.get("is_visually_hidden_from_conversation")
    weight = said.get("weight")
    if who == "system" or body is None or (hidden and hidden.value) or (weight and weight.value == 0):
        return None
    kind = name(body.get("content_type")) or "text"
    if kind in _UNSPOKEN:
        return None
    found = content(body.get("parts", "text", "result"))
    return message(
        who,
        found.text,
        speaker=name(author.get("name")),
        at=said.get("create_time"),
        id=name(said.get("id")),
        metadata=found.notes,
    )
