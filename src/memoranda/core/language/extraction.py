"""What rules can read in one event: times, names, statements; and the record a statement becomes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from memoranda.core.base.ids import derived_id
from memoranda.core.base.scope import Owner
from memoranda.core.language.attributes import is_single_valued
from memoranda.core.language.corrections import Correction, read_correction
from memoranda.core.language.engine import extract
from memoranda.core.language.entities import canonical, find_mentions
from memoranda.core.language.finished import as_given, stated_in
from memoranda.core.language.force.off_record import asking
from memoranda.core.language.force.pasted import without_others
from memoranda.core.language.force.played import PLAYED, goes_on
from memoranda.core.language.grammar import grammar_of
from memoranda.core.language.person import retold
from memoranda.core.language.speech import orders
from memoranda.core.rows import Event, Record
from memoranda.core.rows.access import site_of
from memoranda.core.rows.statements import AGO, CERTAINTY, LONG, Statement, TimeRef
from memoranda.core.temporal import find_times
from memoranda.core.text.detect import detect
from memoranda.core.text.fence import stripped
from memoranda.core.text.forgotten import is_placeholder
from memoranda.core.text.terms import content_hash, traits
from memoranda.core.text.voices import STRANGER, is_reserved

#: The note of an event that says how many minutes the speaker's clock is ahead of UTC.
UTC_OFFSET = "utc_offset"
_DAY = 24 * 60  # minutes
#: What observations are about that say what holds, the others what happened.
OBSERVED = frozenset({"fact", "preference", "project_details", "correction"})
_READ_CHARACTERS = 20_000  # the rules read only this much of a text; all of it stays searchable


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """What was read in an event.

    Attributes:
        text: its content without blocks that memoranda itself inserted; empty if nothing is left.
        language: of the text.
        statements: what the rules found, in order.
        correction: the bare correction of an earlier statement in it, if any.
        entities: types by canonical name.
        aliases: pairs of an alias and the name it stands for, both canonical.
        traits: cheap signals about the text.
        outcome: `extracted`, `unextracted` or `skipped`.
    """

    text: str
    language: str
    statements: tuple[Statement, ...] = ()
    correction: Correction | None = None
    entities: Mapping[str, str] = field(default_factory=dict)
    aliases: tuple[tuple[str, str], ...] = ()
    traits: tuple[str, ...] = ()
    outcome: str = "skipped"


class _Times(Iterable[TimeRef]):
    """The times in a text, found on first use: most turns state nothing and need none."""

    def __init__(self, text: str, said: datetime, language: str) -> None:
        self._asked = text, said, language
        self._found: Sequence[TimeRef] | None = None

    def __iter__(self) -> Iterator[TimeRef]:
        if self._found is None:
            self._found = find_times(*self._asked)
        return iter(self._found)


def analyse(event: Event, language: str, *, played: bool = False) -> Analysis:
    """Read an event. Only the user's statements are extracted, and those that an agent observes of the user.

    Names are noted in everybody's words. What a host states whole is taken as it is.

    `played` tells whether play goes on in its conversation when it begins (`core.language.force.played`).
    """
    text = stripped(event.content)
    if not text or event.role == "system":
        return Analysis(text=text, language=language)
    head = text[:_READ_CHARACTERS]
    spoken = detect(head, language)
    entities: dict[str, str] = {}
    aliases: dict[tuple[str, str], None] = {}
    speaker = None if is_reserved(event.speaker or "") else event.speaker
    nameless = is_placeholder(speaker or "")
    if speaker and not nameless:  # what somebody says also mentions them
        entities[canonical(speaker)] = "tool" if event.role == "tool" else "person"
    for mention in find_mentions(head, spoken):
        if mention.type != "quantity":
            name, *others = names = [canonical(name) for name in (mention.name, *mention.aliases)]
            entities.update((name, mention.type) for name in names if name not in entities)
            aliases.update(((other, name), None) for other in others if other != name)
    found: dict[str, Any] = {"entities": entities, "aliases": tuple(aliases), "traits": _traits(text, event, played)}
    if whole := stated_in(event):
        for name in (one for statement in whole if statement.given for one in statement.given.about):
            entities.setdefault(canonical(name), "thing")
        return Analysis(text=text, language=spoken, statements=whole, outcome="extracted", **found)
    own, observed = event.source == "user_provided", event.kind == "observation"
    told = own or (observed and event.category in OBSERVED and event.trust > STRANGER and not orders(text))
    if nameless or not told:  # of nobody anything can be stated
        return Analysis(text=text, language=spoken, **found)
    head = retold(head, spoken, own=own) if observed else head
    times = _Times(head, said_there(event), spoken)
    statements = extract(head, times=times, language=spoken, role=event.role or "user", speaker=speaker, played=played)
    statements += followed(statements, event.event_time, spoken)
    correction = None if played else read_correction(without_others(head), spoken)
    if correction:  # dropped if its sentence states something itself
        mixed = any(item.start < correction.end and correction.start < item.end for item in statements)
        own = all(item.end <= correction.start for item in statements)
        correction = None if mixed else replace(correction, own=own)
    found |= {"statements": tuple(statements), "correction": correction}
    return Analysis(text=text, language=spoken, outcome="extracted" if statements else "unextracted", **found)


def _traits(text: str, event: Event, played: bool) -> tuple[str, ...]:
    """Return the signs about the text of an event, what it asks, and whether play goes on behind it."""
    found = (*traits(text), *(asking(event.content) if event.role == "user" else ()))
    if event.kind in {"turn", "observation"} and is_placeholder(text):
        found = (*found, "withheld")
    return (*found, PLAYED) if event.kind == "turn" and goes_on(event, on=played) else found


def said_there(event: Event) -> datetime:
    """Return when something was said, on the speaker's clock if that is known: what is today and tomorrow there."""
    minutes = event.metadata.get(UTC_OFFSET)
    zone = timezone(timedelta(minutes=minutes)) if isinstance(minutes, int) and abs(minutes) < _DAY else UTC
    return event.event_time.astimezone(zone)


def followed(statements: Sequence[Statement], said: datetime, language: str) -> list[Statement]:
    """Return what follows from statements that hold since about the time they were said: a lost job, no employer."""
    spans = [(item, *_validity(item, said)) for item in statements]
    lasting = [item for item, begins, ends in spans if ends is None and said - begins <= LONG]
    return [more for item in lasting for more in _consequences(item, statements, language)]


def _tense(statement: Statement, said: datetime, ends: datetime | None) -> str:
    """Return the tense of a record; what will be so is current on its day."""
    if statement.temporal == "current" and ends:
        return "temporary"
    return (
        "current"
        if statement.temporal == "future" and _becomes(statement) and _dawns(statement, said)
        else statement.temporal
    )


def _becomes(statement: Statement) -> bool:
    """Whether what a statement says of a day to come holds from then on: "I'm moving to Oslo in May"."""
    planned = statement.temporal == "future" and statement.polarity > 0 and is_single_valued(statement.attribute or "")
    return statement.temporal == "current" or (planned and not statement.passing)


def record_of(statement: Statement, event: Event, entities: tuple[str, ...], now: datetime) -> Record:
    """Return the record that a statement becomes if the gateway admits it."""
    begins, ends = _validity(statement, event.event_time)
    claim = content_hash(statement.text)
    certainty = "implied" if _long_ago(statement, begins, event.event_time) else statement.certainty
    place = site_of(event)
    record = Record(
        tenant=event.tenant,
        user=event.user,
        id=derived_id(Owner(event.tenant, event.user), "record", *place, statement.kind, claim, *statement.apart),
        kind=statement.kind,
        category=statement.category,
        text=statement.text,
        subject=statement.subject.casefold(),
        attribute=statement.attribute,
        value=statement.value,
        polarity=statement.polarity,
        temporal=_tense(statement, event.event_time, ends),
        phrase=statement.when.text if statement.when else None,
        certainty=certainty,
        confidence=CERTAINTY[certainty],
        importance=statement.importance,
        status="verified" if statement.correction else "candidate",
        agent=event.agent,
        channel=event.channel,
        connection=event.connection,
        conversation=event.conversation,
        source=event.source,
        trust=event.trust,
        valid_from=begins,
        valid_to=ends,
        recorded_at=now,
        sources=(event.id,),
        entities=entities,
        editor=statement.rule or "capture",
        hash=claim,
    )
    return record if statement.given is None else as_given(record, statement.given, event.event_time)


def _long_ago(statement: Statement, begins: datetime, said: datetime) -> bool:
    """Whether a single-valued statement is about a time long past, so that it may no longer hold."""
    over = statement.when is not None and statement.when.until is not None and statement.when.until <= said
    single = statement.attribute is not None and is_single_valued(statement.attribute)
    sure = statement.temporal == "current" and statement.certainty == "explicit"
    return over and single and sure and said - begins > AGO


_CLOCK = frozenset({"second", "minute", "hour"})
#: The attributes of which a value can begin, or end, on a day to come.
_DAWNING = frozenset("education family habit health hobby identity location people pet possession tool work".split())


def _dawns(statement: Statement, said: datetime) -> datetime | None:
    """Return when what a statement says of the state of things begins, if that lies ahead: "from July I work at …"."""
    when, root = statement.when, (statement.attribute or "").partition(".")[0]
    if when is None or when.begin is None or when.begin <= said or when.grain in _CLOCK | {"set", "duration"}:
        return None
    told = isinstance(statement.value, str) and when.text in statement.value
    return when.begin if root in _DAWNING and statement.kind == "fact" and not told else None


def _validity(statement: Statement, said: datetime) -> tuple[datetime, datetime | None]:
    """Return when a statement holds.

    It starts when the statement was made, or at the time it names; a state that lies ahead is so from its day on, and
    only then ends what it replaces. A past statement has ended by then. A plan ends at
    the end of its time, and so does a statement "until Friday" or a temporary one. Otherwise a time such as "this week"
    is no end, because the result of an event in it, such as a move, lasts; nor is an hour: "no meetings before ten". A
    time that is part of the value, such as a deadline, has no effect.
    """
    dawn = _dawns(statement, said)
    if dawn and _becomes(statement):
        return dawn, None
    if statement.temporal == "past":
        return (dawn, dawn) if dawn and statement.value is None else _past(statement.when, said)
    return _present(statement, said)


def _past(when: TimeRef | None, said: datetime) -> tuple[datetime, datetime]:
    ends = min(when.until, said) if when and when.until else said
    return min(when.begin if when and when.begin else ends, ends), ends


def _present(statement: Statement, said: datetime) -> tuple[datetime, datetime | None]:
    when = statement.when
    until = when.until if when and when.until and when.until > said else None
    if when is None or statement.temporal == "future":
        return said, until
    if when.grain in _CLOCK:
        return (min(when.begin, said) if when.begin else said), None
    if isinstance(statement.value, str) and when.text in statement.value:
        return said, None
    if statement.temporal == "temporary":
        return (min(when.begin, said) if when.begin and until else said), until
    return (min(when.begin, said), None) if when.begin else (said, until)


def _consequences(statement: Statement, others: Sequence[Statement], language: str) -> Iterator[Statement]:
    """Yield the attributes that a statement empties, unless another gives a value: out of work, no employer."""
    grammar = grammar_of(language)
    rule = grammar.emptying.get(statement.rule or "") if grammar else None
    if grammar is None or rule is None or statement.polarity != rule.polarity or statement.temporal != "current":
        return
    who = grammar.pack.user if statement.subject == "user" else statement.subject
    for attribute, words in rule.empties.items():
        if not any((item.subject, item.attribute) == (statement.subject, attribute) for item in others):
            text = f"{words.format(S=f'{who[:1].upper()}{who[1:]}')}{grammar.pack.full_stop}"
            for wrong, right in grammar.agreement:
                text = wrong.sub(right, text)
            yield replace(statement, attribute=attribute, value=None, polarity=-1, temporal="past", text=text)
