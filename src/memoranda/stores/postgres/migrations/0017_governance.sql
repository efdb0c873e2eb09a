CREATE TABLE ledger (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    what text COLLATE "C" NOT NULL,
    task text COLLATE "C",
    model text COLLATE "C" NOT NULL,
    tokens_in bigint NOT NULL,
    tokens_out bigint NOT NULL,
    cost double precision,
    about text[] COLLATE "C" NOT NULL,
    agent text COLLATE "C",
    channel text COLLATE "C" NOT NULL,
    connection text COLLATE "C",
    conversation text COLLATE "C",
    at timestamptz NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", id)
);
CREATE INDEX ledger_seq ON ledger (tenant, "user", seq);
CALL protect('ledger');
CREATE TABLE budgets (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    period text COLLATE "C" NOT NULL,
    amount double precision,
    set_at timestamptz NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", period)
);
CREATE INDEX budgets_seq ON budgets (tenant, "user", seq);
CALL protect('budgets');
CREATE TABLE spending (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    period text COLLATE "C" NOT NULL,
    spent bigint NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", period)
);
CREATE INDEX spending_seq ON spending (tenant, "user", seq);
CALL protect('spending');
CREATE TABLE audit (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    operation text COLLATE "C" NOT NULL,
    stratum text COLLATE "C" NOT NULL,
    agent text COLLATE "C",
    channel text COLLATE "C" NOT NULL,
    connection text COLLATE "C",
    conversation text COLLATE "C",
    ids text[] COLLATE "C" NOT NULL,
    query text COLLATE "C",
    counts json NOT NULL,
    milliseconds double precision NOT NULL,
    error text COLLATE "C",
    thresholds json NOT NULL,
    at timestamptz NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", id)
);
CREATE INDEX audit_seq ON audit (tenant, "user", seq);
CALL protect('audit');
