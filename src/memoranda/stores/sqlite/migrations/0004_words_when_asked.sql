-- Words are indexed when somebody asks for them: writing a turn is a quarter quicker, and whoever never asks never pays.
-- `words` is the `seq` up to which an owner's passages are in the index; those that came later are not in it.

ALTER TABLE owners ADD COLUMN words INTEGER NOT NULL DEFAULT 0;
UPDATE owners SET words = seq;

DROP TRIGGER passages_inserted;
DROP TRIGGER passages_deleted;
DROP TRIGGER passages_updated;

CREATE TRIGGER passages_deleted AFTER DELETE ON passages BEGIN
    INSERT INTO passages_index (passages_index, rowid, terms)
    SELECT 'delete', (id << 32) + OLD.seq, OLD.terms FROM owners
    WHERE tenant = OLD.tenant AND user = OLD.user AND OLD.seq <= words;
END;

CREATE TRIGGER passages_updated AFTER UPDATE ON passages WHEN NEW.seq <> OLD.seq BEGIN
    INSERT INTO passages_index (passages_index, rowid, terms)
    SELECT 'delete', (id << 32) + OLD.seq, OLD.terms FROM owners
    WHERE tenant = OLD.tenant AND user = OLD.user AND OLD.seq <= words;
END;
