"""Events made of what a host gives: its messages and texts, their metadata, time and trust."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any

from memoranda.core.base.checks import brief, check_choice, require
from memoranda.core.base.constraints import Kind
from memoranda.core.base.ids import derived_id
from memoranda.core.base.moments import moment
from memoranda.core.base.scope import Scope, check_identifier
from memoranda.core.formats.conversation import Message
from memoranda.core.formats.document import Node
from memoranda.core.formats.openai import messages as read_messages
from memoranda.core.formats.values import plain
from memoranda.core.language.extraction import UTC_OFFSET
from memoranda.core.language.force.off_record import on_record
from memoranda.core.rows import Event
from memoranda.core.rows.statements import STATED, TRUST
from memoranda.core.text.fence import stripped
from memoranda.core.text.terms import storable
from memoranda.core.text.voices import name_of
from memoranda.errors import FormatError, InputError, MessageError
from memoranda.flows.runtime.runtime import Runtime
from memoranda.flows.runtime.withholding import check_length, withholder

SKEW = timedelta(minutes=1)  # the tolerated clock skew between hosts

_SOURCE_OF_ROLE = {"user": "user_provided", "assistant": "agent", "tool": "tool_extracted_content", "system": "agent"}


def turns_of(
    runtime: Runtime,
    scope: Scope,
    messages: Sequence[Message | Mapping[str, Any]],
    surface: str,
    connection: str | None,
    metadata: Mapping[str, Any] | None,
) -> list[Event]:
    """Turn the messages of a host into events of the scope's conversation."""
    check_names(surface, connection)
    notes, now = notes_of(metadata), runtime.clock()
    clean = withholder(runtime.settings, scope.tenant).joined(messages, _read(messages))
    return [turn(runtime, scope, message, now, surface, connection, notes) for message in clean]


def _read(messages: Sequence[Message | Mapping[str, Any]]) -> Iterable[Message]:
    if isinstance(messages, str | bytes | Mapping) or not isinstance(messages, Sequence):
        raise MessageError(
            'add() takes a list of messages, each {"role": "user", "content": "…"}; '
            f"got {brief(messages)}. For a single statement use observe()."
        )
    return read_messages(messages)


def content_of(runtime: Runtime, content: object) -> str:
    """The text as it can be recorded, without fenced text that memoranda inserted."""
    if not isinstance(content, str) or not content.strip():
        raise MessageError(f"There is nothing to record: give a text that is not empty, not {brief(content)}.")
    check_length(content, runtime.settings.max_characters)
    return stripped(storable(content)[0])


def own_words(runtime: Runtime, content: object) -> str:
    """The text as it can be recorded; an error if it is nothing but recalled memory."""
    if text := content_of(runtime, content):
        return on_record(text)
    raise MessageError("There is nothing to record: this text is recalled memory, which is never captured again.")


def notes_of(metadata: Mapping[str, Any] | None, name: str = "metadata") -> dict[str, Any]:
    """Metadata as JSON that every database can store."""
    return {} if metadata is None else object_of(name, metadata)


def own_notes(metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    """A host's metadata of an observation, as `notes_of`: one name in it is the memory's own."""
    notes = notes_of(metadata)
    require(STATED not in notes, f"metadata.{STATED}", notes.get(STATED), "it another name", MessageError)
    return notes


def object_of(name: str, value: object) -> dict[str, Any]:
    """A mapping as JSON that every database can store."""
    require(isinstance(value, Mapping), name, value, 'names with values, e.g. {"page": 3}', MessageError)
    return dict(json_of(name, value))


def json_of(name: str, value: object) -> Any:
    """The value as JSON that every database can store; `name` is the argument it came from."""
    try:
        return plain(Node(value, name))
    except FormatError as error:
        raise MessageError(str(error)) from error


def check_names(surface: str, connection: str | None) -> None:
    """Refuse anything but names."""
    check_identifier("surface", surface)
    if connection is not None:
        check_identifier("connection", connection)


def _sent(name: str, value: object) -> datetime:
    try:
        return moment(name, value)
    except InputError as error:
        raise MessageError(str(error)) from error


def stamped(at: datetime | None, now: datetime) -> tuple[datetime, dict[str, Any]]:
    """When something was said, by a host's stamp, and what is to be noted of the stamp.

    That is its offset from UTC in minutes, which says what "today" is there. One ahead of the clock by more than hosts
    may differ counts as now, and is noted.
    """
    if at is None:
        return now, {}
    moment, offset = _sent("at", at), at.utcoffset()
    notes: dict[str, Any] = {UTC_OFFSET: int(offset.total_seconds() // 60)} if offset else {}
    return (now, {**notes, "stamped": at.isoformat()}) if moment > now + SKEW else (moment, notes)


#: When a host says that a message was sent.
SentAt = Annotated[datetime, Kind(_sent)]


def turn(
    runtime: Runtime,
    scope: Scope,
    message: Message,
    now: datetime,
    surface: str,
    connection: str | None,
    metadata: Mapping[str, Any],
) -> Event:
    """A message as an event of the scope's conversation."""
    check_choice("role", message.role, _SOURCE_OF_ROLE, MessageError)
    source = _SOURCE_OF_ROLE[message.role]
    known = known_as(scope, connection, "turn", scope.conversation or "", message.id) if message.id else None
    sent, stamp = stamped(message.at, now)
    text = content_of(runtime, message.content)
    left = on_record(text) if message.role == "user" else text
    told = {**metadata, **message.metadata} if left == text else {}  # notes may repeat what is withheld
    notes = {**told, **({"message": message.id} if message.id else {}), **stamp}
    return event_at(
        scope, connection, source, id=known or runtime.ids(), role=message.role, surface=surface,
        speaker=name_of(message.role, message.speaker, scope.user), content=left, metadata=notes_of(notes),
        recorded_at=now, event_time=sent,
    )  # fmt: skip


def event_at(scope: Scope, connection: str | None, source: str, **values: Any) -> Event:
    """An event in the place of `scope`, with the trust of its source."""
    return Event(
        tenant=scope.tenant, user=scope.user, agent=scope.agent, team=scope.team, channel=scope.channel,
        connection=connection, conversation=scope.conversation, task=scope.task, source=source, trust=TRUST[source],
        **values,
    )  # fmt: skip


def known_as(scope: Scope, connection: str | None, *names: str) -> str:
    """The id for a name that the host gave; the same name in another place gives another id."""
    return derived_id(scope.owner, scope.agent or "", scope.channel, connection or "", *names)
