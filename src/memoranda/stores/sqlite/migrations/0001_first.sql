-- One table per kind of row; columns and keys are those declared in core/rows.py.
-- Times are integer microseconds since 1970 in UTC, JSON and lists of strings are JSON text, truth is 0 or 1.

PRAGMA application_id = 1836281137;

CREATE TABLE migrations (
    version INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    checksum TEXT NOT NULL
) STRICT;

CREATE TABLE owners (
    id INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL DEFAULT 0,
    dropped INTEGER NOT NULL DEFAULT 0,
    UNIQUE (tenant, user)
) STRICT;

CREATE TABLE events (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    role TEXT NOT NULL,
    speaker TEXT,
    content TEXT NOT NULL,
    category TEXT,
    agent TEXT,
    team TEXT,
    channel TEXT NOT NULL,
    connection TEXT,
    conversation TEXT,
    task TEXT,
    position INTEGER NOT NULL,
    surface TEXT NOT NULL,
    source TEXT NOT NULL,
    metadata TEXT NOT NULL,
    trust REAL NOT NULL,
    event_time INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    extraction TEXT NOT NULL,
    processed_at INTEGER,
    PRIMARY KEY (tenant, user, id)
) STRICT;
CREATE INDEX events_by_seq ON events (tenant, user, seq);

CREATE TABLE records (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    kind TEXT NOT NULL,
    category TEXT NOT NULL,
    text TEXT NOT NULL,
    subject TEXT,
    attribute TEXT,
    value TEXT,
    polarity INTEGER NOT NULL,
    temporal TEXT NOT NULL,
    phrase TEXT,
    certainty TEXT NOT NULL,
    confidence REAL NOT NULL,
    importance REAL NOT NULL,
    status TEXT NOT NULL,
    agent TEXT,
    channel TEXT NOT NULL,
    connection TEXT,
    conversation TEXT,
    source TEXT NOT NULL,
    trust REAL NOT NULL,
    valid_from INTEGER NOT NULL,
    valid_to INTEGER,
    recorded_at INTEGER NOT NULL,
    superseded_at INTEGER,
    supersedes TEXT,
    sources TEXT NOT NULL,
    entities TEXT NOT NULL,
    editor TEXT NOT NULL,
    hash TEXT NOT NULL,
    access_count INTEGER NOT NULL,
    last_accessed INTEGER,
    PRIMARY KEY (tenant, user, id, version)
) STRICT;
CREATE INDEX records_by_seq ON records (tenant, user, seq);

CREATE TABLE entities (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    aliases TEXT NOT NULL,
    description TEXT NOT NULL,
    mentions INTEGER NOT NULL,
    salience REAL NOT NULL,
    agent TEXT,
    channel TEXT NOT NULL,
    connection TEXT,
    first_seen INTEGER NOT NULL,
    last_seen INTEGER NOT NULL,
    PRIMARY KEY (tenant, user, id)
) STRICT;
CREATE INDEX entities_by_seq ON entities (tenant, user, seq);

CREATE TABLE relations (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    head TEXT NOT NULL,
    type TEXT NOT NULL,
    tail TEXT NOT NULL,
    confidence REAL NOT NULL,
    agent TEXT,
    channel TEXT NOT NULL,
    connection TEXT,
    valid_from INTEGER NOT NULL,
    valid_to INTEGER,
    sources TEXT NOT NULL,
    PRIMARY KEY (tenant, user, id)
) STRICT;
CREATE INDEX relations_by_seq ON relations (tenant, user, seq);

CREATE TABLE passages (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    ref TEXT NOT NULL,
    of TEXT NOT NULL,
    kind TEXT NOT NULL,
    role TEXT NOT NULL,
    speaker TEXT,
    agent TEXT,
    channel TEXT NOT NULL,
    connection TEXT,
    conversation TEXT,
    position INTEGER NOT NULL,
    terms TEXT NOT NULL,
    entities TEXT NOT NULL,
    traits TEXT NOT NULL,
    length INTEGER NOT NULL,
    at INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, user, ref)
) STRICT;
CREATE INDEX passages_by_seq ON passages (tenant, user, seq);

CREATE TABLE vectors (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    space TEXT NOT NULL,
    ref TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (tenant, user, space, ref)
) STRICT;
CREATE INDEX vectors_by_seq ON vectors (tenant, user, seq);

CREATE TABLE tombstones (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    receipt TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, user, id)
) STRICT;
CREATE INDEX tombstones_by_seq ON tombstones (tenant, user, seq);

CREATE TABLE receipts (
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    target TEXT NOT NULL,
    removed TEXT NOT NULL,
    digest TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, user, id)
) STRICT;
CREATE INDEX receipts_by_seq ON receipts (tenant, user, seq);

CREATE INDEX events_by_conversation ON events (tenant, user, conversation, position);

-- The words of passages, which come stemmed and separated by spaces: whatever is no space is part of a word.
-- The rowid is the owner's number and the row's `seq` in one integer. An owner's passages thus lie together in
-- every list of the index, and a search reads those of one owner by a range of rowids.
CREATE VIRTUAL TABLE passages_index USING fts5 (
    terms,
    content = '',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Cf Cn Co Cs'"
);

CREATE TRIGGER passages_inserted AFTER INSERT ON passages BEGIN
    INSERT INTO passages_index (rowid, terms)
    SELECT (id << 32) + NEW.seq, NEW.terms FROM owners WHERE tenant = NEW.tenant AND user = NEW.user;
END;

CREATE TRIGGER passages_deleted AFTER DELETE ON passages BEGIN
    INSERT INTO passages_index (passages_index, rowid, terms)
    SELECT 'delete', (id << 32) + OLD.seq, OLD.terms FROM owners WHERE tenant = OLD.tenant AND user = OLD.user;
END;

CREATE TRIGGER passages_updated AFTER UPDATE ON passages BEGIN
    INSERT INTO passages_index (passages_index, rowid, terms)
    SELECT 'delete', (id << 32) + OLD.seq, OLD.terms FROM owners WHERE tenant = OLD.tenant AND user = OLD.user;
    INSERT INTO passages_index (rowid, terms)
    SELECT (id << 32) + NEW.seq, NEW.terms FROM owners WHERE tenant = NEW.tenant AND user = NEW.user;
END;
