CREATE TABLE tool_uses (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    tool text COLLATE "C" NOT NULL,
    task_type text COLLATE "C" NOT NULL,
    agent text COLLATE "C",
    channel text COLLATE "C" NOT NULL,
    connection text COLLATE "C",
    uses bigint NOT NULL,
    successes bigint NOT NULL,
    latencies json NOT NULL,
    last_error text COLLATE "C",
    failed_at timestamptz,
    last_used timestamptz NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", id)
);
CREATE INDEX tool_uses_seq ON tool_uses (tenant, "user", seq);
CALL protect('tool_uses');

CREATE TABLE short_term (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    value json,
    agent text COLLATE "C",
    channel text COLLATE "C" NOT NULL,
    connection text COLLATE "C",
    conversation text COLLATE "C",
    importance double precision NOT NULL,
    ttl_seconds double precision NOT NULL,
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    access_count bigint NOT NULL,
    last_accessed timestamptz,
    sources text[] COLLATE "C" NOT NULL,
    promoted text COLLATE "C",
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", id)
);
CREATE INDEX short_term_key ON short_term (tenant, "user", key);
CALL protect('short_term');
