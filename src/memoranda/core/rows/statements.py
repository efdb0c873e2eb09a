"""What extraction proposes, before the gateway has judged it: statements and mentions."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType

from memoranda.core.rows.declare import Json

#: Something that was over this long before a statement began does not end that statement: "I sold my car in 2015".
LONG = timedelta(days=90)
#: A statement about something longer ago than this only implies that it is still so: "I joined Acme in 2015".
AGO = timedelta(days=365)

#: The kind of the records that describe an entity.
ENTITY = "entity"
#: The kinds of records made from statements, and from an observation in which the rules find nothing.
RECORDS = ("fact", "preference", "decision", "plan", "observation")
#: The kinds of everything that can be recalled: turns, observations, tool calls, logs, and records.
KINDS = ("turn", *RECORDS, "goal", "strategy", ENTITY, "tool_call", "log", "summary", "pattern", "outcome")

#: Trust by origin (SPEC 4): set once, by the channel, and never raised by being stored, summarised or promoted.
TRUST: Mapping[str, float] = MappingProxyType(
    {
        "user_provided": 1.0,
        "agent": 0.7,
        "system_learned": 0.7,
        "workflow": 0.6,
        "tool_indexed": 0.5,
        "tool_extracted_content": 0.4,
    }
)

#: The confidence of a statement by the certainty of its wording (SPEC 5).
CERTAINTY: Mapping[str, float] = MappingProxyType(
    {"explicit": 0.95, "implied": 0.85, "inferred": 0.70, "uncertain": 0.50}
)
#: The tenses of what holds beside what otherwise holds; what is expiring is not told of at all once it is over.
TEMPORARY, EXPIRING = PASSING = ("temporary", "expiring")
#: The name, in the metadata of an observation, of the statements that a host gave whole.
STATED = "stated"
#: The certainties whose confidence fades; explicit statements do not fade.
FADING = frozenset({"inferred", "uncertain"})


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRef:
    """A time expression in a text, resolved.

    Attributes:
        text: the words; `start`, `end`: their character offsets.
        begin, until: the resolved half-open interval [begin, until), aware, UTC; None where unbounded.
        grain: second, minute, hour, day, week, month, quarter, season, year, decade, or `duration`/`set`.
        relation: past, current or future with respect to the reference time.
    """

    text: str
    start: int
    end: int
    begin: datetime | None
    until: datetime | None
    grain: str
    relation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """An entity named in a text.

    Attributes:
        name: as written, without articles; `type`: person, place, organisation, product, handle, quantity, thing.
        start, end: character offsets.
        aliases: other names given with it ("International Business Machines (IBM)").
    """

    name: str
    type: str
    start: int
    end: int
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a host says of a statement that it gives whole, and no rule has read.

    Attributes:
        confidence: how sure it is, 0 to 1; None: as sure as the certainty of the statement means.
        begins, ends: when the statement holds; None: from when it was given, and until further notice.
        expires: whether it is not told of at all once it has ended.
        about: names of what it is about, beside those in its text.
        rests: ids of the events that it rests on, beside its own.
    """

    confidence: float | None = None
    begins: datetime | None = None
    ends: datetime | None = None
    expires: bool = False
    about: tuple[str, ...] = ()
    rests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One thing a text states, as the rules read it.

    Attributes:
        kind: fact, preference, decision, plan.
        category: personal, workflow, preference, decision, learning, project, goal.
        text: the statement in the third person, self-contained ("User prefers short emails").
        subject: "user", "assistant", or the name of who or what it is about.
        attribute: dotted path of the property ("work.employer"), None where none is recognised.
        value: the property's value, trimmed of articles and time words.
        polarity: +1 affirmed, -1 denied ("does not eat meat").
        certainty: explicit, implied, inferred or uncertain.
        temporal: past, current, temporary (holds beside what otherwise holds) or future.
        correction: the speaker said that something earlier was wrong or has changed.
        when: the time it is about, if one is given.
        apart: distinguishes it from others in the same words, such as the key of an entry.
        rule: the rule that found it, `language:name`.
        start, end: character offsets of its evidence in the text.
        passing: it holds for a time only, also where that lies ahead, and replaces nothing.
        given: what a host says of it, if it gave it whole.
    """

    kind: str
    category: str
    text: str
    subject: str = "user"
    attribute: str | None = None
    value: Json = None
    polarity: int = 1
    certainty: str = "explicit"
    temporal: str = "current"
    correction: bool = False
    when: TimeRef | None = None
    importance: float = 0.5
    apart: tuple[str, ...] = ()
    rule: str = ""
    start: int = 0
    end: int = 0
    passing: bool = False
    given: Given | None = None


def told_apart(statement: Statement) -> Statement:
    """Return a statement distinguished by attribute and value from others in the same words."""
    return replace(statement, apart=(statement.attribute or "", json.dumps(statement.value)))
