"""Messages in the OpenAI format.

An array of `{role, content}`; an object `{"messages": […]}`; an array of either; or the same line by line, as in
logs and fine-tuning files. A message may carry `name`, `id`, a `timestamp` or `created_at`, tool calls, and
`metadata`. Loose messages make one conversation, or one for each run of the same `conversation_id`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from memoranda.core.formats.conversation import Conversation, Message, in_time
from memoranda.core.formats.document import Node, noted, sound
from memoranda.core.formats.values import content, message, name, plain, role, start
from memoranda.errors import FormatError, MessageError

_TIME = ("timestamp", "created_at", "create_time")
#: What is read of a message; what else a host gives with it is kept in its metadata.
_READ = frozenset({"role", "content", "refusal", "tool_calls", "name", "id", "metadata", "conversation_id", *_TIME})


def matches(item: Node) -> bool:
    """Whether an item of a file looks like this format."""
    if isinstance(item.value, list):
        return all(isinstance(element, dict) and "role" in element for element in item.value)
    return item.has("messages") or item.has("role")


def read(items: Iterator[Node | FormatError], stem: str, faults: list[str]) -> Iterator[Conversation]:
    """Yield the conversations of a file. A loose message that cannot be read leaves a gap in its conversation."""
    loose: list[Message | None] = []
    gaps: set[int] = set()
    group, said = None, 0
    for number, item in enumerate(items, 1):
        belongs, place, found, known = group, f"{stem}/{number}", None, len(faults)
        with noted(faults, place):
            node = sound(item)
            belongs = _group(node, stem)
            found = _record(node, place) if belongs is None else _message(node)
        if group is not None and belongs != group:
            yield _conversation(loose, group, gaps)
            loose, gaps, said = [], set(), 0
        group = belongs
        if isinstance(found, Conversation):
            yield found
        elif group is not None:
            loose.append(found)
            if (
                len(faults) > known
            ):  # later messages are counted as if it could be read: they keep their ids once it can
                gaps.add(said)
            said += found is not None or len(faults) > known
    if group is not None:
        yield _conversation(loose, group, gaps)


def _group(item: Node, stem: str) -> str | None:
    """Return the conversation that a loose message belongs to; None if the item is a conversation."""
    if not item.has("role") or item.has("messages"):
        return None
    return name(item.get("conversation_id", "conversation")) or stem


def messages(items: Sequence[Any], source: str = "messages") -> list[Message]:
    """Return messages given as objects instead of a file; their times may be datetimes. `Message` objects are kept.

    What else such an object holds ("model", "token_count") goes into the metadata of its message.

    Raises:
        MessageError: an item is not a message; the text says which and why.
    """
    try:
        found = [
            item if isinstance(item, Message) else _whole(Node(item, source, (number,)))
            for number, item in enumerate(items)
        ]
    except FormatError as error:
        raise MessageError(str(error)) from error
    return list(filter(None, found))


def _whole(node: Node) -> Message | None:
    found = _message(node)
    more = {key: plain(value) for key, value in node.entries() if key not in _READ and value.value is not None}
    return replace(found, metadata={**more, **found.metadata}) if found and more else found


def _conversation(messages: Iterable[Message | None], id_: str, gaps: Iterable[int] = ()) -> Conversation:
    return Conversation(id=id_, messages=in_time(messages), gaps=frozenset(gaps))


def _record(item: Node, fallback: str) -> Conversation:
    if isinstance(item.value, list):
        return _conversation(map(_message, item.elements()), fallback)
    return Conversation(
        id=name(item.get("id", "conversation_id")) or fallback,
        title=name(item.get("title")),
        messages=in_time(map(_message, item.need("messages").elements()), start(item.get(*_TIME))),
        metadata=_metadata(item),
    )


def _message(node: Node) -> Message | None:
    who = role(node.need("role"))
    body = content(node.get("content", "refusal"))
    if calls := node.get("tool_calls"):
        body.calls += [name(call.get("name") or _function(call)) or "a tool" for call in calls.elements()]
    elif not node.has("content"):
        raise node.fault(f'a message needs "content". Found {node.shape}.')
    text = body.text
    if body.results and not text:
        who, text = "tool", "\n".join(body.results)
    return message(
        who,
        text,
        speaker=name(node.get("name")),
        at=node.get(*_TIME),
        id=name(node.get("id")),
        metadata=_metadata(node) | body.notes,
    )


def _function(call: Node) -> Node | None:
    function = call.get("function")
    return function.get("name") if function else None


def _metadata(node: Node) -> dict[str, Any]:
    given = node.get("metadata")
    return {key: plain(value) for key, value in given.entries()} if given else {}
