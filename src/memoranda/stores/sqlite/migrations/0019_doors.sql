CREATE TABLE api_keys (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    hash TEXT NOT NULL,
    name TEXT NOT NULL,
    only_user TEXT,
    only_agent TEXT,
    team TEXT,
    rights TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER,
    expires_at INTEGER,
    revoked_at INTEGER,
    PRIMARY KEY (tenant, user, id)
) STRICT;
CREATE INDEX api_keys_by_seq ON api_keys (tenant, user, seq);
ALTER TABLE audit ADD COLUMN key TEXT;
CREATE TABLE answered_calls (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    request TEXT NOT NULL,
    about TEXT NOT NULL,
    answer TEXT,
    at INTEGER NOT NULL,
    PRIMARY KEY (tenant, user, id)
) STRICT;
CREATE INDEX answered_calls_by_seq ON answered_calls (tenant, user, seq);
