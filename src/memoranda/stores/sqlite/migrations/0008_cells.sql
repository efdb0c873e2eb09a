-- Working memory (core/cells.py). The cell without a name stands for its place, and says when it was last written.

CREATE TABLE cells (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    agent TEXT NOT NULL,
    channel TEXT NOT NULL,
    kind TEXT NOT NULL,
    place TEXT NOT NULL,
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    version TEXT NOT NULL,
    expires INTEGER,
    at INTEGER,
    PRIMARY KEY (tenant, user, agent, channel, kind, place, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX cells_by_time ON cells (tenant, at) WHERE at IS NOT NULL;

CREATE TABLE working_copies (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    agent TEXT,
    channel TEXT NOT NULL,
    conversation TEXT,
    task TEXT,
    cells TEXT NOT NULL,
    turns TEXT NOT NULL,
    saved_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, user, id)
) STRICT;
CREATE INDEX working_copies_by_seq ON working_copies (tenant, user, seq);
