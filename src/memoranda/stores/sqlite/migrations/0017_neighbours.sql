-- What forgetting asks for besides keys: events that tell of others, and versions that no image holds.
CREATE INDEX events_telling ON events (tenant, user, seq) WHERE metadata NOT IN ('{}', '[]');
CREATE INDEX records_past ON records (tenant, user, seq) WHERE superseded_at IS NOT NULL;
