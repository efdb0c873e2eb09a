ALTER TABLE grants ADD COLUMN under text COLLATE "C";
