"""Conversations: list them, read them in order, give them titles, put them into the archive and take them out.

A conversation is what its turns in the log say it is, so nothing is written when one begins. Only what is made of it,
its title and that it is archived, is a row (`core.rows.ConversationMark`), which every process has in its image.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Annotated

from memoranda.core.base.checks import brief, require
from memoranda.core.base.constraints import Between, Id, Lasting, Words
from memoranda.core.base.scope import Scope, visible
from memoranda.core.image.image import Partition
from memoranda.core.rows import Event
from memoranda.core.rows.changes import Put
from memoranda.core.strata.conversations import Talk, mark_of, marks_of, opening, talk_in, talks_in, title_of
from memoranda.errors import ConflictError, InputError, NotFoundError
from memoranda.flows.capture.events import own_words
from memoranda.flows.runtime.commits import Made, planned
from memoranda.flows.runtime.reading import at_one_moment, events_of, listed
from memoranda.flows.runtime.runtime import Runtime, newest
from memoranda.ports import Query, Where

MOST = 1_000
LONGEST = 200  # characters of a title that is given


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A conversation, as far as a scope sees it.

    Attributes:
        id: its id; it lies in `channel`.
        title: the one that was given, or the beginning of its user's first turn, at most 60 characters.
        started_at: when its first turn was said; `last_activity`: its last.
        turns: how many it has in the log.
        consolidated: whether consolidation has processed all of it; False if something waits.
        archived: whether it is left out of recall and contexts, unless these are asked for it.
    """

    id: str
    channel: str
    title: str
    started_at: datetime
    last_activity: datetime
    turns: int
    consolidated: bool
    archived: bool


@at_one_moment
async def known(
    runtime: Runtime,
    scope: Scope,
    *,
    archived: bool = False,
    channel: Id | None = None,
    since: datetime | None = None,
    after: Id | None = None,
    limit: Annotated[int, Between(1, MOST)] = 20,
) -> tuple[Conversation, ...]:
    """The conversations of which this scope sees a turn, the one with the latest turn first.

    To read on, give the id of the last one as `after`, until fewer come than `limit`.

    Args:
        archived: those in the archive, instead of the others.
        channel: only those in this channel; a scope sees its own and `_global`, and all with `whole=True`.
        since: only those in which something was said at this time or later.
        after: the id of the conversation behind which the answer begins, as it stands now.
        limit: the most conversations, up to 1,000.

    Raises:
        NotFoundError: the conversation `after` is not in this list, or no longer.
    """
    image = await runtime.partitions.current(scope.owner)
    found = [
        one
        for one in talks_in(image, scope, runtime.clock())
        if one.archived == archived and channel in (None, one.channel) and (since is None or one.last_activity >= since)
    ]
    found.sort(key=lambda one: (-one.last_activity.timestamp(), one.id, one.channel))
    first = 0
    if after is not None:
        first = max((place for place, one in enumerate(found, 1) if one.id == after), default=0)
        if not first:
            raise NotFoundError(f"after is {brief(after)}, which is not in this list any more: begin without after.")
    return await _shown(runtime, scope, image, found[first : first + limit])


@at_one_moment
async def get(runtime: Runtime, scope: Scope, conversation: Id) -> Conversation:
    """One conversation; if several channels have this id, that of the scope's own channel.

    Args:
        conversation: its id.

    Raises:
        NotFoundError: this scope sees no turn of such a conversation.
    """
    image = await runtime.partitions.current(scope.owner)
    [found] = await _shown(runtime, scope, image, [_talk(runtime, image, scope, conversation)])
    return found


async def turns(
    runtime: Runtime,
    scope: Scope,
    conversation: Id,
    *,
    last: Annotated[int, Between(1, MOST)] | None = None,
    hours: Annotated[float, Lasting()] | None = None,
    after: Id | None = None,
    limit: Annotated[int, Between(1, MOST)] = 100,
) -> tuple[Event, ...]:
    """The turns of a conversation in the order in which they were said; archived ones, too.

    To read on, give the id of the last turn as `after`, until fewer come than `limit`. Turns that wait in working
    memory are not in the log yet.

    Args:
        conversation: its id.
        last: only so many, the latest ones, up to 1,000.
        hours: only what was said in the last so many hours.
        after: the id of the turn behind which the answer begins.
        limit: the most turns, up to 1,000.

    Raises:
        NotFoundError: this scope sees no turn of such a conversation, or not the turn `after`.
        InputError: both `last` and `after` are given.
    """
    require(last is None or after is None, "last", last, "left out where after is given")
    image = await runtime.partitions.current(scope.owner)
    talk = _talk(runtime, image, scope, conversation)
    where = [Where("conversation", "=", talk.id), Where("channel", "=", talk.channel), Where("kind", "=", "turn")]
    if hours is not None:
        where.append(Where("event_time", ">=", runtime.clock() - timedelta(hours=hours)))
    order = ("position", "event_time", "seq")
    query = Query(kind=Event, tenant=scope.tenant, user=scope.user, where=tuple(where), order=order)
    if last is None:
        return tuple(await listed(runtime, scope, query, limit, after))
    query = replace(query, order=tuple(f"-{name}" for name in order))
    return tuple(reversed(await newest(runtime, scope.owner, query, last, lambda row: visible(row, scope))))


async def rename(runtime: Runtime, scope: Scope, conversation: Id, title: Words) -> Conversation:
    """Give a conversation a title; one that an agent gives is seen by that agent, and by the user until one is given.

    Args:
        conversation: its id.
        title: the title, at most 200 characters.

    Raises:
        NotFoundError: this scope sees no turn of such a conversation.
        InputError: the title is too long, or repeats what was forgotten on request.
    """
    text = " ".join(own_words(runtime, title).split())
    require(len(text) <= LONGEST, "title", title, f"at most {LONGEST} characters")

    def plan(image: Partition) -> Made[None]:
        if image.tombstones.repeats(text, scope.agent):
            raise InputError("This title repeats what was forgotten on request: give another one.")
        talk = _talk(runtime, image, scope, conversation)
        mark = mark_of(image, scope, talk.id, talk.channel)
        return Made(None, [] if mark.title == text else [Put(replace(mark, title=text))])

    await planned(runtime, scope, plan)
    return await get(runtime, scope, conversation)


async def archive(runtime: Runtime, scope: Scope, conversation: Id) -> Conversation:
    """Put a conversation into the archive: recall and contexts leave its turns out, unless they are asked for them.

    What was learnt from it stays. It comes back by `unarchive`, or when something is said in it again.

    Args:
        conversation: its id.

    Raises:
        NotFoundError: this scope sees no turn of such a conversation.
        InputError: an agent archives turns that are not its own.
    """

    def plan(image: Partition) -> Made[None]:
        talk = _talk(runtime, image, scope, conversation)
        if scope.agent is not None and (image.index.columns["agent"][talk.turns] < 0).any():
            raise InputError(
                "An agent archives only its own turns, and this has others: archive it in the user's scope."
            )
        mark = mark_of(image, scope, talk.id, talk.channel)
        at = max(runtime.clock(), talk.last_activity)
        return Made(None, [] if talk.archived else [Put(replace(mark, archived_at=at))])

    await planned(runtime, scope, plan)
    return await get(runtime, scope, conversation)


async def unarchive(runtime: Runtime, scope: Scope, conversation: Id) -> Conversation:
    """Take a conversation out of the archive.

    Args:
        conversation: its id.

    Raises:
        NotFoundError: this scope sees no turn of such a conversation.
        InputError: an agent takes out what the user archived.
    """

    def plan(image: Partition) -> Made[None]:
        talk = _talk(runtime, image, scope, conversation)
        marks = [one for one in marks_of(image, scope, talk) if one.archived_at is not None]
        if talk.archived and any(one.agent is None for one in marks) and scope.agent is not None:
            raise InputError("The user archived this conversation: take it out in the user's scope.")
        own = [one for one in marks if scope.agent in (None, one.agent)]
        return Made(None, [Put(replace(one, archived_at=None)) for one in own])

    await planned(runtime, scope, plan)
    return await get(runtime, scope, conversation)


def _talk(runtime: Runtime, image: Partition, scope: Scope, name: str) -> Talk:
    talk = talk_in(image, scope, name, runtime.clock())
    if talk is None:
        raise NotFoundError(
            f"There is no conversation {brief(name)} in this scope; conversations.list gives the ids of conversations."
        )
    return talk


async def _shown(runtime: Runtime, scope: Scope, image: Partition, talks: Sequence[Talk]) -> tuple[Conversation, ...]:
    first, _ = await events_of(runtime, image, [opening(image, one).ref for one in talks])
    waiting = await _waiting(runtime, scope, image, [one.id for one in talks])
    found = []
    for talk, turn in zip(talks, first, strict=True):
        given = (mark.title for mark in marks_of(image, scope, talk) if mark.title)
        made = "" if turn is None else title_of(turn.content)
        shown = Conversation(
            id=talk.id, channel=talk.channel, title=next(given, made), started_at=talk.started_at,
            last_activity=talk.last_activity, turns=len(talk.turns), archived=talk.archived,
            consolidated=(talk.id, talk.channel) not in waiting,
        )  # fmt: skip
        found.append(shown)
    return tuple(found)


async def _waiting(
    runtime: Runtime, scope: Scope, image: Partition, names: Sequence[str]
) -> set[tuple[str | None, str]]:
    """The conversations, with their channels, of which an event waits for consolidation.

    Raises:
        ConflictError: something was dropped since the image was read.
    """
    if not names:
        return set()
    where = (Where("conversation", "in", tuple(names)), Where("processed_at", "is", None))
    query = Query(kind=Event, tenant=scope.tenant, user=scope.user, where=where, lenient=True)
    page = await runtime.store.find(scope.owner, query)
    if page.state.dropped > image.dropped:
        raise ConflictError("Something was forgotten meanwhile.")
    return {(row.conversation, row.channel) for row in page.rows[0] if visible(row, scope)}
