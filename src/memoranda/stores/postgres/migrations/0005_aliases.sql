-- Other names of an entity are relations, each in the place of the event that gave it: which event had given
-- those kept here is not known, so they cannot be shown, hidden or forgotten as it is.
ALTER TABLE entities DROP COLUMN IF EXISTS aliases;
