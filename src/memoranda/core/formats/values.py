"""What all readers share: roles, times, and the parts of a message's content."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from memoranda.core.base.checks import brief
from memoranda.core.formats.conversation import Message
from memoranda.core.formats.document import Node
from memoranda.core.text.terms import content_hash, storable

_NAMES = {
    "user": "user human",
    "assistant": "assistant ai model bot",
    "system": "system developer",
    "tool": "tool function",
}
#: Name → the role it stands for.
ROLES: Mapping[str, str] = MappingProxyType({name: role for role, names in _NAMES.items() for name in names.split()})

#: Seconds since 1970 are below this until the year 5138; milliseconds have been above it since 1973.
_MILLISECONDS = 1e11

#: How deep a host's own metadata may be nested, counted from the top of the file.
_DEEPEST = 64

#: Bits of an integer that Python still reads and writes in digits.
_LONGEST = 14_000

_EPOCH = re.compile(r"\d{9,13}(\.\d+)?")
_TEXT = frozenset({"text", "input_text", "output_text", "audio_transcription"})
#: The tool by which Claude writes a document beside the conversation.
_ARTIFACTS = "artifacts"
_UNSPOKEN = frozenset({"thinking", "redacted_thinking", "reasoning"})


def role(node: Node) -> str:
    """Return the role a name stands for."""
    known = ROLES.get(node.value.lower()) if isinstance(node.value, str) else None
    if known is None:
        raise node.fault(f"{node.shape} is no role memoranda knows. Rename it to one of {', '.join(ROLES)}.")
    return known


def time(node: Node) -> tuple[datetime, bool]:
    """Return a time with its offset from UTC, and whether that had to be assumed.

    Reads ISO 8601, seconds or milliseconds since 1970 as a number or in digits, and a datetime.
    """
    value = node.value
    try:
        if isinstance(value, datetime) or (isinstance(value, str) and not _EPOCH.fullmatch(value)):
            parsed = value if isinstance(value, datetime) else datetime.fromisoformat(value.strip())
            if parsed.tzinfo is None:
                return parsed.replace(tzinfo=UTC), True
            parsed.astimezone(UTC)  # an error outside the years of UTC
            return parsed, False
        if isinstance(value, str | int | float) and not isinstance(value, bool) and math.isfinite(float(value)):
            seconds = float(value) / 1000 if abs(float(value)) > _MILLISECONDS else float(value)
            return datetime.fromtimestamp(seconds, UTC), False
    except (ValueError, OverflowError, OSError) as error:
        raise node.fault(f"{node.shape} is no time ({error}). {_TIMES}") from error
    raise node.fault(f"{node.shape} is no time. {_TIMES}")


_TIMES = "Use ISO 8601 with a zone (2026-01-31T09:30:00Z) or seconds since 1970."


def start(node: Node | None) -> datetime | None:
    """Return when a conversation began, in UTC, if given."""
    return time(node)[0] if node else None


def dated(node: Node | None, form: str, example: str) -> datetime | None:
    """Return a time in a `strptime` form, taken as UTC; `example` shows the form in errors."""
    if node is None:
        return None
    try:
        return datetime.strptime(node.string(), form).replace(tzinfo=UTC)
    except ValueError as error:
        raise node.fault(f'{node.shape} is no time like "{example}" ({error}).') from error


def plain(node: Node) -> Any:
    """Return the value as JSON, without characters that a database cannot store.

    Raises:
        FormatError: it is not JSON, a number is not finite or too large, or it is nested too deep.
    """
    match node.value:
        case str() as text:
            return storable(text)[0]
        case Mapping() | list() if len(node.path) > _DEEPEST:
            raise node.fault(f"this is nested more than {_DEEPEST} levels deep. Store it as a string.")
        case Mapping():
            if strange := [key for key in node.object() if not isinstance(key, str)]:
                raise node.fault(f"the name {brief(strange[0])} is no string. Write it as one.")
            return {storable(key)[0]: plain(child) for key, child in node.entries()}
        case list():
            return [plain(element) for element in node.elements()]
        case float() as number if not math.isfinite(number):
            raise node.fault("JSON has no NaN." if math.isnan(number) else "this number is too large.")
        case int() as number if number.bit_length() > _LONGEST:
            raise node.fault("this number is too large.")
        case None | bool() | int() | float() as value:
            return value
        case _:
            raise node.fault(f"a JSON value is needed here, found {node.shape}. Write it as a string.")


def name(node: Node | None) -> str | None:
    """Return a name or id; None if it is missing or blank."""
    return (storable(node.string())[0].strip() or None) if node else None


@dataclass(slots=True)
class Content:
    """The content of a message: its text, tool results in it, the texts that came with it, and notes."""

    texts: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    attachments: list[str] = field(default_factory=list)
    enclosed: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text; without one, what was attached or called. What was attached as text follows, each in a block."""
        lines = [text for text in self.texts if text.strip()] + [f"[{item}]" for item in self.attachments]
        lines += map(_block, self.enclosed)
        return "\n".join(lines) or (f"[calls {', '.join(self.calls)}]" if self.calls else "")

    @property
    def notes(self) -> dict[str, Any]:
        """What goes into the message's metadata."""
        noted = {"attachments": self.attachments, "tool_calls": self.calls}
        return {key: list(value) for key, value in noted.items() if value}


def _block(text: str) -> str:
    """Return a text between tags that it cannot close itself, so that nobody takes it for the speaker's words."""
    tag = f"attached-{content_hash(text)[:16]}"
    return f"<{tag}>\n{text.strip()}\n</{tag}>"


def content(node: Node | None) -> Content:
    """Return the parsed content of a message: a string, null, or a list of parts."""
    found = Content()
    if node is None:
        return found
    if isinstance(node.value, str):
        found.texts.append(node.value)
        return found
    if not isinstance(node.value, list):
        raise node.fault(f"a string or an array of parts is needed here, found {node.shape}.")
    for part in node.elements():
        if isinstance(part.value, str):
            found.texts.append(part.value)
        elif part.value is not None:
            _add(part, found)
    return found


def _add(part: Node, found: Content) -> None:
    kind = name(part.get("type", "content_type")) or ("text" if part.get("text") else "part")
    if kind in _TEXT:
        found.texts.append(_text(part.get("text")))
    elif kind == "refusal":
        found.texts.append(_text(part.get("refusal")))
    elif kind == "tool_use":
        called = name(part.get("name")) or "a tool"
        found.calls.append(called)
        if called == _ARTIFACTS:
            enclose(found, part, "input", "content")
    elif kind == "tool_result":
        # A tool's answer must never read as the user's words, even inside a user's message.
        found.results.append(content(part.get("content")).text)
    elif kind not in _UNSPOKEN:
        found.attachments.append(attachment(kind, part))
        if part.within("source", "type") == "text":
            enclose(found, part, "source", "data")


def enclose(found: Content, part: Node, *path: str) -> None:
    """Add a text that came with a message, such as that of an attached file, if there is one at a path of keys."""
    text = part.within(*path)
    if isinstance(text, str) and text.strip():
        found.enclosed.append(storable(text)[0])


def _text(node: Node | None) -> str:
    if node is None:
        return ""
    inner = node.get("value") if isinstance(node.value, dict) else node
    return inner.string() if inner else ""


def attachment(kind: str, node: Node) -> str:
    """Describe an attachment in a few words: "image", or "file report.pdf"."""
    plain = next((word for word in ("image", "audio", "video") if word in kind), "file" if "file" in kind else kind)
    inner = node.get("file")
    holder = inner if inner and isinstance(inner.value, dict) else node
    label = name(holder.get("file_name", "filename", "name"))
    return f"{plain} {label}" if label else plain


def message(
    role: str,
    text: str,
    *,
    speaker: str | None = None,
    at: Node | None = None,
    id: str | None = None,  # noqa: A002 - the field's name
    metadata: Mapping[str, Any] | None = None,
) -> Message | None:
    """Return a message, or None if it is empty; its metadata says what was assumed or repaired."""
    clean, repairs = storable(text)
    notes = dict(metadata or {})
    if repairs:
        notes["repaired"] = "characters no database can store"
    moment, assumed = time(at) if at else (None, False)
    if assumed:
        notes["time_zone"] = "assumed UTC"
    if not clean.strip():
        return None
    return Message(role=role, content=clean, speaker=speaker, at=moment, id=id, metadata=notes)
