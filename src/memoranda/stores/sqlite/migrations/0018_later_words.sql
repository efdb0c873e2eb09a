CREATE TABLE later_words (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    ref TEXT NOT NULL,
    earlier TEXT NOT NULL,
    turns TEXT NOT NULL,
    probability REAL NOT NULL,
    model TEXT NOT NULL,
    PRIMARY KEY (tenant, user, ref, earlier)
) STRICT;
CREATE INDEX later_words_by_seq ON later_words (tenant, user, seq);
