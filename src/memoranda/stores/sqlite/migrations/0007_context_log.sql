CREATE TABLE context_log (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    query TEXT NOT NULL,
    agent TEXT,
    channel TEXT NOT NULL,
    conversation TEXT,
    epoch TEXT NOT NULL,
    budget INTEGER NOT NULL,
    used INTEGER NOT NULL,
    included TEXT NOT NULL,
    sections TEXT NOT NULL,
    degraded TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, user, id)
) STRICT;
CREATE INDEX context_log_by_seq ON context_log (tenant, user, seq);
