CREATE TABLE operations (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    verb TEXT NOT NULL,
    agent TEXT,
    team TEXT,
    state TEXT NOT NULL,
    version INTEGER NOT NULL,
    progress INTEGER,
    name TEXT,
    request TEXT,
    begun_at INTEGER NOT NULL,
    ended_at INTEGER,
    at INTEGER NOT NULL,
    answer TEXT,
    problem TEXT,
    PRIMARY KEY (tenant, user, id)
) STRICT;
CREATE INDEX operations_by_seq ON operations (tenant, user, seq);
CREATE INDEX operations_by_id ON operations (tenant, id);
ALTER TABLE api_keys ADD COLUMN root TEXT;
