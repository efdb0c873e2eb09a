"""The rows of what a tenant shares: pools, collections, their snapshots, who may, and who did.

All of them belong to the tenant's reserved user, `core.scope.SHARED`; `holder` and `agent` name whose they are.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memstrata.core.declaring import Row, table
from memstrata.core.scope import GLOBAL


@table("pools", "id")
@dataclass(frozen=True, slots=True, kw_only=True)
class Pool(Row):
    """A JSON object that several may read and write. What it is made of stands in the shared log.

    Attributes:
        id: of the event that made it, too.
        kind: shared, agent_private, team_shared, task_scoped, blackboard or tool_cache.
        reach: for whom it is meant: global, account, team, agent, task or workflow.
        holder, agent: whose it is: a user's, or one agent's of this user.
        channel: where its holder was when it was made, which others are not told.
        task: the task, or the workflow run, that it is for.
        sources: ids of what it was derived from.
        version: of the last write, from 1; `changed_at`: when that was.
        expires_at: from then on it is not there.
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
        """A pool is of no connection."""


@table("collections", "id")
@dataclass(frozen=True, slots=True, kw_only=True)
class Collection(Row):
    """A container of records that several may read and write; they lie in the shared memory's channel of its id.

    Attributes:
        kind: agent_memory, knowledge_base, shared_context, tool_cache or project_context.
        archived_at: since when it is kept, and not searched.

    The others are as a pool's.
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
        """A collection is of no connection."""


@table("snapshots", "id")
@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot(Row):
    """Which entries a collection had at a time, and in which version each.

    Attributes:
        id: of the event that tells it, too.
        object: the id of the collection.
        entries: versions by the ids of entries.
    """

    id: str
    object: str
    name: str
    entries: Mapping[str, Any] = field(default_factory=dict)
    created_by: str
    created_at: datetime


@table("grants", "id")
@dataclass(frozen=True, slots=True, kw_only=True)
class Grant(Row):
    """That somebody may read, write or administer something shared; kept when it is over.

    An agent is named together with its user, for agents of two users may have one name.

    Attributes:
        object: the id of a pool or a collection.
        level: read, write or admin, each of which includes the one before.
        grantee, agent, team: a user and all of the user's agents; one agent of a user; a team. None of them: everyone
            in the tenant.
        granted_by, revoked_by: users, with the agent where one acted for them: `alice/planner`.
        under: the grant to administer by which it was given, and with which it ends; None: the object was the giver's.
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


@table("access_log", "id")
@dataclass(frozen=True, slots=True, kw_only=True)
class AccessLog(Row):
    """That somebody read or changed something shared, or who may."""

    id: str
    object: str
    action: str
    actor: str
    agent: str | None = None
    at: datetime

    @property
    def named(self) -> frozenset[str]:
        """It names no memory."""
        return frozenset()
