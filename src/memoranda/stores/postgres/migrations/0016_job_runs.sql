CREATE TABLE job_runs (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    job text COLLATE "C" NOT NULL,
    slot bigint NOT NULL,
    ordinal bigint NOT NULL,
    started_at timestamptz NOT NULL,
    ended_at timestamptz NOT NULL,
    outcome text COLLATE "C" NOT NULL,
    counts json NOT NULL,
    reason text COLLATE "C" NOT NULL,
    degraded text[] COLLATE "C" NOT NULL,
    lag double precision NOT NULL,
    next_at timestamptz NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", job, slot)
);
CREATE INDEX job_runs_next ON job_runs (tenant, slot, next_at);
CALL protect('job_runs');
