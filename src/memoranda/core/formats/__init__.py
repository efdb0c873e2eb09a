"""Readers of conversation files: pure functions from bytes to conversations.

Each format has a module with `matches(item)` and `read(item, place)`, which may yield conversations without messages;
`place` is the id where the file has none. Messages of the OpenAI format may lie loose, so that reader takes all items.
A format is recognised by the first item of the file that has one, never by its name.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain, islice
from types import MappingProxyType

from memoranda.core.base.checks import brief
from memoranda.core.formats import beam, chatgpt, claude, locomo, openai
from memoranda.core.formats.conversation import Conversation, Message
from memoranda.core.formats.document import Node, items, noted, sound
from memoranda.errors import FormatError

ADVICE = "Give OpenAI messages (JSON or JSONL), or the conversations.json of a ChatGPT or Claude export."

_SAMPLE = 100  # items among which one must show the format

Items = Iterator[Node | FormatError]
Reader = Callable[[Items, str, list[str]], Iterator[Conversation]]


def _each(read: Callable[[Node, str], Iterator[Conversation]]) -> Reader:
    """Return a reader of all items of a file; an item with a fault does not keep the others from being read."""

    def reader(items: Items, stem: str, faults: list[str]) -> Iterator[Conversation]:
        for number, item in enumerate(items, 1):
            with noted(faults, f"{stem}/{number}"):
                yield from read(sound(item), f"{stem}/{number}")

    return reader


#: Each format's recogniser and reader, in the order they are tried.
FORMATS: Mapping[str, tuple[Callable[[Node], bool], Reader]] = MappingProxyType(
    {
        "chatgpt": (chatgpt.matches, _each(chatgpt.read)),
        "claude": (claude.matches, _each(claude.read)),
        "beam": (beam.matches, _each(beam.read)),
        "locomo": (locomo.matches, _each(locomo.read)),
        "openai": (openai.matches, openai.read),
    }
)


def read(data: bytes, name: str, format: str | None = None) -> Iterator[Conversation]:  # noqa: A002 - the option's name
    """Yield the conversations in a file, all that can be read; the error comes last.

    Args:
        data: the file's bytes: JSON or JSONL, in UTF-8, or in UTF-16 or UTF-32 with a byte order mark.
        name: the file's name, for error messages and for ids where the file has none.
        format: one of `FORMATS`; None recognises it from the content.

    Raises:
        FormatError: the file is invalid; for each fault a line says what was found, where, and what to do. The
            conversations without a fault have already been yielded and are valid.
    """
    if format is not None and format not in FORMATS:
        raise FormatError(f"There is no format {brief(format)}; memoranda reads {', '.join(FORMATS)}.")
    stream = items(data, name, ADVICE)
    head: list[Node | FormatError] = []  # up to the first item that shows the format
    known = format
    for item in islice(stream, _SAMPLE):
        head.append(item)
        if known := known or _detect(item):
            break
    if not head:
        raise FormatError(f"{name}: the array is empty. There is nothing to import.")
    if known is None:
        raise sound(head[0]).fault(f"this is no conversation: found {sound(head[0]).shape}. {ADVICE}")
    _, reader = FORMATS[known]
    faults: list[str] = []
    count = 0
    with noted(faults, name):  # at which the file breaks off
        for conversation in reader(chain(head, stream), _stem(name), faults):
            if conversation.messages:
                count += 1
                yield conversation
    if faults or not count:
        empty = f"{name}: there is no message with any content in it. There is nothing to import."
        raise FormatError("\n".join(faults) or empty)


def _detect(item: Node | FormatError) -> str | None:
    found = (name for name, (matches, _) in FORMATS.items() if isinstance(item, Node) and matches(item))
    return next(found, None)


def _stem(name: str) -> str:
    """Return the name without its last extension: `work/chat.json` gives `work/chat`."""
    folder, slash, file = name.rpartition("/")
    return folder + slash + (file.rpartition(".")[0] or file)


__all__ = ["FORMATS", "Conversation", "Message", "read"]
