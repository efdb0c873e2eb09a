"""Corrections: a bare one applied to what the speaker said just before there, and one that names what it means."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from memoranda.core.base.scope import visible
from memoranda.core.beliefs.admission import Admission
from memoranda.core.beliefs.duplicates import united
from memoranda.core.beliefs.leaving.verdicts import meant_by, overturn, place_of
from memoranda.core.beliefs.overlay import Overlay
from memoranda.core.erasure.reopened import COMPOSED
from memoranda.core.image.image import Partition, entity_id
from memoranda.core.language.corrections import EDITOR, REACH, Amendment, Correction, amend
from memoranda.core.language.entities import canonical, named_in
from memoranda.core.language.extraction import record_of
from memoranda.core.rows import Event, Passage, Record
from memoranda.core.rows.access import site_of
from memoranda.core.rows.columns import Floats
from memoranda.core.rows.lifecycle import CLAIMED, OPEN
from memoranda.core.rows.statements import Statement
from memoranda.core.text.forgotten import said_at
from memoranda.core.text.terms import content_hash


def overturned(overlay: Overlay, event: Event, name: str, statements: Sequence[Statement]) -> Record | None:
    """Plan that a record which an event corrects never held, and return it; None if there is none that it could mean.

    What says the same in the same words confirms it.
    """
    known, scope = overlay.current(name), place_of(event)
    if known is None or known.status not in CLAIMED or known.editor in COMPOSED or not visible(known, scope):
        return None
    if site_of(known) != site_of(event) or known.hash in {content_hash(one.text) for one in statements}:
        return None
    overturn(overlay, scope, known, event)
    return known


def takes_place(statement: Statement, known: Record, statements: Sequence[Statement]) -> bool:
    """Whether one of the statements of a correction says what is right: that with the attribute, or the first."""
    alike = [one for one in statements if one.attribute == known.attribute]
    return statement in (alike or statements[:1])


def _instead(statement: Statement, known: Record, event: Event) -> Statement:
    """A statement in which no rule reads anything, as one of the kind of the record that it takes the place of."""
    whole = statement.attribute is None and statement.text == event.content
    return replace(statement, kind=known.kind, category=known.category) if whole else statement


def _in_place(record: Record, known: Record, event: Event) -> Record:
    """A record in the place of one that never held: it holds since that did, unless it says another time."""
    begins = min(known.valid_from, event.event_time) if record.valid_from == event.event_time else record.valid_from
    return replace(record, supersedes=known.id, valid_from=begins)


def admit(
    admission: Admission,
    event: Event,
    statement: Statement,
    ids: Mapping[str, str],
    vector: Floats | None,
    known: Record | None,
) -> None:
    """Admit what an event states, in the place of a `known` record, if it corrects that.

    An observation that is a correction ends what it means, if nothing else says what. What a host states whole of an
    attribute of its own takes the place of what was known of it.
    """
    names = [*named_in(statement.text, ids), *(map(canonical, statement.given.about) if statement.given else ())]
    about = tuple(dict.fromkeys(ids[name] for name in names))
    statement = _instead(statement, known, event) if known else statement
    record = record_of(statement, event, about, admission.overlay.now)
    record = _in_place(record, known, event) if known else record
    decision = admission.admit(record, vector, corrects=statement.correction, said=event.event_time, own=said_at(event))
    if event.category == "correction" and decision.outcome == "added" and meant_by(event) is None:
        admission.correct(record, (event.event_time, event.id))
    if statement.given and decision.record == record.id:
        admission.renew(record, (event.event_time, event.id))


def put_right(
    admission: Admission,
    correction: Correction,
    event: Event,
    language: str,
    written: dict[str, Passage],
    entities: tuple[str, ...],
) -> bool:
    """Plan the amendments that `event` makes, and return whether there are any.

    What was said wrongly never held; what was meant replaces it. A turn that may be an answer to a question corrects
    nothing.

    Args:
        admission: plans the write; what this call has planned already can be amended too.
        correction: what the event corrects.
        event: the event.
        language: the language of the correction.
        written: passages of the event and of those before it in this call, by id.
        entities: what the event mentions.
    """
    overlay = admission.overlay
    made = amend(
        correction, _recent(overlay, event, written, event.position + correction.own), event.event_time, language
    )
    if correction.reply and made and _answers(event, made[0], overlay, written):
        return False
    planned = [(one.record, _record(one, event, overlay, entities)) for one in made]
    planned = [(old, record) for old, record in planned if not overlay.partition.forbids(record, said_at(event))]
    for old, record in planned:
        decision = admission.admit(record, corrects=True, said=event.event_time, amends=old, own=said_at(event))
        if decision.outcome == "added":
            decision = replace(decision, outcome="superseded", other=old.id, reason="corrected by the user")
            admission.decisions[-1] = decision
    return bool(planned)


def _record(made: Amendment, event: Event, overlay: Overlay, entities: tuple[str, ...]) -> Record:
    """The record that replaces the corrected one; it rests on all events it was read from."""
    old = made.record
    wrong = entity_id(overlay.partition.owner, canonical(made.wrong))
    kept = tuple(entity for entity in dict.fromkeys((*old.entities, *entities)) if entity != wrong)
    record = record_of(made.statement, event, kept, overlay.now)
    begins, ends = (record.valid_from, record.valid_to) if made.statement.when else (old.valid_from, old.valid_to)
    return replace(
        record,
        sources=united(old.sources, record.sources),
        trust=min(old.trust, record.trust),
        valid_from=old.valid_from if begins == event.event_time else begins,
        valid_to=ends,
        supersedes=old.id,
        editor=EDITOR,
    )


def _answers(event: Event, made: Amendment, overlay: Overlay, written: dict[str, Passage]) -> bool:
    """Whether the turn before `event` asks about something else than what is amended: "Is it at 4?" "No, it's 5"."""
    if event.id in made.record.sources:
        return False
    turns = overlay.turns.at(event.conversation, event.position - 1, written)
    before = next((turn for turn in turns if site_of(turn) == site_of(event)), None)
    if before is None or "question" not in before.traits:
        return False
    value = {"number", "time"} & {*before.traits} or len(before.entities) > bool(before.speaker)
    return bool(value) and not {*overlay.analyzer.terms(made.wrong)} <= {*before.terms.split()}


def _recent(overlay: Overlay, event: Event, written: dict[str, Passage], until: int) -> list[Record]:
    """The records that rest only on what the speaker said in the last turns of this conversation, newest first."""
    reach = range(max(event.position - REACH, 0), until)
    turns = [turn.ref for place in reach for turn in overlay.turns.at(event.conversation, place, written)]
    placed = [
        (position, record)
        for record in overlay.resting(turns)
        if record.status in OPEN and (position := _position(record, event, overlay.partition, written)) in reach
    ]
    return [record for position, record in sorted(placed, key=lambda one: -one[0])]


def _position(record: Record, event: Event, partition: Partition, written: dict[str, Passage]) -> int:
    """The last position in the conversation of `event` of what a record rests on; -1 if any of that lies elsewhere."""
    if event.conversation is None or record.conversation != event.conversation or site_of(record) != site_of(event):
        return -1
    said = [written.get(source) or _stored(source, partition) for source in record.sources]
    here = (event.conversation, event.speaker, *site_of(event))
    turns = [one for one in said if one is not None and (one.conversation, one.speaker, *site_of(one)) == here]
    return max((one.position for one in turns), default=-1) if len(turns) == len(said) else -1


def _stored(source: str, partition: Partition) -> Passage | None:
    number = partition.index.numbers.get(source)
    return None if number is None else partition.index.passages[number]
