"""The rows of what a tenant shares: pools, collections, snapshots, grants and the access log.

All of them belong to the tenant's reserved user, `core.base.scope.SHARED`; `holder` and `agent` name who holds them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar

from memoranda.core.base.scope import GLOBAL
from memoranda.core.rows.declare import Row, RowTraits, table


@table("pools", "id", traits=RowTraits(image=None, derived=None, seen=None, named=True, falls=None))
@dataclass(frozen=True, slots=True, kw_only=True)
class Pool(Row):
    """A JSON object that several users and agents may read and write. Its history is in the shared event log.

    Attributes:
        id: also the id of the event that created it.
        kind: shared, agent_private, team_shared, task_scoped, blackboard or tool_cache.
        reach: whom it is meant for: global, account, team, agent, task or workflow.
        holder, agent: the user who holds it, and the agent if it belongs to one agent of that user.
        channel: the holder's channel when it was created, which is not disclosed to others.
        task: the task or workflow run it is for.
        sources: ids of what it was derived from.
        version: the version of the last write, from 1; `changed_at`: the time of that write.
        expires_at: from this time on it is treated as absent.
    """

    id: str
    name: str
    kind: str = "shared"
    reach: str = "agent"
    holder: str
    agent: str | None = None
    channel: str = GLOBAL
    task: str | None = None
    sources: tuple[str, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    version: int = 1
    reads: int = 0
    last_read: datetime | None = None
    created_at: datetime
    changed_at: datetime
    expires_at: datetime | None = None

    @property
    def connection(self) -> None:
        """Always None: a pool belongs to no connection."""


@table("collections", "id", traits=RowTraits(image=None, derived=None, seen=None, named=True, falls=None))
@dataclass(frozen=True, slots=True, kw_only=True)
class Collection(Row):
    """A container of records that several users and agents may read and write.

    The records lie in the channel of the shared memory that is named by the collection's id.

    Attributes:
        kind: agent_memory, knowledge_base, shared_context, tool_cache or project_context.
        archived_at: since when it is kept but not searched.

    The other attributes are those of a pool.
    """

    id: str
    name: str
    kind: str = "shared_context"
    reach: str = "agent"
    holder: str
    agent: str | None = None
    channel: str = GLOBAL
    sources: tuple[str, ...] = ()
    created_at: datetime
    archived_at: datetime | None = None
    expires_at: datetime | None = None

    @property
    def connection(self) -> None:
        """Always None: a collection belongs to no connection."""

    @property
    def task(self) -> None:
        """Always None: a collection is for no task."""


@table("snapshots", "id", traits=RowTraits(image=None, derived=None, seen=None, named=True, falls=None))
@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot(Row):
    """The entries of a collection at one time, with the version of each.

    Attributes:
        id: also the id of the event that records it.
        object: the id of the collection.
        entries: versions by entry id.
    """

    id: str
    object: str
    name: str
    entries: Mapping[str, Any] = field(default_factory=dict)
    created_by: str
    created_at: datetime


@table("grants", "id", traits=RowTraits(image=None, derived=None, seen=None, named=True, falls=None))
@dataclass(frozen=True, slots=True, kw_only=True)
class Grant(Row):
    """The right to read, write or administer a shared object. Kept after it ends.

    An agent is named together with its user, because agents of two users may have the same name.

    Attributes:
        object: the id of a pool or a collection.
        level: read, write or admin; each includes the ones before it.
        grantee, agent, team: a user and all of the user's agents; one agent of a user; a team. None of them: everyone
            in the tenant.
        granted_by, revoked_by: users, with the agent if one acted for them: `alice/planner`.
        under: the admin grant under which this one was given, and with which it ends; None: the holder gave it.
    """

    id: str
    object: str
    level: str
    grantee: str | None = None
    agent: str | None = None
    team: str | None = None
    granted_by: str
    under: str | None = None
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    revoked_by: str | None = None


@table("access_log", "id", traits=RowTraits(image=None, derived=None, seen=None, named=True, falls=None))
@dataclass(frozen=True, slots=True, kw_only=True)
class AccessLog(Row):
    """One access to a shared object, or one change of who may access it."""

    words: ClassVar[tuple[str, ...]] = ()  # it holds none, and names no memory
    named: ClassVar[frozenset[str]] = frozenset()

    id: str
    object: str
    action: str
    actor: str
    agent: str | None = None
    at: datetime
