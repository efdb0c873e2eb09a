-- How often and when an entity was mentioned follows from the passages that name it: counted here it outlived what was
-- forgotten, told each agent of the turns of others, and cost every turn a write.
ALTER TABLE entities DROP COLUMN mentions;
ALTER TABLE entities DROP COLUMN first_seen;
ALTER TABLE entities DROP COLUMN last_seen;
