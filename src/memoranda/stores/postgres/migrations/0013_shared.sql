CREATE TABLE pools (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    reach text COLLATE "C" NOT NULL,
    holder text COLLATE "C" NOT NULL,
    agent text COLLATE "C",
    channel text COLLATE "C" NOT NULL,
    task text COLLATE "C",
    sources text[] COLLATE "C" NOT NULL,
    data json NOT NULL,
    version bigint NOT NULL,
    reads bigint NOT NULL,
    last_read timestamptz,
    created_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    expires_at timestamptz,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", id)
);
CREATE INDEX pools_holder ON pools (tenant, "user", holder);
CALL protect('pools');

CREATE TABLE collections (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    reach text COLLATE "C" NOT NULL,
    holder text COLLATE "C" NOT NULL,
    agent text COLLATE "C",
    channel text COLLATE "C" NOT NULL,
    sources text[] COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    archived_at timestamptz,
    expires_at timestamptz,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", id)
);
CREATE INDEX collections_holder ON collections (tenant, "user", holder);
CALL protect('collections');

CREATE TABLE snapshots (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    object text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    entries json NOT NULL,
    created_by text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", id)
);
CREATE INDEX snapshots_object ON snapshots (tenant, "user", object);
CALL protect('snapshots');

CREATE TABLE grants (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    object text COLLATE "C" NOT NULL,
    level text COLLATE "C" NOT NULL,
    grantee text COLLATE "C",
    agent text COLLATE "C",
    team text COLLATE "C",
    granted_by text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    revoked_at timestamptz,
    revoked_by text COLLATE "C",
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", id)
);
CREATE INDEX grants_object ON grants (tenant, "user", object);
CREATE INDEX grants_grantee ON grants (tenant, "user", grantee);
CREATE INDEX grants_team ON grants (tenant, "user", team);
CALL protect('grants');

CREATE TABLE access_log (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    object text COLLATE "C" NOT NULL,
    action text COLLATE "C" NOT NULL,
    actor text COLLATE "C" NOT NULL,
    agent text COLLATE "C",
    at timestamptz NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", id)
);
CREATE INDEX access_log_object ON access_log (tenant, "user", object);
CALL protect('access_log');
