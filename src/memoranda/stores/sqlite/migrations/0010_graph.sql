ALTER TABLE records ADD COLUMN promoted_from TEXT;
ALTER TABLE relations ADD COLUMN ended_at INTEGER;
ALTER TABLE relations ADD COLUMN ended_by TEXT;
ALTER TABLE context_log ADD COLUMN cross_channel TEXT NOT NULL DEFAULT '[]';

CREATE TABLE connection_cache (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    connection TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT,
    agent TEXT,
    channel TEXT NOT NULL,
    conversation TEXT,
    kept_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, user, id)
) STRICT;
CREATE INDEX connection_cache_by_seq ON connection_cache (tenant, user, seq);
