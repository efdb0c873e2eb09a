"""Readers of conversation files: pure functions from bytes to conversations.

Each format has a module with `matches(item)` and `read(items, stem)`, which may yield conversations without messages.
A format is recognised by the first item of the file, never by its name.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from types import MappingProxyType

from memstrata.core.checks import brief
from memstrata.core.formats import beam, chatgpt, claude, locomo, openai
from memstrata.core.formats.conversation import Conversation, Message
from memstrata.core.formats.document import Node, items
from memstrata.errors import FormatError

ADVICE = "Give OpenAI messages (JSON or JSONL), or the conversations.json of a ChatGPT or Claude export."

Reader = Callable[[Iterator[Node], str], Iterator[Conversation]]

#: Each format's recogniser and reader, in the order they are tried.
FORMATS: Mapping[str, tuple[Callable[[Node], bool], Reader]] = MappingProxyType(
    {
        "chatgpt": (chatgpt.matches, chatgpt.read),
        "claude": (claude.matches, claude.read),
        "beam": (beam.matches, beam.read),
        "locomo": (locomo.matches, locomo.read),
        "openai": (openai.matches, openai.read),
    }
)


def read(data: bytes, name: str, format: str | None = None) -> Iterator[Conversation]:  # noqa: A002 - the option's name
    """Yield the conversations in a file.

    Args:
        data: the file's bytes: JSON or JSONL, in UTF-8, or in UTF-16 or UTF-32 with a byte order mark.
        name: the file's name, for error messages and for ids where the file has none.
        format: one of `FORMATS`; None recognises it from the content.

    Raises:
        FormatError: the file is invalid; the message says what was found, where, and what to do. The conversations
            before the fault have already been yielded and are valid.
    """
    if format is not None and format not in FORMATS:
        raise FormatError(f"There is no format {brief(format)}; memstrata reads {', '.join(FORMATS)}.")
    stream = items(data, name, ADVICE)
    first = next(stream, None)
    if first is None:
        raise FormatError(f"{name}: the array is empty. There is nothing to import.")
    _, reader = FORMATS[format or _detect(first)]
    count = 0
    for conversation in reader(chain((first,), stream), _stem(name)):
        if conversation.messages:
            count += 1
            yield conversation
    if not count:
        raise FormatError(f"{name}: there is no message with any content in it. There is nothing to import.")


def _detect(item: Node) -> str:
    for format_, (matches, _) in FORMATS.items():
        if matches(item):
            return format_
    raise item.fault(f"this is no conversation: found {item.shape}. {ADVICE}")


def _stem(name: str) -> str:
    """Return the name without its last extension: `work/chat.json` gives `work/chat`."""
    folder, slash, file = name.rpartition("/")
    return folder + slash + (file.rpartition(".")[0] or file)


__all__ = ["FORMATS", "Conversation", "Message", "read"]
