CREATE TABLE context_log (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    query text COLLATE "C" NOT NULL,
    agent text COLLATE "C",
    channel text COLLATE "C" NOT NULL,
    conversation text COLLATE "C",
    epoch text COLLATE "C" NOT NULL,
    budget bigint NOT NULL,
    used bigint NOT NULL,
    included text[] COLLATE "C" NOT NULL,
    sections json NOT NULL,
    degraded text[] COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", id)
);
CALL protect('context_log');
