-- One table per kind of row in core.rows, its columns exactly the fields. Tenant comes first in every key and
-- index and nothing reaches across tenants, so the tables distribute by tenant as they are. Text compares byte
-- by byte (COLLATE "C"), as Python and SQLite compare it.

CREATE TABLE owners (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    dropped bigint NOT NULL,
    PRIMARY KEY (tenant, "user")
) WITH (fillfactor = 50);  -- every batch updates a row here: leave room on its page

CREATE TABLE events (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    role text COLLATE "C" NOT NULL,
    speaker text COLLATE "C",
    content text COLLATE "C" NOT NULL,
    category text COLLATE "C",
    agent text COLLATE "C",
    team text COLLATE "C",
    channel text COLLATE "C" NOT NULL,
    connection text COLLATE "C",
    conversation text COLLATE "C",
    task text COLLATE "C",
    position bigint NOT NULL,
    surface text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    metadata jsonb NOT NULL,
    trust double precision NOT NULL,
    event_time timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL,
    extraction text COLLATE "C" NOT NULL,
    processed_at timestamptz,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", id)
);
CREATE INDEX events_seq ON events (tenant, "user", seq);
CREATE INDEX events_conversation ON events (tenant, "user", conversation, position);
CREATE INDEX events_unprocessed ON events (tenant, "user", seq) WHERE processed_at IS NULL;

CREATE TABLE records (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    category text COLLATE "C" NOT NULL,
    text text COLLATE "C" NOT NULL,
    subject text COLLATE "C",
    attribute text COLLATE "C",
    value jsonb,
    polarity bigint NOT NULL,
    temporal text COLLATE "C" NOT NULL,
    phrase text COLLATE "C",
    certainty text COLLATE "C" NOT NULL,
    confidence double precision NOT NULL,
    importance double precision NOT NULL,
    status text COLLATE "C" NOT NULL,
    agent text COLLATE "C",
    channel text COLLATE "C" NOT NULL,
    connection text COLLATE "C",
    conversation text COLLATE "C",
    source text COLLATE "C" NOT NULL,
    trust double precision NOT NULL,
    valid_from timestamptz NOT NULL,
    valid_to timestamptz,
    recorded_at timestamptz NOT NULL,
    superseded_at timestamptz,
    supersedes text COLLATE "C",
    sources text[] COLLATE "C" NOT NULL,
    entities text[] COLLATE "C" NOT NULL,
    editor text COLLATE "C" NOT NULL,
    hash text COLLATE "C" NOT NULL,
    access_count bigint NOT NULL,
    last_accessed timestamptz,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", id, version)
);
CREATE INDEX records_seq ON records (tenant, "user", seq);

CREATE TABLE entities (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    aliases text[] COLLATE "C" NOT NULL,
    description text COLLATE "C" NOT NULL,
    mentions bigint NOT NULL,
    salience double precision NOT NULL,
    agent text COLLATE "C",
    channel text COLLATE "C" NOT NULL,
    connection text COLLATE "C",
    first_seen timestamptz NOT NULL,
    last_seen timestamptz NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", id)
);
CREATE INDEX entities_seq ON entities (tenant, "user", seq);

CREATE TABLE relations (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    head text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    tail text COLLATE "C" NOT NULL,
    confidence double precision NOT NULL,
    agent text COLLATE "C",
    channel text COLLATE "C" NOT NULL,
    connection text COLLATE "C",
    valid_from timestamptz NOT NULL,
    valid_to timestamptz,
    sources text[] COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", id)
);
CREATE INDEX relations_seq ON relations (tenant, "user", seq);

CREATE TABLE passages (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    ref text COLLATE "C" NOT NULL,
    "of" text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    role text COLLATE "C" NOT NULL,
    speaker text COLLATE "C",
    agent text COLLATE "C",
    channel text COLLATE "C" NOT NULL,
    connection text COLLATE "C",
    conversation text COLLATE "C",
    position bigint NOT NULL,
    terms text COLLATE "C" NOT NULL,
    entities text[] COLLATE "C" NOT NULL,
    traits text[] COLLATE "C" NOT NULL,
    length bigint NOT NULL,
    at timestamptz NOT NULL,
    recorded_at timestamptz NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", ref)
);
CREATE INDEX passages_seq ON passages (tenant, "user", seq);

CREATE TABLE vectors (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    space text COLLATE "C" NOT NULL,
    ref text COLLATE "C" NOT NULL,
    data halfvec NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", space, ref)
) WITH (toast_tuple_target = 8160);  -- vectors stay in the row, where exact search reads them without a detour
CREATE INDEX vectors_seq ON vectors (tenant, "user", seq);

CREATE TABLE tombstones (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    receipt text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", id)
);
CREATE INDEX tombstones_seq ON tombstones (tenant, "user", seq);

CREATE TABLE receipts (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    target text COLLATE "C" NOT NULL,
    removed jsonb NOT NULL,
    digest text COLLATE "C" NOT NULL,
    created_at timestamptz NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", id)
);
CREATE INDEX receipts_seq ON receipts (tenant, "user", seq);
