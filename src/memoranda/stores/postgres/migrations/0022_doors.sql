CREATE TABLE api_keys (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    hash text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    only_user text COLLATE "C",
    only_agent text COLLATE "C",
    team text COLLATE "C",
    rights text[] COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    used_at timestamptz,
    expires_at timestamptz,
    revoked_at timestamptz,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", id)
);
CREATE INDEX api_keys_seq ON api_keys (tenant, "user", seq);
CALL protect('api_keys');
ALTER TABLE audit ADD COLUMN key text COLLATE "C";

CREATE TABLE answered_calls (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    request text COLLATE "C" NOT NULL,
    about text[] COLLATE "C" NOT NULL,
    answer json,
    at timestamptz NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", id)
);
CREATE INDEX answered_calls_seq ON answered_calls (tenant, "user", seq);
CALL protect('answered_calls');
