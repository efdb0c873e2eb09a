"""Every kind of row a store keeps. How one is declared stands in `core.declaring`.

What is shared stands in `core.shared`, what is audited and costs in `core.governance`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memstrata.core.declaring import (
    SCALARS,
    TABLES,
    Column,
    ColumnType,
    Json,
    R,
    Row,
    check_columns,
    columns,
    key_of,
    table,
)
from memstrata.core.governance import AuditEntry, Budget, LedgerEntry, Spending
from memstrata.core.running import JobRun
from memstrata.core.scope import GLOBAL
from memstrata.core.shared import AccessLog, Collection, Grant, Pool, Snapshot

__all__ = [
    "ALIAS_OF",
    "SCALARS",
    "TABLES",
    "AccessLog",
    "Attempt",
    "AuditEntry",
    "Budget",
    "Collection",
    "Column",
    "ColumnType",
    "ContextLog",
    "Entity",
    "Event",
    "Grant",
    "JobRun",
    "Json",
    "LedgerEntry",
    "Passage",
    "Pool",
    "R",
    "Receipt",
    "Record",
    "Relation",
    "Row",
    "Snapshot",
    "Spending",
    "Tombstone",
    "Vector",
    "check_columns",
    "columns",
    "key_of",
    "table",
]

# --------------------------------------------------------------------------------------------- the log


@table("events", "id")
@dataclass(frozen=True, slots=True, kw_only=True)
class Event(Row):
    """Something that happened: immutable, append-only, the origin of everything else.

    Attributes:
        kind: turn, observation, tool_call, decision, outcome, log, run_summary, scaffold_update, learned_fact, goal,
            strategy, promotion, review, consolidation, upkeep (what a job did to records; `metadata` names them).
        role: user, assistant, system or tool for a turn; else empty.
        speaker: the name of whoever spoke, where several people share a role.
        content: what was said or seen.
        category: fact, preference, project_details, correction, or the agent's own.
        position: the place within its conversation, from 0.
        surface: chat, widget, inbox, recipe, heartbeat, tool, import.
        source: user_provided, system_learned, tool_indexed, tool_extracted_content, agent, workflow.
        metadata: session, message, attachment, filename and whatever else the host brings.
        trust: 0 to 1, set by the channel of capture; never rises.
        event_time: when it happened; `recorded_at`: when memstrata learnt of it.
        extraction: what the rules made of it: `extracted`, `unextracted` (no rule hit) or `skipped`.
        processed_at: when consolidation last took it in.
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


@table("records", "id", "version")
@dataclass(frozen=True, slots=True, kw_only=True)
class Record(Row):
    """One derived statement. Every version is kept; a version without `superseded_at` is the current belief.

    Two clocks: the statement holds from `valid_from` to `valid_to` (None: open), and the system believed this
    version from `recorded_at` to `superseded_at`. Three numbers, never one: `confidence` (is it true),
    `importance` (does it matter), and strength (how present is it), which is computed from the others and time.

    Attributes:
        id: UUIDv5 of owner, place, kind and normalised text: the same write twice is one record.
        kind: fact, preference, episode, pattern, decision, plan, reflection, observation, tool_output, summary, goal,
            strategy, outcome.
        category: personal, workflow, preference, decision, learning, or the agent's own.
        subject, attribute, value: who or what, which property, which value; None where a text is all there is.
        polarity: +1 affirmed, -1 denied.
        temporal: past, current, temporary (current beside what is so otherwise: for a time, on some days, too) or
            future; `phrase` keeps the words a time was given in.
        certainty: explicit, implied, inferred or uncertain: what `confidence` was calibrated from.
        status: candidate, verified, disputed, rejected, expired, archived, quarantined.
        supersedes: the id of the record this one replaced.
        promoted_from: the id of the record of a channel that this one, in `_global`, is a copy of.
        contradicted_by: the id of the event that says what ended this version or made it disputed.
        trust: of the events it was read from together the least, of those that say it alike the highest.
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


@table("entities", "id")
@dataclass(frozen=True, slots=True, kw_only=True)
class Entity(Row):
    """A person, place, organisation, product, handle, tool or thing that events and records mention, under one name.

    `id` is UUIDv5 of owner and canonical name.
    """

    id: str
    name: str
    type: str


#: The type of a relation whose head is another name of its tail.
ALIAS_OF = "ALIAS_OF"


@table("relations", "id")
@dataclass(frozen=True, slots=True, kw_only=True)
class Relation(Row):
    """A typed, dated edge between two entities, in the place of the event that states it.

    An event that states it again adds an edge of its own, so that each goes with its event and none has to be merged:
    `id` is UUIDv5 of owner, event, type and ends. `valid_to` is what was said with it. The event `ended_by` ended it
    later, at `ended_at`: when that is forgotten, the edge is what it was.
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
        """Until when it holds; None: it still does."""
        return min(filter(None, (self.valid_to, self.ended_at)), default=None)


@table("passages", "ref")
@dataclass(frozen=True, slots=True, kw_only=True)
class Passage(Row):
    """How one event or record is found: the derived index entry that recall reads instead of the row itself.

    `terms` are the stemmed words, space separated, computed once by `core.text`; every backend indexes these
    and no backend has a stemmer of its own, which is why they find the same things.

    Attributes:
        ref: the id of the event or record; `of` says which ("event" or "record").
        kind: the kind of what it stands for (turn, observation, fact, preference, …).
        entities: ids of the entities named in it.
        traits: cheap signals about the text: `question`, `number`, `time`, `image`.
        at: the event time, or when the record began to hold.
        recorded_at: when memstrata learnt of it.
        length: characters of the original text.
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


@table("vectors", "space", "ref")
@dataclass(frozen=True, slots=True, kw_only=True)
class Vector(Row):
    """The embedding of one event or record in one space: unit length, little-endian float16."""

    space: str
    ref: str
    data: bytes


# ------------------------------------------------------------------------------- procedures, short-term memory


@table("tool_uses", "id")
@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse(Row):
    """What the calls of one tool for one kind of task in one place come to; made of events, and again where some go.

    Attributes:
        id: UUIDv5 of owner, tool, kind of task and place.
        latencies: how many calls fell into each bucket of `core.procedures`, by its number.
        last_error: of the newest call that failed and said why; `failed_at`: when.
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


@table("short_term", "id")
@dataclass(frozen=True, slots=True, kw_only=True)
class ShortTerm(Row):
    """A value kept under a key for a while.

    Attributes:
        id: UUIDv5 of owner, place, conversation and key: setting a key again replaces its value.
        type: task_context, conversation, tool_result, reflection or observation.
        access_count: how often the key was read since it was first set; `last_accessed`: when last.
        sources: ids of the events it was made of; with any of them it goes.
        promoted: the id of the record it became in long-term memory; empty where there is nothing to become.
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


# ---------------------------------------------------------------------------------------------- the requests


@table("context_log", "id")
@dataclass(frozen=True, slots=True, kw_only=True)
class ContextLog(Row):
    """What one request's context was made of: ids and reasons, never the text, which stands where the ids point.

    Attributes:
        query: what was asked, cut to its first 1,000 characters.
        epoch: of the stable prefix; `budget`, `used`: tokens.
        included: ids of the memories in the text; `cross_channel`: those of them that lie in another channel.
        sections: per section its budget, what it was granted and used, what the host brought to it by name, and by
            reason what was left out.
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
        """A request is of no connection; what it found through one is named by its id alone."""

    @property
    def named(self) -> frozenset[str]:
        """Every memory it names, in or out."""
        out = (ids for section in self.sections.values() for ids in section["excluded"].values())
        return frozenset(self.included).union(*out)


@table("connection_cache", "id")
@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionCache(Row):
    """What a connected tool answered, kept for a while: its schema, the names of its entities.

    It is asked for anew when it has expired, and is no memory: nothing is derived from it, and recall does not see it.

    Attributes:
        id: UUIDv5 of owner, place, connection and name.
        value: what was answered, as JSON.
        conversation: in which it was asked for.
        kept_at: when it was answered; `expires_at`: until when it is taken as it is.
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


# ---------------------------------------------------------------------------------------- consolidation


@table("attempts", "event")
@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt(Row):
    """That consolidation failed with an event, which waits to be taken in again.

    Attributes:
        event: its id.
        count: how often.
        error: what happened the last time; it quotes nothing of the event.
        failed_at: when.
        retry_at: from when it is tried again; None: not before somebody says so, see `flows.processor`.
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


@table("working_copies", "id")
@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingCopy(Row):
    """Working memory that was to be kept: what lay in a place, to be laid out there again.

    Attributes:
        conversation, task: whose working memory it is, one of the two.
        cells: by name the value, and when it expires.
        turns: ids of the turns that it tells of.
    """

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
        """Working memory is of no connection."""


# ------------------------------------------------------------------------------------------ forgetting


@table("tombstones", "id")
@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone(Row):
    """What must not come back. Holds a hash or an id, never the text; every writer consults it.

    Attributes:
        id: the id of what was forgotten, the hash of its text, or that of this hash and one writer whom it binds.
        receipt: the id of the receipt that tells what was removed.
    """

    id: str
    receipt: str
    created_at: datetime


@table("receipts", "id")
@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt(Row):
    """Proof of one act of forgetting: what was asked, how many rows of each kind went, and a digest of their ids."""

    id: str
    target: str
    removed: Mapping[str, Any]
    digest: str
    created_at: datetime
