ALTER TABLE records ADD COLUMN promoted_from text COLLATE "C";
ALTER TABLE relations ADD COLUMN ended_at timestamptz, ADD COLUMN ended_by text COLLATE "C";
ALTER TABLE context_log ADD COLUMN cross_channel text[] COLLATE "C" NOT NULL DEFAULT '{}';

CREATE TABLE connection_cache (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    connection text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    value json,
    agent text COLLATE "C",
    channel text COLLATE "C" NOT NULL,
    conversation text COLLATE "C",
    kept_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", id)
);
CALL protect('connection_cache');
