CREATE TABLE attempts (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    event text COLLATE "C" NOT NULL,
    agent text COLLATE "C",
    channel text COLLATE "C" NOT NULL,
    connection text COLLATE "C",
    count bigint NOT NULL,
    error text COLLATE "C" NOT NULL,
    failed_at timestamptz NOT NULL,
    retry_at timestamptz,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", event)
);
CREATE INDEX attempts_seq ON attempts (tenant, "user", seq);
CALL protect('attempts');
