CREATE TABLE tool_uses (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    tool TEXT NOT NULL,
    task_type TEXT NOT NULL,
    agent TEXT,
    channel TEXT NOT NULL,
    connection TEXT,
    uses INTEGER NOT NULL,
    successes INTEGER NOT NULL,
    latencies TEXT NOT NULL,
    last_error TEXT,
    failed_at INTEGER,
    last_used INTEGER NOT NULL,
    PRIMARY KEY (tenant, user, id)
) STRICT;
CREATE INDEX tool_uses_by_seq ON tool_uses (tenant, user, seq);

CREATE TABLE short_term (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    key TEXT NOT NULL,
    type TEXT NOT NULL,
    value TEXT,
    agent TEXT,
    channel TEXT NOT NULL,
    connection TEXT,
    conversation TEXT,
    importance REAL NOT NULL,
    ttl_seconds REAL NOT NULL,
    expires_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    access_count INTEGER NOT NULL,
    last_accessed INTEGER,
    sources TEXT NOT NULL,
    promoted TEXT,
    PRIMARY KEY (tenant, user, id)
) STRICT;
CREATE INDEX short_term_by_seq ON short_term (tenant, user, seq);
CREATE INDEX short_term_by_key ON short_term (tenant, user, key);
