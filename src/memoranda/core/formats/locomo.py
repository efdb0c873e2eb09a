"""The LoCoMo benchmark: long chats between two people, in dated sessions.

Both are users with names, since neither is an assistant. A shared image appears in the text as its caption.
"""

import re
from collections.abc import Iterator

from memoranda.core.formats.conversation import Conversation, Message, in_time
from memoranda.core.formats.document import Node
from memoranda.core.formats.values import dated, message, name

_SESSION = re.compile(r"session_(\d+)")


def matches(item: Node) -> bool:
    """Whether an item of a file looks like this format."""
    chat = item.get("conversation") if item.has("conversation") else None
    return chat is not None and isinstance(chat.value, dict) and any(map(_SESSION.fullmatch, chat.value))


def read(item: Node, place: str) -> Iterator[Conversation]:
    """Yield one conversation for each session of a sample."""
    chat = item.need("conversation")
    sample = name(item.get("sample_id")) or place
    speakers = [name(chat.get(key)) for key in ("speaker_a", "speaker_b")]
    sessions = sorted(int(found[1]) for key in chat.object() if (found := _SESSION.fullmatch(key)))
    for session in sessions:
        turns, said = chat.get(f"session_{session}"), chat.get(f"session_{session}_date_time")
        yield Conversation(
            id=f"{sample}/session_{session}",
            messages=in_time(
                map(_message, turns.elements() if turns else ()),
                dated(said, "%I:%M %p on %d %B, %Y", "1:56 pm on 8 May, 2023"),
            ),
            metadata={"sample_id": sample, "speakers": speakers},
        )


def _message(turn: Node) -> Message | None:
    text, caption = name(turn.get("text")), name(turn.get("blip_caption"))
    shared = f"[shares {caption}]" if caption else None
    return message(
        "user",
        " ".join(part for part in (text, shared) if part),
        speaker=name(turn.need("speaker")),
        id=name(turn.get("dia_id")),
    )
