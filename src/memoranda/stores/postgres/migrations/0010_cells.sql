-- Working memory (core/cells.py): unlogged, for nothing in it has to survive a crash of the server. The cell without a
-- name stands for its place, says when it was last written, and is what writers queue at.
CREATE UNLOGGED TABLE cells (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    agent text COLLATE "C" NOT NULL,
    channel text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    place text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    text text NOT NULL,
    version text NOT NULL,
    expires timestamptz,
    at timestamptz,
    PRIMARY KEY (tenant, "user", agent, channel, kind, place, name)
);
CREATE INDEX cells_by_time ON cells (tenant, at) WHERE at IS NOT NULL;
CALL protect('cells');

CREATE TABLE working_copies (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    agent text COLLATE "C",
    channel text COLLATE "C" NOT NULL,
    conversation text COLLATE "C",
    task text COLLATE "C",
    cells json NOT NULL,
    turns text[] COLLATE "C" NOT NULL,
    saved_at timestamptz NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", id)
);
CALL protect('working_copies');
