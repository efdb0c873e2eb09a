CREATE TABLE operations (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    verb text COLLATE "C" NOT NULL,
    agent text COLLATE "C",
    team text COLLATE "C",
    state text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    progress bigint,
    name text COLLATE "C",
    request text COLLATE "C",
    begun_at timestamptz NOT NULL,
    ended_at timestamptz,
    at timestamptz NOT NULL,
    answer json,
    problem json,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", id)
);
CREATE INDEX operations_seq ON operations (tenant, "user", seq);
CREATE INDEX operations_id ON operations (tenant, id);
CALL protect('operations');
ALTER TABLE api_keys ADD COLUMN root text COLLATE "C";
