CREATE TABLE pools (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    reach TEXT NOT NULL,
    holder TEXT NOT NULL,
    agent TEXT,
    channel TEXT NOT NULL,
    task TEXT,
    sources TEXT NOT NULL,
    data TEXT NOT NULL,
    version INTEGER NOT NULL,
    reads INTEGER NOT NULL,
    last_read INTEGER,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    expires_at INTEGER,
    PRIMARY KEY (tenant, user, id)
) STRICT;
CREATE INDEX pools_by_seq ON pools (tenant, user, seq);
CREATE INDEX pools_by_holder ON pools (tenant, user, holder);

CREATE TABLE collections (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    reach TEXT NOT NULL,
    holder TEXT NOT NULL,
    agent TEXT,
    channel TEXT NOT NULL,
    sources TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    archived_at INTEGER,
    expires_at INTEGER,
    PRIMARY KEY (tenant, user, id)
) STRICT;
CREATE INDEX collections_by_seq ON collections (tenant, user, seq);
CREATE INDEX collections_by_holder ON collections (tenant, user, holder);

CREATE TABLE snapshots (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    object TEXT NOT NULL,
    name TEXT NOT NULL,
    entries TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, user, id)
) STRICT;
CREATE INDEX snapshots_by_seq ON snapshots (tenant, user, seq);
CREATE INDEX snapshots_by_object ON snapshots (tenant, user, object);

CREATE TABLE grants (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    object TEXT NOT NULL,
    level TEXT NOT NULL,
    grantee TEXT,
    agent TEXT,
    team TEXT,
    granted_by TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    revoked_by TEXT,
    PRIMARY KEY (tenant, user, id)
) STRICT;
CREATE INDEX grants_by_seq ON grants (tenant, user, seq);
CREATE INDEX grants_by_object ON grants (tenant, user, object);
CREATE INDEX grants_by_grantee ON grants (tenant, user, grantee);
CREATE INDEX grants_by_team ON grants (tenant, user, team);

CREATE TABLE access_log (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    object TEXT NOT NULL,
    action TEXT NOT NULL,
    actor TEXT NOT NULL,
    agent TEXT,
    at INTEGER NOT NULL,
    PRIMARY KEY (tenant, user, id)
) STRICT;
CREATE INDEX access_log_by_seq ON access_log (tenant, user, seq);
CREATE INDEX access_log_by_object ON access_log (tenant, user, object);
