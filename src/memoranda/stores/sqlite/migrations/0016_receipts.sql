-- What a receipt is verified with, and where bytes may still be read.
ALTER TABLE receipts ADD COLUMN salt TEXT NOT NULL DEFAULT '';
ALTER TABLE receipts ADD COLUMN items TEXT NOT NULL DEFAULT '{}';
ALTER TABLE receipts ADD COLUMN remains TEXT NOT NULL DEFAULT '[]';
