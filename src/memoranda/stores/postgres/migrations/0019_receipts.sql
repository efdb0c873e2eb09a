-- What a receipt is verified with, and where bytes may still be read.
ALTER TABLE receipts
    ADD COLUMN salt text COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN items json NOT NULL DEFAULT '{}',
    ADD COLUMN remains text[] COLLATE "C" NOT NULL DEFAULT '{}';
