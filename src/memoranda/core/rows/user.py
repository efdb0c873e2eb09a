"""The row kinds of one user's memory: the log, and what is derived from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar

from memoranda.core.base.scope import GLOBAL
from memoranda.core.rows.declare import Json, Row, RowTraits, table, texts_of

# --------------------------------------------------------------------------------------------- the log


@table("events", "id", traits=RowTraits(image="cited", derived=None, seen="site", named=True, falls="rule"))
@dataclass(frozen=True, slots=True, kw_only=True)
class Event(Row):
    """Something that happened. Immutable and append-only; everything else is derived from events.

    Attributes:
        kind: turn, observation, tool_call, decision, outcome, log, run_summary, scaffold_update, learned_fact, goal,
            strategy, promotion, review, consolidation, upkeep (what a job did to records; `metadata` names them).
        role: user, assistant, system or tool for a turn; else empty.
        speaker: the name of the speaker, where several people share a role.
        content: what was said or observed.
        category: fact, preference, project_details, correction, or one of the agent's own.
        position: the position within its conversation, from 0.
        surface: chat, widget, inbox, recipe, heartbeat, tool, import.
        source: user_provided, system_learned, tool_indexed, tool_extracted_content, agent, workflow.
        metadata: session, message, attachment, filename and whatever else the host supplies.
        trust: 0 to 1, set by the capture channel; never rises.
        event_time: when it happened; `recorded_at`: when memoranda recorded it.
        extraction: the result of the rules: `extracted`, `unextracted` (no rule matched) or `skipped`.
        processed_at: when consolidation last processed it.
    """

    id: str
    kind: str = "turn"
    role: str = "user"
    speaker: str | None = None
    content: str = ""
    category: str | None = None
    agent: str | None = None
    team: str | None = None
    channel: str = GLOBAL
    connection: str | None = None
    conversation: str | None = None
    task: str | None = None
    position: int = 0
    surface: str = "chat"
    source: str = "user_provided"
    metadata: Mapping[str, Any] = field(default_factory=dict)
    trust: float = 1.0
    event_time: datetime
    recorded_at: datetime
    extraction: str = "skipped"
    processed_at: datetime | None = None


# ------------------------------------------------------------------------------------ what is derived


@table(
    "records", "id", "version", traits=RowTraits(image="held", derived="stated", seen="site", named=True, falls="rule")
)
@dataclass(frozen=True, slots=True, kw_only=True)
class Record(Row):
    """One derived statement. Every version is kept; the version without `superseded_at` is the current belief.

    Two time axes: the statement holds from `valid_from` to `valid_to` (None: open), and the system believed this
    version from `recorded_at` to `superseded_at`. Three separate measures: `confidence` (is it true), `importance`
    (does it matter), and strength (how present is it), which is computed from the other fields and the time.

    Attributes:
        id: UUIDv5 of owner, place, kind and normalised text: writing the same statement twice gives one record.
        kind: fact, preference, pattern, decision, plan, reflection, observation, tool_output, summary, goal, strategy,
            outcome. Episodes are events.
        category: personal, workflow, preference, decision, learning, or one of the agent's own.
        subject, attribute, value: who or what, which property, which value; None where there is only a text.
        polarity: +1 affirmed, -1 denied.
        temporal: past, current, temporary (holds beside what otherwise holds: for a time, or on some days), expiring
            (temporary, and not told of once it is over) or future; `phrase` keeps the words in which a time was given.
        certainty: explicit, implied, inferred or uncertain; `confidence` is calibrated from it.
        status: candidate, verified, disputed, rejected, expired, archived, quarantined.
        supersedes: the id of the record this one replaced.
        promoted_from: for a copy in `_global`, the id of the channel's record it was copied from.
        contradicted_by: the id of the event that ended or disputed this version.
        trust: the minimum over events read together; the maximum over events that each state it.
        sources: ids of the events it came from, oldest first, at most 64.
        entities: ids of the entities it is about.
        editor: who or what made this version.
        hash: SHA-256 of the normalised text, for duplicates, tombstones and ties.
    """

    id: str
    version: int = 1
    kind: str
    category: str = "personal"
    text: str
    subject: str | None = None
    attribute: str | None = None
    value: Json = None
    polarity: int = 1
    temporal: str = "current"
    phrase: str | None = None
    certainty: str = "explicit"
    confidence: float = 0.95
    importance: float = 0.5
    status: str = "candidate"
    agent: str | None = None
    channel: str = GLOBAL
    connection: str | None = None
    conversation: str | None = None
    source: str = "user_provided"
    trust: float = 1.0
    valid_from: datetime
    valid_to: datetime | None = None
    recorded_at: datetime
    superseded_at: datetime | None = None
    supersedes: str | None = None
    promoted_from: str | None = None
    contradicted_by: str | None = None
    sources: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    editor: str = "rules"
    hash: str
    access_count: int = 0
    last_accessed: datetime | None = None


@table("entities", "id", traits=RowTraits(image="held", derived="repeated", seen="entity", named=False, falls="rule"))
@dataclass(frozen=True, slots=True, kw_only=True)
class Entity(Row):
    """A person, place, organisation, product, handle, tool or thing that events and records mention, under one name.

    `id` is UUIDv5 of owner and canonical name.
    """

    id: str
    name: str
    type: str


#: The type of the relation that says its head is another name of its tail.
ALIAS_OF = "ALIAS_OF"


@table("relations", "id", traits=RowTraits(image="held", derived="stated", seen="ends", named=False, falls="rule"))
@dataclass(frozen=True, slots=True, kw_only=True)
class Relation(Row):
    """A typed, dated edge between two entities, in the place of the event that states it.

    Each event that states the same relation adds its own edge, so an edge is removed with its event and nothing needs
    merging: `id` is UUIDv5 of owner, event, type and both ends. `valid_to` is the end stated with the relation itself.
    `ended_by` is a later event that ended it at `ended_at`; if that event is forgotten, the edge is restored.
    """

    id: str
    head: str
    type: str
    tail: str
    confidence: float = 0.85
    agent: str | None = None
    channel: str = GLOBAL
    connection: str | None = None
    valid_from: datetime
    valid_to: datetime | None = None
    ended_at: datetime | None = None
    ended_by: str | None = None
    sources: tuple[str, ...] = ()

    @property
    def until(self) -> datetime | None:
        """The time until which it holds; None while it still holds."""
        return min(filter(None, (self.valid_to, self.ended_at)), default=None)


@table(
    "passages",
    "ref",
    traits=RowTraits(image="held", derived="repeated", seen="site", named=False, falls="parts", rests="ref"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class Passage(Row):
    """The derived index entry of one event or record, which recall searches instead of the row itself.

    `terms` are the stemmed words, separated by spaces and computed once by `core.text.terms`. Every backend indexes
    these and none has a stemmer of its own, so all backends find the same things.

    Attributes:
        ref: the id of the event or record; `of` says which ("event" or "record").
        kind: the kind of that event or record (turn, observation, fact, preference, …).
        entities: ids of the entities named in it.
        traits: cheap signals about the text: `question`, `number`, `time`, `image`; `withheld` if none of it is kept.
        at: the event time, or the `valid_from` of a record.
        recorded_at: when memoranda recorded it.
        length: characters of the original text.
        access_count: how often an event was used by recall; `last_accessed`: the last time. A record counts its own.
    """

    ref: str
    of: str = "event"
    kind: str = "turn"
    role: str = ""
    speaker: str | None = None
    agent: str | None = None
    channel: str = GLOBAL
    connection: str | None = None
    conversation: str | None = None
    position: int = 0
    terms: str = ""
    entities: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    length: int = 0
    at: datetime
    recorded_at: datetime
    access_count: int = 0
    last_accessed: datetime | None = None


@table(
    "vectors",
    "space",
    "ref",
    traits=RowTraits(image="held", derived="repeated", seen="passage", named=False, falls="parts", rests="ref"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class Vector(Row):
    """The embedding of one event or record in one space: unit length, little-endian float16."""

    space: str
    ref: str
    data: bytes


@table(
    "later_words",
    "ref",
    "earlier",
    traits=RowTraits(image="held", derived=None, seen="passage", named=False, falls="parts", rests="turns"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class LaterWord(Row):
    """A turn that, as a model judges, makes what an earlier turn says outdated. It orders and marks, and ends nothing.

    Attributes:
        ref: the id of the later turn; `earlier`: of the earlier one.
        turns: both; it falls with either.
        probability: how sure the model is, from 0 to 1; `model`: its name.
    """

    ref: str
    earlier: str
    turns: tuple[str, ...]
    probability: float
    model: str


# ------------------------------------------------------------------------------- procedures, short-term memory


@table("tool_uses", "id", traits=RowTraits(image="held", derived="repeated", seen="site", named=True, falls="rule"))
@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse(Row):
    """Statistics of the calls of one tool for one task type in one place; derived from events, and rebuilt if some go.

    Attributes:
        id: UUIDv5 of owner, tool, task type and place.
        latencies: the number of calls in each latency bucket of `core.strata.procedures`, by bucket number.
        last_error: the error of the newest failed call that gave one; `failed_at`: when it failed.
    """

    id: str
    tool: str
    task_type: str = ""
    agent: str | None = None
    channel: str = GLOBAL
    connection: str | None = None
    uses: int = 0
    successes: int = 0
    latencies: Mapping[str, Any] = field(default_factory=dict)
    last_error: str | None = None
    failed_at: datetime | None = None
    last_used: datetime


@table(
    "short_term",
    "id",
    traits=RowTraits(image=None, derived=None, seen="site", named=True, falls="words", rests="sources"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class ShortTerm(Row):
    """A value kept under a key for a limited time.

    Attributes:
        id: UUIDv5 of owner, place, conversation and key: setting a key again replaces its value.
        type: task_context, conversation, tool_result, reflection or observation.
        access_count: how often the key was read since it was first set; `last_accessed`: the last time.
        sources: ids of the events it was made from; it is removed with any of them.
        promoted: the id of the record it became in long-term memory; empty if there was nothing to promote; None
            before that.
    """

    id: str
    key: str
    type: str = "task_context"
    value: Json = None
    agent: str | None = None
    channel: str = GLOBAL
    connection: str | None = None
    conversation: str | None = None
    importance: float = 0.5
    ttl_seconds: float
    expires_at: datetime
    created_at: datetime
    access_count: int = 0
    last_accessed: datetime | None = None
    sources: tuple[str, ...] = ()
    promoted: str | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """Its value, its key, and the names of its sources."""
        return " ".join(texts_of(self.value)), self.key, *self.sources


# ---------------------------------------------------------------------------------------------- the requests


@table(
    "context_log",
    "id",
    traits=RowTraits(image=None, derived=None, seen="site", named=True, falls="words", rests="named"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class ContextLog(Row):
    """What one request's context consisted of: ids and reasons, never the text itself.

    Attributes:
        query: the query, cut to its first 1,000 characters.
        epoch: the epoch of the stable prefix; `budget`, `used`: tokens.
        included: ids of the memories in the text; `cross_channel`: those of them from another channel.
        sections: per section its budget, what it was granted and used, what the host supplied to it by name, and the
            memories left out, by reason.
    """

    id: str
    query: str
    agent: str | None = None
    channel: str = GLOBAL
    conversation: str | None = None
    epoch: str
    budget: int
    used: int
    included: tuple[str, ...] = ()
    cross_channel: tuple[str, ...] = ()
    sections: Mapping[str, Any] = field(default_factory=dict)
    degraded: tuple[str, ...] = ()
    created_at: datetime

    @property
    def connection(self) -> None:
        """Always None: a request belongs to no connection; what it found through one is named by id alone."""

    @property
    def named(self) -> frozenset[str]:
        """The ids of all memories it names, included or left out."""
        out = (ids for section in self.sections.values() for ids in section["excluded"].values())
        return frozenset(self.included).union(*out)

    @property
    def words(self) -> tuple[str, ...]:
        """The query, what the host supplied, and what was down."""
        brought = (one["brought"] for one in self.sections.values())
        return self.query, *texts_of([*brought]), *self.degraded


@table("connection_cache", "id", traits=RowTraits(image=None, derived=None, seen="site", named=True, falls="words"))
@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionCache(Row):
    """The answer of a connected tool, cached for a while: its schema, the names of its entities.

    After it expires it is requested again. It is not memory: nothing is derived from it, and recall does not see it.

    Attributes:
        id: UUIDv5 of owner, place, connection and name.
        value: the answer, as JSON.
        conversation: the conversation in which it was requested.
        kept_at: when the tool answered; `expires_at`: until when the cached answer is used.
    """

    id: str
    connection: str
    name: str
    value: Json = None
    agent: str | None = None
    channel: str = GLOBAL
    conversation: str | None = None
    kept_at: datetime
    expires_at: datetime

    @property
    def words(self) -> tuple[str, ...]:
        """Its name and its value, in one."""
        return (" ".join(texts_of([self.name, self.value])),)


# ---------------------------------------------------------------------------------------- consolidation


@table(
    "attempts",
    "event",
    traits=RowTraits(image=None, derived=None, seen="site", named=True, falls="parts", rests="event"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt(Row):
    """A failed consolidation of an event, which waits for a retry.

    Attributes:
        event: the id of the event.
        count: the number of failures.
        error: the last error; quotes nothing of the event.
        failed_at: when it last failed.
        retry_at: the earliest time of the next try; None: a dead letter, tried again only on request, see
            `flows.consolidation.processor`.
    """

    event: str
    agent: str | None = None
    channel: str = GLOBAL
    connection: str | None = None
    count: int = 1
    error: str
    failed_at: datetime
    retry_at: datetime | None = None


# -------------------------------------------------------------------------------------------- at hand


@table(
    "working_copies",
    "id",
    traits=RowTraits(image=None, derived=None, seen="site", named=True, falls="words", rests="turns"),
)
@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingCopy(Row):
    """A saved copy of working memory, from which it can be restored.

    Attributes:
        conversation, task: whose working memory it is; one of the two is set.
        cells: by name, the value and when it expires.
        turns: ids of the turns it contains.
    """

    words: ClassVar[tuple[str, ...]] = ()  # what its cells say is taken out of them

    id: str
    agent: str | None = None
    channel: str = GLOBAL
    conversation: str | None = None
    task: str | None = None
    cells: Mapping[str, Any] = field(default_factory=dict)
    turns: tuple[str, ...] = ()
    saved_at: datetime

    @property
    def connection(self) -> None:
        """Always None: working memory belongs to no connection."""
