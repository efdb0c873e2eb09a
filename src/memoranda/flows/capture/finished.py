"""Finished statements: a host that knows what is so says it whole, and no rule reads it.

Each is an observation whose metadata holds what was given (`core.language.finished`), and passes the same gateway as
what is read: secrets, words off the record, tombstones, trust and supersession.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

from memoranda.core.base.checks import brief, require
from memoranda.core.base.constraints import Id, Ids, OneOf, Share, Texts, Words
from memoranda.core.base.scope import Scope, check_identifier, visible
from memoranda.core.beliefs.profile_keys import USER, placed
from memoranda.core.consolidation.scaffolds import LEARNED, SCAFFOLD, as_stated
from memoranda.core.language.finished import IMPORTANCE, certainty, stating
from memoranda.core.language.force.off_record import on_record
from memoranda.core.language.speech import orders
from memoranda.core.rows import Event, Json
from memoranda.core.rows.declare import texts_of
from memoranda.core.rows.statements import RECORDS, TRUST, Given, Statement
from memoranda.errors import MessageError, NotFoundError
from memoranda.flows.capture.capture import CATEGORIES, Captured, Draft, read_observation, write
from memoranda.flows.capture.events import content_of, event_at, json_of, notes_of, own_notes, own_words
from memoranda.flows.runtime.runtime import Runtime

#: The category of records of each kind, where none is given.
_GROUPS: Mapping[str, str] = {"preference": "preference", "decision": "decision"}


async def remember(
    runtime: Runtime,
    scope: Scope,
    claim: Words,
    *,
    kind: Annotated[str, OneOf(RECORDS, MessageError)] | None = None,
    category: Id | None = None,
    attribute: Id | None = None,
    value: Json = None,
    importance: Share | None = None,
    confidence: Share | None = None,
    entities: Ids | None = None,
    source_event: Id | None = None,
    expires_at: datetime | None = None,
    valid_from: datetime | None = None,
    valid_to: datetime | None = None,
    metadata: Mapping[str, Any] | None = None,
    source: Annotated[str, OneOf(TRUST, MessageError)] = "user_provided",
) -> Captured:
    """Record a finished statement: the host knows what is so, and nothing is read from its words.

    It passes the same gateway as `observe`: secrets are withheld, its source caps how sure it is, and it ends what it
    contradicts. `decisions` says what became of it.

    Args:
        claim: the statement, in words that stand alone ("The user works at Acme.").
        kind: fact, preference, decision, plan or observation; by default what its category means, else fact.
        category: personal, workflow, preference, decision, learning, project, correction, or your own.
        attribute: the property of the user that it gives, as a path ("work.employer"; "people.Ann.contact.phone" for
            somebody else's); a new value ends the one before, except where people have several ("skill").
        value: the value of the attribute, as JSON.
        importance: from 0 to 1; 0.7 by default.
        confidence: from 0 to 1, at most what its source may claim; 0.95 by default.
        entities: names of whom or what it is about, beside those in its words.
        source_event: the id of the event that it rests on: it is trusted no more than that, and forgotten with it.
        expires_at: from then on it is in no recall, profile or context.
        valid_from: since when, or from when on, it is so; now by default.
        valid_to: until when; what ended before now is recorded as past, what will end holds beside what lasts.
        metadata: stored with it.
        source: user_provided, agent, system_learned, workflow, tool_indexed or tool_extracted_content; it sets
            the trust.

    Raises:
        MessageError: the claim cannot be recorded, or what is said of it does not fit together; nothing was recorded.
        NotFoundError: this scope sees no event `source_event`.
    """
    now, path = runtime.clock(), _property(attribute, value)
    given = Given(
        confidence=confidence, about=tuple(entities or ()), rests=(source_event,) if source_event else (),
        begins=valid_from, ends=expires_at or valid_to, expires=expires_at is not None,
    )  # fmt: skip
    _check_times(given, valid_to, now)
    means, group = CATEGORIES.get(category or kind or "fact", ("fact", category or _GROUPS.get(kind or "", "personal")))
    statement = Statement(
        kind=kind or means, category=group, text=_kept(runtime, claim, value), subject=path[0], attribute=path[1],
        value=None if path[1] is None else json_of("value", value), certainty=certainty(source),
        importance=IMPORTANCE if importance is None else importance, correction=category == "correction", given=given,
    )  # fmt: skip
    event = event_at(
        scope, None, source, id=runtime.ids(), kind="observation", role="", content=statement.text,
        category=category or "fact", surface="tool", metadata=own_notes(metadata), event_time=now, recorded_at=now,
        processed_at=now if given.expires else None,  # nothing lasting is to be made of it
    )  # fmt: skip
    if source_event is not None:
        event = _resting(event, await _ground(runtime, scope, source_event))
    return await state(runtime, scope, [stating(event, [statement])])


async def update_user_context(
    runtime: Runtime,
    scope: Scope,
    *,
    scaffold_updates: Mapping[str, Any] | None = None,
    persistent_info_additions: Texts | None = None,
    surface: Id = "tool",
    source: Annotated[str, OneOf(TRUST, MessageError)] = "user_provided",
) -> Captured:
    """Record what is now known of the user: values of the profile, and what was learned; all of it or nothing.

    Args:
        scaffold_updates: values by name, also nested, in place of earlier ones.
        persistent_info_additions: statements that stand alone.
        surface: where it was found out: inbox, heartbeat, …
        source: as in `observe`; what others than the user say stands apart in the profile.

    Returns:
        One event of category scaffold_update for each name, and one of category learned_fact for each statement.

    Raises:
        MessageError: there is nothing to record, or something in it cannot be; nothing was recorded.
    """
    told = notes_of(scaffold_updates, "scaffold_updates")
    contents = [(SCAFFOLD, json.dumps({name: value}, ensure_ascii=False)) for name, value in told.items()]
    contents += [(LEARNED, item) for item in persistent_info_additions or ()]
    require(contents, "update_user_context()", None, "scaffold_updates= or persistent_info_additions=", MessageError)
    language, here = runtime.settings.language, check_identifier("surface", surface)
    events = [observation(runtime, scope, words, category, source, surface=here) for category, words in contents]
    return await state(runtime, scope, [as_stated(event, language) for event in events])


def observation(
    runtime: Runtime,
    scope: Scope,
    words: str,
    category: str,
    source: str,
    *,
    surface: str,
    connection: str | None = None,
) -> Event:
    """An observation made now that is to state something whole, in words that do not ask not to be kept."""
    now = runtime.clock()
    return event_at(
        scope, connection, source, id=runtime.ids(), kind="observation", role="", content=_kept(runtime, words),
        category=category, surface=surface, event_time=now, recorded_at=now,
    )  # fmt: skip


async def state(runtime: Runtime, scope: Scope, events: Iterable[Event]) -> Captured:
    """Record observations that state something whole, all of them or none."""
    return await write(runtime, scope, [_draft(runtime, event) for event in events])


def _draft(runtime: Runtime, event: Event) -> Draft:
    ordered = event.source != "user_provided" and orders(event.content)
    require(not ordered, "a statement", event.content, "what is so; nobody but the user may give orders", MessageError)
    return read_observation(runtime, event)


def _kept(runtime: Runtime, content: str, value: Json = None) -> str:
    """The words of a statement, refused if they ask not to be kept: of one that is whole, no part is left out."""
    text = own_words(runtime, content)
    if any(on_record(one) != one for one in (content_of(runtime, content), *texts_of(value))):
        raise MessageError("These words ask not to be kept; nothing was recorded.")
    return text


def _property(attribute: str | None, value: Json) -> tuple[str, str | None]:
    """Whose property a statement gives, and its attribute."""
    if attribute is None:
        require(value is None, "value", value, "the attribute that has it, too", MessageError)
        return USER, None
    require(value is not None, "value", value, f"the value of {attribute!r}", MessageError)
    subject, path = placed(tuple(attribute.split(".")))
    require(path, "attribute", attribute, 'a path of words, e.g. "work.employer"', MessageError)
    return subject, path


def _check_times(given: Given, valid_to: datetime | None, now: datetime) -> None:
    begins, ends = given.begins, given.ends
    name = "expires_at" if given.expires else "valid_to"
    require(not (given.expires and valid_to), "valid_to", valid_to, "either it or expires_at", MessageError)
    late = ends is None or begins is None or ends >= begins
    require(late, name, ends, f"a time that is not before valid_from ({begins})", MessageError)
    require(not given.expires or (ends is not None and ends > now), name, ends, "a time to come", MessageError)


async def _ground(runtime: Runtime, scope: Scope, name: str) -> Event:
    (found,) = await runtime.store.get(Event, scope.owner, [(name,)])
    if found is None or not visible(found, scope):
        raise NotFoundError(f"There is no event {brief(name)} in this scope: name one of events(), or leave it out.")
    return found


def _resting(event: Event, ground: Event) -> Event:
    """The event, trusted no more than what it rests on."""
    if ground.trust >= event.trust:
        return event
    return replace(event, source=ground.source, trust=ground.trust)
