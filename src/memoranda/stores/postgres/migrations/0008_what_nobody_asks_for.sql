-- Nobody asks for the turns of one conversation, nor for those that are unprocessed, and every turn paid for both
-- indexes. Of an entity the name is known; the rest was the same in every row.
DROP INDEX IF EXISTS events_conversation, events_unprocessed;
ALTER TABLE entities
    DROP COLUMN IF EXISTS description, DROP COLUMN IF EXISTS salience, DROP COLUMN IF EXISTS agent,
    DROP COLUMN IF EXISTS channel, DROP COLUMN IF EXISTS connection;
