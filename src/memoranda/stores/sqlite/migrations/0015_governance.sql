CREATE TABLE ledger (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    what TEXT NOT NULL,
    task TEXT,
    model TEXT NOT NULL,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    cost REAL,
    about TEXT NOT NULL,
    agent TEXT,
    channel TEXT NOT NULL,
    connection TEXT,
    conversation TEXT,
    at INTEGER NOT NULL,
    PRIMARY KEY (tenant, user, id)
) STRICT;
CREATE INDEX ledger_by_seq ON ledger (tenant, user, seq);
CREATE TABLE budgets (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    period TEXT NOT NULL,
    amount REAL,
    set_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, user, period)
) STRICT;
CREATE INDEX budgets_by_seq ON budgets (tenant, user, seq);
CREATE TABLE spending (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    period TEXT NOT NULL,
    spent INTEGER NOT NULL,
    PRIMARY KEY (tenant, user, period)
) STRICT;
CREATE INDEX spending_by_seq ON spending (tenant, user, seq);
CREATE TABLE audit (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    operation TEXT NOT NULL,
    stratum TEXT NOT NULL,
    agent TEXT,
    channel TEXT NOT NULL,
    connection TEXT,
    conversation TEXT,
    ids TEXT NOT NULL,
    query TEXT,
    counts TEXT NOT NULL,
    milliseconds REAL NOT NULL,
    error TEXT,
    thresholds TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (tenant, user, id)
) STRICT;
CREATE INDEX audit_by_seq ON audit (tenant, user, seq);
