ALTER TABLE passages ADD COLUMN access_count bigint NOT NULL DEFAULT 0;
ALTER TABLE passages ADD COLUMN last_accessed timestamptz;
