CREATE TABLE attempts (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    event TEXT NOT NULL,
    agent TEXT,
    channel TEXT NOT NULL,
    connection TEXT,
    count INTEGER NOT NULL,
    error TEXT NOT NULL,
    failed_at INTEGER NOT NULL,
    retry_at INTEGER,
    PRIMARY KEY (tenant, user, event)
) STRICT;
CREATE INDEX attempts_by_seq ON attempts (tenant, user, seq);
CREATE INDEX events_unprocessed ON events (tenant, user, seq) WHERE processed_at IS NULL;
