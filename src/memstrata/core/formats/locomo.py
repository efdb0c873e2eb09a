"""The LoCoMo benchmark: long chats between two people, in dated sessions.

Both are users with names, since neither is an assistant. A shared image stands in the text as its caption.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from memstrata.core.formats.conversation import Conversation, Message, in_time
from memstrata.core.formats.document import Node
from memstrata.core.formats.values import message, name

_SESSION = re.compile(r"session_(\d+)")


def matches(item: Node) -> bool:
    """Whether an item of a file looks like this format."""
    chat = item.get("conversation") if item.has("conversation") else None
    return chat is not None and isinstance(chat.value, dict) and any(map(_SESSION.fullmatch, chat.value))


def read(items: Iterator[Node], stem: str) -> Iterator[Conversation]:
    """One conversation for each session of each sample."""
    for number, item in enumerate(items, 1):
        chat = item.need("conversation")
        sample = name(item.get("sample_id")) or f"{stem}/{number}"
        speakers = [name(chat.get(key)) for key in ("speaker_a", "speaker_b")]
        sessions = sorted(int(found[1]) for key in chat.object() if (found := _SESSION.fullmatch(key)))
        for session in sessions:
            turns = chat.get(f"session_{session}")
            messages = in_time(
                (found for turn in (turns.elements() if turns else ()) for found in _messages(turn)),
                _time(chat.get(f"session_{session}_date_time")),
            )
            if messages:
                yield Conversation(
                    id=f"{sample}/session_{session}",
                    messages=messages,
                    metadata={"sample_id": sample, "speakers": speakers},
                )


def _messages(turn: Node) -> Iterator[Message]:
    """The message at `turn`, unless it holds nothing."""
    text, caption = name(turn.get("text")), name(turn.get("blip_caption"))
    shared = f"[shares {caption}]" if caption else None
    found = message(
        "user",
        " ".join(part for part in (text, shared) if part),
        speaker=name(turn.need("speaker")),
        id=name(turn.get("dia_id")),
    )
    if found:
        yield found


def _time(node: Node | None) -> datetime | None:
    if node is None:
        return None
    try:
        return datetime.strptime(node.string(), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
    except ValueError as error:
        raise node.fault(f'{node.shape} is no time like "1:56 pm on 8 May, 2023" ({error}).') from error
