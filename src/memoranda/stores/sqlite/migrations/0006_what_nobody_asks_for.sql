-- Nobody asks for the turns of one conversation, and every turn paid for the index. Of an entity the name is known;
-- the rest was the same in every row.
DROP INDEX events_by_conversation;
ALTER TABLE entities DROP COLUMN description;
ALTER TABLE entities DROP COLUMN salience;
ALTER TABLE entities DROP COLUMN agent;
ALTER TABLE entities DROP COLUMN channel;
ALTER TABLE entities DROP COLUMN connection;
