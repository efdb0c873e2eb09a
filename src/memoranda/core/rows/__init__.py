"""The row kinds of a store. `core.rows.declare` defines how one is declared."""

# ruff: noqa: I001 - the sorter wants a line for each name

from memoranda.core.rows.declare import (
    SCALARS, TABLES, Column, ColumnType, Json, R, Row, RowTraits, check_columns, columns_of, key_of, kinds_with,
    rests_on, table, texts_of,
)  # fmt: skip
from memoranda.core.rows.erasure import Receipt, Tombstone
from memoranda.core.rows.governance import AnsweredCall, ApiKey, AuditEntry, Budget, LedgerEntry, Operation, Spending
from memoranda.core.rows.jobs import JobRun
from memoranda.core.rows.shared import AccessLog, Collection, Grant, Pool, Snapshot
from memoranda.core.rows.user import (
    ALIAS_OF, Attempt, ConnectionCache, ContextLog, ConversationMark, Entity, Event, LaterWord, Passage, Record,
    Relation, ShortTerm, ToolUse, Vector, WorkingCopy,
)  # fmt: skip

__all__ = [
    "ALIAS_OF",
    "SCALARS",
    "TABLES",
    "AccessLog",
    "AnsweredCall",
    "ApiKey",
    "Attempt",
    "AuditEntry",
    "Budget",
    "Collection",
    "Column",
    "ColumnType",
    "ConnectionCache",
    "ContextLog",
    "ConversationMark",
    "Entity",
    "Event",
    "Grant",
    "JobRun",
    "Json",
    "LaterWord",
    "LedgerEntry",
    "Operation",
    "Passage",
    "Pool",
    "R",
    "Receipt",
    "Record",
    "Relation",
    "Row",
    "RowTraits",
    "ShortTerm",
    "Snapshot",
    "Spending",
    "Tombstone",
    "ToolUse",
    "Vector",
    "WorkingCopy",
    "check_columns",
    "columns_of",
    "key_of",
    "kinds_with",
    "rests_on",
    "table",
    "texts_of",
]  # fmt: skip
