CREATE TABLE conversation_marks (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    conversation TEXT NOT NULL,
    agent TEXT,
    channel TEXT NOT NULL,
    title TEXT,
    archived_at INTEGER,
    PRIMARY KEY (tenant, user, id)
) STRICT;
CREATE INDEX conversation_marks_by_seq ON conversation_marks (tenant, user, seq);
