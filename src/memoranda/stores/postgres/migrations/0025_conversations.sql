CREATE TABLE conversation_marks (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    conversation text COLLATE "C" NOT NULL,
    agent text COLLATE "C",
    channel text COLLATE "C" NOT NULL,
    title text COLLATE "C",
    archived_at timestamptz,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", id)
);
CREATE INDEX conversation_marks_seq ON conversation_marks (tenant, "user", seq);
CALL protect('conversation_marks');
