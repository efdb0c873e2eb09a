"""Import of conversations, which can be interrupted and resumed, and lossless export of rows."""

import hashlib
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count, groupby
from operator import itemgetter
from typing import Any

from memoranda.core.base.checks import require
from memoranda.core.base.constraints import Progress
from memoranda.core.base.old_names import EXPORT
from memoranda.core.base.plain import plain
from memoranda.core.base.scope import Scope, visible
from memoranda.core.formats.conversation import Conversation, Message
from memoranda.core.formats.exported import CELLS, VERSION, canonical
from memoranda.core.rows import Passage, Row, kinds_with, rests_on
from memoranda.errors import FormatError, InputError, MessageError, StoreUnavailableError
from memoranda.flows.capture.capture import Draft, drafted, write
from memoranda.flows.runtime.reading import own, undisturbed
from memoranda.flows.runtime.reading import shared as shared_by
from memoranda.flows.runtime.runtime import Runtime
from memoranda.flows.sharing.objects import shared
from memoranda.flows.strata.flush import active, places_in
from memoranda.ports import Query

CHUNK = 256  # turns per transaction: a killed import loses at most the turns that were not yet acknowledged


_READ = "conversations, as memoranda.core.formats.read finds them in a file"
_COUNTED = ("conversations", "turns", "known", "forgotten", "unextracted")


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import did.

    Attributes:
        conversations, turns: how many were read.
        known, forgotten, unextracted: as in `Captured`; `new`: how many turns were recorded.
        records: ids of records that stand for what the rules found.
        degraded: parts that were down at some time.
        faults: what could not be read or imported, each with its place; all else was imported.
    """

    conversations: int
    turns: int
    known: int
    forgotten: int
    unextracted: int
    records: tuple[str, ...]
    degraded: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    new: int = 0


async def import_conversations(
    runtime: Runtime,
    scope: Scope,
    conversations: Iterable[Conversation],
    *,
    progress: Progress | None = None,
) -> Imported:
    """Import conversations, as `memoranda.core.formats.read` yields them. Importing twice adds nothing.

    What cannot be read or imported is named in `faults` of the result, and the rest is imported.

    Args:
        conversations: consumed lazily, so there may be many.
        progress: called after each write with the number of turns written.

    Raises:
        InputError: nothing could be imported.
    """
    given = False
    with suppress(TypeError):  # such as an array without dimensions
        iter(conversations)
        given = not isinstance(conversations, str | bytes | Mapping)
    require(given, "conversations", conversations, _READ, MessageError)
    totals = Counter(dict.fromkeys(_COUNTED, 0))
    records: dict[str, None] = {}
    degraded: dict[str, None] = {}
    names: set[str] = set()
    faults: dict[str, InputError] = {}  # by conversation, of which no later turn is imported; "": the file
    for batch in _batches(conversations, faults):
        drafts: list[Draft] = []
        for name, turns in groupby(batch, key=itemgetter(0)):
            try:
                if name not in faults:
                    here = scope.narrow(conversation=name)
                    drafts += drafted(runtime, here, (message for _, message in turns), "import")
                    names.add(name)
            except InputError as error:
                faults[name] = error
        if not drafts:
            continue
        captured = await write(runtime, scope, drafts)
        totals["turns"] += len(drafts)
        totals.update({name: getattr(captured, name) for name in _COUNTED[2:]})
        totals["new"] += len(captured.events) - captured.known
        records.update(dict.fromkeys(captured.records))
        degraded.update(dict.fromkeys(captured.degraded))
        if progress:
            progress(len(drafts))
    if faults and not names:
        raise next(iter(faults.values()))
    totals["conversations"] = len(names)
    told = (f"{name[:60]}: {error}" if name else str(error) for name, error in faults.items())
    lines = tuple(line for one in told for line in one.splitlines())
    return Imported(**totals, records=tuple(records), degraded=tuple(degraded), faults=lines)


def _batches(
    conversations: Iterable[Conversation], faults: dict[str, InputError]
) -> Iterator[list[tuple[str, Message]]]:
    """Turns with the ids of their conversations, in batches; a format error is kept for the end."""
    batch: list[tuple[str, Message]] = []
    try:
        for conversation in conversations:
            require(isinstance(conversation, Conversation), "a conversation", conversation, _READ, MessageError)
            for message in identified(conversation):
                batch.append((conversation.id, message))
                if len(batch) == CHUNK:
                    yield batch
                    batch = []
    except FormatError as error:
        faults[""] = error
    if batch:
        yield batch


def identified(conversation: Conversation) -> Sequence[Message]:
    """The messages, each with an id: its own, or one made of its position and content.

    So importing the same file again adds nothing.
    """
    messages = []
    places = (place for place in count() if place not in conversation.gaps)
    for place, message in zip(places, conversation.messages, strict=False):
        content = hashlib.sha256(f"{message.role}\x1f{message.content}".encode()).hexdigest()[:16]
        messages.append(message if message.id else replace(message, id=f"{place}-{content}"))
    return messages


async def export(runtime: Runtime, scope: Scope) -> AsyncIterator[dict[str, Any]]:
    """Yield every row this scope sees as a JSON object: a header, the rows, and a last line with a checksum.

    `restore` brings them back.
    """
    await runtime.journal.settle()
    for owner in (own(scope), shared_by(scope)):  # what was used, which is counted in memory
        await runtime.partitions.uses.settle(owner)
    seq, lines = await _lines(runtime, scope)
    head = {"format": f"{EXPORT}{VERSION}", **scope.owner._asdict(), "seq": seq, "whole": scope.whole}
    digest = hashlib.sha256()
    for line in (head, *lines):
        digest.update(canonical(line))
        yield line
    yield {"rows": len(lines), "sha256": digest.hexdigest()}


@undisturbed(own, shared_by)
async def _lines(runtime: Runtime, scope: Scope) -> tuple[int, list[dict[str, Any]]]:
    """The owner's `seq`, and every row as an object.

    Raises:
        StoreUnavailableError: the cache is down.
    """
    queries = [Query(kind=kind, tenant=scope.tenant, user=scope.user) for kind in kinds_with(exported=True)]
    page = await runtime.store.find(scope.owner, *queries)
    lines = [
        {"kind": row.__table__, "row": plain(row)}
        for row in (*_seen([row for rows in page.rows for row in rows], scope), *await shared(runtime, scope))
    ]
    for place in await places_in(runtime, scope):
        desk, problem = await runtime.desks.read(place)
        if problem:
            raise StoreUnavailableError(f"Not all can be exported: {problem[0]}")
        shown = desk.shown(active(scope))
        ends = {name: plain(end) for name in shown if (end := desk.expires(name))}
        row = {**place._asdict(), "at": plain(desk.at), "cells": shown, "expires": ends}
        lines.append({"kind": CELLS, "row": row})
    return page.state.seq, lines


def _seen(rows: Sequence[Any], scope: Scope) -> Iterator[Row]:
    """The rows where `scope` looks, and the rows that belong to them, such as entities that they mention."""
    if scope.whole:
        yield from rows
        return
    passages = [row for row in rows if isinstance(row, Passage) and visible(row, scope)]
    refs = {passage.ref for passage in passages}
    named = {entity for passage in passages for entity in passage.entities}
    for row in rows:
        match row.__traits__.seen:
            case "passage":
                seen = refs.issuperset(rests_on(row))
            case "entity":
                seen = row.id in named
            case "ends":
                seen = visible(row, scope) and {row.head, row.tail} <= named
            case "site":
                seen = visible(row, scope)
            case _:  # receipts, tombstones and budgets have no place: they are the user's, not an agent's
                seen = scope.agent is None
        if seen:
            yield row
