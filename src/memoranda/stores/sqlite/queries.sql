-- The statements that cannot be built from the declaration of a kind of row.

-- name: owner
SELECT id, seq, dropped, words FROM owners WHERE tenant = ? AND user = ?;

-- name: new_owner
INSERT INTO owners (tenant, user) VALUES (?, ?);

-- name: advance
UPDATE owners SET seq = ?, dropped = ? WHERE id = ?;

-- name: index_words
INSERT INTO passages_index (rowid, terms)
SELECT (:owner << 32) + seq, terms FROM passages WHERE tenant = :tenant AND user = :user AND seq > :words;

-- name: words_indexed
UPDATE owners SET words = seq WHERE id = ?;

-- name: by_terms
SELECT passages.ref, -bm25(passages_index)
FROM passages_index
JOIN passages
    ON passages.tenant = :tenant AND passages.user = :user AND passages.seq = passages_index.rowid & 4294967295
WHERE passages_index MATCH :words
    AND passages_index.rowid BETWEEN :owner << 32 AND (:owner << 32) + 4294967295
    AND (:everywhere OR passages.channel IN (SELECT value FROM json_each(:channels)))
ORDER BY bm25(passages_index), passages.seq
LIMIT :limit;

-- name: by_vector
SELECT vectors.ref, vectors.data
FROM vectors
JOIN passages USING (tenant, user, ref)
WHERE vectors.tenant = :tenant AND vectors.user = :user AND vectors.space = :space
    AND (:everywhere OR passages.channel IN (SELECT value FROM json_each(:channels)))
ORDER BY vectors.ref;

-- name: words_counted
SELECT (SELECT count(*) FROM passages_index_docsize) = (
    SELECT count(*) FROM passages JOIN owners USING (tenant, user) WHERE passages.seq <= owners.words
);

-- name: owners_damaged
typeof(seq) || typeof(dropped) || typeof(words) <> 'integerintegerinteger'
OR id NOT BETWEEN 1 AND 2147483647 OR seq NOT BETWEEN 0 AND 4294967295 OR dropped NOT BETWEEN 0 AND seq

-- name: cells_damaged
typeof(name) || typeof(text) || typeof(version) <> 'texttexttext'
OR NOT legible(CAST(name AS BLOB)) OR NOT legible(CAST(text AS BLOB)) OR NOT legible(CAST(version AS BLOB))
OR (name > '' AND NOT json_valid(text)) OR (name = '') <> (at IS NOT NULL)
OR typeof(coalesce(expires, at, 0)) <> 'integer'
OR coalesce(expires, at, 0) NOT BETWEEN -62135596800000000 AND 253402300799999999

-- name: drop_index
-- A damaged index cannot be asked to drop itself. A passage that was never indexed must not be taken out of it.
PRAGMA writable_schema = ON;
DELETE FROM sqlite_schema WHERE name = 'passages_index';
PRAGMA writable_schema = RESET;
DROP TABLE IF EXISTS passages_index_data;
DROP TABLE IF EXISTS passages_index_idx;
DROP TABLE IF EXISTS passages_index_docsize;
DROP TABLE IF EXISTS passages_index_config;
DROP TRIGGER passages_deleted;
DROP TRIGGER passages_updated;
UPDATE passages SET seq = 1 << 32 WHERE seq < 1;

-- name: search
SELECT rowid FROM passages_index WHERE passages_index MATCH 'word' LIMIT 1;

-- name: names
CREATE TEMP TABLE names AS
WITH held (name, tenant, user) AS (
    SELECT id, tenant, user FROM events UNION SELECT id, tenant, user FROM records
    UNION SELECT ref, tenant, user FROM passages UNION SELECT ref, tenant, user FROM vectors
    UNION SELECT id, tenant, user FROM entities
)
SELECT name, min(tenant) AS tenant, min(user) AS user FROM held JOIN owners USING (tenant, user)
GROUP BY name HAVING count(*) = 1;

-- name: give_back
UPDATE OR IGNORE {0} SET (tenant, user) = (SELECT tenant, user FROM names WHERE name = {1})
WHERE NOT EXISTS (
    SELECT 1 FROM owners WHERE owners.tenant = {0}.tenant AND owners.user = {0}.user
) AND EXISTS (SELECT 1 FROM names WHERE name = {1} AND (names.tenant = {0}.tenant OR names.user = {0}.user));

-- name: name_again
-- A number is the least that is free. An event or a record has the name that its passage has.
UPDATE OR IGNORE records AS one SET version = (
    SELECT min(version) + 1 FROM (
        SELECT version FROM records AS other
        WHERE other.tenant = one.tenant AND other.user = one.user AND other.id = one.id
        UNION SELECT 0
    ) AS taken
    WHERE NOT EXISTS (
        SELECT 1 FROM records AS other
        WHERE other.tenant = one.tenant AND other.user = one.user AND other.id = one.id
            AND other.version = taken.version + 1
    ) AND typeof(version) = 'integer'
) WHERE typeof(version) <> 'integer';
DELETE FROM job_runs WHERE typeof(slot) <> 'integer';
UPDATE OR IGNORE events SET id = lost.ref FROM (
    SELECT one.rowid AS number, passages.ref FROM events AS one JOIN passages USING (tenant, user, recorded_at, kind)
    WHERE one.id LIKE 'damaged-%' AND of = 'event' AND at = event_time AND passages.position = one.position
        AND passages.conversation IS one.conversation
        AND NOT EXISTS (
            SELECT 1 FROM events AS other
            WHERE other.tenant = one.tenant AND other.user = one.user AND other.id = passages.ref
        )
    GROUP BY one.rowid HAVING count(*) = 1
) AS lost WHERE events.rowid = lost.number;
UPDATE OR IGNORE records SET id = lost.ref FROM (
    SELECT one.rowid AS number, passages.ref FROM records AS one JOIN passages USING (tenant, user, kind)
    WHERE one.id LIKE 'damaged-%' AND of = 'record' AND at = valid_from AND passages.length = length(text)
        AND NOT EXISTS (
            SELECT 1 FROM records AS other
            WHERE other.tenant = one.tenant AND other.user = one.user AND other.id = passages.ref
        )
    GROUP BY one.rowid HAVING count(*) = 1
) AS lost WHERE records.rowid = lost.number;
DROP TABLE temp.names;
INSERT OR IGNORE INTO cells
SELECT DISTINCT tenant, user, agent, channel, kind, place, '', '', '', NULL, (SELECT coalesce(max(at), 0) FROM cells)
FROM cells;

-- name: behind
SELECT tenant, user, max(highest.seq) FROM highest LEFT JOIN owners USING (tenant, user)
WHERE typeof(tenant) || typeof(user) = 'texttext' AND tenant > '' AND user > ''
    AND legible(CAST(tenant AS BLOB)) AND legible(CAST(user AS BLOB))
GROUP BY tenant, user HAVING max(highest.seq) > coalesce(max(owners.seq), 0)

-- name: catch_up
INSERT INTO owners (tenant, user, seq, dropped) VALUES (?1, ?2, ?3, ?3)
ON CONFLICT DO UPDATE SET seq = excluded.seq, dropped = excluded.dropped;

-- name: columns
SELECT tables.name || '.' || columns.name, NULL FROM sqlite_schema AS tables
JOIN pragma_table_info(tables.name) AS columns
WHERE tables.type = 'table' AND tables.name NOT LIKE 'passages_index%'

-- name: owners
SELECT tenant, user FROM owners
WHERE seq > 0 AND typeof(tenant) || typeof(user) = 'texttext' AND tenant > '' AND user > ''
    AND legible(CAST(tenant AS BLOB)) AND legible(CAST(user AS BLOB))
ORDER BY tenant, user;

-- name: scrub
INSERT INTO passages_index (passages_index) VALUES ('optimize');

-- name: read_cells
SELECT name, text, version, expires, at FROM cells
WHERE tenant = ? AND user = ? AND agent = ? AND channel = ? AND kind = ? AND place = ?;

-- name: cell_version
SELECT name, version FROM cells
WHERE tenant = ? AND user = ? AND agent = ? AND channel = ? AND kind = ? AND place = ? AND name = ?;

-- name: drop_place
DELETE FROM cells
WHERE tenant = ? AND user = ? AND agent = ? AND channel = ? AND kind = ? AND place = ? AND name = '' AND NOT EXISTS (
    SELECT 1 FROM cells AS other
    WHERE other.tenant = cells.tenant AND other.user = cells.user AND other.agent = cells.agent
        AND other.channel = cells.channel AND other.kind = cells.kind AND other.place = cells.place AND other.name > ''
);

-- name: drop_cell
DELETE FROM cells
WHERE tenant = ? AND user = ? AND agent = ? AND channel = ? AND kind = ? AND place = ? AND name = ?;

-- name: put_cell
INSERT OR REPLACE INTO cells VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: idle_places
SELECT tenant, user, agent, channel, kind, place FROM cells
WHERE tenant = :tenant AND at < :before AND (:user IS NULL OR user = :user)
ORDER BY at, user, agent, channel, kind, place LIMIT :limit;
