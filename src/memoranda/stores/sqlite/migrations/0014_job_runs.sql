CREATE TABLE job_runs (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    job TEXT NOT NULL,
    slot INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    counts TEXT NOT NULL,
    reason TEXT NOT NULL,
    degraded TEXT NOT NULL,
    lag REAL NOT NULL,
    next_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, user, job, slot)
) STRICT;
CREATE INDEX job_runs_by_seq ON job_runs (tenant, user, seq);
CREATE INDEX job_runs_by_next ON job_runs (tenant, slot, next_at);
