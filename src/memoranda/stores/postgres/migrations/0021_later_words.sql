CREATE TABLE later_words (
    tenant text COLLATE "C" NOT NULL,
    "user" text COLLATE "C" NOT NULL,
    ref text COLLATE "C" NOT NULL,
    earlier text COLLATE "C" NOT NULL,
    turns text[] COLLATE "C" NOT NULL,
    probability double precision NOT NULL,
    model text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (tenant, "user", ref, earlier)
);
CREATE INDEX later_words_seq ON later_words (tenant, "user", seq);
CALL protect('later_words');
